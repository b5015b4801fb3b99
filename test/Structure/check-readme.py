#!/usr/bin/env python3
"""The README's commands print what it says: check-readme.py README BIN-DIRECTORY
[--update]

Commands (```sh) are run and must succeed; what they print on standard output is
compared with the output that follows (scripts/pages.py). The ```mlir block is the end of
the file that its commands name. Links of the README and of all pages under docs must lead
to files and headings, and docs/Examples.md links to every example. With --update, output
that has changed is written into the README.
"""

import subprocess
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[2] / "scripts"))
from pages import find_broken_links, read_blocks, read_commands  # noqa: E402


def main():
    readme, tools = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()
    update = "--update" in sys.argv[3:]
    root, text = readme.parent, readme.read_text()
    failures = []
    checked = 0
    program = next(block.text for block in read_blocks(text) if block.language == "mlir")
    for command in read_commands(text):
        words = command.block.text.split()
        words[0] = str(tools / Path(words[0]).name)
        result = subprocess.run(words, cwd=root, capture_output=True,
                                text=True, check=False)
        checked += 1
        if result.returncode:
            failures.append(f"{command.block.text}{result.stderr}")
        if not command.output:
            continue
        printed, shown = result.stdout.strip(), command.output.text
        if printed != shown.strip() and update:
            readme.write_text(readme.read_text().replace(shown, printed + "\n"))
        elif printed != shown.strip():
            failures.append(f"{command.block.text}prints\n{result.stdout}")
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
