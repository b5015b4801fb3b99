#!/usr/bin/env python3
"""A page that shows something wrong is noticed: pages-test.py ROOT.

Runs scripts/run-page and the check of links on small pages, right and wrong ones.
"""

import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(sys.argv[1])
sys.path.append(str(ROOT / "scripts"))
from pages import find_broken_links, get_anchors, is_shown  # noqa: E402


def make_page(output: str, command: str = "cat a.txt; echo two >&2; exit 3") -> str:
    return ("# Page\n\n```mlir\n// a.txt\none\n```\n\n"
            f"```sh\n{command}\n```\n\n```text\n{output}```\n")


def run_page(text: str, *options: str) -> tuple[int, str, str]:
    """The exit status of run-page, what it prints, and the page afterwards."""
    with tempfile.TemporaryDirectory() as directory:
        page = Path(directory, "page.md")
        page.write_text(text)
        result = subprocess.run(
            [sys.executable, ROOT / "scripts/run-page", f"--work={directory}/work",
             f"--bin={directory}", *options, page], capture_output=True, text=True, check=False)
        return result.returncode, result.stdout, page.read_text()


def test_outputs() -> None:
    right = "// a.txt\none\ntwo\nexit status 3\n"
    assert run_page(make_page(right))[:2] == (0, "1 commands\n")
    assert run_page(make_page("...\ntwo\n...\n"))[0] == 0
    for wrong in ("", "one\n", right.replace("two", "too"), right.replace("3", "0")):
        status, printed, _ = run_page(make_page(wrong))
        assert status == 1 and f"prints:\n{right}" in printed, printed
        assert run_page(make_page(wrong), "--update")[2] == make_page(right)


def test_commands() -> None:
    # Without an output a command has to succeed, in all of its parts.
    for command in ("false", "false; true", "false | true"):
        assert run_page(f"```sh\n{command}\n```\n")[0] == 1
    assert run_page("```sh\necho printed\n```\n")[0] == 0
    assert run_page("no command\n")[0] == 1


def test_pictures() -> None:
    with tempfile.TemporaryDirectory() as directory:
        page, picture = Path(directory, "page.md"), Path(directory, "pictures/a.svg")
        page.write_text("```sh\necho new > a.svg\n```\n\n![A](pictures/a.svg)\n")
        command = [sys.executable, ROOT / "scripts/run-page", f"--work={directory}/work", page]

        def run(*options: str) -> tuple[int, str]:
            result = subprocess.run([*command, *options], capture_output=True, text=True,
                                    check=False)
            return result.returncode, result.stdout

        assert run()[0] == 1
        assert run("--update")[0] == 0 and picture.read_text() == "new\n"
        assert run()[0] == 0
        picture.write_text("old\n")
        assert "is not what the commands write" in run()[1]
        page.write_text("```sh\ntrue\n```\n\n![B](pictures/b.svg)\n")
        assert "no command writes b.svg" in run()[1]


def test_elision() -> None:
    assert is_shown("a 1.5 b\nc\nd\n", "a ... b\n...\n")
    assert not is_shown("a 1.5 c\n", "a ... b\n")
    assert not is_shown("a\nb\n", "a ...\n")


def test_links() -> None:
    assert get_anchors("# A `b.c`, d_e\n## A\n## A\n```\n# no\n```\n") == {
        "a-bc-d_e", "a", "a-1"}
    with tempfile.TemporaryDirectory() as directory:
        page, other = Path(directory, "page.md"), Path(directory, "other.md")
        other.write_text("# There\n")
        page.write_text("# Here\n[a](other.md#there) [b](#here) [c](https://x.org#y)\n"
                        "[d](other.md#gone) [e](#gone) [f](gone.md)\n")
        assert find_broken_links(page) == [
            "no heading other.md#gone", "no heading #gone", "no file gone.md"]


test_outputs()
test_commands()
test_pictures()
test_elision()
test_links()
