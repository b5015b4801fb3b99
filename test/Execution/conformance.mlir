// Each construct of docs/Language.md as a user may write it: views, memrefs that
// flow through control, every rank, rows, iterations, fixed buffers, conversions.
// RUN: tile-run %s --entry=strided --on=emulator --chip=sm_80 --check
// RUN: tile-run %s --entry=strided --on=reference --check-stages
// RUN: tile-run %s --entry=host_views --on=emulator --chip=sm_90a --check --shape=0:64x48 --scalar=2:5
// RUN: tile-run %s --entry=host_views --on=reference --check-stages --shape=0:64x48 --scalar=2:5
// RUN: tile-run %s --entry=shared_views --on=emulator --chip=sm_80 --check --scalar=2:5
// RUN: tile-run %s --entry=shared_views --on=reference --check-stages --scalar=2:5
// RUN: tile-run %s --entry=clip --on=emulator --chip=sm_80 --check --scalar=2:5 --scalar=3:9
// RUN: tile-run %s --entry=clip --on=emulator --chip=sm_80 --check --scalar=2:0 --scalar=3:0
// RUN: tile-run %s --entry=clip --on=reference --check-stages --scalar=2:0 --scalar=3:0
// RUN: tile-run %s --entry=host_loop --on=emulator --chip=sm_80 --check --shape=0:40x40 --shape=1:40x40 --scalar=2:3
// RUN: tile-run %s --entry=host_loop --on=reference --check-stages --shape=0:40x40 --shape=1:40x40 --scalar=2:3
// RUN: tile-run %s --entry=host_while --on=emulator --chip=sm_90a --check --scalar=1:3
// RUN: tile-run %s --entry=host_while --on=reference --check-stages --scalar=1:3
// RUN: tile-run %s --entry=chosen_memrefs --on=emulator --chip=sm_80 --check --scalar=3:3
// RUN: tile-run %s --entry=chosen_memrefs --on=emulator --chip=sm_90a --check --scalar=3:0
// RUN: tile-run %s --entry=chosen_memrefs --on=reference --check-stages --scalar=3:0
// RUN: tile-run %s --entry=ranks --on=emulator --chip=sm_80 --check
// RUN: tile-run %s --entry=ranks --on=reference --check-stages
// RUN: tile-run %s --entry=welford --on=emulator --chip=sm_80 --check
// RUN: tile-run %s --entry=welford --on=reference --check-stages
// RUN: tile-run %s --entry=rows --on=emulator --chip=sm_90a --check --data=1:perm --data=3:values(1,1,3,-1,70,0,2,2)
// RUN: tile-run %s --entry=rows --on=reference --check-stages --data=1:perm --data=3:values(1,1,3,-1,70,0,2,2)
// RUN: tile-run %s --entry=may_alias --on=emulator --chip=sm_80 --check --alias=1:0
// RUN: tile-run %s --entry=may_alias --on=reference --check-stages --alias=1:0
// RUN: tile-run %s --entry=iterations --on=emulator --chip=sm_80 --check --data=2:perm --data=3:integers(0,4) --scalar=5:3
// RUN: tile-run %s --entry=iterations --on=reference --check-stages --data=2:perm --data=3:integers(0,4) --scalar=5:3
// RUN: tile-run %s --entry=results --on=emulator --chip=sm_90a --check
// RUN: tile-run %s --entry=results --on=reference --check-stages
// RUN: tile-run %s --entry=fixed_buffers --on=emulator --chip=sm_80 --check
// RUN: tile-run %s --entry=fixed_buffers --on=reference --check-stages
// RUN: tile-run %s --entry=bitcast --on=emulator --chip=sm_80 --check --data=0:integers(0,100)
// RUN: tile-run %s --entry=bitcast --on=reference --check-stages --data=0:integers(0,100)
// RUN: tile-run %s --entry=float_chain --on=emulator --chip=sm_90a --check --data=0:normal(0,100)
// RUN: tile-run %s --entry=float_chain --on=reference --check-stages --data=0:normal(0,100)
// RUN: tile-run %s --entry=captured --on=emulator --chip=sm_80 --check --scalar=1:2.5 --scalar=2:true --scalar=3:-7 --scalar=4:123456789012 --scalar=5:1.25 --scalar=6:-3 --scalar=7:9
// RUN: tile-run %s --entry=captured --on=reference --check-stages --scalar=1:2.5 --scalar=2:true --scalar=3:-7 --scalar=4:123456789012 --scalar=5:1.25 --scalar=6:-3 --scalar=7:9
// RUN: tile-run %s --entry=stages --on=emulator --chip=sm_80 --check --scalar=2:0
// RUN: tile-run %s --entry=stages --on=emulator --chip=sm_80 --check --scalar=2:3
// RUN: tile-run %s --entry=stages --on=reference --check-stages --scalar=2:3
// RUN: tile-run %s --entry=index_elements --on=emulator --chip=sm_80 --check --data=0:integers(-3,3)
// RUN: tile-run %s --entry=index_elements --on=reference --check-stages --data=0:integers(-3,3)
// RUN: tile-run %s --entry=f8_mix --on=emulator --chip=sm_80 --check
// RUN: tile-run %s --entry=f8_mix --on=emulator --chip=sm_90a --check
// RUN: tile-run %s --entry=f8_to_f16 --on=emulator --chip=sm_80 --check
// RUN: tile-run %s --entry=f8_to_f16 --on=emulator --chip=sm_90a --check
#shared = #gpu.address_space<workgroup>

