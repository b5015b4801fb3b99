#!/usr/bin/env python3
"""Tests scripts/record-golden end to end on the test double of the driver.

  recorder_test.py RECORD-GOLDEN PTX-RUN DRIVER-FOLDER

Recording on an emulated GPU and comparing must give equality; a difference that
the driver plants, a case that changed and a recording without a device must be
found.
"""

import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "Runtime" / "FakeDriver"))
from driver_script import expect, run

RECORD, PTX_RUN, DRIVER = (Path(word).resolve() for word in sys.argv[1:])
COMPARE = Path(__file__).resolve().parent / "compare_golden.py"


def record(answers, **variables):
    return run(DRIVER, [sys.executable, RECORD, "--ptx-run", PTX_RUN, "--answers",
                answers], **variables)


def compare(answers):
    return run(DRIVER, [sys.executable, COMPARE, PTX_RUN, answers])


def main():
    with tempfile.TemporaryDirectory() as directory:
        answers = Path(directory) / "answers"
        result = compare(answers)
        expect(result.returncode == 77 and
               "no golden answers have been recorded: no GPU was available"
               in result.stdout, "without answers the test says so", result)

        result = record(answers, FAKE_CUDA_NO_DEVICE="1")
        expect(result.returncode == 1 and "CUDA_ERROR_NO_DEVICE"
               in result.stderr and not answers.exists(),
               "without a device nothing is recorded", result)

        result = record(answers, FAKE_CUDA_CAPABILITY="80")
        names = {path.stem for path in answers.glob("*.txt")}
        expect(result.returncode == 0 and "mma.f16.k16" in names and
               "mma.e4m3.k32" not in names,
               "a device records the cases that it can run", result)

        result = record(answers)
        text = (answers / "ex2.txt").read_text()
        expect(result.returncode == 0 and "# device: Emulated GPU" in text and
               "# date: " in text and "# driver: " in text,
               "answers name device, driver and date", result)
        result = compare(answers)
        expect(result.returncode == 0 and "Emulated GPU" in result.stdout,
               "what was recorded is found equal", result)

        path = answers / "prmt.txt"
        path.write_text(path.read_text().replace("# case: ", "# case: 0"))
        result = compare(answers)
        expect(result.returncode == 1 and "prmt: recorded for another PTX"
               in result.stdout, "a case that changed is found", result)

        # The lowest bit of byte 2 is far beyond every tolerance of an f32.
        result = record(answers, FAKE_CUDA_FLIP="2")
        expect(result.returncode == 0, "a wrong device is recorded", result)
        result = compare(answers)
        expect(result.returncode == 1 and all(
            f"{name}: " in result.stdout
            for name in ("fma.rn", "mma.f16.k16", "redux.add.s32", "cvt.f16.rn",
                         "atom.add.f16x2", "lop3")),
               "planted differences are found", result)


main()
