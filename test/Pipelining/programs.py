"""Programs with pipelined loops, one for each kind of overlap.

Each kind is a function of the number of stages that gives the text of a module
whose entry `@main` launches its kernel with every trip count from 0 to
2 * stages + 1; the results of trip count t go to row t of the last argument.
"""

HEADER = "#shared = #gpu.address_space<workgroup>\n"


def trips(stages):
    return 2 * stages + 2


def module(stages, arguments, body, out="32x32xf32", helpers="", count=None):
    """A module with `arguments` and an output per trip count, or for `count` launches;
    `body` is what the launch holds, with %n iterations and %t the row of %O."""
    count = count or trips(stages)
    return f"""{HEADER}
{helpers}
func.func @main({", ".join(arguments)}, %O: memref<{count}x{out}>) {{
  %h0 = arith.constant 0 : index
  %h1 = arith.constant 1 : index
  %hn = arith.constant {count} : index
  scf.for %t = %h0 to %hn step %h1 {{
    tile.launch @kernel blocks(%bx) in (%h1) threads(64) {{
      %n = arith.addi %t, %h0 : index
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c4 = arith.constant 4 : index
      %c8 = arith.constant 8 : index
      %c16 = arith.constant 16 : index
      %c32 = arith.constant 32 : index
      %zero = arith.constant dense<0.0> : tensor<32x32xf32>
{body}
    }}
  }}
  return
}}
"""


def store(value):
    return (
        f"      tile.store {value}, %O[%t, %c0, %c0] [1, 32, 32] : "
        "tensor<32x32xf32>, memref<{0}x32x32xf32>\n"
    )


A = "%A: memref<32x512xf16>"
B = "%B: memref<512x32xf16>"
TILE = "memref<32x32xf16, #shared>"
COPY_A = f"tile.copy %A[%c0, %k] to %a : memref<32x512xf16> to {TILE}"
COPY_B = f"tile.copy %B[%k, %c0] to %b : memref<512x32xf16> to {TILE}"


def gemm_of(a, b, c, types=(TILE, TILE)):
    return f"tile.gemm {a}, {b}, {c} : {types[0]}, {types[1]} -> tensor<32x32xf32>"


def finish(stages, text):
    return text.replace("memref<{0}x32x32xf32>", f"memref<{trips(stages)}x32x32xf32>")


def loop(stages, body, init="%zero", extra=""):
    return f"""
      %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = {init}) -> (tensor<32x32xf32>) {{
        %k = arith.muli %i, %c32 : index
{body}
        scf.yield %d : tensor<32x32xf32>
      }} {{tile.stages = {stages} : i32}}
"""


BUFFERS = f"""
      %a = tile.alloc : {TILE}
      %b = tile.alloc : {TILE}
"""


def gemm(stages):
    body = BUFFERS + loop(stages, f"{COPY_A}\n{COPY_B}\n%d = {gemm_of('%a', '%b', '%acc')}") + store("%r")
    return finish(stages, module(stages, [A, B], body))


def guarded(stages):
    """Copies and their use under a condition that memory decides."""
    body = BUFFERS + loop(
        stages,
        f"""
        %m = memref.load %M[%i] : memref<16xi32>
        %z = arith.constant 0 : i32
        %on = arith.cmpi sgt, %m, %z : i32
        %d = scf.if %on -> (tensor<32x32xf32>) {{
          {COPY_A}
          {COPY_B}
          %e = {gemm_of('%a', '%b', '%acc')}
          scf.yield %e : tensor<32x32xf32>
        }} else {{
          scf.yield %acc : tensor<32x32xf32>
        }}""",
    ) + store("%r")
    return finish(stages, module(stages, [A, B, "%M: memref<16xi32>"], body))


def guarded_by_number(stages):
    """The same under a condition on the induction variable, in two conditions."""
    body = BUFFERS + loop(
        stages,
        f"""
        %odd = arith.remui %i, %c2 : index
        %on = arith.cmpi eq, %odd, %c0 : index
        scf.if %on {{
          {COPY_A}
        }}
        {COPY_B}
        %d = scf.if %on -> (tensor<32x32xf32>) {{
          %e = {gemm_of('%a', '%b', '%acc')}
          scf.yield %e : tensor<32x32xf32>
        }} else {{
          %x = tile.load %b : {TILE} -> tensor<32x32xf16>
          %y = arith.extf %x : tensor<32x32xf16> to tensor<32x32xf32>
          %e = arith.addf %acc, %y : tensor<32x32xf32>
          scf.yield %e : tensor<32x32xf32>
        }}""",
    ) + store("%r")
    return finish(stages, module(stages, [A, B], body))


