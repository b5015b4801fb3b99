// Elements of which two share a byte: in memory, in fragments, recast.
// RUN: tile-run %s --entry=bits --on=emulator --chip=sm_80 --check
// RUN: tile-run %s --entry=bits --on=emulator --chip=sm_90a --check
// RUN: tile-run %s --entry=floats --on=emulator --chip=sm_80 --check
// RUN: tile-run %s --entry=floats --on=emulator --chip=sm_120a --check
// RUN: tile-run %s --entry=powers --on=emulator --chip=sm_80 --check --data=0:iota --scalar=6:-5 '--data=2:uniform(-1e-38,2e-38)'
// RUN: tile-run %s --entry=powers --on=emulator --chip=sm_80 --check --data=0:iota --scalar=6:7 '--data=2:normal(0,1e30)'
// RUN: tile-run %s --entry=six_bits --on=emulator --chip=sm_80 --check
// RUN: tile-run %s --entry=arithmetic --on=emulator --chip=sm_80 --check '--data=integers(-8,7)'
// RUN: tile-run %s --entry=arithmetic --on=emulator --chip=sm_90a --check '--data=integers(-8,7)'
// RUN: tile-run %s --entry=shapes --on=emulator --chip=sm_80 --check
// RUN: tile-run %s --entry=iterations --on=emulator --chip=sm_80 --check
// RUN: tile-run %s --entry=iterations --on=emulator --chip=sm_90a --check
// RUN: tile-run %s --entry=in_place --on=emulator --chip=sm_80 --check
// RUN: tile-run %s --entry=last_word --on=emulator --chip=sm_80 --check
// RUN: tile-run %s --entry=common_words --on=emulator --chip=sm_80 --check
// RUN: tile-run %s --entry=common_words --on=emulator --chip=sm_90a --check --seed=1
// RUN: tile-run %s --entry=half_of_the_host --on=emulator --chip=sm_80 --check | FileCheck %s --check-prefix=HALF
// RUN: tile-run %s --entry=elements --on=emulator --chip=sm_80 --check
// RUN: tile-run %s --entry=unpaired --on=emulator --chip=sm_80 --check
// RUN: tile-run %s --entry=swizzled --on=emulator --chip=sm_80 --check
// RUN: tile-run %s --entry=swizzled --on=emulator --chip=sm_90a --check
// RUN: tile-run %s --entry=carried --on=emulator --chip=sm_80 --check --scalar=3:3
// RUN: tile-run %s --entry=ragged --on=emulator --chip=sm_80 --check --shape=0:30x21 --shape=1:29x13 --scalar=4:0
// RUN: tile-run %s --entry=ragged --on=emulator --chip=sm_90a --check --shape=0:30x22 --shape=1:29x14 --scalar=4:3
// RUN: tile-run %s --entry=ragged --on=emulator --chip=sm_80 --check --shape=0:17x5 --shape=1:31x3 --scalar=4:-3
// RUN: tile-run %s --entry=special --on=emulator --chip=sm_80 --check '--data=0:values(nan,inf,-inf,-0.0,1e9,-1e9)'
// RUN: tile-run %s --entry=special --on=emulator --chip=sm_90a --check '--data=0:values(nan,inf,-inf,-0.0,1e9,-1e9)'

#shared = #gpu.address_space<workgroup>

