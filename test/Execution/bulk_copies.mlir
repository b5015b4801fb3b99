// Copies by bulk tensor copies from the choice to the launch: ranks 1 to 5, elements
// of 1, 2, 4 and 8 bytes, every swizzle mode, ragged and empty tensors, starts below
// zero and past the end, views that the host makes, tiles of several boxes.
// RUN: tile-opt %s --tile-logical-phase="chip=sm_90a" --tile-layout-phase=bulk-copies -o %t
// RUN: FileCheck %s --input-file=%t --check-prefix=CHOSEN
// RUN: tile-run %t --entry=bytes --on=emulator --check --shape=0:100x64 --scalar=2:-40
// RUN: tile-run %t --entry=bytes --on=emulator --check --shape=0:64x64 --scalar=2:64
// RUN: tile-run %t --entry=halves --on=emulator --check --shape=0:100x136 --scalar=2:-3 --scalar=3:5
// RUN: tile-run %t --entry=halves --on=emulator --check --shape=0:0x136 --scalar=2:0 --scalar=3:0
// RUN: tile-run %t --entry=halves --on=emulator --check --shape=0:64x0 --scalar=2:0 --scalar=3:0
// RUN: tile-run %t --entry=halves --on=emulator --check --shape=0:1x8 --scalar=2:0 --scalar=3:-120
// RUN: tile-run %t --entry=halves --on=emulator --check --shape=0:70x128 --scalar=2:4294967296 --scalar=3:0
// RUN: tile-run %t --entry=halves --on=emulator --check --shape=0:70x128 --scalar=2:0 --scalar=3:-4294967296
// RUN: tile-run %t --entry=words --on=emulator --check --shape=0:3x33x40 --scalar=2:-1
// RUN: tile-run %t --entry=words --on=emulator --check --shape=0:2x64x8 --scalar=2:1
// RUN: tile-run %t --entry=doubles --on=emulator --check --shape=0:700 --scalar=2:300
// RUN: tile-run %t --entry=doubles --on=emulator --check --shape=0:1 --scalar=2:-1
// RUN: tile-run %t --entry=heads --on=emulator --check --shape=0:2x70x3x64
// RUN: tile-run %t --entry=five --on=emulator --check --shape=0:3x5x4x6x16 --scalar=2:-1
// RUN: tile-run %t --entry=host_view --on=emulator --check --shape=0:90x128 --scalar=2:7
// RUN: tile-run %t --entry=product --on=emulator --check --shape=0:100x72 --shape=1:72x136 --shape=2:100x136
// RUN: tile-run %t --entry=product --on=emulator --check --shape=0:130x200 --shape=1:200x64 --shape=2:130x64 --seed=7
// RUN: tile-run %t --entry=product --on=emulator --check --shape=0:64x0 --shape=1:0x64 --shape=2:64x64
// RUN: tile-run %t --entry=product --on=emulator --check-stages --shape=0:100x72 --shape=1:72x136 --shape=2:100x136
// RUN: tile-run %s --entry=behind_in_a_branch --on=emulator --chip=sm_90a --check --scalar=4:0 --scalar=5:3
// RUN: tile-run %s --entry=behind_in_a_branch --on=emulator --chip=sm_90a --check --scalar=4:2 --scalar=5:2
// RUN: tile-run %s --entry=behind_in_a_branch --on=emulator --chip=sm_90a --check --scalar=4:7 --scalar=5:1
// CHOSEN-NOT: tile.copy {{.*}}"cp.async"
// CHOSEN-NOT: tile.copy {{.*}}"ld.st"
// RUN: tile-run %s --entry=counted --on=emulator --chip=sm_90a --check
// RUN: tile-opt %s --emit=ptx --chip=sm_90a | FileCheck %s --check-prefix=COUNTED
// RUN: tile-run %s --entry=mixed --on=emulator --chip=sm_90a --check --seed=30
// RUN: tile-run %s --entry=either_way --on=emulator --chip=sm_90a --check --seed=31
// RUN: tile-run %s --entry=either_way --on=reference --chip=sm_90a --check-stages
// RUN: tile-opt %s --tile-compile=chip=sm_90a --remark-format=emitRemark --remarks-filter-missed=tile-pipeline-loops -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
#shared = #gpu.address_space<workgroup>

func.func @bytes(%a: memref<?x64xi8>, %o: memref<128x64xi8>, %start: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(128) {
    %s = tile.alloc : memref<128x64xi8, #shared>
    // CHOSEN: tile.copy {{.*}}"cp.async.bulk.tensor.2d.shared::cluster
    tile.copy %a[%start, %c0] to %s : memref<?x64xi8> to memref<128x64xi8, #shared>
    %t = tile.load %s : memref<128x64xi8, #shared> -> tensor<128x64xi8>
    tile.store %t, %o : tensor<128x64xi8>, memref<128x64xi8>
  }
  return
}

