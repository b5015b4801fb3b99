"""The text that Python makes: as a person would write it, with places of the Python file."""
import inspect
import os
import re
import subprocess
import sys

import numpy

from tilec import lang as tl
from tilec.lang import f16, f32, i32, index, memref


@tl.function
def scale_rows(x: memref("M", "N", f32, align=32), s: memref("M", f32), alpha: f32,
               y: memref("M", "N", f32), *, rows=16, columns=128):
    @tl.launch(tl.ceil_div(x.size(0), rows), threads=128)
    def scale_rows_kernel(block):
        row = block * rows
        for col, c in tl.loop(0, x.size(1), columns, seen=0):
            tile = tl.load(x[row, col], (rows, columns))
            scaled = tile * (tl.load(s[row], (rows,)) * alpha)[:, None]
            tl.store(scaled, y[row, col])
            c.seen = c.seen + 1


SCALE_ROWS = """\
func.func @scale_rows(%x: memref<?x?xf32> {tile.align = 32, tile.dims = ["M", "N"]},
                      %s: memref<?xf32> {tile.dims = ["M"]},
                      %alpha: f32,
                      %y: memref<?x?xf32> {tile.dims = ["M", "N"]}) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %M = memref.dim %x, %c0 : memref<?x?xf32>
  %N = memref.dim %x, %c1 : memref<?x?xf32>
  %0 = arith.ceildivui %M, %c16 : index
  tile.launch @scale_rows_kernel blocks(%block) in (%0) threads(128) {
    %row = arith.muli %block, %c16 : index
    %seen = scf.for %col = %c0 to %N step %c128 iter_args(%seen = %c0) -> (index) {
      %tile = tile.load %x[%row, %col] : memref<?x?xf32> -> tensor<16x128xf32>
      %1 = tile.load %s[%row] : memref<?xf32> -> tensor<16xf32>
      %splat = tensor.splat %alpha : tensor<16xf32>
      %2 = arith.mulf %1, %splat : tensor<16xf32>
      %open = tile.broadcast %2 dims [1] : tensor<16xf32> -> tensor<16x128xf32>
      %scaled = arith.mulf %tile, %open : tensor<16x128xf32>
      tile.store %scaled, %y[%row, %col] : tensor<16x128xf32>, memref<?x?xf32>
      %3 = arith.addi %seen, %c1 : index
      scf.yield %3 : index
    }
  }
  return
}
"""


def test_text():
    assert scale_rows.build().bare_text == SCALE_ROWS
    assert str(scale_rows.build()) + "\n" == SCALE_ROWS


def test_static_sizes():
    text = scale_rows.build(M=64, N=256).bare_text
    assert "%x: memref<64x256xf32>" in text and "memref.dim" not in text
    assert "blocks(%block) in (%c4)" in text and "%c256 step %c128" in text


def test_building_twice_gives_the_same_text():
    assert scale_rows.build(rows=32).text == scale_rows.build(rows=32).text
    assert scale_rows.build(rows=32).text != scale_rows.build(rows=16).text


def find_line(function, text):
    lines, first = inspect.getsourcelines(function.body)
    return next(first + n for n, line in enumerate(lines) if text in line)


def test_locations_are_those_of_the_python_file(tools):
    text = scale_rows.build().text
    line = find_line(scale_rows, "scaled = tile *")
    column = len("            scaled = ") + 1
    assert re.search(rf'arith.mulf %tile.* loc\("{re.escape(__file__)}":{line}:{column}\)', text)
    loop = find_line(scale_rows, "for col, c in")
    assert re.search(rf'^    }} loc\("{re.escape(__file__)}":{loop}:\d+\)', text, re.M)
    tools.verify(text)


@tl.function
def too_many_threads(x: memref(64, f32)):
    @tl.launch(1, threads=100)
    def kernel(block):
        tl.store(tl.load(x), x)


def test_the_compiler_points_at_the_python_line(tools):
    said = tools.diagnose(too_many_threads.build().text)
    line = find_line(too_many_threads, "@tl.launch")
    assert said.startswith(f"{__file__}:{line}:6: error: "), said
    assert "    @tl.launch(1, threads=100)\n     ^" in said


def test_a_helper_of_python_is_where_its_operations_are():
    def add_one(value):
        return value + 1.0

    @tl.function
    def program(x: memref(64, f32)):
        @tl.launch(1, threads=32)
        def kernel(block):
            tl.store(add_one(tl.load(x)), x)

    line = inspect.getsourcelines(add_one)[1] + 1
    assert re.search(rf'arith.addf .*:{line}:\d+\)', program.build().text)


def test_names():
    @tl.function
    def program(A: memref("M", 64, f32), n: index):
        c0 = n + 0
        (M, width), kept = A.shape, n * c0
        assert width == 64

        @tl.launch(M, threads=32)
        def first(block):
            row, t = block + 1, tl.zeros((8, 8), f32)
            row = row + 2
            größe = t * 2.0
            tl.store(größe, A[row, kept])

        @tl.launch(M, threads=32, name="first")
        def second(block):
            row = block + 1
            tl.store(tl.zeros((8, 8), f32), A[row, 0])

    text = program.build().bare_text
    for line in ("%c0_ = arith.addi %n, %c0 : index", "%M = memref.dim", "%kept = arith.muli",
                 "%row = arith.addi %block, %c1", "%row_2 = arith.addi %row, %c2",
                 "@first blocks", "@first_2 blocks"):
        assert line in text, text
    assert text.count("%row = ") == 2, "siblings have the same names"


