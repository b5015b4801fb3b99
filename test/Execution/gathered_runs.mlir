// Gathered rows that follow each other in runs, as those of pages, by bulk tensor copies:
// a box a run, whose place the producer computes from what it loads. Every case equals the
// program as written, at every stage and in the emulator with all checkers.
// DEFINE: %{run} = tile-run %s --on=emulator --chip=sm_90a --check
// DEFINE: %{stages} = tile-run %s --on=reference --chip=sm_90a --check-stages
// RUN: %{run} --entry=pages --seed=0 --scalar=4:0 "--data=2:integers(-2,7)"
// RUN: %{run} --entry=pages --seed=1 --scalar=4:1 "--data=2:integers(-2,7)"
// RUN: %{run} --entry=pages --seed=2 --scalar=4:2 "--data=2:integers(-2,7)"
// RUN: %{run} --entry=pages --seed=3 --scalar=4:3 "--data=2:integers(-2,7)"
// RUN: %{run} --entry=pages --seed=4 --scalar=4:4 "--data=2:integers(-2,7)"
// RUN: %{run} --entry=pages --seed=5 --scalar=4:5 "--data=2:integers(-2,7)"
// RUN: %{run} --entry=pages --seed=6 --scalar=4:6 "--data=2:integers(-2,7)"
// RUN: %{run} --entry=pages --seed=7 --scalar=4:7 "--data=2:integers(-2,7)"
// RUN: %{stages} --entry=pages --scalar=4:4 "--data=2:integers(-2,7)"
// RUN: %{run} --entry=attention --seed=0 --dim=B:2 --dim=HK:2 --dim=P:11 --dim=PP:20 "--data=3:integers(0,10)" "--data=4:integers(1,320)"
// RUN: %{run} --entry=attention --seed=1 --dim=B:2 --dim=HK:1 --dim=P:11 --dim=PP:20 "--data=3:integers(0,10)" "--data=4:integers(1,320)"
// RUN: %{run} --entry=attention --seed=2 --dim=B:3 --dim=HK:2 --dim=P:5 --dim=PP:20 "--data=3:integers(0,4)" "--data=4:integers(1,320)"
// RUN: %{stages} --entry=attention --dim=B:2 --dim=HK:2 --dim=P:7 --dim=PP:20 "--data=3:integers(0,6)" "--data=4:integers(1,320)"
// RUN: %{run} --entry=forms --seed=0 --scalar=4:0 "--data=2:integers(-1,9)"
// RUN: %{run} --entry=forms --seed=1 --scalar=4:1 "--data=2:integers(-1,9)"
// RUN: %{run} --entry=forms --seed=2 --scalar=4:2 "--data=2:integers(-1,9)"
// RUN: %{run} --entry=forms --seed=3 --scalar=4:5 "--data=2:integers(-1,9)"
// RUN: %{stages} --entry=forms --scalar=4:3 "--data=2:integers(-1,9)"
// RUN: %{run} --entry=part --seed=0 "--data=2:values(0,16,32,72)"
// RUN: %{run} --entry=part --seed=1 "--data=2:values(72,56,-8,8)"
// RUN: %{run} --entry=part --seed=2 "--data=2:values(2147483640,-2147483648,8,8)"
// RUN: %{stages} --entry=part "--data=2:values(0,16,32,72)"
// RUN: %{run} --entry=over_tiles --seed=0 --scalar=4:0 "--data=2:integers(-2,7)"
// RUN: %{run} --entry=over_tiles --seed=1 --scalar=4:2 "--data=2:integers(-2,7)"
// RUN: %{run} --entry=over_tiles --seed=2 --scalar=4:5 "--data=2:integers(-2,7)"
// RUN: %{run} --entry=shared_table --seed=0 --scalar=4:1 "--data=2:integers(-2,7)"
// RUN: %{run} --entry=shared_table --seed=1 --scalar=4:4 "--data=2:integers(-2,7)"
// RUN: %{run} --entry=shared_table --seed=2 --scalar=4:7 "--data=2:integers(-2,7)"
// RUN: tile-opt %s --emit=ptx --chip=sm_90a | FileCheck %s
// RUN: tile-opt %s --emit=report --chip=sm_90a | FileCheck %s --check-prefix=REPORT
// RUN: tile-opt %s --tile-compile=chip=sm_90a --remark-format=emitRemark --remarks-filter-missed=tile-infer-layouts -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK --allow-empty

#shared = #gpu.address_space<workgroup>