// Strided and offset memrefs, columns first, negative starts.
func.func @strided(%a: memref<64x64xf32, strided<[100, 1], offset: 3>>, %b: memref<64x64xf32, strided<[1, 70]>>, %o: memref<32x32xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(64) {
    %c40 = arith.constant 40 : index
    %m3 = arith.constant -3 : index
    %s = tile.alloc : memref<32x32xf32, #shared>
    tile.copy %a[%c40, %m3] to %s : memref<64x64xf32, strided<[100, 1], offset: 3>> to memref<32x32xf32, #shared>
    %t = tile.load %b[%m3, %c40] : memref<64x64xf32, strided<[1, 70]>> -> tensor<32x32xf32>
    %u = tile.load %s : memref<32x32xf32, #shared> -> tensor<32x32xf32>
    %v = arith.addf %t, %u : tensor<32x32xf32>
    tile.store %v, %o : tensor<32x32xf32>, memref<32x32xf32>
    tile.store %v, %b[%m3, %m3] : tensor<32x32xf32>, memref<64x64xf32, strided<[1, 70]>>
  }
  return
}

// Views made on the host.
func.func @host_views(%a: memref<?x?xf32>, %o: memref<64x48xf32>, %n: index) {
  %c1 = arith.constant 1 : index
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %m = memref.dim %a, %c0 : memref<?x?xf32>
  %k = memref.dim %a, %c1 : memref<?x?xf32>
  %h = arith.divsi %m, %c2 : index
  %sv = memref.subview %a[%n, 3] [%h, 32] [1, 1] : memref<?x?xf32> to memref<?x32xf32, strided<[?, 1], offset: ?>>
  %sv2 = memref.subview %a[0, 0] [%h, 10] [2, 3] : memref<?x?xf32> to memref<?x10xf32, strided<[?, 3]>>
  %rc = memref.reinterpret_cast %a to offset: [%n], sizes: [10, 16], strides: [2, 1] : memref<?x?xf32> to memref<10x16xf32, strided<[2, 1], offset: ?>>
  %cc = memref.cast %a : memref<?x?xf32> to memref<64x48xf32>
  %col = memref.collapse_shape %cc [[0, 1]] : memref<64x48xf32> into memref<3072xf32>
  %exp = memref.expand_shape %col [[0, 1, 2]] output_shape [16, 4, 48] : memref<3072xf32> into memref<16x4x48xf32>
  tile.launch blocks(%x) in (%c1) threads(64) {
    %z = arith.constant 0 : index
    %z2 = arith.constant 2 : index
    %z20 = arith.constant 20 : index
    %t = tile.load %sv[%z, %z] : memref<?x32xf32, strided<[?, 1], offset: ?>> -> tensor<16x16xf32>
    tile.store %t, %o[%z, %z] : tensor<16x16xf32>, memref<64x48xf32>
    %t2 = tile.load %sv2[%z20, %z] : memref<?x10xf32, strided<[?, 3]>> -> tensor<16x16xf32>
    tile.store %t2, %o[%z20, %z] : tensor<16x16xf32>, memref<64x48xf32>
    %t3 = tile.load %rc : memref<10x16xf32, strided<[2, 1], offset: ?>> -> tensor<10x16xf32>
    tile.store %t3, %o[%z, %z20] : tensor<10x16xf32>, memref<64x48xf32>
    %t4 = tile.load %exp[%z2, %z, %z2] [16, 1, 16] : memref<16x4x48xf32> -> tensor<16x16xf32>
    tile.store %t4, %o[%z20, %z20] : tensor<16x16xf32>, memref<64x48xf32>
    %c50 = arith.constant 50 : index
    %t5 = tile.load %col[%z20] : memref<3072xf32> -> tensor<30xf32>
    tile.store %t5, %o[%c50, %z2] [1, 30] : tensor<30xf32>, memref<64x48xf32>
  }
  return
}

// Views of buffers, strided and with an offset from a scalar.
func.func @shared_views(%a: memref<64x48xf32>, %o: memref<64x48xf32>, %n: index) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(64) {
    %c0 = arith.constant 0 : index
    %c3 = arith.constant 3 : index
    %c16 = arith.constant 16 : index
    %c40 = arith.constant 40 : index
    %s = tile.alloc : memref<64x48xf32, #shared>
    tile.copy %a to %s : memref<64x48xf32> to memref<64x48xf32, #shared>
    %v1 = memref.subview %s[8, 4] [16, 16] [1, 1] : memref<64x48xf32, #shared> to memref<16x16xf32, strided<[48, 1], offset: 388>, #shared>
    %v2 = memref.subview %s[%n, 0] [16, 24] [2, 2] : memref<64x48xf32, #shared> to memref<16x24xf32, strided<[96, 2], offset: ?>, #shared>
    %v3 = memref.subview %s[%n, 0] [1, 48] [1, 1] : memref<64x48xf32, #shared> to memref<48xf32, strided<[1], offset: ?>, #shared>
    %v4 = memref.collapse_shape %s [[0, 1]] : memref<64x48xf32, #shared> into memref<3072xf32, #shared>
    %v5 = memref.expand_shape %s [[0, 1], [2]] output_shape [4, 16, 48] : memref<64x48xf32, #shared> into memref<4x16x48xf32, #shared>
    %v6 = memref.subview %v5[2, 3, 0] [1, 8, 8] [1, 1, 1] : memref<4x16x48xf32, #shared> to memref<8x8xf32, strided<[48, 1], offset: 1680>, #shared>
    tile.copy %v1 to %o[%c3, %c0] : memref<16x16xf32, strided<[48, 1], offset: 388>, #shared> to memref<64x48xf32>
    tile.copy %v2[%c0, %c0] [16, 16] to %o[%c40, %c0] : memref<16x24xf32, strided<[96, 2], offset: ?>, #shared> to memref<64x48xf32>
    %t = tile.load %v3 : memref<48xf32, strided<[1], offset: ?>, #shared> -> tensor<48xf32>
    tile.store %t, %o[%c0, %c0] [1, 48] : tensor<48xf32>, memref<64x48xf32>
    %q = tile.load %v4[%c40] : memref<3072xf32, #shared> -> tensor<16xf32>
    tile.store %q, %v6[%c3, %c0] [1, 16] : tensor<16xf32>, memref<8x8xf32, strided<[48, 1], offset: 1680>, #shared>
    tile.store %q, %v5[%c3, %c3, %c16] [1, 1, 16] : tensor<16xf32>, memref<4x16x48xf32, #shared>
    %e = memref.load %v6[%c3, %c3] : memref<8x8xf32, strided<[48, 1], offset: 1680>, #shared>
    memref.store %e, %o[%c0, %n] : memref<64x48xf32>
    %w = tile.load %v5[%c3, %c0, %c0] [1, 16, 16] : memref<4x16x48xf32, #shared> -> tensor<16x16xf32>
    tile.store %w, %o[%c40, %c16] : tensor<16x16xf32>, memref<64x48xf32>
    %u = tile.load %v5[%c3, %c0, %c3] [1, 12, 16] : memref<4x16x48xf32, #shared> -> tensor<12x16xf32>
    tile.store %u, %o[%c3, %c16] : tensor<12x16xf32>, memref<64x48xf32>
  }
  return
}

