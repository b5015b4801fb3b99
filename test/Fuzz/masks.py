#!/usr/bin/env python3
"""Fuzzing of instructions with member masks: generated PTX on the emulator against a model.

  masks.py --count 300 --seed 1 --tools build/bin --failures DIR

Lanes of a warp execute `shfl`, `vote`, `match`, `redux` and `bar.warp.sync` under equal and
different masks, together and apart (tilefuzz/maskprograms.py). Values are compared bit
for bit, and a report of any checker is a failure. What fails is written to DIR, with as
few steps as fail in the same way. Exit status 1 if any failed, or if something that the
generator is for did not occur.
"""

import argparse
import collections
import os
import random
import re
import struct
import subprocess
import sys
import tempfile
import time

from tilefuzz.maskprograms import WAYS, expected, randomSteps, table, text
from tilefuzz.warps import FAMILIES


def writeWords(path, words):
    """A one-dimensional .npy file of 32-bit words."""
    header = f"{{'descr': '<u4', 'fortran_order': False, 'shape': ({len(words)},), }}"
    header += " " * (-(len(header) + 11) % 64) + "\n"
    with open(path, "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode())
        file.write(struct.pack(f"<{len(words)}I", *words))


def execute(arguments, seed, steps, folder):
    """Writes the program and its data to `folder` and runs it: command, status, output."""
    generator = random.Random(f"values {seed}")
    threads = 32 * len(steps[0].groups)
    # Small values match each other, large ones overflow.
    values = [generator.choice([generator.randrange(8), generator.randrange(1 << 32)])
              for _ in range(threads)]
    path = lambda name: os.path.join(folder, name)
    with open(path("masks.ptx"), "w") as file:
        file.write(text(random.Random(f"order {seed}"), steps))
    writeWords(path("values.npy"), values)
    writeWords(path("table.npy"), table(steps))
    writeWords(path("expected.npy"), expected(steps, values))
    command = [os.path.join(arguments.tools, "ptx-run"), path("masks.ptx"), "--grid=1",
               f"--block={threads}", f"--arg=@{path('values.npy')}",
               f"--arg=@{path('table.npy')}", f"--seed={seed % 7}",
               f"--expect=0:{path('expected.npy')}"]
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              text=True, timeout=arguments.timeout, check=False)
        return command, done.returncode, done.stdout
    except subprocess.TimeoutExpired:
        return command, None, "timeout"


def kindOf(status, output):
    """How it failed, without numbers; empty if it did not."""
    if status == 0:
        return ""
    lines = [line for line in output.splitlines() if "error" in line or "DIFFERENT" in line]
    text = (lines or output.splitlines() or ["?"])[0].split("masks.ptx")[-1]
    return f"exit {status}: " + re.sub(r"\d+", "_", text)[:60]


def fails(arguments, seed, steps):
    with tempfile.TemporaryDirectory() as folder:
        return kindOf(*execute(arguments, seed, steps, folder)[1:])


def reduced(arguments, seed, steps, kind):
    """As few steps as fail in the same way, and then as few groups."""
    i = 0
    while i < len(steps):
        fewer = steps[:i] + steps[i + 1:]
        if fewer and fails(arguments, seed, fewer) == kind:
            steps = fewer
        else:
            i += 1
    for step in steps:
        for groups in step.groups:
            for group in list(groups):
                groups.remove(group)
                if fails(arguments, seed, steps) != kind:
                    groups.append(group)
    return steps


def count(features, steps):
    """What occurs: instructions, ways, and how many masks one instruction meets."""
    for step in steps:
        most = max(map(len, step.groups))
        features[f"{step.family} {step.way}"] += 1
        features[f"{step.family}, {most} masks" if most > 1 else
                 f"{step.family}, one mask"] += 1


def missing(features):
    """What a long run must have had: every family in every way, with one to four masks."""
    wanted = [f"{family} {way}" for family in FAMILIES for way in WAYS]
    wanted += [f"{family}, {n}" for family in FAMILIES
               for n in ("one mask", "2 masks", "3 masks", "4 masks")]
    return [name for name in wanted if not features[name]]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--tools", required=True, help="folder of ptx-run")
    parser.add_argument("--timeout", type=float, default=60, help="seconds a run")
    parser.add_argument("--seconds", type=float, default=0, help="stop starting after")
    parser.add_argument("--failures", default="mask-failures")
    arguments = parser.parse_args()
    begin, done, kinds, features = time.time(), 0, {}, collections.Counter()
    for seed in range(arguments.seed, arguments.seed + arguments.count):
        if arguments.seconds and time.time() - begin > arguments.seconds:
            break
        generator = random.Random(seed)
        steps = randomSteps(generator, generator.choice([1, 1, 2, 3]))
        count(features, steps)
        done += 1
        kind = fails(arguments, seed, steps)
        if not kind:
            continue
        kinds.setdefault(kind, []).append(seed)
        folder = os.path.join(arguments.failures, str(seed))
        os.makedirs(folder, exist_ok=True)
        steps = reduced(arguments, seed, steps, kind)
        command, _, output = execute(arguments, seed, steps, folder)
        print(f"seed {seed}: {kind}\n  {' '.join(command)}", flush=True)
        with open(os.path.join(folder, "output.txt"), "w") as file:
            file.write(" ".join(command) + "\n" + output)
    failed = sum(map(len, kinds.values()))
    print(f"{done} programs, {failed} failures, {time.time() - begin:.0f} s")
    for kind, seeds in sorted(kinds.items(), key=lambda item: -len(item[1])):
        print(f"  {len(seeds)} x {kind}: seeds {seeds[:8]}")
    absent = missing(features) if done >= 100 else []
    if absent:
        print("did not occur: " + "; ".join(absent))
    return 1 if failed or absent or not done else 0


if __name__ == "__main__":
    sys.exit(main())
