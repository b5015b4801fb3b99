"""Arrays in the memory of a GPU, with the test double of the driver (docs/GPU.md).

The double is loaded in a process of its own, which finds it in place of `libcuda.so.1`. Arrays are
made there through the driver, as other libraries would make them.
"""
import pytest
from paths import BUILD, run_script

DRIVERS = BUILD / "test" / "Runtime" / "FakeDriver"

PRELUDE = '''
import ctypes
import numpy as np
import tilec
from programs import AXPY, copy

cuda = ctypes.CDLL("libcuda.so.1")
assert cuda.cuInit(0) == 0
context = ctypes.c_void_p()
assert cuda.cuDevicePrimaryCtxRetain(ctypes.byref(context), 0) == 0
assert cuda.cuCtxSetCurrent(context) == 0

class GpuArray:
    """Memory of the device with the contents of an array of the host."""

    def __init__(self, array, offset=0, read_only=False, device=(2, 0)):
        self.host = np.ascontiguousarray(array)
        self.base = ctypes.c_uint64()
        size = self.host.nbytes + offset
        assert cuda.cuMemAlloc_v2(ctypes.byref(self.base), ctypes.c_size_t(max(size, 1))) == 0
        self.address = self.base.value + offset
        assert cuda.cuMemcpyHtoD_v2(ctypes.c_uint64(self.address), ctypes.c_void_p(
            self.host.ctypes.data), ctypes.c_size_t(self.host.nbytes)) == 0
        self.read_only, self.device = read_only, device

    def read(self):
        result = np.empty_like(self.host)
        assert cuda.cuMemcpyDtoH_v2(ctypes.c_void_p(result.ctypes.data), ctypes.c_uint64(
            self.address), ctypes.c_size_t(result.nbytes)) == 0
        return result

class Interface(GpuArray):
    strides = None

    @property
    def __cuda_array_interface__(self):
        return {"shape": self.host.shape, "typestr": self.host.dtype.str, "version": 3,
                "strides": self.strides, "data": (self.address, self.read_only)}

class DLDevice(ctypes.Structure):
    _fields_ = [("type", ctypes.c_int32), ("id", ctypes.c_int32)]

class DLTensor(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("device", DLDevice), ("ndim", ctypes.c_int32),
                ("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16),
                ("shape", ctypes.POINTER(ctypes.c_int64)),
                ("strides", ctypes.POINTER(ctypes.c_int64)), ("byte_offset", ctypes.c_uint64)]

class DLManagedTensor(ctypes.Structure):
    _fields_ = [("tensor", DLTensor), ("context", ctypes.c_void_p), ("deleter", ctypes.c_void_p)]

class Exported(GpuArray):
    kind = (2, 32)  # float

    def __dlpack_device__(self):
        return self.device

    def __dlpack__(self, **options):
        shape = (ctypes.c_int64 * self.host.ndim)(*self.host.shape)
        self.managed = DLManagedTensor(DLTensor(
            self.address, DLDevice(*self.device), self.host.ndim, *self.kind, 1, shape, None, 0))
        make = ctypes.pythonapi.PyCapsule_New
        make.restype, make.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p,
                                                         ctypes.c_void_p]
        return make(ctypes.addressof(self.managed), b"dltensor", None)

x, y = np.arange(1000, dtype=np.float32), np.ones(1000, np.float32)
axpy = tilec.compile(AXPY, "sm_90a").axpy

def raises(error, message, function, *arguments, **options):
    try:
        function(*arguments, **options)
    except error as caught:
        assert message in str(caught), caught
    else:
        raise AssertionError("nothing was raised")
'''


def run(text, driver="current", prelude=PRELUDE, **environment):
    """Runs a script with the driver's double in place of the driver."""
    folder = DRIVERS / driver
    if not folder.exists():
        pytest.fail(f"no test double in {folder}: build TileFakeDrivers")
    process = run_script(prelude + text, LD_LIBRARY_PATH=str(folder), **environment)
    assert process.returncode == 0, process.stdout + process.stderr


@pytest.mark.parametrize("kind", ["Interface", "Exported"])
def test_arrays_stay_on_the_gpu(kind):
    run(f"""
a, b = {kind}(x), {kind}(y)
axpy(2.0, a, b)
np.testing.assert_array_equal(b.read(), 2 * x + 1)
np.testing.assert_array_equal(a.read(), x)
result = axpy(2.0, a, b, time=2)
np.testing.assert_array_equal(b.read(), 4 * x + 1)  # timed runs leave no trace
assert result.times[0][0] == "axpy_kernel" and result.times[0][1] > 0
""")


