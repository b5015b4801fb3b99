// RUN: tile-opt %s --tile-plan-roles --split-input-file --remark-format=emitRemark --remarks-filter=tile-plan-roles --verify-diagnostics | FileCheck %s

#shared = #gpu.address_space<workgroup>

// What a chip cannot do is a remark at the launch, and all warps compute.
// CHECK-LABEL: func @on
// CHECK: tile.launch @k blocks(%bx) in (%{{.*}}) threads(128) attributes {stage = #tile.stage<logical>} {
module attributes {tile.target = #tile.target<"sm_80">} {
func.func @on(%n: index) {
  // expected-remark @below {{[Missed] NotSpecialized | Category:tile-plan-roles | Function=k | Reason="the chip has no bulk copies for producer warps; all 4 warps compute"}}
  tile.launch @k blocks(%bx) in (%n) threads(128) attributes {stage = #tile.stage<logical>, warp_specialize = #tile.warp_specialize<on>} {
  }
  return
}
}

// -----

// Nothing is said of what is left to the compiler and has nothing to overlap.
// CHECK-LABEL: func @auto
// CHECK: attributes {stage = #tile.stage<logical>} {
module attributes {tile.target = #tile.target<"sm_90a">} {
func.func @auto(%n: index) {
  tile.launch @k blocks(%bx) in (%n) threads(128) attributes {stage = #tile.stage<logical>, warp_specialize = #tile.warp_specialize<auto>} {
  }
  return
}
}

// -----

// What asks for roles that nothing could fill is wrong.
#shared = #gpu.address_space<workgroup>
module attributes {tile.target = #tile.target<"sm_90a">} {
func.func @nothing(%n: index) {
  // expected-error @below {{asks for specialised warps and cannot have them: no loop with 'tile.stages' of 2 or more copies from global to shared memory}}
  tile.launch @k blocks(%bx) in (%n) threads(64) attributes {stage = #tile.stage<logical>, warp_specialize = #tile.warp_specialize<on>} {
  }
  return
}
}

// -----