// The low half comes first, in words of every width.
func.func @bits(%a: memref<64x32xi8>, %b: memref<64x64xi4>, %c: memref<64x32xi8>, %d: memref<64x16xi16>,
                %e: memref<64x8xi32>, %f: memref<64x16xf4E2M1FN>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(128) {
    %t = tile.load %a : memref<64x32xi8> -> tensor<64x32xi8>
    %n = tile.bitcast %t : tensor<64x32xi8> -> tensor<64x64xi4>
    tile.store %n, %b : tensor<64x64xi4>, memref<64x64xi4>
    %three = arith.constant dense<3> : tensor<64x64xi4>
    %s = arith.addi %n, %three : tensor<64x64xi4>
    %w8 = tile.bitcast %s : tensor<64x64xi4> -> tensor<64x32xi8>
    tile.store %w8, %c : tensor<64x32xi8>, memref<64x32xi8>
    %w16 = tile.bitcast %s : tensor<64x64xi4> -> tensor<64x16xi16>
    tile.store %w16, %d : tensor<64x16xi16>, memref<64x16xi16>
    %u = tile.load %f : memref<64x16xf4E2M1FN> -> tensor<64x16xf4E2M1FN>
    %i = tile.bitcast %u : tensor<64x16xf4E2M1FN> -> tensor<64x16xi4>
    %w32 = tile.bitcast %i : tensor<64x16xi4> -> tensor<64x2xi32>
    %back = tile.bitcast %w32 : tensor<64x2xi32> -> tensor<64x16xf4E2M1FN>
    %w64 = tile.bitcast %w16 : tensor<64x16xi16> -> tensor<64x4xi64>
    %again = tile.bitcast %w64 : tensor<64x4xi64> -> tensor<64x8xi32>
    tile.store %again, %e : tensor<64x8xi32>, memref<64x8xi32>
    tile.store %back, %f : tensor<64x16xf4E2M1FN>, memref<64x16xf4E2M1FN>
  }
  return
}

// f4 to every float and back; constants, selection.
func.func @floats(%a: memref<32x64xf4E2M1FN>, %h: memref<32x64xf16>, %b: memref<32x64xbf16>, %s: memref<32x64xf32>,
                  %o: memref<32x64xf4E2M1FN>, %p: memref<32x64xf4E2M1FN>, %q: memref<32x64xf4E2M1FN>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(128) {
    %z = arith.constant 0 : index
    %t = tile.load %a : memref<32x64xf4E2M1FN> -> tensor<32x64xf4E2M1FN>
    %th = arith.extf %t : tensor<32x64xf4E2M1FN> to tensor<32x64xf16>
    tile.store %th, %h : tensor<32x64xf16>, memref<32x64xf16>
    tile.store %t, %b : tensor<32x64xf4E2M1FN>, memref<32x64xbf16>
    %u = tile.load %s : memref<32x64xf32> -> tensor<32x64xf32>
    %r = arith.truncf %u : tensor<32x64xf32> to tensor<32x64xf4E2M1FN>
    tile.store %r, %o : tensor<32x64xf4E2M1FN>, memref<32x64xf4E2M1FN>
    %twice = arith.addf %th, %th : tensor<32x64xf16>
    %n = arith.truncf %twice : tensor<32x64xf16> to tensor<32x64xf4E2M1FN>
    %c = arith.constant dense<1.5> : tensor<32x64xf4E2M1FN>
    %zero = arith.constant dense<0.0> : tensor<32x64xf32>
    %m = arith.cmpf olt, %u, %zero : tensor<32x64xf32>
    %v = arith.select %m, %n, %c : tensor<32x64xi1>, tensor<32x64xf4E2M1FN>
    tile.store %v, %p : tensor<32x64xf4E2M1FN>, memref<32x64xf4E2M1FN>
    %pad = arith.constant -3.0 : f4E2M1FN
    %as = tile.alloc : memref<32x64xf4E2M1FN, #shared>
    tile.copy %a[%z, %z] pad(%pad) to %as : memref<32x64xf4E2M1FN> to memref<32x64xf4E2M1FN, #shared>
    tile.copy %as to %q : memref<32x64xf4E2M1FN, #shared> to memref<32x64xf4E2M1FN>
  }
  return
}

// Powers of two; scalars as parameters.
func.func @powers(%a: memref<256xi8>, %b: memref<256xf32>, %s: memref<256xf32>, %o: memref<256xf8E8M0FNU>, %w: memref<256xf16>,
                  %i: memref<256xi8>, %n: i4) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(64) {
    %t = tile.load %a : memref<256xi8> -> tensor<256xi8>
    %p = tile.bitcast %t : tensor<256xi8> -> tensor<256xf8E8M0FNU>
    %f = arith.extf %p : tensor<256xf8E8M0FNU> to tensor<256xf32>
    tile.store %f, %b : tensor<256xf32>, memref<256xf32>
    %u = tile.load %s : memref<256xf32> -> tensor<256xf32>
    %q = arith.truncf %u : tensor<256xf32> to tensor<256xf8E8M0FNU>
    tile.store %q, %o : tensor<256xf8E8M0FNU>, memref<256xf8E8M0FNU>
    tile.store %q, %w : tensor<256xf8E8M0FNU>, memref<256xf16>
    %k = arith.extsi %n : i4 to i8
    %ks = tensor.splat %k : tensor<256xi8>
    tile.store %ks, %i : tensor<256xi8>, memref<256xi8>
  }
  return
}

