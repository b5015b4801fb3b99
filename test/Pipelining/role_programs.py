"""Programs of which sm_90a makes a producer and consumers.

Each kind is a function of the number of stages and of the attributes of its launch
that gives the text of a module. As in programs.py its entry `@main` launches the
kernel with every trip count from 0 to 2 * stages + 1, and the results of trip count t
go to row t of the last argument. A block computes 64 rows of it for each of its
warpgroups.
"""

import re

from programs import HEADER, trips

ROWS, COLUMNS, STEP = 64, 32, 32  # rows of each warpgroup
DEPTH = 448  # enough for 6 stages
SUM = f"tensor<{ROWS}x{COLUMNS}xf32>"
TILE_A = f"memref<{ROWS}x{STEP}xf16, #shared>"
TILE_B = f"memref<{COLUMNS}x{STEP}xf16, #shared>"
GLOBAL_B = f"memref<{COLUMNS}x{DEPTH}xf16>"


def launch_attributes(roles, is_persistent=False):
    """`roles`: "none", "cooperative", or "alternating" consumers beside the producer."""
    attributes = ["persistent"] * is_persistent
    if roles == "none":
        attributes.append("warp_specialize = #tile.warp_specialize<off>")
    return f" attributes {{{', '.join(attributes)}}}" if attributes else ""


def module(stages, cluster, attributes, arguments, body, blocks=2, warpgroups=1):
    """A module whose launch of `blocks` blocks, in clusters of so many, holds `body`,
    which computes %r from %n iterations by `warpgroups` warpgroups."""
    count = trips(stages)
    rows = warpgroups * ROWS
    total = f"tensor<{rows}x{COLUMNS}xf32>"
    out = f"memref<{count}x{blocks * rows}x{COLUMNS}xf32>"
    clusters = f" cluster({cluster})" if cluster > 1 else ""
    return f"""{HEADER}
func.func @main({", ".join(arguments)}, %O: {out}) {{
  %h0 = arith.constant 0 : index
  %h1 = arith.constant 1 : index
  %blocks = arith.constant {blocks} : index
  %hn = arith.constant {count} : index
  scf.for %t = %h0 to %hn step %h1 {{
    tile.launch @kernel blocks(%x) in (%blocks) threads({128 * warpgroups}){clusters}{attributes} {{
      %n = arith.addi %t, %h0 : index
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %rows = arith.constant {rows} : index
      %step = arith.constant {STEP} : index
      %row = arith.muli %x, %rows : index
      %zero = arith.constant dense<0.0> : {total}
      %a = tile.alloc : memref<{rows}x{STEP}xf16, #shared>
      %b = tile.alloc : {TILE_B}
{body}
      tile.store %r, %O[%t, %row, %c0] [1, {rows}, {COLUMNS}] : {total}, {out}
    }}
  }}
  return
}}
"""


def operands(blocks=2):
    return [f"%A: memref<{blocks * ROWS}x{DEPTH}xf16>", f"%B: {GLOBAL_B}"]


def copies(blocks=2):
    return f"""
        tile.copy %A[%row, %k] to %a : memref<{blocks * ROWS}x{DEPTH}xf16> to {TILE_A}
        tile.copy %B[%c0, %k] to %b : {GLOBAL_B} to {TILE_B}"""


PRODUCT = f"tile.gemm %a, %b, %acc {{transpose_b}} : {TILE_A}, {TILE_B} -> {SUM}"


def loop(stages, body, result="%r", init="%zero", place="%i"):
    return f"""
      {result} = scf.for %i = %c0 to %n step %c1 iter_args(%acc = {init}) -> ({SUM}) {{
        %k = arith.muli {place}, %step : index
{body}
        scf.yield %d : {SUM}
      }} {{tile.stages = {stages} : i32}}
"""


def gemm(stages, cluster, roles):
    body = loop(stages, f"{copies()}\n        %d = {PRODUCT}")
    return module(stages, cluster, launch_attributes(roles), operands(), body)


def persistent(stages, cluster, roles):
    """Several tiles a block: the numbers of uses go on from one to the next."""
    body = loop(stages, f"{copies(blocks=6)}\n        %d = {PRODUCT}")
    attributes = launch_attributes(roles, is_persistent=True)
    return module(stages, cluster, attributes, operands(blocks=6), body, blocks=6)


def two_loops(stages, cluster, roles):
    """Two loops fill the same buffers, the second from the last place to the first."""
    first = loop(stages, f"{copies()}\n        %d = {PRODUCT}", result="%s")
    places = """
        %left = arith.subi %n, %i : index
        %last = arith.subi %left, %c1 : index
        %k = arith.muli %last, %step : index"""
    second = loop(stages, f"{places}{copies()}\n        %d = {PRODUCT}", init="%s")
    second = second.replace("        %k = arith.muli %i, %step : index\n", "", 1)
    return module(stages, cluster, launch_attributes(roles), operands(), first + second)


