// Rows that threads nearly share, sums of columns over warps, integers of a whole warp: each
// by the instructions that suit it, with the results of the reference.
// RUN: tile-run %s --entry=ragged --on=emulator --chip=sm_80 --check
// RUN: tile-run %s --entry=ragged --on=emulator --chip=sm_90a --check
// RUN: tile-run %s --entry=columns --on=emulator --chip=sm_80 --check
// RUN: tile-run %s --entry=vector --on=emulator --chip=sm_80 --check
// RUN: tile-run %s --entry=integers --on=emulator --chip=sm_80 --check --data='integers(-100,100)'
// RUN: tile-run %s --entry=floats --on=emulator --chip=sm_100a --check --rtol=0 --atol=0
// RUN: tile-run %s --entry=floats --on=emulator --chip=sm_100a --check --rtol=0 --atol=0 --data='values(1,nan,-3,0.5)'
// RUN: tile-run %s --entry=sizes --on=emulator --chip=sm_80 --check --dim=n:1003
// RUN: tile-opt %s --emit=ptx --chip=sm_80 | FileCheck %s
// RUN: tile-opt %s --emit=ptx --chip=sm_100a | FileCheck %s --check-prefix=BLACKWELL

// 1000 elements, 128 threads: one access of 16 bytes each, without a condition where nobody
// writes the memory; one condition for all eight elements where somebody does.
// CHECK-LABEL: .entry read_only(
// CHECK-NOT: bra
// CHECK: min.u32 %{{.*}}, 992;
// CHECK-NOT: bra
// CHECK: ld.global.nc.v4.b32
// CHECK-NOT: ld.global
// CHECK: selp.f32 %{{.*}}, 0fFF800000,
// CHECK-NOT: selp.f32 %{{.*}}, 0fFF800000,
// CHECK: bar.sync
// CHECK-LABEL: .entry in_place(
// CHECK-NOT: min.u32
// CHECK: bra
// CHECK: ld.global.v4.b32
// CHECK-NOT: ld.global
// CHECK: st.global.v4.b32
// CHECK-NOT: st.global
func.func @ragged(%in: memref<3x1000xf16>, %out: memref<3x1000xf16>) {
  %c0 = arith.constant 0 : index
  %rows = arith.constant 3 : index
  tile.launch @read_only blocks(%row) in (%rows) threads(128) {
    %x = tile.load %in[%row, %c0] [1, 1000] : memref<3x1000xf16> -> tensor<1000xf32>
    %m = tile.reduce <maximumf> %x dims [0] : tensor<1000xf32> -> tensor<f32>
    %m_row = tile.broadcast %m dims [0] : tensor<f32> -> tensor<1000xf32>
    %y = arith.subf %x, %m_row : tensor<1000xf32>
    tile.store %y, %out[%row, %c0] [1, 1000] : tensor<1000xf32>, memref<3x1000xf16>
  }
  tile.launch @in_place blocks(%row) in (%rows) threads(128) {
    %x = tile.load %out[%row, %c0] [1, 1000] : memref<3x1000xf16> -> tensor<1000xf32>
    %m = tile.reduce <maximumf> %x dims [0] : tensor<1000xf32> -> tensor<f32>
    %m_row = tile.broadcast %m dims [0] : tensor<f32> -> tensor<1000xf32>
    %y = arith.subf %x, %m_row : tensor<1000xf32>
    tile.store %y, %out[%row, %c0] [1, 1000] : tensor<1000xf32>, memref<3x1000xf16>
  }
  return
}

