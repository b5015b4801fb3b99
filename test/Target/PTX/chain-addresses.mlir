// Rows that a thread copies lie a pitch apart that is known at run time only: one address
// is kept over the loop, and each other one is made of the last by one addition.
// RUN: tile-opt %s --emit=llvm --chip=sm_80 --line-info=false | FileCheck %s
// RUN: tile-run %s --on=emulator --chip=sm_80 --check --dim=M:88 --dim=N:104 --dim=K:168 --seed=1
// RUN: tile-run %s --on=emulator --chip=sm_80 --check --dim=M:8 --dim=N:8 --dim=K:24 --seed=2
// RUN: tile-run %s --on=emulator --chip=sm_80 --check --dim=M:72 --dim=N:72 --dim=K:0 --seed=3

// One address of each operand is carried.
// CHECK: phi ptr addrspace(1) [ %{{.*}}, %{{.*}} ], [ %[[NEXT_B:[0-9]+]], %{{[0-9]+}} ]
// CHECK: phi ptr addrspace(1) [ %{{.*}}, %{{.*}} ], [ %[[NEXT_A:[0-9]+]], %{{[0-9]+}} ]
// CHECK-NOT: phi ptr addrspace(1)

// CHECK: asm sideeffect {{.*}}cp.async{{.*}}, ptr addrspace(1) %[[A:[0-9]+]],
// CHECK: %[[SUM:.*]] = getelementptr i8, ptr addrspace(1) %[[A]], i64 %[[PITCH:[0-9]+]]
// CHECK-NEXT: %[[A1:[0-9]+]] = freeze ptr addrspace(1) %[[SUM]]
// CHECK-NEXT: asm sideeffect {{.*}}cp.async{{.*}}, ptr addrspace(1) %[[A1]],
// CHECK: getelementptr i8, ptr addrspace(1) %[[A1]], i64 %[[PITCH]]
// CHECK-COUNT-5: asm sideeffect {{.*}}cp.async
// CHECK: %[[B3:[0-9]+]] = freeze ptr addrspace(1)
// CHECK-NEXT: asm sideeffect {{.*}}cp.async{{.*}}, ptr addrspace(1) %[[B3]],

// A goes on along K, from its first row; B from its last one, by as much as from row to row.
// CHECK: %[[STEP:.*]] = getelementptr i8, ptr addrspace(1) %[[A]], i64 64
// CHECK-NEXT: %[[NEXT_A]] = freeze ptr addrspace(1) %[[STEP]]
// CHECK: %[[STEP:.*]] = getelementptr i8, ptr addrspace(1) %[[B3]], i64 %
// CHECK-NEXT: %[[NEXT_B]] = freeze ptr addrspace(1) %[[STEP]]

#shared = #gpu.address_space<workgroup>

func.func @product(%A: memref<?x?xf16> {tile.dims = ["M", "K"], tile.divisible = array<i64: 8, 8>},
                   %B: memref<?x?xf16> {tile.dims = ["K", "N"], tile.divisible = array<i64: 8, 8>},
                   %C: memref<?x?xf32> {tile.dims = ["M", "N"]}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %M = memref.dim %A, %c0 : memref<?x?xf16>
  %K = memref.dim %A, %c1 : memref<?x?xf16>
  %N = memref.dim %C, %c1 : memref<?x?xf32>
  %gx = arith.ceildivui %N, %c64 : index
  %gy = arith.ceildivui %M, %c64 : index
  tile.launch @product_kernel blocks(%bx, %by) in (%gx, %gy) threads(64) {
    %row = arith.muli %by, %c64 : index
    %col = arith.muli %bx, %c64 : index
    %As = tile.alloc : memref<64x32xf16, #shared>
    %Bs = tile.alloc : memref<32x64xf16, #shared>
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    %acc = scf.for %k = %c0 to %K step %c32 iter_args(%c = %zero) -> (tensor<64x64xf32>) {
      tile.copy %A[%row, %k] to %As : memref<?x?xf16> to memref<64x32xf16, #shared>
      tile.copy %B[%k, %col] to %Bs : memref<?x?xf16> to memref<32x64xf16, #shared>
      %d = tile.gemm %As, %Bs, %c : memref<64x32xf16, #shared>, memref<32x64xf16, #shared> -> tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    } {tile.stages = 2 : i32}
    tile.store %acc, %C[%row, %col] : tensor<64x64xf32>, memref<?x?xf32>
  }
  return
}
