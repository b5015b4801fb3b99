#!/usr/bin/env python3
"""Differential fuzzing: generated programs on the emulator against the reference.

  run.py --count 100 --seed 1 --tools build/bin --failures DIR
  run.py --focus slices,host-views ..      programs about one thing, in turn

Each program is compiled, run in the emulator with all checkers and compared with the
reference; a part `--stages` of them also runs the reference after every pass. A failing
program is written to DIR with its command and output, and beside it the reduced one;
the command that makes the failure again is printed. Exit status 1 if any failed. One
seed gives one program, chip and order of blocks, whatever the count.
"""

import argparse
import collections
import concurrent.futures
import os
import random
import re
import sys
import threading
import time

from generate import generate
from tilefuzz import builder
from tilefuzz.focused import FOCI
from tilefuzz.pipelineorders import REFUSAL
from tilefuzz.process import comparedElements, kindOf, run
from tilefuzz.reducing import reduceText


def commands(arguments, seed, options):
    """What is run for a seed: the comparison, and for some the stages."""
    choices = random.Random(seed)
    chip = choices.choice(arguments.chip.split(","))
    order = choices.randrange(1000)
    tool = os.path.join(arguments.tools, "tile-run")
    common = [tool, "@", "--entry=f", f"--chip={chip}", f"--seed={order}", *options]
    yield common + ["--on=emulator", "--check"]
    if choices.random() < arguments.stages:
        yield common + ["--on=reference", "--check-stages"]


def focusOf(arguments, seed):
    """What the program of a seed is about; empty: anything."""
    names = [n for n in arguments.focus.split(",") if n]
    return names[seed % len(names)] if names else ""


def remarks(arguments, text):
    """What the compiler says in its report, counted by name."""
    command = [os.path.join(arguments.tools, "tile-opt"), "@", "--emit=report",
               "--chip=sm_80"]
    _, output = run(command, text, arguments.timeout)
    names = re.findall(r"^    \S+:\d+:\d+: (\w+):", output, re.M)
    return collections.Counter(f"remark {name}" for name in names)


PRINTS_DIFFER = "prints differ"
# Programs run in several threads, which count together.
COUNTING = threading.Lock()


def printedLines(arguments, text, options, executor):
    """What a program prints; blocks print in any order."""
    command = [os.path.join(arguments.tools, "tile-run"), "@", "--entry=f",
               f"--on={executor}", *options]
    status, output = run(command, text, arguments.timeout)
    lines = sorted(line for line in output.splitlines() if " (block " in line)
    return command, status, lines, output


def comparePrints(arguments, text, options):
    """(kind, command, output) of a difference in what is printed, kind '' if none."""
    _, _, expected, _ = printedLines(arguments, text, options, "reference")
    command, status, lines, output = printedLines(arguments, text, options, "emulator")
    different = kindOf(status, output) or ("" if lines == expected else PRINTS_DIFFER)
    return different, command, output


def runSeed(arguments, seed, features):
    """(seed, kind, program, command, output) of the first failure, or kind ''. Adds to
    `features` what the program has."""
    focus = focusOf(arguments, seed)
    try:
        text, options, found = generate(seed, focus)
        with COUNTING:
            features.update(found)
    except Exception as error:
        return seed, f"generator: {error!r}", "", [], ""
    for command in commands(arguments, seed, options):
        status, output = run(command, text, arguments.timeout)
        kind = kindOf(status, output)
        with COUNTING:
            features.update(comparedElements(output))
        if found["explicit schedule"] and status == 1 and re.search(REFUSAL, output):
            with COUNTING:
                features["refused schedule"] += 1
            return seed, "", text, [], ""
        if kind:
            return seed, kind, text, command, output
    if focus and any(name.startswith("remark") for name in FOCI[focus].reached):
        made = remarks(arguments, text)
        with COUNTING:
            features.update(made)
    # Numbers are printed as they came out, to which no bound applies.
    if found["print"] and not found["real data"]:
        kind, command, output = comparePrints(arguments, text, options)
        if kind:
            return seed, kind, text, command, output
    return seed, "", text, [], ""


def unreached(arguments, features):
    """What a run of all its programs should have had and did not."""
    names = [n for n in arguments.focus.split(",") if n]
    if arguments.count < 15 * len(names):
        return []
    return [f"{name}: {feature}" for name in names for feature in FOCI[name].reached
            if not features[feature]]


