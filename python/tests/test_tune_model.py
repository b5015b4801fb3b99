"""The model of the tuner: its numbers are those of the compiler, and it ranks as it says."""
import re

import pytest
from paths import SOURCE

from tilec.tuning.model import CHIPS, Chip, estimate, get_matrix_rate, get_terms


def read_rows():
    """What lib/Hardware/Throughput.cpp has for each compute capability, by its assignments."""
    source = (SOURCE / "lib/Hardware/Throughput.cpp").read_text()

    def read(function):
        body = re.search(rf"Throughput {function}\(.*?\) {{(.*?)^}}", source, re.M | re.S).group(1)
        return {name: int(number) for name, number in re.findall(r"row\.(\w+) = (\d+);", body)}

    first, small, hopper = (read(f"make{name}") for name in ("First", "Small", "Hopper"))
    blackwell = {**first, **hopper, "warpgroupMatrixF16": 0}
    return {80: first, 86: {**first, **small}, 89: {**first, **small}, 90: {**first, **hopper},
            100: blackwell, 120: {**first, **small}}


def test_chips_are_those_of_the_compiler():
    targets = dict(
        (name, (int(capability), int(count))) for name, capability, count in re.findall(
            r'make(?:Small)?Target\("(\w+)", (\d+), (\d+)',
            (SOURCE / "lib/Hardware/GpuTarget.cpp").read_text()))
    rows = read_rows()
    assert set(targets) == set(CHIPS)
    for name, (capability, count) in targets.items():
        row = rows[capability]
        assert CHIPS[name] == Chip(
            count, row["floats"], row["matrixF16"], row["doubles"], row["matrixF64"],
            row.get("warpgroupMatrixF16", 0), row["integers"], row["casts"], row["shuffles"],
            row["barriers"], row["sharedBytes"], row["globalBytes"], row["sharedLatency"],
            row["globalLatency"]), name


CLASSES = ("mma ldmatrix shared_load shared_store global_load global_store async_copy atomic "
           "shuffle barrier branch integer float convert other").split()


def make_launch(blocks=108, warps=4, sectors=0, wavefronts=0, flops=0, **classes):
    counts = {**dict.fromkeys(CLASSES, 0), **classes}
    return {"name": "k", "warps": blocks * warps, "instructions": sum(counts.values()),
            "classes": counts, "flops": flops, "global": {"sectors": sectors},
            "shared": {"wavefronts": wavefronts}}


def make_kernel(warps=4, occupancy=2, stages=(), instruction=None):
    return {"name": "k", "block_threads": 32 * warps, "occupancy": occupancy,
            "loops": [{"stages": s} for s in stages],
            "gemms": [{"instruction": instruction}] if instruction else []}


@pytest.mark.parametrize("unit, launch, cycles", [
    ("global memory", make_launch(sectors=108 * 2000), 2000 * 32 / 64),
    ("shared memory", make_launch(wavefronts=108 * 3000), 3000),
    ("integer", make_launch(integer=108 * 2000), 2000 * 32 / 64),
    ("issue", make_launch(other=108 * 8000), 8000 / 4),
    ("matrix", make_launch(flops=108 * 2048 * 900), 900),
    ("waiting", make_launch(barrier=108 * 4 * 10), 466 + 10 * 29),
])
def test_a_launch_takes_as_long_as_its_busiest_unit(unit, launch, cycles):
    made = estimate("sm_80", [launch], [make_kernel()])
    assert made.bounds == (unit,) and made.cycles == pytest.approx(cycles)


def test_blocks_that_are_left_over_wait_for_a_round_of_their_own():
    full = make_launch(blocks=216, sectors=216 * 2000)
    over = make_launch(blocks=217, sectors=217 * 2000)
    cycles = [get_terms(CHIPS["sm_80"], launch, make_kernel())["global memory"]
              for launch in (full, over)]
    assert cycles == pytest.approx([2000, 3000])
    waits = [get_terms(CHIPS["sm_80"], launch, make_kernel())["waiting"]
             for launch in (full, over)]
    assert waits == pytest.approx([466, 932]), "two blocks fit on each"


def test_pipelined_loops_do_not_wait_for_each_step():
    launch = make_launch(barrier=108 * 4 * 40)
    slow, fast = (estimate("sm_80", [launch], [make_kernel(stages=stages)]).cycles
                  for stages in ((1,), (3,)))
    assert slow - fast == pytest.approx(20 * 466)


def test_launches_add_up_and_empty_ones_cost_nothing():
    launch = make_launch(sectors=108 * 2000)
    twice = estimate("sm_80", [launch, launch, make_launch(blocks=0)], [make_kernel()])
    assert twice.cycles == pytest.approx(2000) and len(twice.bounds) == 2


@pytest.mark.parametrize("chip, instruction, rate", [
    ("sm_80", "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", 1024),
    ("sm_80", "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32", 512),
    ("sm_80", "mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32", 2048),
    ("sm_80", "mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64", 64),
    ("sm_90a", "wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16.ss", 2048),
    ("sm_90a", "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", 1290),
])
def test_matrix_instructions_have_rates(chip, instruction, rate):
    assert get_matrix_rate(CHIPS[chip], make_kernel(instruction=instruction)) == rate
