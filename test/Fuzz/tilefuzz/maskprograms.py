"""PTX in which the lanes of each warp form groups with a member mask each.

A program is a list of steps. A step has an instruction with a member mask, groups of
lanes, and a way in which the groups come to it:

  convergent   all lanes execute one instruction, each with its own group's mask
  predicated   the same, lanes that take no part being predicated off
  divergent    every group executes an instruction of its own, in some order
  paired       two instructions, each for several groups
  late         one instruction that the lanes reach at different times
  parted       the lanes of a group meet from two or three places, each of which has the
               instruction, with registers of its own

Masks and operands of a lane come from a table in global memory. `expected` is what the
model (warps.py) says of the values afterwards.
"""

from dataclasses import dataclass

from tilefuzz.warps import FAMILIES, WORD, bitsOf, shuffleSource

WAYS = ["convergent", "predicated", "divergent", "paired", "late", "parted"]
NOBODY = WORD - 1


@dataclass
class Step:
    family: str
    kind: str
    way: str
    groups: list  # of each warp, a list of groups: lists of lanes
    operands: list  # of each warp, {lane: (b, c)}


def partition(random):
    """One to four groups of the lanes of a warp; some lanes may be in none."""
    count = random.choice([1, 1, 2, 2, 2, 3, 4])
    lanes = list(range(32))
    shape = random.randrange(3)
    if shape == 0:  # neighbours
        cuts = sorted(random.sample(range(1, 32), count - 1))
        groups = [lanes[i:j] for i, j in zip([0] + cuts, cuts + [32])]
    elif shape == 1:  # every n-th lane
        groups = [lanes[i::count] for i in range(count)]
    else:
        groups = [[] for _ in range(count)]
        for lane in lanes:
            random.choice(groups).append(lane)
    if random.random() < 0.3:
        gone = set(random.sample(lanes, random.randint(1, 20)))
        groups = [[lane for lane in g if lane not in gone] for g in groups]
    groups = [g for g in groups if g]
    random.shuffle(groups)
    return groups or [lanes]


def operandsFor(random, family, kind, groups):
    """b and c of each lane such that it reads a lane of its own group."""
    chosen = {}
    clamp = 0 if kind == "up" else 31
    c = clamp | random.choice([0, 0, 16, 24, 28]) << 8
    for group in groups:
        for lane in group:
            if family == "bar.warp":
                chosen[lane] = (random.choice(group), 0)
            elif family == "shfl":
                usable = [b for b in range(32)
                          if shuffleSource(kind, lane, b, c)[0] in group]
                # An index out of its segment reads elsewhere: then one of its own.
                chosen[lane] = (random.choice(usable), c) if usable else (lane, 31)
            else:
                chosen[lane] = (0, 0)
    return chosen


def randomSteps(random, warps):
    steps = []
    for _ in range(random.randint(1, 6)):
        family = random.choice(list(FAMILIES))
        kind = random.choice(FAMILIES[family][1])
        groups = [partition(random) for _ in range(warps)]
        operands = [operandsFor(random, family, kind, g) for g in groups]
        steps.append(Step(family, kind, random.choice(WAYS), groups, operands))
    return steps


# What is expected -------------------------------------------------------------

def combine(value, result, said, number):
    return (value * 5 + result * 3 + (7 if said else 0) + number) % WORD


def expected(steps, values):
    """The values of all threads after all steps."""
    values = list(values)
    for number, step in enumerate(steps):
        model = FAMILIES[step.family][0]
        for warp, groups in enumerate(step.groups):
            mine = values[32 * warp:32 * warp + 32]
            for group in groups:
                results = model(step.kind, mine, group, step.operands[warp])
                for lane, (result, said) in results.items():
                    values[32 * warp + lane] = combine(mine[lane], result, said, number)
    return values


def table(steps):
    """Of each step and thread: mask, group or NOBODY, b, c."""
    words = []
    for step in steps:
        for groups, operands in zip(step.groups, step.operands):
            for lane in range(32):
                mine = next((i for i, g in enumerate(groups) if lane in g), None)
                words += ([0, NOBODY, 0, 0] if mine is None else
                          [bitsOf(groups[mine]), mine, *operands[lane]])
    return words


# Text -------------------------------------------------------------------------

def instruction(step, guard=""):
    """Lines that compute %result and %said of %value, under a predicate perhaps."""
    kind, lines = step.kind, []
    if step.family == "shfl":
        lines = [f"shfl.sync.{kind}.b32 %result|%said, %value, %b, %c, %mask;"]
    elif step.family == "redux":
        lines = [f"redux.sync.{kind} %result, %value, %mask;"]
    elif step.family == "vote" and kind == "ballot":
        lines = ["vote.sync.ballot.b32 %result, %bit, %mask;"]
    elif step.family == "vote":
        lines = [f"vote.sync.{kind}.pred %said, %bit, %mask;"]
    elif step.family == "match":
        mode, width = kind.split(".")
        target = "%result|%said" if mode == "all" else "%result"
        lines = [f"match.{mode}.sync.{width} {target}, %key{width[1:]}, %mask;"]
    else:
        lines = ["st.shared.u32 [%mine], %value;", "bar.warp.sync %mask;",
                 "ld.shared.u32 %result, [%other];", "bar.warp.sync %mask;"]
    return [guard + line for line in lines]


