//===- TileAttributes.td - Layouts, stages and hints -------*- tablegen -*-===//

#ifndef TILE_DIALECT_TILE_TILEATTRIBUTES
#define TILE_DIALECT_TILE_TILEATTRIBUTES

include "tile/Dialect/Tile/TileDialect.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/TensorEncoding.td"

class Tile_Attr<string name, string attrMnemonic, list<Trait> traits = []>
    : AttrDef<Tile_Dialect, name, traits> {
  let mnemonic = attrMnemonic;
}

//===----------------------------------------------------------------------===//
// Enumerations
//===----------------------------------------------------------------------===//

class Tile_Enum<string name, string text, list<I32EnumAttrCase> cases>
    : I32EnumAttr<name, text, cases> {
  let cppNamespace = "::mlir::tile";
  let genSpecializedAttr = 0;
}

class Tile_EnumAttr<EnumAttrInfo info, string attrMnemonic, string text>
    : EnumAttr<Tile_Dialect, info, attrMnemonic> {
  let summary = text;
  let assemblyFormat = "`<` $value `>`";
}

def Tile_Stage : Tile_Enum<"Stage", "how far a launch or kernel is compiled", [
  I32EnumAttrCase<"Source", 0, "source">,
  I32EnumAttrCase<"Logical", 1, "logical">,
  I32EnumAttrCase<"LaidOut", 2, "laid_out">,
  I32EnumAttrCase<"Materialized", 3, "materialized">,
  I32EnumAttrCase<"Scheduled", 4, "scheduled">,
  I32EnumAttrCase<"Placed", 5, "placed">,
  I32EnumAttrCase<"Synchronized", 6, "synchronized">,
  I32EnumAttrCase<"Outlined", 7, "outlined">,
  I32EnumAttrCase<"Threaded", 8, "threaded">
]>;
def Tile_StageAttr : Tile_EnumAttr<Tile_Stage, "stage",
    "the stage that a launch, kernel or function has reached">;

def Tile_Precision : Tile_Enum<"Precision", "how f32 operands are multiplied", [
  I32EnumAttrCase<"IEEE", 0, "ieee">, I32EnumAttrCase<"TF32", 1, "tf32">
]>;
def Tile_PrecisionAttr : Tile_EnumAttr<Tile_Precision, "precision",
    "how `tile.gemm` multiplies f32 operands">;

def Tile_Warps : Tile_Enum<"Warps", "how warps share a result", [
  I32EnumAttrCase<"Square", 0, "square">, I32EnumAttrCase<"Rows", 1, "rows">,
  I32EnumAttrCase<"Columns", 2, "columns">
]>;
def Tile_WarpsAttr : Tile_EnumAttr<Tile_Warps, "warps",
    "how the warps of a block share the result of a gemm">;

def Tile_WarpSpecialize : Tile_Enum<"WarpSpecialize", "whether warps get roles", [
  I32EnumAttrCase<"Auto", 0, "auto">, I32EnumAttrCase<"On", 1, "on">,
  I32EnumAttrCase<"Off", 2, "off">
]>;
def Tile_WarpSpecializeAttr : Tile_EnumAttr<Tile_WarpSpecialize,
    "warp_specialize", "whether producer warps are added to a launch">;

def Tile_Consumers : Tile_Enum<"Consumers", "whether consumers take turns", [
  I32EnumAttrCase<"Auto", 0, "auto">,
  I32EnumAttrCase<"Cooperative", 1, "cooperative">,
  I32EnumAttrCase<"Alternating", 2, "alternating">,
  I32EnumAttrCase<"PingPong", 3, "pingpong">
]>;
def Tile_ConsumersAttr : Tile_EnumAttr<Tile_Consumers, "consumers",
    "whether consumers start products in turns, and whether of tiles of their own">;

