"""What operators and bodies mean: as NumPy has it, on the emulator."""
import numpy
import pytest

from tilec import lang as tl
from tilec.lang import f32, i1, i8, i32, index, memref

INTEGERS = [numpy.array([7, -7, 7, -7, 0, 2**31 - 1, -5, 12], numpy.int32),
            numpy.array([2, 2, -2, -2, 3, 7, 5, -4], numpy.int32)]
FLOATS = [numpy.array([1.5, -2.25, 0, 3, 1e10, -0.5, 7, 2], numpy.float32),
          numpy.array([0.5, 2, 3, -4, 1e-10, 0.25, 7, 3], numpy.float32)]
UNORDERED = [numpy.array([1, numpy.nan, 2, numpy.nan, numpy.inf, -0.0, 3, 7], numpy.float32),
             numpy.array([numpy.nan, 1, 2, numpy.nan, -numpy.inf, 0, 5, 6], numpy.float32)]


def check_operations(tools, operations, arrays, result, numpys=None):
    """Operations of fragments, and of their elements one by one as scalars, in one program:
    they give what the same functions (or `numpys`) give of the arrays."""
    element = {"i": i32, "f": f32}[arrays[0].dtype.kind]
    made = {numpy.int32: i32, numpy.float32: f32, bool: i1}[result]
    count = len(operations)

    @tl.function
    def program(a: memref(8, element), b: memref(8, element), out: memref(count, 8, made),
                each: memref(count, 8, made)):
        @tl.launch(1, threads=32)
        def kernel(block):
            x, y = tl.load(a), tl.load(b)
            for number, operation in enumerate(operations):
                tl.store(operation(x, y), out[number, 0].box(1, 8))
                for i in tl.loop(0, 8):
                    tl.store(operation(tl.load(a[i]), tl.load(b[i])), each[number, i])

    out, each = numpy.zeros((count, 8), result), numpy.zeros((count, 8), result)
    tools.run_arrays(program.build().text, *arrays, out, each)
    for number, operation in enumerate(numpys or operations):
        with numpy.errstate(over="ignore"):
            expected = operation(*arrays)
        place = f"operation {number}"
        numpy.testing.assert_array_equal(out[number], expected, place)
        numpy.testing.assert_array_equal(each[number], expected, place)


def test_integers_are_pythons(tools):
    check_operations(tools, [
        lambda a, b: a + b, lambda a, b: a - b, lambda a, b: a * b, lambda a, b: a // b,
        lambda a, b: a % b, lambda a, b: a & b, lambda a, b: a | b, lambda a, b: a ^ b,
        lambda a, b: a << (b & 3), lambda a, b: a >> (b & 3), lambda a, b: -a, lambda a, b: ~a,
        lambda a, b: 5 - a, lambda a, b: 7 // b, lambda a, b: -7 % b, lambda a, b: abs(a),
    ], INTEGERS, numpy.int32)


def test_floats_are_numpys(tools):
    check_operations(tools, [
        lambda a, b: a + b, lambda a, b: a - b, lambda a, b: a * b, lambda a, b: a / b,
        lambda a, b: -a, lambda a, b: 2.0 / b, lambda a, b: 1 - a, lambda a, b: abs(a),
    ], FLOATS, numpy.float32)


@pytest.mark.parametrize("arrays", [INTEGERS, FLOATS, UNORDERED], ids=["i32", "f32", "nan"])
def test_comparisons(tools, arrays):
    check_operations(tools, [
        lambda a, b: a < b, lambda a, b: a <= b, lambda a, b: a > b, lambda a, b: a >= b,
        lambda a, b: a == b, lambda a, b: a != b, lambda a, b: (a < b) | (a == 7),
        lambda a, b: ~(a < b) & (b != 3),
    ], arrays, bool)