// Elements of 6 bits take a byte each.
func.func @six_bits(%a: memref<16x32xf6E2M3FN>, %b: memref<16x32xf32>, %c: memref<16x32xf6E3M2FN>,
                    %d: memref<16x32xf6E2M3FN>, %e: memref<16x32xf16>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(64) {
    %t = tile.load %a : memref<16x32xf6E2M3FN> -> tensor<16x32xf6E2M3FN>
    %h = arith.extf %t : tensor<16x32xf6E2M3FN> to tensor<16x32xf16>
    tile.store %h, %e : tensor<16x32xf16>, memref<16x32xf16>
    %u = tile.load %b : memref<16x32xf32> -> tensor<16x32xf32>
    %p = arith.truncf %u : tensor<16x32xf32> to tensor<16x32xf6E3M2FN>
    tile.store %p, %c : tensor<16x32xf6E3M2FN>, memref<16x32xf6E3M2FN>
    %q = arith.truncf %u : tensor<16x32xf32> to tensor<16x32xf6E2M3FN>
    tile.store %q, %d : tensor<16x32xf6E2M3FN>, memref<16x32xf6E2M3FN>
  }
  return
}

func.func @arithmetic(%a: memref<32x32xi4>, %b: memref<32x32xi4>, %o: memref<32x32xi4>, %p: memref<32x32xi4>,
                      %q: memref<32x32xi8>, %r: memref<32x32xf16>, %s: memref<32x32xbf16>, %t: memref<32xi32>,
                      %u: memref<32x32xi4>, %v: memref<32x32xf32>, %y: memref<3xf32>, %z: memref<3xi4>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(64) {
    %l = tile.load %a : memref<32x32xi4> -> tensor<32x32xi4>
    %k = tile.load %b : memref<32x32xi4> -> tensor<32x32xi4>
    %m = arith.muli %l, %k : tensor<32x32xi4>
    %n = arith.subi %m, %l : tensor<32x32xi4>
    %mx = arith.maxsi %n, %k : tensor<32x32xi4>
    tile.store %mx, %o : tensor<32x32xi4>, memref<32x32xi4>
    %two = arith.constant dense<2> : tensor<32x32xi4>
    %sh = arith.shrsi %n, %two : tensor<32x32xi4>
    %dv = arith.divsi %l, %two : tensor<32x32xi4>
    %xr = arith.xori %sh, %dv : tensor<32x32xi4>
    %lt = arith.cmpi ult, %l, %k : tensor<32x32xi4>
    %sel = arith.select %lt, %xr, %m : tensor<32x32xi1>, tensor<32x32xi4>
    tile.store %sel, %p : tensor<32x32xi4>, memref<32x32xi4>
    tile.store %l, %q : tensor<32x32xi4>, memref<32x32xi8>
    %f = arith.sitofp %l : tensor<32x32xi4> to tensor<32x32xf16>
    tile.store %f, %r : tensor<32x32xf16>, memref<32x32xf16>
    %f0 = arith.uitofp %l : tensor<32x32xi4> to tensor<32x32xf32>
    %f1 = arith.sitofp %k : tensor<32x32xi4> to tensor<32x32xf32>
    %f2 = arith.mulf %f0, %f1 : tensor<32x32xf32>
    tile.store %f2, %v : tensor<32x32xf32>, memref<32x32xf32>
    %g = arith.uitofp %k : tensor<32x32xi4> to tensor<32x32xbf16>
    tile.store %g, %s : tensor<32x32xbf16>, memref<32x32xbf16>
    %w = arith.extui %l : tensor<32x32xi4> to tensor<32x32xi32>
    %sum = tile.reduce <add> %w dims [0] : tensor<32x32xi32> -> tensor<32xi32>
    tile.store %sum, %t : tensor<32xi32>, memref<32xi32>
    %sc = tile.scan <add> %l dim 0 : tensor<32x32xi4>
    %big = tile.reduce <maxsi> %sc dims [0] : tensor<32x32xi4> -> tensor<32xi4>
    %all = tile.broadcast %big dims [0] : tensor<32xi4> -> tensor<32x32xi4>
    tile.store %all, %u : tensor<32x32xi4>, memref<32x32xi4>
    %zl = tile.load %z : memref<3xi4> -> tensor<3xi4>
    %zf = arith.sitofp %zl : tensor<3xi4> to tensor<3xf32>
    tile.store %zf, %y : tensor<3xf32>, memref<3xf32>
  }
  return
}