// A view that clips to a range; empty too.
func.func @clip(%a: memref<64x48xf32>, %o: memref<64x48xf32>, %n: index, %len: index) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(64) {
    %c0 = arith.constant 0 : index
    %v = memref.subview %a[%n, 0] [%len, 48] [1, 1] : memref<64x48xf32> to memref<?x48xf32, strided<[48, 1], offset: ?>>
    %w = memref.subview %o[%n, 0] [%len, 48] [1, 1] : memref<64x48xf32> to memref<?x48xf32, strided<[48, 1], offset: ?>>
    %s = tile.alloc : memref<32x48xf32, #shared>
    tile.copy %v[%c0, %c0] to %s : memref<?x48xf32, strided<[48, 1], offset: ?>> to memref<32x48xf32, #shared>
    tile.copy %s to %w[%c0, %c0] : memref<32x48xf32, #shared> to memref<?x48xf32, strided<[48, 1], offset: ?>>
  }
  return
}

// Memrefs carried by a loop of launches.
func.func @host_loop(%a: memref<?x?xf32>, %o: memref<?x?xf32>, %n: index) {
  %c1 = arith.constant 1 : index
  %c0 = arith.constant 0 : index
  %m = memref.dim %a, %c0 : memref<?x?xf32>
  %k = memref.dim %a, %c1 : memref<?x?xf32>
  %tmp = memref.alloc(%m, %k) : memref<?x?xf32>
  %tmp2 = memref.alloc(%m, %k) : memref<?x?xf32>
  memref.copy %a, %tmp : memref<?x?xf32> to memref<?x?xf32>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%p = %tmp, %q = %tmp2) -> (memref<?x?xf32>, memref<?x?xf32>) {
    %fi = arith.index_cast %i : index to i32
    %ff = arith.sitofp %fi : i32 to f32
    tile.launch blocks(%x, %y) in (%m, %c1) threads(32) {
      %z = arith.constant 0 : index
      %t = tile.load %p[%x, %z] [1, 64] : memref<?x?xf32> -> tensor<64xf32>
      %s = tensor.splat %ff : tensor<64xf32>
      %u = arith.addf %t, %s : tensor<64xf32>
      tile.store %u, %q[%x, %z] [1, 64] : tensor<64xf32>, memref<?x?xf32>
    }
    scf.yield %q, %p : memref<?x?xf32>, memref<?x?xf32>
  }
  %cond = arith.cmpi sgt, %n, %c1 : index
  scf.if %cond {
    memref.copy %r#0, %o : memref<?x?xf32> to memref<?x?xf32>
  } else {
    memref.copy %a, %o : memref<?x?xf32> to memref<?x?xf32>
  }
  memref.dealloc %tmp : memref<?x?xf32>
  memref.dealloc %tmp2 : memref<?x?xf32>
  return
}

// A while loop of launches that carries a memref.
func.func @host_while(%o: memref<8xf32>, %n: index) {
  %c1 = arith.constant 1 : index
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.5 : f32
  %r:3 = scf.while (%i = %c0, %m = %o, %v = %one) : (index, memref<8xf32>, f32) -> (index, memref<8xf32>, f32) {
    %c = arith.cmpi slt, %i, %n : index
    scf.condition(%c) %i, %m, %v : index, memref<8xf32>, f32
  } do {
  ^bb0(%i: index, %m: memref<8xf32>, %v: f32):
    %w = math.exp %v : f32
    tile.launch blocks(%x) in (%c1) threads(32) {
      %s = tensor.splat %w : tensor<8xf32>
      %t = tile.load %m : memref<8xf32> -> tensor<8xf32>
      %u = arith.addf %s, %t : tensor<8xf32>
      tile.store %u, %m : tensor<8xf32>, memref<8xf32>
    }
    %j = arith.addi %i, %c1 : index
    %h = arith.constant 0.5 : f32
    %w2 = arith.mulf %v, %h : f32
    scf.yield %j, %m, %w2 : index, memref<8xf32>, f32
  }
  return
}

