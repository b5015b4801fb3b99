// RUN: tile-opt %s --verify-diagnostics --split-input-file

func.func @index_count(%a: memref<64x64xf16>, %b: memref<64x64xf16>, %i: index) { // copy_c3
  // expected-error@+1 {{has 1 indices for its source of rank 2 ('memref<64x64xf16>'); give one per dimension}}
  tile.copy %a[%i] [8] to %b : memref<64x64xf16> to memref<64x64xf16>
  return
}

// -----

func.func @box_count(%a: memref<64x64xf16>, %b: memref<64x64xf16>, %i: index) { // copy_c3
  // expected-error@+1 {{has 1 box extents for its source of rank 2}}
  tile.copy %a[%i, %i] [64] to %b : memref<64x64xf16> to memref<64x64xf16>
  return
}

// -----

func.func @box_extent(%a: memref<64x64xf16>, %b: memref<64x64xf16>, %i: index) { // copy_c3
  // expected-error@+1 {{must have positive box extents, got [64, 0]}}
  tile.copy %a[%i, %i] [64, 0] to %b : memref<64x64xf16> to memref<64x64xf16>
  return
}

// -----

func.func @bounds_count(%a: memref<64x64xf16>, %b: memref<64x64xf16>, %i: index) { // copy_c3
  // expected-error@+1 {{has 1 entries of 'in_bounds' for its source of rank 2}}
  tile.copy %a[%i, %i] in_bounds [true] to %b : memref<64x64xf16> to memref<64x64xf16>
  return
}

// -----

func.func @box_without_indices(%a: memref<64x64xf16>, %b: memref<64x64xf16>) { // copy_c3
  // expected-error@+1 {{needs indices for its source to have a box, rows or bounds}}
  "tile.copy"(%a, %b) <{source_box = array<i64: 64, 64>, operandSegmentSizes = array<i32: 1, 0, 0, 1, 0, 0, 0, 0>}> : (memref<64x64xf16>, memref<64x64xf16>) -> ()
  return
}

// -----

func.func @whole_dynamic(%a: memref<?x64xf16>, %b: memref<64x64xf16>) { // copy_c3
  // expected-error@+1 {{takes its source whole, which needs a static shape, got 'memref<?x64xf16>'; give indices, and a box where needed}}
  tile.copy %a to %b : memref<?x64xf16> to memref<64x64xf16>
  return
}

// -----

func.func @huge_box(%a: memref<64x64xf16>, %b: memref<64x64xf16>, %i: index) { // copy_c1
  // expected-error@+1 {{must move at most 268435456 elements, got a box of [9223372036854775807, 64]; give each block a part, or loop over parts}}
  tile.copy %a[%i, %i] [9223372036854775807, 64] to %b[%i, %i] : memref<64x64xf16> to memref<64x64xf16>
  return
}

// -----

func.func @no_extents(%a: memref<64x64xf16>, %b: memref<64x64xf16>, %i: index) { // copy_c1
  // expected-error@+1 {{has indices but no box on either side; write the extents, as in [64, 32], after the indices of one}}
  tile.copy %a[%i, %i] to %b[%i, %i] : memref<64x64xf16> to memref<64x64xf16>
  return
}

// -----

func.func @rank_without_box(%a: memref<2x64x64xf16>, %b: memref<64x64xf16>, %i: index) { // copy_c1
  // expected-error@+1 {{has no box for its source of rank 3, so its extents are those of the other side, of rank 2; write a box of 3 extents after the indices}}
  tile.copy %a[%i, %i, %i] to %b : memref<2x64x64xf16> to memref<64x64xf16>
  return
}

// -----

func.func @shapes_differ(%a: memref<64x64xf16>, %b: memref<64x32xf16>) { // copy_c1
  // expected-error@+1 {{has a destination of extents [64, 32], which is not the tile [64, 64] with unit dimensions added}}
  tile.copy %a to %b : memref<64x64xf16> to memref<64x32xf16>
  return
}

// -----

func.func @box_drops_more_than_units(%a: memref<4x64x64xf16>, %b: memref<64x64xf16>, %i: index) { // copy_c1
  // expected-error@+1 {{has a source of extents [2, 64, 64], which is not the tile [64, 64] with unit dimensions added}}
  tile.copy %a[%i, %i, %i] [2, 64, 64] to %b : memref<4x64x64xf16> to memref<64x64xf16>
  return
}

