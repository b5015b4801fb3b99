"""Triton kernels whose PTX the emulator runs.

Written for breadth: each uses a part of the language that the others do not,
so that what another compiler makes of it reaches another part of the
emulator. `regenerate.py` compiles them.
"""

import triton
import triton.language as tl


@triton.jit
def vector_add(x, y, out, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    a = tl.load(x + offsets, mask=mask)
    b = tl.load(y + offsets, mask=mask, other=0.0)
    tl.store(out + offsets, a + b, mask=mask)


@triton.jit
def row_softmax(x, out, columns, stride, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    offsets = tl.arange(0, BLOCK)
    mask = offsets < columns
    values = tl.load(x + row * stride + offsets, mask=mask, other=-float("inf"))
    values = values - tl.max(values, axis=0)
    powers = tl.exp(values)
    tl.store(out + row * stride + offsets, powers / tl.sum(powers, axis=0),
             mask=mask)


@triton.jit
def layer_norm(x, weight, bias, out, mean_out, columns, epsilon,
               BLOCK: tl.constexpr):
    row = tl.program_id(0)
    total = tl.zeros([BLOCK], dtype=tl.float32)
    for start in range(0, columns, BLOCK):
        offsets = start + tl.arange(0, BLOCK)
        total += tl.load(x + row * columns + offsets, mask=offsets < columns,
                         other=0.0).to(tl.float32)
    mean = tl.sum(total, axis=0) / columns
    squares = tl.zeros([BLOCK], dtype=tl.float32)
    for start in range(0, columns, BLOCK):
        offsets = start + tl.arange(0, BLOCK)
        mask = offsets < columns
        v = tl.load(x + row * columns + offsets, mask=mask, other=0.0)
        centred = tl.where(mask, v.to(tl.float32) - mean, 0.0)
        squares += centred * centred
    scale = tl.rsqrt(tl.sum(squares, axis=0) / columns + epsilon)
    tl.store(mean_out + row, mean)
    for start in range(0, columns, BLOCK):
        offsets = start + tl.arange(0, BLOCK)
        mask = offsets < columns
        v = tl.load(x + row * columns + offsets, mask=mask).to(tl.float32)
        w = tl.load(weight + offsets, mask=mask).to(tl.float32)
        b = tl.load(bias + offsets, mask=mask).to(tl.float32)
        tl.store(out + row * columns + offsets,
                 ((v - mean) * scale * w + b).to(tl.float16), mask=mask)


@triton.jit
def matmul(a, b, c, M, N, K, stride_a, stride_b, stride_c,
           BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr,
           BLOCK_K: tl.constexpr, SUMS: tl.constexpr):
    rows = tl.program_id(0) * BLOCK_M + tl.arange(0, BLOCK_M)
    columns = tl.program_id(1) * BLOCK_N + tl.arange(0, BLOCK_N)
    depth = tl.arange(0, BLOCK_K)
    a_at = a + rows[:, None] * stride_a + depth[None, :]
    b_at = b + depth[:, None] * stride_b + columns[None, :]
    sums = tl.zeros((BLOCK_M, BLOCK_N), dtype=SUMS)
    for k in range(0, K, BLOCK_K):
        a_tile = tl.load(a_at, mask=(rows[:, None] < M)
                         & (k + depth[None, :] < K), other=0.0)
        b_tile = tl.load(b_at, mask=(k + depth[:, None] < K)
                         & (columns[None, :] < N), other=0.0)
        sums = tl.dot(a_tile, b_tile, sums, out_dtype=SUMS)
        a_at += BLOCK_K
        b_at += BLOCK_K * stride_b
    tl.store(c + rows[:, None] * stride_c + columns[None, :],
             sums.to(c.dtype.element_ty),
             mask=(rows[:, None] < M) & (columns[None, :] < N))


@triton.jit
def matmul_tensor_maps(a, b, c, M, N, K, BLOCK_M: tl.constexpr,
                       BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr):
    row = tl.program_id(0) * BLOCK_M
    column = tl.program_id(1) * BLOCK_N
    sums = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
    for k in range(0, K, BLOCK_K):
        a_tile = a.load([row, k])
        b_tile = b.load([column, k])
        sums = tl.dot(a_tile, b_tile.T, sums)
    c.store([row, column], sums.to(tl.float16))


@triton.jit
def attention(q, k, v, out, length, scale, BLOCK_M: tl.constexpr,
              BLOCK_N: tl.constexpr, HEAD: tl.constexpr):
    base = tl.program_id(1) * length * HEAD
    rows = tl.program_id(0) * BLOCK_M + tl.arange(0, BLOCK_M)
    features = tl.arange(0, HEAD)
    q_tile = tl.load(q + base + rows[:, None] * HEAD + features[None, :])
    largest = tl.full((BLOCK_M,), -float("inf"), tl.float32)
    denominator = tl.zeros((BLOCK_M,), tl.float32)
    sums = tl.zeros((BLOCK_M, HEAD), tl.float32)
    for start in range(0, length, BLOCK_N):
        keys = start + tl.arange(0, BLOCK_N)
        k_tile = tl.load(k + base + keys[:, None] * HEAD + features[None, :])
        scores = tl.dot(q_tile, k_tile.T) * (scale * 1.44269504)
        scores = tl.where(rows[:, None] >= keys[None, :], scores, -1.0e9)
        updated = tl.maximum(largest, tl.max(scores, 1))
        weights = tl.exp2(scores - updated[:, None])
        correction = tl.exp2(largest - updated)
        denominator = denominator * correction + tl.sum(weights, 1)
        sums = sums * correction[:, None]
        v_tile = tl.load(v + base + keys[:, None] * HEAD + features[None, :])
        sums = tl.dot(weights.to(tl.float16), v_tile, sums)
        largest = updated
    tl.store(out + base + rows[:, None] * HEAD + features[None, :],
             (sums / denominator[:, None]).to(tl.float16))


@triton.jit
def _first_order(a0, b0, a1, b1):
    return a0 * a1, b0 * a1 + b1


@triton.jit
def scans(x, sums, products, recurrence, ROWS: tl.constexpr,
          COLUMNS: tl.constexpr):
    at = (tl.arange(0, ROWS)[:, None] * COLUMNS
          + tl.arange(0, COLUMNS)[None, :])
    values = tl.load(x + at)
    tl.store(sums + at, tl.cumsum(values, 1))
    tl.store(products + at, tl.cumprod(values, 0, reverse=True))
    _, states = tl.associative_scan((values * 0.5, values), 1, _first_order)
    tl.store(recurrence + at, states)


@triton.jit
def histogram(x, counts, own, n, BLOCK: tl.constexpr, BINS: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    values = tl.load(x + offsets, mask=offsets < n, other=0.0)
    local = tl.histogram(values, BINS, mask=offsets < n)
    tl.atomic_add(counts + tl.arange(0, BINS), local)
    tl.atomic_max(own + values % 4, offsets, mask=offsets < n)


@triton.jit
def arg_reduce(x, largest, where, smallest_at, parity, COLUMNS: tl.constexpr,
               ROWS: tl.constexpr):
    rows = tl.arange(0, ROWS)
    values = tl.load(x + rows[:, None] * COLUMNS
                     + tl.arange(0, COLUMNS)[None, :])
    best, index = tl.max(values, axis=1, return_indices=True)
    tl.store(largest + rows, best)
    tl.store(where + rows, index)
    tl.store(smallest_at + tl.arange(0, COLUMNS), tl.argmin(values, axis=0))
    tl.store(parity + rows, tl.xor_sum(values.to(tl.int32), axis=1))


@triton.jit
def small_dot(a, b, c, batch_stride, M: tl.constexpr, N: tl.constexpr,
              K: tl.constexpr):
    base = tl.program_id(0) * batch_stride
    m = tl.arange(0, M)
    n = tl.arange(0, N)
    k = tl.arange(0, K)
    x = tl.load(a + base + m[:, None] * K + k[None, :])
    y = tl.load(b + base + k[:, None] * N + n[None, :])
    product = tl.dot(x, y, input_precision="tf32")
    tl.store(c + tl.program_id(0) * M * N + m[:, None] * N + n[None, :],
             product)


@triton.jit
def sort_rows(x, out, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    at = (tl.arange(0, ROWS)[:, None] * COLUMNS
          + tl.arange(0, COLUMNS)[None, :])
    tl.store(out + at, tl.sort(tl.load(x + at), descending=True))


@triton.jit
def random_numbers(words, uniform, normal, seed, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(words + offsets, tl.randint(seed, offsets))
    tl.store(uniform + offsets, tl.rand(seed, offsets))
    tl.store(normal + offsets, tl.randn(seed, offsets))


@triton.jit
def gather_rows(x, index, out, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    at = (tl.arange(0, ROWS)[:, None] * COLUMNS
          + tl.arange(0, COLUMNS)[None, :])
    tl.store(out + at, tl.gather(tl.load(x + at), tl.load(index + at), 0))


@triton.jit
def matmul_scaled(a, a_scale, b, b_scale, c, M: tl.constexpr,
                  N: tl.constexpr, K: tl.constexpr, A_TYPE: tl.constexpr,
                  B_TYPE: tl.constexpr, A_BYTES: tl.constexpr,
                  B_BYTES: tl.constexpr):
    m = tl.arange(0, M)
    n = tl.arange(0, N)
    ka = tl.arange(0, A_BYTES)
    kb = tl.arange(0, B_BYTES)
    groups = tl.arange(0, K // 32)
    x = tl.load(a + m[:, None] * A_BYTES + ka[None, :])
    y = tl.load(b + kb[:, None] * N + n[None, :])
    sx = tl.load(a_scale + m[:, None] * (K // 32) + groups[None, :])
    sy = tl.load(b_scale + n[:, None] * (K // 32) + groups[None, :])
    product = tl.dot_scaled(x, sx, A_TYPE, y, sy, B_TYPE)
    tl.store(c + m[:, None] * N + n[None, :], product)


@triton.jit
def integers(x, y, out, n, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    a = tl.load(x + offsets)
    b = tl.load(y + offsets)
    wide = a.to(tl.int64) * b.to(tl.int64)
    mixed = (a // b) ^ (a % b) ^ (wide >> 7).to(tl.int32)
    mixed += tl.umulhi(a.to(tl.uint32), b.to(tl.uint32)).to(tl.int32)
    steps = 0
    while steps < n:
        mixed = mixed * 1664525 + 1013904223
        steps += 1
    tl.store(out + offsets, mixed)


@triton.jit
def lock_and_sum(x, lock, totals, n, BLOCK: tl.constexpr):
    own = tl.arange(0, BLOCK)
    offsets = tl.program_id(0) * BLOCK + own
    part = tl.load(x + offsets, mask=offsets < n, other=0.0)
    while tl.atomic_cas(lock, 0, 1) == 1:
        pass
    tl.store(totals + own, tl.load(totals + own) + part)
    tl.debug_barrier()
    tl.atomic_xchg(lock, 0)


@triton.jit
def special_functions(x, out, n, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    v = tl.load(x + offsets)
    tl.store(out + offsets, tl.sin(v))
    tl.store(out + BLOCK + offsets, tl.cos(v * 1.0e4))
    tl.store(out + 2 * BLOCK + offsets, tl.log(tl.abs(v) + 1.0))
    tl.store(out + 3 * BLOCK + offsets, tl.erf(v))
    tl.store(out + 4 * BLOCK + offsets, tl.sigmoid(v))
    tl.store(out + 5 * BLOCK + offsets, tl.floor(v) + tl.ceil(v))
    tl.store(out + 6 * BLOCK + offsets, tl.sqrt_rn(tl.abs(v)))
    tl.store(out + 7 * BLOCK + offsets, tl.fma(v, v, tl.div_rn(v, 3.0)))
