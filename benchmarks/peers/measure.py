"""One side of a case: compiled, executed on the emulator, assembled and counted."""

import json
import math
import re
from string import Template
from typing import NamedTuple

from assembly import (SASS_KINDS, assemble, compile_kinds, count, get_copy_distance,
                      get_inner_loop, get_schedule, parse_ptxas, parse_sass, run)

# What the instructions of a loop are for, by their names in machine code. All others
# are integers, addresses, moves and control: "other".
LOOP_KINDS = compile_kinds({
    "mma": r"[HIQDO]MMA|[HIQ]GMMA",
    "ldsm": r"LDSM",
    "lds": r"LDS",
    "sts": r"STSM?|ATOMS",
    "ldgsts": r"LDGSTS",
    "tma": r"UBLK\w+|UTMA\w+",
    "ldg": r"LDG?",
    "stg": r"STG?|REDG?|ATOMG?",
    "local": r"LDL|STL",
    "bar": r"BAR|SYNCS",
    "shfl": r"SHFL|REDUX|U?VOTEU?|MOVM",
    "float": r"[FD](ADD|MUL|FMA|MNMX3?|SETP?)|FFMA|FSEL|FCHK",
    "mufu": r"MUFU",
    "cvt": r"[FIU]2[FIU]P?|F2FP|H(ADD|MUL|FMA|MNMX)2|I2IP",
    "int": r"U?(IADD3?|IMAD|ISETP|LEA|LOP3|SHF|SEL|PRMT|IMNMX|VIADD|VIMNMX|SGXT|IABS|BMSK|POPC|FLO)"
           r"|VIADDMNMX|U?MOV|CS2R|S2U?R|R2UR|ULDC|LDCU?|P2R|R2P|PLOP3|UPLOP3",
})


def count_kinds(code):
    """Instructions by LOOP_KINDS and "other", which add up to "instructions"."""
    counts = count(code, LOOP_KINDS)
    counts["other"] = 2 * counts["instructions"] - sum(counts.values())
    return counts


def parse_statistics(text):
    """The launch in what --stats=json prints."""
    (launch,) = json.JSONDecoder().raw_decode(text[text.index("{"):])[0]["kernels"]
    return launch


# Multiprocessors: threads, blocks and bytes of shared memory that one holds, from the table
# of compute capabilities in the CUDA C++ Programming Guide; 65536 registers each.
MULTIPROCESSORS = {"sm_80": (2048, 32, 164 * 1024), "sm_89": (1536, 24, 100 * 1024),
                   "sm_90a": (2048, 32, 228 * 1024)}
REGISTERS = 65536
RESERVED_BYTES = 1024  # of shared memory, a block's


