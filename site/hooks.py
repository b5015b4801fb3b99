"""What the site adds to the pages of docs/: MkDocs calls these functions by name.

- The navigation is docs/README.md: a section for each heading, a page for each row. A row that
  links to a folder stands for all pages of the folder.
- Links that leave docs/, to an example for instance, lead to a page that shows that file.
- Blocks of MLIR and PTX are colored.
"""

import os
import re
import sys
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

SITE = Path(__file__).resolve().parent
ROOT = SITE.parent
DOCS = ROOT / "docs"
SHOWN = "tree"  # the folder of the site with files of the tree

sys.path += [str(SITE), str(ROOT / "scripts")]
import lexers  # noqa: E402
from pages import BLOCK, CODE, read_links  # noqa: E402

LINKED = re.compile(r"\[(?P<text>[^]\n]*)\]\((?P<link>[^)\s]+)\)")
LANGUAGES = {".mlir": "mlir", ".py": "python", ".cpp": "cpp", ".h": "cpp", ".td": "text",
             ".txt": "cmake"}


def get_title(path: Path) -> str:
    return re.search(r"^# (.*)$", path.read_text(), re.M)[1].replace("`", "")


def list_folder(folder: Path) -> list[Path]:
    """The pages of a folder."""
    return sorted(folder.glob("*.md"))


def make_navigation() -> list:
    """What docs/README.md lists, as MkDocs wants it."""
    text = (DOCS / "README.md").read_text()
    navigation: list = [{"Documentation": "README.md"}]
    for heading, body in re.findall(r"^## (.*?)\n(.*?)(?=^## |\Z)", text, re.M | re.S):
        entries = []
        for link in re.findall(r"^\| \[[^]]*\]\(([^)]*)\)", body, re.M):
            target = DOCS / link
            # The chapters of Tutorial.md are in tutorial/.
            folder = target if target.is_dir() else DOCS / target.stem.lower()
            if not folder.is_dir():
                entries.append({get_title(target): link})
                continue
            first = f"{link.rstrip('/')}/index.md" if target.is_dir() else link
            title = folder.name.capitalize() if target.is_dir() else get_title(target)
            pages = [str(page.relative_to(DOCS)) for page in list_folder(folder)]
            entries.append({title: [first, *pages]})
        navigation.append({heading: entries})
    return navigation


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    lexers.register()
    config.nav = make_navigation()
    return config


def find_target(page: Path, link: str) -> Path | None:
    """The file or folder of the tree that a link of a page leads to."""
    name = link.partition("#")[0]
    if not name or ":" in name:
        return None
    target = Path(os.path.normpath(page.parent / name))
    return target if target.exists() else None


def find_page(target: Path) -> str | None:
    """The page made for a file outside of docs/ or for a folder; none of a page of docs/."""
    if not target.is_relative_to(DOCS):
        return f"{SHOWN}/{target.relative_to(ROOT)}.md"
    return f"{target.relative_to(DOCS)}/index.md" if target.is_dir() else None


def show_file(path: Path) -> str:
    language = LANGUAGES.get(path.suffix, "text")
    return f"````{language}\n{path.read_text(errors='replace')}````\n"


def show(path: Path) -> str:
    """The text of a page made for a file or folder: the file, the folder's pages or its files."""
    if path.is_relative_to(DOCS):
        rows = "".join(f"- [{get_title(page)}]({page.name})\n" for page in list_folder(path))
        return f"# {path.name.capitalize()}\n\n{rows}"
    name = path.relative_to(ROOT)
    if path.is_file():
        return f"# {name}\n\n{show_file(path)}"
    files = [file for file in sorted(path.rglob("*")) if file.is_file()]
    return f"# {name}\n\n" + "\n".join(
        f"## {file.relative_to(path)}\n\n{show_file(file)}" for file in files)


def on_files(files: Files, config: MkDocsConfig) -> Files:
    targets = {target for page in DOCS.rglob("*.md") for link in read_links(page.read_text())
               if (target := find_target(page, link))}
    for target in sorted(targets):
        if uri := find_page(target):
            files.append(File.generated(config, uri, content=show(target)))
    files.append(File.generated(config, "site.css", content=(SITE / "site.css").read_text()))
    return files


def redirect(match: re.Match, source: Path) -> str:
    """A link as the site has it: to the page made for its target, and by the title of a page
    where it is called by its file."""
    text, link = match["text"], match["link"]
    target = find_target(source, link)
    if not target:
        return match[0]
    if uri := find_page(target):
        return f"[{text}]({os.path.relpath(DOCS / uri, source.parent)})"
    return f"[{get_title(target) if text == target.name else text}]({link})"


def redirect_links(text: str, source: Path) -> str:
    """A page with its links redirected; code keeps what looks like one."""
    end, result = 0, ""
    code = re.compile(f"{BLOCK.pattern}|{CODE.pattern}(?!\\])", re.M | re.S)
    for span in [*code.finditer(text), None]:
        begin = span.start() if span else len(text)
        result += LINKED.sub(lambda match: redirect(match, source), text[end:begin])
        if span:
            result += span[0]
            end = span.end()
    return result


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    source = DOCS / page.file.src_uri
    if page.file.src_uri.startswith(f"{SHOWN}/"):
        return markdown
    # The site has a table of contents beside each page.
    return redirect_links(markdown.replace("\n[TOC]\n", "\n"), source)
