// A barrier with an id that all warps of the block arrive at orders as the block's
// own does: a kernel by hand in which warps exchange a row through shared memory.
// RUN: sed -e 's/tile.barrier {.*}/tile.barrier/' %s | tile-run - --on=emulator --check --data=0:iota --out=1:%t.npy
// RUN: tile-run %s --on=emulator --data=0:iota --expect=1:%t.npy --rtol=0 --atol=0
// RUN: tile-opt %s --emit=ptx | FileCheck %s
// CHECK: st.shared
// CHECK: bar{{(rier)?}}.sync{{.*}} 3, 128;
// CHECK: ld.shared

#shared = #gpu.address_space<workgroup>
#f = #tile.fragment<[128], register = [], lane = [32 : (1)], warp = [4 : (32)]>
module attributes {gpu.container_module, tile.target = #tile.target<"sm_80">} {
  func.func @exchange(%a: memref<128xf32>, %o: memref<128xf32>) {
    %c1 = arith.constant 1 : index
    %c128 = arith.constant 128 : index
    %bytes = arith.constant 512 : i32
    gpu.launch_func @kernels::@exchange_0 blocks in (%c1, %c1, %c1)
        threads in (%c128, %c1, %c1) dynamic_shared_memory_size %bytes
        args(%a : memref<128xf32>, %o : memref<128xf32>)
    return
  }
  gpu.module @kernels {
    gpu.func @exchange_0(%a: memref<128xf32>, %o: memref<128xf32>) kernel
        attributes {known_block_size = array<i32: 128, 1, 1>,
                    tile.stage = #tile.stage<outlined>} {
      %arena = tile.arena 512 : memref<512xi8, #shared>
      %s = tile.view %arena[0] layout(#tile.shared<[128]>)
          : memref<512xi8, #shared> to memref<128xf32, #shared>
      %c127 = arith.constant 127 : index
      tile.parallel (%i) in (128) attributes {layout = #f, vector_width = 1 : i64} {
        %v = memref.load %a[%i] : memref<128xf32>
        memref.store %v, %s[%i] : memref<128xf32, #shared>
      }
      tile.barrier {id = 3 : i64, warps = 4 : i64}
      tile.parallel (%i) in (128) attributes {layout = #f, vector_width = 1 : i64} {
        %j = arith.subi %c127, %i : index
        %v = memref.load %s[%j] : memref<128xf32, #shared>
        memref.store %v, %o[%i] : memref<128xf32>
      }
      gpu.return
    }
  }
}
