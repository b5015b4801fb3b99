"""Boxes of the im2col matrix of an image, with the products that convolutions make."""

from tilefuzz import memory
from tilefuzz.arguments import argument
from tilefuzz.builder import *
from tilefuzz.launches import launch
from tilefuzz.regions import body


def im2col(b, scope):
    """Statement: a box at any start, in shared memory and read back."""
    elem = b.pick(["f16", "f16", "bf16", "f32", "i8", "f64", "i32"])
    shape = (b.between(1, 3), b.between(1, 9), b.between(1, 9), b.pick([1, 3, 4, 8, 8, 16]))
    source = argument(b, shape, elem, "input", mayBeStrided=False)
    pair = lambda low, high: [b.between(low, high), b.between(low, high)]
    rows, columns = b.pick([8, 16, 16, 32, 33]), b.pick([8, 16, 16, 24, 32, 36])
    buffer = memory.allocate(b, (rows, columns), elem)
    start = lambda most: b.index(b.pick([0, 0, most, b.between(0, 40)]))
    row = start(rows)
    if scope.indices and b.chance(0.4):
        row = b.define("i", f"arith.muli {b.pick(scope.indices).name}, {b.index(rows)} : index")
    b.line(f"tile.im2col {source.name}[{row}, {start(columns)}] to {buffer.name} "
           f"{{kernel = {pair(1, 3)}, strides = {pair(1, 2)}, dilations = {pair(1, 2)}, "
           f"padding = {pair(0, 2)}}} : {source.type} to {buffer.type}")
    b.features["im2col"] += 1
    result = Fragment("", buffer.shape, elem, CAP)
    result.name = b.define("t", f"tile.load {buffer.name} : {buffer.type} -> {result.type}")
    scope.buffers.append(buffer)
    scope.fragments.append(result)
    return result


def program(b, scope):
    def write(b, inner):
        for _ in range(b.between(1, 2)):
            memory.store(b, inner, im2col(b, inner))
        body(b, inner, b.between(0, 3))

    launch(b, scope, write=write)
