"""Values of pipelined loops: sums that show order, places and conditions.

Sums are of 32-bit integers, which wrap: each step multiplies the sum before it adds, so
that an iteration that is missing, twice there or out of turn shows in the result.
"""

from tilefuzz.arguments import argument
from tilefuzz.builder import *


def tile(b, kind, fragment, text):
    """A fragment of the type of `fragment`, with the name of what `text` defines."""
    name = b.define("t", text)
    return Fragment(name, fragment.shape, kind, CAP)


def toIntegers(b, x):
    """The whole numbers `x` as i32."""
    if x.elem == "i32":
        return x
    if isFloat(x.elem):
        if isFp8(x.elem):
            x = cast(b, x, "extf", "f32")
        return cast(b, x, "fptosi", "i32")
    return cast(b, x, "extsi" if WIDTH[x.elem] < 32 else "trunci", "i32")


def cast(b, x, op, elem):
    to = tensorType(x.shape, elem)
    return Fragment(b.define("v", f"arith.{op} {x.name} : {x.type} to {to}"), x.shape, elem,
                    CAP)


def ofIntegers(b, x, elem):
    """The integers `x` as small numbers of a type."""
    five = b.splat(5, x.shape, "i32")
    x = Fragment(b.define("v", f"arith.remsi {x.name}, {five.name} : {x.type}"), x.shape,
                 "i32", CAP)
    if elem == "i32":
        return x
    if isFp8(elem):
        return cast(b, cast(b, x, "sitofp", "f32"), "truncf", elem)
    if isFloat(elem):
        return cast(b, x, "sitofp", elem)
    return cast(b, x, "trunci" if WIDTH[elem] < 32 else "extsi", elem)


def hashed(b, total, value):
    """The name of total * 3 + value."""
    value = toIntegers(b, value)
    three = b.splat(3, total.shape, "i32")
    scaled = b.define("v", f"arith.muli {total.name}, {three.name} : {total.type}")
    return b.define("v", f"arith.addi {scaled}, {value.name} : {total.type}")


def offset(b, name, amount):
    return b.define("i", f"arith.addi {name}, {b.index(amount)} : index")


def scaled(b, name, factor):
    return b.define("i", f"arith.muli {name}, {b.index(factor)} : index")


def integers(b, count, low, high):
    """An argument of integers in [low, high]."""
    return argument(b, (max(count, 1),), "i32", "input", data=f"integers({low},{high})",
                    bound=max(abs(low), abs(high)), mayBeStrided=False)


def loadedIndex(b, memory, at):
    value = b.define("e", f"memref.load {memory.name}[{at}] : {memory.type}")
    return b.define("i", f"arith.index_cast {value} : i32 to index")
