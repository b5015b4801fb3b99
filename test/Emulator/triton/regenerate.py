"""Compiles the kernels of kernels.py to PTX.

    python3 regenerate.py [case ...]

Needs Triton and no GPU. Writes ptx/<case>.<chip>.ptx beside this file; the
tests read those and do not run this script. The first line says how many bytes
of dynamic shared memory the kernel needs. Paths are cut down to file names
and debug sections are dropped, but for the cases of KEEP_DEBUG.
"""

import pathlib
import re
import sys

import triton
import triton.language as tl
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource

import kernels as k

AMPERE, HOPPER, BLACKWELL, CONSUMER = 80, 90, 100, 120
KEEP_DEBUG = {"layer_norm"}


class Case:
    def __init__(self, kernel, chips, signature, warps=4, stages=3,
                 aligned=(), **constants):
        self.kernel, self.chips, self.warps = kernel, chips, warps
        self.stages, self.aligned, self.constants = stages, aligned, constants
        names = [n for n in kernel.arg_names if n not in constants]
        self.signature = dict(zip(names, signature.split(), strict=True))
        self.signature.update({n: "constexpr" for n in constants})


MATMUL = "i32 i32 i32 i32 i32 i32"
CASES = {
    "vector_add": Case(k.vector_add, [AMPERE, BLACKWELL],
                       "*fp32 *fp32 *fp32 i32",
                       aligned="x y out", BLOCK=1024),
    "row_softmax": Case(k.row_softmax, [AMPERE, HOPPER], "*fp32 *fp32 i32 i32",
                        aligned="x out", BLOCK=512),
    "layer_norm": Case(k.layer_norm, [HOPPER],
                       "*fp16 *fp16 *fp16 *fp16 *fp32 i32 fp32",
                       aligned="x weight bias out columns", BLOCK=256),
    "matmul_f16": Case(k.matmul, [AMPERE, HOPPER, CONSUMER],
                       "*fp16 *fp16 *fp16 " + MATMUL,
                       aligned="a b c stride_a stride_b stride_c K",
                       BLOCK_M=64, BLOCK_N=64, BLOCK_K=32, SUMS=tl.float32),
    "matmul_ragged": Case(k.matmul, [AMPERE], "*bf16 *bf16 *fp32 " + MATMUL,
                          aligned="a b c", BLOCK_M=32, BLOCK_N=64, BLOCK_K=16,
                          SUMS=tl.float32),
    "matmul_fp8": Case(k.matmul, [HOPPER, CONSUMER],
                       "*fp8e4nv *fp8e4nv *fp32 " + MATMUL,
                       aligned="a b c stride_a stride_b stride_c K",
                       BLOCK_M=64, BLOCK_N=64, BLOCK_K=64, SUMS=tl.float32),
    "matmul_int8": Case(k.matmul, [AMPERE], "*i8 *i8 *i32 " + MATMUL,
                        aligned="a b c stride_a stride_b stride_c K",
                        BLOCK_M=64, BLOCK_N=64, BLOCK_K=64, SUMS=tl.int32),
    "matmul_tensor_maps": Case(
        k.matmul_tensor_maps, [HOPPER, CONSUMER],
        "tensordesc<fp16[64,64]> tensordesc<fp16[64,64]> "
        "tensordesc<fp16[64,64]> i32 i32 i32",
        BLOCK_M=64, BLOCK_N=64, BLOCK_K=64),
    "attention": Case(k.attention, [AMPERE, HOPPER],
                      "*fp16 *fp16 *fp16 *fp16 i32 fp32",
                      aligned="q k v out length", stages=2,
                      BLOCK_M=64, BLOCK_N=32, HEAD=64),
    "scans": Case(k.scans, [AMPERE], "*fp32 *fp32 *fp32 *fp32",
                  aligned="x sums products recurrence", ROWS=8, COLUMNS=64),
    "histogram": Case(k.histogram, [AMPERE, HOPPER], "*i32 *i32 *i32 i32",
                      aligned="x counts own", BLOCK=512, BINS=32),
    "arg_reduce": Case(k.arg_reduce, [HOPPER],
                       "*fp32 *fp32 *i32 *i32 *i32",
                       aligned="x largest where smallest_at parity",
                       ROWS=16, COLUMNS=64),
    "small_dot": Case(k.small_dot, [AMPERE, CONSUMER], "*fp32 *fp32 *fp32 i32",
                      warps=1, aligned="a b c batch_stride",
                      M=16, N=16, K=16),
    "sort_rows": Case(k.sort_rows, [AMPERE], "*i32 *i32", aligned="x out",
                      ROWS=4, COLUMNS=64),
    "random_numbers": Case(k.random_numbers, [AMPERE, HOPPER],
                           "*i32 *fp32 *fp32 i32",
                           aligned="words uniform normal", BLOCK=256),
    "gather_rows": Case(k.gather_rows, [AMPERE], "*fp32 *i32 *fp32",
                        aligned="x index out", ROWS=32, COLUMNS=32),
    "matmul_scaled": Case(k.matmul_scaled, [CONSUMER],
                          "*u8 *u8 *u8 *u8 *fp32",
                          aligned="a a_scale b b_scale c", M=32, N=32, K=128,
                          A_TYPE="e2m1", B_TYPE="e2m1", A_BYTES=64,
                          B_BYTES=64),
    "matmul_scaled_fp8": Case(k.matmul_scaled, [CONSUMER],
                              "*fp8e4nv *u8 *fp8e5 *u8 *fp32",
                              aligned="a a_scale b b_scale c",
                              M=32, N=32, K=128, A_TYPE="e4m3",
                              B_TYPE="e5m2", A_BYTES=128, B_BYTES=128),
    "integers": Case(k.integers, [AMPERE], "*i32 *i32 *i32 i32",
                     aligned="x y out", BLOCK=256),
    "lock_and_sum": Case(k.lock_and_sum, [AMPERE], "*fp32 *i32 *fp32 i32",
                         aligned="x lock totals", BLOCK=128),
    "special_functions": Case(k.special_functions, [AMPERE],
                              "*fp32 *fp32 i32", aligned="x out", BLOCK=128),
}


