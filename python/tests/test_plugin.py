"""The fixture for pytest, in runs of pytest of their own."""
import subprocess
import sys
from pathlib import Path

import pytest

TESTS = '''
import numpy as np
import pytest
from kernels import SWAP, kernel

def test_sound(emulate):
    data = np.arange(64, dtype=np.uint32)
    emulate(SWAP, 1, args=[data])
    assert data[0] == 64

def test_race(emulate):
    emulate(SWAP.replace("bar.sync 0;", ""), 1, args=[np.zeros(64, np.uint32)])

def test_last_block(emulate):
    """Wrong in every order but the ascending one."""
    text = kernel("ld.param.u64 %rd1, [data]; mov.u32 %r2, %ctaid.x;\\n"
                  "atom.global.exch.b32 %r3, [%rd1], %r2;")
    data = np.zeros(1, np.uint32)
    emulate(text, 8, 1, [data])
    assert data[0] == 7

def test_count(emulate):
    """Each order begins with the same arrays."""
    text = kernel("ld.param.u64 %rd1, [data]; atom.global.add.u32 %r3, [%rd1], 1;")
    data = np.zeros(1, np.uint32)
    emulate(text, 2, 1, [data])
    assert data[0] == 2

def test_own_seed(emulate):
    emulate(SWAP, 1, args=[np.zeros(64, np.uint32)], seed=3)
'''


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("suite")
    (folder / "test_kernels.py").write_text(TESTS)
    return folder


def run(folder, *options):
    """What pytest prints, with the kernels of this folder at hand."""
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *options, folder]
    code = "import sys; sys.path.insert(0, sys.argv.pop(1)); import runpy; " \
           "sys.argv[0] = 'pytest'; runpy.run_module('pytest', run_name='__main__')"
    command[1:3] = ["-c", code, str(Path(__file__).parent)]
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout


def test_findings_fail_tests(folder):
    output = run(folder)
    assert "1 failed, 4 passed" in output
    assert "error: race: " in output and "test_race" in output


def test_seeds(folder):
    output = run(folder, "--emulator-seeds=4")
    assert "2 failed, 3 passed" in output and "test_last_block" in output
    assert "1 failed, 4 passed" in run(folder, "--emulator-seed=0", "--emulator-seeds=1")


def test_orders_that_are_none(folder):
    assert "--emulator-seeds=0: a number from 0 on" in run(folder, "--emulator-seeds=0")


def test_options_are_listed(folder):
    assert "--emulator-seeds=N" in run(folder, "--help")
