// Launches in two versions: the host starts the wide one where all divisors are there, the
// other where one is missing; sizes that are a step, less than one, none at all.
// RUN: tile-opt %s --emit=ptx --chip=sm_80 | FileCheck %s --check-prefix=PTX
// RUN: tile-opt %s --emit=ptx --chip=sm_90a | FileCheck %s --check-prefix=BULK
// RUN: tile-opt %s --emit=ptx --chip=sm_80 --version-launches=false | FileCheck %s --check-prefix=ONE
// RUN: tile-opt %s --tile-logical-phase=chip=sm_80 --tile-layout-phase=versions=false | FileCheck %s --check-prefix=OFF
// DEFINE: %{sizes} =
// DEFINE: %{run} = tile-run %s --on=emulator --check --stats --data='integers(-3,3)' --rtol=0 --atol=0 %{sizes}
// REDEFINE: %{sizes} = --entry=product --dim=M:70 --dim=N:72 --dim=K:40
// RUN: %{run} --chip=sm_80 | FileCheck %s --check-prefix=WIDE
// RUN: %{run} --chip=sm_90a | FileCheck %s --check-prefix=WIDE
// REDEFINE: %{sizes} = --entry=product --dim=M:3 --dim=N:8 --dim=K:8
// RUN: %{run} --chip=sm_80 | FileCheck %s --check-prefix=WIDE
// REDEFINE: %{sizes} = --entry=product --dim=M:64 --dim=N:64 --dim=K:0
// RUN: %{run} --chip=sm_90a | FileCheck %s --check-prefix=WIDE
// REDEFINE: %{sizes} = --entry=product --dim=M:70 --dim=N:68 --dim=K:40
// RUN: %{run} --chip=sm_80 | FileCheck %s --check-prefix=NARROW
// RUN: %{run} --chip=sm_90a | FileCheck %s --check-prefix=NARROW
// REDEFINE: %{sizes} = --entry=product --dim=M:65 --dim=N:64 --dim=K:33
// RUN: %{run} --chip=sm_80 | FileCheck %s --check-prefix=NARROW
// REDEFINE: %{sizes} = --entry=bytes --dim=M:67 --dim=N:65 --dim=K:48
// RUN: %{run} --chip=sm_80 | FileCheck %s --check-prefix=WIDE
// RUN: %{run} --chip=sm_90a | FileCheck %s --check-prefix=WIDE
// REDEFINE: %{sizes} = --entry=bytes --dim=M:67 --dim=N:65 --dim=K:130
// RUN: %{run} --chip=sm_80 | FileCheck %s --check-prefix=NARROW
// RUN: %{run} --chip=sm_90a | FileCheck %s --check-prefix=NARROW
// REDEFINE: %{sizes} = --entry=halves --dim=M:5 --dim=N:1000
// RUN: %{run} --chip=sm_80 | FileCheck %s --check-prefix=TWICE-WIDE
// REDEFINE: %{sizes} = --entry=halves --dim=M:5 --dim=N:1001
// RUN: %{run} --chip=sm_80 | FileCheck %s --check-prefix=TWICE-NARROW
// REDEFINE: %{sizes} = --entry=halves --dim=M:5 --dim=N:3
// RUN: %{run} --chip=sm_90a | FileCheck %s --check-prefix=TWICE-NARROW
// RUN: tile-run %s --entry=product --on=reference --chip=sm_90a --check-stages --dim=M:5 --dim=N:16 --dim=K:24

// WIDE: kernel {{.*}}_kernel_wide
// NARROW: kernel {{.*}}_kernel{{$}}
// TWICE-WIDE-COUNT-2: kernel halves_kernel_wide
// TWICE-NARROW-COUNT-2: kernel halves_kernel{{$}}

// PTX-LABEL: .entry product_kernel(
// PTX-NOT: cp.async.cg
// PTX-COUNT-8: @%p{{[0-9]+}} ld.global.nc.b16
// PTX-LABEL: .entry product_kernel_wide(
// PTX: cp.async.cg
// PTX-NOT: ld.global{{.*}}.b16
// PTX-NOT: st.global.b16
// PTX-LABEL: .entry bytes_kernel(
// PTX-NOT: cp.async.cg
// PTX-COUNT-8: @%p{{[0-9]+}} ld.global.nc.b8
// PTX-LABEL: .entry bytes_kernel_wide(
// PTX: cp.async.cg
// PTX-LABEL: .entry halves_kernel(
// PTX: ld.global.b16
// PTX-LABEL: .entry halves_kernel_wide(
// PTX: ld.global.v4.b32

// BULK-LABEL: .entry product_kernel(
// BULK-NOT: cp.async.bulk.tensor
// BULK-LABEL: .entry product_kernel_wide(
// BULK: cp.async.bulk.tensor

