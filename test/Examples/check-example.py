#!/usr/bin/env python3
"""Checks one example: check-example.py BIN-DIRECTORY EXAMPLE CHECK.CHIP...

Prints a line for each; the exit status is 1 if one fails. CHECK is one of

  run           runs it as its header says; emulator and reference must agree
  assemble      ptxas accepts it, without spills or notes
  reproducible  two runs, with and without threads, give the same bytes of PTX
  conflict-free shared memory is accessed in the fewest wavefronts there can be
  inner-loop    the loop has ldmatrix, mma, cp.async and additions, nothing else
                that costs: no other memory access, no multiplication
  stages        every loop that asks for stages has them, by the report, and all that
                it loads from global memory runs ahead
  resume        the module printed after any pass is finished with the same PTX
  orders        without any one of its barriers or waits the race checker fires and
                the judge of barriers finds what is not ordered; with all of them
                neither does, and the report says which accesses need each

A run, a report and the PTX of a chip are made once for all checks. Without ptxas
assemble is skipped.
"""

import json
import re
import shlex
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path


class Failed(Exception):
    """What a check found."""


class Skipped(Exception):
    """Why a check cannot be made here."""


def run(*command):
    return subprocess.run([str(word) for word in command], capture_output=True,
                          text=True, check=False)


def run_or_fail(*command):
    result = run(*command)
    if result.returncode:
        raise Failed(f"{' '.join(map(str, command))}: exit status "
                     f"{result.returncode}\n{result.stdout}{result.stderr}")
    return result


def emit_ptx(tools, source, chip, *options):
    return run_or_fail(tools / "tile-opt", source, "--emit=ptx",
                       f"--chip={chip}", *options).stdout


class Example:
    """A program with what its tools say of it, each asked once."""

    def __init__(self, tools, path):
        self.tools, self.path, self.text = tools, path, path.read_text()

    def get_run_options(self):
        """The words after the file's name in the header's tile-run line."""
        lines = re.findall(r"^// +tile-run \S*/([^/\s]+) (.*)$", self.text, re.MULTILINE)
        if len(lines) != 1 or lines[0][0] != self.path.name:
            raise Failed(f"the header has {len(lines)} lines '// tile-run "
                         f".../{self.path.name} ...', one is needed")
        return shlex.split(lines[0][1])

    @cache
    def run(self, chip):
        """What tile-run says of a run as in the header, and of what was executed."""
        options = self.get_run_options()
        if "--check" not in options or "--on=emulator" not in options:
            raise Failed("run it with --on=emulator --check")
        return json.loads(run_or_fail(self.tools / "tile-run", self.path, *options,
                                      "--stats=json", f"--chip={chip}").stdout)

    @cache
    def report(self, chip):
        """The decisions, kernel by kernel."""
        kernels = json.loads(run_or_fail(
            self.tools / "tile-opt", self.path, "--emit=report", "--format=json",
            f"--chip={chip}").stdout)["kernels"]
        if not kernels:
            raise Failed("the report has no kernels")
        return kernels

    @cache
    def ptx(self, chip):
        """Without lines, which differ between the source and what is printed."""
        return emit_ptx(self.tools, self.path, chip, "--line-info=false")


def check_run(example, chip):
    arguments = example.run(chip)["arguments"]
    return f"{len(arguments)} arguments equal"


def check_assemble(example, chip):
    figures = []
    for kernel in example.report(chip):
        registers, name = kernel["registers"], kernel["name"]
        if not isinstance(registers, int):
            raise Skipped(f"no ptxas: registers are '{registers}'")
        figures.append(f"{name}: {registers} registers, {kernel['shared_bytes']} bytes "
                       "of shared memory")
        if kernel["spill_bytes"]:
            raise Failed(f"{name} spills {kernel['spill_bytes']} bytes")
        for remark in kernel["remarks"]:
            if remark.startswith("ptxas:"):
                raise Failed(f"{name}: {remark}")
    return "; ".join(figures)


def check_reproducible(example, chip):
    first = emit_ptx(example.tools, example.path, chip)
    if ".entry" not in first:
        raise Failed("the PTX has no kernel")
    for options in ((), ("--mlir-disable-threading",)):
        if emit_ptx(example.tools, example.path, chip, *options) != first:
            raise Failed(f"other PTX in another run {options}")
    return "the same PTX"


def check_resume(example, chip):
    trace = run_or_fail(example.tools / "tile-opt", example.path, "--emit=ptx",
                        f"--chip={chip}", "--mlir-disable-threading",
                        "--mlir-print-ir-after-all",
                        "--mlir-print-ir-module-scope").stderr
    parts = re.split(r"^// -----// IR Dump After (.*?) //----- //$", trace,
                     flags=re.MULTILINE)
    # Of modules that some passes leave as they are, one is enough.
    modules = dict(zip(reversed(parts[2::2]), reversed(parts[1::2])))
    if len(modules) < 8:
        raise Failed(f"only {len(modules)} modules were printed")
    with tempfile.TemporaryDirectory() as directory:
        for text, name in modules.items():
            source = Path(directory, "resumed.mlir")
            source.write_text(text)
            if emit_ptx(example.tools, source, chip, "--line-info=false") != \
                    example.ptx(chip):
                raise Failed(f"other PTX when resumed after {name}")
    return f"resumed from {len(modules)} modules"