// Memrefs chosen by select, loops and conditions in a launch.
func.func @chosen_memrefs(%a: memref<64xf32>, %b: memref<64xf32>, %o: memref<64xf32>, %n: index) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(32) {
    %c0 = arith.constant 0 : index
    %cc1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c = arith.cmpi sgt, %n, %c0 : index
    %m = arith.select %c, %a, %b : memref<64xf32>
    %r:2 = scf.for %i = %c0 to %c4 step %cc1 iter_args(%p = %m, %q = %o) -> (memref<64xf32>, memref<64xf32>) {
      %t = tile.load %p : memref<64xf32> -> tensor<64xf32>
      %u = tile.load %q : memref<64xf32> -> tensor<64xf32>
      %w = arith.addf %t, %u : tensor<64xf32>
      tile.store %w, %q : tensor<64xf32>, memref<64xf32>
      scf.yield %q, %p : memref<64xf32>, memref<64xf32>
    }
    %w:2 = scf.while (%i = %c0, %mm = %r#0) : (index, memref<64xf32>) -> (index, memref<64xf32>) {
      %cnd = arith.cmpi slt, %i, %n : index
      scf.condition(%cnd) %i, %mm : index, memref<64xf32>
    } do {
    ^bb0(%i: index, %mm: memref<64xf32>):
      %t = tile.load %mm : memref<64xf32> -> tensor<64xf32>
      %u = arith.addf %t, %t : tensor<64xf32>
      tile.store %u, %mm : tensor<64xf32>, memref<64xf32>
      %j = arith.addi %i, %cc1 : index
      scf.yield %j, %mm : index, memref<64xf32>
    }
    %k = scf.if %c -> (memref<64xf32>) { scf.yield %w#1 : memref<64xf32> } else { scf.yield %b : memref<64xf32> }
    %sv = memref.subview %k[0] [32] [2] : memref<64xf32> to memref<32xf32, strided<[2]>>
    %t = tile.load %sv : memref<32xf32, strided<[2]>> -> tensor<32xf32>
    %u = arith.mulf %t, %t : tensor<32xf32>
    tile.store %u, %sv : tensor<32xf32>, memref<32xf32, strided<[2]>>
  }
  return
}

// Fragments of rank 0 to 5.
func.func @ranks(%a0: memref<f32>, %a4: memref<3x5x4x7xf32>, %o0: memref<f32>, %o4: memref<4x7x3x5xf32>, %o5: memref<2x3x5x4x7xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(64) {
    %c0 = arith.constant 0 : index
    %t0 = tile.load %a0 : memref<f32> -> tensor<f32>
    %u0 = arith.addf %t0, %t0 : tensor<f32>
    tile.store %u0, %o0[] : tensor<f32>, memref<f32>
    %e = tensor.extract %u0[] : tensor<f32>
    %s0 = tile.alloc : memref<f32, #shared>
    tile.copy %a0 to %s0 : memref<f32> to memref<f32, #shared>
    %l = memref.load %s0[] : memref<f32, #shared>
    %sum = arith.addf %e, %l : f32
    memref.store %sum, %o0[] : memref<f32>
    %t4 = tile.load %a4 : memref<3x5x4x7xf32> -> tensor<3x5x4x7xf32>
    %tt = tile.transpose %t4 [2, 3, 0, 1] : tensor<3x5x4x7xf32> -> tensor<4x7x3x5xf32>
    tile.store %tt, %o4 : tensor<4x7x3x5xf32>, memref<4x7x3x5xf32>
    %b = tile.broadcast %t4 dims [0] : tensor<3x5x4x7xf32> -> tensor<2x3x5x4x7xf32>
    tile.store %b, %o5 : tensor<2x3x5x4x7xf32>, memref<2x3x5x4x7xf32>
    %bb = tile.broadcast %u0 dims [0, 1] : tensor<f32> -> tensor<4x7xf32>
    tile.store %bb, %o4[%c0, %c0, %c0, %c0] [4, 7, 1, 1] : tensor<4x7xf32>, memref<4x7x3x5xf32>
  }
  return
}

// Three values and a combiner, with initial values.
func.func @welford(%a: memref<16x96xf32>, %om: memref<16xf32>, %ov: memref<16xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(128) {
    %x0 = tile.load %a : memref<16x96xf32> -> tensor<16x96xf32>
    %m2 = arith.constant dense<0.0> : tensor<16x96xf32>
    %n = arith.constant dense<1.0> : tensor<16x96xf32>
    %im = arith.constant dense<0.0> : tensor<16xf32>
    %iv = arith.constant dense<0.0> : tensor<16xf32>
    %in = arith.constant dense<0.0> : tensor<16xf32>
    %mean, %v, %cnt = tile.reduce (%x0, %m2, %n) dims [1] init(%im, %iv, %in) : (tensor<16x96xf32>, tensor<16x96xf32>, tensor<16x96xf32>) -> (tensor<16xf32>, tensor<16xf32>, tensor<16xf32>) {
    ^bb0(%ma: f32, %va: f32, %na: f32, %mb: f32, %vb: f32, %nb: f32):
      %nn = arith.addf %na, %nb : f32
      %d = arith.subf %mb, %ma : f32
      %one = arith.constant 1.0 : f32
      %nz = arith.maximumf %nn, %one : f32
      %fr = arith.divf %nb, %nz : f32
      %dm = arith.mulf %d, %fr : f32
      %m = arith.addf %ma, %dm : f32
      %dd = arith.mulf %d, %dm : f32
      %w = arith.mulf %dd, %na : f32
      %vs = arith.addf %va, %vb : f32
      %vv = arith.addf %vs, %w : f32
      tile.yield %m, %vv, %nn : f32, f32, f32
    }
    tile.store %mean, %om : tensor<16xf32>, memref<16xf32>
    tile.store %v, %ov : tensor<16xf32>, memref<16xf32>
  }
  return
}