def again(arguments, seed):
    """A command line that makes this failure again."""
    known = " --known" if arguments.known else ""
    if arguments.focus:
        known += f" --focus {focusOf(arguments, seed)}"
    return (f"{sys.argv[0]} --seed {seed} --count 1 --stages {arguments.stages} "
            f"--chip {arguments.chip}{known} --tools {arguments.tools}")


def record(arguments, seed, kind, text, command, output):
    """Writes a failure and, where asked, its reduced form."""
    os.makedirs(arguments.failures, exist_ok=True)
    base = os.path.join(arguments.failures, str(seed))
    printed = " ".join(command[:1] + ["%s"] + command[2:])

    def write(path, program, result):
        commented = "".join(f"// {line}\n" for line in result.splitlines()[-40:])
        with open(path, "w") as file:
            file.write(f"// {kind}\n// {printed}\n{program}{commented}")

    write(base + ".mlir", text, output)
    if not arguments.reduce or kind.startswith(("generator", "timeout")):
        return

    def failsAlike(candidate):
        if kind == PRINTS_DIFFER:
            options = generate(seed, focusOf(arguments, seed))[1]
            return comparePrints(arguments, candidate, options)[0] == kind
        return kindOf(*run(command, candidate, arguments.timeout)) == kind

    small = reduceText(text, failsAlike, arguments.reduce)
    write(base + ".reduced.mlir", small, run(command, small, arguments.timeout)[1])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--tools", required=True, help="folder of tile-run")
    parser.add_argument("--focus", default="", help=f"some of {','.join(FOCI)}; or all")
    parser.add_argument("--chip", default="sm_80,sm_90a,sm_120a")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--timeout", type=float, default=120, help="seconds a run")
    parser.add_argument("--seconds", type=float, default=0, help="stop starting after")
    parser.add_argument("--stages", type=float, default=0.3,
                        help="part of the programs that is checked after every pass")
    parser.add_argument("--reduce", type=int, default=300, help="trials; 0: do not")
    parser.add_argument("--progress", type=int, default=100, help="a line every N")
    parser.add_argument("--known", action="store_true",
                        help="generate what is known to fail, too")
    parser.add_argument("--failures", default="fuzz-failures")
    arguments = parser.parse_args()
    builder.includeKnown = arguments.known
    if arguments.focus == "all":
        arguments.focus = ",".join(FOCI)
    features = collections.Counter()
    begin, done, kinds = time.time(), 0, {}
    reduced = set()

    def work(seed):
        if arguments.seconds and time.time() - begin > arguments.seconds:
            return None
        return runSeed(arguments, seed, features)

    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        seeds = range(arguments.seed, arguments.seed + arguments.count)
        for result in pool.map(work, seeds):
            if result is None:
                continue
            seed, kind, text, command, output = result
            done += 1
            if arguments.progress and done % arguments.progress == 0:
                print(f"{done} programs, {time.time() - begin:.0f} s", flush=True)
            if not kind:
                continue
            kinds.setdefault(kind, []).append(seed)
            print(f"seed {seed}: {kind}\n  {again(arguments, seed)}", flush=True)
            limit, arguments.reduce = arguments.reduce, 0 if kind in reduced else arguments.reduce
            record(arguments, seed, kind, text, command, output)
            arguments.reduce = limit
            reduced.add(kind)
    failed = sum(len(s) for s in kinds.values())
    print(f"{done} programs, {failed} failures, {time.time() - begin:.0f} s")
    count = lambda name: features.pop(f"elements {name}", 0)
    exact, within, unchecked = count("exact"), count("within"), count("not checkable")
    print(f"  elements: {exact} exact, {within} within their bounds, {unchecked} not checkable")
    if arguments.focus:
        print("  " + ", ".join(f"{n} {count}" for n, count in sorted(features.items())))
    for kind, seeds in sorted(kinds.items(), key=lambda item: -len(item[1])):
        print(f"  {len(seeds)} x {kind}: seeds {seeds[:8]}")
    if done == 0:
        print("no program was run")
    absent = unreached(arguments, features) if done == arguments.count else []
    if absent:
        print("did not occur: " + ", ".join(absent))
    return 1 if failed or absent or not done else 0


if __name__ == "__main__":
    sys.exit(main())
