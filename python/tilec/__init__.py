"""A tile compiler for GPUs: compile, run, emulate, tune.

    import tilec
    program = tilec.compile("axpy.mlir", chip="sm_80")
    program.axpy(2.0, x, y)             # NumPy arrays, in the emulator with all its checkers
    tilec.emulate(ptx, grid=4, block=128, args=[x, y, 1000])    # any other PTX

`tilec.lang` makes programs in Python, `tilec.tune` looks for the best parameters of one.
Everything is loaded when it is first used; emulating loads nothing of the compiler.
docs/Python.md is the page.
"""
from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

# Where each name is; a module of its own stands for itself.
_HOMES = {
    "compile": "compiler", "Program": "compiler", "Kernel": "compiler", "emit": "compiler",
    "CompileError": "errors", "RunError": "errors", "TileError": "errors",
    "Diagnostic": "errors",
    "Execution": "execution",
    "emulate": "emulation", "Emulation": "emulation", "EmulationError": "emulation",
    "PtxError": "emulation",
    "Finding": "findings", "FindingKind": "findings", "Access": "findings",
    "TensorMap": "launch_arguments", "unwritten": "launch_arguments",
    "lang": "", "tune": "tuning",
}

# For whoever reads and does not run this: the same names.
__all__ = ["Access", "CompileError", "Diagnostic", "Emulation", "EmulationError", "Execution",
           "Finding", "FindingKind", "Kernel", "Program", "PtxError", "RunError", "TensorMap",
           "TileError", "__version__", "compile", "emit", "emulate", "lang", "tune", "unwritten"]

if TYPE_CHECKING:
    from . import lang
    from .compiler import Kernel, Program, compile, emit
    from .emulation import Emulation, EmulationError, PtxError, emulate
    from .errors import CompileError, Diagnostic, RunError, TileError
    from .execution import Execution
    from .findings import Access, Finding, FindingKind
    from .launch_arguments import TensorMap, unwritten
    from .tuning import tune


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'tilec' has no attribute '{name}'")
    if home == "":
        return importlib.import_module(f"tilec.{name}")
    value = getattr(importlib.import_module(f"tilec.{home}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOMES})
