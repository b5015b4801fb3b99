#!/usr/bin/env python3
"""Breaks each rule of scripts/check-structure once and expects to be told.

Usage: check-structure-test.py PATH-OF-CHECK-STRUCTURE
"""

import sys

from planted_tree import run

HEADER = "//===- A file ---===//\n"
PASSES = HEADER + 'def A : Pass<"tile-a"> {}\ndef B : Pass<"tile-b"> {}\n'

# The body of a function that is one line too long with its braces.
LONG = "  g('{', \"{\"); // {\n" * 59

SHORT = LONG[:LONG.rindex("  g")]

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
    "compute capability": (
        "lib/Pipeline/X.cpp", "bool b = target.computeCapability >= 90;\n",
        "a compute capability belongs in Hardware"),
    "compute capability by another name": (
        "lib/Pipeline/X.cpp", "constexpr int firstWithBF16 = 90;\n",
        "a compute capability belongs in Hardware"),
    "instruction of a family": (
        "lib/Transforms/X.cpp", 'bool b = name == "cp.async";\n',
        '"cp.async" names an instruction'),
    "instruction of threads": (
        "lib/Analysis/X.cpp", 'bool b = name == "ld.st" || name == "x";\n',
        '"ld.st" names an instruction'),
    "multiply-add": (
        "lib/Conversion/X/X.cpp", 'bool b = name == "fma";\n',
        '"fma" names an instruction'),
    "prefix of an instruction": (
        "lib/Dialect/X/X.cpp", 'bool b = name.starts_with("mma.sync.");\n',
        '"mma.sync." names an instruction'),
    "attribute": (
        "lib/Transforms/X.cpp", 'op->getAttr("tile.stage");\n',
        '"tile.stage" spells an attribute'),
    "prefix of an attribute": (
        "lib/Analysis/X.cpp", 'bool b = name.starts_with("tile.");\n',
        '"tile." spells an attribute'),
    "sizes of an access": (
        "lib/Analysis/X.cpp", "bool b = is_contained({4, 8, 16}, bytes);\n",
        "'4, 8, 16' is what an instruction can do"),
    "sizes of an access in a message": (
        "lib/Analysis/X.cpp", 'error << "needs 4, 8 or 16 bytes";\n',
        "'4, 8 or 16' is what an instruction can do"),
    "swizzle modes": (
        "lib/Dialect/X/X.cpp", "for (int mode : {0, 32, 64, 128}) use(mode);\n",
        "'32, 64, 128' is what an instruction can do"),
    "widest access": (
        "lib/Analysis/X.cpp", "constexpr int64_t vectorBytes = 16;\n",
        "'vectorBytes = 16' is what an instruction can do"),
    "row of a matrix": (
        "lib/Conversion/X/X.cpp", "constexpr int64_t matrixRowBytes = 16;\n",
        "'matrixRowBytes = 16' is what an instruction can do"),
    "comparison with the widest access": (
        "lib/Conversion/X/X.cpp", "bool b = bytes == 16;\n",
        "'bytes == 16' is what an instruction can do"),
    "alignment of shared memory": (
        "lib/Conversion/X/X.cpp", "constexpr int64_t baseAlignBytes = 1024;\n",
        "'baseAlignBytes = 1024' is what an instruction can do"),
    "exception without need": (
        "lib/Dialect/Tile/Verify/LegalOperations.cpp", "int x;\n",
        'has no "fma" any more'),
    "long function": (
        "lib/Pipeline/X.cpp", f"int f() {{\n{LONG}}}\n",
        "lib/Pipeline/X.cpp:2: a function of 61 lines, 60 at most"),
    "long function with a long declaration": (
        "lib/Pipeline/X.cpp",
        "template <typename T>\nstatic std::vector<T>\n"
        f"f(std::vector<T> a = {{}},\n  T b = {{}}) {{\n{LONG}}}\n",
        "lib/Pipeline/X.cpp:2: a function of 64 lines, 60 at most"),
    "long method": (
        "tools/x/x.cpp",
        f"namespace {{\nclass A {{\npublic:\n  int f() {{\n{LONG}  }}\n}};\n}}\n",
        "tools/x/x.cpp:5: a function of 61 lines, 60 at most"),
    "long constructor": (
        "lib/Pipeline/X.cpp", f"A::A(int x) : x{{x}}, y(x) {{\n{LONG}}}\n",
        "lib/Pipeline/X.cpp:2: a function of 61 lines, 60 at most"),
    "length": ("lib/Pipeline/X.cpp", "\n" * 500, "501 lines, 500 at most"),
    "length of a table": (
        "include/tile/Transforms/X.td", "\n" * 500, "501 lines, 500 at most"),
    "length of a test": ("test/X.cpp", "\n" * 650, "651 lines, 650 at most"),
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
    "lib/Hardware/Table.cpp": HEADER + 'Row r = {"cp.async", {4, 8, 16}};\n'
    "bool b = target.computeCapability >= firstCapability;\n",
    "lib/LayoutSearch/Solve.cpp": HEADER
    + '#include "tile/Layout/LayoutMap.h"\n#include "tile/Hardware/Plan.h"\n',
    "lib/Transforms/A/A.cpp": HEADER
    + '#include "tile/LayoutSearch/LayoutProblem.h"\n'
    "error << \"'tile.gemm' has no row\";\n"
    'name = "llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4";\n'
    'StringRef getName() final { return "tile.order"; }\n'
    '// not "cp.async", "tile.stage" or {4, 8, 16}\n'
    "bool b = is_contained({1, 8, 16, 32, 64}, bits);\n"
    "constexpr int64_t defaultAlignmentBytes = 16;\n"
    f"int f() {{\n{SHORT}}}\nint g() {{\n{SHORT}}}\n"
    + "int table[] = {\n" + "    f(1),\n    {1},\n" * 40 + "};\n",
    "include/tile/Dialect/Tile/X.td": HEADER
    + '#tile.instruction<"cp.async">, swizzle = 128, "ld"\n',
}


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
