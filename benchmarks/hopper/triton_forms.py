"""The products and the attention of this folder as one writes them in Triton.

The same tiles, 16-bit operands and tensor maps, with Triton's own software pipeline: for
benchmarks/hopper-loops, which counts what both compilers make. `compile_forms` needs no
GPU, but Triton.
"""

import os

# What 3.9 does by itself, without a warning that the next one will not.
os.environ.setdefault("TRITON_DEFAULT_FP_FUSION", "1")

import triton  # noqa: E402
import triton.language as tl  # noqa: E402
from triton.backends.compiler import GPUTarget  # noqa: E402
from triton.compiler import ASTSource  # noqa: E402

WARPS = 8  # two warpgroups, as in our kernels
PTX_VERSION = 90  # what the ptxas of CUDA 13.0 takes


@triton.jit
def gemm(a, b, c, k_size, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    """C = A * transpose(B), a tile of M x N."""
    row = tl.program_id(1) * M
    column = tl.program_id(0) * N
    total = tl.zeros((M, N), tl.float32)
    for k in range(0, k_size, K):
        total = tl.dot(a.load([row, k]), b.load([column, k]).T, total)
    c.store([row, column], total.to(tl.float16))


@triton.jit
def attend(total, sums, largest, queries, keys, values, first, row, begin, end, scale,
           ROWS: tl.constexpr, KEYS: tl.constexpr, IS_MASKED: tl.constexpr):
    """Adds the keys from `begin` to `end` of a head whose rows begin with `first`."""
    for place in range(begin, end, KEYS):
        scores = tl.dot(queries, keys.load([first + place, 0]).T)
        if IS_MASKED:
            later = (row + tl.arange(0, ROWS))[:, None] < (place + tl.arange(0, KEYS))[None, :]
            scores = tl.where(later, float("-inf"), scores)
        most = tl.maximum(largest, tl.max(scores, 1))
        weights = tl.exp2(scores * scale - (most * scale)[:, None])
        rescaling = tl.exp2((largest - most) * scale)
        total = total * rescaling[:, None]
        sums = sums * rescaling + tl.sum(weights, 1)
        total = tl.dot(weights.to(tl.float16), values.load([first + place, 0]), total)
        largest = most
    return total, sums, largest


@triton.jit
def attention(q, k, v, o, length, scale, ROWS: tl.constexpr, KEYS: tl.constexpr,
              SIZE: tl.constexpr, IS_CAUSAL: tl.constexpr):
    """A tile of rows of one head, with all keys or those up to each row."""
    row = tl.program_id(0) * ROWS
    first = tl.program_id(1) * length
    queries = q.load([first + row, 0])
    total = tl.zeros((ROWS, SIZE), tl.float32)
    sums = tl.zeros((ROWS,), tl.float32)
    largest = tl.full((ROWS,), float("-inf"), tl.float32)
    end = row if IS_CAUSAL else length
    total, sums, largest = attend(total, sums, largest, queries, k, v, first, row, 0, end, scale,
                                  ROWS, KEYS, False)
    if IS_CAUSAL:
        total, sums, largest = attend(total, sums, largest, queries, k, v, first, row, row,
                                      row + ROWS, scale, ROWS, KEYS, True)
    o.store([first + row, 0], (total / sums[:, None]).to(tl.float16))


def describe(rows, columns):
    """The type of a tensor map with a box of 16-bit numbers."""
    return f"tensordesc<fp16[{rows},{columns}]>"


def describe_gemm(m, n, k):
    types = {"a": describe(m, k), "b": describe(n, k), "c": describe(m, n), "k_size": "i32"}
    return gemm, types, {"M": m, "N": n, "K": k}


def describe_attention(is_causal):
    maps = dict.fromkeys(["q", "k", "v", "o"], describe(128, 128))
    types = {**maps, "length": "i32", "scale": "fp32"}
    return attention, types, {"ROWS": 128, "KEYS": 128, "SIZE": 128, "IS_CAUSAL": is_causal}


# The kernel, and how many stages its loop has.
FORMS = {
    "gemm_128x128x64": (describe_gemm(128, 128, 64), 4),
    "gemm_128x256x64": (describe_gemm(128, 256, 64), 4),
    "attention_128x128": (describe_attention(False), 2),
    "attention_128x128_causal": (describe_attention(True), 2),
}


def compile_form(form, stages):
    """The PTX of a kernel for sm_90a."""
    kernel, types, constants = form
    signature = {**types, **dict.fromkeys(constants, "constexpr")}
    # Sizes are multiples of 16, as Triton finds by itself where it is called.
    attributes = {(number,): [["tt.divisibility", 16]]
                  for number, name in enumerate(signature) if name in ("k_size", "length")}
    source = ASTSource(kernel, signature, {(list(signature).index(name),): value
                                           for name, value in constants.items()}, attributes)
    target = GPUTarget("cuda", 90, 32)
    options = {"num_warps": WARPS, "num_stages": stages, "ptx_version": PTX_VERSION}
    return triton.compile(source, target=target, options=options).asm["ptx"]


def compile_forms():
    """(name, PTX) of each kernel; the name says the version."""
    for name, (form, stages) in FORMS.items():
        yield f"Triton {triton.__version__} {name}", compile_form(form, stages)
