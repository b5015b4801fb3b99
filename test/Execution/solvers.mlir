// Loops that both solvers can schedule, at every trip count from 0 to 2 * stages + 1.
// Where results are waited for that the ahead solver leaves in their iteration, the
// modulo schedule is faster and taken: loads into fragments that need more than one
// iteration, rows whose indices are computed from floats that are loaded, an address
// behind two loads. What a product behind copies waits for other blocks hide: it keeps the other.
// DEFINE: %{stages} =
// DEFINE: %{name} =
// DEFINE: %{program} = sed -e 's/STAGES/%{stages}/g' %s
// DEFINE: %{run} = %{program} | tile-run - --check --data=1:integers(0,15) --data=2:integers(0,9)
// DEFINE: %{report} = %{program} | tile-opt - --emit=report --chip=sm_80 | FileCheck %s --check-prefixes=CHECK,%{name} -DSTAGES=%{stages}
// REDEFINE: %{stages} = 2
// RUN: %{run} --on=emulator --entry=all --chip=sm_80 --scalar=4:5
// RUN: %{run} --on=reference --check-stages --entry=all --chip=sm_80 --scalar=4:5
// REDEFINE: %{stages} = 3
// REDEFINE: %{name} = THREE
// RUN: %{report}
// RUN: %{program} | tile-opt - --emit=report --format=json --chip=sm_80 | FileCheck %s --check-prefix=JSON
// RUN: %{run} --on=emulator --entry=all --chip=sm_80 --scalar=4:7
// RUN: %{run} --on=emulator --entry=all --chip=sm_90a --scalar=4:7
// REDEFINE: %{stages} = 4
// REDEFINE: %{name} = FOUR
// RUN: %{report}
// RUN: %{run} --on=emulator --entry=all --chip=sm_80 --scalar=4:9
// RUN: %{run} --on=reference --check-stages --entry=all --chip=sm_80 --scalar=4:9
#shared = #gpu.address_space<workgroup>

func.func @all(%a: memref<32x320xf16>, %places: memref<320xf32>, %pages: memref<16xi32>,
    %b: memref<320x32xf16>, %last: index,
    %registers: memref<10x32x32xf32>, %chain: memref<10x32x32xf32>,
    %pointer: memref<10x32x32xf32>, %product: memref<10x32x32xf32>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %end = arith.addi %last, %one : index
  scf.for %trips = %zero to %end step %one {
    func.call @registers(%a, %registers, %trips) : (memref<32x320xf16>, memref<10x32x32xf32>, index) -> ()
    func.call @chain(%places, %b, %chain, %trips) : (memref<320xf32>, memref<320x32xf16>, memref<10x32x32xf32>, index) -> ()
    func.call @pointer(%pages, %b, %pointer, %trips) : (memref<16xi32>, memref<320x32xf16>, memref<10x32x32xf32>, index) -> ()
    func.call @product(%a, %b, %product, %trips) : (memref<32x320xf16>, memref<320x32xf16>, memref<10x32x32xf32>, index) -> ()
  }
  return
}

// CHECK-LABEL: kernel registers_kernel
// CHECK: [[STAGES]] stages: Pipelined: [[STAGES]] stages, 1 copies run ahead
// CHECK-NEXT: prologue: {{[1-3]}} step{{s?}} peeled, {{[1-9]}} operation{{s?}}; epilogue: predicated, none peeled
// THREE-NEXT: schedule: modulo, predicted cycles an iteration: ahead 281, modulo 188; saves 34 of 100 cycles with 10 blocks of 12: ahead waits for 'tile.load' (line [[#@LINE+11]])
// FOUR-NEXT: schedule: modulo, predicted cycles an iteration: ahead 281, modulo 141; saves 50 of 100 cycles with 10 blocks of 12: ahead waits for 'tile.load' (line [[#@LINE+10]])
func.func @registers(%a: memref<32x320xf16>, %o: memref<10x32x32xf32>, %trips: index) {
  %one = arith.constant 1 : index
  tile.launch @registers_kernel blocks(%block) in (%one) threads(64) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %zero = arith.constant dense<0.0> : tensor<32x32xf32>
    %sum = scf.for %i = %c0 to %trips step %c1 iter_args(%acc = %zero) -> (tensor<32x32xf32>) {
      %k = arith.muli %i, %c32 : index
      %x = tile.load %a[%c0, %k] : memref<32x320xf16> -> tensor<32x32xf16>
      %y = arith.extf %x : tensor<32x32xf16> to tensor<32x32xf32>
      %next = arith.addf %acc, %y : tensor<32x32xf32>
      scf.yield %next : tensor<32x32xf32>
    } {tile.stages = STAGES : i32}
    tile.store %sum, %o[%trips, %c0, %c0] [1, 32, 32] : tensor<32x32xf32>, memref<10x32x32xf32>
  }
  return
}

