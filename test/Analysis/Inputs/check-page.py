#!/usr/bin/env python3
"""Runs the examples of docs/Analyses.md: check-page.py PAGE TILE-TEST-OPT

Each section with a pass in its title has one ```mlir block, which the first pass of the
title is run on; `expected-remark` comments say what it must find.
"""
import re
import subprocess
import sys

page, tool = sys.argv[1:]
with open(page, encoding="utf-8") as file:
    sections = re.split(r"^## ", file.read(), flags=re.MULTILINE)[1:]
failures = 0
for section in sections:
    title = section.split("\n", 1)[0]
    passes = re.findall(r"`(--test-tile-[\w-]+)`", title)
    blocks = re.findall(r"```mlir\n(.*?)```", section, re.S)
    if not passes or len(blocks) != 1 or "expected-remark" not in blocks[0]:
        print(f"{title}: a pass in the title and one example with expected-remark")
        failures += 1
        continue
    result = subprocess.run(
        [tool, passes[0], "--verify-diagnostics", "-o", "/dev/null"],
        input=blocks[0], text=True, capture_output=True, check=False)
    if result.returncode != 0:
        print(f"{title}:\n{result.stderr}")
        failures += 1
print(f"{len(sections)} analyses, {failures} failures")
sys.exit(1 if failures or not sections else 0)
