"""Reduces a failing text: statements are dropped while it still fails the same way.

Works on lines with braces: a statement is a line, or the lines from one that opens a
block to the line that closes it. Candidates are a statement with everything that uses
what it defines, and a statement replaced by one of its operands. Programs that become
invalid fail in another way, so no knowledge of types is needed.
"""

import re

NAME = re.compile(r"%[A-Za-z0-9_]+")
KEPT = ("func.func", "return", "tile.launch", "scf.yield", "tile.yield", "scf.condition",
        "#", "//", "}", "^bb")


def extent(lines, first):
    """End of the statement that starts at `first`."""
    depth, i = 0, first
    while i < len(lines):
        text = lines[i]
        depth += text.count("{") - text.count("}")
        i += 1
        if depth <= 0:
            return i
    return i


def definitions(line):
    head = line.split(" = ", 1)
    names = NAME.findall(head[0]) if len(head) == 2 and head[0].lstrip().startswith("%") else []
    return names


def isKept(line):
    text = line.strip()
    return not text or text.startswith(KEPT)


def withoutStatement(lines, first):
    """`lines` without a statement and all that depends on it, or None."""
    removed = set(range(first, extent(lines, first)))
    gone = set(definitions(lines[first]))
    for i in range(first, len(lines)):
        if i in removed or not gone:
            continue
        text = lines[i]
        defined = set(definitions(text))
        used = set(NAME.findall(text)) - defined
        if used & gone:
            if isKept(text):
                return None
            removed.update(range(i, extent(lines, i)))
            gone |= defined
    return [t for i, t in enumerate(lines) if i not in removed]


def replacements(lines, first):
    """`lines` with a statement's result replaced by each earlier name it mentions."""
    names = definitions(lines[first])
    if len(names) != 1:
        return
    end = extent(lines, first)
    mentioned = []
    for text in lines[first:end]:
        mentioned += NAME.findall(text)
    pattern = re.compile(re.escape(names[0]) + r"(?![A-Za-z0-9_])")
    for other in dict.fromkeys(n for n in mentioned if n != names[0]):
        yield lines[:first] + [pattern.sub(other, t) for t in lines[end:]]


def launches(lines):
    """`lines` without one of several launches."""
    starts = [i for i, t in enumerate(lines) if t.strip().startswith("tile.launch")]
    if len(starts) > 1:
        for first in starts:
            yield lines[:first] + lines[extent(lines, first):]


def unwrapped(lines, first):
    """`lines` with a block that gives no results replaced by its body."""
    text = lines[first].strip()
    if text.startswith("scf.if") and text.endswith("{"):
        end = extent(lines, first)
        body = lines[first + 1:end - 1]
        if not any("} else" in t for t in body):
            yield lines[:first] + body + lines[end:]


def reduceText(text, fails, limit=400):
    """The smallest text found for which `fails(text)` holds, within `limit` trials."""
    lines = text.splitlines()
    trials = 0

    def attempt(candidate):
        nonlocal trials
        trials += 1
        return trials <= limit and fails("\n".join(candidate) + "\n")

    changed = True
    while changed and trials < limit:
        changed = False
        for candidate in launches(lines):
            if attempt(candidate):
                lines, changed = candidate, True
                break
        i = len(lines) - 1
        while i >= 0 and trials < limit:
            i = min(i, len(lines) - 1)
            if not isKept(lines[i]):
                candidate = withoutStatement(lines, i)
                candidates = [candidate] if candidate is not None else []
                candidates += list(unwrapped(lines, i))
                if "arith.constant" not in lines[i]:
                    candidates += list(replacements(lines, i))
                for candidate in candidates:
                    if attempt(candidate):
                        lines, changed = candidate, True
                        break
            i -= 1
    return "\n".join(lines) + "\n"