// Gathered and scattered rows on each kind of access.
func.func @rows(%a: memref<64x32xf32>, %rows: memref<64xi32>, %o: memref<64x32xf32>, %r8: memref<8xi32>, %g: memref<64x32xf32>, %o2: memref<40x64xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(64) {
    %c0 = arith.constant 0 : index
    %m2 = arith.constant -2 : index
    %c3 = arith.constant 3 : index
    %r = tile.load %rows[%c0] : memref<64xi32> -> tensor<16xi32>
    %rr = tile.load %r8 : memref<8xi32> -> tensor<8xi32>
    %pad = arith.constant 9.0 : f32
    %ri = tile.parallel (%i) in (8) -> (tensor<8xi32>) { %k = arith.index_cast %i : index to i32 %k2 = arith.addi %k, %k : i32 tile.yield %k2 : i32 }
    %s = tile.alloc : memref<8x24xf32, #shared>
    tile.copy %a[%m2, %c3] rows(%rr : tensor<8xi32>) dim 0 pad(%pad) to %s : memref<64x32xf32> to memref<8x24xf32, #shared>
    tile.copy %s to %o[%c3, %c3] rows(%ri : tensor<8xi32>) dim 0 : memref<8x24xf32, #shared> to memref<64x32xf32>
    %t = tile.load %a[%c0, %m2] rows(%rr : tensor<8xi32>) dim 1 : memref<64x32xf32> -> tensor<16x8xf32>
    tile.atomic_rmw addf %t, %g[%m2, %c0] rows(%r : tensor<16xi32>) dim 0 : tensor<16x8xf32>, memref<64x32xf32>
    tile.atomic_rmw addf %t, %g[%c3, %c3] rows(%rr : tensor<8xi32>) dim 1 : tensor<16x8xf32>, memref<64x32xf32>
    tile.store %t, %o2[%m2, %c0] rows(%r : tensor<16xi32>) dim 0 in_bounds [false, true] : tensor<16x8xf32>, memref<40x64xf32>
  }
  return
}

// One buffer as two arguments.
func.func @may_alias(%a: memref<64xf32> {tile.may_alias}, %o: memref<64xf32> {tile.may_alias}) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(64) {
    %t = tile.load %a : memref<64xf32> -> tensor<64xf32>
    %u = arith.addf %t, %t : tensor<64xf32>
    tile.store %u, %o : tensor<64xf32>, memref<64xf32>
    %v = tile.load %a : memref<64xf32> -> tensor<64xf32>
    %w = arith.addf %v, %u : tensor<64xf32>
    tile.store %w, %o : tensor<64xf32>, memref<64xf32>
  }
  return
}

// Loops, conditions, gathers, scatters and atomics within iterations.
func.func @iterations(%a: memref<64x64xf32>, %o: memref<64x64xf32>, %p: memref<64xi32>, %n: memref<64xi32>, %h: memref<8xi32>, %k: index) {
  %c1 = arith.constant 1 : index
  %cst = arith.constant 2.5 : f32
  tile.launch blocks(%x) in (%c1) threads(96) {
    %c0 = arith.constant 0 : index
    %k1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %f = tile.load %a : memref<64x64xf32> -> tensor<64x64xf32>
    %s = tile.alloc : memref<64xf32, #shared>
    tile.parallel (%i) in (64) {
      %pi = memref.load %p[%i] : memref<64xi32>
      %q = arith.index_cast %pi : i32 to index
      %e = memref.load %a[%q, %i] : memref<64x64xf32>
      %m = memref.load %n[%i] : memref<64xi32>
      %mi = arith.index_cast %m : i32 to index
      %r = scf.for %j = %c0 to %mi step %k1 iter_args(%v = %e) -> (f32) {
        %g = tensor.extract %f[%j, %q] : tensor<64x64xf32>
        %w = arith.addf %v, %g : f32
        scf.yield %w : f32
      }
      %two = arith.constant 2 : index
      %cnd = arith.cmpi sgt, %mi, %two : index
      %z = scf.if %cnd -> (f32) {
        %u = arith.mulf %r, %cst : f32
        scf.yield %u : f32
      } else {
        scf.yield %r : f32
      }
      memref.store %z, %s[%q] : memref<64xf32, #shared>
      %t = memref.load %s[%q] : memref<64xf32, #shared>
      memref.store %t, %o[%q, %k] : memref<64x64xf32>
      %five = arith.constant 8 : index
      %b = arith.remui %i, %five : index
      %one = arith.constant 1 : i32
      %old = memref.atomic_rmw addi %one, %h[%b] : (i32, memref<8xi32>) -> i32
      %d = memref.dim %o, %c0 : memref<64x64xf32>
      %w:2 = scf.while (%aa = %i, %bb = %t) : (index, f32) -> (index, f32) {
        %cc = arith.cmpi slt, %aa, %d : index
        scf.condition(%cc) %aa, %bb : index, f32
      } do {
      ^bb0(%aa: index, %bb: f32):
        %n2 = arith.addi %aa, %five : index
        %h2 = arith.mulf %bb, %cst : f32
        scf.yield %n2, %h2 : index, f32
      }
      %lg = math.absf %w#1 : f32
      memref.store %lg, %o[%i, %c0] : memref<64x64xf32>
    }
    %v = tile.load %s : memref<64xf32, #shared> -> tensor<64xf32>
    %k1b = arith.constant 5 : index
    tile.store %v, %o[%k1b, %k1] [1, 64] : tensor<64xf32>, memref<64x64xf32>
  }
  return
}

