// RUN: tile-opt %s --verify-diagnostics --split-input-file

// The closed list comes before folding: these are dead and errors all the same.

func.func @alloc_in_launch(%n: index) { // launch_c4
  tile.launch blocks(%a) in (%n) threads(128) {
    // expected-error@+1 {{'memref.alloc' op cannot stand in a launch body: shared memory is made by 'tile.alloc', global memory by the host}}
    %m = memref.alloc() : memref<8xf32>
  }
  return
}

// -----

func.func @copy_in_launch(%n: index, %m: memref<8xf32>) { // launch_c4
  tile.launch blocks(%a) in (%n) threads(128) {
    // expected-error@+1 {{'memref.copy' op cannot stand in a launch body: use 'tile.copy'}}
    memref.copy %m, %m : memref<8xf32> to memref<8xf32>
  }
  return
}

// -----

func.func @tensor_cast(%n: index) { // launch_c4
  tile.launch blocks(%a) in (%n) threads(128) {
    %t = arith.constant dense<1.0> : tensor<8xf32>
    // expected-error@+1 {{'tensor.cast' op cannot stand in a launch body: use 'tile.convert_layout' to change a layout; shapes are static}}
    %c = tensor.cast %t : tensor<8xf32> to tensor<?xf32>
  }
  return
}

// -----

func.func @barrier(%n: index) { // launch_c4
  tile.launch blocks(%a) in (%n) threads(128) {
    // expected-error@+1 {{'gpu.barrier' op cannot stand in a launch body: remove it: every operation of a launch body is complete before the next}}
    gpu.barrier
  }
  return
}

// -----

func.func @unlisted(%n: index, %m: memref<8xf32>) { // launch_c4
  tile.launch blocks(%a) in (%n) threads(128) {
    // expected-error@+1 {{'memref.assume_alignment' op cannot stand in a launch body; docs/Language.md lists what can}}
    %r = memref.assume_alignment %m, 16 : memref<8xf32>
  }
  return
}

// -----

func.func @math_function(%n: index, %v: f32) { // launch_c4
  tile.launch blocks(%a) in (%n) threads(128) {
    // expected-error@+1 {{'math.tan' op has no lowering; the functions of 'math' are absf, absi, ceil}}
    %r = math.tan %v : f32
  }
  return
}

// -----

func.func @nested_launch(%n: index) { // launch_c4
  tile.launch blocks(%a) in (%n) threads(128) {
    // expected-error@+1 {{'tile.launch' op cannot stand in a launch body: launches do not nest; put it after this one}}
    tile.launch blocks(%b) in (%n) threads(128) {
    }
  }
  return
}

// -----

func.func @count_in_launch(%n: index) { // launch_c4
  tile.launch blocks(%a) in (%n) threads(128) {
    // expected-error@+1 {{'tile.sm_count' op cannot stand in a launch body: it acts on the host; put it in front of the launch}}
    %c = tile.sm_count
  }
  return
}

// -----

func.func @dynamic_slice(%n: index) { // launch_c4
  tile.launch blocks(%a) in (%n) threads(128) {
    %t = arith.constant dense<1.0> : tensor<8xf32>
    // expected-error@+1 {{'tensor.extract_slice' op needs static offsets and sizes on a fragment; go through a 'tile.alloc' or 'tile.parallel' for dynamic ones}}
    %s = tensor.extract_slice %t[%a] [4] [1] : tensor<8xf32> to tensor<4xf32>
  }
  return
}

// -----

func.func @strided_slice(%n: index) { // launch_c4
  tile.launch blocks(%a) in (%n) threads(128) {
    %t = arith.constant dense<1.0> : tensor<8xf32>
    // expected-error@+1 {{'tensor.extract_slice' op needs unit strides on a fragment; go through a 'tile.alloc' or 'tile.parallel' for others}}
    %s = tensor.extract_slice %t[0] [4] [2] : tensor<8xf32> to tensor<4xf32>
  }
  return
}

// -----

