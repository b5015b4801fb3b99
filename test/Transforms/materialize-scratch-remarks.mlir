// Exchanges through shared memory that a program could do without are said where they
// are.
// RUN: tile-opt %s --tile-materialize-scratch --split-input-file --verify-diagnostics --remark-format=emitRemark --remarks-filter=tile-materialize-scratch -o /dev/null

// An element whose index no thread knows beforehand; one that every thread holds is
// free.
#f = #tile.fragment<[128], register = [], lane = [32 : (1)], warp = [4 : (32)]>
#every = #tile.fragment<[128], register = [128 : (1)], lane = [32 : (0)], warp = [4 : (0)]>
module attributes {tile.target = #tile.target<"sm_80">} {
func.func @extract(%n: index, %a: memref<128xf32>, %at: memref<1xindex>, %o: memref<1xf32>) {
  tile.launch @k blocks(%bx) in (%n) threads(128) attributes {stage = #tile.stage<laid_out>} {
    %c0 = arith.constant 0 : index
    %c5 = arith.constant 5 : index
    %x = tile.load %a : memref<128xf32> -> tensor<128xf32, #f>
    %y = tile.load %a : memref<128xf32> -> tensor<128xf32, #every>
    %i = memref.load %at[%c0] : memref<1xindex>
    // expected-remark @below {{[Missed] StagedExtract | Category:tile-materialize-scratch | Function=k | Reason="an element that another thread holds is read through shared memory"}}
    %u = tensor.extract %x[%i] : tensor<128xf32, #f>
    %v = tensor.extract %y[%c5] : tensor<128xf32, #every>
    %w = arith.addf %u, %v : f32
    memref.store %w, %o[%c0] : memref<1xf32>
  }
  return
}
}

// -----

// Eight iterations on 32 threads: one replica counts up, the others need to know.
#eight = #tile.fragment<[8], register = [], lane = [4 : (0), 8 : (1)], warp = []>
module attributes {tile.target = #tile.target<"sm_80">} {
func.func @replicated(%n: index, %a: memref<8xi32>, %b: memref<8xi32>) {
  tile.launch @k blocks(%bx) in (%n) threads(32) attributes {stage = #tile.stage<laid_out>} {
    %one = arith.constant 1 : i32
    // expected-remark @below {{[Missed] ReplicatedLoop | Category:tile-materialize-scratch | Function=k | Reason="fewer iterations than threads, which read what they write: their results go through shared memory"}}
    %r = tile.parallel (%i) in (8) -> (tensor<8xi32, #eight>) attributes {layout = #eight, vector_width = 1 : i64} {
      %old = memref.atomic_rmw addi %one, %a[%i] : (i32, memref<8xi32>) -> i32
      tile.yield %old : i32
    }
    tile.store %r, %b : tensor<8xi32, #eight>, memref<8xi32>
  }
  return
}
}

// -----

// Warps share the scanned dimension, and a combiner has no value that stands for
// nothing.
#f = #tile.fragment<[128], register = [], lane = [32 : (1)], warp = [4 : (32)]>
module attributes {tile.target = #tile.target<"sm_80">} {
func.func @scan(%n: index, %a: memref<128xf32>) {
  tile.launch @k blocks(%bx) in (%n) threads(128) attributes {stage = #tile.stage<laid_out>} {
    %x = tile.load %a : memref<128xf32> -> tensor<128xf32, #f>
    // expected-remark @below {{[Missed] ScanAcrossWarps | Category:tile-materialize-scratch | Function=k | Reason="operands and results move through shared memory, because warps share the scanned dimension; scanned as [128], register = [4 : (1)], lane = [32 : (4)], warp = [4 : (0)]"}}
    %s = tile.scan (%x) dim 0 : (tensor<128xf32, #f>) {
    ^bb0(%l: f32, %r: f32):
      %m = arith.addf %l, %r : f32
      tile.yield %m : f32
    }
    tile.store %s, %a : tensor<128xf32, #f>, memref<128xf32>
  }
  return
}
}

// -----

// A named kind exchanges totals only, which is no cost to speak of.
#f = #tile.fragment<[128], register = [], lane = [32 : (1)], warp = [4 : (32)]>
module attributes {tile.target = #tile.target<"sm_80">} {
func.func @scan_of_totals(%n: index, %a: memref<128xf32>) {
  tile.launch @k blocks(%bx) in (%n) threads(128) attributes {stage = #tile.stage<laid_out>} {
    %x = tile.load %a : memref<128xf32> -> tensor<128xf32, #f>
    %s = tile.scan <add> %x dim 0 : tensor<128xf32, #f>
    tile.store %s, %a : tensor<128xf32, #f>, memref<128xf32>
  }
  return
}
}
