"""Compiling: from the text of a program to kernels, their reports, and functions to call."""
from __future__ import annotations

import json
import os
from functools import cached_property
from pathlib import Path
from typing import Any, Iterator, Literal, Mapping, Optional, Sequence, Union

from . import _native
from .errors import CompileError
from .execution import HostFunction

Source = Union[str, "os.PathLike[str]"]
_REUSE = ("always", "cold", "never")
_TEXTS = ("llvm", "nvvm")


def compile(source: Source, chip: Optional[str] = None, *, name: Optional[str] = None,
            opt_level: int = 3, line_info: bool = True, check_assumptions: bool = False,
            version_launches: bool = True, prefetch_bytes: int = 0,
            reuse: Literal["always", "cold", "never"] = "cold", cubin: bool = False,
            libdevice: Source = "", cuda: Union[Source, Sequence[Source], None] = ()) -> "Program":
    """Compiles a program: its text (with a line end or a brace), or the path of its file.

    chip: "sm_80", "sm_90a", ..; without one, the module's `tile.target`. name: what
    diagnostics call the text. The other options are those of `tile-opt --emit`: cubin lets
    ptxas make one, and reports have registers then; libdevice is the path of libdevice.10.bc;
    cuda has folders of CUDA toolkits to look in before CUDA_HOME, CUDA_PATH, CUDA_ROOT, PATH and
    /usr/local/cuda, and is None where there is to be none.

    Raises CompileError, whose text is the command line's and whose `diagnostics` are data.
    """
    options: dict[str, Any] = dict(
        chip=chip or "", opt_level=opt_level, line_info=line_info,
        check_assumptions=check_assumptions, versions=version_launches,
        prefetch_bytes=prefetch_bytes, reuse=_choose("reuse", reuse, _REUSE), cubin=cubin,
        libdevice=os.fspath(libdevice), toolkits=_toolkits(cuda))
    text, called = _read(source)
    return Program(text, name or called, options)


def emit(source: Source, text: Literal["llvm", "nvvm"], chip: Optional[str] = None, *,
         name: Optional[str] = None, opt_level: int = 3) -> str:
    """A program as optimised LLVM IR of its kernels, or as the module with threaded kernels."""
    kind = _choose("text", text, _TEXTS)
    options = _native.CompileOptions(
        chip=chip or "", opt_level=opt_level, line_info=True, check_assumptions=False,
        versions=True, prefetch_bytes=0, reuse=_REUSE.index("cold"), cubin=False, layouts=False,
        libdevice="", toolkits=_toolkits(()))
    content, called = _read(source)
    native = _native.emit(content, name or called, options, kind)
    if not native.emitted:
        raise CompileError.from_native(native)
    return native.emitted


def _choose(option: str, value: str, known: Sequence[str]) -> int:
    if value not in known:
        raise ValueError(f"{option}={value!r}: known are {', '.join(known)}")
    return known.index(value)


def _read(source: Source) -> tuple[str, str]:
    """The text, and what diagnostics call it."""
    if isinstance(source, str) and ("\n" in source or "{" in source):
        return source, "<program>"
    path = Path(source)
    return path.read_text(encoding="utf-8"), str(path)


def _toolkits(cuda: Union[Source, Sequence[Source], None]) -> Optional[list[str]]:
    """Where toolkits are looked for, as the command line has it: an empty CUDA_HOME says that
    there is none."""
    if cuda is None:
        return None
    given = [cuda] if isinstance(cuda, (str, os.PathLike)) else list(cuda)
    if not given and os.environ.get("CUDA_HOME") == "":
        return None
    variables = ("CUDA_HOME", "CUDA_PATH", "CUDA_ROOT")
    return [*(os.fspath(folder) for folder in given),
            *filter(None, map(os.environ.get, variables))]


class Picture:
    """An SVG document, drawn by notebooks; `str()` is the document."""

    def __init__(self, svg: str):
        self.svg = svg

    def __str__(self) -> str:
        return self.svg

    def __repr__(self) -> str:
        return f"<Picture: {len(self.svg)} characters of SVG>"

    def _repr_svg_(self) -> str:
        return self.svg

    def save(self, path: Source) -> None:
        """Writes the document to a file."""
        Path(path).write_text(self.svg, encoding="utf-8")


