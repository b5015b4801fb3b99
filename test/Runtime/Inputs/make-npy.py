"""make-npy.py FILE TYPE SHAPE [scaled=X]: an .npy file of 0, X, 2 X, .. (X is 1).

TYPE is f4, f8 or u4, SHAPE such as 16x32. NumPy is not needed.
"""

import math
import struct
import sys

path, kind, sizes = sys.argv[1:4]
factor = float(sys.argv[4].removeprefix("scaled=")) if len(sys.argv) > 4 else 1
shape = tuple(int(size) for size in sizes.split("x"))
header = f"{{'descr': '<{kind}', 'fortran_order': False, 'shape': {shape}, }}"
header += " " * (-(len(header) + 11) % 64) + "\n"
count = math.prod(shape)
numbers = [i * factor for i in range(count)]
if kind == "u4":
    numbers = [int(number) for number in numbers]
with open(path, "wb") as file:
    file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)))
    file.write(header.encode())
    code = {"f4": "f", "f8": "d", "u4": "I"}[kind]
    file.write(struct.pack(f"<{count}{code}", *numbers))
