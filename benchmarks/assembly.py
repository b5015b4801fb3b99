"""Kernels as lists of instructions, in PTX and in machine code: their loops, and what
stands in them.

An instruction is a pair (name, operands), a kernel a list of them and the positions of
labels in it. Both languages have the same grammar but for the names of labels. What is
counted is given by `kinds`, compiled patterns for the beginning of an instruction's
name; the first that matches counts.

The inner loop is the one with most mma, else with most accesses of global memory, the
smallest of equals, and none around another with mma: all that stands between a label
and the last branch back to it. What ptxas places elsewhere is not counted.
"""

import os
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

NEAR = 2
# No loop keeps copies of more iterations in flight.
MAX_STAGES = 32
# Where NVIDIA's tools are looked for behind PATH.
TOOL_FOLDERS = [Path(os.environ.get("CUDA_HOME", "/usr/local/cuda"), "bin")]


class CommandFailed(SystemExit):
    """What a command said that failed; ends a program that does not catch it."""


def compile_kinds(kinds):
    return {name: re.compile(rf"(?:{pattern})(?:\.|$)")
            for name, pattern in kinds.items()}


# The kinds that loops and schedules are judged by.
SASS_KINDS = {
    "mma": r"[HIQD]MMA|[HIQ]GMMA",
    "ldmatrix": r"LDSM",
    "async": r"LDGSTS",
    "shared": r"LDS|STS|ATOMS",
    "global": r"LDG|STG|LD|ST|RED|ATOMG?",
    "local": r"LDL|STL",
    "bar": r"BAR",
    "add": r"U?IADD3|VIADD|U?LEA|IMAD\.IADD",
    "move": r"MOV|IMAD\.MOV|UMOV|CS2R",
}
PTX_KINDS = {
    "mma": r"mma|wgmma\.mma_async",
    "ldmatrix": r"ldmatrix",
    "async": r"cp\.async\.c[ag]|cp\.async\.bulk",
    "shared": r"(ld|st|atom|red)\.shared",
    "global": r"(ld|st|atom|red)\.global",
    "local": r"(ld|st)\.local",
    "bar": r"bar|barrier",
    "add": r"(add|sub)\.[su]\d+",
    "multiply": r"(mul|mad)\.(lo|hi|wide)",
    "move": r"mov",
}

SASS_KINDS, PTX_KINDS = compile_kinds(SASS_KINDS), compile_kinds(PTX_KINDS)


def find_tool(name):
    """Its path; None where it is nowhere."""
    places = [name, *(str(folder / name) for folder in TOOL_FOLDERS)]
    return next(filter(None, map(shutil.which, places)), None)


def run(*command):
    """What a command prints, on both outputs."""
    result = subprocess.run([str(word) for word in command], check=False,
                            capture_output=True, text=True)
    if result.returncode:
        raise CommandFailed(f"{' '.join(map(str, command))}: exit status "
                            f"{result.returncode}\n{result.stdout}{result.stderr}")
    return result.stdout + result.stderr


def parse_ptx(text):
    """The kernels of a module, by name."""
    kernels, code, labels = {}, [], {}
    for line in text.splitlines():
        entry = re.search(r"\.entry (\w+)", line)
        label = re.match(r"(\$\w+):", line)
        instruction = re.match(r"\s+(?:@!?%\w+\s+)?([a-z][\w.]*)\s*([^;]*)", line)
        if entry:
            code, labels = kernels.setdefault(entry[1], ([], {}))
        elif label:
            labels[label[1]] = len(code)
        elif instruction:
            code.append(instruction.groups())
    return kernels


def parse_sass(listing):
    """The kernels in what `nvdisasm -c` prints, by name."""
    kernels, code, labels = {}, [], {}
    for line in listing.splitlines():
        section = re.match(r"\.text\.(\w+):", line)
        label = re.match(r"(\.L_\w+):", line)
        instruction = re.match(
            r"\s+/\*[0-9a-f]{4,}\*/\s+(?:@!?U?P\w+ )?\s*([A-Z][\w.]*)\s*([^;]*);",
            line)
        if section:
            code, labels = kernels.setdefault(section[1], ([], {}))
        elif label:
            labels[label[1]] = len(code)
        elif instruction:
            code.append(instruction.groups())
    return kernels


def get_loops(code, labels):
    """Where a label stands and the last branch back to it. The retry of a wait that
    ptxas places behind the end of the kernel jumps back, too, and is none."""
    ends = {}
    for position, (name, operands) in enumerate(code):
        target = re.search(r"(\$\w+|\.L_\w+)", operands)
        begin = labels.get(target[1], position) if target else position
        if re.match(r"bra|BRA", name) and begin < position and \
                all(inside != "EXIT" for inside, _ in code[begin:position]):
            ends[begin] = position
    return ends.items()


def classify(name, kinds):
    return next((kind for kind, pattern in kinds.items() if pattern.match(name)),
                None)


