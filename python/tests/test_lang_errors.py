"""Programs that cannot be written: what is said, and at which line of the Python file."""
import pickle

import pytest

from tilec import lang as tl
from tilec.lang import f16, f32, i1, i8, i32, index, memref


def build(body):
    """A program whose launch is `body`, given a fragment of f32, one of f16, one of i32, a
    scalar f32, an index and memrefs."""
    @tl.function
    def program(A: memref("M", "N", f32), B: memref(64, f16), s: f32):
        @tl.launch(4, threads=64)
        def kernel(b):
            x = tl.zeros((64, 32), f32)
            body(x, x.to(f16), tl.zeros((64, 32), i32), s, b, A, B)
    return program.build()


def add_types(x, h, n, s, b, A, B): x + h
def add_kinds(x, h, n, s, b, A, B): x * n
def add_shapes(x, h, n, s, b, A, B): x - tl.zeros((32, 64), f32)
def scalar_of_another_type(x, h, n, s, b, A, B): h * s
def float_into_integers(x, h, n, s, b, A, B): n + 1.5
def number_too_large(x, h, n, s, b, A, B): n.to(i8) + 300
def bool_into_integers(x, h, n, s, b, A, B): n + True
def index_with_i32(x, h, n, s, b, A, B): b + tl.constant(1, i32)
def integers_divided(x, h, n, s, b, A, B): n / 2
def floats_floor_divided(x, h, n, s, b, A, B): x // 2.0
def floats_and_bits(x, h, n, s, b, A, B): x & 1
def branch(x, h, n, s, b, A, B): 1 if b > 3 else 2
def chained(x, h, n, s, b, A, B): 0 < b < 3
def python_range(x, h, n, s, b, A, B): range(b)
def iterate(x, h, n, s, b, A, B): list(x)
def open_alone(x, h, n, s, b, A, B): x[0, :][:, None] + x[1, :][:, None]
def open_wrong(x, h, n, s, b, A, B): x - x[0, :][:, None]
def open_form(x, h, n, s, b, A, B): x[None]
def unknown_flag(x, h, n, s, b, A, B): tl.exp(x, fastmath="fats")
def unknown_kind(x, h, n, s, b, A, B): tl.reduce("max", x, 1)
def unknown_predicate(x, h, n, s, b, A, B): tl.cmpf("lt", x, x)
def condition_type(x, h, n, s, b, A, B): tl.select(n, x, x)
def condition_shape(x, h, n, s, b, A, B): tl.select(x[:, 0] > 0.0, x, x)
def gemm_sizes(x, h, n, s, b, A, B): tl.gemm(h, h)
def gemm_accumulator(x, h, n, s, b, A, B): tl.gemm(h, h, x, transpose_b=True, accumulator=f32)
def gemm_of_a_vector(x, h, n, s, b, A, B): tl.gemm_sparse(h, h[0, :], h)
def gemm_of_a_number(x, h, n, s, b, A, B): tl.gemm(h, 2.0)
def zeros_of_a_size(x, h, n, s, b, A, B): tl.zeros((A.size(0), 8), f32)
def zeros_of_an_int(x, h, n, s, b, A, B): tl.zeros(8, f32)
def parallel_of_a_size(x, h, n, s, b, A, B): tl.parallel(b)(lambda i: i)
def carried_underscore(x, h, n, s, b, A, B):
    for _, c in tl.loop(0, 4, _x=x):
        pass
def negative_extent(x, h, n, s, b, A, B): tl.alloc((8, -1), f32)
def reduce_along_a_name(x, h, n, s, b, A, B): tl.reduce("add", x, "rows")
def stages_of_a_value(x, h, n, s, b, A, B):
    for i in tl.loop(0, 4, stages=b):
        pass
def loops_side_by_side(x, h, n, s, b, A, B):
    for i, j in zip(tl.loop(0, 4), tl.loop(0, 4)):
        pass
def load_without_shape(x, h, n, s, b, A, B): tl.load(A)
def box_rank(x, h, n, s, b, A, B): A[b]
def box_extents(x, h, n, s, b, A, B): A[b, 0].box(64)
def float_index(x, h, n, s, b, A, B): A[b, 1.0]
def scalar_to_a_box(x, h, n, s, b, A, B): tl.store(s, A)
def store_kind(x, h, n, s, b, A, B): tl.store(s, B[0])
def carried_type(x, h, n, s, b, A, B):
    for _, c in tl.loop(0, 4, x=x):
        c.x = c.x.to(f16)
