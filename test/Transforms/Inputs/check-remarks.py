#!/usr/bin/env python3
"""Every remark of the compiler is demanded by a test: check-remarks.py SOURCE-DIRECTORY

The names are those given to `RemarkOpts::name` (or to a helper `getRemark`) in lib/; a
test demands one with `expected-remark` or a REMARK line.
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
demanded = set()
for file in (root / "test/Transforms").glob("*.mlir"):
    for line in file.read_text().splitlines():
        if "expected-remark" in line or "REMARK:" in line:
            demanded.update(
                re.findall(r"\[(?:Passed|Missed|Failed|Analysis)\] (\w+)", line))
missing = sorted(set(emitted) - demanded)
for name in missing:
    print(f"{emitted[name]}: no test demands the remark '{name}'")
for name in sorted(demanded - set(emitted)):
    print(f"'{name}' is demanded, but nothing in lib/ emits it")
print(f"{len(emitted)} kinds of remark, {len(missing)} without a test")
