#!/usr/bin/env python3
"""Checks one example: check-example.py CHECK BIN-DIRECTORY EXAMPLE CHIP

CHECK is one of

  run           runs it as its header says; emulator and reference must agree
  assemble      ptxas accepts it, without spills or notes
  reproducible  two runs, with and without threads, give the same bytes of PTX
  conflict-free shared memory is accessed in the fewest wavefronts there can be
  inner-loop    the loop has ldmatrix, mma, cp.async and additions, nothing else
                that costs: no other memory access, no multiplication
  stages        every loop that asks for stages has them, by the report
  resume        the module printed after any pass is finished with the same PTX
  orders        without any one of its barriers or waits the race checker fires and
                the judge of barriers finds what is not ordered; with all of them
                neither does, and the report says which accesses need each

Exit status 77 means skipped: assemble without ptxas.
"""

import json
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

SKIPPED = 77


def run(*command):
    return subprocess.run([str(word) for word in command], capture_output=True,
                          text=True, check=False)


def run_or_fail(*command):
    result = run(*command)
    if result.returncode:
        sys.exit(f"{' '.join(map(str, command))}: exit status "
                 f"{result.returncode}\n{result.stdout}{result.stderr}")
    return result


def get_run_options(example):
    """The words after the file's name in the header's tile-run line."""
    lines = re.findall(r"^// +tile-run \S*/([^/\s]+) (.*)$",
                       example.read_text(), re.MULTILINE)
    if len(lines) != 1 or lines[0][0] != example.name:
        sys.exit(f"{example}: the header has {len(lines)} lines '// tile-run "
                 f".../{example.name} ...', one is needed")
    return shlex.split(lines[0][1])


def check_run(tools, example, chip):
    options = get_run_options(example)
    if "--check" not in options or "--on=emulator" not in options:
        sys.exit(f"{example}: run it with --on=emulator --check")
    result = run_or_fail(tools / "tile-run", example, *options,
                         f"--chip={chip}")
    print(result.stdout)


def check_assemble(tools, example, chip):
    result = run_or_fail(tools / "tile-opt", example, "--emit=report",
                         "--format=json", f"--chip={chip}")
    kernels = json.loads(result.stdout)["kernels"]
    if not kernels:
        sys.exit("the report has no kernels")
    for kernel in kernels:
        registers = kernel["registers"]
        if not isinstance(registers, int):
            print(f"no ptxas: registers are '{registers}'")
            sys.exit(SKIPPED)
        print(f"{kernel['name']}: {registers} registers, "
              f"{kernel['spill_bytes']} bytes of spills, "
              f"{kernel['shared_bytes']} bytes of shared memory")
        if kernel["spill_bytes"]:
            sys.exit(f"{kernel['name']} spills")
        for remark in kernel["remarks"]:
            if remark.startswith("ptxas:"):
                sys.exit(f"{kernel['name']}: {remark}")


def emit_ptx(tools, source, chip, *options):
    return run_or_fail(tools / "tile-opt", source, "--emit=ptx",
                       f"--chip={chip}", *options).stdout


def check_reproducible(tools, example, chip):
    first = emit_ptx(tools, example, chip)
    if ".entry" not in first:
        sys.exit("the PTX has no kernel")
    for options in ((), ("--mlir-disable-threading",)):
        if emit_ptx(tools, example, chip, *options) != first:
            sys.exit(f"other PTX in another run {options}")


def check_resume(tools, example, chip):
    # Lines differ between the source and what is printed.
    whole = emit_ptx(tools, example, chip, "--line-info=false")
    trace = run_or_fail(tools / "tile-opt", example, "--emit=ptx",
                        f"--chip={chip}", "--mlir-disable-threading",
                        "--mlir-print-ir-after-all",
                        "--mlir-print-ir-module-scope").stderr
    parts = re.split(r"^// -----// IR Dump After (.*?) //----- //$", trace,
                     flags=re.MULTILINE)
    names, modules = parts[1::2], parts[2::2]
    if len(modules) < 8:
        sys.exit(f"only {len(modules)} modules were printed")
    with tempfile.TemporaryDirectory() as directory:
        for name, text in zip(names, modules):
            source = Path(directory, "resumed.mlir")
            source.write_text(text)
            resumed = emit_ptx(tools, source, chip, "--line-info=false")
            if resumed != whole:
                sys.exit(f"other PTX when resumed after {name}")
    print(f"resumed after {len(modules)} passes")


def check_conflict_free(tools, example, chip):
    options = [option for option in get_run_options(example)
               if option != "--check"]
    output = run_or_fail(tools / "tile-run", example, *options,
                         "--stats=json", f"--chip={chip}").stdout
    for kernel in json.loads(output)["kernels"]:
        shared = kernel["shared"]
        print(f"{kernel['name']}: {shared}")
        if shared["wavefronts"] != shared["ideal_wavefronts"]:
            sys.exit(f"{kernel['name']} has bank conflicts")


