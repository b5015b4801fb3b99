"""Reads C++ as far as the rules of the house need it: without a parser, for
code that clang-format has laid out."""

import re

TOKEN = re.compile(
    r'R"(?P<raw>[^()\s\\]{0,16})\(.*?\)(?P=raw)"'  # raw string
    r'|"(?:[^"\\\n]|\\.)*"'
    r"|(?<![0-9a-zA-Z])'(?:[^'\\\n]|\\.)+'"
    r"|//[^\n]*|/\*.*?\*/", re.S)
PREPROCESSOR = re.compile(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", re.M)
# What stands before a definition in the same place without being part of it.
LABEL = re.compile(r"\s*(?:(?:public|private|protected)\s*:(?!:))?\s*")
TEMPLATE = re.compile(r"\btemplate\s*<[^{;]*?>\s*(?=\w)")
SCOPE = re.compile(r'\s*(?:inline\s+)?(?:namespace\b|extern\s+"[^"]*"\s*$)')
CLASS = re.compile(r"\s*(?:(?:typedef|static|constexpr|inline|const)\s+)*"
                   r"(?:class|struct|union|enum)\b")


def blank(text):
    """`text` with a blank for every character but line ends."""
    return re.sub(r"[^\n]", " ", text)


def strip_comments(text):
    """The same lines without comments; literals stay."""
    return TOKEN.sub(lambda match: blank(match[0])
                     if match[0].startswith("/") else match[0], text)


def end_directive(match):
    """A directive's blanks. Behind the uses of a macro that defines functions it
    is undefined, and a declaration begins."""
    text = blank(match[0])
    return ";" + text[1:] if match[0].startswith("#undef") else text


def strip_literals(text):
    """The same lines without comments, literals and preprocessor."""
    text = TOKEN.sub(lambda match: blank(match[0]) if match[0][0] == "/"
                     else match[0][0] + blank(match[0][1:-1]) + match[0][-1],
                     text)
    return PREPROCESSOR.sub(end_directive, text)


def find_functions(text):
    """(first line, last line) of every function definition in a namespace or a
    class, from its return type to its closing brace."""
    code = strip_literals(text)
    functions = []
    scopes = []   # of the open braces outside of functions
    head = 0      # where the declaration that is being read starts
    parens = 0
    body = None   # (depth of braces, start) of the function that is being read
    for match in re.finditer(r"[(){};]", code):
        at, character = match.start(), match[0]
        if body:
            if character in "{}":
                depth, start = body
                depth += 1 if character == "{" else -1
                body = (depth, start)
                if depth == 0:
                    functions.append((code.count("\n", 0, start) + 1,
                                      code.count("\n", 0, at) + 1))
                    body, head = None, at + 1
        elif character in "()":
            parens += 1 if character == "(" else -1
        elif character == ";":
            if parens == 0 and "value" not in scopes:
                head = at + 1
        elif character == "}":
            if scopes and scopes.pop() != "value":
                head = at + 1
        else:
            kind = classify_brace(code[head:at], parens, scopes)
            if kind == "function":
                label = LABEL.match(code, head, at)
                body = (1, label.end())
            else:
                scopes.append(kind)
                if kind == "scope":
                    head = at + 1
    return functions


def classify_brace(declaration, parens, scopes):
    """What the brace after `declaration` opens: a namespace or class ("scope"),
    a "function" or, in an initializer, a "value"."""
    plain = declaration.rstrip()
    if parens > 0 or "value" in scopes or not plain or \
            plain[-1] in "=,({" or not declaration[-1].isspace():
        return "value"
    label = LABEL.match(declaration)
    plain = TEMPLATE.sub("", declaration[label.end():])
    if SCOPE.match(plain) or CLASS.match(plain):
        return "scope"
    return "function" if "(" in plain else "value"
