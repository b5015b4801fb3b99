// An asynchronous copy owns its bytes until it was waited for.
// RUN: tile-opt %s --tile-plan-shared-memory=reuse=always --tile-insert-barriers | FileCheck %s

#shared = #gpu.address_space<workgroup>
#l = #tile.shared<[64, 64]>
#f = #tile.fragment<[64, 64], register = [32 : (2, 0)], lane = [32 : (0, 1)], warp = [2 : (0, 32), 2 : (1, 0)]>

module attributes {tile.target = #tile.target<"sm_80">} {

// Between the copy and the wait another buffer comes and goes: it has its own bytes,
// and no wait before the program's.
// CHECK-LABEL: func @waited_for_later
// CHECK: %[[A:.*]] = tile.arena 32768
// CHECK-DAG: tile.view %[[A]][0]
// CHECK-DAG: tile.view %[[A]][16384]
// CHECK: tile.copy
// CHECK-NOT: tile.copy_wait
// CHECK: tile.load %{{.*}} : memref<64x64xf32, #gpu.address_space<workgroup>>
// CHECK: tile.copy_wait
// CHECK-NEXT: tile.load
func.func @waited_for_later(%n: index, %m: memref<64x64xf32>, %o: memref<64x64xf32>, %p: memref<64x64xf32>) {
  tile.launch @a blocks(%bx) in (%n) threads(128) attributes {stage = #tile.stage<scheduled>} {
    %s = tile.alloc layout(#l) : memref<64x64xf32, #shared>
    %t = tile.alloc layout(#l) : memref<64x64xf32, #shared>
    %x = tile.load %p : memref<64x64xf32> -> tensor<64x64xf32, #f>
    tile.copy %m to %s {layout = #f, vector_width = 1 : i64, instruction = #tile.instruction<"cp.async">} : memref<64x64xf32> to memref<64x64xf32, #shared>
    tile.copy_commit
    tile.store %x, %t : tensor<64x64xf32, #f>, memref<64x64xf32, #shared>
    %y = tile.load %t : memref<64x64xf32, #shared> -> tensor<64x64xf32, #f>
    tile.store %y, %p : tensor<64x64xf32, #f>, memref<64x64xf32>
    tile.copy_wait
    %z = tile.load %s : memref<64x64xf32, #shared> -> tensor<64x64xf32, #f>
    tile.store %z, %o : tensor<64x64xf32, #f>, memref<64x64xf32>
  }
  return
}

// Nobody reads what the copy brings, so its bytes are free behind it, but not before it
// has arrived: a wait stands before the next buffer there.
// CHECK-LABEL: func @never_read
// CHECK: tile.arena 16384
// CHECK: tile.copy
// CHECK: tile.copy_wait
// CHECK-NEXT: tile.store %{{.*}} : {{.*}}, memref<64x64xf32, #gpu.address_space<workgroup>>
func.func @never_read(%n: index, %m: memref<64x64xf32>, %o: memref<64x64xf32>, %p: memref<64x64xf32>) {
  tile.launch @b blocks(%bx) in (%n) threads(128) attributes {stage = #tile.stage<scheduled>} {
    %s = tile.alloc layout(#l) : memref<64x64xf32, #shared>
    %t = tile.alloc layout(#l) : memref<64x64xf32, #shared>
    %x = tile.load %p : memref<64x64xf32> -> tensor<64x64xf32, #f>
    tile.copy %m to %s {layout = #f, vector_width = 1 : i64, instruction = #tile.instruction<"cp.async">} : memref<64x64xf32> to memref<64x64xf32, #shared>
    tile.copy_commit
    tile.store %x, %t : tensor<64x64xf32, #f>, memref<64x64xf32, #shared>
    %y = tile.load %t : memref<64x64xf32, #shared> -> tensor<64x64xf32, #f>
    tile.store %y, %o : tensor<64x64xf32, #f>, memref<64x64xf32>
  }
  return
}
}
