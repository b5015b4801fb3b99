// Host functions whose launches go to a device, on the test double of the driver:
// equal to the reference, and the same bytes as on the emulator.

// DEFINE: %{cuda} = env LD_LIBRARY_PATH=%fake_drivers/current tile-run
// RUN: rm -rf %t && mkdir %t

// Several launches, a workspace between them, a loop on the host, dynamic sizes.
// RUN: %{cuda} %s --entry=chain --on=cuda --check --shape=0:300 --scalar=1:3 --out=0:%t/cuda.npy | FileCheck %s
// RUN: tile-run %s --entry=chain --on=emulator --shape=0:300 --scalar=1:3 --out=0:%t/emulator.npy
// RUN: cmp %t/cuda.npy %t/emulator.npy
// RUN: %{cuda} %s --entry=chain --on=auto --check --shape=0:300 --scalar=1:0 | FileCheck %s
// An empty grid and an empty buffer.
// RUN: %{cuda} %s --entry=chain --on=cuda --check --shape=0:0 --scalar=1:2 | FileCheck %s
// CHECK: argument 0: memref<?xf32> equal

// Examples: tensor cores, shared memory, atomics, a partial last block.
// RUN: %{cuda} %source_dir/examples/gemm_f16.mlir --entry=gemm --on=cuda --chip=sm_80 --check --data=integers --out=2:%t/gemm-cuda.npy
// RUN: tile-run %source_dir/examples/gemm_f16.mlir --entry=gemm --on=emulator --chip=sm_80 --data=integers --out=2:%t/gemm.npy
// RUN: cmp %t/gemm-cuda.npy %t/gemm.npy
// RUN: %{cuda} %source_dir/examples/flash_attention.mlir --entry=flash_attention --on=cuda --chip=sm_90a --check --out=3:%t/attention-cuda.npy
// RUN: tile-run %source_dir/examples/flash_attention.mlir --entry=flash_attention --on=emulator --chip=sm_90a --out=3:%t/attention.npy
// RUN: cmp %t/attention-cuda.npy %t/attention.npy
// RUN: %{cuda} %source_dir/examples/gemm_split_k.mlir --entry=gemm_split_k --on=cuda --check
// RUN: %{cuda} %source_dir/examples/layer_norm.mlir --entry=layer_norm --on=cuda --check --dim=rows:10
// RUN: %{cuda} %source_dir/examples/vector_add.mlir --entry=vector_add --on=cuda --check --dim=N:3000
// RUN: %{cuda} %source_dir/examples/axpy.mlir --entry=axpy --on=cuda --check --scalar=0:2.5

// Both are told of the device's multiprocessors, or of as many as one likes.
// RUN: %{cuda} %s --entry=count --on=cuda --check | FileCheck %s --check-prefix=COUNT
// RUN: %{cuda} %s --entry=count --on=cuda --multiprocessors=77 | FileCheck %s --check-prefix=SEVENTY
// RUN: tile-run %s --entry=count --on=emulator --check --chip=sm_90a --multiprocessors=77 | FileCheck %s --check-prefix=COUNT
// RUN: tile-run %s --entry=count --on=emulator --chip=sm_90a | FileCheck %s --check-prefix=LARGEST
// RUN: tile-run %s --entry=count --on=reference --chip=sm_90a | FileCheck %s --check-prefix=LARGEST
// RUN: not tile-run %s --entry=count --multiprocessors=0 2>&1 | FileCheck %s --check-prefix=NONE
// COUNT: argument 0: memref<1xindex> equal
// SEVENTY: argument 0: memref<1xindex> 1 elements, from 77 to 77
// LARGEST: argument 0: memref<1xindex> 1 elements, from 132 to 132
// NONE: error: --multiprocessors=0: expected an integer from 1 on

// Times of each launch, of which the results are those of the first run.
// RUN: %{cuda} %s --entry=chain --on=cuda --check --shape=0:300 --scalar=1:1 --time=3 | FileCheck %s --check-prefix=TIME
// TIME: launch 0 of 'chain_0': median {{[0-9.]+}} ms, least {{[0-9.]+}} ms, most {{[0-9.]+}} ms of 3 runs after 1 to warm up (the device's clock, no copies)
// TIME: launch 1 of 'chain_1':
// TIME: argument 0: memref<?xf32> equal

// A wrong device is found by --check.
// RUN: env FAKE_CUDA_FLIP=2 LD_LIBRARY_PATH=%fake_drivers/current not tile-run %s --entry=chain --on=cuda --check --shape=0:300 --scalar=1:1 | FileCheck %s --check-prefix=WRONG
// WRONG: argument 0: memref<?xf32> DIFFERENT