def get_blocks(chip, threads, registers, shared_bytes):
    """How many blocks of a kernel a multiprocessor holds."""
    most_threads, most_blocks, most_bytes = MULTIPROCESSORS[chip]
    of_warp = -(-registers * 32 // 256) * 256
    return min(most_threads // threads, most_blocks, REGISTERS // of_warp // (threads // 32),
               most_bytes // (shared_bytes + RESERVED_BYTES))


def measure_code(ptx, chip, dynamic_bytes):
    """What ptxas makes of a module of one kernel. Without nvdisasm only its log counts,
    without ptxas nothing."""
    log, listing = assemble(ptx, chip)
    figures = {"threads": int(re.search(r"\.(?:reqntid|maxntid)\s+(\d+)", ptx)[1])}
    for registers in parse_ptxas(log).values():
        static = re.search(r"(\d+) bytes smem", log)
        shared = dynamic_bytes + (int(static[1]) if static else 0)
        figures |= {**registers, "shared_bytes": shared,
                    "blocks": get_blocks(chip, figures["threads"], registers["registers"], shared)}
    for kernel in parse_sass(listing).values():
        loop = get_inner_loop(kernel, SASS_KINDS)
        figures |= {"code": count_kinds(kernel[0]), "loop": count_kinds(loop) if loop else None,
                    "schedule": get_schedule(loop), "distance": get_copy_distance(loop)}
    return figures


class Compiled(NamedTuple):
    """A kernel: its PTX and the bytes of its dynamic shared memory."""

    ptx: str
    shared_bytes: int
    metadata: object = None  # Triton's


class Ours:
    """tile-opt and tile-run on a program of programs/."""

    name = "ours"

    def __init__(self, tools, programs):
        self.tools, self.programs = tools, programs

    def compile(self, case, folder):
        template = Template((self.programs / f"{case.program}.mlir.in").read_text())
        source = folder / "ours.mlir"
        source.write_text(template.substitute(case.get_values()))
        command = [self.tools / "tile-opt", source, f"--chip={case.chip}"]
        report = json.loads(run(*command, "--emit=report", "--format=json"))
        return Compiled(run(*command, "--emit=ptx", "--line-info=false"),
                        report["kernels"][0]["shared_bytes"])

    def execute(self, case, folder, _, inputs, output):
        """The launch's statistics; with neither `inputs` nor `output`, on data of
        tile-run, and the result compared with the reference."""
        files = [f"--in={number}:{path}" for number, path in enumerate(inputs)]
        files += [f"--out={len(inputs) - 1}:{output}"] if output else ["--check"]
        if not inputs:
            files += [f"--shape={number}:{'x'.join(map(str, shape))}"
                      for number, (_, shape) in enumerate(case.get_shapes())]
            files += case.data
        return parse_statistics(run(self.tools / "tile-run", folder / "ours.mlir", "--entry=main",
                                    "--on=emulator", f"--chip={case.chip}", "--stats=json", *files))


class Theirs:
    """Triton, and ptx-run on the PTX that it makes."""

    name = "theirs"
    # Where Triton would write PTX that the ptxas of CUDA 13.0 does not know, so that one
    # ptxas assembles both.
    OPTIONS = {"sm_90a": {"ptx_version": 90}}
    SWIZZLES = (0, 32, 64, 128)  # bytes, by the numbers that Triton gives them
    TYPES = {"f16": "*fp16", "f32": "*fp32", "i8": "*i8", "i32": "*i32", "f8E4M3FN": "*fp8e4nv"}

    def __init__(self, tools):
        self.tools = tools

    def get_signature(self, case, kernel):
        """Types, constants and facts of the kernel's arguments, by name."""
        sizes = {name: value for name, value in case.sizes.items() if name in kernel.arg_names}
        sizes |= {name: float(value) for name, value in sizes.items() if isinstance(value, str)}
        constants = {name: value for name, value in sizes.items() if name not in case.runtime}
        memrefs = [name for name in kernel.arg_names if name not in sizes]
        types = dict.fromkeys(kernel.arg_names, "constexpr")
        types |= dict.fromkeys(case.runtime, "i32")
        types |= {name: self.TYPES[kind]
                  for name, (kind, _) in zip(memrefs, case.arguments, strict=True)}
        types |= {name: f"tensordesc<{types[name][1:]}{box}>"
                  for name, box in zip(memrefs, case.get_boxes())}
        # As Triton finds by itself where it is called.
        whole = [name for name in (*memrefs, *case.runtime)
                 if sizes.get(name, 16) % 16 == 0 and not types[name].startswith("tensordesc")]
        return types, constants, whole

    def get_arguments(self, case, compiled, inputs, output):
        """The words of ptx-run for the kernel's parameters but for its last ones, which
        point to memory that none of these uses."""
        files = [*(f"@{path}" for path in inputs[:-1]), f"@{inputs[-1]}:{output}"]
        if not case.boxes:
            return [*files, *(f"i32:{case.sizes[name]}" for name in case.runtime)]
        words = []
        for file, (_, shape), map_ in zip(files, case.get_shapes(),
                                          compiled.metadata.tensordesc_meta, strict=True):
            # A matrix: heads follow each other.
            rows, columns = math.prod(shape[:-1]), shape[-1]
            box = "x".join(map(str, reversed(map_["block_size"])))
            words += [f"tensormap:{file},dims={columns}x{rows},box={box},"
                      f"swizzle={self.SWIZZLES[map_['swizzle']]}",
                      f"i32:{rows}", f"i32:{columns}", f"i64:{columns}", "i64:1"]
        return words

    def compile(self, case, _):
        import triton
        import triton_kernels
        from triton.backends.compiler import GPUTarget
        from triton.compiler import ASTSource

        kernel = getattr(triton_kernels, case.kernel)
        types, constants, whole = self.get_signature(case, kernel)
        number = kernel.arg_names.index
        source = ASTSource(kernel, types,
                           {(number(name),): value for name, value in constants.items()},
                           {(number(name),): [["tt.divisibility", 16]] for name in whole})
        compiled = triton.compile(
            source, target=GPUTarget("cuda", int(re.sub(r"\D", "", case.chip)), 32),
            options={"num_warps": case.sizes["WARPS"], "num_stages": case.get_their_stages(),
                     **self.OPTIONS.get(case.chip, {})})
        return Compiled(compiled.asm["ptx"], compiled.metadata.shared, compiled.metadata)

    def execute(self, case, folder, compiled, inputs, output):
        """The launch's statistics. Its compiler lets several warps store a value that
        they all have."""
        source = folder / "theirs.ptx"
        source.write_text(compiled.ptx)
        parameters = len(re.findall(r"^\s*\.param", compiled.ptx[:compiled.ptx.index(")")],
                                    re.MULTILINE))
        arguments = self.get_arguments(case, compiled, inputs, output)
        arguments += ["null"] * (parameters - len(arguments))
        return parse_statistics(run(
            self.tools / "ptx-run", source, f"--grid={','.join(map(str, case.get_grid()))}",
            f"--block={32 * case.sizes['WARPS']}", f"--shared={compiled.shared_bytes}", "--stats=json",
            "--equal-stores=allowed", "--mbarrier-init=allowed",
            *(f"--arg={argument}" for argument in arguments)))


def make_data(numpy, case, folder):
    """A file of random numbers for each memref, of zeros for the last."""
    random = numpy.random.default_rng(0)
    makers = {
        "f16": lambda shape: random.standard_normal(shape).astype(numpy.float16),
        "f32": lambda shape: random.standard_normal(shape).astype(numpy.float32),
        "i8": lambda shape: random.integers(-8, 8, shape).astype(numpy.int8),
        "i32": lambda shape: random.integers(-8, 8, shape).astype(numpy.int32),
        # Signs, and exponents of 2^-2 to 2^1.
        "f8E4M3FN": lambda shape: (random.integers(0, 2, shape) * 128 +
                                   random.integers(40, 72, shape)).astype(numpy.uint8)}
    paths = []
    for number, (kind, shape) in enumerate(case.get_shapes()):
        array = makers[kind](shape)
        paths.append(folder / f"{number}.npy")
        numpy.save(paths[-1], array if number + 1 < len(case.arguments) else numpy.zeros_like(array))
    return paths


def get_difference(numpy, paths):
    """The largest difference of two results, relative to the root mean square of one."""
    first, second = (numpy.load(path).astype(numpy.float64) for path in paths)
    return float(numpy.abs(first - second).max() / numpy.sqrt(numpy.mean(first * first)))


def measure_side(side, case, folder, inputs=(), output=None):
    """What one side's compiler makes of a case."""
    compiled = side.compile(case, folder)
    figures = {"executed": side.execute(case, folder, compiled, inputs, output),
               **measure_code(compiled.ptx, case.chip, compiled.shared_bytes)}
    if case.loop and "loop" in figures:
        longer = measure_code(side.compile(case.with_longer_loop(), folder).ptx, case.chip, 0)
        figures |= {key: longer[key] for key in ("loop", "schedule", "distance")}
    return figures
