"""One trial: a program is compiled and run in a process of its own.

`run_trial` runs wherever an executor puts it: what it takes and gives can be pickled. It starts
the interpreter again (`measure.py`), so that a trial that crashes or does not end takes nothing
with it.
"""
from __future__ import annotations

import dataclasses
import hashlib
import os
import pickle
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, Mapping, Optional, Sequence

import numpy

OK, ERROR, WRONG = "ok", "error", "wrong"


@dataclasses.dataclass(frozen=True)
class Request:
    """What is to be tried. `expected` has arrays by the numbers of arguments; with
    `checks_reference` results are compared with the reference interpreter's."""
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
    time of all launches together on a GPU. `results` are arrays, where they were wanted.
    `follows` says that the same request gives the same again, which is not so of what a
    machine did to a process."""
    status: str
    message: str = ""
    launches: Sequence[Mapping[str, Any]] = ()
    kernels: Sequence[Mapping[str, Any]] = ()
    seconds: Optional[float] = None
    results: Mapping[int, numpy.ndarray] = dataclasses.field(default_factory=dict)
    follows: bool = True

    def to_json(self) -> dict[str, Any]:
        return {"status": self.status, "message": self.message, "launches": list(self.launches),
                "kernels": list(self.kernels), "seconds": self.seconds}


def run_trial(request: Request) -> Outcome:
    """Compiles and runs; whatever fails is an outcome, and never an exception."""
    try:
        with tempfile.TemporaryDirectory(prefix="tilec-") as folder:
            return _run(request, Path(folder))
    except subprocess.TimeoutExpired:
        return fail(f"it took longer than {request.timeout:g} s")
    except Exception as error:  # any error is that of this candidate
        return fail(f"{type(error).__name__}: {error}")


def fail(message: str) -> Outcome:
    """Of a process or executor that failed."""
    return Outcome(ERROR, message, follows=False)


def _run(request: Request, folder: Path) -> Outcome:
    given, made = folder / "request", folder / "outcome"
    given.write_bytes(pickle.dumps(request))
    import tilec
    package = str(Path(tilec.__file__).parents[1])  # whatever the current folder is there
    search = os.pathsep.join(filter(None, [package, *sys.path]))
    process = subprocess.run(
        [sys.executable, "-m", "tilec.tuning.measure", given, made], timeout=request.timeout,
        env={**os.environ, "PYTHONPATH": search}, stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, errors="replace")
    if made.exists():
        return pickle.loads(made.read_bytes())
    if process.returncode < 0:
        return fail(f"the process was ended by signal {-process.returncode}")
    said = process.stderr.strip().splitlines() or ["it said nothing"]
    return fail(f"the process ended with status {process.returncode}: {said[-1]}")


def describe_array(array: Any) -> Any:
    """What of an argument a result follows from: its type, shape and contents."""
    if not isinstance(array, numpy.ndarray):
        return repr(array)
    content = hashlib.sha256(numpy.ascontiguousarray(array).tobytes()).hexdigest()
    return [str(array.dtype), list(array.shape), content]


def get_compiler_version() -> str:
    """What results of the compiler at hand follow from: its version and its libraries."""
    import tilec
    folder = Path(tilec.__file__).parent
    files = sorted(file for file in folder.iterdir() if ".so" in file.name)
    stats = [f"{file.name} {file.stat().st_size} {file.stat().st_mtime_ns}" for file in files]
    return " ".join([tilec.__version__, *stats])
