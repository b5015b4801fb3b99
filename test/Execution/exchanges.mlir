// Data that moves between threads, and accesses that must stay in order: layout
// conversions, reductions across warps, reads of other threads' elements, buffers
// that share bytes, loops that carry memory. The emulator's race checker sees a
// barrier that is missing.
// RUN: tile-run %s --entry=conversion_in_loop --on=emulator --chip=sm_80 --check
// RUN: tile-run %s --entry=conversion_in_loop --on=emulator --chip=sm_90a --check
// RUN: tile-run %s --entry=conversion_before_loop --on=emulator --chip=sm_80 --check --scalar=3:256 "--data=1:integers(0,99)"
// RUN: tile-run %s --entry=conversion_before_loop --on=emulator --chip=sm_80 --check --scalar=3:0 "--data=1:integers(0,99)"
// RUN: tile-run %s --entry=conversion_before_loop --on=emulator --chip=sm_90a --check --scalar=3:256 "--data=1:integers(0,99)"
// RUN: tile-opt %s --emit=ptx --chip=sm_80 | FileCheck %s --check-prefix=BEFORE
// RUN: tile-run %s --entry=argmax_across_warps --on=emulator --chip=sm_80 --check
// RUN: tile-run %s --entry=argmax_across_warps --on=emulator --chip=sm_90a --check
// RUN: tile-run %s --entry=argmax_across_warps --on=emulator --chip=sm_90a --check --seed=7
// RUN: tile-run %s --entry=argmax_across_warps --on=emulator --chip=sm_80 --check --seed=7
// RUN: tile-run %s --entry=half_sum_across_warps --on=emulator --chip=sm_80 --check --data=integers
// RUN: tile-run %s --entry=half_sum_across_warps --on=emulator --chip=sm_90a --check --data=integers
// RUN: tile-run %s --entry=all_dims --on=emulator --chip=sm_80 --check --data=integers
// RUN: tile-run %s --entry=all_dims --on=emulator --chip=sm_90a --check --data=integers
// RUN: tile-run %s --entry=padded_reduction --on=emulator --chip=sm_80 --check --data=integers
// RUN: tile-run %s --entry=padded_reduction --on=emulator --chip=sm_90a --check --data=integers
// RUN: tile-run %s --entry=reversed --on=emulator --chip=sm_80 --check
// RUN: tile-run %s --entry=reversed --on=emulator --chip=sm_90a --check
// RUN: tile-run %s --entry=extract_in_loop --on=emulator --chip=sm_80 --check
// RUN: tile-run %s --entry=extract_in_loop --on=emulator --chip=sm_90a --check
// RUN: tile-run %s --entry=memory_in_loop --on=emulator --chip=sm_80 --check --scalar=1:0
// RUN: tile-run %s --entry=memory_in_loop --on=emulator --chip=sm_90a --check --scalar=1:0
// RUN: tile-run %s --entry=memory_in_loop --on=emulator --chip=sm_80 --check --scalar=1:1
// RUN: tile-run %s --entry=memory_in_loop --on=emulator --chip=sm_90a --check --scalar=1:1
// RUN: tile-run %s --entry=memory_in_loop --on=emulator --chip=sm_80 --check --scalar=1:5
// RUN: tile-run %s --entry=memory_in_loop --on=emulator --chip=sm_90a --check --scalar=1:5
// RUN: tile-run %s --entry=shared_bytes --on=emulator --chip=sm_80 --check --scalar=2:3
// RUN: tile-run %s --entry=shared_bytes --on=emulator --chip=sm_90a --check --scalar=2:3
// RUN: tile-run %s --entry=branches --on=emulator --chip=sm_80 --check --scalar=1:4
// RUN: tile-run %s --entry=branches --on=emulator --chip=sm_90a --check --scalar=1:4
// RUN: tile-run %s --entry=while_on_memory --on=emulator --chip=sm_80 --check --data=0:values(9)
// RUN: tile-run %s --entry=while_on_memory --on=emulator --chip=sm_90a --check --data=0:values(9)
// RUN: tile-run %s --entry=last_block --on=emulator --chip=sm_80 --check --data=integers --data=3:zeros
// RUN: tile-run %s --entry=last_block --on=emulator --chip=sm_90a --check --data=integers --data=3:zeros
// RUN: tile-run %s --entry=rasterized --on=emulator --chip=sm_80 --check --dim=M:9 --dim=N:5
// RUN: tile-run %s --entry=rasterized --on=emulator --chip=sm_90a --check --dim=M:9 --dim=N:5
// RUN: tile-run %s --entry=overlapping_views --on=emulator --chip=sm_80 --check
// RUN: tile-run %s --entry=overlapping_views --on=emulator --chip=sm_90a --check
// RUN: tile-run %s --entry=read_again --on=emulator --chip=sm_80 --check
// RUN: tile-run %s --entry=read_again --on=emulator --chip=sm_90a --check
// RUN: tile-run %s --entry=in_parts --on=emulator --chip=sm_80 --check --check-stages --scalar=4:49999
// RUN: tile-opt %s --emit=report --chip=sm_80 | FileCheck %s --check-prefix=PARTS
#shared = #gpu.address_space<workgroup>