// -----

func.func @int_to_float(%a: memref<64xi32>, %b: memref<64xf32>) { // copy_c2
  // expected-error@+1 {{converts floats to floats and integers to integers, not 'i32' to 'f32'; load a fragment, convert it with 'arith' and store that}}
  tile.copy %a to %b : memref<64xi32> to memref<64xf32>
  return
}

// -----

func.func @element_type(%a: memref<64xi7>, %b: memref<64xi7>) { // copy_c2
  // expected-error@+1 {{cannot move elements of type 'i7'; integers have 1, 4, 8, 16, 32 or 64 bits, floats 4 to 64}}
  tile.copy %a to %b : memref<64xi7> to memref<64xi7>
  return
}

// -----

func.func @padding_without_zero(%a: memref<?xf8E8M0FNU>, %b: memref<64xf8E8M0FNU>, %i: index) { // copy_c4
  // expected-error@+1 {{needs 'pad(...)': 'f8E8M0FNU' has no zero to read outside of the source}}
  tile.copy %a[%i] to %b : memref<?xf8E8M0FNU> to memref<64xf8E8M0FNU>
  return
}

// -----

func.func @overlap(%a: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  // Next to each other is fine.
  tile.copy %a[%c0] [8] to %a[%c8] : memref<64xf32> to memref<64xf32>
  // expected-error@+1 {{has a source and a destination that overlap; copy through another buffer or a fragment}}
  tile.copy %a[%c0] [9] to %a[%c8] : memref<64xf32> to memref<64xf32>
  return
}

// -----

func.func @rows_dim(%a: memref<64x64xf16>, %b: memref<64x64xf16>, %i: index, %r: tensor<64xi32>) {
  // expected-error@+1 {{has rows along dimension 2 of its source of rank 2}}
  tile.copy %a[%i, %i] rows(%r : tensor<64xi32>) dim 2 to %b : memref<64x64xf16> to memref<64x64xf16>
  return
}

// -----

func.func @rows_count(%a: memref<64x64xf16>, %b: memref<64x64xf16>, %i: index, %r: tensor<32xi32>) {
  // expected-error@+1 {{has 32 rows for an extent of 64 along dimension 0 of its source}}
  tile.copy %a[%i, %i] rows(%r : tensor<32xi32>) dim 0 to %b : memref<64x64xf16> to memref<64x64xf16>
  return
}

// -----

func.func @rows_without_dim(%a: memref<64xf16>, %b: memref<64xf16>, %i: index, %r: tensor<64xi32>) {
  // expected-error@+1 {{has 'rows' with its dimension or neither}}
  "tile.copy"(%a, %i, %r, %b) <{operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0, 0, 0>}> : (memref<64xf16>, index, tensor<64xi32>, memref<64xf16>) -> ()
  return
}

// -----

func.func @repeated_rows(%t: tensor<4x8xf32>, %b: memref<64x8xf32>) {
  %c0 = arith.constant 0 : index
  %r = arith.constant dense<[3, 1, 0, 3]> : tensor<4xi32>
  // Repeated rows are fine where they combine.
  tile.atomic_rmw addf %t, %b[%c0, %c0] rows(%r : tensor<4xi32>) dim 0 : tensor<4x8xf32>, memref<64x8xf32>
  // expected-error@+1 {{writes row 3 more than once; rows of a destination are distinct, use 'tile.atomic_rmw' to combine}}
  tile.store %t, %b[%c0, %c0] rows(%r : tensor<4xi32>) dim 0 : tensor<4x8xf32>, memref<64x8xf32>
  return
}

// -----

func.func @padding_type(%a: memref<?xf16>, %i: index, %p: f16) {
  // expected-note@-1 {{prior use here}}
  // expected-error@+1 {{use of value '%p' expects different type than prior uses: 'f32' vs 'f16'}}
  %t = tile.load %a[%i] pad(%p) : memref<?xf16> -> tensor<64xf32>
  return
}

// -----

