// Launches as packing problems, as they are and with buffers as rings of slots.
// RUN: tile-test-opt %s --test-tile-arena-problem --verify-diagnostics --split-input-file

#shared = #gpu.address_space<workgroup>
#row = #tile.shared<[64]>
#f = #tile.shared<[32, 64], swizzle = 128>

// A ring is live in all of its loop, from the loop on: not before it, where `before`
// is, nor after it. A swizzled slot is a multiple of its period.
func.func @whole_loop(%g: index, %m: memref<64xf32>, %h: memref<32x64xf16>, %n: index) {
  // expected-remark @below {{packed: 12288 bytes, at least 12288.}}
  tile.launch blocks(%x) in (%g) threads(32) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    // expected-remark @below {{before: 256 bytes at 256 aligned to 16, lives in [5, 7).}}
    %before = tile.alloc layout(#row) {test.tag = "before"} : memref<64xf32, #shared>
    // expected-remark @below {{ring: 12288 bytes at 0 aligned to 1024, lives in [7, 11).}}
    %ring = tile.alloc layout(#f) {test.tag = "ring", test.slots = 3 : i64, test.loop = "l"} : memref<32x64xf16, #shared>
    // expected-remark @below {{after: 256 bytes at 0 aligned to 16, lives in [11, 13).}}
    %after = tile.alloc layout(#row) {test.tag = "after"} : memref<64xf32, #shared>
    tile.copy %m to %before : memref<64xf32> to memref<64xf32, #shared>
    %0 = tile.load %before : memref<64xf32, #shared> -> tensor<64xf32>
    scf.for %i = %c0 to %n step %c1 {
      tile.copy %h to %ring : memref<32x64xf16> to memref<32x64xf16, #shared>
      %1 = tile.load %ring : memref<32x64xf16, #shared> -> tensor<32x64xf16>
    } {test.tag = "l"}
    tile.copy %m to %after : memref<64xf32> to memref<64xf32, #shared>
    %2 = tile.load %after : memref<64xf32, #shared> -> tensor<64xf32>
  }
  return
}

// -----

#shared = #gpu.address_space<workgroup>
#row = #tile.shared<[64]>

// The ring of a loop in front, which is planned already, takes its bytes: those of the loop
// behind are none in addition. Its buffer holds something behind both loops alone.
func.func @ring_in_front(%g: index, %m: memref<64xf32>, %n: index) {
  // expected-remark @below {{packed: 1024 bytes, at least 1024.}}
  tile.launch blocks(%x) in (%g) threads(32) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    // expected-remark @below {{front: 256 bytes at 512 aligned to 16, lives in [12, 14).}}
    %front = tile.alloc layout(#row) {test.tag = "front", test.slots = 4 : i64, test.loop = "l", test.in_front} : memref<64xf32, #shared>
    // expected-remark @below {{behind: 512 bytes at 0 aligned to 16, lives in [8, 12).}}
    %behind = tile.alloc layout(#row) {test.tag = "behind", test.slots = 2 : i64, test.loop = "m"} : memref<64xf32, #shared>
    scf.for %i = %c0 to %n step %c1 {
      tile.copy %m to %front : memref<64xf32> to memref<64xf32, #shared>
      %0 = tile.load %front : memref<64xf32, #shared> -> tensor<64xf32>
    } {test.tag = "l"}
    scf.for %i = %c0 to %n step %c1 {
      tile.copy %m to %behind : memref<64xf32> to memref<64xf32, #shared>
      %0 = tile.load %behind : memref<64xf32, #shared> -> tensor<64xf32>
    } {test.tag = "m"}
    tile.copy %m to %front : memref<64xf32> to memref<64xf32, #shared>
    %1 = tile.load %front : memref<64xf32, #shared> -> tensor<64xf32>
  }
  return
}

// -----

#shared = #gpu.address_space<workgroup>
#row = #tile.shared<[64]>

// Within an iteration the two buffers take turns; as rings they are live together, and
// with them what the loop alone touches.
func.func @rings_meet(%g: index, %m: memref<64xf32>, %n: index) {
  // expected-remark @below {{packed: 1280 bytes, at least 1280.}}
  tile.launch blocks(%x) in (%g) threads(32) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %a = tile.alloc layout(#row) {test.slots = 2 : i64, test.loop = "l"} : memref<64xf32, #shared>
    %b = tile.alloc layout(#row) {test.slots = 2 : i64, test.loop = "l"} : memref<64xf32, #shared>
    %own = tile.alloc layout(#row) : memref<64xf32, #shared>
    scf.for %i = %c0 to %n step %c1 {
      tile.copy %m to %a : memref<64xf32> to memref<64xf32, #shared>
      %0 = tile.load %a : memref<64xf32, #shared> -> tensor<64xf32>
      tile.store %0, %own : tensor<64xf32>, memref<64xf32, #shared>
      tile.copy %m to %b : memref<64xf32> to memref<64xf32, #shared>
      %1 = tile.load %b : memref<64xf32, #shared> -> tensor<64xf32>
    } {test.tag = "l"}
  }
  return
}

// -----

#shared = #gpu.address_space<workgroup>
#row = #tile.shared<[64]>

// A ring of an inner loop is refilled for each iteration of the outer one: what the
// outer loop touches beside the inner one may take its bytes.
func.func @inner_loop(%g: index, %m: memref<64xf32>, %n: index) {
  // expected-remark @below {{packed: 512 bytes, at least 512.}}
  tile.launch blocks(%x) in (%g) threads(32) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %ring = tile.alloc layout(#row) {test.slots = 2 : i64, test.loop = "inner"} : memref<64xf32, #shared>
    %outer = tile.alloc layout(#row) : memref<64xf32, #shared>
    scf.for %i = %c0 to %n step %c1 {
      scf.for %j = %c0 to %n step %c1 {
        tile.copy %m to %ring : memref<64xf32> to memref<64xf32, #shared>
        %0 = tile.load %ring : memref<64xf32, #shared> -> tensor<64xf32>
      } {test.tag = "inner"}
      tile.copy %m to %outer : memref<64xf32> to memref<64xf32, #shared>
      %1 = tile.load %outer : memref<64xf32, #shared> -> tensor<64xf32>
    }
  }
  return
}

// -----

#shared = #gpu.address_space<workgroup>
#row = #tile.shared<[64]>

// More slots than any memory holds are no packing.
func.func @beyond_memory(%g: index, %m: memref<64xf32>, %n: index) {
  // expected-remark @below {{packed: nothing.}}
  tile.launch blocks(%x) in (%g) threads(32) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %ring = tile.alloc layout(#row) {test.slots = 8589934592 : i64, test.loop = "l"} : memref<64xf32, #shared>
    scf.for %i = %c0 to %n step %c1 {
      tile.copy %m to %ring : memref<64xf32> to memref<64xf32, #shared>
      %0 = tile.load %ring : memref<64xf32, #shared> -> tensor<64xf32>
    } {test.tag = "l"}
  }
  return
}
