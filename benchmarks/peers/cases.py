"""What is compared: a kernel in our language and in Triton's, of the same sizes.

A case names a program of programs/, a function of triton_kernels.py and the sizes from
which both are made. Sizes are in elements, but for WARPS and STAGES.
"""

import math
from dataclasses import dataclass, field, replace

LOG2E = math.log2(math.e)


@dataclass(frozen=True)
class Case:
    """A kernel in both languages, and what it is run with."""

    name: str
    program: str  # programs/PROGRAM.mlir.in
    kernel: str  # of triton_kernels.py
    sizes: dict  # by the names that both use
    arguments: tuple  # (kind, names of sizes) of each memref, the result last
    grid: tuple  # (size, tile) of each dimension; blocks are counted by division
    chip: str = "sm_80"
    runtime: tuple = ()  # the sizes that are arguments of Triton's kernel
    loop: dict = field(default_factory=dict)  # sizes with which its loop is counted
    exact: bool = False  # whether the results have the same bits
    # Where Triton's kernel takes tensor maps: the box of each memref, in names of sizes.
    boxes: tuple = ()
    data: tuple = ()  # options of tile-run with which the reference can judge all elements

    def get_values(self):
        """The sizes and what follows from them, for the program."""
        blocks = dict(zip(("GRID_X", "GRID_Y", "GRID_Z"), self.get_grid()))
        return {"THREADS": 32 * self.sizes["WARPS"], **blocks, **self.sizes}

    def get_their_stages(self):
        return self.sizes.get("THEIR_STAGES", self.sizes.get("STAGES", 3))

    def get_grid(self):
        return [-(-self.sizes[size] // self.sizes.get(tile, tile)) for size, tile in self.grid]

    def get_shapes(self):
        """(kind, shape) of each memref."""
        return [(kind, tuple(self.sizes[name] for name in names))
                for kind, names in self.arguments]

    def get_boxes(self):
        return [[self.sizes[name] for name in names] for names in self.boxes]

    def with_longer_loop(self):
        """The case of which the loop is counted: where the number of iterations is a
        small constant ptxas may leave no loop. Itself where it has one anyway."""
        return replace(self, sizes={**self.sizes, **self.loop})


# The element types of operands, sums and results, and what a sum starts with.
TYPES = {
    "f16": {"T": "f16", "S": "f32", "R": "f16", "ZERO": "0.0"},
    "i8": {"T": "i8", "S": "i32", "R": "i32", "ZERO": "0"},
    "f8": {"T": "f8E4M3FN", "S": "f32", "R": "f16", "ZERO": "0.0"},
}
# The grids of matrices and of rows.
TILES = (("N", "BN"), ("M", "BM"))
ROWS = (("M", 1),)
# The boxes of tensor maps, B being N x K.
GEMM_BOXES = (("BM", "BK"), ("BN", "BK"), ("BM", "BN"))
ATTENTION_BOXES = (("BM", "D"), ("BN", "D"), ("BN", "D"), ("BM", "D"))


def make_gemm(name, size, tile, stages, warps, kind="f16", is_transposed=False, divisors=None,
              chip="sm_80"):
    """Square, `size` of each; `divisors` of M, N and K where the sizes are arguments."""
    height, width, depth = tile
    is_masked = any(size % extent for extent in tile)
    sizes = {"M": size, "N": size, "K": size, "BM": height, "BN": width, "BK": depth,
             "STAGES": stages, "WARPS": warps, "IS_MASKED": is_masked,
             "IS_TRANSPOSED": is_transposed, **TYPES[kind]}
    if divisors:
        sizes |= dict(zip(("BY_M", "BY_N", "BY_K"), divisors))
    program = "gemm_dynamic" if divisors else "gemm_transposed" if is_transposed else "gemm"
    return Case(name, program, "gemm", sizes,
                ((sizes["T"], ("M", "K")), (sizes["T"], ("N", "K") if is_transposed else ("K", "N")),
                 (sizes["R"], ("M", "N"))),
                TILES, chip, runtime=("M", "N", "K") if divisors else (),
                # Where the depth is a number of whole steps, another; else not.
                loop={} if divisors else {"K": 4096 - 4 * is_masked}, exact=True)


def make_attention(name, keys, is_causal=False, chip="sm_80"):
    sizes = {"H": 2, "S": 512, "D": 128, "BM": 128, "BN": keys, "STAGES": 2, "WARPS": 8,
             "SCALE": f"{LOG2E / math.sqrt(128):.9f}", "IS_CAUSAL": is_causal}
    return Case(name, "attention_causal" if is_causal else "attention", "attention", sizes,
                (("f16", ("H", "S", "D")),) * 4, (("S", "BM"), ("H", 1)), chip, loop={"S": 4096},
                data=("--data=0:normal(0,0.3)", "--data=2:uniform(0,1)"))


def use_descriptors(case, boxes):
    """The same with Triton's kernel for tensor maps, which our compiler makes by itself."""
    return replace(case, name=case.name + " descriptors", kernel=case.kernel + "_descriptors",
                   boxes=boxes)


def use_as_many_slots(case, stages):
    """The same with the slots that Triton makes for so many stages: one fewer on chips
    without warpgroups. Ours are as many as the stages, unless one is saved."""
    sizes = {**case.sizes, "STAGES": stages - 1, "THEIR_STAGES": stages}
    return replace(case, name=f"{case.name} slots {stages - 1}", sizes=sizes)


def make_rows(name, program, columns, warps, inputs=0):
    """Rows of `columns`, one a block; `inputs` more vectors of a row's length."""
    sizes = {"M": 16, "N": columns, "BN": 1 << (columns - 1).bit_length(), "WARPS": warps,
             "SHARE": repr(1.0 / columns)}
    return Case(name, program, program, sizes,
                (("f16", ("M", "N")), *(("f16", ("N",)),) * inputs, ("f16", ("M", "N"))), ROWS)


def make_transpose(name, program, side, warps):
    return Case(name, program, "transpose", {"M": 512, "N": 512, "BM": side, "WARPS": warps},
                (("f32", ("M", "N")), ("f32", ("N", "M"))), (("N", "BM"), ("M", "BM")), exact=True)


def make_vector_add(name, program, length, is_masked):
    return Case(name, program, "vector_add",
                {"N": length, "BM": 1024, "WARPS": 4, "IS_MASKED": is_masked},
                (("f32", ("N",)),) * 3, (("N", "BM"),), runtime=("N",) if is_masked else (),
                exact=True)


CASES = [
    make_gemm("gemm 128x128x32 s3 w4", 512, (128, 128, 32), 3, 4),
    make_gemm("gemm 128x128x32 s3 w8", 512, (128, 128, 32), 3, 8),
    make_gemm("gemm 128x128x64 s3 w8", 512, (128, 128, 64), 3, 8),
    make_gemm("gemm 128x128x32 s3 w4 dynamic", 512, (128, 128, 32), 3, 4, divisors=(16, 16, 16)),
    # Whole tiles, as Triton's kernel without masks takes for granted.
    make_gemm("gemm 128x128x32 s3 w4 dynamic whole", 512, (128, 128, 32), 3, 4,
              divisors=(128, 128, 64)),
    make_gemm("gemm 128x128x32 s3 w4 n496 dynamic", 496, (128, 128, 32), 3, 4,
              divisors=(16, 16, 16)),
    make_gemm("gemm 128x128x32 s3 w4 n500", 500, (128, 128, 32), 3, 4),
    make_gemm("gemm 128x128x32 s3 w8 n500", 500, (128, 128, 32), 3, 8),
    make_attention("attention 128x64", 64),
    make_attention("attention 128x128", 128),
    make_attention("attention 128x64 causal", 64, is_causal=True),
    make_attention("attention 128x128 causal", 128, is_causal=True),
    make_rows("softmax 4096 w8", "softmax", 4096, 8),
    make_rows("softmax 1000 w4", "softmax", 1000, 4),
    make_rows("layer norm 4096 w8", "layer_norm", 4096, 8, inputs=2),
    make_rows("rms norm 4096 w8", "rms_norm", 4096, 8, inputs=1),
    make_transpose("transpose 32x32 w4", "transpose", 32, 4),
    make_transpose("transpose 32x32 w4 padded", "transpose_padded", 32, 4),
    make_transpose("transpose 64x64 w8", "transpose", 64, 8),
    make_transpose("transpose 64x64 w8 padded", "transpose_padded", 64, 8),
    make_vector_add("vector add 65536", "vector_add", 65536, is_masked=False),
    make_vector_add("vector add 65000 dynamic", "vector_add_dynamic", 65000, is_masked=True),
    Case("column sum 1024x512", "column_sum", "column_sum",
         {"M": 1024, "N": 512, "BM": 32, "BN": 64, "WARPS": 4},
         (("f32", ("M", "N")), ("f32", ("N",))), (("N", "BN"),)),
    Case("gemv 512x4096", "gemv", "gemv", {"M": 512, "K": 4096, "BM": 8, "BK": 512, "WARPS": 4},
         (("f16", ("M", "K")), ("f16", ("K",)), ("f32", ("M",))), (("M", "BM"),)),
    Case("split-k 64x64x32 w4", "split_k", "split_k",
         {"M": 128, "N": 128, "K": 1024, "PART": 256, "BM": 64, "BN": 64, "BK": 32, "STAGES": 3,
          "WARPS": 4},
         (("f16", ("M", "K")), ("f16", ("K", "N")), ("f32", ("M", "N"))), (*TILES, ("K", "PART")),
         loop={"K": 16384, "PART": 4096}),
    make_gemm("gemm i8 nt 128x64x64 s3 w4", 512, (128, 64, 64), 3, 4, "i8", is_transposed=True),
    make_gemm("gemm i8 nn 128x64x64 s3 w4", 512, (128, 64, 64), 3, 4, "i8"),
    make_gemm("gemm f8 nt 128x128x64 s3 w4 sm_89", 512, (128, 128, 64), 3, 4, "f8",
              is_transposed=True, chip="sm_89"),
    Case("w8a16 128x128x32 s3 w4", "w8a16", "w8a16",
         {"M": 512, "N": 512, "K": 512, "BM": 128, "BN": 128, "BK": 32, "STAGES": 3, "WARPS": 4},
         (("f16", ("M", "K")), ("i8", ("K", "N")), ("f32", ("N",)), ("f16", ("M", "N"))), TILES),
    make_gemm("gemm 128x128x64 s3 w8 sm_90a", 512, (128, 128, 64), 3, 8, chip="sm_90a"),
    make_gemm("gemm 128x128x32 s3 w4 sm_90a", 512, (128, 128, 32), 3, 4, chip="sm_90a"),
    make_gemm("gemm f8 nt 128x128x64 s3 w8 sm_90a", 512, (128, 128, 64), 3, 8, "f8",
              is_transposed=True, chip="sm_90a"),
    make_attention("attention 128x128 sm_90a", 128, chip="sm_90a"),
    make_attention("attention 128x128 causal sm_90a", 128, is_causal=True, chip="sm_90a"),
    use_descriptors(make_gemm("gemm nt 128x128x64 s4 w8 sm_90a", 512, (128, 128, 64), 4, 8,
                              is_transposed=True, chip="sm_90a"), GEMM_BOXES),
    use_descriptors(make_gemm("gemm nt 128x256x64 s4 w8 sm_90a", 512, (128, 256, 64), 4, 8,
                              is_transposed=True, chip="sm_90a"), GEMM_BOXES),
    use_descriptors(make_attention("attention 128x128 sm_90a", 128, chip="sm_90a"),
                    ATTENTION_BOXES),
    use_descriptors(make_attention("attention 128x128 causal sm_90a", 128, is_causal=True,
                                   chip="sm_90a"), ATTENTION_BOXES),
]
# Stages of Triton where it makes fewer slots for as many stages: the same number of slots.
SLOTS = {"attention 128x64": (2, 3), "attention 128x128": (2, 3),
         "w8a16 128x128x32 s3 w4": (3,)}
CASES += [use_as_many_slots(case, stages) for case in CASES
          for stages in SLOTS.get(case.name, ())]
