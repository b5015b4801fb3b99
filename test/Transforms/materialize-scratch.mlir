// RUN: tile-opt %s --tile-materialize-scratch | FileCheck %s

#shared = #gpu.address_space<workgroup>
#f = #tile.fragment<[128], register = [], lane = [32 : (1)], warp = [4 : (32)]>
#g = #tile.fragment<[128], register = [], lane = [32 : (4)], warp = [4 : (1)]>
#all = #tile.fragment<[128], register = [128 : (1)], lane = [32 : (0)], warp = [4 : (0)]>
#x = #tile.fragment<[8, 128], register = [4 : (0, 1), 2 : (4, 0)], lane = [16 : (0, 4), 2 : (1, 0)], warp = [2 : (0, 64), 2 : (2, 0)]>
#boxes = #tile.fragment<[8, 128], register = [2 : (0, 1), 2 : (0, 64), 2 : (4, 0)], lane = [16 : (0, 2), 2 : (1, 0)], warp = [2 : (0, 32), 2 : (2, 0)]>
#rows = #tile.fragment<[8, 100], register = [2 : (0, 1), 2 : (0, 64), 2 : (4, 0)], lane = [16 : (0, 2), 2 : (1, 0)], warp = [2 : (0, 32), 2 : (2, 0)]>
#padded = #tile.fragment<[8, 100], register = [4 : (0, 1), 2 : (4, 0)], lane = [16 : (0, 4), 2 : (1, 0)], warp = [2 : (0, 64), 2 : (2, 0)]>
#r = #tile.fragment<[8], register = [2 : (4)], lane = [16 : (0), 2 : (1)], warp = [2 : (0), 2 : (2)]>
#few = #tile.fragment<[32, 16], register = [4 : (0, 1)], lane = [4 : (0, 4), 8 : (1, 0)], warp = [4 : (8, 0)]>
#turned = #tile.fragment<[32, 16], register = [4 : (0, 4)], lane = [4 : (0, 1), 8 : (1, 0)], warp = [4 : (8, 0)]>
#many = #tile.fragment<[128, 32], register = [32 : (0, 1)], lane = [32 : (1, 0)], warp = [4 : (32, 0)]>
#across = #tile.fragment<[128, 32], register = [32 : (1, 0)], lane = [32 : (0, 1)], warp = [4 : (32, 0)]>
#resident = #tile.fragment<[128], register = [128 : (1)], lane = [32 : (0)], warp = [4 : (0)]>
#part = #tile.fragment<[32], register = [32 : (1)], lane = [32 : (0)], warp = [4 : (0)]>
#used = #tile.fragment<[32], register = [], lane = [32 : (1)], warp = [4 : (0)]>
#both = #tile.fragment<[16, 8], register = [8 : (0, 1), 16 : (1, 0)], lane = [32 : (0, 0)], warp = [4 : (0, 0)]>
#spread = #tile.fragment<[16, 8], register = [], lane = [8 : (0, 1), 4 : (1, 0)], warp = [4 : (4, 0)]>
#three = #tile.fragment<[3], register = [], lane = [32 : (1)], warp = [4 : (0)]>
#three_all = #tile.fragment<[3], register = [3 : (1)], lane = [32 : (0)], warp = [4 : (0)]>
#half = #tile.fragment<[64], register = [64 : (1)], lane = [32 : (0)], warp = [4 : (0)]>

