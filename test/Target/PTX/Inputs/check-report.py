#!/usr/bin/env python3
"""Checks reports against their schema: check-report.py TILE-OPT CHIP FILE...

Every object has exactly the keys below, every value its type, and the numbers agree
with each other: buffers lie inside of the arena, fragments hold all their elements.
"""
import json
import math
import re
import subprocess
import sys

LOCATED = {"location": str}
WIDTHS = {"bytes_per_access": int, "inner_bytes_per_access": int}
RUNNER_UP = {"layout": str, "cost": int}
LOAD = {"instruction": str, "bytes_per_access": int}
# A parameter is one of these, told apart by its keys.
SCALAR = {"type": str, "divisor": int, "min": (int, type(None)),
          "max": (int, type(None))}
MEMREF = {"type": str, "base_alignment": int, "alignment": int,
          "size_divisors": [int], "stride_divisors": [int], "contiguous": bool,
          "may_alias": bool}
TENSOR_MAP = {"type": str, "parameter": int, "element_bytes": int, "rank": int,
              "box": [int], "swizzle": int}
IMAGE_MAP = TENSOR_MAP | {"lower": [int], "upper": [int], "strides": [int]}
SCHEDULE = {"solver": str, "predicted_cycles": {"ahead": int, "modulo": int},
            "reason": str}
PROLOGUE = {"steps": int, "operations": int}
SCHEMA = {
    "name": str, "block_threads": int, "cluster": [int],
    "programmatic_dependent_launch": bool,
    "roles": [{"kind": str, "warps": int, "registers": int,
               "alternating": bool}],
    "shared_bytes": int,
    "registers": (int, type(None)), "spill_bytes": (int, type(None)),
    "parameters": [lambda value: MEMREF if "alignment" in value else
                   IMAGE_MAP if "lower" in value else
                   TENSOR_MAP if "swizzle" in value else SCALAR],
    "occupancy": int,
    "arena": {"size": int, "lower_bound": int, "buffers": [
        LOCATED | {"name": str, "offset": int, "bytes": int, "slots": int,
                    "layout": str}],
        "lifetimes": [{"name": str, "offset": int, "bytes": int,
                       "alignment": int, "points": [[int]]}],
        "loops": [{"line": int, "points": [int]}]},
    "loops": [LOCATED | {"stages": int, "reason": str,
                         "prologue": lambda value: PROLOGUE if value else type(None),
                         "schedule": lambda value: SCHEDULE if value else type(None)}],
    "fragments": [LOCATED | {"type": str, "layout": str,
                             "elements_per_thread": int, "replication": int}],
    "layouts": [LOCATED | {"type": str, "layout": str, "decided_by": str,
                           "from": (str, type(None)), "cost": int,
                           "runner_up": lambda value: RUNNER_UP if value else type(None)}],
    "copies": [LOCATED | {"instruction": str, "bytes_per_access": int,
                          "dest_bytes_per_access": int}],
    "loads": [LOCATED | WIDTHS],
    "stores": [LOCATED | WIDTHS],
    "gemms": [LOCATED | {"instruction": str,
                         "load_a": lambda value: LOAD if value else type(None),
                         "load_b": lambda value: LOAD if value else type(None)}],
    "conversions": [LOCATED | {"through": str, "bytes": int}],
    "barriers": int, "remarks": [str],
}


def check(condition, message):
    if not condition:
        sys.exit(f"check-report: {message}")


def check_schema(value, schema, path):
    if callable(schema) and not isinstance(schema, type):
        schema = schema(value)
    if isinstance(schema, dict):
        check(isinstance(value, dict) and set(value) == set(schema),
              f"{path}: the keys are {sorted(value)}, not {sorted(schema)}")
        for key, inner in schema.items():
            check_schema(value[key], inner, f"{path}.{key}")
    elif isinstance(schema, list):
        check(isinstance(value, list), f"{path} is no array")
        for index, item in enumerate(value):
            check_schema(item, schema[0], f"{path}[{index}]")
    else:
        is_right = isinstance(value, bool) == (schema is bool)
        check(isinstance(value, schema) and is_right, f"{path} is {value!r}")


def meet(first, second):
    return any(max(a[0], b[0]) < min(a[1], b[1])
               for a in first["points"] for b in second["points"])