def carried_name(x, h, n, s, b, A, B):
    for _, c in tl.loop(0, 4, x=x):
        c.y = x
def escapes(x, h, n, s, b, A, B):
    for i in tl.loop(0, 4):
        y = x + 1.0
    tl.store(y, A[0, 0])
def escapes_a_branch(x, h, n, s, b, A, B):
    with tl.when(b > 1):
        y = x + 1.0
    tl.store(y, A[0, 0])
def not_carried(x, h, n, s, b, A, B):
    for i in tl.loop(0, 4):
        x = x + 1.0
def breaks(x, h, n, s, b, A, B):
    for i in tl.loop(0, 4):
        break
def otherwise_later(x, h, n, s, b, A, B):
    with tl.when(b > 1) as c:
        pass
    tl.store(x, A[0, 0])
    with tl.otherwise(c):
        pass
def iteration_returns(x, h, n, s, b, A, B): tl.parallel(8)(lambda i: x)
def iteration_parameters(x, h, n, s, b, A, B): tl.parallel(8, 8)(lambda i: i)
def combiner_returns(x, h, n, s, b, A, B): tl.reduce(lambda a, c: (a, c), x, 1)
def launch_in_launch(x, h, n, s, b, A, B): tl.launch(1, threads=32)(lambda b: None)
def slice_by_values(x, h, n, s, b, A, B): x[b:, :]
def reshape_count(x, h, n, s, b, A, B): tl.reshape(x, (64, 33))
def print_of_a_number(x, h, n, s, b, A, B): tl.print_value("n", 3)
def number_alone(x, h, n, s, b, A, B):
    for _ in tl.while_loop(lambda c: c.n < 3.0, n=0.0):
        pass


