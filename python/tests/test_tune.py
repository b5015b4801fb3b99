"""The tuner: candidates of all kinds, executors, the cache, the table."""
import concurrent.futures
import json
import multiprocessing
import os
import subprocess
import sys
import time

import numpy
import pytest
from paths import BUILD, SOURCE

import tilec
from tilec import lang as tl
from tilec import tuning
from tilec.lang import f32, memref
from tilec.tuning import measure, trial


@pytest.fixture(autouse=True)
def own_cache(monkeypatch, tmp_path):
    monkeypatch.setenv("TILEC_CACHE_DIR", str(tmp_path / "cache"))


@pytest.fixture
def in_process(monkeypatch):
    """Trials without a process of their own, which take a fifth of the time."""
    monkeypatch.setattr(tuning.search, "run_trial", measure.measure)


@tl.function
def shift(x: memref("N", f32), y: memref("N", f32), *, tile=64, threads=32, amount=1.0):
    if tile > 512:
        raise ValueError("too large for this test")

    @tl.launch(tl.ceil_div(x.size(0), tile), threads=threads)
    def shift_kernel(block):
        tl.store(tl.load(x[block * tile], (tile,)) + amount, y[block * tile])


def make_arguments(**parameters):
    return [numpy.arange(300, dtype=numpy.float32), numpy.zeros(300, numpy.float32)]


class NoExecutor(concurrent.futures.Executor):
    """Fails the test that submits to it."""

    def submit(self, function, *arguments, **keywords):
        raise AssertionError("it is not in the cache")


def test_it_is_a_function_of_the_package():
    assert tilec.tune is tuning.tune


def test_candidates():
    listed = tuning.candidates.list_candidates
    assert listed({"a": [1, 2], "b": "xy"}, None) == [
        {"a": 1, "b": "x"}, {"a": 1, "b": "y"}, {"a": 2, "b": "x"}, {"a": 2, "b": "y"}]
    assert listed({"a": [1, 2, 3], "b": [1, 2]}, lambda a, b: a > b) == [
        {"a": 2, "b": 1}, {"a": 3, "b": 1}, {"a": 3, "b": 2}]
    assert listed([{"a": 1}, {"a": 2}, {"a": 1}], [lambda a: a < 5, lambda a: a != 2]) == [
        {"a": 1}]
    assert list(tuning.grid(a=[1], b=[2, 3])) == [{"a": 1, "b": 2}, {"a": 1, "b": 3}]


def test_candidates_are_ranked_and_failures_are_kept():
    ended = []
    result = tuning.tune(shift, {"tile": [64, 256, 1024], "threads": [32, 100]},
                         arguments=make_arguments, progress=ended.append,
                         where=lambda tile, threads: tile != 256 or threads == 32)
    assert len(ended) == len(result.trials) == 5
    assert [t.status for t in result.trials] == ["ok", "ok", "error", "error", "error"]
    first, second = result.trials[:2]
    assert first is result.best and first.score <= second.score < float("inf")
    assert {t.parameters["tile"] for t in (first, second)} == {64, 256}
    by_parameters = {tuple(t.parameters.values()): t for t in result.trials}
    assert by_parameters[1024, 32].message == "ValueError: too large for this test"
    threads = by_parameters[64, 100].message
    assert threads.startswith(f"{__file__}:") and "threads(100)" in threads.splitlines()[0]
    assert f"tensor<{first.parameters['tile']}xf32>" in first.program.bare_text

    lines = str(result).splitlines()
    assert lines[0].split() == ["cycles", "bound", "by", "registers", "shared", "blocks/SM",
                                "tile", "threads"]
    assert len(lines) == 6 and lines[1].split()[0] == "1" and lines[3].split()[0] == "-"
    assert "error: " in lines[3]


def test_no_candidate(in_process):
    with pytest.raises(ValueError, match="no candidate"):
        tuning.tune(shift, {"tile": [64]}, arguments=make_arguments, where=lambda tile: False)
    result = tuning.tune(shift, {"threads": [100]}, arguments=make_arguments)
    with pytest.raises(tuning.TuningError, match="none of 1 candidates") as caught:
        result.best
    assert "threads(100)" in str(caught.value)


@pytest.mark.parametrize("options, message", [
    ({"chip": "sm_1"}, "unknown chip 'sm_1'; known: sm_80"), ({"rank": "fast"}, "rank is"),
    ({"check": "maybe"}, "check is 'reference'"),
    ({"check": [numpy.zeros(300)]}, "check is 'reference', a dictionary of arrays, a function")])
def test_options(options, message):
    with pytest.raises(ValueError, match=message):
        tuning.tune(shift, {"tile": [64]}, arguments=make_arguments, **options)


def test_choices_that_are_none():
    with pytest.raises(TypeError, match="the choices of tile are a sequence, not 64"):
        tuning.tune(shift, {"tile": 64}, arguments=make_arguments)