#shared = #gpu.address_space<workgroup>
module attributes {tile.target = #tile.target<"sm_90a">} {

// A group of four warps is not limited by registers beside one warp more.
// CHECK-LABEL: func @one_group
// CHECK: threads(128) attributes {roles = #tile.roles<<consumer, warps = 4>, <producer, warps = 1>>, stage = #tile.stage<logical>} {
func.func @one_group(%n: index, %a: memref<64x512xf16>, %b: memref<64x512xf16>) {
  tile.launch @one blocks(%bx) in (%n) threads(128) attributes {stage = #tile.stage<logical>} {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %c512 = arith.constant 512 : index
    %s = tile.alloc : memref<64x64xf16, #shared>
    %t = tile.alloc : memref<64x64xf16, #shared>
    scf.for %k = %c0 to %c512 step %c64 {
      tile.copy %a[%c0, %k] to %s : memref<64x512xf16> to memref<64x64xf16, #shared>
      tile.copy %b[%c0, %k] to %t : memref<64x512xf16> to memref<64x64xf16, #shared>
      %d = tile.gemm %s, %t {transpose_b} : memref<64x64xf16, #shared>, memref<64x64xf16, #shared> -> tensor<64x64xf32>
    } {tile.stages = 2 : i32}
  }
  return
}

// Two share 65536 registers with a group that needs 40 a thread; three likewise.
// CHECK-LABEL: func @two_groups
// CHECK: roles = #tile.roles<<consumer, warps = 8, registers = 232>, <producer, warps = 4, registers = 40>>
// CHECK: roles = #tile.roles<<consumer, warps = 12, registers = 152>, <producer, warps = 4, registers = 40>>
// Two blocks share them as well.
// CHECK: roles = #tile.roles<<consumer, warps = 8, registers = 104>, <producer, warps = 4, registers = 40>>
// What the author limits stays limited, and 32 warps leave no room.
// CHECK: max_registers = 128 : i64, roles = #tile.roles<<consumer, warps = 8>, <producer, warps = 4>>
// CHECK: threads(1024) attributes {stage
// Nor is there room for 640 threads of 128 registers, or for four blocks of as many threads.
// CHECK: threads(512) attributes {max_registers = 128 : i64, stage
// CHECK: threads(512) attributes {min_blocks_per_sm = 4 : i64, stage
// `off` is obeyed, and a copy without products is not worth a warp unless asked for.
// CHECK: threads(256) attributes {stage
// CHECK: threads(128) attributes {stage
// CHECK: threads(128) attributes {roles = {{.*}}warp_specialize = #tile.warp_specialize<on>}
func.func @two_groups(%n: index, %a: memref<64x512xf16>) {
  tile.launch @two blocks(%bx) in (%n) threads(256) attributes {stage = #tile.stage<logical>} {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %c512 = arith.constant 512 : index
    %s = tile.alloc : memref<64x64xf16, #shared>
    scf.for %k = %c0 to %c512 step %c64 {
      tile.copy %a[%c0, %k] to %s : memref<64x512xf16> to memref<64x64xf16, #shared>
      %d = tile.gemm %s, %s {transpose_b} : memref<64x64xf16, #shared>, memref<64x64xf16, #shared> -> tensor<64x64xf32>
    } {tile.stages = 2 : i32}
  }
  tile.launch @three blocks(%bx) in (%n) threads(384) attributes {stage = #tile.stage<logical>} {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %c512 = arith.constant 512 : index
    %s = tile.alloc : memref<64x64xf16, #shared>
    scf.for %k = %c0 to %c512 step %c64 {
      tile.copy %a[%c0, %k] to %s : memref<64x512xf16> to memref<64x64xf16, #shared>
      %d = tile.gemm %s, %s {transpose_b} : memref<64x64xf16, #shared>, memref<64x64xf16, #shared> -> tensor<64x64xf32>
    } {tile.stages = 2 : i32}
  }
  tile.launch @blocks blocks(%bx) in (%n) threads(256) attributes {min_blocks_per_sm = 2 : i64, stage = #tile.stage<logical>} {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %c512 = arith.constant 512 : index
    %s = tile.alloc : memref<64x64xf16, #shared>
    scf.for %k = %c0 to %c512 step %c64 {
      tile.copy %a[%c0, %k] to %s : memref<64x512xf16> to memref<64x64xf16, #shared>
      %d = tile.gemm %s, %s {transpose_b} : memref<64x64xf16, #shared>, memref<64x64xf16, #shared> -> tensor<64x64xf32>
    } {tile.stages = 2 : i32}
  }
  tile.launch @limited blocks(%bx) in (%n) threads(256) attributes {max_registers = 128 : i64, stage = #tile.stage<logical>} {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %c512 = arith.constant 512 : index
    %s = tile.alloc : memref<64x64xf16, #shared>
    scf.for %k = %c0 to %c512 step %c64 {
      tile.copy %a[%c0, %k] to %s : memref<64x512xf16> to memref<64x64xf16, #shared>
      %d = tile.gemm %s, %s {transpose_b} : memref<64x64xf16, #shared>, memref<64x64xf16, #shared> -> tensor<64x64xf32>
    } {tile.stages = 2 : i32}
  }
  tile.launch @full blocks(%bx) in (%n) threads(1024) attributes {stage = #tile.stage<logical>} {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %c512 = arith.constant 512 : index
    %s = tile.alloc : memref<64x64xf16, #shared>
    scf.for %k = %c0 to %c512 step %c64 {
      tile.copy %a[%c0, %k] to %s : memref<64x512xf16> to memref<64x64xf16, #shared>
      %d = tile.gemm %s, %s {transpose_b} : memref<64x64xf16, #shared>, memref<64x64xf16, #shared> -> tensor<64x64xf32>
    } {tile.stages = 2 : i32}
  }
  tile.launch @many_registers blocks(%bx) in (%n) threads(512) attributes {max_registers = 128 : i64, stage = #tile.stage<logical>} {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %c512 = arith.constant 512 : index
    %s = tile.alloc : memref<64x64xf16, #shared>
    scf.for %k = %c0 to %c512 step %c64 {
      tile.copy %a[%c0, %k] to %s : memref<64x512xf16> to memref<64x64xf16, #shared>
      %d = tile.gemm %s, %s {transpose_b} : memref<64x64xf16, #shared>, memref<64x64xf16, #shared> -> tensor<64x64xf32>
    } {tile.stages = 2 : i32}
  }
  tile.launch @many_blocks blocks(%bx) in (%n) threads(512) attributes {min_blocks_per_sm = 4 : i64, stage = #tile.stage<logical>} {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %c512 = arith.constant 512 : index
    %s = tile.alloc : memref<64x64xf16, #shared>
    scf.for %k = %c0 to %c512 step %c64 {
      tile.copy %a[%c0, %k] to %s : memref<64x512xf16> to memref<64x64xf16, #shared>
      %d = tile.gemm %s, %s {transpose_b} : memref<64x64xf16, #shared>, memref<64x64xf16, #shared> -> tensor<64x64xf32>
    } {tile.stages = 2 : i32}
  }
  tile.launch @off blocks(%bx) in (%n) threads(256) attributes {stage = #tile.stage<logical>, warp_specialize = #tile.warp_specialize<off>} {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %c512 = arith.constant 512 : index
    %s = tile.alloc : memref<64x64xf16, #shared>
    scf.for %k = %c0 to %c512 step %c64 {
      tile.copy %a[%c0, %k] to %s : memref<64x512xf16> to memref<64x64xf16, #shared>
      %d = tile.gemm %s, %s {transpose_b} : memref<64x64xf16, #shared>, memref<64x64xf16, #shared> -> tensor<64x64xf32>
    } {tile.stages = 2 : i32}
  }
  tile.launch @only_copies blocks(%bx) in (%n) threads(128) attributes {stage = #tile.stage<logical>} {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %c512 = arith.constant 512 : index
    %s = tile.alloc : memref<64x64xf16, #shared>
    scf.for %k = %c0 to %c512 step %c64 {
      tile.copy %a[%c0, %k] to %s : memref<64x512xf16> to memref<64x64xf16, #shared>
    } {tile.stages = 2 : i32}
  }
  tile.launch @asked blocks(%bx) in (%n) threads(128) attributes {stage = #tile.stage<logical>, warp_specialize = #tile.warp_specialize<on>} {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %c512 = arith.constant 512 : index
    %s = tile.alloc : memref<64x64xf16, #shared>
    scf.for %k = %c0 to %c512 step %c64 {
      tile.copy %a[%c0, %k] to %s : memref<64x512xf16> to memref<64x64xf16, #shared>
    } {tile.stages = 2 : i32}
  }
  return
}
}