// A row sum spread back over the rows and its transposed copy: two conversions in
// every iteration, each with a fresh buffer.
func.func @conversion_in_loop(%a: memref<64x64xf32>, %o: memref<64x64xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(128) {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %half = arith.constant dense<0.5> : tensor<64x64xf32>
    %t = tile.load %a : memref<64x64xf32> -> tensor<64x64xf32>
    %r = scf.for %i = %c0 to %c3 step %one iter_args(%v = %t) -> (tensor<64x64xf32>) {
      %u = tile.transpose %v [1, 0] : tensor<64x64xf32> -> tensor<64x64xf32>
      %s = arith.addf %u, %v : tensor<64x64xf32>
      %h = arith.mulf %s, %half : tensor<64x64xf32>
      scf.yield %h : tensor<64x64xf32>
    }
    tile.store %r, %o : tensor<64x64xf32>, memref<64x64xf32>
  }
  return
}

// Rows are gathered by one layout of their numbers and scaled by another: these are exchanged
// once, in front of the loop, which meets once an iteration, for its copies.
// BEFORE-LABEL: .entry before_loop_kernel(
// BEFORE: st.shared
// BEFORE: mma.sync
// BEFORE-NOT: st.shared
// BEFORE: {{^}$}}
func.func @conversion_before_loop(%x: memref<100x256xf16>, %names: memref<64xi32>, %y: memref<64x64xf32>, %n: index) {
  %c1 = arith.constant 1 : index
  tile.launch @before_loop_kernel blocks(%b) in (%c1) threads(128) {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %row = tile.load %names[%c0] : memref<64xi32> -> tensor<64xi32>
    %s = tile.alloc : memref<64x64xf16, #shared>
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    %sum = scf.for %k = %c0 to %n step %c64 iter_args(%c = %zero) -> (tensor<64x64xf32>) {
      tile.copy %x[%c0, %k] rows(%row : tensor<64xi32>) dim 0 to %s : memref<100x256xf16> to memref<64x64xf16, #shared>
      %d = tile.gemm %s, %s : memref<64x64xf16, #shared>, memref<64x64xf16, #shared> -> tensor<64x64xf32>
      %scale = arith.sitofp %row : tensor<64xi32> to tensor<64xf32>
      %scales = tile.broadcast %scale dims [1] : tensor<64xf32> -> tensor<64x64xf32>
      %e = arith.mulf %d, %scales : tensor<64x64xf32>
      %next = arith.addf %c, %e : tensor<64x64xf32>
      scf.yield %next : tensor<64x64xf32>
    } {tile.stages = 2 : i32}
    tile.store %sum, %y[%c0, %c0] : tensor<64x64xf32>, memref<64x64xf32>
  }
  return
}

// Value and position of the maximum; the lowest position wins a tie.
func.func @argmax_across_warps(%a: memref<4x512xf32>, %v: memref<4xf32>, %p: memref<4xi32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(256) {
    %t = tile.load %a : memref<4x512xf32> -> tensor<4x512xf32>
    %n = tile.parallel (%i, %j) in (4, 512) -> (tensor<4x512xi32>) {
      %c = arith.index_cast %j : index to i32
      tile.yield %c : i32
    }
    %m, %q = tile.reduce (%t, %n) dims [1] : (tensor<4x512xf32>, tensor<4x512xi32>) -> (tensor<4xf32>, tensor<4xi32>) {
    ^bb0(%va: f32, %ia: i32, %vb: f32, %ib: i32):
      %greater = arith.cmpf ogt, %vb, %va : f32
      %equal = arith.cmpf oeq, %vb, %va : f32
      %before = arith.cmpi slt, %ib, %ia : i32
      %tie = arith.andi %equal, %before : i1
      %take = arith.ori %greater, %tie : i1
      %w = arith.select %take, %vb, %va : f32
      %iw = arith.select %take, %ib, %ia : i32
      tile.yield %w, %iw : f32, i32
    }
    tile.store %m, %v : tensor<4xf32>, memref<4xf32>
    tile.store %q, %p : tensor<4xi32>, memref<4xi32>
  }
  return
}

