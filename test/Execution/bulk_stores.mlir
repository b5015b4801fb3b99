// Bulk copies to global memory: ragged tensors, starts below zero and past the end,
// tensors without elements, tiles of several boxes, several ranks and widths. The
// fence in front of the barrier shows the block's writes to the copy engine.
// RUN: tile-opt %s --tile-logical-phase="chip=sm_90a" --tile-layout-phase=bulk-copies -o %t.laid
// RUN: FileCheck %s --input-file=%t.laid --check-prefix=CHOSEN
// RUN: tile-opt %t.laid --tile-schedule-phase -o %t
// RUN: tile-run %t --entry=back --on=emulator --check --shape=0:100x128 --shape=1:100x128 --scalar=2:0
// RUN: tile-run %t --entry=back --on=emulator --check --shape=0:128x128 --shape=1:128x128 --scalar=2:-5 --seed=3
// RUN: tile-run %t --entry=back --on=emulator --check --shape=0:64x128 --shape=1:0x128 --scalar=2:0
// RUN: tile-run %t --entry=back --on=emulator --check --shape=0:64x128 --shape=1:10x128 --scalar=2:-100 --seed=4
// RUN: tile-run %t --entry=back --on=emulator --check --shape=0:64x128 --shape=1:10x128 --scalar=2:-4294967296
// RUN: tile-run %t --entry=line --on=emulator --check --shape=0:300 --shape=1:300 --scalar=2:-17
// RUN: tile-run %t --entry=heads --on=emulator --check --shape=0:2x3x64x64 --shape=1:2x70x3x64 --seed=2
// RUN: tile-run %t --entry=host_view --on=emulator --check --shape=0:90x64 --shape=1:90x128 --scalar=2:7
// RUN: tile-opt %t --emit=ptx | FileCheck %s --check-prefix=PTX
// RUN: tile-run %s --entry=small_slots --on=emulator --check --chip=sm_90a --scalar=4:0
// RUN: tile-run %s --entry=small_slots --on=emulator --check --chip=sm_90a --scalar=4:5
#shared = #gpu.address_space<workgroup>

// Nothing outside of the memref is touched. The last copy of a kernel is waited for
// until its source was read.
// PTX-LABEL: .entry back_0
// PTX: fence.proxy.async.shared::cta
// PTX: bar.sync
// PTX: cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group
// PTX: cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group
// PTX: cp.async.bulk.commit_group
// PTX: cp.async.bulk.wait_group.read 0
// PTX-LABEL: .entry heads_0
// PTX: cp.async.bulk.wait_group 0
func.func @back(%a: memref<?x128xf16>, %o: memref<?x128xf16>, %shift: index) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c64 = arith.constant 64 : index
  tile.launch blocks(%x) in (%c2) threads(128) {
    %row = arith.muli %x, %c64 : index
    %to = arith.addi %row, %shift : index
    %s = tile.alloc : memref<64x128xf16, #shared>
    %t = tile.load %a[%row, %c0] : memref<?x128xf16> -> tensor<64x128xf16>
    tile.store %t, %s : tensor<64x128xf16>, memref<64x128xf16, #shared>
    // CHOSEN: tile.copy {{.*}}"cp.async.bulk.tensor.2d.global.shared::cta
    tile.copy %s to %o[%to, %c0] : memref<64x128xf16, #shared> to memref<?x128xf16>
  }
  return
}

// One dimension, 8 bytes an element, more than a box has.
func.func @line(%a: memref<?xi64>, %o: memref<?xi64>, %to: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(128) {
    %s = tile.alloc : memref<512xi64, #shared>
    %t = tile.load %a[%c0] : memref<?xi64> -> tensor<512xi64>
    tile.store %t, %s : tensor<512xi64>, memref<512xi64, #shared>
    // CHOSEN: tile.copy {{.*}}"cp.async.bulk.tensor.1d.global.shared::cta
    tile.copy %s to %o[%to] : memref<512xi64, #shared> to memref<?xi64>
  }
  return
}

// In a loop, with one buffer for all of its iterations.
func.func @heads(%a: memref<2x3x64x64xbf16>, %o: memref<?x?x3x64xbf16>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  tile.launch blocks(%b) in (%c2) threads(128) {
    %s = tile.alloc : memref<64x64xbf16, #shared>
    scf.for %h = %c0 to %c3 step %c1 {
      %t = tile.load %a[%b, %h, %c0, %c0] [1, 1, 64, 64] : memref<2x3x64x64xbf16> -> tensor<64x64xbf16>
      tile.store %t, %s : tensor<64x64xbf16>, memref<64x64xbf16, #shared>
      // CHOSEN: tile.copy {{.*}}"cp.async.bulk.tensor.4d.global.shared::cta
      tile.copy %s to %o[%b, %c0, %h, %c0] [1, 64, 1, 64] : memref<64x64xbf16, #shared> to memref<?x?x3x64xbf16>
    }
  }
  return
}

// What lies in the allocation but outside of the view stays as it is.
func.func @host_view(%a: memref<?x64xf16>, %o: memref<?x128xf16>, %row: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %v = memref.subview %o[%row, 64] [40, 32] [1, 1] : memref<?x128xf16> to memref<40x32xf16, strided<[128, 1], offset: ?>>
  tile.launch blocks(%x) in (%c1) threads(128) {
    %s = tile.alloc : memref<64x64xf16, #shared>
    %t = tile.load %a[%c0, %c0] : memref<?x64xf16> -> tensor<64x64xf16>
    tile.store %t, %s : tensor<64x64xf16>, memref<64x64xf16, #shared>
    // CHOSEN: tile.copy {{.*}}"cp.async.bulk.tensor.2d.global.shared::cta
    tile.copy %s to %v[%c0, %c0] : memref<64x64xf16, #shared> to memref<40x32xf16, strided<[128, 1], offset: ?>>
  }
  return
}

// The next slot of 32 bytes begins where no box can: threads store from it.
func.func @small_slots(%a: memref<4x32xi8>, %b: memref<4x1024xi8>, %o: memref<16xi8>, %p: memref<1024xi8>, %start: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  tile.launch @small_slots blocks(%x) in (%c1) threads(128) attributes {warp_specialize = #tile.warp_specialize<on>} {
    %s = tile.alloc : memref<32xi8, #shared>
    %t = tile.alloc : memref<1024xi8, #shared>
    scf.for %i = %c0 to %c4 step %c1 {
      tile.copy %a[%i, %c0] [1, 32] to %s : memref<4x32xi8> to memref<32xi8, #shared>
      tile.copy %b[%i, %c0] [1, 1024] to %t : memref<4x1024xi8> to memref<1024xi8, #shared>
      tile.copy %s[%c0] in_bounds [true] to %o[%start] [16] : memref<32xi8, #shared> to memref<16xi8>
      tile.copy %t to %p : memref<1024xi8, #shared> to memref<1024xi8>
    } {tile.stages = 2 : i32}
  }
  return
}
