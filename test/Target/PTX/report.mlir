// The report of one kernel, whole: what was chosen, where things lie, what it costs.
// Registers, spills and notes come from ptxas, here one that always says the same.
// RUN: rm -rf %t && mkdir -p %t/bin && cp %S/Inputs/speaking-ptxas %t/bin/ptxas
// RUN: env CUDA_HOME=%t tile-opt %s --emit=report --chip=sm_80 | FileCheck %s --check-prefix=TEXT -DFILE=%s
// RUN: env CUDA_HOME=%t tile-opt %s --emit=report --format=json --chip=sm_80 | FileCheck %s --check-prefix=JSON -DFILE=%s
// RUN: env CUDA_HOME= tile-opt %s --emit=report --chip=sm_80 | FileCheck %s --check-prefix=NOPTXAS
// RUN: env CUDA_HOME= tile-opt %s --emit=report --format=json --chip=sm_80 | FileCheck %s --check-prefix=NULL

// TEXT: kernel copy
// TEXT-NEXT: threads 128
// TEXT-NEXT: registers 40 a thread, 20 bytes of spills
// TEXT-NEXT: shared 16384 bytes (lower bound 16384)
// TEXT-NEXT: occupancy 9 blocks, 36 of 64 warps, limited by shared memory (16384 bytes a block, 167936 a multiprocessor)
// TEXT-NEXT: barriers 2
// TEXT-NEXT: shared memory
// TEXT-NEXT: 0 .. 12288 memref<3x32x64xf16, #gpu.address_space<workgroup>> [[FILE]]:[[#@LINE+291]]:10
// TEXT-NEXT: [3, 32, 64], offset = [64 : (0, 0, 1), 32 : (0, 1, 0), 3 : (1, 0, 0)], xor = [3, 4, 3]
// TEXT-NEXT: 12288 .. 16384 memref<64x32xf16, #gpu.address_space<workgroup>> [[FILE]]:[[#@LINE+288]]:10
// TEXT-NEXT: [64, 32], offset = [32 : (0, 1), 64 : (1, 0)], xor = [2, 4, 3]
// TEXT-NEXT: lifetimes
// TEXT-NEXT: {{^}} line [[#@LINE+289]] [[#@LINE+287]] [[#@LINE+288]] [[#@LINE+287]]{{$}}
// TEXT-NEXT: loops [==========]
// TEXT-NEXT: 0 .. 12288 ################ 3x32x64xf16 (line [[#@LINE+284]])
// TEXT-NEXT: 12288 .. 16384 ........####.... 64x32xf16 (line [[#@LINE+282]])
// TEXT-NEXT: peak ^^^^
// TEXT-NEXT: gemms
// TEXT-NEXT: mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 [[FILE]]:[[#@LINE+284]]:12
// TEXT-NEXT: a by ldmatrix.sync.aligned.m8n8.x4.shared.b16, 16 bytes an access
// TEXT-NEXT: b by ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16, 16 bytes an access
// TEXT-NEXT: copies
// TEXT-NEXT: ld.st, 2 bytes an access [[FILE]]:[[#@LINE+278]]:7
// TEXT-NEXT: cp.async, 16 bytes an access [[FILE]]:[[#@LINE+278]]:7
// TEXT-NEXT: stores
// TEXT-NEXT: 8 bytes an access [[FILE]]:[[#@LINE+280]]:5
// TEXT-NEXT: loops
// TEXT-NEXT: 3 stages: Pipelined: 3 stages, 2 copies run ahead [[FILE]]:[[#@LINE+272]]:10
// TEXT-NEXT: prologue: 2 steps peeled, 4 operations; epilogue: predicated, none peeled
// TEXT-NEXT: schedule: modulo, predicted cycles an iteration: ahead 599, modulo 307; saves 49 of 100 cycles: ahead waits for 'tile.load' (line [[#@LINE+271]])
// TEXT-NEXT: fragments
// TEXT-NEXT: tensor<64x64xf32>: 32 a thread, held 1 time
// TEXT-NEXT: [64, 64], register = [2 : (0, 1), 2 : (8, 0), 4 : (0, 8), 2 : (16, 0)], lane = [4 : (0, 2), 8 : (1, 0)], warp = [2 : (32, 0), 2 : (0, 32)]
// TEXT-NEXT: layouts
// TEXT-NEXT: tensor<64x64xf32>: product from [[FILE]]:[[#@LINE+268]]:12 [[FILE]]:[[#@LINE+265]]:10
// TEXT-NEXT: [64, 64], register = [2 : (0, 1), 2 : (8, 0), 4 : (0, 8), 2 : (16, 0)], lane = [4 : (0, 2), 8 : (1, 0)], warp = [2 : (32, 0), 2 : (0, 32)]
// TEXT-NEXT: costs 6720, the next best 8064: [64, 64], register = [2 : (0, 1), 2 : (8, 0), 8 : (0, 8)], lane = [4 : (0, 2), 8 : (1, 0)], warp = [4 : (16, 0)]
// TEXT-NEXT: tensor<64x64xf32>: product [[FILE]]:[[#@LINE+265]]:12
// TEXT-NEXT: [64, 64], register = [2 : (0, 1), 2 : (8, 0), 4 : (0, 8), 2 : (16, 0)], lane = [4 : (0, 2), 8 : (1, 0)], warp = [2 : (32, 0), 2 : (0, 32)]
// TEXT-NEXT: costs 6720, the next best 8064: [64, 64], register = [2 : (0, 1), 2 : (8, 0), 8 : (0, 8)], lane = [4 : (0, 2), 8 : (1, 0)], warp = [4 : (16, 0)]
// TEXT-NEXT: remarks
// TEXT-NEXT: [[FILE]]:[[#@LINE+259]]:7: NarrowCopy: 2 bytes in each access instead of 16: start, pitch, size or alignment are not known to be multiples
// TEXT-NEXT: [[FILE]]:[[#@LINE+257]]:10: Pipelined: 3 stages, 2 copies run ahead
// TEXT-NEXT: [[FILE]]:[[#@LINE+250]]:3: Arena: Buffers 2, Bytes 16384, LowerBound 16384
// TEXT-NEXT: [[FILE]]:[[#@LINE+249]]:3: Barriers: Barriers 2
// TEXT-NEXT: [[FILE]]:[[#@LINE+257]]:12: Wait: each thread waits for its copies between the access at [[FILE]]:[[#@LINE+256]]:7 and this one
// TEXT-NEXT: [[FILE]]:[[#@LINE+254]]:7: Barrier: the block meets between the access at [[FILE]]:[[#@LINE+256]]:12 and this one
// TEXT-NEXT: [[FILE]]:[[#@LINE+255]]:12: Barrier: the block meets between the access at [[FILE]]:[[#@LINE+253]]:7 and this one
// TEXT-NEXT: Spills: ptxas takes 40 registers a thread of the 255 that one of 128 can have; 'min_blocks_per_sm = 10' leaves it 48
// TEXT-NEXT: ptxas: (C7510) Potential Performance Loss: a test says so
// TEXT-EMPTY:
// TEXT-NOT: kernel

