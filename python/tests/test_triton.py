"""Kernels of Triton, from PTX that is recorded here (python/examples/check_triton.py made it), and
compiled on the spot where Triton is installed."""
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import tilec
from paths import SOURCE

RECORDED = Path(__file__).parent / "recorded"


def run(name):
    x = np.arange(512, dtype=np.float32)
    scratch, out = np.zeros_like(x), np.zeros_like(x)
    tilec.emulate(RECORDED / f"{name}.sm_80.ptx", grid=1,
                  args=[x, tilec.unwritten(scratch), tilec.unwritten(out), None, None])
    return x, out


def test_result():
    x, out = run("rotate")
    np.testing.assert_array_equal(out, np.roll(x, -1))


def test_planted_race():
    with pytest.raises(tilec.EmulationError) as caught:
        run("rotate_racy")
    races = [one for one in caught.value.findings if one.kind is tilec.FindingKind.RACE]
    later, earlier = races[0].accesses
    assert later.text.startswith("later:   read of 4 bytes")
    assert earlier.text.startswith("earlier: write of 4 bytes")
    assert races[0].buffer == 1  # the argument `scratch`
    # The lines of the Triton program.
    lines = (SOURCE / "python" / "examples" / "check_triton.py").read_text().splitlines()
    places = [access.source.split(":") for access in (later, earlier)]
    assert [file for file, _, _ in places] == ["check_triton.py"] * 2
    assert "tl.store(scratch" in lines[int(places[1][1]) - 1]
    # Triton itself puts the load a line behind its own.
    assert "tl.load(scratch" in lines[int(places[0][1]) - 2]


def test_live():
    pytest.importorskip("triton")
    process = subprocess.run([sys.executable, SOURCE / "python" / "examples" / "check_triton.py"],
                             capture_output=True, text=True, check=True)
    assert "with a barrier: [1. 2. 3. 4.]" in process.stdout
    assert "without: race at line" in process.stdout