def check_orders(tools, example, chip):
    options = [option for option in get_run_options(example)
               if option != "--check"]
    lines = run_or_fail(
        tools / "tile-opt", example, f"--tile-logical-phase=chip={chip}",
        "--tile-layout-phase", "--tile-schedule-phase").stdout.splitlines()
    orders = [number for number, line in enumerate(lines)
              if re.match(r"\s*tile\.(barrier|copy_wait)\b", line)]
    with tempfile.TemporaryDirectory() as directory:
        source = Path(directory, example.name)

        def judge(without):
            source.write_text("\n".join(line for number, line in enumerate(lines)
                                        if number != without))
            return (run(tools / "tile-opt", source, "--tile-check-barriers",
                        "-o", "/dev/null"),
                    run(tools / "tile-run", source, *options, f"--chip={chip}"))

        for result in judge(None):
            if result.returncode:
                sys.exit(f"with all of its barriers: {result.stderr}")
        for number in orders:
            proof, execution = judge(number)
            what = f"without '{lines[number].strip()}' (line {number + 1})"
            if not proof.returncode or "an order" not in proof.stderr:
                sys.exit(f"{what} the judge finds nothing\n{proof.stderr}")
            isMissed = "has no barrier behind it" in execution.stderr
            if not execution.returncode or not (
                    isMissed or "race" in execution.stderr):
                sys.exit(f"{what} no race is found\n{execution.stderr}")
            print(f"{what}: a race")
    check_reasons(tools, example, chip, len(orders))


def check_reasons(tools, example, chip, count):
    report = json.loads(run_or_fail(
        tools / "tile-opt", example, "--emit=report", "--format=json",
        f"--chip={chip}").stdout)
    reasons = [remark for kernel in report["kernels"]
               for remark in kernel["remarks"]
               if re.search(r": (Barrier|Wait): ", remark)]
    print("\n".join(reasons))
    if len(reasons) != count or any("redundant" in text for text in reasons):
        sys.exit(f"{count} barriers and waits, {len(reasons)} reasons")


def check_stages(tools, example, chip):
    asked = [int(count) for count in
             re.findall(r"tile\.stages = (\d+)", re.sub(r"(?m)^ *//.*$", "",
                                                        example.read_text()))]
    report = json.loads(run_or_fail(
        tools / "tile-opt", example, "--emit=report", "--format=json",
        f"--chip={chip}").stdout)
    loops = [loop for kernel in report["kernels"] for loop in kernel["loops"]]
    for loop in loops:
        print(f"{loop['location']}: {loop['stages']} {loop['reason']}")
        if "NotPipelined" in loop["reason"]:
            sys.exit(f"{loop['location']}: {loop['reason']}")
    given = [loop["stages"] for loop in loops if loop["stages"] > 1]
    if sorted(given) != sorted(asked):
        sys.exit(f"stages asked for: {asked}, given: {given}")


# What the inner loop of a matrix multiplication may hold.
LOOP_INSTRUCTIONS = re.compile(
    r"mma\.|ldmatrix\.|cp\.async|bar\.sync|add\.|sub\.|setp\.|selp\.|bra|mov\."
    r"|cvt\.(u32\.u64|[su]64\.[su]32)|shl\.")


def get_loops(ptx):
    """The instructions between each backward branch and its target."""
    lines = ptx.splitlines()
    labels = {line.rstrip(":"): number for number, line in enumerate(lines)
              if re.fullmatch(r"\$\w+:", line)}
    for number, line in enumerate(lines):
        branch = re.search(r"\bbra(?:\.uni)?\s+(\$\w+);", line)
        if branch and labels[branch.group(1)] < number:
            body = lines[labels[branch.group(1)]:number + 1]
            words = (re.sub(r"^\s*(@!?%\w+\s+)?", "", text) for text in body)
            yield [word for word in words if re.match(r"[a-z]", word)]


def check_inner_loop(tools, example, chip):
    check_stages(tools, example, chip)
    ptx = emit_ptx(tools, example, chip, "--line-info=false")
    loops = [loop for loop in get_loops(ptx)
             if any(text.startswith("mma.") for text in loop)]
    if not loops:
        sys.exit("no loop with mma")
    for loop in loops:
        for needed in ("mma.", "ldmatrix.", "cp.async.cg"):
            count = sum(text.startswith(needed) for text in loop)
            print(f"{needed} {count}")
        others = [text for text in loop if not LOOP_INSTRUCTIONS.match(text)]
        if others:
            sys.exit("in the inner loop: " + "; ".join(sorted(set(others))))
    if not any(text.startswith("cp.async.cg") for loop in loops
               for text in loop):
        sys.exit("no cp.async in the inner loop")


CHECKS = {
    "conflict-free": check_conflict_free,
    "inner-loop": check_inner_loop,
    "run": check_run,
    "assemble": check_assemble,
    "reproducible": check_reproducible,
    "orders": check_orders,
    "resume": check_resume,
    "stages": check_stages,
}

if __name__ == "__main__":
    check, tools, example, chip = sys.argv[1:]
    CHECKS[check](Path(tools), Path(example), chip)
