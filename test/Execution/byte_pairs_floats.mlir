// Floats of 8 bits that lie across K in shared memory come in pairs as integers do
// (byte_pairs.mlir): either operand and both, beside special values; where a block of 16 is not
// whole, bytes go one by one.
// DEFINE: %{type} =
// DEFINE: %{chip} =
// DEFINE: %{run} = sed -e 's/BYTE/%{type}/g' %s | tile-run - --on=emulator --check --chip=%{chip}
// DEFINE: %{all} = %{run} --entry=b --seed=1 && %{run} --entry=b --data='values(1,-0.0,2,nan,0.5,448,-3,0.25,1,1,1)' && %{run} --entry=a --seed=2 && %{run} --entry=both --seed=3 && %{run} --entry=narrow --seed=4 && %{run} --entry=scaled '--data=1:values(1,4,0.5)' '--data=3:values(1,0.25,8,2)'
// REDEFINE: %{type} = f8E4M3FN
// REDEFINE: %{chip} = sm_89
// RUN: %{all}
// REDEFINE: %{chip} = sm_90a
// RUN: %{all}
// REDEFINE: %{chip} = sm_120a
// RUN: %{all}
// REDEFINE: %{type} = f8E5M2
// REDEFINE: %{chip} = sm_89
// RUN: %{all}
// REDEFINE: %{chip} = sm_120a
// RUN: %{all}
// RUN: sed -e 's/BYTE/f8E4M3FN/g' %s | tile-opt - --emit=ptx --chip=sm_89 | FileCheck %s
// RUN: sed -e 's/BYTE/f8E5M2/g' %s | tile-opt - --emit=ptx --chip=sm_90a | FileCheck %s

#shared = #gpu.address_space<workgroup>

// CHECK-LABEL: .entry b(
// CHECK-NOT: ld.shared.b8
// CHECK: ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16
// CHECK-NOT: ld.shared.b8
// CHECK: ret;
func.func @b(%a: memref<32x64xBYTE>, %b: memref<64x64xBYTE>, %y: memref<32x64xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch @b blocks(%block) in (%c1) threads(64) {
    %as = tile.alloc : memref<32x64xBYTE, #shared>
    %bs = tile.alloc : memref<64x64xBYTE, #shared>
    tile.copy %a to %as : memref<32x64xBYTE> to memref<32x64xBYTE, #shared>
    tile.copy %b to %bs : memref<64x64xBYTE> to memref<64x64xBYTE, #shared>
    %d = tile.gemm %as, %bs : memref<32x64xBYTE, #shared>, memref<64x64xBYTE, #shared> -> tensor<32x64xf32>
    tile.store %d, %y : tensor<32x64xf32>, memref<32x64xf32>
  }
  return
}

// CHECK-LABEL: .entry a(
// CHECK-NOT: ld.shared.b8
// CHECK: ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16
// CHECK-NOT: ld.shared.b8
// CHECK: ret;
func.func @a(%a: memref<64x32xBYTE>, %b: memref<48x64xBYTE>, %y: memref<32x48xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch @a blocks(%block) in (%c1) threads(32) {
    %as = tile.alloc : memref<64x32xBYTE, #shared>
    %bs = tile.alloc : memref<48x64xBYTE, #shared>
    tile.copy %a to %as : memref<64x32xBYTE> to memref<64x32xBYTE, #shared>
    tile.copy %b to %bs : memref<48x64xBYTE> to memref<48x64xBYTE, #shared>
    %d = tile.gemm %as, %bs {transpose_a, transpose_b} : memref<64x32xBYTE, #shared>, memref<48x64xBYTE, #shared> -> tensor<32x48xf32>
    tile.store %d, %y : tensor<32x48xf32>, memref<32x48xf32>
  }
  return
}

// CHECK-LABEL: .entry both(
// CHECK-NOT: ld.shared.b8
// CHECK: ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16
// CHECK-NOT: ld.shared.b8
// CHECK: ret;
func.func @both(%a: memref<32x32xBYTE>, %b: memref<32x64xBYTE>, %y: memref<32x64xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch @both blocks(%block) in (%c1) threads(64) {
    %as = tile.alloc : memref<32x32xBYTE, #shared>
    %bs = tile.alloc : memref<32x64xBYTE, #shared>
    tile.copy %a to %as : memref<32x32xBYTE> to memref<32x32xBYTE, #shared>
    tile.copy %b to %bs : memref<32x64xBYTE> to memref<32x64xBYTE, #shared>
    %d = tile.gemm %as, %bs {transpose_a} : memref<32x32xBYTE, #shared>, memref<32x64xBYTE, #shared> -> tensor<32x64xf32>
    tile.store %d, %y : tensor<32x64xf32>, memref<32x64xf32>
  }
  return
}

// CHECK-LABEL: .entry narrow(
// CHECK: ld.shared.b8
func.func @narrow(%a: memref<16x32xBYTE>, %b: memref<32x24xBYTE>, %y: memref<16x24xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch @narrow blocks(%block) in (%c1) threads(32) {
    %as = tile.alloc : memref<16x32xBYTE, #shared>
    %bs = tile.alloc : memref<32x24xBYTE, #shared>
    tile.copy %a to %as : memref<16x32xBYTE> to memref<16x32xBYTE, #shared>
    tile.copy %b to %bs : memref<32x24xBYTE> to memref<32x24xBYTE, #shared>
    %d = tile.gemm %as, %bs : memref<16x32xBYTE, #shared>, memref<32x24xBYTE, #shared> -> tensor<16x24xf32>
    tile.store %d, %y : tensor<16x24xf32>, memref<16x24xf32>
  }
  return
}

// Scales are of rows and columns in their order: so are the operands.
func.func @scaled(%a: memref<32x64xBYTE>, %sa: memref<32x2xf8E8M0FNU>, %b: memref<64x32xBYTE>, %sb: memref<32x2xf8E8M0FNU>, %y: memref<32x32xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch @scaled blocks(%block) in (%c1) threads(32) {
    %as = tile.alloc : memref<32x64xBYTE, #shared>
    %bs = tile.alloc : memref<64x32xBYTE, #shared>
    tile.copy %a to %as : memref<32x64xBYTE> to memref<32x64xBYTE, #shared>
    tile.copy %b to %bs : memref<64x32xBYTE> to memref<64x32xBYTE, #shared>
    %sas = tile.alloc : memref<32x2xf8E8M0FNU, #shared>
    %sbs = tile.alloc : memref<32x2xf8E8M0FNU, #shared>
    tile.copy %sa to %sas : memref<32x2xf8E8M0FNU> to memref<32x2xf8E8M0FNU, #shared>
    tile.copy %sb to %sbs : memref<32x2xf8E8M0FNU> to memref<32x2xf8E8M0FNU, #shared>
    %d = tile.gemm_scaled %as, %sas, %bs, %sbs : memref<32x64xBYTE, #shared>, memref<32x2xf8E8M0FNU, #shared>, memref<64x32xBYTE, #shared>, memref<32x2xf8E8M0FNU, #shared> -> tensor<32x32xf32>
    tile.store %d, %y : tensor<32x32xf32>, memref<32x32xf32>
  }
  return
}
