"""How long a program takes, by what the emulator counted and the report of its kernels.

For ranking only: no number of it was measured, and a GPU may disagree. A launch takes as long
as the slowest of

- each unit of the multiprocessor that has the most blocks: what it does in all, divided by
  what it does in a cycle (issue slots, arithmetic, matrix units, shared memory by wavefronts,
  global memory by sectors of 32 bytes, barriers);
- waiting: for each wave of blocks that fit at once a trip to memory, and for each barrier that
  a warp comes to an access to shared memory; where there are loops and none is pipelined, a
  trip to memory for every second barrier.

What it does not know: what caches keep and what several launches share of them, the bandwidth of
DRAM, the order of instructions and their dependences within a warp, special functions, clocks and
what starting a kernel costs. Programs of which other arrays are typical are counted with
those arrays, since counts are of one run.
"""
from __future__ import annotations

import dataclasses
import math
from typing import Any, Mapping, Sequence

MODEL_VERSION = 1


@dataclasses.dataclass(frozen=True)
class Chip:
    """Operations of threads and bytes that a multiprocessor does in a cycle, and latencies in
    cycles. include/tile/Hardware/Throughput.h says where the numbers come from; a test compares
    these with those."""
    multiprocessors: int
    floats: int
    matrix: int  # multiply-adds of 16-bit operands
    doubles: int
    matrix_doubles: int
    warpgroup_matrix: int = 0
    integers: int = 64
    casts: int = 64
    shuffles: int = 32
    barriers: int = 16
    shared_bytes: int = 128
    global_bytes: int = 64
    shared_latency: int = 29
    global_latency: int = 466


CHIPS = {
    "sm_80": Chip(108, 64, 1024, 32, 64),
    "sm_86": Chip(84, 128, 512, 2, 2, shared_latency=30, global_latency=542),
    "sm_89": Chip(142, 128, 512, 2, 2, shared_latency=30, global_latency=542),
    "sm_90a": Chip(132, 128, 1290, 64, 128, 2048, global_latency=479),
    "sm_100a": Chip(148, 128, 1290, 64, 128, global_latency=479),
    "sm_120a": Chip(188, 128, 512, 2, 2, shared_latency=30, global_latency=542),
}
SCHEDULERS = 4  # of a multiprocessor; each issues an instruction of a warp in a cycle
SECTOR_BYTES, WAVEFRONT_BYTES, WARP = 32, 128, 32


@dataclasses.dataclass(frozen=True)
class Estimate:
    """Cycles of a program: those of its launches, one after another. `bounds` has for each
    launch what it waits for."""
    cycles: float
    bounds: tuple[str, ...]
    total: float  # of all units, which decides between equal ones


def estimate(chip: str, launches: Sequence[Mapping[str, Any]],
             kernels: Sequence[Mapping[str, Any]]) -> Estimate:
    """`launches` as `tile-run --stats=json` has them, `kernels` as the report has."""
    by_name = {kernel["name"]: kernel for kernel in kernels}
    cycles, total, bounds = 0.0, 0.0, []
    for launch in launches:
        if launch["warps"] == 0:
            continue
        terms = get_terms(CHIPS[chip], launch, by_name[launch["name"]])
        bound = max(terms, key=lambda unit: terms[unit])
        cycles, total = cycles + terms[bound], total + sum(terms.values())
        bounds.append(bound)
    return Estimate(cycles, tuple(bounds), total)


def get_terms(chip: Chip, launch: Mapping[str, Any],
              kernel: Mapping[str, Any]) -> dict[str, float]:
    """Cycles for which each unit keeps a launch busy."""
    warps_of_block = max(1, kernel["block_threads"] // WARP)
    blocks = max(1, launch["warps"] // warps_of_block)
    # The multiprocessor with the most blocks has this part of the work.
    share = math.ceil(blocks / chip.multiprocessors) / blocks
    count = launch["classes"]
    rates = {
        "issue": (launch["instructions"], SCHEDULERS),
        "integer": (count["integer"] * WARP, chip.integers),
        "float": (count["float"] * WARP, chip.floats),
        "convert": (count["convert"] * WARP, chip.casts),
        "shuffle": (count["shuffle"] * WARP, chip.shuffles),
        "barrier": (count["barrier"] * WARP, chip.barriers),
        "shared memory": (launch["shared"]["wavefronts"] * WAVEFRONT_BYTES, chip.shared_bytes),
        "global memory": (launch["global"]["sectors"] * SECTOR_BYTES, chip.global_bytes),
        "matrix": (launch["flops"] / 2, get_matrix_rate(chip, kernel)),
    }
    terms = {unit: amount * share / rate for unit, (amount, rate) in rates.items()}
    waves = math.ceil(blocks / (chip.multiprocessors * (kernel["occupancy"] or 1)))
    barriers = count["barrier"] / launch["warps"]
    trips = 1.0
    if kernel["loops"] and all(loop["stages"] <= 1 for loop in kernel["loops"]):
        trips += barriers / 2
    terms["waiting"] = waves * (trips * chip.global_latency + barriers * chip.shared_latency)
    return terms


def get_matrix_rate(chip: Chip, kernel: Mapping[str, Any]) -> float:
    """Multiply-adds a cycle of the kernel's slowest matrix instruction."""
    rates = [float(chip.matrix)]
    for product in kernel["gemms"]:
        name = product["instruction"] or ""
        rate = float(chip.warpgroup_matrix if "wgmma" in name else chip.matrix)
        operands = name.split(".")
        if "f64" in operands:
            rate = chip.matrix_doubles
        elif "tf32" in operands:
            rate /= 2
        elif {"s8", "u8", "e4m3", "e5m2"} & set(operands):
            rate *= 2
        elif {"e2m1"} & set(operands):
            rate *= 4
        rates.append(rate)
    return min(rates[1:] or rates)
