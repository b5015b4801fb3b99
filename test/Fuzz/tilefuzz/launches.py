"""One launch: its grid, attributes and body."""

from tilefuzz import memory
from tilefuzz.arguments import scalarArgument
from tilefuzz.builder import *
from tilefuzz.regions import body


def chooseVisible(b, scope):
    """The memrefs that this launch may use, and the roots that it may write.

    Several blocks must not reach one element through two memrefs, so of all that share
    a root that is written one is chosen.
    """
    every = [m for m in b.arguments if m.role != "scalar"] + scope.buffers
    every = [m for m in every if id(m.root) not in b.hidden or m in scope.buffers]
    b.mutable = {id(m.root) for m in every if m.role in ("state", "output") and
                 b.chance(0.5) and m.shape}
    byRoot = {}
    for m in every:
        byRoot.setdefault(id(m.root), []).append(m)
    b.visible = []
    for root, members in byRoot.items():
        if b.blocks > 1 and root in b.mutable:
            members = [b.pick(members)]
        b.visible += members


def sizeOf(b, value):
    """An extent, constant or given when the program runs."""
    if b.chance(0.25) and len(b.arguments) < 14:
        return scalarArgument(b, value).name
    return b.index(value)


def extentsOf(b, grid):
    """`grid` as one to three factors, fastest first; one of them zero sometimes."""
    numbers = [grid]
    while len(numbers) < 3 and b.chance(0.3):
        rest = numbers.pop()
        factor = b.pick([d for d in range(1, rest + 1) if rest % d == 0])
        numbers += [factor, rest // factor]
    texts = [sizeOf(b, n) for n in numbers]
    if b.chance(0.03):
        texts[b.between(0, len(texts) - 1)] = sizeOf(b, 0)
    return numbers, texts


def attributesOf(b, dimensions):
    parts = []
    # With more warps these need not fit.
    isSmall = b.warps <= 16
    if b.chance(0.1) and isSmall:
        parts.append(f"min_blocks_per_sm = {b.between(1, 2)}")
    if b.chance(0.05) and isSmall and not parts:
        parts.append("max_registers = 128")
    if dimensions > 1 and b.chance(0.3):
        parts.append(f"rasterize = #tile.rasterize<{b.pick(['row', 'column'])}, "
                     f"{b.between(1, 4)}>")
    if b.chance(0.1):
        parts.append(f"warp_specialize = #tile.warp_specialize<{b.pick(['auto', 'off'])}>")
    return f" attributes {{{', '.join(parts)}}}" if parts else ""


def randomBody(b, scope):
    """Statements of any kind, and some of their results in memory."""
    body(b, scope, b.between(3, 12))
    last = [f for f in scope.fragments if f.elem != "index"][-6:]
    for fragment in b.random.sample(last, min(len(last), b.between(1, 3))):
        memory.store(b, scope, fragment)


def launch(b, scope, warps=None, write=randomBody, grid=None):
    """Statement of the host. `scope.buffers`: memrefs that the host made; `write`
    emits the statements of the block."""
    grid = grid or b.pick([1, 1, 1, 2, 3, 4, 6])
    b.blocks = grid
    b.warps = warps or b.pick([1, 1, 2, 2, 3, 4, 4, 5, 6, 7, 8, 8, 16])
    b.sharedBytes = 0
    chooseVisible(b, scope)
    numbers, extents = extentsOf(b, grid)
    names = [b.name("b") for _ in numbers]
    b.open(f"tile.launch blocks({', '.join(names)}) in ({', '.join(extents)}) "
           f"threads({32 * b.warps}){attributesOf(b, len(names))} {{")
    block = names[-1]
    for name, n in list(zip(names, numbers))[-2::-1]:
        scaled = b.define("i", f"arith.muli {block}, {b.index(n)} : index")
        block = b.define("i", f"arith.addi {scaled}, {name} : index")
    b.block = Index(block, 0, grid - 1)
    inner = Scope(indices=[b.block, *scope.indices], scalars=list(scope.scalars))
    write(b, inner)
    b.close()
