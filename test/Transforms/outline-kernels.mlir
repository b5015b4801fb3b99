// RUN: tile-opt %s --tile-outline-kernels | FileCheck %s

#shared = #gpu.address_space<workgroup>
#f = #tile.fragment<[128], register = [], lane = [32 : (1)], warp = [4 : (32)]>

// CHECK: module attributes {gpu.container_module, tile.target = #tile.target<"sm_80">}
module attributes {tile.target = #tile.target<"sm_80">} {

// Parameters come in the order of the function's arguments, then of definition,
// whatever the order of use; argument attributes stay with them.
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

// Views of one memref may overlap: both parameters say so, and how they are
// aligned.
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

// A divisor that is known on the host is stated again in the kernel.
// CHECK-LABEL: func @divisor
func.func @divisor(%n: index, %m: index, %a: memref<?xf32>) {
  %k = tile.assume_divisible %m by 16 : index
  tile.launch @divisor blocks(%bx) in (%n) threads(128) attributes {stage = #tile.stage<synchronized>} {
    %t = arith.constant dense<1.0> : tensor<128xf32, #f>
    tile.store %t, %a[%k] : tensor<128xf32, #f>, memref<?xf32>
  }
  return
}

// CHECK: gpu.module @kernels {
// CHECK: gpu.func @order(%[[A:.*]]: memref<?xf32> {tile.align = 32 : i64}, %[[B:.*]]: memref<?xf32>, %[[X:.*]]: index, %[[Y:.*]]: index) kernel attributes {known_block_size = array<i32: 128, 1, 1>, tile.stage = #tile.stage<outlined>} {
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
// CHECK: gpu.func @views(%{{.*}}: memref<128xf32, strided<[1]>> {tile.align = {{.*}}, tile.may_alias}, %{{.*}}: memref<128xf32, strided<[1], offset: 65>> {tile.align = 4 : i64, tile.may_alias}) kernel
// CHECK: gpu.func @divisor(%[[A:.*]]: memref<?xf32>, %[[K:.*]]: index) kernel
// CHECK: %[[S:.*]] = tile.assume_divisible %[[K]] by 16
// CHECK: tile.store %{{.*}}, %[[A]][%[[S]]]
}
