// What the chosen layouts cost is said where it is paid, and nothing is said where
// nothing is paid.
// RUN: tile-opt %s --tile-infer-layouts --split-input-file --verify-diagnostics --remark-format=emitRemark --remarks-filter=tile-infer-layouts -o /dev/null

// Columns to rows: every element changes its thread. The other conversion only forgets
// copies and is free.
#rows = #tile.fragment<[32, 32], register = [32 : (0, 1)], lane = [32 : (1, 0)], warp = []>
#cols = #tile.fragment<[32, 32], register = [32 : (1, 0)], lane = [32 : (0, 1)], warp = []>
#all = #tile.fragment<[32], register = [32 : (1)], lane = [32 : (0)], warp = []>
#one = #tile.fragment<[32], register = [], lane = [32 : (1)], warp = []>
module attributes {tile.target = #tile.target<"sm_80">} {
func.func @conversion(%n: index, %a: memref<32x32xf32>, %b: memref<32xf32>) {
  tile.launch @k blocks(%x) in (%n) threads(32) attributes {stage = #tile.stage<logical>} {
    %t = tile.load %a : memref<32x32xf32> -> tensor<32x32xf32, #cols>
    // expected-remark @below {{[Missed] LayoutConversion | Category:tile-infer-layouts | Function=k | Reason="4096 bytes move between threads through shared memory, from [32, 32], register = [32 : (1, 0)], lane = [32 : (0, 1)], warp = [] to [32, 32], register = [32 : (0, 1)], lane = [32 : (1, 0)], warp = []"}}
    %u = tile.convert_layout %t : tensor<32x32xf32, #cols> to tensor<32x32xf32, #rows>
    tile.store %u, %a : tensor<32x32xf32, #rows>, memref<32x32xf32>
    %v = tile.load %b : memref<32xf32> -> tensor<32xf32, #all>
    %w = tile.convert_layout %v : tensor<32xf32, #all> to tensor<32xf32, #one>
    tile.store %w, %b : tensor<32xf32, #one>, memref<32xf32>
  }
  return
}
}

// -----

// What lanes give each other by shuffles says so; of slices that move without the rest
// their bytes count, once.
#few = #tile.fragment<[32, 16], register = [4 : (0, 1)], lane = [4 : (0, 4), 8 : (1, 0)], warp = [4 : (8, 0)]>
#turned = #tile.fragment<[32, 16], register = [4 : (0, 4)], lane = [4 : (0, 1), 8 : (1, 0)], warp = [4 : (8, 0)]>
#row = #tile.fragment<[128], register = [], lane = [32 : (1)], warp = [4 : (32)]>
module attributes {tile.target = #tile.target<"sm_80">} {
func.func @ways(%n: index, %a: memref<32x16xf32>, %b: memref<128xf32>, %c: memref<32xf32>) {
  tile.launch @k blocks(%x) in (%n) threads(128) attributes {stage = #tile.stage<logical>} {
    %t = tile.load %a : memref<32x16xf32> -> tensor<32x16xf32, #few>
    // expected-remark @below {{[Missed] LayoutConversion | Category:tile-infer-layouts | Function=k | Reason="2048 bytes move between lanes by 3 shuffles of each, from [32, 16], register = [4 : (0, 1)], lane = [4 : (0, 4), 8 : (1, 0)], warp = [4 : (8, 0)] to [32, 16], register = [4 : (0, 4)], lane = [4 : (0, 1), 8 : (1, 0)], warp = [4 : (8, 0)]"}}
    %u = tile.convert_layout %t : tensor<32x16xf32, #few> to tensor<32x16xf32, #turned>
    tile.store %u, %a : tensor<32x16xf32, #turned>, memref<32x16xf32>
    %v = tile.load %b : memref<128xf32> -> tensor<128xf32, #row>
    // expected-remark @below {{[Missed] LayoutConversion | Category:tile-infer-layouts | Function=k | Reason="128 bytes move between threads through shared memory, from [128], register = [], lane = [32 : (1)], warp = [4 : (32)] to [128], register = [128 : (1)], lane = [32 : (0)], warp = [4 : (0)]"}}
    %w = tensor.extract_slice %v[48] [32] [1] : tensor<128xf32, #row> to tensor<32xf32>
    tile.store %w, %c : tensor<32xf32>, memref<32xf32>
  }
  return
}
}