// Several results of different types; rank 4.
func.func @results(%o: memref<7x5x3xf32>, %oi: memref<7x5x3xindex>, %ob: memref<7x5x3xi1>, %o4: memref<3x3x3x3xi64>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(64) {
    %a, %b, %c = tile.parallel (%i, %j, %k) in (7, 5, 3) -> (tensor<7x5x3xf32>, tensor<7x5x3xindex>, tensor<7x5x3xi1>) {
      %s = arith.addi %i, %j : index
      %t = arith.muli %s, %k : index
      %u = arith.index_cast %t : index to i32
      %f = arith.sitofp %u : i32 to f32
      %c3 = arith.constant 3 : index
      %m = arith.cmpi ult, %t, %c3 : index
      tile.yield %f, %t, %m : f32, index, i1
    } 
    tile.store %a, %o : tensor<7x5x3xf32>, memref<7x5x3xf32>
    tile.store %b, %oi : tensor<7x5x3xindex>, memref<7x5x3xindex>
    tile.store %c, %ob : tensor<7x5x3xi1>, memref<7x5x3xi1>
    %d = tile.parallel (%i, %j, %k, %l) in (3, 3, 3, 3) -> (tensor<3x3x3x3xi64>) attributes {coalesced_width = 1} {
      %s = arith.addi %i, %j : index
      %t = arith.muli %s, %k : index
      %w = arith.subi %t, %l : index
      %u = arith.index_cast %w : index to i64
      tile.yield %u : i64
    }
    tile.store %d, %o4 : tensor<3x3x3x3xi64>, memref<3x3x3x3xi64>
  }
  return
}