def Tile_BarrierScope : Tile_Enum<"BarrierScope", "who meets at a barrier", [
  I32EnumAttrCase<"Warp", 0, "warp">, I32EnumAttrCase<"Block", 1, "block">
]>;
def Tile_BarrierScopeAttr : Tile_EnumAttr<Tile_BarrierScope, "scope",
    "whether the threads of each warp or all of the block meet at a barrier">;

def Tile_RasterOrder : Tile_Enum<"RasterOrder", "how blocks walk the grid", [
  I32EnumAttrCase<"Row", 0, "row">, I32EnumAttrCase<"Column", 1, "column">
]>;

//===----------------------------------------------------------------------===//
// Launch and module attributes
//===----------------------------------------------------------------------===//

def Tile_RasterizeAttr : Tile_Attr<"Rasterize", "rasterize"> {
  let summary = "the order in which blocks visit the grid";
  let description = [{
    The grid is cut into panels of `panel` rows (`row`) or columns (`column`);
    inside a panel consecutive blocks walk across it, so that blocks that run at
    the same time share operands in the L2 cache. `panel` is positive.

    Example:

    ```mlir
    #tile.rasterize<row, 8>
    ```
  }];
  let parameters = (ins EnumParameter<Tile_RasterOrder>:$order,
                        "int64_t":$panel);
  let assemblyFormat = "`<` $order `,` $panel `>`";
  let genVerifyDecl = 1;
}

def Tile_TargetAttr : Tile_Attr<"Target", "target"> {
  let summary = "the chip that a module is compiled for";
  let description = [{
    Names a row of the Hardware library. Set on the module by `tile-set-target`.

    Example:

    ```mlir
    #tile.target<"sm_90a">
    ```
  }];
  let parameters = (ins StringRefParameter<"name of the chip">:$chip);
  let assemblyFormat = "`<` $chip `>`";
  let genVerifyDecl = 1;
}

def Tile_RoleKind : Tile_Enum<"RoleKind", "what a group of warps is for", [
  I32EnumAttrCase<"Producer", 0, "producer">,
  I32EnumAttrCase<"Consumer", 1, "consumer">
]>;

def Tile_RoleAttr : Tile_Attr<"Role", "role"> {
  let summary = "a group of warps with a program of its own";
  let description = [{
    `warps` is 1 to 1024; `registers`, per thread, is positive, or 0 where the role
    has what the launch gives it.

    Example: `#tile.role<consumer, warps = 8, registers = 232>`
  }];
  let parameters = (ins EnumParameter<Tile_RoleKind>:$kind, "int64_t":$warps,
                        DefaultValuedParameter<"int64_t", "0">:$registers);
  let assemblyFormat = [{
    `<` $kind `,` `warps` `=` $warps (`,` `registers` `=` $registers^)? `>`
  }];
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// How many warpgroups, of four warps each, it is; 0 where warps are left over.
    int64_t getWarpgroupCount() const {
      return getWarps() % 4 == 0 ? getWarps() / 4 : 0;
    }
  }];
}

def Tile_RolesAttr : Tile_Attr<"Roles", "roles"> {
  let summary = "the roles of a launch, in the order of their warps";
  let description = [{
    At least one is a consumer.

    Example:

    ```mlir
    #tile.roles<<producer, warps = 4>, <consumer, warps = 8>>
    ```
  }];
  let parameters = (ins ArrayRefParameter<"::mlir::tile::RoleAttr">:$roles);
  let assemblyFormat = "`<` $roles `>`";
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// The warps that compute: those of the consumers.
    int64_t getConsumerWarps() const;
    /// All warps.
    int64_t getWarps() const;
  }];
}

//===----------------------------------------------------------------------===//
// Instructions
//===----------------------------------------------------------------------===//

