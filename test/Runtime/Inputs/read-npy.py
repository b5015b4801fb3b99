"""read-npy.py FILE: the numbers of an .npy file of f4, on one line."""

import struct
import sys

with open(sys.argv[1], "rb") as file:
    data = file.read()
begin = 10 + struct.unpack("<H", data[8:10])[0]
count = (len(data) - begin) // 4
print(*(f"{number:g}" for number in
        struct.unpack(f"<{count}f", data[begin:])))
