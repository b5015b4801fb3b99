"""Host functions of a program: arrays, element types, backends, errors."""
import numpy as np
import pytest
import tilec
from paths import run_script
from programs import AXPY, copy, scalar

ml_dtypes = pytest.importorskip("ml_dtypes")


@pytest.fixture(scope="module")
def program():
    return tilec.compile(AXPY, chip="sm_80", name="axpy.mlir")


def arrays(n=1000):
    return np.arange(n, dtype=np.float32), np.ones(n, np.float32)


@pytest.mark.parametrize("backend", [None, "emulator", "reference"])
def test_backends(program, backend):
    x, y = arrays()
    result = program.axpy(2.0, x, y, backend=backend)
    np.testing.assert_array_equal(y, 2 * x + 1)
    assert result.statistics is None and result.times == () and result.output == ""


def test_statistics_and_times(program):
    x, y = arrays()
    result = program.axpy(2, x, y, statistics=True, time=3, seed=7)
    assert result.statistics[0]["name"] == "axpy_kernel"
    assert result.statistics[0]["instructions"] > 0
    (kernel, seconds), = result.times
    assert kernel == "axpy_kernel" and seconds > 0
    np.testing.assert_array_equal(y, 2 * x + 1)  # timing leaves the results of the first run


def test_output():
    text = AXPY.replace("    %f = tensor", '    tile.print "block" %b : index\n    %f = tensor')
    x, y = arrays(100)
    assert "block" in tilec.compile(text, "sm_80").axpy(1.0, x, y).output


def test_strided_and_read_only():
    layout = ", strided<[?], offset: ?>"
    text = AXPY.replace("memref<?xf32>", f"memref<?xf32{layout}>")
    program = tilec.compile(text, "sm_80")
    x, y = np.arange(200, dtype=np.float32)[::2], np.ones(300, np.float32)[::3]
    x.flags.writeable = False
    program.axpy(3.0, x, y)
    np.testing.assert_array_equal(y, 3 * x + 1)
    y.flags.writeable = False
    with pytest.raises(tilec.RunError, match="is written by the program, and given as const"):
        program.axpy(3.0, x, y)


def test_other_arrays(program):
    class Wrapped:
        def __init__(self, array):
            self.__array_interface__ = array.__array_interface__
            self.array = array

    class Exported:
        def __init__(self, array):
            self.array = array

        def __dlpack__(self, **options):
            return self.array.__dlpack__(**options)

        def __dlpack_device__(self):
            return self.array.__dlpack_device__()

    x, y = arrays(64)
    program.axpy(2.0, Exported(x), Wrapped(y))
    np.testing.assert_array_equal(y, 2 * x + 1)


def test_empty_arrays(program):
    program.axpy(1.0, np.empty(0, np.float32), np.empty(0, np.float32))


ELEMENTS = [
    ("f64", np.float64), ("f32", np.float32), ("f16", np.float16),
    ("bf16", ml_dtypes.bfloat16), ("f8E4M3FN", ml_dtypes.float8_e4m3fn),
    ("f8E5M2", ml_dtypes.float8_e5m2), ("f6E3M2FN", ml_dtypes.float6_e3m2fn),
    ("f6E2M3FN", ml_dtypes.float6_e2m3fn), ("f4E2M1FN", ml_dtypes.float4_e2m1fn),
    ("i4", ml_dtypes.int4), ("i4", ml_dtypes.uint4), ("i1", np.bool_), ("i8", np.int8),
    ("i8", np.uint8), ("i16", np.int16), ("i32", np.uint32), ("i64", np.int64),
]


@pytest.mark.parametrize("element, dtype", ELEMENTS)
def test_element_types(element, dtype):
    numbers = np.arange(128) % 2 if element == "i1" else np.arange(128) % 7 + 1
    x = numbers.astype(dtype)
    y = np.ones(128, dtype)
    tilec.compile(copy(element, "128"), "sm_90a").copy(x, y)
    np.testing.assert_array_equal(y.view(np.uint8), x.view(np.uint8))


def test_scales():
    """f8E8M0FNU has no zero, which would stand outside of an array."""
    text = copy("f8E8M0FNU").replace("[%c0] : memref<?xf8E8M0FNU> ->",
                                     "[%c0] pad(%one) : memref<?xf8E8M0FNU> ->") \
        .replace("  %c1 =", "  %one = arith.constant 1.0 : f8E8M0FNU\n  %c1 =")
    x = (2.0 ** (np.arange(100) % 20 - 10)).astype(ml_dtypes.float8_e8m0fnu)
    y = np.ones(100, ml_dtypes.float8_e8m0fnu)
    tilec.compile(text, "sm_80").copy(x, y)
    np.testing.assert_array_equal(y.view(np.uint8), x.view(np.uint8))