// -----

// Copies of 16 bytes an access are what is wished for; each narrower one says how
// narrow it is.
#shared = #gpu.address_space<workgroup>
module attributes {tile.target = #tile.target<"sm_80">} {
func.func @copies(%n: index, %m: memref<64x64xf16>, %two: memref<64x66xf16>, %four: memref<64x68xf16>, %odd: memref<64x?xf16>) {
  tile.launch @k blocks(%x) in (%n) threads(128) attributes {stage = #tile.stage<logical>} {
    %c0 = arith.constant 0 : index
    %s = tile.alloc : memref<64x64xf16, #shared>
    tile.copy %m to %s : memref<64x64xf16> to memref<64x64xf16, #shared>
    // expected-remark @below {{[Missed] NarrowCopy | Category:tile-infer-layouts | Function=k | Reason="8 bytes in each access instead of 16: start, pitch, size or alignment are not known to be multiples"}}
    tile.copy %four[%c0, %c0] to %s : memref<64x68xf16> to memref<64x64xf16, #shared>
    // expected-remark @below {{"4 bytes in each access instead of 16: start, pitch, size or alignment are not known to be multiples"}}
    tile.copy %two[%c0, %c0] to %s : memref<64x66xf16> to memref<64x64xf16, #shared>
    // UnknownDivisor says it of the first, and how many more there are.
    tile.copy %odd[%c0, %c0] to %s : memref<64x?xf16> to memref<64x64xf16, #shared>
    // expected-remark @below {{"2 bytes in each access instead of 16: start, pitch, size or alignment are not known to be multiples"}}
    tile.copy %odd[%c0, %c0] to %s : memref<64x?xf16> to memref<64x64xf16, #shared>
  }
  return
}
}

// -----

