// Kernels over sizes that only the start knows: exactly the tile, one more, one less,
// smaller than the tile, one, zero; each dimension by itself and together.
// DEFINE: %{type} =
// DEFINE: %{sum} =
// DEFINE: %{zero} =
// DEFINE: %{sizes} =
// DEFINE: %{run} = sed -e 's/TYPE/%{type}/g; s/SUM/%{sum}/g; s/ZERO/%{zero}/' %s | tile-run - --on=emulator --check --data='integers(-3,3)' --rtol=0 --atol=0 --entry=all %{sizes}
// REDEFINE: %{type} = f16
// REDEFINE: %{sum} = f32
// REDEFINE: %{zero} = 0.0
// REDEFINE: %{sizes} = --dim=M:64 --dim=N:96 --dim=K:64
// RUN: %{run} --chip=sm_80
// RUN: %{run} --chip=sm_90a
// REDEFINE: %{type} = bf16
// REDEFINE: %{sum} = f32
// REDEFINE: %{zero} = 0.0
// REDEFINE: %{sizes} = --dim=M:65 --dim=N:97 --dim=K:65
// RUN: %{run} --chip=sm_80
// RUN: %{run} --chip=sm_90a
// REDEFINE: %{type} = f32
// REDEFINE: %{sum} = f32
// REDEFINE: %{zero} = 0.0
// REDEFINE: %{sizes} = --dim=M:63 --dim=N:95 --dim=K:63
// RUN: %{run} --chip=sm_80
// RUN: %{run} --chip=sm_90a
// REDEFINE: %{type} = i8
// REDEFINE: %{sum} = i32
// REDEFINE: %{zero} = 0
// REDEFINE: %{sizes} = --dim=M:5 --dim=N:7 --dim=K:3
// RUN: %{run} --chip=sm_80
// RUN: %{run} --chip=sm_90a
// REDEFINE: %{type} = f64
// REDEFINE: %{sum} = f64
// REDEFINE: %{zero} = 0.0
// REDEFINE: %{sizes} = --dim=M:1 --dim=N:1 --dim=K:1
// RUN: %{run} --chip=sm_80
// RUN: %{run} --chip=sm_90a
// REDEFINE: %{type} = f8E4M3FN
// REDEFINE: %{sum} = f32
// REDEFINE: %{zero} = 0.0
// REDEFINE: %{sizes} = --dim=M:0 --dim=N:96 --dim=K:64
// RUN: %{run} --chip=sm_80
// RUN: %{run} --chip=sm_90a
// REDEFINE: %{type} = f16
// REDEFINE: %{sum} = f32
// REDEFINE: %{zero} = 0.0
// REDEFINE: %{sizes} = --dim=M:64 --dim=N:0 --dim=K:64
// RUN: %{run} --chip=sm_80
// RUN: %{run} --chip=sm_90a
// REDEFINE: %{type} = bf16
// REDEFINE: %{sum} = f32
// REDEFINE: %{zero} = 0.0
// REDEFINE: %{sizes} = --dim=M:64 --dim=N:96 --dim=K:0
// RUN: %{run} --chip=sm_80
// RUN: %{run} --chip=sm_90a
// REDEFINE: %{type} = f16
// REDEFINE: %{sum} = f32
// REDEFINE: %{zero} = 0.0
// REDEFINE: %{sizes} = --dim=M:130 --dim=N:40 --dim=K:33
// RUN: %{run} --chip=sm_80
// RUN: %{run} --chip=sm_90a
#shared = #gpu.address_space<workgroup>

func.func @all(%a: memref<?x?xTYPE> {tile.dims = ["M", "K"]}, %b: memref<?x?xTYPE> {tile.dims = ["K", "N"]},
               %c: memref<?x?xSUM> {tile.dims = ["M", "N"]}, %t: memref<?x?xTYPE> {tile.dims = ["K", "M"]},
               %r: memref<?xSUM> {tile.dims = ["M"]}) {
  call @product(%a, %b, %c) : (memref<?x?xTYPE>, memref<?x?xTYPE>, memref<?x?xSUM>) -> ()
  call @transpose(%a, %t) : (memref<?x?xTYPE>, memref<?x?xTYPE>) -> ()
  call @sums(%c, %r) : (memref<?x?xSUM>, memref<?xSUM>) -> ()
  return
}

