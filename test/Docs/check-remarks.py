#!/usr/bin/env python3
"""The table of docs/Reports.md has every remark that the compiler makes: check-remarks.py ROOT."""

import re
import sys
from pathlib import Path

# RemarkOpts::name("Pipelined"), getRemark(launch, "Versioned")
REMARK = re.compile(r'(?:RemarkOpts::name|getRemark)\((?:\w+,\s*)?"(\w+)"')


def main() -> int:
    root = Path(sys.argv[1])
    made = {name for path in sorted((root / "lib").rglob("*.cpp"))
            for name in REMARK.findall(path.read_text())}
    table = (root / "docs/Reports.md").read_text().partition("## Remarks\n")[2]
    listed = {name for row in re.findall(r"^\| (`[^|]*`) \|", table, re.M)
              for name in re.findall(r"`(\w+)`", row)}
    print(*[f"not in the table: {name}" for name in sorted(made - listed)],
          *[f"no remark of the compiler: {name}" for name in sorted(listed - made)],
          f"{len(made)} remarks", sep="\n")
    return 1 if made != listed or len(made) < 30 else 0


sys.exit(main())