func.func @shapes(%a: memref<32x64xi4>, %b: memref<64x32xi4>, %c: memref<4x8x64xi4>, %d: memref<32x64xi4>,
                  %e: memref<16x32xi4>, %f: memref<64xf4E2M1FN>, %g: memref<16x64xf4E2M1FN>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(64) {
    %t = tile.load %a : memref<32x64xi4> -> tensor<32x64xi4>
    %u = tile.transpose %t [1, 0] : tensor<32x64xi4> -> tensor<64x32xi4>
    tile.store %u, %b : tensor<64x32xi4>, memref<64x32xi4>
    %v = tensor.expand_shape %t [[0, 1], [2]] output_shape [4, 8, 64] : tensor<32x64xi4> into tensor<4x8x64xi4>
    tile.store %v, %c : tensor<4x8x64xi4>, memref<4x8x64xi4>
    %s = tensor.extract_slice %t[8, 16] [16, 32] [1, 1] : tensor<32x64xi4> to tensor<16x32xi4>
    tile.store %s, %e : tensor<16x32xi4>, memref<16x32xi4>
    %i = tensor.insert_slice %s into %t[3, 5] [16, 32] [1, 1] : tensor<16x32xi4> into tensor<32x64xi4>
    tile.store %i, %d : tensor<32x64xi4>, memref<32x64xi4>
    %r = tile.load %f : memref<64xf4E2M1FN> -> tensor<64xf4E2M1FN>
    %w = tile.broadcast %r dims [0] : tensor<64xf4E2M1FN> -> tensor<16x64xf4E2M1FN>
    tile.store %w, %g : tensor<16x64xf4E2M1FN>, memref<16x64xf4E2M1FN>
  }
  return
}

// Single elements, in global memory and in fresh shared memory: two threads share
// a byte, and of the last one in a row nothing more is written.
func.func @iterations(%a: memref<64x33xi4>, %b: memref<64x33xi4>, %s: memref<3xi4>, %o: memref<7xi8>,
                      %y: memref<64x8xi4>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(64) {
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    %c6 = arith.constant 6 : index
    %m = tile.alloc : memref<64x33xi4, #shared>
    tile.parallel (%i, %j) in (64, 33) {
      %e = memref.load %a[%i, %j] : memref<64x33xi4>
      %d = arith.addi %e, %e : i4
      memref.store %d, %m[%i, %j] : memref<64x33xi4, #shared>
    }
    tile.parallel (%i, %j) in (64, 33) {
      %e = memref.load %m[%i, %j] : memref<64x33xi4, #shared>
      memref.store %e, %b[%i, %j] : memref<64x33xi4>
    }
    %u = memref.load %s[%c2] : memref<3xi4>
    %v = arith.extsi %u : i4 to i8
    memref.store %v, %o[%c6] : memref<7xi8>
    %w = memref.load %o[%c0] : memref<7xi8>
    %q = arith.trunci %w : i8 to i4
    memref.store %q, %s[%c2] : memref<3xi4>
    %p = tile.parallel (%i, %j) in (64, 8) -> (tensor<64x8xi4>) {
      %e = memref.load %a[%i, %j] : memref<64x33xi4>
      %k = arith.index_cast %j : index to i4
      %g = arith.muli %e, %k : i4
      tile.yield %g : i4
    }
    tile.store %p, %y : tensor<64x8xi4>, memref<64x8xi4>
  }
  return
}

