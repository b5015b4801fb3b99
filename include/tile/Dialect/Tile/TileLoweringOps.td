//===- TileLoweringOps.td - Operations that passes introduce -*- tablegen -*-=//
//
// Legal in files too, so that every stage can be written, tested and resumed as
// text.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_DIALECT_TILE_TILELOWERINGOPS
#define TILE_DIALECT_TILE_TILELOWERINGOPS

include "tile/Dialect/Tile/TileOpBase.td"

def Tile_ConvertLayoutOp : Tile_Op<"convert_layout", [Pure]> {
  let summary = "changes which thread holds which element";
  let description = [{
    The only place where data moves between threads because of layouts. From or to
    a type without encoding it releases or fixes a layout.

    - (C1) operand and result differ at most in their encoding.

    Example:

    ```mlir
    func.func @example(%a: tensor<32xf32>) {
      %b = tile.convert_layout %a : tensor<32xf32> to tensor<32xf32,
          #tile.fragment<[32], register = [], lane = [32 : (1)], warp = [4 : (0)]>>
      return
    }
    ```
  }];
  let arguments = (ins Tile_Fragment:$source);
  let results = (outs Tile_Fragment:$result);
  let assemblyFormat = "$source attr-dict `:` type($source) `to` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Tile_PartialReduceOp
    : Tile_Op<"partial_reduce", [Pure, Tile_TakesFastMath]> {
  let summary = "combines within each warp, leaving one value per warp";
  let description = [{
    The part of a `tile.reduce` that needs no memory. Warps that share a row of
    the reduction, in the order of their warp digits along the reduced dimensions,
    are numbered 0 to W-1; the result has a last dimension of extent W that holds
    their partial results. `fastmath` as there. Introduced by
    `tile-materialize-scratch`.

    - (C1) the operand carries a layout with W warps along `dims`, and the result's
      shape is the operand's without `dims`, then W.

    Example:

    ```mlir
    #x = #tile.fragment<[1, 128], register = [], lane = [32 : (0, 1)],
                        warp = [4 : (0, 32)]>
    #p = #tile.fragment<[1, 4], register = [], lane = [32 : (0, 0)],
                        warp = [4 : (0, 1)]>
    func.func @f(%x: tensor<1x128xf32, #x>) -> tensor<1x4xf32, #p> {
      %p = tile.partial_reduce <add> %x dims [1]
           : tensor<1x128xf32, #x> -> tensor<1x4xf32, #p>
      return %p : tensor<1x4xf32, #p>
    }
    ```
  }];
  let arguments = (ins Vector_CombiningKindAttr:$kind, Tile_Fragment:$source,
                       DenseI64ArrayAttr:$dims, Tile_FastMathFlags:$fastmath);
  let results = (outs Tile_Fragment:$result);
  let assemblyFormat = [{
    $kind $source `dims` $dims (`fastmath` `` $fastmath^)? attr-dict
    `:` type($source) `->` type($result)
  }];
  let hasVerifier = 1;
}

def Tile_BarrierOp : Tile_Op<"barrier", [
    Tile_OrderEffects, Tile_StatesAccesses]> {
  let summary = "every thread of the block, or of a part of it, waits for all others";
  let description = [{
    Orders every access before it, by any of its threads, with every access after
    it. Outside of roles its threads are the block's, in a role those of the role.
    With `id`, a number of its own, roles meet: `warps` warps in all, each role
    that arrives with all of its own. With `scope = #tile.scope<warp>` each thread
    waits for those of its own warp only, which orders no more than their accesses.
    Introduced by `tile-insert-barriers`.

    - (C1) `id` and `warps` come together and are positive.
    - (C2) a barrier with an `id` has no `scope`.

    Examples:

    ```mlir
    tile.barrier
    tile.barrier {scope = #tile.scope<warp>}
    tile.barrier {id = 1 : i64, warps = 12 : i64}
    ```
  }];
  let arguments = (ins OptionalAttr<I64Attr>:$id, OptionalAttr<I64Attr>:$warps,
                       OptionalAttr<Tile_BarrierScopeAttr>:$scope);
  let assemblyFormat = "attr-dict";
  let builders = [OpBuilder<(ins), [{ /* of the whole block */ }]>];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// Whether threads meet only those of their own warp.
    bool isWithinWarp() { return getScope() == BarrierScope::Warp; }
  }];
}

