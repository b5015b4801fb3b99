"""Writes an .npy file of f32 whose header has a shape and that has no data.

Usage: write-npy-header.py FILE SHAPE
"""

import sys

path, shape = sys.argv[1:]
header = f"{{'descr': '<f4', 'fortran_order': False, 'shape': {shape}, }}"
header = header.ljust(117) + "\n"
with open(path, "wb") as file:
    file.write(b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little"))
    file.write(header.encode())
