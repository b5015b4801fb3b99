"""More of examples/*.mlir as Python: gathers, shared atomics, views, conditions, while loops,
masks, combiners, layouts. Each gives the PTX of its .mlir."""
import math

import pytest
from paths import SOURCE

from tilec import lang as tl
from tilec.lang import bf16, f16, f32, i4, i8, i32, index, memref


@tl.function
def histogram(x: memref("N", i8), counts: memref(256, i32), *, tile=1024, blocks=2):
    N = x.size(0)
    tiles = tl.ceil_div(N, tile)

    @tl.launch(blocks, threads=256)
    def histogram_kernel(block):
        own = tl.alloc((256,), i32)
        tl.store(tl.zeros((256,), i32), own)
        for t in tl.loop(block, tiles, blocks):
            start = t * tile
            values = tl.load(x[start], (tile,))

            @tl.parallel(tile)
            def count(i):
                with tl.when(start + i < N):
                    tl.atomic_rmw("addi", 1, own[values[i].to(index, signed=False)])
        tl.atomic_rmw("addi", tl.load(own), counts)


@tl.function
def grouped_gemm(X: memref("T", "K", bf16, divisible=(1, 8)),
                 W: memref("G", "K", "N", bf16, divisible=(1, 8, 8)), offsets: memref(None, i32),
                 Y: memref("T", "N", bf16, divisible=(1, 8))):
    (T, K), (G, _, N) = X.shape, W.shape

    @tl.launch(tl.ceil_div(N, 64), tl.ceil_div(T, 64), G, threads=128)
    def grouped_gemm_kernel(bx, by, g):
        begin = tl.load(offsets[g]).to(index)
        end = tl.load(offsets[g + 1]).to(index)
        row, col = begin + by * 64, bx * 64
        with tl.when(row < end):
            Xg, Yg = tl.subview(X, (0, 0), (end, K)), tl.subview(Y, (0, 0), (end, N))
            Xs, Ws = tl.alloc((64, 64), bf16), tl.alloc((64, 64), bf16)
            for k, c in tl.loop(0, K, 64, stages=3, acc=tl.zeros((64, 64), f32)):
                tl.copy(Xg[row, k], Xs)
                tl.copy(W[g, k, col].box(1, 64, 64), Ws)
                c.acc = tl.gemm(Xs, Ws, c.acc)
            tl.store(c.acc, Yg[row, col])


@tl.function
def gemm_w4a16(X: memref("M", "K", f16, divisible=(1, 64)),
               W: memref("N", "K", i4, divisible=(8, 64)),
               S: memref("G", "N", f16, divisible=(1, 8)),
               Y: memref("M", "N", f16, divisible=(1, 8)), *, tile=64):
    @tl.launch(tl.ceil_div(X.size(0), tile), tl.ceil_div(W.size(0), tile), threads=128)
    def gemm_w4a16_kernel(bx, by):
        m, n = bx * tile, by * tile
        Ws, Xs = tl.alloc((tile, tile), i4), tl.alloc((tile, tile), f16)
        Ss = tl.alloc((tile,), f16)
        for k, c in tl.loop(0, X.size(1), tile, stages=3, acc=tl.zeros((tile, tile), f32)):
            tl.copy(W[n, k], Ws)
            tl.copy(X[m, k], Xs)
            tl.copy(S[tl.divui(k, tile), n].box(1, tile), Ss)
            scales, weights = tl.load(Ss), tl.load(Ws)
            c.acc = tl.gemm(weights.to(f16) * scales[:, None], Xs, c.acc, transpose_b=True)
        tl.store(tl.transpose(c.acc), Y[m, n])


@tl.function
def gemm_persistent(A: memref("M", "K", f16, divisible=(1, 256)),
                    B: memref("N", "K", f16, divisible=(8, 256)),
                    C: memref("M", "N", f16, divisible=(1, 8))):
    @tl.launch(tl.ceil_div(B.size(0), 128), tl.ceil_div(A.size(0), 128), threads=256,
               persistent=True, rasterize=("row", 4))
    def gemm_persistent_kernel(bx, by):
        row, col = by * 128, bx * 128
        As, Bs = tl.alloc((128, 64), f16), tl.alloc((128, 64), f16)
        for k, c in tl.loop(0, A.size(1), 64, stages=4, acc=tl.zeros((128, 128), f32)):
            tl.copy(A[row, k], As)
            tl.copy(B[col, k], Bs)
            c.acc = tl.gemm(As, Bs, c.acc, transpose_b=True)
        tl.store(c.acc, C[row, col])


