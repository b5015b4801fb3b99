// Where each buffer is occupied: at operations that touch it, and between a write that
// may have been and a read that may come.
// RUN: tile-test-opt %s --test-tile-shared-liveness --verify-diagnostics

#shared = #gpu.address_space<workgroup>

func.func @straight(%g: index, %m: memref<64xf32>) {
  tile.launch blocks(%x) in (%g) threads(32) {
    %s = tile.alloc {test.tag = "s"} : memref<64xf32, #shared>
    // expected-remark @below {{occupied:.}}
    %0 = arith.constant {test.tag = "before"} 0 : index
    // expected-remark @below {{occupied: s.}}
    tile.copy %m to %s {test.tag = "write"} : memref<64xf32> to memref<64xf32, #shared>
    // expected-remark @below {{occupied: s.}}
    %1 = arith.constant {test.tag = "between"} 0 : index
    // expected-remark @below {{occupied: s.}}
    %2 = tile.load %s {test.tag = "read"} : memref<64xf32, #shared> -> tensor<64xf32>
    // expected-remark @below {{occupied:.}}
    %3 = arith.constant {test.tag = "after"} 0 : index
    // A store that nothing reads needs bytes where it stands.
    // expected-remark @below {{occupied: s.}}
    tile.store %2, %s {test.tag = "write"} : tensor<64xf32>, memref<64xf32, #shared>
    // expected-remark @below {{occupied:.}}
    %4 = arith.constant {test.tag = "after"} 0 : index
  }
  return
}

// A write of the whole buffer ends the need for what was there; one of a part does not.
func.func @replaced(%g: index, %m: memref<64xf32>) {
  tile.launch blocks(%x) in (%g) threads(32) {
    %c0 = arith.constant 0 : index
    %s = tile.alloc {test.tag = "s"} : memref<64xf32, #shared>
    %t = tile.alloc {test.tag = "t"} : memref<64xf32, #shared>
    tile.copy %m to %s : memref<64xf32> to memref<64xf32, #shared>
    tile.copy %m to %t : memref<64xf32> to memref<64xf32, #shared>
    // expected-remark @below {{occupied: t.}}
    %0 = arith.constant {test.tag = "a"} 0 : index
    tile.copy %m to %s : memref<64xf32> to memref<64xf32, #shared>
    tile.copy %m[%c0] [32] to %t[%c0] : memref<64xf32> to memref<64xf32, #shared>
    // expected-remark @below {{occupied: s t.}}
    %1 = arith.constant {test.tag = "a"} 0 : index
    %2 = tile.load %s : memref<64xf32, #shared> -> tensor<64xf32>
    %3 = tile.load %t : memref<64xf32, #shared> -> tensor<64xf32>
  }
  return
}

// The same for stores of fragments.
func.func @replaced_by_store(%g: index, %m: memref<64xf32>) {
  tile.launch blocks(%x) in (%g) threads(32) {
    %c0 = arith.constant 0 : index
    %s = tile.alloc {test.tag = "s"} : memref<64xf32, #shared>
    %t = tile.alloc {test.tag = "t"} : memref<64xf32, #shared>
    %f = tile.load %m : memref<64xf32> -> tensor<64xf32>
    %h = tile.load %m[%c0] : memref<64xf32> -> tensor<32xf32>
    tile.store %f, %s : tensor<64xf32>, memref<64xf32, #shared>
    tile.store %f, %t : tensor<64xf32>, memref<64xf32, #shared>
    // expected-remark @below {{occupied: t.}}
    %0 = arith.constant {test.tag = "a"} 0 : index
    tile.store %f, %s : tensor<64xf32>, memref<64xf32, #shared>
    tile.store %h, %t[%c0] : tensor<32xf32>, memref<64xf32, #shared>
    %2 = tile.load %s : memref<64xf32, #shared> -> tensor<64xf32>
    %3 = tile.load %t : memref<64xf32, #shared> -> tensor<64xf32>
  }
  return
}

// A loop that runs for certain replaces what its iterations write.
func.func @replaced_by_loop(%g: index, %m: memref<64xf32>, %n: index) {
  tile.launch blocks(%x) in (%g) threads(32) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %s = tile.alloc {test.tag = "s"} : memref<64xf32, #shared>
    %t = tile.alloc {test.tag = "t"} : memref<64xf32, #shared>
    tile.copy %m to %s : memref<64xf32> to memref<64xf32, #shared>
    tile.copy %m to %t : memref<64xf32> to memref<64xf32, #shared>
    // expected-remark @below {{occupied: t.}}
    %0 = arith.constant {test.tag = "a"} 0 : index
    scf.for %i = %c0 to %c2 step %c1 {
      tile.copy %m to %s : memref<64xf32> to memref<64xf32, #shared>
    }
    scf.for %i = %c0 to %n step %c1 {
      tile.copy %m to %t : memref<64xf32> to memref<64xf32, #shared>
    }
    %2 = tile.load %s : memref<64xf32, #shared> -> tensor<64xf32>
    %3 = tile.load %t : memref<64xf32, #shared> -> tensor<64xf32>
  }
  return
}

