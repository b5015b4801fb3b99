"""Views of memrefs, on the host and in launches: subview, cast, reshapes.

Every view of a memref keeps its root. Offsets and sizes are constants, or values that
are only known when the program runs; the type then leaves them open. A view of memory
that several blocks write is the block's own slice, which no other block touches.
"""

from tilefuzz.arguments import scalarArgument
from tilefuzz.builder import *
from tilefuzz.memory import isRestricted, sliceOf


def made(b, memory, text, shape, dynamic, strides, offset, result=None):
    """Emits the view `text` with its types and describes its result."""
    view = Memory("", tuple(shape), memory.elem, memory.role, tuple(dynamic), strides,
                  offset, memory.root, bound=memory.bound, isView=True,
                  isOwned=memory.isOwned)
    arrow = "into" if "_shape" in text else "to"
    view.name = b.define("w", f"{text} : {memory.type} {arrow} {view.type}")
    return view


def placeOf(b, scope, most):
    """An offset in [0, most]: text, its value if the type may have it, its largest."""
    known = b.between(0, most)
    if b.chance(0.7):
        return str(known), known
    mates = [i for i in scope.indices if 0 <= i.low and i.high <= most]
    if mates and b.chance(0.6):
        return b.pick(mates).name, None
    if b.chance(0.5) and len(b.arguments) < 14:
        return scalarArgument(b, known).name, None
    return b.index(known), None


def subview(b, scope, memory):
    """A part of `memory`, by constants or by values, of lower rank perhaps."""
    strides = memory.getStrides()
    offset = memory.offset
    starts, sizes, steps, shape, dynamic = [], [], [], [], []
    for d, n in enumerate(memory.shape):
        extent = b.between(1, n) if b.chance(0.6) else b.pick([1, n, n])
        text, value = placeOf(b, scope, n - extent)
        step = 2 if b.chance(0.1) and value is not None and value + 2 * (extent - 1) < n else 1
        starts.append(text)
        steps.append(step)
        term = None if value is None or strides[d] is None else value * strides[d]
        if value == 0:
            term = 0
        offset = None if offset is None or term is None else offset + term
        isOpen = b.chance(0.15) and not memory.isShared
        sizes.append(b.index(extent) if isOpen else str(extent))
        shape.append(extent)
        if isOpen:
            dynamic.append(d)
    steppedStrides = [None if s is None else s * t for s, t in zip(strides, steps)]
    dropped = [d for d, n in enumerate(sizes) if n == "1" and b.chance(0.4)]
    if len(dropped) == len(shape):
        dropped.pop()
    kept = [d for d in range(len(shape)) if d not in dropped]
    text = (f"memref.subview {memory.name}[{', '.join(starts)}] [{', '.join(sizes)}] "
            f"{steps}")
    return made(b, memory, text, [shape[d] for d in kept],
                [kept.index(d) for d in dynamic], [steppedStrides[d] for d in kept], offset)


def ownSlice(b, memory):
    """The rows of `memory` that belong to this block; clipped where they run out."""
    width = sliceOf(b, memory)
    first = b.define("i", f"arith.muli {b.block.name}, {b.index(width)} : index")
    strides = memory.getStrides()
    rest = [str(n) for n in memory.shape[1:]]
    size = str(width)
    shape, dynamic = [width, *memory.shape[1:]], []
    if memory.shape[0] != width * b.blocks:
        # The last block may have fewer rows, or none: then the view holds none.
        total = b.index(memory.shape[0])
        begin = b.define("i", f"arith.minsi {first}, {total} : index")
        left = b.define("i", f"arith.subi {total}, {begin} : index")
        size = b.define("i", f"arith.minsi {left}, {b.index(width)} : index")
        first, dynamic, shape[0] = begin, [0], 0
    offsets = [first] + ["0"] * len(rest)
    text = (f"memref.subview {memory.name}[{', '.join(offsets)}] "
            f"[{', '.join([size] + rest)}] {[1] * len(shape)}")
    view = made(b, memory, text, shape, dynamic, strides, None)
    view.isOwned = True
    return view


