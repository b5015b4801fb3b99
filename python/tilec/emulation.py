"""Kernels in PTX, from any compiler, on the CPU with every checker.

    y = np.zeros(1000, np.float32)
    tilec.emulate(ptx, grid=8, block=128, args=[2.0, x, y, 1000])

Nothing of the compiler is loaded. docs/Emulator.md says what is checked.
"""
from __future__ import annotations

import json
import operator
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, Optional, Sequence, Union

from . import _emulator, launch_arguments
from .findings import Finding
from .launch_arguments import Argument

Extents = Union[int, Sequence[int]]
_DELIVERIES = ("late", "early", "random")


class PtxError(ValueError):
    """PTX that is no PTX, or an instruction that the emulator does not know.

    `errors` has (line, column, message); lines and columns count from 1, 0 is unknown.
    """

    def __init__(self, name: str, errors: Sequence[tuple[int, int, str]]):
        super().__init__("\n".join(f"{name}:{line}: error: {message}"
                                   for line, _, message in errors))
        self.errors = tuple(tuple(error) for error in errors)


@dataclass(frozen=True)
class Emulation:
    """What came of a launch, beside what is in the arrays.

    `completed`: all blocks ran to their end. `notes` are worth knowing, but no mistakes;
    `dropped` findings were more than are kept. `output` is what the kernel printed, `statistics`
    what it executed (docs/Running.md, *A kernel*).
    """
    completed: bool
    findings: tuple[Finding, ...]
    notes: tuple[Finding, ...]
    dropped: int
    output: str
    statistics: dict[str, Any]

    @property
    def ok(self) -> bool:
        return self.completed and not self.findings and not self.dropped


class EmulationError(Exception):
    """The checkers found something: `findings`, of `result`. `str()` is what `ptx-run` prints."""

    def __init__(self, result: Emulation):
        super().__init__("\n".join(str(finding) for finding in result.findings) +
                         (f"\n(and {result.dropped} more)" if result.dropped else "")
                         or "the kernel did not run to its end")
        self.result, self.findings = result, result.findings


def emulate(ptx: Union[str, "os.PathLike[str]"], grid: Extents, block: Optional[Extents] = None,
            args: Sequence[Argument] = (), *, kernel: Optional[str] = None, shared: int = 0,
            cluster: Extents = 1, check: bool = True, checks: str = "all", seed: int = 0,
            threads: int = 1, max_instructions: Optional[int] = None, max_findings: int = 32,
            delivery: Literal["late", "early", "random"] = "late",
            allow_equal_stores: bool = False,
            allow_unfenced_mbarriers: bool = False) -> Emulation:
    """Runs one kernel of a PTX text (or of a file, given by its path) to its end.

    grid, block, cluster: a number or up to three, x first; a block that the kernel itself
    states (`.reqntid`) may be left out. args: one for each parameter: an array (NumPy's, or
    whatever shares memory with one), which the kernel reads and writes in place; a number; `bytes`;
    None for a null pointer; `tilec.unwritten(array)`; `tilec.TensorMap(array, box=..)`.
    kernel: its name, where there are several. shared: bytes of dynamic shared memory.

    check: whether findings are an EmulationError; else they are in the result. checks: "all",
    "none" or some of races, bounds, alignment, init, barriers, deadlock, separated by commas.
    seed: the order of blocks and warps, 0 is ascending. threads: OS threads over which blocks
    are spread; 0: one for each core. max_instructions: after which a warp is called endless
    (10^9); 0: never. delivery: when asynchronous copies arrive. allow_equal_stores, allow_unfenced_mbarriers: what
    code of Triton needs (docs/Emulator.md).

    Raises PtxError, EmulationError, and TypeError or ValueError for arguments that do not fit.
    """
    text, name = _read(ptx)
    module = _parse(text, name)
    chosen = _choose_kernel(module, kernel)
    if len(args) != len(chosen.parameters):
        raise TypeError(f"{_signature(chosen)} takes {len(chosen.parameters)} arguments, "
                        f"{len(args)} are given")
    if block is None:
        if chosen.block is None:
            raise TypeError(f"block= is needed: {chosen.name} states no .reqntid")
        block = chosen.block
    if delivery not in _DELIVERIES:
        raise ValueError(f"delivery={delivery!r}: known are {', '.join(_DELIVERIES)}")
    options = _emulator.Options(
        checks=checks, seed=seed, threads=threads, max_findings=max_findings,
        max_instructions=max_instructions, equal_stores=allow_equal_stores,
        unfenced_mbarriers=allow_unfenced_mbarriers, delivery=_DELIVERIES.index(delivery))
    buffers = launch_arguments.place(args, [p.name for p in chosen.parameters])
    data = [_encode(number, argument, chosen, buffers) for number, argument in enumerate(args)]
    native = _emulator.run(module, chosen.name, buffers.memory, _extents("grid", grid),
                           _extents("block", block), _extents("cluster", cluster),
                           _count("shared", shared, 0), data, options)
    written = buffers.finish()
    result = Emulation(native.completed, _findings(native.findings, buffers),
                       _findings(native.notes, buffers), native.dropped, native.output,
                       json.loads(native.statistics)[0])
    if check and not result.ok:
        raise EmulationError(result)
    if written is not None:
        raise ValueError(f"argument {written} of {chosen.name}, '{chosen.parameters[written].name}'"
                         ", is read-only, and the kernel writes it")
    return result