module attributes {tile.target = #tile.target<"sm_80">} {

// A conversion that moves data goes through a buffer; in a loop the buffer is
// made in the loop.
// CHECK-LABEL: func @conversion
// CHECK: scf.for
// CHECK: %[[S:.*]] = tile.alloc layout({{.*}}) : memref<128xf32
// CHECK-NEXT: tile.store %[[X:.*]], %[[S]]
// CHECK-NEXT: tile.load %[[S]] {{.*}} -> tensor<128xf32, #tile.fragment<[128], register = [], lane = [32 : (4)], warp = [4 : (1)]>>
// CHECK-NOT: convert_layout
// CHECK: return
func.func @conversion(%n: index, %a: memref<128xf32>, %b: memref<128xf32>) {
  tile.launch @a blocks(%bx) in (%n) threads(128) attributes {stage = #tile.stage<laid_out>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %i = %c0 to %n step %c1 {
      %x = tile.load %a : memref<128xf32> -> tensor<128xf32, #f>
      %y = tile.convert_layout %x : tensor<128xf32, #f> to tensor<128xf32, #g>
      tile.store %y, %b : tensor<128xf32, #g>, memref<128xf32>
    }
  }
  return
}

// A conversion that only forgets copies stays.
// CHECK-LABEL: func @forgets_replication
// CHECK-NOT: tile.alloc
// CHECK: tile.convert_layout
// CHECK: return
func.func @forgets_replication(%n: index, %a: memref<128xf32>, %b: memref<128xf32>) {
  tile.launch @b blocks(%bx) in (%n) threads(128) attributes {stage = #tile.stage<laid_out>} {
    %x = tile.load %a : memref<128xf32> -> tensor<128xf32, #all>
    %y = tile.convert_layout %x : tensor<128xf32, #all> to tensor<128xf32, #f>
    tile.store %y, %b : tensor<128xf32, #f>, memref<128xf32>
  }
  return
}

// Lanes of one warp give each other three registers, which is cheaper than a buffer.
// 31 of 32 and choices among them are not.
// CHECK-LABEL: func @conversion_in_warps
// CHECK-NOT: tile.alloc
// CHECK: tile.convert_layout {{.*}} : tensor<32x16xf32
// CHECK: tile.alloc
// CHECK-NOT: tile.convert_layout
// CHECK: return
func.func @conversion_in_warps(%n: index, %a: memref<32x16xf32>, %b: memref<128x32xf32>) {
  tile.launch @w blocks(%bx) in (%n) threads(128) attributes {stage = #tile.stage<laid_out>} {
    %x = tile.load %a : memref<32x16xf32> -> tensor<32x16xf32, #few>
    %y = tile.convert_layout %x : tensor<32x16xf32, #few> to tensor<32x16xf32, #turned>
    tile.store %y, %a : tensor<32x16xf32, #turned>, memref<32x16xf32>
    %u = tile.load %b : memref<128x32xf32> -> tensor<128x32xf32, #many>
    %v = tile.convert_layout %u : tensor<128x32xf32, #many> to tensor<128x32xf32, #across>
    tile.store %v, %b : tensor<128x32xf32, #across>, memref<128x32xf32>
  }
  return
}

// A slice that cuts what lanes and warps hold moves without the rest, into the layout
// in which it is used. Two that are the whole together leave it to the conversion.
// CHECK-LABEL: func @slices
// CHECK: %[[X:.*]] = tile.load {{.*}} -> tensor<128xf32
// CHECK: %[[S:.*]] = tile.alloc {{.*}} : memref<32xf32
// CHECK: tile.store %[[X]], %[[S]][%c-48] : tensor<128xf32, {{.*}}>, memref<32xf32
// CHECK: %[[U:.*]] = tile.load %[[S]] : {{.*}} -> tensor<32xf32, #tile.fragment<[32], register = [], lane = [32 : (1)], warp = [4 : (0)]>>
// CHECK-NOT: convert_layout
// CHECK: tile.store %[[U]]
// CHECK: %[[T:.*]] = tile.alloc {{.*}} : memref<128xf32
// CHECK: tile.store %[[X]], %[[T]] :
// CHECK: %[[W:.*]] = tile.load %[[T]]
// CHECK: tensor.extract_slice %[[W]][0]
// CHECK: tensor.extract_slice %[[W]][64]
func.func @slices(%n: index, %a: memref<128xf32>, %b: memref<32xf32>, %c: memref<64xf32>) {
  tile.launch @s blocks(%bx) in (%n) threads(128) attributes {stage = #tile.stage<laid_out>} {
    %x = tile.load %a : memref<128xf32> -> tensor<128xf32, #f>
    %y = tile.convert_layout %x : tensor<128xf32, #f> to tensor<128xf32, #resident>
    %z = tensor.extract_slice %y[48] [32] [1] : tensor<128xf32, #resident> to tensor<32xf32, #part>
    %u = tile.convert_layout %z : tensor<32xf32, #part> to tensor<32xf32, #used>
    tile.store %u, %b : tensor<32xf32, #used>, memref<32xf32>
    %w = tile.convert_layout %x : tensor<128xf32, #f> to tensor<128xf32, #resident>
    %p = tensor.extract_slice %w[0] [64] [1] : tensor<128xf32, #resident> to tensor<64xf32, #half>
    %q = tensor.extract_slice %w[64] [64] [1] : tensor<128xf32, #resident> to tensor<64xf32, #half>
    tile.store %p, %c : tensor<64xf32, #half>, memref<64xf32>
    tile.store %q, %c : tensor<64xf32, #half>, memref<64xf32>
  }
  return
}

