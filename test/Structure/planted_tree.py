"""Runs a checker on a tree that a test plants."""

import subprocess
import sys
import tempfile
from pathlib import Path


def run(checker, files):
    """`checker` on a directory with these files, by their path."""
    with tempfile.TemporaryDirectory() as directory:
        for name, text in files.items():
            path = Path(directory, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        return subprocess.run([sys.executable, checker, directory],
                              capture_output=True, text=True, check=False)
