"""Programs of which sm_90a makes a producer and consumers.

Each kind is a function of the number of stages and of the attributes of its launch
that gives the text of a module. As in programs.py its entry `@main` launches the
kernel with every trip count from 0 to 2 * stages + 1, and the results of trip count t
go to row t of the last argument. Every block computes 64 rows of it.
"""

from programs import HEADER, trips

ROWS, COLUMNS, STEP = 64, 32, 32
DEPTH = 448  # enough for 6 stages
SUM = f"tensor<{ROWS}x{COLUMNS}xf32>"
TILE_A = f"memref<{ROWS}x{STEP}xf16, #shared>"
TILE_B = f"memref<{COLUMNS}x{STEP}xf16, #shared>"
GLOBAL_B = f"memref<{COLUMNS}x{DEPTH}xf16>"


def launch_attributes(has_roles, is_persistent=False):
    attributes = ["persistent"] * is_persistent
    if not has_roles:
        attributes.append("warp_specialize = #tile.warp_specialize<off>")
    return f" attributes {{{', '.join(attributes)}}}" if attributes else ""


def module(stages, cluster, attributes, arguments, body, blocks=2):
    """A module whose launch of `blocks` blocks, in clusters of so many, holds `body`,
    which computes %r from %n iterations."""
    count = trips(stages)
    out = f"memref<{count}x{blocks * ROWS}x{COLUMNS}xf32>"
    clusters = f" cluster({cluster})" if cluster > 1 else ""
    return f"""{HEADER}
func.func @main({", ".join(arguments)}, %O: {out}) {{
  %h0 = arith.constant 0 : index
  %h1 = arith.constant 1 : index
  %blocks = arith.constant {blocks} : index
  %hn = arith.constant {count} : index
  scf.for %t = %h0 to %hn step %h1 {{
    tile.launch @kernel blocks(%x) in (%blocks) threads(128){clusters}{attributes} {{
      %n = arith.addi %t, %h0 : index
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %rows = arith.constant {ROWS} : index
      %step = arith.constant {STEP} : index
      %row = arith.muli %x, %rows : index
      %zero = arith.constant dense<0.0> : {SUM}
      %a = tile.alloc : {TILE_A}
      %b = tile.alloc : {TILE_B}
{body}
      tile.store %r, %O[%t, %row, %c0] [1, {ROWS}, {COLUMNS}] : {SUM}, {out}
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


def gemm(stages, cluster, has_roles):
    body = loop(stages, f"{copies()}\n        %d = {PRODUCT}")
    return module(stages, cluster, launch_attributes(has_roles), operands(), body)


def persistent(stages, cluster, has_roles):
    """Several tiles a block: the numbers of uses go on from one to the next."""
    body = loop(stages, f"{copies(blocks=6)}\n        %d = {PRODUCT}")
    attributes = launch_attributes(has_roles, is_persistent=True)
    return module(stages, cluster, attributes, operands(blocks=6), body, blocks=6)


def two_loops(stages, cluster, has_roles):
    """Two loops fill the same buffers, the second from the last place to the first."""
    first = loop(stages, f"{copies()}\n        %d = {PRODUCT}", result="%s")
    places = """
        %left = arith.subi %n, %i : index
        %last = arith.subi %left, %c1 : index
        %k = arith.muli %last, %step : index"""
    second = loop(stages, f"{places}{copies()}\n        %d = {PRODUCT}", init="%s")
    second = second.replace("        %k = arith.muli %i, %step : index\n", "", 1)
    return module(stages, cluster, launch_attributes(has_roles), operands(), first + second)


def guarded(stages, cluster, has_roles):
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
    return module(stages, cluster, launch_attributes(has_roles), arguments, body)


def attention(stages, cluster, has_roles):
    """Two products an iteration, whose operands come in rings of their own."""
    keys = f"memref<{DEPTH}x{STEP}xf16>"
    tile = f"memref<{STEP}x{STEP}xf16, #shared>"
    vector = f"tensor<{ROWS}xf32>"
    queries = f"memref<{2 * ROWS}x{STEP}xf16>"
    body = f"""
      %v = tile.alloc : {tile}
      tile.copy %Q[%row, %c0] to %a : {queries} to {TILE_A}
      %low = arith.constant dense<-100.0> : {vector}
      %none = arith.constant dense<0.0> : {vector}
      %m, %l, %o = scf.for %i = %c0 to %n step %c1 iter_args(%max = %low, %sum = %none, %acc = %zero)
          -> ({vector}, {vector}, {SUM}) {{
        %k = arith.muli %i, %step : index
        tile.copy %K[%k, %c0] to %b : {keys} to {TILE_B}
        tile.copy %V[%k, %c0] to %v : {keys} to {tile}
        %s = tile.gemm %a, %b {{transpose_b, warps = #tile.warps<rows>}} : {TILE_A}, {TILE_B} -> {SUM}
        %top = tile.reduce <maximumf> %s dims [1] init(%max) : {SUM} -> {vector}
        %tops = tile.broadcast %top dims [1] : {vector} -> {SUM}
        %shifted = arith.subf %s, %tops : {SUM}
        %p = math.exp2 %shifted : {SUM}
        %change = arith.subf %max, %top : {vector}
        %scale = math.exp2 %change : {vector}
        %scaled = arith.mulf %sum, %scale : {vector}
        %total = tile.reduce <add> %p dims [1] init(%scaled) : {SUM} -> {vector}
        %scales = tile.broadcast %scale dims [1] : {vector} -> {SUM}
        %before = arith.mulf %acc, %scales : {SUM}
        %h = arith.truncf %p : {SUM} to tensor<{ROWS}x{STEP}xf16>
        %d = tile.gemm %h, %v, %before {{warps = #tile.warps<rows>}} : tensor<{ROWS}x{STEP}xf16>, {tile} -> {SUM}
        scf.yield %top, %total, %d : {vector}, {vector}, {SUM}
      }} {{tile.stages = {stages} : i32}}
      %ls = tile.broadcast %l dims [1] : {vector} -> {SUM}
      %r = arith.addf %o, %ls : {SUM}
"""
    arguments = [f"%Q: {queries}", f"%K: {keys}", f"%V: {keys}"]
    return module(stages, cluster, launch_attributes(has_roles), arguments, body)


KINDS = {function.__name__: function for function in [gemm, attention, two_loops, guarded, persistent]}
