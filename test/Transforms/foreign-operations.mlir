// Operations of a dialect that no pass names (test/lib/Dialect) go through the
// pipeline up to kernels, and into the report, by what they answer themselves.

// RUN: tile-test-opt %s --tile-infer-layouts | FileCheck %s --check-prefix=LAYOUT
// RUN: tile-test-opt %s --tile-infer-layouts --test-tile-report -o /dev/null | FileCheck %s --check-prefix=LAUNCH
// RUN: tile-test-opt %s --tile-infer-layouts --tile-materialize-scratch --tile-pipeline-loops | FileCheck %s --check-prefix=LOOP
// RUN: tile-test-opt %s --tile-infer-layouts --tile-materialize-scratch --tile-pipeline-loops --tile-lower-rings --tile-plan-shared-memory --tile-insert-barriers | FileCheck %s --check-prefix=BARRIER
// RUN: tile-test-opt %s --tile-infer-layouts --tile-materialize-scratch --tile-pipeline-loops --tile-lower-rings --tile-plan-shared-memory --tile-insert-barriers --tile-outline-kernels --test-tile-report -o /dev/null | FileCheck %s --check-prefix=KERNEL

#shared = #gpu.address_space<workgroup>
#rows = #tile.fragment<[32, 32], register = [32 : (0, 1)], lane = [32 : (1, 0)], warp = []>
#columns = #tile.fragment<[32, 32], register = [32 : (1, 0)], lane = [32 : (0, 1)], warp = []>

