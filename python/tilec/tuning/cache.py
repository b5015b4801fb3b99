"""Results on disk, one file each, named by a hash of all that they follow from.

Files are written beside their names and renamed, so that several processes may share a folder.
What cannot be read, or is not what its name says, counts as absent and is written anew.
"""
from __future__ import annotations

import hashlib
import json
import os
import tempfile
from pathlib import Path
from typing import Any, Mapping, Optional


def get_default_folder() -> Path:
    """`$TILEC_CACHE_DIR`, else `tilec` in the user's folder of caches."""
    if folder := os.environ.get("TILEC_CACHE_DIR"):
        return Path(folder)
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "tilec"


def hash_json(content: Any) -> str:
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()


class Cache:
    """A folder of results, which is made when the first one is stored."""

    def __init__(self, folder: Optional[os.PathLike[str] | str] = None):
        self.folder = Path(folder) if folder is not None else get_default_folder() / "tuning"

    def _path(self, key: Mapping[str, Any]) -> Path:
        name = hash_json(key)
        return self.folder / name[:2] / f"{name}.json"

    def get(self, key: Mapping[str, Any]) -> Optional[dict[str, Any]]:
        """What is stored for a key, or None."""
        try:
            entry = json.loads(self._path(key).read_text())
            if entry["key"] == dict(key) and entry["hash"] == hash_json(entry["result"]):
                return entry["result"]
        except (OSError, ValueError, KeyError, TypeError):
            pass
        return None

    def put(self, key: Mapping[str, Any], result: Mapping[str, Any]) -> None:
        """Stores a result. A folder that cannot be written is no failure: nothing is kept."""
        path = self._path(key)
        text = json.dumps({"key": dict(key), "result": result, "hash": hash_json(result)})
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with tempfile.NamedTemporaryFile("w", dir=path.parent, delete=False) as file:
                file.write(text)
            os.replace(file.name, path)
        except OSError:
            return
