"""Scans: prefixes by kind or by combiner, inclusive or exclusive, in both directions."""

from tilefuzz.builder import *
from tilefuzz.reductions import chooseKind, combinable, combinerBody, summable


def prepared(b, x, kind, count):
    """The operand and the bound of its prefixes, whose order is free."""
    if kind != "add" or not isFloat(x.elem):
        whole = isInteger(x.elem) and kind not in ("minsi", "maxsi")
        return x, 2.0**(WIDTH[x.elem] - 1) if whole else x.bound
    x = summable(b, x, count)
    return x, x.bound * (count + 1)


def flagsOf(b, exclusive):
    flags = [n for n, f in (("reverse", b.chance(0.3)), ("exclusive", exclusive)) if f]
    return f" {{{', '.join(flags)}}}" if flags else ""


def scan(b, scope):
    """Statement: a scan of one value."""
    mates = combinable(scope.fragments)
    if mates:
        scanOf(b, scope, b.pick(mates))


def scanOf(b, scope, x):
    """Prefixes of `x` along one dimension."""
    dim = b.between(0, len(x.shape) - 1)
    kind = chooseKind(b, x.elem)
    x, bound = prepared(b, x, kind, x.shape[dim])
    whole = not isFloat(x.elem) or kind != "add" or bound <= EXACT[x.elem]
    result = Fragment(b.name("t"), x.shape, x.elem, bound, whole and x.whole, x.encoding)
    # An exclusive maximum of floats begins with an infinity, which has no bound.
    exclusive = b.chance(0.4) and (not isFloat(x.elem) or kind == "add")
    if exclusive and isInteger(x.elem):
        result.bound = 2.0**(WIDTH[x.elem] - 1)
    if b.chance(0.75) or (isFloat(x.elem) and kind == "add"):
        b.line(f"{result.name} = tile.scan <{kind}> {x.name} dim {dim}"
               f"{flagsOf(b, exclusive)} : {x.type}")
    else:
        # The empty prefix of a laid out operand has a layout that follows from it.
        combined(b, x, dim, kind, exclusive and not x.encoding, result)
    b.features["scan"] += 1
    scope.fragments.append(result)


def combined(b, x, dim, kind, exclusive, result):
    """The same with a combiner; an exclusive one starts from given values."""
    init = ""
    if exclusive:
        shape = x.shape[:dim] + x.shape[dim + 1:]
        init = f" init({b.splat(1, shape, x.elem).name})"
    b.open(f"{result.name} = tile.scan ({x.name}) dim {dim}{init}{flagsOf(b, exclusive)} : "
           f"({x.type}) {{")
    combinerBody(b, x.elem, kind)
