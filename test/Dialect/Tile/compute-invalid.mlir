// RUN: tile-opt %s --verify-diagnostics --split-input-file

func.func @gemm_rank(%a: tensor<64xf16>, %b: tensor<64x64xf16>) { // gemm_c1
  // expected-error@+1 {{must multiply matrices of static shape and rank 2, got 'tensor<64xf16>'}}
  %d = tile.gemm %a, %b : tensor<64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
  return
}

// -----

func.func @gemm_k(%a: tensor<64x32xf16>, %b: tensor<64x64xf16>) { // gemm_c1
  // expected-error@+1 {{has K = 32 in a but 64 in b; check the shapes and 'transpose_a', 'transpose_b'}}
  %d = tile.gemm %a, %b : tensor<64x32xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
  return
}

// -----

func.func @gemm_m(%a: tensor<64x64xf16>, %b: tensor<64x64xf16>) { // gemm_c1
  // expected-error@+1 {{has M = 64 in a but 32 in the result}}
  %d = tile.gemm %a, %b : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<32x64xf32>
  return
}

// -----

func.func @gemm_types(%a: tensor<64x64xf16>, %b: tensor<64x64xbf16>) { // gemm_c2
  // expected-error@+1 {{does not multiply these types: M = 64, N = 64, K = 64, f16 x bf16 -> f32; it has f16 to f32 or f16, bf16 to f32, f32 to f32, f8E4M3FN and f8E5M2 to f32 or f16, i8 to i32, f64 to f64}}
  %d = tile.gemm %a, %b : tensor<64x64xf16>, tensor<64x64xbf16> -> tensor<64x64xf32>
  return
}

// -----

func.func @gemm_accumulator(%a: tensor<64x64xbf16>) { // gemm_c2
  // expected-error@+1 {{does not multiply these types: M = 64, N = 64, K = 64, bf16 x bf16 -> bf16;}}
  %d = tile.gemm %a, %a : tensor<64x64xbf16>, tensor<64x64xbf16> -> tensor<64x64xbf16>
  return
}

// -----

func.func @gemm_multiple_of_k(%a: tensor<64x20xf16>, %b: tensor<20x64xf16>) { // gemm_c3
  // expected-error@+1 {{has K = 20, not a multiple of 16 (M = 64, N = 64, K = 20, f16 x f16 -> f32); the nearest legal sizes are 16 and 32}}
  %d = tile.gemm %a, %b : tensor<64x20xf16>, tensor<20x64xf16> -> tensor<64x64xf32>
  return
}

// -----

func.func @gemm_multiple_of_m(%a: tensor<4x16xf16>, %b: tensor<16x64xf16>) { // gemm_c3
  // expected-error@+1 {{has M = 4, not a multiple of 8 (M = 4, N = 64, K = 16, f16 x f16 -> f32); the nearest legal size is 8}}
  %d = tile.gemm %a, %b : tensor<4x16xf16>, tensor<16x64xf16> -> tensor<4x64xf32>
  return
}

// -----