// Four neighbours a thread: their partial sums are one access, in dense rows of a warp each.
// CHECK-LABEL: .entry column_sum(
// CHECK: st.shared.v4.b32
// CHECK-NOT: st.shared
// CHECK: bar.sync
// CHECK-NOT: xor
// CHECK-COUNT-4: ld.shared.v4.b32
func.func @columns(%x: memref<32x64xf32>, %y: memref<64xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch @column_sum blocks(%b) in (%c1) threads(128) {
    %t = tile.load %x : memref<32x64xf32> -> tensor<32x64xf32>
    %s = tile.reduce <add> %t dims [0] : tensor<32x64xf32> -> tensor<64xf32>
    tile.store %s, %y : tensor<64xf32>, memref<64xf32>
  }
  return
}

// A vector that all rows use, in a loop behind which they are reduced: each warp loads a part of
// it, 4 rows of 8 elements and the 8 of the vector a thread.
// CHECK-LABEL: .entry gemv(
// CHECK: $L__BB
// CHECK-COUNT-5: ld.global.nc.v4.b32
// CHECK-NOT: ld.global
// CHECK: bra
func.func @vector(%A: memref<16x2048xf16>, %x: memref<2048xf16>, %y: memref<16xf32>) {
  %c2 = arith.constant 2 : index
  tile.launch @gemv blocks(%block) in (%c2) threads(128) {
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %c512 = arith.constant 512 : index
    %c2048 = arith.constant 2048 : index
    %row = arith.muli %block, %c8 : index
    %zero = arith.constant dense<0.0> : tensor<8x512xf32>
    %acc = scf.for %k = %c0 to %c2048 step %c512 iter_args(%c = %zero) -> (tensor<8x512xf32>) {
      %a = tile.load %A[%row, %k] : memref<16x2048xf16> -> tensor<8x512xf32>
      %u = tile.load %x[%k] : memref<2048xf16> -> tensor<512xf32>
      %us = tile.broadcast %u dims [0] : tensor<512xf32> -> tensor<8x512xf32>
      %p = arith.mulf %a, %us fastmath<contract> : tensor<8x512xf32>
      %d = arith.addf %c, %p fastmath<contract> : tensor<8x512xf32>
      scf.yield %d : tensor<8x512xf32>
    }
    %sum = tile.reduce <add> %acc dims [1] : tensor<8x512xf32> -> tensor<8xf32>
    tile.store %sum, %y[%row] : tensor<8xf32>, memref<16xf32>
  }
  return
}

// CHECK-LABEL: .entry whole_warps(
// CHECK-NOT: shfl
// CHECK: redux.sync.add.s32
// CHECK-NOT: shfl
// CHECK: redux.sync.max.s32
// CHECK-NOT: shfl
// CHECK: redux.sync.max.u32
// CHECK-NOT: shfl
// CHECK: redux.sync.xor.b32
// CHECK-NOT: shfl
// CHECK: redux.sync.min.s32
// CHECK-NOT: shfl
// CHECK-LABEL: .entry parts_of_warps(
// CHECK: shfl
// CHECK-NOT: redux
// CHECK: ret;
func.func @integers(%a: memref<256xi32>, %b: memref<75xi8>, %c: memref<8x64xi32>, %o: memref<4xi32>, %p: memref<1xi8>,
    %q: memref<8xi32>) {
  %c1 = arith.constant 1 : index
  tile.launch @whole_warps blocks(%block) in (%c1) threads(64) {
    %c0 = arith.constant 0 : index
    %i1 = arith.constant 1 : index
    %i2 = arith.constant 2 : index
    %i3 = arith.constant 3 : index
    %x = tile.load %a : memref<256xi32> -> tensor<256xi32>
    %s0 = tile.reduce <add> %x dims [0] : tensor<256xi32> -> tensor<i32>
    %s1 = tile.reduce <maxsi> %x dims [0] : tensor<256xi32> -> tensor<i32>
    %s2 = tile.reduce <maxui> %x dims [0] : tensor<256xi32> -> tensor<i32>
    %s3 = tile.reduce <xor> %x dims [0] : tensor<256xi32> -> tensor<i32>
    %y = tile.load %b : memref<75xi8> -> tensor<75xi8>
    %s4 = tile.reduce <minsi> %y dims [0] : tensor<75xi8> -> tensor<i8>
    %v0 = tensor.extract %s0[] : tensor<i32>
    %v1 = tensor.extract %s1[] : tensor<i32>
    %v2 = tensor.extract %s2[] : tensor<i32>
    %v3 = tensor.extract %s3[] : tensor<i32>
    %v4 = tensor.extract %s4[] : tensor<i8>
    tile.once {
      memref.store %v0, %o[%c0] : memref<4xi32>
      memref.store %v1, %o[%i1] : memref<4xi32>
      memref.store %v2, %o[%i2] : memref<4xi32>
      memref.store %v3, %o[%i3] : memref<4xi32>
      memref.store %v4, %p[%c0] : memref<1xi8>
    }
  }
  tile.launch @parts_of_warps blocks(%block) in (%c1) threads(128) {
    %x = tile.load %c : memref<8x64xi32> -> tensor<8x64xi32>
    %s = tile.reduce <add> %x dims [1] : tensor<8x64xi32> -> tensor<8xi32>
    tile.store %s, %q : tensor<8xi32>, memref<8xi32>
  }
  return
}

