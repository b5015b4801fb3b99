// Launches whose producer copies by its own threads, beside bulk copies or alone: places
// and alignment that nothing proves, clipped views, boxes of an image, casts. Every case
// equals the program as written, at every stage of the compiler and in the emulator with
// all checkers, under several orders of warps and deliveries.
// DEFINE: %{run} = tile-run %s --on=emulator --chip=sm_90a --check
// RUN: %{run} --entry=trips --seed=0 --scalar=3:0
// RUN: %{run} --entry=trips --seed=1 --scalar=3:1
// RUN: %{run} --entry=trips --seed=2 --scalar=3:2
// RUN: %{run} --entry=trips --seed=3 --scalar=3:3
// RUN: %{run} --entry=trips --seed=4 --scalar=3:4
// RUN: %{run} --entry=trips --seed=5 --scalar=3:5
// RUN: %{run} --entry=trips --seed=6 --scalar=3:6
// RUN: %{run} --entry=trips --seed=7 --scalar=3:7
// RUN: tile-run %s --on=reference --chip=sm_90a --check-stages --entry=trips --scalar=3:5
// RUN: %{run} --entry=alone --seed=0 --scalar=3:0
// RUN: %{run} --entry=alone --seed=1 --scalar=3:1
// RUN: %{run} --entry=alone --seed=2 --scalar=3:2
// RUN: %{run} --entry=alone --seed=3 --scalar=3:3
// RUN: %{run} --entry=alone --seed=4 --scalar=3:4
// RUN: %{run} --entry=alone --seed=5 --scalar=3:5
// RUN: %{run} --entry=alone --seed=9 --scalar=3:9
// RUN: tile-run %s --on=reference --chip=sm_90a --check-stages --entry=alone --scalar=3:4
// RUN: %{run} --entry=groups --seed=0
// RUN: %{run} --entry=groups --seed=1
// RUN: %{run} --entry=groups --seed=2
// RUN: tile-run %s --on=reference --chip=sm_90a --check-stages --entry=groups
// RUN: %{run} --entry=three_groups --seed=0
// RUN: %{run} --entry=three_groups --seed=1
// RUN: tile-run %s --on=reference --chip=sm_90a --check-stages --entry=three_groups
// RUN: %{run} --entry=clipped --seed=0 "--data=2:values(0,70,70,81,150)" --dim=K:136 --shape=2:5
// RUN: %{run} --entry=clipped --seed=1 "--data=2:values(0,70,70,81,150)" --dim=K:136 --shape=2:5
// RUN: %{run} --entry=clipped --seed=2 "--data=2:values(0,70,70,81,150)" --dim=K:136 --shape=2:5
// RUN: tile-run %s --on=reference --chip=sm_90a --check-stages --entry=clipped "--data=2:values(0,70,70,81,150)" --dim=K:136 --shape=2:5
// RUN: %{run} --entry=image --seed=0
// RUN: %{run} --entry=image --seed=1
// RUN: %{run} --entry=image --seed=2
// RUN: tile-run %s --on=reference --chip=sm_90a --check-stages --entry=image
// RUN: %{run} --entry=nest --seed=0 --scalar=3:0
// RUN: %{run} --entry=nest --seed=1 --scalar=3:1
// RUN: %{run} --entry=nest --seed=3 --scalar=3:3
// RUN: tile-run %s --on=reference --chip=sm_90a --check-stages --entry=nest --scalar=3:2
// RUN: %{run} --entry=two_loops --seed=0
// RUN: %{run} --entry=two_loops --seed=1
// RUN: %{run} --entry=two_loops --seed=2
// RUN: tile-run %s --on=reference --chip=sm_90a --check-stages --entry=two_loops
// RUN: %{run} --entry=guarded --seed=0 "--data=3:integers(0,1)"
// RUN: %{run} --entry=guarded --seed=1 "--data=3:integers(0,1)"
// RUN: %{run} --entry=guarded --seed=2 "--data=3:integers(0,1)"
// RUN: tile-run %s --on=reference --chip=sm_90a --check-stages --entry=guarded "--data=3:integers(0,1)"
// RUN: %{run} --entry=while_loop --seed=0
// RUN: %{run} --entry=while_loop --seed=1
// RUN: %{run} --entry=while_loop --seed=2
// RUN: tile-run %s --on=reference --chip=sm_90a --check-stages --entry=while_loop
// RUN: %{run} --entry=casts --seed=0
// RUN: %{run} --entry=casts --seed=1
// RUN: %{run} --entry=casts --seed=2
// RUN: tile-run %s --on=reference --chip=sm_90a --check-stages --entry=casts
// RUN: %{run} --entry=narrow --seed=0
// RUN: %{run} --entry=narrow --seed=1
// RUN: %{run} --entry=narrow --seed=2
// RUN: tile-run %s --on=reference --chip=sm_90a --check-stages --entry=narrow
// RUN: %{run} --entry=one_buffer --seed=0
// RUN: %{run} --entry=one_buffer --seed=1
// RUN: %{run} --entry=one_buffer --seed=2
// RUN: tile-run %s --on=reference --chip=sm_90a --check-stages --entry=one_buffer
// RUN: %{run} --entry=copies_only --seed=0
// RUN: %{run} --entry=copies_only --seed=1
// RUN: %{run} --entry=copies_only --seed=2
// RUN: tile-run %s --on=reference --chip=sm_90a --check-stages --entry=copies_only
// RUN: %{run} --entry=gathered --seed=0 "--data=2:integers(0,99)"
// RUN: %{run} --entry=gathered --seed=1 "--data=2:integers(0,99)"
// RUN: %{run} --entry=gathered --seed=2 "--data=2:integers(0,99)"
// RUN: tile-run %s --on=reference --chip=sm_90a --check-stages --entry=gathered "--data=2:integers(0,99)"
// RUN: %{run} --entry=gathered_inside --seed=0 --scalar=4:0 "--data=2:integers(-9,320)"
// RUN: %{run} --entry=gathered_inside --seed=1 --scalar=4:1 "--data=2:integers(-9,320)"
// RUN: %{run} --entry=gathered_inside --seed=2 --scalar=4:2 "--data=2:integers(-9,320)"
// RUN: %{run} --entry=gathered_inside --seed=3 --scalar=4:3 "--data=2:integers(-9,320)"
// RUN: %{run} --entry=gathered_inside --seed=4 --scalar=4:4 "--data=2:integers(-9,320)"
// RUN: %{run} --entry=gathered_inside --seed=5 --scalar=4:5 "--data=2:integers(-9,320)"
// RUN: %{run} --entry=gathered_inside --seed=6 --scalar=4:6 "--data=2:integers(-9,320)"
// RUN: %{run} --entry=gathered_inside --seed=7 --scalar=4:7 "--data=2:integers(-9,320)"
// RUN: tile-run %s --on=reference --chip=sm_90a --check-stages --entry=gathered_inside --scalar=4:4 "--data=2:integers(-9,320)"
// RUN: %{run} --entry=gathered_pages --seed=0 --scalar=4:0 "--data=2:integers(-1,3)"
// RUN: %{run} --entry=gathered_pages --seed=1 --scalar=4:1 "--data=2:integers(-1,3)"
// RUN: %{run} --entry=gathered_pages --seed=2 --scalar=4:2 "--data=2:integers(-1,3)"
// RUN: %{run} --entry=gathered_pages --seed=3 --scalar=4:3 "--data=2:integers(-1,3)"
// RUN: %{run} --entry=gathered_pages --seed=5 --scalar=4:5 "--data=2:integers(-1,3)"
// RUN: tile-run %s --on=reference --chip=sm_90a --check-stages --entry=gathered_pages --scalar=4:4 "--data=2:integers(-1,3)"
// RUN: tile-opt %s --tile-compile=chip=sm_90a --mlir-disable-threading --mlir-print-ir-after=tile-specialize-warps -o /dev/null 2>&1 | FileCheck %s