@pytest.mark.parametrize("element, dtype", [
    ("bf16", np.uint16), ("bf16", np.int16), ("f8E4M3FN", np.uint8), ("f6E3M2FN", np.uint8)])
def test_raw_bits(element, dtype):
    x, y = np.arange(128).astype(dtype) % 60, np.zeros(128, dtype)
    tilec.compile(copy(element), "sm_90a").copy(x, y)
    np.testing.assert_array_equal(x, y)


@pytest.mark.parametrize("element", ["i4", "f4E2M1FN"])
def test_raw_halves(element):
    """Two elements a byte."""
    x, y = np.arange(64, dtype=np.uint8) * 3, np.zeros(64, np.uint8)
    tilec.compile(copy(element, "128"), "sm_90a").copy(x, y)
    np.testing.assert_array_equal(x, y)


@pytest.mark.parametrize("kind, value, dtype", [
    ("i32", -5, np.int32), ("i64", 1 << 40, np.int64), ("i1", True, np.bool_),
    ("i8", np.int8(-3), np.int8), ("f32", 0.5, np.float32), ("f64", np.float64(0.1), np.float64),
    ("f16", 3, np.float16), ("index", 7, np.int64), ("i32", np.array(9), np.int32),
    ("i64", 2**64 - 2, np.uint64), ("i64", -2**63, np.int64), ("i32", 2**32 - 2, np.uint32)])
def test_scalars(kind, value, dtype):
    y = np.zeros(1, dtype)
    tilec.compile(scalar(kind), "sm_80").put(value, y)
    assert y[0] == np.asarray(value).astype(dtype)


@pytest.mark.parametrize("arguments, error, message", [
    ((1.0,), TypeError, r"axpy\(f32, .*\) takes 3 arguments, 1 are given"),
    ((1.0, 2.0, np.ones(4, np.float32)), TypeError, "argument 1 .* is an array, 2.0 of type float"),
    ((np.ones(4), np.ones(4, np.float32), np.ones(4, np.float32)), TypeError,
     "argument 0 of axpy, f32, is a float, an array of float64"),
    (("a", np.ones(4, np.float32), np.ones(4, np.float32)), TypeError, "is a float, 'a'"),
    ((np.complex64(1j), np.ones(4, np.float32), np.ones(4, np.float32)), TypeError,
     "argument 0 of axpy, f32, is a float, np.complex64"),
    ((10**400, np.ones(4, np.float32), np.ones(4, np.float32)), ValueError,
     "argument 0 of axpy, f32, does not hold 10000"),
    ((1.0, np.float32(1), np.ones(4, np.float32)), TypeError, "argument 1 .* is an array, np.flo"),
    ((1.0, np.ones(4), np.ones(4, np.float32)), TypeError,
     "argument 1 .* takes an array of float32, int32 or uint32, not of float64"),
    ((1.0, np.ones((4, 1), np.float32), np.ones(4, np.float32)), ValueError,
     r"has 1 dimensions, the array has 2: \(4, 1\)"),
    ((1.0, np.ones(4, np.float32)[::-1], np.ones(4, np.float32)), ValueError,
     r"strides of \(-4,\) bytes"),
    ((1.0, np.ones(4, ">f4"), np.ones(4, np.float32)), TypeError, "little-endian"),
])
def test_arguments_that_do_not_fit(program, arguments, error, message):
    with pytest.raises(error, match=message):
        program.axpy(*arguments)


def test_sizes_that_do_not_fit():
    program = tilec.compile(copy("f32", "128"), "sm_80")
    with pytest.raises(ValueError, match=r"has size 128 in dimension 0, the array has 127"):
        program.copy(np.ones(128, np.float32), np.ones(127, np.float32))
    named = AXPY.replace("memref<?xf32>,", 'memref<?xf32> {tile.dims = ["N"]},', 1) \
                .replace("%y: memref<?xf32>)", '%y: memref<?xf32> {tile.dims = ["N"]})')
    with pytest.raises(tilec.RunError, match="(?s)10.*11|11.*10"):
        tilec.compile(named, "sm_80").axpy(1.0, *arrays(10)[:1], np.ones(11, np.float32))