@pytest.mark.parametrize("body, message", [
    (add_types, "addf of %x: tensor<64x32xf32> and %0: tensor<64x32xf16>: types differ, and "
                "nothing is converted unless x.to(..) says so"),
    (add_kinds, "mulf of %x: tensor<64x32xf32> and %1: tensor<64x32xi32>: types differ"),
    (add_shapes, "subf of %x: tensor<64x32xf32> and %2: tensor<32x64xf32>: types differ"),
    (scalar_of_another_type, "mulf of %0: tensor<64x32xf16> and %s: f32: types differ"),
    (float_into_integers, "1.5 is a float, and i32 is not"),
    (number_too_large, "300 does not fit i8: -128 to 255"),
    (bool_into_integers, "True is no i32; the type of a bool is i1"),
    (index_with_i32, "addi of %b: index and %c1_i32: i32: types differ"),
    (integers_divided, "of integers write // (rounds down), divsi or divui"),
    (floats_floor_divided, "of floats write floor(a / b)"),
    (floats_and_bits, "bits of floats are read by bitcast(x, i32)"),
    (branch, "%2: i1 is known when the program runs only, and Python cannot branch on it; write "
             "when(..), select(..), & and |"),
    (chained, "Python cannot branch on it"),
    (python_range, "Python needs an int here; write loop(..) for range(..)"),
    (iterate, "Python cannot iterate over it"),
    (open_alone, "no operand says what the open dimensions are"),
    (open_wrong, "the other dimensions are not those of the fragment"),
    (open_form, "beside None there is a ':' for each dimension of %x"),
    (unknown_flag, "unknown flag 'fats'; known: reassoc, nnan"),
    (unknown_kind, "unknown kind 'max'; known: add, mul"),
    (unknown_predicate, "unknown predicate 'lt'; known: false, oeq"),
    (condition_type, "a condition is of type i1, not %1: tensor<64x32xi32>"),
    (condition_shape, "the condition is tensor<64xi1>, the values tensor<64x32xf32>"),
    (gemm_sizes, "K is 32 and 64; transpose_b=True?"),
    (gemm_of_a_vector, "gemm_sparse: %2: tensor<32xf16> is no fragment or shared memref of two"),
    (gemm_of_a_number, "gemm: the number 2.0 is no fragment or shared memref"),
    (zeros_of_a_size, "full: extents are ints that are known now, not %M: index"),
    (zeros_of_an_int, "full: a shape is a tuple of ints, (8,)"),
    (parallel_of_a_size, "parallel: extents are ints that are known now, not %b: index"),
    (carried_underscore, "_x: what is carried has a name that begins with a letter"),
    (negative_extent, "alloc: extents are ints that are known now, not -1"),
    (reduce_along_a_name, "dims: ints, not 'rows'"),
    (stages_of_a_value, "stages is an int, not %b: index"),
    (loops_side_by_side, "goes on inside of another body: loops are nested, and not run side by"),
    (load_without_shape, "%A: memref<?x?xf32> does not say how large the fragment is"),
    (box_rank, "1 indices for %A: memref<?x?xf32>, which has 2 dimensions"),
    (box_extents, "1 entries for the 2 dimensions of %A"),
    (float_index, "1.0 is a float, and index is not"),
    (scalar_to_a_box, "is stored to one element, A[i, j]; full(..) makes a fragment"),
    (store_kind, "store: %s: f32 is no f16"),
    (carried_type, "x, which is carried: %2: tensor<64x32xf16> is no tensor<64x32xf32>"),
    (carried_name, "y is not carried; carried: x"),
    (escapes, "%y is made in the loop of line {line + 1} and used outside of it; carry it"),
    (escapes_a_branch, "%y is made in the branch of line {line + 1} and used outside of it; let"),
    (not_carried, "the body reads x and assigns it, but does not carry it: write loop(.., x=x)"),
    (breaks, "the loop is left before its end; break and return are not in the language"),
    (otherwise_later, "otherwise(c) stands directly behind the `with when(..) as c:`"),
    (iteration_returns, "an iteration returns elements, not %x"),
    (iteration_parameters, "<lambda> takes 1 values, and there are 2"),
    (combiner_returns, "the combiner returns 2 values, and not 1"),
    (launch_in_launch, "a launch stands in host code, not in another launch"),
    (slice_by_values, "slices of fragments have offsets and sizes that are ints"),
    (reshape_count, "2048 and 2112 elements"),
    (print_of_a_number, "print: the number 3 is known now"),
    (number_alone, "0.0 has no type here; write constant(0.0, f32)"),
], ids=lambda value: getattr(value, "__name__", ""))
def test_error(body, message):
    with pytest.raises(tl.ProgramError) as caught:
        build(body)
    line = body.__code__.co_firstlineno
    assert message.replace("{line + 1}", str(line + 1)) in caught.value.message
    location = caught.value.location
    assert location.file == __file__
    assert line <= location.line <= line + 6, "not a line of the function"
    text = str(caught.value).splitlines()
    assert text[0] == f"{location}: error: {caught.value.message}"
    assert text[1] == location.get_line() and text[2] == " " * (location.column - 1) + "^"


@pytest.mark.parametrize("index, message", [
    ((64, 0), r"index 64 of %x: tensor<64x32xf32>: dimension 0 has 64 elements"),
    ((0, -33), "index -33 of .*: dimension 1 has 32 elements"),
    ((True, 0), "index True of"), ((0,), "1 indices for %x: .*, which has 2 dimensions"),
    ((slice(0, 4), 32), "index 32 of .*: dimension 1 has 32")])
def test_indices_outside(index, message):
    with pytest.raises(tl.ProgramError, match=message):
        build(lambda x, *rest: x[index])


def test_assignments():
    with pytest.raises(tl.ProgramError, match="%A: memref<.*> is written by store"):
        build(lambda x, h, n, s, b, A, B: A.__setitem__((0, 0), s))
    with pytest.raises(tl.ProgramError, match="%x: tensor<64x32xf32> is not changed; insert_sl"):
        build(lambda x, *rest: x.__setitem__((0, 0), 1.0))
    with pytest.raises(TypeError, match="a memref ends with its element type, not None"):
        memref()


def test_negative_indices_count_from_the_end():
    text = build(lambda x, *rest: (x[-1, -32], x[-2, 0:4])).bare_text
    assert "tensor.extract %x[%c63, %c0]" in text and "tensor.extract_slice %x[62, 0]" in text


