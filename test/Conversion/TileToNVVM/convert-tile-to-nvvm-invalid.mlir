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

module attributes {tile.target = #tile.target<"sm_80">} {
  gpu.module @kernels {
    // expected-error @+1 {{not implemented yet: a kernel parameter of type 'i4'}}
    gpu.func @parameter(%x: i4) kernel
        attributes {known_block_size = array<i32: 32, 1, 1>,
                    tile.stage = #tile.stage<outlined>} {
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
      // expected-error @+1 {{cp.async of 16 bytes is not possible here: it needs 4, 8 or 16 consecutive and aligned bytes of one type from global to shared memory, and the widest access is 1 elements of the source and 8 of the destination}}
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
