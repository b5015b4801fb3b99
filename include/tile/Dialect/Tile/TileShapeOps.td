//===- TileShapeOps.td - Shape, type, debugging, facts -----*- tablegen -*-===//

#ifndef TILE_DIALECT_TILE_TILESHAPEOPS
#define TILE_DIALECT_TILE_TILESHAPEOPS

include "tile/Dialect/Tile/TileOpBase.td"

def Tile_BroadcastOp : Tile_Op<"broadcast", [Pure, Tile_StatesLayouts]> {
  let summary = "repeats a fragment along new dimensions";
  let description = [{
    `dims`, increasing, number the dimensions of the result that are new.

    - (C1) the result's shape without `dims` is the operand's, with its element
      type.

    Example:

    ```mlir
    func.func @example(%m: tensor<128xf32>) {
      %b = tile.broadcast %m dims [1] : tensor<128xf32> -> tensor<128x64xf32>
      return
    }
    ```
  }];
  let arguments = (ins Tile_Fragment:$source, DenseI64ArrayAttr:$dims);
  let results = (outs Tile_Fragment:$result);
  let assemblyFormat =
      "$source `dims` $dims attr-dict `:` type($source) `->` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Tile_TransposeOp : Tile_Op<"transpose", [Pure, Tile_StatesLayouts]> {
  let summary = "permutes the dimensions of a fragment";
  let description = [{
    Dimension i of the result is dimension `permutation[i]` of the operand.

    - (C1) `permutation` is one, and the shapes agree under it.

    Example:

    ```mlir
    func.func @example(%x: tensor<64x32xf32>) {
      %y = tile.transpose %x [1, 0] : tensor<64x32xf32> -> tensor<32x64xf32>
      return
    }
    ```
  }];
  let arguments = (ins Tile_Fragment:$source, DenseI64ArrayAttr:$permutation);
  let results = (outs Tile_Fragment:$result);
  let assemblyFormat =
      "$source $permutation attr-dict `:` type($source) `->` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Tile_BitcastOp : Tile_Op<"bitcast", [Pure, Tile_StatesLayouts]> {
  let summary = "reads the bits of a fragment as another element type";
  let description = [{
    The last dimension scales with the width of the element, lowest bits first.

    - (C1) equal shapes but for the last dimension; equal bits in it.

    Example:

    ```mlir
    func.func @example(%x: tensor<128x32xi8>) {
      %y = tile.bitcast %x : tensor<128x32xi8> -> tensor<128x64xi4>
      return
    }
    ```
  }];
  let arguments = (ins Tile_Fragment:$source);
  let results = (outs Tile_Fragment:$result);
  let assemblyFormat = "$source attr-dict `:` type($source) `->` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Tile_PrintOp : Tile_Op<"print", [
    Tile_ConsoleEffects, Tile_StatesAccesses], inScalarCode> {
  let summary = "prints a scalar or fragment with a label";
  let description = [{
    Example:

    ```mlir
    func.func @example(%t: tensor<128xf32>) {
      tile.print "row maximum" %t : tensor<128xf32>
      return
    }
    ```
  }];
  let arguments = (ins StrAttr:$label, AnyType:$value);
  let assemblyFormat = "$label $value attr-dict `:` type($value)";
  let hasVerifier = 1;
}

def Tile_AssertOp : Tile_Op<"assert", [Tile_TrapEffects], inScalarCode> {
  let summary = "stops the program where a condition does not hold";
  let description = [{
    Example:

    ```mlir
    func.func @example(%cond: i1) {
      tile.assert %cond, "the row has a finite maximum"
      return
    }
    ```
  }];
  let arguments = (ins I1:$condition, StrAttr:$message);
  let assemblyFormat = "$condition `,` $message attr-dict";
  let hasCanonicalizer = 1;
}

def Tile_AssumeDivisibleOp : Tile_Op<"assume_divisible", [
    Pure, SameOperandsAndResultType],
    !listconcat(inScalarCode, [StandsIn<"Host">])> {
  let summary = "states a divisor of a value";
  let description = [{
    The result is the operand; it is divisible by `divisor`, which is checked by
    interpreter and emulator. On the result of `memref.dim` it is a fact about that
    memref too.

    - (C1) `divisor` is positive.

    Example:

    ```mlir
    func.func @example(%m: index) {
      %n = tile.assume_divisible %m by 16 : index
      return
    }
    ```
  }];
  let arguments = (ins AnySignlessIntegerOrIndex:$value, I64Attr:$divisor);
  let results = (outs AnySignlessIntegerOrIndex:$result);
  let assemblyFormat = [{
    $value `by` custom<PlainInteger>($divisor) attr-dict `:` type($result)
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Tile_AssumeOp : Tile_Op<"assume", [
    Pure, AllTypesMatch<["source", "result"]>],
    [StandsIn<"Host">, StandsIn<"Block">]> {
  let summary = "states sizes, strides and alignment of a memref";
  let description = [{
    The result is the operand. `sizes` and `strides` give a divisor per dimension,
    `alignment` that of the first element in bytes. Each part is optional.

    - (C1) one positive entry per dimension; the alignment a power of two; a
      static size is divisible by its divisor.

    Example:

    ```mlir
    func.func @example(%A: memref<?x?xf16, strided<[?, 1]>>) {
      %B = tile.assume %A sizes [1, 8] strides [8, 1] alignment 16
           : memref<?x?xf16, strided<[?, 1]>>
      return
    }
    ```
  }];
  let arguments = (ins
    AnyMemRef:$source,
    OptionalAttr<DenseI64ArrayAttr>:$sizes,
    OptionalAttr<DenseI64ArrayAttr>:$strides,
    OptionalAttr<I64Attr>:$alignment);
  let results = (outs AnyMemRef:$result);
  let assemblyFormat = [{
    $source (`sizes` $sizes^)? (`strides` $strides^)?
    (`alignment` custom<PlainInteger>($alignment)^)? attr-dict `:` type($result)
  }];
  let hasVerifier = 1;
}

def Tile_AssertFactsOp : Tile_Op<"assert_facts", [Tile_TrapEffects],
                                 [StandsIn<"Block">]> {
  let summary = "stops the program where a memref is not as stated";
  let description = [{
    What `tile-check-assumptions` puts in front of a `tile.assume`, whose parts it
    has.

    - (C1) as `tile.assume`.

    Example:

    ```mlir
    func.func @example(%A: memref<?x?xf16, strided<[?, 1]>>) {
      tile.assert_facts %A sizes [1, 8] strides [8, 1] alignment 16
        : memref<?x?xf16, strided<[?, 1]>>
      return
    }
    ```
  }];
  let arguments = (ins
    AnyMemRef:$source,
    OptionalAttr<DenseI64ArrayAttr>:$sizes,
    OptionalAttr<DenseI64ArrayAttr>:$strides,
    OptionalAttr<I64Attr>:$alignment);
  let assemblyFormat = [{
    $source (`sizes` $sizes^)? (`strides` $strides^)?
    (`alignment` custom<PlainInteger>($alignment)^)? attr-dict `:` type($source)
  }];
  let hasVerifier = 1;
}

#endif // TILE_DIALECT_TILE_TILESHAPEOPS
