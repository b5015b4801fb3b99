// What is refused, and how.
// RUN: tile-opt %s --convert-tile-to-nvvm --split-input-file --verify-diagnostics

module attributes {tile.target = #tile.target<"sm_80">} {
  gpu.module @kernels {
    // expected-error @+1 {{convert-tile-to-nvvm needs a kernel at stage 'outlined', this one is at 'source'}}
    gpu.func @stage() kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
      gpu.return
    }
  }
}

// -----

#f = #tile.fragment<[32], register = [], lane = [32 : (1)], warp = []>
module attributes {tile.target = #tile.target<"sm_80">} {
  gpu.module @kernels {
    gpu.func @print() kernel
        attributes {known_block_size = array<i32: 32, 1, 1>,
                    tile.stage = #tile.stage<outlined>} {
      %x = arith.constant dense<1.0> : tensor<32xf32, #f>
      // expected-error @+1 {{'tile.print' op breaks stage 'materialized': it prints a fragment, which is spread over threads; go through a 'tile.alloc'}}
      tile.print "x" %x : tensor<32xf32, #f>
      gpu.return
    }
  }
}

// -----

#shared = #gpu.address_space<workgroup>
#f = #tile.fragment<[16, 32], register = [8 : (0, 1), 2 : (8, 0)], lane = [4 : (0, 8), 8 : (1, 0)], warp = []>
module attributes {tile.target = #tile.target<"sm_80">} {
  gpu.module @kernels {
    gpu.func @unaligned(%m: memref<?x?xf16>, %i: index) kernel
        attributes {known_block_size = array<i32: 32, 1, 1>,
                    tile.stage = #tile.stage<outlined>} {
      %a = tile.arena 1024 : memref<1024xi8, #shared>
      %s = tile.view %a[0] layout(#tile.shared<[16, 32], swizzle = 64>)
          : memref<1024xi8, #shared> to memref<16x32xf16, #shared>
      // expected-error @+1 {{cp.async of 16 bytes is not possible here: they must lie together and aligned, and the widest access is 1 elements of the source and 8 of the destination}}
      tile.copy %m[%i, %i] to %s {instruction = #tile.instruction<"cp.async">, layout = #f, vector_width = 8 : i64}
          : memref<?x?xf16> to memref<16x32xf16, #shared>
      gpu.return
    }
  }
}

// -----

module attributes {tile.target = #tile.target<"sm_80">} {
  gpu.module @kernels {
    gpu.func @part_of_the_block() kernel
        attributes {known_block_size = array<i32: 128, 1, 1>,
                    tile.stage = #tile.stage<outlined>} {
      // expected-error @+1 {{barrier 1 is of 2 warps, but 4 arrive: outside of roles those of the whole block}}
      tile.barrier {id = 1 : i64, warps = 2 : i64}
      gpu.return
    }
  }
}

// -----

module attributes {tile.target = #tile.target<"sm_80">} {
  gpu.module @kernels {
    gpu.func @seventeenth_barrier() kernel
        attributes {known_block_size = array<i32: 128, 1, 1>,
                    tile.stage = #tile.stage<outlined>} {
      // expected-error @+1 {{barrier 16 does not exist: a block has 16, of which 1 to 15 are free to be named}}
      tile.barrier {id = 16 : i64, warps = 4 : i64}
      gpu.return
    }
  }
}

// -----

// A view at an offset that rows of 16 bytes are no multiple of: the layout allows them,
// the view does not.
#shared = #gpu.address_space<workgroup>
#c = #tile.fragment<[32, 16], register = [2 : (0, 1), 2 : (8, 0), 2 : (0, 8)], lane = [4 : (0, 2), 8 : (1, 0)], warp = [2 : (16, 0)]>
module attributes {tile.target = #tile.target<"sm_80">} {
  gpu.module @kernels {
    gpu.func @gemm(%o: memref<32x16xf32>, %i: index)
        kernel attributes {known_block_size = array<i32: 64, 1, 1>,
                           tile.stage = #tile.stage<outlined>} {
      %arena = tile.arena 8192 : memref<8192xi8, #shared>
      %whole = tile.view %arena[0] layout(#tile.shared<[32, 64]>)
          : memref<8192xi8, #shared> to memref<32x64xf16, #shared>
      %a = memref.subview %whole[0, %i] [32, 32] [1, 1]
          : memref<32x64xf16, #shared> to memref<32x32xf16, strided<[64, 1], offset: ?>, #shared>
      %b = tile.view %arena[4096] layout(#tile.shared<[32, 16]>)
          : memref<8192xi8, #shared> to memref<32x16xf16, #shared>
      // expected-error@+1 {{ldmatrix.sync.aligned.m8n8.x4.shared.b16 of 8 elements is not possible here: those of its operand in shared memory do not lie together}}
      %d = tile.gemm %a, %b {instruction = #tile.instruction<"mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32">, warp_grid = array<i64: 2, 1>,
                             load_a = #tile.operand_load<<"ldmatrix.sync.aligned.m8n8.x4.shared.b16">, width = 8>,
                             load_b = #tile.operand_load<<"ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16">, width = 8>}
          : memref<32x32xf16, strided<[64, 1], offset: ?>, #shared>, memref<32x16xf16, #shared> -> tensor<32x16xf32, #c>
      gpu.return
    }
  }
}

// -----

// Two barriers are the roles', two those of turns.
module attributes {tile.target = #tile.target<"sm_90a">} {
  gpu.module @kernels {
    gpu.func @barrier_of_turns()
        kernel attributes {known_block_size = array<i32: 288, 1, 1>,
                           tile.stage = #tile.stage<outlined>} {
      tile.specialize
        consumer warps(8) {
          tile.take_turn
          tile.pass_turn
          tile.barrier {id = 11 : i64, warps = 9 : i64}
          // expected-error @+1 {{barrier 12 is a role's: a block has 16, of which 1 to 11 are free to be named}}
          tile.barrier {id = 12 : i64, warps = 9 : i64}
        }
        producer warps(1) {
        }
      gpu.return
    }
  }
}

// -----

module attributes {tile.target = #tile.target<"sm_90a">} {
  gpu.module @kernels {
    gpu.func @too_many_roles()
        kernel attributes {known_block_size = array<i32: 512, 1, 1>,
                           tile.stage = #tile.stage<outlined>} {
      // expected-error @+1 {{has roles for which a block has not enough barriers: 16}}
      tile.specialize
        consumer warps(1) {
        }
        consumer warps(1) {
        }
        consumer warps(1) {
        }
        consumer warps(1) {
        }
        consumer warps(1) {
        }
        consumer warps(1) {
        }
        consumer warps(1) {
        }
        consumer warps(1) {
        }
        consumer warps(1) {
        }
        consumer warps(1) {
        }
        consumer warps(1) {
        }
        consumer warps(1) {
        }
        consumer warps(1) {
        }
        consumer warps(1) {
        }
        consumer warps(1) {
        }
        consumer warps(1) {
        }
      gpu.return
    }
  }
}

// -----

#f = #tile.fragment<[128], register = [4 : (1)], lane = [32 : (4)], warp = []>
module attributes {tile.target = #tile.target<"sm_80">} {
  gpu.module @kernels {
    gpu.func @no_vectors(%m: memref<128xf32>) kernel
        attributes {known_block_size = array<i32: 32, 1, 1>,
                    tile.stage = #tile.stage<outlined>} {
      %t = arith.constant dense<1.0> : tensor<128xf32, #f>
      // expected-error @+1 {{an atomic of 4 elements is not possible: sm_80 combines 1 at once}}
      tile.atomic_rmw addf %t, %m {vector_width = 4 : i64} : tensor<128xf32, #f>, memref<128xf32>
      gpu.return
    }
  }
}

// -----

#f = #tile.fragment<[128], register = [4 : (1)], lane = [32 : (4)], warp = []>
module attributes {tile.target = #tile.target<"sm_90a">} {
  gpu.module @kernels {
    gpu.func @no_neighbours(%m: memref<?xf32>, %i: index) kernel
        attributes {known_block_size = array<i32: 32, 1, 1>,
                    tile.stage = #tile.stage<outlined>} {
      %t = arith.constant dense<1.0> : tensor<128xf32, #f>
      // expected-error @+1 {{an atomic of 4 elements is not possible here: they must lie together and aligned, and the widest access is 1 elements}}
      tile.atomic_rmw addf %t, %m[%i] {vector_width = 4 : i64} : tensor<128xf32, #f>, memref<?xf32>
      gpu.return
    }
  }
}
