"""RMS normalisation of x + residual: examples/rms_norm_residual.mlir, for any row and type.

A row is one fragment, whatever its size; `T` is the element type in memory. The sum is stored,
too, for the next layer.

    python python/examples/rms_norm_residual.py | tile-run - --on=emulator --check --dim=rows:6
"""
from tilec import lang as tl
from tilec.lang import bf16, f32, memref


@tl.function
def rms_norm_residual(x: memref("rows", "columns", "T"), residual: memref("rows", "columns", "T"),
                      weight: memref("columns", "T"), sum: memref("rows", "columns", "T"),
                      out: memref("rows", "columns", "T"), *,
                      columns=5000, T=bf16, threads=256, epsilon=1e-5):
    @tl.launch(x.size(0), threads=threads)
    def rms_norm_residual_kernel(row):
        a = tl.load(x[row, 0].box(1, columns), element=f32)
        b = tl.load(residual[row, 0].box(1, columns), element=f32)
        s = a + b
        tl.store(s, sum[row, 0].box(1, columns))

        with tl.fastmath("contract"):
            squares = tl.reduce("add", s * s, 0, fastmath=())
            shifted = squares * (1 / columns) + epsilon
        rstd = tl.rsqrt(shifted, fastmath="afn")

        w = tl.load(weight[0], (columns,), f32)
        tl.store(s * rstd[None] * w, out[row, 0].box(1, columns))


if __name__ == "__main__":
    print(rms_norm_residual.build())
