// RUN: tile-opt %s --verify-diagnostics --split-input-file

// expected-error@+1 {{has unknown attribute 'tile.stage_count'; known: tile.stages,}}
func.func private @unknown() attributes {tile.stage_count = 3 : i32}

// -----

// expected-error@+1 {{has 'tile.align', which stands on an argument of a function}}
func.func private @fact_on_function() attributes {tile.align = 16}

// -----

// expected-error@+1 {{result 0 has 'tile.align', which results do not have; known:}}
func.func private @fact_on_result() -> (memref<8xf32> {tile.align = 16})

// -----

// expected-error@+1 {{argument 0 has 'tile.stages', which arguments do not have; known:}}
func.func private @hint_on_argument(memref<8xf32> {tile.stages = 3 : i32})

// -----

// expected-error@+1 {{argument 1 has 'tile.align', which is a fact about memrefs, but has type 'index'}}
func.func private @fact_on_scalar(memref<8xf32>, index {tile.align = 16})

// -----

// expected-error@+1 {{argument 0 has 'tile.align', which must be a power of two in bytes, got 24 : i64}}
func.func private @align(memref<8xf32> {tile.align = 24})

// -----

// expected-error@+1 {{argument 0 has 'tile.divisible', which must have a divisor per dimension (2), as in array<i64: 1, 8>, got array<i64: 8>}}
func.func private @divisible_count(memref<8x8xf32> {tile.divisible = array<i64: 8>})

// -----

// expected-error@+1 {{argument 0 has 'tile.divisible', whose entries must be positive, got 0}}
func.func private @divisible_positive(memref<8x8xf32> {tile.divisible = array<i64: 0, 8>})

// -----

// expected-error@+1 {{argument 0 has 'tile.divisible', but size 100 of dimension 1 is not divisible by 8}}
func.func private @divisible_contradiction(memref<?x100xf32> {tile.divisible = array<i64: 1, 8>})

// -----

// expected-error@+1 {{argument 0 has 'tile.dims', which must have a name per dimension (2), as in ["M", ""], got ["M"]}}
func.func private @dims_count(memref<8x8xf32> {tile.dims = ["M"]})

// -----

// expected-error@+1 {{argument 1 has 'tile.dims', which names a size of 128 'K', but argument 0 has 'K' = 64}}
func.func private @dims_contradiction(memref<?x64xf32> {tile.dims = ["M", "K"]}, memref<128x?xf32> {tile.dims = ["K", "N"]})

// -----

// expected-error@+1 {{argument 0 has 'tile.may_alias', which takes no value, got 1 : i64}}
func.func private @may_alias(memref<8xf32> {tile.may_alias = 1})

// -----

func.func @stages_place(%c: i1) {
  // expected-error@+1 {{has 'tile.stages', which stands on 'scf.for'}}
  scf.if %c {
  } {tile.stages = 3 : i32}
  return
}

// -----

func.func @stages_type(%n: index) {
  // expected-error@+1 {{has 'tile.stages', which must be an i32 as in 'tile.stages = 3 : i32', got 3 : i64}}
  scf.for %i = %n to %n step %n {
  } {tile.stages = 3}
  return
}

// -----

func.func @stages_negative(%n: index) {
  // expected-error@+1 {{has 'tile.stages', which must not be negative, got -1}}
  scf.for %i = %n to %n step %n {
  } {tile.stages = -1 : i32}
  return
}

// -----

func.func @schedule_place(%n: index) {
  // expected-error@+1 {{has 'tile.pipeline_stage', which stands on the operations of an 'scf.for' with 'tile.stages'}}
  %m = arith.addi %n, %n {tile.pipeline_stage = 0 : i32} : index
  return
}

// -----

func.func @schedule_half(%n: index) {
  scf.for %i = %n to %n step %n {
    // expected-error@+1 {{has 'tile.pipeline_stage' alone; a schedule is 'tile.pipeline_stage' and 'tile.pipeline_order'}}
    %a = arith.addi %i, %n {tile.pipeline_stage = 0 : i32} : index
  } {tile.stages = 2 : i32}
  return
}

// -----

func.func @schedule_half_order(%n: index) {
  scf.for %i = %n to %n step %n {
    // expected-error@+1 {{has 'tile.pipeline_order' alone; a schedule is 'tile.pipeline_stage' and 'tile.pipeline_order'}}
    %a = arith.addi %i, %n {tile.pipeline_order = 0 : i32} : index
  } {tile.stages = 2 : i32}
  return
}

// -----

