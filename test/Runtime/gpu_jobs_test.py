#!/usr/bin/env python3
"""Tests scripts/gpu-jobs end to end on the test double of the driver.

  gpu_jobs_test.py GPU-JOBS TOOLS TESTS DRIVER-FOLDER

Jobs of two examples and of the execution tests of one name are made and played:
all pass; a device that computes something else fails each of them; one that
cannot run a chip skips it; without a device nothing is played.
"""

import re
import shutil
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent / "FakeDriver"))
from driver_script import expect, run

GPU_JOBS, TOOLS, TESTS, DRIVER = (Path(word).resolve() for word in sys.argv[1:])


def make(folder, only):
    return run(DRIVER, [sys.executable, GPU_JOBS, folder, "--only", only, "--tools",
                        TOOLS, "--tests", TESTS])


def count_jobs(folder):
    return len(list((folder / "jobs").rglob("options")))


def main():
    with tempfile.TemporaryDirectory() as directory:
        made = Path(directory) / "made"
        result = make(made, "axpy")
        expect(result.returncode == 0 and count_jobs(made) == 2,
               "an example is a job for each chip", result)
        # Several launches, with a workspace that nobody wrote before them.
        result = make(made, "split_k")
        expect(result.returncode == 0 and count_jobs(made) > 2 and
               (made / "jobs/examples/gemm_split_k.sm_90a/launch-1").is_dir(),
               "what was there is replaced", result)

        # Elsewhere, as on another machine.
        folder = Path(directory) / "copy"
        shutil.copytree(made, folder)
        shutil.rmtree(made)
        jobs = count_jobs(folder)
        result = run(DRIVER, [folder / "play"])
        expect(result.returncode == 0 and
               result.stdout.endswith(f"\n{jobs} passed, 0 failed\n") and
               "pass examples/gemm_split_k.sm_80/launch-0" in result.stdout,
               "all jobs pass", result)
        result = run(DRIVER, [folder / "play", "--time=3"])
        times = re.findall(r"^examples/.*: median [\d.]+ us, least [\d.]+ us, "
                           r"most [\d.]+ us$", result.stdout, re.MULTILINE)
        expect(result.returncode == 0 and len(times) == jobs,
               "every launch of the examples is measured", result)
        result = run(DRIVER, [folder / "play"], FAKE_CUDA_FLIP="3")
        expect(result.returncode == 1 and
               result.stdout.endswith(f"\n0 passed, {jobs} failed\n") and
               "FAIL examples/gemm_split_k.sm_80/launch-0 (exit status 1)\n"
               in result.stdout and "DIFFERENT: " in result.stdout,
               "a device that computes something else fails them", result)
        result = run(DRIVER, [folder / "play"], FAKE_CUDA_CAPABILITY="80")
        expect(result.returncode == 0 and
               "skip examples/gemm_split_k.sm_90a/launch-0: for sm_90a"
               in result.stdout and " skipped\n" in result.stdout,
               "what the device cannot run is skipped", result)
        result = run(DRIVER, [folder / "play", "no-such-job"])
        expect(result.returncode == 1 and "0 passed, 0 failed" in result.stdout,
               "playing nothing is no success", result)
        result = run(DRIVER, [folder / "play"], FAKE_CUDA_NO_DEVICE="1")
        expect(result.returncode == 1 and "CUDA_ERROR_NO_DEVICE"
               in result.stderr and "passed" not in result.stdout,
               "without a device nothing is played", result)

        result = make(made, "shapes")
        names = {path.parent.parent.name.split(".")[0]
                 for path in (made / "jobs" / "execution").rglob("options")}
        expect(result.returncode == 0 and names == {"shapes"},
               "execution tests become jobs", result)
        result = run(DRIVER, [made / "play"])
        expect(result.returncode == 0, "and pass", result)


main()
