// tile.parallel: own elements, gathers, scatters, conditions, inner loops, atomics.
// RUN: tile-run %s --entry=own --on=emulator --chip=sm_80 --check
// RUN: tile-run %s --entry=own --on=emulator --chip=sm_90a --check
// RUN: tile-run %s --entry=gather --on=emulator --chip=sm_80 --check --data=1:integers(0,63)
// RUN: tile-run %s --entry=gather --on=emulator --chip=sm_90a --check --data=1:integers(0,63)
// RUN: tile-run %s --entry=rotate --on=emulator --chip=sm_80 --check
// RUN: tile-run %s --entry=rotate --on=emulator --chip=sm_90a --check
// RUN: tile-run %s --entry=scatter --on=emulator --chip=sm_80 --check --data=1:perm
// RUN: tile-run %s --entry=scatter --on=emulator --chip=sm_90a --check --data=1:perm
// RUN: tile-run %s --entry=branches --on=emulator --chip=sm_80 --check
// RUN: tile-run %s --entry=branches --on=emulator --chip=sm_90a --check
// RUN: tile-run %s --entry=inner_loop --on=emulator --chip=sm_80 --check --data=1:integers(0,9)
// RUN: tile-run %s --entry=inner_loop --on=emulator --chip=sm_90a --check --data=1:integers(0,9)
// RUN: tile-run %s --entry=histogram --on=emulator --chip=sm_80 --check --data=0:integers(0,15)
// RUN: tile-run %s --entry=histogram --on=emulator --chip=sm_90a --check --data=0:integers(0,15)
// RUN: tile-run %s --entry=small_box --on=emulator --chip=sm_80 --check
// RUN: tile-run %s --entry=small_box --on=emulator --chip=sm_90a --check
// RUN: tile-run %s --entry=shared --on=emulator --chip=sm_80 --check
// RUN: tile-run %s --entry=shared --on=emulator --chip=sm_90a --check
// RUN: tile-run %s --entry=mask --on=emulator --chip=sm_80 --check
// RUN: tile-run %s --entry=mask --on=emulator --chip=sm_90a --check
// RUN: tile-run %s --entry=padded_powers --on=emulator --chip=sm_80 --check
// RUN: tile-run %s --entry=padded_powers --on=emulator --chip=sm_90a --check
#shared = #gpu.address_space<workgroup>

func.func @own(%a: memref<64x32xf32>, %m: memref<64xf32>, %o: memref<64x32xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(128) {
    %t = tile.load %a : memref<64x32xf32> -> tensor<64x32xf32>
    %r = tile.load %m : memref<64xf32> -> tensor<64xf32>
    %p = tile.parallel (%i, %j) in (64, 32) -> (tensor<64x32xf32>) {
      %e = tensor.extract %t[%i, %j] : tensor<64x32xf32>
      %f = tensor.extract %r[%i] : tensor<64xf32>
      %s = arith.subf %e, %f : f32
      tile.yield %s : f32
    }
    tile.store %p, %o : tensor<64x32xf32>, memref<64x32xf32>
  }
  return
}

func.func @gather(%a: memref<64xf32>, %idx: memref<100xi32>, %o: memref<100xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(64) {
    %t = tile.load %a : memref<64xf32> -> tensor<64xf32>
    %p = tile.parallel (%i) in (100) -> (tensor<100xf32>) {
      %k = memref.load %idx[%i] : memref<100xi32>
      %j = arith.index_cast %k : i32 to index
      %e = tensor.extract %t[%j] : tensor<64xf32>
      tile.yield %e : f32
    }
    tile.store %p, %o : tensor<100xf32>, memref<100xf32>
  }
  return
}

func.func @rotate(%a: memref<96xf32>, %o: memref<96xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(96) {
    %t = tile.load %a : memref<96xf32> -> tensor<96xf32>
    %one = arith.constant 1 : index
    %n = arith.constant 96 : index
    %p = tile.parallel (%i) in (96) -> (tensor<96xf32>) {
      %j = arith.addi %i, %one : index
      %k = arith.remui %j, %n : index
      %e = tensor.extract %t[%k] : tensor<96xf32>
      tile.yield %e : f32
    }
    tile.store %p, %o : tensor<96xf32>, memref<96xf32>
  }
  return
}