def inner_loop(stages):
    """A buffer filled in parts by an inner loop, the other one whole."""
    body = BUFFERS + loop(
        stages,
        f"""
        scf.for %j = %c0 to %c4 step %c1 {{
          %row = arith.muli %j, %c8 : index
          tile.copy %A[%row, %k] [8, 32] to %a[%row, %c0] : memref<32x512xf16> to {TILE}
        }}
        {COPY_B}
        %d = {gemm_of('%a', '%b', '%acc')}""",
    ) + store("%r")
    return finish(stages, module(stages, [A, B], body))


def inner_loop_used(stages):
    """An inner loop that fills a part and uses it at once."""
    body = BUFFERS + loop(
        stages,
        f"""
        {COPY_B}
        %d = scf.for %j = %c0 to %c2 step %c1 iter_args(%in = %acc) -> (tensor<32x32xf32>) {{
          %col = arith.muli %j, %c16 : index
          %from = arith.addi %k, %col : index
          tile.copy %A[%c0, %from] [32, 16] to %a[%c0, %col] : memref<32x512xf16> to {TILE}
          %va = memref.subview %a[0, %col] [32, 16] [1, 1] : {TILE} to memref<32x16xf16, strided<[32, 1], offset: ?>, #shared>
          %vb = memref.subview %b[%col, 0] [16, 32] [1, 1] : {TILE} to memref<16x32xf16, strided<[32, 1], offset: ?>, #shared>
          %e = {gemm_of('%va', '%vb', '%in', ('memref<32x16xf16, strided<[32, 1], offset: ?>, #shared>', 'memref<16x32xf16, strided<[32, 1], offset: ?>, #shared>'))}
          scf.yield %e : tensor<32x32xf32>
        }}""",
    ) + store("%r")
    return finish(stages, module(stages, [A, B], body))


def counted_inner(stages):
    """Inner loops to a loaded number, one that fills parts and one that uses them, and one that
    does both in turns."""
    part = "memref<16x32xf16, strided<[32, 1], offset: ?>, #shared>"
    body = BUFFERS + loop(
        stages,
        f"""
        %p = memref.load %N[%i] : memref<16xi32>
        %count = arith.index_cast %p : i32 to index
        scf.for %j = %c0 to %count step %c1 {{
          %row = arith.muli %j, %c16 : index
          tile.copy %A[%row, %k] [16, 32] to %a[%row, %c0] : memref<32x512xf16> to {TILE}
        }}
        %e = scf.for %j = %c0 to %count step %c1 iter_args(%in = %acc) -> (tensor<32x32xf32>) {{
          %row = arith.muli %j, %c16 : index
          %from = arith.addi %k, %row : index
          tile.copy %B[%from, %c0] [16, 32] to %b[%row, %c0] : memref<512x32xf16> to {TILE}
          %vb = memref.subview %b[%row, 0] [16, 32] [1, 1] : {TILE} to {part}
          %f = {gemm_of('%vb', '%vb', '%in', (part, part)).replace('%in :', '%in {transpose_a} :')}
          scf.yield %f : tensor<32x32xf32>
        }}
        %d = scf.for %j = %c0 to %count step %c1 iter_args(%in = %e) -> (tensor<32x32xf32>) {{
          %row = arith.muli %j, %c16 : index
          %va = memref.subview %a[%row, 0] [16, 32] [1, 1] : {TILE} to {part}
          %f = {gemm_of('%va', '%va', '%in', (part, part)).replace('%in :', '%in {transpose_a} :')}
          scf.yield %f : tensor<32x32xf32>
        }}""",
    ) + store("%r")
    return finish(stages, module(stages, [A, B, "%N: memref<16xi32>"], body))


