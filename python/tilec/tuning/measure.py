"""The process of a trial: compiles a program, runs it, compares what it gives.

    python -m tilec.tuning.measure REQUEST OUTCOME

Both are files with a pickled `Request` and `Outcome` (trial.py).
"""
from __future__ import annotations

import pickle
import sys
from pathlib import Path
from typing import Any, Mapping, Optional

import numpy

from ..element_types import find_dtype, find_element_type
from .trial import ERROR, OK, WRONG, Outcome, Request

REPORTED = ("name", "block_threads", "shared_bytes", "registers", "spill_bytes", "occupancy")
# How far from the reference a result may be, in parts of the largest value of the argument,
# where a caller does not say: other orders of summation and approximations that were asked for.
TOLERANCES = {"f64": 1e-9, "f32": 1e-4, "f16": 4e-3, "bf16": 3e-2, "f8E4M3FN": 0.125,
              "f8E5M2": 0.25}


def measure(request: Request) -> Outcome:
    """Errors of the program are an outcome; others are exceptions."""
    import tilec
    from tilec.compiler import has_ptxas
    try:
        program = tilec.compile(request.text, chip=request.chip, cubin=has_ptxas())
        if request.entry not in program.functions:
            return Outcome(ERROR, f"the program has no function '{request.entry}'; it has "
                           f"{', '.join(program.functions)}")
        return _run(request, program)
    except (tilec.TileError, TypeError, ValueError) as error:
        return Outcome(ERROR, str(error))


def _run(request: Request, program: Any) -> Outcome:
    function = program.functions[request.entry]
    arguments = _copy(request.arguments)
    if request.is_timed:
        execution = function(*arguments, backend="gpu", time=request.repeats)
    else:
        execution = function(*arguments, statistics=True)
    outcome = Outcome(OK, "", execution.statistics or (), [_shorten(k) for k in program.report])
    if request.is_timed:
        outcome.seconds = sum(seconds for _, seconds in execution.times)
    expected = dict(request.expected)
    if request.checks_reference:
        copies = _copy(request.arguments)
        function(*copies, backend="reference")
        expected = {n: a for n, a in enumerate(copies) if isinstance(a, numpy.ndarray)}
    elements = [argument.element for argument in function._function.arguments]
    for number, array in expected.items():
        difference = compare(arguments[number], array, elements[number], request)
        if difference is not None:
            other = "is not that of the reference" if request.checks_reference else "is wrong"
            return _fail(outcome, f"argument {number} {other}: {difference}")
    if request.wants_results:
        outcome.results = {n: a for n, a in enumerate(arguments) if isinstance(a, numpy.ndarray)}
    return outcome


def _copy(arguments: tuple[Any, ...]) -> list[Any]:
    return [a.copy() if isinstance(a, numpy.ndarray) else a for a in arguments]


def _shorten(kernel: Mapping[str, Any]) -> dict[str, Any]:
    """What of a report the model and the table need."""
    return {**{key: kernel[key] for key in REPORTED},
            "loops": [{"stages": loop["stages"]} for loop in kernel["loops"]],
            "gemms": [{"instruction": gemm["instruction"]} for gemm in kernel["gemms"]]}


def _fail(outcome: Outcome, message: str) -> Outcome:
    outcome.status, outcome.message = WRONG, message
    return outcome


def compare(actual: numpy.ndarray, expected: numpy.ndarray, element: str,
            request: Request) -> Optional[str]:
    """None where the arrays are near enough to each other, else where they are not."""
    if actual.shape != expected.shape:
        return f"its shape is {actual.shape}, expected {expected.shape}"
    actual, expected = _decode(actual, element), _decode(expected, element)
    near = actual == expected
    if actual.dtype.kind == "f" and actual.size:
        rtol, atol = request.rtol or 0.0, request.atol or 0.0
        if request.rtol is None and request.atol is None and request.checks_reference:
            finite = expected[numpy.isfinite(expected)]
            atol = TOLERANCES.get(element, 0.5) * float(abs(finite).max(initial=0.0))
        near |= numpy.isclose(actual, expected, rtol=rtol, atol=atol, equal_nan=True)
    if near.all():
        return None
    first = tuple(int(i) for i in numpy.argwhere(~near)[0])
    return (f"{int((~near).sum())} of {near.size} elements, first at {list(first)}: "
            f"{actual[first]}, expected {expected[first]}")


def _decode(array: numpy.ndarray, element: str) -> numpy.ndarray:
    """Floats as f64, also those that are integers of their bits. Bits of a type that nothing here
    knows stay integers, and have to be equal."""
    known = find_element_type(element)
    if element[0] not in "fb" or known is None:
        return array
    if array.dtype.kind in "iu" and not known.is_packed:
        if element == "bf16":
            return (array.view(numpy.uint16).astype(numpy.uint32) << 16).view(
                numpy.float32).astype(numpy.float64)
        dtype = find_dtype(known)
        return array if dtype is None else array.view(dtype).astype(numpy.float64)
    return array if array.dtype.kind in "iu" else array.astype(numpy.float64)


def main(given: str, made: str) -> None:
    outcome = measure(pickle.loads(Path(given).read_bytes()))
    unfinished = Path(made + ".part")
    unfinished.write_bytes(pickle.dumps(outcome))
    unfinished.rename(made)


if __name__ == "__main__":
    main(*sys.argv[1:])