// Two boxes side by side.
func.func @halves(%a: memref<?x?xf16> {tile.divisible = array<i64: 1, 8>}, %o: memref<128x128xf16>, %row: index, %column: index) {
  %c2 = arith.constant 2 : index
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  tile.launch blocks(%x) in (%c2) threads(128) {
    %s = tile.alloc : memref<64x128xf16, #shared>
    %m = arith.muli %x, %c64 : index
    %i = arith.addi %m, %row : index
    // CHOSEN: tile.copy {{.*}}"cp.async.bulk.tensor.2d.shared::cluster
    tile.copy %a[%i, %column] to %s : memref<?x?xf16> to memref<64x128xf16, #shared>
    %t = tile.load %s : memref<64x128xf16, #shared> -> tensor<64x128xf16>
    tile.store %t, %o[%m, %c0] : tensor<64x128xf16>, memref<128x128xf16>
  }
  return
}

// Rows of 32 bytes: the narrowest mode.
func.func @words(%a: memref<?x?x?xf32> {tile.divisible = array<i64: 1, 1, 4>}, %o: memref<2x32x8xf32>, %start: index) {
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  tile.launch blocks(%x) in (%c1) threads(128) {
    %s = tile.alloc : memref<2x32x8xf32, #shared>
    // CHOSEN: tile.copy {{.*}}"cp.async.bulk.tensor.3d.shared::cluster
    tile.copy %a[%start, %c16, %start] to %s : memref<?x?x?xf32> to memref<2x32x8xf32, #shared>
    %t = tile.load %s : memref<2x32x8xf32, #shared> -> tensor<2x32x8xf32>
    tile.store %t, %o : tensor<2x32x8xf32>, memref<2x32x8xf32>
  }
  return
}

// More than 256 elements of one dimension.
func.func @doubles(%a: memref<?xf64>, %o: memref<512xf64>, %start: index) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(128) {
    %s = tile.alloc : memref<512xf64, #shared>
    // CHOSEN: tile.copy {{.*}}"cp.async.bulk.tensor.1d.shared::cluster
    tile.copy %a[%start] to %s : memref<?xf64> to memref<512xf64, #shared>
    %t = tile.load %s : memref<512xf64, #shared> -> tensor<512xf64>
    tile.store %t, %o : tensor<512xf64>, memref<512xf64>
  }
  return
}

// Of four dimensions the tile has two.
func.func @heads(%a: memref<?x?x3x64xbf16>, %o: memref<2x3x128x64xbf16>) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  tile.launch blocks(%h, %b) in (%c3, %c2) threads(128) {
    %s = tile.alloc : memref<128x64xbf16, #shared>
    // CHOSEN: tile.copy {{.*}}"cp.async.bulk.tensor.4d.shared::cluster
    tile.copy %a[%b, %c0, %h, %c0] [1, 128, 1, 64] to %s : memref<?x?x3x64xbf16> to memref<128x64xbf16, #shared>
    %t = tile.load %s : memref<128x64xbf16, #shared> -> tensor<128x64xbf16>
    tile.store %t, %o[%b, %h, %c0, %c0] [1, 1, 128, 64] : tensor<128x64xbf16>, memref<2x3x128x64xbf16>
  }
  return
}

func.func @five(%a: memref<?x?x?x?x16xf16>, %o: memref<2x2x2x4x16xf16>, %start: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(128) {
    %s = tile.alloc : memref<2x2x2x4x16xf16, #shared>
    // CHOSEN: tile.copy {{.*}}"cp.async.bulk.tensor.5d.shared::cluster
    tile.copy %a[%start, %c1, %start, %c1, %c0] to %s : memref<?x?x?x?x16xf16> to memref<2x2x2x4x16xf16, #shared>
    %t = tile.load %s : memref<2x2x2x4x16xf16, #shared> -> tensor<2x2x2x4x16xf16>
    tile.store %t, %o : tensor<2x2x2x4x16xf16>, memref<2x2x2x4x16xf16>
  }
  return
}

// What lies in the allocation but outside of the view reads as zero.
func.func @host_view(%a: memref<?x128xf16>, %o: memref<64x64xf16>, %row: index) {
  %c1 = arith.constant 1 : index
  %c0 = arith.constant 0 : index
  %v = memref.subview %a[%row, 64] [40, 32] [1, 1] : memref<?x128xf16> to memref<40x32xf16, strided<[128, 1], offset: ?>>
  tile.launch blocks(%x) in (%c1) threads(128) {
    %s = tile.alloc : memref<64x64xf16, #shared>
    // CHOSEN: tile.copy {{.*}}"cp.async.bulk.tensor.2d.shared::cluster
    tile.copy %v[%c0, %c0] to %s : memref<40x32xf16, strided<[128, 1], offset: ?>> to memref<64x64xf16, #shared>
    %t = tile.load %s : memref<64x64xf16, #shared> -> tensor<64x64xf16>
    tile.store %t, %o : tensor<64x64xf16>, memref<64x64xf16>
  }
  return
}

