"""For pytest: the fixture `emulate`, which is `tilec.emulate` with the options of the run.

    def test_axpy(emulate):
        emulate(ptx, grid=8, block=128, args=[2.0, x, y, 1000])

A finding fails the test with its text. `--emulator-seed=N` runs blocks and warps in another
order, `--emulator-seeds=N` each launch in the orders 0 to N - 1, from the same arrays each time.
"""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable

import pytest

if TYPE_CHECKING:
    from .emulation import Emulation


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("tilec", "kernels in the PTX emulator")
    group.addoption("--emulator-seed", type=int, default=0, metavar="N",
                    help="order of blocks and warps of launches without seed=; 0 is ascending")
    group.addoption("--emulator-seeds", type=int, default=1, metavar="N",
                    help="run each launch without seed= in N orders, from --emulator-seed on")


@pytest.fixture
def emulate(request: pytest.FixtureRequest) -> "Callable[..., Emulation]":
    """`tilec.emulate`, in the orders that the command line asks for."""
    first = request.config.getoption("--emulator-seed")
    count = request.config.getoption("--emulator-seeds")
    if first < 0 or count < 1:
        raise pytest.UsageError(f"--emulator-seed={first} --emulator-seeds={count}: a number from "
                                "0 on, and at least one order")

    def run(ptx: Any, grid: Any, block: Any = None, args: Any = (), **options: Any) -> "Emulation":
        __tracebackhide__ = True
        from .emulation import emulate as emulate_once
        from .arrays import as_array
        from .launch_arguments import TensorMap, unwritten
        if "seed" in options:
            return emulate_once(ptx, grid, block, args, **options)
        arrays: list[Any] = []
        for given in args if count > 1 else ():
            array = as_array(given.array if isinstance(given, (TensorMap, unwritten)) else given)
            arrays += [] if array is None else [array]
        before = [array.copy() for array in arrays]
        for seed in range(first, first + count):
            for array, contents in zip(arrays, before):
                if array.flags.writeable:
                    array[...] = contents
            result = emulate_once(ptx, grid, block, args, seed=seed, **options)
        return result

    return run
