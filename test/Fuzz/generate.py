#!/usr/bin/env python3
"""Writes a valid tile program made from a seed, with the command that runs it.

  generate.py --seed 17            prints the program, first line: // RUN: tile-run ...
  generate.py --seed 17 --focus slices      of a program about one thing

Programs are valid and deterministic under docs/Dialect.md: blocks write disjoint
elements, everything is initialised before it is read, element accesses are in bounds.
In half of the programs data are small integers and only sums that are exact are
reordered, so results are compared bit for bit but for math functions. In the others
floats are real numbers: each element is compared within its own bound (docs/Checking.md).
Where a chain of operations has grown a bound past use nothing can be compared; such
elements are counted (`--max-unchecked=100%`).
"""

import argparse
import sys

from tilefuzz import host
from tilefuzz.arguments import signature
from tilefuzz.builder import Builder, Scope
from tilefuzz.focused import FOCI
from tilefuzz.launches import launch
from tilefuzz.statements import statement


def generate(seed, focus=""):
    """The program's text, the options of tile-run that it needs, and how often which
    features occur in it. Without what its focus is about it is an error."""
    b = Builder(seed)
    b.statement = statement
    b.indent = 1
    scope = Scope()
    if focus:
        needed = FOCI[focus].needed
        FOCI[focus].write(b, scope)
        if not any(b.features[name] for name in needed):
            raise RuntimeError(f"the program has none of: {', '.join(needed)}")
    elif b.chance(0.5):
        for _ in range(b.pick([1, 1, 1, 2])):
            launch(b, scope)
    else:
        host.launches(b, scope, b.between(1, 4))
    text = ["#shared = #gpu.address_space<workgroup>"]
    for function in b.functions:
        text += function
    options = list(b.options)
    if b.features["real data"]:
        options.append("--max-unchecked=100%")
    text += [f"func.func @f({signature(b)}) {{", *b.lines, "  return", "}", ""]
    return "\n".join(text), options, b.features


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--focus", default="", choices=["", *FOCI])
    arguments = parser.parse_args()
    text, options, _ = generate(arguments.seed, arguments.focus)
    sys.stdout.write(f"// RUN: tile-run %s --entry=f --on=emulator --chip=sm_80 --check "
                     f"{' '.join(options)}\n{text}")


if __name__ == "__main__":
    main()
