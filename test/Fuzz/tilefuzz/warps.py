"""What the instructions of a warp with a member mask give: a model, lane by lane.

Every lane names the mask of its own group, and takes part with the lanes of that mask
alone. Written from the PTX ISA's sections on `shfl.sync`, `vote.sync`, `match.sync`,
`redux.sync` and `bar.warp.sync`; values are 32 bits.
"""

WORD = 1 << 32


def signed(x):
    return x - WORD if x >= WORD >> 1 else x


def bitsOf(lanes):
    return sum(1 << lane for lane in lanes)


def shuffleSource(mode, lane, b, c):
    """(the lane that is read, whether it is in range); the ISA's pseudocode."""
    segment, clamp = c >> 8 & 31, c & 31
    most = (lane & segment) | (clamp & ~segment & 31)
    least = lane & segment
    distance = b & 31
    source = {"up": lane - distance, "down": lane + distance, "bfly": lane ^ distance,
              "idx": least | (distance & ~segment & 31)}[mode]
    inRange = source >= most if mode == "up" else source <= most
    return (source if inRange else lane), inRange


def shuffle(mode, values, group, operands):
    """{lane: (value, predicate)}; `operands` are b and c of each lane."""
    results = {}
    for lane in group:
        source, inRange = shuffleSource(mode, lane, *operands[lane])
        results[lane] = values[source], inRange
    return results


REDUCTIONS = {
    "add.u32": lambda xs: sum(xs), "add.s32": lambda xs: sum(xs),
    "min.u32": min, "max.u32": max,
    "min.s32": lambda xs: min(map(signed, xs)), "max.s32": lambda xs: max(map(signed, xs)),
    "and.b32": lambda xs: _fold(xs, lambda x, y: x & y),
    "or.b32": lambda xs: _fold(xs, lambda x, y: x | y),
    "xor.b32": lambda xs: _fold(xs, lambda x, y: x ^ y)}


def _fold(xs, combine):
    total = xs[0]
    for x in xs[1:]:
        total = combine(total, x)
    return total


def reduction(kind, values, group, _):
    total = REDUCTIONS[kind]([values[lane] for lane in group]) % WORD
    return {lane: (total, False) for lane in group}


def vote(kind, values, group, _):
    """Of the lowest bit of each value."""
    bits = {lane: values[lane] & 1 for lane in group}
    if kind == "ballot":
        word = bitsOf(lane for lane in group if bits[lane])
        return {lane: (word, False) for lane in group}
    said = {"all": all(bits.values()), "any": any(bits.values()),
            "uni": len(set(bits.values())) == 1}[kind]
    return {lane: (0, said) for lane in group}


def match(kind, values, group, _):
    """Of the two lowest bits of each value."""
    keys = {lane: values[lane] & 3 for lane in group}
    if kind.startswith("any"):
        return {lane: (bitsOf(o for o in group if keys[o] == keys[lane]), False)
                for lane in group}
    same = len(set(keys.values())) == 1
    return {lane: (bitsOf(group) if same else 0, same) for lane in group}


def exchange(_, values, group, operands):
    """Through shared memory, between two `bar.warp.sync`."""
    return {lane: (values[operands[lane][0]], False) for lane in group}


# Family: its model and its kinds.
FAMILIES = {"shfl": (shuffle, ["up", "down", "bfly", "idx"]),
            "redux": (reduction, list(REDUCTIONS)),
            "vote": (vote, ["all", "any", "uni", "ballot"]),
            "match": (match, ["any.b32", "any.b64", "all.b32", "all.b64"]),
            "bar.warp": (exchange, ["sync"])}
