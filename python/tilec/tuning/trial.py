"""One trial: a program is compiled, run on arrays and counted, in a process of its own.

The functions here run wherever an executor puts them: what they take and give can be pickled.
"""
from __future__ import annotations

import dataclasses
import hashlib
import json
import os
import re
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Any, Mapping, Optional, Sequence

import numpy

OK, ERROR, WRONG = "ok", "error", "wrong"


@dataclasses.dataclass(frozen=True)
class Request:
    """What is to be tried. `expected` has arrays by the numbers of arguments; without it, and
    with `checks_reference`, results are compared with the reference interpreter's."""
    text: str
    chip: str
    entry: str
    arguments: tuple[Any, ...]
    checks_reference: bool = True
    expected: Mapping[int, numpy.ndarray] = dataclasses.field(default_factory=dict)
    rtol: Optional[float] = None
    atol: Optional[float] = None
    is_timed: bool = False  # on a GPU
    repeats: int = 20
    timeout: float = 600.0
    wants_results: bool = False


@dataclasses.dataclass
class Outcome:
    """What came out: `launches` are the counts, `kernels` the report, `seconds` the median
    time of all launches together on a GPU. `results` are arrays, where they were wanted."""
    status: str
    message: str = ""
    launches: Sequence[Mapping[str, Any]] = ()
    kernels: Sequence[Mapping[str, Any]] = ()
    seconds: Optional[float] = None
    results: Mapping[int, numpy.ndarray] = dataclasses.field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        return {"status": self.status, "message": self.message, "launches": list(self.launches),
                "kernels": list(self.kernels), "seconds": self.seconds}


REPORTED = ("name", "block_threads", "shared_bytes", "registers", "spill_bytes", "occupancy")


def find_tool(name: str) -> str:
    """A command line tool: in `$TILE_TOOLS_DIR`, else in the PATH."""
    folder = os.environ.get("TILE_TOOLS_DIR")
    found = shutil.which(name, path=folder) if folder else shutil.which(name)
    if found is None:
        raise FileNotFoundError(f"{name} is neither in $TILE_TOOLS_DIR nor in the PATH")
    return found


def get_compiler_version() -> str:
    """What results of the compiler at hand follow from: its version and the file itself."""
    tool = find_tool("tile-opt")
    version = subprocess.run([tool, "--version"], capture_output=True, text=True, check=True)
    stat = os.stat(tool)
    return f"{version.stdout.strip()} {stat.st_size} {stat.st_mtime_ns}"


def run_trial(request: Request) -> Outcome:
    """Compiles and runs; whatever fails is an outcome, and never an exception."""
    try:
        with tempfile.TemporaryDirectory(prefix="tilec-") as folder:
            return _run(request, Path(folder))
    except subprocess.TimeoutExpired as error:
        return Outcome(ERROR, f"it took longer than {error.timeout:g} s")
    except Exception as error:  # any error is that of this candidate
        return Outcome(ERROR, f"{type(error).__name__}: {error}")


def _run(request: Request, folder: Path) -> Outcome:
    options = [f"--entry={request.entry}", f"--chip={request.chip}"]
    options += (["--on=cuda", f"--time={request.repeats}"] if request.is_timed
                else ["--on=emulator", "--stats=json"])
    files = {}
    for number, argument in enumerate(request.arguments):
        if not isinstance(argument, numpy.ndarray):
            options.append(f"--scalar={number}:{argument}")
            continue
        files[number] = folder / f"{number}.npy"
        numpy.save(files[number], numpy.ascontiguousarray(argument))
        options += [f"--in={number}:{files[number]}", f"--out={number}:{files[number]}"]
    if request.checks_reference:
        options.append("--check=json")
    process = _call("tile-run", request, options)
    document = _read_document(process)
    if document is None or document["status"] == "error":
        return Outcome(ERROR, _get_message(process))
    kernels = json.loads(_call("tile-opt", request, [
        "--emit=report", "--format=json", f"--chip={request.chip}"]).stdout)["kernels"]
    outcome = Outcome(OK, "", document.get("kernels", ()), [
        {**{key: kernel[key] for key in REPORTED},
         "loops": [{"stages": loop["stages"]} for loop in kernel["loops"]],
         "gemms": [{"instruction": gemm["instruction"]} for gemm in kernel["gemms"]]}
        for kernel in kernels])
    if request.is_timed:
        outcome.seconds = sum(launch["median_seconds"] for launch in document["times"])
    if request.checks_reference and document["status"] not in ("equal", "done"):
        outcome.status, outcome.message = WRONG, _describe_difference(document)
    results = {number: numpy.load(file) for number, file in files.items()}
    _compare(request, results, outcome)
    if request.wants_results:
        outcome.results = results
    return outcome


def _read_document(process: subprocess.CompletedProcess) -> Optional[dict[str, Any]]:
    """What tile-run printed, as JSON; of times without a comparison, which are text, too."""
    try:
        return json.loads(process.stdout)
    except ValueError:
        times = re.findall(r"^launch \d+ of .*: median ([\d.]+) ms", process.stdout, re.M)
        if process.returncode != 0 or not times:
            return None
        return {"status": "done", "times": [{"median_seconds": float(t) * 1e-3} for t in times]}


def _call(tool: str, request: Request, options: Sequence[str]) -> subprocess.CompletedProcess:
    return subprocess.run([find_tool(tool), "-", *options], input=request.text, text=True,
                          capture_output=True, timeout=request.timeout)


def _get_message(process: subprocess.CompletedProcess) -> str:
    """The errors that a tool printed, else how it ended."""
    text = process.stderr
    position = text.find("error:")
    if position < 0:
        return text.strip() or f"ended with status {process.returncode}"
    return text[text.rfind("\n", 0, position) + 1:].strip()


def _describe_difference(document: Mapping[str, Any]) -> str:
    for argument in document["arguments"]:
        check = argument.get("check")
        if check and check["status"] == "different":
            first = check["first"]
            return (f"argument {argument['number']} differs from the reference in "
                    f"{check['different']} of {check['elements']} elements, first at "
                    f"{first['at']}: {first['actual']}, expected {first['expected']}")
    return f"compared with the reference: {document['status']}"


def _compare(request: Request, results: Mapping[int, numpy.ndarray], outcome: Outcome) -> None:
    """With what the caller expects."""
    for number, expected in request.expected.items():
        actual = results[number]
        if actual.shape != expected.shape:
            outcome.status = WRONG
            outcome.message = (f"argument {number} has the shape {actual.shape}, expected "
                               f"{expected.shape}")
            return
        near = numpy.isclose(actual.astype(float), expected.astype(float),
                             rtol=request.rtol or 0.0, atol=request.atol or 0.0, equal_nan=True)
        if not near.all():
            first = tuple(int(i) for i in numpy.argwhere(~near)[0])
            outcome.status = WRONG
            outcome.message = (
                f"argument {number} is not as expected in {int((~near).sum())} of {near.size} "
                f"elements, first at {list(first)}: {actual[first]}, expected {expected[first]}")
            return


def describe_array(array: Any) -> Any:
    """What of an argument a result follows from: its type, shape and contents."""
    if not isinstance(array, numpy.ndarray):
        return repr(array)
    content = hashlib.sha256(numpy.ascontiguousarray(array).tobytes()).hexdigest()
    return [str(array.dtype), list(array.shape), content]