def test_nothing_is_copied():
    """The double flips a bit of what the driver copies back: only the test's own copy has it."""
    run("""
b = Interface(y)
axpy(0.0, Interface(x), b)
assert (b.read() != y).sum() == 1
host = y.copy()
axpy(0.0, x, host, backend="gpu")
assert (host != y).sum() == 1
""", FAKE_CUDA_FLIP="8")


def test_beside_arrays_of_the_host():
    run("""
host = y.copy()
axpy(2.0, Interface(x), host)
np.testing.assert_array_equal(host, 2 * x + 1)
axpy(2.0, x, host, backend="gpu")
np.testing.assert_array_equal(host, 4 * x + 1)
""")


def test_strides_and_elements():
    run("""
text = AXPY.replace("memref<?xf32>", "memref<?xf32, strided<[?], offset: ?>>")
a = Interface(x)
a.strides, a.host = (8,), x[:500]
b = Interface(y[:500])
tilec.compile(text, "sm_80").axpy(1.0, a, b)
np.testing.assert_array_equal(b.read(), x[::2] + 1)
bits = np.arange(128, dtype=np.uint16)
a, b = Exported(bits), Exported(bits * 0)
a.kind = b.kind = (4, 16)  # bf16
tilec.compile(copy("bf16"), "sm_80").copy(a, b)
np.testing.assert_array_equal(b.read(), bits)
halves = np.arange(64, dtype=np.uint8)
a, b = Interface(halves), Interface(halves * 0)
tilec.compile(copy("i4", "128"), "sm_80").copy(a, b)
np.testing.assert_array_equal(b.read(), halves)
""")


def test_tensor_maps():
    run("""
from paths import EXAMPLES
import ml_dtypes
program = tilec.compile(EXAMPLES / "gemm_f16.mlir", "sm_90a")
assert "cp.async.bulk.tensor" in program.ptx
rng = np.random.default_rng(0)
shapes = [tuple(argument.shape) for argument in program._native.functions[0].arguments]
a, b = (rng.integers(-2, 3, shape).astype(np.float16) for shape in shapes[:2])
c = Interface(np.zeros(shapes[2], np.float16))
program.gemm(Interface(a), Interface(b), c)
np.testing.assert_array_equal(c.read(), (a.astype(np.float32) @ b).astype(np.float16))
""")


def test_errors():
    run("""
a, b = Interface(x), Interface(y)
for backend in ("emulator", "reference"):
    raises(tilec.RunError, "lies in the memory of a GPU, and the program does not run on one",
           axpy, 1.0, a, b, backend=backend)
raises(TypeError, "takes an array of float32, int32 or uint32, not of float64",
       axpy, 1.0, Interface(x.astype(np.float64)), b)
raises(ValueError, "has 1 dimensions, the array has 2", axpy, 1.0, Interface(x[None]), b)
raises(TypeError, "is read-only on the GPU", axpy, 1.0, Interface(x, read_only=True), b)
raises(ValueError, "lies on GPU 1, programs run on GPU 0", axpy, 1.0,
       Exported(x, device=(2, 1)), b)
raises(tilec.RunError, "which is no multiple of 16", axpy, 1.0, Interface(x, offset=4), b)
on_host = '''
func.func @first(%x: memref<?xf32>, %y: memref<?xf32>) {
  memref.copy %x, %y : memref<?xf32> to memref<?xf32>
  return
}
'''
first = tilec.compile(AXPY + on_host, "sm_80").first
raises(tilec.RunError, "copies argument 0, which lies in the memory of a GPU, on the host",
       first, a, y, backend="gpu")
first(x + 5, y)
assert y[0] == 5
""")


def test_no_driver():
    run("raises(tilec.RunError, 'CUDA', axpy, 1.0, x, x.copy(), backend='gpu')", "no-driver",
        "import numpy as np, tilec\nfrom programs import AXPY\n"
        "x = np.ones(9, np.float32)\naxpy = tilec.compile(AXPY, 'sm_90a').axpy\n" +
        PRELUDE[PRELUDE.index("def raises"):])
