"""Checks that a page stands alone: its elements are closed in order, its ids are unique, its
links lead somewhere in it, and nothing is fetched from elsewhere. Prints what it is made of.
"""

import sys
from collections import Counter
from html.parser import HTMLParser

VOID = {"meta", "rect", "line"}
FETCHING = {"src", "srcset", "data", "poster", "xlink:href"}


class Page(HTMLParser):
    """The elements of a page, and what is wrong with them."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: Counter[str] = Counter()
        self.links: list[str] = []
        self.count: Counter[str] = Counter()
        self.problems: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.count[tag] += 1
        for name, value in attrs:
            if name == "id":
                self.ids[value or ""] += 1
            if name == "href" and tag == "a":
                self.links.append(value or "")
            elif name in FETCHING or name == "href":
                self.problems.append(f"<{tag} {name}={value}> fetches")
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        if tag in VOID:
            return
        if not self.open or self.open.pop() != tag:
            self.problems.append(f"line {self.getpos()[0]}: </{tag}> closes nothing")

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] in ("style", "script"):
            for word in ("http:", "https:", "@import", "url(", "fetch("):
                if word in data:
                    self.problems.append(f"{self.open[-1]} has {word}")


def main() -> int:
    page = Page()
    with open(sys.argv[1], encoding="utf-8") as file:
        page.feed(file.read())
    page.close()
    page.problems += [f"<{tag}> is not closed" for tag in page.open]
    page.problems += [f"id {name} stands {n} times" for name, n in page.ids.items() if n > 1]
    page.problems += [f"{link} leads nowhere" for link in page.links
                      if not link.startswith("#") or link[1:] not in page.ids]
    for tag in ("details", "svg", "figure", "table", "section"):
        print(f"{tag}: {page.count[tag]}")
    print(f"links: {len(page.links)}")
    for problem in page.problems:
        print(f"problem: {problem}")
    return 1 if page.problems else 0


if __name__ == "__main__":
    sys.exit(main())
