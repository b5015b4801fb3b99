//===- TileTypeDefs.td - Types of asynchronous values ------*- tablegen -*-===//

#ifndef TILE_DIALECT_TILE_TILETYPEDEFS
#define TILE_DIALECT_TILE_TILETYPEDEFS

include "tile/Dialect/Tile/TileDialect.td"
include "mlir/IR/AttrTypeBase.td"

class Tile_Type<string name, string typeMnemonic>
    : TypeDef<Tile_Dialect, name> {
  let mnemonic = typeMnemonic;
}

def Tile_RingType : Tile_Type<"Ring", "ring"> {
  let summary = "slots that a producer fills and consumers empty in turn";
  let description = [{
    The value of a `tile.ring`. Uses of its buffers are numbered from 0; number
    `n` lies in slot `n mod slots`. `slots` is positive.

    Example: `!tile.ring<3>`
  }];
  let parameters = (ins "int64_t":$slots);
  let assemblyFormat = "`<` $slots `>`";
  let genVerifyDecl = 1;
}

def Tile_PendingType : Tile_Type<"Pending", "pending"> {
  let summary = "a fragment that is still being computed";
  let description = [{
    The result of a `tile.gemm_async`. Only `tile.wait` gives the fragment.

    Example: `!tile.pending<tensor<64x64xf32>>`
  }];
  let parameters = (ins "::mlir::RankedTensorType":$fragment);
  let assemblyFormat = "`<` $fragment `>`";
}

def Tile_TensorMapType : Tile_Type<"TensorMap", "tensor_map"> {
  let summary = "a tensor as bulk copies see it";
  let description = [{
    Where a tensor lies in global memory, its sizes and strides, and the box of it
    that one copy moves. Made on the host by `tile.encode_tensor_map`.

    Example: `!tile.tensor_map`
  }];
}

#endif // TILE_DIALECT_TILE_TILETYPEDEFS
