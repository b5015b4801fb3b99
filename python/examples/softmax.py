"""Softmax over the rows of a matrix: examples/softmax.mlir, for any number of columns.

A block has a row, which stays in registers. `with fastmath("afn")` lets exp2 and the division
be the hardware's approximations.

    python python/examples/softmax.py | tile-run - --on=emulator --check --dim=rows:6
"""
import math

from tilec import lang as tl
from tilec.lang import f16, f32, memref


@tl.function
def softmax(x: memref("rows", "columns", f16), y: memref("rows", "columns", f16), *,
            columns=4096, threads=256):
    @tl.launch(x.size(0), threads=threads)
    def softmax_kernel(row):
        values = tl.load(x[row, 0].box(1, columns), element=f32)

        # exp(x - max) = exp2(x * log2(e) - max * log2(e)), a multiply-add and an exponential.
        log2e = math.log2(math.e)
        largest = tl.reduce("maximumf", values, 0)
        minus_max = largest * -log2e
        shifted = tl.fma(values, log2e, minus_max[None])
        exponential = tl.exp2(shifted, fastmath="afn")

        total = tl.reduce("add", exponential, 0)
        inverse = tl.divf(1.0, total, fastmath="afn")
        tl.store(exponential * inverse[None], y[row, 0].box(1, columns))


if __name__ == "__main__":
    print(softmax.build())