#shared = #gpu.address_space<workgroup>

// One operand by cp.async of 4 bytes, as no more is proved, beside one by the copy engine,
// in one ring. Trip counts from 0 to beyond the slots.
// CHECK-LABEL: func.func @trips(
// CHECK: producer warps(4)
// CHECK: tile.ring_acquire
// CHECK: "cp.async.mbarrier"
// CHECK: "cp.async.bulk.tensor
// CHECK: tile.ring_commit
func.func @trips(%A: memref<64x514xf16> {tile.divisible = array<i64: 1, 1>}, %B: memref<64x512xf16>, %C: memref<64x64xf32>, %trips: index) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(128) {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %s = tile.alloc : memref<64x64xf16, #shared>
    %t = tile.alloc : memref<64x64xf16, #shared>
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    %acc = scf.for %i = %c0 to %trips step %one iter_args(%c = %zero) -> (tensor<64x64xf32>) {
      %k = arith.muli %i, %c64 : index
      tile.copy %A[%c0, %k] to %s : memref<64x514xf16> to memref<64x64xf16, #shared>
      tile.copy %B[%c0, %k] to %t : memref<64x512xf16> to memref<64x64xf16, #shared>
      %d = tile.gemm %s, %t, %c {transpose_b} : memref<64x64xf16, #shared>, memref<64x64xf16, #shared> -> tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    } {tile.stages = 3 : i32}
    tile.store %acc, %C : tensor<64x64xf32>, memref<64x64xf32>
  }
  return
}

