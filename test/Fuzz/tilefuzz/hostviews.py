"""Views that the host makes of arguments, with divisors that only arithmetic shows.

Offsets, sizes and strides are multiples of constants: of scalars of the command line,
of narrow ones, of the counter of a host loop, or stated by `tile.assume_divisible`. What
the kernel knows of them chooses how wide it reads, so every element is read and some
are written through them.
"""

from tilefuzz import memory
from tilefuzz.arguments import argument, scalarArgument
from tilefuzz.builder import *
from tilefuzz.elementwise import fit, step
from tilefuzz.launches import launch
from tilefuzz.regions import repeated
from tilefuzz.views import cast, made, reshape

UNITS = [1, 2, 4, 8, 8, 16, 16, 32]


def unitOf(b, most):
    """A divisor to have, of what is at most `most`: one that allows wide accesses, for
    the greater part."""
    units = [u for u in UNITS if u <= max(1, most)]
    return b.pick([u for u in units if u >= 8] or units) if b.chance(0.7) else b.pick(units)


def divisor(b, value):
    """A divisor of `value` to state: what it has up to 32, for the greater part."""
    divisors = [d for d in (1, 2, 3, 4, 8, 16, 32) if value % d == 0]
    return divisors[-1] if b.chance(0.7) else b.pick(divisors)


def scaled(b, value, unit):
    """`value`, a multiple of `unit`, as the host computes it: from a scalar."""
    b.features["divisor of a host value"] += 1
    quotient = value // unit
    choice = b.between(0, 4)
    if choice == 0:
        whole = scalarArgument(b, value).name
        return b.define("n", f"tile.assume_divisible {whole} by {unit} : index")
    if choice == 1:
        # What is cut off makes the divisor known.
        b.features["i32 on the host"] += 1
        whole = scalarArgument(b, value + b.between(0, unit - 1), "i32").name
        cut = b.define("n", f"arith.divui {whole}, {b.scalarConstant(unit, 'i32')} : i32")
        cut = b.define("n", f"arith.muli {cut}, {b.scalarConstant(unit, 'i32')} : i32")
        return b.define("n", f"arith.index_cast {cut} : i32 to index")
    elem = b.pick(["index", "index", "i32", "i64"])
    name = scalarArgument(b, quotient, elem).name
    if elem == "index":
        return b.define("n", f"arith.muli {name}, {b.index(unit)} : index")
    b.features[f"{elem} on the host"] += 1
    if choice == 2:
        wide = b.define("n", f"arith.index_cast {name} : {elem} to index")
        return b.define("n", f"arith.muli {wide}, {b.index(unit)} : index")
    if choice == 3 and unit & (unit - 1) == 0:
        shift = b.scalarConstant(unit.bit_length() - 1, elem)
        many = b.define("n", f"arith.shli {name}, {shift} : {elem}")
    else:
        many = b.define("n", f"arith.muli {name}, {b.scalarConstant(unit, elem)} : {elem}")
    return b.define("n", f"arith.index_cast {many} : {elem} to index")


def place(b, scope, most):
    """An offset in [0, most]: its text, and its value if the type has it."""
    unit = unitOf(b, most)
    value = most // unit * unit if b.chance(0.3) else unit * b.between(0, most // unit)
    counters = [i for i in scope.indices if i.high <= most]
    if counters and b.chance(0.5):
        b.features["offset by a host loop"] += 1
        counter = b.pick(counters)
        if counter.high * unit > most or b.chance(0.3):
            return counter.name, None
        return b.define("n", f"arith.muli {counter.name}, {b.index(unit)} : index"), None
    if b.chance(0.3) or len(b.arguments) > 14:
        return str(value), value
    return scaled(b, value, unit), None


