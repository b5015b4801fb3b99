// What each block-level operation touches: one access a memref, those inside of a
// tile.parallel or tile.once included.
// RUN: tile-test-opt %s --test-tile-block-accesses --verify-diagnostics

#shared = #gpu.address_space<workgroup>
#l = #tile.shared<[128]>
#f = #tile.fragment<[128], register = [], lane = [32 : (1)], warp = [4 : (32)]>

func.func @moves(%g: index, %m: memref<128xf32> {test.tag = "m"}, %n: memref<128xf32> {test.tag = "n"}) {
  tile.launch blocks(%x) in (%g) threads(128) {
    // expected-remark @below {{accesses: nothing.}}
    %s = tile.alloc layout(#l) {test.tag = "s"} : memref<128xf32, #shared>
    // expected-remark @below {{accesses: m read.}}
    %0 = tile.load %m {test.tag = "a"} : memref<128xf32> -> tensor<128xf32>
    // expected-remark @below {{accesses: nothing.}}
    %1 = arith.addf %0, %0 {test.tag = "a"} : tensor<128xf32>
    // expected-remark @below {{accesses: n written.}}
    tile.store %1, %n {test.tag = "a"} : tensor<128xf32>, memref<128xf32>
    // expected-remark @below {{accesses: m read, s written.}}
    tile.copy %m to %s {test.tag = "a", layout = #f, vector_width = 1 : i64, instruction = #tile.instruction<"ld.st">} : memref<128xf32> to memref<128xf32, #shared>
    // expected-remark @below {{accesses: m read asynchronously, s written asynchronously.}}
    tile.copy %m to %s {test.tag = "a", layout = #f, vector_width = 1 : i64, instruction = #tile.instruction<"cp.async">} : memref<128xf32> to memref<128xf32, #shared>
    // expected-remark @below {{accesses: n read and written by addf.}}
    tile.atomic_rmw addf %1, %n {test.tag = "a"} : tensor<128xf32>, memref<128xf32>
    // expected-remark @below {{accesses: s read, n read and written by addf.}}
    tile.copy %s to %n {test.tag = "a", instruction = #tile.instruction<"cp.reduce.async.bulk.tensor.1d.global.shared::cta.add.tile.bulk_group">} : memref<128xf32, #shared> to memref<128xf32>
    // expected-remark @below {{accesses: nothing.}}
    tile.copy_commit {test.tag = "a"}
    // expected-remark @below {{accesses: nothing.}}
    tile.copy_wait {test.tag = "a"}
    // expected-remark @below {{accesses: nothing.}}
    tile.barrier {test.tag = "a"}
  }
  return
}

func.func @products(%g: index) {
  tile.launch blocks(%x) in (%g) threads(128) {
    // expected-remark @below {{accesses: nothing.}}
    %s = tile.alloc {test.tag = "s"} : memref<64x64xf16, #shared>
    // expected-remark @below {{accesses: nothing.}}
    %t = tile.alloc {test.tag = "t"} : memref<64x64xf16, #shared>
    // expected-remark @below {{accesses: s read, t read.}}
    %0 = tile.gemm %s, %t {test.tag = "a"} : memref<64x64xf16, #shared>, memref<64x64xf16, #shared> -> tensor<64x64xf32>
    // One memref is one access.
    // expected-remark @below {{accesses: s read.}}
    %1 = tile.gemm %s, %s {test.tag = "a"} : memref<64x64xf16, #shared>, memref<64x64xf16, #shared> -> tensor<64x64xf32>
  }
  return
}

func.func @regions(%g: index, %m: memref<128xf32> {test.tag = "m"}, %n: memref<128xf32> {test.tag = "n"}, %c: i1) {
  %v = arith.constant 1.0 : f32
  tile.launch blocks(%x) in (%g) threads(128) {
    %c0 = arith.constant 0 : index
    // expected-remark @below {{accesses: m read and written, n read.}}
    tile.parallel (%i) in (128) attributes {test.tag = "a"} {
      %0 = memref.load %m[%i] : memref<128xf32>
      %1 = memref.load %n[%i] : memref<128xf32>
      %2 = arith.addf %0, %1 : f32
      memref.store %2, %m[%i] : memref<128xf32>
    }
    // An atomic whose old value is not used combines.
    // expected-remark @below {{accesses: m read and written by addf.}}
    tile.parallel (%i) in (128) attributes {test.tag = "a"} {
      %0 = memref.atomic_rmw addf %v, %m[%i] : (f32, memref<128xf32>) -> f32
    }
    // expected-remark @below {{accesses: m read and written.}}
    %r = tile.parallel (%i) in (128) -> (tensor<128xf32>) attributes {test.tag = "a"} {
      %0 = memref.atomic_rmw addf %v, %m[%i] : (f32, memref<128xf32>) -> f32
      tile.yield %0 : f32
    }
    // Assignments do not commute.
    // expected-remark @below {{accesses: m read and written.}}
    tile.parallel (%i) in (128) attributes {test.tag = "a"} {
      %0 = memref.atomic_rmw assign %v, %m[%i] : (f32, memref<128xf32>) -> f32
    }
    // expected-remark @below {{accesses: n written.}}
    tile.once {
      memref.store %v, %n[%c0] : memref<128xf32>
    } {test.tag = "a"}
    // One atomic of the block orders all of global memory.
    // expected-remark @below {{accesses: global memory read and written.}}
    %old = memref.atomic_rmw addf %v, %m[%c0] {test.tag = "a"} : (f32, memref<128xf32>) -> f32
    // What has blocks of its own is looked into, not at.
    // expected-remark @below {{accesses: nothing.}}
    scf.if %c {
      tile.once {
        memref.store %v, %n[%c0] : memref<128xf32>
      }
    } {test.tag = "a"}
  }
  return
}
