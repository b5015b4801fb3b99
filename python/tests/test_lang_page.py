"""The blocks of docs/PythonLanguage.md: each runs, in order, and prints what stands below."""
import contextlib
import io
import re

from paths import SOURCE


def read_blocks():
    """Pairs of a block of Python and the text below it, None where there is none."""
    page = (SOURCE / "docs/PythonLanguage.md").read_text()
    pattern = r"^```python\n(.*?)^```\n(?:```text\n(.*?)^```$)?"
    return re.findall(pattern, page, re.M | re.S)


def test_the_page(tmp_path, monkeypatch):
    monkeypatch.setenv("TILEC_CACHE_DIR", str(tmp_path / "cache"))
    namespace = {"__name__": "page"}
    blocks = read_blocks()
    assert len(blocks) >= 4
    for number, (block, expected) in enumerate(blocks):
        path = tmp_path / f"block{number}.py"
        path.write_text(block)
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(block, str(path), "exec"), namespace)
        assert printed.getvalue() == expected