def parts(stages):
    """A buffer filled by two copies and read through views."""
    body = BUFFERS + loop(
        stages,
        f"""
        tile.copy %A[%c0, %k] [16, 32] to %a[%c0, %c0] : memref<32x512xf16> to {TILE}
        %low = memref.subview %a[16, 0] [16, 32] [1, 1] : {TILE} to memref<16x32xf16, strided<[32, 1], offset: 512>, #shared>
        tile.copy %A[%c16, %k] [16, 32] to %low : memref<32x512xf16> to memref<16x32xf16, strided<[32, 1], offset: 512>, #shared>
        {COPY_B}
        %view = memref.subview %b[0, 0] [32, 32] [1, 1] : {TILE} to memref<32x32xf16, strided<[32, 1]>, #shared>
        %d = {gemm_of('%a', '%view', '%acc', (TILE, 'memref<32x32xf16, strided<[32, 1]>, #shared>'))}""",
    ) + store("%r")
    return finish(stages, module(stages, [A, B], body))


def view_in_front(stages):
    """Views made in front of the loop, one of them of all."""
    body = BUFFERS + f"""
      %whole = memref.subview %a[0, 0] [32, 32] [1, 1] : {TILE} to memref<32x32xf16, strided<[32, 1]>, #shared>
      %low = memref.subview %b[16, 0] [16, 32] [1, 1] : {TILE} to memref<16x32xf16, strided<[32, 1], offset: 512>, #shared>
""" + loop(
        stages,
        f"""
        {COPY_A}
        {COPY_B}
        %e = {gemm_of('%whole', '%b', '%acc', ('memref<32x32xf16, strided<[32, 1]>, #shared>', TILE))}
        %x = tile.load %low : memref<16x32xf16, strided<[32, 1], offset: 512>, #shared> -> tensor<16x32xf16>
        %y = tile.parallel (%u, %v) in (32, 32) -> (tensor<32x32xf32>) {{
          %half = arith.divui %u, %c2 : index
          %q = tensor.extract %x[%half, %v] : tensor<16x32xf16>
          %w = arith.extf %q : f16 to f32
          tile.yield %w : f32
        }}
        %d = arith.addf %e, %y : tensor<32x32xf32>""",
    ) + store("%r")
    return finish(stages, module(stages, [A, B], body))


def converting(stages):
    """Copies that change type go through registers."""
    body = BUFFERS + loop(
        stages,
        f"""
        tile.copy %A[%c0, %k] to %a : memref<32x512xf32> to {TILE}
        {COPY_B}
        %d = {gemm_of('%a', '%b', '%acc')}""",
    ) + store("%r")
    return finish(stages, module(stages, ["%A: memref<32x512xf32>", B], body))


def converting_guarded(stages):
    body = BUFFERS + loop(
        stages,
        f"""
        %odd = arith.remui %i, %c2 : index
        %on = arith.cmpi eq, %odd, %c0 : index
        {COPY_B}
        %d = scf.if %on -> (tensor<32x32xf32>) {{
          tile.copy %A[%c0, %k] to %a : memref<32x512xf32> to {TILE}
          %e = {gemm_of('%a', '%b', '%acc')}
          scf.yield %e : tensor<32x32xf32>
        }} else {{
          scf.yield %acc : tensor<32x32xf32>
        }}""",
    ) + store("%r")
    return finish(stages, module(stages, ["%A: memref<32x512xf32>", B], body))


def dequantized(stages):
    """Loaded, computed on and stored: the operand is made from small integers."""
    body = BUFFERS + loop(
        stages,
        f"""
        {COPY_A}
        %q = tile.load %B[%k, %c0] : memref<512x32xi8> -> tensor<32x32xi8>
        %w = arith.sitofp %q : tensor<32x32xi8> to tensor<32x32xf16>
        %scale = memref.load %S[%i] : memref<16xf16>
        %s = tensor.splat %scale : tensor<32x32xf16>
        %v = arith.mulf %w, %s : tensor<32x32xf16>
        tile.store %v, %b : tensor<32x32xf16>, {TILE}
        %d = {gemm_of('%a', '%b', '%acc')}""",
    ) + store("%r")
    return finish(stages, module(stages, [A, "%B: memref<512x32xi8>", "%S: memref<16xf16>"], body))


