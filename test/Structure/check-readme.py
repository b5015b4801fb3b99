#!/usr/bin/env python3
"""The README's commands print what it says: check-readme.py README BIN-DIRECTORY
[--update]

A block of commands (no language) followed by a block of output (```ptx or
```text) is run and compared; every other build/bin command is run and must
succeed. The ```mlir block is the end of the file that its commands name. Links
of the README and of all pages under docs must lead to files and headings, and
docs/Examples.md links to every example. With --update, output that has changed is written into the
README.
"""

import re
import subprocess
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[2] / "scripts"))
from pages import find_broken_links  # noqa: E402

OUTPUT_LANGUAGES = ("ptx", "text")


def main():
    readme, tools = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()
    update = "--update" in sys.argv[3:]
    root, text = readme.parent, readme.read_text()
    failures = []
    checked = 0
    blocks = re.findall(r"^```(\w*)\n(.*?)^```$", text, re.M | re.S)
    program = next(body for language, body in blocks if language == "mlir")
    for index, (language, body) in enumerate(blocks):
        command = body.strip()
        if language or not command.startswith("build/bin/"):
            continue
        words = command.split()
        words[0] = str(tools / Path(words[0]).name)
        result = subprocess.run(words, cwd=root, capture_output=True,
                                text=True, check=False)
        checked += 1
        if result.returncode:
            failures.append(f"{command}: {result.stderr}")
        following = blocks[index + 1] if index + 1 < len(blocks) else ("", "")
        if following[0] in OUTPUT_LANGUAGES:
            printed = result.stdout.strip()
            if printed != following[1].strip() and update:
                readme.write_text(readme.read_text().replace(
                    following[1], printed + "\n"))
            elif printed != following[1].strip():
                failures.append(f"{command} prints\n{result.stdout}")
            if not (root / words[1]).read_text().endswith(program):
                failures.append(f"{words[1]} is not the program shown")
    for page in [readme, *sorted((root / "docs").rglob("*.md"))]:
        failures += [f"{page.relative_to(root)}: {problem}"
                     for problem in find_broken_links(page)]
    listed = (root / "docs/Examples.md").read_text()
    failures += [f"docs/Examples.md: no row of {example.stem}"
                 for example in sorted((root / "examples").glob("*.mlir"))
                 if f"(../examples/{example.name})" not in listed]
    print("\n".join(failures) or f"{checked} commands")
    return 1 if failures or checked < 3 else 0


sys.exit(main())
