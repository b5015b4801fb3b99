#!/usr/bin/env python3
"""scripts/build shows how far it is: build-progress-test.py SCRIPT

A copy of the script builds a project of a few steps: in a pipe, where Ninja's lines
are thinned out, and on a terminal, where one line is rewritten. Errors come through
whole, and the exit status is Ninja's.
"""

import os
import pty
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

STEPS = 6
STATUS = re.compile(r"\[\d+/\d+, [\d.]+ s\] step \d")


def project(folder, script, failing=False):
    """A tree whose build/ is configured: steps one after the other."""
    (folder / "scripts").mkdir(parents=True)
    shutil.copy(script, folder / "scripts" / "build")
    build = folder / "build"
    build.mkdir()
    (build / "configured-with").write_text("MLIR_DIR= CC= CXX=\n")
    rules = ["rule step", "  command = sleep 0.05 && touch $out", "  description = step $out",
             "rule fail", "  command = echo the reason && false", "  description = step $out"]
    for n in range(1, STEPS + 1):
        kind = "fail" if failing and n == STEPS else "step"
        rules.append(f"build {n}: {kind} {n - 1 if n > 1 else ''}")
    (build / "build.ninja").write_text("\n".join(rules) + "\n")
    return folder / "scripts" / "build"


def environment(**more):
    kept = {k: v for k, v in os.environ.items() if k not in ("MLIR_DIR", "CC", "CXX")}
    return {**kept, "TERM": "xterm", **more}


def inPipe(command, interval):
    done = subprocess.run(command, env=environment(TILE_BUILD_INTERVAL=str(interval)),
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          check=False)
    return done.returncode, done.stdout


def onTerminal(command):
    master, slave = pty.openpty()
    process = subprocess.Popen(command, env=environment(), stdin=slave, stdout=slave,
                               stderr=slave)
    os.close(slave)
    output = b""
    try:
        while chunk := os.read(master, 4096):
            output += chunk
    except OSError:
        pass  # the other end is closed
    return process.wait(), output.decode()


def main():
    script, failures = Path(sys.argv[1]).resolve(), []

    def expect(condition, what, output):
        if not condition:
            failures.append(f"{what}:\n{output}")

    with tempfile.TemporaryDirectory() as temporary:
        root = Path(temporary)
        status, output = inPipe([project(root / "all", script)], 0)
        expect(status == 0 and len(STATUS.findall(output)) == STEPS,
               "without an interval every step has its line", output)
        command = [project(root / "pipe", script)]
        status, output = inPipe(command, 1000)
        expect(status == 0 and len(STATUS.findall(output)) == 2 and
               f"[{STEPS}/{STEPS}," in output, "in a pipe the first line and the last", output)
        status, output = inPipe(command, 1000)
        expect(status == 0 and "no work to do" in output and not STATUS.search(output),
               "nothing to do", output)
        status, output = inPipe([project(root / "fail", script, failing=True)], 1000)
        expect(status == 1 and "the reason" in output and "FAILED: 6" in output,
               "what fails is shown", output)
        status, output = onTerminal([project(root / "terminal", script)])
        lines = output.split("\n")
        expect(status == 0 and any(len(STATUS.findall(line)) >= STEPS and "\r" in line
                                   for line in lines),
               "on a terminal one line is rewritten", repr(output))
    print("\n".join(failures) or "shown")
    return 1 if failures else 0


sys.exit(main())