func.func @narrow_arithmetic(%n: index, %v: f8E4M3FN) { // launch_c4
  tile.launch blocks(%a) in (%n) threads(128) {
    %t = tensor.splat %v : tensor<8xf8E4M3FN>
    %u = arith.extf %t : tensor<8xf8E4M3FN> to tensor<8xf32>
    %w = arith.truncf %u : tensor<8xf32> to tensor<8xf8E4M3FN>
    // expected-error@+1 {{'arith.mulf' op does not exist on 'f8E4M3FN', which can be converted, selected, moved and multiplied by 'tile.gemm' only; compute in f32 with 'arith.extf' and 'arith.truncf'}}
    %s = arith.mulf %t, %w : tensor<8xf8E4M3FN>
  }
  return
}

// -----

func.func @narrow_sums(%n: index, %v: f4E2M1FN) { // launch_c4
  tile.launch blocks(%a) in (%n) threads(128) {
    // expected-error@+1 {{'arith.addf' op does not exist on 'f4E2M1FN', which can be converted, selected, moved and multiplied by 'tile.gemm_scaled' only}}
    %s = arith.addf %v, %v : f4E2M1FN
  }
  return
}

// -----

func.func @narrow_scales(%n: index, %e: f8E8M0FNU) { // launch_c4
  tile.launch blocks(%a) in (%n) threads(128) {
    // expected-error@+1 {{'arith.mulf' op does not exist on 'f8E8M0FNU', which can be converted, selected, moved and used as scales of 'tile.gemm_scaled' only}}
    %s = arith.mulf %e, %e : f8E8M0FNU
  }
  return
}

// -----

func.func @narrow_from_integer(%n: index, %v: i32) { // launch_c4
  tile.launch blocks(%a) in (%n) threads(128) {
    // expected-error@+1 {{'arith.sitofp' op does not exist on 'f8E5M2'}}
    %s = arith.sitofp %v : i32 to f8E5M2
  }
  return
}

// -----

func.func @element_type(%n: index, %v: i64) { // launch_c4
  tile.launch blocks(%a) in (%n) threads(128) {
    // expected-error@+1 {{'arith.extsi' op the language has no values of type 'i128'; element types are f64, f32, f16, bf16, f8E4M3FN, f8E5M2, i1, i8, i16, i32, i64 and index, for instructions that take them also}}
    %s = arith.extsi %v : i64 to i128
  }
  return
}

// -----

func.func @vectors(%n: index) { // launch_c4
  tile.launch blocks(%a) in (%n) threads(128) {
    // expected-error@+1 {{values must be scalars, ranked tensors of static shape and ranked memrefs, got 'vector<4xf32>'}}
    %s = arith.constant dense<0.0> : vector<4xf32>
  }
  return
}

// -----

func.func @empty_fragment(%n: index) { // launch_c4
  tile.launch blocks(%a) in (%n) threads(128) {
    // expected-error@+1 {{a fragment must have at least one element, got 'tensor<0x8xf32>'}}
    %s = arith.constant dense<0.0> : tensor<0x8xf32>
  }
  return
}

// -----

func.func @memory_space(%n: index, %m: memref<8xf32, 5>) { // launch_c7
  // expected-note@-1 {{the value}}
  // expected-error@+1 {{captures a value: a memref must be in global memory (no memory space) or in #gpu.address_space<workgroup>, got 'memref<8xf32, 5>'}}
  tile.launch blocks(%a) in (%n) threads(128) {
    %s = memref.load %m[%a] : memref<8xf32, 5>
  }
  return
}

// -----

func.func @fragment_in_iteration(%n: index) { // launch_c4
  tile.launch blocks(%a) in (%n) threads(128) {
    tile.parallel (%i) in (8) {
      // expected-error@+1 {{values made in the body of a 'tile.parallel' must be scalars, got 'tensor<8xf32>'}}
      %s = arith.constant dense<0.0> : tensor<8xf32>
    }
  }
  return
}

// -----

func.func @call_in_iteration(%n: index) { // launch_c4
  tile.launch blocks(%a) in (%n) threads(128) {
    tile.parallel (%i) in (8) {
      // expected-error@+1 {{'func.call' op cannot stand in the body of a 'tile.parallel': write the callee's operations here}}
      func.call @f() : () -> ()
    }
  }
  return
}
func.func private @f() { return }