def check_conflict_free(example, chip):
    wavefronts = 0
    for kernel in example.run(chip)["kernels"]:
        shared = kernel["shared"]
        wavefronts += shared["wavefronts"]
        if shared["wavefronts"] != shared["ideal_wavefronts"]:
            raise Failed(f"{kernel['name']} has bank conflicts: {shared}")
    return f"{wavefronts} wavefronts"


def check_orders(example, chip):
    options = [option for option in example.get_run_options() if option != "--check"]
    lines = run_or_fail(
        example.tools / "tile-opt", example.path,
        f"--tile-logical-phase=chip={chip}", "--tile-layout-phase",
        "--tile-schedule-phase").stdout.splitlines()
    orders = [number for number, line in enumerate(lines)
              if re.match(r"\s*tile\.(barrier|copy_wait)\b", line)]
    with tempfile.TemporaryDirectory() as directory:
        source = Path(directory, example.path.name)

        def judge(without):
            source.write_text("\n".join(line for number, line in enumerate(lines)
                                        if number != without))
            proof = run(example.tools / "tile-opt", source,
                        "--tile-check-barriers", "-o", "/dev/null")
            # A loop that is rotated has barriers of its own behind it, where the
            # program has none.
            compiled = Path(directory, f"compiled-{example.path.name}")
            compilation = run(example.tools / "tile-opt", source,
                              "--tile-kernel-phase=rotate-loops=false",
                              "--tile-code-phase", "-o", compiled)
            return proof, compilation if compilation.returncode else run(
                example.tools / "tile-run", compiled, *options, f"--chip={chip}")

        for result in judge(None):
            if result.returncode:
                raise Failed(f"with all of its barriers: {result.stderr}")
        for number in orders:
            proof, execution = judge(number)
            what = f"without '{lines[number].strip()}' (line {number + 1})"
            if not proof.returncode or "an order" not in proof.stderr:
                raise Failed(f"{what} the judge finds nothing\n{proof.stderr}")
            is_missed = "has no barrier behind it" in execution.stderr
            if not execution.returncode or not (
                    is_missed or "race" in execution.stderr):
                raise Failed(f"{what} no race is found\n{execution.stderr}")
    check_reasons(example, chip, len(orders))
    return f"{len(orders)} barriers and waits are needed"


def check_reasons(example, chip, count):
    reasons = [remark for kernel in example.report(chip)
               for remark in kernel["remarks"]
               if re.search(r": (Barrier|Wait): ", remark)]
    if len(reasons) != count or any("redundant" in text for text in reasons):
        raise Failed(f"{count} barriers and waits, {len(reasons)} reasons:\n"
                     + "\n".join(reasons))


def check_stages(example, chip):
    asked = [int(count) for count in
             re.findall(r"tile\.stages = (\d+)",
                        re.sub(r"(?m)^ *//.*$", "", example.text))]
    kernels = example.report(chip)
    names = [kernel["name"] for kernel in kernels]
    for kernel in kernels:
        for loop in kernel["loops"]:
            if "NotPipelined" in loop["reason"]:
                raise Failed(f"{loop['location']}: {loop['reason']}")
    # Of launches in two versions each has all loops.
    narrow = [name for name in names if name + "_wide" in names]
    for left_out in narrow, [name + "_wide" for name in narrow]:
        given = [loop["stages"] for kernel in kernels if kernel["name"] not in left_out
                 for loop in kernel["loops"] if loop["stages"] > 1]
        if sorted(given) != sorted(asked):
            raise Failed(f"stages asked for: {asked}, given: {given}")
    return f"stages {given}"


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


def check_inner_loop(example, chip):
    check_stages(example, chip)
    loops = [loop for loop in get_loops(example.ptx(chip))
             if any(text.startswith("mma.") for text in loop)]
    if not loops:
        raise Failed("no loop with mma")
    for loop in loops:
        others = [text for text in loop if not LOOP_INSTRUCTIONS.match(text)]
        if others:
            raise Failed("in the inner loop: " + "; ".join(sorted(set(others))))
    if not any(text.startswith("cp.async.cg") for loop in loops
               for text in loop):
        raise Failed("no cp.async in the inner loop")
    return f"{len(loops)} loops"


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


def main():
    tools, path, *checks = sys.argv[1:]
    example, failures = Example(Path(tools), Path(path)), 0
    for check in checks:
        name, _, chip = check.partition(".")
        try:
            print(f"{check}: {CHECKS[name](example, chip)}", flush=True)
        except Skipped as reason:
            print(f"{check}: skipped, {reason}", flush=True)
        except Failed as failure:
            print(f"{check}: FAILED: {failure}", flush=True)
            failures += 1
    return 1 if failures or not checks else 0


if __name__ == "__main__":
    sys.exit(main())
