"""Reads pages of the documentation: the files, commands, outputs and links they show.

A block of code is a *file* if its first line is a comment with nothing but a path
(`// axpy.mlir`, `# embed/CMakeLists.txt`), *commands* if its language is `sh`, and the
*output* of the commands in front of it if its language is `text` or `ptx` and it is the next
block of the page. A block of commands without an output has to succeed, whatever it prints.
A *picture*, an image in a folder `pictures`, is the file of that name that a command writes.
"""

import re
from dataclasses import dataclass
from pathlib import Path

BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.M | re.S)
PATH_LINE = re.compile(r"(?:#|//) ([\w./-]+\.\w+)\n")
OUTPUT_LANGUAGES = ("text", "ptx")
ELISION = "..."


@dataclass
class Block:
    """A fenced block of a page, without its fences."""
    language: str
    text: str
    line: int  # of its first line, from 1

    @property
    def file_name(self) -> str | None:
        """The path that its first line gives it; none if it is not a file."""
        match = PATH_LINE.match(self.text)
        return match[1] if match and self.language not in OUTPUT_LANGUAGES else None


@dataclass
class Command:
    """A block of commands, and the block of output that belongs to it if there is one."""
    block: Block
    output: Block | None


def read_blocks(text: str) -> list[Block]:
    return [Block(match[1], match[2], text.count("\n", 0, match.start(2)) + 1)
            for match in BLOCK.finditer(text)]


def read_commands(text: str) -> list[Command]:
    blocks = read_blocks(text)
    following = [*blocks[1:], None]
    return [Command(block, after if after and after.language in OUTPUT_LANGUAGES else None)
            for block, after in zip(blocks, following) if block.language == "sh"]


def write_files(text: str, directory: Path) -> list[str]:
    """Writes the files that a page shows; returns their names."""
    files = [block for block in read_blocks(text) if block.file_name]
    for block in files:
        path = directory / block.file_name
        path.parent.mkdir(parents=True, exist_ok=True)
        # What has not changed keeps its time, and is not built again.
        if not path.exists() or path.read_text() != block.text:
            path.write_text(block.text)
    return [block.file_name for block in files]


def read_pictures(text: str) -> list[str]:
    """The paths of a page's pictures."""
    return re.findall(r"!\[[^]]*\]\((pictures/[\w.-]+)\)", BLOCK.sub("", text))


def is_shown(printed: str, shown: str) -> bool:
    """Whether a page shows what was printed; a line `...` stands for any lines, and `...`
    in a line for any characters."""
    groups: list[list[str]] = [[]]
    for line in shown.splitlines():
        if line == ELISION:
            groups.append([])
        else:
            groups[-1].append(re.escape(line).replace(re.escape(ELISION), ".*"))
    lines = printed.splitlines()

    def stands(group: list[str], at: int) -> bool:
        return all(map(re.fullmatch, group, lines[at:at + len(group)]))

    # Each group stands as far in front as it may: no other choice leaves more for the rest.
    end = len(lines) - len(groups[-1])
    place = len(groups[0])
    if len(groups) == 1:
        return end == 0 and stands(groups[0], 0)
    if end < place or not stands(groups[0], 0) or not stands(groups[-1], end):
        return False
    for group in groups[1:-1]:
        found = (at for at in range(place, end - len(group) + 1) if stands(group, at))
        place = next(found, end) + len(group)
    return place <= end


# Links ----------------------------------------------------------------------

LINK = re.compile(r"\]\(([^)\s]+)\)")
CODE = re.compile(r"`[^`\n]*`")
HEADING = re.compile(r"^#+ +(.*?) *$", re.M)


def get_anchors(text: str) -> set[str]:
    """What links to headings of a page are called: as GitHub names them."""
    anchors: dict[str, int] = {}
    for heading in HEADING.findall(BLOCK.sub("", text)):
        shown = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading)
        anchor = re.sub(r"[^\w\- ]", "", shown.lower()).replace(" ", "-")
        count = anchors.get(anchor, 0)
        anchors[anchor] = count + 1
        if count:
            anchors[f"{anchor}-{count}"] = 1
    return set(anchors)


def read_links(text: str) -> list[str]:
    """The targets of a page's links; what code shows is none."""
    return LINK.findall(CODE.sub("", BLOCK.sub("", text)))


def find_broken_links(page: Path) -> list[str]:
    """The links of a page to files and headings that are not there. Links to other
    machines are not followed."""
    broken = []
    for link in read_links(page.read_text()):
        name, _, anchor = link.partition("#")
        if ":" in name:
            continue
        target = page.parent / name if name else page
        if not target.exists():
            broken.append(f"no file {link}")
        elif anchor and anchor not in get_anchors(target.read_text()):
            broken.append(f"no heading {link}")
    return broken