// Between two operations of one order stands another.
func.func @schedule_order_apart(%n: index) {
  scf.for %i = %n to %n step %n {
    // expected-note@+1 {{the other operation}}
    %a = arith.addi %i, %n {tile.pipeline_stage = 0 : i32, tile.pipeline_order = 0 : i32} : index
    %b = arith.addi %i, %n {tile.pipeline_stage = 0 : i32, tile.pipeline_order = 1 : i32} : index
    // expected-error@+1 {{has 'tile.pipeline_order' 0, which another operation of the loop has; only neighbours of one stage share an order}}
    %c = arith.addi %i, %n {tile.pipeline_stage = 0 : i32, tile.pipeline_order = 0 : i32} : index
  } {tile.stages = 2 : i32}
  return
}

// -----

func.func @schedule_partial(%n: index) {
  scf.for %i = %n to %n step %n {
    // expected-note@+1 {{an operation with a schedule}}
    %a = arith.addi %i, %n {tile.pipeline_stage = 0 : i32, tile.pipeline_order = 0 : i32} : index
    // expected-error@+1 {{has no 'tile.pipeline_stage' and 'tile.pipeline_order', but other operations of its loop have; give both to all or to none}}
    %b = arith.addi %a, %n : index
  } {tile.stages = 2 : i32}
  return
}

// -----

func.func @schedule_stage(%n: index) {
  scf.for %i = %n to %n step %n {
    // expected-error@+1 {{has 'tile.pipeline_stage' 2, but its loop has stages 0 to 1 ('tile.stages' = 2)}}
    %a = arith.addi %i, %n {tile.pipeline_stage = 2 : i32, tile.pipeline_order = 0 : i32} : index
  } {tile.stages = 2 : i32}
  return
}

// -----

func.func @schedule_order(%n: index) {
  scf.for %i = %n to %n step %n {
    // expected-note@+1 {{the other operation}}
    %a = arith.addi %i, %n {tile.pipeline_stage = 1 : i32, tile.pipeline_order = 0 : i32} : index
    // expected-error@+1 {{has 'tile.pipeline_order' 0, which another operation of the loop has; only neighbours of one stage share an order}}
    %b = arith.addi %i, %n {tile.pipeline_stage = 0 : i32, tile.pipeline_order = 0 : i32} : index
  } {tile.stages = 2 : i32}
  return
}

// -----

