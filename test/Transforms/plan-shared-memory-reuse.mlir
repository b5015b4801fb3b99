// Where buffers that are never live together share bytes, by the option.
// RUN: tile-opt %s --tile-plan-shared-memory | FileCheck %s --check-prefix=COLD
// RUN: tile-opt %s --tile-plan-shared-memory=reuse=always | FileCheck %s --check-prefix=ALWAYS
// RUN: tile-opt %s --tile-plan-shared-memory=reuse=never | FileCheck %s --check-prefix=NEVER
// RUN: tile-opt %s --tile-plan-shared-memory --remark-format=emitRemark --remarks-filter=tile-plan-shared-memory -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: not tile-opt %s --tile-plan-shared-memory=reuse=often 2>&1 | FileCheck %s --check-prefix=WRONG
// WRONG: Cannot find option named 'often'

#shared = #gpu.address_space<workgroup>
#small = #tile.shared<[32, 32]>
#large = #tile.shared<[128, 128]>
#g = #tile.fragment<[64, 32], register = [16 : (4, 0)], lane = [32 : (0, 1)], warp = [4 : (1, 0)]>
#f = #tile.fragment<[32, 32], register = [8 : (4, 0)], lane = [32 : (0, 1)], warp = [4 : (1, 0)]>

module attributes {tile.target = #tile.target<"sm_80">} {

// `s` and `t` take turns in a loop and would need a barrier more in every iteration
// if they shared: they are apart, since two blocks fit all the same. `u` and `v`
// share, once a block, since apart only one block would fit.
// COLD-LABEL: func @hot_and_cold
// COLD: tile.arena 73728
// COLD: tile.view %{{.*}}[[[U:[0-9]+]]] {{.*}} to memref<128x128xf32
// COLD: tile.view %{{.*}}[[[S:65536|69632]]] {{.*}} to memref<32x32xf32
// COLD-NOT: tile.view %{{.*}}[[[S]]]
// COLD: tile.view %{{.*}}[{{65536|69632}}] {{.*}} to memref<32x32xf32
// COLD: tile.view %{{.*}}[[[U]]] {{.*}} to memref<128x128xf32
// ALWAYS-LABEL: func @hot_and_cold
// ALWAYS: tile.arena 69632 {lower_bound = 69632 : i64}
// ALWAYS: tile.view %{{.*}}[[[S:[0-9]+]]] {{.*}} to memref<32x32xf32
// ALWAYS: tile.view %{{.*}}[[[S]]] {{.*}} to memref<32x32xf32
// NEVER-LABEL: func @hot_and_cold
// NEVER: tile.arena 139264 {lower_bound = 139264 : i64}
// REMARK: [[#@LINE+2]]:3: remark: [Analysis] Arena {{.*}} Function=a | Buffers=4, Bytes=73728, LowerBound=73728, PairsKeptApart=1, PairsOfOneLoop=1, ReuseWouldSave=4096, WithoutReuse="32x32xf32 (line [[#@LINE+6]]) and 32x32xf32 (line [[#@LINE+7]])"
func.func @hot_and_cold(%n: index, %m: memref<32x32xf32>, %h: f32, %o: memref<4xf32>) {
  tile.launch @a blocks(%bx) in (%n) threads(128) attributes {stage = #tile.stage<scheduled>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %u = tile.alloc layout(#large) : memref<128x128xf32, #shared>
    %s = tile.alloc layout(#small) : memref<32x32xf32, #shared>
    %t = tile.alloc layout(#small) : memref<32x32xf32, #shared>
    %v = tile.alloc layout(#large) : memref<128x128xf32, #shared>
    %x = tile.load %m : memref<32x32xf32> -> tensor<32x32xf32, #f>
    tile.once {
      memref.store %h, %u[%c0, %c0] : memref<128x128xf32, #shared>
    }
    scf.for %i = %c0 to %n step %c1 {
      %a = memref.load %u[%c0, %c0] : memref<128x128xf32, #shared>
      tile.store %x, %s : tensor<32x32xf32, #f>, memref<32x32xf32, #shared>
      %y = tile.load %s : memref<32x32xf32, #shared> -> tensor<32x32xf32, #f>
      tile.store %y, %t : tensor<32x32xf32, #f>, memref<32x32xf32, #shared>
      %z = tile.load %t : memref<32x32xf32, #shared> -> tensor<32x32xf32, #f>
      tile.store %z, %m : tensor<32x32xf32, #f>, memref<32x32xf32>
    }
    tile.once {
      memref.store %h, %v[%c0, %c0] : memref<128x128xf32, #shared>
    }
    %b = memref.load %v[%c0, %c0] : memref<128x128xf32, #shared>
    tile.once {
      memref.store %b, %o[%c0] : memref<4xf32>
    }
  }
  return
}

// Apart, these would leave room for one block where two fit: they share, once an iteration.
// COLD-LABEL: func @dear_to_part
// COLD: tile.arena 65536 {lower_bound = 65536 : i64}
// COLD: tile.view %{{.*}}[0] {{.*}} to memref<128x128xf32
// COLD: tile.view %{{.*}}[0] {{.*}} to memref<128x128xf32
func.func @dear_to_part(%n: index, %h: f32, %o: memref<4xf32>) {
  tile.launch @d blocks(%bx) in (%n) threads(128) attributes {stage = #tile.stage<scheduled>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %i = %c0 to %n step %c1 {
      %u = tile.alloc layout(#large) : memref<128x128xf32, #shared>
      %v = tile.alloc layout(#large) : memref<128x128xf32, #shared>
      tile.once {
        memref.store %h, %u[%c0, %c0] : memref<128x128xf32, #shared>
      }
      %a = memref.load %u[%c0, %c0] : memref<128x128xf32, #shared>
      tile.once {
        memref.store %a, %v[%c0, %c0] : memref<128x128xf32, #shared>
      }
      %b = memref.load %v[%c0, %c0] : memref<128x128xf32, #shared>
      tile.once {
        memref.store %b, %o[%c0] : memref<4xf32>
      }
    }
  }
  return
}

// The inner loop comes first: `s` and `t` are apart, and `p` shares with one of them,
// since a third place would cost a block.
// COLD-LABEL: func @innermost_first
// COLD: tile.arena 81920
// COLD: tile.view %{{.*}}[{{.*}}] {{.*}} to memref<64x32xf32
// COLD: tile.view %{{.*}}[[[S:[0-9]+]]] {{.*}} to memref<64x32xf32
// COLD-NOT: tile.view %{{.*}}[[[S]]]
// COLD: return
// REMARK: [[#@LINE+2]]:3: remark: [Analysis] Arena {{.*}} Function=c | Buffers=4, Bytes=81920, LowerBound=81920, PairsKeptApart=1, PairsOfOneLoop=1, ReuseWouldSave=8192, WithoutReuse="64x32xf32 (line [[#@LINE+7]]) and 64x32xf32 (line [[#@LINE+8]])"
func.func @innermost_first(%n: index, %m: memref<64x32xf32>, %h: f32) {
  tile.launch @c blocks(%bx) in (%n) threads(128) attributes {stage = #tile.stage<scheduled>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %u = tile.alloc layout(#large) : memref<128x128xf32, #shared>
    %p = tile.alloc layout(#tile.shared<[64, 32]>) : memref<64x32xf32, #shared>
    %s = tile.alloc layout(#tile.shared<[64, 32]>) : memref<64x32xf32, #shared>
    %t = tile.alloc layout(#tile.shared<[64, 32]>) : memref<64x32xf32, #shared>
    %x = tile.load %m : memref<64x32xf32> -> tensor<64x32xf32, #g>
    tile.once {
      memref.store %h, %u[%c0, %c0] : memref<128x128xf32, #shared>
    }
    scf.for %i = %c0 to %n step %c1 {
      %a = memref.load %u[%c0, %c0] : memref<128x128xf32, #shared>
      tile.store %x, %p : tensor<64x32xf32, #g>, memref<64x32xf32, #shared>
      %w = tile.load %p : memref<64x32xf32, #shared> -> tensor<64x32xf32, #g>
      scf.for %j = %c0 to %n step %c1 {
        tile.store %w, %s : tensor<64x32xf32, #g>, memref<64x32xf32, #shared>
        %y = tile.load %s : memref<64x32xf32, #shared> -> tensor<64x32xf32, #g>
        tile.store %y, %t : tensor<64x32xf32, #g>, memref<64x32xf32, #shared>
        %z = tile.load %t : memref<64x32xf32, #shared> -> tensor<64x32xf32, #g>
        tile.store %z, %m : tensor<64x32xf32, #g>, memref<64x32xf32>
      }
    }
  }
  return
}

// Without a block to lose everything is apart, also in straight code; the remark says
// what it costs.
// COLD-LABEL: func @nothing_to_lose
// COLD: tile.arena 8192
// ALWAYS-LABEL: func @nothing_to_lose
// ALWAYS: tile.arena 4096
// NEVER-LABEL: func @nothing_to_lose
// NEVER: tile.arena 8192
// REMARK: [[#@LINE+2]]:3: remark: [Analysis] Arena {{.*}} Function=b | Buffers=2, Bytes=8192, LowerBound=8192, PairsKeptApart=1, PairsOfOneLoop=0, ReuseWouldSave=4096
func.func @nothing_to_lose(%n: index, %m: memref<32x32xf32>) {
  tile.launch @b blocks(%bx) in (%n) threads(128) attributes {stage = #tile.stage<scheduled>} {
    %s = tile.alloc layout(#small) : memref<32x32xf32, #shared>
    %t = tile.alloc layout(#small) : memref<32x32xf32, #shared>
    %x = tile.load %m : memref<32x32xf32> -> tensor<32x32xf32, #f>
    tile.store %x, %s : tensor<32x32xf32, #f>, memref<32x32xf32, #shared>
    %y = tile.load %s : memref<32x32xf32, #shared> -> tensor<32x32xf32, #f>
    tile.store %y, %t : tensor<32x32xf32, #f>, memref<32x32xf32, #shared>
    %z = tile.load %t : memref<32x32xf32, #shared> -> tensor<32x32xf32, #f>
    tile.store %z, %m : tensor<32x32xf32, #f>, memref<32x32xf32>
  }
  return
}

// Two blocks fit either way: 8192 bytes of slots are worth a barrier once a block, and not one an
// iteration, nor do a few bytes beside them share. What has no slots may be read from registers, and the barrier be for nothing.
// COLD-LABEL: func @much_in_slots
// COLD: tile.arena 65536
// COLD-LABEL: func @much_in_a_loop
// COLD: tile.arena 81920
// COLD-LABEL: func @much_without_slots
// COLD: tile.arena 65536
func.func @much_in_slots(%n: index, %m: memref<64x32xf32>, %h: f32, %o: memref<4xf32>) {
  tile.launch @e blocks(%bx) in (%n) threads(128) attributes {stage = #tile.stage<scheduled>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %u = tile.alloc layout(#tile.shared<[128, 96]>) : memref<128x96xf32, #shared>
    %slots = tile.alloc layout(#tile.shared<[2, 64, 32]>) : memref<2x64x32xf32, #shared>
    %s = memref.subview %slots[%n, 0, 0] [1, 64, 32] [1, 1, 1] : memref<2x64x32xf32, #shared> to memref<64x32xf32, strided<[32, 1], offset: ?>, #shared>
    %t = tile.alloc layout(#tile.shared<[64, 32]>) : memref<64x32xf32, #shared>
    tile.once {
      memref.store %h, %u[%c0, %c0] : memref<128x96xf32, #shared>
    }
    %x = tile.load %m : memref<64x32xf32> -> tensor<64x32xf32, #g>
    tile.store %x, %s : tensor<64x32xf32, #g>, memref<64x32xf32, strided<[32, 1], offset: ?>, #shared>
    %y = tile.load %s : memref<64x32xf32, strided<[32, 1], offset: ?>, #shared> -> tensor<64x32xf32, #g>
    tile.store %y, %t : tensor<64x32xf32, #g>, memref<64x32xf32, #shared>
    %z = tile.load %t : memref<64x32xf32, #shared> -> tensor<64x32xf32, #g>
    tile.store %z, %m : tensor<64x32xf32, #g>, memref<64x32xf32>
    %a = memref.load %u[%c0, %c0] : memref<128x96xf32, #shared>
    tile.once {
      memref.store %a, %o[%c0] : memref<4xf32>
    }
  }
  return
}

func.func @much_in_a_loop(%n: index, %m: memref<64x32xf32>, %h: f32, %o: memref<4xf32>, %q: memref<32x32xf32>) {
  tile.launch @f blocks(%bx) in (%n) threads(128) attributes {stage = #tile.stage<scheduled>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %u = tile.alloc layout(#tile.shared<[128, 96]>) : memref<128x96xf32, #shared>
    tile.once {
      memref.store %h, %u[%c0, %c0] : memref<128x96xf32, #shared>
    }
    %v = tile.alloc layout(#small) : memref<32x32xf32, #shared>
    %w = tile.alloc layout(#small) : memref<32x32xf32, #shared>
    %d = tile.load %q : memref<32x32xf32> -> tensor<32x32xf32, #f>
    tile.store %d, %v : tensor<32x32xf32, #f>, memref<32x32xf32, #shared>
    %e = tile.load %v : memref<32x32xf32, #shared> -> tensor<32x32xf32, #f>
    tile.store %e, %w : tensor<32x32xf32, #f>, memref<32x32xf32, #shared>
    %g = tile.load %w : memref<32x32xf32, #shared> -> tensor<32x32xf32, #f>
    tile.store %g, %q : tensor<32x32xf32, #f>, memref<32x32xf32>
    %x = tile.load %m : memref<64x32xf32> -> tensor<64x32xf32, #g>
    scf.for %i = %c0 to %n step %c1 {
    %slots = tile.alloc layout(#tile.shared<[2, 64, 32]>) : memref<2x64x32xf32, #shared>
    %s = memref.subview %slots[%n, 0, 0] [1, 64, 32] [1, 1, 1] : memref<2x64x32xf32, #shared> to memref<64x32xf32, strided<[32, 1], offset: ?>, #shared>
    %t = tile.alloc layout(#tile.shared<[64, 32]>) : memref<64x32xf32, #shared>
    tile.store %x, %s : tensor<64x32xf32, #g>, memref<64x32xf32, strided<[32, 1], offset: ?>, #shared>
    %y = tile.load %s : memref<64x32xf32, strided<[32, 1], offset: ?>, #shared> -> tensor<64x32xf32, #g>
    tile.store %y, %t : tensor<64x32xf32, #g>, memref<64x32xf32, #shared>
    %z = tile.load %t : memref<64x32xf32, #shared> -> tensor<64x32xf32, #g>
    tile.store %z, %m : tensor<64x32xf32, #g>, memref<64x32xf32>
    }
    %a = memref.load %u[%c0, %c0] : memref<128x96xf32, #shared>
    tile.once {
      memref.store %a, %o[%c0] : memref<4xf32>
    }
  }
  return
}

func.func @much_without_slots(%n: index, %m: memref<64x32xf32>, %h: f32, %o: memref<4xf32>) {
  tile.launch @g blocks(%bx) in (%n) threads(128) attributes {stage = #tile.stage<scheduled>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %u = tile.alloc layout(#tile.shared<[128, 96]>) : memref<128x96xf32, #shared>
    %s = tile.alloc layout(#tile.shared<[64, 32]>) : memref<64x32xf32, #shared>
    %t = tile.alloc layout(#tile.shared<[64, 32]>) : memref<64x32xf32, #shared>
    tile.once {
      memref.store %h, %u[%c0, %c0] : memref<128x96xf32, #shared>
    }
    %x = tile.load %m : memref<64x32xf32> -> tensor<64x32xf32, #g>
    tile.store %x, %s : tensor<64x32xf32, #g>, memref<64x32xf32, #shared>
    %y = tile.load %s : memref<64x32xf32, #shared> -> tensor<64x32xf32, #g>
    tile.store %y, %t : tensor<64x32xf32, #g>, memref<64x32xf32, #shared>
    %z = tile.load %t : memref<64x32xf32, #shared> -> tensor<64x32xf32, #g>
    tile.store %z, %m : tensor<64x32xf32, #g>, memref<64x32xf32>
    %a = memref.load %u[%c0, %c0] : memref<128x96xf32, #shared>
    tile.once {
      memref.store %a, %o[%c0] : memref<4xf32>
    }
  }
  return
}

// A single slot is no less.
// COLD-LABEL: func @much_in_one_slot
// COLD: tile.arena 57344
func.func @much_in_one_slot(%n: index, %m: memref<64x32xf32>, %h: f32, %o: memref<4xf32>) {
  tile.launch @h blocks(%bx) in (%n) threads(128) attributes {stage = #tile.stage<scheduled>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %u = tile.alloc layout(#tile.shared<[128, 96]>) : memref<128x96xf32, #shared>
    %slots = tile.alloc layout(#tile.shared<[1, 64, 32]>) : memref<1x64x32xf32, #shared>
    %s = memref.subview %slots[0, 0, 0] [1, 64, 32] [1, 1, 1] : memref<1x64x32xf32, #shared> to memref<64x32xf32, strided<[32, 1]>, #shared>
    %t = tile.alloc layout(#tile.shared<[64, 32]>) : memref<64x32xf32, #shared>
    tile.once {
      memref.store %h, %u[%c0, %c0] : memref<128x96xf32, #shared>
    }
    %x = tile.load %m : memref<64x32xf32> -> tensor<64x32xf32, #g>
    tile.store %x, %s : tensor<64x32xf32, #g>, memref<64x32xf32, strided<[32, 1]>, #shared>
    %y = tile.load %s : memref<64x32xf32, strided<[32, 1]>, #shared> -> tensor<64x32xf32, #g>
    tile.store %y, %t : tensor<64x32xf32, #g>, memref<64x32xf32, #shared>
    %z = tile.load %t : memref<64x32xf32, #shared> -> tensor<64x32xf32, #g>
    tile.store %z, %m : tensor<64x32xf32, #g>, memref<64x32xf32>
    %a = memref.load %u[%c0, %c0] : memref<128x96xf32, #shared>
    tile.once {
      memref.store %a, %o[%c0] : memref<4xf32>
    }
  }
  return
}
}
