//===- ScheduledPasses.td - From schedules to barriers -----*- tablegen -*-===//
//
// The passes behind the schedule: where buffers lie, and what orders accesses to them.
// Part of Passes.td.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_TRANSFORMS_SCHEDULEDPASSES
#define TILE_TRANSFORMS_SCHEDULEDPASSES

include "mlir/Pass/PassBase.td"

def PlanSharedMemory : Pass<"tile-plan-shared-memory", "::mlir::func::FuncOp"> {
  let summary = "gives every shared buffer its place in one arena";
  let description = [{
    Requires *scheduled*, establishes *placed*. Finds by dataflow over the
    structured control flow which buffers are live at the same time, packs them so
    that those do not overlap, and replaces each `tile.alloc` by a `tile.view` of
    the launch's one `tile.arena`. A launch that needs more than the chip has is
    an error that lists the buffers live at the peak and says what would fit: which
    loop with how many stages, which buffer how much smaller, and which chips take
    the launch as it is.

    Sharing bytes costs barriers, so with `reuse=cold` buffers share only where that
    saves something. As many blocks stay on a multiprocessor as with the fewest
    bytes. Slots share 8192 bytes and more with what no loop uses together with them;
    if all else side by side leaves as many blocks, it keeps its own bytes, else
    buffers of one loop are kept apart as far as that goes, those of the innermost
    loops first. The remark `Arena` says how many pairs are kept apart that could
    share, and how many bytes that costs. `reuse=always` takes the smallest
    packing, `reuse=never` shares nothing.

    Before:

    ```mlir
    #shared = #gpu.address_space<workgroup>
    #f = #tile.fragment<[32], register = [], lane = [32 : (1)], warp = []>
    func.func @f(%n: index, %a: memref<32xf32>) {
      tile.launch @k blocks(%b) in (%n) threads(32) attributes {stage = #tile.stage<scheduled>} {
        %s = tile.alloc layout(#tile.shared<[32]>) : memref<32xf32, #shared>
        %t = tile.alloc layout(#tile.shared<[32]>) : memref<32xf32, #shared>
        %x = tile.load %a : memref<32xf32> -> tensor<32xf32, #f>
        tile.store %x, %s : tensor<32xf32, #f>, memref<32xf32, #shared>
        tile.store %x, %t : tensor<32xf32, #f>, memref<32xf32, #shared>
      }
      return
    }
    ```

    After `--tile-plan-shared-memory`:

    ```mlir
    #shared = #gpu.address_space<workgroup>
    #f = #tile.fragment<[32], register = [], lane = [32 : (1)], warp = []>
    func.func @f(%n: index, %a: memref<32xf32>) {
      tile.launch @k blocks(%b) in (%n) threads(32) attributes {stage = #tile.stage<placed>} {
        %arena = tile.arena 256 {lower_bound = 256 : i64} : memref<256xi8, #shared>
        %s = tile.view %arena[0] layout(#tile.shared<[32]>) : memref<256xi8, #shared> to memref<32xf32, #shared>
        %t = tile.view %arena[128] layout(#tile.shared<[32]>) : memref<256xi8, #shared> to memref<32xf32, #shared>
        %x = tile.load %a : memref<32xf32> -> tensor<32xf32, #f>
        tile.store %x, %s : tensor<32xf32, #f>, memref<32xf32, #shared>
        tile.store %x, %t : tensor<32xf32, #f>, memref<32xf32, #shared>
      }
      return
    }
    ```
  }];
  let dependentDialects = ["::mlir::tile::TileDialect"];
  let options = [
    Option<"reuse", "reuse", "::mlir::tile::ReusePolicy",
           /*default=*/"::mlir::tile::ReusePolicy::Cold",
           "Where buffers that are never live together share bytes",
           [{::llvm::cl::values(
               clEnumValN(::mlir::tile::ReusePolicy::Always, "always",
                          "wherever that saves bytes"),
               clEnumValN(::mlir::tile::ReusePolicy::Cold, "cold",
                          "where it saves blocks on a multiprocessor"),
               clEnumValN(::mlir::tile::ReusePolicy::Never, "never",
                          "nowhere"))}]>
  ];
}

def InsertBarriers : Pass<"tile-insert-barriers", "::mlir::func::FuncOp"> {
  let summary = "orders conflicting accesses to shared and global memory";
  let description = [{
    Requires *placed*, establishes *synchronized*. Two accesses of one block
    conflict when they may touch a common byte and one of them writes. Between every
    such pair, loop iterations included, there is a `tile.barrier` on every path then;
    asynchronous copies are waited for with `tile.copy_wait` before the barrier that
    publishes them. Buffers at overlapping bytes of the arena conflict as one buffer
    would.

    Whose bytes they are decides who has to meet: nobody where each thread finds only
    what it left itself, the threads of each warp (`scope = #tile.scope<warp>`) where
    no byte goes from one warp to another, else the block. Which points to take is a
    minimum over all pairs, weighted by how often they run, so one barrier in an
    iteration of a multistage loop publishes a slot and frees the next. Barriers and
    waits that are there already count. The remarks name for each the two accesses
    that need it.

    Before:

    ```mlir
    #shared = #gpu.address_space<workgroup>
    #f = #tile.fragment<[64], register = [2 : (1)], lane = [32 : (2)], warp = []>
    #g = #tile.fragment<[64], register = [2 : (32)], lane = [32 : (1)], warp = []>
    func.func @f(%n: index, %a: memref<64xf32>, %o: memref<64xf32>) {
      tile.launch @k blocks(%b) in (%n) threads(32) attributes {stage = #tile.stage<placed>} {
        %arena = tile.arena 256 : memref<256xi8, #shared>
        %s = tile.view %arena[0] layout(#tile.shared<[64]>) : memref<256xi8, #shared> to memref<64xf32, #shared>
        tile.copy %a to %s {layout = #f, vector_width = 2 : i64, instruction = #tile.instruction<"cp.async">} : memref<64xf32> to memref<64xf32, #shared>
        %x = tile.load %s : memref<64xf32, #shared> -> tensor<64xf32, #g>
        tile.store %x, %o : tensor<64xf32, #g>, memref<64xf32>
      }
      return
    }
    ```

    After `--tile-insert-barriers`:

    ```mlir
    #shared = #gpu.address_space<workgroup>
    #f = #tile.fragment<[64], register = [2 : (1)], lane = [32 : (2)], warp = []>
    #g = #tile.fragment<[64], register = [2 : (32)], lane = [32 : (1)], warp = []>
    func.func @f(%n: index, %a: memref<64xf32>, %o: memref<64xf32>) {
      tile.launch @k blocks(%b) in (%n) threads(32) attributes {stage = #tile.stage<synchronized>} {
        %arena = tile.arena 256 : memref<256xi8, #shared>
        %s = tile.view %arena[0] layout(#tile.shared<[64]>) : memref<256xi8, #shared> to memref<64xf32, #shared>
        tile.copy %a to %s {instruction = #tile.instruction<"cp.async">, layout = #f, vector_width = 2 : i64} : memref<64xf32> to memref<64xf32, #shared>
        tile.copy_wait
        tile.barrier {scope = #tile.scope<warp>}
        %x = tile.load %s : memref<64xf32, #shared> -> tensor<64xf32, #g>
        tile.store %x, %o : tensor<64xf32, #g>, memref<64xf32>
      }
      return
    }
    ```
  }];
  let dependentDialects = ["::mlir::tile::TileDialect"];
}

#endif // TILE_TRANSFORMS_SCHEDULEDPASSES