func.func @load_rank(%a: memref<?x?xf16>, %i: index) {
  // expected-error@+1 {{has no box for its source of rank 2, so its extents are those of the other side, of rank 1; write a box of 2 extents after the indices}}
  %t = tile.load %a[%i, %i] : memref<?x?xf16> -> tensor<64xf16>
  return
}

// -----

func.func @store_shape(%a: memref<8x8xf16>, %t: tensor<8x4xf16>) {
  // expected-error@+1 {{has a destination of extents [8, 8], which is not the tile [8, 4] with unit dimensions added}}
  tile.store %t, %a : tensor<8x4xf16>, memref<8x8xf16>
  return
}

// -----

func.func @atomic_converts(%a: memref<8xf16>, %t: tensor<8xf32>) { // atomic_rmw_c1
  // expected-error@+1 {{does not convert: the fragment has 'f32', memory 'f16'}}
  tile.atomic_rmw addf %t, %a : tensor<8xf32>, memref<8xf16>
  return
}

// -----

func.func @atomic_type(%a: memref<8xi8>, %t: tensor<8xi8>) { // atomic_rmw_c1
  // expected-error@+1 {{exists for i32, i64 and floats from 16 bits on, got 'i8'}}
  tile.atomic_rmw addi %t, %a : tensor<8xi8>, memref<8xi8>
  return
}

// -----

func.func @atomic_kind(%a: memref<8xi32>, %t: tensor<8xi32>) { // atomic_rmw_c1
  // expected-error@+1 {{of kind 'addf' does not fit elements of type 'i32'; integers take addi, muli, mins, maxs, minu, maxu, andi, ori, xori and assign}}
  tile.atomic_rmw addf %t, %a : tensor<8xi32>, memref<8xi32>
  return
}

// -----

