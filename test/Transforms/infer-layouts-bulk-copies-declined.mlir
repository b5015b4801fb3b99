// Each copy that could be a bulk tensor copy and is none says which fact is missing
// and what to write.
// RUN: tile-opt %s --tile-infer-layouts=bulk-copies --split-input-file --verify-diagnostics --remark-format=emitRemark --remarks-filter=tile-infer-layouts -o /dev/null

#shared = #gpu.address_space<workgroup>
module attributes {tile.target = #tile.target<"sm_90a">} {
func.func @tensors(%n: index, %c: i1, %a: memref<?x?xf16>, %b: memref<?x64xf16> {tile.align = 8}, %s: memref<?x64xf16, strided<[64, ?]>>, %p: memref<?x?x64xf16, strided<[?, 64, 1]>> {tile.align = 16}, %six: memref<2x2x2x?x8x64xf16>) {
  %c0 = arith.constant 0 : index
  tile.launch @k blocks(%x) in (%n) threads(128) attributes {stage = #tile.stage<logical>} {
    %t = tile.alloc : memref<64x64xf16, #shared>
    // expected-remark @below {{[Missed] CopyByThreads | Category:tile-infer-layouts | Function=k | Reason="the stride of dimension 0 of its memref is known to be a multiple of 2 bytes, not of 16; state 'tile.divisible', or 'strides' by 'tile.assume'"}}
    tile.copy %a[%x, %c0] to %t : memref<?x?xf16> to memref<64x64xf16, #shared>
    // expected-remark @below {{"the address of its memref is known to be a multiple of 8 bytes, not of 16; state 'tile.align', or 'alignment' by 'tile.assume'"}}
    // expected-remark @below {{NarrowCopy}}
    tile.copy %b[%x, %c0] to %t : memref<?x64xf16> to memref<64x64xf16, #shared>
    // expected-remark @below {{"the innermost stride of its memref is not known to be 1; write it in the type, or state 'strides' by 'tile.assume'"}}
    // expected-remark @below {{NarrowCopy}}
    tile.copy %s[%x, %c0] to %t : memref<?x64xf16, strided<[64, ?]>> to memref<64x64xf16, #shared>
    // expected-remark @below {{"cp.async.bulk.tensor.5d.shared::cluster.global.tile.mbarrier::complete_tx::bytes is of rank 5, and the tensor is memref<2x2x2x?x8x64xf16>"}}
    tile.copy %six[%c0, %c0, %c0, %x, %c0, %c0] [1, 1, 1, 1, 8, 64] to %t[%c0, %c0] [8, 64] : memref<2x2x2x?x8x64xf16> to memref<64x64xf16, #shared>
  }
  return
}
}

// -----

// What is made in the launch, or written by it, is no tensor that the host describes.
#shared = #gpu.address_space<workgroup>
module attributes {tile.target = #tile.target<"sm_90a">} {
func.func @launch(%n: index, %c: i1, %a: memref<?x64xf16>, %d: memref<?x64xf16>, %b: memref<?x64xf16>) {
  %c0 = arith.constant 0 : index
  tile.launch @k blocks(%x) in (%n) threads(128) attributes {stage = #tile.stage<logical>} {
    %t = tile.alloc : memref<64x64xf16, #shared>
    %v = arith.select %c, %a, %d : memref<?x64xf16>
    // expected-remark @below {{"its memref is made in the launch and no kernel parameter; make it in front of the launch, or index the memref that it views"}}
    // expected-remark @below {{NarrowCopy}}
    tile.copy %v[%x, %c0] to %t : memref<?x64xf16> to memref<64x64xf16, #shared>
    // expected-remark @below {{"the launch writes its memref too, by 'tile.copy'; do that in a launch of its own"}}
    tile.copy %b[%x, %c0] to %t : memref<?x64xf16> to memref<64x64xf16, #shared>
    // expected-remark @below {{"the launch writes its memref too, by 'tile.store'; do that in a launch of its own"}}
    tile.copy %t to %b[%x, %c0] : memref<64x64xf16, #shared> to memref<?x64xf16>
    %f = tile.load %t : memref<64x64xf16, #shared> -> tensor<64x64xf16>
    tile.store %f, %b[%x, %c0] : tensor<64x64xf16>, memref<?x64xf16>
  }
  return
}
}

