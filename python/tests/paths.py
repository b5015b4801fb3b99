"""Where the source tree and the tools are, and scripts in processes of their own."""
import os
import subprocess
import sys
from pathlib import Path

SOURCE = Path(os.environ.get("TILE_SOURCE", Path(__file__).parents[2]))
BUILD = Path(os.environ.get("TILE_BUILD", SOURCE / "build"))
EXAMPLES = SOURCE / "examples"
TOOLS = BUILD / "bin"


def run_script(script, **environment):
    """The finished process, which has this folder's modules and more of an environment."""
    paths = [str(Path(__file__).parent), os.environ.get("PYTHONPATH", "")]
    return subprocess.run([sys.executable, "-c", script], capture_output=True, text=True,
                          check=False, timeout=120,
                          env={**os.environ, "PYTHONPATH": os.pathsep.join(paths), **environment})
