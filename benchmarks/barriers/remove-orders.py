#!/usr/bin/env python3
"""Is every order in a kernel's PTX needed?  remove-orders.py BIN-DIRECTORY JOBS..

JOBS are folders of launches as `tile-run --save-jobs` makes them. Launches of the same
PTX, with other sizes or data, are one kernel. Of each kernel every instruction that makes
order is removed on its own: barriers of block, cluster and warp, arrivals at mbarriers
and waits for them, waits for groups and their commits, fences. What is left is executed
by ptx-run with all checks, each launch by several seeds and deliveries of asynchronous
copies, until it fails.

Where ptxas is found, it is asked about each wgmma.fence that the emulator does not
miss: registers that are read and written by products of one shape alone need none (PTX
ISA), but ptxas begins each group of products with one, and puts it in by itself.

A removal that nothing notices is printed with its line. Then a table: for each kind of
instruction what notices its removal first. Exit status 1 if any is not noticed.

  --all            print a line for each removal
  --only WORDS     kernels whose folder has one of these words, separated by commas
  --kinds WORDS    only these kinds of instructions, separated by commas
  --plays N        how many seeds and deliveries a launch is executed by (default 4)
"""

import argparse
import collections
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

# Kinds of instructions that make order, by what a line begins with.
KINDS = [
    ("bar.warp.sync", r"bar\.warp\.sync"),
    ("bar.arrive", r"(bar|barrier)\.(cta\.)?arrive"),
    ("bar.sync", r"(bar|barrier)\.(cta\.)?(sync|red)"),
    ("barrier.cluster.arrive", r"barrier\.cluster\.arrive"),
    ("barrier.cluster.wait", r"barrier\.cluster\.wait"),
    ("mbarrier wait", r"mbarrier\.(try_wait|test_wait)"),
    ("mbarrier arrive", r"mbarrier\.arrive|cp\.async\.mbarrier"),
    ("fence.mbarrier_init", r"fence\.mbarrier_init"),
    ("fence.proxy.async", r"fence\.proxy\.async"),
    ("fence", r"fence\.|membar"),
    ("wgmma.fence", r"wgmma\.fence"),
    ("wgmma.commit", r"wgmma\.commit"),
    ("wgmma.wait", r"wgmma\.wait"),
    ("cp.async.commit", r"cp\.async\.commit"),
    ("cp.async.wait", r"cp\.async\.wait"),
    ("bulk commit", r"cp\.async\.bulk\.commit"),
    ("bulk wait", r"cp\.async\.bulk\.wait"),
    ("griddepcontrol", r"griddepcontrol\.wait"),
]
KINDS = [(name, re.compile(r"\s*(?:@!?%\w+\s+)?(?:" + pattern + ")"))
         for name, pattern in KINDS]
# Delivery, seed, and for whom a group of wgmma is complete.
PLAYS = [("late", 0, "warpgroup"), ("random", 1, "warp"), ("early", 2, "warp"),
         ("random", 3, "warpgroup"), ("late", 4, "warp"), ("early", 5, "warpgroup"),
         ("random", 6, "warp"), ("late", 7, "warpgroup")]
# A removed wait may leave a thread that never ends.
LIMITS = ["--max-instructions=20000000"]


class Launch:
    """One launch of a kernel: the options that play it, and where its buffers are."""

    def __init__(self, folder):
        self.folder = folder
        self.options = [line for line in
                        (folder / "options").read_text().splitlines() if line]


def get_instructions(ptx):
    """The PTX without what says where it comes from."""
    lines = (re.sub(r"\s*//.*", "", line) for line in ptx.splitlines()
             if not re.match(r"\s*\.(loc|file)\b", line))
    return "\n".join(line for line in lines if line).split(".section")[0]


def find_kernels(folders, words):
    """[name, PTX, launches] of each kernel."""
    kernels = {}
    for options in sorted(path for folder in folders
                          for path in folder.rglob("options")):
        launch = Launch(options.parent)
        name = f"{launch.folder.parent.name}/{launch.folder.name}"
        ptx = (launch.folder / "kernel.ptx").read_text()
        kernel = next(o for o in launch.options if o.startswith("--kernel="))
        key = get_instructions(ptx) + kernel
        kernels.setdefault(key, [name, ptx, []])[2].append(launch)
    return [kernel for kernel in kernels.values() if not words or any(
        word in launch.folder.as_posix() for word in words
        for launch in kernel[2])]


