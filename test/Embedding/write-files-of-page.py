#!/usr/bin/env python3
"""Writes the files that a page shows: write-files-of-page.py PAGE DIRECTORY.

A block of code whose first line is a comment with a path (`# a/CMakeLists.txt`,
`// a/a.cpp`) is that file, whole. What readers copy is then what is built.
"""

import re
import sys
from pathlib import Path

BLOCK = re.compile(r"^```\w+\n((?:#|//) ([\w./-]+/[\w.-]+)\n.*?)^```$", re.M | re.S)


def main():
    page, target = Path(sys.argv[1]), Path(sys.argv[2])
    files = BLOCK.findall(page.read_text())
    for body, name in files:
        path = target / name
        path.parent.mkdir(parents=True, exist_ok=True)
        # What has not changed keeps its time, and is not built again.
        if not path.exists() or path.read_text() != body:
            path.write_text(body)
    print("\n".join(name for _, name in files))
    return 0 if files else 1


sys.exit(main())