// No bulk copy: each thread of the producer arrives, and nothing else does.
// CHECK-LABEL: func.func @alone(
// CHECK: producer warps(4)
// CHECK-COUNT-2: "cp.async.mbarrier"
func.func @alone(%A: memref<64x580xf16>, %B: memref<64x580xf16>, %C: memref<64x64xf32>, %trips: index) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(128) {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %s = tile.alloc : memref<64x64xf16, #shared>
    %t = tile.alloc : memref<64x64xf16, #shared>
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    %acc = scf.for %i = %c0 to %trips step %one iter_args(%c = %zero) -> (tensor<64x64xf32>) {
      %k = arith.muli %i, %c64 : index
      tile.copy %A[%c0, %k] to %s : memref<64x580xf16> to memref<64x64xf16, #shared>
      tile.copy %B[%c0, %k] to %t : memref<64x580xf16> to memref<64x64xf16, #shared>
      %d = tile.gemm %s, %t, %c {transpose_b} : memref<64x64xf16, #shared>, memref<64x64xf16, #shared> -> tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    } {tile.stages = 4 : i32}
    tile.store %acc, %C : tensor<64x64xf32>, memref<64x64xf32>
  }
  return
}

// Two groups of consumers: the four warps of the producer copy what eight would, and have
// the registers for it.
// CHECK-LABEL: func.func @groups(
// CHECK: consumer warps(8) registers(224)
// CHECK: producer warps(4) registers(64)
// CHECK: "cp.async.mbarrier">, layout = #tile.fragment<{{.*}}warp = [2 : (1, 0), 2 : (32, 0)]>
func.func @groups(%A: memref<128x194xf16>, %B: memref<128x192xf16>, %C: memref<128x128xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(256) {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %c192 = arith.constant 192 : index
    %s = tile.alloc : memref<128x64xf16, #shared>
    %t = tile.alloc : memref<128x64xf16, #shared>
    %zero = arith.constant dense<0.0> : tensor<128x128xf32>
    %acc = scf.for %k = %c0 to %c192 step %c64 iter_args(%c = %zero) -> (tensor<128x128xf32>) {
      tile.copy %A[%c0, %k] to %s : memref<128x194xf16> to memref<128x64xf16, #shared>
      tile.copy %B[%c0, %k] to %t : memref<128x192xf16> to memref<128x64xf16, #shared>
      %d = tile.gemm %s, %t, %c {transpose_b} : memref<128x64xf16, #shared>, memref<128x64xf16, #shared> -> tensor<128x128xf32>
      scf.yield %d : tensor<128x128xf32>
    } {tile.stages = 2 : i32}
    tile.store %acc, %C : tensor<128x128xf32>, memref<128x128xf32>
  }
  return
}

// Three, with edges that are cut.
// CHECK-LABEL: func.func @three_groups(
// CHECK: consumer warps(12) registers(144)
// CHECK: producer warps(4) registers(80)
func.func @three_groups(%A: memref<190x166xf16>, %B: memref<90x166xf16>, %C: memref<190x90xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(384) {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %c166 = arith.constant 166 : index
    %s = tile.alloc : memref<192x64xf16, #shared>
    %t = tile.alloc : memref<96x64xf16, #shared>
    %zero = arith.constant dense<0.0> : tensor<192x96xf32>
    %acc = scf.for %k = %c0 to %c166 step %c64 iter_args(%c = %zero) -> (tensor<192x96xf32>) {
      tile.copy %A[%c0, %k] to %s : memref<190x166xf16> to memref<192x64xf16, #shared>
      tile.copy %B[%c0, %k] to %t : memref<90x166xf16> to memref<96x64xf16, #shared>
      %d = tile.gemm %s, %t, %c {transpose_b} : memref<192x64xf16, #shared>, memref<96x64xf16, #shared> -> tensor<192x96xf32>
      scf.yield %d : tensor<192x96xf32>
    } {tile.stages = 4 : i32}
    tile.store %acc, %C[%c0, %c0] : tensor<192x96xf32>, memref<190x90xf32>
  }
  return
}