// Failures, at the launch in the source where there is one.
// RUN: env LD_LIBRARY_PATH=%fake_drivers/current FAKE_CUDA_NO_DEVICE=1 not tile-run %s --entry=chain --on=cuda --shape=0:300 --scalar=1:1 2>&1 | FileCheck %s --check-prefix=NODEVICE
// NODEVICE: error: --on=cuda: CUDA cannot start: CUDA_ERROR_NO_DEVICE {{.*}}; use --on=emulator
// RUN: env LD_LIBRARY_PATH=%fake_drivers/current FAKE_CUDA_MEMORY=100 not tile-run %s --entry=chain --on=cuda --shape=0:300 --scalar=1:1 2>&1 | FileCheck %s --check-prefix=MEMORY
// MEMORY: cuda-tile-run.mlir:[[#]]:{{.*}}error: CUDA cannot allocate 1200 bytes, with 100 of 100 free: CUDA_ERROR_OUT_OF_MEMORY
// RUN: env LD_LIBRARY_PATH=%fake_drivers/current not tile-run %s --entry=chain --chip=sm_100a --on=cuda --shape=0:300 --scalar=1:1 2>&1 | FileCheck %s --check-prefix=CHIP
// CHIP: error: CUDA cannot compile the PTX: CUDA_ERROR_NO_BINARY_FOR_GPU {{.*}} compute capability 9.0
// RUN: env LD_LIBRARY_PATH=%fake_drivers/current not tile-run %s --entry=chain --on=cuda --stats --shape=0:300 --scalar=1:1 2>&1 | FileCheck %s --check-prefix=STATS
// STATS: error: --stats: only the emulator counts; use --on=emulator

// Launches as jobs: played by ptx-run, on the emulator and on the device.
// RUN: tile-run %s --entry=chain --on=emulator --check --shape=0:300 --scalar=1:2 --save-jobs=%t/jobs
// RUN: ls %t/jobs | FileCheck %s --check-prefix=JOBS
// JOBS: launch-0
// JOBS-NEXT: launch-1
// JOBS-NEXT: launch-2
// JOBS-NEXT: launch-3
// JOBS-NOT: launch
// RUN: FileCheck %s --check-prefix=OPTIONS < %t/jobs/launch-1/options
// OPTIONS: --kernel={{.+}}
// OPTIONS-NEXT: --grid=3,1,1
// OPTIONS-NEXT: --block=128,1,1
// OPTIONS-NEXT: --cluster=1,1,1
// OPTIONS-NEXT: --shared=0
// OPTIONS: --arg=@in-[[#N:]].npy
// OPTIONS: --arg=bytes:2c01000000000000
// What rounds once each time is expected bit by bit.
// OPTIONS: --expect={{[0-9]}}:expected-{{[0-9]}}.npy{{$}}
// RUN: tile-run %s --entry=chain --on=emulator --shape=0:300 --scalar=1:2 --rtol=1e-3 --save-jobs=%t/tolerant
// RUN: FileCheck %s --check-prefix=TOLERANT < %t/tolerant/launch-1/options
// TOLERANT: --expect={{[0-9]}}:expected-{{[0-9]}}.npy,rtol=0.001,atol=0{{$}}
// The emulator's own result is expected of what the reference cannot run any more.
// RUN: tile-opt %s --tile-compile="chip=sm_80" -o %t/compiled.mlir
// RUN: tile-run %t/compiled.mlir --entry=chain --on=emulator --shape=0:300 --scalar=1:2 --save-jobs=%t/late
// RUN: sh -c 'cmp %t/late/launch-1/expected-*.npy %t/jobs/launch-1/expected-*.npy'
// RUN: not tile-run %s --entry=chain --shape=0:300 --scalar=1:1 --save-jobs=%t/no 2>&1 | FileCheck %s --check-prefix=SAVE
// SAVE: error: --save-jobs: what a job expects comes from the emulator; use --on=emulator
// The first launch fills a workspace that nobody wrote.
// RUN: FileCheck %s --check-prefix=NEW < %t/jobs/launch-0/options
// NEW: --arg=new:1200

func.func @chain(%x: memref<?xf32>, %times: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %n = memref.dim %x, %c0 : memref<?xf32>
  %blocks = arith.ceildivui %n, %c128 : index
  %workspace = memref.alloc(%n) : memref<?xf32>
  scf.for %i = %c0 to %times step %c1 {
    tile.launch blocks(%b) in (%blocks) threads(128) {
      %at = arith.muli %b, %c128 : index
      %t = tile.load %x[%at] [128] : memref<?xf32> -> tensor<128xf32>
      %two = arith.constant dense<2.0> : tensor<128xf32>
      %u = arith.mulf %t, %two : tensor<128xf32>
      tile.store %u, %workspace[%at] [128] : tensor<128xf32>, memref<?xf32>
    }
    tile.launch blocks(%b) in (%blocks) threads(128) {
      %at = arith.muli %b, %c128 : index
      %t = tile.load %workspace[%at] [128] : memref<?xf32> -> tensor<128xf32>
      %s = tile.load %x[%at] [128] : memref<?xf32> -> tensor<128xf32>
      %u = arith.subf %t, %s : tensor<128xf32>
      %one = arith.constant dense<0.5> : tensor<128xf32>
      %v = arith.addf %u, %one : tensor<128xf32>
      tile.store %v, %x[%at] [128] : tensor<128xf32>, memref<?xf32>
    }
  }
  memref.dealloc %workspace : memref<?xf32>
  return
}

func.func @count(%a: memref<1xindex>) {
  %count = tile.sm_count
  %c1 = arith.constant 1 : index
  tile.launch blocks(%x) in (%c1) threads(32) {
    %c0 = arith.constant 0 : index
    memref.store %count, %a[%c0] : memref<1xindex>
  }
  return
}
