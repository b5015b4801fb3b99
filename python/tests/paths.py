"""Where the source tree and the tools are."""
import os
from pathlib import Path

SOURCE = Path(os.environ.get("TILE_SOURCE", Path(__file__).parents[2]))
BUILD = Path(os.environ.get("TILE_BUILD", SOURCE / "build"))
EXAMPLES = SOURCE / "examples"
TOOLS = BUILD / "bin"
