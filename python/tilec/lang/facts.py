"""Facts that the compiler cannot see, and debugging."""
from __future__ import annotations

from typing import Optional, Sequence

from .source import ProgramError
from .trace import current
from .types import i1, string_literal
from .values import Computed, MemRef, Scalar, as_int, as_ints, as_value, describe


def assume_divisible(number: Scalar, divisor: int) -> Scalar:
    """`tile.assume_divisible`: `number`, which `divisor` divides; of a size also a fact about
    its memref. Of an int it is checked now."""
    divisor = as_int(divisor, "a divisor", least=1)
    if isinstance(number, int) and not isinstance(number, bool):
        if number % divisor:
            raise ProgramError(f"{number} is not divisible by {divisor}")
        return number
    if not isinstance(number, Scalar) or not number.type.is_integer:
        raise ProgramError(f"assume_divisible: {describe(number)} is no integer")
    return current().emit("tile.assume_divisible", f"{current().use(number)} by {divisor}",
                          f": {number.type}", [number.type])[0]


def assume(memref: MemRef, sizes: Optional[Sequence[int]] = None,
           strides: Optional[Sequence[int]] = None, alignment: Optional[int] = None) -> MemRef:
    """`tile.assume`: the memref, with a divisor for each size and each stride, and a multiple
    of which in bytes its first element lies at."""
    parts = [current().use(memref)]
    parts += [f"{name} {as_ints(numbers, name)}" for name, numbers in (("sizes", sizes),
                                                              ("strides", strides))
              if numbers is not None]
    if alignment is not None:
        parts.append(f"alignment {as_int(alignment, 'an alignment', least=1)}")
    made = current().emit("tile.assume", " ".join(parts), f": {memref.type}", [memref.type])[0]
    made.dims = dict(memref.dims)
    return made


def print_value(label: str, value: Computed) -> None:
    """`tile.print`: prints a scalar or fragment when the program runs."""
    if not isinstance(value, Computed):
        raise ProgramError(f"print: {describe(value)} is known now; Python's print shows it")
    current().emit("tile.print", f"{string_literal(label)} {current().use(value)}",
                   f": {value.type}")


def require(condition: Scalar, message: str) -> None:
    """`tile.assert`: stops the program where the condition does not hold."""
    holds = as_value(condition, i1, "the condition")
    current().emit("tile.assert", f"{current().use(holds)}, {string_literal(message)}", "")