// A reshape and an insertion for which every thread would hold the whole go through memory,
// to the layout in which they are used.
// CHECK-LABEL: func @cuts
// CHECK: %[[X:.*]] = tile.load {{.*}} -> tensor<128xf32
// CHECK: %[[P:.*]] = tile.load {{.*}} -> tensor<3xf32
// CHECK: %[[S:.*]] = tile.alloc {{.*}} : memref<128xf32
// CHECK: tile.store %[[X]], %[[S]]{{.*}} : tensor<128xf32
// CHECK: %[[V:.*]] = memref.expand_shape %[[S]] {{\[\[}}0, 1]] output_shape [16, 8]
// CHECK: %[[U:.*]] = tile.load %[[V]]{{.*}} -> tensor<16x8xf32, #tile.fragment<[16, 8], register = [], lane = [8 : (0, 1), 4 : (1, 0)], warp = [4 : (4, 0)]>>
// CHECK: tile.store %[[U]]
// CHECK: %[[T:.*]] = tile.alloc {{.*}} : memref<128xf32
// CHECK: tile.store %[[X]], %[[T]]{{.*}} : tensor<128xf32
// CHECK: tile.store %[[P]], %[[T]][%c50] [3] in_bounds [true]{{.*}} : tensor<3xf32
// CHECK: %[[W:.*]] = tile.load %[[T]]{{.*}} -> tensor<128xf32, #tile.fragment<[128], register = [], lane = [32 : (1)], warp = [4 : (32)]>>
// CHECK: tile.store %[[W]]
func.func @cuts(%n: index, %a: memref<128xf32>, %b: memref<16x8xf32>, %c: memref<3xf32>) {
  tile.launch @cuts_kernel blocks(%bx) in (%n) threads(128) attributes {stage = #tile.stage<laid_out>} {
    %x = tile.load %a : memref<128xf32> -> tensor<128xf32, #f>
    %p = tile.load %c : memref<3xf32> -> tensor<3xf32, #three>
    %y = tile.convert_layout %x : tensor<128xf32, #f> to tensor<128xf32, #resident>
    %z = tensor.expand_shape %y [[0, 1]] output_shape [16, 8] : tensor<128xf32, #resident> into tensor<16x8xf32, #both>
    %u = tile.convert_layout %z : tensor<16x8xf32, #both> to tensor<16x8xf32, #spread>
    tile.store %u, %b : tensor<16x8xf32, #spread>, memref<16x8xf32>
    %q = tile.convert_layout %p : tensor<3xf32, #three> to tensor<3xf32, #three_all>
    %v = tensor.insert_slice %q into %y[50] [3] [1] : tensor<3xf32, #three_all> into tensor<128xf32, #resident>
    %w = tile.convert_layout %v : tensor<128xf32, #resident> to tensor<128xf32, #f>
    tile.store %w, %a : tensor<128xf32, #f>, memref<128xf32>
  }
  return
}

