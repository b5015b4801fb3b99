//===- TileInterfaces.td - What operations answer ----------*- tablegen -*-===//
//
// A pass that wants to know a fact about an operation asks it here. Upstream's
// operations answer through external models (lib/Dialect/Tile/Interfaces).
//
//===----------------------------------------------------------------------===//

#ifndef TILE_DIALECT_TILE_TILEINTERFACES
#define TILE_DIALECT_TILE_TILEINTERFACES

include "mlir/IR/OpBase.td"

def Tile_LayoutConstraintsOpInterface
    : OpInterface<"LayoutConstraintsOpInterface"> {
  let cppNamespace = "::mlir::tile";
  let description = [{
    Which layouts go together at the operation; see LayoutConstraints.h. An
    operation on fragments without this interface leaves their layouts free,
    unless it is elementwise.
  }];
  let methods = [
    InterfaceMethod<[{
      Adds the constraints between the operation's operands, results, region
      arguments and iteration space, and what it demands of buffers. What
      depends on an instruction or a plan is stated once that is chosen.
    }], "void", "getLayoutConstraints",
    (ins "::mlir::tile::LayoutConstraints &":$constraints)>
  ];
}

def Tile_IterationSpaceOpInterface : OpInterface<"IterationSpaceOpInterface"> {
  let cppNamespace = "::mlir::tile";
  let description = [{
    Threads share iterations over a box. How, layout inference chooses by the
    constraints that the operation states about its iteration space.
  }];
  let methods = [
    InterfaceMethod<"The box.", "::llvm::ArrayRef<int64_t>", "getShape">,
    InterfaceMethod<"Which thread runs which iterations; null before layouts.",
                    "::mlir::tile::FragmentAttr", "getLayoutAttr">,
    InterfaceMethod<"", "void", "setLayoutAttr",
                    (ins "::mlir::tile::FragmentAttr":$layout)>,
    InterfaceMethod<"Iterations that a thread runs together; null before "
                    "layouts.", "::mlir::IntegerAttr", "getVectorWidthAttr">,
    InterfaceMethod<"", "void", "setVectorWidthAttr",
                    (ins "::mlir::IntegerAttr":$width)>,
    InterfaceMethod<"What the user wants that to divide; null for nothing.",
                    "::mlir::IntegerAttr", "getCoalescedWidthAttr">
  ];
}

def Tile_BlockAccessOpInterface : OpInterface<"BlockAccessOpInterface"> {
  let cppNamespace = "::mlir::tile";
  let description = [{
    What the operation does to memory, as one step of its block; see
    BlockAccess.h. Without this interface side effects say it.
  }];
  let methods = [
    InterfaceMethod<[{
      Adds the accesses of the operation itself, not of what is in its regions.
    }], "void", "getBlockAccesses",
    (ins "::llvm::SmallVectorImpl<::mlir::tile::BlockAccess> &":$accesses)>
  ];
}

