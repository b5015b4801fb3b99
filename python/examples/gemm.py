"""Matrix multiplication C = A * B: examples/gemm_f16.mlir, for any sizes and tiles.

A block computes a tile of C. Per step of the loop it copies a tile of A and one of B to shared
memory and multiplies them; the accumulator is a fragment that the loop carries.

    python python/examples/gemm.py | tile-run - --on=emulator --check
"""
from tilec import lang as tl
from tilec.lang import f16, f32, memref


@tl.function
def gemm(A: memref("M", "K", f16), B: memref("K", "N", f16), C: memref("M", "N", f16), *,
         tile_m=128, tile_n=128, tile_k=32, threads=128, stages=3):
    K, grid_x, grid_y = A.size(1), tl.ceil_div(C.size(1), tile_n), tl.ceil_div(C.size(0), tile_m)

    @tl.launch(grid_x, grid_y, threads=threads)
    def gemm_kernel(bx, by):
        row = by * tile_m
        col = bx * tile_n
        As = tl.alloc((tile_m, tile_k), f16)
        Bs = tl.alloc((tile_k, tile_n), f16)
        zero = tl.zeros((tile_m, tile_n), f32)
        for k, c in tl.loop(0, K, tile_k, stages=stages, acc=zero):
            tl.copy(A[row, k], As)
            tl.copy(B[k, col], Bs)
            c.acc = tl.gemm(As, Bs, c.acc)
        tl.store(c.acc.to(f16), C[row, col])


if __name__ == "__main__":
    print(gemm.build(M=1024, K=512, N=768))
