"""Functions made of text: what some lines use from outside becomes their arguments.

Statements are written in line first. Names are unique in a program and end in a number
that grows, so a name is from outside if its number is not above the count at the start,
or if it is an argument of the entry function. Fragments, scalars and memrefs of both
kinds may be arguments; fragments and scalars may be results.
"""

import re

from tilefuzz.builder import *

NAME = re.compile(r"%([a-z])(\d+)(#\d+)?")
DEFINITION = re.compile(r"^((?:%[a-z]\d+(?:, )?)+) = ")


def outsideNames(lines, count):
    """Names that the lines use and do not define, in the order of their first use."""
    found = {}
    for text in lines:
        for match in NAME.finditer(text):
            if match.group(1) == "a" or int(match.group(2)) <= count:
                found[match.group(0)] = True
    return list(found)


def topLevelNames(lines, indent):
    """Names that lines at this indentation define."""
    names = set()
    for text in lines:
        if len(text) - len(text.lstrip()) == 2 * indent:
            match = DEFINITION.match(text.strip())
            if match:
                names.update(match.group(1).split(", "))
    return names


def describe(values):
    return {v.name: ("index" if isinstance(v, Index) else v.type, v) for v in values}


def substituted(b, values, pool, name):
    """Another value of the type of `name` that is no larger, or `name`."""
    x = values[name][1]
    if not isinstance(x, (Fragment, Scalar)):
        return name
    mates = [y for y in pool if type(y) is type(x) and y.type == x.type and
             y.bound <= x.bound and (y.whole or not x.whole)]
    return b.pick(mates).name if mates else name


def attributesOf(values, names):
    """Facts about parameters: those that share a buffer say so."""
    roots = [id(values[n][1].root) for n in names if isinstance(values[n][1], Memory)]
    texts = []
    for n in names:
        v = values[n][1]
        shares = isinstance(v, Memory) and roots.count(id(v.root)) > 1
        texts.append(" {tile.may_alias}" if shares else "")
    return texts


def outline(b, first, count, values, results, host, pool=()):
    """Lines from `first` on become a function and a call of it; False where a value
    from outside has no known type. `results`: values that they define and later
    statements use."""
    lines = b.lines[first:]
    if not lines:
        return False
    names = outsideNames(lines, count)
    values = {**describe(b.arguments), **values}
    if any(n not in values for n in names):
        return False
    function = f"@helper{len(b.functions)}"
    facts = attributesOf(values, names) if host else [""] * len(names)
    parameters = ", ".join(f"{n.replace('#', '_')}: {values[n][0]}{f}"
                           for n, f in zip(names, facts))
    types = [r.type for r in results]
    arrow = f" -> ({', '.join(types)})" if results else ""
    cut = 2 * (b.indent - 1)
    text = [f"func.func {function}({parameters}){arrow} {{"]
    text += [NAME.sub(lambda m: m.group(0).replace("#", "_")
                      if m.group(0) in names else m.group(0), t[cut:]) for t in lines]
    given = f" {', '.join(r.name for r in results)} : {', '.join(types)}" if results else ""
    text += [f"  return{given}", "}"]
    b.functions.append(text)
    del b.lines[first:]
    operandTypes = ", ".join(values[n][0] for n in names)
    tail = f" : ({operandTypes}) -> ({', '.join(types)})"

    def call(head, operands):
        b.line(f"{head}func.call {function}({', '.join(operands)}){tail}")

    again = b.chance(0.4)
    if again and not host:
        other = [b.name("t") for _ in results]
        call(f"{', '.join(other)} = " if other else "",
             [substituted(b, values, pool, n) for n in names])
    call(f"{', '.join(r.name for r in results)} = " if results else "", names)
    if again and host and not results:
        call("", names)
    return True


def called(b, scope):
    """Statement of a launch: one to four statements in a function of their own."""
    first, count = len(b.lines), b.count
    inner = scope.nested()
    before = len(scope.fragments), len(scope.scalars)
    b.repeats *= 2
    for _ in range(b.between(1, 4)):
        b.statement(b, inner)
    b.repeats //= 2
    made = inner.fragments[before[0]:] + inner.scalars[before[1]:]
    defined = topLevelNames(b.lines[first:], b.indent)
    results = list({v.name: v for v in made if v.name in defined}.values())
    results = b.random.sample(results, min(len(results), b.between(0, 3)))
    values = describe(scope.fragments + scope.scalars + scope.indices + scope.buffers +
                      b.visible + [b.block])
    pool = scope.fragments + scope.scalars
    if outline(b, first, count, values, results, False, pool):
        for v in results:
            (scope.scalars if isinstance(v, Scalar) else scope.fragments).append(v)
    else:
        scope.fragments, scope.scalars = inner.fragments, inner.scalars
        scope.indices, scope.buffers = inner.indices, inner.buffers
