#!/usr/bin/env python3
"""Every kind of pipelined loop, with a number of stages, at every trip count.

For each program of programs.py: the report says that the loop is pipelined, the
emulator with all checkers gives what the program means, and so does the
reference after every pass. Prints a line for each program and fails if any
differs.
"""

import argparse
import json
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
    "gathered": ["--data=2:integers(0,511)"],
}


def expected_stages(kind, stages):
    """The stages of the hinted loops in program order."""
    if stages == 1:
        return [1, 1] if kind == "nested" else [1, 2] if kind == "two_loops" else [1]
    if kind == "nested":
        return [stages - 1, stages]
    if kind == "two_loops":
        return [stages, stages % 4 + 1]
    return [stages]


def run(command):
    return subprocess.run(command, capture_output=True, text=True, timeout=300)


def check(tools, path, kind, stages, chip):
    """What is wrong with the program, or nothing."""
    report = run([tools / "tile-opt", path, "--emit=report", "--format=json", f"--chip={chip}"])
    if report.returncode:
        return report.stderr
    loops = json.loads(report.stdout)["kernels"][0]["loops"]
    # Loops without a hint have one stage and no reason.
    found = [loop["stages"] for loop in loops if loop["reason"] or kind in ("nested", "two_loops")] or [1]
    if found != expected_stages(kind, stages):
        return f"has {found} stages instead of {expected_stages(kind, stages)}: {loops}"
    options = [path, "--entry=main", f"--chip={chip}", *DATA.get(kind, [])]
    for where in (["--on=emulator", "--check"], ["--on=reference", "--check-stages"]):
        result = run([tools / "tile-run", *options, *where])
        if result.returncode:
            return " ".join(where) + "\n" + result.stdout + result.stderr
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tools", type=Path, help="folder with tile-opt and tile-run")
    parser.add_argument("--chip", default="sm_80")
    parser.add_argument("--stages", type=int, nargs="+", default=[1, 2, 3, 4, 5])
    parser.add_argument("--kind", nargs="+", default=list(programs.KINDS), choices=list(programs.KINDS))
    parser.add_argument("--print", action="store_true", help="print the programs and run nothing")
    options = parser.parse_args()
    cases = [(kind, stages) for kind in options.kind for stages in options.stages]
    if options.print:
        for kind, stages in cases:
            print(programs.KINDS[kind](stages))
        return 0
    with tempfile.TemporaryDirectory() as folder:

        def run_case(kind, stages):
            path = Path(folder) / f"{kind}_{stages}.mlir"
            path.write_text(programs.KINDS[kind](stages))
            return check(options.tools, path, kind, stages, options.chip)

        results = [run_case(*case) for case in cases]
    for (kind, stages), problem in zip(cases, results):
        print(f"{kind}, {stages} stages, {options.chip}: {'ok' if problem is None else problem}")
    failed = sum(problem is not None for problem in results)
    print(f"{len(cases)} programs, {failed} failed")
    return 1 if failed or not cases else 0


if __name__ == "__main__":
    sys.exit(main())
