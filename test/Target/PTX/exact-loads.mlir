// Loads are merged, but read no byte that the program does not: those between are other
// threads', who may write them at that time. LLVM's vectorizer of loads would fill gaps.
// RUN: tile-opt %s --emit=ptx --chip=sm_80 -o - | FileCheck %s
// RUN: tile-opt %s --emit=ptx --chip=sm_90a -o - | FileCheck %s

#shared = #gpu.address_space<workgroup>

// Two bytes of four, and three words of four.
// CHECK-LABEL: .entry bytes(
// CHECK-NOT:     ld.shared
// CHECK:         ld.shared.b8 {{.*}}, [[[A:%rd[0-9]+]]];
// CHECK:         ld.shared.b8 {{.*}}, [[[A]]+2];
// CHECK-NOT:     ld.shared
// CHECK-LABEL: .entry words(
// CHECK-NOT:     ld.shared
// CHECK:         ld.shared.v2.b32 {{.*}}, [[[A:%rd[0-9]+]]];
// CHECK:         ld.shared.b32 {{.*}}, [[[A]]+8];
// CHECK-NOT:     ld.shared
// CHECK-LABEL: .entry all_words(
// CHECK-NOT:     ld.shared
// CHECK:         ld.shared.v4.b32
// CHECK-NOT:     ld.shared
// CHECK-NOT:   used_bytes_mask
func.func @f(%m: memref<256xi8>, %o: memref<64xi8>, %x: memref<256xf32>, %y: memref<64xf32>) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  tile.launch @bytes blocks(%b) in (%c1) threads(64) {
    %s = tile.alloc : memref<256xi8, #shared>
    tile.copy %m to %s : memref<256xi8> to memref<256xi8, #shared>
    tile.parallel (%i) in (64) {
      %j = arith.muli %i, %c4 : index
      %k = arith.addi %j, %c2 : index
      %u = memref.load %s[%j] : memref<256xi8, #shared>
      %v = memref.load %s[%k] : memref<256xi8, #shared>
      %w = arith.addi %u, %v : i8
      memref.store %w, %o[%i] : memref<64xi8>
    }
  }
  tile.launch @words blocks(%b) in (%c1) threads(64) {
    %s = tile.alloc : memref<256xf32, #shared>
    tile.copy %x to %s : memref<256xf32> to memref<256xf32, #shared>
    tile.parallel (%i) in (64) {
      %j = arith.muli %i, %c4 : index
      %k = arith.addi %j, %c1 : index
      %l = arith.addi %j, %c2 : index
      %u = memref.load %s[%j] : memref<256xf32, #shared>
      %v = memref.load %s[%k] : memref<256xf32, #shared>
      %w = memref.load %s[%l] : memref<256xf32, #shared>
      %r = math.fma %u, %v, %w : f32
      memref.store %r, %y[%i] : memref<64xf32>
    }
  }
  tile.launch @all_words blocks(%b) in (%c1) threads(64) {
    %s = tile.alloc : memref<256xf32, #shared>
    tile.copy %x to %s : memref<256xf32> to memref<256xf32, #shared>
    tile.parallel (%i) in (64) {
      %j = arith.muli %i, %c4 : index
      %k = arith.addi %j, %c1 : index
      %l = arith.addi %j, %c2 : index
      %n = arith.addi %j, %c3 : index
      %t = memref.load %s[%j] : memref<256xf32, #shared>
      %u = memref.load %s[%k] : memref<256xf32, #shared>
      %v = memref.load %s[%l] : memref<256xf32, #shared>
      %w = memref.load %s[%n] : memref<256xf32, #shared>
      %q = math.fma %t, %u, %v : f32
      %r = arith.addf %q, %w : f32
      memref.store %r, %y[%i] : memref<64xf32>
    }
  }
  return
}
