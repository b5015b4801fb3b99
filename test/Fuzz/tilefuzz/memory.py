"""Tiles in memory: loads, stores, copies, atomics, allocations, views.

Blocks of one launch must not touch each other's elements: a memref that a launch of
several blocks writes is cut along dimension 0 into one slice a block, and every access
of the launch stays in the block's own slice. All other starts are free: out of bounds
is defined.
"""

from tilefuzz.builder import *
from tilefuzz.elementwise import convert, fit, like


def isRestricted(b, memory, write):
    """Whether accesses of this launch must stay in the block's slice."""
    if memory.isShared or b.blocks == 1:
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
        if b.chance(0.4):
            return index.name, False
        factor = b.index(b.pick([extent, 1, 2, 3]))
        return b.define("i", f"arith.muli {index.name}, {factor} : index"), False
    value = b.pick([0, 0, 0, b.between(0, max(0, size - extent)),
                    -b.between(0, extent), b.between(0, size)])
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


def rowsOf(b, scope, memory, dim, extent, distinct):
    """Clause that gathers or scatters along `dim`."""
    size = memory.shape[dim]
    if distinct:
        positions = b.argument((extent,), "i32", "input", data="perm")
    else:
        positions = b.argument((extent,), "i32", "input",
                               data=f"integers(-2,{size + 1})")
    zero = b.index(0)
    elem = "i32"
    type = tensorType((extent,), elem)
    name = b.define("r", f"tile.load {positions.name}[{zero}] : {positions.type} -> {type}")
    return f" rows({name} : {type}) dim {dim}"


def side(b, scope, memory, shape, write, mayBeWhole=True, needsBox=False):
    """Text of a side of a tile operation, or None where the tile cannot lie there."""
    restricted = isRestricted(b, memory, write)
    if (mayBeWhole and tuple(memory.shape) == tuple(shape) and "?" not in
            memory.type.split(",")[0] and not restricted and b.chance(0.6)):
        return memory.name
    box = boxOf(b, memory, shape, restricted)
    if box is None:
        return None
    starts, bounded = zip(*[start(b, scope, memory, d, e, write)
                            for d, e in enumerate(box)])
    text = f"{memory.name}[{', '.join(starts)}]"
    if needsBox or len(box) != len(shape) or b.chance(0.3):
        text += f" [{', '.join(map(str, box))}]"
    if len(box) == len(shape) and b.chance(0.07) and len(b.arguments) < 12:
        dim = b.between(0, len(box) - 1)
        isKnown = write and not mayUse("rows of a store")
        if not isKnown and not (restricted and dim == 0) and "strided" not in memory.type:
            return text + rowsOf(b, scope, memory, dim, box[dim], write)
    if any(bounded) and b.chance(0.2):
        text += f" in_bounds [{', '.join('true' if x else 'false' for x in bounded)}]"
    return text


def padOf(b, elem):
    if elem == "i1" or not b.chance(0.25):
        return "", 0
    value = b.between(-3, 3)
    return f" pad({b.scalarConstant(value, elem)})", abs(value)


def fresh(b, shape, elem, role, **rest):
    """A new argument around tiles of `shape`, larger, ragged or smaller."""
    shape = list(shape)
    restricted = b.blocks > 1 and role != "input"
    if b.chance(0.2) and len(shape) < 3:
        shape.insert(0, b.between(1, 3))
    elif b.chance(0.3):
        shape[0] = shape[0] + b.between(0, 3)
    if restricted:
        whole = shape[0] * b.blocks
        shape[0] = whole - (b.between(0, b.blocks - 1) if b.chance(0.4) else 0)
        shape[0] = max(shape[0], shape[0] if shape[0] > 0 else 1)
    elif b.chance(0.3):
        shape[0] = max(1, shape[0] * b.between(1, 3) - b.between(0, 3))
    for d in range(1, len(shape)):
        if b.chance(0.3):
            shape[d] = max(1, shape[d] + b.between(-3, 9))
    memory = b.argument(shape, elem, role, **rest)
    if role != "input":
        b.mutable.add(id(memory.root))
    return memory


def readable(b, scope):
    return ([m for m in b.arguments if m.role in ("input", "state") and m.elem != "index"
             and m.shape and m.bound <= CAP] + scope.buffers)


