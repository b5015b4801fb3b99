#!/usr/bin/env python3
"""Every public header compiles alone: check-headers.py SOURCE BUILD SHARD SHARDS.

Who includes one header should not have to know which others stand in front of it. Each
is compiled with the flags of the build, without its precompiled header, so that what is
missing is not there by chance. A header that includes another is compiled behind it, at
once, or on top of it, precompiled: neither gives it what it would not have alone, and both
save time. The chains of one SHARD of SHARDS are, from 0.
"""

import json
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

# Which many headers include, and which takes most of their time.
COMMON = "tile/Dialect/Tile/TileOps.h"


def get_flags(build):
    """The compiler and its flags, as a file of the pipeline is compiled."""
    commands = json.loads((build / "compile_commands.json").read_text())
    entry = next(entry for entry in commands
                 if entry["file"].endswith("lib/Pipeline/Compile.cpp"))
    words = shlex.split(entry["command"])
    compiler = next(word for word in words if re.search(r"(clang|g)\+\+[-\d.]*$", word))
    flags = [word for word in words if re.match(r"-(I|std=|W|D|f)", word)]
    for first, second in zip(words, words[1:]):
        if first == "-isystem":
            flags += [first, second]
    # What belongs to the precompiled header.
    return [compiler] + [flag for flag in flags
                         if "pch" not in flag and flag != "-Werror"]


def find_closures(folder):
    """The headers that each header of `folder` includes, itself included, by name."""
    texts = {str(path.relative_to(folder)): path.read_text()
             for path in sorted(folder.rglob("*.h"))}
    direct = {name: {found for found in re.findall(r'#include ["<]([^">]+)[">]', text)
                     if found in texts} for name, text in texts.items()}
    closures = {}

    def close(name):
        if name not in closures:
            closures[name] = {name}
            closures[name] = {name}.union(*map(close, direct[name]))
        return closures[name]

    for name in texts:
        close(name)
    return closures


def make_chains(closures):
    """The headers in few chains, in each of which a header includes those in front of it:
    compiled behind them it has nothing that it would not have alone."""
    left, chains = set(closures), []
    while left:
        chain, within = [], left
        while within:
            last = max(within, key=lambda name: (len(closures[name]), name))
            chain.insert(0, last)
            left.discard(last)
            within = closures[last] & left
        chains.append(chain)
    return chains


def compile_headers(command, names):
    """What the compiler says of a file that includes the headers; empty if nothing."""
    text = "".join(f'#include "{name}"\n' for name in names)
    result = subprocess.run(command, input=text, text=True, capture_output=True,
                            check=False)
    return "\n".join(result.stderr.splitlines()[:4]) if result.returncode else ""


def precompile(flags, folder):
    """The options to compile on top of the common header; none where it fails."""
    target = Path(folder) / "common.pch"
    result = subprocess.run(flags + ["-x", "c++-header", "-", "-o", str(target)], text=True,
                            input=f'#include "{COMMON}"\n', capture_output=True, check=False)
    return ["-include-pch", str(target)] if result.returncode == 0 else []


def check_chains(chains, closures, flags, on_top):
    """How many headers there are, and how many do not compile alone."""
    command = flags + ["-fsyntax-only", "-x", "c++", "-"]
    count = failures = 0
    for chain in chains:
        count += len(chain)
        is_on_top = COMMON in closures[chain[0]] - {chain[0]}
        together = compile_headers(command + (on_top if is_on_top else []), chain)
        alone = {name: errors for name in chain
                 if together and (errors := compile_headers(command, [name]))}
        for name, errors in alone.items():
            print(f"{name} does not compile alone:\n{errors}")
        if together and not alone:
            print(f"{', '.join(chain)} do not compile together:\n{together}")
        failures += len(alone) or bool(together)
    return count, failures


def main():
    source, build = Path(sys.argv[1]), Path(sys.argv[2])
    shard, shards = int(sys.argv[3]), int(sys.argv[4])
    closures = find_closures(source / "include")
    above = {name for name, closure in closures.items() if COMMON in closure - {name}}
    chains = [chain for part in (above, closures.keys() - above)
              for chain in make_chains({name: closures[name] for name in part})]
    chains = chains[shard::shards]
    flags = get_flags(build)
    with tempfile.TemporaryDirectory() as folder:
        count, failures = check_chains(chains, closures, flags, precompile(flags, folder))
    print(f"{count - failures} of {count} headers compile alone, in {len(chains)} chains")
    return 1 if failures or not count else 0


sys.exit(main())
