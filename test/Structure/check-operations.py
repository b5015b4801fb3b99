#!/usr/bin/env python3
"""How many files know an operation by name, and how often a type is asked.

Usage: check-operations.py [ROOT]

An operation answers for itself by interfaces, traits and attributes; a file
that names it has to be visited when the operation changes, and one that
forgets it cannot be seen. Prints for every operation of the dialect the files
of include, lib and tools that name it in code (`FooOp`, or `tile.foo` in a
string; ProgramBuilder apart, which makes all), and for every folder of the
compiler its type tests: isa, cast, dyn_cast and their kin on a class of an
operation. Comments, documentation and examples do not count. Exits with 1 where a bound is passed.
"""

import re
import sys
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "scripts"))
from cpp_source import strip_comments  # noqa: E402

MAX_FILES = {"transpose": 5, "bitcast": 5, "print": 5, "gemm": 8}
MAX_TYPE_TESTS = 90
# Makes every operation, as the tables declare every one.
BUILDERS = {Path("include/tile/Dialect/Tile/ProgramBuilder.h"),
            Path("lib/Dialect/Tile/ProgramBuilder.cpp")}
COMPILER = ("Analysis", "Transforms", "Conversion", "Dialect", "Pipeline",
            "Target", "Report")

DEFINITION = re.compile(r'^def Tile_(\w+Op)\s*:\s*\w+<\s*"(\w+)"', re.M)
CAST = re.compile(r"\b(?:isa|isa_and_nonnull|isa_and_present|cast|dyn_cast|"
                  r"dyn_cast_or_null|dyn_cast_if_present)\s*<([^;{}()]*?)>\s*\(")
# `memref::CopyOp` is another one.
CLASS_NAME = re.compile(r"(?:(?<![\w:])(?!Tile_)|\btile::|\bTile_)([A-Z]\w*Op)\b")
OPERATION_NAME = re.compile(r"\btile\.\w+\b(?!\.)")
OPERATION_CLASS = re.compile(r"\b\w+Op\b")
# Text of TableGen that is prose, an example or a summary.
PROSE = re.compile(r'let\s+(?:description|summary)\s*=\s*'
                   r'(?:\[\{.*?\}\]|"[^"]*")\s*;', re.S)


def get_code(path):
    """The text of a file without comments and documentation."""
    text = path.read_text()
    if path.suffix == ".td":
        text = PROSE.sub("", text)
    return strip_comments(text)


def find_operations(root):
    """{mnemonic: class} of all operations, in the order of the dialect."""
    return {mnemonic: name
            for table in sorted(root.glob("include/tile/Dialect/**/*.td"))
            for name, mnemonic in DEFINITION.findall(table.read_text())}


def find_names(path, code):
    """The classes and the names of operations that `code` names."""
    names = set(CLASS_NAME.findall(code))
    if path.suffix != ".td":  # text of a table is documentation
        names |= set(OPERATION_NAME.findall(code))
    return names


def count_type_tests(code):
    return sum(1 for match in CAST.finditer(code)
               if OPERATION_CLASS.search(match[1]))


def read_sources(root):
    return {path.relative_to(root): get_code(path)
            for folder in ("include", "lib", "tools")
            for path in sorted((root / folder).rglob("*"))
            if path.suffix in (".h", ".cpp", ".td")}


def check_operations(root, sources):
    failures = []
    counts = {}
    names = {path: find_names(path, code) for path, code in sources.items()}
    for mnemonic, name in find_operations(root).items():
        files = [str(path) for path in sources
                 if names[path] & {name, f"tile.{mnemonic}"}
                 and path not in BUILDERS]
        counts[mnemonic] = len(files)
        bound = MAX_FILES.get(mnemonic)
        if bound is not None and len(files) > bound:
            failures.append(f"tile.{mnemonic} is named in {len(files)} files, "
                            f"{bound} at most: " + ", ".join(files))
    print("files that name an operation")
    for mnemonic, count in sorted(counts.items(), key=lambda item: -item[1]):
        bound = MAX_FILES.get(mnemonic)
        print(f"{count:6} {mnemonic}" + (f" (at most {bound})" if bound else ""))
    failures += [f"the dialect has no operation '{mnemonic}'"
                 for mnemonic in MAX_FILES if mnemonic not in counts]
    return failures


def check_type_tests(sources):
    counts = Counter()
    for path, code in sources.items():
        if path.parts[0] == "lib" and path.parts[1] in COMPILER:
            counts[path.parts[1]] += count_type_tests(code)
    print("type tests on operations")
    for folder, count in counts.most_common():
        print(f"{count:6} {folder}")
    total = sum(counts.values())
    print(f"{total:6} in all (at most {MAX_TYPE_TESTS})")
    return [] if total <= MAX_TYPE_TESTS else [
        f"{total} type tests on operations, {MAX_TYPE_TESTS} at most: ask an "
        "interface or a trait"]


def main():
    here = Path(__file__).resolve()
    root = Path(sys.argv[1]).resolve() if sys.argv[1:] else here.parents[2]
    sources = read_sources(root)
    failures = check_operations(root, sources) + check_type_tests(sources)
    print("\n".join(failures) or "within the bounds")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