// 2048 ones and more do not fit f16's significand on the way, only at the end.
func.func @half_sum_across_warps(%a: memref<2048xf16>, %init: memref<1xf16>, %o: memref<1xf16>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(256) {
    %t = tile.load %a : memref<2048xf16> -> tensor<2048xf16>
    %i = tile.load %init : memref<1xf16> -> tensor<1xf16>
    %r = tensor.expand_shape %t [[0, 1]] output_shape [1, 2048] : tensor<2048xf16> into tensor<1x2048xf16>
    %s = tile.reduce <add> %r dims [1] init(%i) : tensor<1x2048xf16> -> tensor<1xf16>
    tile.store %s, %o : tensor<1xf16>, memref<1xf16>
  }
  return
}

func.func @all_dims(%a: memref<48x80xf32>, %o: memref<2xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(128) {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1 : index
    %t = tile.load %a : memref<48x80xf32> -> tensor<48x80xf32>
    %s = tile.reduce <add> %t dims [0, 1] : tensor<48x80xf32> -> tensor<f32>
    %m = tile.reduce <maxnumf> %t dims [0, 1] : tensor<48x80xf32> -> tensor<f32>
    %e = tensor.extract %s[] : tensor<f32>
    %f = tensor.extract %m[] : tensor<f32>
    memref.store %e, %o[%c0] : memref<2xf32>
    memref.store %f, %o[%one] : memref<2xf32>
  }
  return
}

// 1000 columns on 128 threads leave padding, which counts as nothing.
func.func @padded_reduction(%a: memref<2x1000xf32>, %o: memref<2xf32>, %p: memref<2xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(128) {
    %t = tile.load %a : memref<2x1000xf32> -> tensor<2x1000xf32>
    %s = tile.reduce <minimumf> %t dims [1] : tensor<2x1000xf32> -> tensor<2xf32>
    %u = tile.reduce (%t) dims [1] : (tensor<2x1000xf32>) -> (tensor<2xf32>) {
    ^bb0(%l: f32, %r: f32):
      %q = arith.maximumf %l, %r : f32
      tile.yield %q : f32
    }
    tile.store %s, %o : tensor<2xf32>, memref<2xf32>
    tile.store %u, %p : tensor<2xf32>, memref<2xf32>
  }
  return
}

// Elements of other threads, at computed, constant and gathered positions.
func.func @reversed(%a: memref<256xf32>, %n: memref<256xi32>, %o: memref<256xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(128) {
    %c255 = arith.constant 255 : index
    %c17 = arith.constant 17 : index
    %t = tile.load %a : memref<256xf32> -> tensor<256xf32>
    %r = tile.parallel (%i) in (256) -> (tensor<256xf32>) {
      %j = arith.subi %c255, %i : index
      %e = tensor.extract %t[%j] : tensor<256xf32>
      %f = tensor.extract %t[%i] : tensor<256xf32>
      %g = tensor.extract %t[%c17] : tensor<256xf32>
      %s = arith.addf %e, %f : f32
      %u = arith.subf %s, %g : f32
      tile.yield %u : f32
    }
    tile.store %r, %o : tensor<256xf32>, memref<256xf32>
  }
  return
}

// A scalar of the block from a position that changes with the loop, of a fragment
// that changes too.
func.func @extract_in_loop(%a: memref<64xf32>, %o: memref<64xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(64) {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1 : index
    %c5 = arith.constant 5 : index
    %t = tile.load %a : memref<64xf32> -> tensor<64xf32>
    %r = scf.for %i = %c0 to %c5 step %one iter_args(%v = %t) -> (tensor<64xf32>) {
      %e = tensor.extract %v[%i] : tensor<64xf32>
      %s = tensor.splat %e : tensor<64xf32>
      %u = arith.addf %v, %s : tensor<64xf32>
      scf.yield %u : tensor<64xf32>
    }
    tile.store %r, %o : tensor<64xf32>, memref<64xf32>
  }
  return
}

// Each iteration reads in one order what the one before wrote in another, in
// global memory.
func.func @memory_in_loop(%a: memref<32x32xf32>, %n: index) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(128) {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1 : index
    scf.for %i = %c0 to %n step %one {
      %t = tile.load %a : memref<32x32xf32> -> tensor<32x32xf32>
      %u = tile.transpose %t [1, 0] : tensor<32x32xf32> -> tensor<32x32xf32>
      %v = arith.addf %t, %u : tensor<32x32xf32>
      tile.store %v, %a : tensor<32x32xf32>, memref<32x32xf32>
    }
  }
  return
}

