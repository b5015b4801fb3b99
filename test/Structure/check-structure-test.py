#!/usr/bin/env python3
"""Breaks each rule of scripts/check-structure once and expects to be told.

Usage: check-structure-test.py PATH-OF-CHECK-STRUCTURE
"""

import subprocess
import sys
import tempfile
from pathlib import Path

HEADER = "//===- A file ---===//\n"
PASSES = HEADER + 'def A : Pass<"tile-a"> {}\ndef B : Pass<"tile-b"> {}\n'

# What is broken: file, its text, what the report must say.
CASES = {
    "upward include": (
        "lib/Analysis/X.cpp", '#include "tile/Transforms/Passes.h"\n',
        "lib/Analysis/X.cpp:2: Analysis must not include Transforms"),
    "judge includes compiler": (
        "lib/Reference/X.cpp", '#include "tile/Pipeline/Pipeline.h"\n',
        "Reference must not include Pipeline"),
    "emulator includes layouts": (
        "lib/Emulator/X.cpp", '#include "tile/Layout/FragmentLayout.h"\n',
        "Emulator must not include Layout"),
    "MLIR in plain C++": (
        "include/tile/Layout/X.h", '#include "llvm/ADT/STLExtras.h"\n',
        "Layout is plain C++ and must not include llvm/ADT/STLExtras.h"),
    "private header of another folder": (
        "lib/Pipeline/X.cpp", '#include "../Transforms/Private.h"\n',
        "../Transforms/Private.h is outside Pipeline"),
    "pass includes pass": (
        "lib/Transforms/A.cpp", '#include "B/Plan.h"\n',
        "a pass includes a pass: B/Plan.h"),
    "chip name": (
        "lib/Pipeline/X.cpp", 'bool b = chip == "sm_90a";\n',
        '"sm_90a" belongs in Hardware'),
    "limit": (
        "lib/Pipeline/X.cpp", "int limit = 232448;\n",
        "232448 is a limit of the hardware"),
    "limit as product": (
        "tools/x/x.cpp", "int limit = 227 * 1024;\n",
        "tools/x/x.cpp:2: 232448 is a limit of the hardware"),
    "warp size": (
        "lib/Pipeline/X.cpp", "int warps = threads / 32;\n",
        "the warp size is a fact of Hardware"),
    "length": ("lib/Pipeline/X.cpp", "\n" * 900, "901 lines, 900 at most"),
    "length of a test": ("test/X.cpp", "\n" * 900, "901 lines, 900 at most"),
    "name": ("lib/Pipeline/Utils.cpp", "\n", "'Utils.cpp' says nothing"),
}

# What stays legal beside it.
LEGAL = {
    "include/tile/Transforms/Passes.td": PASSES,
    "lib/Transforms/B/Plan.h": HEADER,
    "lib/Transforms/Private.h": HEADER,
    "lib/Transforms/B/B.cpp": HEADER + '#include "Plan.h"\n'
    '#include "tile/Analysis/IndexFacts.h"\n#include "mlir/IR/Value.h"\n',
    "lib/Hardware/Rows.cpp": HEADER + 'Row r = {"sm_90a", 232448};\n',
    "lib/Runtime/Run.cpp": HEADER + '#include "tile/Emulator/Emulator.h"\n'
    "// sm_90a, threads / 32 and 232448 in a comment are fine\n",
}


def run(checker, files):
    with tempfile.TemporaryDirectory() as directory:
        for name, text in files.items():
            path = Path(directory, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        return subprocess.run([sys.executable, checker, directory],
                              capture_output=True, text=True, check=False)


def main():
    checker = sys.argv[1]
    failures = []
    result = run(checker, LEGAL)
    if result.returncode:
        failures.append(f"legal tree: {result.stdout}{result.stderr}")
    cases = {name: (path, HEADER + text, expected)
             for name, (path, text, expected) in CASES.items()}
    cases["header comment"] = ("lib/Pipeline/X.cpp", "int x;\n",
                               "no header comment")
    for name, (path, text, expected) in cases.items():
        result = run(checker, LEGAL | {path: text})
        if result.returncode != 1 or expected not in result.stdout:
            failures.append(f"{name}: expected '{expected}', got status "
                            f"{result.returncode}: {result.stdout}"
                            f"{result.stderr}")
    print("\n".join(failures) or f"{len(cases)} violations found")
    return 1 if failures else 0


sys.exit(main())