// Every form of a shared layout that is fixed by hand.
func.func @fixed_buffers(%a: memref<32x128xf16>, %o: memref<32x128xf16>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(64) {
    %s1 = tile.alloc layout(#tile.shared<[32, 128], offset = [64 : (0, 1), 32 : (1, 0), 2 : (0, 64)], xor = [3, 4, 3]>) : memref<32x128xf16, #shared>
    tile.copy %a to %s1 : memref<32x128xf16> to memref<32x128xf16, #shared>
    %s2 = tile.alloc layout(#tile.shared<[32, 128], order = [1, 0], swizzle = 64>) : memref<32x128xf16, #shared>
    tile.copy %s1 to %s2 : memref<32x128xf16, #shared> to memref<32x128xf16, #shared>
    %s3 = tile.alloc layout(#tile.shared<[32, 128], pad = 8>) alignment(256) : memref<32x128xf16, #shared>
    tile.copy %s2 to %s3 : memref<32x128xf16, #shared> to memref<32x128xf16, #shared>
    %s4 = tile.alloc layout(#tile.shared<[32, 128], order = [0, 1]>) : memref<32x128xf16, #shared>
    tile.copy %s3 to %s4 : memref<32x128xf16, #shared> to memref<32x128xf16, #shared>
    %s5 = tile.alloc layout(#tile.shared<[32, 128], order = [0, 1], swizzle = 32>) : memref<32x128xf16, #shared>
    tile.copy %s4 to %s5 : memref<32x128xf16, #shared> to memref<32x128xf16, #shared>
    %s6 = tile.alloc layout(#tile.shared<[32, 128], offset = [128 : (0, 1), 32 : (1, 0) weight 136]>) : memref<32x128xf16, #shared>
    tile.copy %s5 to %s6 : memref<32x128xf16, #shared> to memref<32x128xf16, #shared>
    %s7 = tile.alloc layout(#tile.shared<[32, 128]>) : memref<32x128xf16, #shared>
    tile.copy %s6 to %s7 : memref<32x128xf16, #shared> to memref<32x128xf16, #shared>
    %s8 = tile.alloc layout(#tile.shared<[32, 128], swizzle = 128>) : memref<32x128xf16, #shared>
    tile.copy %s7 to %s8 : memref<32x128xf16, #shared> to memref<32x128xf16, #shared>
    %c16 = arith.constant 16 : index
    %c64 = arith.constant 64 : index
    %v = memref.subview %s8[16, 64] [16, 64] [1, 1] : memref<32x128xf16, #shared> to memref<16x64xf16, strided<[128, 1], offset: 2112>, #shared>
    %t = tile.load %v : memref<16x64xf16, strided<[128, 1], offset: 2112>, #shared> -> tensor<16x64xf16>
    tile.store %t, %s8 [%c16, %c64] : tensor<16x64xf16>, memref<32x128xf16, #shared>
    tile.copy %s8 to %o : memref<32x128xf16, #shared> to memref<32x128xf16>
  }
  return
}

// Elements of another width.
func.func @bitcast(%x: memref<64x64xi8>, %y: memref<64x32xi16>, %z: memref<64x128xi8>, %w: memref<64x64xf32>, %v: memref<64x32xi64>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(64) {
    %t = tile.load %x : memref<64x64xi8> -> tensor<64x64xi8>
    %u = tile.bitcast %t : tensor<64x64xi8> -> tensor<64x32xi16>
    tile.store %u, %y : tensor<64x32xi16>, memref<64x32xi16>
    %f = tile.load %w : memref<64x64xf32> -> tensor<64x64xf32>
    %g = tile.bitcast %f : tensor<64x64xf32> -> tensor<64x32xi64>
    tile.store %g, %v : tensor<64x32xi64>, memref<64x32xi64>
    %h = tile.bitcast %t : tensor<64x64xi8> -> tensor<64x64xf8E5M2>
    %hh = arith.extf %h : tensor<64x64xf8E5M2> to tensor<64x64xf32>
    %k = tile.bitcast %hh : tensor<64x64xf32> -> tensor<64x128xi16>
    %kk = arith.trunci %k : tensor<64x128xi16> to tensor<64x128xi8>
    tile.store %kk, %z : tensor<64x128xi8>, memref<64x128xi8>
  }
  return
}

// Chains of float conversions; an integer reaches f8 through f32.
func.func @float_chain(%a: memref<64xf32>, %o: memref<64xf32>, %o2: memref<64xf64>, %o3: memref<64xi8>, %o4: memref<64xf8E4M3FN>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(64) {
    %t = tile.load %a : memref<64xf32> -> tensor<64xf32>
    %1 = arith.truncf %t : tensor<64xf32> to tensor<64xf8E4M3FN>
    %2 = arith.extf %1 : tensor<64xf8E4M3FN> to tensor<64xf16>
    %3 = arith.extf %2 : tensor<64xf16> to tensor<64xf64>
    %4 = arith.truncf %3 : tensor<64xf64> to tensor<64xbf16>
    %5 = arith.extf %4 : tensor<64xbf16> to tensor<64xf32>
    %6 = arith.truncf %3 : tensor<64xf64> to tensor<64xf8E5M2>
    %7 = arith.extf %6 : tensor<64xf8E5M2> to tensor<64xf64>
    %8 = arith.addf %7, %3 : tensor<64xf64>
    tile.store %5, %o : tensor<64xf32>, memref<64xf32>
    tile.store %8, %o2 : tensor<64xf64>, memref<64xf64>
    %9 = arith.fptosi %t : tensor<64xf32> to tensor<64xi64>
    %10 = arith.sitofp %9 : tensor<64xi64> to tensor<64xf16>
    %11 = arith.fptosi %10 : tensor<64xf16> to tensor<64xi32>
    %12 = arith.trunci %11 : tensor<64xi32> to tensor<64xi8>
    tile.store %12, %o3 : tensor<64xi8>, memref<64xi8>
    %13 = arith.uitofp %12 : tensor<64xi8> to tensor<64xbf16>
    %14 = arith.truncf %13 : tensor<64xbf16> to tensor<64xf8E4M3FN>
    %m = arith.cmpi sgt, %12, %12 : tensor<64xi8>
    %15 = arith.select %m, %1, %14 : tensor<64xi1>, tensor<64xf8E4M3FN>
    tile.store %15, %o4 : tensor<64xf8E4M3FN>, memref<64xf8E4M3FN>
  }
  return
}

// Scalars of every type captured from the host.
func.func @captured(%o: memref<8xf64>, %h: f16, %b: i1, %i8: i8, %i64: i64, %d: f64, %i16: i16, %n: index) {
  %c1 = arith.constant 1 : index
  %n2 = arith.muli %n, %n : index
  %e = arith.mulf %h, %h : f16
  %nb = arith.xori %b, %b : i1
  tile.launch blocks(%x) in (%c1) threads(64) {
    %k0 = arith.constant 0 : index
    %k1 = arith.constant 1 : index
    %k2 = arith.constant 2 : index
    %k3 = arith.constant 3 : index
    %k4 = arith.constant 4 : index
    %k5 = arith.constant 5 : index
    %k6 = arith.constant 6 : index
    %v0 = arith.extf %e : f16 to f64
    memref.store %v0, %o[%k0] : memref<8xf64>
    %v1 = arith.uitofp %b : i1 to f64
    memref.store %v1, %o[%k1] : memref<8xf64>
    %v2 = arith.sitofp %i8 : i8 to f64
    memref.store %v2, %o[%k2] : memref<8xf64>
    %v3 = arith.sitofp %i64 : i64 to f64
    memref.store %v3, %o[%k3] : memref<8xf64>
    memref.store %d, %o[%k4] : memref<8xf64>
    %v5 = arith.sitofp %i16 : i16 to f64
    memref.store %v5, %o[%k5] : memref<8xf64>
    %q = arith.index_cast %n2 : index to i32
    %v6 = arith.sitofp %q : i32 to f64
    %v7 = arith.select %nb, %v5, %v6 : f64
    memref.store %v7, %o[%k6] : memref<8xf64>
  }
  return
}

// Hints on nested loops around a condition.
func.func @stages(%a: memref<64x256xf16>, %o: memref<64x64xf32>, %n: index) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(128) {
    %c0 = arith.constant 0 : index
    %k1 = arith.constant 1 : index
    %k2 = arith.constant 2 : index
    %c32 = arith.constant 32 : index
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    %s = tile.alloc : memref<64x32xf16, #shared>
    %q = tile.alloc : memref<64x32xf16, #shared>
    %r = scf.for %i = %c0 to %n step %k1 iter_args(%acc = %zero) -> (tensor<64x64xf32>) {
      %r2 = scf.for %j = %c0 to %k2 step %k1 iter_args(%acc2 = %acc) -> (tensor<64x64xf32>) {
        %m = arith.muli %i, %k2 : index
        %m2 = arith.addi %m, %j : index
        %kk = arith.muli %m2, %c32 : index
        tile.copy %a[%c0, %kk] to %s : memref<64x256xf16> to memref<64x32xf16, #shared>
        %e = arith.cmpi eq, %j, %k1 : index
        scf.if %e {
          tile.copy %a[%c0, %kk] to %q : memref<64x256xf16> to memref<64x32xf16, #shared>
        } else {
          tile.copy %s to %q : memref<64x32xf16, #shared> to memref<64x32xf16, #shared>
        }
        %d = tile.gemm %s, %q, %acc2 {transpose_b} : memref<64x32xf16, #shared>, memref<64x32xf16, #shared> -> tensor<64x64xf32>
        scf.yield %d : tensor<64x64xf32>
      } {tile.stages = 2 : i32}
      scf.yield %r2 : tensor<64x64xf32>
    } {tile.stages = 4 : i32}
    tile.store %r, %o : tensor<64x64xf32>, memref<64x64xf32>
  }
  return
}

// Elements of type index in every position.
func.func @index_elements(%a: memref<30x40xindex>, %o: memref<32x48xindex>, %o2: memref<48x32xindex>, %o3: memref<64xindex>, %o4: memref<4x8xindex>, %o5: memref<2x3x7xindex>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(64) {
    %c0 = arith.constant 0 : index
    %c5 = arith.constant 5 : index
    %m1 = arith.constant -1 : index
    %pad = arith.constant 1 : index
    %s = tile.alloc : memref<32x48xindex, #shared>
    tile.copy %a[%m1, %m1] pad(%pad) to %s : memref<30x40xindex> to memref<32x48xindex, #shared>
    tile.copy %s to %o : memref<32x48xindex, #shared> to memref<32x48xindex>
    %t = tile.load %a[%m1, %m1] pad(%pad) : memref<30x40xindex> -> tensor<32x48xindex>
    %u = tile.transpose %t [1, 0] : tensor<32x48xindex> -> tensor<48x32xindex>
    tile.store %u, %o2 : tensor<48x32xindex>, memref<48x32xindex>
    %p = tile.parallel (%i) in (32) -> (tensor<32xindex>) {
      %e = tensor.extract %t[%i, %i] : tensor<32x48xindex>
      %g = memref.load %a[%c5, %i] : memref<30x40xindex>
      %h = memref.load %s[%i, %c5] : memref<32x48xindex, #shared>
      %k = arith.constant 20 : index
      %q = arith.cmpi slt, %i, %k : index
      %r = arith.select %q, %e, %g : index
      %k2 = arith.constant 10 : index
      %q2 = arith.cmpi slt, %i, %k2 : index
      %r2 = arith.select %q2, %h, %r : index
      tile.yield %r2 : index
    }
    tile.store %p, %o3[%c0] : tensor<32xindex>, memref<64xindex>
    %v = memref.load %a[%c5, %c5] : memref<30x40xindex>
    %sp = tensor.splat %v : tensor<24xindex>
    %c40 = arith.constant 40 : index
    tile.store %sp, %o3[%c40] : tensor<24xindex>, memref<64xindex>
    %c33 = arith.constant 33 : index
    memref.store %v, %o3[%c33] : memref<64xindex>
    %ex = tensor.extract %t[%c5, %c5] : tensor<32x48xindex>
    memref.store %ex, %s[%c5, %c0] : memref<32x48xindex, #shared>
    %bl = memref.load %s[%c5, %c0] : memref<32x48xindex, #shared>
    memref.store %bl, %o3[%c40] : memref<64xindex>
    %w = tensor.expand_shape %p [[0, 1]] output_shape [4, 8] : tensor<32xindex> into tensor<4x8xindex>
    tile.store %w, %o4 : tensor<4x8xindex>, memref<4x8xindex>
    %es = tensor.extract_slice %p[3][7][1] : tensor<32xindex> to tensor<7xindex>
    %bc = tile.broadcast %es dims [0, 1] : tensor<7xindex> -> tensor<2x3x7xindex>
    tile.store %bc, %o5 : tensor<2x3x7xindex>, memref<2x3x7xindex>
    tile.parallel (%i) in (8) {
      %e = tensor.extract %p[%i] : tensor<32xindex>
      memref.store %e, %o4[%c0, %i] : memref<4x8xindex>
    }
  }
  return
}

// f8 operands; widened to f16 where the chip has no instruction.
func.func @f8_mix(%A: memref<96x24xf8E4M3FN>, %B: memref<96x40xf8E5M2>, %C: memref<24x40xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(96) {
    %af = tile.load %A : memref<96x24xf8E4M3FN> -> tensor<96x24xf8E4M3FN>
    %bf = tile.load %B : memref<96x40xf8E5M2> -> tensor<96x40xf8E5M2>
    %d = tile.gemm %af, %bf {transpose_a} : tensor<96x24xf8E4M3FN>, tensor<96x40xf8E5M2> -> tensor<24x40xf32>
    tile.store %d, %C : tensor<24x40xf32>, memref<24x40xf32>
  }
  return
}

// f8 operands; widened to f16 where the chip has no instruction.
func.func @f8_to_f16(%A: memref<8x32xf8E4M3FN>, %B: memref<16x32xf8E4M3FN>, %C: memref<8x16xf16>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(128) {
    %as = tile.alloc : memref<8x32xf8E4M3FN, #shared>
    tile.copy %A to %as : memref<8x32xf8E4M3FN> to memref<8x32xf8E4M3FN, #shared>
    %bf = tile.load %B : memref<16x32xf8E4M3FN> -> tensor<16x32xf8E4M3FN>
    %cc = tile.load %C : memref<8x16xf16> -> tensor<8x16xf16>
    %d = tile.gemm %as, %bf, %cc {transpose_b} : memref<8x32xf8E4M3FN, #shared>, tensor<16x32xf8E4M3FN> -> tensor<8x16xf16>
    tile.store %d, %C : tensor<8x16xf16>, memref<8x16xf16>
  }
  return
}