def Tile_CopyCommitOp : Tile_Op<"copy_commit", [
    Tile_OrderEffects, Tile_StatesAccesses]> {
  let summary = "closes a group of asynchronous copies";
  let description = [{
    Each thread's `cp.async` copies since the last one become a group, which may be
    empty; groups complete in order. Introduced by `tile-lower-rings`.

    Example:

    ```mlir
    tile.copy_commit
    ```
  }];
  let assemblyFormat = "attr-dict";
}

def Tile_CopyWaitOp : Tile_Op<"copy_wait", [
    Tile_OrderEffects, Tile_StatesAccesses]> {
  let summary = "each thread waits for its own asynchronous copies";
  let description = [{
    After it, the bytes that this thread's `cp.async` copies wrote are visible to
    this thread; a `tile.barrier` makes them visible to the block. With `pending`,
    that many of the youngest groups (see `tile.copy_commit`) may still be in
    flight. Introduced by `tile-insert-barriers` and `tile-lower-rings`.

    - (C1) `pending` is not negative.

    Example:

    ```mlir
    tile.copy_wait
    tile.copy_wait {pending = 1 : i64}
    ```
  }];
  let arguments = (ins OptionalAttr<I64Attr>:$pending);
  let assemblyFormat = "attr-dict";
  let hasVerifier = 1;
}

def Tile_ProxyFenceOp : Tile_Op<"proxy_fence", [
    Tile_OrderEffects, Tile_StatesAccesses]> {
  let summary = "shows a thread's accesses to the asynchronous proxy";
  let description = [{
    What each thread wrote to shared memory by loads, stores and copies of its own
    is seen by bulk copies and by products that read through descriptors, its own
    and those of threads that it meets at a barrier afterwards. Introduced by
    `tile-insert-barriers`.

    Example:

    ```mlir
    tile.proxy_fence
    ```
  }];
  let assemblyFormat = "attr-dict";
}