def test_what_cannot_be_tried(in_process):
    """A parameter that there is not, at the line here; results of arguments that there are not."""
    tried = tuning.tune(shift, {"size": [64]}, arguments=make_arguments).trials[0]
    assert tried.message.startswith(f"{__file__}:")
    assert "shift has no parameter or size size; it has N, amount, " in tried.message
    tried = tuning.tune(shift, {"tile": [64]}, arguments=make_arguments,
                        check={2: numpy.zeros(3)}).trials[0]
    assert "check has results of the arguments [2], and there are 2" in tried.message


@pytest.mark.parametrize("element, dtype, right, near, wrong", [
    ("f16", numpy.uint16, 0x3C00, 0x3C01, 0x3D00), ("bf16", numpy.uint16, 0x3F80, 0x3F81, 0x4000),
    ("f32", numpy.uint32, 0x3F800000, 0x3F800001, 0x3F900000),
    ("f8E4M3FN", numpy.uint8, 0x38, 0x39, 0x40), ("f8E5M2", numpy.uint8, 0x3C, 0x3D, 0x40)])
def test_integers_that_are_bits_of_floats(element, dtype, right, near, wrong):
    """1.0, what is near it, and what is not, however small the difference of the bits."""
    request = trial.Request("", "sm_80", "", ())
    expected = numpy.full(3, right, dtype)
    for bits, is_near in ((right, True), (near, True), (wrong, False)):
        actual = numpy.array([right, bits, right], dtype)
        for given in (actual, actual.view(f"i{actual.itemsize}")):
            assert (measure.compare(given, expected, element, request) is None) == is_near


def test_tolerances_of_numpy(in_process):
    result = tuning.tune(shift, {"tile": [64]}, arguments=make_arguments, rtol=numpy.float32(1e-3))
    assert result.best.status == "ok"


def test_control_c(monkeypatch):
    """Of the candidates that wait none is begun."""
    begun = []

    def run_trial(request):
        begun.append(request)
        time.sleep(0.02)
        return trial.Outcome(trial.OK)

    def interrupt(ended):
        raise KeyboardInterrupt

    monkeypatch.setattr(tuning.search, "run_trial", run_trial)
    with concurrent.futures.ThreadPoolExecutor(1) as executor:
        with pytest.raises(KeyboardInterrupt):
            tuning.tune(shift, {"amount": [float(n) for n in range(100)], "tile": [64, 128]},
                        arguments=make_arguments, progress=interrupt, executor=executor)
    assert 1 <= len(begun) < 200


def test_no_ptxas(in_process, monkeypatch):
    """An empty CUDA_HOME says so, as for the command line."""
    monkeypatch.setenv("CUDA_HOME", "")
    result = tuning.tune(shift, {"tile": [64]}, arguments=make_arguments)
    assert [t.status for t in result.trials] == ["ok"]
    assert result.best.outcome.kernels[0]["registers"] is None


def test_wrong_results_do_not_win(in_process):
    x, y = make_arguments()
    candidates = {"amount": [1.0, 1.5]}
    result = tuning.tune(shift, candidates, arguments=[x, y], check={1: x + 1})
    assert [t.status for t in result.trials] == ["ok", "wrong"]
    assert result.trials[1].message == (
        "argument 1 is wrong: 300 of 300 elements, first at [0]: 1.5, expected 1.0")
    near = tuning.tune(shift, candidates, arguments=[x, y], check={1: x + 1}, atol=0.5)
    assert [t.status for t in near.trials] == ["ok", "ok"]
    shape = tuning.tune(shift, {"tile": [64]}, arguments=[x, y], check={1: x[:5]})
    assert "its shape is (300,), expected (5,)" in shape.trials[0].message


def test_a_check_of_the_callers(in_process):
    def check(x, y):
        if y[0] == 2.0:
            raise RuntimeError("two")
        return y[0] == 1.0

    result = tuning.tune(shift, {"amount": [2.0, 1.5, 1.0]}, arguments=make_arguments, check=check)
    assert result.best.parameters == {"amount": 1.0}
    assert [t.status for t in result.trials] == ["ok", "wrong", "wrong"]
    messages = {t.parameters["amount"]: t.message for t in result.trials}
    assert messages == {1.0: "", 1.5: "the check returned False",
                        2.0: "the check raised RuntimeError: two"}


