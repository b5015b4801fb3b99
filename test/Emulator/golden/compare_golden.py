#!/usr/bin/env python3
"""Compares the emulator with what a GPU answered.

  compare_golden.py PTX-RUN [ANSWERS]

Every case is played on the emulator, with all checks; those that have a recorded
answer are compared with it. Exit status: 0 if all are equal within the tolerance
of their case, 1 if one differs or does not run, 77 if none is recorded.
"""

import subprocess
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent))

import golden  # noqa: E402
from golden_cases import CASES  # noqa: E402

SKIPPED = 77


def play(ptx_run, case, folder):
    golden.write_job(case, folder)
    options = (folder / "options").read_text().split()
    return subprocess.run([ptx_run, "kernel.ptx", *options], cwd=folder,
                          capture_output=True, text=True, check=False)


def main():
    ptx_run = Path(sys.argv[1]).resolve()
    answers = Path(sys.argv[2]) if len(sys.argv) > 2 else \
        Path(__file__).resolve().parent / "answers"
    problems, compared, devices = [], 0, set()
    with tempfile.TemporaryDirectory() as directory:
        for case in CASES:
            folder = Path(directory) / case.name
            played = play(ptx_run, case, folder)
            if played.returncode:
                problems.append(f"{case.name}: {played.stdout}{played.stderr}")
                continue
            answer = golden.read_answer(case, answers)
            if answer is None:
                continue
            compared += 1
            devices.add(answer[0].get("device", "unknown"))
            problems += golden.compare(
                case, golden.read_results(case, folder), answer)
    for problem in problems:
        print(problem)
    print(f"{len(CASES)} cases run on the emulator")
    if compared:
        print(f"{compared} compared with answers of {', '.join(sorted(devices))}")
    else:
        print("no golden answers have been recorded: no GPU was available")
    if problems:
        return 1
    return 0 if compared else SKIPPED


sys.exit(main())
