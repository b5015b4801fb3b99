#!/usr/bin/env python3
"""Every public header compiles alone: check-headers.py SOURCE BUILD SHARD SHARDS.

Who includes one header should not have to know which others stand in front of it. Each
is compiled with the flags of the build, without its precompiled header, so that what is
missing is not there by chance. The headers of one SHARD of SHARDS are, from 0.
"""

import json
import re
import shlex
import subprocess
import sys
from pathlib import Path


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


def main():
    source, build = Path(sys.argv[1]), Path(sys.argv[2])
    shard, shards = int(sys.argv[3]), int(sys.argv[4])
    headers = sorted((source / "include").rglob("*.h"))
    command = get_flags(build) + ["-fsyntax-only", "-x", "c++", "-"]
    failures = 0
    for header in headers[shard::shards]:
        name = header.relative_to(source / "include")
        result = subprocess.run(command, input=f'#include "{name}"\n', text=True,
                                capture_output=True, check=False)
        if result.returncode != 0:
            failures += 1
            print(f"{name} does not compile alone:\n" +
                  "\n".join(result.stderr.splitlines()[:4]))
    count = len(headers[shard::shards])
    print(f"{count - failures} of {count} headers compile alone")
    return 1 if failures or not count else 0


sys.exit(main())
