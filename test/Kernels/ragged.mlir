// A product of matrices of which no size is known to divide by anything: the threads of the
// producer copy element by element, a few at a time in rounds, so that their 64 registers suffice.
// DEFINE: %{run} = tile-run %s --on=emulator --chip=sm_90a --check
// RUN: %{run} --entry=ragged --dim=M:131 --dim=N:67 --dim=K:67 --seed=1
// RUN: %{run} --entry=ragged --dim=M:7 --dim=N:129 --dim=K:129 --seed=2
// RUN: %{run} --entry=ragged --dim=M:1 --dim=N:1 --dim=K:0 --seed=3
// RUN: %{run} --entry=columns --dim=M:3 --dim=N:259 --dim=K:67 --seed=4
// RUN: %{run} --entry=words --dim=M:67 --dim=N:131 --dim=K:35 --seed=5
// RUN: %{run} --entry=bytes --dim=M:65 --dim=N:67 --dim=K:259 --seed=6
// RUN: %{run} --entry=bytes --dim=M:3 --dim=N:1 --dim=K:127 --seed=7
// RUN: %{run} --entry=across --dim=M:195 --dim=N:3 --dim=K:129 --seed=8
// RUN: tile-run %s --entry=ragged --on=reference --chip=sm_90a --check-stages --dim=M:131 --dim=N:67 --dim=K:67
// RUN: tile-opt %s --emit=report --chip=sm_90a | FileCheck %s --implicit-check-not=C75 --implicit-check-not="{{[1-9][0-9]*}} bytes of spills"
// RUN: tile-run %s --entry=columns --on=emulator --chip=sm_80 --check --dim=M:3 --dim=N:259 --dim=K:67 --seed=4
// RUN: tile-run %s --entry=bytes --on=emulator --chip=sm_80 --check --dim=M:65 --dim=N:67 --dim=K:259 --seed=6
// RUN: tile-opt %s --emit=report --chip=sm_80 | FileCheck %s --check-prefix=HELD --implicit-check-not="{{[1-9][0-9]*}} bytes of spills"
// Without a producer, not all elements of a wide result's step fit in registers beside its sums.
// HELD-LABEL: {{^}}kernel columns_kernel{{$}}
// HELD: 2 stages: Pipelined: 2 stages, 1 copies run ahead; NotPipelined: 3 stages asked for; the buffer that 'tile.store' {{.*}} fills keeps one slot: what the loop stores so, in accesses of less than 4 bytes, would take 64 registers and places over the products, beside some {{[0-9]+}} others of 255
// HELD-LABEL: {{^}}kernel bytes_kernel{{$}}
// HELD: 1 stage: NotPipelined: 3 stages asked for; the buffer that 'tile.store' {{.*}} fills keeps one slot
// HELD: {{^}}kernel across_kernel_wide{{$}}
// CHECK-LABEL: kernel ragged_kernel
// CHECK: threads 384, consumer 8 warps with 224 registers, producer 4 warps with 64 registers
// CHECK: wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16.ss
// CHECK: ld.st, 2 bytes an access
// CHECK-NEXT: ld.st, 2 bytes an access
// CHECK-LABEL: kernel columns_kernel
// CHECK: producer 4 warps with 64 registers
// CHECK: ld.st, 2 bytes an access
// CHECK-NEXT: ld.st, 2 bytes an access
// CHECK-LABEL: kernel words_kernel
// CHECK: producer 4 warps with 64 registers
// CHECK: cp.async, 4 bytes an access
// CHECK-NEXT: cp.async, 4 bytes an access
// CHECK-LABEL: kernel bytes_kernel
// CHECK: producer 4 warps with 64 registers
// CHECK: wgmma.mma_async.sync.aligned.m64n32k32.f32.e4m3.e4m3.ss
// CHECK: ld.st, 1 bytes an access
// CHECK-NEXT: ld.st, 1 bytes an access
// CHECK-LABEL: kernel across_kernel
// CHECK: producer 4 warps with 64 registers
// CHECK: ld.st, 2 bytes an access
// CHECK-NEXT: ld.st, 2 bytes an access

// A loop over the rounds stays one, in LLVM and in ptxas.
// RUN: tile-opt %s --emit=ptx --chip=sm_90a | FileCheck %s --check-prefix=PTX
// PTX-LABEL: .entry words_kernel
// PTX: setmaxnreg.dec
// PTX-COUNT-2: .pragma "nounroll"
// PTX-NOT: .pragma "nounroll"
// PTX: .entry bytes_kernel

#shared = #gpu.address_space<workgroup>

