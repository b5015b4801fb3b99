"""Checks docs/Language.md against the compiler.

Usage: check-language.py SOURCE_DIR TILE_OPT RECORDS

RECORDS is what mlir-tblgen --print-records says of the dialect's operations.

- Every ```mlir block parses and verifies. In the text every operation with its types does,
  but for its operands, of which nothing is known.
- The table of operations is the one of LegalOperations.cpp and of the operations'
  traits; the list of `math` functions is the compiler's. What the table should be is
  printed where it differs.
- A heading of the page that a comment quotes (Language.md, "Heading") is there.
"""
import re
import subprocess
import sys
from pathlib import Path

PLACES = {"host": "host", "block": "launch body", "iteration": "`tile.parallel`",
          "once": "`tile.once`", "combiner": "combiner", "kernel": "kernel"}
GROUPS = {"everywhere": {"host", "block", "kernel", "iteration", "once", "combiner"},
          "block": {"block", "kernel"}, "at(Place::Block)": {"block"}}
# `tile.broadcast %m dims [1] : tensor<..> -> tensor<..>`
OPERATION = re.compile(r"`((?:%\w+ = )?[a-z]+\.\w+ [^`]*: (?:tensor|memref)<[^`]*)`")
AROUND = """#shared = #gpu.address_space<workgroup>
#a = #tile.fragment<[32, 64], register = [64 : (0, 1)], lane = [32 : (1, 0)], warp = []>
#b = #tile.fragment<[32, 64], register = [32 : (1, 0), 2 : (0, 1)], lane = [32 : (0, 2)], warp = []>
func.func @f(%blocks: index) {{
  tile.launch blocks(%block) in (%blocks) threads(32) {{
    {}
  }}
  return
}}
"""
BEGIN, END = "<!-- operations begin -->\n", "<!-- operations end -->"


def read_rules(source):
    """(operation, places) as the table of the verifier has them."""
    table = source[source.index("constexpr Rule rules[]"):]
    table = table[:table.index("};")]
    for name, places in re.findall(r'\{"([\w.]+)",\s*([^}]+)\}', table):
        allowed = set()
        for term in places.split("|"):
            allowed |= GROUPS.get(term.strip(), {term.strip()})
        yield name, allowed


def read_traits(records):
    """The same of the dialect's operations, whose traits say it."""
    traits = dict(re.findall(
        r'^def (\w+) {[^\n]* StandsIn\n  string trait = "StandsIn(\w+)"',
        records, re.M))
    for record in re.findall(r"^def \w+ {\t// Op Tile_Op.*?^}", records,
                             re.M | re.S):
        name = re.search(r'string opName = "(\w+)"', record).group(1)
        listed = re.search(r"list<Trait> traits = \[(.*?)\]", record).group(1)
        allowed = set()
        for trait in listed.split(", "):
            if trait in traits:
                place = traits[trait].lower()
                allowed |= GROUPS.get(place, {place})
        if not allowed:
            sys.exit(f"the records do not say where tile.{name} may stand")
        yield f"tile.{name}", allowed


def make_table(source, records):
    lines = ["| Operation | " + " | ".join(PLACES.values()) + " |",
             "|---" * (len(PLACES) + 1) + "|"]
    for name, allowed in sorted([*read_rules(source), *read_traits(records)]):
        marks = ["x" if place in allowed else "" for place in PLACES]
        lines.append(f"| `{name}` | " + " | ".join(marks) + " |")
    return "\n".join(lines) + "\n"


def check_examples(page, tile_opt):
    blocks = re.findall(r"```mlir\n(.*?)```", page, re.S)
    for block in blocks:
        run = subprocess.run([tile_opt, "-o", "/dev/null"], text=True,
                             input=block, capture_output=True)
        if run.returncode != 0:
            yield f"{block}\n{run.stderr}"
    if not blocks:
        yield "the page has no example"


def check_inline(page, tile_opt):
    text = re.sub(r"```.*?```", "", page, flags=re.S)
    operations = [operation for operation in OPERATION.findall(text)
                  if ".." not in operation]
    for operation in operations:
        run = subprocess.run([tile_opt, "-o", "/dev/null"], text=True,
                             input=AROUND.format(operation), capture_output=True)
        errors = re.findall(r"error: (.*)", run.stderr)
        if any(not error.startswith("use of undeclared SSA value") for error in errors):
            yield f"{operation}\n{run.stderr}"
    if len(operations) < 5:
        yield f"the text has {len(operations)} operations"


def check_operations(page, source, records):
    table = make_table(source, records)
    if page[page.index(BEGIN) + len(BEGIN):page.index(END)] != table:
        yield f"the table of operations is not\n{table}"
    listed = source[source.index("mathFunctions[]"):]
    functions = re.findall(r'"(\w+)"', listed[:listed.index("};")])
    sentence = re.search(r"of `math` ([\w,\s]+)\.", page).group(1)
    if re.findall(r"\w+", sentence) != functions:
        yield f"the functions of `math` are not {', '.join(functions)}"


def check_headings(page, root):
    headings = set(re.findall(r"^#+ (.*)$", page, re.M))
    for folder in ("lib", "include", "test/Reference"):
        for path in sorted((root / folder).rglob("*")):
            if path.suffix not in (".h", ".cpp", ".td", ".mlir"):
                continue
            text = re.sub(r"\n\s*//+ ?", " ", path.read_text())
            for heading in re.findall(r'Language\.md, "([^"]+)"', text):
                if heading not in headings:
                    yield f'{path}: Language.md has no heading "{heading}"'


def main():
    root, tile_opt = Path(sys.argv[1]), sys.argv[2]
    page = (root / "docs/Language.md").read_text()
    source = (root / "lib/Dialect/Tile/Verify/LegalOperations.cpp").read_text()
    records = Path(sys.argv[3]).read_text()
    failures = [*check_examples(page, tile_opt), *check_inline(page, tile_opt),
                *check_operations(page, source, records),
                *check_headings(page, root)]
    print(*failures, sep="\n")
    print(f"{len(failures)} failures")


main()
