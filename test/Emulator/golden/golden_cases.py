"""The instructions whose answers are recorded on a GPU, with their inputs.

A case is one instruction executed by every thread of one block. Each thread
loads the instruction's input registers from arrays, one array for each register,
and stores its output registers likewise, so that the layout of a matrix
fragment does not matter: what is compared are registers.

Inputs come from a seed of their own for each case and begin with special values
(zeros, infinities, NaN, subnormals) where the instruction takes any float.
"""

import random
import struct
from dataclasses import dataclass, field

# Register classes: letter -> (PTX type, bytes of one element in memory).
CLASSES = {"f": ("f32", 4), "r": ("b32", 4), "h": ("b16", 2), "d": ("f64", 8)}


@dataclass
class Tolerance:
    """|a - b| <= ulps units in the last place, or rtol |b| + atol; exact where
    all are zero. `type` says how an output register is split into elements."""
    type: str
    ulps: int = 0
    rtol: float = 0.0
    atol: float = 0.0


@dataclass
class Case:
    name: str
    instruction: str    # {o0} {o1} .. outputs, {i0} .. inputs
    outputs: str        # a letter for each output register
    inputs: list        # (letter, generator) for each input register
    tolerance: Tolerance
    chip: str = "sm_80"
    version: str = "8.4"
    threads: int = 256
    memory: bool = False  # the output is memory: {address} of 4 bytes a thread

    def make_inputs(self):
        """The words of each input register, one for each thread."""
        source = random.Random(self.name)
        return [generate(source, self.threads) for _, generate in self.inputs]


# ----------------------------------------------------------------------------
# Inputs
# ----------------------------------------------------------------------------

def f32_bits(value):
    return struct.unpack("<I", struct.pack("<f", value))[0]


def f16_bits(value):
    return struct.unpack("<H", struct.pack("<e", value))[0]


def bf16_bits(value):
    bits = f32_bits(value)
    return (bits + 0x7fff + (bits >> 16 & 1)) >> 16


SPECIAL_F32 = [0x00000000, 0x80000000, 0x7f800000, 0xff800000, 0x7fc00000,
               0x00000001, 0x80000001, 0x007fffff, 0x00800000, 0x7f7fffff,
               0xff7fffff, 0x3f800000, 0xbf800000]
SPECIAL_F16 = [0x0000, 0x8000, 0x7c00, 0xfc00, 0x7e00, 0x0001, 0x8001, 0x03ff,
               0x0400, 0x7bff, 0xfbff, 0x3c00, 0xbc00]
SPECIAL_BF16 = [0x0000, 0x8000, 0x7f80, 0xff80, 0x7fc0, 0x0001, 0x8001, 0x007f,
                0x0080, 0x7f7f, 0xff7f, 0x3f80, 0xbf80]
SPECIAL_S32 = [0, 1, 0xffffffff, 0x80000000, 0x7fffffff, 0x80000001]


def f32(low, high, special=True):
    """Uniform floats, after the special ones."""
    def generate(source, count):
        words = list(SPECIAL_F32) if special else []
        while len(words) < count:
            words.append(f32_bits(source.uniform(low, high)))
        return words[:count]
    return generate


def f32_any(source, count):
    """Floats of any exponent."""
    words = list(SPECIAL_F32)
    while len(words) < count:
        words.append(source.getrandbits(32))
    return words[:count]


def f32_positive(source, count):
    return [word & 0x7fffffff for word in f32_any(source, count)]


def f32_near(exponent):
    """Floats around a power of two, where narrow types round and saturate."""
    def generate(source, count):
        words = list(SPECIAL_F32)
        while len(words) < count:
            value = source.uniform(1, 2) * 2.0 ** source.randint(
                exponent - 12, exponent + 1)
            words.append(f32_bits(value if source.random() < 0.5 else -value))
        return words[:count]
    return generate


def tf32(source, count):
    """f32 numbers whose low 13 bits are zero."""
    return [f32_bits(source.uniform(-1, 1)) & ~0x1fff for _ in range(count)]


def f64(low, high):
    def generate(source, count):
        return [struct.unpack("<Q", struct.pack(
            "<d", source.uniform(low, high)))[0] for _ in range(count)]
    return generate


def half(make, special, low, high):
    """16-bit numbers, one to a register."""
    def generate(source, count):
        words = list(special)
        while len(words) < count:
            words.append(make(source.uniform(low, high)))
        return words[:count]
    return generate