func.func @ragged(%A: memref<?x?xf16> {tile.dims = ["M", "K"]}, %B: memref<?x?xf16> {tile.dims = ["N", "K"]},
                  %C: memref<?x?xf16> {tile.dims = ["M", "N"]}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %M = memref.dim %A, %c0 : memref<?x?xf16>
  %K = memref.dim %A, %c1 : memref<?x?xf16>
  %N = memref.dim %B, %c0 : memref<?x?xf16>
  %gx = arith.ceildivui %N, %c128 : index
  %gy = arith.ceildivui %M, %c128 : index
  tile.launch @ragged_kernel blocks(%bx, %by) in (%gx, %gy) threads(256) {
    %row = arith.muli %by, %c128 : index
    %col = arith.muli %bx, %c128 : index
    %As = tile.alloc : memref<128x64xf16, #shared>
    %Bs = tile.alloc : memref<128x64xf16, #shared>
    %zero = arith.constant dense<0.0> : tensor<128x128xf32>
    %acc = scf.for %k = %c0 to %K step %c64 iter_args(%c = %zero) -> (tensor<128x128xf32>) {
      tile.copy %A[%row, %k] to %As : memref<?x?xf16> to memref<128x64xf16, #shared>
      tile.copy %B[%col, %k] to %Bs : memref<?x?xf16> to memref<128x64xf16, #shared>
      %d = tile.gemm %As, %Bs, %c {transpose_b} : memref<128x64xf16, #shared>, memref<128x64xf16, #shared> -> tensor<128x128xf32>
      scf.yield %d : tensor<128x128xf32>
    } {tile.stages = 3 : i32}
    tile.store %acc, %C[%row, %col] : tensor<128x128xf32>, memref<?x?xf16>
  }
  return
}

// Rows of 256 elements: a thread copies a row before the next, so that no more than one
// place of a row is kept.
func.func @columns(%A: memref<?x?xf16> {tile.dims = ["M", "K"]}, %B: memref<?x?xf16> {tile.dims = ["K", "N"]},
                  %C: memref<?x?xf16> {tile.dims = ["M", "N"]}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %cK = arith.constant 64 : index
  %cM = arith.constant 128 : index
  %cN = arith.constant 256 : index
  %M = memref.dim %A, %c0 : memref<?x?xf16>
  %K = memref.dim %A, %c1 : memref<?x?xf16>
  %N = memref.dim %C, %c1 : memref<?x?xf16>
  %gx = arith.ceildivui %N, %cN : index
  %gy = arith.ceildivui %M, %cM : index
  tile.launch @columns_kernel blocks(%bx, %by) in (%gx, %gy) threads(256) {
    %row = arith.muli %by, %cM : index
    %col = arith.muli %bx, %cN : index
    %As = tile.alloc : memref<128x64xf16, #shared>
    %Bs = tile.alloc : memref<64x256xf16, #shared>
    %zero = arith.constant dense<0.0> : tensor<128x256xf32>
    %acc = scf.for %k = %c0 to %K step %cK iter_args(%c = %zero) -> (tensor<128x256xf32>) {
      tile.copy %A[%row, %k] to %As : memref<?x?xf16> to memref<128x64xf16, #shared>
      tile.copy %B[%k, %col] to %Bs : memref<?x?xf16> to memref<64x256xf16, #shared>
      %d = tile.gemm %As, %Bs, %c : memref<128x64xf16, #shared>, memref<64x256xf16, #shared> -> tensor<128x256xf32>
      scf.yield %d : tensor<128x256xf32>
    } {tile.stages = 3 : i32}
    tile.store %acc, %C[%row, %col] : tensor<128x256xf32>, memref<?x?xf16>
  }
  return
}