def Tile_MatrixProductOpInterface : OpInterface<"MatrixProductOpInterface"> {
  let cppNamespace = "::mlir::tile";
  let description = [{
    A matrix product `a * b + c`: M x N = M x K * K x N.
  }];
  let methods = [
    InterfaceMethod<"Operand a, M x K, or K x M if transposed.",
                    "::mlir::OpOperand &", "getAMutable">,
    InterfaceMethod<"Operand b, K x N, or N x K if transposed.",
                    "::mlir::OpOperand &", "getBMutable">,
    InterfaceMethod<"What is added, if anything.",
                    "::mlir::MutableOperandRange", "getCMutable">,
    InterfaceMethod<"", "bool", "getTransposeA">,
    InterfaceMethod<"", "bool", "getTransposeB">,
    InterfaceMethod<"Whether integers of `a` have no sign.", "bool",
                    "isUnsignedA">,
    InterfaceMethod<"Whether integers of `b` have no sign.", "bool",
                    "isUnsignedB">,
    InterfaceMethod<"Whether f32 operands are rounded to tf32.", "bool",
                    "isTF32">,
    InterfaceMethod<"Which elements of a sparse `a` are kept, else null.",
                    "::mlir::OpOperand *", "getMetadata">,
    InterfaceMethod<"The scales of blocks of `a` and of `b`; empty without.",
                    "::llvm::SmallVector<::mlir::OpOperand *, 2>", "getScales",
                    (ins), "", "return {};">,
    InterfaceMethod<"How many elements along K have one scale.",
                    "int64_t", "getScaleBlock", (ins), "", "return 0;">,
    InterfaceMethod<"How the user wants warps to share the result.",
                    "::std::optional<::mlir::tile::Warps>", "getWarps">,
    InterfaceMethod<"The fragment that is computed.",
                    "::mlir::RankedTensorType", "getProductType">,
    InterfaceMethod<"", "::mlir::tile::InstructionAttr", "getInstructionAttr">,
    InterfaceMethod<"", "void", "setInstructionAttr",
                    (ins "::mlir::tile::InstructionAttr":$row)>,
    InterfaceMethod<"Warps or warpgroups along M and N; null before layouts.",
                    "::mlir::DenseI64ArrayAttr", "getWarpGridAttr">,
    InterfaceMethod<"", "void", "setWarpGridAttr",
                    (ins "::mlir::DenseI64ArrayAttr":$grid)>,
    InterfaceMethod<"What brings `a` from shared memory to registers.",
                    "::mlir::tile::OperandLoadAttr", "getLoadAAttr">,
    InterfaceMethod<"", "void", "setLoadAAttr",
                    (ins "::mlir::tile::OperandLoadAttr":$load)>,
    InterfaceMethod<"What brings `b` from shared memory to registers.",
                    "::mlir::tile::OperandLoadAttr", "getLoadBAttr">,
    InterfaceMethod<"", "void", "setLoadBAttr",
                    (ins "::mlir::tile::OperandLoadAttr":$load)>
  ];
  let extraSharedClassDeclaration = [{
    ::mlir::Value getA() { return $_op.getAMutable().get(); }
    ::mlir::Value getB() { return $_op.getBMutable().get(); }
    /// Null where nothing is added.
    ::mlir::Value getC() {
      ::mlir::MutableOperandRange c = $_op.getCMutable();
      return c.empty() ? ::mlir::Value() : c[0].get();
    }
    ::mlir::Type getElementTypeA() {
      return ::llvm::cast<::mlir::ShapedType>(getA().getType()).getElementType();
    }
    ::mlir::Type getElementTypeB() {
      return ::llvm::cast<::mlir::ShapedType>(getB().getType()).getElementType();
    }
    ::mlir::Type getAccumulatorType() {
      return $_op.getProductType().getElementType();
    }
    int64_t getM() { return $_op.getProductType().getDimSize(0); }
    int64_t getN() { return $_op.getProductType().getDimSize(1); }
    /// The extent along which `b` is summed.
    int64_t getK() {
      return ::llvm::cast<::mlir::ShapedType>(getB().getType())
          .getDimSize($_op.getTransposeB() ? 1 : 0);
    }
  }];
}

def Tile_TensorCopyOpInterface : OpInterface<"TensorCopyOpInterface"> {
  let cppNamespace = "::mlir::tile";
  let description = [{
    A copy that the copy engine makes by boxes of a tensor where the chip has
    that and nothing is in the way; see CopyFacts.h.
  }];
  let methods = [
    InterfaceMethod<"The memref that is read.", "::mlir::Value", "getSource">,
    InterfaceMethod<"The memref that is written.", "::mlir::Value", "getDest">,
    InterfaceMethod<"What moves elements; null before layouts.",
                    "::mlir::tile::InstructionAttr", "getInstructionAttr">,
    InterfaceMethod<"Which thread moves what; null of a copy by boxes.",
                    "::mlir::tile::FragmentAttr", "getLayoutAttr">,
    InterfaceMethod<"", "void", "setLayoutAttr",
                    (ins "::mlir::tile::FragmentAttr":$layout)>,
    InterfaceMethod<"Elements of a thread's access; null of a copy by boxes.",
                    "::mlir::IntegerAttr", "getVectorWidthAttr">,
    InterfaceMethod<"", "void", "setVectorWidthAttr",
                    (ins "::mlir::IntegerAttr":$width)>,
    InterfaceMethod<"What tells the copy engine of the tensor; empty before "
                    "kernels are outlined.",
                    "::mlir::MutableOperandRange", "getTensorMapMutable">,
    InterfaceMethod<"The masks of blocks that bring it together, if any.",
                    "::mlir::DenseI64ArrayAttr", "getMulticastAttr">,
    InterfaceMethod<"", "void", "setMulticastAttr",
                    (ins "::mlir::DenseI64ArrayAttr":$masks)>,
    InterfaceMethod<"The shape that moves.", "::llvm::SmallVector<int64_t>",
                    "getTileShape">,
    InterfaceMethod<"The side in shared memory; of copies between global and "
                    "shared memory.", "::mlir::tile::Side", "getSharedSide">,
    InterfaceMethod<[{
      The dimensions along which boxes have extents, outermost first, and the
      dimension of the shared side that each runs along.
    }], "::std::vector<::tilec::TensorAxis>", "getTensorAxes">,
    InterfaceMethod<[{
      Why `row`, which moves boxes between these memories, does not carry out
      this copy; nothing if it does. To be read after the instruction's name.
    }], "::std::optional<::std::string>", "findRowObstacle",
    (ins "const ::tilec::CopyInstruction &":$row)>
  ];
  let extraSharedClassDeclaration = [{
    /// Null before kernels are outlined.
    ::mlir::Value getTensorMap() {
      ::mlir::MutableOperandRange map = $_op.getTensorMapMutable();
      return map.empty() ? ::mlir::Value() : map[0].get();
    }
  }];
}

#endif // TILE_DIALECT_TILE_TILEINTERFACES
