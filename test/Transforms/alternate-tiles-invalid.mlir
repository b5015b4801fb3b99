// Teams with tiles of their own that a launch asks for and cannot have.
// RUN: tile-opt %s --tile-logical-phase="chip=sm_90a" --tile-layout-phase=bulk-copies --tile-schedule-phase --tile-alternate-consumers --split-input-file --verify-diagnostics -o /dev/null
// A chip that has no roles lets them be.
// RUN: tile-opt %s --tile-logical-phase="chip=sm_80" --tile-layout-phase --tile-schedule-phase --tile-alternate-consumers --split-input-file --remark-format=emitRemark --remarks-filter-missed="tile-alternate-consumers|tile-expand-grid" -o /dev/null 2>&1 | FileCheck %s
// CHECK: NotAlternating | Category:tile-expand-grid | {{.*}} | Reason="nobody takes turns: the launch is not 'persistent'"
// CHECK: NotAlternating | Category:tile-expand-grid | {{.*}} | Reason="nobody takes turns: all of its tiles are resident at once on one multiprocessor"
// CHECK-COUNT-5: NotAlternating | Category:tile-alternate-consumers | {{.*}} | Reason="nobody takes turns: it has no producer beside the warps that compute"
#shared = #gpu.address_space<workgroup>
func.func @one_tile(%A: memref<512x64xf16>, %B: memref<64x64xf16>, %C: memref<512x64xf32>) {
  %c8 = arith.constant 8 : index
  // expected-error @below {{asks for consumers that take turns over tiles, and its blocks have one tile each: the launch is not 'persistent'; leave 'consumers' out, or make it 'persistent'}}
  tile.launch @one_tile blocks(%x) in (%c8) threads(128) attributes {consumers = #tile.consumers<pingpong>} {
  }
  return
}

// -----

#shared = #gpu.address_space<workgroup>
func.func @resident(%A: memref<512x64xf16>, %B: memref<64x64xf16>, %C: memref<512x64xf32>) {
  %c2 = arith.constant 2 : index
  // expected-error @below {{its blocks have one tile each: all of its tiles are resident at once on one multiprocessor}}
  tile.launch @resident blocks(%x) in (%c2) threads(128) attributes {persistent, min_blocks_per_sm = 2, consumers = #tile.consumers<pingpong>} {
  }
  return
}

// -----

#shared = #gpu.address_space<workgroup>
func.func @two_warpgroups(%A: memref<1024x64xf16>, %B: memref<64x64xf16>, %C: memref<1024x64xf32>) {
  %c8 = arith.constant 8 : index
  // expected-error @below {{asks for consumers that take turns and cannot have them: a team is one warpgroup of four warps, and 8 warps compute a tile; 'threads' counts those of one team}}
  tile.launch @two_warpgroups blocks(%x) in (%c8) threads(256) attributes {persistent, consumers = #tile.consumers<pingpong>} {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %c128 = arith.constant 128 : index
    %row = arith.muli %x, %c128 : index
    %As = tile.alloc : memref<128x32xf16, #shared>
    %Bs = tile.alloc : memref<64x32xf16, #shared>
    %zero = arith.constant dense<0.0> : tensor<128x64xf32>
    %acc = scf.for %i = %c0 to %c64 step %c32 iter_args(%c = %zero) -> (tensor<128x64xf32>) {
      tile.copy %A[%row, %i] to %As : memref<1024x64xf16> to memref<128x32xf16, #shared>
      tile.copy %B[%c0, %i] to %Bs : memref<64x64xf16> to memref<64x32xf16, #shared>
      %d = tile.gemm %As, %Bs, %c {transpose_b} : memref<128x32xf16, #shared>, memref<64x32xf16, #shared> -> tensor<128x64xf32>
      scf.yield %d : tensor<128x64xf32>
    } {tile.stages = 2 : i32}
    tile.store %acc, %C[%row, %c0] : tensor<128x64xf32>, memref<1024x64xf32>
  }
  return
}

// -----