// Two buffers of 96 KB that are live one after the other, in a loop.
func.func @shared_bytes(%a: memref<96x256xf32>, %o: memref<96x256xf32>, %n: index) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(256) {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1 : index
    scf.for %i = %c0 to %n step %one {
      %s = tile.alloc : memref<96x256xf32, #shared>
      %t = tile.alloc : memref<96x256xf32, #shared>
      %u = tile.load %a : memref<96x256xf32> -> tensor<96x256xf32>
      tile.store %u, %s : tensor<96x256xf32>, memref<96x256xf32, #shared>
      %v = tile.parallel (%r, %c) in (96, 256) -> (tensor<96x256xf32>) {
        %c95 = arith.constant 95 : index
        %q = arith.subi %c95, %r : index
        %e = memref.load %s[%q, %c] : memref<96x256xf32, #shared>
        tile.yield %e : f32
      }
      tile.store %v, %t : tensor<96x256xf32>, memref<96x256xf32, #shared>
      %w = tile.parallel (%r, %c) in (96, 256) -> (tensor<96x256xf32>) {
        %c255 = arith.constant 255 : index
        %q = arith.subi %c255, %c : index
        %e = memref.load %t[%r, %q] : memref<96x256xf32, #shared>
        tile.yield %e : f32
      }
      tile.store %w, %o : tensor<96x256xf32>, memref<96x256xf32>
    }
  }
  return
}

// Writes in one branch, reads in the other, in turn.
func.func @branches(%a: memref<128xf32>, %n: index, %o: memref<128xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(128) {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1 : index
    %two = arith.constant 2 : index
    %s = tile.alloc : memref<128xf32, #shared>
    %t = tile.load %a : memref<128xf32> -> tensor<128xf32>
    tile.store %t, %s : tensor<128xf32>, memref<128xf32, #shared>
    %r = scf.for %i = %c0 to %n step %one iter_args(%v = %t) -> (tensor<128xf32>) {
      %m = arith.remui %i, %two : index
      %even = arith.cmpi eq, %m, %c0 : index
      %w = scf.if %even -> (tensor<128xf32>) {
        %u = tile.parallel (%j) in (128) -> (tensor<128xf32>) {
          %c127 = arith.constant 127 : index
          %k = arith.subi %c127, %j : index
          %e = memref.load %s[%k] : memref<128xf32, #shared>
          tile.yield %e : f32
        }
        scf.yield %u : tensor<128xf32>
      } else {
        %u = arith.addf %v, %v : tensor<128xf32>
        tile.store %u, %s : tensor<128xf32>, memref<128xf32, #shared>
        scf.yield %u : tensor<128xf32>
      }
      scf.yield %w : tensor<128xf32>
    }
    tile.store %r, %o : tensor<128xf32>, memref<128xf32>
  }
  return
}

// The condition is read from what the body stores.
func.func @while_on_memory(%a: memref<1xi32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(64) {
    %c0 = arith.constant 0 : index
    %zero = arith.constant 0 : i32
    %two = arith.constant 2 : i32
    scf.while : () -> () {
      %v = memref.load %a[%c0] : memref<1xi32>
      %go = arith.cmpi sgt, %v, %zero : i32
      scf.condition(%go)
    } do {
      %v = memref.load %a[%c0] : memref<1xi32>
      %w = arith.subi %v, %two : i32
      memref.store %w, %a[%c0] : memref<1xi32>
      scf.yield
    }
  }
  return
}

// The block that comes last adds up what all have stored.
func.func @last_block(%a: memref<8x128xf32>, %partial: memref<8xf32>, %o: memref<1xf32>, %count: memref<1xi32>) {
  %c8 = arith.constant 8 : index
  tile.launch blocks(%x) in (%c8) threads(128) {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1 : i32
    %seven = arith.constant 7 : i32
    %t = tile.load %a[%x, %c0] [1, 128] : memref<8x128xf32> -> tensor<128xf32>
    %s = tile.reduce <add> %t dims [0] : tensor<128xf32> -> tensor<f32>
    %e = tensor.extract %s[] : tensor<f32>
    memref.store %e, %partial[%x] : memref<8xf32>
    %old = memref.atomic_rmw addi %one, %count[%c0] : (i32, memref<1xi32>) -> i32
    %last = arith.cmpi eq, %old, %seven : i32
    scf.if %last {
      %p = tile.load %partial : memref<8xf32> -> tensor<8xf32>
      %r = tile.reduce <add> %p dims [0] : tensor<8xf32> -> tensor<f32>
      %f = tensor.extract %r[] : tensor<f32>
      memref.store %f, %o[%c0] : memref<1xf32>
    }
  }
  return
}

