"""Parses every example of a generated dialect page.

Usage: check-examples.py PAGE TILE_OPT

An example is a ```mlir block: a program, or attributes one after another, which
are put on a function to be parsed. Every operation's section must have one.
"""
import re
import subprocess
import sys


def split_attributes(text):
    """The attributes of a block; each starts at a line with a '#tile.'."""
    return re.split(r"\n(?=#tile\.)", text.strip())


def as_program(example):
    if not example.startswith("#tile."):
        return example
    attributes = split_attributes(example)
    listed = ", ".join(f"a{i} = {a}" for i, a in enumerate(attributes))
    return f"func.func private @attributes() attributes {{{listed}}}\n"


def main():
    page, tile_opt = sys.argv[1:]
    with open(page, encoding="utf-8") as file:
        text = file.read()
    failures = examples = 0
    for section in re.split(r"\n### ", text)[1:]:
        title = section.split("\n", 1)[0]
        blocks = re.findall(r"```mlir\n(.*?)```", section, re.S)
        if title.startswith("`tile.") and not blocks:
            print(f"{title}: no example")
            failures += 1
        for block in blocks:
            examples += 1
            run = subprocess.run([tile_opt, "-o", "/dev/null"], text=True,
                                 input=as_program(block), capture_output=True)
            if run.returncode != 0:
                print(f"{title}:\n{block}\n{run.stderr}")
                failures += 1
    print(f"{examples} examples, {failures} failures")
    return 1 if failures or not examples else 0


sys.exit(main())