// ONE: .entry product_kernel(
// ONE-NOT: _wide
// OFF: tile.launch @product_kernel
// OFF-NOT: _wide

#shared = #gpu.address_space<workgroup>

// Both K and N are asked of; that of C is N by its name.
func.func @product(%A: memref<?x?xf16> {tile.dims = ["M", "K"]}, %B: memref<?x?xf16> {tile.dims = ["K", "N"]},
                   %C: memref<?x?xf16> {tile.dims = ["M", "N"]}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %M = memref.dim %A, %c0 : memref<?x?xf16>
  %K = memref.dim %A, %c1 : memref<?x?xf16>
  %N = memref.dim %C, %c1 : memref<?x?xf16>
  %gx = arith.ceildivui %N, %c64 : index
  %gy = arith.ceildivui %M, %c64 : index
  tile.launch @product_kernel blocks(%bx, %by) in (%gx, %gy) threads(128) {
    %row = arith.muli %by, %c64 : index
    %col = arith.muli %bx, %c64 : index
    %As = tile.alloc : memref<64x32xf16, #shared>
    %Bs = tile.alloc : memref<32x64xf16, #shared>
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    %acc = scf.for %k = %c0 to %K step %c32 iter_args(%c = %zero) -> (tensor<64x64xf32>) {
      tile.copy %A[%row, %k] to %As : memref<?x?xf16> to memref<64x32xf16, #shared>
      tile.copy %B[%k, %col] to %Bs : memref<?x?xf16> to memref<32x64xf16, #shared>
      %d = tile.gemm %As, %Bs, %c : memref<64x32xf16, #shared>, memref<32x64xf16, #shared> -> tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    } {tile.stages = 3 : i32}
    tile.store %acc, %C[%row, %col] : tensor<64x64xf32>, memref<?x?xf16>
  }
  return
}

// K alone, of which both operands' rows are; a persistent launch.
func.func @bytes(%A: memref<?x?xi8> {tile.dims = ["M", "K"]}, %B: memref<?x?xi8> {tile.dims = ["N", "K"]},
                 %C: memref<?x?xi32> {tile.dims = ["M", "N"]}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %M = memref.dim %A, %c0 : memref<?x?xi8>
  %K = memref.dim %A, %c1 : memref<?x?xi8>
  %N = memref.dim %B, %c0 : memref<?x?xi8>
  %gx = arith.ceildivui %N, %c64 : index
  %gy = arith.ceildivui %M, %c64 : index
  tile.launch @bytes_kernel blocks(%bx, %by) in (%gx, %gy) threads(128) attributes {persistent} {
    %row = arith.muli %by, %c64 : index
    %col = arith.muli %bx, %c64 : index
    %As = tile.alloc : memref<64x64xi8, #shared>
    %Bs = tile.alloc : memref<64x64xi8, #shared>
    %zero = arith.constant dense<0> : tensor<64x64xi32>
    %acc = scf.for %k = %c0 to %K step %c64 iter_args(%c = %zero) -> (tensor<64x64xi32>) {
      tile.copy %A[%row, %k] to %As : memref<?x?xi8> to memref<64x64xi8, #shared>
      tile.copy %B[%col, %k] to %Bs : memref<?x?xi8> to memref<64x64xi8, #shared>
      %d = tile.gemm %As, %Bs, %c {transpose_b} : memref<64x64xi8, #shared>, memref<64x64xi8, #shared> -> tensor<64x64xi32>
      scf.yield %d : tensor<64x64xi32>
    } {tile.stages = 2 : i32}
    tile.store %acc, %C[%row, %col] : tensor<64x64xi32>, memref<?x?xi32>
  }
  return
}

// Rows without a loop, in place, of a launch in a loop of the host.
func.func @halves(%x: memref<?x?xf16> {tile.dims = ["M", "N"]}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %M = memref.dim %x, %c0 : memref<?x?xf16>
  scf.for %i = %c0 to %c2 step %c1 {
    tile.launch @halves_kernel blocks(%b) in (%M) threads(128) {
      %z = arith.constant 0 : index
      %row = tile.load %x[%b, %z] [1, 1024] : memref<?x?xf16> -> tensor<1024xf16>
      %sum = tile.reduce <add> %row dims [0] : tensor<1024xf16> -> tensor<f16>
      %s = tile.broadcast %sum dims [0] : tensor<f16> -> tensor<1024xf16>
      %d = arith.subf %s, %row : tensor<1024xf16>
      tile.store %d, %x[%b, %z] [1, 1024] : tensor<1024xf16>, memref<?x?xf16>
    }
  }
  return
}