// An iteration reads an element beside one that another changes.
func.func @in_place(%a: memref<32x5xi4>, %b: memref<64xi4>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(64) {
    %s = tile.alloc : memref<64xi4, #shared>
    tile.copy %b to %s : memref<64xi4> to memref<64xi4, #shared>
    tile.parallel (%i) in (64) {
      %e = memref.load %s[%i] : memref<64xi4, #shared>
      %d = arith.addi %e, %e : i4
      memref.store %d, %s[%i] : memref<64xi4, #shared>
    }
    tile.copy %s to %b : memref<64xi4, #shared> to memref<64xi4>
    tile.parallel (%i, %j) in (32, 5) {
      %e = memref.load %a[%i, %j] : memref<32x5xi4>
      %d = arith.addi %e, %e : i4
      memref.store %d, %a[%i, %j] : memref<32x5xi4>
    }
  }
  return
}

// The last word has bytes that nobody wrote, above the element that is read with it:
// what they do to a sum does not come down.
func.func @last_word(%a: memref<3x9xi4>) {
  %c3 = arith.constant 3 : index
  tile.launch blocks(%x) in (%c3) threads(32) {
    tile.parallel (%j) in (9) {
      %three = arith.constant 3 : i4
      %e = memref.load %a[%x, %j] : memref<3x9xi4>
      %d = arith.muli %e, %three : i4
      %s = arith.addi %d, %three : i4
      memref.store %s, %a[%x, %j] : memref<3x9xi4>
    }
  }
  return
}

// A block has half a word: two elements that begin with a byte, one that it reads
// alone and one that it stores alone. The other half is another block's.
#pair = #tile.fragment<[2], register = [2 : (1)], lane = [32 : (0)], warp = [1 : (0)]>
func.func @common_words(%a: memref<64xi4>, %b: memref<64xi4>) {
  %c16 = arith.constant 16 : index
  tile.launch blocks(%x) in (%c16) threads(32) {
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %pair = arith.muli %x, %c4 : index
    %third = arith.addi %pair, %c2 : index
    %last = arith.addi %pair, %c3 : index
    %t = tile.load %a[%pair] : memref<64xi4> -> tensor<2xi4, #pair>
    %one = arith.constant dense<1> : tensor<2xi4, #pair>
    %s = arith.addi %t, %one : tensor<2xi4, #pair>
    tile.store %s, %a[%pair] : tensor<2xi4, #pair>, memref<64xi4>
    %e = memref.load %a[%third] : memref<64xi4>
    %o = memref.load %b[%last] : memref<64xi4>
    %f = arith.xori %e, %o : i4
    memref.store %f, %a[%last] : memref<64xi4>
  }
  return
}

// The last element has half a byte, of which the other half stays undefined: on its
// way to the device and back.
// HALF: argument 1: memref<3x33xf4E2M1FN> equal: 99 elements (99 exact)
func.func @half_of_the_host(%a: memref<3x33xf4E2M1FN>, %o: memref<3x33xf4E2M1FN>) {
  %c1 = arith.constant 1 : index
  %there = memref.alloc() : memref<3x33xf4E2M1FN>
  %back = memref.alloc() : memref<3x33xf4E2M1FN>
  memref.copy %a, %there : memref<3x33xf4E2M1FN> to memref<3x33xf4E2M1FN>
  tile.launch blocks(%x) in (%c1) threads(64) {
    %t = tile.load %there : memref<3x33xf4E2M1FN> -> tensor<3x33xf4E2M1FN>
    tile.store %t, %back : tensor<3x33xf4E2M1FN>, memref<3x33xf4E2M1FN>
  }
  memref.copy %back, %o : memref<3x33xf4E2M1FN> to memref<3x33xf4E2M1FN>
  return
}

