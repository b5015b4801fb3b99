"""Arrays of other packages in memory of the host, as NumPy's."""
from __future__ import annotations

from typing import Any, Optional

import numpy as np


def as_array(given: Any) -> Optional[np.ndarray]:
    """An array, or what shares memory with one; None of anything else. TypeError where the memory
    is not the host's."""
    if isinstance(given, np.ndarray):
        return given
    if hasattr(given, "__array_interface__") and not isinstance(given, np.generic):
        return np.asarray(given)
    if hasattr(given, "__dlpack__"):
        try:
            return np.from_dlpack(given)
        except (BufferError, RuntimeError, ValueError) as error:
            raise TypeError(f"is no array that NumPy can share: {error}") from None
    return None