func.func @scatter(%a: memref<128xf32>, %idx: memref<128xi32>, %o: memref<128xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(64) {
    tile.parallel (%i) in (128) {
      %k = memref.load %idx[%i] : memref<128xi32>
      %j = arith.index_cast %k : i32 to index
      %e = memref.load %a[%i] : memref<128xf32>
      memref.store %e, %o[%j] : memref<128xf32>
    }
  }
  return
}

func.func @branches(%a: memref<64x16xf32>, %o: memref<64x16xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(64) {
    %zero = arith.constant 0.0 : f32
    tile.parallel (%i, %j) in (64, 16) {
      %e = memref.load %a[%i, %j] : memref<64x16xf32>
      %p = arith.cmpf olt, %e, %zero : f32
      scf.if %p {
        memref.store %zero, %o[%i, %j] : memref<64x16xf32>
      } else {
        %d = arith.mulf %e, %e : f32
        memref.store %d, %o[%i, %j] : memref<64x16xf32>
      }
    }
  }
  return
}

func.func @inner_loop(%a: memref<64xf32>, %n: memref<64xi32>, %o: memref<64xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(32) {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1 : index
    %p = tile.parallel (%i) in (64) -> (tensor<64xf32>) {
      %k = memref.load %n[%i] : memref<64xi32>
      %end = arith.index_cast %k : i32 to index
      %e = memref.load %a[%i] : memref<64xf32>
      %s = scf.for %q = %c0 to %end step %one iter_args(%acc = %e) -> (f32) {
        %d = arith.addf %acc, %e : f32
        scf.yield %d : f32
      }
      tile.yield %s : f32
    }
    tile.store %p, %o : tensor<64xf32>, memref<64xf32>
  }
  return
}

func.func @histogram(%a: memref<256xi32>, %h: memref<16xi32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(64) {
    %one = arith.constant 1 : i32
    tile.parallel (%i) in (256) {
      %k = memref.load %a[%i] : memref<256xi32>
      %j = arith.index_cast %k : i32 to index
      %old = memref.atomic_rmw addi %one, %h[%j] : (i32, memref<16xi32>) -> i32
    }
  }
  return
}

func.func @small_box(%a: memref<4xf32>, %o: memref<4xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(256) {
    tile.parallel (%i) in (4) {
      %e = memref.load %a[%i] : memref<4xf32>
      %d = arith.addf %e, %e : f32
      memref.store %d, %o[%i] : memref<4xf32>
    }
  }
  return
}

func.func @shared(%a: memref<64x32xf32>, %o: memref<32x64xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(128) {
    %s = tile.alloc : memref<64x32xf32, #shared>
    tile.parallel (%i, %j) in (64, 32) {
      %e = memref.load %a[%i, %j] : memref<64x32xf32>
      memref.store %e, %s[%i, %j] : memref<64x32xf32, #shared>
    }
    tile.parallel (%i, %j) in (32, 64) {
      %e = memref.load %s[%j, %i] : memref<64x32xf32, #shared>
      memref.store %e, %o[%i, %j] : memref<32x64xf32>
    }
  }
  return
}

func.func @mask(%a: memref<64x64xf32>, %o: memref<64x64xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(128) {
    %t = tile.load %a : memref<64x64xf32> -> tensor<64x64xf32>
    %m = tile.parallel (%i, %j) in (64, 64) -> (tensor<64x64xi1>) {
      %p = arith.cmpi sge, %i, %j : index
      tile.yield %p : i1
    }
    %z = arith.constant dense<0.0> : tensor<64x64xf32>
    %s = arith.select %m, %t, %z : tensor<64x64xi1>, tensor<64x64xf32>
    tile.store %s, %o : tensor<64x64xf32>, memref<64x64xf32>
  }
  return
}

// Threads beyond the 24 elements compute powers too, whose code branches.
func.func @padded_powers(%a: memref<24xf32>, %o: memref<24xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(64) {
    %e = arith.constant dense<1.5> : tensor<24xf32>
    %t = tile.parallel (%i) in (24) -> (tensor<24xf32>) {
      %v = memref.load %a[%i] : memref<24xf32>
      tile.yield %v : f32
    }
    %p = math.powf %t, %e : tensor<24xf32>
    tile.store %p, %o : tensor<24xf32>, memref<24xf32>
  }
  return
}
