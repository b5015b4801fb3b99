// Launches that start before the one in front has ended: each waits for the results
// of all before it reads or writes global memory, and loads what it reads coherently.
// RUN: tile-run %s --entry=chain --on=emulator --chip=sm_90a --check --shape=0:300 --scalar=1:3
// RUN: tile-run %s --entry=chain --on=emulator --chip=sm_90a --check --shape=0:0 --scalar=1:2
// RUN: tile-run %s --entry=chain --on=emulator --chip=sm_80 --check --shape=0:300 --scalar=1:2
// RUN: tile-run %s --entry=chain --on=reference --check-stages --chip=sm_90a --shape=0:300 --scalar=1:2
// RUN: tile-run %s --entry=products --on=emulator --chip=sm_90a --check --seed=1
// RUN: tile-run %s --entry=products --on=emulator --chip=sm_80 --check --seed=1
// RUN: tile-run %s --entry=products --on=reference --check-stages --chip=sm_90a
// RUN: tile-opt %s --emit=ptx --chip=sm_90a | FileCheck %s --check-prefix=PTX
// RUN: tile-opt %s --emit=ptx --chip=sm_80 | FileCheck %s --check-prefix=OLD
// RUN: tile-opt %s --emit=report --chip=sm_90a | FileCheck %s --check-prefix=REPORT
// RUN: tile-opt %s --emit=report --format=json --chip=sm_90a | FileCheck %s --check-prefix=JSON

#shared = #gpu.address_space<workgroup>

// OLD-NOT: griddepcontrol
// REPORT: kernel double
// REPORT-NEXT: threads    128, programmatic dependent launch
// REPORT: kernel subtract
// REPORT-NEXT: threads    128{{$}}
// JSON: "name": "double"
// JSON: "programmatic_dependent_launch": true
// JSON: "name": "subtract"
// JSON: "programmatic_dependent_launch": false

// The wait stands in front of the first access, the start of what follows behind it.
// A kernel without the attribute has neither, and reads through the read-only path.
// PTX-LABEL: .entry double
// PTX-NOT: {{(ld|st)[.]global}}
// PTX: griddepcontrol.wait;
// PTX-NOT: {{(ld|st)[.]global}}
// PTX: griddepcontrol.launch_dependents;
// PTX: ld.global.b32
// PTX: st.global
// PTX-LABEL: .entry subtract
// PTX-NOT: griddepcontrol
// PTX: ld.global.nc
// PTX-LABEL: .entry walk
func.func @chain(%x: memref<?xf32>, %times: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %n = memref.dim %x, %c0 : memref<?xf32>
  %blocks = arith.ceildivui %n, %c128 : index
  %workspace = memref.alloc(%n) : memref<?xf32>
  scf.for %i = %c0 to %times step %c1 {
    tile.launch @double blocks(%b) in (%blocks) threads(128) attributes {programmatic_dependent_launch} {
      %at = arith.muli %b, %c128 : index
      %t = tile.load %x[%at] [128] : memref<?xf32> -> tensor<128xf32>
      %two = arith.constant dense<2.0> : tensor<128xf32>
      %u = arith.mulf %t, %two : tensor<128xf32>
      tile.store %u, %workspace[%at] [128] : tensor<128xf32>, memref<?xf32>
    }
    tile.launch @subtract blocks(%b) in (%blocks) threads(128) {
      %at = arith.muli %b, %c128 : index
      %t = tile.load %workspace[%at] [128] : memref<?xf32> -> tensor<128xf32>
      %s = tile.load %x[%at] [128] : memref<?xf32> -> tensor<128xf32>
      %u = arith.subf %t, %s : tensor<128xf32>
      tile.store %u, %x[%at] [128] : tensor<128xf32>, memref<?xf32>
    }
    tile.launch @walk blocks(%b) in (%blocks) threads(128) attributes {persistent, programmatic_dependent_launch} {
      %at = arith.muli %b, %c128 : index
      %t = tile.load %x[%at] [128] : memref<?xf32> -> tensor<128xf32>
      %half = arith.constant dense<0.5> : tensor<128xf32>
      %u = arith.addf %t, %half : tensor<128xf32>
      tile.store %u, %x[%at] [128] : tensor<128xf32>, memref<?xf32>
    }
  }
  memref.dealloc %workspace : memref<?xf32>
  return
}

// With roles, rings are set up in front of the wait, and the copies of the producer
// start behind it.
// PTX-LABEL: .entry first
// PTX: mbarrier.init
// PTX: griddepcontrol.wait;
// PTX: griddepcontrol.launch_dependents;
// PTX: bar.sync
// PTX: setmaxnreg
// PTX: cp.async.bulk.tensor
// PTX-LABEL: .entry second
// PTX: mbarrier.init
// PTX: griddepcontrol.wait;
// PTX: cp.async.bulk.tensor
func.func @products(%a: memref<256x128xf16>, %b: memref<128x128xf16>, %ab: memref<256x128xf16>, %abb: memref<256x128xf16>) {
  %c2 = arith.constant 2 : index
  tile.launch @first blocks(%block) in (%c2) threads(256) attributes {programmatic_dependent_launch} {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %c128 = arith.constant 128 : index
    %row = arith.muli %block, %c128 : index
    %as = tile.alloc : memref<128x64xf16, #shared>
    %bs = tile.alloc : memref<64x128xf16, #shared>
    %zero = arith.constant dense<0.0> : tensor<128x128xf32>
    %sum = scf.for %k = %c0 to %c128 step %c64 iter_args(%c = %zero) -> (tensor<128x128xf32>) {
      tile.copy %a[%row, %k] to %as : memref<256x128xf16> to memref<128x64xf16, #shared>
      tile.copy %b[%k, %c0] to %bs : memref<128x128xf16> to memref<64x128xf16, #shared>
      %d = tile.gemm %as, %bs, %c : memref<128x64xf16, #shared>, memref<64x128xf16, #shared> -> tensor<128x128xf32>
      scf.yield %d : tensor<128x128xf32>
    } {tile.stages = 2 : i32}
    %h = arith.truncf %sum : tensor<128x128xf32> to tensor<128x128xf16>
    tile.store %h, %ab[%row, %c0] : tensor<128x128xf16>, memref<256x128xf16>
  }
  tile.launch @second blocks(%block) in (%c2) threads(128) attributes {programmatic_dependent_launch} {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %c128 = arith.constant 128 : index
    %row = arith.muli %block, %c128 : index
    %as = tile.alloc : memref<128x64xf16, #shared>
    %bs = tile.alloc : memref<64x128xf16, #shared>
    %zero = arith.constant dense<0.0> : tensor<128x128xf32>
    %sum = scf.for %k = %c0 to %c128 step %c64 iter_args(%c = %zero) -> (tensor<128x128xf32>) {
      tile.copy %ab[%row, %k] to %as : memref<256x128xf16> to memref<128x64xf16, #shared>
      tile.copy %b[%k, %c0] to %bs : memref<128x128xf16> to memref<64x128xf16, #shared>
      %d = tile.gemm %as, %bs, %c : memref<128x64xf16, #shared>, memref<64x128xf16, #shared> -> tensor<128x128xf32>
      scf.yield %d : tensor<128x128xf32>
    } {tile.stages = 2 : i32}
    %h = arith.truncf %sum : tensor<128x128xf32> to tensor<128x128xf16>
    tile.store %h, %abb[%row, %c0] : tensor<128x128xf16>, memref<256x128xf16>
  }
  return
}
