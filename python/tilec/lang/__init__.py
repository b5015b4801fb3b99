"""Tile programs written in Python: functions over typed tiles that make the IR as text.

    from tilec import lang as tl
    from tilec.lang import f32, memref

    @tl.function
    def scale(x: memref("N", f32), y: memref("N", f32), *, tile=1024):
        @tl.launch(tl.ceil_div(x.size(0), tile), threads=256)
        def scale_kernel(block):
            start = block * tile
            tl.store(tl.load(x[start], (tile,)) * 2.0, y[start])

    print(scale.build())                          # the text, as a person would write it
    program = scale.build(tile=512).compile(chip="sm_80")

Functions are *traced*: they run once, on values that know their type and no number, and each
call writes an operation. Python's own `if`, `for`, functions, closures, lists and modules
work on what is known while the program is written, which makes the parameters; what depends
on values of the program is said by `when`, `loop`, `parallel`, `select`. Functions are never
rewritten. The decision, and what users of other languages say, is in
docs/decisions/0026-python-programs-are-traced.md; the page is docs/PythonLanguage.md.

Names are those of the operations (docs/Dialect.md) and of the builder for C++
(include/tile/Dialect/Tile/ProgramBuilder.h). Nothing here needs the compiler.
"""
from .arith import (absf, absi, addf, addi, addui_extended, andi, ceil, ceil_div, ceildivsi,
                    ceildivui, cmpf, cmpi, constant, convert, copysign, cos, ctlz, ctpop, divf,
                    divsi, divui, erf, exp, exp2, expm1, fastmath, floor, floordivsi, fma, isfinite,
                    isinf, isnan, log, log1p, log2, maximum, maximumf, maxnumf, maxsi, maxui,
                    minimum, minimumf, minnumf, minsi, minui, mulf, muli, mulsi_extended,
                    mului_extended, negf, ori, powf, remf, remsi, remui, round, roundeven, rsqrt,
                    select, shli, shrsi, shrui, sin, sqrt, subf, subi, tanh, trunc, xori)
from .compute import (bitcast, broadcast, convert_layout, extract, extract_slice, from_elements,
                      full, gemm, gemm_scaled, gemm_sparse, insert_slice, poison, reduce, reshape,
                      scan, transpose, zeros)
from .facts import assume, assume_divisible, print_value, require
from .function import Function, Program, build, function
from .memory import (Box, alloc, atomic_rmw, copy, dealloc, im2col, load, shared_layout, size,
                     store, workspace)
from .source import Location, ProgramError
from .structure import (Carried, arange, index_switch, launch, loop, otherwise, parallel, pipeline,
                        when, while_loop)
from .types import (Argument, ElementType, MemRefType, TileType, bf16, f4E2M1FN, f6E2M3FN,
                    f6E3M2FN, f8E4M3FN, f8E5M2, f8E8M0FNU, f16, f32, f64, i1, i4, i8, i16, i32,
                    i64, index, memref, shared, tile)
from .values import MemRef, OpenTile, Scalar, Tile, Value
from .views import cast, collapse_shape, expand_shape, reinterpret_cast, subview

__all__ = ["absf", "absi", "addf", "addi", "addui_extended", "alloc", "andi", "arange", "Argument",
           "assume", "assume_divisible", "atomic_rmw", "bf16", "bitcast", "Box", "broadcast",
           "build", "Carried", "cast", "ceil", "ceil_div", "ceildivsi", "ceildivui", "cmpf", "cmpi",
           "collapse_shape", "constant", "convert", "convert_layout", "copy", "copysign", "cos",
           "ctlz", "ctpop", "dealloc", "divf", "divsi", "divui", "ElementType", "erf", "exp",
           "exp2", "expand_shape", "expm1", "extract", "extract_slice", "f16", "f32", "f4E2M1FN",
           "f64", "f6E2M3FN", "f6E3M2FN", "f8E4M3FN", "f8E5M2", "f8E8M0FNU", "fastmath", "floor",
           "floordivsi", "fma", "from_elements", "full", "Function", "function", "gemm",
           "gemm_scaled", "gemm_sparse", "i1", "i16", "i32", "i4", "i64", "i8", "im2col", "index",
           "index_switch", "insert_slice", "isfinite", "isinf", "isnan", "launch", "load",
           "Location", "log", "log1p", "log2", "loop", "maximum", "maximumf", "maxnumf", "maxsi",
           "maxui", "MemRef", "memref", "MemRefType", "minimum", "minimumf", "minnumf", "minsi",
           "minui", "mulf", "muli", "mulsi_extended", "mului_extended", "negf", "OpenTile", "ori",
           "otherwise", "parallel", "pipeline", "poison", "powf", "print_value", "Program",
           "ProgramError", "reduce", "reinterpret_cast", "remf", "remsi", "remui", "require",
           "reshape", "round", "roundeven", "rsqrt", "Scalar", "scan", "select", "shared",
           "shared_layout", "shli", "shrsi", "shrui", "sin", "size", "sqrt", "store", "subf",
           "subi", "subview", "tanh", "Tile", "tile", "TileType", "transpose", "trunc", "Value",
           "when", "while_loop", "workspace", "xori", "zeros"]
