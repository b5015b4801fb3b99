#!/usr/bin/env python3
"""Pipelined loops on sm_90a without a producer, with one, and with one whose consumers
alternate, in clusters of one and of two.

For each program of role_programs.py: the report says that there is a producer, and that
consumers alternate, exactly where it should be so, blocks are launched in clusters of the
size asked for and share what they can, the emulator with all checkers gives what the
program means, and so does the reference after every pass. Prints a line for each program
and fails if any differs.
"""

import argparse
import itertools
import json
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).parent))
import role_programs  # noqa: E402
from sweep import conclude, execute, run  # noqa: E402

ROLES = ["none", "cooperative", "alternating"]
# Kinds with a product that runs under the computation of the next iteration.
ALTERNATING = ["attention"]
# How many copies of a kind both blocks of a cluster share: what does not go by rows.
SHARED = {"gemm": 1, "attention": 2, "two_loops": 2, "guarded": 1, "persistent": 1}
# What the arguments hold that decide over copies.
GUARDS = ["--data=2:integers(-1,1)"]
DATA = {"guarded": GUARDS, "guarded_by_threads": GUARDS}
KINDS = role_programs.KINDS | role_programs.THREAD_KINDS
# What is said of the consumers' loops over one product a step: slots that are constant,
# or counted where it is not known which is the first.
SLOTS = {"gemm": {"ConstantSlots"}, "two_loops": {"ConstantSlots"}, "persistent": {"CountedSlots"}}
# Few, so that a block of a persistent launch has several tiles.
MULTIPROCESSORS = "--multiprocessors=2"


def check_report(tools, path, cluster, has_producer, alternates, slots, shared):
    """What the report says wrongly of the launch, or nothing."""
    report = run([tools / "tile-opt", path, "--chip=sm_90a", "--emit=report", "--format=json"])
    if report.returncode:
        return report.stderr
    kernel = json.loads(report.stdout)["kernels"][0]
    producers = report.stdout.count('"kind": "producer"')
    if producers != has_producer:
        return f"has {producers} producers instead of {has_producer:d}"
    alternating = report.stdout.count('"alternating": true')
    if alternating != alternates:
        return f"has {alternating} alternating roles instead of {alternates:d}"
    expected = [cluster, 1, 1] if cluster > 1 else []
    if kernel["cluster"] != expected:
        return f"has clusters of {kernel['cluster']} instead of {expected} blocks"
    said = {name for name in ("ConstantSlots", "CountedSlots") if name in report.stdout}
    if has_producer and slots and said != slots:
        return f"has {said} instead of {slots}"
    multicast = sum(copy.get("multicast_blocks") == 2 for copy in kernel["copies"])
    if multicast != (shared if has_producer and cluster > 1 else 0):
        return f"has {multicast} copies that blocks share instead of {shared}"
    return None


def check(tools, path, kind, stages, cluster, roles):
    """What is wrong with the program, or nothing."""
    has_producer = roles != "none" and stages > 1
    problem = check_report(tools, path, cluster, has_producer, has_producer and roles == "alternating",
                           slots=SLOTS.get(kind), shared=SHARED.get(kind, 0))
    if problem:
        return problem
    options = [path, "--entry=main", "--chip=sm_90a", MULTIPROCESSORS, *DATA.get(kind.removesuffix("_by_threads"), [])]
    return execute(tools, options, seeds=[2 * stages + cluster])


def check_all(options):
    """The name of each program and what is wrong with it."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "program.mlir"
        for case in itertools.product(options.kind, options.stages, [1, 2], ROLES):
            kind, stages, cluster, roles = case
            if roles == "alternating" and kind not in ALTERNATING:
                continue
            path.write_text(KINDS[kind](stages, cluster, roles))
            yield (
                f"{kind}, {stages} stages, clusters of {cluster}, roles {roles}",
                check(options.tools, path, *case),
            )


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tools", type=Path, help="folder with tile-opt and tile-run")
    parser.add_argument("--stages", type=int, nargs="+", default=[1, 2, 3, 4, 5, 6])
    parser.add_argument("--kind", nargs="+", default=list(role_programs.KINDS), choices=list(KINDS))
    return conclude(check_all(parser.parse_args()))


if __name__ == "__main__":
    sys.exit(main())
