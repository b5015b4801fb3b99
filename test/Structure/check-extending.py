#!/usr/bin/env python3
"""What docs/Extending.md names exists: check-extending.py PAGE ROOT

A word in backquotes that begins with a folder of the tree is a file or folder, with
<Name> and <name> for any. Any other identifier (an interface, a trait, a method, a
pass, a build target) stands in a source.
"""

import re
import sys
from pathlib import Path

FOLDERS = ("docs", "examples", "include", "lib", "scripts", "test", "tools")
SOURCES = ("include/tile", "lib", "test/lib")
IDENTIFIER = re.compile(r"[A-Za-z_]\w*(?:-[\w-]+)?")


def read_sources(root):
    """All of the sources, with every CMakeLists.txt and .td."""
    paths = [path for folder in SOURCES
             for path in sorted((root / folder).rglob("*")) if path.is_file()]
    return "\n".join(path.read_text() for path in paths)


def find_problem(word, root, sources):
    """Why nothing of the tree is called so; nothing if something is."""
    if word.split("/")[0] in FOLDERS:
        pattern = re.sub(r"<\w+>", "*", word)
        return None if any(root.glob(pattern)) else "no such file"
    name = word.split("<")[0].split()[-1].strip("[]")
    if not IDENTIFIER.fullmatch(name):
        return None
    return (None if re.search(rf"\b{re.escape(name)}\b", sources)
            else "in no source")


def main():
    page, root = Path(sys.argv[1]), Path(sys.argv[2])
    sources = read_sources(root)
    words = dict.fromkeys(re.findall(r"`([^`\n]+)`", page.read_text()))
    failures = 0
    for word in words:
        if problem := find_problem(word, root, sources):
            print(f"`{word}`: {problem}")
            failures += 1
    print(f"{len(words)} names, {failures} wrong")
    return 1 if failures or len(words) < 40 else 0


sys.exit(main())