// Pages of 16 rows, before and behind the tensor too: eight boxes a step.
// CHECK-LABEL: .entry pages_0(
// CHECK-NOT: cp.async.ca
// CHECK-NOT: cp.async.cg
// CHECK-COUNT-9: cp.async.bulk.tensor.2d.shared::cluster.global.tile
// REPORT-LABEL: kernel pages_0
// REPORT: consumer 8 warps with 232 registers, producer 4 warps with 40 registers
// REPORT-COUNT-8: cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes, 2048 bytes
// REMARK-NOT: CopyByThreads {{.*(rows|runs|start)}}
func.func @pages(%A: memref<88x64xf16>, %B: memref<64x448xf16>, %table: memref<64xi32>, %C: memref<128x64xf32>, %trips: index) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(256) {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    %c64 = arith.constant 64 : index
    %c128 = arith.constant 128 : index
    %s = tile.alloc : memref<128x64xf16, #shared>
    %t = tile.alloc : memref<64x64xf16, #shared>
    %zero = arith.constant dense<0.0> : tensor<128x64xf32>
    %acc = scf.for %i = %c0 to %trips step %one iter_args(%c = %zero) -> (tensor<128x64xf32>) {
      %k = arith.muli %i, %c64 : index
      %first = arith.muli %i, %c128 : index
      %q = tile.parallel (%j) in (128) -> (tensor<128xindex>) {
        %at = arith.addi %first, %j : index
        %place = arith.divui %at, %c16 : index
        %page32 = memref.load %table[%place] : memref<64xi32>
        %page = arith.index_cast %page32 : i32 to index
        %start = arith.muli %page, %c16 : index
        %rest = arith.remui %at, %c16 : index
        %row = arith.addi %rest, %start : index
        tile.yield %row : index
      }
      tile.copy %A[%c0, %c0] rows(%q : tensor<128xindex>) dim 0 to %s : memref<88x64xf16> to memref<128x64xf16, #shared>
      tile.copy %B[%c0, %k] to %t : memref<64x448xf16> to memref<64x64xf16, #shared>
      %d = tile.gemm %s, %t, %c {transpose_b} : memref<128x64xf16, #shared>, memref<64x64xf16, #shared> -> tensor<128x64xf32>
      scf.yield %d : tensor<128x64xf32>
    } {tile.stages = 3 : i32}
    tile.store %acc, %C : tensor<128x64xf32>, memref<128x64xf32>
  }
  return
}