def test_functions_and_conversions(tools):
    cases = [
        (tl.maximum, numpy.maximum), (tl.minimum, numpy.minimum),
        (lambda a, b: tl.select(a < b, a, -1), lambda a, b: numpy.where(a < b, a, -1)),
        (lambda a, b: a.to(i8).to(i32), lambda a, b: a.astype(numpy.int8)),
        (lambda a, b: a.to(i8).to(i32, signed=False), lambda a, b: a & 255),
        (lambda a, b: b.to(f32).to(i32), lambda a, b: b),
        (lambda a, b: (a > 0).to(i32), lambda a, b: a > 0),
        (lambda a, b: a.to(index).to(i32), lambda a, b: a),
        (lambda a, b: tl.shrui(a, 28), lambda a, b: a.view(numpy.uint32) >> 28),
        (lambda a, b: tl.remsi(a, b), lambda a, b: numpy.fmod(a, b)),
        (lambda a, b: tl.bitcast(tl.bitcast(a, f32), i32), lambda a, b: a)]
    ours, numpys = zip(*cases)
    check_operations(tools, ours, INTEGERS, numpy.int32, numpys)


def test_open_dimensions(tools):
    @tl.function
    def program(x: memref(16, 8, f32), out: memref(16, 8, f32), outer: memref(16, 8, f32)):
        @tl.launch(1, threads=32)
        def kernel(block):
            t = tl.load(x)
            rows, columns = tl.reduce("maximumf", t, 1), tl.reduce("add", t, 0)
            tl.store((t - rows[:, None]) * columns[None, :], out)
            tl.store(rows[:, None] + columns[None, :], outer)

    x = numpy.arange(128, dtype=numpy.float32).reshape(16, 8) % 13
    out, outer = numpy.zeros_like(x), numpy.zeros_like(x)
    tools.run_arrays(program.build().text, x, out, outer)
    rows, columns = x.max(1), x.sum(0)
    numpy.testing.assert_array_equal(out, (x - rows[:, None]) * columns)
    numpy.testing.assert_array_equal(outer, rows[:, None] + columns)


def test_numbered_fragments_and_masks(tools):
    @tl.function
    def program(x: memref(8, 8, f32), out: memref(8, 8, f32)):
        @tl.launch(1, threads=32)
        def kernel(block):
            rows, columns = tl.arange(8), tl.arange(8, i32)
            lower = -rows[:, None].to(i32) <= -columns[None, :]
            tl.store(tl.select(lower, tl.load(x), 0.0), out)

    x, out = numpy.arange(64, dtype=numpy.float32).reshape(8, 8), numpy.zeros((8, 8), numpy.float32)
    text = program.build().text
    assert "= tile.parallel (%i) in (8) -> (tensor<8xindex>)" in text
    tools.run_arrays(text, x, out)
    numpy.testing.assert_array_equal(out, numpy.tril(x))


def test_shapes(tools):
    @tl.function
    def program(x: memref(4, 8, 16, f32), sums: memref(8, f32), moved: memref(2, 16, 16, f32),
                wide: memref(3, 4, 2, f32), cut: memref(4, 16, f32)):
        @tl.launch(1, threads=32)
        def kernel(block):
            t = tl.load(x)
            tl.store(tl.reduce("add", t, (2, 0)), sums)
            flat = tl.reshape(tl.transpose(t, (2, 1, 0)), (16, 1, 32))
            turned = tl.transpose(tl.reshape(flat, (16, 32)))
            tl.store(tl.reshape(turned, (2, 16, 1, 16))[:, :, 0, :], moved)
            tl.store(tl.broadcast(tl.reshape(t[:, 0:1, 0:2], (4, 2)), 0, (3, 4, 2)), wide)
            tl.store(tl.insert_slice(t[2, 4:6, :], t[:, 3, :], (1, 0)), cut)

    x = numpy.arange(512, dtype=numpy.float32).reshape(4, 8, 16)
    sums, moved, wide, cut = (numpy.zeros(shape, numpy.float32) for shape in (
        8, (2, 16, 16), (3, 4, 2), (4, 16)))
    tools.run_arrays(program.build().text, x, sums, moved, wide, cut)
    numpy.testing.assert_array_equal(sums, x.sum((0, 2)))
    numpy.testing.assert_array_equal(
        moved, x.transpose(2, 1, 0).reshape(16, 32).T.reshape(2, 16, 16))
    numpy.testing.assert_array_equal(wide, numpy.broadcast_to(x[:, 0, 0:2], (3, 4, 2)))
    expected = x[:, 3, :].copy()
    expected[1:3] = x[2, 4:6, :]
    numpy.testing.assert_array_equal(cut, expected)