def count(code, kinds):
    """How many instructions there are, without padding, and how many of each kind."""
    counts = {"instructions": sum(name != "NOP" for name, _ in code)}
    counts |= dict.fromkeys(kinds, 0)
    for name, _ in code:
        if kind := classify(name, kinds):
            counts[kind] += 1
    return counts


def get_inner_loop(kernel, kinds):
    """Empty if the kernel has no loop; of loops around one with products, not one."""
    code = kernel[0]
    def get_weight(loop):
        counts = count(loop, kinds)
        return (counts["mma"], counts["async"] + counts["global"], -len(loop))
    loops = get_loops(*kernel)
    with_products = [(first, last) for first, last in loops
                     if count(code[first:last + 1], kinds)["mma"]]
    inner = [(first, last) for first, last in loops
             if not any(first <= other[0] and other[1] <= last and
                        other != (first, last) for other in with_products)]
    return max((code[first:last + 1] for first, last in inner), key=get_weight,
               default=[])


def get_registers(operands):
    return [int(number) for number in re.findall(r"\bR(\d+)", operands)]


def get_distance(loop, position):
    """The mma between an ldmatrix and the first that reads one of its registers;
    operand A is four registers or fewer, B two."""
    name, operands = loop[position]
    first = get_registers(operands)[0]
    width = re.search(r"\.([24])$", name)
    end = first + (int(width[1]) if width else 1)
    distance = 0
    for other, sources in loop[position + 1:] + loop[:position]:
        if classify(other, SASS_KINDS) != "mma":
            continue
        for begin, size in zip(get_registers(sources)[1:3], (4, 2)):
            if begin < end and first < begin + size:
                return distance
        distance += 1
    return distance


def get_schedule(loop):
    """How a loop with ldmatrix and mma hides its latencies; empty without them.

    `ahead` is the mean number of mma between an ldmatrix and the first mma that reads
    it, the loop taken as a circle, `near` the ldmatrix with at most NEAR, `alone` the
    instructions between a barrier and the next mma.
    """
    kinds = [classify(name, SASS_KINDS) for name, _ in loop]
    if "mma" not in kinds or "ldmatrix" not in kinds:
        return {}
    distances = [get_distance(loop, position)
                 for position, kind in enumerate(kinds) if kind == "ldmatrix"]
    alone = 0
    for position, kind in enumerate(kinds):
        if kind == "bar":
            rest = kinds[position + 1:]
            alone += rest.index("mma") if "mma" in rest else len(rest)
    return {"ahead": round(sum(distances) / len(distances), 1),
            "near": sum(distance <= NEAR for distance in distances),
            "alone": alone}


def get_copy_distance(loop):
    """How many iterations' worth of products lie between an asynchronous copy to shared
    memory and the wait for its group, of all copies the fewest; None without both.

    The loop is followed until what its first iteration copies has been waited for.
    """
    passed, copies, groups, distances = 0, [], [], []
    for iteration in range(MAX_STAGES):
        for name, operands in loop:
            pending = re.match(r"SB0, 0x([0-9a-f]+)", operands)
            if classify(name, SASS_KINDS) == "mma":
                passed += 1
            elif name.startswith("LDGSTS") and iteration == 0:
                copies.append(passed)
            elif name.startswith("LDGDEPBAR"):
                groups.append(copies)
                copies = []
            elif name.startswith("DEPBAR") and pending:
                done = max(len(groups) - int(pending[1], 16), 0)
                distances += [passed - copy for group in groups[:done] for copy in group]
                groups = groups[done:]
    products = passed / MAX_STAGES
    return round(min(distances) / products, 2) if products and distances else None


def assemble(text, chip):
    """What ptxas and nvdisasm print for PTX; empty without them."""
    ptxas, nvdisasm = find_tool("ptxas"), find_tool("nvdisasm")
    if not ptxas:
        return "", ""
    with tempfile.TemporaryDirectory() as folder:
        ptx, binary = Path(folder, "a.ptx"), Path(folder, "a.cubin")
        ptx.write_text(text)
        log = run(ptxas, "-v", f"--gpu-name={chip}", ptx, "-o", binary)
        return log, run(nvdisasm, "-c", binary) if nvdisasm else ""


def get_ptxas_version():
    """As ptxas says it, like V13.0.88; none without ptxas."""
    ptxas = find_tool("ptxas")
    return re.search(r"V[\d.]+", run(ptxas, "--version"))[0] if ptxas else None


def parse_ptxas(log):
    """Kernel by kernel the registers of a thread and the bytes of spills that
    `ptxas -v` says."""
    return {name: {"registers": int(registers), "spills": int(stores) + int(loads)}
            for name, stores, loads, registers in re.findall(
                r"entry function '(\w+)'.*?(\d+) bytes spill stores, (\d+) bytes "
                r"spill loads.*?Used (\d+) registers", log, re.DOTALL)}
