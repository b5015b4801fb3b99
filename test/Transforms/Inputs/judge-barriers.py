#!/usr/bin/env python3
"""The judge of barriers on whole programs: judge-barriers.py TILE-OPT CHIP PROGRAM...

Compiles each program up to `synchronized` and has the judge look at the result. Templates
that are not MLIR before they are filled in are left out; prints how many were judged.
"""

import subprocess
import sys
import tempfile
from pathlib import Path


def run(*command):
    return subprocess.run([str(word) for word in command], capture_output=True,
                          text=True, check=False)


def main():
    tool, chip, *programs = sys.argv[1:]
    judged, failures = 0, 0
    with tempfile.TemporaryDirectory() as directory:
        compiled = Path(directory, "synchronized.mlir")
        for program in programs:
            result = run(tool, program, f"--tile-logical-phase=chip={chip}",
                         "--tile-layout-phase", "--tile-schedule-phase",
                         "-o", compiled)
            if result.returncode:
                continue
            judged += 1
            result = run(tool, compiled, "--tile-check-barriers", "-o", "/dev/null")
            if result.returncode:
                failures += 1
                print(f"{program}:\n{result.stderr}")
    print(f"{judged} programs, {failures} failures")


if __name__ == "__main__":
    main()