@pytest.mark.parametrize("element, actual, expected, options, difference", [
    ("f32", [1.0, 100.0], [1.009, 100.0], {}, None),
    ("f32", [1.0, 100.0], [1.011, 100.0], {}, "1 of 2 elements, first at [0]: 1.0, expected"),
    ("f32", [1.0, 100.0], [1.009, 100.0], {"rtol": 1e-3}, "1 of 2 elements, first at [0]"),
    ("f32", [1.0, 2.0], [1.5, 2.5], {"atol": 0.5}, None),
    ("f32", [numpy.nan, numpy.inf], [numpy.nan, numpy.inf], {}, None),
    ("f32", [1.0, 2.0], [1.0, numpy.inf], {}, "first at [1]: 2.0, expected inf"),
    ("f64", [1.0], [1.0 + 1e-8], {}, "first at [0]"),
    ("i32", [3], [4], {"atol": 5.0}, "first at [0]: 3, expected 4"),
    ("f32", [], [], {}, None),
])
def test_comparisons(element, actual, expected, options, difference):
    request = trial.Request("", "sm_80", "f", (), **options)
    dtype = {"f32": numpy.float32, "f64": numpy.float64, "i32": numpy.int32}[element]
    said = measure.compare(numpy.array(actual, dtype), numpy.array(expected, dtype), element,
                           request)
    assert said is None if difference is None else difference in said


def test_bf16_as_unsigned_integers_is_compared_as_numbers():
    request = trial.Request("", "sm_80", "f", ())
    one, next_to_one, two = (numpy.array([0x3F80 + n], numpy.uint16) for n in (0, 1, 128))
    assert measure.compare(one, next_to_one, "bf16", request) is None
    assert measure.compare(one, two, "bf16", request) == (
        "1 of 1 elements, first at [0]: 1.0, expected 2.0")


def test_a_difference_to_the_reference(monkeypatch):
    monkeypatch.setattr(measure, "compare", lambda *arguments: "1 of 2 elements")
    x, y = make_arguments()
    outcome = measure.measure(trial.Request(shift.build().text, "sm_80", "shift", (x, y)))
    assert outcome.status == "wrong" and len(outcome.launches) == 1
    assert outcome.message == "argument 0 is not that of the reference: 1 of 2 elements"
    assert not y.any(), "arguments stay as they are"


def test_an_entry_that_is_none(in_process):
    result = tuning.tune(shift, {"tile": [64]}, arguments=make_arguments, entry="shaft")
    assert result.trials[0].message == "the program has no function 'shaft'; it has shift"


@pytest.mark.parametrize("script, message", [
    ("kill -9 $$", "the process was ended by signal 9"),
    ("echo no memory >&2; exit 3", "the process ended with status 3: no memory")])
def test_a_process_that_dies(monkeypatch, tmp_path, script, message):
    interpreter = tmp_path / "python"
    interpreter.write_text(f"#!/bin/sh\n{script}\n")
    interpreter.chmod(0o755)
    with monkeypatch.context() as patch:
        patch.setattr("sys.executable", str(interpreter))
        result = tuning.tune(shift, {"tile": [64]}, arguments=make_arguments)
    assert result.trials[0].message == message
    assert tuning.tune(shift, {"tile": [64]}, arguments=make_arguments).best, "it is not kept"


def test_programs_as_text_and_functions_that_make_them(in_process):
    def make(tile):
        return shift.build(tile=tile).bare_text

    result = tuning.tune(make, {"tile": [64, 128]}, arguments=make_arguments, entry="shift")
    assert [t.status for t in result.trials] == ["ok", "ok"]
    unnamed = tuning.tune(make, {"tile": [64]}, arguments=make_arguments)
    assert "needs `entry`" in unnamed.trials[0].message


def test_a_trial_that_takes_too_long():
    result = tuning.tune(shift, {"tile": [64]}, arguments=make_arguments, timeout=0.001)
    assert result.trials[0].message == "it took longer than 0.001 s"
    again = tuning.tune(shift, {"tile": [64]}, arguments=make_arguments)
    assert again.trials[0].status == "ok", "what depends on the machine is not kept"


@pytest.mark.parametrize("make", [
    lambda: concurrent.futures.ThreadPoolExecutor(2),
    lambda: concurrent.futures.ProcessPoolExecutor(
        2, mp_context=multiprocessing.get_context("spawn"))], ids=["threads", "processes"])
def test_executors(make):
    with make() as executor:
        result = tuning.tune(shift, {"threads": [32, 100]}, arguments=make_arguments,
                             executor=executor)
    assert [t.status for t in result.trials] == ["ok", "error"]


def test_dask_spreads_candidates():
    distributed = pytest.importorskip("distributed", reason="Dask is not installed")
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=True,
                                  dashboard_address=None) as cluster, \
            distributed.Client(cluster) as client:
        result = tuning.tune(shift, {"tile": [64, 128], "threads": [32, 100]},
                             arguments=make_arguments, executor=client.get_executor())
    assert sorted(t.status for t in result.trials) == ["error", "error", "ok", "ok"]


