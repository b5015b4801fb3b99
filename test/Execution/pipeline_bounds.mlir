// Iterations that run ahead where their numbers do not fit the type of the loop.
// The copies assert that they are inside, so that one too many is out of bounds.
// RUN: tile-run %s --entry=narrow --on=emulator --chip=sm_80 --check
// RUN: tile-run %s --entry=narrow_unsigned --on=emulator --chip=sm_80 --check
// RUN: tile-run %s --entry=distance_above_signed --on=emulator --chip=sm_80 --check
// RUN: tile-run %s --entry=distance_above_unsigned --on=emulator --chip=sm_80 --check
// RUN: tile-run %s --entry=dynamic_bounds --on=emulator --chip=sm_80 --check --scalar=2:0 --scalar=3:112
// RUN: tile-run %s --entry=dynamic_bounds --on=emulator --chip=sm_80 --check --scalar=2:100 --scalar=3:101
// RUN: tile-run %s --entry=dynamic_bounds --on=emulator --chip=sm_80 --check --scalar=2:100 --scalar=3:100
// RUN: tile-run %s --entry=dynamic_bounds --on=emulator --chip=sm_80 --check --scalar=2:100 --scalar=3:-100
// RUN: tile-run %s --entry=dynamic_step --on=emulator --chip=sm_80 --check --scalar=2:16
// RUN: tile-run %s --entry=dynamic_step --on=emulator --chip=sm_80 --check --scalar=2:56
// RUN: tile-run %s --entry=dynamic_step --on=emulator --chip=sm_80 --check --scalar=2:112
// RUN: tile-run %s --entry=end_of_index --on=emulator --chip=sm_80 --check --scalar=2:9223372036854775691 --scalar=3:9223372036854775803
// RUN: tile-run %s --entry=end_of_index_unsigned --on=emulator --chip=sm_80 --check --scalar=2:-117 --scalar=3:-5
// Every one of these loops runs ahead.
// RUN: tile-opt %s --emit=report --format=json --chip=sm_80 | FileCheck %s
// CHECK-COUNT-8: "stages": {{[346]}}

// 96 + 2 * 16 = 128, which is -128.
func.func @narrow(%A: memref<128xf32>, %o: memref<16xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(32) {
    %lower = arith.constant 0 : i8
    %upper = arith.constant 112 : i8
    %step = arith.constant 16 : i8
    %s = tile.alloc : memref<16xf32, #gpu.address_space<workgroup>>
    %zero = arith.constant dense<0.0> : tensor<16xf32>
    %r = scf.for %i = %lower to %upper step %step iter_args(%sum = %zero) -> (tensor<16xf32>) : i8 {
      %k = arith.index_cast %i : i8 to index
      tile.copy %A[%k] [16] in_bounds [true] to %s : memref<128xf32> to memref<16xf32, #gpu.address_space<workgroup>>
      %t = tile.load %s : memref<16xf32, #gpu.address_space<workgroup>> -> tensor<16xf32>
      %next = arith.addf %sum, %t : tensor<16xf32>
      scf.yield %next : tensor<16xf32>
    } {tile.stages = 3 : i32}
    tile.store %r, %o : tensor<16xf32>, memref<16xf32>
  }
  return
}

// 128 to 240; 224 + 2 * 16 = 256, which is 0.
func.func @narrow_unsigned(%A: memref<128xf32>, %o: memref<16xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(32) {
    %lower = arith.constant -128 : i8
    %upper = arith.constant -16 : i8
    %step = arith.constant 16 : i8
    %s = tile.alloc : memref<16xf32, #gpu.address_space<workgroup>>
    %zero = arith.constant dense<0.0> : tensor<16xf32>
    %r = scf.for unsigned %i = %lower to %upper step %step iter_args(%sum = %zero) -> (tensor<16xf32>) : i8 {
      %k0 = arith.index_castui %i : i8 to index
      %first = arith.constant 128 : index
      %k = arith.subi %k0, %first : index
      tile.copy %A[%k] [16] in_bounds [true] to %s : memref<128xf32> to memref<16xf32, #gpu.address_space<workgroup>>
      %t = tile.load %s : memref<16xf32, #gpu.address_space<workgroup>> -> tensor<16xf32>
      %next = arith.addf %sum, %t : tensor<16xf32>
      scf.yield %next : tensor<16xf32>
    } {tile.stages = 3 : i32}
    tile.store %r, %o : tensor<16xf32>, memref<16xf32>
  }
  return
}

// Iterations -100 and -40; three steps are 180, which is -76.
func.func @distance_above_signed(%A: memref<128xf32>, %o: memref<16xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(32) {
    %lower = arith.constant -100 : i8
    %upper = arith.constant 20 : i8
    %step = arith.constant 60 : i8
    %s = tile.alloc : memref<16xf32, #gpu.address_space<workgroup>>
    %zero = arith.constant dense<0.0> : tensor<16xf32>
    %r = scf.for %i = %lower to %upper step %step iter_args(%sum = %zero) -> (tensor<16xf32>) : i8 {
      %first = arith.constant 100 : index
      %j = arith.index_cast %i : i8 to index
      %k = arith.addi %j, %first : index
      tile.copy %A[%k] [16] in_bounds [true] to %s : memref<128xf32> to memref<16xf32, #gpu.address_space<workgroup>>
      %t = tile.load %s : memref<16xf32, #gpu.address_space<workgroup>> -> tensor<16xf32>
      %next = arith.addf %sum, %t : tensor<16xf32>
      scf.yield %next : tensor<16xf32>
    } {tile.stages = 4 : i32}
    tile.store %r, %o : tensor<16xf32>, memref<16xf32>
  }
  return
}

