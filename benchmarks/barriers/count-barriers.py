#!/usr/bin/env python3
"""Barriers of compiled kernels: count-barriers.py BIN-DIRECTORY [CHIP]

Compiles each program up to `synchronized` and counts what makes order: barriers of the
block (of the consumers, where warps are specialised), barriers of each warp, waits for
copies by groups or products in flight, and waits at mbarriers: of readers for a slot to be
full and of who fills it to be empty. Those in a loop stand apart from those outside,
which run once. Beside it stands what a careful author of CUDA would write, counted in the
loop, or outside where the kernel has none.
"""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
# Program, barriers of a careful author, and where they stand.
PROGRAMS = [
    ("examples/gemm_f16.mlir", 1, "one __syncthreads a k-tile, between wait and copy"),
    ("examples/gemm_split_k.mlir", 1, "as a GEMM; partial sums by atomics"),
    ("examples/flash_attention.mlir", 2, "one for K and one for V"),
    ("examples/flash_attention_causal.mlir", 2, "one for K and one for V"),
    ("examples/flash_attention_backward.mlir", 2,
     "one a tile of queries, one for dS, which is read across"),
    ("examples/softmax.mlir", 2, "one for the maximum and one for the sum, no loop"),
    ("examples/layer_norm.mlir", 0, "a warp a row, no loop"),
    ("examples/linear_recurrence.mlir", 0, "a warp a row"),
    ("examples/transpose.mlir", 1, "between store and load, no loop"),
]
KINDS = ("block", "warp", "wait", "mbar")
WAITS = {"copy_wait": "wait", "product_wait": "wait", "ring_wait": "mbar", "ring_acquire": "mbar"}


def get_kind(line):
    if re.match(r"\s*tile\.barrier\b", line):
        return "warp" if "#tile.scope<warp>" in line else "block"
    wait = re.match(r"\s*(?:%\S+ = )?tile\.(\w+)", line)
    return WAITS.get(wait[1]) if wait else None


def count(text):
    """{(place, kind): number}, place being "loop" or "once"."""
    counts = {(place, kind): 0 for place in ("loop", "once") for kind in KINDS}
    regions = []
    for line in text.splitlines():
        if line.strip().startswith("}"):
            regions.pop()
        kind = get_kind(line)
        if kind:
            counts["loop" if "loop" in regions else "once", kind] += 1
        if line.rstrip().endswith("{"):
            regions.append("loop" if re.search(r"\bscf\.(for|while)\b", line)
                           else "other")
    return counts


def main():
    tools = Path(sys.argv[1])
    chip = sys.argv[2] if len(sys.argv) > 2 else "sm_80"
    print(f"{'program':26}{'in a loop':>28}{'once':>28}   careful author")
    print(f"{'':26}" + "".join(f"{kind:>7}" for kind in KINDS + KINDS))
    for program, careful, reason in PROGRAMS:
        text = subprocess.run(
            [tools / "tile-opt", ROOT / program, f"--tile-logical-phase=chip={chip}",
             "--tile-layout-phase", "--tile-schedule-phase"],
            check=True, text=True, stdout=subprocess.PIPE).stdout
        counts = count(text)
        numbers = "".join(f"{counts[place, kind]:7}" for place in ("loop", "once")
                          for kind in KINDS)
        print(f"{Path(program).stem:26}{numbers}   {careful}: {reason}")


if __name__ == "__main__":
    main()
