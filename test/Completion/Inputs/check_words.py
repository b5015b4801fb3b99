"""Every word that a tool completes to is one of its options: what it says of none is that
it is unknown. And every option of its help is completed.

  check_words.py TOOL ARGUMENTS that it has besides
"""

import re
import subprocess
import sys

UNKNOWN = re.compile(r"[Uu]nknown (?:command line argument|option)")


def output(*command: str) -> str:
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, timeout=60,
                          check=False)
    return (done.stdout + done.stderr).decode()


def words(tool: str, prefix: str) -> list[str]:
    return [line.split("\t")[0] for line in output(tool, f"--complete={prefix}").splitlines()]


def main() -> int:
    tool, *others = sys.argv[1:]
    names = words(tool, "--")
    wrong = []
    for name in names:
        value = "1" if name.endswith("=") else ""
        if UNKNOWN.search(said := output(tool, *others, name + value)):
            wrong.append(f"{name}: {said.strip().splitlines()[0]}")
        if name.endswith("="):
            wrong += [f"{value} is none of {name}" for value in words(tool, name)
                      if not value.startswith(name)]
    for option in re.findall(r"^  (--[a-z][a-z-]*)", output(tool, "--help"), re.M):
        if not any(name.rstrip("=") == option for name in names):
            wrong.append(f"{option} is not completed")
    print(f"{len(names)} words, {len(wrong)} wrong")
    print("\n".join(wrong))
    return 1 if wrong or not names else 0


if __name__ == "__main__":
    sys.exit(main())
