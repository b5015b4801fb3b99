"""Golden answers: writing cases as jobs for ptx-run, reading and comparing what
came out.

A job is a folder with kernel.ptx, in-<n>.npy and out-<n>.npy (the memory that
outputs go to) and the options of ptx-run, one a line. An answer is a text file:
lines that begin with # say where it comes from and which case it answers, by a
digest of the PTX and the inputs; then the output words in hexadecimal.
"""

import hashlib
import math
import struct
from pathlib import Path

from golden_cases import CASES, CLASSES

NUMPY_TYPE = {2: "<u2", 4: "<u4", 8: "<u8"}
FORMAT = {2: "H", 4: "I", 8: "Q"}
WORDS_PER_LINE = 8


# ----------------------------------------------------------------------------
# .npy files of unsigned integers
# ----------------------------------------------------------------------------

def write_words(path, size, words):
    header = (f"{{'descr': '{NUMPY_TYPE[size]}', 'fortran_order': False, "
              f"'shape': ({len(words)},), }}")
    header += " " * (-(10 + len(header) + 1) % 64) + "\n"
    path.write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header))
                     + header.encode()
                     + struct.pack(f"<{len(words)}{FORMAT[size]}", *words))


def read_words(path, size):
    data = path.read_bytes()
    begin = 10 + struct.unpack("<H", data[8:10])[0]
    count = (len(data) - begin) // size
    return list(struct.unpack(f"<{count}{FORMAT[size]}", data[begin:]))


# ----------------------------------------------------------------------------
# Jobs
# ----------------------------------------------------------------------------

def get_sizes(case):
    """Bytes of an element of each output array; the memory of an atomic last."""
    sizes = [CLASSES[letter][1] for letter in case.outputs]
    return sizes + [sizes[0]] if case.memory else sizes


def make_ptx(case):
    """One instruction between loads and stores of registers."""
    # Memory that an atomic changes is loaded with its last input.
    inputs = case.inputs[:-1] if case.memory else case.inputs
    outputs = list(case.outputs)
    count = len(inputs) + len(outputs) + case.memory
    names = {f"i{n}": f"%i{n}" for n in range(len(inputs))}
    names |= {f"o{n}": f"%o{n}" for n in range(len(outputs))}
    names["address"] = "%address"
    lines = [f".version {case.version}", f".target {case.chip}",
             ".address_size 64", "",
             ".visible .entry golden("
             + ", ".join(f".param .u64 p{n}" for n in range(count)) + ")", "{",
             "  .reg .b32 %thread;", "  .reg .b64 %base, %at, %address;"]
    lines += [f"  .reg .{CLASSES[letter][0]} %i{n};"
              for n, (letter, _) in enumerate(inputs)]
    lines += [f"  .reg .{CLASSES[letter][0]} %o{n};"
              for n, letter in enumerate(outputs)]
    lines.append("  mov.u32 %thread, %tid.x;")

    def address(parameter, size, target):
        return [f"  ld.param.u64 %base, [p{parameter}];",
                f"  mul.wide.u32 %at, %thread, {size};",
                f"  add.s64 {target}, %base, %at;"]
    for n, (letter, _) in enumerate(inputs):
        kind, size = CLASSES[letter]
        lines += address(n, size, "%at")
        lines.append(f"  ld.global.{kind} %i{n}, [%at];")
    if case.memory:
        lines += address(count - 1, CLASSES[outputs[0]][1], "%address")
    lines.append("  " + case.instruction.format(**names))
    for n, letter in enumerate(outputs):
        kind, size = CLASSES[letter]
        lines += address(len(inputs) + n, size, "%at")
        lines.append(f"  st.global.{kind} [%at], %o{n};")
    return "\n".join(lines + ["  ret;", "}", ""])


def get_digest(case):
    text = make_ptx(case) + repr(case.make_inputs())
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def write_job(case, folder):
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "kernel.ptx").write_text(make_ptx(case))
    values = case.make_inputs()
    memory = values.pop() if case.memory else None
    options = ["--grid=1", f"--block={case.threads}"]
    for n, words in enumerate(values):
        write_words(folder / f"in-{n}.npy", CLASSES[case.inputs[n][0]][1], words)
        options.append(f"--arg=@in-{n}.npy")
    sizes = get_sizes(case)
    for n, size in enumerate(sizes):
        isMemory = memory is not None and n == len(sizes) - 1
        write_words(folder / f"out-{n}.npy", size,
                    memory if isMemory else [0] * case.threads)
        options.append(f"--arg=@out-{n}.npy:result-{n}.npy")
    (folder / "options").write_text("\n".join(options) + "\n")


