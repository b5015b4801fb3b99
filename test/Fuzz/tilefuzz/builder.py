"""Text, types and values of a program that is being generated.

A value carries what is needed to keep programs valid, and their results exact where the
data are integers: `bound` limits its magnitude and `whole` says that it is an integer
if the data are. Sums whose order is unspecified are then taken of whole values only,
while their exact sum fits the type; everything else in arith is correctly rounded, hence
the same on every executor.
"""

from collections import Counter
from dataclasses import dataclass, field
import math
import random

FLOATS = ["f32", "f16", "bf16", "f64"]
FP8 = ["f8E4M3FN", "f8E5M2"]
# Of 6 bits, one a byte: operands of scaled products only.
FP6 = ["f6E2M3FN", "f6E3M2FN"]
# Two in a byte.
FP4 = "f4E2M1FN"
INTEGERS = ["i32", "i8", "i16", "i64"]
WIDTH = {"f64": 64, "f32": 32, "f16": 16, "bf16": 16, "f8E4M3FN": 8, "f8E5M2": 8,
         "f6E2M3FN": 8, "f6E3M2FN": 8, "f4E2M1FN": 4, "i4": 4, "i1": 1, "i8": 8, "i16": 16, "i32": 32, "i64": 64, "index": 64}
# Integers up to this are exact in the type.
EXACT = {"f64": 2.0**53, "f32": 2.0**24, "f16": 2048, "bf16": 256,
         "f8E4M3FN": 16, "f8E5M2": 8, "f6E2M3FN": 7, "f6E3M2FN": 8, "f4E2M1FN": 4}
# Magnitudes up to this stay far from infinity.
LARGE = {"f64": 1e30, "f32": 1e15, "f16": 20000, "bf16": 1e15,
         "f8E4M3FN": 400, "f8E5M2": 20000, "f6E2M3FN": 7, "f6E3M2FN": 20, "f4E2M1FN": 4}
# Features of which a defect is known and open: generated only with `--known`, so that a
# run shows what is new. An entry goes when its defect is mended.
KNOWN = {}
includeKnown = False


def mayUse(feature):
    return includeKnown or feature not in KNOWN


# What memory that is read and written holds at most.
CAP = 8
SIZES = [1, 2, 3, 4, 5, 6, 7, 8, 8, 10, 12, 16, 16, 17, 20, 24, 31, 32, 32, 33, 40, 48,
         64, 64, 72, 80, 96, 100, 128]
# Of tidy programs: what tiles of real kernels look like, for wide accesses and copies
# that run ahead.
TIDY_SIZES = [8, 16, 16, 32, 32, 64, 64, 96, 128]


def isFloat(elem):
    return elem in EXACT


def isFp8(elem):
    """Whether only conversions and moves exist."""
    return elem in FP8 or elem in FP6 or elem == FP4


def isInteger(elem):
    return elem[0] == "i" and elem not in ("i1", "index")


def exactLimit(elem):
    """Largest magnitude that sums may reach: integers wrap and have no limit."""
    return EXACT[elem] if isFloat(elem) else math.inf


@dataclass
class Fragment:
    name: str
    shape: tuple
    elem: str
    bound: float
    whole: bool = True
    encoding: str = ""

    @property
    def type(self):
        return tensorType(self.shape, self.elem, self.encoding)


@dataclass
class Scalar:
    name: str
    elem: str
    bound: float
    whole: bool = True

    @property
    def type(self):
        return self.elem


@dataclass
class Index:
    """An index value in [low, high]."""
    name: str
    low: int
    high: int


@dataclass
class Memory:
    """A memref. `root` is shared by views and by arguments that alias; `role` is the
    root's: input (never written), state (read and written, within CAP), output (never
    read), total (only atomics of one kind), shared. `shape` is what it is when the
    program runs; sizes in `dynamic` and strides that are None are not in its type.
    `isOwned`: a part that only this block touches."""
    name: str
    shape: tuple
    elem: str
    role: str
    dynamic: tuple = ()
    strides: list = None
    offset: int = 0
    root: "Memory" = None
    bound: float = CAP
    kind: str = ""
    isView: bool = False
    isOwned: bool = False
    facts: list = field(default_factory=list)
    additions: float = 0

    def __post_init__(self):
        self.root = self.root or self

    @property
    def isShared(self):
        return self.role == "shared"

    @property
    def isEmpty(self):
        return 0 in self.shape

    @property
    def isStatic(self):
        return not self.dynamic

    @property
    def space(self):
        return ", #shared" if self.isShared else ""

    @property
    def type(self):
        if not self.shape and self.role == "scalar":
            return self.elem
        layout = stridedLayout(self.strides, self.offset) if self.strides is not None else ""
        return memrefType(self.shape, self.elem, layout + self.space, self.dynamic)

    def getStrides(self):
        """Strides of the type; None where they depend on a dynamic size."""
        if self.strides is not None:
            return list(self.strides)
        strides, step = [], 1
        for d in reversed(range(len(self.shape))):
            strides.insert(0, step)
            step = None if step is None or d in self.dynamic else step * self.shape[d]
        return strides