func.func @copy_layout_shape(%a: memref<32xf32>, %b: memref<32xf32>) {
  // expected-error@+1 {{has a 'layout' for shape [64], but its tile has shape [32]}}
  tile.copy %a to %b {layout = #tile.fragment<[64], register = [2 : (1)], lane = [32 : (2)], warp = []>} : memref<32xf32> to memref<32xf32>
  return
}

// -----

func.func @copy_vector_width(%a: memref<64xf32>, %b: memref<64xf32>) {
  // expected-error@+1 {{has 'vector_width' 4, but its layout keeps at most 2 consecutive elements in consecutive registers}}
  tile.copy %a to %b {vector_width = 4, layout = #tile.fragment<[64], register = [2 : (1)], lane = [32 : (2)], warp = []>} : memref<64xf32> to memref<64xf32>
  return
}

// -----

func.func @copy_vector_width_positive(%a: memref<64xf32>, %b: memref<64xf32>) {
  // expected-error@+1 {{must have a positive 'vector_width', got 0}}
  tile.copy %a to %b {vector_width = 0} : memref<64xf32> to memref<64xf32>
  return
}

// -----

#shared = #gpu.address_space<workgroup>
func.func @im2col_rank(%x: memref<32x32x64xf16>, %i: index) { // im2col_c1
  %s = tile.alloc : memref<128x32xf16, #shared>
  // expected-error@+1 {{must copy from an image N x H x W x C to a buffer of rank 2, got}}
  tile.im2col %x[%i, %i] to %s {kernel = [3, 3], strides = [1, 1], dilations = [1, 1], padding = [1, 1]} : memref<32x32x64xf16> to memref<128x32xf16, #shared>
  return
}

// -----

#shared = #gpu.address_space<workgroup>
func.func @im2col_type(%x: memref<8x32x32x64xf32>, %i: index) { // im2col_c1
  %s = tile.alloc : memref<128x32xf16, #shared>
  // expected-error@+1 {{does not convert: the image has 'f32', the buffer 'f16'}}
  tile.im2col %x[%i, %i] to %s {kernel = [3, 3], strides = [1, 1], dilations = [1, 1], padding = [1, 1]} : memref<8x32x32x64xf32> to memref<128x32xf16, #shared>
  return
}

// -----

#shared = #gpu.address_space<workgroup>
func.func @im2col_entries(%x: memref<8x32x32x64xf16>, %i: index) { // im2col_c2
  %s = tile.alloc : memref<128x32xf16, #shared>
  // expected-error@+1 {{'kernel' must have two entries, got 3}}
  tile.im2col %x[%i, %i] to %s {kernel = [3, 3, 3], strides = [1, 1], dilations = [1, 1], padding = [1, 1]} : memref<8x32x32x64xf16> to memref<128x32xf16, #shared>
  return
}

// -----

#shared = #gpu.address_space<workgroup>
func.func @im2col_least(%x: memref<8x32x32x64xf16>, %i: index) { // im2col_c2
  %s = tile.alloc : memref<128x32xf16, #shared>
  // expected-error@+1 {{the entries of 'strides' must be at least 1, got 0}}
  tile.im2col %x[%i, %i] to %s {kernel = [3, 3], strides = [1, 0], dilations = [1, 1], padding = [1, 1]} : memref<8x32x32x64xf16> to memref<128x32xf16, #shared>
  return
}

// -----

#f = #tile.fragment<[256], register = [8 : (1)], lane = [32 : (8)], warp = []>
func.func @atomic_rmw_c2(%t: tensor<256xf32, #f>, %m: memref<256xf32>) {
  // expected-error@+1 {{must have a 'vector_width' of 4 at most for this kind, type and memory, got 8}}
  tile.atomic_rmw addf %t, %m {vector_width = 8 : i64} : tensor<256xf32, #f>, memref<256xf32>
  return
}

// -----

#f = #tile.fragment<[256], register = [8 : (1)], lane = [32 : (8)], warp = []>
func.func @atomic_rmw_c2_kind(%t: tensor<256xf32, #f>, %m: memref<256xf32>) {
  // expected-error@+1 {{must have a 'vector_width' of 1 at most for this kind, type and memory, got 2}}
  tile.atomic_rmw mulf %t, %m {vector_width = 2 : i64} : tensor<256xf32, #f>, memref<256xf32>
  return
}

// -----

#f = #tile.fragment<[64], register = [2 : (32)], lane = [32 : (1)], warp = []>
func.func @atomic_rmw_c2_registers(%t: tensor<64xf32, #f>, %m: memref<64xf32>) {
  // expected-error@+1 {{has 'vector_width' 2, but its layout keeps at most 1}}
  tile.atomic_rmw addf %t, %m {vector_width = 2 : i64} : tensor<64xf32, #f>, memref<64xf32>
  return
}

// -----

func.func @multicast_to_global(%a: memref<64xf16>, %b: memref<64xf16>) { // copy_c5
  // expected-error@+1 {{has 'multicast' for 2 blocks; copies to shared memory have it, of clusters of 2 to 16 blocks}}
  tile.copy %a to %b {multicast = array<i64: 3, 3>} : memref<64xf16> to memref<64xf16>
  return
}

// -----

#shared = #gpu.address_space<workgroup>
func.func @multicast_one_sided(%a: memref<64xf16>) { // copy_c5
  %s = tile.alloc : memref<64xf16, #shared>
  // expected-error@+1 {{must have in 'multicast' a mask for each block that has its own bit and is that of all it names, of equally many; that of block 0 of 2 is 3}}
  tile.copy %a to %s {multicast = array<i64: 3, 2>} : memref<64xf16> to memref<64xf16, #shared>
  return
}

// -----

#shared = #gpu.address_space<workgroup>
func.func @multicast_image(%n: index, %a: memref<2x8x8x64xf16>) { // im2col_c3
  tile.launch blocks(%b) in (%n) threads(32) {
    %s = tile.alloc : memref<16x64xf16, #gpu.address_space<workgroup>>
    // expected-error@+1 {{has 'multicast' for 1 blocks; copies to shared memory have it, of clusters of 2 to 16 blocks}}
    tile.im2col %a[%b, %b] to %s {kernel = [1, 1], strides = [1, 1], dilations = [1, 1], padding = [0, 0], multicast = array<i64: 1>} : memref<2x8x8x64xf16> to memref<16x64xf16, #gpu.address_space<workgroup>>
  }
  return
}

// -----

#shared = #gpu.address_space<workgroup>
func.func @multicast_uneven(%a: memref<64xf16>) { // copy_c5
  %s = tile.alloc : memref<64xf16, #shared>
  // expected-error@+1 {{that of block 2 of 3 is 4}}
  tile.copy %a to %s {multicast = array<i64: 3, 3, 4>} : memref<64xf16> to memref<64xf16, #shared>
  return
}
