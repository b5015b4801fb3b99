// RUN: tile-opt %s --verify-diagnostics --split-input-file

func.func @grid_rank(%n: index) { // launch_c1
  // expected-error@+1 {{must have a grid of 1 to 3 extents, got 4}}
  tile.launch blocks(%a, %b, %c, %d) in (%n, %n, %n, %n) threads(128) {
  }
  return
}

// -----

func.func @grid_count(%n: index) { // launch_c1
  // expected-error@+1 {{expected as many extents as block coordinates: 2, got 1}}
  tile.launch blocks(%a, %b) in (%n) threads(128) {
  }
  return
}

// -----

func.func @block_arguments(%n: index) { // launch_c1
  // expected-error@+1 {{must have a block coordinate of type 'index' for each of its 1 extents, got 0 block arguments}}
  "tile.launch"(%n) <{threads = 128 : i64}> ({
    tile.yield
  }) : (index) -> ()
  return
}

// -----

func.func @threads_warps(%n: index) { // launch_c2
  // expected-error@+1 {{has threads(100), which is not a positive multiple of the warp size 32 up to 1024; the nearest such is threads(128)}}
  tile.launch blocks(%a) in (%n) threads(100) {
  }
  return
}

// -----

func.func @threads_many(%n: index) { // launch_c2
  // expected-error@+1 {{has threads(2048), which is not a positive multiple of the warp size 32 up to 1024; the nearest such is threads(1024)}}
  tile.launch blocks(%a) in (%n) threads(2048) {
  }
  return
}

// -----

func.func @threads_negative(%n: index) { // launch_c2
  // expected-error@+1 {{has threads(-32), which is not a positive multiple of the warp size 32 up to 1024; the nearest such is threads(32)}}
  tile.launch blocks(%a) in (%n) threads(-32) {
  }
  return
}

// -----

#two_warps = #tile.fragment<[64], register = [], lane = [32 : (1)], warp = [2 : (32)]>
func.func @layout_warps(%n: index, %v: f32) { // launch_c2
  tile.launch blocks(%a) in (%n) threads(128) {
    // expected-error@+1 {{has a layout of 32 lanes times 2 warps in a launch of 128 threads; lanes are the warp size, warps the rest}}
    %t = tensor.splat %v : tensor<64xf32, #two_warps>
  }
  return
}

// -----

func.func @layout_lanes(%n: index) { // launch_c2
  tile.launch blocks(%a) in (%n) threads(128) {
    // expected-error@+1 {{has a layout of 16 lanes times 8 warps in a launch of 128 threads}}
    tile.parallel (%i) in (64) attributes {layout = #tile.fragment<[64], register = [4 : (1)], lane = [16 : (4)], warp = [8 : (0)]>} {
    }
  }
  return
}

// -----

func.func @cluster_rank(%n: index) { // launch_c3
  // expected-error@+1 {{must have a cluster of 1 to 1 extents, one per dimension of the grid at most, got 2}}
  tile.launch blocks(%a) in (%n) threads(128) cluster(2, 1) {
  }
  return
}

// -----

func.func @cluster_extent(%n: index) { // launch_c3
  // expected-error@+1 {{must have positive cluster extents, got 0}}
  tile.launch blocks(%a) in (%n) threads(128) cluster(0) {
  }
  return
}

// -----

func.func @max_registers(%n: index) { // launch_c3
  // expected-error@+1 {{'max_registers' must be positive, got 0}}
  tile.launch blocks(%a) in (%n) threads(128) attributes {max_registers = 0} {
  }
  return
}

// -----

"builtin.module"() ({
  %n = arith.constant 1 : index
  // expected-error@+1 {{stands inside a function, which is its host code}}
  tile.launch blocks(%a) in (%n) threads(128) {
  }
}) : () -> ()

// -----

