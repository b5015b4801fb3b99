// Two neighbours of 16 bits in an aligned word, before there were atomics on vectors: f16 are added
// by one instruction, each atomically, and bf16 are exchanged together. Where they may lie in
// two words, or an edge may lie between them, they go one by one; and all bf16 of a kernel do
// where one of them does, since exchanges of different sizes must not meet.
// DEFINE: %{type} =
// DEFINE: %{chip} =
// DEFINE: %{one} = sed -e 's/TYPE/%{type}/g' %s | tile-run - --on=emulator --check --rtol=0 --atol=0 --chip=%{chip}
// DEFINE: %{all} = %{one} --entry=pairs --data='integers(-4,4)' && %{one} --entry=once --data='values(1,-0.0,nan,6e-8,-inf,65504,0.0,-3.14159,inf)' && %{one} --entry=ragged --data='integers(-4,4)' --shape=1:13x54 && %{one} --entry=apart --data='integers(-4,4)' --shape=1:13x53 && %{one} --entry=beside --data='integers(-4,4)' && %{one} --entry=others --data='integers(-4,4)'
// REDEFINE: %{type} = f16
// REDEFINE: %{chip} = sm_80
// RUN: %{all}
// REDEFINE: %{chip} = sm_89
// RUN: %{all}
// REDEFINE: %{chip} = sm_90a
// RUN: %{all}
// REDEFINE: %{type} = bf16
// REDEFINE: %{chip} = sm_80
// RUN: %{all}
// REDEFINE: %{chip} = sm_89
// RUN: %{all}
// REDEFINE: %{chip} = sm_90a
// RUN: %{all}
// RUN: sed -e 's/TYPE/f16/g' %s | tile-opt - --emit=ptx --chip=sm_80 | FileCheck %s --check-prefixes=CHECK,F16
// RUN: sed -e 's/TYPE/bf16/g' %s | tile-opt - --emit=ptx --chip=sm_89 | FileCheck %s --check-prefixes=CHECK,BF16

// CHECK-LABEL: .entry pairs(
// F16-COUNT-4: red.relaxed.gpu.global.add.noftz.f16x2
// F16-NOT: atom
// BF16-COUNT-4: atom.relaxed.gpu.global.cas.b32
// BF16-NOT: cas.b16
// CHECK: ret;
func.func @pairs(%x: memref<4x1024xTYPE>, %y: memref<1024xTYPE>) {
  %c4 = arith.constant 4 : index
  tile.launch @pairs blocks(%block) in (%c4) threads(128) {
    %c0 = arith.constant 0 : index
    %t = tile.load %x[%block, %c0] [1, 1024] : memref<4x1024xTYPE> -> tensor<1024xTYPE>
    tile.atomic_rmw addf %t, %y[%c0] : tensor<1024xTYPE>, memref<1024xTYPE>
  }
  return
}

func.func @once(%x: memref<256xTYPE>, %y: memref<256xTYPE>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%block) in (%c1) threads(32) {
    %c0 = arith.constant 0 : index
    %t = tile.load %x : memref<256xTYPE> -> tensor<256xTYPE>
    tile.atomic_rmw addf %t, %y[%c0] : tensor<256xTYPE>, memref<256xTYPE>
  }
  return
}

// An even number of columns is cut between pairs.
// CHECK-LABEL: .entry ragged(
// F16: red.relaxed.gpu.global.add.noftz.f16x2
// BF16: cas.b32
// CHECK: ret;
func.func @ragged(%x: memref<16x64xTYPE>, %y: memref<?x?xTYPE> {tile.divisible = array<i64: 1, 2>}) {
  %c3 = arith.constant 3 : index
  tile.launch @ragged blocks(%block) in (%c3) threads(64) {
    %c0 = arith.constant 0 : index
    %t = tile.load %x : memref<16x64xTYPE> -> tensor<16x64xTYPE>
    tile.atomic_rmw addf %t, %y[%c0, %c0] : tensor<16x64xTYPE>, memref<?x?xTYPE>
  }
  return
}

// CHECK-LABEL: .entry apart(
// CHECK-NOT: f16x2 [
// CHECK-NOT: cas.b32
// CHECK: ret;
func.func @apart(%x: memref<16x64xTYPE>, %y: memref<?x?xTYPE>) {
  %c3 = arith.constant 3 : index
  tile.launch @apart blocks(%block) in (%c3) threads(64) {
    %c0 = arith.constant 0 : index
    %t = tile.load %x : memref<16x64xTYPE> -> tensor<16x64xTYPE>
    tile.atomic_rmw addf %t, %y[%c0, %c0] : tensor<16x64xTYPE>, memref<?x?xTYPE>
  }
  return
}

// Pairs and, one element further, single ones.
// CHECK-LABEL: .entry beside(
// F16: f16x2 [
// F16: atom.global.add.noftz.f16
// BF16: cas.b16
// BF16-NOT: cas.b32
// CHECK: ret;
func.func @beside(%x: memref<512xTYPE>, %y: memref<513xTYPE>) {
  %c3 = arith.constant 3 : index
  tile.launch @beside blocks(%block) in (%c3) threads(64) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %t = tile.load %x : memref<512xTYPE> -> tensor<512xTYPE>
    tile.atomic_rmw addf %t, %y[%c0] : tensor<512xTYPE>, memref<513xTYPE>
    tile.atomic_rmw addf %t, %y[%c1] : tensor<512xTYPE>, memref<513xTYPE>
  }
  return
}

// Pairs, and single ones of an iteration.
// CHECK-LABEL: .entry others(
// BF16-NOT: cas.b32
// CHECK: ret;
func.func @others(%x: memref<512xTYPE>, %y: memref<512xTYPE>) {
  %c3 = arith.constant 3 : index
  tile.launch @others blocks(%block) in (%c3) threads(64) {
    %c0 = arith.constant 0 : index
    %t = tile.load %x : memref<512xTYPE> -> tensor<512xTYPE>
    tile.atomic_rmw addf %t, %y[%c0] : tensor<512xTYPE>, memref<512xTYPE>
    tile.parallel (%i) in (512) {
      %e = memref.load %x[%i] : memref<512xTYPE>
      %old = memref.atomic_rmw addf %e, %y[%i] : (TYPE, memref<512xTYPE>) -> TYPE
    }
  }
  return
}