// -----

// Who asks for a producer hears why there is no room for one.
#shared = #gpu.address_space<workgroup>
module attributes {tile.target = #tile.target<"sm_90a">} {
func.func @no_room(%n: index, %a: memref<64x512xf16>) {
  // expected-error @below {{asks for specialised warps and cannot have them: blocks of 640 threads, a producer's among them, do not fit: cannot be launched: too much for sm_90a in registers (128 a thread, 640 threads, 255 a thread and 65536 a block at most)}}
  tile.launch @k blocks(%bx) in (%n) threads(512) attributes {max_registers = 128 : i64, stage = #tile.stage<logical>, warp_specialize = #tile.warp_specialize<on>} {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %c512 = arith.constant 512 : index
    %s = tile.alloc : memref<64x64xf16, #shared>
    scf.for %k = %c0 to %c512 step %c64 {
      tile.copy %a[%c0, %k] to %s : memref<64x512xf16> to memref<64x64xf16, #shared>
      %d = tile.gemm %s, %s {transpose_b} : memref<64x64xf16, #shared>, memref<64x64xf16, #shared> -> tensor<64x64xf32>
    } {tile.stages = 2 : i32}
  }
  return
}
}

// -----

// 128 registers of sums fit beside 32 others in the 168 that 12 warps have each, and not in the 128
// of 16 warps; 96 fit in both, and 192 in neither. Who asks for a producer, or for turns beside
// one, gets it.
#shared = #gpu.address_space<workgroup>
module attributes {tile.target = #tile.target<"sm_90a">} {
// CHECK-LABEL: func @registers
// CHECK: tile.launch @lacks {{.*}} attributes {stage = #tile.stage<logical>} {
// CHECK: tile.launch @fits {{.*}}roles = #tile.roles<
// CHECK: tile.launch @never_fits {{.*}}roles = #tile.roles<
// CHECK: tile.launch @asked {{.*}}roles = #tile.roles<
// CHECK: tile.launch @turns {{.*}}roles = #tile.roles<
func.func @registers(%n: index, %a: memref<384x512xf16>, %b: memref<512x256xf16>) {
  // expected-remark @below {{[Missed] NotSpecialized | Category:tile-plan-roles | Function=lacks | Reason="with the 4 warps of a producer a thread has 128 registers, without them 168; the result of a product takes 128, and some 32 more are needed beside it; all 12 warps compute"}}
  tile.launch @lacks blocks(%bx) in (%n) threads(384) attributes {stage = #tile.stage<logical>} {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %c512 = arith.constant 512 : index
    %s = tile.alloc : memref<192x64xf16, #shared>
    %t = tile.alloc : memref<64x256xf16, #shared>
    %zero = arith.constant dense<0.0> : tensor<192x256xf32>
    %r = scf.for %k = %c0 to %c512 step %c64 iter_args(%c = %zero) -> (tensor<192x256xf32>) {
      tile.copy %a[%c0, %k] to %s : memref<384x512xf16> to memref<192x64xf16, #shared>
      tile.copy %b[%k, %c0] to %t : memref<512x256xf16> to memref<64x256xf16, #shared>
      %d = tile.gemm %s, %t, %c : memref<192x64xf16, #shared>, memref<64x256xf16, #shared> -> tensor<192x256xf32>
      scf.yield %d : tensor<192x256xf32>
    } {tile.stages = 2 : i32}
  }
  tile.launch @fits blocks(%bx) in (%n) threads(384) attributes {stage = #tile.stage<logical>} {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %c512 = arith.constant 512 : index
    %s = tile.alloc : memref<192x64xf16, #shared>
    %t = tile.alloc : memref<64x192xf16, #shared>
    %zero = arith.constant dense<0.0> : tensor<192x192xf32>
    %r = scf.for %k = %c0 to %c512 step %c64 iter_args(%c = %zero) -> (tensor<192x192xf32>) {
      tile.copy %a[%c0, %k] to %s : memref<384x512xf16> to memref<192x64xf16, #shared>
      tile.copy %b[%k, %c0] to %t : memref<512x256xf16> to memref<64x192xf16, #shared>
      %d = tile.gemm %s, %t, %c : memref<192x64xf16, #shared>, memref<64x192xf16, #shared> -> tensor<192x192xf32>
      scf.yield %d : tensor<192x192xf32>
    } {tile.stages = 2 : i32}
  }
  tile.launch @never_fits blocks(%bx) in (%n) threads(384) attributes {stage = #tile.stage<logical>} {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %c512 = arith.constant 512 : index
    %s = tile.alloc : memref<384x64xf16, #shared>
    %t = tile.alloc : memref<64x192xf16, #shared>
    %zero = arith.constant dense<0.0> : tensor<384x192xf32>
    %r = scf.for %k = %c0 to %c512 step %c64 iter_args(%c = %zero) -> (tensor<384x192xf32>) {
      tile.copy %a[%c0, %k] to %s : memref<384x512xf16> to memref<384x64xf16, #shared>
      tile.copy %b[%k, %c0] to %t : memref<512x256xf16> to memref<64x192xf16, #shared>
      %d = tile.gemm %s, %t, %c : memref<384x64xf16, #shared>, memref<64x192xf16, #shared> -> tensor<384x192xf32>
      scf.yield %d : tensor<384x192xf32>
    } {tile.stages = 2 : i32}
  }
  tile.launch @asked blocks(%bx) in (%n) threads(384) attributes {stage = #tile.stage<logical>, warp_specialize = #tile.warp_specialize<on>} {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %c512 = arith.constant 512 : index
    %s = tile.alloc : memref<192x64xf16, #shared>
    %t = tile.alloc : memref<64x256xf16, #shared>
    %zero = arith.constant dense<0.0> : tensor<192x256xf32>
    %r = scf.for %k = %c0 to %c512 step %c64 iter_args(%c = %zero) -> (tensor<192x256xf32>) {
      tile.copy %a[%c0, %k] to %s : memref<384x512xf16> to memref<192x64xf16, #shared>
      tile.copy %b[%k, %c0] to %t : memref<512x256xf16> to memref<64x256xf16, #shared>
      %d = tile.gemm %s, %t, %c : memref<192x64xf16, #shared>, memref<64x256xf16, #shared> -> tensor<192x256xf32>
      scf.yield %d : tensor<192x256xf32>
    } {tile.stages = 2 : i32}
  }
  tile.launch @turns blocks(%bx) in (%n) threads(384) attributes {stage = #tile.stage<logical>, consumers = #tile.consumers<alternating>} {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %c512 = arith.constant 512 : index
    %s = tile.alloc : memref<192x64xf16, #shared>
    %t = tile.alloc : memref<64x256xf16, #shared>
    %zero = arith.constant dense<0.0> : tensor<192x256xf32>
    %r = scf.for %k = %c0 to %c512 step %c64 iter_args(%c = %zero) -> (tensor<192x256xf32>) {
      tile.copy %a[%c0, %k] to %s : memref<384x512xf16> to memref<192x64xf16, #shared>
      tile.copy %b[%k, %c0] to %t : memref<512x256xf16> to memref<64x256xf16, #shared>
      %d = tile.gemm %s, %t, %c : memref<192x64xf16, #shared>, memref<64x256xf16, #shared> -> tensor<192x256xf32>
      scf.yield %d : tensor<192x256xf32>
    } {tile.stages = 2 : i32}
  }
  return
}
}