// Each warp reduces what it holds; one f32 a warp travels, and the sum of f16
// rounds once.
// CHECK-LABEL: func @reduction_across_warps
// CHECK: %[[W:.*]] = arith.extf
// CHECK: %[[P:.*]] = tile.partial_reduce <add> %[[W]] dims [1]
// CHECK-SAME: -> tensor<8x2xf32, #tile.fragment<[8, 2], register = [2 : (4, 0)], lane = [16 : (0, 0), 2 : (1, 0)], warp = [2 : (0, 1), 2 : (2, 0)]>>
// CHECK: %[[S:.*]] = tile.alloc
// CHECK: tile.store %[[P]], %[[S]]
// CHECK: %[[Q:.*]] = tile.load %[[S]]
// CHECK-SAME: -> tensor<8x2xf32, #tile.fragment<[8, 2], register = [2 : (0, 1), 2 : (4, 0)], lane = [16 : (0, 0), 2 : (1, 0)], warp = [2 : (0, 0), 2 : (2, 0)]>>
// CHECK: %[[I:.*]] = arith.extf
// CHECK: %[[T:.*]] = tile.reduce <add> %[[Q]] dims [1] init(%[[I]])
// CHECK: arith.truncf %[[T]]
func.func @reduction_across_warps(%n: index, %a: memref<8x128xf16>, %b: memref<8xf16>) {
  tile.launch @c blocks(%bx) in (%n) threads(128) attributes {stage = #tile.stage<laid_out>} {
    %x = tile.load %a : memref<8x128xf16> -> tensor<8x128xf16, #x>
    %i = tile.load %b : memref<8xf16> -> tensor<8xf16, #r>
    %s = tile.reduce <add> %x dims [1] init(%i) : tensor<8x128xf16, #x> -> tensor<8xf16, #r>
    tile.store %s, %b : tensor<8xf16, #r>, memref<8xf16>
  }
  return
}

// Within warps there is nothing to do.
// CHECK-LABEL: func @reduction_within_warps
// CHECK-NOT: tile.alloc
// CHECK: return
func.func @reduction_within_warps(%n: index, %a: memref<8x128xf32>, %b: memref<128xf32>) {
  tile.launch @d blocks(%bx) in (%n) threads(32) attributes {stage = #tile.stage<laid_out>} {
    %x = tile.load %a : memref<8x128xf32> -> tensor<8x128xf32, #tile.fragment<[8, 128], register = [8 : (1, 0), 4 : (0, 32)], lane = [32 : (0, 1)], warp = []>>
    %s = tile.reduce <maximumf> %x dims [0] : tensor<8x128xf32, #tile.fragment<[8, 128], register = [8 : (1, 0), 4 : (0, 32)], lane = [32 : (0, 1)], warp = []>> -> tensor<128xf32, #tile.fragment<[128], register = [4 : (32)], lane = [32 : (1)], warp = []>>
    tile.store %s, %b : tensor<128xf32, #tile.fragment<[128], register = [4 : (32)], lane = [32 : (1)], warp = []>>, memref<128xf32>
  }
  return
}