// CHECK-LABEL: kernel chain_kernel
// CHECK: [[STAGES]] stages: Pipelined: [[STAGES]] stages, 2 copies run ahead
// CHECK-NEXT: prologue: {{[1-3]}} step{{s?}} peeled, {{[1-9]}} operation{{s?}}; epilogue: predicated, none peeled
// THREE-NEXT: schedule: modulo, predicted cycles an iteration: ahead 574, modulo 348; saves 40 of 100 cycles with 10 blocks of 12: ahead waits for 'tile.load' (line [[#@LINE+14]])
// FOUR-NEXT: schedule: modulo, predicted cycles an iteration: ahead 574, modulo 269; saves 54 of 100 cycles with 10 blocks of 12: ahead waits for 'tile.load' (line [[#@LINE+13]])
func.func @chain(%places: memref<320xf32>, %b: memref<320x32xf16>, %o: memref<10x32x32xf32>, %trips: index) {
  %one = arith.constant 1 : index
  tile.launch @chain_kernel blocks(%block) in (%one) threads(64) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %zero = arith.constant dense<0.0> : tensor<32x32xf32>
    %sum = scf.for %i = %c0 to %trips step %c1 iter_args(%acc = %zero) -> (tensor<32x32xf32>) {
      %k = arith.muli %i, %c32 : index
      %p = tile.load %places[%k] : memref<320xf32> -> tensor<32xf32>
      %twice = arith.addf %p, %p : tensor<32xf32>
      %rows = arith.fptosi %twice : tensor<32xf32> to tensor<32xi32>
      %x = tile.load %b[%c0, %c0] rows(%rows : tensor<32xi32>) dim 0 : memref<320x32xf16> -> tensor<32x32xf16>
      %y = arith.extf %x : tensor<32x32xf16> to tensor<32x32xf32>
      %next = arith.addf %acc, %y : tensor<32x32xf32>
      scf.yield %next : tensor<32x32xf32>
    } {tile.stages = STAGES : i32}
    tile.store %sum, %o[%trips, %c0, %c0] [1, 32, 32] : tensor<32x32xf32>, memref<10x32x32xf32>
  }
  return
}

// CHECK-LABEL: kernel pointer_kernel
// CHECK: 2 stages: Pipelined: 2 stages, 0 copies run ahead
// CHECK-NEXT: prologue: {{[1-3]}} step{{s?}} peeled, {{[1-9]}} operation{{s?}}; epilogue: predicated, none peeled
// THREE-NEXT: schedule: ahead, predicted cycles an iteration: ahead 374, modulo 530; modulo is not faster
// FOUR-NEXT: schedule: ahead, predicted cycles an iteration: ahead 374, modulo 374; modulo is not faster
func.func @pointer(%pages: memref<16xi32>, %b: memref<320x32xf16>, %o: memref<10x32x32xf32>, %trips: index) {
  %one = arith.constant 1 : index
  tile.launch @pointer_kernel blocks(%block) in (%one) threads(64) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %zero = arith.constant dense<0.0> : tensor<32x32xf32>
    %sum = scf.for %i = %c0 to %trips step %c1 iter_args(%acc = %zero) -> (tensor<32x32xf32>) {
      %p = memref.load %pages[%i] : memref<16xi32>
      %page = arith.index_cast %p : i32 to index
      %q = memref.load %pages[%page] : memref<16xi32>
      %number = arith.index_cast %q : i32 to index
      %row = arith.muli %number, %c32 : index
      %x = tile.load %b[%row, %c0] : memref<320x32xf16> -> tensor<32x32xf16>
      %y = arith.extf %x : tensor<32x32xf16> to tensor<32x32xf32>
      %next = arith.addf %acc, %y : tensor<32x32xf32>
      scf.yield %next : tensor<32x32xf32>
    } {tile.stages = STAGES : i32}
    tile.store %sum, %o[%trips, %c0, %c0] [1, 32, 32] : tensor<32x32xf32>, memref<10x32x32xf32>
  }
  return
}

// CHECK-LABEL: kernel product_kernel
// CHECK: [[STAGES]] stages: Pipelined: [[STAGES]] stages, 2 copies run ahead
// CHECK-NEXT: prologue: {{[1-3]}} step{{s?}} peeled, {{[1-9]}} operation{{s?}}; epilogue: predicated, none peeled
// THREE-NEXT: schedule: ahead, predicted cycles an iteration: ahead 349, modulo 349; other blocks fill its waits
// FOUR-NEXT: schedule: ahead, predicted cycles an iteration: ahead 255, modulo 255; other blocks fill its waits
// JSON-LABEL: "name": "product_kernel"
// JSON: "loops": [
// JSON: "reason": "Pipelined: 3 stages, 2 copies run ahead",
// JSON-NEXT: "prologue": {
// JSON-NEXT: "steps": 2,
// JSON-NEXT: "operations": 4
// JSON-NEXT: },
// JSON-NEXT: "schedule": {
// JSON-NEXT: "solver": "ahead",
// JSON-NEXT: "predicted_cycles": {
// JSON-NEXT: "ahead": 349,
// JSON-NEXT: "modulo": 349
// JSON-NEXT: },
// JSON-NEXT: "reason": "other blocks fill its waits"
func.func @product(%a: memref<32x320xf16>, %b: memref<320x32xf16>, %o: memref<10x32x32xf32>, %trips: index) {
  %one = arith.constant 1 : index
  tile.launch @product_kernel blocks(%block) in (%one) threads(64) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %zero = arith.constant dense<0.0> : tensor<32x32xf32>
    %s = tile.alloc : memref<32x32xf16, #shared>
    %t = tile.alloc : memref<32x32xf16, #shared>
    %sum = scf.for %i = %c0 to %trips step %c1 iter_args(%acc = %zero) -> (tensor<32x32xf32>) {
      %k = arith.muli %i, %c32 : index
      tile.copy %a[%c0, %k] to %s : memref<32x320xf16> to memref<32x32xf16, #shared>
      tile.copy %b[%k, %c0] to %t : memref<320x32xf16> to memref<32x32xf16, #shared>
      %next = tile.gemm %s, %t, %acc : memref<32x32xf16, #shared>, memref<32x32xf16, #shared> -> tensor<32x32xf32>
      scf.yield %next : tensor<32x32xf32>
    } {tile.stages = STAGES : i32}
    tile.store %sum, %o[%trips, %c0, %c0] [1, 32, 32] : tensor<32x32xf32>, memref<10x32x32xf32>
  }
  return
}
