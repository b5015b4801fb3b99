"""Flash attention, forward: examples/flash_attention.mlir, for any head size and causal or not.

A block owns `queries` queries of one head and walks the keys with the online softmax: it keeps
each row's maximum and sum so far, and rescales what it has accumulated when the maximum grows.
`causal` is a Python value: where it is false, nothing of the mask is in the program.

    python python/examples/flash_attention.py | tile-run - --on=emulator --check
"""
import math

from tilec import lang as tl
from tilec.lang import f16, f32, memref


@tl.function
def flash_attention(Q: memref("B", "S", "H", "D", f16), K: memref("B", "S", "H", "D", f16),
                    V: memref("B", "S", "H", "D", f16), O: memref("B", "S", "H", "D", f16), *,
                    D=128, queries=128, keys=64, threads=256, stages=2, causal=False):
    B, S, H, _ = Q.shape
    scale = math.log2(math.e) / math.sqrt(D)  # the softmax is computed in base 2

    @tl.launch(tl.ceil_div(S, queries), H, B, threads=threads)
    def flash_attention_kernel(tile, head, batch):
        row = tile * queries
        Qs = tl.alloc((queries, D), f16)
        Ks = tl.alloc((keys, D), f16)
        Vs = tl.alloc((keys, D), f16)
        tl.copy(Q[batch, row, head, 0].box(1, queries, 1, D), Qs)

        max0 = tl.full((queries,), -math.inf, f32)
        sum0 = tl.zeros((queries,), f32)
        acc0 = tl.zeros((queries, D), f32)
        end = row + queries if causal else S
        for key, c in tl.loop(0, end, keys, stages=stages, m=max0, l=sum0, o=acc0):
            tl.copy(K[batch, key, head, 0].box(1, keys, 1, D), Ks)
            tl.copy(V[batch, key, head, 0].box(1, keys, 1, D), Vs)

            # Scores of this tile, and the rows' new maxima, not scaled yet.
            s = tl.gemm(Qs, Ks, transpose_b=True, warps="rows")
            if causal:
                @tl.parallel(queries, keys)
                def visible(i, j):
                    return key + j <= row + i
                s = tl.select(visible, s, -math.inf)
            m_new = tl.reduce("maximumf", s, 1, init=c.m)

            # p = exp2(scale * (s - max)), as one multiply-add and one exponential; what came
            # before shrinks by exp2(scale * (old - new)).
            m_negated = -(m_new * scale)
            shifted = tl.fma(s, scale, m_negated[:, None])
            p = tl.exp2(shifted, fastmath="afn")
            shrink = tl.exp2(tl.fma(c.m, scale, m_negated), fastmath="afn")

            with tl.fastmath("contract"):
                l_new = tl.reduce("add", p, 1, init=c.l * shrink)
            o_old = c.o * shrink[:, None]
            c.o = tl.gemm(p.to(f16), Vs, o_old, warps="rows")
            c.m, c.l = m_new, l_new

        inverse = tl.divf(1.0, c.l, fastmath="afn")
        tl.store(c.o * inverse[:, None], O[batch, row, head, 0].box(1, queries, 1, D))


if __name__ == "__main__":
    print(flash_attention.build(B=2, S=256, H=2))