def Tile_InstructionAttr : Tile_Attr<"Instruction", "instruction"> {
  let summary = "a matrix or copy instruction";
  let description = [{
    Names a row of the tables of the Hardware library, from which everything that
    is known about the instruction follows.

    Example:

    ```mlir
    #tile.instruction<"cp.async">
    ```
  }];
  let parameters = (ins StringRefParameter<"name of the row">:$name);
  let assemblyFormat = "`<` $name `>`";
  let genVerifyDecl = 1;
  let builders = [
    AttrBuilder<(ins "const ::tilec::MatrixInstruction &":$row)>,
    AttrBuilder<(ins "const ::tilec::CopyInstruction &":$row)>
  ];
  let extraClassDeclaration = [{
    /// The row of the table of matrix instructions; null for one that moves
    /// data.
    const ::tilec::MatrixInstruction *getMatrix() const;
    /// The row of the table of copy instructions; null for one that multiplies.
    const ::tilec::CopyInstruction *getCopy() const;
    /// Whether what it does is done only after a wait.
    bool isAsynchronous() const;
  }];
}

def Tile_OperandLoadAttr : Tile_Attr<"OperandLoad", "operand_load"> {
  let summary = "how an operand comes from shared memory to registers";
  let description = [{
    The instruction and the elements that one access of it moves: of ldmatrix a row
    of a matrix, of a load what one thread loads at once.

    Example:

    ```mlir
    #tile.operand_load<<"ld">, width = 2>
    ```
  }];
  let parameters = (ins "::mlir::tile::InstructionAttr":$instruction,
                        "int64_t":$width);
  let assemblyFormat = "`<` $instruction `,` `width` `=` $width `>`";
  let genVerifyDecl = 1;
}

//===----------------------------------------------------------------------===//
// Facts about kernel parameters
//===----------------------------------------------------------------------===//

def Tile_MemRefFactsAttr : Tile_Attr<"MemRefFacts", "memref_facts"> {
  let summary = "what is known of a memref that is passed to a kernel";
  let description = [{
    Stands on a parameter of a kernel (`tile.memref_facts`) and on the launch
    that starts it (in `tile.operand_facts`), put there by
    `tile-outline-kernels`. `base_alignment` divides the address of the
    allocation, `alignment` that of the view's first element, both in bytes;
    `sizes` and `strides` hold a divisor per dimension, 0 for a number that is
    zero; `contiguous` says that the innermost stride is 1.

    Example:

    ```mlir
    #tile.memref_facts<base_alignment = 16, alignment = 8, sizes = [1, 8],
                       strides = [8, 1], contiguous = true>
    ```
  }];
  let parameters = (ins "int64_t":$base_alignment, "int64_t":$alignment,
                        OptionalArrayRefParameter<"int64_t">:$sizes,
                        OptionalArrayRefParameter<"int64_t">:$strides,
                        DefaultValuedParameter<"bool", "false">:$contiguous);
  let assemblyFormat = [{
    `<` `base_alignment` `=` $base_alignment `,` `alignment` `=` $alignment
    (`,` `sizes` `=` `[` $sizes^ `]`)? (`,` `strides` `=` `[` $strides^ `]`)?
    (`,` `contiguous` `=` $contiguous^)? `>`
  }];
  let genVerifyDecl = 1;
}