def read_results(case, folder):
    """All output words of a job that was played, array after array."""
    return [(size, read_words(folder / f"result-{n}.npy", size))
            for n, size in enumerate(get_sizes(case))]


# ----------------------------------------------------------------------------
# Answers
# ----------------------------------------------------------------------------

def write_answer(case, folder, results, origin):
    lines = [f"# {key}: {value}" for key, value in origin.items()]
    text = " ".join(case.instruction.split())
    lines += [f"# instruction: {text}",
              f"# case: {get_digest(case)}"]
    for size, words in results:
        for begin in range(0, len(words), WORDS_PER_LINE):
            lines.append(" ".join(f"{word:0{2 * size}x}" for word in
                                  words[begin:begin + WORDS_PER_LINE]))
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{case.name}.txt").write_text("\n".join(lines) + "\n")


def read_answer(case, folder):
    """Origin and words; None where none is recorded."""
    path = folder / f"{case.name}.txt"
    if not path.exists():
        return None
    origin, words = {}, []
    for line in path.read_text().splitlines():
        if line.startswith("#"):
            key, _, value = line[1:].strip().partition(": ")
            origin[key] = value
        else:
            words += [int(word, 16) for word in line.split()]
    return origin, words


# ----------------------------------------------------------------------------
# Comparison
# ----------------------------------------------------------------------------

# type -> (bytes, exponent bits, significand bits without the hidden one)
FLOATS = {"f64": (8, 11, 52), "f32": (4, 8, 23), "f16": (2, 5, 10),
          "bf16": (2, 8, 7)}
INTEGERS = {"u32": 4, "u8": 1}


def decode(kind, bits):
    size, exponent_bits, fraction_bits = FLOATS[kind]
    sign = -1.0 if bits >> (8 * size - 1) else 1.0
    exponent = bits >> fraction_bits & (1 << exponent_bits) - 1
    fraction = bits & (1 << fraction_bits) - 1
    bias = (1 << exponent_bits - 1) - 1
    if exponent == (1 << exponent_bits) - 1:
        return math.nan if fraction else sign * math.inf
    if exponent == 0:
        return sign * math.ldexp(fraction, 1 - bias - fraction_bits)
    return sign * math.ldexp(fraction + (1 << fraction_bits),
                             exponent - bias - fraction_bits)


def get_order(kind, bits):
    """Neighbouring floats have neighbouring numbers; both zeros are 0."""
    top = 1 << 8 * FLOATS[kind][0] - 1
    return -(bits - top) if bits >= top else bits


def is_close(tolerance, actual, expected):
    if actual == expected:
        return True
    if tolerance.type in INTEGERS:
        return False
    a, b = (decode(tolerance.type, bits) for bits in (actual, expected))
    if math.isnan(a) or math.isnan(b):
        return math.isnan(a) and math.isnan(b)
    distance = abs(get_order(tolerance.type, actual)
                   - get_order(tolerance.type, expected))
    if tolerance.ulps and distance <= tolerance.ulps:
        return True
    if math.isinf(a) or math.isinf(b):
        return False
    bound = tolerance.rtol * abs(b) + tolerance.atol
    return bound > 0 and abs(a - b) <= bound


def split(words, size, kind):
    """Registers into elements: two halves of a word, say."""
    element = INTEGERS.get(kind) or FLOATS[kind][0]
    mask = (1 << 8 * element) - 1
    return [word >> 8 * element * part & mask for word in words
            for part in range(size // element)]


def show(kind, bits):
    size = INTEGERS.get(kind) or FLOATS[kind][0]
    text = f"{bits:0{2 * size}x}"
    return f"{text} ({decode(kind, bits):.9g})" if kind in FLOATS else text


def compare(case, results, answer):
    """Sentences about what differs; none where all is equal."""
    origin, recorded = answer
    if origin.get("case") != get_digest(case):
        return [f"{case.name}: recorded for another PTX or other inputs; "
                "record it again"]
    flat = [word for _, words in results for word in words]
    if len(flat) != len(recorded):
        return [f"{case.name}: {len(recorded)} words are recorded, there are "
                f"{len(flat)}"]
    kind, at, different, first = case.tolerance.type, 0, 0, None
    for size, words in results:
        expected = split(recorded[at:at + len(words)], size, kind)
        for i, (a, b) in enumerate(zip(split(words, size, kind), expected)):
            if not is_close(case.tolerance, a, b):
                different += 1
                first = first or (i, a, b)
        at += len(words)
    if not different:
        return []
    i, a, b = first
    return [f"{case.name}: {different} elements differ; the first is {i}: "
            f"{show(kind, a)}, recorded {show(kind, b)}"]


def find_case(name):
    return next(case for case in CASES if case.name == name)