#shared = #gpu.address_space<workgroup>
func.func @one_stage(%A: memref<512x64xf16>, %B: memref<64x64xf16>, %C: memref<512x64xf32>) {
  %c8 = arith.constant 8 : index
  // expected-error @below {{asks for consumers that take turns and cannot have them: it has no producer beside the warps that compute}}
  tile.launch @one_stage blocks(%x) in (%c8) threads(128) attributes {persistent, consumers = #tile.consumers<pingpong>} {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %row = arith.muli %x, %c64 : index
    %As = tile.alloc : memref<64x32xf16, #shared>
    %Bs = tile.alloc : memref<64x32xf16, #shared>
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    %acc = scf.for %i = %c0 to %c64 step %c32 iter_args(%c = %zero) -> (tensor<64x64xf32>) {
      tile.copy %A[%row, %i] to %As : memref<512x64xf16> to memref<64x32xf16, #shared>
      tile.copy %B[%c0, %i] to %Bs : memref<64x64xf16> to memref<64x32xf16, #shared>
      %d = tile.gemm %As, %Bs, %c {transpose_b} : memref<64x32xf16, #shared>, memref<64x32xf16, #shared> -> tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    } {tile.stages = 1 : i32}
    tile.store %acc, %C[%row, %c0] : tensor<64x64xf32>, memref<512x64xf32>
  }
  return
}

// -----

#shared = #gpu.address_space<workgroup>
func.func @triangle(%A: memref<512x512xf16>, %B: memref<64x512xf16>, %C: memref<512x64xf32>) {
  %c8 = arith.constant 8 : index
  // expected-error @below {{cannot have them: the number of its steps differs from tile to tile, and a team does not run the tile that it skips}}
  // expected-note @below {{because of this}}
  tile.launch @triangle blocks(%x) in (%c8) threads(128) attributes {persistent, consumers = #tile.consumers<pingpong>} {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %row = arith.muli %x, %c64 : index
    %As = tile.alloc : memref<64x32xf16, #shared>
    %Bs = tile.alloc : memref<64x32xf16, #shared>
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    %acc = scf.for %i = %c0 to %row step %c32 iter_args(%c = %zero) -> (tensor<64x64xf32>) {
      tile.copy %A[%row, %i] to %As : memref<512x512xf16> to memref<64x32xf16, #shared>
      tile.copy %B[%c0, %i] to %Bs : memref<64x512xf16> to memref<64x32xf16, #shared>
      %d = tile.gemm %As, %Bs, %c {transpose_b} : memref<64x32xf16, #shared>, memref<64x32xf16, #shared> -> tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    } {tile.stages = 2 : i32}
    tile.store %acc, %C[%row, %c0] : tensor<64x64xf32>, memref<512x64xf32>
  }
  return
}

// -----

#shared = #gpu.address_space<workgroup>
func.func @nest(%A: memref<512x512xf16>, %B: memref<64x512xf16>, %C: memref<512x64xf32>, %part: index) {
  %c8 = arith.constant 8 : index
  // expected-error @below {{cannot have them: a team skips a tile without running it, and the uses of rings in this loop are not one a step}}
  tile.launch @nest blocks(%x) in (%c8) threads(128) attributes {persistent, consumers = #tile.consumers<pingpong>} {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %c128 = arith.constant 128 : index
    %c512 = arith.constant 512 : index
    %row = arith.muli %x, %c64 : index
    %As = tile.alloc : memref<64x32xf16, #shared>
    %Bs = tile.alloc : memref<64x32xf16, #shared>
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    // expected-note @below {{because of this}}
    %all = scf.for %j = %c0 to %c512 step %c128 iter_args(%s = %zero) -> (tensor<64x64xf32>) {
      %end = arith.addi %j, %part : index
      %acc = scf.for %i = %j to %end step %c32 iter_args(%c = %s) -> (tensor<64x64xf32>) {
        tile.copy %A[%row, %i] to %As : memref<512x512xf16> to memref<64x32xf16, #shared>
        tile.copy %B[%c0, %i] to %Bs : memref<64x512xf16> to memref<64x32xf16, #shared>
        %d = tile.gemm %As, %Bs, %c {transpose_b} : memref<64x32xf16, #shared>, memref<64x32xf16, #shared> -> tensor<64x64xf32>
        scf.yield %d : tensor<64x64xf32>
      } {tile.stages = 2 : i32}
      scf.yield %acc : tensor<64x64xf32>
    }
    tile.store %all, %C[%row, %c0] : tensor<64x64xf32>, memref<512x64xf32>
  }
  return
}

// -----

#shared = #gpu.address_space<workgroup>
// Copies of a buffer lie behind each other.
func.func @aligned(%A: memref<256x96xf16>, %B: memref<192x96xf16>, %C: memref<256x192xf16>, %m: index, %n: index) {
  %c1 = arith.constant 1 : index
  tile.launch @gemm_kernel blocks(%x, %y) in (%n, %m) threads(128) attributes {persistent, consumers = #tile.consumers<pingpong>} {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %k = arith.constant 96 : index
    %c64 = arith.constant 64 : index
    %row = arith.muli %y, %c64 : index
    %col = arith.muli %x, %c64 : index
    %As = tile.alloc : memref<64x32xf16, #shared>
    // expected-error @below {{asks for 16384 bytes of alignment, but each of 2 teams keeps it, 8192 bytes apart; leave 'alignment' out, or let it divide that}}
    %Ts = tile.alloc {alignment = 16384 : i64} : memref<64x64xf16, #shared>
    %Bs = tile.alloc : memref<64x32xf16, #shared>
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    %acc = scf.for %i = %c0 to %k step %c32 iter_args(%c = %zero) -> (tensor<64x64xf32>) {
      tile.copy %A[%row, %i] to %As : memref<256x96xf16> to memref<64x32xf16, #shared>
      tile.copy %B[%col, %i] to %Bs : memref<192x96xf16> to memref<64x32xf16, #shared>
      %d = tile.gemm %As, %Bs, %c {transpose_b} : memref<64x32xf16, #shared>, memref<64x32xf16, #shared> -> tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    } {tile.stages = 3 : i32}
    %h = arith.truncf %acc : tensor<64x64xf32> to tensor<64x64xf16>
    tile.store %h, %Ts : tensor<64x64xf16>, memref<64x64xf16, #shared>
    %t = tile.load %Ts : memref<64x64xf16, #shared> -> tensor<64x64xf16>
    tile.store %t, %C[%row, %col] : tensor<64x64xf16>, memref<256x192xf16>
  }
  return
}