// Attention over 64 keys a step in pages of 16; keys and values are at the same rows, which
// are computed once for both. Rows behind the sequence are of pages that the table has.
// CHECK-LABEL: .entry attention_0(
// CHECK-NOT: cp.async.ca
// CHECK-NOT: cp.async.cg
// CHECK-COUNT-8: cp.async.bulk.tensor.3d.shared::cluster.global.tile
func.func @attention(%Q: memref<?x?x64x64xf16> {tile.dims = ["B", "HK", "", ""]},
                     %K: memref<?x16x?x64xf16> {tile.dims = ["P", "", "HK", ""]},
                     %V: memref<?x16x?x64xf16> {tile.dims = ["P", "", "HK", ""]},
                     %table: memref<?x?xi32> {tile.dims = ["B", "PP"]}, %lengths: memref<?xi32> {tile.dims = ["B"]},
                     %O: memref<?x?x64x64xf16> {tile.dims = ["B", "HK", "", ""]}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %B = memref.dim %Q, %c0 : memref<?x?x64x64xf16>
  %HK = memref.dim %Q, %c1 : memref<?x?x64x64xf16>
  %K3 = memref.collapse_shape %K [[0, 1], [2], [3]] : memref<?x16x?x64xf16> into memref<?x?x64xf16>
  %V3 = memref.collapse_shape %V [[0, 1], [2], [3]] : memref<?x16x?x64xf16> into memref<?x?x64xf16>
  tile.launch blocks(%h, %b) in (%HK, %B) threads(128) {
    %n32 = memref.load %lengths[%b] : memref<?xi32>
    %n = arith.index_cast %n32 : i32 to index
    %c4 = arith.constant 4 : i32
    %c15 = arith.constant 15 : i32
    %c16 = arith.constant 16 : index
    %Qs = tile.alloc : memref<64x64xf16, #shared>
    %Ks = tile.alloc : memref<64x64xf16, #shared>
    %Vs = tile.alloc : memref<64x64xf16, #shared>
    tile.copy %Q[%b, %h, %c0, %c0] [1, 1, 64, 64] to %Qs : memref<?x?x64x64xf16> to memref<64x64xf16, #shared>
    %scale = arith.constant dense<0.180336880> : tensor<64x64xf32>
    %hidden = arith.constant dense<0xFF800000> : tensor<64x64xf32>
    %m0 = arith.constant dense<-1.0e30> : tensor<64xf32>
    %l0 = arith.constant dense<0.0> : tensor<64xf32>
    %o0 = arith.constant dense<0.0> : tensor<64x64xf32>
    %max, %sum, %acc = scf.for %i = %c0 to %n step %c64 iter_args(%m = %m0, %l = %l0, %o = %o0) -> (tensor<64xf32>, tensor<64xf32>, tensor<64x64xf32>) {
      %rows = tile.parallel (%j) in (64) -> (tensor<64xi32>) {
        %at = arith.addi %i, %j : index
        %place = arith.divui %at, %c16 : index
        %page = memref.load %table[%b, %place] : memref<?x?xi32>
        %start = arith.shli %page, %c4 : i32
        %at32 = arith.index_cast %j : index to i32
        %jr = arith.remui %at, %c16 : index
        %rest = arith.index_cast %jr : index to i32
        %row = arith.addi %start, %rest : i32
        tile.yield %row : i32
      }
      tile.copy %K3[%c0, %h, %c0] [64, 1, 64] rows(%rows : tensor<64xi32>) dim 0 to %Ks : memref<?x?x64xf16> to memref<64x64xf16, #shared>
      tile.copy %V3[%c0, %h, %c0] [64, 1, 64] rows(%rows : tensor<64xi32>) dim 0 to %Vs : memref<?x?x64xf16> to memref<64x64xf16, #shared>
      %s = tile.gemm %Qs, %Ks {transpose_b} : memref<64x64xf16, #shared>, memref<64x64xf16, #shared> -> tensor<64x64xf32>
      %visible = tile.parallel (%a, %j) in (64, 64) -> (tensor<64x64xi1>) {
        %kp = arith.addi %i, %j : index
        %is = arith.cmpi slt, %kp, %n : index
        tile.yield %is : i1
      }
      %raw = arith.mulf %s, %scale : tensor<64x64xf32>
      %x = arith.select %visible, %raw, %hidden : tensor<64x64xi1>, tensor<64x64xf32>
      %mn = tile.reduce <maximumf> %x dims [1] init(%m) : tensor<64x64xf32> -> tensor<64xf32>
      %mb = tile.broadcast %mn dims [1] : tensor<64xf32> -> tensor<64x64xf32>
      %xs = arith.subf %x, %mb : tensor<64x64xf32>
      %p = math.exp2 %xs : tensor<64x64xf32>
      %dm = arith.subf %m, %mn : tensor<64xf32>
      %r = math.exp2 %dm : tensor<64xf32>
      %lr = arith.mulf %l, %r : tensor<64xf32>
      %ln = tile.reduce <add> %p dims [1] init(%lr) : tensor<64x64xf32> -> tensor<64xf32>
      %rb = tile.broadcast %r dims [1] : tensor<64xf32> -> tensor<64x64xf32>
      %or = arith.mulf %o, %rb : tensor<64x64xf32>
      %ph = arith.truncf %p : tensor<64x64xf32> to tensor<64x64xf16>
      %on = tile.gemm %ph, %Vs, %or : tensor<64x64xf16>, memref<64x64xf16, #shared> -> tensor<64x64xf32>
      scf.yield %mn, %ln, %on : tensor<64xf32>, tensor<64xf32>, tensor<64x64xf32>
    } {tile.stages = 3 : i32}
    %lb = tile.broadcast %sum dims [1] : tensor<64xf32> -> tensor<64x64xf32>
    %res = arith.divf %acc, %lb : tensor<64x64xf32>
    tile.store %res, %O[%b, %h, %c0, %c0] [1, 1, 64, 64] : tensor<64x64xf32>, memref<?x?x64x64xf16>
  }
  return
}

