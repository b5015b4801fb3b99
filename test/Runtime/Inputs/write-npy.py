#!/usr/bin/env python3
"""Writes an .npy file by the format's description, as NumPy is not needed to test.

Usage: write-npy.py FILE DESCR SHAPE NUMBER... [--fortran] [--version2] [--cut BYTES]

DESCR is as in the file's header, such as '<f4'; SHAPE such as 4x8, or 'scalar'.
Numbers are repeated until the array is full. --cut leaves out the last bytes.
"""

import argparse
import itertools
import math
import struct

CODES = {"f2": "e", "f4": "f", "f8": "d", "i1": "b", "i2": "h", "i4": "i", "i8": "q",
         "u1": "B", "u2": "H", "u4": "I", "u8": "Q", "b1": "B",
         # ml_dtypes: the numbers are bits.
         "V1": "B", "V2": "H", "V8": "Q", "f1": "B"}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("file")
    parser.add_argument("descr")
    parser.add_argument("shape")
    parser.add_argument("numbers", nargs="*", default=["0"])
    parser.add_argument("--fortran", action="store_true")
    parser.add_argument("--version2", action="store_true")
    parser.add_argument("--cut", type=int, default=0)
    options = parser.parse_intermixed_args()
    shape = () if options.shape == "scalar" else tuple(
        int(size) for size in options.shape.split("x"))
    code = CODES[options.descr[1:]]
    numbers = [float(word) if code in "efd" else int(word)
               for word in options.numbers]
    count = math.prod(shape)
    data = struct.pack(f"{'>' if options.descr[0] == '>' else '<'}{count}{code}",
                       *itertools.islice(itertools.cycle(numbers), count))
    header = (f"{{'descr': '{options.descr}', 'fortran_order': {options.fortran}, "
              f"'shape': {shape}, }}")
    prefix = 12 if options.version2 else 10
    header += " " * (-(prefix + len(header) + 1) % 64) + "\n"
    length = struct.pack("<I" if options.version2 else "<H", len(header))
    contents = (b"\x93NUMPY" + bytes([2 if options.version2 else 1, 0]) + length +
                header.encode() + data)
    with open(options.file, "wb") as file:
        file.write(contents[:len(contents) - options.cut])


main()