// BLACKWELL-LABEL: .entry whole_warp_floats(
// BLACKWELL-NOT: shfl
// BLACKWELL: redux.sync.max.NaN.f32
// BLACKWELL-NOT: shfl
// BLACKWELL: redux.sync.min.f32
// BLACKWELL-NOT: shfl
// BLACKWELL: ret;
func.func @floats(%a: memref<128xf32>, %o: memref<2xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch @whole_warp_floats blocks(%block) in (%c1) threads(32) {
    %c0 = arith.constant 0 : index
    %i1 = arith.constant 1 : index
    %x = tile.load %a : memref<128xf32> -> tensor<128xf32>
    %s0 = tile.reduce <maximumf> %x dims [0] : tensor<128xf32> -> tensor<f32>
    %s1 = tile.reduce <minnumf> %x dims [0] : tensor<128xf32> -> tensor<f32>
    %v0 = tensor.extract %s0[] : tensor<f32>
    %v1 = tensor.extract %s1[] : tensor<f32>
    tile.once {
      memref.store %v0, %o[%c0] : memref<2xf32>
      memref.store %v1, %o[%i1] : memref<2xf32>
    }
  }
  return
}

// Sizes of one name are one parameter; what is left of a size, whole vectors by predicate and
// the elements of the one that is cut, has 32 bits.
// CHECK-LABEL: .entry one_size(
// CHECK: {
// CHECK-NOT: one_size_param_3
// CHECK-NOT: one_size_param_5
// CHECK: one_size_param_1
// CHECK-NOT: one_size_param_3
// CHECK-NOT: one_size_param_5
// CHECK-NOT: setp.{{.*}}64
// CHECK: setp.gt.s32
// CHECK-NOT: setp.{{.*}}64
// CHECK: ret;
func.func @sizes(%x: memref<?xf32> {tile.dims = ["n"]}, %y: memref<?xf32> {tile.dims = ["n"]},
                 %z: memref<?xf32> {tile.dims = ["n"]}) {
  %c0 = arith.constant 0 : index
  %c256 = arith.constant 256 : index
  %n = memref.dim %x, %c0 : memref<?xf32>
  %blocks = arith.ceildivui %n, %c256 : index
  tile.launch @one_size blocks(%block) in (%blocks) threads(64) {
    %step = arith.constant 256 : index
    %start = arith.muli %block, %step : index
    %u = tile.load %x[%start] : memref<?xf32> -> tensor<256xf32>
    %v = tile.load %y[%start] : memref<?xf32> -> tensor<256xf32>
    %w = arith.addf %u, %v : tensor<256xf32>
    tile.store %w, %z[%start] : tensor<256xf32>, memref<?xf32>
  }
  return
}
