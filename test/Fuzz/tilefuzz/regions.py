"""What control flow has in common: values that regions carry, take and give."""

from tilefuzz.builder import *
from tilefuzz.elementwise import fit


def body(b, scope, count):
    """Random statements; generate.py says which."""
    for _ in range(count):
        b.statement(b, scope)


def repeated(b, times, write):
    """Calls `write` for text that is executed up to `times` times."""
    b.repeats *= max(1, times)
    write()
    b.repeats //= max(1, times)


def carried(b, scope):
    """Fragments and scalars that a region may carry, brought into range."""
    mates = [f for f in scope.fragments if f.elem != "index"]
    chosen = b.random.sample(mates, min(len(mates), b.between(0, 2)))
    if scope.scalars and b.chance(0.3):
        chosen.append(b.pick(scope.scalars))
    return [fit(b, f, CAP) for f in chosen]


def inRange(f, name):
    """A value of the type of `f` under another name."""
    bound = CAP if f.elem != "i1" else 1
    if isinstance(f, Scalar):
        return Scalar(name, f.elem, bound)
    return Fragment(name, f.shape, f.elem, bound, True, f.encoding)


def add(scope, values):
    for v in values:
        (scope.scalars if isinstance(v, Scalar) else scope.fragments).append(v)


def results(b, scope, wanted):
    """Values of the types of `wanted`, made in this region where possible."""
    chosen = []
    for f in wanted:
        pool = scope.scalars if isinstance(f, Scalar) else scope.fragments
        mates = [g for g in pool if g.type == f.type] or [f]
        chosen.append(fit(b, b.pick(mates[-3:]), CAP))
    return chosen


def yieldLine(b, values):
    if values:
        b.line(f"scf.yield {', '.join(v.name for v in values)} : "
               f"{', '.join(v.type for v in values)}")


def resultHead(names):
    return f"{', '.join(names)} = " if names else ""


def signature(values):
    return f" -> ({', '.join(v.type for v in values)})" if values else ""
