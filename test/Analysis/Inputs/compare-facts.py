"""Compares what is known of operands before outlining and after.

Usage: compare-facts.py TILE_TEST_OPT FOLDER...

Every .mlir file of the folders that compiles as it stands is brought to the end
of the schedule, its facts are printed, and again once its launches are kernels.
"""
import difflib
import subprocess
import sys
from pathlib import Path

PHASES = ["--tile-logical-phase=chip=sm_80", "--tile-layout-phase",
          "--tile-schedule-phase"]
PRINT = "--test-tile-operand-facts"


def get_facts(program, path, passes):
    """Lines of facts by kernel, or nothing where the program is refused."""
    run = subprocess.run([program, path, *PHASES, *passes, "-o", "/dev/null"],
                         capture_output=True, text=True)
    return sorted_by_kernel(run.stdout) if run.returncode == 0 else None


def sorted_by_kernel(text):
    """The lines with those of a kernel together, in their order."""
    return sorted(text.splitlines(), key=lambda line: line.split(" ")[0])


def main():
    program, *folders = sys.argv[1:]
    programs = operands = differences = 0
    for path in sorted(p for f in folders for p in Path(f).glob("*.mlir")):
        before = get_facts(program, path, [PRINT])
        after = get_facts(program, path, ["--tile-outline-kernels", PRINT])
        if before is None or after is None:
            continue
        programs += 1
        operands += len(before)
        changes = [line for line in difflib.unified_diff(before, after, n=0)
                   if line[0] in "+-" and line[:3] not in ("+++", "---")]
        differences += len(changes)
        if changes:
            print(f"{path}:", *changes, sep="\n")
    print(f"{programs} programs, {operands} operands, "
          f"{differences} differences")


main()