// With a combiner each warp reduces what it holds, cut off as a dimension, and its
// results travel to a layout without warps along that; the results keep theirs.
// CHECK-LABEL: func @combiner_across_warps
// CHECK: tensor.expand_shape %{{.*}} {{\[\[}}0], [1, 2, 3]] output_shape [8, 2, 2, 32]
// CHECK: tensor.expand_shape %{{.*}} {{\[\[}}0], [1, 2, 3]] output_shape [8, 2, 2, 32]
// CHECK: tile.reduce {{.*}} dims [1, 3]
// CHECK: tile.load {{.*}} -> tensor<8x2xf32, #tile.fragment<[8, 2], register = [2 : (4, 0)], lane = [2 : (0, 1), 8 : (0, 0), 2 : (1, 0)], warp = [2 : (0, 0), 2 : (2, 0)]>>
// CHECK: tile.load {{.*}} -> tensor<8x2xi32
// CHECK: tile.reduce {{.*}} dims [1]
// CHECK-SAME: -> (tensor<8xf32, #tile.fragment<[8], register = [2 : (4)], lane = [16 : (0), 2 : (1)], warp = [2 : (0), 2 : (2)]>>
func.func @combiner_across_warps(%n: index, %a: memref<8x128xf32>, %b: memref<8x128xi32>, %c: memref<8xi32>) {
  tile.launch @e blocks(%bx) in (%n) threads(128) attributes {stage = #tile.stage<laid_out>} {
    %x = tile.load %a : memref<8x128xf32> -> tensor<8x128xf32, #boxes>
    %y = tile.load %b : memref<8x128xi32> -> tensor<8x128xi32, #boxes>
    %v, %i = tile.reduce (%x, %y) dims [1] : (tensor<8x128xf32, #boxes>, tensor<8x128xi32, #boxes>) -> (tensor<8xf32, #r>, tensor<8xi32, #r>) {
    ^bb0(%va: f32, %ia: i32, %vb: f32, %ib: i32):
      %p = arith.cmpf ogt, %vb, %va : f32
      %q = arith.select %p, %vb, %va : f32
      %j = arith.select %p, %ib, %ia : i32
      tile.yield %q, %j : f32, i32
    }
    tile.store %i, %c : tensor<8xi32, #r>, memref<8xi32>
  }
  return
}

// A dimension shorter than a row of its warps travels whole.
// CHECK-LABEL: func @combiner_over_padding
// CHECK: tile.load {{.*}} -> tensor<8x100xf32, #tile.fragment<[8, 100], register = [7 : (0, 16), 2 : (4, 0)], lane = [16 : (0, 1), 2 : (1, 0)], warp = [2 : (0, 0), 2 : (2, 0)]>>
// CHECK: tile.load {{.*}} -> tensor<8x100xi32, #tile.fragment<[8, 100], register = [7 : (0, 16), 2 : (4, 0)], lane = [16 : (0, 1), 2 : (1, 0)], warp = [2 : (0, 0), 2 : (2, 0)]>>
// CHECK: tile.reduce {{.*}} dims [1]
// CHECK-SAME: -> (tensor<8xf32, #tile.fragment<[8], register = [2 : (4)], lane = [16 : (0), 2 : (1)], warp = [2 : (0), 2 : (2)]>>
func.func @combiner_over_padding(%n: index, %a: memref<8x100xf32>, %b: memref<8x100xi32>, %c: memref<8xi32>) {
  tile.launch @padded blocks(%bx) in (%n) threads(128) attributes {stage = #tile.stage<laid_out>} {
    %x = tile.load %a : memref<8x100xf32> -> tensor<8x100xf32, #padded>
    %y = tile.load %b : memref<8x100xi32> -> tensor<8x100xi32, #padded>
    %v, %i = tile.reduce (%x, %y) dims [1] : (tensor<8x100xf32, #padded>, tensor<8x100xi32, #padded>) -> (tensor<8xf32, #r>, tensor<8xi32, #r>) {
    ^bb0(%va: f32, %ia: i32, %vb: f32, %ib: i32):
      %p = arith.cmpf ogt, %vb, %va : f32
      %q = arith.select %p, %vb, %va : f32
      %j = arith.select %p, %ib, %ia : i32
      tile.yield %q, %j : f32, i32
    }
    tile.store %i, %c : tensor<8xi32, #r>, memref<8xi32>
  }
  return
}