def check_lifetimes(name, arena):
    """The same places as those of the buffers, apart where lives meet."""
    lives = arena["lifetimes"]
    check(sorted((life["offset"], life["bytes"]) for life in lives)
          == sorted((buffer["offset"], buffer["bytes"])
                    for buffer in arena["buffers"]), f"{name}: {arena}")
    for index, life in enumerate(lives):
        check(life["points"] and life["offset"] % life["alignment"] == 0
              and all(begin < end for begin, end in life["points"]),
              f"{name}: {life}")
        for other in lives[:index]:
            check(not meet(life, other)
                  or life["offset"] >= other["offset"] + other["bytes"]
                  or other["offset"] >= life["offset"] + life["bytes"],
                  f"{name}: {life} and {other} meet")
    for loop in arena["loops"]:
        check(loop["line"] > 0 and loop["points"][0] < loop["points"][1],
              f"{name}: {loop}")


def check_numbers(kernel):
    name, arena = kernel["name"], kernel["arena"]
    check(kernel["block_threads"] % 32 == 0 < kernel["occupancy"], name)
    check(0 <= arena["lower_bound"] <= arena["size"] == kernel["shared_bytes"],
          f"{name}: {arena}")
    for parameter in kernel["parameters"]:
        if "alignment" in parameter:
            ranks = [len(parameter["size_divisors"]),
                     len(parameter["stride_divisors"])]
            check(parameter["type"].startswith("memref<")
                  and ranks[0] == ranks[1]
                  and parameter["alignment"] >= 1, f"{name}: {parameter}")
        elif "lower" in parameter:
            lengths = [len(parameter[key]) for key in ("lower", "upper", "strides")]
            check(lengths == [parameter["rank"] - 2] * 3 and len(parameter["box"]) == 2,
                  f"{name}: {parameter}")
        elif "swizzle" in parameter:
            check(parameter["rank"] == len(parameter["box"]), f"{name}: {parameter}")
        else:
            low, high = parameter["min"], parameter["max"]
            check(None in (low, high) or low <= high, f"{name}: {parameter}")
    for buffer in arena["buffers"]:
        check(0 <= buffer["offset"]
              and buffer["offset"] + buffer["bytes"] <= arena["size"]
              and buffer["slots"] >= 1, f"{name}: {buffer}")
    check_lifetimes(name, arena)
    slots = {buffer["slots"] for buffer in arena["buffers"]}
    for loop in kernel["loops"]:
        if loop["stages"] == 1:
            continue
        ahead = re.match(r"Pipelined: \d+ stages, (\d+) ", loop["reason"])
        check(ahead, f"{name}: {loop}")
        # One that is released early has a slot less; loads of fragments none.
        check(ahead[1] == "0" or slots & {loop["stages"], loop["stages"] - 1},
              f"{name}: {loop}")
    for fragment in kernel["fragments"]:
        shape = re.fullmatch(r"tensor<((?:\d+x)*)\w+>", fragment["type"])[1]
        elements = math.prod(map(int, shape.split("x")[:-1]))
        held = fragment["elements_per_thread"] * kernel["block_threads"]
        check(held >= elements * fragment["replication"], f"{name}: {fragment}")
    for copy in kernel["copies"]:
        if ".async.bulk.tensor." in copy["instruction"]:
            check(copy["bytes_per_access"] % 16 == 0 < copy["bytes_per_access"],
                  f"{name}: {copy}")
            continue
        check(copy["instruction"] in ("cp.async", "ld.st")
              and copy["bytes_per_access"] in (1, 2, 4, 8, 16)
              and copy["dest_bytes_per_access"] in (1, 2, 4, 8, 16),
              f"{name}: {copy}")
    for access in kernel["loads"] + kernel["stores"]:
        check(access["bytes_per_access"] in (1, 2, 4, 8, 16)
              and access["inner_bytes_per_access"] in (1, 2, 4, 8, 16)
              and access["bytes_per_access"] <= access["inner_bytes_per_access"],
              f"{name}: {access}")
    for gemm in kernel["gemms"]:
        for load in filter(None, (gemm["load_a"], gemm["load_b"])):
            is_matrix = load["instruction"].startswith("ldmatrix")
            check(load["bytes_per_access"] == 16 if is_matrix
                  else load["bytes_per_access"] <= 8, f"{name}: {gemm}")
    for conversion in kernel["conversions"]:
        check(conversion["through"] in ("registers", "shuffles", "shared"),
              f"{name}: {conversion}")


def main():
    tool, chip, *files = sys.argv[1:]
    count = 0
    for file in files:
        text = subprocess.run(
            [tool, file, "--emit=report", "--format=json", f"--chip={chip}"],
            check=True, capture_output=True, text=True).stdout
        report = json.loads(text)
        check(set(report) == {"kernels"}, f"{file}: {sorted(report)}")
        for kernel in report["kernels"]:
            check_schema(kernel, SCHEMA, kernel.get("name", file))
            check_numbers(kernel)
            count += 1
    print(f"{len(files)} files, {count} kernels")


if __name__ == "__main__":
    main()