def writable(b, scope):
    return ([m for m in b.arguments if m.role in ("state", "output") and
             (b.blocks == 1 or id(m.root) in b.mutable)] +
            [m for m in scope.buffers if m.isShared])


def convertible(source, target):
    if source == target:
        return True
    return ((isFloat(source) and isFloat(target)) or
            (isInteger(source) and isInteger(target)))


def load(b, scope, shape=None, elem=None, encoding=""):
    """Loads a tile from an argument or a shared buffer."""
    shape = shape or b.shape()
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
    if elem is None and memory.elem != "i1" and b.chance(0.15):
        target = b.pick(FLOATS if isFloat(memory.elem) else INTEGERS)
    pad, most = padOf(b, target) if "[" in text else ("", 0)
    result = Fragment("", shape, target, max(memory.bound, most), True, encoding)
    result.name = b.define("t", f"tile.load {text}{pad} : {memory.type} -> {result.type}")
    scope.fragments.append(result)
    return result


def elementType(b):
    return b.pick(["f32"] * 6 + ["f16"] * 4 + ["bf16", "bf16", "f64", "i32", "i32", "i32",
                                               "i8", "i16", "i64", "i1", "f8E4M3FN",
                                               "f8E5M2"])


def store(b, scope, fragment=None, memory=None):
    """Stores a fragment to an argument or a shared buffer."""
    if fragment is None:
        fragment = b.pick(scope.fragments)
    if fragment.elem == "index" or not fragment.shape:
        return
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


def storeApproximate(b, scope, fragment):
    """Stores the result of a math function to an argument of its own."""
    memory = fresh(b, fragment.shape, fragment.elem, "output",
                   tolerance={"f32": "4e-6", "f64": "1e-12", "f16": "4e-3",
                              "bf16": "4e-2"}[fragment.elem])
    memory.role = "approximate"
    text = side(b, scope, memory, fragment.shape, True)
    if text:
        b.line(f"tile.store {fragment.name}, {text} : {fragment.type}, {memory.type}")


def sharedLayout(b, shape, elem):
    """A layout clause that the shape and type allow, or nothing."""
    rank = len(shape)
    if b.chance(0.5):
        return ""
    sizes = ", ".join(map(str, shape))
    order = list(range(rank - 1, -1, -1))
    fields = ""
    if rank > 1 and b.chance(0.4):
        b.random.shuffle(order)
        fields += f", order = [{', '.join(map(str, order))}]"
    rowBytes = shape[order[0]] * WIDTH[elem] // 8
    modes = [m for m in (32, 64, 128) if rowBytes % m == 0]
    if rank > 1 and modes and elem != "i1" and b.chance(0.6):
        fields += f", swizzle = {b.pick(modes)}"
    elif rank > 1 and b.chance(0.6):
        fields += f", pad = {b.pick([1, 2, 4, 8])}"
    return f" layout(#tile.shared<[{sizes}]{fields}>)"


def allocate(b, shape, elem, layout=True):
    clause = sharedLayout(b, shape, elem) if layout else ""
    if b.chance(0.05):
        clause += " alignment(1024)" if "swizzle" not in clause else ""
    type = memrefType(shape, elem, ", #shared")
    b.sharedBytes += product(shape) * max(8, WIDTH[elem]) // 8 + 256
    name = b.define("s", f"tile.alloc{clause} : {type}")
    return Memory(name, tuple(shape), elem, type, "shared")


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
    sources = [m for m in readable(b, scope)]
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


def stridesOf(memory):
    strides, step = [], 1
    for n in reversed(memory.shape):
        strides.insert(0, step)
        step *= n
    return strides


