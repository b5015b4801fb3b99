// Iterations of a `tile.parallel` of which a thread has many: loops, around some that are
// written out; extents that threads do not divide; what such a body may hold.
// RUN: tile-run %s --entry=prime --on=emulator --chip=sm_80 --check
// RUN: tile-run %s --entry=prime --on=emulator --chip=sm_90a --check
// RUN: tile-run %s --entry=boxes --on=emulator --chip=sm_80 --check
// RUN: tile-run %s --entry=boxes --on=emulator --chip=sm_90a --check
// RUN: tile-run %s --entry=gather --on=emulator --chip=sm_80 --check '--data=1:integers(0,4999)'
// RUN: tile-run %s --entry=gather --on=emulator --chip=sm_90a --check '--data=1:integers(0,4999)'
// RUN: tile-run %s --entry=scatter --on=emulator --chip=sm_80 --check --data=1:perm
// RUN: tile-run %s --entry=scatter --on=emulator --chip=sm_90a --check --data=1:perm
// RUN: tile-run %s --entry=inner_flow --on=emulator --chip=sm_80 --check '--data=1:integers(0,5)'
// RUN: tile-run %s --entry=inner_flow --on=emulator --chip=sm_90a --check '--data=1:integers(0,5)'
// RUN: tile-run %s --entry=histogram --on=emulator --chip=sm_80 --check '--data=0:integers(0,15)'
// RUN: tile-run %s --entry=histogram --on=emulator --chip=sm_90a --check '--data=0:integers(0,15)'
// RUN: tile-run %s --entry=counts --on=emulator --chip=sm_80 --check --rtol=0 --atol=0 '--data=integers(0,100)'
// RUN: tile-run %s --entry=counts --on=emulator --chip=sm_90a --check --rtol=0 --atol=0 '--data=integers(0,100)'
// RUN: tile-run %s --entry=shared --on=emulator --chip=sm_80 --check
// RUN: tile-run %s --entry=shared --on=emulator --chip=sm_90a --check
// RUN: tile-run %s --entry=nibbles --on=emulator --chip=sm_80 --check '--data=integers(-8,7)'
// RUN: tile-run %s --entry=nibbles --on=emulator --chip=sm_90a --check '--data=integers(-8,7)'
// RUN: tile-run %s --entry=zeros --on=emulator --chip=sm_80 --check
// RUN: tile-run %s --entry=zeros --on=emulator --chip=sm_90a --check
// RUN: tile-run %s --entry=row_in_registers --on=emulator --chip=sm_80 --check
// RUN: tile-run %s --entry=row_in_registers --on=emulator --chip=sm_90a --check
// RUN: tile-run %s --entry=own_and_results --on=emulator --chip=sm_80 --check
// RUN: tile-run %s --entry=own_and_results --on=emulator --chip=sm_90a --check
// RUN: tile-run %s --entry=carried --on=emulator --chip=sm_80 --check
// RUN: tile-run %s --entry=carried --on=emulator --chip=sm_90a --check
// RUN: tile-run %s --entry=beside_product --on=emulator --chip=sm_80 --check
// RUN: tile-run %s --entry=beside_product --on=emulator --chip=sm_90a --check
// RUN: tile-run %s --entry=odd_threads --on=emulator --chip=sm_80 --check
// RUN: tile-run %s --entry=odd_threads --on=emulator --chip=sm_90a --check

#shared = #gpu.address_space<workgroup>

// A thread's 157 registers are a prime number: one iteration a step, and the last, in
// which some threads have none, behind the loop.
func.func @prime(%a: memref<5003xf32>, %o: memref<5003xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(32) {
    tile.parallel (%i) in (5003) {
      %e = memref.load %a[%i] : memref<5003xf32>
      %d = arith.mulf %e, %e : f32
      memref.store %d, %o[%i] : memref<5003xf32>
    }
  }
  return
}