// Elements that another thread holds; fewer iterations than threads, with results.
func.func @elements(%a: memref<64xf4E2M1FN>, %b: memref<64xi32>, %o: memref<64xf32>, %n: memref<8xi4>, %z: memref<8xi4>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(128) {
    %t = tile.load %a : memref<64xf4E2M1FN> -> tensor<64xf4E2M1FN>
    %c63 = arith.constant 63 : index
    %r = tile.parallel (%i) in (64) -> (tensor<64xf32>) {
      %k = arith.subi %c63, %i : index
      %e = tensor.extract %t[%k] : tensor<64xf4E2M1FN>
      %f = arith.extf %e : f4E2M1FN to f32
      tile.yield %f : f32
    }
    tile.store %r, %o : tensor<64xf32>, memref<64xf32>
    %one = arith.constant 1 : i32
    %q = tile.parallel (%i) in (8) -> (tensor<8xi4>) {
      %old = memref.load %b[%i] : memref<64xi32>
      %new = arith.addi %old, %one : i32
      memref.store %new, %b[%i] : memref<64xi32>
      %e = arith.trunci %new : i32 to i4
      tile.yield %e : i4
    }
    tile.store %q, %n : tensor<8xi4>, memref<8xi4>
    %z0 = tensor.extract %q[%c1] : tensor<8xi4>
    %zs = tensor.splat %z0 : tensor<8xi4>
    tile.store %zs, %z : tensor<8xi4>, memref<8xi4>
  }
  return
}

// A layout in which no thread holds two neighbours.
#columns = #tile.fragment<[64, 32], register = [64 : (1, 0)], lane = [32 : (0, 1)], warp = [1 : (0, 0)]>
func.func @unpaired(%a: memref<64x32xi4>, %o: memref<64x32xi4>, %p: memref<64x32xi4>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(32) {
    %t = tile.load %a : memref<64x32xi4> -> tensor<64x32xi4, #columns>
    %s = tile.alloc : memref<64x32xi4, #shared>
    tile.store %t, %s : tensor<64x32xi4, #columns>, memref<64x32xi4, #shared>
    tile.store %t, %o : tensor<64x32xi4, #columns>, memref<64x32xi4>
    %u = tile.load %s : memref<64x32xi4, #shared> -> tensor<64x32xi4>
    tile.store %u, %p : tensor<64x32xi4>, memref<64x32xi4>
  }
  return
}

// Rows of 128 bytes whose chunks are exchanged: copied by 16 bytes, read down the columns
// and from views.
func.func @swizzled(%a: memref<32x256xi4>, %o: memref<256x32xi4>, %p: memref<8x33xi4>, %q: memref<i32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(64) {
    %c0 = arith.constant 0 : index
    %c7 = arith.constant 7 : index
    %c11 = arith.constant 11 : index
    %s = tile.alloc layout(#tile.shared<[32, 256], swizzle = 128>) : memref<32x256xi4, #shared>
    tile.copy %a to %s : memref<32x256xi4> to memref<32x256xi4, #shared>
    %t = tile.load %s : memref<32x256xi4, #shared> -> tensor<32x256xi4>
    %u = tile.transpose %t [1, 0] : tensor<32x256xi4> -> tensor<256x32xi4>
    tile.store %u, %o : tensor<256x32xi4>, memref<256x32xi4>
    %v = memref.subview %s[5, 3] [8, 33] [1, 1]
        : memref<32x256xi4, #shared> to memref<8x33xi4, strided<[256, 1], offset: 1283>, #shared>
    %w = tile.load %v : memref<8x33xi4, strided<[256, 1], offset: 1283>, #shared> -> tensor<8x33xi4>
    tile.store %w, %p : tensor<8x33xi4>, memref<8x33xi4>
    %e = memref.load %s[%c7, %c11] : memref<32x256xi4, #shared>
    %f = arith.extsi %e : i4 to i32
    memref.store %f, %q[] : memref<i32>
  }
  return
}

// Views that begin in the middle of a byte, also carried by a loop.
func.func @carried(%a: memref<256xi4>, %b: memref<256xi4>, %o: memref<4x16xi4>, %n: index) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(32) {
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %c16 = arith.constant 16 : index
    %va = memref.subview %a[%n] [200] [1] : memref<256xi4> to memref<200xi4, strided<[1], offset: ?>>
    %vb = memref.subview %b[1] [200] [1] : memref<256xi4> to memref<200xi4, strided<[1], offset: 1>>
    %cb = memref.cast %vb : memref<200xi4, strided<[1], offset: 1>> to memref<200xi4, strided<[1], offset: ?>>
    %r:2 = scf.for %i = %c0 to %c4 step %c1 iter_args(%p = %va, %q = %cb)
        -> (memref<200xi4, strided<[1], offset: ?>>, memref<200xi4, strided<[1], offset: ?>>) {
      %at = arith.muli %i, %c16 : index
      %t = tile.load %p[%at] : memref<200xi4, strided<[1], offset: ?>> -> tensor<16xi4>
      %u = tensor.expand_shape %t [[0, 1]] output_shape [1, 16] : tensor<16xi4> into tensor<1x16xi4>
      tile.store %u, %o[%i, %c0] : tensor<1x16xi4>, memref<4x16xi4>
      scf.yield %q, %p : memref<200xi4, strided<[1], offset: ?>>, memref<200xi4, strided<[1], offset: ?>>
    }
  }
  return
}