def by_elements(stages):
    """Filled by a parallel loop that reads, computes and stores each element."""
    body = BUFFERS + loop(
        stages,
        f"""
        {COPY_A}
        tile.parallel (%u, %v) in (32, 32) {{
          %row = arith.addi %k, %u : index
          %q = memref.load %B[%row, %v] : memref<512x32xi8>
          %w = arith.sitofp %q : i8 to f16
          memref.store %w, %b[%u, %v] : {TILE}
        }}
        %d = {gemm_of('%a', '%b', '%acc')}""",
    ) + store("%r")
    return finish(stages, module(stages, [A, "%B: memref<512x32xi8>"], body))


def paged(stages):
    """The place of a copy is loaded from memory."""
    body = BUFFERS + loop(
        stages,
        f"""
        %p = memref.load %P[%i] : memref<16xi32>
        %page = arith.index_cast %p : i32 to index
        %row = arith.muli %page, %c32 : index
        {COPY_A}
        tile.copy %B[%row, %c0] to %b : memref<512x32xf16> to {TILE}
        %d = {gemm_of('%a', '%b', '%acc')}""",
    ) + store("%r")
    return finish(stages, module(stages, [A, B, "%P: memref<16xi32>"], body))


def gathered(stages):
    """Rows whose indices are loaded."""
    body = BUFFERS + loop(
        stages,
        f"""
        %p = tile.load %P[%k] : memref<512xi32> -> tensor<32xi32>
        {COPY_A}
        tile.copy %B[%c0, %c0] [32, 32] rows(%p : tensor<32xi32>) dim 0 to %b : memref<512x32xf16> to {TILE}
        %d = {gemm_of('%a', '%b', '%acc')}""",
    ) + store("%r")
    return finish(stages, module(stages, [A, B, "%P: memref<512xi32>"], body))


def im2col(stages):
    body = BUFFERS + loop(
        stages,
        f"""
        tile.im2col %X[%c0, %k] to %a {{kernel = [3, 3], strides = [1, 1], dilations = [1, 1], padding = [1, 1]}} : memref<1x8x8x64xf16> to {TILE}
        {COPY_B}
        %d = {gemm_of('%a', '%b', '%acc')}""",
    ) + store("%r")
    return finish(stages, module(stages, ["%X: memref<1x8x8x64xf16>", B], body))


def registers(stages):
    """Fragments loaded straight from global memory."""
    body = loop(
        stages,
        f"""
        %x = tile.load %A[%c0, %k] : memref<32x512xf16> -> tensor<32x32xf16>
        %y = arith.extf %x : tensor<32x32xf16> to tensor<32x32xf32>
        %d = arith.addf %acc, %y : tensor<32x32xf32>""",
    ) + store("%r")
    return finish(stages, module(stages, [A], body))


def recurrence(stages):
    """The place of a copy is carried by the loop."""
    body = BUFFERS + f"""
      %r, %last = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero, %k = %c0) -> (tensor<32x32xf32>, index) {{
        {COPY_A}
        {COPY_B}
        %d = {gemm_of('%a', '%b', '%acc')}
        %next = arith.addi %k, %c32 : index
        scf.yield %d, %next : tensor<32x32xf32>, index
      }} {{tile.stages = {stages} : i32}}
      %s = arith.index_cast %last : index to i32
      %f = arith.sitofp %s : i32 to f32
      %all = tensor.splat %f : tensor<32x32xf32>
      %q = arith.addf %r, %all : tensor<32x32xf32>
""" + store("%q")
    return finish(stages, module(stages, [A, B], body))


def in_place(stages):
    """The slot is changed by the loop before it is used."""
    body = BUFFERS + loop(
        stages,
        f"""
        {COPY_A}
        {COPY_B}
        %x = tile.load %a : {TILE} -> tensor<32x32xf16>
        %two = arith.constant dense<2.0> : tensor<32x32xf16>
        %y = arith.mulf %x, %two : tensor<32x32xf16>
        tile.store %y, %a : tensor<32x32xf16>, {TILE}
        %d = {gemm_of('%a', '%b', '%acc')}""",
    ) + store("%r")
    return finish(stages, module(stages, [A, B], body))