// Iterations 0 and 60; five steps are 300.
func.func @distance_above_unsigned(%A: memref<128xf32>, %o: memref<16xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(32) {
    %lower = arith.constant 0 : i8
    %upper = arith.constant 120 : i8
    %step = arith.constant 60 : i8
    %s = tile.alloc : memref<16xf32, #gpu.address_space<workgroup>>
    %zero = arith.constant dense<0.0> : tensor<16xf32>
    %r = scf.for %i = %lower to %upper step %step iter_args(%sum = %zero) -> (tensor<16xf32>) : i8 {
      %k = arith.index_cast %i : i8 to index
      tile.copy %A[%k] [16] in_bounds [true] to %s : memref<128xf32> to memref<16xf32, #gpu.address_space<workgroup>>
      %t = tile.load %s : memref<16xf32, #gpu.address_space<workgroup>> -> tensor<16xf32>
      %next = arith.addf %sum, %t : tensor<16xf32>
      scf.yield %next : tensor<16xf32>
    } {tile.stages = 6 : i32}
    tile.store %r, %o : tensor<16xf32>, memref<16xf32>
  }
  return
}

// Any bounds, those of no iteration too.
func.func @dynamic_bounds(%A: memref<128xf32>, %o: memref<16xf32>, %lower: i8, %upper: i8) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(32) {
    %step = arith.constant 16 : i8
    %s = tile.alloc : memref<16xf32, #gpu.address_space<workgroup>>
    %zero = arith.constant dense<0.0> : tensor<16xf32>
    %r = scf.for %i = %lower to %upper step %step iter_args(%sum = %zero) -> (tensor<16xf32>) : i8 {
      %k = arith.index_cast %i : i8 to index
      tile.copy %A[%k] [16] in_bounds [true] to %s : memref<128xf32> to memref<16xf32, #gpu.address_space<workgroup>>
      %t = tile.load %s : memref<16xf32, #gpu.address_space<workgroup>> -> tensor<16xf32>
      %next = arith.addf %sum, %t : tensor<16xf32>
      scf.yield %next : tensor<16xf32>
    } {tile.stages = 3 : i32}
    tile.store %r, %o : tensor<16xf32>, memref<16xf32>
  }
  return
}

// Five steps of 56 are 280.
func.func @dynamic_step(%A: memref<128xf32>, %o: memref<16xf32>, %step: i8) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(32) {
    %lower = arith.constant 0 : i8
    %upper = arith.constant 112 : i8
    %s = tile.alloc : memref<16xf32, #gpu.address_space<workgroup>>
    %zero = arith.constant dense<0.0> : tensor<16xf32>
    %r = scf.for %i = %lower to %upper step %step iter_args(%sum = %zero) -> (tensor<16xf32>) : i8 {
      %k = arith.index_cast %i : i8 to index
      tile.copy %A[%k] [16] in_bounds [true] to %s : memref<128xf32> to memref<16xf32, #gpu.address_space<workgroup>>
      %t = tile.load %s : memref<16xf32, #gpu.address_space<workgroup>> -> tensor<16xf32>
      %next = arith.addf %sum, %t : tensor<16xf32>
      scf.yield %next : tensor<16xf32>
    } {tile.stages = 6 : i32}
    tile.store %r, %o : tensor<16xf32>, memref<16xf32>
  }
  return
}

// The largest index is 4 above the upper bound.
func.func @end_of_index(%A: memref<128xf32>, %o: memref<16xf32>, %lower: index, %upper: index) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(32) {
    %step = arith.constant 16 : index
    %s = tile.alloc : memref<16xf32, #gpu.address_space<workgroup>>
    %zero = arith.constant dense<0.0> : tensor<16xf32>
    %r = scf.for %i = %lower to %upper step %step iter_args(%sum = %zero) -> (tensor<16xf32>) {
      %k = arith.subi %i, %lower : index
      tile.copy %A[%k] [16] in_bounds [true] to %s : memref<128xf32> to memref<16xf32, #gpu.address_space<workgroup>>
      %t = tile.load %s : memref<16xf32, #gpu.address_space<workgroup>> -> tensor<16xf32>
      %next = arith.addf %sum, %t : tensor<16xf32>
      scf.yield %next : tensor<16xf32>
    } {tile.stages = 3 : i32}
    tile.store %r, %o : tensor<16xf32>, memref<16xf32>
  }
  return
}

// The same of unsigned numbers.
func.func @end_of_index_unsigned(%A: memref<128xf32>, %o: memref<16xf32>, %lower: index, %upper: index) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(32) {
    %step = arith.constant 16 : index
    %s = tile.alloc : memref<16xf32, #gpu.address_space<workgroup>>
    %zero = arith.constant dense<0.0> : tensor<16xf32>
    %r = scf.for unsigned %i = %lower to %upper step %step iter_args(%sum = %zero) -> (tensor<16xf32>) {
      %k = arith.subi %i, %lower : index
      tile.copy %A[%k] [16] in_bounds [true] to %s : memref<128xf32> to memref<16xf32, #gpu.address_space<workgroup>>
      %t = tile.load %s : memref<16xf32, #gpu.address_space<workgroup>> -> tensor<16xf32>
      %next = arith.addf %sum, %t : tensor<16xf32>
      scf.yield %next : tensor<16xf32>
    } {tile.stages = 3 : i32}
    tile.store %r, %o : tensor<16xf32>, memref<16xf32>
  }
  return
}