// What of a buffer is in the way: padding, rows the other way round, a start in it; and
// threads that would have nothing to do.
#padded = #tile.shared<[64, 64], pad = 1>
#columns = #tile.shared<[64, 64], order = [0, 1]>
module attributes {tile.target = #tile.target<"sm_80">} {
func.func @buffers(%n: index, %m: memref<64x64xf16>) {
  tile.launch @k blocks(%x) in (%n) threads(128) attributes {stage = #tile.stage<logical>} {
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    %p = tile.alloc layout(#padded) : memref<64x64xf16, #gpu.address_space<workgroup>>
    %q = tile.alloc layout(#columns) : memref<64x64xf16, #gpu.address_space<workgroup>>
    %s = tile.alloc : memref<64x64xf16, #gpu.address_space<workgroup>>
    // expected-remark @below {{[Missed] NarrowCopy | Category:tile-infer-layouts | Function=k | Reason="2 bytes in each access instead of 16: the layout of the buffer keeps 2 bytes together"}}
    tile.copy %m to %p : memref<64x64xf16> to memref<64x64xf16, #gpu.address_space<workgroup>>
    // expected-remark @below {{"2 bytes in each access instead of 16: the layout of the buffer keeps 2 bytes together"}}
    tile.copy %p to %m : memref<64x64xf16, #gpu.address_space<workgroup>> to memref<64x64xf16>
    // expected-remark @below {{"2 bytes in each access instead of 16: rows of the buffer's layout run along dimension 0 of the tile, those of the other side along dimension 1"}}
    tile.copy %m to %q : memref<64x64xf16> to memref<64x64xf16, #gpu.address_space<workgroup>>
    // expected-remark @below {{"4 bytes in each access instead of 16: start, pitch, size or alignment are not known to be multiples"}}
    tile.copy %m[%c0, %c0] [64, 64] to %s[%c0, %c2] [64, 64] : memref<64x64xf16> to memref<64x64xf16, #gpu.address_space<workgroup>>
    // expected-remark @below {{"8 bytes in each access instead of 16: 128 threads share the tile, whose rows have 16 elements"}}
    tile.copy %m[%c0, %c0] [16, 16] to %s[%c0, %c0] [16, 16] : memref<64x64xf16> to memref<64x64xf16, #gpu.address_space<workgroup>>
  }
  return
}
}

// -----

// A loop whose `coalesced_width` divides nothing, or is not what a fixed layout has.
#eight = #tile.fragment<[32, 64], register = [8 : (0, 1)], lane = [8 : (0, 8), 4 : (1, 0)], warp = [8 : (4, 0)]>
module attributes {tile.target = #tile.target<"sm_80">} {
func.func @coalesced(%n: index, %m: memref<32x64xf16>) {
  tile.launch @k blocks(%x) in (%n) threads(256) attributes {stage = #tile.stage<logical>} {
    // expected-remark @below {{[Missed] CoalescedWidth | Category:tile-infer-layouts | Function=k | Reason="'coalesced_width' is 3, and a thread runs 1 iterations together: the 64 iterations of dimension 1 are no multiple; write a divisor of 64"}}
    tile.parallel (%i, %j) in (32, 64) attributes {coalesced_width = 3 : i64} {
      %v = memref.load %m[%i, %j] : memref<32x64xf16>
      memref.store %v, %m[%i, %j] : memref<32x64xf16>
    }
    %t = tile.load %m : memref<32x64xf16> -> tensor<32x64xf16, #eight>
    // expected-remark @below {{"'coalesced_width' is 2, and a thread runs 2 iterations together: it has 8 in a row along dimension 1, by the layout [32, 64], register = [8 : (0, 1)], lane = [8 : (0, 8), 4 : (1, 0)], warp = [8 : (4, 0)]; write 8, or fix a layout that has 2"}}
    %u = tile.parallel (%i, %j) in (32, 64) -> (tensor<32x64xf16, #eight>) attributes {coalesced_width = 2 : i64} {
      %v = tensor.extract %t[%i, %j] : tensor<32x64xf16, #eight>
      tile.yield %v : f16
    }
    %w = tile.parallel (%i, %j) in (32, 64) -> (tensor<32x64xf16, #eight>) attributes {coalesced_width = 8 : i64} {
      %v = tensor.extract %t[%i, %j] : tensor<32x64xf16, #eight>
      tile.yield %v : f16
    }
    tile.parallel (%i, %j) in (32, 64) attributes {coalesced_width = 4 : i64} {
      %v = memref.load %m[%i, %j] : memref<32x64xf16>
      memref.store %v, %m[%i, %j] : memref<32x64xf16>
    }
  }
  return
}
}

// -----

// Products of f32 run on the tensor cores only with fewer bits.
module attributes {tile.target = #tile.target<"sm_80">} {
func.func @single_precision(%n: index, %a: memref<32x32xf32>) {
  tile.launch @k blocks(%x) in (%n) threads(32) attributes {stage = #tile.stage<logical>} {
    %t = tile.load %a : memref<32x32xf32> -> tensor<32x32xf32>
    %u = tile.load %a : memref<32x32xf32> -> tensor<32x32xf32>
    // expected-remark @below {{[Missed] NoMatrixInstruction | Category:tile-infer-layouts | Function=k | Reason="f32 operands are multiplied by single threads; tf32 precision would use the tensor cores"}}
    %p = tile.gemm %t, %u : tensor<32x32xf32>, tensor<32x32xf32> -> tensor<32x32xf32>
    tile.store %p, %a : tensor<32x32xf32>, memref<32x32xf32>
  }
  return
}
}