@tl.function
def gemm_stream_k(A: memref("M", "K", f16, divisible=(1, 8)),
                  B: memref("K", "N", f16, divisible=(8, 8)),
                  C: memref("M", "N", f32, divisible=(1, 4)), blocks: index):
    (M, K), N = A.shape, B.size(1)
    tiles_m, tiles_n, steps = (tl.ceil_div(size, 64) for size in (M, N, K))
    total = tiles_m * tiles_n * steps

    @tl.launch(blocks, threads=128)
    def gemm_stream_k_kernel(b):
        low, high = b * total, (b + 1) * total
        first, end = tl.divui(low, blocks), tl.divui(high, blocks)
        As, Bs = tl.alloc((64, 64), f16), tl.alloc((64, 64), f16)
        for w in tl.while_loop(lambda w: tl.cmpi("ult", w.step, end), step=first):
            tile, begin = tl.divui(w.step, steps), tl.remui(w.step, steps)
            row, col = tl.divui(tile, tiles_n), tl.remui(tile, tiles_n)
            row, col = row * 64, col * 64
            stop = tl.minui(begin + (end - w.step), steps)
            for s, c in tl.loop(begin, stop, stages=3, acc=tl.zeros((64, 64), f32)):
                k = s * 64
                tl.copy(A[row, k], As)
                tl.copy(B[k, col], Bs)
                c.acc = tl.gemm(As, Bs, c.acc)
            tl.atomic_rmw("addf", c.acc, C[row, col])
            w.step = w.step + (stop - begin)


@tl.function
def layer_norm(x: memref("rows", 1024, f16), gamma: memref(1024, f32), beta: memref(1024, f32),
               out: memref("rows", 1024, f16), *, rows_of_block=4):
    @tl.launch(tl.ceil_div(x.size(0), rows_of_block), threads=128)
    def layer_norm_kernel(block):
        row = block * rows_of_block
        t = tl.load(x[row, 0], (rows_of_block, 1024), f32)
        mean = tl.reduce("add", t, 1) * (1 / 1024)
        centred = t - mean[:, None]
        with tl.fastmath("contract"):
            variance = tl.reduce("add", centred * centred, 1) * (1 / 1024)
            rstd = tl.rsqrt(variance + 1e-5, fastmath="afn")
        normal = centred * rstd[:, None]
        g, b = tl.load(gamma[0], (1024,)), tl.load(beta[0], (1024,))
        with tl.fastmath("contract"):
            tl.store(normal * g[None, :] + b[None, :], out[row, 0])


@tl.function
def argmax(x: memref("rows", 1000, f16), value: memref("rows", f32), place: memref("rows", i32)):
    def first_larger(a, a_at, b, b_at):
        takes_b = (b > a) | ((b == a) & (b_at < a_at))
        return tl.select(takes_b, b, a), tl.select(takes_b, b_at, a_at)

    @tl.launch(tl.ceil_div(x.size(0), 4), threads=128)
    def argmax_kernel(block):
        row = block * 4
        v = tl.load(x[row, 0], (4, 1000), f32)

        @tl.parallel(4, 1000)
        def columns(i, j):
            return j.to(i32)
        largest, at = tl.reduce(first_larger, (v, columns), 1)
        tl.store(largest, value[row])
        tl.store(at, place[row])


@tl.function
def transpose(a: memref("M", "N", f32), b: memref("N", "M", f32)):
    M, N = a.shape

    @tl.launch(tl.ceil_div(N, 64), tl.ceil_div(M, 64), threads=256)
    def transpose_kernel(bx, by):
        row, col = by * 64, bx * 64
        s = tl.alloc((64, 64), f32, layout=tl.shared_layout((64, 64), pad=1))
        tl.copy(a[row, col], s)

        @tl.parallel(64, 64)
        def t(i, j):
            return tl.load(s[j, i])
        tl.store(t, b[col, row])


def attend(s, visible, scale, c, V):
    """A step of the online softmax in base 2, as several of the examples have it."""
    scaled = tl.select(visible, s * scale, -math.inf)
    m_new = tl.reduce("maximumf", scaled, 1, init=c.m)
    p = tl.exp2(scaled - m_new[:, None], fastmath="afn")
    shrink = tl.exp2(c.m - m_new, fastmath="afn")
    l_new = tl.reduce("add", p, 1, init=c.l * shrink)
    o_old = c.o * shrink[:, None]
    c.o = tl.gemm(p.to(V.dtype), V, o_old)
    c.m, c.l = m_new, l_new


