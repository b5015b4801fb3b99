"""tilec.compile: programs, kernels, options, errors."""
import json
import os
import pickle
import subprocess
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest
import tilec
from paths import EXAMPLES, TOOLS, run_script
from programs import AXPY

WRONG = """func.func @f(%x: memref<?xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch @k blocks(%b) in (%c1) threads(100) {
    %t = tile.load %x[%b] : memref<?xf32> -> tensor<128xf32>
  }
  return
}
"""


@pytest.fixture(scope="module")
def program():
    return tilec.compile(AXPY, chip="sm_80", name="axpy.mlir")


def test_program(program):
    assert program.chip == "sm_80"
    assert program.ptx.startswith("//") or ".version" in program.ptx
    assert ".entry axpy_kernel" in program.ptx and ".target sm_80" in program.ptx
    assert list(program.kernels) == ["axpy_kernel"] == [kernel.name for kernel in program]
    assert list(program.functions) == ["axpy"]
    assert "axpy(f32, memref<?xf32>, memref<?xf32>)" in repr(program)
    assert "axpy" in dir(program)
    with pytest.raises(AttributeError, match="no function 'axpi'; it has axpy"):
        program.axpi


def test_kernel(program):
    kernel = program.kernels["axpy_kernel"]
    assert ".entry axpy_kernel" in kernel.ptx
    assert kernel.report["name"] == "axpy_kernel" and kernel.report["block_threads"] == 128
    assert program.report == [kernel.report]
    assert "axpy_kernel" in kernel.report_text
    assert kernel.launches == program.launches
    grid = program.launches[0]["grid"][0]
    assert grid["op"] == "ceildivsi" and grid["operands"] == ["arg1.size[0]", 128]


def test_pictures(program, tmp_path):
    kernel = program.kernels["axpy_kernel"]
    for picture in (kernel.layouts, kernel.arena):
        assert ElementTree.fromstring(picture._repr_svg_()).tag.endswith("svg")
        assert str(picture) == picture.svg
    assert "127:0" in kernel.layouts.svg  # the last element and where it is
    assert "tensor<128xf32>" in kernel.layouts_text
    assert "axpy_kernel" in kernel._repr_html_() and "<details>" in kernel._repr_html_()
    kernel.arena.save(tmp_path / "arena.svg")
    assert (tmp_path / "arena.svg").read_text() == kernel.arena.svg


def test_path_and_text():
    path = EXAMPLES / "gemm_f16.mlir"
    from_path = tilec.compile(path, chip="sm_90a")
    assert from_path.name == str(path)
    assert from_path.ptx == tilec.compile(str(path), chip="sm_90a").ptx
    ptx = subprocess.run([TOOLS / "tile-opt", path, "--emit=ptx", "--chip=sm_90a"],
                         capture_output=True, text=True, check=True).stdout
    assert from_path.ptx == ptx


def test_several_kernels():
    twice = AXPY + AXPY.replace("@axpy", "@other")
    program = tilec.compile(twice, chip="sm_80")
    assert set(program.kernels) == {"axpy_kernel", "other_kernel"}
    assert set(program.functions) == {"axpy", "other"}
    kernel = program.kernels["other_kernel"]
    assert ".entry other_kernel" in kernel.ptx and ".entry axpy_kernel" not in kernel.ptx
    assert [launch["function"] for launch in kernel.launches] == ["other"]


def test_options(program):
    bare = tilec.compile(AXPY, "sm_80", line_info=False)
    assert ".loc" in program.ptx and ".loc" not in bare.ptx
    assert tilec.compile(AXPY, "sm_80", opt_level=0).ptx != program.ptx
    assert len(program.kernels) == 1
    ragged = tilec.compile(AXPY, "sm_80", version_launches=False, reuse="never",
                           prefetch_bytes=128, check_assumptions=True)
    assert list(ragged.kernels) == ["axpy_kernel"]
    with pytest.raises(ValueError, match="reuse='now': known are always, cold, never"):
        tilec.compile(AXPY, "sm_80", reuse="now")
    with pytest.raises(tilec.CompileError, match="7"):
        tilec.compile(AXPY, "sm_80", opt_level=7)
    with pytest.raises(tilec.CompileError, match="5"):
        tilec.compile(AXPY, "sm_80", prefetch_bytes=5)


def test_emit():
    assert "define ptx_kernel void @axpy_kernel" in tilec.emit(AXPY, "llvm", chip="sm_80")
    assert "nvvm" in tilec.emit(AXPY, "nvvm", chip="sm_80")
    with pytest.raises(ValueError, match="text='ptx': known are llvm, nvvm"):
        tilec.emit(AXPY, "ptx", chip="sm_80")
    with pytest.raises(tilec.CompileError, match="threads"):
        tilec.emit(WRONG, "llvm", chip="sm_80")


def test_error_is_the_command_lines(tmp_path):
    path = tmp_path / "wrong.mlir"
    path.write_text(WRONG)
    command = subprocess.run([TOOLS / "tile-opt", path, "--emit=ptx", "--chip=sm_80"],
                             capture_output=True, text=True, check=False)
    with pytest.raises(tilec.CompileError) as caught:
        tilec.compile(path, chip="sm_80")
    assert command.returncode == 1
    assert str(caught.value) == command.stderr.rstrip("\n")
    assert "\n  tile.launch @k blocks(%b) in (%c1) threads(100) {\n  ^" in str(caught.value)


def test_error_as_data():
    with pytest.raises(tilec.CompileError) as caught:
        tilec.compile(WRONG, chip="sm_80", name="wrong.mlir")
    error = caught.value.diagnostics[0]
    assert (error.severity, error.file, error.line, error.column) == ("error", "wrong.mlir", 3, 3)
    assert "100" in error.message
    assert str(error).startswith("wrong.mlir:3:3: error: ")
    assert isinstance(caught.value, tilec.TileError)


