"""The cases as one writes them in Triton, with the same tiles as programs/.

What is a size in cases.py is a constant here, or an argument where the case says that
it is one at run time. IS_MASKED: tiles reach past the end.
"""

import triton
import triton.language as tl


@triton.jit
def gemm(a, b, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr,
         IS_MASKED: tl.constexpr, IS_TRANSPOSED: tl.constexpr):
    sum_type: tl.constexpr = tl.int32 if a.dtype.element_ty == tl.int8 else tl.float32
    rows = tl.program_id(1) * BM + tl.arange(0, BM)
    columns = tl.program_id(0) * BN + tl.arange(0, BN)
    depth = tl.arange(0, BK)
    at_a = a + rows[:, None] * K + depth[None, :]
    if IS_TRANSPOSED:
        at_b = b + depth[:, None] + columns[None, :] * K
    else:
        at_b = b + depth[:, None] * N + columns[None, :]
    total = tl.zeros((BM, BN), sum_type)
    for k in range(0, K, BK):
        if IS_MASKED:
            x = tl.load(at_a, (rows[:, None] < M) & (depth[None, :] < K - k), 0.0)
            y = tl.load(at_b, (columns[None, :] < N) & (depth[:, None] < K - k), 0.0)
        else:
            x = tl.load(at_a)
            y = tl.load(at_b)
        total = tl.dot(x, y, total, out_dtype=sum_type)
        at_a += BK
        if IS_TRANSPOSED:
            at_b += BK
        else:
            at_b += BK * N
    at_c = c + rows[:, None] * N + columns[None, :]
    if IS_MASKED:
        tl.store(at_c, total.to(c.dtype.element_ty), (rows[:, None] < M) & (columns[None, :] < N))
    else:
        tl.store(at_c, total.to(c.dtype.element_ty))