def test_the_example():
    run = subprocess.run([sys.executable, SOURCE / "python/examples/tune_gemm.py"], text=True,
                         capture_output=True, env={**os.environ,
                                                   "PYTHONPATH": os.pathsep.join(sys.path)})
    assert run.returncode == 0, run.stderr
    lines = run.stdout.splitlines()
    assert len(lines) == 10 and "N = 100, not a multiple of 8" in lines[-2]
    assert lines[-1].startswith("best: {'tile_m': ")


def test_a_worker_that_dies_is_an_error_of_its_candidate():
    class Dying(concurrent.futures.Executor):
        def submit(self, function, *arguments, **keywords):
            future = concurrent.futures.Future()
            future.set_exception(RuntimeError("the worker died"))
            return future

    result = tuning.tune(shift, {"tile": [64]}, arguments=make_arguments, executor=Dying())
    assert result.trials[0].message == "RuntimeError: the worker died"


def test_the_cache(tmp_path, in_process):
    cache = tmp_path / "results"
    candidates = {"tile": [64, 128], "threads": [32, 100]}
    options = {"arguments": make_arguments, "cache": str(cache)}
    first = tuning.tune(shift, candidates, **options)
    again = tuning.tune(shift, candidates, executor=NoExecutor(), **options)
    assert not any(t.is_cached for t in first.trials) and all(t.is_cached for t in again.trials)
    assert str(again) == str(first)
    for change in ({"chip": "sm_90a"}, {"check": None}, {"rtol": 0.5},
                   {"arguments": [numpy.zeros(300, numpy.float32)] * 2}):
        with pytest.raises(AssertionError, match="not in the cache"):
            tuning.tune(shift, candidates, executor=NoExecutor(), **{**options, **change})

    files = sorted(cache.rglob("*.json"))
    assert len(files) == 4
    files[0].write_text("{")
    files[1].write_text(files[2].read_text())
    entry = json.loads(files[3].read_text())
    entry["result"]["status"] = "wrong"
    files[3].write_text(json.dumps(entry))
    mended = tuning.tune(shift, candidates, **options)
    assert sorted(t.is_cached for t in mended.trials) == [False, False, False, True]
    assert str(mended) == str(first)
    assert all(t.is_cached for t in tuning.tune(
        shift, candidates, executor=NoExecutor(), **options).trials)


@pytest.mark.parametrize("name", ["get_compiler_version", "MODEL_VERSION"])
def test_another_compiler_or_model_has_other_results(monkeypatch, name, in_process):
    options = {"arguments": make_arguments, "candidates": {"tile": [64]}}
    tuning.tune(shift, **options)
    assert tuning.tune(shift, **options).best.is_cached
    monkeypatch.setattr(tuning.search, name,
                        (lambda: "another") if name.startswith("get") else -1)
    assert not tuning.tune(shift, **options).best.is_cached


def use_driver(monkeypatch, name):
    """A test double of CUDA's driver: one that works or is none."""
    driver = BUILD / "test/Runtime/FakeDriver" / name
    if not (driver / "libcuda.so.1").exists():
        pytest.skip("the test doubles of the driver are not built (TileFakeDrivers)")
    monkeypatch.setenv("LD_LIBRARY_PATH", str(driver))


@pytest.mark.parametrize("check", ["reference", None])
def test_times_on_a_gpu(monkeypatch, check):
    use_driver(monkeypatch, "current")
    result = tuning.tune(shift, {"tile": [64, 256], "threads": [32, 100]}, rank="time",
                         arguments=make_arguments, check=check, repeats=3)
    assert [t.status for t in result.trials] == ["ok", "ok", "error", "error"]
    assert 0 < result.best.score == result.best.outcome.seconds <= result.trials[1].score < 1
    assert str(result).split()[0] == "us"


def test_without_a_gpu(monkeypatch):
    use_driver(monkeypatch, "no-driver")
    result = tuning.tune(shift, {"tile": [64]}, rank="time", arguments=make_arguments)
    assert result.trials[0].status == "error" and "CUDA driver" in result.trials[0].message


def test_a_cache_that_cannot_be_written_is_none(tmp_path, in_process):
    (tmp_path / "file").write_text("")
    result = tuning.tune(shift, {"tile": [64]}, arguments=make_arguments,
                         cache=tmp_path / "file" / "folder")
    assert result.best.status == "ok"


def store_many(folder):
    cache = tuning.Cache(folder)
    seen = set()
    for number in range(50):
        cache.put({"n": number % 5}, {"text": "x" * 5000, "n": number % 5})
        found = cache.get({"n": number % 5})
        seen.add(found is not None and found["n"] == number % 5)
    return seen


def test_several_processes_share_a_cache(tmp_path):
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        assert pool.map(store_many, [tmp_path] * 2) == [{True}] * 2
    assert len(list(tmp_path.rglob("*"))) == 10, "five folders with a file each, nothing else"
