"""Arrays in the memory of a GPU, by `__cuda_array_interface__` or DLPack: of PyTorch, CuPy, JAX, ..

Kernels have them in place. Their streams are waited for before the first launch, and a call
returns when its launches have ended.
"""
from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Optional

import numpy as np

from . import _native

_CUDA, _CUDA_MANAGED = 2, 13  # DLDeviceType
# DLDataTypeCode and bits -> names of NumPy's and ml_dtypes' types
_KINDS = {0: "int", 1: "uint", 2: "float"}
_NAMED = {(4, 16): "bfloat16", (6, 8): "bool", (9, 8): "float8_e4m3", (10, 8): "float8_e4m3fn",
          (12, 8): "float8_e5m2", (14, 8): "float8_e8m0fnu", (15, 6): "float6_e2m3fn",
          (16, 6): "float6_e3m2fn", (17, 4): "float4_e2m1fn"}


@dataclass(frozen=True)
class GpuArray:
    """An array on the first GPU. Strides count elements; `keep` owns the memory."""
    address: int
    dtype: str           # the name of a type of NumPy or ml_dtypes
    shape: tuple[int, ...]
    strides: tuple[int, ...]
    is_read_only: bool
    keep: Any

    @property
    def is_row_major(self) -> bool:
        step = 1
        for size, stride in zip(reversed(self.shape), reversed(self.strides)):
            if size > 1 and stride != step:
                return False
            step *= size
        return True


def find(given: Any) -> Optional[GpuArray]:
    """The array on a GPU that an object is, or None. ValueError where it is on another GPU."""
    interface = getattr(given, "__cuda_array_interface__", None)
    if isinstance(interface, dict):
        return _from_interface(given, interface)
    device = getattr(given, "__dlpack_device__", None)
    if device is None or isinstance(given, np.ndarray):
        return None
    kind, number = device()
    if int(kind) not in (_CUDA, _CUDA_MANAGED):
        return None
    if number != 0:
        raise ValueError(f"lies on GPU {number}, programs run on GPU 0")
    return _from_dlpack(given)


def _from_interface(given: Any, interface: dict[str, Any]) -> GpuArray:
    dtype = np.dtype(interface["typestr"])
    shape = tuple(interface["shape"])
    address, is_read_only = interface["data"]
    strides = interface.get("strides")
    if strides is None:
        steps = np.cumprod([1, *reversed(shape)])[:-1][::-1]
        strides = tuple(int(step) * dtype.itemsize for step in steps)
    if any(stride % dtype.itemsize for stride in strides):
        raise ValueError(f"has strides of {strides} bytes for elements of {dtype.itemsize}")
    return GpuArray(address or 0, dtype.name, shape,
                    tuple(stride // dtype.itemsize for stride in strides), is_read_only, given)


def _from_dlpack(given: Any) -> GpuArray:
    exported = _native.Exported(given)
    code, bits = exported.dtype
    name = _NAMED.get((code, bits)) or f"{_KINDS.get(code, f'DLPack type {code} of ')}{bits}"
    return GpuArray(exported.address, name, tuple(exported.shape), tuple(exported.strides),
                    exported.is_read_only, exported)