def compile_case(case, chip):
    attributes = {}
    aligned = case.aligned.split() if case.aligned else []
    for name in aligned:
        position = case.kernel.arg_names.index(name)
        attributes[(position,)] = [["tt.divisibility", 16]]
    source = ASTSource(case.kernel, case.signature,
                       {(case.kernel.arg_names.index(n),): v
                        for n, v in case.constants.items()}, attributes)
    options = {"num_warps": case.warps, "num_stages": case.stages}
    return triton.compile(source, target=GPUTarget("cuda", chip, 32),
                          options=options)


def tidy(text, keep_debug):
    text = re.sub(r'(\.file\s+\d+\s+)"[^"]*/([^"/]+)"', r'\1"\2"', text)
    if keep_debug:
        return hide_directory(text)
    text = re.sub(r"\n\t\.section\s+\.debug_\w+\s*\{.*?\n\t\}", "", text,
                  flags=re.S)
    return text.replace(", debug", "")


def hide_directory(text):
    """Overwrites this directory's name, spelled in `.b8` lines, by slashes."""
    path = str(pathlib.Path(k.__file__).parent).lstrip("/")
    spelled = "".join(rf"\.b8 {ord(c)}\b([^\n]*)\n" for c in path)
    slashes = "".join(f".b8 47\\{i + 1}\n" for i in range(len(path)))
    return re.sub(spelled, slashes, text)


def main():
    directory = pathlib.Path(__file__).parent / "ptx"
    directory.mkdir(exist_ok=True)
    for name in sys.argv[1:] or CASES:
        for chip in CASES[name].chips:
            compiled = compile_case(CASES[name], chip)
            text = tidy(compiled.asm["ptx"], name in KEEP_DEBUG)
            meta = compiled.metadata
            print(name, chip, "shared", meta.shared, "warps", meta.num_warps)
            text = f"// shared bytes: {meta.shared}\n" + text
            path = directory / f"{name}.sm_{chip}.ptx"
            path.write_text(text)


main()
