//===- TileMemoryOps.td - Copies, loads, stores, atomics ---*- tablegen -*-===//
//
// All four move a box between a *side* (TileSide.h) and something else. Outside
// the bounds of the memref as typed, a source reads as the padding value and a
// destination is left alone.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_DIALECT_TILE_TILEMEMORYOPS
#define TILE_DIALECT_TILE_TILEMEMORYOPS

include "tile/Dialect/Tile/TileOpBase.td"

def Tile_CopyOp : Tile_Op<"copy", [
    AttrSizedOperandSegments, Tile_StatesLayouts, Tile_StatesAccesses,
    Tile_TensorCopyOpInterface,
    OptionalTypesMatchWith<"the padding has the destination's element type",
      "dest", "pad", "::llvm::cast<::mlir::MemRefType>($_self).getElementType()">
    ]> {
  let summary = "copies a box from memory to memory";
  let description = [{
    Copies between two sides, each global or shared memory, and converts floats to
    floats and integers to integers as the `arith` casts do. `pad`, of the
    destination's element type, is what is read outside the source; zero by
    default.

    - (C1) both sides describe boxes of one shape after unit dimensions are
      dropped; at least one side says its extents.
    - (C2) element types are both floats or both integers.
    - (C3) boxes, `in_bounds` and indices have one entry per dimension.
    - (C4) `pad` is given for element types without a zero.
    - (C5) `multicast` has a mask for each of 2 to 16 blocks of a cluster. It is on
      copies to shared memory; the groups are disjoint and equally large.

    `layout`, `vector_width` and `instruction` are written by layout inference,
    `tensor_map` by outlining: what a bulk copy knows of its side in global memory.

    `multicast` is written by `tile-multicast-copies`: bit r of mask q says that the
    blocks of ranks q and r copy the same box to the same place at the same use of a
    ring. Each of them then brings a part of it to all. What the copy means for its
    block is the same.

    Example:

    ```mlir
    #shared = #gpu.address_space<workgroup>
    func.func @f(%Q: memref<2x512x8x64xf16>, %b: index, %r: index, %h: index) {
      %c0 = arith.constant 0 : index
      tile.launch blocks(%x) in (%b) threads(128) {
        %s = tile.alloc : memref<128x64xf16, #shared>
        tile.copy %Q[%b, %r, %h, %c0] [1, 128, 1, 64] to %s
            : memref<2x512x8x64xf16> to memref<128x64xf16, #shared>
      }
      return
    }
    ```
  }];
  let arguments = (ins
    Arg<AnyMemRef, "where elements are read", [MemRead]>:$source,
    Variadic<Index>:$source_indices,
    Optional<Tile_IndexFragment1D>:$source_rows,
    Arg<AnyMemRef, "where elements are written", [MemWrite]>:$dest,
    Variadic<Index>:$dest_indices,
    Optional<Tile_IndexFragment1D>:$dest_rows,
    Optional<AnyType>:$pad,
    Optional<Tile_TensorMap>:$tensor_map,
    OptionalAttr<DenseI64ArrayAttr>:$source_box,
    OptionalAttr<I64Attr>:$source_rows_dim,
    OptionalAttr<DenseBoolArrayAttr>:$source_in_bounds,
    OptionalAttr<DenseI64ArrayAttr>:$dest_box,
    OptionalAttr<I64Attr>:$dest_rows_dim,
    OptionalAttr<DenseBoolArrayAttr>:$dest_in_bounds,
    OptionalAttr<Tile_FragmentAttr>:$layout,
    OptionalAttr<I64Attr>:$vector_width,
    OptionalAttr<Tile_InstructionAttr>:$instruction,
    OptionalAttr<DenseI64ArrayAttr>:$multicast);
  let assemblyFormat = [{
    custom<Side>($source, $source_indices, $source_rows, type($source_rows),
                 $source_box, $source_rows_dim, $source_in_bounds)
    (`pad` `(` $pad^ `)`)? `to`
    custom<Side>($dest, $dest_indices, $dest_rows, type($dest_rows),
                 $dest_box, $dest_rows_dim, $dest_in_bounds)
    (`tensor_map` `(` $tensor_map^ `)`)?
    attr-dict `:` type($source) `to` type($dest)
  }];
  // Each side whole where there are no indices.
  let builders = [OpBuilder<(ins "::mlir::Value":$source,
      "::mlir::ValueRange":$sourceIndices, "::mlir::Value":$dest,
      "::mlir::ValueRange":$destIndices)>];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    Side getSourceSide();
    Side getDestSide();
    /// The shape that moves, unit dimensions dropped to the lower rank.
    ::llvm::SmallVector<int64_t> getTileShape();
    // Of a tensor copy.
    Side getSharedSide();
    ::std::vector<::tilec::TensorAxis> getTensorAxes();
    ::std::optional<::std::string>
    findRowObstacle(const ::tilec::CopyInstruction &row);
    /// The layouts that the rows of its sides have where threads move the tile
    /// as `layout` says.
    ::llvm::SmallVector<DemandedLayout>
    getDemandedLayouts(const ::tilec::FragmentLayout &layout);
  }];
}