// Every tile of the grid is visited once, in either order of panels.
func.func @rasterized(%o: memref<?x?xi32> {tile.dims = ["M", "N"]}, %p: memref<?x?xi32> {tile.dims = ["M", "N"]}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.dim %o, %c0 : memref<?x?xi32>
  %n = memref.dim %o, %c1 : memref<?x?xi32>
  tile.launch blocks(%x, %y) in (%n, %m) threads(32) attributes {rasterize = #tile.rasterize<row, 4>} {
    %v = arith.muli %y, %n : index
    %w = arith.addi %v, %x : index
    %i = arith.index_cast %w : index to i32
    %old = memref.atomic_rmw addi %i, %o[%y, %x] : (i32, memref<?x?xi32>) -> i32
  }
  tile.launch blocks(%x, %y) in (%n, %m) threads(32) attributes {rasterize = #tile.rasterize<column, 2>} {
    %v = arith.muli %y, %n : index
    %w = arith.addi %v, %x : index
    %i = arith.index_cast %w : index to i32
    %old = memref.atomic_rmw addi %i, %p[%y, %x] : (i32, memref<?x?xi32>) -> i32
  }
  return
}

// Two views of one argument, of which the store's runs ahead of the load's.
func.func @overlapping_views(%a: memref<160xf32>) {
  %c1 = arith.constant 1 : index
  %u = memref.subview %a[0] [128] [1] : memref<160xf32> to memref<128xf32, strided<[1]>>
  %v = memref.subview %a[29] [128] [1] : memref<160xf32> to memref<128xf32, strided<[1], offset: 29>>
  tile.launch blocks(%x) in (%c1) threads(128) {
    %t = tile.load %u : memref<128xf32, strided<[1]>> -> tensor<128xf32>
    tile.store %t, %v : tensor<128xf32>, memref<128xf32, strided<[1], offset: 29>>
  }
  return
}

// What a thread read before, another has overwritten since: a value must not be
// carried across the barrier in a register, although this thread stores the same
// one elsewhere.
func.func @read_again(%a: memref<16x16xf32>, %o: memref<16x16xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(256) {
    %t = tile.load %a : memref<16x16xf32> -> tensor<16x16xf32>
    tile.parallel (%i, %j) in (16, 16) {
      %e = tensor.extract %t[%i, %j] : tensor<16x16xf32>
      memref.store %e, %a[%j, %i] : memref<16x16xf32>
    }
    %u = tile.load %a : memref<16x16xf32> -> tensor<16x16xf32>
    tile.store %u, %o : tensor<16x16xf32>, memref<16x16xf32>
  }
  return
}

// More bytes than a block of sm_80 has: 180224 change places in parts, and of 200000 only the
// element that is read goes through memory.
// PARTS-LABEL: kernel in_parts_0
// PARTS: memref<{{[0-9]+}}x176xi32
// PARTS: memref<{{[0-9]+}}x176xi32
// PARTS: memref<{{[0-9]+}}x176xi32
// PARTS: memref<1xf32
#parts = #tile.fragment<[256, 176], register = [4 : (0, 1), 11 : (0, 16), 2 : (128, 0)], lane = [4 : (0, 4), 8 : (1, 0)], warp = [16 : (8, 0)]>
#turned_parts = #tile.fragment<[256, 176], register = [4 : (1, 0), 2 : (128, 0), 11 : (0, 16)], lane = [32 : (4, 0)], warp = [16 : (0, 1)]>
func.func @in_parts(%a: memref<256x176xf32>, %o: memref<256x176xf32>, %b: memref<50000xf32>, %e: memref<1xf32>, %i: index) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(512) {
    %c0 = arith.constant 0 : index
    %t = tile.load %a : memref<256x176xf32> -> tensor<256x176xf32, #parts>
    %u = tile.convert_layout %t : tensor<256x176xf32, #parts> to tensor<256x176xf32, #turned_parts>
    tile.store %u, %o : tensor<256x176xf32, #turned_parts>, memref<256x176xf32>
    %v = tile.load %b : memref<50000xf32> -> tensor<50000xf32>
    %w = tensor.extract %v[%i] : tensor<50000xf32>
    memref.store %w, %e[%c0] : memref<1xf32>
  }
  return
}