// What the next iteration reads stays through the loop; what each iteration writes
// first does not.
func.func @loop(%g: index, %m: memref<64xf32>, %n: index) {
  tile.launch blocks(%x) in (%g) threads(32) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %carried = tile.alloc {test.tag = "carried"} : memref<64xf32, #shared>
    %own = tile.alloc {test.tag = "own"} : memref<64xf32, #shared>
    tile.copy %m to %carried : memref<64xf32> to memref<64xf32, #shared>
    scf.for %i = %c0 to %n step %c1 {
      // expected-remark @below {{occupied: carried.}}
      %0 = arith.constant {test.tag = "begin"} 0 : index
      tile.copy %m to %own : memref<64xf32> to memref<64xf32, #shared>
      // expected-remark @below {{occupied: carried own.}}
      %1 = arith.constant {test.tag = "middle"} 0 : index
      %2 = tile.load %carried : memref<64xf32, #shared> -> tensor<64xf32>
      %3 = tile.load %own : memref<64xf32, #shared> -> tensor<64xf32>
      // expected-remark @below {{occupied: carried.}}
      %4 = arith.constant {test.tag = "end"} 0 : index
    }
    // expected-remark @below {{occupied:.}}
    %5 = arith.constant {test.tag = "after"} 0 : index
  }
  return
}

// Written at the end of one iteration, read at the beginning of the next.
func.func @back_edge(%g: index, %m: memref<64xf32>, %n: index) {
  tile.launch blocks(%x) in (%g) threads(32) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %s = tile.alloc {test.tag = "s"} : memref<64xf32, #shared>
    // expected-remark @below {{occupied:.}}
    %5 = arith.constant {test.tag = "before"} 0 : index
    scf.for %i = %c0 to %n step %c1 {
      %2 = tile.load %s : memref<64xf32, #shared> -> tensor<64xf32>
      // expected-remark @below {{occupied:.}}
      %3 = arith.constant {test.tag = "middle"} 0 : index
      tile.copy %m to %s : memref<64xf32> to memref<64xf32, #shared>
      // expected-remark @below {{occupied: s.}}
      %4 = arith.constant {test.tag = "end"} 0 : index
    }
  }
  return
}

// Buffers of exclusive branches never meet; what a branch may read is kept before it.
func.func @branches(%g: index, %m: memref<64xf32>, %c: i1) {
  tile.launch blocks(%x) in (%g) threads(32) {
    %s = tile.alloc {test.tag = "s"} : memref<64xf32, #shared>
    %t = tile.alloc {test.tag = "t"} : memref<64xf32, #shared>
    %u = tile.alloc {test.tag = "u"} : memref<64xf32, #shared>
    tile.copy %m to %u : memref<64xf32> to memref<64xf32, #shared>
    // expected-remark @below {{occupied: u.}}
    %0 = arith.constant {test.tag = "before"} 0 : index
    scf.if %c {
      tile.copy %m to %s : memref<64xf32> to memref<64xf32, #shared>
      // expected-remark @below {{occupied: s u.}}
      %1 = arith.constant {test.tag = "then"} 0 : index
      %2 = tile.load %s : memref<64xf32, #shared> -> tensor<64xf32>
      %3 = tile.load %u : memref<64xf32, #shared> -> tensor<64xf32>
    } else {
      tile.copy %m to %t : memref<64xf32> to memref<64xf32, #shared>
      // expected-remark @below {{occupied: t.}}
      %4 = arith.constant {test.tag = "else"} 0 : index
      %5 = tile.load %t : memref<64xf32, #shared> -> tensor<64xf32>
    }
  }
  return
}

// Through a view, and inside of a tile.parallel.
func.func @inside(%g: index, %m: memref<64xf32>) {
  tile.launch blocks(%x) in (%g) threads(32) {
    %s = tile.alloc {test.tag = "s"} : memref<64xf32, #shared>
    %v = memref.subview %s[0] [32] [1] : memref<64xf32, #shared> to memref<32xf32, strided<[1]>, #shared>
    // expected-remark @below {{occupied: s.}}
    tile.parallel (%i) in (32) attributes {test.tag = "write"} {
      %0 = memref.load %m[%i] : memref<64xf32>
      memref.store %0, %v[%i] : memref<32xf32, strided<[1]>, #shared>
    }
    // expected-remark @below {{occupied: s.}}
    %1 = arith.constant {test.tag = "between"} 0 : index
    %2 = tile.load %s : memref<64xf32, #shared> -> tensor<64xf32>
  }
  return
}
