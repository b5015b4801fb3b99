// RUN: tile-opt %s --tile-outline-kernels | FileCheck %s

#shared = #gpu.address_space<workgroup>
#f = #tile.fragment<[128], register = [], lane = [32 : (1)], warp = [4 : (32)]>

// CHECK: module attributes {gpu.container_module, tile.target = #tile.target<"sm_80">}
module attributes {tile.target = #tile.target<"sm_80">} {

// Parameters come in the order of the function's arguments, then of definition,
// whatever the order of use; what an argument states stays with it.
// CHECK-LABEL: func @parameter_order
// CHECK-SAME: (%[[N:.*]]: index, %[[A:.*]]: memref<?xf32> {tile.align = 32 : i64}, %[[UNUSED:.*]]: memref<?xf32>, %[[B:.*]]: memref<?xf32>)
// CHECK: %[[X:.*]] = arith.addi
// CHECK: %[[Y:.*]] = arith.addi
// CHECK: gpu.launch_func @kernels::@order blocks in (%[[N]], %{{.*}}, %{{.*}}) threads in (%c128{{.*}}) args(%[[A]] : memref<?xf32>, %[[B]] : memref<?xf32>, %[[X]] : index, %[[Y]] : index)
func.func @parameter_order(%n: index, %a: memref<?xf32> {tile.align = 32}, %unused: memref<?xf32>, %b: memref<?xf32>) {
  %x = arith.addi %n, %n : index
  %y = arith.addi %x, %n : index
  tile.launch @order blocks(%bx) in (%n) threads(128) attributes {stage = #tile.stage<synchronized>} {
    %t = tile.load %b[%y] : memref<?xf32> -> tensor<128xf32, #f>
    tile.store %t, %a[%x] : tensor<128xf32, #f>, memref<?xf32>
  }
  return
}

// Constants, and what follows from constants alone, are repeated inside.
// CHECK-LABEL: func @constants
// CHECK: gpu.launch_func @kernels::@constants {{.*}} args(%{{.*}} : memref<?xf32>)
func.func @constants(%n: index, %a: memref<?xf32>) {
  %c2 = arith.constant 2 : index
  %c64 = arith.constant 64 : index
  %product = arith.muli %c2, %c64 : index
  %dense = arith.constant dense<1.0> : tensor<128xf32, #f>
  tile.launch @constants blocks(%bx) in (%n) threads(128) attributes {stage = #tile.stage<synchronized>} {
    tile.store %dense, %a[%product] : tensor<128xf32, #f>, memref<?xf32>
  }
  return
}

// The arena's size goes to the launch, the rest to the kernel's attributes.
// CHECK-LABEL: func @shared_memory
// CHECK: %[[BYTES:.*]] = arith.constant 4096 : i32
// CHECK: gpu.launch_func @kernels::@shared {{.*}} dynamic_shared_memory_size %[[BYTES]]
func.func @shared_memory(%n: index) {
  tile.launch @shared blocks(%bx, %by) in (%n, %n) threads(256) attributes {stage = #tile.stage<synchronized>, min_blocks_per_sm = 2, max_registers = 96} {
    %a = tile.arena 4096 : memref<4096xi8, #shared>
  }
  return
}

// Whoever starts the kernel and the kernel itself know that it may start early.
// CHECK-LABEL: func @dependent
// CHECK: gpu.launch_func @kernels::@dependent {{.*}} {tile.programmatic_dependent_launch}
func.func @dependent(%n: index) {
  tile.launch @dependent blocks(%bx) in (%n) threads(128) attributes {stage = #tile.stage<synchronized>, programmatic_dependent_launch} {
  }
  return
}

// Views of one memref may overlap: both parameters say so.
// CHECK-LABEL: func @views
func.func @views(%n: index, %a: memref<256xf32>) {
  %u = memref.subview %a[0] [128] [1] : memref<256xf32> to memref<128xf32, strided<[1]>>
  %v = memref.subview %a[65] [128] [1] : memref<256xf32> to memref<128xf32, strided<[1], offset: 65>>
  tile.launch @views blocks(%bx) in (%n) threads(128) attributes {stage = #tile.stage<synchronized>} {
    %t = tile.load %u : memref<128xf32, strided<[1]>> -> tensor<128xf32, #f>
    tile.barrier
    tile.store %t, %v : tensor<128xf32, #f>, memref<128xf32, strided<[1], offset: 65>>
  }
  return
}

// What divides a scalar and bounds it is stated on the parameter and on the
// launch.
// CHECK-LABEL: func @scalars
// CHECK: gpu.launch_func @kernels::@scalars {{.*}} {tile.operand_facts = [unit, #tile.scalar_facts<divisor = 16>, #tile.scalar_facts<divisor = 8, min = 0, max = 56>]}
func.func @scalars(%n: index, %m: index, %a: memref<?xf32>) {
  %k = tile.assume_divisible %m by 16 : index
  %c0 = arith.constant 0 : i32
  %c8 = arith.constant 8 : i32
  %c64 = arith.constant 64 : i32
  scf.for %i = %c0 to %c64 step %c8 : i32 {
    tile.launch @scalars blocks(%bx) in (%n) threads(128) attributes {stage = #tile.stage<synchronized>} {
      %t = arith.constant dense<1.0> : tensor<128xf32, #f>
      tile.store %t, %a[%k] : tensor<128xf32, #f>, memref<?xf32>
      %j = arith.index_cast %i : i32 to index
      tile.store %t, %a[%j] : tensor<128xf32, #f>, memref<?xf32>
    }
  }
  return
}

// So are sizes, strides and the alignment of a view that the host makes.
// CHECK-LABEL: func @host_view
// CHECK: tile.operand_facts = [#tile.memref_facts<base_alignment = 16, alignment = 8, sizes = [16, 64], strides = [8, 1], contiguous = true>]
func.func @host_view(%n: index, %q: index, %a: memref<?x?xf16> {tile.divisible = array<i64: 1, 8>}) {
  %v = memref.subview %a[%q, 4] [16, 64] [1, 1] : memref<?x?xf16> to memref<16x64xf16, strided<[?, 1], offset: ?>>
  tile.launch @host_view blocks(%bx) in (%n) threads(128) attributes {stage = #tile.stage<synchronized>} {
    %t = tile.load %v : memref<16x64xf16, strided<[?, 1], offset: ?>> -> tensor<16x64xf16, #tile.fragment<[16, 64], register = [8 : (0, 1)], lane = [8 : (0, 8), 4 : (1, 0)], warp = [4 : (4, 0)]>>
  }
  return
}

// A grid that is at most 8 blocks.
func.func @bounded_grid(%n: index) {
  %c7 = arith.constant 7 : index
  %c1 = arith.constant 1 : index
  %m = arith.andi %n, %c7 : index
  %k = arith.addi %m, %c1 : index
  tile.launch @bounded_grid blocks(%bx) in (%k) threads(128) attributes {stage = #tile.stage<synchronized>} {
  }
  return
}

// CHECK: gpu.module @kernels {
// CHECK: gpu.func @order(%[[A:.*]]: memref<?xf32> {tile.memref_facts = #tile.memref_facts<base_alignment = 32, alignment = 32, sizes = [1], strides = [1], contiguous = true>}, %[[B:.*]]: memref<?xf32>, %[[X:.*]]: index, %[[Y:.*]]: index) kernel attributes {known_block_size = array<i32: 128, 1, 1>, tile.stage = #tile.stage<outlined>} {
// CHECK: tile.load %[[B]][%[[Y]]]
// CHECK: tile.store %{{.*}}, %[[A]][%[[X]]]
// CHECK: gpu.return
// CHECK: gpu.func @constants(%{{.*}}: memref<?xf32>) kernel
// CHECK: %[[C2:.*]] = arith.constant 2
// CHECK: %[[C64:.*]] = arith.constant 64
// CHECK: %[[P:.*]] = arith.muli %[[C2]], %[[C64]]
// CHECK: %[[D:.*]] = arith.constant dense
// CHECK: tile.store %[[D]], %{{.*}}[%[[P]]]
// CHECK: gpu.func @shared() kernel attributes {known_block_size = array<i32: 256, 1, 1>, nvvm.maxnreg = 96 : i32, nvvm.minctasm = 2 : i32, tile.stage = #tile.stage<outlined>} {
// CHECK: gpu.block_id x
// CHECK: gpu.block_id y
// CHECK: tile.arena 4096
// CHECK: gpu.func @dependent() kernel attributes {known_block_size = array<i32: 128, 1, 1>, tile.programmatic_dependent_launch, tile.stage = #tile.stage<outlined>}
// CHECK: gpu.func @views(%{{.*}}: memref<128xf32, strided<[1]>> {tile.may_alias}, %{{.*}}: memref<128xf32, strided<[1], offset: 65>> {tile.may_alias}) kernel
// CHECK: gpu.func @scalars(%[[A:.*]]: memref<?xf32>, %[[K:.*]]: index {tile.scalar_facts = #tile.scalar_facts<divisor = 16>}, %[[I:.*]]: i32 {tile.scalar_facts = #tile.scalar_facts<divisor = 8, min = 0, max = 56>}) kernel
// CHECK: tile.store %{{.*}}, %[[A]][%[[K]]]
// CHECK: gpu.func @host_view(%{{.*}}: memref<16x64xf16, strided<[?, 1], offset: ?>> {tile.memref_facts = #tile.memref_facts<base_alignment = 16, alignment = 8, sizes = [16, 64], strides = [8, 1], contiguous = true>}) kernel
// CHECK: gpu.func @bounded_grid() kernel
// CHECK: gpu.block_id x upper_bound 8
}
