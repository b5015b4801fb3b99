"""A Triton kernel in the emulator: compiled without a GPU, run on NumPy arrays, its race found.

    pip install triton tilec
    python check_triton.py

`rotate` moves elements by one place, by way of global memory that its block shares.
`tl.debug_barrier` orders what threads write there before what others read: without it a thread
may read what another one has not written yet. On a GPU that goes well nearly always.
"""
import numpy as np
import tilec
import triton
import triton.language as tl
from triton.backends.compiler import GPUTarget


@triton.jit
def rotate(x, scratch, out, SIZE: tl.constexpr, BARRIER: tl.constexpr):
    """out[i] = x[i + 1], by way of memory that the whole block shares."""
    offsets = tl.arange(0, SIZE)
    tl.store(scratch + offsets, tl.load(x + offsets))
    if BARRIER:
        tl.debug_barrier()
    tl.store(out + offsets, tl.load(scratch + (offsets + 1) % SIZE))


def compile_to_ptx(barrier: bool):
    """What Triton makes of the kernel for sm_80; needs no GPU."""
    source = triton.compiler.ASTSource(
        rotate, signature={"x": "*fp32", "scratch": "*fp32", "out": "*fp32",
                           "SIZE": "constexpr", "BARRIER": "constexpr"},
        constexprs={"SIZE": 512, "BARRIER": barrier})
    return triton.compile(source, target=GPUTarget("cuda", 80, 32))


def run(barrier: bool) -> np.ndarray:
    compiled = compile_to_ptx(barrier)
    x = np.arange(512, dtype=np.float32)
    scratch, out = np.zeros_like(x), np.zeros_like(x)
    # Triton's own two parameters, for scratch memory that this kernel has not, come last.
    tilec.emulate(compiled.asm["ptx"], grid=1, block=32 * compiled.metadata.num_warps,
                  args=[x, tilec.unwritten(scratch), tilec.unwritten(out), None, None],
                  shared=compiled.metadata.shared, allow_equal_stores=True)
    np.testing.assert_array_equal(out, np.roll(x, -1))
    return out


def main() -> None:
    print("with a barrier:", run(barrier=True)[:4])
    try:
        run(barrier=False)
    except tilec.EmulationError as error:
        finding = error.findings[0]
        print(f"without: {finding.kind.value} at line {finding.line} of the PTX")
        print(finding)


if __name__ == "__main__":
    main()