// What is behind the last row of warps is reduced before the rows, which go on with it.
// CHECK-LABEL: func @combiner_over_rows
// CHECK: tensor.extract_slice %{{.*}}[0, 64] [8, 36] [1, 1]
// CHECK: tile.load {{.*}} -> tensor<8x36xf32
// CHECK: %[[REST:.*]]:2 = tile.reduce {{.*}} dims [1]
// CHECK: tensor.extract_slice %{{.*}}[0, 0] [8, 64] [1, 1]
// CHECK: tensor.expand_shape %{{.*}} output_shape [8, 2, 32]
// CHECK: tile.reduce {{.*}} dims [2] :
// CHECK: tile.load {{.*}} -> tensor<8x2xf32
// CHECK: tile.reduce {{.*}} dims [1] init(%[[REST]]#0, %[[REST]]#1)
func.func @combiner_over_rows(%n: index, %a: memref<8x100xf32>, %b: memref<8x100xi32>, %c: memref<8xi32>) {
  tile.launch @rows blocks(%bx) in (%n) threads(128) attributes {stage = #tile.stage<laid_out>} {
    %x = tile.load %a : memref<8x100xf32> -> tensor<8x100xf32, #rows>
    %y = tile.load %b : memref<8x100xi32> -> tensor<8x100xi32, #rows>
    %v, %i = tile.reduce (%x, %y) dims [1] : (tensor<8x100xf32, #rows>, tensor<8x100xi32, #rows>) -> (tensor<8xf32, #r>, tensor<8xi32, #r>) {
    ^bb0(%va: f32, %ia: i32, %vb: f32, %ib: i32):
      %p = arith.cmpf ogt, %vb, %va : f32
      %q = arith.select %p, %vb, %va : f32
      %j = arith.select %p, %ib, %ia : i32
      tile.yield %q, %j : f32, i32
    }
    tile.store %i, %c : tensor<8xi32, #r>, memref<8xi32>
  }
  return
}

// A loop's own element stays in its register; an element that another iteration
// holds is read from a buffer that is written once.
// CHECK-LABEL: func @extracts_in_parallel
// CHECK: %[[X:.*]] = tile.load
// CHECK-NEXT: %[[S:.*]] = tile.alloc
// CHECK-NEXT: tile.store %[[X]], %[[S]]
// CHECK: tile.parallel
// CHECK: memref.load %[[S]][%{{.*}}]
// CHECK: tensor.extract %[[X]][%i]
// CHECK: memref.load %[[S]][%{{.*}}]
// CHECK-NOT: tile.alloc
// CHECK: return
func.func @extracts_in_parallel(%n: index, %a: memref<128xf32>) {
  tile.launch @f blocks(%bx) in (%n) threads(128) attributes {stage = #tile.stage<laid_out>} {
    %c127 = arith.constant 127 : index
    %x = tile.load %a : memref<128xf32> -> tensor<128xf32, #f>
    %y = tile.parallel (%i) in (128) -> (tensor<128xf32, #f>) attributes {layout = #f, vector_width = 1 : i64} {
      %j = arith.subi %c127, %i : index
      %e = tensor.extract %x[%j] : tensor<128xf32, #f>
      %o = tensor.extract %x[%i] : tensor<128xf32, #f>
      %l = tensor.extract %x[%c127] : tensor<128xf32, #f>
      %s = arith.addf %e, %o : f32
      %t = arith.addf %s, %l : f32
      tile.yield %t : f32
    }
    tile.store %y, %a : tensor<128xf32, #f>, memref<128xf32>
  }
  return
}

// At block level an element that every thread holds stays in its register, others
// are read from a buffer.
// CHECK-LABEL: func @extracts_at_block_level
// CHECK: %[[H:.*]] = tile.load
// CHECK: %[[X:.*]] = tile.load
// CHECK-NEXT: %[[S:.*]] = tile.alloc
// CHECK-NEXT: tile.store %[[X]], %[[S]]
// CHECK: tensor.extract %[[H]]
// CHECK: memref.load %[[S]]
func.func @extracts_at_block_level(%n: index, %a: memref<128xf32>) {
  tile.launch @g blocks(%bx) in (%n) threads(128) attributes {stage = #tile.stage<laid_out>} {
    %c7 = arith.constant 7 : index
    %h = tile.load %a : memref<128xf32> -> tensor<128xf32, #all>
    %x = tile.load %a : memref<128xf32> -> tensor<128xf32, #f>
    %e = tensor.extract %h[%c7] : tensor<128xf32, #all>
    %f = tensor.extract %x[%c7] : tensor<128xf32, #f>
    %s = arith.addf %e, %f : f32
    %t = tensor.splat %s : tensor<128xf32, #f>
    tile.store %t, %a : tensor<128xf32, #f>, memref<128xf32>
  }
  return
}

