"""Split-K matrix multiplication: examples/gemm_split_k.mlir, for any sizes and numbers of parts.

When M and N give too few tiles to fill a GPU, K is split as well. Launches of one function run
one after another: the first clears a workspace, the second adds into it, the last converts it.
What two launches share is a function of Python.

    python python/examples/gemm_split_k.py | tile-run - --on=emulator --check
"""
from tilec import lang as tl
from tilec.lang import f16, f32, memref


@tl.function
def gemm_split_k(A: memref("M", "K", f16), B: memref("K", "N", f16), C: memref("M", "N", f16), *,
                 parts=4, tile_m=64, tile_n=64, tile_k=32, threads=128, stages=3):
    (M, K), N = A.shape, C.size(1)
    columns, rows = tl.ceil_div(N, tile_n), tl.ceil_div(M, tile_m)
    keys = tl.ceil_div(tl.ceil_div(K, tile_k), parts) * tile_k  # of a part, in whole steps
    total = tl.workspace((M, N), f32)

    def corner(bx, by):
        return by * tile_m, bx * tile_n

    @tl.launch(columns, rows, threads=threads)
    def clear_workspace(bx, by):
        row, col = corner(bx, by)
        tl.store(tl.zeros((tile_m, tile_n), f32), total[row, col])

    @tl.launch(columns, rows, parts, threads=threads)
    def multiply_part(bx, by, part):
        row, col = corner(bx, by)
        begin = part * keys
        end = tl.minimum(begin + keys, K)
        As = tl.alloc((tile_m, tile_k), f16)
        Bs = tl.alloc((tile_k, tile_n), f16)
        zero = tl.zeros((tile_m, tile_n), f32)
        for k, c in tl.loop(begin, end, tile_k, stages=stages, acc=zero):
            tl.copy(A[row, k], As)
            tl.copy(B[k, col], Bs)
            c.acc = tl.gemm(As, Bs, c.acc)
        tl.atomic_rmw("addf", c.acc, total[row, col])

    @tl.launch(columns, rows, threads=threads)
    def convert_sum(bx, by):
        row, col = corner(bx, by)
        tl.store(tl.load(total[row, col], (tile_m, tile_n)), C[row, col])

    tl.dealloc(total)


if __name__ == "__main__":
    print(gemm_split_k.build(M=64, K=1024, N=128))
