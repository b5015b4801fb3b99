"""Compiling: from the text of a program to kernels, their reports, and functions to call."""
from __future__ import annotations

import json
import os
import shutil
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Iterator, Literal, Mapping, Optional, Sequence, Union

from . import _native
from .errors import CompileError
from .execution import HostFunction
from .options import PathLike, choose, count, read_text

if TYPE_CHECKING:
    from .lang import Program as LanguageProgram

Source = Union[PathLike, "LanguageProgram"]
_REUSE = ("always", "cold", "never")
_TEXTS = ("llvm", "nvvm")


def compile(source: Source, chip: Optional[str] = None, *, name: Optional[str] = None,
            opt_level: int = 3, line_info: bool = True, check_assumptions: bool = False,
            version_launches: bool = True, prefetch_bytes: int = 0,
            reuse: Literal["always", "cold", "never"] = "cold", cubin: bool = False,
            libdevice: PathLike = "",
            cuda: Union[PathLike, Sequence[PathLike], None] = ()) -> "Program":
    """Compiles a program: its text (with a line end or a brace), the path of its file, or what
    `build` of a function of `tilec.lang` made.

    chip: "sm_80", "sm_90a", ..; without one, the module's `tile.target`. name: what
    diagnostics call the text. The other options are those of `tile-opt --emit`: cubin lets
    ptxas make one, and reports have registers then; libdevice is the path of libdevice.10.bc;
    cuda has folders of CUDA toolkits to look in before CUDA_HOME, CUDA_PATH, CUDA_ROOT, PATH and
    /usr/local/cuda, and is None where there is to be none.

    Raises CompileError, whose text is the command line's and whose `diagnostics` are data.
    """
    options: dict[str, Any] = dict(
        chip=_chip(chip), opt_level=count("opt_level", opt_level, bits=31), line_info=line_info,
        check_assumptions=check_assumptions, versions=version_launches,
        prefetch_bytes=count("prefetch_bytes", prefetch_bytes, bits=31),
        reuse=choose("reuse", reuse, _REUSE), cubin=cubin,
        libdevice=os.fspath(libdevice), toolkits=_toolkits(cuda))
    text, called = _read(source)
    return Program(text, name or called, options)


def emit(source: Source, text: Literal["llvm", "nvvm"], chip: Optional[str] = None, *,
         name: Optional[str] = None, opt_level: int = 3) -> str:
    """A program as optimised LLVM IR of its kernels, or as the module with threaded kernels."""
    kind = choose("text", text, _TEXTS)
    options = _native.CompileOptions(
        chip=_chip(chip), opt_level=count("opt_level", opt_level, bits=31), line_info=True,
        check_assumptions=False, versions=True, prefetch_bytes=0, reuse=_REUSE.index("cold"),
        cubin=False, layouts=False, libdevice="", toolkits=_toolkits(()))
    content, called = _read(source)
    native = _native.emit(content, name or called, options, kind)
    if not native.emitted:
        raise CompileError.from_native(native)
    return native.emitted


def _chip(chip: Optional[str]) -> str:
    if chip is not None and not isinstance(chip, str):
        raise TypeError(f'chip={chip!r} is no name: give "sm_80", "sm_90a", ..')
    return chip or ""


def _read(source: Source) -> tuple[str, str]:
    """The text, and what diagnostics call it."""
    if type(source).__module__.startswith(f"{__package__}.lang."):  # which is loaded then
        from . import lang
        if isinstance(source, lang.Function):
            name = source.__name__
            raise TypeError(f"{name} is a function of tilec.lang: compile {name}.build(..)")
        if isinstance(source, lang.Program):
            return source.text, "<program>"
    return read_text(source, "<program>")  # type: ignore[arg-type]


def _toolkits(cuda: Union[PathLike, Sequence[PathLike], None]) -> Optional[list[str]]:
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


def has_ptxas() -> bool:
    """Whether there is a ptxas, and so registers in reports and how many blocks fit."""
    folders = _toolkits(())
    if folders is None:
        return False
    folders = [os.path.join(folder, "bin") for folder in (*folders, "/usr/local/cuda")]
    return shutil.which("ptxas", path=os.pathsep.join(
        [*folders, os.environ.get("PATH", "")])) is not None


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

    def save(self, path: PathLike) -> None:
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
        return report["kernels"][0]

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
    """A compiled program. Its host functions are attributes, and in `functions` by name.

    What is pickled is its text and its options: it is compiled again where it arrives."""

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

    def __reduce__(self) -> tuple[Any, ...]:
        return Program, (self.source, self.name, self._options)

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
        return self._data["launches"]

    @property
    def report(self) -> list[dict[str, Any]]:
        """The reports of all kernels."""
        return self._data["kernels"]