def pair(make, special, low, high):
    """16-bit numbers, two to a register."""
    def generate(source, count):
        low_halves = half(make, special, low, high)(source, count)
        high_halves = half(make, special[::-1], low, high)(source, count)
        return [a | b << 16 for a, b in zip(low_halves, high_halves)]
    return generate


def words(source, count):
    """32 random bits, after the extreme ones."""
    return (SPECIAL_S32 + [source.getrandbits(32) for _ in range(count)])[:count]


def bits(source, count):
    return [source.getrandbits(32) for _ in range(count)]


def constant(value):
    return lambda source, count: [value] * count


def fp8(largest):
    """Four 8-bit floats, none beyond `largest` in bits and so none NaN."""
    def generate(source, count):
        return [sum((source.randint(0, largest) | source.getrandbits(1) << 7)
                    << 8 * i for i in range(4)) for _ in range(count)]
    return generate


def fp8_pair(source, count):
    """Two 8-bit floats in 16 bits, any."""
    return [source.getrandbits(16) for _ in range(count)]


F16_UNIT = pair(f16_bits, [], -1, 1)
BF16_UNIT = pair(bf16_bits, [], -1, 1)
F16_ANY = pair(f16_bits, SPECIAL_F16, -4, 4)
BF16_ANY = pair(bf16_bits, SPECIAL_BF16, -4, 4)

# ----------------------------------------------------------------------------
# Cases
# ----------------------------------------------------------------------------

CASES = []


def add(name, instruction, outputs, inputs, tolerance, **rest):
    assert all(name != case.name for case in CASES), name
    CASES.append(Case(name, instruction, outputs, inputs, tolerance, **rest))


def unary(name, opcode, letter, generator, tolerance, **rest):
    add(name, opcode + " {o0}, {i0};", letter, [(letter, generator)], tolerance,
        **rest)


def convert(name, opcode, to, source, generator, tolerance, **rest):
    add(name, opcode + " {o0}, {i0};", to, [(source, generator)], tolerance,
        **rest)


def add_approximations():
    """Bounds: twice the error that the PTX ISA allows, as the emulator's own
    result may lie on the other side of the true one."""
    for suffix in ("", ".ftz"):
        unary("ex2" + suffix, f"ex2.approx{suffix}.f32", "f", f32(-130, 130),
              Tolerance("f32", ulps=4))
        unary("lg2" + suffix, f"lg2.approx{suffix}.f32", "f", f32_positive,
              Tolerance("f32", rtol=2**-21, atol=2**-21))
        unary("rcp" + suffix, f"rcp.approx{suffix}.f32", "f", f32_any,
              Tolerance("f32", ulps=2))
        unary("rsqrt" + suffix, f"rsqrt.approx{suffix}.f32", "f", f32_positive,
              Tolerance("f32", ulps=3))
        unary("sqrt" + suffix, f"sqrt.approx{suffix}.f32", "f", f32_positive,
              Tolerance("f32", ulps=3))
        for function in ("sin", "cos"):
            unary(function + suffix, f"{function}.approx{suffix}.f32", "f",
                  f32(-3.14159, 3.14159), Tolerance("f32", atol=2**-19.5))
        for form in ("approx", "full"):
            add(f"div.{form}{suffix}",
                f"div.{form}{suffix}.f32 {{o0}}, {{i0}}, {{i1}};", "f",
                [("f", f32(-100, 100)), ("f", f32(0.01, 100, False))],
                Tolerance("f32", ulps=4))
    unary("tanh", "tanh.approx.f32", "f", f32(-6, 6),
          Tolerance("f32", rtol=2**-10))
    unary("ex2.f16", "ex2.approx.f16", "h",
          half(f16_bits, SPECIAL_F16, -14, 15),
          Tolerance("f16", rtol=2**-8.9, atol=2**-24))
    unary("ex2.f16x2", "ex2.approx.f16x2", "r",
          pair(f16_bits, SPECIAL_F16, -14, 15),
          Tolerance("f16", rtol=2**-8.9, atol=2**-24))
    unary("tanh.f16x2", "tanh.approx.f16x2", "r", F16_ANY,
          Tolerance("f16", atol=2**-9.9))
    unary("ex2.ftz.bf16x2", "ex2.approx.ftz.bf16x2", "r", BF16_ANY,
          Tolerance("bf16", rtol=2**-6), chip="sm_90")
    unary("tanh.bf16x2", "tanh.approx.bf16x2", "r", BF16_ANY,
          Tolerance("bf16", atol=2**-7), chip="sm_90")
    unary("rcp.f64", "rcp.approx.ftz.f64", "d", f64(-100, 100),
          Tolerance("f64", rtol=2**-18))
    unary("rsqrt.f64", "rsqrt.approx.f64", "d", f64(0.01, 100),
          Tolerance("f64", rtol=2**-18))


