#!/usr/bin/env python3
"""docs/Reports.md has every key of a report and every remark: check-reports.py ROOT TILE_OPT.

The keys are those that tile-opt prints of a kernel, the remarks those that the sources make.
"""

import json
import re
import subprocess
import sys
from pathlib import Path

# RemarkOpts::name("Pipelined"), getRemark(launch, "Versioned")
REMARK = re.compile(r'(?:RemarkOpts::name|getRemark)\((?:\w+,\s*)?"(\w+)"')


def read_names(page: str, heading: str) -> set[str]:
    """The names in backquotes of the first column of the tables below a heading."""
    section = re.search(rf"^(#+) {heading}\n(.*?)(?=^#|\Z)", page, re.M | re.S)[2]
    return {name for row in re.findall(r"^\| (`[^|]*`) \|", section, re.M)
            for name in re.findall(r"`(\w+)`", row)}


def compare(what: str, known: set[str], listed: set[str]) -> list[str]:
    return ([f"{what} that the page does not have: {name}" for name in sorted(known - listed)]
            + [f"no such {what}: {name}" for name in sorted(listed - known)])


def main() -> int:
    root, tile_opt = Path(sys.argv[1]), sys.argv[2]
    page = (root / "docs/Reports.md").read_text()
    remarks = {name for path in sorted((root / "lib").rglob("*.cpp"))
               for name in REMARK.findall(path.read_text())}
    report = subprocess.run(
        [tile_opt, root / "examples/gemm_f16.mlir", "--emit=report", "--format=json",
         "--chip=sm_80"], capture_output=True, text=True, check=True).stdout
    keys = set(json.loads(report)["kernels"][0])
    problems = (compare("remark", remarks, read_names(page, "Remarks"))
                + compare("key", keys, read_names(page, "The report")))
    print(*problems, f"{len(remarks)} remarks, {len(keys)} keys", sep="\n")
    return 1 if problems or len(remarks) < 30 or len(keys) < 15 else 0


sys.exit(main())
