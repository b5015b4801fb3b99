"""The search: builds candidates, has them tried, and ranks what came out."""
from __future__ import annotations

import concurrent.futures
import dataclasses
import os
from typing import Any, Callable, Mapping, Optional, Sequence, Union

import numpy

from ..lang import Function, Program, ProgramError
from ..options import PathLike
from .cache import Cache
from .candidates import Candidates, Parameters, Predicate, list_candidates
from .model import CHIPS, MODEL_VERSION, Estimate, estimate
from .table import format_table
from .trial import (ERROR, OK, WRONG, Outcome, Request, describe_array, fail,
                    get_compiler_version, run_trial)

Arguments = Union[Sequence[Any], Callable[..., Sequence[Any]]]
Check = Union[None, str, Mapping[int, numpy.ndarray], Callable[..., Any]]


class TuningError(Exception):
    """No candidate is left; the message has the table of all."""


@dataclasses.dataclass(repr=False)
class Trial:
    """A candidate and what became of it. `status` is "ok", "error" or "wrong"."""
    parameters: Parameters
    program: Union[Program, str, None]
    outcome: Outcome
    estimate: Optional[Estimate] = None
    is_cached: bool = False

    def __repr__(self) -> str:
        return f"<trial {self.parameters}: {self.status}>"

    @property
    def status(self) -> str:
        return self.outcome.status

    @property
    def message(self) -> str:
        """What failed; empty where nothing did."""
        return self.outcome.message

    @property
    def score(self) -> float:
        """What is ranked, the least first: seconds on a GPU, else cycles of the model."""
        if self.outcome.seconds is not None:
            return self.outcome.seconds
        return self.estimate.cycles if self.estimate else float("inf")

    def _order(self) -> tuple[int, float, float]:
        total = self.estimate.total if self.estimate else 0.0
        return ((OK, WRONG, ERROR).index(self.status), self.score, total)


@dataclasses.dataclass(repr=False)
class Tuning:
    """All trials, the best first; those that failed last. As text: a table."""
    trials: list[Trial]
    rank: str

    @property
    def best(self) -> Trial:
        """The best trial. TuningError where none is right."""
        if not self.trials or self.trials[0].status != OK:
            raise TuningError(f"none of {len(self.trials)} candidates compiles and is right\n"
                              f"{self}")
        return self.trials[0]

    def __str__(self) -> str:
        return format_table(self.trials, self.rank)

    __repr__ = __str__


def tune(program: Union[Function, Callable[..., Union[Program, str]]], candidates: Candidates, *,
         arguments: Arguments, chip: str = "sm_80",
         where: Union[None, Predicate, Sequence[Predicate]] = None, check: Check = "reference",
         rtol: Optional[float] = None, atol: Optional[float] = None, rank: str = "model",
         executor: Optional[concurrent.futures.Executor] = None,
         cache: Union[Cache, str, PathLike, bool] = True, entry: Optional[str] = None,
         repeats: int = 20, timeout: float = 600.0,
         progress: Optional[Callable[[Trial], None]] = None) -> Tuning:
    """Tries parameters of a program and ranks them.

    `program` is a function of `tilec.lang`, or any that returns a program or its text;
    `candidates` a dictionary of choices, of which every combination is one, or an iterable of
    dictionaries; `where` predicates that get the parameters by name. `arguments` are NumPy
    arrays and numbers, or a function of the parameters that makes them.

    `check` is "reference" (the reference interpreter), a dictionary of expected arrays by the
    numbers of arguments, a function of all arguments as they are afterwards, which raises or
    returns False where they are wrong, or None; `rtol` and `atol` say how near floats are.
    `rank` is "model" (`model.py`) or "time", on a GPU, the median of `repeats`.

    Each trial is a process of its own, with `timeout` in seconds; `executor` says where and
    how many at a time: by default as many as there are processors, one where times are taken.
    A candidate that fails is kept with its error. `cache` is a folder, False for none.
    `progress` is called with each trial as it ends."""
    if rank not in ("model", "time"):
        raise ValueError(f"rank is 'model' or 'time', not {rank!r}")
    if chip not in CHIPS:
        raise ValueError(f"unknown chip {chip!r}; known: {', '.join(CHIPS)}")
    is_reference = isinstance(check, str) and check == "reference"
    if not (check is None or is_reference or callable(check) or isinstance(check, Mapping)):
        raise ValueError("check is 'reference', a dictionary of arrays, a function or None, not "
                         f"{check!r}")
    kept = list_candidates(candidates, where)
    if not kept:
        raise ValueError("no candidate: all are excluded by `where`, or there were none")
    search = _Search(program, arguments, chip, check, None if rtol is None else float(rtol),
                     None if atol is None else float(atol), rank, entry, repeats, timeout,
                     cache if isinstance(cache, Cache) else None if cache is False
                     else Cache(None if cache is True else cache), progress or (lambda trial: None),
                     get_compiler_version())
    if executor is not None:
        return search.run(kept, executor)
    workers = 1 if rank == "time" else os.cpu_count() or 1
    # A trial is a process; threads wait for it.
    with concurrent.futures.ThreadPoolExecutor(workers) as threads:
        return search.run(kept, threads)


