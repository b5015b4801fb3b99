//===- TileAsyncOps.td - Roles, rings, pending values ------*- tablegen -*-===//
//
// What runs beside the rest of a block: groups of warps with a program of their
// own, buffers that one group fills while another empties them, products whose
// result comes later. See docs/decisions/0005-roles-rings-and-pending-values.md.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_DIALECT_TILE_TILEASYNCOPS
#define TILE_DIALECT_TILE_TILEASYNCOPS

include "tile/Dialect/Tile/TileProductOp.td"

//===----------------------------------------------------------------------===//
// Roles
//===----------------------------------------------------------------------===//

def Tile_SpecializeOp : Tile_Op<"specialize", [
    RecursiveMemoryEffects, NoRegionArguments, NoTerminator, SingleBlock]> {
  let summary = "gives groups of warps a program each";
  let description = [{
    A region per role, in the order of their warps. The regions run at the same
    time; each is a sequential program for its group of warps. They meet at rings
    and at named barriers only. `registers` is the budget of each thread of a
    role; without it all roles have the same.

    - (C1) one region per role.
    - (C2) it stands in the body of a launch or kernel itself, before nothing but
      its terminator.
    - (C3) the consumers have the `threads` of the launch, a producer's warps come
      on top, and a block can have them all.
    - (C4) no fragment and no pending value comes from outside a role.
    - (C5) the launch's `roles`, where written, are the same.

    Example:

    ```mlir
    func.func @f(%n: index) {
      tile.launch blocks(%b) in (%n) threads(128) {
        tile.specialize
          producer warps(1) registers(40) {
            tile.barrier {id = 1 : i64, warps = 5 : i64}
          }
          consumer warps(4) registers(232) {
            tile.barrier {id = 1 : i64, warps = 5 : i64}
          }
      }
      return
    }
    ```
  }];
  let arguments = (ins Tile_RolesAttr:$roles);
  let regions = (region VariadicRegion<SizedRegion<1>>:$bodies);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Turns
//===----------------------------------------------------------------------===//

def Tile_TakeTurnOp : Tile_Op<"take_turn", [
    Tile_OrderEffects, Tile_StatesAccesses]> {
  let summary = "each warpgroup waits for its turn";
  let description = [{
    The warpgroups that take turns, four warps each, go on from here one after the
    other, in a circle: the first one first, each other one when the one in front of it
    has passed its turn on (`tile.pass_turn`). They are those of all consumers that have
    such an operation, in the order of their warps. They start products in their turn, so
    that those of one run while another computes. It orders no accesses. Introduced by
    `tile-alternate-consumers`.

    - (C1) it stands in a launch with roles, in one of whose consumers it is or will be,
      and two warpgroups or more take turns.
    - (C2) the turn is passed on behind it in the same block, before another is taken.
    - (C3) nobody waits for another warpgroup in a turn: no barrier but one within a
      warp, or of a consumer that is one warpgroup, and no other turn stands in between,
      in regions neither.

    Example:

    ```mlir
    func.func @f(%n: index) {
      tile.launch blocks(%b) in (%n) threads(256) {
        tile.specialize
          consumer warps(8) {
            tile.take_turn
            tile.pass_turn
          }
      }
      return
    }
    ```
  }];
  let assemblyFormat = "attr-dict";
  let extraClassDeclaration = [{
    /// Whether a turn is taken in `program`.
    static bool isIn(Region &program);
  }];
  let hasVerifier = 1;
}

def Tile_PassTurnOp : Tile_Op<"pass_turn", [
    Tile_OrderEffects, Tile_StatesAccesses]> {
  let summary = "each warpgroup ends its turn";
  let description = [{
    The warpgroup behind it may go on; behind the last one comes the first one, with
    its next turn.

    - (C1) the turn was taken in front of it in the same block, and not passed on yet.

    Example:

    ```mlir
    func.func @f(%n: index) {
      tile.launch blocks(%b) in (%n) threads(256) {
        tile.specialize
          consumer warps(8) {
            tile.take_turn
            tile.pass_turn
          }
      }
      return
    }
    ```
  }];
  let assemblyFormat = "attr-dict";
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Rings
//===----------------------------------------------------------------------===//

def Tile_RingOp : Tile_Op<"ring", [
    AttrSizedOperandSegments, Tile_OrderEffects, Tile_StatesAccesses]> {
  let summary = "guards the slots of buffers by a pair of barriers each";
  let description = [{
    The outermost dimension of each buffer counts the slots. A producer acquires a
    slot, fills it and commits it; a consumer waits for it, reads it and releases
    it. Each use has a number: uses are acquired in the order 0, 1, 2, ..; number
    `n` lies in slot `n mod slots` and can be acquired when number `n - slots` was
    released `consumers` times.

    A slot may be written only while it is acquired, by the role that did so, and
    read only by that role or by one that waited for it and has not released it.
    Where one role both fills a ring and is its only consumer, it may also write a
    slot between the wait and the release: it transforms the slot in place.

    `barriers` holds the words of the mbarriers that carry the ring out: word [0, s]
    says that slot s is full, word [1, s] that it is empty. With `modulo` the numbers
    of its uses are given modulo twice the slots, as much of them as the slot and
    the phase of its mbarriers take; at most `slots` uses are under way, so that
    they are still told apart. Both come from `tile-lower-rings`.

    - (C1) the buffers are allocations or views of the arena with `slots` as their
      outermost extent.
    - (C2) `consumers` is positive.
    - (C3) at most one role acquires and commits, and every other operation on the
      ring is a wait or a release.
    - (C4) a buffer is in one ring, once, and is used after it only.
    - (C5) `barriers` is an allocation or a view of the arena of 2 x `slots` words
      of 64 bits, and nothing else uses it.

    Example:

    ```mlir
    %a = tile.alloc : memref<3x64x32xf16, #gpu.address_space<workgroup>>
    %ring = tile.ring %a : memref<3x64x32xf16, #gpu.address_space<workgroup>>
            -> !tile.ring<3>
    ```
  }];
  let arguments = (ins
    Variadic<Tile_SharedMemRef>:$buffers,
    Optional<Tile_SharedMemRef>:$barriers,
    DefaultValuedAttr<I64Attr, "1">:$consumers,
    UnitAttr:$modulo);
  let results = (outs Tile_RingType:$result);
  let assemblyFormat = [{
    $buffers (`barriers` `(` $barriers^ `:` type($barriers) `)`)? attr-dict
    `:` type($buffers) `->` qualified(type($result))
  }];
  // Over buffers, as yet carried out by nothing.
  let builders = [OpBuilder<(ins "RingType":$type,
                                 "::mlir::ValueRange":$buffers)>];
  let hasVerifier = 1;
}

class Tile_RingUse<string opMnemonic, dag slot = (outs)>
    : Tile_Op<opMnemonic, [Tile_OrderEffects, Tile_StatesAccesses]> {
  let arguments = (ins Tile_RingType:$ring, Index:$number);
  let results = slot;
  let assemblyFormat = 
      "$ring `[` $number `]` attr-dict `:` qualified(type($ring))";
}

def Tile_RingAcquireOp
    : Tile_RingUse<"ring_acquire", (outs Index:$slot)> {
  let summary = "waits until a slot is free to be filled";
  let description = [{
    Gives the slot of use `number`. The contents of the slot are undefined.

    Example:

    ```mlir
    func.func @example(%ring: !tile.ring<3>, %n: index) {
      %slot = tile.ring_acquire %ring[%n] : !tile.ring<3>
      return
    }
    ```
  }];
}

def Tile_RingCommitOp : Tile_RingUse<"ring_commit"> {
  let summary = "says that a slot is filled";
  let description = [{
    The slot is full when what the role wrote to it since it was acquired,
    asynchronous copies included, has arrived.

    Example:

    ```mlir
    func.func @example(%ring: !tile.ring<3>, %n: index) {
      tile.ring_commit %ring[%n] : !tile.ring<3>
      return
    }
    ```
  }];
}

def Tile_RingWaitOp : Tile_RingUse<"ring_wait", (outs Index:$slot)> {
  let summary = "waits until a slot is full";
  let description = [{
    Gives the slot of use `number`, which may be read until its release.

    Example:

    ```mlir
    func.func @example(%ring: !tile.ring<3>, %n: index) {
      %slot = tile.ring_wait %ring[%n] : !tile.ring<3>
      return
    }
    ```
  }];
}

def Tile_RingReleaseOp : Tile_RingUse<"ring_release"> {
  let summary = "says that a role does not read a slot any more";
  let description = [{
    Waits for the products of this role in flight that read the slot, and for those
    before them on their accumulators. Put behind the start of the next product, it
    lets that one go on: which products may stay in flight is derived from the
    slots that they read.

    Example:

    ```mlir
    func.func @example(%ring: !tile.ring<3>, %n: index) {
      tile.ring_release %ring[%n] : !tile.ring<3>
      return
    }
    ```
  }];
}

//===----------------------------------------------------------------------===//
// Pending values
//===----------------------------------------------------------------------===//

def Tile_FragmentOrPending : Type<
    Or<[Tile_Fragment.predicate, CPred<"::llvm::isa<PendingType>($_self)">]>,
    "fragment or pending fragment">;

def Tile_GemmAsyncOp : Tile_ProductOp<"gemm_async",
    (ins Arg<Tile_FragmentOrShared, "M x K">:$a,
         Arg<Tile_FragmentOrShared, "K x N">:$b,
         Optional<Tile_FragmentOrPending>:$c,
         Arg<Optional<Tile_FragmentOrShared>, "M x K/16 of i16">:$meta),
    productKinds, [AttrSizedOperandSegments]> {
  let summary = "starts a matrix product";
  let description = [{
    As `tile.gemm`, but the result is pending. The accumulator may be pending too:
    products that follow each other on one accumulator need no wait between. The
    operands `a` and `b` in shared memory must not change before the wait. With
    `meta` the product is that of `tile.gemm_sparse`, of which `meta` is read where
    it starts.

    - (C1) what `tile.gemm`, or `tile.gemm_sparse`, asks for, of the fragment that is
      pending.
    - (C2) a pending value is consumed exactly once on every path: by `tile.wait`,
      as an accumulator, or by being carried on by `scf.for` or `scf.if`. An
      `scf.if` does not merely choose between two values from outside.

    Example:

    ```mlir
    func.func @example(%a: tensor<64x32xf16>, %b: tensor<32x64xf16>,
                       %c: tensor<64x64xf32>) {
      %p = tile.gemm_async %a, %b, %c
           : tensor<64x32xf16>, tensor<32x64xf16>, tensor<64x64xf32>
           -> !tile.pending<tensor<64x64xf32>>
      %d = tile.wait %p : !tile.pending<tensor<64x64xf32>>
      return
    }
    ```
  }];
  let results = (outs Tile_PendingType:$result);
  let assemblyFormat = [{
    $a `,` $b (`,` $c^)? (`meta` `(` $meta^ `:` type($meta) `)`)? attr-dict
    `:` type($a) `,` type($b) (`,` type($c)^)? `->` qualified(type($result))
  }];
  let extraClassDeclaration = [{
    bool isUnsignedA() { return getUnsignedA(); }
    bool isUnsignedB() { return getUnsignedB(); }
    bool isTF32() { return getPrecision() == Precision::TF32; }
    ::mlir::OpOperand *getMetadata() {
      ::mlir::MutableOperandRange meta = getMetaMutable();
      return meta.empty() ? nullptr : &meta[0];
    }
    ::mlir::RankedTensorType getProductType() { return getType().getFragment(); }
  }];
}

def Tile_WaitOp : Tile_Op<"wait", [MemoryEffects<[MemRead, MemWrite]>,
    TypesMatchWith<"the result is the fragment that was pending", "pending",
                   "result",
                   "::llvm::cast<PendingType>($_self).getFragment()">]> {
  let summary = "gives a fragment that was pending";
  let description = [{
    Waits for the product and those before it on the same accumulator; their
    operands may be overwritten afterwards.

    Example:

    ```mlir
    func.func @example(%p: !tile.pending<tensor<64x64xf32>>) {
      %d = tile.wait %p : !tile.pending<tensor<64x64xf32>>
      return
    }
    ```
  }];
  let arguments = (ins Tile_PendingType:$pending);
  let results = (outs Tile_Fragment:$result);
  let assemblyFormat = "$pending attr-dict `:` qualified(type($pending))";
}

def Tile_ProductWaitOp : Tile_Op<"product_wait", [
    Tile_OrderEffects, Tile_StatesAccesses]> {
  let summary = "waits for products in flight";
  let description = [{
    After it, at most `pending` of the products that this role started last are in
    flight; the others have read their operands and have their results. Put in
    front of each `tile.wait` and of the releases of what products read, by
    `tile-lower-rings`, which counts them.

    - (C1) `pending` is not negative.

    Example:

    ```mlir
    tile.product_wait {pending = 1 : i64}
    ```
  }];
  let arguments = (ins I64Attr:$pending);
  let assemblyFormat = "attr-dict";
  let hasVerifier = 1;
}

def Tile_CloneOp : Tile_Op<"clone", [Pure, SameOperandsAndResultType]> {
  let summary = "copies a fragment to other registers";
  let description = [{
    An accumulator that is used after a product was started on it is cloned first.

    Example:

    ```mlir
    func.func @example(%c: tensor<64x64xf32>) {
      %d = tile.clone %c : tensor<64x64xf32>
      return
    }
    ```
  }];
  let arguments = (ins Tile_Fragment:$source);
  let results = (outs Tile_Fragment:$result);
  let assemblyFormat = "$source attr-dict `:` type($source)";
}

#endif // TILE_DIALECT_TILE_TILEASYNCOPS