// One thread stores for the block; an atomic's old value comes back through a
// buffer if it is used.
// CHECK-LABEL: func @single_actor
// CHECK: tile.once {
// CHECK-NEXT: memref.store
// CHECK-NEXT: }
// CHECK: tile.once {
// CHECK-NEXT: memref.atomic_rmw
// CHECK-NEXT: }
// CHECK: %[[S:.*]] = tile.alloc
// CHECK: tile.once {
// CHECK-NEXT: %[[OLD:.*]] = memref.atomic_rmw
// CHECK-NEXT: memref.store %[[OLD]], %[[S]]
// CHECK-NEXT: }
// CHECK-NEXT: memref.load %[[S]]
func.func @single_actor(%n: index, %a: memref<?xi32>, %v: i32) {
  tile.launch @h blocks(%bx) in (%n) threads(128) attributes {stage = #tile.stage<laid_out>} {
    %c0 = arith.constant 0 : index
    memref.store %v, %a[%bx] : memref<?xi32>
    %x = memref.atomic_rmw addi %v, %a[%c0] : (i32, memref<?xi32>) -> i32
    %y = memref.atomic_rmw addi %v, %a[%c0] : (i32, memref<?xi32>) -> i32
    %z = arith.cmpi eq, %y, %v : i32
    tile.assert %z, "last"
  }
  return
}

// Elements of less than a byte travel as bytes.
// CHECK-LABEL: func @narrow_elements
// CHECK: tile.alloc {{.*}} : memref<128xi8
// CHECK: arith.extui {{.*}} to tensor<128xi8
// CHECK: arith.trunci {{.*}} to tensor<128xi4
func.func @narrow_elements(%n: index, %a: memref<128xi4>) {
  tile.launch @i blocks(%bx) in (%n) threads(128) attributes {stage = #tile.stage<laid_out>} {
    %x = tile.load %a : memref<128xi4> -> tensor<128xi4, #f>
    %y = tile.convert_layout %x : tensor<128xi4, #f> to tensor<128xi4, #g>
    tile.store %y, %a : tensor<128xi4, #g>, memref<128xi4>
  }
  return
}

// Also where another thread's element is read, and where they are printed: what
// prints the same.
// CHECK-LABEL: func @narrow_extract
// CHECK: tile.alloc {{.*}} : memref<128xi8
// CHECK: %[[E:.*]] = memref.load
// CHECK: arith.trunci %[[E]] : i8 to i4
// CHECK: arith.extf {{.*}} to tensor<128xf32
// CHECK: tile.print "t" %{{.*}} : memref<128xf32
func.func @narrow_extract(%n: index, %a: memref<128xi4>, %b: memref<128xf4E2M1FN>, %i: index) {
  tile.launch @narrow_extract_kernel blocks(%bx) in (%n) threads(128) attributes {stage = #tile.stage<laid_out>} {
    %x = tile.load %a : memref<128xi4> -> tensor<128xi4, #f>
    %e = tensor.extract %x[%i] : tensor<128xi4, #f>
    memref.store %e, %a[%i] : memref<128xi4>
    %y = tile.load %b : memref<128xf4E2M1FN> -> tensor<128xf4E2M1FN, #f>
    tile.print "t" %y : tensor<128xf4E2M1FN, #f>
  }
  return
}