module attributes {tile.target = #tile.target<"sm_80">} {

// The layout that the load asks for reaches the store through both operations,
// the dimensions exchanged.
// LAYOUT-LABEL: func @follow
// LAYOUT: tile.load {{.*}} -> tensor<64x32xf32, #[[LOADED:.+]]>
// LAYOUT-NOT: tile.convert_layout
// LAYOUT: test_tile.scale_rows {{.*}} : tensor<64x32xf32, #[[LOADED]]>, {{.*}} -> tensor<64x32xf32, #[[LOADED]]>
// LAYOUT-NOT: tile.convert_layout
// LAYOUT: test_tile.negate_transposed {{.*}} : tensor<64x32xf32, #[[LOADED]]> -> tensor<32x64xf32, #[[NEGATED:.+]]>
// LAYOUT-NOT: tile.convert_layout
// LAYOUT: tile.store {{.*}} : tensor<32x64xf32, #[[NEGATED]]>
func.func @follow(%n: index, %a: memref<64x32xf32>, %b: memref<32x64xf32>) {
  tile.launch @follow blocks(%x) in (%n) threads(128) attributes {stage = #tile.stage<logical>} {
    %one = arith.constant 1.0 : f32
    %s = tile.alloc : memref<64xf32, #shared>
    test_tile.fill %s with %one : memref<64xf32, #shared>
    %t = tile.load %a : memref<64x32xf32> -> tensor<64x32xf32>
    %u = test_tile.scale_rows %t by %s : tensor<64x32xf32>, memref<64xf32, #shared> -> tensor<64x32xf32>
    %v = test_tile.negate_transposed %u : tensor<64x32xf32> -> tensor<32x64xf32>
    tile.store %v, %b : tensor<32x64xf32>, memref<32x64xf32>
  }
  return
}

// What the user fixed on both sides disagrees: the operand is converted.
// LAYOUT-LABEL: func @disagree
// LAYOUT: %[[T:.+]] = tile.load {{.*}} -> tensor<32x32xf32, #[[ROWS:.+]]>
// LAYOUT: %[[C:.+]] = tile.convert_layout %[[T]] : tensor<32x32xf32, #[[ROWS]]> to tensor<32x32xf32, #[[COLUMNS:.+]]>
// LAYOUT-NEXT: test_tile.scale_rows %[[C]] by {{.*}} -> tensor<32x32xf32, #[[COLUMNS]]>
func.func @disagree(%n: index, %a: memref<32x32xf32>) {
  tile.launch @disagree blocks(%x) in (%n) threads(32) attributes {stage = #tile.stage<logical>} {
    %one = arith.constant 1.0 : f32
    %s = tile.alloc : memref<32xf32, #shared>
    test_tile.fill %s with %one : memref<32xf32, #shared>
    %t = tile.load %a : memref<32x32xf32> -> tensor<32x32xf32, #rows>
    %u = test_tile.scale_rows %t by %s : tensor<32x32xf32, #rows>, memref<32xf32, #shared> -> tensor<32x32xf32, #columns>
    tile.store %u, %a : tensor<32x32xf32, #columns>, memref<32x32xf32>
  }
  return
}

// A buffer has the layout that its access demands, views of it included; another one
// keeps the default. What is copied to it is as wide as that layout allows.
// LAYOUT-LABEL: func @demanded
// LAYOUT: tile.alloc layout(#tile.shared<[64, 64], offset = [32 : (0, 1), 64 : (1, 0), 2 : (0, 32)], xor = [2, 4, 3]>)
// LAYOUT: tile.alloc layout(#tile.shared<[2, 32, 64], offset = [32 : (0, 0, 1), 32 : (0, 1, 0), 2 : (0, 0, 32), 2 : (1, 0, 0)], xor = [2, 4, 3]>)
// LAYOUT: tile.alloc layout(#tile.shared<[64, 64], offset = [64 : (0, 1), 64 : (1, 0)], xor = [3, 4, 3]>)
// LAYOUT: tile.copy {{.*}}vector_width = 8
func.func @demanded(%n: index, %i: index, %a: memref<64x64xf16> {tile.align = 16 : i64}, %b: memref<32x64xf16>) {
  tile.launch @demanded blocks(%x) in (%n) threads(128) attributes {stage = #tile.stage<logical>} {
    %s = tile.alloc : memref<64x64xf16, #shared>
    %ring = tile.alloc : memref<2x32x64xf16, #shared>
    %free = tile.alloc : memref<64x64xf16, #shared>
    tile.copy %a to %s : memref<64x64xf16> to memref<64x64xf16, #shared>
    tile.copy %a to %free : memref<64x64xf16> to memref<64x64xf16, #shared>
    %slot = memref.subview %ring[%i, 0, 0] [1, 32, 64] [1, 1, 1] : memref<2x32x64xf16, #shared> to memref<32x64xf16, strided<[64, 1], offset: ?>, #shared>
    %t = tile.load %a : memref<64x64xf16> -> tensor<64x64xf16>
    %u = test_tile.scale_tiles %t by %s swizzle 64 : tensor<64x64xf16>, memref<64x64xf16, #shared> -> tensor<64x64xf16>
    tile.store %u, %a : tensor<64x64xf16>, memref<64x64xf16>
    tile.copy %b to %slot : memref<32x64xf16> to memref<32x64xf16, strided<[64, 1], offset: ?>, #shared>
    %v = tile.load %b : memref<32x64xf16> -> tensor<32x64xf16>
    %w = test_tile.scale_tiles %v by %slot swizzle 64 : tensor<32x64xf16>, memref<32x64xf16, strided<[64, 1], offset: ?>, #shared> -> tensor<32x64xf16>
    tile.store %w, %b : tensor<32x64xf16>, memref<32x64xf16>
    %f = tile.load %free : memref<64x64xf16, #shared> -> tensor<64x64xf16>
    tile.store %f, %a : tensor<64x64xf16>, memref<64x64xf16>
  }
  return
}

// An iteration space gets its threads, and its result their layout, which is that of
// the store.
// LAYOUT-LABEL: func @space
// LAYOUT: test_tile.iota {{.*}} {layout = #[[SPACE:.+]], vector_width = 4 : i64} : tensor<64x32xf32, #[[SPACE]]>
// LAYOUT-NOT: tile.convert_layout
// LAYOUT: tile.store {{.*}} : tensor<64x32xf32, #[[SPACE]]>
func.func @space(%n: index, %a: memref<64x32xf32> {tile.align = 16 : i64}) {
  tile.launch @space blocks(%x) in (%n) threads(128) attributes {stage = #tile.stage<logical>} {
    %t = test_tile.iota [64, 32] : tensor<64x32xf32>
    tile.store %t, %a : tensor<64x32xf32>, memref<64x32xf32>
  }
  return
}

// The second buffer is filled when the first was last read: they share bytes,
// which takes a barrier. There is one between a fill and what reads it, none
// between two readers.
// BARRIER-LABEL: func @one_after_the_other
// BARRIER: %[[ARENA:.+]] = tile.arena 16384
// BARRIER: tile.view %[[ARENA]][0]
// BARRIER: tile.view %[[ARENA]][0]
// BARRIER: test_tile.fill
// BARRIER-NOT: test_tile
// BARRIER: tile.barrier
// BARRIER-NOT: tile.barrier
// BARRIER: test_tile.scale_rows
// BARRIER-NOT: tile.barrier
// BARRIER: test_tile.scale_rows
// BARRIER: tile.barrier
// BARRIER-NEXT: test_tile.fill
// BARRIER-NEXT: tile.barrier
// BARRIER-NEXT: test_tile.scale_rows
// BARRIER-NOT: tile.barrier
// BARRIER: return
func.func @one_after_the_other(%n: index, %a: memref<4096xf32>) {
  tile.launch @one_after_the_other blocks(%x) in (%n) threads(128) attributes {stage = #tile.stage<logical>} {
    %one = arith.constant 1.0 : f32
    %two = arith.constant 2.0 : f32
    %s = tile.alloc : memref<4096xf32, #shared>
    %r = tile.alloc : memref<4096xf32, #shared>
    test_tile.fill %s with %one : memref<4096xf32, #shared>
    %t = tile.load %a : memref<4096xf32> -> tensor<4096xf32>
    %u = test_tile.scale_rows %t by %s : tensor<4096xf32>, memref<4096xf32, #shared> -> tensor<4096xf32>
    %v = test_tile.scale_rows %u by %s : tensor<4096xf32>, memref<4096xf32, #shared> -> tensor<4096xf32>
    test_tile.fill %r with %two : memref<4096xf32, #shared>
    %w = test_tile.scale_rows %v by %r : tensor<4096xf32>, memref<4096xf32, #shared> -> tensor<4096xf32>
    tile.store %w, %a : tensor<4096xf32>, memref<4096xf32>
  }
  return
}

// Both are filled before either is read: they lie apart, and one barrier serves
// both.
// BARRIER-LABEL: func @side_by_side
// BARRIER: %[[ARENA:.+]] = tile.arena 32768
// BARRIER-DAG: tile.view %[[ARENA]][0]
// BARRIER-DAG: tile.view %[[ARENA]][16384]
// BARRIER: test_tile.fill
// BARRIER-NOT: tile.barrier
// BARRIER: test_tile.fill
// BARRIER: tile.barrier
// BARRIER-NOT: tile.barrier
// BARRIER: return
func.func @side_by_side(%n: index, %a: memref<4096xf32>) {
  tile.launch @side_by_side blocks(%x) in (%n) threads(128) attributes {stage = #tile.stage<logical>} {
    %one = arith.constant 1.0 : f32
    %two = arith.constant 2.0 : f32
    %s = tile.alloc : memref<4096xf32, #shared>
    %r = tile.alloc : memref<4096xf32, #shared>
    test_tile.fill %s with %one : memref<4096xf32, #shared>
    test_tile.fill %r with %two : memref<4096xf32, #shared>
    %t = tile.load %a : memref<4096xf32> -> tensor<4096xf32>
    %u = test_tile.scale_rows %t by %s : tensor<4096xf32>, memref<4096xf32, #shared> -> tensor<4096xf32>
    %v = test_tile.scale_rows %u by %r : tensor<4096xf32>, memref<4096xf32, #shared> -> tensor<4096xf32>
    tile.store %v, %a : tensor<4096xf32>, memref<4096xf32>
  }
  return
}

// A buffer that is copied to and read by the operation becomes a ring, as it does
// for `tile.load`.
// LOOP-LABEL: func @ring
// LOOP: %[[RING:.+]] = tile.alloc {{.*}} : memref<3x128xf32
// LOOP: scf.for
// LOOP-NEXT: %[[READ:.+]] = tile.ring_wait
// LOOP: tile.ring_commit
// LOOP: %[[SLOT:.+]] = memref.subview %[[RING]][%[[READ]]
// LOOP-NEXT: test_tile.scale_rows {{.*}} by %[[SLOT]]
func.func @ring(%n: index, %f: memref<?xf32>, %a: memref<128x64xf32>) {
  tile.launch @ring blocks(%x) in (%n) threads(128) attributes {stage = #tile.stage<logical>} {
    %c0 = arith.constant 0 : index
    %c128 = arith.constant 128 : index
    %s = tile.alloc : memref<128xf32, #shared>
    %t = tile.load %a : memref<128x64xf32> -> tensor<128x64xf32>
    %r = scf.for %i = %c0 to %n step %c128 iter_args(%acc = %t) -> (tensor<128x64xf32>) {
      tile.copy %f[%i] to %s : memref<?xf32> to memref<128xf32, #shared>
      %u = test_tile.scale_rows %acc by %s : tensor<128x64xf32>, memref<128xf32, #shared> -> tensor<128x64xf32>
      scf.yield %u : tensor<128x64xf32>
    } {tile.stages = 3 : i32}
    tile.store %r, %a : tensor<128x64xf32>, memref<128x64xf32>
  }
  return
}
}

// The report shows the fragments and the conversion of a launch, the buffers and
// the barriers of a kernel.
// LAUNCH: "name": "disagree"
// LAUNCH: "fragments": [
// LAUNCH: "type": "tensor<32x32xf32>"
// LAUNCH: "elements_per_thread": 32
// LAUNCH: "conversions": [
// LAUNCH: "through": "shared"
// LAUNCH-NEXT: "bytes": 4096

// KERNEL: "name": "demanded"
// KERNEL: "buffers": [
// KERNEL: "layout": "[64, 64], offset = [32 : (0, 1), 64 : (1, 0), 2 : (0, 32)], xor = [2, 4, 3]"
// KERNEL: "name": "one_after_the_other"
// KERNEL: "shared_bytes": 16384
// KERNEL: "buffers": [
// KERNEL: "offset": 0,
// KERNEL-NEXT: "bytes": 16384
// KERNEL: "offset": 0,
// KERNEL-NEXT: "bytes": 16384
// KERNEL: "barriers": 3
// KERNEL: "name": "side_by_side"
// KERNEL: "offset": 16384,
// KERNEL-NEXT: "bytes": 16384
// KERNEL: "barriers": 1