// -----

func.func @host_load(%n: index, %m: memref<8xf32>) { // launch_c9
  // expected-error@+1 {{'memref.load' op cannot stand in a host function with launches: memrefs hold device memory; read elements inside a 'tile.launch'}}
  %v = memref.load %m[%n] : memref<8xf32>
  tile.launch blocks(%a) in (%n) threads(128) {
  }
  return
}

// -----

func.func @host_after_launch(%n: index, %c: i1) { // launch_c9
  tile.launch blocks(%a) in (%n) threads(128) {
  }
  scf.if %c {
    // expected-error@+1 {{'tile.print' op cannot stand in a host function with launches: it acts on a block; put it inside a 'tile.launch'}}
    tile.print "n" %n : index
  }
  return
}

// -----

// expected-error@+1 {{fragments exist inside a 'tile.launch' only, got 'tensor<8xf32>'}}
func.func @host_fragment(%n: index, %t: tensor<8xf32>) { // launch_c9
  tile.launch blocks(%a) in (%n) threads(128) {
  }
  return
}

// -----

func.func @helper_is_host_code(%n: index, %m: memref<8xf32>) { // launch_c9
  func.call @touches(%n, %m) : (index, memref<8xf32>) -> ()
  tile.launch blocks(%a) in (%n) threads(128) {
  }
  return
}
func.func @touches(%n: index, %m: memref<8xf32>) {
  // expected-error@+1 {{'memref.load' op cannot stand in a host function with launches: memrefs hold device memory}}
  %v = memref.load %m[%n] : memref<8xf32>
  return
}

// -----

func.func @call_of_illegal(%n: index) { // launch_c4
  tile.launch blocks(%a) in (%n) threads(128) {
    func.call @outer(%a) : (index) -> ()
  }
  return
}
func.func @outer(%i: index) {
  func.call @inner(%i) : (index) -> ()
  return
}
func.func @inner(%i: index) {
  // expected-error@+1 {{'memref.alloc' op cannot stand in a launch body}}
  %m = memref.alloc(%i) : memref<?xf32>
  return
}

// -----

func.func @recursion(%n: index) { // launch_c4
  tile.launch blocks(%a) in (%n) threads(128) {
    func.call @again(%a) : (index) -> ()
  }
  return
}
func.func @again(%i: index) {
  // expected-error@+1 {{makes 'again' recursive; calls are inlined, use 'scf.while'}}
  func.call @again(%i) : (index) -> ()
  return
}

// -----

func.func @declaration(%n: index) { // launch_c4
  tile.launch blocks(%a) in (%n) threads(128) {
    // expected-error@+1 {{calls 'elsewhere', which has no body; calls in a launch are inlined}}
    func.call @elsewhere(%a) : (index) -> ()
  }
  return
}
func.func private @elsewhere(index)

// -----

func.func @dimension_outside(%a: memref<?x?xf32>, %n: index) {
  %outside = arith.constant -1 : index
  // expected-error@+1 {{asks for dimension -1 of a memref with 2 dimensions, numbered from 0}}
  %m = memref.dim %a, %outside : memref<?x?xf32>
  tile.launch blocks(%b) in (%m) threads(128) {
  }
  return
}

// -----

func.func @too_many_iterations(%n: index) {
  tile.launch blocks(%b) in (%n) threads(128) {
    // expected-error@+1 {{has a box of more than 1048576 iterations; give the block a smaller one}}
    tile.parallel (%i, %j) in (9223372036854775807, 3) {
    }
  }
  return
}

// -----

func.func @too_many_elements(%a: memref<?xf32>, %n: index) {
  tile.launch blocks(%b) in (%n) threads(128) {
    // expected-error@+1 {{a fragment must have at most 1048576 elements}}
    %t = tile.load %a[%b] : memref<?xf32> -> tensor<1048577xf32>
  }
  return
}

// -----

func.func @rounding(%n: index, %v: f32) {
  tile.launch blocks(%x) in (%n) threads(32) {
    // expected-error @+1 {{must round to nearest even, got toward_zero}}
    %h = arith.truncf %v toward_zero : f32 to f16
  }
  return
}
