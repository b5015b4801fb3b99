// What has no C function is an error at its place, and nothing is written.
// RUN: split-file %s %t
// DEFINE: %{file} =
// DEFINE: %{refuse} = rm -f %t.o && not tile-opt %t/%{file}.mlir --emit=object --chip=sm_80 -o %t.o 2>&1 | FileCheck %t/%{file}.mlir && not test -e %t.o && not tile-opt %t/%{file}.mlir --emit=header --chip=sm_80 2>&1 | FileCheck %t/%{file}.mlir
// REDEFINE: %{file} = result
// RUN: %{refuse}
// REDEFINE: %{file} = name
// RUN: %{refuse}
// REDEFINE: %{file} = keyword
// RUN: %{refuse}
// REDEFINE: %{file} = main
// RUN: %{refuse}
// REDEFINE: %{file} = library
// RUN: %{refuse}
// REDEFINE: %{file} = external
// RUN: %{refuse}
// REDEFINE: %{file} = foreign
// RUN: %{refuse}
// REDEFINE: %{file} = narrow
// RUN: %{refuse}
// REDEFINE: %{file} = rounded
// RUN: %{refuse}
// REDEFINE: %{file} = private
// RUN: %{refuse}
// RUN: not tile-opt %t/name.mlir --emit=ptx --embed-cubin 2>&1 | FileCheck %s --check-prefix=OPTION
// RUN: not tile-opt %t/private.mlir --embed-cubin 2>&1 | FileCheck %s --check-prefix=ALONE
// RUN: not tile-opt %t/name.mlir --emit=objekt 2>&1 | FileCheck %s --check-prefix=KIND
// OPTION: error: --embed-cubin belongs to --emit=object
// ALONE: error: --embed-cubin belongs to --emit=KIND
// KIND: error: --emit=objekt: known are ptx, {{.*}}, object, header and html

//--- result.mlir
// CHECK: result.mlir:[[@LINE+1]]:1: error: result 1 is of type 'memref<32xf32>', which a C function cannot return: let the caller pass the memref as an argument, or make the function private
func.func @f(%x: memref<32xf32>, %n: index) -> (index, memref<32xf32>) {
  tile.launch blocks(%b) in (%n) threads(32) {
    %t = tile.load %x : memref<32xf32> -> tensor<32xf32>
    tile.store %t, %x : tensor<32xf32>, memref<32xf32>
  }
  return %n, %x : index, memref<32xf32>
}

//--- name.mlir
// CHECK: name.mlir:[[@LINE+1]]:1: error: 'my.kernel' is no name of a function in C; rename the function, or make it private
func.func @my.kernel(%x: memref<32xf32>, %n: index) {
  tile.launch blocks(%b) in (%n) threads(32) {
    %t = tile.load %x : memref<32xf32> -> tensor<32xf32>
    tile.store %t, %x : tensor<32xf32>, memref<32xf32>
  }
  return
}

//--- keyword.mlir
// CHECK: keyword.mlir:[[@LINE+1]]:1: error: 'while' is no name of a function in C
func.func @while(%x: memref<32xf32>, %n: index) {
  tile.launch blocks(%b) in (%n) threads(32) {
    %t = tile.load %x : memref<32xf32> -> tensor<32xf32>
    tile.store %t, %x : tensor<32xf32>, memref<32xf32>
  }
  return
}

//--- main.mlir
// CHECK: main.mlir:[[@LINE+1]]:1: error: a C function 'main' would be in the place of the application's; rename the function, or make it private
func.func @main(%x: memref<32xf32>, %n: index) {
  tile.launch blocks(%b) in (%n) threads(32) {
    %t = tile.load %x : memref<32xf32> -> tensor<32xf32>
    tile.store %t, %x : tensor<32xf32>, memref<32xf32>
  }
  return
}

//--- library.mlir
// CHECK: library.mlir:[[@LINE+1]]:1: error: a C function 'exp' would be in the place of the C library's; rename the function, or make it private
func.func @exp(%x: memref<32xf32>, %f: f64) -> f64 {
  %c1 = arith.constant 1 : index
  %g = math.exp %f : f64
  tile.launch blocks(%b) in (%c1) threads(32) {
    %t = tile.load %x : memref<32xf32> -> tensor<32xf32>
    tile.store %t, %x : tensor<32xf32>, memref<32xf32>
  }
  return %g : f64
}

//--- external.mlir
// CHECK: external.mlir:[[@LINE+1]]:1: error: host code calls 'elsewhere', which has no body
func.func private @elsewhere(%n: index) -> index
func.func @f(%x: memref<32xf32>, %n: index) {
  %m = call @elsewhere(%n) : (index) -> index
  tile.launch blocks(%b) in (%m) threads(32) {
    %t = tile.load %x : memref<32xf32> -> tensor<32xf32>
    tile.store %t, %x : tensor<32xf32>, memref<32xf32>
  }
  return
}

//--- foreign.mlir
func.func private @helper(%n: index) -> index {
  // CHECK: foreign.mlir:[[@LINE+1]]:8: error: 'index.add' cannot be compiled to host code; lower it to what host code is made of (docs/Language.md), or do it in a tile.launch
  %m = index.add %n, %n
  return %m : index
}
func.func private @start(%x: memref<32xf32>, %n: index) {
  tile.launch blocks(%b) in (%n) threads(32) {
    %t = tile.load %x : memref<32xf32> -> tensor<32xf32>
    tile.store %t, %x : tensor<32xf32>, memref<32xf32>
  }
  return
}
func.func @f(%x: memref<32xf32>, %n: index) {
  %m = call @helper(%n) : (index) -> index
  call @start(%x, %m) : (memref<32xf32>, index) -> ()
  return
}

//--- narrow.mlir
func.func @f(%x: memref<32xf32>, %f: f8E4M3FN) {
  %c1 = arith.constant 1 : index
  // CHECK: narrow.mlir:[[@LINE+1]]:8: error: not implemented yet: conversions of floats of 8 bits and less by the host; pass them as f32, or convert them in a tile.launch
  %g = arith.extf %f : f8E4M3FN to f32
  tile.launch blocks(%b) in (%c1) threads(32) {
    %t = tensor.splat %g : tensor<32xf32>
    tile.store %t, %x : tensor<32xf32>, memref<32xf32>
  }
  return
}

//--- rounded.mlir
func.func @f(%x: memref<32xbf16>, %n: i32) {
  %c1 = arith.constant 1 : index
  // CHECK: rounded.mlir:[[@LINE+1]]:8: error: not implemented yet: 'arith.sitofp' of 'i32' to bf16 by the host; go by way of f32, or compute it in a tile.launch
  %g = arith.sitofp %n : i32 to bf16
  tile.launch blocks(%b) in (%c1) threads(32) {
    %t = tensor.splat %g : tensor<32xbf16>
    tile.store %t, %x : tensor<32xbf16>, memref<32xbf16>
  }
  return
}

//--- private.mlir
// CHECK: error: holds no public function that starts a kernel: there is no host code to compile
func.func private @f(%x: memref<32xf32>, %n: index) {
  tile.launch blocks(%b) in (%n) threads(32) {
    %t = tile.load %x : memref<32xf32> -> tensor<32xf32>
    tile.store %t, %x : tensor<32xf32>, memref<32xf32>
  }
  return
}