def Tile_LoadOp : Tile_Op<"load", [
    AttrSizedOperandSegments, Tile_StatesLayouts, Tile_StatesAccesses,
    OptionalTypesMatchWith<"the padding has the fragment's element type",
      "result", "pad",
      "::llvm::cast<::mlir::RankedTensorType>($_self).getElementType()">]> {
  let summary = "loads a box of memory into a fragment";
  let description = [{
    Reads a side into registers, converting as `tile.copy` does. Outside the memref
    the result is `pad`, zero by default. Constraints as for `tile.copy`.

    `vector_width` and `inner_width` are written by layout inference; without them
    elements are moved one by one.

    Example:

    ```mlir
    func.func @example(%m: memref<?x100xf16>) {
      %c0 = arith.constant 0 : index
      %t = tile.load %m[%c0, %c0] in_bounds [true, false]
           : memref<?x100xf16> -> tensor<64x32xf16>
      return
    }
    ```
  }];
  let arguments = (ins
    Arg<AnyMemRef, "where elements are read", [MemRead]>:$source,
    Variadic<Index>:$source_indices,
    Optional<Tile_IndexFragment1D>:$source_rows,
    Optional<AnyType>:$pad,
    OptionalAttr<DenseI64ArrayAttr>:$source_box,
    OptionalAttr<I64Attr>:$source_rows_dim,
    OptionalAttr<DenseBoolArrayAttr>:$source_in_bounds,
    // Elements an access moves, and where the whole tile lies inside the memref.
    OptionalAttr<I64Attr>:$vector_width,
    OptionalAttr<I64Attr>:$inner_width);
  let results = (outs Tile_Fragment:$result);
  let assemblyFormat = [{
    custom<Side>($source, $source_indices, $source_rows, type($source_rows),
                 $source_box, $source_rows_dim, $source_in_bounds)
    (`pad` `(` $pad^ `)`)? attr-dict `:` type($source) `->` type($result)
  }];
  let builders = [OpBuilder<(ins "::mlir::Type":$result,
      "::mlir::Value":$source, CArg<"::mlir::ValueRange", "{}">:$indices,
      CArg<"::mlir::Value", "{}">:$pad)>];
  let hasVerifier = 1;
  let extraClassDeclaration = [{ Side getSourceSide(); }];
}

def Tile_StoreOp : Tile_Op<"store", [
    AttrSizedOperandSegments, Tile_StatesLayouts, Tile_StatesAccesses]> {
  let summary = "stores a fragment to a box of memory";
  let description = [{
    Writes a fragment to a side, converting as `tile.copy` does. Outside the memref
    nothing is written. Constraints as for `tile.copy`; repeated rows are undefined.
    `vector_width` and `inner_width` as on `tile.load`.

    Example:

    ```mlir
    func.func @example(%t: tensor<64x32xf16>, %m: memref<?x100xf16>) {
      %c0 = arith.constant 0 : index
      tile.store %t, %m[%c0, %c0] : tensor<64x32xf16>, memref<?x100xf16>
      return
    }
    ```
  }];
  let arguments = (ins
    Tile_Fragment:$value,
    Arg<AnyMemRef, "where elements are written", [MemWrite]>:$dest,
    Variadic<Index>:$dest_indices,
    Optional<Tile_IndexFragment1D>:$dest_rows,
    OptionalAttr<DenseI64ArrayAttr>:$dest_box,
    OptionalAttr<I64Attr>:$dest_rows_dim,
    OptionalAttr<DenseBoolArrayAttr>:$dest_in_bounds,
    // Elements an access moves, and where the whole tile lies inside the memref.
    OptionalAttr<I64Attr>:$vector_width,
    OptionalAttr<I64Attr>:$inner_width);
  let assemblyFormat = [{
    $value `,` custom<Side>($dest, $dest_indices, $dest_rows, type($dest_rows),
                            $dest_box, $dest_rows_dim, $dest_in_bounds)
    attr-dict `:` type($value) `,` type($dest)
  }];
  let builders = [OpBuilder<(ins "::mlir::Value":$value, "::mlir::Value":$dest,
      CArg<"::mlir::ValueRange", "{}">:$indices)>];
  let hasVerifier = 1;
  let extraClassDeclaration = [{ Side getDestSide(); }];
}