class Kernel:
    """One kernel of a program."""

    def __init__(self, program: "Program", index: int, name: str):
        self._program, self._index, self.name = program, index, name

    def __repr__(self) -> str:
        return f"<tilec kernel {self.name} for {self._program.chip}>"

    def _repr_html_(self) -> str:
        from html import escape
        return (f"<details><summary>{escape(repr(self))}</summary>"
                f"<pre>{escape(self.report_text)}</pre></details>")

    @cached_property
    def ptx(self) -> str:
        """A PTX module with this kernel."""
        return self._program._native.kernel_ptx(self._index)

    @cached_property
    def report(self) -> dict[str, Any]:
        """What was decided, and what a launcher must know (docs/KernelABI.md)."""
        report: dict[str, Any] = json.loads(self._program._native.report(self._index, True))
        return report["kernels"][0]  # type: ignore[no-any-return]

    @cached_property
    def report_text(self) -> str:
        """The same as tables."""
        return self._program._native.report(self._index, False)

    @cached_property
    def layouts(self) -> Picture:
        """What lies where, of each fragment and buffer. Compiles the program once more."""
        return Picture(self._program._drawn.layouts(self._index, True) or "")

    @cached_property
    def layouts_text(self) -> str:
        """The same as text."""
        return self._program._drawn.layouts(self._index, False) or ""

    @cached_property
    def arena(self) -> Picture:
        """Shared memory by lifetime."""
        return Picture(self._program._native.arena(self._index))

    @property
    def cubin(self) -> bytes:
        """The program's, which has this kernel."""
        return self._program.cubin

    @cached_property
    def launches(self) -> list[dict[str, Any]]:
        """Where host functions start it: grid, conditions and operands as expressions."""
        return [launch for launch in self._program.launches if launch["kernel"] == self.name]


class Program:
    """A compiled program. Its host functions are attributes, and in `functions` by name."""

    def __init__(self, source: str, name: str, options: Mapping[str, Any]):
        self.source, self.name, self._options = source, name, dict(options)
        self._native = self._compile()
        self.kernels = {kernel: Kernel(self, i, kernel)
                        for i, kernel in enumerate(self._native.kernels)}
        self.functions = {function.name: HostFunction(self._native, function)
                          for function in self._native.functions}

    def _compile(self, **changed: Any) -> _native.Program:
        options = _native.CompileOptions(**{"layouts": False, **self._options, **changed})
        result = _native.compile(self.source, self.name, options)
        program = result.take_program()
        if program is None:
            raise CompileError.from_native(result)
        return program

    def __getattr__(self, name: str) -> HostFunction:
        functions: dict[str, HostFunction] = self.__dict__.get("functions", {})
        if name in functions:
            return functions[name]
        known = ", ".join(functions) or "none"
        raise AttributeError(f"the program has no function '{name}'; it has {known}")

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self.functions]

    def __iter__(self) -> Iterator[Kernel]:
        return iter(self.kernels.values())

    def __repr__(self) -> str:
        listed = ", ".join(function.signature for function in self.functions.values())
        return f"<tilec program {self.name} for {self.chip}: {listed}>"

    @property
    def chip(self) -> str:
        return self._native.chip

    @cached_property
    def ptx(self) -> str:
        """One PTX module with all kernels."""
        return self._native.ptx

    @cached_property
    def cubin(self) -> bytes:
        """What ptxas makes of it. Raises CompileError where there is no ptxas."""
        return self._native.cubin or self._compile(cubin=True).cubin

    @cached_property
    def _drawn(self) -> _native.Program:
        return self._compile(layouts=True)

    @cached_property
    def _data(self) -> dict[str, Any]:
        data: dict[str, Any] = json.loads(self._native.json)
        return data

    @property
    def launches(self) -> list[dict[str, Any]]:
        """What host functions start, in their order (docs/Embedding.md)."""
        return self._data["launches"]  # type: ignore[no-any-return]

    @property
    def report(self) -> list[dict[str, Any]]:
        """The reports of all kernels."""
        return self._data["kernels"]  # type: ignore[no-any-return]