def view(b, scope):
    """A view of a shared buffer or of a static argument that is only read."""
    roots = [m for m in scope.buffers if m.isShared and not m.isView]
    roots += [m for m in b.arguments if m.role == "input" and "?" not in m.type]
    if not roots:
        return
    memory = b.pick(roots)
    space = ", #shared" if memory.isShared else ""
    rank = len(memory.shape)
    if rank > 1 and b.chance(0.25):
        first = b.between(0, rank - 2)
        groups = [[d] for d in range(first)] + [[first, first + 1]] + [
            [d] for d in range(first + 2, rank)]
        shape = tuple(product(memory.shape[d] for d in g) for g in groups)
        type = memrefType(shape, memory.elem, space)
        name = b.define("w", f"memref.collapse_shape {memory.name} {groups} : "
                             f"{memory.type} into {type}")
    else:
        sizes = [b.between(1, n) if b.chance(0.6) else n for n in memory.shape]
        starts = [b.between(0, n - e) for n, e in zip(memory.shape, sizes)]
        steps = [2 if b.chance(0.1) and s + 2 * (e - 1) < n else 1
                 for n, s, e in zip(memory.shape, starts, sizes)]
        strides = stridesOf(memory)
        offset = sum(s * t for s, t in zip(starts, strides))
        dropped = [d for d in range(rank) if sizes[d] == 1 and b.chance(0.4)]
        if len(dropped) == rank:
            dropped.pop()
        kept = [d for d in range(rank) if d not in dropped]
        shape = tuple(sizes[d] for d in kept)
        tail = ", ".join(str(strides[d] * steps[d]) for d in kept)
        tail = f"strided<[{tail}]" + (f", offset: {offset}>" if offset else ">")
        type = memrefType(shape, memory.elem, f", {tail}{space}")
        name = b.define("w", f"memref.subview {memory.name}{starts} {sizes} {steps} : "
                             f"{memory.type} to {type}")
    result = Memory(name, shape, memory.elem, type, memory.role, memory.root,
                    bound=memory.bound, isView=True)
    scope.buffers.append(result)


def total(b, elem, shape, kinds):
    """An argument that only atomics of one kind touch."""
    for m in b.arguments:
        if (m.role == "total" and m.elem == elem and len(m.shape) == len(shape) and
                b.chance(0.5) and m.kind in kinds):
            return m
    sizes = [max(1, n + b.between(-2, 4)) for n in shape]
    return b.argument(sizes, elem, "total", kind=b.pick(kinds))


ATOMIC_KINDS = {"i32": ["addi", "maxs", "mins", "maxu", "minu", "ori", "andi"],
                "i64": ["addi", "maxs", "mins", "maxu", "minu"],
                "f32": ["addf", "maximumf", "minimumf"],
                "f64": ["addf", "maximumf"], "f16": ["maximumf", "minimumf"],
                "bf16": ["maximumf"]}


def hasAtomics(elem):
    return elem in ATOMIC_KINDS


def atomic(b, scope):
    """tile.atomic_rmw on an argument that nothing else touches."""
    mates = [f for f in scope.fragments if hasAtomics(f.elem) and f.shape]
    if not mates:
        return
    fragment = fit(b, b.pick(mates), CAP)
    target = total(b, fragment.elem, fragment.shape, ATOMIC_KINDS[fragment.elem])
    text = side(b, scope, target, fragment.shape, False, mayBeWhole=False)
    b.line(f"tile.atomic_rmw {target.kind} {fragment.name}, {text} : {fragment.type}, "
           f"{target.type}")


def sharedAtomic(b, scope):
    """Atomics on a fresh shared buffer, read back as a fragment."""
    mates = [f for f in scope.fragments if f.elem in ("i32", "f32") and f.shape]
    if not mates or b.sharedBytes > 24000:
        return
    fragment = fit(b, b.pick(mates), CAP)
    buffer = allocate(b, fragment.shape, fragment.elem)
    zero = b.splat(0, fragment.shape, fragment.elem)
    b.line(f"tile.store {zero.name}, {buffer.name} : {zero.type}, {buffer.type}")
    kind = b.pick(ATOMIC_KINDS[fragment.elem])
    for _ in range(b.between(1, 3)):
        text = side(b, scope, buffer, fragment.shape, True, mayBeWhole=False)
        b.line(f"tile.atomic_rmw {kind} {fragment.name}, {text} : {fragment.type}, "
               f"{buffer.type}")
    full = math.inf if kind in ("minu", "maxu", "ori", "andi") else 4 * 128 * CAP
    result = Fragment("", fragment.shape, fragment.elem,
                      min(full, 2.0**31) if isInteger(fragment.elem) else full)
    result.name = b.define("t", f"tile.load {buffer.name} : {buffer.type} -> {result.type}")
    scope.fragments.append(result)
