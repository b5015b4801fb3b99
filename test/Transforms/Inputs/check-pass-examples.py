#!/usr/bin/env python3
"""Runs the examples of docs/Passes.md: check-pass-examples.py PAGE TILE-OPT

Every pass has two ```mlir blocks: a program, and what "After `<options>`:" makes of it;
one that only checks has a program "Refused by `<options>`:".
Both are compared as the printer writes them once constants are folded and what is not
used is gone, so that names and order of constants are free. What is no module of its own
stands in one compiled for sm_80; attributes before the program stay before the module.
"""
import re
import subprocess
import sys

CANONICALIZE = "tile-canonicalize"
NORMALIZE = [f"--{CANONICALIZE}", "--cse"]


def as_module(example):
    if re.search(r"^module\b", example, re.MULTILINE):
        return example
    aliases = re.findall(r"^#.*\n", example, re.MULTILINE)
    program = re.sub(r"^#.*\n", "", example, flags=re.MULTILINE)
    wanted = ' attributes {tile.target = #tile.target<"sm_80">}'
    return "".join(aliases) + f"module{wanted} {{\n{program}}}\n"


def run(tile_opt, options, text):
    result = subprocess.run([tile_opt, *options], input=text, text=True,
                            capture_output=True, check=False)
    return result.stdout if result.returncode == 0 else result.stderr


def check_refusal(tile_opt, name, program, option):
    if option.split("=")[0] != f"--{name}":
        return f"{name}: the example runs {option}"
    if "error: " not in run(tile_opt, [option], as_module(program)):
        return f"{name}: the example is not refused"
    return None


def check_pass(tile_opt, name, section):
    blocks = re.findall(r"```mlir\n(.*?)```", section, re.S)
    refusals = re.findall(r"^Refused by `([^`]+)`:$", section, re.MULTILINE)
    if len(refusals) == len(blocks) == 1:
        return check_refusal(tile_opt, name, blocks[0], refusals[0])
    options = re.findall(r"^After `([^`]+)`:$", section, re.MULTILINE)
    if len(blocks) != 2 or len(options) != 1:
        return f"{name}: one program and what 'After `--{name}`:' makes of it"
    if options[0].split("=")[0] != f"--{name}":
        return f"{name}: the example runs {options[0]}"
    normalize = NORMALIZE[1:] if name == CANONICALIZE else NORMALIZE
    before, after = map(as_module, blocks)
    actual = run(tile_opt, options + normalize, before)
    if actual != run(tile_opt, normalize, after):
        return f"{name}: the pass makes of it\n" \
               f"{run(tile_opt, options, before)}\nor, normalized,\n{actual}"
    if actual == run(tile_opt, normalize, before):
        return f"{name}: the example does not change"
    return None


def main():
    page, tile_opt = sys.argv[1:]
    with open(page, encoding="utf-8") as file:
        sections = re.split(r"^### `-([\w-]+)`\n", file.read(), flags=re.MULTILINE)
    passes = list(zip(sections[1::2], sections[2::2]))
    failures = [failure for name, section in passes
                if (failure := check_pass(tile_opt, name, section))]
    print("\n".join(failures + [f"{len(passes)} passes, {len(failures)} failures"]))
    return 1 if failures or not passes else 0


sys.exit(main())