// Groups of rows whose ends are loaded: the view of a group is no memref of the host.
// CHECK-LABEL: func.func @clipped(
// CHECK: producer warps(4)
// CHECK: memref.subview %{{.*}}[0, 0]
// CHECK: "cp.async.mbarrier"
// CHECK: "cp.async.bulk.tensor
func.func @clipped(%X: memref<150x?xf16> {tile.dims = ["", "K"], tile.divisible = array<i64: 1, 8>}, %W: memref<4x?x64xf16> {tile.dims = ["", "K", ""]}, %offsets: memref<?xi32>, %Y: memref<150x64xf32>) {
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  tile.launch blocks(%by, %g) in (%c3, %c4) threads(128) {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %K = memref.dim %X, %one : memref<150x?xf16>
    %next = arith.addi %g, %one : index
    %b32 = memref.load %offsets[%g] : memref<?xi32>
    %e32 = memref.load %offsets[%next] : memref<?xi32>
    %begin = arith.index_cast %b32 : i32 to index
    %end = arith.index_cast %e32 : i32 to index
    %skip = arith.muli %by, %c64 : index
    %row = arith.addi %begin, %skip : index
    %is = arith.cmpi slt, %row, %end : index
    scf.if %is {
      %Xg = memref.subview %X[0, 0] [%end, %K] [1, 1] : memref<150x?xf16> to memref<?x?xf16, strided<[?, 1]>>
      %Yg = memref.subview %Y[0, 0] [%end, 64] [1, 1] : memref<150x64xf32> to memref<?x64xf32, strided<[64, 1]>>
      %s = tile.alloc : memref<64x64xf16, #shared>
      %t = tile.alloc : memref<64x64xf16, #shared>
      %zero = arith.constant dense<0.0> : tensor<64x64xf32>
      %acc = scf.for %k = %c0 to %K step %c64 iter_args(%c = %zero) -> (tensor<64x64xf32>) {
        tile.copy %Xg[%row, %k] to %s : memref<?x?xf16, strided<[?, 1]>> to memref<64x64xf16, #shared>
        tile.copy %W[%g, %k, %c0] [1, 64, 64] to %t : memref<4x?x64xf16> to memref<64x64xf16, #shared>
        %d = tile.gemm %s, %t, %c : memref<64x64xf16, #shared>, memref<64x64xf16, #shared> -> tensor<64x64xf32>
        scf.yield %d : tensor<64x64xf32>
      } {tile.stages = 3 : i32}
      tile.store %acc, %Yg[%row, %c0] : tensor<64x64xf32>, memref<?x64xf32, strided<[64, 1]>>
    }
  }
  return
}

