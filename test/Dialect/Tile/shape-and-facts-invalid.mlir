// RUN: tile-opt %s --verify-diagnostics --split-input-file

func.func @broadcast_dims(%m: tensor<8xf32>) { // broadcast_c1
  // expected-error@+1 {{must have dims that are increasing and from 0 to 1, got [2]}}
  %b = tile.broadcast %m dims [2] : tensor<8xf32> -> tensor<8x4xf32>
  return
}

// -----

func.func @broadcast_shape(%m: tensor<8xf32>) { // broadcast_c1
  // expected-error@+1 {{has a result that without dims [0] is the operand 'tensor<8xf32>', got 'tensor<8x4xf32>'}}
  %b = tile.broadcast %m dims [0] : tensor<8xf32> -> tensor<8x4xf32>
  return
}

// -----

func.func @transpose_permutation(%x: tensor<8x4xf32>) { // transpose_c1
  // expected-error@+1 {{must have a permutation of the operand's 2 dimensions, got [0, 0]}}
  %t = tile.transpose %x [0, 0] : tensor<8x4xf32> -> tensor<8x4xf32>
  return
}

// -----

func.func @transpose_shape(%x: tensor<8x4xf32>) { // transpose_c1
  // expected-error@+1 {{gives shape [4, 8] of 'f32' from 'tensor<8x4xf32>', got 'tensor<8x4xf32>'}}
  %t = tile.transpose %x [1, 0] : tensor<8x4xf32> -> tensor<8x4xf32>
  return
}

// -----

func.func @bitcast_bits(%x: tensor<8x4xi8>) { // bitcast_c1
  // expected-error@+1 {{keeps the bits of the last dimension: 32 in 'tensor<8x4xi8>', 64 in 'tensor<8x4xi16>'}}
  %t = tile.bitcast %x : tensor<8x4xi8> -> tensor<8x4xi16>
  return
}

// -----

func.func @bitcast_shape(%x: tensor<8x4xi8>) { // bitcast_c1
  // expected-error@+1 {{must keep rank (at least 1) and shape but for the last dimension, got 'tensor<8x4xi8>' and 'tensor<4x8xi8>'}}
  %t = tile.bitcast %x : tensor<8x4xi8> -> tensor<4x8xi8>
  return
}

// -----

func.func @bitcast_index(%x: tensor<8xindex>) { // bitcast_c1
  // expected-error@+1 {{must read integers and floats, got 'tensor<8xindex>'; use 'arith.index_cast' for 'index'}}
  %t = tile.bitcast %x : tensor<8xindex> -> tensor<8xi64>
  return
}

// -----

func.func @bitcast_widths(%x: tensor<8xf6E2M3FN>) { // bitcast_c1
  // expected-error@+1 {{has element widths of which one divides the other, got 6 and 4}}
  %t = tile.bitcast %x : tensor<8xf6E2M3FN> -> tensor<12xi4>
  return
}

// -----

func.func @print_zero_byte(%x: f32) {
  // expected-error@+1 {{has a label whose byte 2 is zero, where the text ends on a GPU; leave it out}}
  tile.print "ab\00c" %x : f32
  return
}

// -----

func.func @print_memref(%m: memref<8xf32>) {
  // expected-error@+1 {{must print a scalar or a fragment, got 'memref<8xf32>'; load a fragment first}}
  tile.print "m" %m : memref<8xf32>
  return
}

// -----

func.func @assume_divisible(%m: index) { // assume_divisible_c1
  // expected-error@+1 {{must have a positive divisor, got 0}}
  %n = tile.assume_divisible %m by 0 : index
  return
}

// -----

func.func @assume_count(%m: memref<?x?xf32>) { // assume_c1
  // expected-error@+1 {{has 1 sizes for a memref of rank 2; give one per dimension, 1 for no fact}}
  %n = tile.assume %m sizes [8] : memref<?x?xf32>
  return
}

// -----

func.func @assume_positive(%m: memref<?x?xf32>) { // assume_c1
  // expected-error@+1 {{must have positive strides, got 0}}
  %n = tile.assume %m strides [8, 0] : memref<?x?xf32>
  return
}

// -----

func.func @assume_alignment(%m: memref<?x?xf32>) { // assume_c1
  // expected-error@+1 {{must have an alignment that is a power of two, got 24}}
  %n = tile.assume %m alignment 24 : memref<?x?xf32>
  return
}

// -----

func.func @assume_size(%m: memref<?x100xf32>) { // assume_c1
  // expected-error@+1 {{states that size 100 of dimension 1 is divisible by 8}}
  %n = tile.assume %m sizes [1, 8] : memref<?x100xf32>
  return
}

// -----

func.func @assume_stride(%m: memref<?x100xf32>) { // assume_c1
  // expected-error@+1 {{states that stride 100 of dimension 0 is divisible by 8}}
  %n = tile.assume %m strides [8, 1] : memref<?x100xf32>
  return
}