def Tile_AtomicRMWOp : Tile_Op<"atomic_rmw", [
    AttrSizedOperandSegments, Tile_StatesLayouts, Tile_StatesAccesses]> {
  let summary = "combines a fragment into memory, element by element, atomically";
  let description = [{
    Each element of the fragment is combined once into its element of the side by
    a relaxed atomic read-modify-write. Global and shared memory; i32, i64 and
    floats from 16 bits on, by compare-and-exchange where the chip has no
    instruction. Nothing is converted; repeated rows are fine.

    `vector_width` is written by layout inference: how many neighbours one instruction
    adds, each atomically, where the chip has that.

    - (C1) the kind fits the element type.
    - (C2) `vector_width` above 1 is for `addf` to global memory of f16, bf16 and f32,
      and 16 bytes at most; neighbours lie in consecutive registers.

    Example:

    ```mlir
    func.func @example(%t: tensor<64x32xf32>, %m: memref<64x32xf32>) {
      %c0 = arith.constant 0 : index
      tile.atomic_rmw addf %t, %m[%c0, %c0] : tensor<64x32xf32>, memref<64x32xf32>
      return
    }
    ```
  }];
  let arguments = (ins
    AtomicRMWKindAttr:$kind,
    Tile_Fragment:$value,
    Arg<AnyMemRef, "what is combined into", [MemRead, MemWrite]>:$dest,
    Variadic<Index>:$dest_indices,
    Optional<Tile_IndexFragment1D>:$dest_rows,
    OptionalAttr<DenseI64ArrayAttr>:$dest_box,
    OptionalAttr<I64Attr>:$dest_rows_dim,
    OptionalAttr<DenseBoolArrayAttr>:$dest_in_bounds,
    OptionalAttr<I64Attr>:$vector_width);
  let assemblyFormat = [{
    $kind $value `,` custom<Side>($dest, $dest_indices, $dest_rows,
        type($dest_rows), $dest_box, $dest_rows_dim, $dest_in_bounds)
    attr-dict `:` type($value) `,` type($dest)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    Side getDestSide();
    /// How many neighbours one instruction may combine on some chip.
    int64_t getLargestWidth();
  }];
}

def Tile_Im2ColOp : Tile_Op<"im2col", [
    Tile_StatesLayouts, Tile_StatesAccesses, Tile_TensorCopyOpInterface]> {
  let summary = "copies a box of the im2col matrix of an image to shared memory";
  let description = [{
    The matrix has a row per output position (n, oh, ow) and a column per (kernel
    row, kernel column, channel) of an NHWC image; `row` and `col` are element
    starts in it. Outside the image, and outside the matrix, zero is read.

    - (C1) a 4-D source, a 2-D destination, equal element types.
    - (C2) two positive entries each of kernel, strides and dilations; padding not
      negative.
    - (C3) `multicast` is as on `tile.copy`.

    `layout`, `vector_width` and `instruction` are written by layout inference,
    `tensor_map` by outlining: what a bulk copy in im2col mode knows of the image.
    `multicast` is written by `tile-multicast-copies`, as on `tile.copy`.

    Example:

    ```mlir
    #shared = #gpu.address_space<workgroup>
    func.func @f(%x: memref<8x32x32x64xf16>, %n: index) {
      tile.launch blocks(%b) in (%n) threads(128) {
        %s = tile.alloc : memref<128x32xf16, #shared>
        tile.im2col %x[%b, %b] to %s {kernel = [3, 3], strides = [1, 1],
            dilations = [1, 1], padding = [1, 1]}
            : memref<8x32x32x64xf16> to memref<128x32xf16, #shared>
      }
      return
    }
    ```
  }];
  let arguments = (ins
    Arg<AnyMemRef, "an image, N x H x W x C", [MemRead]>:$source,
    Index:$row, Index:$col,
    Arg<Tile_SharedMemRef, "where the box goes", [MemWrite]>:$dest,
    Optional<Tile_TensorMap>:$tensor_map,
    I64ArrayAttr:$kernel, I64ArrayAttr:$strides, I64ArrayAttr:$dilations,
    I64ArrayAttr:$padding,
    OptionalAttr<Tile_FragmentAttr>:$layout,
    OptionalAttr<I64Attr>:$vector_width,
    OptionalAttr<Tile_InstructionAttr>:$instruction,
    OptionalAttr<DenseI64ArrayAttr>:$multicast);
  let assemblyFormat = [{
    $source `[` $row `,` $col `]` `to` $dest
    (`tensor_map` `(` $tensor_map^ `)`)? attr-dict
    `:` type($source) `to` type($dest)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// The whole destination.
    Side getDestSide();
    ::llvm::SmallVector<int64_t> getTileShape();
    // Of a tensor copy.
    Side getSharedSide();
    ::std::vector<::tilec::TensorAxis> getTensorAxes();
    ::std::optional<::std::string>
    findRowObstacle(const ::tilec::CopyInstruction &row);
    /// Where the kernel's first element is at the first output position, and how
    /// far behind the image's last element it may come; outermost first.
    ::llvm::SmallVector<int64_t> getLowerCorner();
    ::llvm::SmallVector<int64_t> getUpperCorner();
  }];
}

#endif // TILE_DIALECT_TILE_TILEMEMORYOPS