def add_exact_arithmetic():
    exact = Tolerance("f32")
    for rounding in ("rn", "rz", "rm", "rp"):
        add("fma." + rounding,
            f"fma.{rounding}.f32 {{o0}}, {{i0}}, {{i1}}, {{i2}};", "f",
            [("f", f32_any), ("f", f32_near(0)), ("f", f32_any)], exact)
        add("div." + rounding,
            f"div.{rounding}.f32 {{o0}}, {{i0}}, {{i1}};", "f",
            [("f", f32_any), ("f", f32_near(0))], exact)
        unary("sqrt." + rounding, f"sqrt.{rounding}.f32", "f", f32_positive,
              exact)
    add("fma.ftz", "fma.rn.ftz.f32 {o0}, {i0}, {i1}, {i2};", "f",
        [("f", f32_near(-63)), ("f", f32_near(-62)), ("f", f32_near(-124))],
        exact)
    for name, pairs in (("f16x2", F16_ANY), ("bf16x2", BF16_ANY)):
        kind = Tolerance(name[:-2])
        for form in ("fma.rn", "fma.rn.relu"):
            add(f"{form}.{name}", f"{form}.{name} {{o0}}, {{i0}}, {{i1}}, {{i2}};",
                "r", [("r", pairs)] * 3, kind)
        for form in ("min", "max", "min.NaN", "max.NaN"):
            add(f"{form}.{name}", f"{form}.{name} {{o0}}, {{i0}}, {{i1}};", "r",
                [("r", pairs), ("r", pairs)], kind)
    add("add.f16x2", "add.rn.f16x2 {o0}, {i0}, {i1};", "r",
        [("r", F16_ANY), ("r", F16_ANY)], Tolerance("f16"))
    add("mul.sat.f16x2", "mul.rn.sat.f16x2 {o0}, {i0}, {i1};", "r",
        [("r", F16_ANY), ("r", F16_ANY)], Tolerance("f16"))


def add_conversions():
    for rounding in ("rn", "rz"):
        convert("cvt.f16." + rounding, f"cvt.{rounding}.f16.f32", "h", "f",
                f32_near(14), Tolerance("f16"))
        convert("cvt.f16.small." + rounding, f"cvt.{rounding}.f16.f32", "h",
                "f", f32_near(-15), Tolerance("f16"))
        convert("cvt.bf16." + rounding, f"cvt.{rounding}.bf16.f32", "h", "f",
                f32_any, Tolerance("bf16"))
        for kind in ("f16", "bf16"):
            add(f"cvt.{kind}x2.{rounding}",
                f"cvt.{rounding}.{kind}x2.f32 {{o0}}, {{i0}}, {{i1}};", "r",
                [("f", f32_near(14)), ("f", f32_near(0))], Tolerance(kind))
    convert("cvt.tf32", "cvt.rna.tf32.f32", "r", "f", f32_any, Tolerance("u32"))
    for kind in ("e4m3x2", "e5m2x2"):
        add("cvt." + kind,
            f"cvt.rn.satfinite.{kind}.f32 {{o0}}, {{i0}}, {{i1}};", "h",
            [("f", f32_near(8)), ("f", f32_near(-6))], Tolerance("u8"),
            chip="sm_89")
        convert(f"cvt.f16x2.{kind}", f"cvt.rn.f16x2.{kind}", "r", "h", fp8_pair,
                Tolerance("f16"), chip="sm_89")
        convert(f"cvt.{kind}.f16x2", f"cvt.rn.satfinite.{kind}.f16x2", "h", "r",
                F16_ANY, Tolerance("u8"), chip="sm_89")
    for rounding in ("rni", "rzi", "rmi", "rpi"):
        convert("cvt.s32." + rounding, f"cvt.{rounding}.s32.f32", "r", "f",
                f32_near(31), Tolerance("u32"))
    for rounding in ("rn", "rz"):
        convert("cvt.f32.s32." + rounding, f"cvt.{rounding}.f32.s32", "f", "r",
                words, Tolerance("f32"))