// Other ways to say it: shifts and masks, quotients of numbers with a sign, numbers of 32 bits
// on the way, a difference; rows of another dimension, counted from a start. The first begin
// at half a page every second time, so that their boxes have eight rows of its sixteen.
// CHECK-LABEL: .entry forms_0(
// CHECK-NOT: cp.async.ca
// CHECK-NOT: cp.async.cg
// CHECK-COUNT-16: cp.async.bulk.tensor.{{[34]}}d.shared::cluster.global.tile
func.func @forms(%A: memref<3x72x64xf16>, %B: memref<2x1x72x64xf16>, %table: memref<64xi32>, %C: memref<64x64xf32>, %trips: index) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(128) {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1 : index
    %two = arith.constant 2 : index
    %four = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %c15 = arith.constant 15 : index
    %c8i = arith.constant 8 : i32
    %start = arith.constant 5 : index
    %s = tile.alloc : memref<64x64xf16, #shared>
    %t = tile.alloc : memref<64x64xf16, #shared>
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    %acc = scf.for %i = %c0 to %trips step %one iter_args(%c = %zero) -> (tensor<64x64xf32>) {
      %first = arith.muli %i, %c8 : index
      %q = tile.parallel (%j) in (64) -> (tensor<64xindex>) {
        %at = arith.addi %first, %j : index
        %place = arith.shrui %at, %four : index
        %page32 = memref.load %table[%place] : memref<64xi32>
        %page = arith.index_cast %page32 : i32 to index
        %begin = arith.shli %page, %four : index
        %rest = arith.andi %at, %c15 : index
        %sum = arith.addi %begin, %rest : index
        %row = arith.subi %sum, %start : index
        tile.yield %row : index
      }
      %r = tile.parallel (%j) in (64) -> (tensor<64xi32>) {
        %j32 = arith.index_cast %j : index to i32
        %place32 = arith.divsi %j32, %c8i : i32
        %place = arith.index_cast %place32 : i32 to index
        %page = memref.load %table[%place] : memref<64xi32>
        %begin = arith.muli %page, %c8i : i32
        %rest = arith.remsi %j32, %c8i : i32
        %row = arith.addi %begin, %rest : i32
        tile.yield %row : i32
      }
      tile.copy %A[%two, %start, %c0] [1, 64, 64] rows(%q : tensor<64xindex>) dim 1 to %s : memref<3x72x64xf16> to memref<64x64xf16, #shared>
      tile.copy %B[%one, %c0, %c0, %c0] [1, 1, 64, 64] rows(%r : tensor<64xi32>) dim 2 to %t : memref<2x1x72x64xf16> to memref<64x64xf16, #shared>
      %d = tile.gemm %s, %t, %c {transpose_b} : memref<64x64xf16, #shared>, memref<64x64xf16, #shared> -> tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    } {tile.stages = 2 : i32}
    tile.store %acc, %C : tensor<64x64xf32>, memref<64x64xf32>
  }
  return
}

