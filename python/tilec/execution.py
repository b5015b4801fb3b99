"""Host functions of a compiled program, called like functions of Python."""
from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Literal, Optional

from . import _native
from .errors import RunError
from .host_arguments import convert
from .options import choose, count

Backend = Literal["emulator", "reference", "gpu"]
BACKENDS: tuple[Backend, ...] = ("emulator", "reference", "gpu")


@dataclass(frozen=True)
class Execution:
    """What came of a run, beside what is in the arrays.

    `statistics` is None unless asked for, else a dictionary for each launch (docs/Running.md);
    `times` has the kernel and the median in seconds of each launch that was timed; `output` is
    what the program printed.
    """
    output: str
    statistics: Optional[list[dict[str, Any]]]
    times: tuple[tuple[str, float], ...]


class HostFunction:
    """A host function. Arrays are read and written in place; an error leaves them alone."""

    def __init__(self, native: _native.Program, function: _native.Function):
        self._native, self._function = native, function
        self.__name__ = function.name
        self.__doc__ = f"{self.signature}\n\nIn the emulator unless `backend` says otherwise."

    @property
    def signature(self) -> str:
        """`axpy(f32, memref<?xf32>, memref<?xf32>)`."""
        return f"{self.__name__}({', '.join(a.type for a in self._function.arguments)})"

    def __repr__(self) -> str:
        return f"<tilec function {self.signature}>"

    def __call__(self, *arguments: Any, backend: Optional[Backend] = None, seed: int = 0,
                 limit: Optional[int] = None, multiprocessors: int = 0,
                 statistics: bool = False, time: int = 0, warm_up: int = 1) -> Execution:
        """Runs the function to its end.

        backend: "emulator" (with all checkers), "reference" (the program as it was written) or
        "gpu"; without one, the emulator for arrays of the host and the GPU for arrays on it.
        seed: the order of blocks and warps; 0 is ascending. limit: instructions of a warp, or
        steps of the reference, after which the program is called endless; 0: never.
        multiprocessors: what `tile.sm_count` is. statistics: count what kernels execute.
        time: how often launches are run again and timed, behind `warm_up` that do not count.

        Raises RunError for what the program does wrong, TypeError and ValueError for arguments
        that do not fit. Ctrl-C ends a run, but for a kernel on a GPU.
        """
        converted = convert(self._function, arguments)
        chosen = backend or ("gpu" if converted.is_on_gpu else "emulator")
        options = _native.ExecutionOptions(
            backend=choose("backend", chosen, BACKENDS), seed=count("seed", seed, bits=64),
            limit=None if limit is None else count("limit", limit, bits=64),
            multiprocessors=count("multiprocessors", multiprocessors, bits=31),
            statistics=statistics, timed_launches=count("time", time),
            warm_up=count("warm_up", warm_up))
        native = self._native.run(self.__name__, converted.values, options)
        if not native.is_done:
            raise RunError.from_native(native)
        for finish in converted.finish:
            finish()
        counted = json.loads(native.statistics) if native.statistics else None
        return Execution(native.output, counted, tuple(native.times))