// expected-error@+1 {{has 'tile.target', which is a #tile.target<"..."> on the module}}
func.func private @target_place() attributes {tile.target = #tile.target<"sm_80">}

// -----

// expected-error@+1 {{unknown chip 'sm_1'; known: sm_80,}}
module attributes {tile.target = #tile.target<"sm_1">} {
}

// -----

module attributes {tile.target = #tile.target<"sm_80">} {
  func.func @names(%n: index) {
    // expected-note@+1 {{the other launch}}
    tile.launch @k blocks(%a) in (%n) threads(128) {
    }
    // expected-error@+1 {{is named '@k' like another launch; names are unique in the module}}
    tile.launch @k blocks(%a) in (%n) threads(128) {
    }
    return
  }
}

// -----

// expected-error@+1 {{has 'tile.stage', but holds launches, which carry their own 'stage'}}
func.func @stage_and_launch(%n: index) attributes {tile.stage = #tile.stage<logical>} {
  tile.launch @k blocks(%a) in (%n) threads(128) {
  }
  return
}

// -----

// expected-error@+1 {{has 'tile.stage', which is a #tile.stage<...> on a kernel or a function without launches}}
module attributes {tile.stage = #tile.stage<logical>} {
}

// -----

// expected-error@+1 {{argument 0 has 'tile.scalar_facts', which stands on parameters of kernels}}
func.func private @facts_of_function(index {tile.scalar_facts = #tile.scalar_facts<divisor = 8>})

// -----

// expected-error@+1 {{has 'tile.memref_facts', which stands on an argument of a function}}
func.func private @facts_on_function() attributes {tile.memref_facts = #tile.memref_facts<base_alignment = 16, alignment = 16>}

// -----

gpu.module @facts_of_other_kind {
  // expected-error@+1 {{argument 0 has 'tile.scalar_facts', which is a #tile.scalar_facts<..>, got #tile.memref_facts}}
  gpu.func @k(%n: index {tile.scalar_facts = #tile.memref_facts<base_alignment = 16, alignment = 16>}) kernel { gpu.return }
}

// -----

gpu.module @facts_of_float {
  // expected-error@+1 {{argument 0 has 'tile.scalar_facts', which is a #tile.scalar_facts<..> for an integer or an index, got #tile.scalar_facts<divisor = 8> for 'f32'}}
  gpu.func @k(%x: f32 {tile.scalar_facts = #tile.scalar_facts<divisor = 8>}) kernel { gpu.return }
}

// -----

gpu.module @facts_rank {
  // expected-error@+1 {{argument 0 has 'tile.memref_facts', which must have a divisor per dimension (2), got 1}}
  gpu.func @k(%m: memref<?x8xf32> {tile.memref_facts = #tile.memref_facts<base_alignment = 16, alignment = 16, sizes = [1], strides = [1]>}) kernel { gpu.return }
}

// -----

gpu.module @facts_contradict {
  // expected-error@+1 {{argument 0 has 'tile.memref_facts', but 9 in 'memref<?x9xf32>' is not divisible by 8}}
  gpu.func @k(%m: memref<?x9xf32> {tile.memref_facts = #tile.memref_facts<base_alignment = 16, alignment = 16, sizes = [1, 8], strides = [1, 1]>}) kernel { gpu.return }
}

// -----

// expected-error@+1 {{alignments must be positive, got 0}}
func.func private @facts_alignment() attributes {a = #tile.memref_facts<base_alignment = 0, alignment = 16>}

// -----

// expected-error@+1 {{divisors must not be negative, got -1}}
func.func private @facts_divisors() attributes {a = #tile.memref_facts<base_alignment = 16, alignment = 16, sizes = [-1], strides = [1]>}

// -----

// expected-error@+1 {{there are 1 sizes and 2 strides; give one per dimension}}
func.func private @facts_strides() attributes {a = #tile.memref_facts<base_alignment = 16, alignment = 16, sizes = [1], strides = [1, 1]>}

// -----

// expected-error@+1 {{a divisor must not be negative, got -8}}
func.func private @facts_divisor() attributes {a = #tile.scalar_facts<divisor = -8>}

// -----

// expected-error@+1 {{the least number, 8, is above the largest, 7}}
func.func private @facts_range() attributes {a = #tile.scalar_facts<min = 8, max = 7>}

// -----

// expected-error@+1 {{has 'tile.operand_facts', which stands on 'gpu.launch_func'}}
func.func private @operand_facts() attributes {tile.operand_facts = [unit]}

// -----

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @k(%n: index) kernel { gpu.return }
  }
  func.func @operand_facts_count(%n: index) {
    // expected-error@+1 {{has 'tile.operand_facts', which must have an entry per operand of the kernel (1), got [unit, unit]}}
    gpu.launch_func @kernels::@k blocks in (%n, %n, %n) threads in (%n, %n, %n) args(%n : index) {tile.operand_facts = [unit, unit]}
    return
  }
}

// -----

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @k(%n: index) kernel { gpu.return }
  }
  func.func @operand_facts_kind(%n: index) {
    // expected-error@+1 {{has 'tile.operand_facts' of operand 0, which is a #tile.scalar_facts<..> for an integer or an index, got 8 : i64 for 'index'}}
    gpu.launch_func @kernels::@k blocks in (%n, %n, %n) threads in (%n, %n, %n) args(%n : index) {tile.operand_facts = [8]}
    return
  }
}

// -----

// expected-error@+1 {{has 'tile.programmatic_dependent_launch', which stands on kernels and on 'gpu.launch_func'; on a 'tile.launch' it is 'programmatic_dependent_launch'}}
func.func private @dependent_function() attributes {tile.programmatic_dependent_launch}

// -----

gpu.module @kernels {
  // expected-error@+1 {{has 'tile.programmatic_dependent_launch', which takes no value, got 1 : i64}}
  gpu.func @dependent_value() kernel attributes {tile.programmatic_dependent_launch = 1} { gpu.return }
}

// -----

func.func @misspelt_launch_attribute(%n: index) {
  // expected-error@+1 {{'tile.launch' op has unknown attribute 'persistant'; its own are cluster, consumers, kernel, max_registers, min_blocks_per_sm, persistent,}}
  tile.launch blocks(%b) in (%n) threads(32) attributes {persistant} {
  }
  return
}

// -----

func.func @hint_without_prefix(%n: index) {
  tile.launch blocks(%b) in (%n) threads(32) {
    %c1 = arith.constant 1 : index
    // expected-error@+1 {{'scf.for' op has attribute 'stages', which nobody reads; the hint is 'tile.stages'}}
    scf.for %i = %b to %n step %c1 {
    } {stages = 3 : i32}
  }
  return
}

// -----

func.func @attribute_without_attributes() {
  // expected-error@+1 {{'tile.sm_count' op has unknown attribute 'start'; it has none of its own}}
  %m = tile.sm_count {start = 1}
  tile.launch blocks(%b) in (%m) threads(32) {
  }
  return
}

// -----

// What other compilers keep on operations that are not ours is theirs.
func.func @marks_of_others(%n: index) {
  %m = arith.index_cast %n {note} : index to i64
  tile.launch blocks(%b) in (%n) threads(32) {
    tile.parallel (%i) in (32) {
      %j = arith.addi %i, %i {fast} : index
    }
  }
  return
}
