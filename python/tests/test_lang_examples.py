"""Examples in Python beside their .mlir: equal PTX, and other sizes of the same source."""
import os
import re
import subprocess
import sys

import flash_attention
import gemm
import gemm_split_k
import numpy
import pytest
import rms_norm_residual
import softmax
from paths import SOURCE


@pytest.mark.parametrize("program, name", [
    (gemm.gemm.build(M=1024, K=512, N=768), "gemm_f16"),
    (flash_attention.flash_attention.build(B=2, S=256, H=2), "flash_attention"),
    (softmax.softmax.build(), "softmax"),
    (rms_norm_residual.rms_norm_residual.build(), "rms_norm_residual"),
], ids=lambda value: value if isinstance(value, str) else "")
@pytest.mark.parametrize("chip", ["sm_80", "sm_90a"])
def test_the_kernels_are_those_of_the_mlir(tools, program, name, chip):
    written = (SOURCE / f"examples/{name}.mlir").read_text()
    assert tools.compile_to_ptx(program.text, chip) == tools.compile_to_ptx(written, chip)


@pytest.mark.parametrize("program, options", [
    (gemm.gemm.build(tile_m=96, tile_n=80, stages=2), ["--dim=M:131", "--dim=N:77", "--dim=K:67"]),
    (softmax.softmax.build(columns=1000, threads=128), ["--dim=rows:5"]),
    (flash_attention.flash_attention.build(D=64, queries=64, threads=128, causal=True),
     ["--dim=B:1", "--dim=H:2", "--dim=S:100"]),
    (rms_norm_residual.rms_norm_residual.build(columns=96, T=softmax.f16, threads=32),
     ["--dim=rows:3"]),
    (gemm_split_k.gemm_split_k.build(parts=3), ["--dim=M:70", "--dim=N:90", "--dim=K:200"]),
    (gemm_split_k.gemm_split_k.build(M=64, K=256, N=128), []),
], ids=lambda value: value.name if hasattr(value, "name") else "")
def test_other_sizes_and_parameters(tools, program, options):
    assert "equal" in tools.check(program.text, *options)


PRINTED = [path for path in sorted((SOURCE / "python/examples").glob("*.py"))
           if f"{path.name} | tile-run - " in path.read_text()]


@pytest.mark.parametrize("path", PRINTED, ids=lambda path: path.stem)
def test_examples_run_as_they_say(tools, path):
    options = re.search(rf"^    python python/examples/{path.name} \| tile-run - (.*)$",
                        path.read_text(), re.M).group(1)
    made = subprocess.run([sys.executable, path], capture_output=True, text=True, check=True,
                          env={"PYTHONPATH": os.pathsep.join(sys.path)})
    process = tools.run("tile-run", made.stdout, *options.split())
    assert process.returncode == 0, process.stderr
    assert process.stdout.count(" equal: ") >= 2


def test_gemm_gives_numpys_product(tools):
    random = numpy.random.default_rng(0)
    a = random.integers(-3, 4, (50, 40)).astype(numpy.float16)
    b = random.integers(-3, 4, (40, 70)).astype(numpy.float16)
    c = numpy.zeros((50, 70), numpy.float16)
    tools.run_arrays(gemm.gemm.build(tile_m=32, tile_n=64).text, a, b, c)
    numpy.testing.assert_array_equal(c, a @ b)


def test_causal_attention_gives_numpys(tools):
    random = numpy.random.default_rng(0)
    q, k, v = (random.standard_normal((1, 90, 2, 64)).astype(numpy.float16) for _ in range(3))
    out = numpy.zeros_like(q)
    tools.run_arrays(flash_attention.flash_attention.build(
        D=64, queries=64, keys=32, threads=128, causal=True).text, q, k, v, out)
    scores = numpy.einsum("bqhd,bkhd->bhqk", q.astype(float), k.astype(float)) / 8
    scores[:, :, numpy.triu(numpy.ones((90, 90), bool), 1)] = -numpy.inf
    p = numpy.exp(scores - scores.max(-1, keepdims=True))
    expected = numpy.einsum("bhqk,bkhd->bqhd", p / p.sum(-1, keepdims=True), v.astype(float))
    numpy.testing.assert_allclose(out, expected, atol=4e-3)
