// The kernel ABI, by a kernel in PTX that stores its parameters: for each memref
// its address, then dynamic sizes, strides and offset; then scalars.
// RUN: tile-run %s --entry=parameters --on=emulator --data=1:values(42) --out=0:%t.npy
// RUN: tile-run %s --entry=show --on=reference --in=0:%t.npy | FileCheck %s
// RUN: tile-run %s --entry=parameters --on=emulator --data=1:values(42) --stats=json | FileCheck %s --check-prefix=STATS
// RUN: not tile-run %s --entry=too_few --on=emulator 2>&1 | FileCheck %s --check-prefix=FEW
// RUN: not tile-run %s --entry=no_kernel --on=emulator 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: tile-run %s --entry=zero --on=emulator
// RUN: not tile-run %s --entry=outside --on=emulator 2>&1 | FileCheck %s --check-prefix=OUTSIDE

module attributes {gpu.container_module} {

gpu.binary @kernels [#gpu.object<#nvvm.target<chip = "sm_80">, assembly = ".version 8.0\0A.target sm_80\0A.address_size 64\0A.visible .entry store(.param .u64 o, .param .u64 m, .param .u64 n0, .param .u64 s0, .param .u64 off, .param .u8 flag, .param .f32 x)\0A{\0A.reg .b64 %rd<9>;\0A.reg .b32 %r<4>;\0A.reg .f32 %f<3>;\0A.reg .s64 %l<3>;\0Ald.param.u64 %rd1, [o];\0Ald.param.u64 %rd2, [m];\0Ald.param.u64 %rd3, [n0];\0Ald.param.u64 %rd4, [s0];\0Ald.param.u64 %rd5, [off];\0Ald.param.u8 %r1, [flag];\0Ald.param.f32 %f1, [x];\0Acvta.to.global.u64 %rd1, %rd1;\0Acvta.to.global.u64 %rd2, %rd2;\0Ald.global.f32 %f2, [%rd2];\0Acvt.rzi.s64.f32 %l1, %f2;\0Ast.global.u64 [%rd1], %l1;\0Ast.global.u64 [%rd1+8], %rd3;\0Ast.global.u64 [%rd1+16], %rd4;\0Ast.global.u64 [%rd1+24], %rd5;\0Acvt.u64.u32 %rd6, %r1;\0Ast.global.u64 [%rd1+32], %rd6;\0Acvt.rzi.s64.f32 %l2, %f1;\0Ast.global.u64 [%rd1+40], %l2;\0Aret;\0A}\0A.visible .entry far(.param .u64 o)\0A{\0A.reg .b64 %rd<3>;\0Ald.param.u64 %rd1, [o];\0Acvta.to.global.u64 %rd1, %rd1;\0Ast.global.u64 [%rd1+48], %rd1;\0Aret;\0A}\0A">]

// The static size 8 and stride 1 of %v are not passed; its offset 2 is.
func.func @parameters(%o: memref<6xi64>, %w: memref<5x10xf32>) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c5 = arith.constant 5 : index
  %v = memref.reinterpret_cast %w to offset: [%c2], sizes: [%c5, 8], strides: [%c5, 1] : memref<5x10xf32> to memref<?x8xf32, strided<[?, 1], offset: ?>>
  %t = arith.constant true
  %x = arith.constant 7.5 : f32
  gpu.launch_func @kernels::@store blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%o : memref<6xi64>, %v : memref<?x8xf32, strided<[?, 1], offset: ?>>, %t : i1, %x : f32)
  return
}

func.func @show(%o: memref<6xi64>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(32) {
    %t = tile.load %o : memref<6xi64> -> tensor<6xi64>
    // The buffer's first element (the address is its base, not the view's start), size 5, stride 5, offset 2, true, 7.5.
    // CHECK: (block 0, 0, 0): [42, 5, 5, 2, 1, 7]
    tile.print "parameters" %t : tensor<6xi64>
  }
  return
}

// STATS: "kernels": [
// STATS: "name": "store"

// FEW: error: kernel 'store' has 7 parameters, but the kernel ABI gives 1
func.func @too_few(%o: memref<6xi64>) {
  %c1 = arith.constant 1 : index
  gpu.launch_func @kernels::@store blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%o : memref<6xi64>)
  return
}

// NONE: error: the PTX has no kernel 'missing'
func.func @no_kernel() {
  %c1 = arith.constant 1 : index
  gpu.launch_func @kernels::@missing blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
  return
}

func.func @zero() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  gpu.launch_func @kernels::@missing blocks in (%c1, %c0, %c1) threads in (%c1, %c1, %c1)
  return
}

// OUTSIDE: error: emulator, out of bounds
func.func @outside(%o: memref<6xi64>) {
  %c1 = arith.constant 1 : index
  gpu.launch_func @kernels::@far blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%o : memref<6xi64>)
  return
}
}
