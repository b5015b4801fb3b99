#!/usr/bin/env python3
"""Every remark of the compiler is demanded by a test: check-remarks.py SOURCE-DIRECTORY

The names are those given to `RemarkOpts::name` (or to a helper `getRemark`) in lib/; a
test demands one with `expected-remark` or a REMARK line. Every reason for which a loop is
not pipelined, a text of three words or more in LoopPlan.cpp, is demanded the same way.
"""
import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1])
emitted = {}
for file in sorted((root / "lib").rglob("*.cpp")):
    text = file.read_text()
    for name in re.findall(
            r'(?:RemarkOpts::name\(|getRemark\([^()]*,)\s*"(\w+)"', text):
        emitted[name] = file.relative_to(root)
reasons = set()
plan = (root / "lib/Transforms/PipelineLoops/LoopPlan.cpp").read_text()
# Adjacent literals are one text; what is put in stands between braces.
for text in re.findall(r'"((?:[^"\n]|"\s+")*)"', re.sub(r"//.*", "", plan)):
    for part in re.split(r"\{\d\}", re.sub(r'"\s+"', "", text)):
        if len(part.split()) >= 3:
            reasons.add(part)
demanded = set()
lines = []
tests = [*(root / "test/Transforms").glob("*.mlir"),
         *(root / "test/Conversion").rglob("*.mlir")]
for file in tests:
    for line in file.read_text().splitlines():
        if "expected-remark" in line or "REMARK:" in line:
            lines.append(line)
            demanded.update(
                re.findall(r"\[(?:Passed|Missed|Failed|Analysis)\] (\w+)", line))
missing = sorted(set(emitted) - demanded)
for name in missing:
    print(f"{emitted[name]}: no test demands the remark '{name}'")
for name in sorted(demanded - set(emitted)):
    print(f"'{name}' is demanded, but nothing in lib/ emits it")
print(f"{len(emitted)} kinds of remark, {len(missing)} without a test")
silent = [reason for reason in sorted(reasons)
          if not any(reason in line for line in lines)]
for reason in silent:
    print(f"no test demands the reason '{reason}'")
print(f"{len(reasons)} reasons of loops, {len(silent)} without a test")