func.func private @product(%a: memref<?x?xTYPE>, %b: memref<?x?xTYPE>, %c: memref<?x?xSUM>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %c48 = arith.constant 48 : index
  %m = memref.dim %c, %c0 : memref<?x?xSUM>
  %n = memref.dim %c, %c1 : memref<?x?xSUM>
  %k = memref.dim %a, %c1 : memref<?x?xTYPE>
  %gy = arith.ceildivsi %m, %c32 : index
  %gx = arith.ceildivsi %n, %c48 : index
  tile.launch blocks(%x, %y) in (%gx, %gy) threads(64) {
    %z = arith.constant 0 : index
    %row = arith.muli %y, %c32 : index
    %column = arith.muli %x, %c48 : index
    %as = tile.alloc : memref<32x32xTYPE, #shared>
    %bs = tile.alloc : memref<32x48xTYPE, #shared>
    %zero = arith.constant dense<ZERO> : tensor<32x48xSUM>
    %d = scf.for %i = %z to %k step %c32 iter_args(%acc = %zero) -> (tensor<32x48xSUM>) {
      tile.copy %a[%row, %i] to %as : memref<?x?xTYPE> to memref<32x32xTYPE, #shared>
      tile.copy %b[%i, %column] to %bs : memref<?x?xTYPE> to memref<32x48xTYPE, #shared>
      %e = tile.gemm %as, %bs, %acc : memref<32x32xTYPE, #shared>, memref<32x48xTYPE, #shared> -> tensor<32x48xSUM>
      scf.yield %e : tensor<32x48xSUM>
    } {tile.stages = 3 : i32}
    tile.store %d, %c[%row, %column] : tensor<32x48xSUM>, memref<?x?xSUM>
  }
  return
}

func.func private @transpose(%a: memref<?x?xTYPE>, %t: memref<?x?xTYPE>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %m = memref.dim %a, %c0 : memref<?x?xTYPE>
  %k = memref.dim %a, %c1 : memref<?x?xTYPE>
  %gy = arith.ceildivsi %m, %c32 : index
  %gx = arith.ceildivsi %k, %c32 : index
  tile.launch blocks(%x, %y) in (%gx, %gy) threads(96) {
    %row = arith.muli %y, %c32 : index
    %column = arith.muli %x, %c32 : index
    %in = tile.load %a[%row, %column] : memref<?x?xTYPE> -> tensor<32x32xTYPE>
    %out = tile.transpose %in [1, 0] : tensor<32x32xTYPE> -> tensor<32x32xTYPE>
    tile.store %out, %t[%column, %row] : tensor<32x32xTYPE>, memref<?x?xTYPE>
  }
  return
}

// A row a block; rows of any length, in pieces.
func.func private @sums(%c: memref<?x?xSUM>, %r: memref<?xSUM>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.dim %c, %c0 : memref<?x?xSUM>
  %n = memref.dim %c, %c1 : memref<?x?xSUM>
  tile.launch blocks(%x) in (%m) threads(32) {
    %z = arith.constant 0 : index
    %c40 = arith.constant 40 : index
    %zero = arith.constant dense<ZERO> : tensor<SUM>
    %s = scf.for %i = %z to %n step %c40 iter_args(%acc = %zero) -> (tensor<SUM>) {
      %piece = tile.load %c[%x, %i] [1, 40] : memref<?x?xSUM> -> tensor<40xSUM>
      %e = tile.reduce <add> %piece dims [0] init(%acc) : tensor<40xSUM> -> tensor<SUM>
      scf.yield %e : tensor<SUM>
    }
    %v = tensor.extract %s[] : tensor<SUM>
    memref.store %v, %r[%x] : memref<?xSUM>
  }
  return
}
