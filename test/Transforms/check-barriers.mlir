// What tile-insert-barriers orders, and barriers put by hand where they are enough, pass
// the judge.
// RUN: tile-opt %S/insert-barriers.mlir --tile-insert-barriers --tile-check-barriers -o /dev/null
// RUN: tile-opt %S/insert-barriers-rings.mlir --tile-insert-barriers --tile-check-barriers -o /dev/null
// RUN: tile-opt %s --tile-check-barriers -o /dev/null

#shared = #gpu.address_space<workgroup>
#f = #tile.fragment<[128], register = [], lane = [32 : (1)], warp = [4 : (32)]>
#g = #tile.fragment<[128], register = [], lane = [32 : (4)], warp = [4 : (1)]>
#h = #tile.fragment<[128], register = [2 : (16)], lane = [16 : (1), 2 : (0)], warp = [4 : (32)]>

module attributes {tile.target = #tile.target<"sm_80">} {

// A barrier in each branch.
func.func @branches(%n: index, %s: memref<128xf32>, %c: i1) {
  tile.launch @a blocks(%x) in (%n) threads(128) attributes {stage = #tile.stage<synchronized>} {
    %0 = arith.constant dense<0.0> : tensor<128xf32, #f>
    tile.store %0, %s : tensor<128xf32, #f>, memref<128xf32>
    scf.if %c {
      tile.barrier
    } else {
      tile.barrier
    }
    %1 = tile.load %s : memref<128xf32> -> tensor<128xf32, #g>
  }
  return
}

// A barrier of each warp, where no byte goes to another.
func.func @warps(%n: index, %s: memref<128xf32>) {
  tile.launch @b blocks(%x) in (%n) threads(128) attributes {stage = #tile.stage<synchronized>} {
    %0 = arith.constant dense<0.0> : tensor<128xf32, #f>
    tile.store %0, %s : tensor<128xf32, #f>, memref<128xf32>
    tile.barrier {scope = #tile.scope<warp>}
    %1 = tile.load %s : memref<128xf32> -> tensor<128xf32, #h>
  }
  return
}
}
