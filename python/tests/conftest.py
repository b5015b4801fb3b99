"""What tests of this folder share."""
import sys

import pytest
from paths import SOURCE, TOOLS
from toolbox import Tools

sys.path.insert(0, str(SOURCE / "python" / "examples"))
if sys.version_info < (3, 11):  # which has no columns, and so no names of values
    collect_ignore = ["test_lang_text.py", "test_lang_errors.py", "test_lang_page.py"]


@pytest.fixture(scope="session")
def tools():
    if not (TOOLS / "tile-opt").exists():
        pytest.fail(f"no tile-opt in {TOOLS}; TILE_BUILD names the build folder")
    return Tools()
