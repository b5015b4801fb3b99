"""
The PTX emulator (include/tile-c/Emulator.h); tilec.emulate is its face.
"""

from collections.abc import Sequence


class Parameter:
    """Of a kernel: `type` as in PTX, without the dot."""

    @property
    def name(self) -> str: ...

    @property
    def type(self) -> str: ...

    @property
    def size_bytes(self) -> int: ...

class Kernel:
    @property
    def name(self) -> str: ...

    @property
    def parameters(self) -> list[Parameter]: ...

    @property
    def static_shared_bytes(self) -> int: ...

    @property
    def block(self) -> list[int] | None:
        """What `.reqntid` states."""

class Module:
    """PTX text, parsed; ValueError with (line, column, message)."""

    def __init__(self, ptx: str, name: str) -> None: ...

    @property
    def target(self) -> str: ...

    @property
    def kernels(self) -> list[Kernel]: ...

    def prepare(self, kernel: str) -> None: ...

class Memory:
    """Device memory; host memory is given by its address."""

    def __init__(self) -> None: ...

    def allocate(self, size_bytes: int, name: str) -> int: ...

    def map(self, host: int, size_bytes: int, name: str) -> int: ...

    def read(self, address: int, host: int, size_bytes: int) -> None: ...

    def count_unwritten(self, address: int, size_bytes: int) -> int: ...

class Options:
    def __init__(self, *, checks: str, seed: int, threads: int, max_findings: int, max_instructions: int | None, equal_stores: bool, unfenced_mbarriers: bool, delivery: int) -> None: ...

class Access:
    @property
    def text(self) -> str: ...

    @property
    def line(self) -> int: ...

    @property
    def source(self) -> str: ...

    @property
    def block(self) -> list[int]: ...

    @property
    def thread(self) -> list[int]: ...

class Finding:
    @property
    def kind(self) -> int: ...

    @property
    def message(self) -> str: ...

    @property
    def missing(self) -> str: ...

    @property
    def text(self) -> str: ...

    @property
    def count(self) -> int: ...

    @property
    def address(self) -> int | None: ...

    @property
    def accesses(self) -> list[Access]: ...

class Result:
    @property
    def completed(self) -> bool: ...

    @property
    def findings(self) -> list[Finding]: ...

    @property
    def notes(self) -> list[Finding]: ...

    @property
    def dropped(self) -> int: ...

    @property
    def output(self) -> str: ...

    @property
    def statistics(self) -> str: ...

def encode_tensor_map(type: str, address: int, sizes: Sequence[int], strides_bytes: Sequence[int], box: Sequence[int], swizzle_bytes: int) -> bytes: ...

def run(module: Module, kernel: str, memory: Memory, grid: Sequence[int], block: Sequence[int], cluster: Sequence[int], shared_bytes: int, arguments: Sequence[bytes], options: Options) -> Result: ...