def add_mma(name, shape_and_types, registers, tolerance, chip="sm_80"):
    """`registers`: letter and generator of the registers of A, B, C; D is as C."""
    (a_count, a), (b_count, b), (c_count, c) = registers
    inputs = [a] * a_count + [b] * b_count + [c] * c_count

    def operand(prefix, first, count):
        names = ", ".join(f"{{{prefix}{i}}}" for i in range(first, first + count))
        return "{{" + names + "}}"
    text = ", ".join([operand("o", 0, c_count), operand("i", 0, a_count),
                      operand("i", a_count, b_count),
                      operand("i", a_count + b_count, c_count)])
    add("mma." + name, f"mma.sync.aligned.{shape_and_types} {text};",
        c[0] * c_count, inputs, tolerance, chip=chip, threads=32)


def add_matrix_products():
    """Sums of k products of numbers up to one, none of which is exact: hardware
    aligns and truncates where the emulator rounds each step. The bound is k
    truncations of a sum of that size; for fp8, whose sums keep fewer bits, the
    bound is 2^-13 of it."""
    accumulator = ("f", f32(-1, 1, False))
    half_accumulator = ("r", F16_UNIT)

    def sums(k, epsilon=2**-23):
        return Tolerance("f32", atol=2 * k * epsilon * k / 4)
    for k, a_count, b_count in ((8, 2, 1), (16, 4, 2)):
        for kind, generator in (("f16", F16_UNIT), ("bf16", BF16_UNIT)):
            add_mma(f"{kind}.k{k}",
                    f"m16n8k{k}.row.col.f32.{kind}.{kind}.f32",
                    [(a_count, ("r", generator)), (b_count, ("r", generator)),
                     (4, accumulator)], sums(k))
        add_mma(f"f16.f16.k{k}", f"m16n8k{k}.row.col.f16.f16.f16.f16",
                [(a_count, ("r", F16_UNIT)), (b_count, ("r", F16_UNIT)),
                 (2, half_accumulator)], Tolerance("f16", atol=2**-7))
    for k, a_count, b_count in ((4, 2, 1), (8, 4, 2)):
        add_mma(f"tf32.k{k}", f"m16n8k{k}.row.col.f32.tf32.tf32.f32",
                [(a_count, ("r", tf32)), (b_count, ("r", tf32)),
                 (4, accumulator)], sums(k))
    for kind, largest in (("e4m3", 0x38), ("e5m2", 0x3c)):
        add_mma(f"{kind}.k32", f"m16n8k32.row.col.f32.{kind}.{kind}.f32",
                [(4, ("r", fp8(largest))), (2, ("r", fp8(largest))),
                 (4, accumulator)], sums(32, 2**-13), chip="sm_89")
    integers = (4, ("r", bits))
    for a, b in (("s8", "s8"), ("u8", "s8"), ("u8", "u8")):
        add_mma(f"{a}.{b}.k32", f"m16n8k32.row.col.s32.{a}.{b}.s32",
                [(4, ("r", bits)), (2, ("r", bits)), integers],
                Tolerance("u32"))
    add_mma("s8.satfinite", "m16n8k32.row.col.satfinite.s32.s8.s8.s32",
            [(4, ("r", bits)), (2, ("r", bits)),
             (4, ("r", constant(0x7ffffff0)))], Tolerance("u32"))
    add_mma("s4.k64", "m16n8k64.row.col.s32.s4.s4.s32",
            [(4, ("r", bits)), (2, ("r", bits)), integers], Tolerance("u32"))
    for operation in ("xor", "and"):
        add_mma(f"b1.{operation}",
                f"m16n8k256.row.col.s32.b1.b1.s32.{operation}.popc",
                [(4, ("r", bits)), (2, ("r", bits)), integers],
                Tolerance("u32"))
    add_mma("f64", "m8n8k4.row.col.f64.f64.f64.f64",
            [(1, ("d", f64(-1, 1))), (1, ("d", f64(-1, 1))),
             (2, ("d", f64(-1, 1)))], Tolerance("f64", atol=2**-50))