def Tile_ScalarFactsAttr : Tile_Attr<"ScalarFacts", "scalar_facts"> {
  let summary = "what is known of an integer that is passed to a kernel";
  let description = [{
    Stands where `#tile.memref_facts` stands, for integers and indices (as
    `tile.scalar_facts`). `divisor` divides the number, 0 if it is zero; as a
    signed number it is at least `min` and at most `max`. What is not written
    says nothing.

    Example:

    ```mlir
    #tile.scalar_facts<divisor = 64, min = 0, max = 960>
    ```
  }];
  let parameters = (ins
    DefaultValuedParameter<"int64_t", "1">:$divisor,
    DefaultValuedParameter<"int64_t",
                           "std::numeric_limits<int64_t>::min()">:$min,
    DefaultValuedParameter<"int64_t",
                           "std::numeric_limits<int64_t>::max()">:$max);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

//===----------------------------------------------------------------------===//
// Layouts
//===----------------------------------------------------------------------===//

def Tile_FragmentAttr : Tile_Attr<"Fragment", "fragment",
    [DeclareAttrInterfaceMethods<VerifiableTensorEncoding>]> {
  let summary = "#tile.fragment<..>, the layout of a fragment: which thread "
                "holds which element";
  let description = [{
    The encoding of a `tensor` whose layout is chosen. Each of `register`, `lane`
    and `warp` is a mixed-radix number, least significant digit first; a digit is
    `extent : (steps)` with one step per logical dimension, at most one of them
    not zero. A digit of zero steps replicates. The coordinate of a position is
    the sum of digit times step. Layouts are canonical: what is parsed otherwise is
    printed in the one canonical spelling.

    Example, the accumulator of `mma.m16n8k16`:

    ```mlir
    #tile.fragment<[16, 8], register = [2 : (0, 1), 2 : (8, 0)],
                   lane = [4 : (0, 2), 8 : (1, 0)], warp = []>
    ```
  }];
  // The canonical layout as one sequence of words: rank, shape, then for
  // register, lane and warp the number of digits and (extent, dim, step) of each.
  let parameters = (ins ArrayRefParameter<"int64_t">:$words);
  let hasCustomAssemblyFormat = 1;
  let skipDefaultBuilders = 1;
  let builders = [AttrBuilderWithInferredContext<(ins
      "::mlir::MLIRContext *":$context,
      "const ::tilec::FragmentLayout &":$layout)>];
  let extraClassDeclaration = [{
    /// The layout as a value of the layout library.
    ::tilec::FragmentLayout getLayout() const;
  }];
}

def Tile_SharedAttr : Tile_Attr<"Shared", "shared",
    [DeclareAttrInterfaceMethods<VerifiableTensorEncoding>]> {
  let summary = "#tile.shared<..>, the layout of a shared buffer: where it "
                "keeps its elements";
  let description = [{
    The layout of a `tile.alloc`. In full, `offset` lists mixed-radix digits as in
    `#tile.fragment`, optionally with a `weight` in elements where padding leaves
    a gap, and `xor = [bits, base, shift]` an XOR of byte-address bits. The short
    form gives `order` (fastest dimension first), `pad` (elements after each
    innermost row) or `swizzle` (the 32-, 64- or 128-byte mode); it is kept as
    written and expanded with the element type of the buffer.

    Examples:

    ```mlir
    #tile.shared<[32, 128], offset = [64 : (0, 1), 32 : (1, 0), 2 : (0, 64)],
                 xor = [3, 4, 3]>
    #tile.shared<[128, 64], order = [1, 0], swizzle = 128>
    #tile.shared<[128, 64], pad = 8>
    ```
  }];
  // `words` is empty in the short form; else (extent, dim, step, weight) a digit.
  // `order`, `pad` and `swizzle` are empty or -1 where not written.
  let parameters = (ins
    ArrayRefParameter<"int64_t">:$shape,
    OptionalArrayRefParameter<"int64_t">:$words,
    OptionalArrayRefParameter<"int64_t">:$xorBits,
    OptionalArrayRefParameter<"int64_t">:$order,
    "int64_t":$pad,
    "int64_t":$swizzle);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let skipDefaultBuilders = 1;
  let builders = [AttrBuilderWithInferredContext<(ins
      "::mlir::MLIRContext *":$context,
      "const ::tilec::SharedLayout &":$layout)>];
  let extraClassDeclaration = [{
    bool isShortForm() const { return getWords().empty(); }
    /// The layout for elements of `elementBits` bits in memory, or the reason why
    /// the short form does not fit them.
    ::tilec::Expected<::tilec::SharedLayout> getLayout(int64_t elementBits) const;
  }];
}

#endif // TILE_DIALECT_TILE_TILEATTRIBUTES