def guarded(stages, cluster, roles):
    """Copies and their use under a condition that memory decides."""
    body = loop(
        stages,
        f"""
        %flag = memref.load %flags[%i] : memref<16xi32>
        %none = arith.constant 0 : i32
        %on = arith.cmpi sgt, %flag, %none : i32
        %d = scf.if %on -> ({SUM}) {{
{copies()}
          %e = {PRODUCT}
          scf.yield %e : {SUM}
        }} else {{
          scf.yield %acc : {SUM}
        }}""",
    )
    arguments = [*operands(), "%flags: memref<16xi32>"]
    return module(stages, cluster, launch_attributes(roles), arguments, body)


def attention(stages, cluster, roles):
    """Two products an iteration, whose operands come in rings of their own. Two
    warpgroups alternate."""
    warpgroups = 2 if roles == "alternating" else 1
    rows = warpgroups * ROWS
    sums = f"tensor<{rows}x{COLUMNS}xf32>"
    tile_q = f"memref<{rows}x{STEP}xf16, #shared>"
    keys = f"memref<{DEPTH}x{STEP}xf16>"
    tile = f"memref<{STEP}x{STEP}xf16, #shared>"
    vector = f"tensor<{rows}xf32>"
    queries = f"memref<{2 * rows}x{STEP}xf16>"
    body = f"""
      %v = tile.alloc : {tile}
      tile.copy %Q[%row, %c0] to %a : {queries} to {tile_q}
      %low = arith.constant dense<-100.0> : {vector}
      %none = arith.constant dense<0.0> : {vector}
      %m, %l, %o = scf.for %i = %c0 to %n step %c1 iter_args(%max = %low, %sum = %none, %acc = %zero)
          -> ({vector}, {vector}, {sums}) {{
        %k = arith.muli %i, %step : index
        tile.copy %K[%k, %c0] to %b : {keys} to {TILE_B}
        tile.copy %V[%k, %c0] to %v : {keys} to {tile}
        %s = tile.gemm %a, %b {{transpose_b, warps = #tile.warps<rows>}} : {tile_q}, {TILE_B} -> {sums}
        %top = tile.reduce <maximumf> %s dims [1] init(%max) : {sums} -> {vector}
        %tops = tile.broadcast %top dims [1] : {vector} -> {sums}
        %shifted = arith.subf %s, %tops : {sums}
        %p = math.exp2 %shifted : {sums}
        %change = arith.subf %max, %top : {vector}
        %scale = math.exp2 %change : {vector}
        %scaled = arith.mulf %sum, %scale : {vector}
        %total = tile.reduce <add> %p dims [1] init(%scaled) : {sums} -> {vector}
        %scales = tile.broadcast %scale dims [1] : {vector} -> {sums}
        %before = arith.mulf %acc, %scales : {sums}
        %h = arith.truncf %p : {sums} to tensor<{rows}x{STEP}xf16>
        %d = tile.gemm %h, %v, %before {{warps = #tile.warps<rows>}} : tensor<{rows}x{STEP}xf16>, {tile} -> {sums}
        scf.yield %top, %total, %d : {vector}, {vector}, {sums}
      }} {{tile.stages = {stages} : i32}}
      %ls = tile.broadcast %l dims [1] : {vector} -> {sums}
      %r = arith.addf %o, %ls : {sums}
"""
    arguments = [f"%Q: {queries}", f"%K: {keys}", f"%V: {keys}"]
    return module(stages, cluster, launch_attributes(roles), arguments, body, warpgroups=warpgroups)


def by_threads(kind, operand):
    """A kind with an operand whose rows, two elements longer, the copy engine does not
    take: the threads of the producer copy it, beside the other one's bulk copies."""

    def program(stages, cluster, roles):
        text = kind(stages, cluster, roles)
        rows, columns = re.search(rf"%{operand}: memref<(\d+)x(\d+)xf16>", text).groups()
        longer = f"memref<{rows}x{int(columns) + 2}xf16>"
        name = rf"%{operand}(: |\[[^\n]* : )"
        return re.sub(rf"({name})memref<{rows}x{columns}xf16>", rf"\1{longer}", text)

    program.__name__ = f"{kind.__name__}_by_threads"
    return program


def name_all(functions):
    return {function.__name__: function for function in functions}


KINDS = name_all([gemm, attention, two_loops, guarded, persistent])
THREAD_KINDS = name_all(
    [
        by_threads(gemm, "A"),
        by_threads(attention, "V"),
        by_threads(guarded, "B"),
        by_threads(persistent, "A"),
    ]
)
