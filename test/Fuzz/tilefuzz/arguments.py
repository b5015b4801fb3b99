"""Arguments of the entry function: sizes, strides, facts, aliases and their options.

What the type leaves open is given on the command line. Facts are such that the
arguments have them: divisors of the sizes, names that equal sizes share.
"""

from tilefuzz.builder import *


def pitches(b, shape, dynamic, isInjective):
    """Strides and offset of an argument: padded rows, columns first, dynamic ones."""
    rank = len(shape)
    if b.chance(0.3) or any(d in dynamic for d in range(1, rank)):
        # tile-run takes dynamic strides as row-major, a dynamic offset as zero.
        strides = [None] * (rank - 1) + [1 if b.chance(0.7) else None]
        return strides, b.pick([0, None])
    order = list(range(rank - 1, -1, -1))
    if b.chance(0.25):
        b.random.shuffle(order)
    if dynamic:
        order = list(range(rank - 1, -1, -1))
    strides, step = [0] * rank, b.pick([1, 1, 1, 2])
    for d in order:
        strides[d] = step
        step = step * shape[d] + b.pick([0, 0, 1, 3, 4, 8])
    return strides, b.pick([0, 0, 1, 3, 4, 8, 16])


def divisor(b, size):
    return b.pick([d for d in (1, 2, 3, 4, 8, 16, 32) if size % d == 0])


def facts(b, shape, hasOffset):
    """Attributes that hold for an argument of `shape`."""
    found = []
    if not hasOffset and b.chance(0.15):
        found.append(f"tile.align = {b.pick([1, 2, 4, 8, 16, 32, 64, 128])}")
    if b.chance(0.3):
        numbers = ", ".join(str(divisor(b, n)) for n in shape)
        found.append(f"tile.divisible = array<i64: {numbers}>")
    if b.chance(0.3):
        names = ", ".join(f'"D{n}"' if b.chance(0.7) else '""' for n in shape)
        found.append(f"tile.dims = [{names}]")
    return found


def sizesOption(b, number, memory):
    """How the command line gives the sizes that the type leaves open."""
    names = [f for f in memory.facts if f.startswith("tile.dims")]
    if names and b.chance(0.5):
        text = names[0].split("[")[1]
        if all(part.strip(' "]') for part in text.split(",")):
            return [f"--dim=D{n}:{n}" for n in dict.fromkeys(memory.shape)]
    return [f"--shape={number}:{'x'.join(map(str, memory.shape))}"]


# Floats that are no integers, in [-3, 3]: of both signs, positive, and such that a sum
# is small beside its terms.
REAL_DATA = ["normal(0,0.5)", "normal(0,0.5)", "uniform(0.1,3)",
             "values(3,-3,0.001,2.5,-2.5,-0.0007,1.3,-1.3)"]


def dataOf(b, elem, role):
    """The contents of an argument."""
    if b.isReal and isFloat(elem) and role in ("input", "state") and b.dataChoices.random() < 0.8:
        b.features["real data"] += 1
        return b.dataChoices.choice(REAL_DATA)
    return "integers(0,1)" if elem == "i1" else "integers(-3,3)"


def argument(b, shape, elem, role, data=None, bound=3, kind="",
             mayBeStrided=True):
    """A new memref argument of the entry function with its command line."""
    number = len(b.arguments)
    if role in ("state", "total"):
        bound = CAP
    shape = tuple(shape)
    dynamic = tuple(i for i in range(len(shape)) if shape[i] == 0 or b.odd(0.4))
    memory = Memory(f"%a{number}", shape, elem, role, dynamic, bound=bound, kind=kind)
    if mayBeStrided and shape and b.odd(0.12) and not memory.isEmpty:
        memory.strides, memory.offset = pitches(b, shape, dynamic, role != "input")
    if shape and b.chance(0.25):
        memory.facts = facts(b, shape, memory.offset != 0)
    b.arguments.append(memory)
    b.visible.append(memory)
    if dynamic:
        for option in sizesOption(b, number, memory):
            if option not in b.options:
                b.options.append(option)
    if data is None:
        data = dataOf(b, elem, role)
    b.options.append(f"--data={number}:{data}")
    return memory


def aliasOf(b, other):
    """A further argument that is `other`'s buffer, whole or its beginning."""
    number = len(b.arguments)
    shape = tuple(n if b.chance(0.7) else b.between(1, n) for n in other.shape)
    dynamic = tuple(i for i in range(len(shape)) if b.chance(0.4))
    memory = Memory(f"%a{number}", shape, other.elem, other.role, dynamic,
                    root=other.root, bound=other.bound)
    choice = b.between(0, 2)
    if choice != 1 and "tile.may_alias" not in other.facts:
        other.facts.append("tile.may_alias")
    if choice != 0:
        memory.facts.append("tile.may_alias")
    b.arguments.append(memory)
    b.visible.append(memory)
    if dynamic:
        b.options.append(f"--shape={number}:{'x'.join(map(str, shape))}")
    b.options.append(f"--alias={number}:{b.arguments.index(other)}")
    return memory


def scalarArgument(b, value, elem="index"):
    """An integer argument with this value."""
    number = len(b.arguments)
    memory = Memory(f"%a{number}", (), elem, "scalar")
    b.arguments.append(memory)
    b.options.append(f"--scalar={number}:{value}")
    return Index(memory.name, value, value)


def numberArgument(b, elem):
    """A scalar argument of a numeric type."""
    number = len(b.arguments)
    value = b.between(0, 1) if elem == "i1" else b.between(-3, 3)
    b.arguments.append(Memory(f"%a{number}", (), elem, "scalar"))
    text = ("true" if value else "false") if elem == "i1" else value
    b.options.append(f"--scalar={number}:{text}")
    return Scalar(f"%a{number}", elem, abs(value))


def signature(b):
    """The entry function's arguments with their facts."""
    parts = []
    for m in b.arguments:
        text = f"{m.name}: {m.type}"
        parts.append(text + (f" {{{', '.join(m.facts)}}}" if m.facts else ""))
    return ", ".join(parts)
