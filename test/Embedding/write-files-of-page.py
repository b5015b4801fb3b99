#!/usr/bin/env python3
"""Writes the files that a page shows: write-files-of-page.py PAGE DIRECTORY.

What readers copy is then what is built. scripts/pages.py says which blocks are files.
"""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[2] / "scripts"))
from pages import write_files  # noqa: E402


def main() -> int:
    names = write_files(Path(sys.argv[1]).read_text(), Path(sys.argv[2]))
    print("\n".join(names))
    return 0 if names else 1


sys.exit(main())