func.func @capture_fragment(%n: index, %t: tensor<8xf32>) { // launch_c7
  // expected-note@-1 {{the value}}
  // expected-error@+1 {{captures a value: a fragment does not cross the boundary of a launch, got 'tensor<8xf32>'; pass it through a memref in global memory}}
  tile.launch blocks(%a) in (%n) threads(128) {
    %u = arith.addf %t, %t : tensor<8xf32>
  }
  return
}

// -----

#shared = #gpu.address_space<workgroup>
func.func @capture_shared(%n: index, %s: memref<8xf32, #shared>) { // launch_c7
  // expected-note@-1 {{the value}}
  // expected-error@+1 {{captures a value: shared memory exists inside a 'tile.launch' only, got 'memref<8xf32, #gpu.address_space<workgroup>>'}}
  tile.launch blocks(%a) in (%n) threads(128) {
    %u = tile.load %s : memref<8xf32, #shared> -> tensor<8xf32>
  }
  return
}

// -----

#shared = #gpu.address_space<workgroup>
func.func @loop_carried(%n: index) { // launch_c5
  tile.launch blocks(%a) in (%n) threads(128) {
    %c0 = arith.constant 0 : index
    %s = tile.alloc : memref<8xf32, #shared>
    // expected-error@+1 {{cannot give a memref in shared memory as a result; put the 'tile.alloc' in front of it}}
    %r = scf.for %i = %c0 to %n step %n iter_args(%x = %s) -> (memref<8xf32, #shared>) {
      scf.yield %x : memref<8xf32, #shared>
    }
  }
  return
}

// -----

#shared = #gpu.address_space<workgroup>
func.func @loop_argument(%n: index, %c: i1) { // launch_c5
  tile.launch blocks(%a) in (%n) threads(128) {
    %s = tile.alloc : memref<8xf32, #shared>
    // expected-error@+1 {{cannot carry 'memref<8xf32, #gpu.address_space<workgroup>>': a memref in shared memory is always the same 'tile.alloc'; allocate both buffers and choose between their operations}}
    scf.while (%x = %s) : (memref<8xf32, #shared>) -> () {
      scf.condition(%c)
    } do {
      %t = tile.alloc : memref<8xf32, #shared>
      scf.yield %t : memref<8xf32, #shared>
    }
  }
  return
}

// -----

#shared = #gpu.address_space<workgroup>
func.func @select_shared(%n: index, %c: i1) { // launch_c5
  tile.launch blocks(%a) in (%n) threads(128) {
    %s = tile.alloc : memref<8xf32, #shared>
    %t = tile.alloc : memref<8xf32, #shared>
    // expected-error@+1 {{cannot choose between memrefs in shared memory; put the operations on them under an 'scf.if'}}
    %r = arith.select %c, %s, %t : memref<8xf32, #shared>
  }
  return
}

// -----

#shared = #gpu.address_space<workgroup>
func.func @reinterpret_shared(%n: index) { // launch_c5
  tile.launch blocks(%a) in (%n) threads(128) {
    %s = tile.alloc : memref<8xf32, #shared>
    // expected-error@+1 {{which does not trace to a 'tile.alloc'; views of shared memory are made by subview, expand_shape, collapse_shape and cast}}
    %r = memref.reinterpret_cast %s to offset: [0], sizes: [4], strides: [1] : memref<8xf32, #shared> to memref<4xf32, #shared>
  }
  return
}

// -----

#shared = #gpu.address_space<workgroup>
func.func @dynamic_shared(%n: index) { // launch_c5
  tile.launch blocks(%a) in (%n) threads(128) {
    %s = tile.alloc : memref<8xf32, #shared>
    // expected-error@+1 {{a memref in shared memory must have static shape, got}}
    %r = memref.subview %s[0] [%n] [1] : memref<8xf32, #shared> to memref<?xf32, strided<[1]>, #shared>
  }
  return
}

// -----