// A part of a buffer, beside another that is a box as it is; numbers that wrap lie outside.
// CHECK-LABEL: .entry part_0(
// CHECK-NOT: cp.async.ca
// CHECK-NOT: cp.async.cg
// CHECK-COUNT-4: cp.async.bulk.tensor.2d.shared::cluster.global.tile
func.func @part(%A: memref<80x192xf16>, %B: memref<64x192xf16>, %table: memref<4xi32>, %C: memref<64x64xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(128) {
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %c192 = arith.constant 192 : index
    %s = tile.alloc : memref<64x64xf16, #shared>
    %t = tile.alloc : memref<64x64xf16, #shared>
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    %q = tile.parallel (%j) in (32) -> (tensor<32xi32>) {
      %place = arith.divui %j, %c8 : index
      %page = memref.load %table[%place] : memref<4xi32>
      %rest = arith.remui %j, %c8 : index
      %rest32 = arith.index_cast %rest : index to i32
      %row = arith.addi %page, %rest32 : i32
      tile.yield %row : i32
    }
    %acc = scf.for %k = %c0 to %c192 step %c64 iter_args(%c = %zero) -> (tensor<64x64xf32>) {
      tile.copy %A[%c8, %k] to %s[%c0, %c0] [32, 64] : memref<80x192xf16> to memref<64x64xf16, #shared>
      tile.copy %A[%c0, %k] rows(%q : tensor<32xi32>) dim 0 to %s[%c32, %c0] [32, 64] : memref<80x192xf16> to memref<64x64xf16, #shared>
      tile.copy %B[%c0, %k] to %t : memref<64x192xf16> to memref<64x64xf16, #shared>
      %d = tile.gemm %s, %t, %c {transpose_b} : memref<64x64xf16, #shared>, memref<64x64xf16, #shared> -> tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    } {tile.stages = 2 : i32}
    tile.store %acc, %C : tensor<64x64xf32>, memref<64x64xf32>
  }
  return
}

// The producer goes on to the pages of the next tile.
// CHECK-LABEL: .entry over_tiles_0(
// CHECK-NOT: cp.async.cg
// CHECK: cp.async.bulk.tensor.2d.shared::cluster.global.tile
func.func @over_tiles(%A: memref<88x64xf16>, %B: memref<64x448xf16>, %table: memref<64xi32>, %C: memref<512x64xf32>, %trips: index) {
  %c4 = arith.constant 4 : index
  tile.launch blocks(%b) in (%c4) threads(256) attributes {persistent} {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    %c64 = arith.constant 64 : index
    %c128 = arith.constant 128 : index
    %s = tile.alloc : memref<128x64xf16, #shared>
    %t = tile.alloc : memref<64x64xf16, #shared>
    %zero = arith.constant dense<0.0> : tensor<128x64xf32>
    %acc = scf.for %i = %c0 to %trips step %one iter_args(%c = %zero) -> (tensor<128x64xf32>) {
      %k = arith.muli %i, %c64 : index
      %first = arith.muli %i, %c128 : index
      %q = tile.parallel (%j) in (128) -> (tensor<128xindex>) {
        %at = arith.addi %first, %j : index
        %place = arith.divui %at, %c16 : index
        %page32 = memref.load %table[%place] : memref<64xi32>
        %page = arith.index_cast %page32 : i32 to index
        %start = arith.muli %page, %c16 : index
        %rest = arith.remui %at, %c16 : index
        %row = arith.addi %rest, %start : index
        tile.yield %row : index
      }
      tile.copy %A[%c0, %c0] rows(%q : tensor<128xindex>) dim 0 to %s : memref<88x64xf16> to memref<128x64xf16, #shared>
      tile.copy %B[%c0, %k] to %t : memref<64x448xf16> to memref<64x64xf16, #shared>
      %d = tile.gemm %s, %t, %c {transpose_b} : memref<128x64xf16, #shared>, memref<64x64xf16, #shared> -> tensor<128x64xf32>
      scf.yield %d : tensor<128x64xf32>
    } {tile.stages = 3 : i32}
    %rowc = arith.muli %b, %c128 : index
    tile.store %acc, %C[%rowc, %c0] : tensor<128x64xf32>, memref<512x64xf32>
  }
  return
}

// A table in shared memory is nothing that a producer could read by itself: the launch has none,
// and one of the threads that compute starts the copies.
// CHECK-LABEL: .entry shared_table_0(
// CHECK-NOT: cp.async.cg
// CHECK: cp.async.bulk.tensor.2d.shared::cluster.global.tile
func.func @shared_table(%A: memref<88x64xf16>, %B: memref<64x448xf16>, %table: memref<64xi32>, %C: memref<128x64xf32>, %trips: index) {
  %c1 = arith.constant 1 : index
  tile.launch blocks(%b) in (%c1) threads(256) {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    %c64 = arith.constant 64 : index
    %c128 = arith.constant 128 : index
    %s = tile.alloc : memref<128x64xf16, #shared>
    %t = tile.alloc : memref<64x64xf16, #shared>
    %tab = tile.alloc : memref<64xi32, #shared>
    tile.copy %table to %tab : memref<64xi32> to memref<64xi32, #shared>
    %zero = arith.constant dense<0.0> : tensor<128x64xf32>
    %acc = scf.for %i = %c0 to %trips step %one iter_args(%c = %zero) -> (tensor<128x64xf32>) {
      %k = arith.muli %i, %c64 : index
      %first = arith.muli %i, %c128 : index
      %q = tile.parallel (%j) in (128) -> (tensor<128xindex>) {
        %at = arith.addi %first, %j : index
        %place = arith.divui %at, %c16 : index
        %page32 = memref.load %tab[%place] : memref<64xi32, #shared>
        %page = arith.index_cast %page32 : i32 to index
        %start = arith.muli %page, %c16 : index
        %rest = arith.remui %at, %c16 : index
        %row = arith.addi %rest, %start : index
        tile.yield %row : index
      }
      tile.copy %A[%c0, %c0] rows(%q : tensor<128xindex>) dim 0 to %s : memref<88x64xf16> to memref<128x64xf16, #shared>
      tile.copy %B[%c0, %k] to %t : memref<64x448xf16> to memref<64x64xf16, #shared>
      %d = tile.gemm %s, %t, %c {transpose_b} : memref<128x64xf16, #shared>, memref<64x64xf16, #shared> -> tensor<128x64xf32>
      scf.yield %d : tensor<128x64xf32>
    } {tile.stages = 3 : i32}
    tile.store %acc, %C : tensor<128x64xf32>, memref<128x64xf32>
  }
  return
}