def accumulate(stages):
    """A sum that lives in shared memory."""
    body = BUFFERS + f"""
      %s = tile.alloc : memref<32x32xf32, #shared>
      tile.store %zero, %s : tensor<32x32xf32>, memref<32x32xf32, #shared>
      scf.for %i = %c0 to %n step %c1 {{
        %k = arith.muli %i, %c32 : index
        {COPY_A}
        {COPY_B}
        %d = tile.gemm %a, %b : {TILE}, {TILE} -> tensor<32x32xf32>
        %old = tile.load %s : memref<32x32xf32, #shared> -> tensor<32x32xf32>
        %new = arith.addf %old, %d : tensor<32x32xf32>
        tile.store %new, %s : tensor<32x32xf32>, memref<32x32xf32, #shared>
      }} {{tile.stages = {stages} : i32}}
      %r = tile.load %s : memref<32x32xf32, #shared> -> tensor<32x32xf32>
""" + store("%r")
    return finish(stages, module(stages, [A, B], body))


def lone(stages):
    """Buffers that keep one slot beside one that runs ahead: what is in one of them is kept
    where it is not filled, what is copied to the other one is written in each iteration."""
    body = BUFFERS + f"""
      %s = tile.alloc : {TILE}
      %q = tile.alloc : {TILE}
      tile.copy %D[%c0, %c0] to %s : memref<64x32xf16> to {TILE}
""" + loop(
        stages,
        f"""
        {COPY_A}
        {COPY_B}
        %odd = arith.remui %i, %c2 : index
        %on = arith.cmpi eq, %odd, %c0 : index
        scf.if %on {{
          tile.copy %B[%k, %c0] to %s : memref<512x32xf16> to {TILE}
        }}
        tile.copy %D[%c32, %c0] to %q : memref<64x32xf16> to {TILE}
        %e = {gemm_of('%a', '%s', '%acc')}
        %d = {gemm_of('%q', '%b', '%e')}
        %x = tile.load %q : {TILE} -> tensor<32x32xf16>
        %h = arith.constant dense<0.5> : tensor<32x32xf16>
        %y = arith.mulf %x, %h : tensor<32x32xf16>
        tile.store %y, %D[%c32, %c0] [32, 32] : tensor<32x32xf16>, memref<64x32xf16>""",
    ) + store("%r")
    return finish(stages, module(stages, [A, B, "%D: memref<64x32xf16>"], body))


def two_loops(stages):
    """Two loops with different numbers of stages fill one buffer."""
    other = other_stages(stages)
    second = loop(other, f"{COPY_B}\n%x = tile.load %b : {TILE} -> tensor<32x32xf16>\n"
                  "%y = arith.extf %x : tensor<32x32xf16> to tensor<32x32xf32>\n"
                  "%d = arith.addf %acc, %y : tensor<32x32xf32>", init="%r")
    body = BUFFERS + loop(stages, f"{COPY_A}\n{COPY_B}\n%d = {gemm_of('%a', '%b', '%acc')}") + second.replace(
        "%r = scf.for", "%q = scf.for") + store("%q")
    return finish(stages, module(stages, [A, B], body))


def other_stages(stages):
    """Of the second of two loops on one buffer."""
    return stages % 4 + 1