#s = #tile.fragment<[64], register = [2 : (1)], lane = [32 : (2)], warp = []>
#r = #tile.fragment<[2, 32], register = [2 : (1, 0)], lane = [32 : (0, 1)], warp = []>
func.func @reshape_moves_data(%n: index) { // launch_c6
  tile.launch blocks(%a) in (%n) threads(32) {
    %t = arith.constant dense<1.0> : tensor<64xf32, #s>
    // expected-error@+1 {{moves no data: from #tile.fragment<[64], register = [2 : (1)], lane = [32 : (2)], warp = []> follows #tile.fragment<[2, 32], register = [2 : (0, 1)], lane = [16 : (0, 2), 2 : (1, 0)], warp = []>, not #tile.fragment<[2, 32], register = [2 : (1, 0)], lane = [32 : (0, 1)], warp = []>; put a 'tile.convert_layout' in front of it}}
    %u = tensor.expand_shape %t [[0, 1]] output_shape [2, 32] : tensor<64xf32, #s> into tensor<2x32xf32, #r>
  }
  return
}

// -----

#s = #tile.fragment<[96], register = [3 : (1)], lane = [32 : (3)], warp = []>
#ok = #tile.fragment<[48, 2], register = [2 : (0, 1), 2 : (1, 0)], lane = [32 : (2, 0)], warp = []>
func.func @reshape_cannot_follow(%n: index) { // launch_c6
  tile.launch blocks(%a) in (%n) threads(32) {
    %t = arith.constant dense<1.0> : tensor<96xf32, #s>
    // expected-error@+1 {{moves no data, but no layout of its result follows from #tile.fragment<[96], register = [3 : (1)], lane = [32 : (3)], warp = []>:}}
    %u = tensor.expand_shape %t [[0, 1]] output_shape [48, 2] : tensor<96xf32, #s> into tensor<48x2xf32, #ok>
  }
  return
}

// -----

#w = #tile.fragment<[8, 32], register = [8 : (1, 0)], lane = [32 : (0, 1)], warp = []>
#p = #tile.fragment<[4, 32], register = [4 : (1, 0)], lane = [32 : (0, 1)], warp = []>
#q = #tile.fragment<[4, 32], register = [2 : (0, 1), 2 : (2, 0)], lane = [16 : (0, 2), 2 : (1, 0)], warp = []>
func.func @slice_moves_data(%n: index) { // launch_c6
  tile.launch blocks(%a) in (%n) threads(32) {
    %t = arith.constant dense<1.0> : tensor<8x32xf32, #w>
    %u = tensor.extract_slice %t[4, 0] [4, 32] [1, 1] : tensor<8x32xf32, #w> to tensor<4x32xf32, #p>
    %v = tensor.insert_slice %u into %t[0, 0] [4, 32] [1, 1] : tensor<4x32xf32, #p> into tensor<8x32xf32, #w>
    // expected-error@+1 {{'tensor.extract_slice' op moves no data: from}}
    %x = tensor.extract_slice %t[4, 0] [4, 32] [1, 1] : tensor<8x32xf32, #w> to tensor<4x32xf32, #q>
  }
  return
}

// -----

#b = #tile.fragment<[64], register = [2 : (1)], lane = [32 : (2)], warp = []>
#h = #tile.fragment<[32], register = [], lane = [32 : (1)], warp = []>
#d = #tile.fragment<[128], register = [4 : (1)], lane = [32 : (4)], warp = []>
#x = #tile.fragment<[128], register = [4 : (32)], lane = [32 : (1)], warp = []>
func.func @bitcast_moves_data(%n: index) { // launch_c6
  tile.launch blocks(%a) in (%n) threads(32) {
    %t = arith.constant dense<1> : tensor<64xi16, #b>
    %u = tile.bitcast %t : tensor<64xi16, #b> -> tensor<32xi32, #h>
    %v = tile.bitcast %t : tensor<64xi16, #b> -> tensor<128xi8, #d>
    // expected-error@+1 {{'tile.bitcast' op moves no data: from #tile.fragment<[64], register = [2 : (1)], lane = [32 : (2)], warp = []> follows #tile.fragment<[128], register = [4 : (1)], lane = [32 : (4)], warp = []>, not}}
    %w = tile.bitcast %t : tensor<64xi16, #b> -> tensor<128xi8, #x>
  }
  return
}