def _read(ptx: Union[str, "os.PathLike[str]"]) -> tuple[str, str]:
    """The text, and what reports call it."""
    if isinstance(ptx, str) and ("\n" in ptx or "{" in ptx):
        return ptx, "<ptx>"
    path = Path(ptx)
    return path.read_text(encoding="utf-8"), str(path)


def _parse(text: str, name: str) -> _emulator.Module:
    try:
        return _emulator.Module(text, name)
    except ValueError as error:
        raise PtxError(name, error.args[0]) from None


def _choose_kernel(module: _emulator.Module, name: Optional[str]) -> _emulator.Kernel:
    kernels = module.kernels
    known = "".join("\n  " + _signature(kernel) for kernel in kernels)
    if not kernels:
        raise ValueError("the text has no kernel (.entry)")
    if name is None and len(kernels) > 1:
        raise ValueError(f"the text has several kernels; choose with kernel=:{known}")
    for kernel in kernels:
        if name in (None, kernel.name):
            _prepare(module, kernel.name)
            return kernel
    raise ValueError(f"there is no kernel '{name}'; the text has:{known}")


def _prepare(module: _emulator.Module, kernel: str) -> None:
    try:
        module.prepare(kernel)
    except ValueError as error:
        raise PtxError(kernel, error.args[0]) from None


def _signature(kernel: _emulator.Kernel) -> str:
    listed = ", ".join(f".{p.type}" + (f"[{p.size_bytes}]" if p.type == "b8" else "")
                       for p in kernel.parameters)
    return f"{kernel.name}({listed})"


def _encode(number: int, argument: Argument, kernel: _emulator.Kernel,
            buffers: launch_arguments.Buffers) -> bytes:
    parameter = kernel.parameters[number]
    try:
        return launch_arguments.encode(argument, parameter, buffers)
    except (TypeError, ValueError) as error:
        raise type(error)(f"argument {number} of {kernel.name}, '{parameter.name}', "
                          f"{error}") from None


def _count(name: str, value: Any, least: int) -> int:
    number = operator.index(value) if hasattr(value, "__index__") else -1
    if not least <= number < 1 << 32:
        raise ValueError(f"{name}={value!r} is not a number from {least} to 2^32 - 1")
    return number


def _extents(name: str, given: Extents) -> list[int]:
    extents = [given] if hasattr(given, "__index__") else list(given)
    if not 1 <= len(extents) <= 3:
        raise ValueError(f"{name}={given!r}: give one to three numbers, x first")
    return [_count(name, extent, 1) for extent in extents] + [1] * (3 - len(extents))


def _findings(native: Sequence[Any], buffers: launch_arguments.Buffers) -> tuple[Finding, ...]:
    return tuple(Finding.from_native(one, *buffers.locate(one.address)) for one in native)