def reshape(b, memory):
    """Two dimensions as one, or one as two."""
    rank = len(memory.shape)
    if rank > 1 and b.chance(0.6):
        first = b.between(0, rank - 2)
        groups = [[d] for d in range(first)] + [[first, first + 1]] + [
            [d] for d in range(first + 2, rank)]
        shape = tuple(product(memory.shape[d] for d in g) for g in groups)
        dynamic = [i for i, g in enumerate(groups) if set(g) & set(memory.dynamic)]
        text = f"memref.collapse_shape {memory.name} {groups}"
        return made(b, memory, text, shape, dynamic, None, 0)
    dim = b.between(0, rank - 1)
    if rank > 3 or dim in memory.dynamic:
        return None
    inner = b.pick([d for d in range(1, memory.shape[dim] + 1) if memory.shape[dim] % d == 0])
    groups = [[d if d < dim else d + 1] for d in range(rank)]
    groups[dim] = [dim, dim + 1]
    shape = memory.shape[:dim] + (memory.shape[dim] // inner, inner) + memory.shape[dim + 1:]
    dynamic = [d if d < dim else d + 1 for d in memory.dynamic]
    sizes = [str(n) for n in shape]
    for d in dynamic:
        sizes[d] = b.define("d", f"memref.dim {memory.name}, "
                                 f"{b.index(d if d < dim else d - 1)} : {memory.type}")
    text = (f"memref.expand_shape {memory.name} {groups} "
            f"output_shape [{', '.join(sizes)}]")
    return made(b, memory, text, shape, dynamic, None, 0)


def cast(b, memory):
    """The same memref with fewer or more sizes in its type."""
    dynamic = tuple(d for d in range(len(memory.shape)) if b.chance(0.5))
    strides, offset = memory.getStrides(), memory.offset
    if memory.strides is not None or b.chance(0.3):
        strides = [None if b.chance(0.4) else s for s in strides]
        offset = None if b.chance(0.4) else offset
    else:
        strides = None
    if memory.isShared and (dynamic or strides):
        return None
    view = made(b, memory, f"memref.cast {memory.name}", memory.shape, dynamic, strides,
                offset)
    return view


def reinterpret(b, memory):
    """Other sizes and strides over an input; elements may be seen twice."""
    total = product(memory.shape)
    shape = b.shape(rank=b.between(1, 2), limit=min(total, 1024))
    strides = [b.pick([1, 2, 3, 8]) for _ in shape]
    offset = b.between(0, 4)
    if offset + sum((n - 1) * s for n, s in zip(shape, strides)) >= total:
        return None
    first = b.index(offset) if b.chance(0.5) else None
    text = (f"memref.reinterpret_cast {memory.name} to offset: [{first or offset}], "
            f"sizes: {list(shape)}, strides: {strides}")
    return made(b, memory, text, shape, (), strides, None if first else offset)


def assumed(b, memory):
    """A memref with facts that it has."""
    divisors = lambda numbers: ", ".join(
        str(b.pick([d for d in (1, 2, 4, 8, 16) if n % d == 0])) for n in numbers)
    text = f"tile.assume {memory.name}"
    if b.chance(0.6):
        text += f" sizes [{divisors(memory.shape)}]"
    if b.chance(0.3):
        text += " alignment 1"
    view = Memory("", memory.shape, memory.elem, memory.role, memory.dynamic,
                  memory.strides, memory.offset, memory.root, bound=memory.bound,
                  isView=True, isOwned=memory.isOwned)
    view.name = b.define("w", f"{text} : {memory.type}")
    return view


def viewOf(b, scope, memory):
    """A view of any kind, or None."""
    isPlain = memory.strides is None
    choices = [lambda: subview(b, scope, memory)] * 4
    if isPlain:
        choices += [lambda: reshape(b, memory)] * 2
    if not memory.isShared:
        choices += [lambda: cast(b, memory), lambda: assumed(b, memory)]
        if memory.role == "input" and isPlain:
            choices.append(lambda: reinterpret(b, memory))
    return b.pick(choices)()


def view(b, scope):
    """Statement of a launch: a view of a buffer or an argument."""
    roots = [m for m in scope.buffers + b.visible if m.shape and not m.isEmpty and
             m.role in ("shared", "input", "state", "output") and m.elem != "index"]
    if not roots:
        return
    memory = b.pick(roots)
    if isRestricted(b, memory, False) or (b.blocks > 1 and memory.role == "output" and
                                          not memory.isOwned):
        if id(memory.root) in b.mutable:
            scope.buffers.append(ownSlice(b, memory))
        return
    result = viewOf(b, scope, memory)
    if result is not None:
        scope.buffers.append(result)