@triton.jit
def gemm_descriptors(a, b, c, K: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    """C = A * transpose(B) by tensor maps."""
    row = tl.program_id(1) * BM
    column = tl.program_id(0) * BN
    total = tl.zeros((BM, BN), tl.float32)
    for k in range(0, K, BK):
        total = tl.dot(a.load([row, k]), b.load([column, k]).T, total)
    c.store([row, column], total.to(tl.float16))


@triton.jit
def split_k(a, b, c, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr, PART: tl.constexpr,
            BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    rows = tl.program_id(1) * BM + tl.arange(0, BM)
    columns = tl.program_id(0) * BN + tl.arange(0, BN)
    depth = tl.program_id(2) * PART + tl.arange(0, BK)
    at_a = a + rows[:, None] * K + depth[None, :]
    at_b = b + depth[:, None] * N + columns[None, :]
    total = tl.zeros((BM, BN), tl.float32)
    for _ in range(0, PART, BK):
        total = tl.dot(tl.load(at_a), tl.load(at_b), total)
        at_a += BK
        at_b += BK * N
    tl.atomic_add(c + rows[:, None] * N + columns[None, :], total, sem="relaxed")


@triton.jit
def w8a16(a, w, s, c, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr, BM: tl.constexpr,
          BN: tl.constexpr, BK: tl.constexpr):
    rows = tl.program_id(1) * BM + tl.arange(0, BM)
    columns = tl.program_id(0) * BN + tl.arange(0, BN)
    depth = tl.arange(0, BK)
    at_a = a + rows[:, None] * K + depth[None, :]
    at_w = w + depth[:, None] * N + columns[None, :]
    total = tl.zeros((BM, BN), tl.float32)
    for _ in range(0, K, BK):
        total = tl.dot(tl.load(at_a), tl.load(at_w).to(tl.float16), total)
        at_a += BK
        at_w += BK * N
    total *= tl.load(s + columns)[None, :]
    tl.store(c + rows[:, None] * N + columns[None, :], total.to(tl.float16))


@triton.jit
def attention(q, k, v, o, S: tl.constexpr, D: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr,
              SCALE: tl.constexpr, IS_CAUSAL: tl.constexpr):
    row = tl.program_id(0) * BM
    base = tl.program_id(1) * S * D
    rows = row + tl.arange(0, BM)
    keys = tl.arange(0, BN)
    columns = tl.arange(0, D)
    queries = tl.load(q + base + rows[:, None] * D + columns[None, :])
    total = tl.zeros((BM, D), tl.float32)
    sums = tl.zeros((BM,), tl.float32)
    largest = tl.full((BM,), -float("inf"), tl.float32)
    end = row + BM if IS_CAUSAL else S
    for place in range(0, end, BN):
        scores = tl.dot(queries, tl.load(k + base + (place + keys)[None, :] * D + columns[:, None]))
        if IS_CAUSAL:
            scores = tl.where(rows[:, None] >= (place + keys)[None, :], scores, -float("inf"))
        most = tl.maximum(largest, tl.max(scores, 1))
        weights = tl.exp2(scores * SCALE - (most * SCALE)[:, None])
        rescaling = tl.exp2((largest - most) * SCALE)
        sums = sums * rescaling + tl.sum(weights, 1)
        values = tl.load(v + base + (place + keys)[:, None] * D + columns[None, :])
        total = tl.dot(weights.to(tl.float16), values, total * rescaling[:, None])
        largest = most
    inverse = 1.0 / sums
    tl.store(o + base + rows[:, None] * D + columns[None, :],
             (total * inverse[:, None]).to(tl.float16))


@triton.jit
def attention_descriptors(q, k, v, o, S: tl.constexpr, D: tl.constexpr, BM: tl.constexpr,
                          BN: tl.constexpr, SCALE: tl.constexpr, IS_CAUSAL: tl.constexpr):
    """Attention by tensor maps, in which heads follow each other."""
    row = tl.program_id(0) * BM
    base = tl.program_id(1) * S
    queries = q.load([base + row, 0])
    total = tl.zeros((BM, D), tl.float32)
    sums = tl.zeros((BM,), tl.float32)
    largest = tl.full((BM,), -float("inf"), tl.float32)
    end = row + BM if IS_CAUSAL else S
    for place in range(0, end, BN):
        scores = tl.dot(queries, k.load([base + place, 0]).T)
        if IS_CAUSAL:
            hidden = (row + tl.arange(0, BM))[:, None] < (place + tl.arange(0, BN))[None, :]
            scores = tl.where(hidden, -float("inf"), scores)
        most = tl.maximum(largest, tl.max(scores, 1))
        weights = tl.exp2(scores * SCALE - (most * SCALE)[:, None])
        rescaling = tl.exp2((largest - most) * SCALE)
        sums = sums * rescaling + tl.sum(weights, 1)
        total = tl.dot(weights.to(tl.float16), v.load([base + place, 0]), total * rescaling[:, None])
        largest = most
    o.store([base + row, 0], (total * (1.0 / sums)[:, None]).to(tl.float16))


@triton.jit
def softmax(x, y, N: tl.constexpr, BN: tl.constexpr):
    place = tl.arange(0, BN)
    at = tl.program_id(0) * N + place
    if BN == N:
        values = tl.load(x + at).to(tl.float32)
    else:
        values = tl.load(x + at, place < N, -float("inf")).to(tl.float32)
    powers = tl.exp2(values * 1.44269502 - tl.max(values, 0) * 1.44269502)
    result = (powers * (1.0 / tl.sum(powers, 0))).to(tl.float16)
    if BN == N:
        tl.store(y + at, result)
    else:
        tl.store(y + at, result, place < N)


@triton.jit
def layer_norm(x, gamma, beta, y, N: tl.constexpr):
    place = tl.arange(0, N)
    at = tl.program_id(0) * N + place
    values = tl.load(x + at).to(tl.float32)
    centred = values - tl.sum(values, 0) * (1.0 / N)
    rstd = tl.rsqrt(tl.sum(centred * centred, 0) * (1.0 / N) + 1e-5)
    g = tl.load(gamma + place).to(tl.float32)
    b = tl.load(beta + place).to(tl.float32)
    tl.store(y + at, (centred * rstd * g + b).to(tl.float16))


@triton.jit
def rms_norm(x, gamma, y, N: tl.constexpr):
    place = tl.arange(0, N)
    at = tl.program_id(0) * N + place
    values = tl.load(x + at).to(tl.float32)
    rstd = tl.rsqrt(tl.sum(values * values, 0) * (1.0 / N) + 1e-5)
    g = tl.load(gamma + place).to(tl.float32)
    tl.store(y + at, (values * rstd * g).to(tl.float16))


@triton.jit
def transpose(x, y, M: tl.constexpr, N: tl.constexpr, BM: tl.constexpr):
    rows = tl.program_id(1) * BM + tl.arange(0, BM)
    columns = tl.program_id(0) * BM + tl.arange(0, BM)
    tile = tl.load(x + rows[:, None] * N + columns[None, :])
    tl.store(y + columns[:, None] * M + rows[None, :], tl.trans(tile))


@triton.jit
def vector_add(x, y, z, N, BM: tl.constexpr, IS_MASKED: tl.constexpr):
    at = tl.program_id(0) * BM + tl.arange(0, BM)
    if IS_MASKED:
        tl.store(z + at, tl.load(x + at, at < N) + tl.load(y + at, at < N), at < N)
    else:
        tl.store(z + at, tl.load(x + at) + tl.load(y + at))


@triton.jit
def column_sum(x, y, M: tl.constexpr, N: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr):
    columns = tl.program_id(0) * BN + tl.arange(0, BN)
    rows = tl.arange(0, BM)
    total = tl.zeros((BM, BN), tl.float32)
    for row in range(0, M, BM):
        total += tl.load(x + (row + rows)[:, None] * N + columns[None, :])
    tl.store(y + columns, tl.sum(total, 0))


@triton.jit
def gemv(a, x, y, M: tl.constexpr, K: tl.constexpr, BM: tl.constexpr, BK: tl.constexpr):
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    depth = tl.arange(0, BK)
    total = tl.zeros((BM, BK), tl.float32)
    for k in range(0, K, BK):
        tile = tl.load(a + rows[:, None] * K + (k + depth)[None, :]).to(tl.float32)
        part = tl.load(x + k + depth).to(tl.float32)
        total += tile * part[None, :]
    tl.store(y + rows, tl.sum(total, 1))