// -----

#a = #tile.fragment<[32], register = [], lane = [32 : (1)], warp = []>
func.func @convert_layout(%x: tensor<32xf32>) { // convert_layout_c1
  // expected-error@+1 {{must change nothing but the layout, got 'tensor<32xf32>' and 'tensor<32xf16,}}
  %c = tile.convert_layout %x : tensor<32xf32> to tensor<32xf16, #a>
  return
}

// -----

func.func @partial_reduce_layout(%x: tensor<1x128xf32>) { // partial_reduce_c1
  // expected-error@+1 {{combines within warps, so its operand carries a layout, got 'tensor<1x128xf32>'}}
  %p = tile.partial_reduce <add> %x dims [1] : tensor<1x128xf32> -> tensor<1x4xf32>
  return
}

// -----

#x = #tile.fragment<[1, 128], register = [], lane = [32 : (0, 1)], warp = [4 : (0, 32)]>
func.func @partial_reduce_shape(%x: tensor<1x128xf32, #x>) { // partial_reduce_c1
  // expected-error@+1 {{leaves one value for each of the 4 warps along its dims: expected shape [1, 4] of the same element type, got 'tensor<1x8xf32>'}}
  %p = tile.partial_reduce <add> %x dims [1] : tensor<1x128xf32, #x> -> tensor<1x8xf32>
  return
}

// -----

func.func @arena_type() { // arena_c1
  // expected-error@+1 {{of 1024 bytes is a memref<1024xi8>, got 'memref<512xi8, #gpu.address_space<workgroup>>'}}
  %a = tile.arena 1024 : memref<512xi8, #gpu.address_space<workgroup>>
  return
}

// -----

func.func @arena_size() { // arena_c1
  // expected-error@+1 {{must have a positive size in bytes, got 0}}
  %a = tile.arena 0 : memref<0xi8, #gpu.address_space<workgroup>>
  return
}

// -----

#shared = #gpu.address_space<workgroup>
func.func @view_outside() { // view_c1
  %a = tile.arena 8192 : memref<8192xi8, #shared>
  // expected-error@+1 {{of 4096 bytes at offset 4112 does not lie inside its arena of 8192 bytes}}
  %s = tile.view %a[4112] layout(#tile.shared<[32, 32]>) : memref<8192xi8, #shared> to memref<32x32xf32, #shared>
  return
}

// -----

#shared = #gpu.address_space<workgroup>
func.func @view_alignment() { // view_c1
  %a = tile.arena 8192 : memref<8192xi8, #shared>
  // expected-error@+1 {{at offset 512 is not aligned to the 1024 bytes that its layout asks for}}
  %s = tile.view %a[512] layout(#tile.shared<[32, 32], swizzle = 128>) : memref<8192xi8, #shared> to memref<32x32xf32, #shared>
  return
}

// -----

#shared = #gpu.address_space<workgroup>
func.func @view_arena_type(%m: memref<32xf32, #shared>) { // view_c1
  // expected-error@+1 {{must be made of a static 1-D memref of i8, got 'memref<32xf32, #gpu.address_space<workgroup>>'}}
  %s = tile.view %m[0] layout(#tile.shared<[32]>) : memref<32xf32, #shared> to memref<32xf32, #shared>
  return
}

// -----

#shared = #gpu.address_space<workgroup>
func.func @view_type() {
  %a = tile.arena 8192 : memref<8192xi8, #shared>
  // expected-error@+1 {{must be a buffer of static shape, at least one element and the identity layout map, got 'memref<?xf32, #gpu.address_space<workgroup>>'}}
  %s = tile.view %a[0] layout(#tile.shared<[32]>) : memref<8192xi8, #shared> to memref<?xf32, #shared>
  return
}

// -----

func.func @once_arguments() { // once_c1
  // expected-error@+1 {{region should have no arguments}}
  "tile.once"() ({
  ^bb0(%a: index):
    tile.yield
  }) : () -> ()
  return
}

// -----

func.func @once_values(%v: f32) { // once_c1
  // expected-error@+1 {{yields no values; store them and load them after it}}
  tile.once {
    tile.yield %v : f32
  }
  return
}

// -----

func.func @once_body() { // once_c1
  tile.once {
    // expected-error@+1 {{'tile.barrier' op cannot stand in the body of a 'tile.once': it acts on the whole block; put it outside}}
    tile.barrier
  }
  return
}

// -----

func.func @assert_facts(%m: memref<?x?xf32>) { // assert_facts_c1
  // expected-error@+1 {{'tile.assert_facts' op has 1 sizes for a memref of rank 2; give one per dimension, 1 for no fact}}
  tile.assert_facts %m sizes [8] : memref<?x?xf32>
  return
}
