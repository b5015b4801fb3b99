"""Layouts fixed by hand: `#tile.fragment` on tensors, `#tile.shared` on allocations."""

from tilefuzz.builder import *


def factors(b, number):
    """A random factorization of `number`, in random order."""
    parts = []
    while number > 1:
        part = b.pick([d for d in range(2, number + 1) if number % d == 0])
        parts.append(part)
        number //= part
    return parts


def fragmentDigits(b, shape, warps):
    """The digits of a valid layout of `shape` for `warps` warps: (extent, dim, step),
    dim None where they replicate, by hardware dimension.

    Every dimension gets a chain of digits, each step the product of the extents before;
    lanes and warps that find no room replicate, registers fill what is left.
    """
    rank = len(shape)
    digits = {"register": [], "lane": [], "warp": []}
    chains = [[] for _ in range(rank)]
    owned = [("lane", f) for f in factors(b, 32)] + [("warp", f) for f in factors(b, warps)]
    for hardware, extent in owned:
        chains[b.between(0, rank - 1)].append((hardware, extent))
    for dim, chain in enumerate(chains):
        b.random.shuffle(chain)
        if b.chance(0.5):
            chain.insert(0, ("register", b.pick([2, 4, 8])))
        step = 1
        for hardware, extent in chain:
            if step >= shape[dim] or (hardware == "register" and step * extent > shape[dim]):
                if hardware != "register":
                    digits[hardware].append((extent, None, 0))
                continue
            digits[hardware].append((extent, dim, step))
            step *= extent
        if step < shape[dim]:
            digits["register"].append((-(-shape[dim] // step), dim, step))
    for hardware in digits:
        b.random.shuffle(digits[hardware])
    return digits


def fragmentText(shape, digits):
    """`#tile.fragment` of these digits."""
    texts = []
    for hardware in ("register", "lane", "warp"):
        parts = []
        for extent, dim, step in digits[hardware]:
            place = ", ".join(str(step if d == dim else 0) for d in range(len(shape)))
            parts.append(f"{extent} : ({place})")
        texts.append(f"{hardware} = [{', '.join(parts)}]")
    return f"#tile.fragment<[{', '.join(map(str, shape))}], {', '.join(texts)}>"


def fragmentLayout(b, shape, warps):
    """A valid `#tile.fragment` of `shape` for `warps` warps."""
    return fragmentText(shape, fragmentDigits(b, shape, warps))


def inSameWarps(b, shape, digits):
    """Digits with the same elements in each warp: those of registers and lanes are
    handed out anew, in factors, but for what passes the shape."""
    pieces = []
    for hardware in ("register", "lane"):
        for extent, dim, step in digits[hardware]:
            if dim is None:
                continue
            for factor in sorted(factors(b, extent)):
                if step * factor >= shape[dim]:
                    break
                pieces.append((factor, dim, step))
                step, extent = step * factor, extent // factor
            if extent > 1:
                pieces.append((extent, dim, step))
    b.random.shuffle(pieces)
    result, lanes = {"register": [], "lane": [], "warp": list(digits["warp"])}, 1
    for piece in pieces:
        isLane = 32 % (lanes * piece[0]) == 0 and b.chance(0.6)
        result["lane" if isLane else "register"].append(piece)
        lanes *= piece[0] if isLane else 1
    if lanes < 32:
        result["lane"].insert(b.between(0, len(result["lane"])), (32 // lanes, None, 0))
    return result


def shortForm(b, shape, elem):
    """Order, swizzle mode and padding that the shape and type allow."""
    rank = len(shape)
    order = list(range(rank - 1, -1, -1))
    fields = ""
    if rank > 1 and b.chance(0.4):
        b.random.shuffle(order)
        fields += f", order = [{', '.join(map(str, order))}]"
    bits = 8 if WIDTH[elem] == 1 else WIDTH[elem]
    modes = [m for m in (32, 64, 128) if shape[order[0]] * bits % (8 * m) == 0]
    if rank > 1 and modes and b.chance(0.6):
        fields += f", swizzle = {b.pick(modes)}"
    elif rank > 1 and b.chance(0.6):
        fields += f", pad = {b.pick([1, 2, 3, 4, 8])}"
    return fields


def fullForm(b, shape):
    """Digits of all dimensions in any order, with gaps, under any XOR."""
    rank = len(shape)
    chains = []
    for d, n in enumerate(shape):
        step = 1
        for extent in factors(b, n) or [1]:
            chains.append((extent, d, step))
            step *= extent
    b.random.shuffle(chains)
    weight, parts = 1, []
    for extent, dim, step in chains:
        place = ", ".join(str(step if d == dim else 0) for d in range(rank))
        # A quarter of what is there at most, so that the buffer still fits.
        gap = b.pick([g for g in (0, 0, 0, 1, 4, 8) if 4 * g <= weight])
        parts.append(f"{extent} : ({place})" + (f" weight {weight + gap}" if gap else ""))
        weight = (weight + gap) * extent
    text = f", offset = [{', '.join(parts)}]"
    if b.chance(0.4):
        bits = b.between(1, 3)
        text += f", xor = [{bits}, {b.pick([3, 4])}, {b.between(bits, 4)}]"
    return text


def sharedLayout(b, shape, elem):
    """A layout clause that the shape and type allow, or nothing."""
    if not shape or b.chance(0.5):
        return ""
    fields = fullForm(b, shape) if b.chance(0.25) else shortForm(b, shape, elem)
    return f" layout(#tile.shared<[{', '.join(map(str, shape))}]{fields}>)"