def find_ptxas():
    for folder in (None, Path(os.environ.get("CUDA_HOME", "/usr/local/cuda"), "bin")):
        if found := shutil.which("ptxas", path=folder):
            return found
    return None


def get_kind(line):
    return next((name for name, pattern in KINDS if pattern.match(line)), None)


def get_body(lines, launch):
    """The numbers of the lines of the kernel that is launched."""
    kernel = next(o for o in launch.options if o.startswith("--kernel="))[9:]
    begin = next(number for number, line in enumerate(lines)
                 if re.search(rf"\.entry {re.escape(kernel)}\(", line))
    return range(begin, lines.index("}", begin))


def remove(line):
    """The line without its order: of a wait, a predicate that is true."""
    wait = re.match(r"\s*mbarrier\.(?:try|test)_wait\S*\s+(%\w+),", line)
    return f"\tsetp.eq.u32 {wait[1]}, 0, 0;" if wait else ""


def get_verdict(result):
    """What noticed: the kind of the first report, or `different`."""
    if result.returncode == 0:
        return "note" if "note: " in result.stderr else None
    report = re.search(r"^error: ([\w ]+):", result.stderr, re.MULTILINE)
    if report:
        return report[1]
    return "different" if "DIFFERENT" in result.stdout else "other"


class Player:
    def __init__(self, tools, plays, scratch):
        self.ptx_run, self.plays = tools / "ptx-run", PLAYS[:plays]
        self.source = scratch / "kernel.ptx"
        self.ptxas = find_ptxas()

    def ask_ptxas(self, ptx):
        """`ptxas` where it puts a wgmma.fence in by itself, and says so."""
        if not self.ptxas:
            return "not asked"
        self.source.write_text(ptx)
        notes = subprocess.run(
            [self.ptxas, "-v", "-arch=sm_90a", self.source, "-o", "/dev/null"],
            capture_output=True, text=True, check=False).stderr
        return "ptxas" if "C7519" in notes else None

    def play(self, ptx, launches):
        """What notices, or None."""
        self.source.write_text(ptx)
        for delivery, seed, complete in self.plays:
            for launch in launches:
                result = subprocess.run(
                    [self.ptx_run, self.source, *launch.options, *LIMITS,
                     f"--delivery={delivery}", f"--seed={seed}",
                     f"--wgmma={complete}"],
                    cwd=launch.folder, capture_output=True, text=True,
                    check=False)
                if verdict := get_verdict(result):
                    return verdict
        return None


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("tools", type=Path)
    parser.add_argument("jobs", type=Path, nargs="+")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--only", default="")
    parser.add_argument("--kinds", default="")
    parser.add_argument("--plays", type=int, default=4)
    options = parser.parse_args()
    words = options.only.split(",") if options.only else []
    kinds = options.kinds.split(",") if options.kinds else []
    counts = collections.Counter()
    missed = 0
    with tempfile.TemporaryDirectory() as scratch:
        player = Player(options.tools.resolve(), options.plays, Path(scratch))
        for name, ptx, launches in find_kernels(options.jobs, words):
            if verdict := player.play(ptx, launches):
                print(f"{name}: {verdict} with all of its orders")
                missed += 1
                continue
            lines = ptx.splitlines()
            for number in get_body(lines, launches[0]):
                line = lines[number]
                kind = get_kind(line)
                if not kind or (kinds and kind not in kinds):
                    continue
                without = lines[:number] + [remove(line)] + lines[number + 1:]
                changed = "\n".join(without) + "\n"
                verdict = player.play(changed, launches)
                if not verdict and kind == "wgmma.fence":
                    verdict = player.ask_ptxas(changed)
                counts[kind, verdict or "nothing"] += 1
                missed += verdict is None
                if options.all or not verdict:
                    print(f"{name}:{number + 1}: {verdict or 'nothing'}: "
                          f"{line.strip()}", flush=True)
    verdicts = sorted({verdict for _, verdict in counts})
    print(f"{'removed':24}" + "".join(f"{v:>14}" for v in verdicts))
    for kind in [name for name, _ in KINDS]:
        if any(counts[kind, v] for v in verdicts):
            print(f"{kind:24}" + "".join(f"{counts[kind, v]:14}"
                                         for v in verdicts))
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
