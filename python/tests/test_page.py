"""docs/Python.md: its blocks run, in their order, and what it names is there."""
import re

import tilec
from paths import SOURCE

PAGE = (SOURCE / "docs" / "Python.md").read_text()


def test_blocks():
    blocks = re.findall(r"^```python\n(.*?)^```$", PAGE, re.M | re.S)
    assert len(blocks) >= 4
    scope = {}
    for block in blocks:
        exec(compile(block, "docs/Python.md", "exec"), scope)


def test_names():
    for name in set(re.findall(r"tilec\.(\w+)", PAGE)):
        assert hasattr(tilec, name), name


def test_members():
    """Every name in the tables is one."""
    program = tilec.compile(re.search(r'source = """(.*?)"""', PAGE, re.S)[1], chip="sm_80")
    kernel = next(iter(program))
    for owner, title in ((program, "Of a program"), (kernel, "Of a kernel")):
        table = PAGE[PAGE.index(f"| {title} |"):].split("\n\n")[0]
        names = [name for row in table.splitlines()[2:]
                 for name in re.findall(r"`(\w+)`", row.split("|")[1])]
        assert len(names) >= 5
        for name in names:
            assert name == "cubin" or hasattr(owner, name), name  # which needs ptxas


def test_documented_options():
    import inspect
    for function in (tilec.compile, tilec.emulate):
        for name in inspect.signature(function).parameters:
            assert re.search(rf"\b{name}\b", PAGE), name