// -----

#shared = #gpu.address_space<workgroup>
func.func @alloc_dynamic(%n: index) { // alloc_c1
  // expected-error@+1 {{must make a buffer of static shape with the identity layout map, got 'memref<?xf32, #gpu.address_space<workgroup>>'; where elements lie is said by 'layout(...)'}}
  %s = tile.alloc : memref<?xf32, #shared>
  return
}

// -----

#shared = #gpu.address_space<workgroup>
func.func @alloc_strided() { // alloc_c1
  // expected-error@+1 {{must make a buffer of static shape with the identity layout map}}
  %s = tile.alloc : memref<8x8xf32, strided<[16, 1]>, #shared>
  return
}

// -----

#shared = #gpu.address_space<workgroup>
func.func @alloc_empty() { // alloc_c1
  // expected-error@+1 {{must make a buffer of at least one element, got}}
  %s = tile.alloc : memref<8x0xf32, #shared>
  return
}

// -----

#shared = #gpu.address_space<workgroup>
func.func @alloc_huge() { // alloc_c1
  // expected-error@+1 {{must make a buffer of at most 268435456 elements, got 'memref<4294967296x4294967296xf32, #gpu.address_space<workgroup>>'; give the block a smaller tile}}
  %s = tile.alloc : memref<4294967296x4294967296xf32, #shared>
  return
}

// -----

func.func @alloc_global() {
  // expected-error@+1 {{result #0 must be memref in workgroup memory}}
  %s = tile.alloc : memref<8xf32>
  return
}

// -----

#shared = #gpu.address_space<workgroup>
func.func @alloc_layout_shape() { // alloc_c2
  // expected-error@+1 {{has a layout for shape [8], but the buffer has shape [16]}}
  %s = tile.alloc layout(#tile.shared<[8]>) : memref<16xf32, #shared>
  return
}

// -----

#shared = #gpu.address_space<workgroup>
func.func @alloc_swizzle_rows() { // alloc_c2
  // expected-error-re@+1 {{has the layout #tile.shared<[16, 48], swizzle = 128>, which does not fit elements of 'f16': {{.*}}32}}
  %s = tile.alloc layout(#tile.shared<[16, 48], swizzle = 128>) : memref<16x48xf16, #shared>
  return
}

// -----

#shared = #gpu.address_space<workgroup>
func.func @alloc_alignment() { // alloc_c3
  // expected-error@+1 {{must have an alignment that is a power of two of at least the element's 4 bytes, got 2}}
  %s = tile.alloc alignment(2) : memref<16xf32, #shared>
  return
}

// -----

#shared = #gpu.address_space<workgroup>
func.func @alloc_alignment_power() { // alloc_c3
  // expected-error@+1 {{must have an alignment that is a power of two of at least the element's 4 bytes, got 48}}
  %s = tile.alloc alignment(48) : memref<16xf32, #shared>
  return
}

// -----

#shared = #gpu.address_space<workgroup>
func.func @alloc_fragment_layout() {
  // expected-error@+1 {{the layout of a shared buffer must be a #tile.shared<..>, got the layout of a fragment, #tile.fragment<[32],}}
  %s = tile.alloc layout(#tile.fragment<[32], register = [], lane = [32 : (1)], warp = []>) : memref<32xf32, #shared>
  return
}

// -----

// An attribute of another kind is not dropped in silence.
func.func @attribute_kind(%n: index) {
  // expected-error@+1 {{custom op 'tile.launch' attribute 'rasterize' failed to satisfy constraint: the order in which blocks visit the grid}}
  tile.launch blocks(%b) in (%n) threads(32) attributes {rasterize = 3 : i32} {
  }
  return
}