// Several dimensions, of which each may end in padding.
func.func @boxes(%a: memref<37x131xf32>, %o: memref<131x37xf32>, %p: memref<3x5x700xi32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(32) {
    tile.parallel (%i, %j) in (37, 131) {
      %e = memref.load %a[%i, %j] : memref<37x131xf32>
      memref.store %e, %o[%j, %i] : memref<131x37xf32>
    }
    %k1 = arith.constant 100000 : index
    %k2 = arith.constant 1000 : index
    tile.parallel (%i, %j, %k) in (3, 5, 700) {
      %1 = arith.muli %i, %k1 : index
      %2 = arith.muli %j, %k2 : index
      %3 = arith.addi %1, %2 : index
      %4 = arith.addi %3, %k : index
      %5 = arith.index_cast %4 : index to i32
      memref.store %5, %p[%i, %j, %k] : memref<3x5x700xi32>
    }
  }
  return
}

func.func @gather(%a: memref<5000xf32>, %idx: memref<6000xi32>, %o: memref<6000xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(64) {
    tile.parallel (%i) in (6000) attributes {coalesced_width = 4 : i64} {
      %k = memref.load %idx[%i] : memref<6000xi32>
      %j = arith.index_cast %k : i32 to index
      %e = memref.load %a[%j] : memref<5000xf32>
      memref.store %e, %o[%i] : memref<6000xf32>
    }
  }
  return
}

func.func @scatter(%a: memref<4500xf32>, %idx: memref<4500xi32>, %o: memref<4500xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(32) {
    tile.parallel (%i) in (4500) {
      %k = memref.load %idx[%i] : memref<4500xi32>
      %j = arith.index_cast %k : i32 to index
      %e = memref.load %a[%i] : memref<4500xf32>
      memref.store %e, %o[%j] : memref<4500xf32>
    }
  }
  return
}

// Branches and loops whose ends belong to an iteration, and a promise.
func.func @inner_flow(%a: memref<2500xf32>, %n: memref<2500xi32>, %o: memref<2500xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(32) {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1 : index
    %zero = arith.constant 0.0 : f32
    tile.parallel (%i) in (2500) {
      %k = memref.load %n[%i] : memref<2500xi32>
      %end = arith.index_cast %k : i32 to index
      %e = memref.load %a[%i] : memref<2500xf32>
      %s = scf.for %q = %c0 to %end step %one iter_args(%acc = %e) -> (f32) {
        %d = arith.addf %acc, %e : f32
        scf.yield %d : f32
      }
      %most = arith.constant 6 : index
      %small = arith.cmpi ult, %end, %most : index
      tile.assert %small, "below six"
      %p = arith.cmpf olt, %e, %zero : f32
      scf.if %p {
        memref.store %zero, %o[%i] : memref<2500xf32>
      } else {
        memref.store %s, %o[%i] : memref<2500xf32>
      }
    }
  }
  return
}

func.func @histogram(%a: memref<5000xi32>, %h: memref<16xi32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(64) {
    %one = arith.constant 1 : i32
    tile.parallel (%i) in (5000) {
      %k = memref.load %a[%i] : memref<5000xi32>
      %j = arith.index_cast %k : i32 to index
      %old = memref.atomic_rmw addi %one, %h[%j] : (i32, memref<16xi32>) -> i32
    }
  }
  return
}

// Each iteration reads what it writes: no second time.
func.func @counts(%a: memref<4999xi32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(64) {
    %one = arith.constant 1 : i32
    tile.parallel (%i) in (4999) {
      %old = memref.load %a[%i] : memref<4999xi32>
      %new = arith.addi %old, %one : i32
      memref.store %new, %a[%i] : memref<4999xi32>
    }
  }
  return
}

func.func @shared(%a: memref<64x75xf32>, %o: memref<75x64xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(64) {
    %s = tile.alloc : memref<64x75xf32, #shared>
    tile.parallel (%i, %j) in (64, 75) {
      %e = memref.load %a[%i, %j] : memref<64x75xf32>
      memref.store %e, %s[%i, %j] : memref<64x75xf32, #shared>
    }
    tile.parallel (%i, %j) in (75, 64) {
      %e = memref.load %s[%j, %i] : memref<64x75xf32, #shared>
      memref.store %e, %o[%i, %j] : memref<75x64xf32>
    }
  }
  return
}

