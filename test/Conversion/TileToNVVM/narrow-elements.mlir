// Two elements of 4 bits in a byte: as wide as other accesses where they begin with bytes,
// else one by one.
// RUN: tile-opt %s --emit=ptx --chip=sm_80 | FileCheck %s
// RUN: tile-opt %s --emit=ptx --chip=sm_80 | grep -v "^//" | FileCheck %s --check-prefix=CASTS

// CHECK-LABEL: .visible .entry words(
// CHECK: ld.global{{.*}}.v4.b32
// CHECK: st.global.v4.b32
// CHECK-NOT: atom
// CHECK-NOT: red.
func.func @elements(%a: memref<64x64xi4>, %b: memref<64x64xi4>, %c: memref<64x33xi4>, %h: memref<64x64xf16>, %n: index) {
  %c1 = arith.constant 1 : index
  tile.launch @words blocks(%x) in (%c1) threads(128) {
    %t = tile.load %a : memref<64x64xi4> -> tensor<64x64xi4>
    %one = arith.constant dense<1> : tensor<64x64xi4>
    %s = arith.xori %t, %one : tensor<64x64xi4>
    tile.store %s, %b : tensor<64x64xi4>, memref<64x64xi4>
  }
  // The row of a shared buffer is known to begin with a byte, that of %c is not.
  // CHECK-LABEL: .visible .entry halves(
  // CHECK: ld.global.nc.b8
  // CHECK: st.shared
  // CHECK-NOT: atom.shared
  // CHECK-LABEL: .visible .entry back(
  // CHECK: cp.async.cg.shared.global {{.*}}, 16
  // CHECK: ld.shared
  // CHECK: {{atom|red}}.global.and.b32
  // CHECK: {{atom|red}}.global.or.b32
  tile.launch @halves blocks(%x) in (%c1) threads(128) {
    %c0 = arith.constant 0 : index
    %s = tile.alloc : memref<64x32xi4, #gpu.address_space<workgroup>>
    tile.copy %c[%c0, %n] to %s : memref<64x33xi4> to memref<64x32xi4, #gpu.address_space<workgroup>>
    %t = tile.load %s : memref<64x32xi4, #gpu.address_space<workgroup>> -> tensor<64x32xi4>
    tile.store %t, %b[%c0, %c0] : tensor<64x32xi4>, memref<64x64xi4>
  }
  tile.launch @back blocks(%x) in (%c1) threads(128) {
    %c0 = arith.constant 0 : index
    %s = tile.alloc : memref<64x64xi4, #gpu.address_space<workgroup>>
    tile.copy %a to %s : memref<64x64xi4> to memref<64x64xi4, #gpu.address_space<workgroup>>
    tile.copy %s[%c0, %c0] [64, 32] to %c[%c0, %c0] : memref<64x64xi4, #gpu.address_space<workgroup>> to memref<64x33xi4>
  }
  // CASTS-LABEL: .visible .entry floats(
  // CASTS-NOT: cvt.rn.f16
  // CASTS: {{add.rn|fma.rn}}.f16x2
  tile.launch @floats blocks(%x) in (%c1) threads(128) {
    %t = tile.load %a : memref<64x64xi4> -> tensor<64x64xi4>
    %f = arith.sitofp %t : tensor<64x64xi4> to tensor<64x64xf16>
    tile.store %f, %h : tensor<64x64xf16>, memref<64x64xf16>
  }
  return
}

// Where a kernel stores single elements, blocks meet in words: what is less than one moves by
// words then, but for what nobody writes.
// CHECK-LABEL: .visible .entry common(
// CHECK-NOT: global.b8
// CHECK: ld.relaxed.gpu.global.b32
// CHECK-NOT: st.global
// CHECK: {{atom|red}}.global.or.b32
// CHECK: ld.global.nc.b8
// CHECK-NOT: global.b8
// CHECK-NOT: st.global
// CHECK: {{atom|red}}.global.or.b32
// CHECK-NOT: st.global
// CHECK-LABEL: .visible .entry even(
// CHECK: ld.global.b8
// CHECK: st.global.b8
#pair = #tile.fragment<[2], register = [2 : (1)], lane = [32 : (0)], warp = [1 : (0)]>
func.func @meeting(%a: memref<64xi4>, %b: memref<64xi4>) {
  %c16 = arith.constant 16 : index
  tile.launch @common blocks(%x) in (%c16) threads(32) {
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %pair = arith.muli %x, %c4 : index
    %last = arith.addi %pair, %c3 : index
    %t = tile.load %a[%pair] : memref<64xi4> -> tensor<2xi4, #pair>
    tile.store %t, %a[%pair] : tensor<2xi4, #pair>, memref<64xi4>
    %o = memref.load %b[%last] : memref<64xi4>
    memref.store %o, %a[%last] : memref<64xi4>
  }
  tile.launch @even blocks(%x) in (%c16) threads(32) {
    %c4 = arith.constant 4 : index
    %pair = arith.muli %x, %c4 : index
    %t = tile.load %a[%pair] : memref<64xi4> -> tensor<2xi4, #pair>
    tile.store %t, %a[%pair] : tensor<2xi4, #pair>, memref<64xi4>
  }
  return
}
