#!/usr/bin/env python3
"""docs/Errors.md has what its headings say and what people are likely to meet.

Usage: check-errors.py ROOT TILE_OPT

- The output below a heading has the heading's words, in order; `..` stands for any.
- Messages that are common are there. Common is what shows up when the examples are changed in
  one place, as test/Fuzz/mutate.py changes them: another name, type, size or number, a line or
  a token less or in another place. Of all messages that 1500 changes cause, those of a share
  of 2 % have to be in the page, names, types and numbers aside.

What scripts/run-page proves is not proved here: that the programs print these messages.
"""

import random
import re
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

ROOT, TILE_OPT = Path(sys.argv[1]), sys.argv[2]
sys.path += [str(ROOT / "scripts"), str(ROOT / "test/Fuzz")]
import mutate  # noqa: E402
from pages import read_blocks  # noqa: E402

CHANGES = 1500
SHARE = 0.02
SECTION = re.compile(r"^### (.*?)\n(.*?)(?=^##|\Z)", re.M | re.S)
ERROR = re.compile(r"^[^\n]*?error: (.*)$", re.M)


def get_shape(message: str) -> str:
    """A message without what names, types and numbers make of it."""
    message = re.sub(r"'[^']*'", "'_'", message)
    message = re.sub(r'"[^"]*"', '"_"', message)
    message = re.sub(r"\b(?:b?f\d+\w*|i\d+)\b", "T", message)
    message = re.sub(r"\b-?\d+\b", "N", message)
    message = re.sub(r"N(?:, N)+", "N", message)
    return message.replace("sizes are N and N", "size is N")


def change_number(generator: random.Random, text: str) -> str:
    return mutate.replaceOne(generator, r"(?<=[\[\(x:=, <])-?\d+(?=[x\]\),> :])", text,
                             mutate.EXTENTS)


def change_type(generator: random.Random, text: str) -> str:
    return mutate.replaceOne(generator, mutate.TYPE, text, mutate.TYPES[:17])


def make_mistakes() -> str:
    """The examples with one change each, apart from each other."""
    kinds = [mutate.mutateEverywhere, change_type, change_number, mutate.mutateName,
             mutate.mutateLines, mutate.mutateTokens]
    texts = mutate.sources(sorted(map(str, (ROOT / "examples").glob("*.mlir"))))
    changed = []
    for seed in range(CHANGES):
        generator = random.Random(seed)
        changed.append(kinds[seed % len(kinds)](generator, generator.choice(texts)))
    return "\n// -----\n".join(changed)


def find_common_messages() -> dict[str, str]:
    """A message of each shape that is common, by its shape."""
    with tempfile.TemporaryDirectory() as directory:
        source = Path(directory, "changed.mlir")
        source.write_text(make_mistakes())
        result = subprocess.run([TILE_OPT, source, "--split-input-file", "-o", "/dev/null"],
                                capture_output=True, text=True, check=False)
    messages = ERROR.findall(result.stderr)
    counts = Counter(map(get_shape, messages))
    examples = {get_shape(message): message for message in messages}
    return {shape: examples[shape] for shape, count in counts.items()
            if count >= SHARE * len(messages)}


def check_headings(text: str) -> list[str]:
    problems = []
    for heading, body in SECTION.findall(text):
        outputs = [block.text for block in read_blocks(body) if block.language == "text"]
        words = [word.strip() for word in heading.split("..")]
        if not re.search(".*".join(map(re.escape, words)), "\n".join(outputs)):
            problems.append(f"no output below '{heading}' says so")
    return problems


def main() -> int:
    text = (ROOT / "docs/Errors.md").read_text()
    shown = "\n".join(block.text for block in read_blocks(text) if block.language == "text")
    shapes = set(map(get_shape, ERROR.findall(shown)))
    common = find_common_messages()
    problems = check_headings(text)
    problems += [f"common, but not in the page: {message}"
                 for shape, message in common.items() if shape not in shapes]
    print(*problems, f"{len(shapes)} messages, {len(common)} common ones", sep="\n")
    return 1 if problems or len(common) < 8 else 0


sys.exit(main())
