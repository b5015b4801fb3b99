// Operations that act once for the block, atomics on tiles, several launches.
// RUN: tile-run %s --entry=scalars --on=emulator --chip=sm_80 --check --scalar=2:1.5
// RUN: tile-run %s --entry=scalars --on=emulator --chip=sm_90a --check --scalar=2:1.5
// RUN: tile-run %s --entry=counter --on=emulator --chip=sm_80 --check
// RUN: tile-run %s --entry=counter --on=emulator --chip=sm_90a --check
// RUN: tile-run %s --entry=extract --on=emulator --chip=sm_80 --check
// RUN: tile-run %s --entry=extract --on=emulator --chip=sm_90a --check
// RUN: tile-run %s --entry=tile_atomics --on=emulator --chip=sm_80 --check --data=integers
// RUN: tile-run %s --entry=tile_atomics --on=emulator --chip=sm_90a --check --data=integers
// RUN: tile-run %s --entry=atomic_kinds --on=emulator --chip=sm_80 --check --data=integers(-20,20)
// RUN: tile-run %s --entry=atomic_kinds --on=emulator --chip=sm_90a --check --data=integers(-20,20)
// RUN: tile-run %s --entry=two_launches --on=emulator --chip=sm_80 --check
// RUN: tile-run %s --entry=two_launches --on=emulator --chip=sm_90a --check
// RUN: tile-run %s --entry=host_loop --on=emulator --chip=sm_80 --check --scalar=1:3
// RUN: tile-run %s --entry=host_loop --on=emulator --chip=sm_90a --check --scalar=1:3
// RUN: tile-run %s --entry=nothing --on=emulator --chip=sm_80 --check --shape=0:0
// RUN: tile-run %s --entry=nothing --on=emulator --chip=sm_90a --check --shape=0:0
// RUN: tile-run %s --entry=warps --on=emulator --chip=sm_80 --check
// RUN: tile-run %s --entry=warps --on=emulator --chip=sm_90a --check
#shared = #gpu.address_space<workgroup>

func.func @scalars(%a: memref<16xf32>, %o: memref<16xf32>, %s: f32) {
  %c16 = arith.constant 16 : index
  tile.launch blocks(%x) in (%c16) threads(64) {
    %e = memref.load %a[%x] : memref<16xf32>
    %d = arith.addf %e, %s : f32
    memref.store %d, %o[%x] : memref<16xf32>
    %f = memref.load %o[%x] : memref<16xf32>
    %g = arith.mulf %f, %f : f32
    memref.store %g, %o[%x] : memref<16xf32>
  }
  return
}

func.func @counter(%n: memref<1xi32>, %o: memref<8xi32>) {
  %c8 = arith.constant 8 : index
  tile.launch blocks(%x) in (%c8) threads(64) {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1 : i32
    %old = memref.atomic_rmw addi %one, %n[%c0] : (i32, memref<1xi32>) -> i32
    %i = arith.index_cast %old : i32 to index
    %two = arith.muli %old, %old : i32
    memref.store %two, %o[%i] : memref<8xi32>
  }
  return
}

func.func @extract(%a: memref<32x32xf32>, %o: memref<32xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(64) {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %t = tile.load %a : memref<32x32xf32> -> tensor<32x32xf32>
    scf.for %i = %c0 to %c32 step %one {
      %e = tensor.extract %t[%i, %i] : tensor<32x32xf32>
      memref.store %e, %o[%i] : memref<32xf32>
    }
  }
  return
}

func.func @tile_atomics(%a: memref<4x64xf32>, %o: memref<64xf32>, %q: memref<70xf32>) {
  %c4 = arith.constant 4 : index
  tile.launch blocks(%x) in (%c4) threads(64) {
    %c0 = arith.constant 0 : index
    %c10 = arith.constant 10 : index
    %t = tile.load %a[%x, %c0] [1, 64] : memref<4x64xf32> -> tensor<64xf32>
    tile.atomic_rmw addf %t, %o[%c0] : tensor<64xf32>, memref<64xf32>
    tile.atomic_rmw addf %t, %q[%c10] : tensor<64xf32>, memref<70xf32>
    %s = tile.alloc : memref<64xf32, #shared>
    tile.store %t, %s : tensor<64xf32>, memref<64xf32, #shared>
    tile.atomic_rmw addf %t, %s[%c0] : tensor<64xf32>, memref<64xf32, #shared>
    %u = tile.load %s : memref<64xf32, #shared> -> tensor<64xf32>
    tile.atomic_rmw addf %u, %o[%c0] : tensor<64xf32>, memref<64xf32>
  }
  return
}