@tl.function
def paged_decode(Q: memref("B", "HK", 16, 64, f16), K: memref("pages", 32, "HK", 64, f16),
                 V: memref("pages", 32, "HK", 64, f16), table: memref("B", "most", i32),
                 lengths: memref("B", i32), O: memref("B", "HK", 16, 64, f16)):
    @tl.launch(Q.size(1), Q.size(0), threads=32)
    def paged_decode_kernel(h, b):
        length = tl.load(lengths[b]).to(index)
        pages = tl.ceildivsi(length, 32)
        Qs = tl.alloc((16, 64), f16)
        Ks, Vs = tl.alloc((32, 64), f16), tl.alloc((32, 64), f16)
        tl.copy(Q[b, h, 0, 0].box(1, 1, 16, 64), Qs)
        for i, c in tl.loop(0, pages, stages=3,
                            m=tl.full((16,), -1e30, f32), l=tl.zeros((16,), f32),
                            o=tl.zeros((16, 64), f32)):
            page = tl.load(table[b, i]).to(index)
            tl.copy(K[page, 0, h, 0].box(1, 32, 1, 64), Ks)
            tl.copy(V[page, 0, h, 0].box(1, 32, 1, 64), Vs)
            s = tl.gemm(Qs, Ks, transpose_b=True)
            key = i * 32

            @tl.parallel(16, 32)
            def exists(row, j):
                return key + j < length
            attend(s, exists, math.log2(math.e) / 8, c, Vs)
        inverse = tl.divf(1.0, c.l, fastmath="afn")
        tl.store(c.o * inverse[:, None], O[b, h, 0, 0].box(1, 1, 16, 64))


@tl.function
def attention_window_sink(Q: memref("B", "S", "H", 64, bf16), K: memref("B", "S", "HK", 64, bf16),
                          V: memref("B", "S", "HK", 64, bf16), sinks: memref("H", f32),
                          O: memref("B", "S", "H", 64, bf16), *, window=96):
    B, S, H, _ = Q.shape
    group = tl.divui(H, K.size(2))

    @tl.launch(tl.ceil_div(S, 64), H, B, threads=128)
    def attention_window_sink_kernel(tile, head, batch):
        row = tile * 64
        end = row + 64
        key_head = tl.divui(head, group)
        begin = tl.divui(tl.maxsi(row - (window - 1), 0), 64) * 64
        Qs, Ks, Vs = (tl.alloc((64, 64), bf16) for _ in range(3))
        tl.copy(Q[batch, row, head, 0].box(1, 64, 1, 64), Qs)
        max0 = tl.full((64,), tl.load(sinks[head]))
        for key, c in tl.loop(begin, end, 64, stages=2, m=max0, l=tl.full((64,), 1.0, f32),
                              o=tl.zeros((64, 64), f32)):
            tl.copy(K[batch, key, key_head, 0].box(1, 64, 1, 64), Ks)
            tl.copy(V[batch, key, key_head, 0].box(1, 64, 1, 64), Vs)
            s = tl.gemm(Qs, Ks, transpose_b=True)

            @tl.parallel(64, 64)
            def visible(i, j):
                query, position = row + i, key + j
                oldest = query - (window - 1)
                return (position <= query) & (position >= oldest)
            attend(s, visible, math.log2(math.e) / 8, c, Vs)
        inverse = tl.divf(1.0, c.l, fastmath="afn")
        tl.store(c.o * inverse[:, None], O[batch, row, head, 0].box(1, 64, 1, 64))


PORTS = [histogram, grouped_gemm, gemm_w4a16, gemm_persistent, gemm_stream_k, layer_norm, argmax,
         transpose, paged_decode, attention_window_sink]


@pytest.mark.parametrize("port", PORTS, ids=lambda port: port.__name__)
def test_the_kernel_is_that_of_the_mlir(tools, port):
    written = (SOURCE / f"examples/{port.__name__}.mlir").read_text()
    chip = "sm_90a" if port is gemm_persistent else "sm_80"
    assert tools.compile_to_ptx(port.build().text, chip) == tools.compile_to_ptx(written, chip)