def Tile_EncodeTensorMapOp : Tile_Op<"encode_tensor_map", [Pure],
                                     [StandsIn<"Host">]> {
  let summary = "describes a tensor to bulk copies";
  let description = [{
    A copy by the map moves a box of `box` elements, one extent per dimension of the
    memref, between it and shared memory, where the box lies dense under the XOR of
    the `swizzle` mode of 32, 64 or 128 bytes (0 for none). Made by
    `tile-outline-kernels`, whose kernels take the map as a parameter.

    With `im2col` a copy names a pixel of an NHWC image and where the kernel's element
    is; the box has the pixels that follow at `strides` and channels of each. Pixels go
    from `lower` to `upper` behind the image's size along both of its spatial
    dimensions, and on to the next image.

    What the encoder asks for is checked where the program runs: the address and the
    strides but the innermost are multiples of 16 bytes, the innermost stride is 1,
    no size is zero.

    Elements of 4 bits are described as their bytes, and rows have whole ones.

    - (C1) a memref in global memory of rank 1 to 5 whose elements have a whole
      number of bytes, or of 4 bits and no image.
    - (C2) a box of 1 to 256 elements a dimension, of 4 bits 512 along the innermost,
      whose rows are multiples of 16 bytes and, with a swizzle mode, as long as the mode.
    - (C3) `lower`, `upper` and `strides` have an entry for each of height and width, of
      a memref of rank 4; corners from -128 to 127, strides from 1 to 8. The box is of
      pixels and channels.

    Example:

    ```mlir
    func.func @f(%m: memref<?x512xf16>) {
      %map = tile.encode_tensor_map %m box [128, 64] swizzle 128
             : memref<?x512xf16>
      return
    }

    func.func @image(%m: memref<?x56x56x128xf16>) {
      %map = tile.encode_tensor_map %m im2col lower [-1, -1] upper [-1, -1]
             strides [2, 2] box [128, 64] swizzle 128 : memref<?x56x56x128xf16>
      return
    }
    ```
  }];
  let arguments = (ins AnyMemRef:$source, DenseI64ArrayAttr:$box,
                       I64Attr:$swizzle,
                       OptionalAttr<DenseI64ArrayAttr>:$lower,
                       OptionalAttr<DenseI64ArrayAttr>:$upper,
                       OptionalAttr<DenseI64ArrayAttr>:$strides);
  let results = (outs Tile_TensorMap:$result);
  let assemblyFormat = [{
    $source (`im2col` `lower` $lower^ `upper` $upper `strides` $strides)?
    `box` $box `swizzle` custom<PlainInteger>($swizzle) attr-dict
    `:` type($source)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{ bool isIm2Col() { return !!getLowerAttr(); } }];
}

def Tile_SmCountOp : Tile_Op<"sm_count", [Pure], [StandsIn<"Host">]> {
  let summary = "the number of multiprocessors of the device";
  let description = [{
    At least one. Of the device on which the program's kernels run; without one
    `tile-run` takes what the largest product with the chip has. `tile-expand-grid`
    starts as many blocks of a persistent launch.

    Example:

    ```mlir
    func.func @f() -> index {
      %count = tile.sm_count
      return %count : index
    }
    ```
  }];
  let results = (outs Index:$result);
  let assemblyFormat = "attr-dict";
}

def Tile_ArenaOp : Tile_Op<"arena"> {
  let summary = "the shared memory of a launch, as bytes";
  let description = [{
    At most one per launch, at the start of its body.

    - (C1) a 1-D memref of i8 of `size` bytes.

    Example:

    ```mlir
    %a = tile.arena 1024 : memref<1024xi8, #gpu.address_space<workgroup>>
    ```
  }];
  let arguments = (ins I64Attr:$size, OptionalAttr<I64Attr>:$lower_bound);
  let results = (outs Res<Tile_SharedMemRef, "the bytes", [MemAlloc]>:$result);
  let assemblyFormat =
      "custom<PlainInteger>($size) attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def Tile_ViewOp : Tile_Op<"view", [Pure]> {
  let summary = "a buffer at an offset of the arena";
  let description = [{
    What a `tile.alloc` becomes when shared memory is planned. `offset` is in
    bytes; elements lie as `layout` says.

    - (C1) the view lies inside the arena and is aligned as its layout asks.

    Example:

    ```mlir
    %a = tile.arena 8192 : memref<8192xi8, #gpu.address_space<workgroup>>
    %s = tile.view %a[4096] layout(#tile.shared<[32, 32]>)
         : memref<8192xi8, #gpu.address_space<workgroup>>
         to memref<32x32xf32, #gpu.address_space<workgroup>>
    ```
  }];
  let arguments = (ins Tile_SharedMemRef:$arena, I64Attr:$offset,
                       Tile_SharedAttr:$layout);
  let results = (outs Tile_SharedMemRef:$result);
  let assemblyFormat = [{
    $arena `[` custom<PlainInteger>($offset) `]` `layout` `(` custom<BufferLayout>($layout) `)` attr-dict
    `:` type($arena) `to` type($result)
  }];
  let hasVerifier = 1;
}

def Tile_OnceOp : Tile_Op<"once", [
    RecursiveMemoryEffects, NoRegionArguments,
    SingleBlockImplicitTerminator<"YieldOp">, RegionsAre<"Once">]> {
  let summary = "one thread of the block acts";
  let description = [{
    What a block-level store or atomic becomes; a value comes back through scratch
    memory. Introduced by `tile-materialize-scratch`.

    - (C1) the body holds scalar operations only.

    Example:

    ```mlir
    func.func @example(%m: memref<16xf32>, %v: f32, %i: index) {
      tile.once {
        memref.store %v, %m[%i] : memref<16xf32>
      }
      return
    }
    ```
  }];
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$body attr-dict";
  let hasRegionVerifier = 1;
}

#endif // TILE_DIALECT_TILE_TILELOWERINGOPS