func.func @gemm_tf32(%a: tensor<8x4xf32>, %b: tensor<4x8xf32>) { // gemm_c3
  %d = tile.gemm %a, %b : tensor<8x4xf32>, tensor<4x8xf32> -> tensor<8x8xf32>
  // expected-error@+1 {{has K = 4, not a multiple of 8}}
  %e = tile.gemm %a, %b {precision = #tile.precision<tf32>} : tensor<8x4xf32>, tensor<4x8xf32> -> tensor<8x8xf32>
  return
}

// -----

func.func @gemm_precision(%a: tensor<64x64xf16>) { // gemm_c4
  // expected-error@+1 {{has 'precision', which is for f32 operands, got 'f16'}}
  %d = tile.gemm %a, %a {precision = #tile.precision<ieee>} : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
  return
}

// -----

func.func @gemm_unsigned(%a: tensor<64x64xf16>) { // gemm_c4
  // expected-error@+1 {{has 'unsigned_a' or 'unsigned_b', which are for i8 operands, got 'f16'}}
  %d = tile.gemm %a, %a {unsigned_b} : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
  return
}

// -----

func.func @gemm_accumulator_type(%a: tensor<64x64xf16>, %c: tensor<64x64xf16>) {
  // expected-note@-1 {{prior use here}}
  // expected-error@+1 {{use of value '%c' expects different type than prior uses: 'tensor<64x64xf32>' vs 'tensor<64x64xf16>'}}
  %d = tile.gemm %a, %a, %c : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
  return
}

// -----

func.func @gemm_global(%a: memref<64x64xf16>, %b: tensor<64x64xf16>) {
  // expected-error@+1 {{operand #0 must be fragment or memref in workgroup memory}}
  %d = tile.gemm %a, %b : memref<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
  return
}

// -----

func.func @gemm_sparse_meta(%a: tensor<64x32xf16>, %e: tensor<64x8xi16>, %b: tensor<64x64xf16>) { // gemm_sparse_c1
  // expected-error@+1 {{has K = 64 in b but 128 in 16 x meta}}
  %d = tile.gemm_sparse %a, %e, %b : tensor<64x32xf16>, tensor<64x8xi16>, tensor<64x64xf16> -> tensor<64x64xf32>
  return
}

// -----

func.func @gemm_sparse_positions(%a: tensor<64x32xf16>, %e: tensor<64x4xi32>, %b: tensor<64x64xf16>) { // gemm_sparse_c1
  // expected-error@+1 {{must have positions of type i16, got 'i32'}}
  %d = tile.gemm_sparse %a, %e, %b : tensor<64x32xf16>, tensor<64x4xi32>, tensor<64x64xf16> -> tensor<64x64xf32>
  return
}

// -----

func.func @gemm_sparse_types(%a: tensor<64x32xf64>, %e: tensor<64x4xi16>, %b: tensor<64x64xf64>) { // gemm_sparse_c1
  // expected-error@+1 {{does not multiply these types: M = 64, N = 64, K = 64, f64 x f64 -> f64; it has those of 'tile.gemm' but f64, and f32 with 'precision' tf32 only}}
  %d = tile.gemm_sparse %a, %e, %b : tensor<64x32xf64>, tensor<64x4xi16>, tensor<64x64xf64> -> tensor<64x64xf64>
  return
}

// -----

func.func @gemm_sparse_k(%a: tensor<64x8xf16>, %e: tensor<64x1xi16>, %b: tensor<16x64xf16>) { // gemm_sparse_c1
  // expected-error@+1 {{has K = 16, not a multiple of 32}}
  %d = tile.gemm_sparse %a, %e, %b : tensor<64x8xf16>, tensor<64x1xi16>, tensor<16x64xf16> -> tensor<64x64xf32>
  return
}

// -----

func.func @gemm_scaled_block(%a: tensor<64x64xf8E4M3FN>, %s: tensor<64x2xf8E8M0FNU>) { // gemm_scaled_c1
  // expected-error@+1 {{must have a positive 'block' that divides K = 64, got 48}}
  %d = tile.gemm_scaled %a, %s, %a, %s {block = 48} : tensor<64x64xf8E4M3FN>, tensor<64x2xf8E8M0FNU>, tensor<64x64xf8E4M3FN>, tensor<64x2xf8E8M0FNU> -> tensor<64x64xf32>
  return
}

// -----

func.func @gemm_scaled_shape(%a: tensor<64x64xf8E4M3FN>, %s: tensor<64x4xf8E8M0FNU>) { // gemm_scaled_c1
  // expected-error@+1 {{has K = 64 in a but 128 in block x scales of a}}
  %d = tile.gemm_scaled %a, %s, %a, %s : tensor<64x64xf8E4M3FN>, tensor<64x4xf8E8M0FNU>, tensor<64x64xf8E4M3FN>, tensor<64x4xf8E8M0FNU> -> tensor<64x64xf32>
  return
}

// -----

func.func @gemm_scaled_types(%a: tensor<64x64xf16>, %s: tensor<64x2xf8E8M0FNU>) { // gemm_scaled_c2
  // expected-error@+1 {{f16 x f16 -> f32; it has floats of 8 bits and fewer to f32}}
  %d = tile.gemm_scaled %a, %s, %a, %s : tensor<64x64xf16>, tensor<64x2xf8E8M0FNU>, tensor<64x64xf16>, tensor<64x2xf8E8M0FNU> -> tensor<64x64xf32>
  return
}

// -----

func.func @gemm_scaled_scales(%a: tensor<64x64xf8E4M3FN>, %s: tensor<64x2xf8E5M2>) { // gemm_scaled_c2
  // expected-error@+1 {{must have scales of type f8E8M0FNU or f8E4M3FN, got 'f8E5M2'}}
  %d = tile.gemm_scaled %a, %s, %a, %s : tensor<64x64xf8E4M3FN>, tensor<64x2xf8E5M2>, tensor<64x64xf8E4M3FN>, tensor<64x2xf8E5M2> -> tensor<64x64xf32>
  return
}

// -----

func.func @reduce_dims(%x: tensor<8x8xf32>) { // reduce_c1
  // expected-error@+1 {{must have dims that are increasing and from 0 to 1, got [1, 0]}}
  %a = tile.reduce <add> %x dims [1, 0] : tensor<8x8xf32> -> tensor<f32>
  return
}

// -----

func.func @reduce_no_dims(%x: tensor<8x8xf32>) { // reduce_c1
  // expected-error@+1 {{must have dims that are increasing and from 0 to 1, got []}}
  %a = tile.reduce <add> %x dims [] : tensor<8x8xf32> -> tensor<8x8xf32>
  return
}

// -----

func.func @reduce_shape(%x: tensor<8x4xf32>) { // reduce_c1
  // expected-error@+1 {{reduces 'tensor<8x4xf32>' to shape [8] of the same element type, got 'tensor<4xf32>'}}
  %a = tile.reduce <add> %x dims [1] : tensor<8x4xf32> -> tensor<4xf32>
  return
}

// -----

func.func @reduce_kind_type(%x: tensor<8x4xi32>) { // reduce_c2
  // expected-error@+1 {{of kind 'maximumf' does not combine elements of type 'i32'}}
  %a = tile.reduce <maximumf> %x dims [1] : tensor<8x4xi32> -> tensor<8xi32>
  return
}

// -----

func.func @reduce_narrow(%x: tensor<8x4xf8E5M2>) { // reduce_c2
  // expected-error@+1 {{of kind 'add' does not combine elements of type 'f8E5M2'}}
  %a = tile.reduce <add> %x dims [1] : tensor<8x4xf8E5M2> -> tensor<8xf8E5M2>
  return
}

// -----

func.func @reduce_kind_and_operands(%x: tensor<8x4xf32>) { // reduce_c2
  // expected-error@+1 {{with a kind must combine one fragment, got 2; use a combiner}}
  %a:2 = "tile.reduce"(%x, %x) <{dims = array<i64: 1>, kind = #vector.kind<add>, operandSegmentSizes = array<i32: 2, 0>}> ({}) : (tensor<8x4xf32>, tensor<8x4xf32>) -> (tensor<8xf32>, tensor<8xf32>)
  return
}

// -----

func.func @reduce_kind_and_combiner(%x: tensor<8x4xf32>) { // reduce_c2
  // expected-error@+1 {{has a kind or a combiner, not both}}
  %a = "tile.reduce"(%x) <{dims = array<i64: 1>, kind = #vector.kind<add>, operandSegmentSizes = array<i32: 1, 0>}> ({
  ^bb0(%p: f32, %q: f32):
    tile.yield %p : f32
  }) : (tensor<8x4xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @reduce_neither(%x: tensor<8x4xf32>) { // reduce_c3
  // expected-error@+1 {{needs a kind, as in <add>, or a combiner region of one block}}
  %a = "tile.reduce"(%x) <{dims = array<i64: 1>, operandSegmentSizes = array<i32: 1, 0>}> ({}) : (tensor<8x4xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @reduce_combiner_arguments(%x: tensor<8x4xf32>) { // reduce_c3
  // expected-error@+1 {{must have a combiner that takes the accumulated values, then the new ones: expected ('f32', 'f32'), got ('f32')}}
  %a = tile.reduce (%x) dims [1] : (tensor<8x4xf32>) -> (tensor<8xf32>) {
  ^bb0(%p: f32):
    tile.yield %p : f32
  }
  return
}

// -----

func.func @reduce_combiner_yield(%x: tensor<8x4xf32>) { // reduce_c3
  // expected-error@+1 {{has a combiner that ends in 'tile.yield' of the element types ('f32')}}
  %a = tile.reduce (%x) dims [1] : (tensor<8x4xf32>) -> (tensor<8xf32>) {
  ^bb0(%p: f32, %q: f32):
    tile.yield %p, %q : f32, f32
  }
  return
}

// -----

func.func @reduce_combiner_memory(%x: tensor<8x4xf32>, %m: memref<f32>) { // reduce_c3
  %a = tile.reduce (%x) dims [1] : (tensor<8x4xf32>) -> (tensor<8xf32>) {
  ^bb0(%p: f32, %q: f32):
    // expected-error@+1 {{'memref.load' op cannot stand in a combiner: a combiner has no memory access; load before the operation}}
    %r = memref.load %m[] : memref<f32>
    tile.yield %r : f32
  }
  return
}

// -----

func.func @reduce_shapes_differ(%x: tensor<8x4xf32>, %y: tensor<8x8xf32>) {
  // expected-error@+1 {{must combine fragments of one shape, got 'tensor<8x4xf32>' and 'tensor<8x8xf32>'}}
  %a:2 = tile.reduce (%x, %y) dims [1] : (tensor<8x4xf32>, tensor<8x8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  ^bb0(%p: f32, %q: f32, %r: f32, %s: f32):
    tile.yield %p, %q : f32, f32
  }
  return
}

// -----

func.func @reduce_init_count(%x: tensor<8x4xf32>, %t: tensor<8xf32>) {
  // expected-error@+1 {{'init' must have a value per result: expected 1, got 2}}
  %a = tile.reduce <add> %x dims [1] init(%t, %t) : tensor<8x4xf32> -> tensor<8xf32>
  return
}

// -----

func.func @reduce_init_type(%x: tensor<8x4xf32>, %t: tensor<4xf32>) {
  // expected-error@+1 {{has an 'init' of exactly the type of each result: expected ('tensor<8xf32>'), got ('tensor<4xf32>')}}
  %a = "tile.reduce"(%x, %t) <{dims = array<i64: 1>, kind = #vector.kind<add>, operandSegmentSizes = array<i32: 1, 1>}> ({}) : (tensor<8x4xf32>, tensor<4xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @reduce_flags_of_integers(%x: tensor<8x4xi32>) { // reduce_c4
  // expected-error@+1 {{takes 'fastmath' only where it combines floats, got elements of type 'i32'}}
  %a = tile.reduce <add> %x dims [1] fastmath<contract> : tensor<8x4xi32> -> tensor<8xi32>
  return
}

// -----

func.func @reduce_flags_of_combiner(%x: tensor<8x4xf32>) { // reduce_c4
  // expected-error@+1 {{takes 'fastmath' only with a kind; give the flags to the operations of the combiner}}
  %a = tile.reduce (%x) dims [1] fastmath<contract> : (tensor<8x4xf32>) -> (tensor<8xf32>) {
  ^bb0(%p: f32, %q: f32):
    %r = arith.addf %p, %q : f32
    tile.yield %r : f32
  }
  return
}

// -----

func.func @scan_flags_of_integers(%x: tensor<8x4xi32>) { // scan_c5
  // expected-error@+1 {{takes 'fastmath' only where it combines floats, got elements of type 'i32'}}
  %a = tile.scan <add> %x dim 0 fastmath<nnan> : tensor<8x4xi32>
  return
}

// -----

func.func @scan_dim(%x: tensor<8x4xf32>) { // scan_c1
  // expected-error@+1 {{must have dims that are increasing and from 0 to 1, got [2]}}
  %a = tile.scan <add> %x dim 2 : tensor<8x4xf32>
  return
}

// -----

func.func @scan_type(%x: tensor<8x4xf32>) { // scan_c1
  // expected-error@+1 {{has results of its operands' shape and element type, got 'tensor<8x4xf32>' and 'tensor<8xf32>'}}
  %a = tile.scan <add> %x dim 1 : tensor<8x4xf32> -> tensor<8xf32>
  return
}

// -----

func.func @scan_needs_init(%x: tensor<8x4xf32>) { // scan_c4
  // expected-error@+1 {{is exclusive with a combiner, so it needs the empty prefix: write init(...) after the dimension}}
  %a = tile.scan (%x) dim 1 {exclusive} : (tensor<8x4xf32>) {
  ^bb0(%p: f32, %q: f32):
    tile.yield %p : f32
  }
  return
}

// -----

func.func @scan_takes_no_init(%x: tensor<8x4xf32>, %t: tensor<8xf32>) { // scan_c4
  // expected-error@+1 {{takes 'init' only where it is exclusive with a combiner}}
  %a = tile.scan <add> %x dim 1 init(%t) {exclusive} : tensor<8x4xf32>
  return
}

// -----

func.func @parallel_extents() { // parallel_c1
  // expected-error@+1 {{must have a box of positive extents, got [4, 0]}}
  tile.parallel (%i, %j) in (4, 0) {
  }
  return
}

// -----

func.func @parallel_rank() { // parallel_c1
  // expected-error@+1 {{must have a box of rank 1 or more}}
  tile.parallel () in () {
  }
  return
}

// -----

func.func @parallel_variables() { // parallel_c1
  // expected-error@+1 {{expected as many extents as induction variables: 2, got 1}}
  tile.parallel (%i, %j) in (4) {
  }
  return
}

// -----

func.func @parallel_variable_types() { // parallel_c1
  // expected-error@+1 {{must have an induction variable of type 'index' for each of 1 dimensions, got 0 block arguments}}
  "tile.parallel"() <{shape = array<i64: 4>}> ({
    tile.yield
  }) : () -> ()
  return
}

// -----

func.func @parallel_result_shape(%v: f32) { // parallel_c2
  // expected-error@+1 {{must have results of the shape of its box [4], got 'tensor<8xf32>'}}
  %p = tile.parallel (%i) in (4) -> (tensor<8xf32>) {
    tile.yield %v : f32
  }
  return
}

// -----

func.func @parallel_yield(%v: f32) { // parallel_c2
  // expected-error@+1 {{yields an element of each result: expected ('f16'), got ('f32')}}
  %p = tile.parallel (%i) in (4) -> (tensor<4xf16>) {
    tile.yield %v : f32
  }
  return
}

// -----

func.func @parallel_body(%t: tensor<4xf32>) { // parallel_c3
  tile.parallel (%i) in (4) {
    // expected-error@+1 {{'tile.broadcast' op cannot stand in the body of a 'tile.parallel': it acts on the whole block; put it outside}}
    %b = tile.broadcast %t dims [1] : tensor<4xf32> -> tensor<4x4xf32>
  }
  return
}

// -----

func.func @parallel_coalesced_width() {
  // expected-error@+1 {{must have a positive 'coalesced_width', got 0}}
  tile.parallel (%i) in (4) attributes {coalesced_width = 0} {
  }
  return
}

// -----

func.func @parallel_vector_width() {
  // expected-error@+1 {{has 'vector_width' 4, which does not divide 'coalesced_width' 2}}
  tile.parallel (%i) in (4) attributes {coalesced_width = 2, vector_width = 4} {
  }
  return
}

// -----

func.func @parallel_certain_conflict(%v: f32, %m: memref<8xf32>, %c: i1) {
  %c0 = arith.constant 0 : index
  tile.parallel (%i, %j) in (4, 1) {
    // Dimension 1 has one iteration; a condition may leave one of many.
    memref.store %v, %m[%i] : memref<8xf32>
    scf.if %c {
      memref.store %v, %m[%c0] : memref<8xf32>
    }
    // A place that an atomic hands out differs between iterations.
    %one = arith.constant 1.0 : f32
    %old = memref.atomic_rmw addf %one, %m[%c0] : (f32, memref<8xf32>) -> f32
    %at = arith.fptosi %old : f32 to i64
    %slot = arith.index_cast %at : i64 to index
    memref.store %v, %m[%slot] : memref<8xf32>
  }
  tile.parallel (%i, %j) in (4, 2) {
    // expected-error@+1 {{writes the same element in all 2 iterations along dimension 1 of the 'tile.parallel'; use 'memref.atomic_rmw', or let one iteration store under an 'scf.if'}}
    memref.store %v, %m[%i] : memref<8xf32>
  }
  return
}

// -----

func.func @scan_attribute_kind(%n: index) {
  tile.launch blocks(%b) in (%n) threads(32) {
    %x = arith.constant dense<1.0> : tensor<32xf32>
    // expected-error@+1 {{custom op 'tile.scan' attribute 'reverse' failed to satisfy constraint: unit attribute}}
    %s = tile.scan <add> %x dim 0 {reverse = 3 : i32} : tensor<32xf32>
  }
  return
}

// -----

func.func @reduce_attribute_kind(%n: index) {
  tile.launch blocks(%b) in (%n) threads(32) {
    %x = arith.constant dense<1.0> : tensor<32xf32>
    // expected-error@+1 {{custom op 'tile.reduce' attribute 'kind' failed to satisfy constraint:}}
    %s = tile.reduce <add> %x dims [0] {kind = 3 : i32} : tensor<32xf32> -> tensor<f32>
  }
  return
}