def extentOf(b, n):
    """A size of at most `n`."""
    unit = unitOf(b, n)
    return n if b.chance(0.4) else unit * b.between(1, n // unit)


def open_(b, value):
    """`value` as text of a size or stride, and whether the type leaves it open."""
    if b.chance(0.5) or len(b.arguments) > 14:
        return str(value), False
    return scaled(b, value, divisor(b, value)), True


def subview(b, scope, source):
    """A part at an offset and of sizes with known divisors."""
    offset, strides = source.offset, source.getStrides()
    starts, sizes, shape, dynamic = [], [], [], []
    for d, n in enumerate(source.shape):
        extent = extentOf(b, n)
        text, value = place(b, scope, n - extent)
        term = 0 if value == 0 else (None if value is None or strides[d] is None
                                     else value * strides[d])
        offset = None if offset is None or term is None else offset + term
        starts.append(text)
        size, isOpen = open_(b, extent)
        sizes.append(size)
        shape.append(extent)
        dynamic += [d] if isOpen else []
    b.features["host subview"] += 1
    text = (f"memref.subview {source.name}[{', '.join(starts)}] [{', '.join(sizes)}] "
            f"{[1] * len(shape)}")
    return made(b, source, text, shape, dynamic, strides, offset)


def expand(b, scope, source):
    """One dimension as two, the inner of a constant size."""
    if source.strides is not None or len(source.shape) > 3:
        return None
    dim = b.between(0, len(source.shape) - 1)
    n = source.shape[dim]
    inner = divisor(b, n)
    shape = source.shape[:dim] + (n // inner, inner) + source.shape[dim + 1:]
    dynamic = [d if d <= dim else d + 1 for d in source.dynamic]
    sizes = [str(m) for m in shape]
    for d in dynamic:
        sizes[d] = (scalarArgument(b, shape[d]).name if len(b.arguments) < 14
                    else b.index(shape[d]))
    groups = [[d if d < dim else d + 1] for d in range(len(source.shape))]
    groups[dim] = [dim, dim + 1]
    b.features["host expand_shape"] += 1
    text = (f"memref.expand_shape {source.name} {groups} "
            f"output_shape [{', '.join(sizes)}]")
    return made(b, source, text, shape, dynamic, None, 0)


def reinterpret(b, scope, source):
    """Rows of any pitch, at any offset, over a plain memref."""
    if source.strides is not None or source.isView:
        return None
    total = product(source.shape)
    columns = min(b.pick([8, 16, 16, 24, 32, 32, 64]), total)
    pitch = columns + b.pick([0, 0, 8, 16, 16, 1])
    rows = min(b.pick([1, 4, 8, 16, 32]), 1 + (total - columns) // pitch)
    offset, value = place(b, scope, total - columns - (rows - 1) * pitch)
    sizes, isOpen = zip(*[open_(b, n) for n in (rows, columns)])
    stride, isPitchOpen = open_(b, pitch)
    b.features["host reinterpret_cast"] += 1
    text = (f"memref.reinterpret_cast {source.name} to offset: [{offset}], "
            f"sizes: [{', '.join(sizes)}], strides: [{stride}, 1]")
    return made(b, source, text, (rows, columns), [d for d in range(2) if isOpen[d]],
                [None if isPitchOpen else pitch, 1], value)


def assumed(b, scope, source):
    """The same memref with divisors of its sizes, strides and first element."""
    if source.strides is not None or source.isView:
        return None
    strides, pitch = [], 1
    for n in reversed(source.shape):
        strides.insert(0, divisor(b, pitch))
        pitch *= n
    sizes = [divisor(b, n) for n in source.shape]
    b.features["host assume"] += 1
    text = f"tile.assume {source.name} sizes {sizes} strides {strides} alignment 16"
    view = Memory("", source.shape, source.elem, source.role, source.dynamic,
                  root=source.root, bound=source.bound, isView=True)
    view.name = b.define("w", f"{text} : {source.type}")
    return view


def chain(b, scope, source):
    """One to four views of `source`, each of the one before."""
    view = source
    for _ in range(b.between(1, 4)):
        kind = b.pick([subview, subview, subview, expand, reinterpret, assumed, None])
        if kind is None:
            result = cast(b, view) if b.chance(0.5) or view.strides else reshape(b, view)
        else:
            result = kind(b, scope, view)
        view = result or view
    if not view.isView:
        view = subview(b, scope, view)
    scope.buffers.append(view)


def roomy(b):
    """An argument that views are made of: its sizes open, with their divisors."""
    shape = [b.pick([16, 32, 40, 48, 64, 64, 96, 128]) for _ in range(b.pick([1, 2, 2, 2, 3]))]
    while product(shape) > 16384:
        shape[0] //= 2
    elem = b.pick(["f16", "f16", "f32", "bf16", "i8", "i32", "f64", "f8E4M3FN"])
    result = argument(b, shape, elem, b.pick(["input", "input", "state"]),
                      mayBeStrided=False)
    if b.chance(0.6) and not any(f.startswith("tile.divisible") for f in result.facts):
        numbers = ", ".join(str(divisor(b, n)) for n in result.shape)
        result.facts.append(f"tile.divisible = array<i64: {numbers}>")
    return result


def read(b, scope, view):
    """A fragment of a part of `view`, straight or through shared memory."""
    shape = [b.pick([n, n, n, max(1, n // 2)] + [n + 3] * b.odd(1)) for n in view.shape]
    if memory.isRestricted(b, view, False):
        shape[0] = min(shape[0], memory.sliceOf(b, view))
    while product(shape) > 4096:
        shape = tuple(max(1, n // 2) for n in shape)
    text = memory.side(b, scope, view, shape, False)
    if text is None:
        return None
    result = Fragment("", shape, view.elem, CAP)
    b.features["read through a host view"] += 1
    if b.chance(0.5) and b.sharedBytes < 24000:
        buffer = memory.allocate(b, shape, view.elem)
        b.line(f"tile.copy {text} to {buffer.name} : {view.type} to {buffer.type}")
        result.name = b.define("t", f"tile.load {buffer.name} : {buffer.type} -> {result.type}")
    else:
        result.name = b.define("t", f"tile.load {text} : {view.type} -> {result.type}")
    scope.fragments.append(result)
    return result


def useViews(b, scope):
    """The launch's part: what is read through views is stored, through others perhaps."""
    views = [m for m in b.visible if m.isView and not m.isEmpty]
    for view in views or b.visible[:1]:
        x = read(b, scope, view)
        if x is None:
            continue
        if not isFp8(x.elem) and b.chance(0.4):
            x = step(b, x, [])
        targets = [m for m in memory.writable(b, scope) if m.isView and m.elem == x.elem
                   and m.shape == x.shape]
        if x.elem != "index":
            memory.store(b, scope, x, b.pick(targets) if targets else None)


def program(b, scope):
    """Views of one to three arguments, in a host loop perhaps, and a launch of them."""
    def rest(inner):
        for source in sources:
            chain(b, inner, source)
        launch(b, inner, write=useViews)

    b.tidy = b.chance(0.75)
    sources = [roomy(b) for _ in range(b.between(1, 3))]
    if b.chance(0.5):
        rest(scope)
        return
    hostLoop(b, scope, rest)


def hostLoop(b, scope, rest):
    """`rest` in a loop whose counter has a divisor, its bounds given at the start."""
    trips, unit = b.between(1, 3), b.pick([1, 1, 4, 8, 16])
    lower = unit * b.between(0, 1)
    last = lower + unit * (trips - 1)
    elem = b.pick(["index", "index", "i32"])

    def bound(value):
        if b.chance(0.5):
            return scalarArgument(b, value, elem).name
        return b.index(value) if elem == "index" else b.scalarConstant(value, elem)

    # A lower bound of unknown divisor leaves the counter none.
    begin = b.index(lower) if elem == "index" else b.scalarConstant(lower, elem)
    end = bound(last + b.between(1, unit))
    stride = b.index(unit) if elem == "index" else b.scalarConstant(unit, elem)
    iv = b.name("i")
    tail = "" if elem == "index" else f" : {elem}"
    b.open(f"scf.for {iv} = {begin} to {end} step {stride}{tail} {{")
    if elem != "index":
        iv = b.define("n", f"arith.index_cast {iv} : {elem} to index")
    b.features[f"host loop over {elem}"] += 1
    inner = scope.nested()
    inner.indices.append(Index(iv, lower, last))
    repeated(b, trips, lambda: rest(inner))
    b.close()