@dataclass
class Scope:
    """What statements at one place may use."""
    fragments: list = field(default_factory=list)
    scalars: list = field(default_factory=list)
    indices: list = field(default_factory=list)
    buffers: list = field(default_factory=list)
    depth: int = 0

    def nested(self):
        """A scope inside this one."""
        return Scope(list(self.fragments), list(self.scalars), list(self.indices),
                     list(self.buffers), self.depth + 1)


def tensorType(shape, elem, encoding=""):
    tail = ", " + encoding if encoding else ""
    return f"tensor<{''.join(f'{n}x' for n in shape)}{elem}{tail}>"


def memrefType(shape, elem, tail="", dynamic=()):
    sizes = "".join("?x" if i in dynamic else f"{n}x" for i, n in enumerate(shape))
    return f"memref<{sizes}{elem}{tail}>"


def stridedLayout(strides, offset):
    number = lambda n: "?" if n is None else str(n)
    tail = "" if offset == 0 else f", offset: {number(offset)}"
    return f", strided<[{', '.join(map(number, strides))}]{tail}>"


def literal(value, elem):
    if elem == "i1":
        return "true" if value else "false"
    return f"{float(value)}" if isFloat(elem) else f"{int(value)}"


def product(numbers):
    return math.prod(numbers)


class Builder:
    """Emits lines, names values, keeps the arguments and the command line."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        # Whether floats are real numbers, and sums are therefore not exact.
        self.dataChoices = random.Random(f"data {seed}")
        self.isReal = self.dataChoices.random() < 0.5
        self.lines = []
        self.indent = 0
        self.count = 0
        self.arguments = []
        self.options = []
        self.functions = []
        self.tidy = self.chance(0.45)
        # Memrefs that the launch may use, roots that it writes, roots out of reach.
        self.visible, self.mutable, self.hidden = [], set(), set()
        self.blocks, self.warps, self.block, self.statement = 1, 1, None, None
        self.sharedBytes = 0
        # How often the statement that is written now may be executed by a block.
        self.repeats = 1
        # What the program has, by name: a run says how often each occurred.
        self.features = Counter()

    # Text.
    def line(self, text):
        self.lines.append("  " * self.indent + text)

    def open(self, text):
        self.line(text)
        self.indent += 1

    def close(self, text="}"):
        self.indent -= 1
        self.line(text)

    def middle(self, text):
        self.indent -= 1
        self.line(text)
        self.indent += 1

    def name(self, prefix="v"):
        self.count += 1
        return f"%{prefix}{self.count}"

    def define(self, prefix, text):
        name = self.name(prefix)
        self.line(f"{name} = {text}")
        return name

    # Choices.
    def odd(self, probability):
        """A chance for what makes tiles ragged; seldom in tidy programs."""
        return self.chance(probability / 6 if self.tidy else probability)

    def chance(self, probability):
        return self.random.random() < probability

    def pick(self, items):
        return self.random.choice(items)

    def between(self, low, high):
        return self.random.randint(low, high)

    def shape(self, rank=None, limit=2048):
        rank = rank or self.pick([1, 1, 2, 2, 2, 2, 2, 2, 3, 3, 4])
        while True:
            sizes = TIDY_SIZES if self.tidy and self.chance(0.9) else SIZES
            shape = tuple(self.pick(sizes) for _ in range(rank))
            if product(shape) <= limit:
                return shape

    # Constants.
    def index(self, value):
        return self.define("c", f"arith.constant {value} : index")

    def scalarConstant(self, value, elem):
        tail = "" if elem == "i1" else f" : {elem}"
        return self.define("k", f"arith.constant {literal(value, elem)}{tail}")

    def splat(self, value, shape, elem, encoding=""):
        type = tensorType(shape, elem, encoding)
        name = self.define("k", f"arith.constant dense<{literal(value, elem)}> : {type}")
        return Fragment(name, tuple(shape), elem, abs(value), value == int(value),
                        encoding)