def test_notes_and_verifiers(tmp_path):
    """An error of a pass, with a note, and without the operation that MLIR would print."""
    text = AXPY.replace("threads(128)", "threads(128) attributes {stage = #tile.stage<placed>}")
    path = tmp_path / "stage.mlir"
    path.write_text(text)
    command = subprocess.run([TOOLS / "tile-opt", path, "--emit=ptx", "--chip=sm_80"],
                             capture_output=True, text=True, check=False)
    with pytest.raises(tilec.CompileError) as caught:
        tilec.compile(path, chip="sm_80")
    assert str(caught.value) == command.stderr.rstrip("\n")
    assert "see current operation" not in str(caught.value)


@pytest.mark.parametrize("text, message", [
    ("func.func @f( {\n", "expected"),
    ("func.func @f() { return }\n", "there is nothing to emit"),
    (AXPY.replace("tensor<128xf32>", "tensor<127xf32>", 1), "127"),
])
def test_errors(text, message):
    with pytest.raises(tilec.CompileError, match=message):
        tilec.compile(text, chip="sm_80")


def test_chips():
    with pytest.raises(tilec.CompileError, match="sm_1.*sm_80"):
        tilec.compile(AXPY, chip="sm_1")
    with pytest.raises(tilec.CompileError, match="chip"):
        tilec.compile(AXPY)
    with pytest.raises(TypeError, match='chip=80 is no name: give "sm_80"'):
        tilec.compile(AXPY, 80)
    module = f'module attributes {{tile.target = #tile.target<"sm_90a">}} {{{AXPY}}}'
    assert tilec.compile(module).chip == "sm_90a"


def test_no_file():
    with pytest.raises(FileNotFoundError):
        tilec.compile("nowhere.mlir", chip="sm_80")
    with pytest.raises(TypeError, match="a text or the path of its file is needed, not .* bytes"):
        tilec.compile(AXPY.encode(), chip="sm_80")
    with pytest.raises(tilec.CompileError, match="there is nothing to emit"):
        tilec.compile("", chip="sm_80")


def test_no_text(tmp_path):
    path = tmp_path / "program.mlirbc"
    path.write_bytes(b"ML\xefR")
    with pytest.raises(ValueError, match="program.mlirbc is no text in UTF-8: byte 2 is 0xef"):
        tilec.compile(path, "sm_80")


def test_pickling(program):
    again = pickle.loads(pickle.dumps(program))
    assert again.ptx == program.ptx and again.name == "axpy.mlir" and "axpy" in again.functions
    with pytest.raises(tilec.CompileError) as caught:
        tilec.compile(WRONG, chip="sm_80")
    error = pickle.loads(pickle.dumps(caught.value))
    assert str(error) == str(caught.value) and error.diagnostics == caught.value.diagnostics


def test_no_ptxas(program):
    with pytest.raises(tilec.CompileError, match="a cubin needs ptxas"):
        tilec.compile(AXPY, "sm_80", cuda=None, cubin=True)


def test_cubin(program):
    try:
        cubin = program.cubin
    except tilec.CompileError as error:
        assert "a cubin needs ptxas" in str(error)
        pytest.skip("no ptxas")
    assert cubin.startswith(b"\x7fELF") and program.kernels["axpy_kernel"].cubin == cubin
    with_registers = tilec.compile(AXPY, "sm_80", cubin=True)
    assert with_registers.report[0]["registers"] > 0


def test_cuda_home_denies(monkeypatch):
    monkeypatch.setenv("CUDA_HOME", "")
    with pytest.raises(tilec.CompileError, match="a cubin needs ptxas"):
        tilec.compile(AXPY, "sm_80", cubin=True)


def test_beside_another_llvm():
    """A process that has MLIR and LLVM as shared libraries, for everybody to see."""
    folder = Path(os.environ.get("TILE_LLVM", "/usr/lib/llvm-22/lib"))
    if not (folder / "libMLIR.so").exists():
        pytest.skip("no shared libMLIR")
    script = f"""if True:
        import ctypes
        ctypes.CDLL("{folder / 'libMLIR.so'}", ctypes.RTLD_GLOBAL)
        import sys, tilec
        from programs import AXPY
        print(tilec.compile(AXPY, "sm_80").ptx)
    """
    process = run_script(script)
    assert process.returncode == 0, process.stderr
    assert ".entry axpy_kernel" in process.stdout


def test_fork():
    """A child that forgets the programs of its parent ends, and compiles its own."""
    script = """if True:
        import gc, os, sys, threading, tilec
        from programs import AXPY
        twice = AXPY + AXPY.replace("@axpy", "@other")
        program = tilec.compile(twice, "sm_80")
        child = os.fork()
        if child == 0:
            del program
            gc.collect()
            tilec.compile(twice, "sm_80")
            os._exit(7)
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
    """
    process = run_script(script)
    assert process.stdout == "7\n", process.stderr


def test_names():
    """What is listed for tools that read is what there is."""
    assert sorted(tilec.__all__) == sorted(["__version__", *tilec._HOMES])
    for name in tilec.__all__:
        assert getattr(tilec, name) is not None


def test_threads():
    """Programs compile beside one another."""
    from concurrent.futures import ThreadPoolExecutor
    texts = [AXPY.replace("128", str(tile)) for tile in (128, 256, 512, 1024)]
    with ThreadPoolExecutor(4) as pool:
        programs = list(pool.map(lambda text: tilec.compile(text, "sm_80"), texts))
    assert len({program.ptx for program in programs}) == 4
    assert json.loads(programs[0]._native.json)["chip"] == "sm_80"