def test_bits_that_do_not_fit():
    program = tilec.compile(copy("i4", "128"), "sm_80")
    with pytest.raises(TypeError, match="ml_dtypes.int4, ml_dtypes.uint4, int8 with two"):
        program.copy(np.ones(128, np.float32), np.ones(128, np.float32))
    with pytest.raises(ValueError, match="has size 128 in dimension 0, the array has 256"):
        program.copy(np.ones(128, np.uint8), np.ones(128, np.uint8))
    with pytest.raises(ValueError, match="row-major"):
        program.copy(np.ones(128, np.uint8)[::2], np.ones(64, np.uint8))
    put = tilec.compile(scalar("i8"), "sm_80")
    with pytest.raises(tilec.RunError, match="300"):
        put.put(300, np.zeros(1, np.int8))
    with pytest.raises(TypeError, match="is an integer, 1.5 of type float"):
        put.put(1.5, np.zeros(1, np.int8))
    for kind, number in (("i64", 2**64), ("i64", -2**63 - 1), ("index", 2**63), ("i8", 2**70)):
        with pytest.raises(ValueError, match=f"argument 0 of put, {kind}, does not hold {number}"):
            tilec.compile(scalar(kind), "sm_80").put(number, np.zeros(1, np.int64))


RACE = """
func.func @racy(%x: memref<128xi32>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  tile.launch @racy_kernel blocks(%b) in (%c4) threads(128) {
    %i = arith.index_cast %b : index to i32
    memref.store %i, %x[%c0] : memref<128xi32>
  }
  return
}
"""


@pytest.mark.parametrize("backend", ["emulator", "reference"])
def test_what_a_program_does_wrong(backend):
    program = tilec.compile(RACE, "sm_80", name="racy.mlir")
    x = np.zeros(128, np.int32)
    with pytest.raises(tilec.RunError) as caught:
        program.racy(x, backend=backend)
    assert any(d.line in (6, 7) and d.file == "racy.mlir"
               for top in caught.value.diagnostics for d in (top, *top.notes))
    assert "memref.store" in str(caught.value)
    assert not x.any()  # as it was


def test_limits(program):
    with pytest.raises(tilec.RunError, match="(?i)instructions|endless"):
        program.axpy(1.0, *arrays(), limit=3)
    with pytest.raises(ValueError, match="backend='cpu': known are emulator, reference, gpu"):
        program.axpy(1.0, *arrays(), backend="cpu")
    for option in ("seed", "limit", "time", "warm_up", "multiprocessors"):
        with pytest.raises(ValueError, match=f"{option}=-1 is not a number from 0 to"):
            program.axpy(1.0, *arrays(), **{option: -1})
        with pytest.raises(TypeError, match=f"{option}='3' is no integer, but .* type str"):
            program.axpy(1.0, *arrays(), **{option: "3"})


def test_program_without_gpu(program):
    """No driver here, or one: never a crash."""
    x, y = arrays()
    try:
        program.axpy(2.0, x, y, backend="gpu")
    except tilec.RunError as error:
        assert "CUDA" in str(error) or "cuda" in str(error)
    else:
        np.testing.assert_array_equal(y, 2 * x + 1)


def test_threads(program):
    """Several run one program, each with its own diagnostics."""
    from concurrent.futures import ThreadPoolExecutor

    def run(n):
        x, y = arrays(n)
        if n % 2:
            with pytest.raises(tilec.RunError) as caught:
                program.axpy(1.0, x, y, limit=3)
            return len(caught.value.diagnostics)
        program.axpy(1.0, x, y)
        return int((y == x + 1).all())

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(run, range(100, 116))) == [1] * 16


# As long as the first element is above 1, it becomes 5.
ENDLESS = """
func.func @endless(%x: memref<128xi32>) {
  %c1 = arith.constant 1 : index
  tile.launch @endless_kernel blocks(%b) in (%c1) threads(32) {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1 : i32
    %five = arith.constant 5 : i32
    scf.while : () -> () {
      %v = memref.load %x[%c0] : memref<128xi32>
      %goes_on = arith.cmpi sgt, %v, %one : i32
      scf.condition(%goes_on)
    } do {
      memref.store %five, %x[%c0] : memref<128xi32>
      scf.yield
    }
  }
  return
}
"""


@pytest.mark.parametrize("backend", ["emulator", "reference"])
def test_control_c(backend):
    """Ends a run; its arrays are as they were, and the program runs again."""
    script = f"""if True:
        import signal, threading, time
        import numpy as np
        import tilec
        from test_run import ENDLESS
        program = tilec.compile(ENDLESS, "sm_80")
        x = np.full(128, 7, np.int32)
        signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's job may ignore it
        threading.Timer(0.5, signal.raise_signal, [signal.SIGINT]).start()
        begin = time.monotonic()
        try:
            program.endless(x, backend="{backend}", limit=0)
        except KeyboardInterrupt:
            print("interrupted", time.monotonic() - begin < 20, (x == 7).all())
        x[:] = 0
        program.endless(x, backend="{backend}")
        print(x.any())
    """
    process = run_script(script)
    assert process.stdout == "interrupted True True\nFalse\n", process.stderr


def test_function_repr(program):
    assert repr(program.axpy) == "<tilec function axpy(f32, memref<?xf32>, memref<?xf32>)>"
    assert program.axpy.__doc__.startswith("axpy(f32, ")