def add_warpgroup_products():
    """wgmma of m64n8: A and the sums in registers, B in shared memory as two
    core matrices of 8 rows of 16 bytes, without a swizzle."""
    accumulator = ("f", f32(-1, 1, False))
    # In 16 bytes each: the step between core matrices, along k and along n.
    steps = 128 // 16 << 16 | 256 // 16 << 32
    for kind, k, a, c, tolerance, flags in (
            ("f16", 16, F16_UNIT, accumulator, 2**-23, ", 1, 1, 0"),
            ("bf16", 16, BF16_UNIT, accumulator, 2**-23, ", 1, 1, 0"),
            ("tf32", 8, tf32, accumulator, 2**-23, ", 1, 1"),
            ("e4m3", 32, fp8(0x38), accumulator, 2**-13, ", 1, 1"),
            ("e5m2", 32, fp8(0x3c), accumulator, 2**-13, ", 1, 1"),
            ("s8", 32, bits, ("r", bits), 0, "")):
        result = "s32" if kind == "s8" else "f32"
        moves = "\n".join(f"  mov.b32 {{o{i}}}, {{i{5 + i}}};"
                          for i in range(4))
        add("wgmma." + kind, f"""{{{{
  .shared .align 128 .b8 b[256];
  .reg .pred %storing, %adding;
  .reg .b32 %b, %word;
  .reg .b64 %descriptor;
  mov.u32 %b, b;
  shl.b32 %word, %thread, 2;
  add.u32 %word, %word, %b;
  setp.lt.u32 %storing, %thread, 64;
  @%storing st.shared.b32 [%word], {{i4}};
  fence.proxy.async;
  bar.sync 0;
  cvt.u64.u32 %descriptor, %b;
  shr.u64 %descriptor, %descriptor, 4;
  or.b64 %descriptor, %descriptor, {steps};
  setp.eq.u32 %adding, %b, %b;
{moves}
  wgmma.fence.sync.aligned;
  wgmma.mma_async.sync.aligned.m64n8k{k}.{result}.{kind}.{kind} """
            f"{{{{{{o0}}, {{o1}}, {{o2}}, {{o3}}}}}}, "
            f"{{{{{{i0}}, {{i1}}, {{i2}}, {{i3}}}}}}, "
            f"""%descriptor, %adding{flags};
  wgmma.commit_group.sync.aligned;
  wgmma.wait_group.sync.aligned 0;
  }}}}""", c[0] * 4, [("r", a)] * 5 + [c] * 4,
            Tolerance("u32") if kind == "s8" else
            Tolerance("f32", atol=2 * k * tolerance * k / 4),
            chip="sm_90a", threads=128)


def add_integers_and_warps():
    exact = Tolerance("u32")
    for operation in ("add.s32", "min.s32", "max.u32", "and.b32", "xor.b32"):
        add("redux." + operation,
            f"redux.sync.{operation} {{o0}}, {{i0}}, 0xffffffff;", "r",
            [("r", bits)], exact)
    for name, text, count in (
            ("prmt", "prmt.b32 {o0}, {i0}, {i1}, {i2};", 3),
            ("lop3", "lop3.b32 {o0}, {i0}, {i1}, {i2}, 0xe8;", 3),
            ("shf", "shf.l.wrap.b32 {o0}, {i0}, {i1}, {i2};", 3),
            ("dp4a", "dp4a.s32.u32 {o0}, {i0}, {i1}, {i2};", 3),
            ("dp2a", "dp2a.lo.s32.s32 {o0}, {i0}, {i1}, {i2};", 3),
            ("bfe", "bfe.s32 {o0}, {i0}, {i1}, {i2};", 3),
            ("mad.hi", "mad.hi.s32 {o0}, {i0}, {i1}, {i2};", 3),
            ("mad24", "mad24.lo.s32 {o0}, {i0}, {i1}, {i2};", 3),
            ("sad", "sad.u32 {o0}, {i0}, {i1}, {i2};", 3),
            ("bfind", "bfind.s32 {o0}, {i0};", 1)):
        add(name, text, "r", [("r", words)] * count, exact)
    for name, instruction, letter, generator, kind, chip in (
            ("add.f16x2", "atom.global.add.noftz.f16x2", "r", F16_ANY, "f16",
             "sm_80"),
            ("add.bf16x2", "atom.global.add.noftz.bf16x2", "r", BF16_ANY,
             "bf16", "sm_90"),
            ("add.f32", "atom.global.add.f32", "f", f32_any, "f32", "sm_80"),
            ("inc.u32", "atom.global.inc.u32", "r", words, "u32", "sm_80"),
            ("dec.u32", "atom.global.dec.u32", "r", words, "u32", "sm_80")):
        # The old value is an output register, the new one lies in memory.
        add("atom." + name, instruction + " {o0}, [{address}], {i0};", letter,
            [(letter, generator), (letter, generator)], Tolerance(kind),
            chip=chip, memory=True)


add_approximations()
add_exact_arithmetic()
add_conversions()
add_matrix_products()
add_warpgroup_products()
add_integers_and_warps()
