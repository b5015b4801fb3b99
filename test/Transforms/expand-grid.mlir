// RUN: tile-opt %s --tile-expand-grid | FileCheck %s
// RUN: tile-opt %s --tile-expand-grid --remark-format=emitRemark --remarks-filter=tile-expand-grid -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK --implicit-check-not=NotPersistent

module attributes {tile.target = #tile.target<"sm_80">} {

// Panels of four rows: consecutive blocks walk down the panel first.
// CHECK-LABEL: func @rows
// CHECK-SAME: (%[[GX:.*]]: index, %[[GY:.*]]: index, %[[M:.*]]: memref
func.func @rows(%gx: index, %gy: index, %m: memref<?x?xf32>, %v: f32) {
  // CHECK: tile.launch @k blocks(%bx, %by) in (%[[GX]], %[[GY]]) threads(128) attributes {stage = #tile.stage<logical>} {
  // CHECK: %[[P:.*]] = arith.constant 4 : index
  // CHECK: %[[BEFORE:.*]] = arith.muli %[[GX]], %by
  // CHECK: %[[N:.*]] = arith.addi %bx, %[[BEFORE]]
  // CHECK: %[[PANEL:.*]] = arith.muli %[[P]], %[[GX]]
  // CHECK: %[[NUMBER:.*]] = arith.divui %[[N]], %[[PANEL]]
  // CHECK: %[[START:.*]] = arith.muli %[[NUMBER]], %[[P]]
  // CHECK: %[[LEFT:.*]] = arith.subi %[[GY]], %[[START]]
  // CHECK: %[[HEIGHT:.*]] = arith.minui %[[P]], %[[LEFT]]
  // CHECK: %[[INSIDE:.*]] = arith.remui %[[N]], %[[PANEL]]
  // CHECK: %[[ROW:.*]] = arith.remui %[[INSIDE]], %[[HEIGHT]]
  // CHECK: %[[Y:.*]] = arith.addi %[[START]], %[[ROW]]
  // CHECK: %[[X:.*]] = arith.divui %[[INSIDE]], %[[HEIGHT]]
  // CHECK: memref.store %{{.*}}, %[[M]][%[[Y]], %[[X]]]
  tile.launch @k blocks(%bx, %by) in (%gx, %gy) threads(128) attributes {rasterize = #tile.rasterize<row, 4>} {
    memref.store %v, %m[%by, %bx] : memref<?x?xf32>
  }
  return
}

// What is printed names the block, which has one number then.
// CHECK-LABEL: func @printed
func.func @printed(%gx: index, %gy: index, %v: f32) {
  // CHECK: tile.launch @p blocks(%bx, %by) in ({{.*}}) threads(128) attributes {stage = #tile.stage<logical>} {
  // CHECK-NEXT: tile.print
  tile.launch @p blocks(%bx, %by) in (%gx, %gy) threads(128) attributes {rasterize = #tile.rasterize<row, 4>} {
    tile.print "v" %v : f32
  }
  return
}

// Panels of columns exchange the two dimensions.
// CHECK-LABEL: func @columns
// CHECK-SAME: (%[[GX:.*]]: index, %[[GY:.*]]: index, %[[M:.*]]: memref
func.func @columns(%gx: index, %gy: index, %m: memref<?x?xf32>, %v: f32) {
  // CHECK: %[[P:.*]] = arith.constant 2 : index
  // CHECK: %[[PANEL:.*]] = arith.muli %[[P]], %[[GY]]
  // CHECK: %[[START:.*]] = arith.muli
  // CHECK: arith.subi %[[GX]], %[[START]]
  // CHECK: %[[X:.*]] = arith.addi %[[START]]
  // CHECK: %[[Y:.*]] = arith.divui
  // CHECK: memref.store %{{.*}}, %[[M]][%[[Y]], %[[X]]]
  tile.launch @l blocks(%bx, %by) in (%gx, %gy) threads(128) attributes {rasterize = #tile.rasterize<column, 2>} {
    memref.store %v, %m[%by, %bx] : memref<?x?xf32>
  }
  return
}

// A grid of one dimension has one order.
// CHECK-LABEL: func @one_dimension
// CHECK: tile.launch @m blocks(%bx) in (%{{.*}}) threads(128) attributes {stage = #tile.stage<logical>} {
// CHECK-NEXT: memref.store %{{.*}}, %{{.*}}[%bx]
func.func @one_dimension(%n: index, %m: memref<?xf32>, %v: f32) {
  tile.launch @m blocks(%bx) in (%n) threads(128) attributes {rasterize = #tile.rasterize<row, 4>} {
    memref.store %v, %m[%bx] : memref<?xf32>
  }
  return
}

// The blocks that are resident at once walk over the tiles in the order of panels;
// buffers are in front of the loop, a negative extent stays one.
// CHECK-LABEL: func @persistent
// CHECK-SAME: (%[[GX:.*]]: index, %[[GY:.*]]: index, %[[M:.*]]: memref
func.func @persistent(%gx: index, %gy: index, %m: memref<?x?xf32>, %v: f32) {
  // CHECK: %[[COUNT:.*]] = tile.sm_count
  // CHECK: %[[TWO:.*]] = arith.constant 2 : index
  // CHECK: %[[RESIDENT:.*]] = arith.muli %[[COUNT]], %[[TWO]] : index
  // CHECK: %[[TILES:.*]] = arith.muli %[[GX]], %[[GY]] : index
  // CHECK: %[[LEAST:.*]] = arith.minsi %[[GX]], %[[GY]] : index
  // CHECK: %[[FEWER:.*]] = arith.minui %[[TILES]], %[[RESIDENT]] : index
  // CHECK: %[[NEGATIVE:.*]] = arith.cmpi slt, %[[LEAST]], %{{.*}} : index
  // CHECK: %[[BLOCKS:.*]] = arith.select %[[NEGATIVE]], %[[LEAST]], %[[FEWER]] : index
  // CHECK: tile.launch @walks blocks(%[[ID:.*]]) in (%[[BLOCKS]]) threads(128) attributes {min_blocks_per_sm = 2 : i64, stage = #tile.stage<logical>} {
  // CHECK: %[[OWN:.*]] = arith.muli %[[GX]], %[[GY]] : index
  // CHECK: tile.alloc
  // CHECK: scf.for %[[TILE:.*]] = %[[ID]] to %[[OWN]] step %[[RESIDENT]] {
  // CHECK: arith.divui %[[TILE]]
  // CHECK: %[[X:.*]] = arith.divui
  // CHECK: memref.store %{{.*}}, %[[M]][%{{.*}}, %[[X]]]
  tile.launch @walks blocks(%bx, %by) in (%gx, %gy) threads(128) attributes {persistent, min_blocks_per_sm = 2, rasterize = #tile.rasterize<row, 4>} {
    %s = tile.alloc : memref<32xf32, #gpu.address_space<workgroup>>
    memref.store %v, %m[%by, %bx] : memref<?x?xf32>
  }
  return
}

// Where one multiprocessor has all tiles resident each has its block.
// CHECK-LABEL: func @few
// CHECK: tile.launch @few blocks(%bx) in (%{{.*}}) threads(128) attributes {min_blocks_per_sm = 4 : i64, stage = #tile.stage<logical>} {
// CHECK-NEXT: memref.store
func.func @few(%m: memref<4xf32>, %v: f32) {
  %c4 = arith.constant 4 : index
  // REMARK: [[#@LINE+1]]:3: remark: [Missed] NotPersistent {{.*}} Function=few {{.*}}a block for each tile: all of its tiles are resident at once on one multiprocessor
  tile.launch @few blocks(%bx) in (%c4) threads(128) attributes {persistent, min_blocks_per_sm = 4} {
    memref.store %v, %m[%bx] : memref<4xf32>
  }
  return
}

// More tiles than that may be more than a device has blocks.
// CHECK-LABEL: func @more
// CHECK: %[[COUNT:.*]] = tile.sm_count
// CHECK: %[[BLOCKS:.*]] = arith.minui %{{.*}}, %{{.*}} : index
// CHECK: tile.launch @more
// CHECK: scf.for
func.func @more(%m: memref<5xf32>, %v: f32) {
  %c5 = arith.constant 5 : index
  tile.launch @more blocks(%bx) in (%c5) threads(128) attributes {persistent, min_blocks_per_sm = 4} {
    memref.store %v, %m[%bx] : memref<5xf32>
  }
  return
}

// Lines that blocks print name the block of the program.
func.func @prints(%n: index) {
  // REMARK: [[#@LINE+1]]:3: remark: [Missed] NotPersistent {{.*}} Function=lines {{.*}}a block for each tile: it prints, and lines name the block of the program
  tile.launch @lines blocks(%bx) in (%n) threads(128) attributes {persistent} {
    tile.print "block" %bx : index
  }
  return
}

// A function without launches is left alone.
// CHECK-LABEL: func @no_launch
// CHECK-NEXT: return
func.func @no_launch(%n: index) {
  return
}

// Loops that go as often in each block count from zero; the bounds of the grid say that
// no sum wraps.
// CHECK-LABEL: func @parts
// CHECK: %[[BEGIN:.*]] = arith.muli %bx
// CHECK: scf.for %[[J:.*]] = %c0{{.*}} to %c256{{.*}} step %c32
// CHECK-NEXT: %[[K:.*]] = arith.addi %[[BEGIN]], %[[J]]
// CHECK: scf.for %[[M:.*]] = %c0{{.*}} to %c32{{.*}} step %c1
// CHECK-NEXT: %[[I:.*]] = arith.addi %[[K]], %[[M]]
// CHECK-NEXT: memref.store %{{.*}}, %{{.*}}[%[[I]]]
// CHECK: memref.store %{{.*}}, %{{.*}}[%[[K]]]
func.func @parts(%m: memref<1024xf32>, %v: f32) {
  %c4 = arith.constant 4 : index
  tile.launch @parts_kernel blocks(%b) in (%c4) threads(32) {
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %c256 = arith.constant 256 : index
    %begin = arith.muli %b, %c256 : index
    %end = arith.addi %begin, %c256 : index
    scf.for %k = %begin to %end step %c32 {
      %next = arith.addi %k, %c32 : index
      scf.for %i = %k to %next step %c1 {
        memref.store %v, %m[%i] : memref<1024xf32>
      }
      memref.store %v, %m[%k] : memref<1024xf32>
    }
  }
  return
}

// Any bound: at the end of the type the loop runs never, where the sum has wrapped.
// Others are apart by what is not known, constant, counted without a sign, or have a
// schedule that says where each of their operations stands.
// CHECK-LABEL: func @as_they_are
// CHECK: scf.for %{{.*}} = %arg0 to
// CHECK: scf.for %{{.*}} = %bx to %arg0
// CHECK: scf.for %{{.*}} = %c1{{.*}} to %c4{{.*}} step
// CHECK: scf.for unsigned %{{.*}} = %bx to
// CHECK: scf.for %{{.*}} = %bx to
// CHECK: return
func.func @as_they_are(%n: index, %m: memref<8xindex>) {
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  tile.launch @as_they_are_kernel blocks(%b) in (%c4) threads(32) {
    %end = arith.addi %n, %c4 : index
    scf.for %k = %n to %end step %c1 {
      memref.store %k, %m[%k] : memref<8xindex>
    }
    scf.for %k = %b to %n step %c1 {
      memref.store %k, %m[%k] : memref<8xindex>
    }
    scf.for %k = %c1 to %c4 step %c1 {
      memref.store %k, %m[%k] : memref<8xindex>
    }
    %last = arith.addi %b, %c4 : index
    scf.for unsigned %k = %b to %last step %c1 {
      memref.store %k, %m[%k] : memref<8xindex>
    }
    scf.for %k = %b to %last step %c1 {
      memref.store %k, %m[%k] {tile.pipeline_stage = 0 : i32, tile.pipeline_order = 0 : i32} : memref<8xindex>
    } {tile.stages = 1 : i32}
  }
  return
}
}
