// RUN: tile-opt %s --tile-plan-shared-memory | FileCheck %s
// RUN: tile-opt %s --tile-plan-shared-memory --remark-format=emitRemark --remarks-filter=tile-plan-shared-memory -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

#shared = #gpu.address_space<workgroup>
#l = #tile.shared<[64, 64]>

module attributes {tile.target = #tile.target<"sm_80">} {

// Without buffers there is no arena.
// CHECK-LABEL: func @no_buffer
// CHECK: stage = #tile.stage<placed>
// CHECK-NOT: tile.arena
// CHECK: return
func.func @no_buffer(%n: index) {
  tile.launch @a blocks(%bx) in (%n) threads(128) attributes {stage = #tile.stage<scheduled>} {
  }
  return
}

// One buffer is a view at 0.
// CHECK-LABEL: func @one_buffer
// CHECK: %[[A:.*]] = tile.arena 16384
// CHECK: tile.view %[[A]][0] layout(#tile.shared<[64, 64]>)
func.func @one_buffer(%n: index, %m: memref<64x64xf32>) {
  // REMARK: [[#@LINE+1]]:3: remark: [Analysis] Arena {{.*}} Function=b | Buffers=1, Bytes=16384, LowerBound=16384
  tile.launch @b blocks(%bx) in (%n) threads(128) attributes {stage = #tile.stage<scheduled>} {
    %s = tile.alloc layout(#l) : memref<64x64xf32, #shared>
    tile.copy %m to %s {layout = #tile.fragment<[64, 64], register = [32 : (2, 0)], lane = [32 : (0, 1)], warp = [2 : (0, 32), 2 : (1, 0)]>, vector_width = 1 : i64, instruction = #tile.instruction<"ld.st">} : memref<64x64xf32> to memref<64x64xf32, #shared>
  }
  return
}

// Buffers that are never needed at the same time share bytes: the second is
// first written after the first was last read.
// CHECK-LABEL: func @disjoint
// CHECK: %[[A:.*]] = tile.arena 16384 {lower_bound = 16384 : i64}
// CHECK: tile.view %[[A]][0]
// CHECK: tile.view %[[A]][0]
func.func @disjoint(%n: index, %m: memref<64x64xf32>) {
  // REMARK: [[#@LINE+1]]:3: remark: [Analysis] Arena {{.*}} Function=c | Buffers=2, Bytes=16384, LowerBound=16384
  tile.launch @c blocks(%bx) in (%n) threads(128) attributes {stage = #tile.stage<scheduled>} {
    %s = tile.alloc layout(#l) : memref<64x64xf32, #shared>
    %t = tile.alloc layout(#l) : memref<64x64xf32, #shared>
    %x = arith.constant dense<1.0> : tensor<64x64xf32, #tile.fragment<[64, 64], register = [32 : (2, 0)], lane = [32 : (0, 1)], warp = [2 : (0, 32), 2 : (1, 0)]>>
    tile.store %x, %s : tensor<64x64xf32, #tile.fragment<[64, 64], register = [32 : (2, 0)], lane = [32 : (0, 1)], warp = [2 : (0, 32), 2 : (1, 0)]>>, memref<64x64xf32, #shared>
    %y = tile.load %s : memref<64x64xf32, #shared> -> tensor<64x64xf32, #tile.fragment<[64, 64], register = [32 : (2, 0)], lane = [32 : (0, 1)], warp = [2 : (0, 32), 2 : (1, 0)]>>
    tile.store %y, %t : tensor<64x64xf32, #tile.fragment<[64, 64], register = [32 : (2, 0)], lane = [32 : (0, 1)], warp = [2 : (0, 32), 2 : (1, 0)]>>, memref<64x64xf32, #shared>
    %z = tile.load %t : memref<64x64xf32, #shared> -> tensor<64x64xf32, #tile.fragment<[64, 64], register = [32 : (2, 0)], lane = [32 : (0, 1)], warp = [2 : (0, 32), 2 : (1, 0)]>>
    tile.store %z, %m : tensor<64x64xf32, #tile.fragment<[64, 64], register = [32 : (2, 0)], lane = [32 : (0, 1)], warp = [2 : (0, 32), 2 : (1, 0)]>>, memref<64x64xf32>
  }
  return
}

// A buffer that is filled before a loop and read in every iteration never shares
// bytes with one that is first touched inside the loop.
// CHECK-LABEL: func @read_in_every_iteration
// CHECK: %[[A:.*]] = tile.arena 32768 {lower_bound = 32768 : i64}
// CHECK: tile.view %[[A]][0]
// CHECK: tile.view %[[A]][16384]
func.func @read_in_every_iteration(%n: index, %m: memref<64x64xf32>) {
  // REMARK: [[#@LINE+1]]:3: remark: [Analysis] Arena {{.*}} Function=d | Buffers=2, Bytes=32768, LowerBound=32768
  tile.launch @d blocks(%bx) in (%n) threads(128) attributes {stage = #tile.stage<scheduled>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %q = tile.alloc layout(#l) : memref<64x64xf32, #shared>
    %x = tile.load %m : memref<64x64xf32> -> tensor<64x64xf32, #tile.fragment<[64, 64], register = [32 : (2, 0)], lane = [32 : (0, 1)], warp = [2 : (0, 32), 2 : (1, 0)]>>
    tile.store %x, %q : tensor<64x64xf32, #tile.fragment<[64, 64], register = [32 : (2, 0)], lane = [32 : (0, 1)], warp = [2 : (0, 32), 2 : (1, 0)]>>, memref<64x64xf32, #shared>
    scf.for %i = %c0 to %n step %c1 {
      %y = tile.load %q : memref<64x64xf32, #shared> -> tensor<64x64xf32, #tile.fragment<[64, 64], register = [32 : (2, 0)], lane = [32 : (0, 1)], warp = [2 : (0, 32), 2 : (1, 0)]>>
      %t = tile.alloc layout(#l) : memref<64x64xf32, #shared>
      tile.store %y, %t : tensor<64x64xf32, #tile.fragment<[64, 64], register = [32 : (2, 0)], lane = [32 : (0, 1)], warp = [2 : (0, 32), 2 : (1, 0)]>>, memref<64x64xf32, #shared>
      %z = tile.load %t : memref<64x64xf32, #shared> -> tensor<64x64xf32, #tile.fragment<[64, 64], register = [32 : (2, 0)], lane = [32 : (0, 1)], warp = [2 : (0, 32), 2 : (1, 0)]>>
      tile.store %z, %m : tensor<64x64xf32, #tile.fragment<[64, 64], register = [32 : (2, 0)], lane = [32 : (0, 1)], warp = [2 : (0, 32), 2 : (1, 0)]>>, memref<64x64xf32>
    }
  }
  return
}

// What is written in one iteration and read in the next stays through the loop:
// the store in the loop is partial, so nothing replaces the contents.
// CHECK-LABEL: func @carried_by_the_loop
// CHECK: %[[A:.*]] = tile.arena 32768
// CHECK: tile.view %[[A]][0]
// CHECK: tile.view %[[A]][16384]
func.func @carried_by_the_loop(%n: index, %m: memref<64x64xf32>) {
  // REMARK: [[#@LINE+1]]:3: remark: [Analysis] Arena {{.*}} Function=e | Buffers=2, Bytes=32768, LowerBound=32768
  tile.launch @e blocks(%bx) in (%n) threads(128) attributes {stage = #tile.stage<scheduled>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %s = tile.alloc layout(#l) : memref<64x64xf32, #shared>
    %t = tile.alloc layout(#l) : memref<64x64xf32, #shared>
    scf.for %i = %c0 to %n step %c1 {
      %v = memref.load %s[%i, %i] : memref<64x64xf32, #shared>
      tile.once {
        memref.store %v, %t[%c0, %c0] : memref<64x64xf32, #shared>
      }
      %w = memref.load %t[%c0, %c0] : memref<64x64xf32, #shared>
      tile.once {
        memref.store %w, %s[%i, %i] : memref<64x64xf32, #shared>
      }
    }
  }
  return
}

// Buffers of exclusive branches share bytes.
// CHECK-LABEL: func @exclusive_branches
// CHECK: %[[A:.*]] = tile.arena 16384
func.func @exclusive_branches(%n: index, %m: memref<64x64xf32>, %c: i1, %v: f32) {
  // REMARK: [[#@LINE+1]]:3: remark: [Analysis] Arena {{.*}} Function=f | Buffers=2, Bytes=16384, LowerBound=16384
  tile.launch @f blocks(%bx) in (%n) threads(128) attributes {stage = #tile.stage<scheduled>} {
    %c0 = arith.constant 0 : index
    %s = tile.alloc layout(#l) : memref<64x64xf32, #shared>
    %t = tile.alloc layout(#l) : memref<64x64xf32, #shared>
    scf.if %c {
      tile.once {
        memref.store %v, %s[%c0, %c0] : memref<64x64xf32, #shared>
      }
      %w = memref.load %s[%c0, %c0] : memref<64x64xf32, #shared>
      tile.once {
        memref.store %w, %m[%c0, %c0] : memref<64x64xf32>
      }
    } else {
      tile.once {
        memref.store %v, %t[%c0, %c0] : memref<64x64xf32, #shared>
      }
      %w = memref.load %t[%c0, %c0] : memref<64x64xf32, #shared>
      tile.once {
        memref.store %w, %m[%c0, %c0] : memref<64x64xf32>
      }
    }
  }
  return
}

// Flash attention with tiles of 128 x 128 in f16 and two slots for K and V: the
// output takes the bytes of Q, which the loop read last. 160 KB, what sm_80 has
// less the system's part.
// CHECK-LABEL: func @flash_attention
// CHECK: %[[A:.*]] = tile.arena 163840 {lower_bound = 163840 : i64}
// CHECK: %[[Q:.*]] = tile.view %[[A]][[[OFFSET:[0-9]+]]] {{.*}} to memref<128x128xf16
// CHECK: %[[K:.*]] = tile.view {{.*}} to memref<2x128x128xf16
// CHECK: %[[V:.*]] = tile.view {{.*}} to memref<2x128x128xf16
// CHECK: %[[O:.*]] = tile.view %[[A]][[[OFFSET]]] {{.*}} to memref<128x128xf16
func.func @flash_attention(%n: index, %m: memref<128xf16>, %h: f16) {
  // REMARK: [[#@LINE+1]]:3: remark: [Analysis] Arena {{.*}} Function=attention | Buffers=4, Bytes=163840, LowerBound=163840
  tile.launch @attention blocks(%bx) in (%n) threads(128) attributes {stage = #tile.stage<scheduled>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %q = tile.alloc layout(#tile.shared<[128, 128], swizzle = 128>) : memref<128x128xf16, #shared>
    %k = tile.alloc layout(#tile.shared<[2, 128, 128]>) : memref<2x128x128xf16, #shared>
    %v = tile.alloc layout(#tile.shared<[2, 128, 128]>) : memref<2x128x128xf16, #shared>
    %o = tile.alloc layout(#tile.shared<[128, 128], swizzle = 128>) : memref<128x128xf16, #shared>
    tile.once {
      memref.store %h, %q[%c0, %c0] : memref<128x128xf16, #shared>
    }
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %h) -> (f16) {
      %slot = arith.andi %i, %c1 : index
      %a = memref.load %q[%c0, %c0] : memref<128x128xf16, #shared>
      %b = memref.load %k[%slot, %c0, %c0] : memref<2x128x128xf16, #shared>
      %c = memref.load %v[%slot, %c0, %c0] : memref<2x128x128xf16, #shared>
      %d = arith.addf %a, %b : f16
      %e = arith.addf %c, %d : f16
      tile.once {
        memref.store %e, %k[%slot, %c0, %c0] : memref<2x128x128xf16, #shared>
        memref.store %e, %v[%slot, %c0, %c0] : memref<2x128x128xf16, #shared>
      }
      scf.yield %e : f16
    }
    tile.once {
      memref.store %r, %o[%c0, %c0] : memref<128x128xf16, #shared>
    }
    %x = memref.load %o[%c0, %c0] : memref<128x128xf16, #shared>
    tile.once {
      memref.store %x, %m[%c0] : memref<128xf16>
    }
  }
  return
}

// Small buffers keep their own bytes: sharing would cost a barrier and save
// nothing.
// CHECK-LABEL: func @small_buffers
// CHECK: tile.arena 32
// CHECK: tile.view %{{.*}}[0]
// CHECK: tile.view %{{.*}}[16]
func.func @small_buffers(%n: index, %m: memref<4xf32>, %v: f32) {
  // REMARK: [[#@LINE+1]]:3: remark: [Analysis] Arena {{.*}} Function=small | Buffers=2, Bytes=32, LowerBound=32
  tile.launch @small blocks(%bx) in (%n) threads(128) attributes {stage = #tile.stage<scheduled>} {
    %c0 = arith.constant 0 : index
    %s = tile.alloc layout(#tile.shared<[4]>) : memref<4xf32, #shared>
    %t = tile.alloc layout(#tile.shared<[4]>) : memref<4xf32, #shared>
    tile.once {
      memref.store %v, %s[%c0] : memref<4xf32, #shared>
    }
    %x = memref.load %s[%c0] : memref<4xf32, #shared>
    tile.once {
      memref.store %x, %t[%c0] : memref<4xf32, #shared>
    }
    %y = memref.load %t[%c0] : memref<4xf32, #shared>
    tile.once {
      memref.store %y, %m[%c0] : memref<4xf32>
    }
  }
  return
}

// A buffer with an XOR lies on its period.
// CHECK-LABEL: func @alignment
// CHECK: %[[A:.*]] = tile.arena
// CHECK-DAG: tile.view %[[A]][{{0|1024|2048|4096}}] layout(#tile.shared<[32, 64], swizzle = 128>)
func.func @alignment(%n: index, %m: memref<32x64xf16>, %v: f32, %h: f16) {
  // REMARK: [[#@LINE+1]]:3: remark: [Analysis] Arena {{.*}} Function=g | Buffers=2, Bytes=4112, LowerBound=4112
  tile.launch @g blocks(%bx) in (%n) threads(128) attributes {stage = #tile.stage<scheduled>} {
    %c0 = arith.constant 0 : index
    %s = tile.alloc layout(#tile.shared<[3]>) : memref<3xf32, #shared>
    %t = tile.alloc layout(#tile.shared<[32, 64], swizzle = 128>) : memref<32x64xf16, #shared>
    tile.once {
      memref.store %v, %s[%c0] : memref<3xf32, #shared>
    }
    tile.once {
      memref.store %h, %t[%c0, %c0] : memref<32x64xf16, #shared>
    }
    %x = memref.load %s[%c0] : memref<3xf32, #shared>
    %y = memref.load %t[%c0, %c0] : memref<32x64xf16, #shared>
    tile.once {
      memref.store %y, %m[%c0, %c0] : memref<32x64xf16>
    }
  }
  return
}

// Also where it is larger than what the layout needs.
// CHECK-LABEL: func @asked_alignment
// CHECK: %[[A:.*]] = tile.arena 528
// CHECK-DAG: tile.view %[[A]][0]
// CHECK-DAG: tile.view %[[A]][512]
func.func @asked_alignment(%n: index, %m: memref<4xf32>, %v: f32) {
  // REMARK: [[#@LINE+1]]:3: remark: [Analysis] Arena {{.*}} Function=h | Buffers=2, Bytes=528
  tile.launch @h blocks(%bx) in (%n) threads(128) attributes {stage = #tile.stage<scheduled>} {
    %c0 = arith.constant 0 : index
    %s = tile.alloc layout(#tile.shared<[4]>) {alignment = 512 : i64} : memref<4xf32, #shared>
    %t = tile.alloc layout(#tile.shared<[4]>) {alignment = 512 : i64} : memref<4xf32, #shared>
    tile.once {
      memref.store %v, %s[%c0] : memref<4xf32, #shared>
    }
    tile.once {
      memref.store %v, %t[%c0] : memref<4xf32, #shared>
    }
    %x = memref.load %s[%c0] : memref<4xf32, #shared>
    %y = memref.load %t[%c0] : memref<4xf32, #shared>
    %z = arith.addf %x, %y : f32
    tile.once {
      memref.store %z, %m[%c0] : memref<4xf32>
    }
  }
  return
}
}