def go_on(stages, other, is_nested=False):
    """Two loops that fill one buffer, which is read in front of, between and behind them; with
    every pair of trip counts from 0 to 2 * stages + 1 of both, twice in a loop if `is_nested`."""
    first, second = trips(stages), trips(other)
    slot, half = "memref<128xf32, #shared>", "arith.constant dense<0.5> : tensor<128xf32>"

    def add(name, old, new):
        return f"""
          %{name} = tile.load %s : {slot} -> tensor<128xf32>
          %{name}h = arith.mulf {old}, %half : tensor<128xf32>
          {new} = arith.addf %{name}h, %{name} : tensor<128xf32>"""

    def fill(result, init, count, source, hint):
        return f"""
          {result} = scf.for %i = %c0 to {count} step %c1 iter_args(%in = {init}) -> (tensor<128xf32>) {{
            %k = arith.muli %i, %c128 : index
            tile.copy %{source}[%k] to %s : memref<2048xf32> to {slot}
            {add("y", "%in", "%out")}
            scf.yield %out : tensor<128xf32>
          }} {{tile.stages = {hint} : i32}}"""

    body = f"""
      %c128 = arith.constant 128 : index
      %second = arith.constant {second} : index
      %n1 = arith.divui %t, %second : index
      %n2 = arith.remui %t, %second : index
      %half = {half}
      %none = arith.constant dense<0.0> : tensor<128xf32>
      %rounds = arith.constant {2 if is_nested else 1} : index
      %r = scf.for %u = %c0 to %rounds step %c1 iter_args(%acc = %none) -> (tensor<128xf32>) {{
          %s = tile.alloc : {slot}
          %at = arith.muli %u, %c128 : index
          tile.copy %B[%at] to %s : memref<2048xf32> to {slot}
          {add("p", "%acc", "%q")}
          {fill("%v", "%q", "%n1", "A", stages)}
          {add("b", "%v", "%w")}
          {fill("%x", "%w", "%n2", "B", other)}
          {add("e", "%x", "%z")}
          scf.yield %z : tensor<128xf32>
      }}
      tile.store %r, %O[%t, %c0] [1, 128] : tensor<128xf32>, memref<{first * second}x128xf32>
"""
    arguments = ["%A: memref<2048xf32>", "%B: memref<2048xf32>"]
    return module(stages, arguments, body, out="128xf32", count=first * second)


def go_on_equal(stages):
    return go_on(stages, stages)


def go_on_other(stages):
    return go_on(stages, other_stages(stages))


def go_on_nested(stages):
    return go_on(min(stages, 3), other_stages(min(stages, 3)), is_nested=True)


def nested(stages):
    """Hints on a loop and on the loop around it."""
    body = BUFFERS + f"""
      %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<32x32xf32>) {{
        %k0 = arith.muli %i, %c32 : index
        tile.copy %A[%c0, %k0] to %a : memref<32x512xf16> to {TILE}
        %in = scf.for %j = %c0 to %n step %c1 iter_args(%sum = %acc) -> (tensor<32x32xf32>) {{
          %k = arith.muli %j, %c32 : index
          {COPY_B}
          %d = {gemm_of('%a', '%b', '%sum')}
          scf.yield %d : tensor<32x32xf32>
        }} {{tile.stages = {stages} : i32}}
        scf.yield %in : tensor<32x32xf32>
      }} {{tile.stages = {max(stages - 1, 1)} : i32}}
""" + store("%r")
    return finish(stages, module(stages, [A, B], body))


def used_after(stages):
    """What was filled last is read after the loop, what was there before it if
    nothing was."""
    body = BUFFERS + f"""
      tile.copy %B[%c0, %c0] to %b : memref<512x32xf16> to {TILE}
""" + loop(stages, f"{COPY_A}\n{COPY_B}\n%d = {gemm_of('%a', '%b', '%acc')}") + f"""
      %x = tile.load %b : {TILE} -> tensor<32x32xf16>
      %y = arith.extf %x : tensor<32x32xf16> to tensor<32x32xf32>
      %q = arith.addf %r, %y : tensor<32x32xf32>
""" + store("%q")
    return finish(stages, module(stages, [A, B], body))


def in_while(stages):
    """A pipelined loop inside of a while loop."""
    body = BUFFERS + f"""
      %q, %w = scf.while (%x = %zero, %j = %c0) : (tensor<32x32xf32>, index) -> (tensor<32x32xf32>, index) {{
        %more = arith.cmpi ult, %j, %c2 : index
        scf.condition(%more) %x, %j : tensor<32x32xf32>, index
      }} do {{
      ^bb0(%x: tensor<32x32xf32>, %j: index):
""" + loop(stages, f"{COPY_A}\n{COPY_B}\n%d = {gemm_of('%a', '%b', '%acc')}", init="%x") + """
        %jn = arith.addi %j, %c1 : index
        scf.yield %r, %jn : tensor<32x32xf32>, index
      }
""" + store("%q")
    return finish(stages, module(stages, [A, B], body))