func.func @atomic_kinds(%a: memref<32xi32>, %o: memref<32xi32>, %f: memref<32xf16>, %g: memref<32xf16>, %h: memref<32xf32>) {
  %c3 = arith.constant 3 : index
  tile.launch blocks(%x) in (%c3) threads(32) {
    %c0 = arith.constant 0 : index
    %t = tile.load %a[%c0] : memref<32xi32> -> tensor<32xi32>
    tile.atomic_rmw maxs %t, %o[%c0] : tensor<32xi32>, memref<32xi32>
    %u = tile.load %f[%c0] : memref<32xf16> -> tensor<32xf16>
    tile.atomic_rmw addf %u, %g[%c0] : tensor<32xf16>, memref<32xf16>
    %v = arith.extf %u : tensor<32xf16> to tensor<32xf32>
    tile.atomic_rmw maximumf %v, %h[%c0] : tensor<32xf32>, memref<32xf32>
  }
  return
}

func.func @two_launches(%a: memref<256xf32>, %o: memref<256xf32>) {
  %c4 = arith.constant 4 : index
  %c64 = arith.constant 64 : index
  %tmp = memref.alloc() : memref<256xf32>
  tile.launch @first blocks(%x) in (%c4) threads(64) {
    %i = arith.muli %x, %c64 : index
    %t = tile.load %a[%i] : memref<256xf32> -> tensor<64xf32>
    %u = arith.addf %t, %t : tensor<64xf32>
    tile.store %u, %tmp[%i] : tensor<64xf32>, memref<256xf32>
  }
  tile.launch @second blocks(%x) in (%c4) threads(32) {
    %i = arith.muli %x, %c64 : index
    %c255 = arith.constant 255 : index
    tile.parallel (%j) in (64) {
      %k = arith.addi %i, %j : index
      %r = arith.subi %c255, %k : index
      %e = memref.load %tmp[%r] : memref<256xf32>
      memref.store %e, %o[%k] : memref<256xf32>
    }
  }
  memref.dealloc %tmp : memref<256xf32>
  return
}

func.func @host_loop(%a: memref<64xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    tile.launch blocks(%x) in (%c1) threads(32) {
      %t = tile.load %a : memref<64xf32> -> tensor<64xf32>
      %h = arith.constant dense<0.5> : tensor<64xf32>
      %u = arith.mulf %t, %h : tensor<64xf32>
      tile.store %u, %a : tensor<64xf32>, memref<64xf32>
    }
  }
  return
}

func.func @nothing(%a: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %a, %c0 : memref<?xf32>
  tile.launch blocks(%x) in (%n) threads(32) {
    %t = tile.load %a[%x] : memref<?xf32> -> tensor<32xf32>
    tile.store %t, %a[%x] : tensor<32xf32>, memref<?xf32>
  }
  return
}

func.func @warps(%a: memref<5x100xf32>, %o: memref<5x100xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch @w5 blocks(%x) in (%c1) threads(160) {
    %t = tile.load %a : memref<5x100xf32> -> tensor<5x100xf32>
    %s = tile.reduce <add> %t dims [0] : tensor<5x100xf32> -> tensor<100xf32>
    %b = tile.broadcast %s dims [0] : tensor<100xf32> -> tensor<5x100xf32>
    %u = arith.subf %t, %b : tensor<5x100xf32>
    tile.store %u, %o : tensor<5x100xf32>, memref<5x100xf32>
  }
  tile.launch @w6 blocks(%x) in (%c1) threads(192) {
    %t = tile.load %o : memref<5x100xf32> -> tensor<5x100xf32>
    %s = tile.reduce <minimumf> %t dims [0, 1] : tensor<5x100xf32> -> tensor<f32>
    %m = tensor.extract %s[] : tensor<f32>
    %b = tensor.splat %m : tensor<5x100xf32>
    %u = arith.subf %t, %b : tensor<5x100xf32>
    tile.store %u, %o : tensor<5x100xf32>, memref<5x100xf32>
  }
  tile.launch @w7 blocks(%x) in (%c1) threads(224) {
    %t = tile.load %o : memref<5x100xf32> -> tensor<5x100xf32>
    %s = tile.reduce <maximumf> %t dims [1] : tensor<5x100xf32> -> tensor<5xf32>
    %b = tile.broadcast %s dims [1] : tensor<5xf32> -> tensor<5x100xf32>
    %u = arith.subf %t, %b : tensor<5x100xf32>
    tile.store %u, %o : tensor<5x100xf32>, memref<5x100xf32>
  }
  return
}
