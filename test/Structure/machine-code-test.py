#!/usr/bin/env python3
"""benchmarks/ counts machine code rightly: machine-code-test.py BENCHMARKS-DIRECTORY

A listing as nvdisasm prints it, written by hand, with a loop around a loop and a retry
of a wait behind the end: which is the inner loop, its instructions by kind, its
schedule; what ptxas says of registers, and how many blocks fit on a multiprocessor.
"""

import sys
from pathlib import Path

# The first mma reads what is loaded behind the barrier, the third what the iteration
# before has loaded.
LISTING = """
	.headerflags	@"EF_CUDA_TEXMODE_UNIFIED EF_CUDA_SM80"
//--------------------- .text.kernel              --------------------------
	.section	.text.kernel,"ax",@progbits
.text.kernel:
.L_x_3:
        /*0000*/                   IMAD.MOV.U32 R1, RZ, RZ, c[0x0][0x28] ;
.L_x_0:
        /*0010*/                   LDG.E.128 R4, [R2.64] ;
        /*0020*/                   STS.128 [R3], R4 ;
.L_x_1:
        /*0030*/                   BAR.SYNC.DEFER_BLOCKING 0x0 ;
        /*0040*/                   LDSM.16.M88.4 R8, [R20] ;
        /*0050*/                   IADD3 R20, R20, 0x800, RZ ;
        /*0060*/                   HMMA.16816.F32 R24, R8, R40, R24 ;
        /*0070*/                   HMMA.16816.F32 R28, R8, R42, R28 ;
        /*0080*/                   HMMA.16816.F32 R32, R12, R16, R32 ;
        /*0090*/                   LDSM.16.MT88.2 R16, [R21] ;
        /*00a0*/              @!P0 LDGSTS.E.BYPASS.128 [R22], [R2.64] ;
        /*00b0*/                   LDS.64 R46, [R23] ;
        /*00c0*/                   MUFU.EX2 R44, R44 ;
        /*00d0*/                   FFMA R45, R44, R44, R45 ;
        /*00e0*/                   F2FP.F16.F32.PACK_AB R46, R45, R44 ;
        /*00f0*/                   SHFL.BFLY PT, R47, R46, 0x1, 0x1f ;
        /*0100*/                   LDGDEPBAR ;
        /*0110*/              @!P0 BRA `(.L_x_1) ;
        /*0120*/               @P1 BRA `(.L_x_0) ;
        /*0130*/                   STG.E.128 [R2.64], R24 ;
        /*0140*/                   EXIT ;
.L_x_2:
        /*0150*/                   SYNCS.PHASECHK.TRANS64.TRYWAIT P2, [R21], R22 ;
        /*0160*/              @!P2 BRA `(.L_x_2) ;
        /*0170*/                   BRA `(.L_x_1) ;
.L_x_5:
        /*0180*/                   BRA `(.L_x_5);
        /*0190*/                   NOP;
        /*01a0*/                   NOP;
.L_x_4:
"""
LOG = """ptxas info    : Compiling entry function 'kernel' for 'sm_80'
ptxas info    : Function properties for kernel
    8 bytes stack frame, 24 bytes spill stores, 16 bytes spill loads
ptxas info    : Used 204 registers, used 1 barriers, 32 bytes smem, 384 bytes cmem[0]
"""
LOOP = {"mma": 3, "ldsm": 2, "lds": 1, "ldgsts": 1, "bar": 1, "shfl": 1, "float": 1, "mufu": 1,
        "cvt": 1, "int": 1, "other": 2}
# Two groups of copies an iteration, waited for when two more are in flight: six of four
# products an iteration lie behind the second one then.
COPIES = [("HMMA.16816.F32", ""), ("LDGSTS.E.BYPASS.128", ""), ("LDGDEPBAR", ""),
          ("HMMA.16816.F32", ""), ("LDGSTS.E.BYPASS.128", ""), ("LDGDEPBAR", ""),
          ("HMMA.16816.F32", ""), ("HMMA.16816.F32", ""), ("DEPBAR.LE", "SB0, 0x2"), ("BRA", "")]
WHOLE = {**LOOP, "ldg": 1, "sts": 1, "stg": 1, "int": 2, "bar": 2, "other": 7}
# (chip, threads, registers, bytes of shared memory) -> blocks, by cuda_occupancy.h.
BLOCKS = {("sm_80", 128, 204, 49152): 2, ("sm_80", 256, 128, 65536): 2,
          ("sm_80", 256, 136, 65536): 1, ("sm_80", 256, 124, 98304): 1,
          ("sm_80", 128, 28, 0): 16, ("sm_80", 32, 16, 0): 32, ("sm_89", 128, 168, 49152): 2,
          ("sm_90a", 384, 168, 200000): 1}


def expect(what, actual, expected):
    if actual != expected:
        sys.exit(f"{what}: {actual}, expected {expected}")


def main():
    benchmarks = Path(sys.argv[1])
    sys.dont_write_bytecode = True
    sys.path[:0] = [str(benchmarks), str(benchmarks / "peers")]
    import assembly
    import measure

    kernels = assembly.parse_sass(LISTING)
    expect("kernels", list(kernels), ["kernel"])
    loop = assembly.get_inner_loop(kernels["kernel"], assembly.SASS_KINDS)
    expect("the loop's ends", (loop[0][0], loop[-1][0]), ("BAR.SYNC.DEFER_BLOCKING", "BRA"))
    for what, code, expected in (("loop", loop, LOOP), ("whole", kernels["kernel"][0], WHOLE)):
        counts = measure.count_kinds(code)
        expect(f"kinds of the {what}", {kind: number for kind, number in counts.items() if number},
               {"instructions": sum(expected.values()), **expected})
    # Operand A is read at once; B by the third mma of the next iteration.
    expect("schedule", assembly.get_schedule(loop), {"ahead": 1.0, "near": 2, "alone": 2})
    expect("distance without a wait", assembly.get_copy_distance(loop), None)
    expect("distance", assembly.get_copy_distance(COPIES), 1.5)
    expect("ptxas", assembly.parse_ptxas(LOG), {"kernel": {"registers": 204, "spills": 40}})
    for resources, blocks in BLOCKS.items():
        expect(f"blocks of {resources}", measure.get_blocks(*resources), blocks)


if __name__ == "__main__":
    main()