// JSON: {
// JSON-NEXT: "kernels": [
// JSON-NEXT: {
// JSON-NEXT: "name": "copy",
// JSON-NEXT: "block_threads": 128,
// JSON-NEXT: "cluster": [],
// JSON-NEXT: "programmatic_dependent_launch": false,
// JSON-NEXT: "roles": [],
// JSON-NEXT: "shared_bytes": 16384,
// JSON-NEXT: "registers": 40,
// JSON-NEXT: "spill_bytes": 20,
// JSON-NEXT: "parameters": [
// JSON-NEXT: {
// JSON-NEXT: "type": "index",
// JSON-NEXT: "divisor": 1,
// JSON-NEXT: "min": null,
// JSON-NEXT: "max": null
// JSON-NEXT: },
// JSON-NEXT: {
// JSON-NEXT: "type": "memref<64x1001xf16>",
// JSON-NEXT: "base_alignment": 16,
// JSON-NEXT: "alignment": 16,
// JSON-NEXT: "size_divisors": [
// JSON-NEXT: 64,
// JSON-NEXT: 1001
// JSON-NEXT: ],
// JSON-NEXT: "stride_divisors": [
// JSON-NEXT: 1001,
// JSON-NEXT: 1
// JSON-NEXT: ],
// JSON-NEXT: "contiguous": true,
// JSON-NEXT: "may_alias": false
// JSON-NEXT: },
// JSON-NEXT: {
// JSON-NEXT: "type": "memref<?x64xf16>",
// JSON-NEXT: "base_alignment": 16,
// JSON-NEXT: "alignment": 16,
// JSON-NEXT: "size_divisors": [
// JSON-NEXT: 1,
// JSON-NEXT: 64
// JSON-NEXT: ],
// JSON-NEXT: "stride_divisors": [
// JSON-NEXT: 64,
// JSON-NEXT: 1
// JSON-NEXT: ],
// JSON-NEXT: "contiguous": true,
// JSON-NEXT: "may_alias": false
// JSON-NEXT: },
// JSON-NEXT: {
// JSON-NEXT: "type": "memref<64x64xf32>",
// JSON-NEXT: "base_alignment": 16,
// JSON-NEXT: "alignment": 16,
// JSON-NEXT: "size_divisors": [
// JSON-NEXT: 64,
// JSON-NEXT: 64
// JSON-NEXT: ],
// JSON-NEXT: "stride_divisors": [
// JSON-NEXT: 64,
// JSON-NEXT: 1
// JSON-NEXT: ],
// JSON-NEXT: "contiguous": true,
// JSON-NEXT: "may_alias": false
// JSON-NEXT: }
// JSON-NEXT: ],
// JSON-NEXT: "occupancy": 9,
// JSON-NEXT: "arena": {
// JSON-NEXT: "size": 16384,
// JSON-NEXT: "lower_bound": 16384,
// JSON-NEXT: "buffers": [
// JSON-NEXT: {
// JSON-NEXT: "name": "memref<3x32x64xf16, #gpu.address_space<workgroup>>",
// JSON-NEXT: "location": "[[FILE]]:[[#@LINE+174]]:10",
// JSON-NEXT: "offset": 0,
// JSON-NEXT: "bytes": 12288,
// JSON-NEXT: "slots": 3,
// JSON-NEXT: "layout": "[3, 32, 64], offset = [64 : (0, 0, 1), 32 : (0, 1, 0), 3 : (1, 0, 0)], xor = [3, 4, 3]"
// JSON-NEXT: },
// JSON-NEXT: {
// JSON-NEXT: "name": "memref<64x32xf16, #gpu.address_space<workgroup>>",
// JSON-NEXT: "location": "[[FILE]]:[[#@LINE+165]]:10",
// JSON-NEXT: "offset": 12288,
// JSON-NEXT: "bytes": 4096,
// JSON-NEXT: "slots": 1,
// JSON-NEXT: "layout": "[64, 32], offset = [32 : (0, 1), 64 : (1, 0)], xor = [2, 4, 3]"
// JSON-NEXT: }
// JSON-NEXT: ],
// JSON-NEXT: "lifetimes": [
// JSON-NEXT: {
// JSON-NEXT: "name": "64x32xf16 (line [[#@LINE+156]])",
// JSON-NEXT: "offset": 12288,
// JSON-NEXT: "bytes": 4096,
// JSON-NEXT: "alignment": 512,
// JSON-NEXT: "points": [
// JSON-NEXT: [
// JSON-NEXT: 49,
// JSON-NEXT: 61
// JSON-NEXT: ]
// JSON-NEXT: ]
// JSON-NEXT: },
// JSON-NEXT: {
// JSON-NEXT: "name": "3x32x64xf16 (line [[#@LINE+145]])",
// JSON-NEXT: "offset": 0,
// JSON-NEXT: "bytes": 12288,
// JSON-NEXT: "alignment": 1024,
// JSON-NEXT: "points": [
// JSON-NEXT: [
// JSON-NEXT: 16,
// JSON-NEXT: 74
// JSON-NEXT: ]
// JSON-NEXT: ]
// JSON-NEXT: }
// JSON-NEXT: ],
// JSON-NEXT: "loops": [
// JSON-NEXT: {
// JSON-NEXT: "line": [[#@LINE+132]],
// JSON-NEXT: "points": [
// JSON-NEXT: 38,
// JSON-NEXT: 74
// JSON-NEXT: ]
// JSON-NEXT: }
// JSON-NEXT: ]
// JSON-NEXT: },
// JSON-NEXT: "loops": [
// JSON-NEXT: {
// JSON-NEXT: "location": "[[FILE]]:[[#@LINE+122]]:10",
// JSON-NEXT: "stages": 3,
// JSON-NEXT: "reason": "Pipelined: 3 stages, 2 copies run ahead",
// JSON-NEXT: "prologue": {
// JSON-NEXT: "steps": 2,
// JSON-NEXT: "operations": 4
// JSON-NEXT: },
// JSON-NEXT: "schedule": {
// JSON-NEXT: "solver": "modulo",
// JSON-NEXT: "predicted_cycles": {
// JSON-NEXT: "ahead": 599,
// JSON-NEXT: "modulo": 307
// JSON-NEXT: },
// JSON-NEXT: "reason": "saves 49 of 100 cycles: ahead waits for 'tile.load' (line [[#@LINE+110]])"
// JSON-NEXT: }
// JSON-NEXT: }
// JSON-NEXT: ],
// JSON-NEXT: "fragments": [
// JSON-NEXT: {
// JSON-NEXT: "location": "[[FILE]]:[[#@LINE+100]]:13",
// JSON-NEXT: "type": "tensor<64x64xf32>",
// JSON-NEXT: "layout": "[64, 64], register = [2 : (0, 1), 2 : (8, 0), 4 : (0, 8), 2 : (16, 0)], lane = [4 : (0, 2), 8 : (1, 0)], warp = [2 : (32, 0), 2 : (0, 32)]",
// JSON-NEXT: "elements_per_thread": 32,
// JSON-NEXT: "replication": 1
// JSON-NEXT: }
// JSON-NEXT: ],
// JSON-NEXT: "layouts": [
// JSON-NEXT: {
// JSON-NEXT: "location": "[[FILE]]:[[#@LINE+94]]:10",
// JSON-NEXT: "type": "tensor<64x64xf32>",
// JSON-NEXT: "layout": "[64, 64], register = [2 : (0, 1), 2 : (8, 0), 4 : (0, 8), 2 : (16, 0)], lane = [4 : (0, 2), 8 : (1, 0)], warp = [2 : (32, 0), 2 : (0, 32)]",
// JSON-NEXT: "decided_by": "product",
// JSON-NEXT: "from": "[[FILE]]:[[#@LINE+93]]:12",
// JSON-NEXT: "cost": 6720,
// JSON-NEXT: "runner_up": {
// JSON-NEXT: "layout": "[64, 64], register = [2 : (0, 1), 2 : (8, 0), 8 : (0, 8)], lane = [4 : (0, 2), 8 : (1, 0)], warp = [4 : (16, 0)]",
// JSON-NEXT: "cost": 8064
// JSON-NEXT: }
// JSON-NEXT: },
// JSON-NEXT: {
// JSON-NEXT: "location": "[[FILE]]:[[#@LINE+85]]:12",
// JSON-NEXT: "type": "tensor<64x64xf32>",
// JSON-NEXT: "layout": "[64, 64], register = [2 : (0, 1), 2 : (8, 0), 4 : (0, 8), 2 : (16, 0)], lane = [4 : (0, 2), 8 : (1, 0)], warp = [2 : (32, 0), 2 : (0, 32)]",
// JSON-NEXT: "decided_by": "product",
// JSON-NEXT: "from": null,
// JSON-NEXT: "cost": 6720,
// JSON-NEXT: "runner_up": {
// JSON-NEXT: "layout": "[64, 64], register = [2 : (0, 1), 2 : (8, 0), 8 : (0, 8)], lane = [4 : (0, 2), 8 : (1, 0)], warp = [4 : (16, 0)]",
// JSON-NEXT: "cost": 8064
// JSON-NEXT: }
// JSON-NEXT: }
// JSON-NEXT: ],
// JSON-NEXT: "copies": [
// JSON-NEXT: {
// JSON-NEXT: "location": "[[FILE]]:[[#@LINE+69]]:7",
// JSON-NEXT: "instruction": "ld.st",
// JSON-NEXT: "bytes_per_access": 2,
// JSON-NEXT: "dest_bytes_per_access": 2
// JSON-NEXT: },
// JSON-NEXT: {
// JSON-NEXT: "location": "[[FILE]]:[[#@LINE+64]]:7",
// JSON-NEXT: "instruction": "cp.async",
// JSON-NEXT: "bytes_per_access": 16,
// JSON-NEXT: "dest_bytes_per_access": 16
// JSON-NEXT: }
// JSON-NEXT: ],
// JSON-NEXT: "loads": [],
// JSON-NEXT: "stores": [
// JSON-NEXT: {
// JSON-NEXT: "location": "[[FILE]]:[[#@LINE+59]]:5",
// JSON-NEXT: "bytes_per_access": 8,
// JSON-NEXT: "inner_bytes_per_access": 8
// JSON-NEXT: }
// JSON-NEXT: ],
// JSON-NEXT: "gemms": [
// JSON-NEXT: {
// JSON-NEXT: "location": "[[FILE]]:[[#@LINE+49]]:12",
// JSON-NEXT: "instruction": "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32",
// JSON-NEXT: "load_a": {
// JSON-NEXT: "instruction": "ldmatrix.sync.aligned.m8n8.x4.shared.b16",
// JSON-NEXT: "bytes_per_access": 16
// JSON-NEXT: },
// JSON-NEXT: "load_b": {
// JSON-NEXT: "instruction": "ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16",
// JSON-NEXT: "bytes_per_access": 16
// JSON-NEXT: }
// JSON-NEXT: }
// JSON-NEXT: ],
// JSON-NEXT: "conversions": [],
// JSON-NEXT: "barriers": 2,
// JSON-NEXT: "remarks": [
// JSON-NEXT: "[[FILE]]:[[#@LINE+32]]:7: NarrowCopy: 2 bytes in each access instead of 16: start, pitch, size or alignment are not known to be multiples",
// JSON-NEXT: "[[FILE]]:[[#@LINE+30]]:10: Pipelined: 3 stages, 2 copies run ahead",
// JSON-NEXT: "[[FILE]]:[[#@LINE+23]]:3: Arena: Buffers 2, Bytes 16384, LowerBound 16384",
// JSON-NEXT: "[[FILE]]:[[#@LINE+22]]:3: Barriers: Barriers 2",
// JSON-NEXT: "[[FILE]]:[[#@LINE+30]]:12: Wait: each thread waits for its copies between the access at [[FILE]]:[[#@LINE+29]]:7 and this one",
// JSON-NEXT: "[[FILE]]:[[#@LINE+27]]:7: Barrier: the block meets between the access at [[FILE]]:[[#@LINE+29]]:12 and this one",
// JSON-NEXT: "[[FILE]]:[[#@LINE+28]]:12: Barrier: the block meets between the access at [[FILE]]:[[#@LINE+26]]:7 and this one",
// JSON-NEXT: "Spills: ptxas takes 40 registers a thread of the 255 that one of 128 can have; 'min_blocks_per_sm = 10' leaves it 48",
// JSON-NEXT: "ptxas: (C7510) Potential Performance Loss: a test says so"
// JSON-NEXT: ]
// JSON-NEXT: }
// JSON-NEXT: ]
// JSON-NEXT: }

