#!/usr/bin/env python3
"""Checks a JSON document of tile-run or ptx-run against docs/Running.md.

  check-json.py [--ptx-run] FILE [KEY=VALUE]..

  status=S executor=S   the document says so
  check=S               every argument was compared with the reference, with status S
  files=N               N files were compared
  kernels=N times=N     N launches were counted; each was timed N times
  stages                passes were judged
  tolerance             tolerances replaced the bounds
"""

import json
import sys

NUMBER = (int, float)
COUNTS = {"elements": int, "undefined": int, "nan": int}
PLACE = {"value": (*NUMBER, type(None)), "at": (list, type(None))}
STATUSES = ("equal", "different", "not checkable")


def check(value, schema, what):
    """Exactly these keys, each of its type."""
    if set(value) != set(schema):
        sys.exit(f"{what}: keys {sorted(value)}, not {sorted(schema)}")
    for key, kind in schema.items():
        if not isinstance(value[key], kind) or isinstance(value[key], bool):
            sys.exit(f"{what}: {key} is {value[key]!r}")


def check_comparison(comparison, wanted):
    counts = dict.fromkeys(("elements", "exact", "within", "unchecked", "different",
                            "undefined"), int)
    check(comparison, {
        "status": str, **counts, "difference": dict, "ratio": dict,
        "relative_bound": dict, "max_unchecked": NUMBER,
        "tolerance": (dict, type(None)), "first": (dict, type(None))}, "comparison")
    if comparison["status"] not in STATUSES:
        sys.exit(f"status {comparison['status']!r}")
    if comparison["elements"] != sum(comparison[name] for name in (
            "exact", "within", "unchecked", "different")):
        sys.exit("the counts do not add up to the elements")
    for name in ("difference", "ratio", "relative_bound"):
        check(comparison[name], PLACE, name)
    if comparison["tolerance"] is not None:
        check(comparison["tolerance"], {"rtol": NUMBER, "atol": NUMBER}, "tolerance")
    if ("tolerance" in wanted) != (comparison["tolerance"] is not None):
        sys.exit(f"tolerance {comparison['tolerance']!r}")
    if (comparison["first"] is not None) != (comparison["different"] > 0):
        sys.exit(f"first {comparison['first']!r}")
    if comparison["first"]:
        check(comparison["first"], {"at": list, "actual": str, "expected": str,
                                    "allowed": (*NUMBER, type(None))}, "first")


def check_kernel(kernel):
    check(kernel, {"name": str, "warps": int, "instructions": int, "classes": dict,
                   "shared": dict, "global": dict, "flops": int}, "kernel")
    check(kernel["classes"], dict.fromkeys(kernel["classes"], int), "classes")
    if sum(kernel["classes"].values()) != kernel["instructions"]:
        sys.exit("the classes do not add up to the instructions")
    check(kernel["shared"], dict.fromkeys(
        ("accesses", "wavefronts", "ideal_wavefronts", "bytes"), int), "shared")
    check(kernel["global"], dict.fromkeys(
        ("accesses", "sectors", "ideal_sectors", "bytes"), int), "global")


def check_argument(argument, wanted):
    schema = {"number": int, "type": str, "shape": list, **COUNTS, "files": list}
    if "least" in argument:
        schema.update(dict.fromkeys(("least", "most", "mean"),
                                    (*NUMBER, type(None))))
    if "check" in wanted:
        schema["check"] = dict
    check(argument, schema, "argument")
    if "check" in wanted:
        check_comparison(argument["check"], wanted)
        if argument["check"]["status"] != wanted["check"]:
            sys.exit(f"check: {argument['check']['status']}")
    for file in argument["files"]:
        check(file, {"path": str, "comparison": dict}, "file")
        check_comparison(file["comparison"], wanted)


def check_time(time, wanted):
    check(time, {"kernel": str, "clock": str, "warm_up": int,
                 "median_seconds": NUMBER, "seconds": list}, "time")
    seconds = time["seconds"]
    if (len(seconds) != int(wanted["times"]) or seconds != sorted(seconds) or
            time["median_seconds"] not in seconds or min(seconds) <= 0 or
            time["clock"] not in ("host", "device")):
        sys.exit(f"time: {time}")


def check_tile_run(document, wanted):
    schema = {"version": str, "entry": str, "executor": str, "status": str,
              "arguments": list, "open_decisions": list}
    schema.update({key: list for key in ("stages", "times", "kernels")
                   if key in wanted})
    if "chip" in document:
        schema["chip"] = str
    check(document, schema, "document")
    for argument in document["arguments"]:
        check_argument(argument, wanted)
    files = sum(len(argument["files"]) for argument in document["arguments"])
    if files != int(wanted.get("files", 0)):
        sys.exit(f"{files} files")
    for stage in document.get("stages", []):
        check(stage, {"pass": str, "status": str}, "stage")
    if "stages" in wanted and len(document["stages"]) < 5:
        sys.exit("there are few stages")
    for time in document.get("times", []):
        check_time(time, wanted)


def check_ptx_run(document, wanted):
    check(document, {"kernels": list, "expectations": list, "status": str}, "document")
    for entry in document["expectations"]:
        check(entry, {"argument": int, "comparison": dict}, "expectation")
        check_comparison(entry["comparison"], wanted)
    if len(document["expectations"]) != int(wanted.get("files", 0)):
        sys.exit(f"{len(document['expectations'])} expectations")


def main():
    words = sys.argv[1:]
    isPtxRun = words[0] == "--ptx-run"
    path, *words = words[1:] if isPtxRun else words
    wanted = dict(word.partition("=")[::2] for word in words)
    with open(path, encoding="utf-8") as file:
        document = json.load(file, parse_constant=lambda name: sys.exit(name))
    (check_ptx_run if isPtxRun else check_tile_run)(document, wanted)
    for key in ("status", "executor"):
        if document.get(key) != wanted.get(key, document.get(key)):
            sys.exit(f"{key}: {document.get(key)}")
    kernels = document.get("kernels", [])
    if len(kernels) != int(wanted.get("kernels", 0)):
        sys.exit(f"{len(kernels)} kernels")
    for kernel in kernels:
        check_kernel(kernel)


main()
