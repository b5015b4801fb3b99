// Two f16 or bf16 in a register, four bytes in a word: neighbours are computed together, and
// each is rounded as alone.
// DEFINE: %{type} =
// DEFINE: %{run} = sed -e 's/TYPE/%{type}/g' %s | tile-run - --entry=halves --on=emulator --check --rtol=0 --atol=0
// REDEFINE: %{type} = f16
// RUN: %{run} --chip=sm_80
// RUN: %{run} --chip=sm_80 --data='values(1,-0.0,nan,6e-8,-inf,65504,0.0,3.14159)'
// REDEFINE: %{type} = bf16
// RUN: %{run} --chip=sm_80
// RUN: %{run} --chip=sm_80 --data='values(1,-0.0,nan,9e-41,-inf,3e38,0.0,3.14159)'
// RUN: %{run} --chip=sm_90a
// DEFINE: %{bytes} = sed -e 's/TYPE/%{type}/g' %s | tile-run - --entry=bytes --on=emulator --check --rtol=0 --atol=0 --data='integers(-128,127)'
// REDEFINE: %{type} = f16
// RUN: %{bytes} --chip=sm_80
// REDEFINE: %{type} = bf16
// RUN: %{bytes} --chip=sm_80
// REDEFINE: %{type} = f32
// RUN: %{bytes} --chip=sm_80
// RUN: sed -e 's/TYPE/f16/g' %s | tile-opt - --emit=ptx --chip=sm_80 | FileCheck %s --check-prefixes=CHECK,F16
// RUN: sed -e 's/TYPE/bf16/g' %s | tile-opt - --emit=ptx --chip=sm_80 | FileCheck %s --check-prefixes=CHECK,BF16

// CHECK-LABEL: .entry in_pairs(
// F16-DAG: add.rn.f16x2
// F16-DAG: sub.rn.f16x2
// F16-DAG: mul.rn.f16x2
// F16-DAG: max.NaN.f16x2
// F16-DAG: min.f16x2
// F16-DAG: neg.f16x2
// F16-DAG: abs.f16x2
// F16-DAG: fma.rn.f16x2
// BF16-COUNT-4: fma.rn.bf16x2
// BF16-NOT: fma.rn.bf16{{[^x]}}
// CHECK-LABEL: .entry odd(
// CHECK-NOT: f16x2
// CHECK-LABEL: .entry four_bytes(
// CHECK: prmt.b32
// CHECK-NOT: cvt.rn.{{b?}}f16.
// CHECK: ret;
func.func @halves(%a: memref<8x64xTYPE>, %b: memref<8x64xTYPE>, %c: memref<37xTYPE>, %o: memref<9x512xTYPE>, %p: memref<37xTYPE>) {
  %c1 = arith.constant 1 : index
  tile.launch @in_pairs blocks(%block) in (%c1) threads(64) {
    %c0 = arith.constant 0 : index
    %x2 = tile.load %a : memref<8x64xTYPE> -> tensor<8x64xTYPE>
    %y2 = tile.load %b : memref<8x64xTYPE> -> tensor<8x64xTYPE>
    %x = tensor.collapse_shape %x2 [[0, 1]] : tensor<8x64xTYPE> into tensor<512xTYPE>
    %y = tensor.collapse_shape %y2 [[0, 1]] : tensor<8x64xTYPE> into tensor<512xTYPE>
    %half = arith.constant dense<0.5> : tensor<512xTYPE>
    %0 = arith.addf %x, %y : tensor<512xTYPE>
    %1 = arith.subf %x, %y : tensor<512xTYPE>
    %2 = arith.mulf %x, %y : tensor<512xTYPE>
    %3 = arith.maximumf %x, %y : tensor<512xTYPE>
    %4 = arith.minnumf %x, %half : tensor<512xTYPE>
    %5 = arith.negf %x : tensor<512xTYPE>
    %6 = math.absf %y : tensor<512xTYPE>
    %7 = math.fma %x, %y, %half : tensor<512xTYPE>
    %h = arith.mulf %1, %half : tensor<512xTYPE>
    %8 = arith.addf %h, %x : tensor<512xTYPE>
    %i1 = arith.constant 1 : index
    %i2 = arith.constant 2 : index
    %i3 = arith.constant 3 : index
    %i4 = arith.constant 4 : index
    %i5 = arith.constant 5 : index
    %i6 = arith.constant 6 : index
    %i7 = arith.constant 7 : index
    %i8 = arith.constant 8 : index
    tile.store %0, %o[%c0, %c0] [1, 512] : tensor<512xTYPE>, memref<9x512xTYPE>
    tile.store %1, %o[%i1, %c0] [1, 512] : tensor<512xTYPE>, memref<9x512xTYPE>
    tile.store %2, %o[%i2, %c0] [1, 512] : tensor<512xTYPE>, memref<9x512xTYPE>
    tile.store %3, %o[%i3, %c0] [1, 512] : tensor<512xTYPE>, memref<9x512xTYPE>
    tile.store %4, %o[%i4, %c0] [1, 512] : tensor<512xTYPE>, memref<9x512xTYPE>
    tile.store %5, %o[%i5, %c0] [1, 512] : tensor<512xTYPE>, memref<9x512xTYPE>
    tile.store %6, %o[%i6, %c0] [1, 512] : tensor<512xTYPE>, memref<9x512xTYPE>
    tile.store %7, %o[%i7, %c0] [1, 512] : tensor<512xTYPE>, memref<9x512xTYPE>
    tile.store %8, %o[%i8, %c0] [1, 512] : tensor<512xTYPE>, memref<9x512xTYPE>
  }
  tile.launch @odd blocks(%block) in (%c1) threads(32) {
    %x = tile.load %c : memref<37xTYPE> -> tensor<37xTYPE>
    %y = arith.addf %x, %x : tensor<37xTYPE>
    tile.store %y, %p : tensor<37xTYPE>, memref<37xTYPE>
  }
  return
}

func.func @bytes(%a: memref<1024xi8>, %o: memref<1024xTYPE>, %p: memref<1024xTYPE>) {
  %c1 = arith.constant 1 : index
  tile.launch @four_bytes blocks(%block) in (%c1) threads(64) {
    %x = tile.load %a : memref<1024xi8> -> tensor<1024xi8>
    %s = arith.sitofp %x : tensor<1024xi8> to tensor<1024xTYPE>
    %u = arith.uitofp %x : tensor<1024xi8> to tensor<1024xTYPE>
    tile.store %s, %o : tensor<1024xTYPE>, memref<1024xTYPE>
    tile.store %u, %p : tensor<1024xTYPE>, memref<1024xTYPE>
  }
  return
}
