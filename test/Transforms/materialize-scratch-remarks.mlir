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

// -----

// The result of a product in pieces of four bytes, 16 in a row; behind the first two
// operations its buffer is free for exchanging them.
#c = #tile.fragment<[128, 128], register = [2 : (0, 1), 2 : (8, 0), 8 : (0, 8), 4 : (16, 0)], lane = [4 : (0, 2), 8 : (1, 0)], warp = [2 : (64, 0), 2 : (0, 64)]>
#shared = #gpu.address_space<workgroup>
module attributes {tile.target = #tile.target<"sm_80">} {
func.func @rows(%n: index, %a: memref<128x128xf16>, %o: memref<128x128xf16>) {
  tile.launch @k blocks(%bx) in (%n) threads(128) attributes {stage = #tile.stage<laid_out>} {
    %s = tile.alloc layout(#tile.shared<[128, 128], pad = 8>) : memref<128x128xf16, #shared>
    %x = tile.load %a : memref<128x128xf16> -> tensor<128x128xf16, #c>
    tile.store %x, %s : tensor<128x128xf16, #c>, memref<128x128xf16, #shared>
    %y = tile.load %s : memref<128x128xf16, #shared> -> tensor<128x128xf16, #c>
    // expected-remark @below {{[Passed] StoreInRows | Category:tile-materialize-scratch | Function=k | Reason="stored in rows, by way of 32768 bytes of shared memory: 1024 sectors instead of 2048, 192 accesses instead of 256"}}
    tile.store %y, %o : tensor<128x128xf16, #c>, memref<128x128xf16>
  }
  return
}
}

// -----

// The same without a buffer, of 32 bits, which fill sectors, and of so few elements that
// a barrier costs more.
#c = #tile.fragment<[128, 128], register = [2 : (0, 1), 2 : (8, 0), 8 : (0, 8), 4 : (16, 0)], lane = [4 : (0, 2), 8 : (1, 0)], warp = [2 : (64, 0), 2 : (0, 64)]>
#few = #tile.fragment<[32, 64], register = [2 : (0, 1), 2 : (8, 0), 4 : (0, 8)], lane = [4 : (0, 2), 8 : (1, 0)], warp = [2 : (16, 0), 2 : (0, 32)]>
module attributes {tile.target = #tile.target<"sm_80">} {
func.func @pieces(%n: index, %a: memref<128x128xf16>, %b: memref<128x128xf32>, %d: memref<32x64xf16>) {
  tile.launch @k blocks(%bx) in (%n) threads(128) attributes {stage = #tile.stage<laid_out>} {
    %x = tile.load %a : memref<128x128xf16> -> tensor<128x128xf16, #c>
    // expected-remark @below {{[Missed] StoreInPieces | Category:tile-materialize-scratch | Function=k | Reason="threads store pieces of rows: 2048 sectors instead of 1024; rows take 32768 bytes of shared memory, and the launch has 0 in buffers that are free there, of 0 in all"}}
    tile.store %x, %a : tensor<128x128xf16, #c>, memref<128x128xf16>
    %y = tile.load %b : memref<128x128xf32> -> tensor<128x128xf32, #c>
    tile.store %y, %b : tensor<128x128xf32, #c>, memref<128x128xf32>
    %z = tile.load %d : memref<32x64xf16> -> tensor<32x64xf16, #few>
    tile.store %z, %d : tensor<32x64xf16, #few>, memref<32x64xf16>
  }
  return
}
}
