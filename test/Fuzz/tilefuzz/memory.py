"""Tiles in memory: loads, stores, copies, allocations.

Blocks of one launch must not touch each other's elements: a memref that a launch of
several blocks writes is cut along dimension 0 into one slice a block, and every access
of the launch stays in the block's own slice. All other starts are free: out of bounds
is defined.
"""

from tilefuzz.arguments import aliasOf, argument, scalarArgument
from tilefuzz.builder import *
from tilefuzz.elementwise import convert, fit, like
from tilefuzz.layouts import fragmentLayout, sharedLayout


def isRestricted(b, memory, write):
    """Whether accesses of this launch must stay in the block's slice."""
    if memory.isShared or memory.isOwned or b.blocks == 1:
        return False
    return write or id(memory.root) in b.mutable


def sliceOf(b, memory):
    return -(-memory.shape[0] // b.blocks)


def start(b, scope, memory, dim, extent, write):
    """An index operand for dimension `dim` and, if known, whether it is in bounds."""
    size = memory.shape[dim]
    if dim == 0 and isRestricted(b, memory, write):
        width = sliceOf(b, memory)
        first = b.define("i", f"arith.muli {b.block.name}, {b.index(width)} : index")
        offset = b.between(0, width - extent)
        if offset:
            first = b.define("i", f"arith.addi {first}, {b.index(offset)} : index")
        return first, False
    if scope.indices and b.chance(0.25):
        index = b.pick(scope.indices)
        if b.odd(0.4):
            return index.name, False
        factor = b.index(extent if b.tidy else b.pick([extent, 1, 2, 3]))
        return b.define("i", f"arith.muli {index.name}, {factor} : index"), False
    value = b.pick([0, 0, 0, b.between(0, max(0, size - extent)),
                    -b.between(0, extent), b.between(0, size)])
    if b.tidy and b.chance(0.85):
        value = value // 16 * 16 if value > 0 else 0
    return b.index(value), 0 <= value and value + extent <= size


def boxOf(b, memory, shape, restricted):
    """The box of `memory` that holds a tile of `shape`, or None."""
    extra = len(memory.shape) - len(shape)
    if extra < 0:
        return None
    box = list(shape)
    for _ in range(extra):
        box.insert(b.between(0, len(box)), 1)
    if restricted and box[0] > sliceOf(b, memory):
        return None
    return box


def computedRows(b, extent, elem, type):
    iv, name = b.name("i"), b.name("r")
    scale = b.scalarConstant(b.pick([1, 2, 3, -1]), elem)
    shift = b.scalarConstant(b.between(-2, 5), elem)
    b.open(f"{name} = tile.parallel ({iv}) in ({extent}) -> ({type}) {{")
    place = iv
    if elem != "index":
        place = b.define("v", f"arith.index_cast {iv} : index to {elem}")
    scaled = b.define("v", f"arith.muli {place}, {scale} : {elem}")
    row = b.define("v", f"arith.addi {scaled}, {shift} : {elem}")
    b.line(f"tile.yield {row} : {elem}")
    b.close()
    return name


def rowsOf(b, memory, dim, extent, distinct):
    """Clause that gathers or scatters along `dim`: rows from memory, or computed."""
    size = memory.shape[dim]
    elem = b.pick(["i32", "i32", "i64", "index"])
    type = tensorType((extent,), elem)
    if b.chance(0.3):
        name = computedRows(b, extent, elem, type)
        return f" rows({name} : {type}) dim {dim}"
    data = "perm" if distinct else f"integers(-2,{size + 1})"
    positions = argument(b, (extent,), elem, "input", data=data, bound=size + 2)
    name = b.define("r", f"tile.load {positions.name}[{b.index(0)}] : {positions.type} "
                         f"-> {type}")
    return f" rows({name} : {type}) dim {dim}"


def side(b, scope, memory, shape, write, mayBeWhole=True, needsBox=False,
         distinct=True):
    """Text of a side of a tile operation, or None where the tile cannot lie there.
    `distinct`: rows that are written are."""
    restricted = isRestricted(b, memory, write)
    if (mayBeWhole and tuple(memory.shape) == tuple(shape) and memory.isStatic and
            not restricted and (not shape or b.chance(0.6))):
        return memory.name
    box = boxOf(b, memory, shape, restricted)
    if box is None:
        return None
    if not box:
        return memory.name + ("[]" if b.chance(0.5) else "")
    starts, bounded = zip(*[start(b, scope, memory, d, e, write)
                            for d, e in enumerate(box)])
    text = f"{memory.name}[{', '.join(starts)}]"
    if needsBox or len(box) != len(shape) or b.chance(0.3):
        text += f" [{', '.join(map(str, box))}]"
    bounded = list(bounded)
    if len(box) == len(shape) and b.chance(0.1) and len(b.arguments) < 14:
        dim = b.between(0, len(box) - 1)
        if not (restricted and dim == 0):
            text += rowsOf(b, memory, dim, box[dim], write and distinct)
            bounded[dim] = False
    if any(bounded) and b.chance(0.2):
        text += f" in_bounds [{', '.join('true' if x else 'false' for x in bounded)}]"
    return text


def padOf(b, elem):
    if not b.chance(0.25):
        return "", 0
    value = b.between(0, 1) if elem == "i1" else b.between(-3, 3)
    return f" pad({b.scalarConstant(value, elem)})", abs(value)


def fresh(b, shape, elem, role, **rest):
    """A new argument around tiles of `shape`, larger, ragged or smaller."""
    shape = list(shape)
    restricted = b.blocks > 1 and role != "input"
    if not shape or b.chance(0.2) and len(shape) < 3:
        shape.insert(0, b.between(1, 3))
    elif b.odd(0.3):
        shape[0] = shape[0] + b.between(0, 3)
    if restricted:
        whole = shape[0] * b.blocks
        shape[0] = whole - (b.between(0, b.blocks - 1) if b.odd(0.4) else 0)
        shape[0] = max(shape[0], shape[0] if shape[0] > 0 else 1)
    elif b.chance(0.3):
        shape[0] = max(1, shape[0] * b.between(1, 3) - (b.between(0, 3) if b.odd(1) else 0))
    for d in range(1, len(shape)):
        if b.odd(0.3):
            shape[d] = max(1, shape[d] + b.between(-3, 9))
        elif b.tidy and b.chance(0.3):
            shape[d] = shape[d] * b.between(1, 2)
    if not restricted and b.chance(0.04):
        shape[b.between(0, len(shape) - 1)] = 0
    twins = [m for m in b.visible if m.elem == elem and m.role == role == "input" and
             len(m.shape) == len(shape)]
    if twins and b.chance(0.2) and not rest:
        shape = list(b.pick(twins).shape)
    memory = argument(b, shape, elem, role, **rest)
    if role != "input":
        b.mutable.add(id(memory.root))
    if b.chance(0.1) and memory.strides is None and len(b.arguments) < 14 and not rest:
        alias(b, memory)
    return memory


def alias(b, memory):
    """A second argument over the same buffer, where this launch may use both."""
    if memory.isEmpty:
        return
    other = aliasOf(b, memory)
    if isRestricted(b, memory, False):
        b.visible.remove(other)


def readable(b, scope):
    return ([m for m in b.visible if m.role in ("input", "state")
             and m.shape and m.bound <= CAP] +
            [m for m in scope.buffers if m.role != "output"])


def writable(b, scope):
    return ([m for m in b.visible if m.role in ("state", "output") and
             (b.blocks == 1 or id(m.root) in b.mutable)] +
            [m for m in scope.buffers if m.isShared or m.role in ("state", "output") and
             (b.blocks == 1 or m.isOwned or id(m.root) in b.mutable)])


def convertible(source, target):
    if source == target:
        return True
    return ((isFloat(source) and isFloat(target)) or
            (isInteger(source) and isInteger(target)))


def load(b, scope, shape=None, elem=None, encoding=""):
    """Loads a tile from an argument or a shared buffer."""
    if shape is None:
        shape = () if b.chance(0.02) else b.shape()
        if shape and b.chance(0.05):
            encoding = fragmentLayout(b, shape, b.warps)
    candidates = [m for m in readable(b, scope) if len(m.shape) >= len(shape) and
                  (elem is None or convertible(m.elem, elem))]
    text = None
    if candidates and (b.chance(0.6) or len(b.arguments) > 10):
        memory = b.pick(candidates)
        text = side(b, scope, memory, shape, False)
    if text is None:
        memory = fresh(b, shape, elem or elementType(b), b.pick(["input", "input", "state"]))
        text = side(b, scope, memory, shape, False)
    if text is None:
        return None
    target = elem or memory.elem
    if elem is None and memory.elem not in ("i1", "index") and b.chance(0.15):
        target = b.pick(FLOATS if isFloat(memory.elem) else INTEGERS)
    pad, most = padOf(b, target) if "[" in text else ("", 0)
    result = Fragment("", shape, target, max(memory.bound, most), True, encoding)
    result.name = b.define("t", f"tile.load {text}{pad} : {memory.type} -> {result.type}")
    scope.fragments.append(result)
    return result


def loadSome(b, scope, choose):
    """Loads a tile of whatever shape and type `choose` gives that lies in some memory."""
    while True:
        loaded = load(b, scope, *choose())
        if loaded:
            return loaded


def elementType(b):
    return b.pick(["f32"] * 6 + ["f16"] * 4 + ["bf16", "bf16", "f64", "i32", "i32", "i32",
                                               "i8", "i16", "i64", "i1", "f8E4M3FN",
                                               "f8E5M2", "i4", "i4", FP4] + ["index"] * b.chance(0.3))


def store(b, scope, fragment=None, memory=None):
    """Stores a fragment to an argument or a shared buffer."""
    if fragment is None:
        fragment = b.pick(scope.fragments)
    text = None
    if memory is None:
        candidates = [m for m in writable(b, scope) if convertible(fragment.elem, m.elem)
                      and len(m.shape) >= len(fragment.shape)]
        if candidates and b.chance(0.6):
            memory = b.pick(candidates)
    if memory is not None:
        text = side(b, scope, memory, fragment.shape, True)
    if text is None:
        memory = fresh(b, fragment.shape, fragment.elem,
                       b.pick(["output", "output", "state"]))
        text = side(b, scope, memory, fragment.shape, True)
    if text is None:
        return
    fragment = storable(b, fragment, memory)
    b.line(f"tile.store {fragment.name}, {text} : {fragment.type}, {memory.type}")


def storable(b, fragment, memory):
    if memory.role != "output":
        return fit(b, fragment, CAP)
    if isFloat(memory.elem) and fragment.bound > LARGE[memory.elem]:
        return fit(b, fragment, CAP)
    return fragment


def allocate(b, shape, elem, layout=True):
    clause = sharedLayout(b, shape, elem) if layout else ""
    if b.chance(0.05):
        clause += " alignment(1024)" if "swizzle" not in clause else ""
    b.sharedBytes += product(shape) * max(8, WIDTH[elem]) // 8 + 256
    buffer = Memory("", tuple(shape), elem, "shared")
    buffer.name = b.define("s", f"tile.alloc{clause} : {buffer.type}")
    return buffer


def fillFromMemory(b, scope, buffer):
    """Copies a tile onto the whole of `buffer`."""
    candidates = [m for m in readable(b, scope) if convertible(m.elem, buffer.elem)
                  and len(m.shape) >= len(buffer.shape) and m.root is not buffer.root]
    text = None
    if candidates and (b.chance(0.6) or len(b.arguments) > 10):
        memory = b.pick(candidates)
        text = side(b, scope, memory, buffer.shape, False)
    if text is None:
        elem = buffer.elem
        if elem != "i1" and b.chance(0.15):
            elem = b.pick(FLOATS if isFloat(elem) else INTEGERS)
        memory = fresh(b, buffer.shape, elem, b.pick(["input", "input", "state"]))
        text = side(b, scope, memory, buffer.shape, False)
    if text is None:
        return False
    pad, _ = padOf(b, buffer.elem) if "[" in text else ("", 0)
    b.line(f"tile.copy {text}{pad} to {buffer.name} : {memory.type} to {buffer.type}")
    return True


def newBuffer(b, scope, shape=None, elem=None):
    """Allocates a shared buffer and fills it."""
    if b.sharedBytes > 24000:
        return None
    shape = shape or b.shape()
    elem = elem or elementType(b)
    buffer = allocate(b, shape, elem)
    mates = [f for f in scope.fragments if convertible(f.elem, elem) and
             f.shape == tuple(shape)]
    if mates and b.chance(0.5):
        fragment = fit(b, b.pick(mates), CAP)
        b.line(f"tile.store {fragment.name}, {buffer.name} : {fragment.type}, {buffer.type}")
    elif not fillFromMemory(b, scope, buffer):
        value = b.splat(b.between(-3, 3) if elem != "i1" else 1, shape, elem)
        b.line(f"tile.store {value.name}, {buffer.name} : {value.type}, {buffer.type}")
    scope.buffers.append(buffer)
    return buffer


def copyOut(b, scope):
    """Copies between memories, in any direction but global to fresh shared."""
    sources = [m for m in readable(b, scope) if not m.isEmpty]
    if not sources:
        return
    source = b.pick(sources)
    shape = source.shape
    if b.chance(0.5):
        shape = tuple(b.pick([n, max(1, n // 2), n + 3]) for n in shape)
    while product(shape) > 4096:
        shape = tuple(max(1, n // 2) for n in shape)
    targets = [m for m in writable(b, scope) if m.root is not source.root and
               convertible(source.elem, m.elem) and len(m.shape) >= len(shape)]
    target = b.pick(targets) if targets and b.chance(0.6) else None
    into = side(b, scope, target, shape, True, needsBox=True) if target else None
    if into is None:
        target = fresh(b, shape, source.elem, b.pick(["output", "state"]))
        into = side(b, scope, target, shape, True, needsBox=True)
    if into is None:
        return
    text = side(b, scope, source, shape, False,
                needsBox=len(target.shape) != len(source.shape) or b.chance(0.3))
    if text is None or target.isShared and target.root is source.root:
        return
    pad, _ = padOf(b, target.elem) if "[" in text else ("", 0)
    b.line(f"tile.copy {text}{pad} to {into} : {source.type} to {target.type}")
