#!/usr/bin/env python3
"""Every operation that the interpreter knows has a case named after it:
tile-run --list-operations | check-operations.py DIRECTORY [SOURCES]

The case of `dialect.operation` is a function @dialect.operation, or
@dialect.operation_what, of a .mlir file in the directory. It or a function that it
names uses the operation and states what comes out, and it runs: by --entry, or by
a function that does. What is missing is listed, one operation a line.
"""

import re
import sys
from pathlib import Path

FUNCTION = re.compile(
    r"^ *(?:func|gpu)\.func (?:private )?@([\w.]+)\(.*?(?=^ *(?:func|gpu)\.func |\Z)",
    re.M | re.S)
NAME = re.compile(r"@(?:\w+::@)?([\w.]+)")
EXPECTED = re.compile(r"^ *// [A-Z][A-Z-]*(?:-NEXT|-DAG)?: \S", re.M)


def reach(functions, start):
    """All functions that `start` names, itself included, directly or not."""
    reached, pending = set(), [start]
    while pending:
        name = pending.pop()
        if name in functions and name not in reached:
            reached.add(name)
            pending += NAME.findall(functions[name].split("\n", 1)[1])
    return reached


def find_problem(operation, files):
    """What is wrong with the cases of an operation; nothing if one is right."""
    problem = "no case: add a function @" + operation
    case = re.compile(re.escape(operation) + r"(_\w+)?")
    use = re.compile(r"(?<!@)" + re.escape(operation) + r"\b")
    for path, functions, entries in files:
        running = set().union(*(reach(functions, entry) for entry in entries))
        for name in filter(case.fullmatch, functions):
            text = "".join(functions[each].split("\n", 1)[1]
                           for each in reach(functions, name))
            if name not in running:
                problem = f"{path.name}: @{name} is never run"
            elif not use.search(text):
                problem = f"{path.name}: @{name} does not use the operation"
            elif not EXPECTED.search(text):
                problem = f"{path.name}: @{name} does not say what comes out"
            else:
                return None
    return problem


def find_described(sources):
    """The operations that comments with a reference to a description name."""
    described = set()
    for path in sources.glob("*Rules.cpp"):
        for block in re.findall(r"(?:^ *//.*\n)+", path.read_text(), re.M):
            if "LangRef" in block or "Language.md" in block:
                described.update(re.findall(r"\b[a-z]+\.[a-z]\w*", block))
    return described


def main():
    files = []
    for path in sorted(Path(sys.argv[1]).glob("*.mlir")):
        text = path.read_text()
        functions = {match[1]: match[0] for match in FUNCTION.finditer(text)}
        entries = re.findall(r"^// RUN: .*--entry=([\w.]+)", text, re.M)
        files.append((path, functions, entries))
    operations = sys.stdin.read().split()
    problems = [(operation, find_problem(operation, files))
                for operation in operations]
    missing = [f"{operation}: {problem}"
               for operation, problem in problems if problem]
    if len(sys.argv) > 2:
        described = find_described(Path(sys.argv[2]))
        missing += [f"{operation}: no comment beside its rule refers to its "
                    "description" for operation in operations
                    if operation not in described]
    print("\n".join(missing) or f"{len(operations)} operations have a case")
    return 1 if missing or len(operations) < 100 else 0


sys.exit(main())