// Boxes of an image whose steps have several elements of the kernel, by the threads of
// the producer, weights by the copy engine.
// CHECK-LABEL: func.func @image(
// CHECK: producer warps(4)
// CHECK: tile.im2col {{.*}}"cp.async.mbarrier"
// CHECK: "cp.async.bulk.tensor
func.func @image(%X: memref<2x9x11x40xf16>, %W: memref<360x64xf16>, %Y: memref<198x64xf16>) {
  %c4 = arith.constant 4 : index
  tile.launch blocks(%b) in (%c4) threads(128) {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %c360 = arith.constant 360 : index
    %row = arith.muli %b, %c64 : index
    %s = tile.alloc : memref<64x32xf16, #shared>
    %t = tile.alloc : memref<32x64xf16, #shared>
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    %acc = scf.for %k = %c0 to %c360 step %c32 iter_args(%c = %zero) -> (tensor<64x64xf32>) {
      tile.im2col %X[%row, %k] to %s {kernel = [3, 3], strides = [1, 1], dilations = [1, 1], padding = [1, 1]} : memref<2x9x11x40xf16> to memref<64x32xf16, #shared>
      tile.copy %W[%k, %c0] to %t : memref<360x64xf16> to memref<32x64xf16, #shared>
      %d = tile.gemm %s, %t, %c : memref<64x32xf16, #shared>, memref<32x64xf16, #shared> -> tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    } {tile.stages = 4 : i32}
    %h = arith.truncf %acc : tensor<64x64xf32> to tensor<64x64xf16>
    tile.store %h, %Y[%row, %c0] : tensor<64x64xf16>, memref<198x64xf16>
  }
  return
}

// Numbers of uses go on over tiles, whatever is left of the slots.
// CHECK-LABEL: func.func @nest(
// CHECK: producer warps(4)
// CHECK: "cp.async.mbarrier"
func.func @nest(%A: memref<256x322xf16>, %B: memref<64x320xf16>, %C: memref<256x64xf32>, %tiles: index) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(128) {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %c320 = arith.constant 320 : index
    %s = tile.alloc : memref<64x64xf16, #shared>
    %t = tile.alloc : memref<64x64xf16, #shared>
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    scf.for %tile = %c0 to %tiles step %one {
      %row = arith.muli %tile, %c64 : index
      %acc = scf.for %k = %c0 to %c320 step %c64 iter_args(%c = %zero) -> (tensor<64x64xf32>) {
        tile.copy %A[%row, %k] to %s : memref<256x322xf16> to memref<64x64xf16, #shared>
        tile.copy %B[%c0, %k] to %t : memref<64x320xf16> to memref<64x64xf16, #shared>
        %d = tile.gemm %s, %t, %c {transpose_b} : memref<64x64xf16, #shared>, memref<64x64xf16, #shared> -> tensor<64x64xf32>
        scf.yield %d : tensor<64x64xf32>
      } {tile.stages = 3 : i32}
      tile.store %acc, %C[%row, %c0] : tensor<64x64xf32>, memref<256x64xf32>
    }
  }
  return
}