PREPARE = """mov.u32 %result, 0;
setp.ne.u32 %said, %result, 0;
and.b32 %t, %value, 1;
setp.ne.u32 %bit, %t, 0;
and.b32 %key32, %value, 3;
cvt.u64.u32 %key64, %key32;
shl.b32 %t, %b, 2;
add.u32 %other, %warpbase, %t;"""


def combined(number):
    return ["selp.u32 %t, 7, 0, %said;", "mad.lo.u32 %t, %result, 3, %t;",
            "mad.lo.u32 %t, %value, 5, %t;", f"add.u32 %value, %t, {number};"]


def parted(random, step, number, end):
    """The instruction at several places, chosen by the number of the lane."""
    places = random.choice([2, 2, 3])
    lines = [f"rem.u32 %t, %lane, {places};"]
    for i in range(places):
        own = [line.replace("%value", f"%myvalue{i}").replace("%result", f"%myresult{i}")
               for line in instruction(step)]
        lines += [f"setp.ne.u32 %p, %t, {i};", f"@%p bra PAST_{number}_{i};",
                  f"mov.u32 %myvalue{i}, %value;", f"mov.u32 %myresult{i}, 0;", *own,
                  f"mov.u32 %result, %myresult{i};", f"bra JOINED_{number};",
                  f"PAST_{number}_{i}:"]
    return lines + [f"JOINED_{number}:", *combined(number), f"{end}:"]


def arranged(random, step, number):
    """The step's instruction in the way in which its groups come to it."""
    end, most = f"END_{number}", max(len(g) for g in step.groups)
    most = max(most, 1)
    absent = [f"setp.eq.u32 %p, %group, {NOBODY};"]
    if step.way == "predicated":
        lines = absent + instruction(step, "@!%p ") + [f"@%p bra {end};"] + combined(number)
        return lines + [f"{end}:"]
    lines = absent + [f"@%p bra {end};"]
    if step.way == "parted":
        return lines + parted(random, step, number, end)
    if step.way == "late":
        lines += ["and.b32 %t, %lane, 3;", f"AGAIN_{number}:", "setp.eq.u32 %p, %t, 0;",
                  f"@%p bra THERE_{number};", "sub.u32 %t, %t, 1;",
                  f"bra AGAIN_{number};", f"THERE_{number}:"]
    if step.way in ("convergent", "late"):
        return lines + instruction(step) + combined(number) + [f"{end}:"]
    parts = ([[g] for g in range(most)] if step.way == "divergent" else
             [list(range(0, most, 2)), list(range(1, most, 2))])
    random.shuffle(parts)
    for i, groups in enumerate(parts):
        for g in groups:
            lines += [f"setp.eq.u32 %p, %group, {g};", f"@%p bra PART_{number}_{i};"]
        lines += [f"bra PAST_{number}_{i};", f"PART_{number}_{i}:", *instruction(step),
                  *combined(number), f"bra {end};", f"PAST_{number}_{i}:"]
    return lines + [f"{end}:"]


HEAD = """.version 8.0
.target sm_90a
.address_size 64
.visible .entry masks(.param .u64 values, .param .u64 table) .reqntid {threads}, 1, 1
{{
.reg .pred %p, %said, %bit;
.reg .b32 %value, %result, %mask, %group, %b, %c, %t, %key32, %tid, %lane, %mine;
.reg .b32 %other, %warpbase, %myvalue<3>, %myresult<3>;
.reg .b64 %address, %row, %wide, %key64;
.shared .align 4 .b8 exchanged[{bytes}];
mov.u32 %tid, %tid.x;
and.b32 %lane, %tid, 31;
mov.u32 %t, exchanged;
mad.lo.u32 %mine, %tid, 4, %t;
shl.b32 %b, %lane, 2;
sub.u32 %warpbase, %mine, %b;
ld.param.u64 %address, [values];
mul.wide.u32 %wide, %tid, 4;
add.u64 %address, %address, %wide;
ld.param.u64 %row, [table];
mul.wide.u32 %wide, %tid, 16;
add.u64 %row, %row, %wide;
ld.global.u32 %value, [%address];"""


def text(random, steps):
    threads = 32 * len(steps[0].groups)
    lines = HEAD.format(threads=threads, bytes=4 * threads).split("\n")
    for number, step in enumerate(steps):
        lines += [f"// {step.family} {step.kind}, {step.way}, groups "
                  f"{[len(g) for g in step.groups]}",
                  f"ld.global.v4.u32 {{%mask, %group, %b, %c}}, [%row+{16 * threads * number}];"]
        lines += PREPARE.split("\n") + arranged(random, step, number)
    return "\n".join(lines + ["st.global.u32 [%address], %value;", "ret;", "}", ""])