// Two elements of a byte belong to two threads.
func.func @nibbles(%a: memref<67x75xi4>, %o: memref<67x75xi4>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(64) {
    %three = arith.constant 3 : i4
    tile.parallel (%i, %j) in (67, 75) {
      %e = memref.load %a[%i, %j] : memref<67x75xi4>
      %s = arith.addi %e, %three : i4
      memref.store %s, %o[%i, %j] : memref<67x75xi4>
    }
  }
  return
}

// A thread's loop fills what lies together.
func.func @zeros(%o: memref<32x160xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(32) {
    %zero = arith.constant 0.0 : f32
    tile.parallel (%j, %i) in (160, 32) {
      memref.store %zero, %o[%i, %j] : memref<32x160xf32>
    }
  }
  return
}

// The registers of a fragment that each iteration reads at its own place are written
// out; the other dimension is counted.
func.func @row_in_registers(%r: memref<96xf32>, %o: memref<96x100xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(64) {
    %t = tile.load %r : memref<96xf32> -> tensor<96xf32>
    tile.parallel (%i, %j) in (96, 100) {
      %e = tensor.extract %t[%i] : tensor<96xf32>
      memref.store %e, %o[%i, %j] : memref<96x100xf32>
    }
  }
  return
}

// Elements and results that lie in registers have no loop.
func.func @own_and_results(%a: memref<2500xf32>, %o: memref<2500xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(32) {
    %t = tile.load %a : memref<2500xf32> -> tensor<2500xf32>
    %p = tile.parallel (%i) in (2500) -> (tensor<2500xf32>) {
      %e = tensor.extract %t[%i] : tensor<2500xf32>
      %s = arith.addf %e, %e : f32
      tile.yield %s : f32
    }
    tile.store %p, %o : tensor<2500xf32>, memref<2500xf32>
  }
  return
}

// In a loop of the block, which fills and reads a buffer in turn.
func.func @carried(%a: memref<4x3000xf32>, %o: memref<4x3000xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(32) {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %last = arith.constant 2999 : index
    scf.for %k = %c0 to %c4 step %one {
      %s = tile.alloc : memref<3000xf32, #shared>
      tile.parallel (%i) in (3000) {
        %e = memref.load %a[%k, %i] : memref<4x3000xf32>
        memref.store %e, %s[%i] : memref<3000xf32, #shared>
      }
      tile.parallel (%i) in (3000) {
        %j = arith.subi %last, %i : index
        %e = memref.load %s[%j] : memref<3000xf32, #shared>
        memref.store %e, %o[%k, %i] : memref<4x3000xf32>
      }
    }
  }
  return
}

// Behind a product, whose registers are full.
func.func @beside_product(%a: memref<64x64xf16>, %b: memref<64x64xf16>, %c: memref<64x64xf32>, %o: memref<100x128xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(128) {
    %sa = tile.alloc : memref<64x64xf16, #shared>
    %sb = tile.alloc : memref<64x64xf16, #shared>
    tile.copy %a to %sa : memref<64x64xf16> to memref<64x64xf16, #shared>
    tile.copy %b to %sb : memref<64x64xf16> to memref<64x64xf16, #shared>
    %p = tile.gemm %sa, %sb : memref<64x64xf16, #shared>, memref<64x64xf16, #shared> -> tensor<64x64xf32>
    tile.store %p, %c : tensor<64x64xf32>, memref<64x64xf32>
    %mask = arith.constant 63 : index
    tile.parallel (%i, %j) in (100, 128) {
      %k = arith.andi %i, %mask : index
      %l = arith.andi %j, %mask : index
      %e = memref.load %sa[%k, %l] : memref<64x64xf16, #shared>
      %w = arith.extf %e : f16 to f32
      memref.store %w, %o[%i, %j] : memref<100x128xf32>
    }
  }
  return
}

func.func @odd_threads(%a: memref<70x100xf64>, %o: memref<70x100xf64>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(96) {
    tile.parallel (%i, %j) in (70, 100) {
      %e = memref.load %a[%i, %j] : memref<70x100xf64>
      %d = arith.addf %e, %e : f64
      memref.store %d, %o[%i, %j] : memref<70x100xf64>
    }
  }
  return
}