def test_branches_and_loops(tools):
    @tl.function
    def program(n: index, out: memref(8, i32)):
        @tl.launch(8, threads=32)
        def kernel(b):
            with tl.when(b < 3, x=tl.constant(10, i32)) as c:  # 20 + b, 10 or 30
                c.x = b.to(i32) + 20
            with tl.when(b > 5, x=c.x) as d:
                d.x = tl.constant(30, i32)
            with tl.otherwise(d):
                for _, e in tl.loop(0, n, x=d.x):
                    e.x = e.x + 1
                d.x = e.x
            for w in tl.while_loop(lambda w: w.x % 10 != 0, x=d.x, steps=tl.constant(0, i32)):
                w.x, w.steps = w.x + 1, w.steps + 1
            tl.store(w.steps * 100 + w.x, out[b])

    out = numpy.zeros(8, numpy.int32)
    tools.run_arrays(program.build().text, 4, out)
    values = [20 + 4, 21 + 4, 22 + 4, 14, 14, 14, 30, 30]
    expected = [-value % 10 * 100 + value + -value % 10 for value in values]
    numpy.testing.assert_array_equal(out, expected)


def test_python_unrolls_and_chooses(tools):
    @tl.function
    def program(x: memref(32, f32), out: memref(32, f32), *, powers=(1, 2), twice=False):
        @tl.launch(1, threads=32)
        def kernel(block):
            t = tl.load(x)
            total = sum((t ** float(power) for power in powers), tl.zeros((32,), f32))
            tl.store(total * 2.0 if twice else total, out)

    x = numpy.arange(32, dtype=numpy.float32)
    out = numpy.zeros_like(x)
    text = program.build(powers=(1, 2, 3), twice=True).text
    assert text.count("math.powf") == 3
    tools.run_arrays(text, x, out)
    numpy.testing.assert_allclose(out, 2 * (x + x**2 + x**3), rtol=1e-5)


def test_reductions_and_scans_by_functions(tools):
    @tl.function
    def program(x: memref(4, 100, f32), best: memref(4, f32), at: memref(4, i32),
                state: memref(4, 100, f32)):
        @tl.launch(1, threads=128)
        def kernel(block):
            t = tl.load(x)

            @tl.parallel(4, 100)
            def columns(i, j):
                return j.to(i32)

            def larger(a, a_at, b, b_at):
                takes_b = (b > a) | ((b == a) & (b_at < a_at))
                return tl.select(takes_b, b, a), tl.select(takes_b, b_at, a_at)
            value, place = tl.reduce(larger, (t, columns), 1)
            tl.store(value, best)
            tl.store(place, at)
            tl.store(tl.scan(lambda a, b: tl.maximum(a, b), t, 1), state)

    x = (numpy.arange(400, dtype=numpy.float32) * 37 % 101).reshape(4, 100)
    best, at, state = (numpy.zeros(4, numpy.float32), numpy.zeros(4, numpy.int32),
                       numpy.zeros_like(x))
    tools.run_arrays(program.build().text, x, best, at, state)
    numpy.testing.assert_array_equal(at, x.argmax(1))
    numpy.testing.assert_array_equal(best, x.max(1))
    numpy.testing.assert_array_equal(state, numpy.maximum.accumulate(x, 1))


def test_helpers_are_called_or_inlined(tools):
    @tl.function
    def softplus(x):
        return tl.log1p(tl.exp(x))

    @tl.function
    def program(x: memref(64, f32), out: memref(64, f32)):
        @tl.launch(1, threads=32)
        def kernel(block):
            t = softplus(tl.load(x))
            tl.store(softplus(t) + softplus(tl.load(x[0])), out)

    text = program.build().text
    assert text.count("func.func private @softplus") == 2, "one of fragments and one of scalars"
    x = numpy.linspace(-2, 2, 64, dtype=numpy.float32)
    out = numpy.zeros_like(x)
    tools.run_arrays(text, x, out)
    plus = lambda x: numpy.log1p(numpy.exp(x))  # noqa: E731
    numpy.testing.assert_allclose(out, plus(plus(x)) + plus(x[0]), rtol=1e-5)
