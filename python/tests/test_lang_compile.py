"""Programs that Python makes, compiled and called in Python."""
import flash_attention
import gemm
import numpy
import pytest

import tilec
from tilec import lang as tl
from tilec.lang import f32, i32, memref


def test_a_program_is_called_with_arrays():
    random = numpy.random.default_rng(0)
    a = random.integers(-3, 4, (50, 40)).astype(numpy.float16)
    b = random.integers(-3, 4, (40, 70)).astype(numpy.float16)
    c = numpy.zeros((50, 70), numpy.float16)
    program = gemm.gemm.build(tile_m=32, tile_n=64).compile(chip="sm_80")
    program.gemm(a, b, c)
    numpy.testing.assert_array_equal(c, a @ b)
    assert ".visible .entry gemm_kernel" in program.kernels["gemm_kernel"].ptx


def test_programs_are_sources():
    """Of tilec.compile and tilec.emit, as texts are; what is not built is none."""
    program = gemm.gemm.build(tile_m=32, tile_n=64)
    assert tilec.compile(program, "sm_80").ptx == program.compile("sm_80").ptx
    assert "define" in tilec.emit(program, "llvm", "sm_80")
    with pytest.raises(TypeError, match=r"gemm is a function of tilec.lang: .* gemm.build\(..\)"):
        tilec.compile(gemm.gemm, "sm_80")


def test_names():
    """What is listed is what is written here, and no module of the package."""
    listed = {name for name, value in vars(tl).items() if not name.startswith("_")
              and getattr(value, "__module__", "").startswith("tilec.")}
    types = {name for name, value in vars(tl).items() if isinstance(value, tl.ElementType)}
    assert set(tl.__all__) == listed | types


def test_options_of_the_compiler():
    program = flash_attention.flash_attention.build(D=64, queries=64, threads=128)
    with_lines = program.compile(chip="sm_80").ptx
    without = program.compile(chip="sm_80", line_info=False).ptx
    assert "flash_attention.py" in with_lines and ".loc" not in without


@tl.function
def wrong_tile(x: memref(64, 64, f32)):
    @tl.launch(1, threads=32)
    def kernel(block):
        t = tl.gemm(tl.zeros((12, 16), f32), tl.zeros((16, 8), f32))
        tl.store(t, x[0, 0])


def test_diagnostics_of_the_compiler_have_the_python_line():
    with pytest.raises(tilec.CompileError) as caught:
        wrong_tile.build().compile(chip="sm_80")
    first = caught.value.diagnostics[0]
    line = wrong_tile.location.line + 4
    assert (first.file, first.line, first.column) == (__file__, line, 13)
    assert "M = 12" in first.message
    assert "        t = tl.gemm(tl.zeros((12, 16), f32)" in str(caught.value)


@tl.function
def out_of_bounds(x: memref("N", i32), i: tl.index):
    @tl.launch(1, threads=32)
    def kernel(block):
        tl.store(7, x[i])


def test_errors_of_a_run_have_the_python_line():
    program = out_of_bounds.build().compile(chip="sm_80")
    x = numpy.zeros(4, numpy.int32)
    program.out_of_bounds(x, 3)
    assert x.tolist() == [0, 0, 0, 7]
    with pytest.raises(tilec.RunError) as caught:
        program.out_of_bounds(x, 4)
    line = out_of_bounds.location.line + 4
    assert f"{__file__}:{line}:" in str(caught.value)
    assert x.tolist() == [0, 0, 0, 7]
