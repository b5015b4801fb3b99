#!/usr/bin/env python3
"""Mutated text into the parser, the verifier and the whole compiler.

  mutate.py --count 200 --seed 1 --tools build/bin FILE.. --failures DIR

Takes valid files and generated programs, changes tokens, numbers, types and lines, and
runs tile-opt on the result: plain, or compiling to PTX. Exit status 0 without a word, or
1 with an error at a location, is right; a crash, a signal, an assertion, a timeout, an
error without a location or any other status is a failure, written to DIR and reduced.
"""

import argparse
import os
import random
import re
import sys
import time

from generate import generate
from tilefuzz.process import CRASH, run
from tilefuzz.reducing import reduceText

TOKEN = re.compile(r"%[\w#]+|#\w+(?:\.\w+)?|[A-Za-z_][\w.]*|-?\d+(?:\.\d+)?|\S")
NUMBERS = ["0", "1", "-1", "2", "3", "7", "31", "33", "64", "1025", "65536", "2147483648",
           "9223372036854775807", "-9223372036854775808", "99999999999999999999"]
EXTENTS = ["1", "2", "3", "5", "7", "8", "16", "24", "31", "33", "40", "48", "64", "80", "96",
           "100", "128", "192", "256"]
TYPES = ["f64", "f32", "f16", "bf16", "f8E4M3FN", "f8E5M2", "f8E8M0FNU", "f4E2M1FN", "i1",
         "i4", "i8", "i16", "i32", "i64", "index", "i7", "i128", "f128", "vector<4xf32>",
         "none", "complex<f32>", "tensor<*xf32>", "tensor<?xf32>", "memref<*xf32>"]
TYPE = re.compile(r"\b(?:f64|f32|f16|bf16|f8E4M3FN|f8E5M2|i1|i8|i16|i32|i64|index)\b")


def replaceOne(generator, pattern, text, choices):
    found = list(re.finditer(pattern, text))
    if not found:
        return text
    match = generator.choice(found)
    return text[:match.start()] + generator.choice(choices) + text[match.end():]


def mutateLines(generator, text):
    lines = text.split("\n")
    i, j = (generator.randrange(len(lines)) for _ in range(2))
    choice = generator.randrange(4)
    if choice == 0:
        del lines[i]
    elif choice == 1:
        lines.insert(j, lines[i])
    elif choice == 2:
        lines[i], lines[j] = lines[j], lines[i]
    else:
        lines.insert(j, lines.pop(i))
    return "\n".join(lines)


def mutateTokens(generator, text):
    tokens = list(TOKEN.finditer(text))
    if not tokens:
        return text
    first, second = (generator.choice(tokens) for _ in range(2))
    choice = generator.randrange(3)
    middle = "" if choice == 0 else second.group()
    if choice == 2:
        middle = first.group() + " " + middle
    return text[:first.start()] + middle + text[first.end():]


def mutateName(generator, text):
    names = re.findall(r"%\w+", text)
    return replaceOne(generator, r"%\w+", text, names) if names else text


def mutateEverywhere(generator, text):
    """One type, or one extent of shaped types and its constants, changed all over: such
    text passes the parser and most verifiers, and reaches the compiler."""
    if generator.random() < 0.4:
        found = TYPE.findall(text)
        if not found:
            return text
        old = generator.choice(found)
        return re.sub(rf"\b{old}\b|(?<=x){old}\b", generator.choice(TYPES[:14]), text)
    found = re.findall(r"(?<![\w%@#.])\d+(?=x[\w?])|(?<=x)\d+(?=x)", text)
    if not found:
        return text
    old = generator.choice(found)
    new = generator.choice(EXTENTS)
    return re.sub(rf"(?<![\w%@#.]){old}(?=x[\w?])|(?<=x){old}(?=x)|(?<=[\[( ]){old}(?=[\],) ])",
                  new, text)