func.func @product(%a: memref<?x?xf16> {tile.divisible = array<i64: 1, 8>, tile.dims = ["M", "K"]}, %b: memref<?x?xf16> {tile.divisible = array<i64: 1, 8>, tile.dims = ["K", "N"]}, %o: memref<?x?xf32> {tile.dims = ["M", "N"]}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %m = memref.dim %a, %c0 : memref<?x?xf16>
  %k = memref.dim %a, %c1 : memref<?x?xf16>
  %n = memref.dim %b, %c1 : memref<?x?xf16>
  %gm = arith.ceildivsi %m, %c64 : index
  %gn = arith.ceildivsi %n, %c64 : index
  tile.launch blocks(%x, %y) in (%gn, %gm) threads(128) {
    %row = arith.muli %y, %c64 : index
    %col = arith.muli %x, %c64 : index
    %as = tile.alloc : memref<64x64xf16, #shared>
    %bs = tile.alloc : memref<64x64xf16, #shared>
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    %acc = scf.for %kk = %c0 to %k step %c64 iter_args(%s = %zero) -> (tensor<64x64xf32>) {
      // CHOSEN: tile.copy {{.*}}"cp.async.bulk.tensor.2d.shared::cluster
      tile.copy %a[%row, %kk] to %as : memref<?x?xf16> to memref<64x64xf16, #shared>
      // CHOSEN: tile.copy {{.*}}"cp.async.bulk.tensor.2d.shared::cluster
      tile.copy %b[%kk, %col] to %bs : memref<?x?xf16> to memref<64x64xf16, #shared>
      %d = tile.gemm %as, %bs, %s : memref<64x64xf16, #shared>, memref<64x64xf16, #shared> -> tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    } {tile.stages = 3 : i32}
    tile.store %acc, %o[%row, %col] : tensor<64x64xf32>, memref<?x?xf32>
  }
  return
}

// The buffer of the second loop takes bytes of the first one's slots, in a branch that
// both are in.
func.func @behind_in_a_branch(%a: memref<80x768xi8>, %b: memref<64x16xi64>, %o: memref<80x96xi8>, %p: memref<64x16xi64>, %m: index, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  tile.launch blocks(%x) in (%c2) threads(64) attributes {min_blocks_per_sm = 2} {
    %c96 = arith.constant 96 : index
    %isFirst = arith.cmpi slt, %x, %c1 : index
    scf.if %isFirst {
      scf.for %i = %c0 to %m step %c1 {
        %s = tile.alloc : memref<80x96xi8, #shared>
        %col = arith.muli %i, %c96 : index
        // CHOSEN: tile.copy {{.*}}"cp.async.bulk.tensor.2d.shared::cluster
        tile.copy %a[%c0, %col] to %s : memref<80x768xi8> to memref<80x96xi8, #shared>
        %t = tile.load %s : memref<80x96xi8, #shared> -> tensor<80x96xi8>
        tile.store %t, %o : tensor<80x96xi8>, memref<80x96xi8>
      } {tile.stages = 4 : i32}
      %zero = arith.constant dense<0> : tensor<64x16xi64>
      %sum = scf.for %i = %c0 to %n step %c1 iter_args(%c = %zero) -> (tensor<64x16xi64>) {
        %s = tile.alloc : memref<64x16xi64, #shared>
        %r = tile.load %b : memref<64x16xi64> -> tensor<64x16xi64>
        %d = arith.addi %r, %c : tensor<64x16xi64>
        tile.store %d, %s : tensor<64x16xi64>, memref<64x16xi64, #shared>
        %e = tile.load %s : memref<64x16xi64, #shared> -> tensor<64x16xi64>
        scf.yield %e : tensor<64x16xi64>
      }
      tile.store %sum, %p : tensor<64x16xi64>, memref<64x16xi64>
    }
  }
  return
}

// Beside a bulk copy the threads copy themselves: the elected one comes later to their waits,
// which is no reason for the others to fence again.
// CHOSEN-LABEL: func @mixed
// CHOSEN: tile.copy %{{.*}} #tile.instruction<"cp.async">
// CHOSEN: tile.copy %{{.*}} #tile.instruction<"cp.async.bulk.tensor
func.func @mixed(%A: memref<64x16xf16>, %B: memref<96x14xf16>, %C: memref<96x16xf16>, %O: memref<64x16xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch @mixed blocks(%x) in (%c1) threads(128) attributes {warp_specialize = #tile.warp_specialize<off>} {
    %c0 = arith.constant 0 : index
    %c48 = arith.constant 48 : index
    %c96 = arith.constant 96 : index
    %a = tile.alloc : memref<64x16xf16, #shared>
    %b = tile.alloc : memref<48x16xf16, #shared>
    %c = tile.alloc : memref<48x16xf16, #shared>
    tile.copy %A to %a : memref<64x16xf16> to memref<64x16xf16, #shared>
    %zero = arith.constant dense<0.0> : tensor<64x16xf32>
    %sum = scf.for %i = %c0 to %c96 step %c48 iter_args(%o = %zero) -> (tensor<64x16xf32>) {
      tile.copy %B[%i, %c0] to %b : memref<96x14xf16> to memref<48x16xf16, #shared>
      tile.copy %C[%i, %c0] to %c : memref<96x16xf16> to memref<48x16xf16, #shared>
      %s = tile.gemm %a, %b {transpose_b, warps = #tile.warps<rows>}
        : memref<64x16xf16, #shared>, memref<48x16xf16, #shared> -> tensor<64x48xf32>
      %half = arith.truncf %s : tensor<64x48xf32> to tensor<64x48xf16>
      %next = tile.gemm %half, %c, %o {warps = #tile.warps<rows>}
        : tensor<64x48xf16>, memref<48x16xf16, #shared> -> tensor<64x16xf32>
      scf.yield %next : tensor<64x16xf32>
    } {tile.stages = 3 : i32}
    tile.store %sum, %O : tensor<64x16xf32>, memref<64x16xf32>
  }
  return
}

// Threads fill the buffer in some iterations and the copy engine could in others, in a
// loop that a modulo schedule pipelines: threads do in all of them.
// REMARK: NoBulkCopy {{.*}}Function=either_way {{.*}}threads make this copy: its buffer is filled in other ways, too, which no mbarrier counts; give each a buffer of its own
func.func @either_way(%A: memref<64x33xi32>, %B: memref<64x32xi32>, %O: memref<8x32xi32>) {
  %c1 = arith.constant 1 : index
  tile.launch @either_way blocks(%x) in (%c1) threads(64) {
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    %c7 = arith.constant 7 : index
    %one = arith.constant 1 : index
    %s = tile.alloc : memref<8x32xi32, #shared>
    %zero = arith.constant dense<0> : tensor<8x32xi32>
    %sum = scf.for %i = %c0 to %c7 step %one iter_args(%c = %zero) -> (tensor<8x32xi32>) {
      %row = arith.muli %i, %c4 : index
      %rest = arith.remui %i, %c2 : index
      %isEven = arith.cmpi eq, %rest, %c0 : index
      scf.if %isEven {
        tile.copy %A[%row, %c0] to %s : memref<64x33xi32> to memref<8x32xi32, #shared>
      } else {
        %next = arith.addi %row, %c4 : index
        tile.copy %B[%row, %c0] [4, 32] to %s[%c0, %c0] : memref<64x32xi32> to memref<8x32xi32, #shared>
        tile.copy %B[%next, %c0] [4, 32] to %s[%c4, %c0] : memref<64x32xi32> to memref<8x32xi32, #shared>
      }
      %t = tile.load %s : memref<8x32xi32, #shared> -> tensor<8x32xi32>
      %d = arith.addi %c, %t : tensor<8x32xi32>
      scf.yield %d : tensor<8x32xi32>
    } {tile.stages = 4 : i32}
    tile.store %sum, %O : tensor<8x32xi32>, memref<8x32xi32>
  }
  return
}

// What no block writes is the same before and behind an atomic, which waits for no copy
// of it.
// COUNTED-LABEL: .entry counted_kernel(
// COUNTED: cp.async.bulk.tensor
// COUNTED-NOT: mbarrier.try_wait
// COUNTED: atom{{.*}}.add
// COUNTED: mbarrier.try_wait
func.func @counted(%a: memref<96x16xf16>, %count: memref<1xi32>, %o: memref<96x16xf16>) {
  %c3 = arith.constant 3 : index
  tile.launch @counted_kernel blocks(%x) in (%c3) threads(128) {
    %s = tile.alloc : memref<32x16xf16, #shared>
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %row = arith.muli %x, %c32 : index
    tile.copy %a[%row, %c0] to %s : memref<96x16xf16> to memref<32x16xf16, #shared>
    %one = arith.constant 1 : i32
    %before = memref.atomic_rmw addi %one, %count[%c0] : (i32, memref<1xi32>) -> i32
    %t = tile.load %s : memref<32x16xf16, #shared> -> tensor<32x16xf16>
    tile.store %t, %o[%row, %c0] : tensor<32x16xf16>, memref<96x16xf16>
  }
  return
}