def attention(stages):
    """Forward attention over blocks of 32 keys."""
    body = BUFFERS + f"""
      %qs = tile.alloc : {TILE}
      tile.copy %Q[%c0, %c0] to %qs : memref<32x32xf16> to {TILE}
      %low = arith.constant dense<-1.0e30> : tensor<32xf32>
      %none = arith.constant dense<0.0> : tensor<32xf32>
      %r, %mm, %ll = scf.for %i = %c0 to %n step %c1 iter_args(%o = %zero, %m = %low, %l = %none) -> (tensor<32x32xf32>, tensor<32xf32>, tensor<32xf32>) {{
        %k = arith.muli %i, %c32 : index
        tile.copy %K[%k, %c0] to %a : memref<512x32xf16> to {TILE}
        tile.copy %B[%k, %c0] to %b : memref<512x32xf16> to {TILE}
        %s = tile.gemm %qs, %a {{transpose_b}} : {TILE}, {TILE} -> tensor<32x32xf32>
        %new = tile.reduce <maximumf> %s dims [1] init(%m) : tensor<32x32xf32> -> tensor<32xf32>
        %nb = tile.broadcast %new dims [0] : tensor<32xf32> -> tensor<32x32xf32>
        %sh = arith.subf %s, %nb : tensor<32x32xf32>
        %p = math.exp2 %sh : tensor<32x32xf32>
        %dm = arith.subf %m, %new : tensor<32xf32>
        %scale = math.exp2 %dm : tensor<32xf32>
        %ls = arith.mulf %l, %scale : tensor<32xf32>
        %ln = tile.reduce <add> %p dims [1] init(%ls) : tensor<32x32xf32> -> tensor<32xf32>
        %sb = tile.broadcast %scale dims [0] : tensor<32xf32> -> tensor<32x32xf32>
        %os = arith.mulf %o, %sb : tensor<32x32xf32>
        %ph = arith.truncf %p : tensor<32x32xf32> to tensor<32x32xf16>
        %d = tile.gemm %ph, %b, %os : tensor<32x32xf16>, {TILE} -> tensor<32x32xf32>
        scf.yield %d, %new, %ln : tensor<32x32xf32>, tensor<32xf32>, tensor<32xf32>
      }} {{tile.stages = {stages} : i32}}
""" + store("%r")
    return finish(stages, module(stages, ["%Q: memref<32x32xf16>", "%K: memref<512x32xf16>", B], body))


def attention_backward(stages):
    """Gradients of keys and values over blocks of 32 queries."""
    body = BUFFERS + f"""
      %ks = tile.alloc : {TILE}
      %vs = tile.alloc : {TILE}
      tile.copy %K[%c0, %c0] to %ks : memref<32x32xf16> to {TILE}
      tile.copy %V[%c0, %c0] to %vs : memref<32x32xf16> to {TILE}
      %dk, %dv = scf.for %i = %c0 to %n step %c1 iter_args(%x = %zero, %y = %zero) -> (tensor<32x32xf32>, tensor<32x32xf32>) {{
        %k = arith.muli %i, %c32 : index
        tile.copy %Q[%k, %c0] to %a : memref<512x32xf16> to {TILE}
        tile.copy %B[%k, %c0] to %b : memref<512x32xf16> to {TILE}
        %lse = tile.load %L[%k] : memref<512xf32> -> tensor<32xf32>
        %del = tile.load %D[%k] : memref<512xf32> -> tensor<32xf32>
        %s = tile.gemm %a, %ks {{transpose_b}} : {TILE}, {TILE} -> tensor<32x32xf32>
        %lb = tile.broadcast %lse dims [0] : tensor<32xf32> -> tensor<32x32xf32>
        %sh = arith.subf %s, %lb : tensor<32x32xf32>
        %p = math.exp2 %sh : tensor<32x32xf32>
        %ph = arith.truncf %p : tensor<32x32xf32> to tensor<32x32xf16>
        %nv = tile.gemm %ph, %b, %y {{transpose_a}} : tensor<32x32xf16>, {TILE} -> tensor<32x32xf32>
        %dp = tile.gemm %b, %vs {{transpose_b}} : {TILE}, {TILE} -> tensor<32x32xf32>
        %db = tile.broadcast %del dims [0] : tensor<32xf32> -> tensor<32x32xf32>
        %e = arith.subf %dp, %db : tensor<32x32xf32>
        %ds = arith.mulf %p, %e : tensor<32x32xf32>
        %dh = arith.truncf %ds : tensor<32x32xf32> to tensor<32x32xf16>
        %nk = tile.gemm %dh, %a, %x {{transpose_a}} : tensor<32x32xf16>, {TILE} -> tensor<32x32xf32>
        scf.yield %nk, %nv : tensor<32x32xf32>, tensor<32x32xf32>
      }} {{tile.stages = {stages} : i32}}
      %q = arith.addf %dk, %dv : tensor<32x32xf32>
""" + store("%q")
    arguments = ["%K: memref<32x32xf16>", "%V: memref<32x32xf16>", "%Q: memref<512x32xf16>", B,
                 "%L: memref<512xf32>", "%D: memref<512xf32>"]
    return finish(stages, module(stages, arguments, body))