def mutate(generator, text):
    """`text` with one to four changes, most of them such that it still parses."""
    if generator.random() < 0.4:
        for _ in range(generator.choice([1, 1, 2, 3])):
            text = mutateEverywhere(generator, text)
        return text
    for _ in range(generator.choice([1, 1, 1, 2, 3, 4])):
        choice = generator.random()
        if choice < 0.3:
            text = replaceOne(generator, r"(?<=[\[\(x:=, <])-?\d+(?=[x\]\),> :])", text,
                              NUMBERS + [str(generator.randrange(200))])
        elif choice < 0.5:
            text = replaceOne(generator, TYPE, text, TYPES)
        elif choice < 0.7:
            text = mutateName(generator, text)
        elif choice < 0.87:
            text = mutateLines(generator, text)
        else:
            text = mutateTokens(generator, text)
    return text


def problem(status, output):
    """What is wrong with how tile-opt ended; empty if nothing."""
    if status is None:
        return "timeout"
    crash = CRASH.search(output)
    if status not in (0, 1) or crash:
        return f"status {status} {crash.group(0) if crash else ''}".strip()
    if status == 0:
        return "error, but status 0" if re.search(r"^\S*error:", output, re.M) else ""
    if not re.search(r"^program\.mlir:\d+:\d+: error: ", output, re.M):
        return "no error at a location"
    return ""


def sources(files):
    """Texts to start from, each a whole file or one function of it with what it needs."""
    texts = []
    for path in files:
        with open(path) as file:
            text = "\n".join(l for l in file.read().split("\n")
                             if not l.startswith("//"))
        # Templates of tests leave types open.
        for open_ in set(re.findall(r"x([A-Z]{2,}\w*)\b", text)):
            text = re.sub(rf"(?<![A-Za-z]){open_}\b", "f32", text)
        parts = re.split(r"(?m)^(?=func\.func)", text)
        head = "".join(re.findall(r"(?m)^#.*\n", text))
        texts += [text] + [head + re.sub(r"(?m)^#.*\n", "", p) for p in parts[1:]]
    return texts


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("files", nargs="*")
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--tools", required=True, help="folder of tile-opt")
    parser.add_argument("--timeout", type=float, default=10, help="seconds a run")
    parser.add_argument("--seconds", type=float, default=0, help="stop starting after")
    parser.add_argument("--reduce", type=int, default=200, help="trials; 0: do not")
    parser.add_argument("--failures", default="mutate-failures")
    arguments = parser.parse_args()
    texts = sources(arguments.files)
    tool = os.path.join(arguments.tools, "tile-opt")
    begin, done, rejected, kinds = time.time(), 0, 0, {}
    for seed in range(arguments.seed, arguments.seed + arguments.count):
        if arguments.seconds and time.time() - begin > arguments.seconds:
            break
        generator = random.Random(seed)
        if not texts or generator.random() < 0.3:
            text = generate(generator.randrange(100000))[0]
        else:
            text = generator.choice(texts)
        text = mutate(generator, text)
        chip = generator.choice(["sm_80", "sm_90a"])
        command = [tool, "@"] + (["--emit=ptx", f"--chip={chip}", "-o", os.devnull]
                                 if generator.random() < 0.8 else ["-o", os.devnull])
        status, output = run(command, text, arguments.timeout)
        kind = problem(status, output)
        done += 1
        rejected += status == 1
        if not kind:
            continue
        kinds.setdefault(kind, []).append(seed)
        print(f"seed {seed}: {kind}", flush=True)
        os.makedirs(arguments.failures, exist_ok=True)
        if arguments.reduce and kind != "timeout":
            text = reduceText(text, lambda t: problem(*run(command, t, arguments.timeout))
                              == kind, arguments.reduce)
            output = run(command, text, arguments.timeout)[1]
        with open(os.path.join(arguments.failures, f"{seed}.mlir"), "w") as file:
            file.write(f"// {kind}\n// {' '.join(command)}\n{text}\n")
            file.write("".join(f"// {line}\n" for line in output.splitlines()[:40]))
    failed = sum(len(s) for s in kinds.values())
    print(f"{done} texts, {rejected} refused, {failed} failures, "
          f"{time.time() - begin:.0f} s")
    for kind, seeds in sorted(kinds.items(), key=lambda item: -len(item[1])):
        print(f"  {len(seeds)} x {kind}: seeds {seeds[:8]}")
    return 1 if failed or not done else 0


if __name__ == "__main__":
    sys.exit(main())
