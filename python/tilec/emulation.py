"""Kernels in PTX, from any compiler, on the CPU with every checker.

    y = np.zeros(1000, np.float32)
    tilec.emulate(ptx, grid=8, block=128, args=[2.0, x, y, 1000])

Nothing of the compiler is loaded. docs/Emulator.md says what is checked.
"""
from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal, Optional, Sequence, Union

import numpy as np

from . import _emulator, launch_arguments
from .findings import Finding
from .launch_arguments import Argument
from .options import PathLike, choose, count, read_text

Extents = Union[int, Sequence[int]]
_DELIVERIES = ("late", "early", "random")


class PtxError(ValueError):
    """PTX that is no PTX, or an instruction that the emulator does not know.

    `errors` has (line, column, message); lines and columns count from 1, 0 is unknown.
    """

    def __init__(self, name: str, errors: Sequence[tuple[int, int, str]]):
        super().__init__("\n".join(f"{name}:{line}: error: {message}"
                                   for line, _, message in errors))
        self.name, self.errors = name, tuple(tuple(error) for error in errors)

    def __reduce__(self) -> tuple[Any, ...]:
        return PtxError, (self.name, self.errors)


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
        said = [str(finding) for finding in result.findings]
        if result.dropped:
            said.append(f"(and {result.dropped} more)")
        super().__init__("\n".join(said) or "the kernel did not run to its end")
        self.result, self.findings = result, result.findings

    def __reduce__(self) -> tuple[Any, ...]:
        return EmulationError, (self.result,)


def emulate(ptx: PathLike, grid: Extents, block: Optional[Extents] = None,
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
    (10^9); 0: never. delivery: when asynchronous copies arrive. allow_equal_stores,
    allow_unfenced_mbarriers: what code of Triton needs (docs/Emulator.md).

    Raises PtxError, EmulationError, and TypeError or ValueError for arguments that do not fit.
    Ctrl-C ends it.
    """
    text, name = read_text(ptx, "<ptx>")
    module = _parse(text, name)
    chosen = _choose_kernel(module, name, kernel)
    if len(args) != len(chosen.parameters):
        raise TypeError(f"{_signature(chosen)} takes {len(chosen.parameters)} arguments, "
                        f"{len(args)} are given")
    if block is None:
        if chosen.block is None:
            raise TypeError(f"block= is needed: {chosen.name} states no .reqntid")
        block = chosen.block
    if not isinstance(checks, str):
        raise TypeError(f"checks={checks!r}: give names, separated by commas")
    options = _emulator.Options(
        checks=checks, seed=count("seed", seed, bits=64), threads=count("threads", threads),
        max_findings=count("max_findings", max_findings),
        max_instructions=None if max_instructions is None else
        count("max_instructions", max_instructions, bits=64),
        equal_stores=allow_equal_stores, unfenced_mbarriers=allow_unfenced_mbarriers,
        delivery=choose("delivery", delivery, _DELIVERIES))
    buffers, data = _make_arguments(chosen, args)
    native = _emulator.run(module, chosen.name, buffers.memory, _extents("grid", grid),
                           _extents("block", block), _extents("cluster", cluster),
                           count("shared", shared), data, options)
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


def _parse(text: str, name: str) -> _emulator.Module:
    try:
        return _emulator.Module(text, name)
    except ValueError as error:
        raise PtxError(name, error.args[0]) from None


def _choose_kernel(module: _emulator.Module, text: str, name: Optional[str]) -> _emulator.Kernel:
    """The kernel of that name, or the only one, of what is called `text`."""
    kernels = module.kernels
    known = "".join("\n  " + _signature(kernel) for kernel in kernels)
    if not kernels:
        raise ValueError("the text has no kernel (.entry)")
    if name is None and len(kernels) > 1:
        raise ValueError(f"the text has several kernels; choose with kernel=:{known}")
    for kernel in kernels:
        if name in (None, kernel.name):
            _prepare(module, text, kernel.name)
            return kernel
    raise ValueError(f"there is no kernel '{name}'; the text has:{known}")


def _prepare(module: _emulator.Module, text: str, kernel: str) -> None:
    try:
        module.prepare(kernel)
    except ValueError as error:
        raise PtxError(text, error.args[0]) from None


def _signature(kernel: _emulator.Kernel) -> str:
    listed = ", ".join(f".{p.type}" + (f"[{p.size_bytes}]" if p.type == "b8" else "")
                       for p in kernel.parameters)
    return f"{kernel.name}({listed})"


def _make_arguments(kernel: _emulator.Kernel, given: Sequence[Argument]
                    ) -> tuple[launch_arguments.Buffers, list[bytes]]:
    """The memory of a launch, and the bytes of each parameter."""
    def tell(number: int, error: Exception) -> Exception:
        name = kernel.parameters[number].name
        return type(error)(f"argument {number} of {kernel.name}, '{name}', {error}")

    arrays: list[Optional[np.ndarray]] = []
    for number, argument in enumerate(given):
        try:
            arrays.append(launch_arguments.find_array(argument))
        except (TypeError, ValueError) as error:
            raise tell(number, error) from None
    buffers = launch_arguments.place(given, arrays, [p.name for p in kernel.parameters])
    data = []
    for number, (argument, array) in enumerate(zip(given, arrays)):
        try:
            data.append(launch_arguments.encode(argument, array, kernel.parameters[number],
                                                buffers))
        except (TypeError, ValueError) as error:
            raise tell(number, error) from None
    return buffers, data


def _extents(name: str, given: Extents) -> list[int]:
    extents = list(given) if isinstance(given, Iterable) else [given]
    if not 1 <= len(extents) <= 3:
        raise ValueError(f"{name}={given!r}: give one to three numbers, x first")
    return [count(name, extent, 1) for extent in extents] + [1] * (3 - len(extents))


def _findings(native: Sequence[Any], buffers: launch_arguments.Buffers) -> tuple[Finding, ...]:
    return tuple(Finding.from_native(one, *buffers.locate(one.address)) for one in native)