def explicit(stages):
    """The program says stages and orders: copies first, computation last, what is
    between in the middle."""
    last = stages - 1
    middle = last // 2

    def at(stage, order):
        return f"{{tile.pipeline_stage = {stage} : i32, tile.pipeline_order = {order} : i32}}"

    body = f"""
      %a = tile.alloc : {TILE}
      %b = tile.alloc : {TILE}
      %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<32x32xf32>) {{
        %k = arith.muli %i, %c32 {at(0, 0)} : index
        tile.copy %A[%c0, %k] to %a {at(0, 1)} : memref<32x512xf16> to {TILE}
        tile.copy %B[%k, %c0] to %b {at(0, 2)} : memref<512x32xf16> to {TILE}
        %x = tile.load %a {at(middle, 3)} : {TILE} -> tensor<32x32xf16>
        %y = arith.addf %x, %x {at(middle, 4)} : tensor<32x32xf16>
        %d = tile.gemm %y, %b, %acc {at(last, 5)} : tensor<32x32xf16>, {TILE} -> tensor<32x32xf32>
        scf.yield %d : tensor<32x32xf32>
      }} {{tile.stages = {stages} : i32}}
""" + store("%r")
    return finish(stages, module(stages, [A, B], body))


def explicit_written_out(stages):
    """A schedule of operations that the compiler writes out as several: a call, a sum
    across warps, a transpose that other layouts need, one store for the block."""
    last = stages - 1
    middle = (last + 1) // 2

    def at(stage, order):
        return f"{{tile.pipeline_stage = {stage} : i32, tile.pipeline_order = {order} : i32}}"

    helpers = f"""
func.func private @fill(%A: memref<32x512xf16>, %a: {TILE}, %i: index) {{
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %k = arith.muli %i, %c32 : index
  tile.copy %A[%c0, %k] to %a : memref<32x512xf16> to {TILE}
  return
}}"""
    body = f"""
      %a = tile.alloc : {TILE}
      %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<32x32xf32>) {{
        func.call @fill(%A, %a, %i) {at(0, 1)} : (memref<32x512xf16>, {TILE}, index) -> ()
        %x = tile.load %a {at(middle, 2)} : {TILE} -> tensor<32x32xf16>
        %y = arith.extf %x {at(middle, 3)} : tensor<32x32xf16> to tensor<32x32xf32>
        %s = tile.reduce <add> %y dims [0] {at(middle, 4)} : tensor<32x32xf32> -> tensor<32xf32>
        %b = tile.broadcast %s dims [1] {at(last, 5)} : tensor<32xf32> -> tensor<32x32xf32>
        %w = tile.transpose %b [1, 0] {at(last, 6)} : tensor<32x32xf32> -> tensor<32x32xf32>
        %d = arith.addf %acc, %w {at(last, 7)} : tensor<32x32xf32>
        memref.store %i, %N[%i] {at(last, 8)} : memref<16xindex>
        scf.yield %d : tensor<32x32xf32>
      }} {{tile.stages = {stages} : i32}}
""" + store("%r")
    return finish(stages, module(stages, ["%A: memref<32x512xf16>", "%N: memref<16xindex>"], body, helpers=helpers))


KINDS = {
    function.__name__: function
    for function in [
        gemm, guarded, guarded_by_number, inner_loop, inner_loop_used, counted_inner, parts, view_in_front,
        converting, converting_guarded, dequantized, by_elements, paged, gathered, im2col, registers,
        recurrence, in_place, accumulate, lone, two_loops,
        go_on_equal, go_on_other, go_on_nested, nested, used_after, in_while,
        attention, attention_backward, explicit, explicit_written_out,
    ]
}