// The same without registers, 4 bytes an access.
func.func @words(%A: memref<?x?xf32> {tile.dims = ["M", "K"]}, %B: memref<?x?xf32> {tile.dims = ["K", "N"]},
                  %C: memref<?x?xf32> {tile.dims = ["M", "N"]}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %cK = arith.constant 32 : index
  %cM = arith.constant 128 : index
  %cN = arith.constant 256 : index
  %M = memref.dim %A, %c0 : memref<?x?xf32>
  %K = memref.dim %A, %c1 : memref<?x?xf32>
  %N = memref.dim %C, %c1 : memref<?x?xf32>
  %gx = arith.ceildivui %N, %cN : index
  %gy = arith.ceildivui %M, %cM : index
  tile.launch @words_kernel blocks(%bx, %by) in (%gx, %gy) threads(256) {
    %row = arith.muli %by, %cM : index
    %col = arith.muli %bx, %cN : index
    %As = tile.alloc : memref<128x32xf32, #shared>
    %Bs = tile.alloc : memref<32x256xf32, #shared>
    %zero = arith.constant dense<0.0> : tensor<128x256xf32>
    %acc = scf.for %k = %c0 to %K step %cK iter_args(%c = %zero) -> (tensor<128x256xf32>) {
      tile.copy %A[%row, %k] to %As : memref<?x?xf32> to memref<128x32xf32, #shared>
      tile.copy %B[%k, %col] to %Bs : memref<?x?xf32> to memref<32x256xf32, #shared>
      %d = tile.gemm %As, %Bs, %c {precision = #tile.precision<tf32>} : memref<128x32xf32, #shared>, memref<32x256xf32, #shared> -> tensor<128x256xf32>
      scf.yield %d : tensor<128x256xf32>
    } {tile.stages = 3 : i32}
    tile.store %acc, %C[%row, %col] : tensor<128x256xf32>, memref<?x?xf32>
  }
  return
}

// Bytes: a thread has 64 of each operand's.
func.func @bytes(%A: memref<?x?xf8E4M3FN> {tile.dims = ["M", "K"]}, %B: memref<?x?xf8E4M3FN> {tile.dims = ["N", "K"]},
                 %C: memref<?x?xf32> {tile.dims = ["M", "N"]}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %M = memref.dim %A, %c0 : memref<?x?xf8E4M3FN>
  %K = memref.dim %A, %c1 : memref<?x?xf8E4M3FN>
  %N = memref.dim %B, %c0 : memref<?x?xf8E4M3FN>
  %gx = arith.ceildivui %N, %c64 : index
  %gy = arith.ceildivui %M, %c64 : index
  tile.launch @bytes_kernel blocks(%bx, %by) in (%gx, %gy) threads(256) {
    %row = arith.muli %by, %c64 : index
    %col = arith.muli %bx, %c64 : index
    %As = tile.alloc : memref<64x128xf8E4M3FN, #shared>
    %Bs = tile.alloc : memref<64x128xf8E4M3FN, #shared>
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    %acc = scf.for %k = %c0 to %K step %c128 iter_args(%c = %zero) -> (tensor<64x64xf32>) {
      tile.copy %A[%row, %k] to %As : memref<?x?xf8E4M3FN> to memref<64x128xf8E4M3FN, #shared>
      tile.copy %B[%col, %k] to %Bs : memref<?x?xf8E4M3FN> to memref<64x128xf8E4M3FN, #shared>
      %d = tile.gemm %As, %Bs, %c {transpose_b} : memref<64x128xf8E4M3FN, #shared>, memref<64x128xf8E4M3FN, #shared> -> tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    } {tile.stages = 3 : i32}
    tile.store %acc, %C[%row, %col] : tensor<64x64xf32>, memref<?x?xf32>
  }
  return
}

// Rows of three times 64 elements, which are no power of two.
func.func @across(%A: memref<?x?xf16> {tile.dims = ["K", "M"]}, %B: memref<?x?xf16> {tile.dims = ["N", "K"]},
                  %C: memref<?x?xf32> {tile.dims = ["M", "N"]}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c192 = arith.constant 192 : index
  %K = memref.dim %A, %c0 : memref<?x?xf16>
  %M = memref.dim %A, %c1 : memref<?x?xf16>
  %N = memref.dim %B, %c0 : memref<?x?xf16>
  %gx = arith.ceildivui %N, %c64 : index
  %gy = arith.ceildivui %M, %c192 : index
  tile.launch @across_kernel blocks(%bx, %by) in (%gx, %gy) threads(256) {
    %row = arith.muli %by, %c192 : index
    %col = arith.muli %bx, %c64 : index
    %As = tile.alloc : memref<64x192xf16, #shared>
    %Bs = tile.alloc : memref<64x64xf16, #shared>
    %zero = arith.constant dense<0.0> : tensor<192x64xf32>
    %acc = scf.for %k = %c0 to %K step %c64 iter_args(%c = %zero) -> (tensor<192x64xf32>) {
      tile.copy %A[%k, %row] to %As : memref<?x?xf16> to memref<64x192xf16, #shared>
      tile.copy %B[%col, %k] to %Bs : memref<?x?xf16> to memref<64x64xf16, #shared>
      %d = tile.gemm %As, %Bs, %c {transpose_a, transpose_b} : memref<64x192xf16, #shared>, memref<64x64xf16, #shared> -> tensor<192x64xf32>
      scf.yield %d : tensor<192x64xf32>
    } {tile.stages = 3 : i32}
    tile.store %acc, %C[%row, %col] : tensor<192x64xf32>, memref<?x?xf32>
  }
  return
}