def test_numbers_are_literals_of_their_type(tools):
    @tl.function
    def program(x: memref(8, f32), h: memref(8, f16)):
        @tl.launch(1, threads=32)
        def kernel(block):
            infinity, t = float("inf"), tl.load(x)
            t = tl.maximum(t, -infinity) + 1e-30 + 1e300 + tl.constant(float("nan"), f32)
            tl.store(t, x)
            tl.store(tl.load(h) * infinity + 0.1, h)
            tl.print_value("n", tl.full((8,), -3, i32))

    text = program.build().bare_text
    for literal in ("dense<0xFF800000> : tensor<8xf32>", "dense<1.0e-30>", "dense<1.0e+300>",
                    "arith.constant 0x7FC00000 : f32", "dense<0x7C00> : tensor<8xf16>",
                    "dense<0.1> : tensor<8xf16>", "dense<-3> : tensor<8xi32>"):
        assert literal in text, text
    tools.verify(text)


def test_forms_of_arguments(tools):
    @tl.function
    def scaled(t: tl.tile(16, 32, f32), s: tl.shared(16, 32, f32), by: f32):
        return t * by + tl.load(s)

    @tl.function
    def program(x: memref("M", 32, f32, strides=(None, 1), offset=None),
                y: memref(None, 32, f32, divisible=(4, 1), align=64, may_alias=True), n: index):
        @tl.launch(n, threads=32)
        def kernel(block):
            buffer = tl.alloc((16, 32), f32)
            tl.copy(x[block * 16, 0], buffer)
            tl.store(scaled(tl.load(y[0, 0], (16, 32)), buffer, 2.0), y[0, 0])

    text = program.build().bare_text
    for part in ('%x: memref<?x32xf32, strided<[?, 1], offset: ?>> {tile.dims = ["M", ""]}',
                 "%y: memref<?x32xf32> {tile.align = 64, tile.divisible = array<i64: 4, 1>, "
                 "tile.may_alias}", "%n: index",
                 "@scaled(%t: tensor<16x32xf32>, %s: memref<16x32xf32, #shared>, %by: f32)"):
        assert part in text, text
    tools.verify(text)


def test_a_file_with_annotations_as_text(tmp_path):
    (tmp_path / "late.py").write_text(
        "from __future__ import annotations\n"
        "from tilec import lang as tl\n"
        "def make(columns, T):\n"
        "    @tl.function\n"
        "    def program(x: tl.memref('M', columns, T)):\n"
        "        pass\n"
        "    return program.build()\n"
        "print(make(24, tl.f16))\n")
    run = subprocess.run([sys.executable, tmp_path / "late.py"], capture_output=True, text=True,
                         env={"PYTHONPATH": os.pathsep.join(sys.path)})
    assert run.returncode == 0, run.stderr
    assert "%x: memref<?x24xf16>" in run.stdout


def test_several_functions_in_one_program(tools):
    @tl.function
    def forward(x: memref("M", f32), *, tile=64):
        @tl.launch(tl.ceil_div(x.size(0), tile), threads=32)
        def forward_kernel(block):
            tl.store(tl.load(x[block * tile], (tile,)) + 1.0, x[block * tile])

    @tl.function
    def backward(x: memref("M", f32), *, width=2):
        forward(x, tile=width)
        forward(x, tile=width)
        forward(x, tile=width * 2)

    text = tl.build(forward, backward, tile=32, width=8).bare_text
    assert re.findall(r"func.func (?:private )?@(\w+)", text) == [
        "forward", "forward_2", "forward_3", "backward"]
    assert text.count("func.call @forward_2(") == 2
    tools.verify(text)


def test_parameters_that_look_alike(tools):
    """Of functions, arrays and other objects that read the same each has its own function."""
    class Box:
        amount = 1.0

        def __repr__(self):
            return "Box"

    @tl.function
    def apply(x: memref(64, f32), *, to):
        @tl.launch(1, threads=32)
        def apply_kernel(block):
            tl.store(to(tl.load(x)) if callable(to) else tl.load(x) + to.amount, x)

    @tl.function
    def outer(x: memref(64, f32)):
        apply(x, to=lambda t: t + 2.0)  # is gone before the next one is made
        apply(x, to=lambda t: t * 3.0)
        box = Box()
        apply(x, to=box)
        box.amount = 4.0
        apply(x, to=box)
        apply(x, to=tl.exp)
        apply(x, to=tl.exp)

    text = outer.build().bare_text
    assert re.findall(r"func.call @(\w+)\(", text) == [
        "apply", "apply_2", "apply_3", "apply_4", "apply_5", "apply_5"]
    assert re.findall(r"dense<(.*?)>", text) == ["2.0", "3.0", "1.0", "4.0"]
    tools.verify(text)


def test_numbers_of_numpy_are_pythons():
    @tl.function
    def scale(x: memref("M", f32), *, tile, factor, least, shift):
        @tl.launch(tl.ceil_div(x.size(0), tile), threads=32)
        def scale_kernel(block):
            t = tl.load(x[block * tile], (tile,)) * factor
            t = tl.maximum(t, least) + tl.full((tile,), least, f32)
            for k, c in tl.loop(0, tile, tl.ceil_div(tile, 2), t=t, i=shift):
                c.t = c.t - factor
            tl.store(c.t, x[block * tile])

    program = scale.build(tile=64, factor=1.5, least=-2.0, shift=3, M=640)
    made = scale.build(tile=numpy.int64(64), factor=numpy.float32(1.5), least=numpy.float16(-2),
                       shift=numpy.uint8(3), M=numpy.int32(640))
    assert made.bare_text == program.bare_text

    @tl.function
    def inside(x: memref(64, f32)):
        @tl.launch(numpy.int64(1), threads=numpy.int64(32))
        def inside_kernel(block):
            t = tl.load(x[numpy.int64(0)], (numpy.int64(64),))
            tl.store(t * numpy.float32(2) + tl.maximum(t, numpy.float32(1)), x)

    assert "dense<2.0>" in inside.build().bare_text
