"""tilec.emulate: what kernels compute, what the checkers find, arguments and errors."""
import json
import pickle
import subprocess
import sys

import numpy as np
import pytest
import tilec
from kernels import HEADER, SWAP, kernel
from paths import TOOLS, run_script
from tilec import FindingKind

LOAD = "ld.param.u64 %rd1, [data];\n"


def words(n=64):
    return np.arange(n, dtype=np.uint32)


def find(body, grid=1, block=64, args=None, **options):
    """The findings of a kernel of this body on 64 words."""
    options.setdefault("check", False)
    return tilec.emulate(kernel(LOAD + body), grid, block, [words()] if args is None else args,
                         **options)


def test_result():
    data = words()
    result = tilec.emulate(SWAP, grid=1, args=[data])
    np.testing.assert_array_equal(data, 2 * (words() ^ 32))
    assert result.ok and result.completed and result.findings == () == result.notes
    assert result.dropped == 0 and result.output == ""
    assert result.statistics["name"] == "swap" and result.statistics["warps"] == 2


def test_race_as_data():
    with pytest.raises(tilec.EmulationError) as caught:
        tilec.emulate(SWAP.replace("bar.sync 0;\n", ""), grid=1, args=[words()])
    race = next(one for one in caught.value.findings if one.kind is FindingKind.RACE)
    assert "not ordered" in race.message
    assert "no barrier" in race.missing and race.count >= 1
    later, earlier = race.accesses
    text = SWAP.replace("bar.sync 0;\n", "").splitlines()
    assert "ld.shared" in text[later.line - 1] or "st.shared" in text[later.line - 1]
    assert {later.thread[0] // 32, earlier.thread[0] // 32} == {0, 1}
    assert race.line == later.line and race.block == (0, 0, 0) and race.thread == later.thread
    assert race.address < 1024 and race.buffer is None  # shared memory
    assert str(caught.value) == "\n".join(map(str, caught.value.findings))
    assert str(race).startswith("error: race: ")
    assert caught.value.result.completed


@pytest.mark.parametrize("body, kind, where", [
    ("shr.u32 %r2, %r1, 5; st.global.u32 [%rd1+8], %r2;", FindingKind.RACE, (0, 8)),
    ("ld.global.u32 %r2, [%rd1+256];", FindingKind.OUT_OF_BOUNDS, (None, None)),
    ("ld.global.u32 %r2, [%rd1+6];", FindingKind.MISALIGNED, (0, 6)),
    ("ld.shared.u32 %r2, [tile+4]; st.global.u32 [%rd1], %r2;", FindingKind.UNINITIALIZED,
     (None, None)),
    ("setp.lt.u32 %p1, %r1, 7; @%p1 bar.sync 0, 64;", FindingKind.DEADLOCK, (None, None)),
    ("setp.eq.u32 %p1, %r1, 7; @%p1 trap;", FindingKind.TRAP, (None, None)),
])
def test_kinds(body, kind, where):
    result = find(body)
    assert not result.ok
    finding = next(finding for finding in result.findings if finding.kind is kind)
    assert (finding.buffer, finding.offset) == where
    assert finding.line and finding.message and str(finding)


def test_notes():
    result = find("setp.lt.u32 %p1, %r1, 64; @%p1 bar.arrive 5, 96;", block=128)
    assert result.ok and "nobody waits" in result.notes[0].message


def test_more_findings_than_are_kept():
    lines = "".join(f"ld.global.u32 %r2, [%rd1+{4096 + 8 * i}];\n" for i in range(5))
    result = find(lines, max_findings=2)
    assert len(result.findings) == 2 and result.dropped > 0
    with pytest.raises(tilec.EmulationError, match="more"):
        find(lines, max_findings=2, check=True)


def test_checks_and_limits():
    race = "shr.u32 %r2, %r1, 5; st.global.u32 [%rd1], %r2;"
    assert find(race, checks="bounds,init").ok
    with pytest.raises(ValueError, match="speed"):
        find(race, checks="speed")
    endless = "LOOP: add.u32 %r2, %r1, 1; st.shared.u32 [tile], %r2; bra LOOP;"
    result = find(endless, block=1, max_instructions=1000)
    assert not result.completed and result.findings[0].kind is FindingKind.DEADLOCK
    with pytest.raises(tilec.EmulationError, match="1000"):
        find(endless, block=1, max_instructions=1000, check=True)


def test_triton_needs_equal_stores():
    equal = "st.global.u32 [%rd1], 5;"
    assert not find(equal).ok
    assert find(equal, allow_equal_stores=True).ok


def test_seeds_and_threads():
    body = "mov.u32 %r2, %ctaid.x; atom.global.exch.b32 %r3, [%rd1], %r2;"
    last = set()
    for seed in range(6):
        data = words()
        find(body, grid=8, block=1, args=[data], seed=seed, check=True)
        last.add(int(data[0]))
    assert len(last) > 1  # the order is another one
    find(body, grid=8, block=1, threads=0, check=True)


def test_output():
    text = HEADER + """
.extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 a);
.global .align 1 .b8 format[4] = {104, 105, 10, 0};
.visible .entry k()
{
.reg .b64 %rd<3>;
mov.u64 %rd1, format;
cvta.global.u64 %rd2, %rd1;
{
.param .b64 p0; st.param.b64 [p0], %rd2;
.param .b64 p1; st.param.b64 [p1], 0;
.param .b32 q;
call.uni (q), vprintf, (p0, p1);
}
ret;
}
"""
    assert tilec.emulate(text, 1, 1).output == "hi\n"


class Elsewhere:
    """An array on a GPU."""

    def __dlpack_device__(self):
        return 2, 0

    def __dlpack__(self, **options):
        raise BufferError("it lies on a GPU")


def store(kind, move):
    """A kernel that stores its second parameter."""
    return kernel(f"ld.param.u64 %rd1, [data];\n{move}",
                  f".param .u64 data, .param .{kind} value")


@pytest.mark.parametrize("kind, move, given, dtype, expected", [
    ("u32", "ld.param.u32 %r2, [value]; st.global.u32 [%rd1], %r2;", -1, np.int32, -1),
    ("u32", "ld.param.u32 %r2, [value]; st.global.u32 [%rd1], %r2;", 2**32 - 1, np.uint32,
     2**32 - 1),
    ("u64", "ld.param.u64 %rd2, [value]; st.global.u64 [%rd1], %rd2;", 1 << 40, np.uint64, 1 << 40),
    ("u64", "ld.param.u64 %rd2, [value]; st.global.u64 [%rd1], %rd2;", None, np.uint64, 0),
    ("f32", "ld.param.f32 %f1, [value]; st.global.f32 [%rd1], %f1;", 0.5, np.float32, 0.5),
    ("f32", "ld.param.f32 %f1, [value]; st.global.f32 [%rd1], %f1;", 2, np.float32, 2),
    ("b32", "ld.param.b32 %r2, [value]; st.global.b32 [%rd1], %r2;", 1.5, np.float32, 1.5),
    ("f64", "ld.param.b64 %rd2, [value]; st.global.b64 [%rd1], %rd2;", 0.1, np.float64, 0.1),
    ("u16", "ld.param.u16 %h1, [value]; st.global.u16 [%rd1], %h1;", np.float16(3), np.float16, 3),
    ("u8", "ld.param.u8 %h1, [value]; st.global.u8 [%rd1], %h1;", True, np.uint8, 1),
    ("b8", "ld.param.b8 %h1, [value]; st.global.b8 [%rd1], %h1;", b"\x07", np.uint8, 7),
])
def test_numbers(kind, move, given, dtype, expected):
    data = np.zeros(1, dtype)
    tilec.emulate(store(kind, move), 1, 1, [data, given])
    assert data[0] == expected


@pytest.mark.parametrize("given, error, message", [
    (1 << 32, ValueError, "argument 1 of k, 'value', of type .u32 has 4 bytes, 4294967296 does"),
    (1.5, TypeError, "argument 1 of k, 'value', of type .u32 takes no float"),
    ("a", TypeError, "takes no str"),
    (b"ab", ValueError, "has 4 bytes, b'ab', 2 bytes is given"),
    (np.zeros(3), ValueError, "has 4 bytes, an array, an address of 8 bytes is given"),
    (np.float64(1), ValueError, "has 4 bytes"),
    (np.array([{}, {}]), TypeError, "argument 1 of k, 'value', is an array of object, objects of"),
    (np.zeros(3, ">f4"), TypeError, "is an array of >f4, and GPUs are little-endian: give array"),
    (Elsewhere(), TypeError, "argument 1 of k, 'value', is no array that NumPy can share: "),
    (tilec.unwritten(3), TypeError, "is unwritten.* of an object of type int, which is no array"),
])
def test_numbers_that_do_not_fit(given, error, message):
    with pytest.raises(error, match=message):
        tilec.emulate(store("u32", ""), 1, 1, [np.zeros(4), given])


def test_floats_that_do_not_fit():
    with pytest.raises(ValueError, match="'value', of type .f32 does not hold 1e[+]300"):
        tilec.emulate(store("f32", ""), 1, 1, [np.zeros(4), 1e300])


def test_arrays_that_overlap():
    """Views of one array are one buffer: what lies between them is in bounds, and they alias."""
    text = kernel("ld.param.u64 %rd1, [data]; ld.param.u64 %rd2, [more];\n"
                  "ld.global.u32 %r2, [%rd1+4]; st.global.u32 [%rd2+8], %r2;",
                  ".param .u64 data, .param .u64 more")
    data = words()
    tilec.emulate(text, 1, 1, [data[:32], data[16:]])
    assert data[18] == 1
    with pytest.raises(tilec.EmulationError) as caught:
        tilec.emulate(text, 1, 1, [data[:1], data[32:]])
    assert caught.value.findings[0].kind is FindingKind.OUT_OF_BOUNDS
    assert "'data'" in str(caught.value)


def test_strided_arrays():
    data = words().reshape(8, 8)[::-1, 2:6]  # begins at row 7
    find("ld.global.u32 %r2, [%rd1]; setp.ne.u32 %p1, %r2, 58; @%p1 trap;", args=[data],
         check=True)


def test_read_only():
    data = words()
    data.flags.writeable = False
    find("ld.global.u32 %r2, [%rd1];", args=[data], check=True)
    with pytest.raises(ValueError, match="argument 0 of k, 'data', is read-only"):
        find("st.global.u32 [%rd1], 9;", block=1, args=[data])
    assert data[0] == 0


def test_unwritten():
    data = words()
    load = "mul.wide.u32 %rd2, %r1, 4; add.s64 %rd1, %rd1, %rd2;"
    find(load + "st.global.u32 [%rd1], %r1;", args=[tilec.unwritten(data)], check=True)
    np.testing.assert_array_equal(data, words())
    result = find("ld.global.u32 %r2, [%rd1]; st.global.u32 [%rd1+8], %r2;", block=1,
                  args=[tilec.unwritten(data)])
    assert result.findings[0].kind is FindingKind.UNINITIALIZED
    assert (result.findings[0].buffer, result.findings[0].offset) == (0, 0)
    text = kernel("", ".param .u64 data, .param .u64 more")
    with pytest.raises(ValueError, match="arguments 0 and 1 share memory"):
        tilec.emulate(text, 1, 1, [data, tilec.unwritten(data)])


def test_unwritten_views():
    """Neither what lies between their elements nor what is read-only is written."""
    data = words()
    find("st.global.u32 [%rd1+8], 9;", block=1, args=[tilec.unwritten(data[::2])], check=True)
    assert data[2] == 9
    np.testing.assert_array_equal(data[1::2], words()[1::2])
    data = words()
    find("st.global.u32 [%rd1], 9;", block=1, args=[tilec.unwritten(data[::-1])], check=True)
    assert data[63] == 9
    data.flags.writeable = False
    with pytest.raises(ValueError, match="'data', is unwritten.* of a read-only array"):
        find("", args=[tilec.unwritten(data)])


def test_objects_with_arrays():
    class Exported:
        def __init__(self, array):
            self.array = array

        def __dlpack__(self, **options):
            return self.array.__dlpack__(**options)

        def __dlpack_device__(self):
            return self.array.__dlpack_device__()

    class Fresh:
        """Another array each time that it is asked for one."""
        @property
        def __array_interface__(self):
            self.array = words()
            return self.array.__array_interface__

    data = words()
    find("st.global.u32 [%rd1], 9;", block=1, args=[Exported(data)], check=True)
    assert data[0] == 9
    find("ld.global.u32 %r2, [%rd1+252];", block=1, args=[Fresh()], check=True)


def test_tensor_map():
    text = HEADER.replace("sm_80", "sm_90").replace("7.8", "8.0") + """
.visible .entry k(.param .align 64 .b8 map[128], .param .u64 out)
{
.shared .align 128 .b8 tile[64];
.shared .align 8 .b64 bar;
.reg .pred %p<2>; .reg .b32 %r<9>; .reg .b64 %rd<9>;
mbarrier.init.shared.b64 [bar], 1;
fence.proxy.async;
mbarrier.arrive.expect_tx.shared.b64 %rd1, [bar], 64;
mov.b64 %rd2, map;
cvta.param.u64 %rd2, %rd2;
cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [tile], [%rd2, {4, 1}], [bar];
WAIT: mbarrier.try_wait.parity.shared.b64 %p1, [bar], 0;
@!%p1 bra WAIT;
ld.shared.u32 %r1, [tile+16];
ld.param.u64 %rd3, [out];
st.global.u32 [%rd3], %r1;
ret;
}
"""
    matrix = np.arange(256, dtype=np.uint32).reshape(16, 16)
    out = np.zeros(1, np.uint32)
    tilec.emulate(text, 1, 1, [tilec.TensorMap(matrix, box=(4, 4)), out])
    assert out[0] == matrix[2, 4]
    with pytest.raises(ValueError, match="argument 0 of k, 'map', .*"):
        tilec.emulate(text, 1, 1, [tilec.TensorMap(matrix, box=(4, 400)), out])
    with pytest.raises(TypeError, match="give type= for elements of bool"):
        tilec.emulate(text, 1, 1, [tilec.TensorMap(matrix > 3, box=(4, 4)), out])
    for tensor, message in (
            (tilec.TensorMap(matrix[:, ::2], box=(4, 4)), "neighbours"),
            (tilec.TensorMap(matrix[::-1], box=(4, 4)), r"not negative: \(-64, 4\) bytes"),
            (tilec.TensorMap(matrix, box=(4,)), r"of 2 dimensions, with a box of 1: \(4,\)"),
            (tilec.TensorMap(matrix, box=(-4, 4)), "argument 0 of k, 'map', box=-4 is not a")):
        with pytest.raises(ValueError, match=message):
            tilec.emulate(text, 1, 1, [tensor, out])
    with pytest.raises(TypeError, match="elements of bf16 have 2 bytes, those of uint32 4"):
        tilec.emulate(text, 1, 1, [tilec.TensorMap(matrix, box=(4, 4), type="bf16"), out])
    with pytest.raises(TypeError, match="swizzle='a' is no integer"):
        tilec.emulate(text, 1, 1, [tilec.TensorMap(matrix, box=(4, 4), swizzle="a"), out])


def test_clusters():
    text = kernel(LOAD + "mov.u32 %r2, %cluster_ctarank; mov.u32 %r3, %ctaid.x;\n"
                  "mul.wide.u32 %rd2, %r3, 4; add.s64 %rd1, %rd1, %rd2;\n"
                  "st.global.u32 [%rd1], %r2;",
                  header=HEADER.replace("sm_80", "sm_90").replace("7.8", "8.0"))
    data = words(4)
    tilec.emulate(text, 4, 1, [data], cluster=2)
    np.testing.assert_array_equal(data, [0, 1, 0, 1])


def test_dynamic_shared_memory():
    text = (HEADER + ".extern .shared .align 16 .b8 buffer[];\n"
            ".visible .entry k(.param .u64 data) { st.shared.u32 [buffer+60], 5; ret; }\n")
    tilec.emulate(text, 1, 1, [words()], shared=64)
    with pytest.raises(tilec.EmulationError, match="out of bounds"):
        tilec.emulate(text, 1, 1, [words()], shared=60)
    with pytest.raises(ValueError, match="shared=-1 is not a number"):
        tilec.emulate(text, 1, 1, [words()], shared=-1)


@pytest.mark.parametrize("arguments, options, error, message", [
    ((1, 1, []), {}, TypeError, r"swap\(.u64\) takes 1 arguments, 0 are given"),
    ((0, 64, [words()]), {}, ValueError, "grid=0 is not a number from 1"),
    (((1, 1, 1, 1), 64, [words()]), {}, ValueError, "grid=.*: give one to three numbers"),
    ((1, 1.5, [words()]), {}, TypeError, "block=1.5 is no integer, but .* type float"),
    ((1, "64", [words()]), {}, TypeError, "block='6' is no integer"),
    ((1, 64, [words()]), {"seed": -1}, ValueError, r"seed=-1 is not a number from 0 to 2\^64 - 1"),
    ((1, 64, [words()]), {"threads": -1}, ValueError, r"threads=-1 is not .* to 2\^32 - 1"),
    ((1, 64, [words()]), {"max_instructions": 1.0}, TypeError, "max_instructions=1.0 is no int"),
    ((1, 64, [words()]), {"checks": ["races"]}, TypeError, "checks=.* separated by commas"),
    ((1, 64, [words()]), {"kernel": "swop"}, ValueError, "no kernel 'swop'; .*\n  swap"),
    ((1, 64, [words()]), {"delivery": "never"}, ValueError, "known are late, early, random"),
    ((1, 32, [words()]), {}, tilec.EmulationError, "32"),
])
def test_launches_that_do_not_fit(arguments, options, error, message):
    with pytest.raises(error, match=f"(?s){message}"):
        tilec.emulate(SWAP, *arguments, **options)


def test_several_kernels():
    text = SWAP + kernel("", name="other").replace(HEADER, "")
    with pytest.raises(ValueError, match=r"(?s)several kernels; .*\n  swap\(.u64\)\n  other"):
        tilec.emulate(text, 1, 64, [words()])
    tilec.emulate(text, 1, 64, [words()], kernel="other")
    with pytest.raises(TypeError, match="block= is needed: other states no .reqntid"):
        tilec.emulate(text, 1, args=[words()], kernel="other")
    with pytest.raises(ValueError, match="no kernel"):
        tilec.emulate(HEADER, 1, 1)


def test_ptx_errors(tmp_path):
    with pytest.raises(tilec.PtxError, match="<ptx>:3: error: ") as caught:
        tilec.emulate(".version 7.8\n.target sm_80\n.nonsense\n", 1, 1)
    assert caught.value.errors[0][0] == 3
    unknown = SWAP.replace("bar.sync 0;", "bar.sunk 0;")
    with pytest.raises(tilec.PtxError, match="bar.sunk"):
        tilec.emulate(unknown, 1, 64, [words()])
    with pytest.raises(FileNotFoundError):
        tilec.emulate("nowhere.ptx", 1, 1)
    path = tmp_path / "swap.ptx"
    path.write_text(SWAP.replace("bar.sync 0;\n", ""))
    with pytest.raises(tilec.EmulationError, match="swap.ptx:"):
        tilec.emulate(path, 1, args=[words()])


def test_errors_are_pickled():
    """As processes of a pool give them back."""
    with pytest.raises(tilec.PtxError) as caught:
        tilec.emulate(SWAP.replace("bar.sync 0;", "bar.sunk 0;"), 1, 64, [words()])
    again = pickle.loads(pickle.dumps(caught.value))
    assert str(again) == str(caught.value) and again.errors == caught.value.errors
    assert str(again).startswith("<ptx>:")
    with pytest.raises(tilec.EmulationError) as found:
        tilec.emulate(SWAP, 1, 64, [words(3)])
    again = pickle.loads(pickle.dumps(found.value))
    assert str(again) == str(found.value) and again.findings == found.value.findings


def test_control_c():
    """Ends a kernel that does not, and what was raised is KeyboardInterrupt."""
    script = """if True:
        import signal, sys, threading, time
        import numpy as np
        import tilec
        from kernels import kernel
        endless = kernel("LOOP: add.u32 %r2, %r1, 1; st.shared.u32 [tile], %r2; bra LOOP;")
        signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's job may ignore it
        threading.Timer(0.5, signal.raise_signal, [signal.SIGINT]).start()
        begin = time.monotonic()
        try:
            tilec.emulate(endless, 4, 1, [np.zeros(64)], max_instructions=0, threads=2)
        except KeyboardInterrupt:
            print("interrupted", time.monotonic() - begin < 20)
        data = np.arange(64, dtype=np.uint32)
        from kernels import SWAP
        tilec.emulate(SWAP, 1, args=[data])
        print(data[0])
    """
    process = run_script(script)
    assert process.stdout == "interrupted True\n64\n", process.stderr


def test_text_is_the_command_lines(tmp_path):
    path = tmp_path / "swap.ptx"
    path.write_text(SWAP.replace("bar.sync 0;\n", ""))
    np.save(tmp_path / "data.npy", words())
    command = subprocess.run([TOOLS / "ptx-run", path, "--grid=1", "--block=64",
                              f"--arg=@{tmp_path / 'data.npy'}"],
                             capture_output=True, text=True, check=False)
    with pytest.raises(tilec.EmulationError) as caught:
        tilec.emulate(path, 1, 64, [words()])
    for finding in caught.value.findings:
        # There buffers are called by their files.
        text = str(finding).replace("'data'", f"'{tmp_path / 'data.npy'}'")
        assert text in command.stdout + command.stderr


def test_import_is_light():
    """Emulating loads neither the compiler nor MLIR, and importing takes at most half as long
    as NumPy, which it needs (of the process's time: others run beside it)."""
    script = """if True:
        import sys, time
        begin = time.process_time()
        import numpy
        loaded = time.process_time()
        import tilec
        tilec.emulate
        ratio = (time.process_time() - loaded) / (loaded - begin)
        maps = open("/proc/self/maps").read()
        import json
        print(json.dumps({"ratio": ratio, "native": "tilec._native" in sys.modules,
                          "compiler": "libTileC" in maps, "llvm": "LLVM" in maps}))
    """
    runs = [json.loads(subprocess.run([sys.executable, "-c", script], capture_output=True,
                                      text=True, check=True).stdout) for _ in range(3)]
    assert not any(run["native"] or run["compiler"] or run["llvm"] for run in runs)
    assert min(run["ratio"] for run in runs) < 0.5
