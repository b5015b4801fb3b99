"""Several mutants of one file in one source, which is compiled and linked once.

Most of a mutant's time goes to what its file includes. So the body of the function that
a mutant changes stands there once more for each, and the environment says at run time
which of them is meant:

    int getWidth(Type type) { if (TILE_MUTANT == 2) {
      return bits / 4;
    } else {
      return bits / 8;
    } }

A change outside of a body, of a declaration or a table, has a source of its own.
"""

import re

VARIABLE = "TILE_MUTANT"

PREAMBLE = f"""\
#include <cstdlib>
static const int {VARIABLE} =
    std::getenv("{VARIABLE}") ? std::atoi(std::getenv("{VARIABLE}")) : 0;
"""

# What is no code: comments, and literals, in which a brace is none.
NO_CODE = re.compile(r'//[^\n]*|/\*.*?\*/|R"\((?:.*?)\)"|"(?:\\.|[^"\\\n])*"'
                     r"|'(?:\\.|[^'\\\n])'", re.DOTALL)
# What stands between the parameters of a function and its body.
BODY_FOLLOWS = re.compile(r"\)\s*(const|override|final|noexcept|\s)*$")


def blank_no_code(text):
    """`text` with spaces for all that is no code, as long as it is."""
    return NO_CODE.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), text)


def find_body(code, begin, end):
    """The outermost body of a function around [begin, end) of `code`: where it begins,
    behind its brace, and where it ends. None where there is none."""
    opened, bodies = [], []
    for match in re.finditer(r"[{}]", code):
        if match[0] == "{":
            opened.append(match.start())
        elif opened:
            start = opened.pop()
            if start < begin and end <= match.start():
                head = code[max(code.rfind(mark, 0, start) for mark in ";{}") + 1:start]
                if BODY_FOLLOWS.search(head):
                    bodies.append((start + 1, match.start()))
    return bodies[-1] if bodies else None


def switch(text, changes):
    """`text` with those `changes` that are within a body, [(find, with)], and of each the
    number that chooses it, None if it is not within one."""
    code, bodies, numbers = blank_no_code(text), {}, []
    for number, (find, _) in enumerate(changes, 1):
        begin = text.index(find)
        body = find_body(code, begin, begin + len(find))
        numbers.append(number if body else None)
        if body:
            bodies.setdefault(body, []).append(number)
    for (begin, end), chosen in sorted(bodies.items(), reverse=True):
        body = text[begin:end]
        mutants = "".join(
            f" if ({VARIABLE} == {number}) {{{body.replace(*changes[number - 1])}}} else"
            for number in chosen)
        text = f"{text[:begin]}{mutants} {{{body}}} {text[end:]}"
    return PREAMBLE + text, numbers