@dataclasses.dataclass
class _Search:
    program: Union[Function, Callable[..., Union[Program, str]]]
    arguments: Arguments
    chip: str
    check: Check
    rtol: Optional[float]
    atol: Optional[float]
    rank: str
    entry: Optional[str]
    repeats: int
    timeout: float
    cache: Optional[Cache]
    progress: Callable[[Trial], None]
    compiler: str

    def run(self, kept: Sequence[Parameters], executor: concurrent.futures.Executor) -> Tuning:
        trials: list[Trial] = []
        running: dict[
            concurrent.futures.Future[Outcome], tuple[Parameters, Any, Any, Request]] = {}
        for parameters in kept:
            try:
                program = self.build(parameters)
                request = self.make_request(program, parameters)
            except Exception as error:  # of the caller's functions
                said = str(error) if isinstance(error, ProgramError) else (
                    f"{type(error).__name__}: {error}")
                trials.append(self.end(parameters, None, Outcome(ERROR, said)))
                continue
            key = self.make_key(program, request)
            known = self.cache.get(key) if self.cache and key else None
            if known is not None:
                trials.append(self.end(parameters, program, Outcome(**known), is_cached=True))
            else:
                running[executor.submit(run_trial, request)] = parameters, program, key, request
        try:
            for future in concurrent.futures.as_completed(running):
                parameters, program, key, request = running[future]
                outcome = self.get_outcome(future, request)
                if self.cache and key and outcome.follows:
                    self.cache.put(key, outcome.to_json())
                trials.append(self.end(parameters, program, outcome))
        except BaseException:  # Ctrl-C, or what `progress` raised: what waits is not begun
            for future in running:
                future.cancel()
            raise
        order = {id(parameters): number for number, parameters in enumerate(kept)}
        trials.sort(key=lambda trial: (trial._order(), order[id(trial.parameters)]))
        return Tuning(trials, self.rank)

    def build(self, parameters: Parameters) -> Union[Program, str]:
        if isinstance(self.program, Function):
            return self.program.build(**parameters)
        return self.program(**parameters)

    def make_request(self, program: Union[Program, str], parameters: Parameters) -> Request:
        arguments = self.arguments
        if callable(arguments):
            arguments = arguments(**parameters)
        unknown = set(self.check) - set(range(len(arguments))) if isinstance(
            self.check, Mapping) else set()
        if unknown:
            raise ValueError(f"check has results of the arguments {sorted(unknown)}, and there "
                             f"are {len(arguments)}")
        entry = self.entry or (program.name if isinstance(program, Program) else "")
        if not entry:
            raise ValueError("a program that is text needs `entry`, the name of its function")
        return Request(
            text=program.text if isinstance(program, Program) else program, chip=self.chip,
            entry=entry, arguments=tuple(arguments), checks_reference=self.check == "reference"
            if isinstance(self.check, str) else False,
            expected=self.check if isinstance(self.check, Mapping) else {}, rtol=self.rtol,
            atol=self.atol, is_timed=self.rank == "time", repeats=self.repeats,
            timeout=self.timeout, wants_results=callable(self.check))

    def make_key(self, program: Union[Program, str],
                 request: Request) -> Optional[dict[str, Any]]:
        """All that an outcome follows from; None where that cannot be said."""
        if callable(self.check) or request.is_timed:
            return None
        return {"text": program.bare_text if isinstance(program, Program) else program,
                "chip": request.chip, "entry": request.entry, "compiler": self.compiler,
                "model": MODEL_VERSION, "checks_reference": request.checks_reference,
                "arguments": [describe_array(argument) for argument in request.arguments],
                "expected": {str(number): describe_array(array)
                             for number, array in request.expected.items()},
                "rtol": request.rtol, "atol": request.atol}

    def get_outcome(self, future: concurrent.futures.Future[Outcome],
                    request: Request) -> Outcome:
        try:
            outcome = future.result()
        except Exception as error:  # of the executor: a worker that died, ..
            return fail(f"{type(error).__name__}: {error}")
        if callable(self.check) and outcome.status == OK:
            arguments = [outcome.results.get(number, argument)
                         for number, argument in enumerate(request.arguments)]
            try:
                verdict = self.check(*arguments)
                if verdict is not None and not verdict:
                    outcome.status, outcome.message = WRONG, "the check returned False"
            except Exception as error:  # of the caller's check
                outcome.status = WRONG
                outcome.message = f"the check raised {type(error).__name__}: {error}"
        return outcome

    def end(self, parameters: Parameters, program: Any, outcome: Outcome,
            is_cached: bool = False) -> Trial:
        trial = Trial(parameters, program, outcome, is_cached=is_cached)
        if outcome.status != ERROR and outcome.launches:
            trial.estimate = estimate(self.chip, outcome.launches, outcome.kernels)
        self.progress(trial)
        return trial
