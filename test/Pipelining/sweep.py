#!/usr/bin/env python3
"""Every kind of pipelined loop, with a number of stages, at every trip count.

For each program of programs.py: the report says that the loop is pipelined, the
emulator with all checkers gives what the program means, and so does the
reference after every pass. Prints a line for each program and fails if any
differs. With --bulk copies are bulk tensor copies where that is possible, rings
have mbarriers, and several seeds deliver copies in several orders.
"""

import argparse
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).parent))
import programs  # noqa: E402

# What the arguments hold that decide over copies or say where they go.
DATA = {
    "guarded": ["--data=2:integers(-1,1)"],
    "paged": ["--data=2:integers(0,15)"],
    "counted_inner": ["--data=2:integers(0,2)"],
    "gathered": ["--data=2:integers(0,511)"],
}


def expected_stages(kind, stages):
    """The stages of the hinted loops in program order; of two that fill one buffer, read behind
    both, those of more than one."""
    if kind.startswith("go_on"):
        first = min(stages, 3) if kind == "go_on_nested" else stages
        both = [first, first if kind == "go_on_equal" else programs.other_stages(first)]
        return [count for count in both if count > 1] or [1]
    if stages == 1:
        return [1, 1] if kind == "nested" else [1, 2] if kind == "two_loops" else [1]
    if kind == "nested":
        return [stages - 1, stages]
    if kind == "two_loops":
        return [stages, programs.other_stages(stages)]
    return [stages]


def run(command):
    return subprocess.run(command, capture_output=True, text=True, timeout=300)


# Kinds none of whose copies can be bulk tensor copies, with any number of stages or
# with one, where fills and uses stand under conditions of their own.
WITHOUT_BULK = {("registers", None), ("guarded", 1), ("go_on_equal", 1), ("counted_inner", 1)}


def use_bulk_copies(tools, path, kind, stages, chip):
    """The program with layouts and bulk tensor copies; what is wrong, or nothing."""
    phases = [f"--tile-logical-phase=chip={chip}", "--tile-layout-phase=bulk-copies=true"]
    result = run([tools / "tile-opt", path, *phases, "-o", path])
    if result.returncode:
        return result.stderr
    remarks = ["--remark-format=emitRemark", "--remarks-filter-passed=tile-pipeline-loops"]
    synchronized = run([tools / "tile-opt", path, "--tile-schedule-phase", "--tile-check-barriers", *remarks])
    # Of the order that a program says itself not all is known.
    hasWarning = "warning" in synchronized.stderr and not kind.startswith("explicit")
    if synchronized.returncode or hasWarning:
        return synchronized.stderr
    expected = sorted(expected_stages(kind, stages))
    found = [int(count) for count in re.findall(r"Stages=(\d+)", synchronized.stderr)]
    # Loops that are not pipelined have one stage.
    if sorted(found + [1] * (len(expected) - len(found))) != expected:
        return f"has {found} stages instead of {expected_stages(kind, stages)}"
    hasBulk = "cp.async.bulk" in synchronized.stdout
    hasMbarriers = "barriers(" in synchronized.stdout
    isWithout = (kind, None) in WITHOUT_BULK or (kind, stages) in WITHOUT_BULK
    if (hasBulk and hasMbarriers) == isWithout:
        return f"has bulk copies: {hasBulk}, mbarriers: {hasMbarriers}"
    return None


def check_report(tools, path, kind, stages, chip):
    """What the report says wrongly of the loops, or nothing."""
    report = run([tools / "tile-opt", path, "--emit=report", "--format=json", f"--chip={chip}"])
    if report.returncode:
        return report.stderr
    loops = json.loads(report.stdout)["kernels"][0]["loops"]
    # Loops without a hint have one stage and no reason.
    found = [loop["stages"] for loop in loops if loop["reason"] or kind in ("nested", "two_loops")] or [1]
    if found != expected_stages(kind, stages):
        return f"has {found} stages instead of {expected_stages(kind, stages)}: {loops}"
    return None


def execute(tools, options, seeds):
    """What differs from what the program means, in the emulator with these seeds (one run
    with its own without any) and after every pass, or nothing."""
    emulated = [["--on=emulator", "--check", f"--seed={seed}"] for seed in seeds]
    for where in [*(emulated or [["--on=emulator", "--check"]]), ["--on=reference", "--check-stages"]]:
        result = run([tools / "tile-run", *options, *where])
        if result.returncode:
            return " ".join(where) + "\n" + result.stdout + result.stderr
    return None


def check(tools, path, kind, stages, chip, seeds):
    """What is wrong with the program, or nothing; with seeds of bulk copies."""
    if seeds:
        problem = use_bulk_copies(tools, path, kind, stages, chip)
    else:
        problem = check_report(tools, path, kind, stages, chip)
    if problem:
        return problem
    options = [path, "--entry=main", f"--chip={chip}", *DATA.get(kind, [])]
    return execute(tools, options, range(seeds))


def conclude(results):
    """Prints a line for each (name of a program, what is wrong with it or None) as it comes,
    up to the first that fails, and one for all; the exit status."""
    failed = count = 0
    for name, problem in results:
        print(f"{name}: {'ok' if problem is None else problem}", flush=True)
        count += 1
        if problem is not None:
            failed = 1
            break
    print(f"{count} programs, {failed} failed")
    return 1 if failed or not count else 0


def check_all(cases, options):
    """The name of each program and what is wrong with it."""
    with tempfile.TemporaryDirectory() as folder:
        for kind, stages in cases:
            path = Path(folder) / f"{kind}_{stages}.mlir"
            path.write_text(programs.KINDS[kind](stages))
            problem = check(options.tools, path, kind, stages, options.chip, options.bulk)
            yield f"{kind}, {stages} stages, {options.chip}", problem


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tools", type=Path, help="folder with tile-opt and tile-run")
    parser.add_argument("--chip", default="sm_80")
    parser.add_argument("--stages", type=int, nargs="+", default=[1, 2, 3, 4, 5])
    parser.add_argument("--kind", nargs="+", default=list(programs.KINDS), choices=list(programs.KINDS))
    parser.add_argument("--bulk", type=int, default=0, metavar="SEEDS", help="use bulk copies, run with so many seeds")
    parser.add_argument("--print", action="store_true", help="print the programs and run nothing")
    options = parser.parse_args()
    cases = [(kind, stages) for kind in options.kind for stages in options.stages]
    if options.print:
        for kind, stages in cases:
            print(programs.KINDS[kind](stages))
        return 0
    return conclude(check_all(cases, options))


if __name__ == "__main__":
    sys.exit(main())