// -----

// What happens to elements on the way, and where they go.
#shared = #gpu.address_space<workgroup>
#padded = #tile.shared<[64, 64], offset = [64 : (0, 1), 64 : (1, 0) weight 72]>
module attributes {tile.target = #tile.target<"sm_90a">} {
func.func @elements(%n: index, %i: index, %a: memref<?x64xf16>, %w: memref<?x64xf32>, %four: memref<?x64xi4>) {
  %c0 = arith.constant 0 : index
  tile.launch @k blocks(%x) in (%n) threads(128) attributes {stage = #tile.stage<logical>} {
    %one = arith.constant 1.0 : f16
    %t = tile.alloc : memref<64x64xf16, #shared>
    %u = tile.alloc layout(#padded) : memref<64x64xf16, #shared>
    %v = tile.alloc : memref<64x64xi4, #shared>
    %y = tile.alloc : memref<64x8xf16, #shared>
    // expected-remark @+2 {{"it is not known to begin with a byte, at an even column of its memref; state that by 'tile.assume_divisible'"}}
    // expected-remark @+1 {{"half a byte in each access instead of 16: start, pitch, size or alignment are not known to be multiples"}}
    tile.copy %four[%x, %i] to %v : memref<?x64xi4> to memref<64x64xi4, #shared>
    // expected-remark @below {{pads with zeros, and the copy with something else}}
    tile.copy %a[%x, %c0] pad(%one) to %t : memref<?x64xf16> to memref<64x64xf16, #shared>
    // expected-remark @below {{does not move these elements between these memories}}
    tile.copy %w[%x, %c0] to %t : memref<?x64xf32> to memref<64x64xf16, #shared>
    // expected-remark @below {{"it is not known to stay inside its buffer along dimension 0; state 'in_bounds'"}}
    tile.copy %a[%x, %c0] [32, 64] to %t[%i, %c0] : memref<?x64xf16> to memref<64x64xf16, #shared>
    // expected-remark @below {{"along dimension 0 of the buffer the tile begins at a multiple of 1, which is known to be a multiple of 128 bytes and not of the 1024 at which the box's pattern begins"}}
    tile.copy %a[%x, %c0] [32, 64] to %t[%i, %c0] in_bounds [true, true] : memref<?x64xf16> to memref<64x64xf16, #shared>
    %z = tile.alloc : memref<64x64xf16, #shared>
    %l = memref.collapse_shape %z [[0, 1]] : memref<64x64xf16, #shared> into memref<4096xf16, #shared>
    // expected-remark @below {{"its buffer is seen under another shape too, which a slot of it cannot be; give the tile a buffer of its own"}}
    tile.copy %a[%x, %c0] to %z : memref<?x64xf16> to memref<64x64xf16, #shared>
    // expected-remark @below {{"the buffer has a box 144 bytes behind its first, no multiple of the 128 at which the box's pattern begins"}}
    tile.copy %a[%x, %c0] to %u : memref<?x64xf16> to memref<64x64xf16, #shared>
    // expected-remark @below {{NarrowCopy}}
    // expected-remark @below {{"its boxes have 128 bytes, and from 512 bytes on they are worth it"}}
    tile.copy %a[%x, %c0] [8, 8] to %y[%c0, %c0] : memref<?x64xf16> to memref<64x8xf16, #shared>
  }
  return
}
}

// -----

// What the im2col mode does not do, and what is not known of an image.
#shared = #gpu.address_space<workgroup>
module attributes {tile.target = #tile.target<"sm_90a">} {
func.func @images(%n: index, %k: index, %a: memref<4x16x16x64xf16>, %b: memref<4x16x16x40xf16>, %c: memref<4x16x16x?xf16>, %w: memref<4x16x16x64xf16>, %four: memref<4x16x16x64xi4>) {
  %c0 = arith.constant 0 : index
  tile.launch @k blocks(%x) in (%n) threads(128) attributes {stage = #tile.stage<logical>} {
    %t = tile.alloc : memref<64x64xf16, #shared>
    %v = tile.alloc : memref<64x64xi4, #shared>
    // expected-remark @below {{moves elements of 1, 2, 4 or 8 bytes, and those of type i4 have 4 bits}}
    tile.im2col %four[%c0, %c0] to %v {kernel = [3, 3], strides = [1, 1], dilations = [1, 1], padding = [1, 1]} : memref<4x16x16x64xi4> to memref<64x64xi4, #shared>
    // expected-remark @below {{"cp.async.bulk.tensor.4d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes has strides of at most 8, got 9"}}
    tile.im2col %a[%c0, %c0] to %t {kernel = [3, 3], strides = [1, 9], dilations = [1, 1], padding = [1, 1]} : memref<4x16x16x64xf16> to memref<64x64xf16, #shared>
    // expected-remark @below {{im2col.mbarrier::complete_tx::bytes has corners from -128 to 127, and padding of 129 with a kernel that reaches 2 elements far makes one of -129"}}
    tile.im2col %a[%c0, %c0] to %t {kernel = [3, 3], strides = [1, 1], dilations = [1, 1], padding = [129, 1]} : memref<4x16x16x64xf16> to memref<64x64xf16, #shared>
    // expected-remark @below {{im2col.mbarrier::complete_tx::bytes has corners from -128 to 127, and padding of 1 with a kernel that reaches 130 elements far makes one of -129"}}
    tile.im2col %a[%c0, %c0] to %t {kernel = [3, 3], strides = [1, 1], dilations = [1, 65], padding = [0, 1]} : memref<4x16x16x64xf16> to memref<64x64xf16, #shared>
    // expected-remark @below {{im2col.mbarrier::complete_tx::bytes reaches at most 255 elements from the kernel's first, and its last is 256 away"}}
    tile.im2col %a[%c0, %c0] to %t {kernel = [1, 3], strides = [1, 1], dilations = [1, 128], padding = [0, 128]} : memref<4x16x16x64xf16> to memref<64x64xf16, #shared>
    // expected-remark @below {{"a box of it has 64 channels, and those of the image are known to be a multiple of 40; state 'tile.divisible', or make the buffer narrower"}}
    tile.im2col %b[%c0, %c0] to %t {kernel = [3, 3], strides = [1, 1], dilations = [1, 1], padding = [1, 1]} : memref<4x16x16x40xf16> to memref<64x64xf16, #shared>
    // expected-remark @below {{"a box of it has 64 channels of one element of the kernel, and its column is known to be a multiple of 1; step by what divides the channels, or state it by 'tile.assume_divisible'"}}
    tile.im2col %a[%c0, %k] to %t {kernel = [3, 3], strides = [1, 1], dilations = [1, 1], padding = [1, 1]} : memref<4x16x16x64xf16> to memref<64x64xf16, #shared>
    // expected-remark @below {{"the stride of dimension 2 of its memref is known to be a multiple of 2 bytes, not of 16; state 'tile.divisible', or 'strides' by 'tile.assume'"}}
    tile.im2col %c[%c0, %c0] to %t {kernel = [3, 3], strides = [1, 1], dilations = [1, 1], padding = [1, 1]} : memref<4x16x16x?xf16> to memref<64x64xf16, #shared>
    // expected-remark @below {{"the launch writes its memref too, by 'tile.copy'; do that in a launch of its own"}}
    tile.im2col %w[%c0, %c0] to %t {kernel = [3, 3], strides = [1, 1], dilations = [1, 1], padding = [1, 1]} : memref<4x16x16x64xf16> to memref<64x64xf16, #shared>
    tile.copy %t[%c0, %c0] [16, 64] to %w[%c0, %c0, %c0, %c0] [1, 1, 16, 64] : memref<64x64xf16, #shared> to memref<4x16x16x64xf16>
  }
  return
}
}