// Pitches, sizes and starts of which nothing is known.
func.func @ragged(%a: memref<?x?xi4>, %b: memref<?x?xi4>, %c: memref<31x9xf4E2M1FN>, %d: memref<31x9xf4E2M1FN>, %n: index) {
  %c2 = arith.constant 2 : index
  tile.launch blocks(%x) in (%c2) threads(64) {
    %c0 = arith.constant 0 : index
    %c16 = arith.constant 16 : index
    %r = arith.muli %x, %c16 : index
    %s = tile.alloc : memref<16x16xi4, #shared>
    tile.copy %a[%r, %n] to %s : memref<?x?xi4> to memref<16x16xi4, #shared>
    tile.copy %s to %b[%r, %c0] : memref<16x16xi4, #shared> to memref<?x?xi4>
    %t = tile.load %c[%r, %c0] : memref<31x9xf4E2M1FN> -> tensor<16x16xf4E2M1FN>
    tile.store %t, %d[%r, %c0] : tensor<16x16xf4E2M1FN>, memref<31x9xf4E2M1FN>
  }
  return
}

// What has no infinity or NaN saturates, and NaN of either sign is the largest number; of
// constants as well.
func.func @special(%x: memref<8x32xf32>, %a: memref<8x32xf4E2M1FN>, %b: memref<8x32xf6E2M3FN>, %c: memref<8x32xf6E3M2FN>,
                   %d: memref<8x32xf8E5M2>, %e: memref<8x32xf8E5M2>, %f: memref<8x32xf4E2M1FN>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%g) in (%c1) threads(64) {
    %t = tile.load %x : memref<8x32xf32> -> tensor<8x32xf32>
    %n = arith.negf %t : tensor<8x32xf32>
    %ta = arith.truncf %n : tensor<8x32xf32> to tensor<8x32xf4E2M1FN>
    %tb = arith.truncf %n : tensor<8x32xf32> to tensor<8x32xf6E2M3FN>
    %tc = arith.truncf %n : tensor<8x32xf32> to tensor<8x32xf6E3M2FN>
    %td = arith.truncf %n : tensor<8x32xf32> to tensor<8x32xf8E5M2>
    tile.store %ta, %a : tensor<8x32xf4E2M1FN>, memref<8x32xf4E2M1FN>
    tile.store %tb, %b : tensor<8x32xf6E2M3FN>, memref<8x32xf6E2M3FN>
    tile.store %tc, %c : tensor<8x32xf6E3M2FN>, memref<8x32xf6E3M2FN>
    tile.store %td, %d : tensor<8x32xf8E5M2>, memref<8x32xf8E5M2>
    %inf = arith.constant dense<0xFF800000> : tensor<8x32xf32>
    %ti = arith.truncf %inf : tensor<8x32xf32> to tensor<8x32xf8E5M2>
    tile.store %ti, %e : tensor<8x32xf8E5M2>, memref<8x32xf8E5M2>
    %nan = arith.constant dense<0xFFC00000> : tensor<8x32xf32>
    %tn = arith.truncf %nan : tensor<8x32xf32> to tensor<8x32xf4E2M1FN>
    tile.store %tn, %f : tensor<8x32xf4E2M1FN>, memref<8x32xf4E2M1FN>
  }
  return
}