// Each warp scans what it holds; one total a box of neighbours travels, and the sum
// of f16 rounds once.
// CHECK-LABEL: func @scan_across_warps
// CHECK: %[[W:.*]] = arith.extf
// CHECK: %[[Y:.*]] = tensor.expand_shape %[[W]] {{.*}} : tensor<128xf32, {{.*}}> into tensor<4x32xf32, #tile.fragment<[4, 32], register = [], lane = [32 : (0, 1)], warp = [4 : (1, 0)]>>
// CHECK: %[[S:.*]] = tile.scan <add> %[[Y]] dim 1 {reverse}
// CHECK: %[[T:.*]] = tile.reduce <add> %[[Y]] dims [1]
// CHECK: tile.store %[[T]], %[[B:[0-9]+]]{{ }}
// CHECK: %[[U:.*]] = tile.load %[[B]] {{.*}} -> tensor<4xf32, #tile.fragment<[4], register = [4 : (1)], lane = [32 : (0)], warp = [4 : (0)]>>
// CHECK: %[[E:.*]] = tile.scan <add> %[[U]] dim 0 {exclusive, reverse}
// CHECK: tile.convert_layout %[[E]]
// CHECK: %[[P:.*]] = tile.broadcast
// CHECK: %[[R:.*]] = arith.addf %[[P]], %[[S]]
// CHECK: tensor.collapse_shape %[[R]]
// CHECK: arith.truncf
func.func @scan_across_warps(%n: index, %a: memref<128xf16>) {
  tile.launch @j blocks(%bx) in (%n) threads(128) attributes {stage = #tile.stage<laid_out>} {
    %x = tile.load %a : memref<128xf16> -> tensor<128xf16, #f>
    %y = tile.scan <add> %x dim 0 {reverse} : tensor<128xf16, #f>
    tile.store %y, %a : tensor<128xf16, #f>, memref<128xf16>
  }
  return
}

// With a combiner the operands travel to a layout within a warp, and back.
// CHECK-LABEL: func @combiner_scan_across_warps
// CHECK: tile.store
// CHECK: %[[X:.*]] = tile.load {{.*}} -> tensor<128xf32, #tile.fragment<[128], register = [4 : (1)], lane = [32 : (4)], warp = [4 : (0)]>>
// CHECK: %[[Y:.*]] = tile.scan (%[[X]]) dim 0
// CHECK: tile.store %[[Y]], %[[B:[0-9]+]]{{ }}
// CHECK: tile.load %[[B]] {{.*}} -> tensor<128xf32, #tile.fragment<[128], register = [], lane = [32 : (1)], warp = [4 : (32)]>>
func.func @combiner_scan_across_warps(%n: index, %a: memref<128xf32>) {
  tile.launch @l blocks(%bx) in (%n) threads(128) attributes {stage = #tile.stage<laid_out>} {
    %x = tile.load %a : memref<128xf32> -> tensor<128xf32, #f>
    %y = tile.scan (%x) dim 0 : (tensor<128xf32, #f>) {
    ^bb0(%l: f32, %r: f32):
      %s = arith.addf %l, %r : f32
      tile.yield %s : f32
    }
    tile.store %y, %a : tensor<128xf32, #f>, memref<128xf32>
  }
  return
}

// A fragment that is printed goes through a buffer; a scalar does not.
// CHECK-LABEL: func @print
// CHECK: %[[S:.*]] = tile.alloc
// CHECK: tile.store %{{.*}}, %[[S]]
// CHECK: tile.print "t" %[[S]] : memref<128xf32
// CHECK: tile.print "n" %{{.*}} : index
func.func @print(%n: index, %a: memref<128xf32>) {
  tile.launch @m blocks(%bx) in (%n) threads(128) attributes {stage = #tile.stage<laid_out>} {
    %x = tile.load %a : memref<128xf32> -> tensor<128xf32, #f>
    tile.print "t" %x : tensor<128xf32, #f>
    tile.print "n" %bx : index
  }
  return
}
}