// NOPTXAS: registers unknown: no ptxas found
// NOPTXAS-NEXT: shared 16384 bytes

// NULL: "shared_bytes": 16384,
// NULL-NEXT: "registers": null,
// NULL-NEXT: "spill_bytes": null,
// NULL: "occupancy": 9,

#shared = #gpu.address_space<workgroup>
func.func @program(%n: index, %a: memref<64x1001xf16>, %b: memref<?x64xf16>, %o: memref<64x64xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch @copy blocks(%x) in (%c1) threads(128) {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    %s = tile.alloc : memref<64x32xf16, #shared>
    %t = tile.alloc : memref<32x64xf16, #shared>
    %r = scf.for %k = %c0 to %n step %c32 iter_args(%acc = %zero) -> (tensor<64x64xf32>) {
      tile.copy %a[%c0, %k] to %s : memref<64x1001xf16> to memref<64x32xf16, #shared>
      tile.copy %b[%k, %c0] to %t : memref<?x64xf16> to memref<32x64xf16, #shared>
      %p = tile.gemm %s, %t, %acc : memref<64x32xf16, #shared>, memref<32x64xf16, #shared> -> tensor<64x64xf32>
      scf.yield %p : tensor<64x64xf32>
    } {tile.stages = 3 : i32}
    tile.store %r, %o : tensor<64x64xf32>, memref<64x64xf32>
  }
  return
}