@pytest.mark.parametrize("number, element, message", [
    (449.0, tl.f8E4M3FN, "449.0 does not fit f8E4M3FN: -448 to 448"),
    (-7, tl.f4E2M1FN, "-7 does not fit f4E2M1FN: -6 to 6"),
    (0.0, tl.f8E8M0FNU, "0.0 does not fit f8E8M0FNU: 5.87747e-39 to"),
    (1 << 63, tl.i32, "9223372036854775808 does not fit i32: -2147483648 to 4294967295")])
def test_numbers_that_do_not_fit(number, element, message):
    with pytest.raises(tl.ProgramError, match=message):
        build(lambda *rest: tl.full((4,), number, element))


def test_an_error_of_an_accumulator_that_has_another_type():
    with pytest.raises(tl.ProgramError, match="the accumulator: .* is no tensor<64x64xf16>"):
        build(lambda x, h, n, s, b, A, B: tl.gemm(
            h, h, x[:, 0][:, None], transpose_b=True, accumulator=f16))


def test_values_of_another_program():
    kept = []
    build(lambda x, *rest: kept.append(x))
    with pytest.raises(tl.ProgramError, match="%x belongs to another program"):
        build(lambda x, *rest: x + kept[0])


def test_operations_outside_of_a_program():
    with pytest.raises(tl.ProgramError, match="operations stand in a function with @function"):
        tl.zeros((8,), f32)


def test_errors_travel_between_processes():
    with pytest.raises(tl.ProgramError) as caught:
        build(add_types)
    copy = pickle.loads(pickle.dumps(caught.value))
    assert str(copy) == str(caught.value)


@tl.function
def parametric(A: memref("M", 64, "T"), flag: i1, *, T, tile=8):
    pass


@pytest.mark.parametrize("parameters, message", [
    ({}, "parametric needs the parameter T"),
    ({"T": 3}, "the element type of A is the parameter T, which is 3"),
    ({"T": f32, "M": -1}, "the size M of A is -1, not an int that is at least 0"),
    ({"T": f32, "tiles": 3}, "parametric has no parameter or size tiles; it has M, T, tile"),
])
def test_parameters(parameters, message):
    with pytest.raises(tl.ProgramError, match="error: ") as caught:
        parametric.build(**parameters)
    assert message in caught.value.message


@pytest.mark.parametrize("options, message", [
    ({"threads": 64.0}, "threads is an int, not 64.0"),
    ({"rasterize": ("diagonal", 4)}, "unknown order 'diagonal' of rasterize; known: row, column"),
    ({"rasterize": ("row", 0)}, "a panel is an int that is at least 1, not 0"),
    ({"cluster": (2, "1")}, "cluster is an int, not '1'"),
    ({"consumers": "all"}, "unknown consumers 'all'; known: auto"),
    ({"name": "a kernel"}, "'a kernel' is no name of a function or kernel"),
])
def test_options_of_launches(options, message):
    @tl.function
    def program(n: index):
        tl.launch(n, **{"threads": 64, "name": "kernel", **options})(lambda block: None)
    with pytest.raises(tl.ProgramError) as caught:
        program.build()
    assert message in caught.value.message


def test_functions_that_call_themselves():
    @tl.function
    def program(n: index):
        forever(n)

    @tl.function
    def forever(n: index):
        forever(n)
    with pytest.raises(tl.ProgramError, match="forever calls itself"):
        program.build()


def test_facts_are_ints():
    @tl.function
    def program(A: memref("M", f32, divisible=(8.0,))):
        pass
    with pytest.raises(tl.ProgramError, match="A: divisible is an int, not 8.0"):
        program.build()


def test_arguments_have_types():
    @tl.function
    def untyped(A):
        pass
    with pytest.raises(tl.ProgramError, match="the argument A needs a type"):
        untyped.build()


def test_a_function_is_no_function_of_arrays():
    with pytest.raises(tl.ProgramError, match=r"parametric.build\(..\) makes one"):
        parametric([1.0], True)


def test_a_call_with_other_types():
    @tl.function
    def helper(x: f32, n: index):
        return x

    @tl.function
    def program(n: index):
        helper(n, n)
    with pytest.raises(tl.ProgramError, match="helper: x is declared f32, not index"):
        program.build()
