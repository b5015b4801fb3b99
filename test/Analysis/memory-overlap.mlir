// Where memrefs come from, and which may share a byte.
// RUN: tile-test-opt %s --test-tile-memory-overlap --verify-diagnostics

#shared = #gpu.address_space<workgroup>

module attributes {tile.target = #tile.target<"sm_80">} {

// Arguments are apart unless one says that it may alias; views are where their source
// is.
func.func @views(%m: memref<128xf32> {test.tag = "m"}, %n: memref<128xf32> {test.tag = "n"}) {
  // expected-remark @below {{from m; overlaps m.}}
  %0 = memref.subview %m[0] [64] [1] {test.tag = "v"} : memref<128xf32> to memref<64xf32, strided<[1]>>
  // Two halves of one memref are not told apart.
  // expected-remark @below {{from m; overlaps m v.}}
  %1 = memref.subview %m[64] [64] [1] {test.tag = "w"} : memref<128xf32> to memref<64xf32, strided<[1], offset: 64>>
  // expected-remark @below {{from n; overlaps n.}}
  %2 = memref.cast %n {test.tag = "c"} : memref<128xf32> to memref<?xf32>
  // expected-remark @below {{from alloc; overlaps.}}
  %3 = memref.alloc() {test.tag = "alloc"} : memref<128xf32>
  return
}

func.func @may_alias(%m: memref<128xf32> {test.tag = "m"}, %n: memref<128xf32> {test.tag = "n", tile.may_alias}, %o: memref<128xf32> {test.tag = "o"}) {
  // expected-remark @below {{from m; overlaps m n.}}
  %0 = memref.cast %m {test.tag = "c"} : memref<128xf32> to memref<?xf32>
  // expected-remark @below {{from n; overlaps m n o c.}}
  %1 = memref.cast %n {test.tag = "d"} : memref<128xf32> to memref<?xf32>
  return
}

// A choice may be either.
func.func @choices(%m: memref<128xf32> {test.tag = "m"}, %n: memref<128xf32> {test.tag = "n"}, %o: memref<128xf32> {test.tag = "o"}, %c: i1, %k: index) {
  // expected-remark @below {{from m or n; overlaps m n.}}
  %0 = arith.select %c, %m, %n {test.tag = "s"} : memref<128xf32>
  // expected-remark @below {{from n or o; overlaps n o s.}}
  %1 = scf.if %c -> (memref<128xf32>) {
    scf.yield %n : memref<128xf32>
  } else {
    scf.yield %o : memref<128xf32>
  } {test.tag = "i"}
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // What a loop carries comes from before it or from an iteration.
  // expected-remark @below {{from m or o; overlaps m o s i.}}
  %2 = scf.for %j = %c0 to %k step %c1 iter_args(%x = %m) -> (memref<128xf32>) {
    scf.yield %o : memref<128xf32>
  } {test.tag = "l"}
  return
}

// Before placement buffers are apart; shared memory is apart from global memory.
func.func @buffers(%g: index, %m: memref<128xf32> {test.tag = "m"}) {
  tile.launch blocks(%x) in (%g) threads(32) {
    // expected-remark @below {{from s; overlaps.}}
    %s = tile.alloc {test.tag = "s"} : memref<128xf32, #shared>
    // expected-remark @below {{from t; overlaps.}}
    %t = tile.alloc {test.tag = "t"} : memref<128xf32, #shared>
    // expected-remark @below {{from s; overlaps s.}}
    %v = memref.subview %s[0] [64] [1] {test.tag = "v"} : memref<128xf32, #shared> to memref<64xf32, strided<[1]>, #shared>
  }
  return
}

// Afterwards their bytes decide: [0, 512), [512, 1024), [496, 1008).
func.func @arena(%g: index) {
  tile.launch @arena_kernel blocks(%x) in (%g) threads(32) attributes {stage = #tile.stage<placed>} {
    // expected-remark @below {{from arena; overlaps.}}
    %arena = tile.arena 1024 {test.tag = "arena"} : memref<1024xi8, #shared>
    // expected-remark @below {{from s; overlaps arena.}}
    %s = tile.view %arena[0] layout(#tile.shared<[128]>) {test.tag = "s"} : memref<1024xi8, #shared> to memref<128xf32, #shared>
    // expected-remark @below {{from t; overlaps arena.}}
    %t = tile.view %arena[512] layout(#tile.shared<[128]>) {test.tag = "t"} : memref<1024xi8, #shared> to memref<128xf32, #shared>
    // expected-remark @below {{from u; overlaps arena s t.}}
    %u = tile.view %arena[496] layout(#tile.shared<[128]>) {test.tag = "u"} : memref<1024xi8, #shared> to memref<128xf32, #shared>
  }
  return
}
}