// Two loops in sequence: one whose producer copies, one whose producer only starts copies.
// CHECK-LABEL: func.func @two_loops(
// CHECK: producer warps(4)
// CHECK: "cp.async.mbarrier"
// CHECK: "cp.async.bulk.tensor
func.func @two_loops(%A: memref<64x194xf16>, %B: memref<64x192xf16>, %C: memref<64x64xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(128) {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %c192 = arith.constant 192 : index
    %s = tile.alloc : memref<64x64xf16, #shared>
    %t = tile.alloc : memref<64x64xf16, #shared>
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    %first = scf.for %k = %c0 to %c192 step %c64 iter_args(%c = %zero) -> (tensor<64x64xf32>) {
      tile.copy %A[%c0, %k] to %s : memref<64x194xf16> to memref<64x64xf16, #shared>
      %d = tile.gemm %s, %s, %c {transpose_b} : memref<64x64xf16, #shared>, memref<64x64xf16, #shared> -> tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    } {tile.stages = 2 : i32}
    %second = scf.for %k = %c0 to %c192 step %c64 iter_args(%c = %first) -> (tensor<64x64xf32>) {
      tile.copy %B[%c0, %k] to %t : memref<64x192xf16> to memref<64x64xf16, #shared>
      %d = tile.gemm %t, %t, %c {transpose_b} : memref<64x64xf16, #shared>, memref<64x64xf16, #shared> -> tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    } {tile.stages = 4 : i32}
    tile.store %second, %C : tensor<64x64xf32>, memref<64x64xf32>
  }
  return
}

// Under a loaded condition; one copy of a use is under another one, so that bytes are
// expected where bulk copies are issued, and arrivals of threads are not.
// CHECK-LABEL: func.func @guarded(
// CHECK: producer warps(4)
// CHECK: "cp.async.mbarrier"
func.func @guarded(%A: memref<64x514xf16>, %B: memref<64x512xf16>, %C: memref<64x64xf32>, %flags: memref<8xi32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(128) {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %c64 = arith.constant 64 : index
    %false = arith.constant 0 : i32
    %s = tile.alloc : memref<64x64xf16, #shared>
    %t = tile.alloc : memref<64x64xf16, #shared>
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    %acc = scf.for %i = %c0 to %c8 step %one iter_args(%c = %zero) -> (tensor<64x64xf32>) {
      %k = arith.muli %i, %c64 : index
      %flag = memref.load %flags[%i] : memref<8xi32>
      %is = arith.cmpi ne, %flag, %false : i32
      %d = scf.if %is -> (tensor<64x64xf32>) {
        tile.copy %A[%c0, %k] to %s : memref<64x514xf16> to memref<64x64xf16, #shared>
        tile.copy %B[%c0, %k] to %t : memref<64x512xf16> to memref<64x64xf16, #shared>
        %e = tile.gemm %s, %t, %c {transpose_b} : memref<64x64xf16, #shared>, memref<64x64xf16, #shared> -> tensor<64x64xf32>
        scf.yield %e : tensor<64x64xf32>
      } else {
        scf.yield %c : tensor<64x64xf32>
      }
      scf.yield %d : tensor<64x64xf32>
    } {tile.stages = 3 : i32}
    tile.store %acc, %C : tensor<64x64xf32>, memref<64x64xf32>
  }
  return
}

// A while loop around the pipelined one.
// CHECK-LABEL: func.func @while_loop(
// CHECK: producer warps(4)
// CHECK: scf.while
// CHECK: "cp.async.mbarrier"
func.func @while_loop(%A: memref<64x514xf16>, %C: memref<64x64xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(128) {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c7 = arith.constant 7 : index
    %c64 = arith.constant 64 : index
    %s = tile.alloc : memref<64x64xf16, #shared>
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    %r:2 = scf.while (%left = %c7, %sum = %zero) : (index, tensor<64x64xf32>) -> (index, tensor<64x64xf32>) {
      %goes = arith.cmpi ugt, %left, %c0 : index
      scf.condition(%goes) %left, %sum : index, tensor<64x64xf32>
    } do {
    ^bb0(%count: index, %before: tensor<64x64xf32>):
      %acc = scf.for %i = %c0 to %count step %one iter_args(%c = %before) -> (tensor<64x64xf32>) {
        %k = arith.muli %i, %c64 : index
        tile.copy %A[%c0, %k] to %s : memref<64x514xf16> to memref<64x64xf16, #shared>
        %d = tile.gemm %s, %s, %c {transpose_b} : memref<64x64xf16, #shared>, memref<64x64xf16, #shared> -> tensor<64x64xf32>
        scf.yield %d : tensor<64x64xf32>
      } {tile.stages = 2 : i32}
      %half = arith.divui %count, %c2 : index
      scf.yield %half, %acc : index, tensor<64x64xf32>
    }
    tile.store %r#1, %C : tensor<64x64xf32>, memref<64x64xf32>
  }
  return
}

// Elements that change type go through the registers of the producer, whose threads arrive
// behind their stores; beside copies past registers each arrives twice.
// CHECK-LABEL: func.func @casts(
// CHECK: producer warps(4)
// CHECK: "ld.st.mbarrier"
// CHECK: "cp.async.mbarrier"
func.func @casts(%A: memref<64x192xf32>, %B: memref<64x194xf16>, %C: memref<64x64xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(128) {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %c192 = arith.constant 192 : index
    %s = tile.alloc : memref<64x32xf16, #shared>
    %t = tile.alloc : memref<64x32xf16, #shared>
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    %acc = scf.for %k = %c0 to %c192 step %c32 iter_args(%c = %zero) -> (tensor<64x64xf32>) {
      tile.copy %A[%c0, %k] to %s : memref<64x192xf32> to memref<64x32xf16, #shared>
      tile.copy %B[%c0, %k] to %t : memref<64x194xf16> to memref<64x32xf16, #shared>
      %d = tile.gemm %s, %t, %c {transpose_b} : memref<64x32xf16, #shared>, memref<64x32xf16, #shared> -> tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    } {tile.stages = 3 : i32}
    tile.store %acc, %C : tensor<64x64xf32>, memref<64x64xf32>
  }
  return
}

// Rows of 129 elements: accesses of 2 bytes, for which there is no cp.async; beside bulk
// copies.
// CHECK-LABEL: func.func @narrow(
// CHECK: producer warps(4)
// CHECK: "ld.st.mbarrier"
// CHECK: "cp.async.bulk.tensor
func.func @narrow(%A: memref<64x129xf16>, %B: memref<64x136xf16>, %C: memref<64x64xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(128) {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %c129 = arith.constant 129 : index
    %s = tile.alloc : memref<64x32xf16, #shared>
    %t = tile.alloc : memref<64x32xf16, #shared>
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    %acc = scf.for %k = %c0 to %c129 step %c32 iter_args(%c = %zero) -> (tensor<64x64xf32>) {
      tile.copy %A[%c0, %k] to %s : memref<64x129xf16> to memref<64x32xf16, #shared>
      tile.copy %B[%c0, %k] to %t : memref<64x136xf16> to memref<64x32xf16, #shared>
      %d = tile.gemm %s, %t, %c {transpose_b} : memref<64x32xf16, #shared>, memref<64x32xf16, #shared> -> tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    } {tile.stages = 2 : i32}
    tile.store %acc, %C : tensor<64x64xf32>, memref<64x64xf32>
  }
  return
}

// A buffer half of which a bulk copy could fill: threads fill all of it, as nothing orders
// what they and the copy engine write to its bytes.
// CHECK-LABEL: func.func @one_buffer(
// CHECK: producer warps(4)
// CHECK-NOT: "cp.async.bulk.tensor
// CHECK: "cp.async.mbarrier"
// CHECK: "cp.async.mbarrier"
func.func @one_buffer(%A: memref<32x194xf16>, %B: memref<32x192xf16>, %C: memref<64x64xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(128) {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %c192 = arith.constant 192 : index
    %s = tile.alloc : memref<64x32xf16, #shared>
    %upper = memref.subview %s[0, 0] [32, 32] [1, 1] : memref<64x32xf16, #shared> to memref<32x32xf16, strided<[32, 1]>, #shared>
    %lower = memref.subview %s[32, 0] [32, 32] [1, 1] : memref<64x32xf16, #shared> to memref<32x32xf16, strided<[32, 1], offset: 1024>, #shared>
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    %acc = scf.for %k = %c0 to %c192 step %c32 iter_args(%c = %zero) -> (tensor<64x64xf32>) {
      tile.copy %A[%c0, %k] to %upper : memref<32x194xf16> to memref<32x32xf16, strided<[32, 1]>, #shared>
      tile.copy %B[%c0, %k] to %lower : memref<32x192xf16> to memref<32x32xf16, strided<[32, 1], offset: 1024>, #shared>
      %d = tile.gemm %s, %s, %c {transpose_b} : memref<64x32xf16, #shared>, memref<64x32xf16, #shared> -> tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    } {tile.stages = 3 : i32}
    tile.store %acc, %C : tensor<64x64xf32>, memref<64x64xf32>
  }
  return
}

// Without products, read by loads: no fence is needed.
// CHECK-LABEL: func.func @copies_only(
// CHECK: tile.specialize
// CHECK-NOT: tile.proxy_fence
// CHECK: producer warps(4)
// CHECK: "cp.async.mbarrier"
func.func @copies_only(%A: memref<64x513xf32>, %C: memref<64x64xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(128) attributes {warp_specialize = #tile.warp_specialize<on>} {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %c512 = arith.constant 512 : index
    %s = tile.alloc : memref<64x64xf32, #shared>
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    %acc = scf.for %k = %c0 to %c512 step %c64 iter_args(%c = %zero) -> (tensor<64x64xf32>) {
      tile.copy %A[%c0, %k] to %s : memref<64x513xf32> to memref<64x64xf32, #shared>
      %x = tile.load %s : memref<64x64xf32, #shared> -> tensor<64x64xf32>
      %d = arith.addf %x, %c : tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    } {tile.stages = 4 : i32}
    tile.store %acc, %C : tensor<64x64xf32>, memref<64x64xf32>
  }
  return
}

// Rows at places that are loaded in front of the loop, into fragments of the producer.
// CHECK-LABEL: func.func @gathered(
// CHECK: producer warps(4)
// CHECK: tile.load
// CHECK: rows({{.*}}"cp.async.mbarrier"
func.func @gathered(%A: memref<100x256xf16>, %B: memref<64x256xf16>, %rows: memref<64xi32>, %C: memref<64x64xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(128) {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %c256 = arith.constant 256 : index
    %s = tile.alloc : memref<64x32xf16, #shared>
    %t = tile.alloc : memref<64x32xf16, #shared>
    %r = tile.load %rows[%c0] : memref<64xi32> -> tensor<64xi32>
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    %acc = scf.for %k = %c0 to %c256 step %c32 iter_args(%c = %zero) -> (tensor<64x64xf32>) {
      tile.copy %A[%c0, %k] rows(%r : tensor<64xi32>) dim 0 to %s : memref<100x256xf16> to memref<64x32xf16, #shared>
      tile.copy %B[%c0, %k] to %t : memref<64x256xf16> to memref<64x32xf16, #shared>
      %d = tile.gemm %s, %t, %c {transpose_b} : memref<64x32xf16, #shared>, memref<64x32xf16, #shared> -> tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    } {tile.stages = 3 : i32}
    tile.store %acc, %C : tensor<64x64xf32>, memref<64x64xf32>
  }
  return
}

// Places that each iteration loads and computes; rows outside are zeros. Eight warps of
// consumers, four that copy.
// CHECK-LABEL: func.func @gathered_inside(
// CHECK: consumer warps(8)
// CHECK-NOT: tensor<128xi32
// CHECK: producer warps(4)
// CHECK: tile.load {{.*}}tensor<128xi32, #tile.fragment<[128], {{.*}}warp = [4
// CHECK: rows({{.*}}"cp.async.mbarrier"
func.func @gathered_inside(%A: memref<300x64xf16>, %B: memref<64x448xf16>, %rows: memref<7x128xi32>, %C: memref<128x64xf32>, %trips: index) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(256) {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %s = tile.alloc : memref<128x64xf16, #shared>
    %t = tile.alloc : memref<64x64xf16, #shared>
    %shift = arith.constant dense<3> : tensor<128xi32>
    %zero = arith.constant dense<0.0> : tensor<128x64xf32>
    %acc = scf.for %i = %c0 to %trips step %one iter_args(%c = %zero) -> (tensor<128x64xf32>) {
      %k = arith.muli %i, %c64 : index
      %r = tile.load %rows[%i, %c0] [1, 128] : memref<7x128xi32> -> tensor<128xi32>
      %q = arith.addi %r, %shift : tensor<128xi32>
      tile.copy %A[%c0, %c0] rows(%q : tensor<128xi32>) dim 0 to %s : memref<300x64xf16> to memref<128x64xf16, #shared>
      tile.copy %B[%c0, %k] to %t : memref<64x448xf16> to memref<64x64xf16, #shared>
      %d = tile.gemm %s, %t, %c {transpose_b} : memref<128x64xf16, #shared>, memref<64x64xf16, #shared> -> tensor<128x64xf32>
      scf.yield %d : tensor<128x64xf32>
    } {tile.stages = 3 : i32}
    tile.store %acc, %C : tensor<128x64xf32>, memref<128x64xf32>
  }
  return
}

// Rows of pages whose numbers each iteration looks up, in a loop over elements; two groups. Of
// a page of 20 rows four at a time are known to follow each other, which are no boxes.
// CHECK-LABEL: func.func @gathered_pages(
// CHECK: consumer warps(8)
// CHECK-NOT: tile.parallel
// CHECK: producer warps(4)
// CHECK: tile.parallel
// CHECK: rows({{.*}}"cp.async.mbarrier"
func.func @gathered_pages(%A: memref<96x64xf16>, %B: memref<64x448xf16>, %pages: memref<32xi32>, %C: memref<128x64xf32>, %trips: index) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(256) {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c20 = arith.constant 20 : index
    %c64 = arith.constant 64 : index
    %s = tile.alloc : memref<128x64xf16, #shared>
    %t = tile.alloc : memref<64x64xf16, #shared>
    %zero = arith.constant dense<0.0> : tensor<128x64xf32>
    %acc = scf.for %i = %c0 to %trips step %one iter_args(%c = %zero) -> (tensor<128x64xf32>) {
      %k = arith.muli %i, %c64 : index
      %first = arith.muli %i, %c4 : index
      %q = tile.parallel (%j) in (128) -> (tensor<128xindex>) {
        %in = arith.divui %j, %c20 : index
        %at = arith.addi %first, %in : index
        %page32 = memref.load %pages[%at] : memref<32xi32>
        %page = arith.index_cast %page32 : i32 to index
        %start = arith.muli %page, %c20 : index
        %rest = arith.remui %j, %c20 : index
        %row = arith.addi %start, %rest : index
        tile.yield %row : index
      }
      tile.copy %A[%c0, %c0] rows(%q : tensor<128xindex>) dim 0 to %s : memref<96x64xf16> to memref<128x64xf16, #shared>
      tile.copy %B[%c0, %k] to %t : memref<64x448xf16> to memref<64x64xf16, #shared>
      %d = tile.gemm %s, %t, %c {transpose_b} : memref<128x64xf16, #shared>, memref<64x64xf16, #shared> -> tensor<128x64xf32>
      scf.yield %d : tensor<128x64xf32>
    } {tile.stages = 2 : i32}
    tile.store %acc, %C : tensor<128x64xf32>, memref<128x64xf32>
  }
  return
}
