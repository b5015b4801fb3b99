"""Launches that are long in one way: long-launch.py KIND COUNT prints one.

Each kind is what a launch holds `count` times, one behind the other; nests of
loops are in each other. They compile in time that grows with their length; where a
pass takes the square of it or worse, they take minutes: the limits of the tests are
ten times of what is needed.
"""

import sys

GLOBAL = "memref<4096xf32>"
ROWS = "memref<4096x128xf32>"
SHARED = "memref<4096xf32, #gpu.address_space<workgroup>>"


def launch(arguments, body):
    return f"""func.func @long({arguments}) {{
  %one = arith.constant 1 : index
  tile.launch blocks(%b) in (%one) threads(128) {{
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
{body}
  }}
  return
}}"""


def branch(i, lines):
    body = "\n".join("      " + line for line in lines)
    return f"""    %k{i} = arith.constant {i} : index
    %p{i} = arith.cmpi slt, %n, %k{i} : index
    scf.if %p{i} {{
{body}
    }}"""


def branches_of_scalars(count):
    """The next branch may read what the last has written: all in one memref."""
    return launch(f"%o: {GLOBAL}, %n: index", "\n".join(
        branch(i, [f"%v{i} = memref.load %o[%k{i}] : {GLOBAL}",
                   f"%w{i} = arith.addf %v{i}, %v{i} : f32",
                   f"memref.store %w{i}, %o[%k{i}] : {GLOBAL}"])
        for i in range(count)))


def branches_of_tiles(count):
    """A row of its own each, which nobody has to meet for."""
    box = "[1, 128]"
    return launch(f"%a: {ROWS}, %o: {ROWS}, %n: index", "\n".join(
        branch(i, [f"%v{i} = tile.load %a[%k{i}, %c0] {box} : {ROWS} -> tensor<128xf32>",
                   f"%w{i} = arith.addf %v{i}, %v{i} : tensor<128xf32>",
                   f"tile.store %w{i}, %o[%k{i}, %c0] {box} : tensor<128xf32>, {ROWS}"])
        for i in range(count)))


def shared_stores(count):
    """Single elements, all read at the end."""
    stores = "\n".join(
        f"    %k{i} = arith.constant {i} : index\n"
        f"    memref.store %v, %s[%k{i}] : {SHARED}" for i in range(count))
    return launch(f"%o: {GLOBAL}, %v: f32", f"""    %s = tile.alloc : {SHARED}
{stores}
    %x = memref.load %s[%c0] : {SHARED}
    memref.store %x, %o[%c0] : {GLOBAL}""")


def rows_of_a_buffer(count):
    """Rows of one shared buffer, each stored and loaded by its own threads."""
    box, rows = "[1, 128]", "memref<64x128xf32, #gpu.address_space<workgroup>>"
    return launch(f"%a: {ROWS}, %o: {ROWS}", f"    %s = tile.alloc : {rows}\n" + "\n".join(
        f"""    %k{i} = arith.constant {i} : index
    %q{i} = arith.constant {i % 64} : index
    %v{i} = tile.load %a[%k{i}, %c0] {box} : {ROWS} -> tensor<128xf32>
    tile.store %v{i}, %s[%q{i}, %c0] {box} : tensor<128xf32>, {rows}
    %w{i} = tile.load %s[%q{i}, %c0] {box} : {rows} -> tensor<128xf32>
    tile.store %w{i}, %o[%k{i}, %c0] {box} : tensor<128xf32>, {ROWS}"""
        for i in range(count)))


def loops_in_loops(count):
    loops = "\n".join(f"    scf.for %i{i} = %c0 to %n step %c1 {{"
                      for i in range(count))
    ends = "\n".join("    }" for _ in range(count))
    return launch("%o: memref<1xi32>, %n: index", f"""{loops}
    %old = memref.load %o[%c0] : memref<1xi32>
    %new = arith.addi %old, %old : i32
    memref.store %new, %o[%c0] : memref<1xi32>
{ends}""")


def loops_of_sums(count):
    """From everywhere, in steps of 1 to 3, every tenth in another."""
    sums = "memref<4096xi32>"
    lines = []
    for i in range(count):
        last = f"%s{i - 1}" if i else "%zero"
        lines.append(f"""    %k{i} = arith.constant {i} : index
    %t{i} = arith.constant {i % 3 + 1} : index
    %s{i} = scf.for %i{i} = %k{i} to %n step %t{i} iter_args(%x{i} = {last}) -> (i32) {{
      %v{i} = memref.load %a[%i{i}] : {sums}
      %w{i} = arith.addi %x{i}, %v{i} : i32""")
        if i % 10 == 0:
            lines.append(f"""      %y{i} = scf.for %j{i} = %k{i} to %i{i} step %t{i} iter_args(%z{i} = %w{i}) -> (i32) {{
        %o{i} = arith.shrsi %z{i}, %one32 : i32
        scf.yield %o{i} : i32
      }}
      scf.yield %y{i} : i32""")
        else:
            lines.append(f"      scf.yield %w{i} : i32")
        lines.append(f"    }}\n    memref.store %s{i}, %o[%k{i}] : {sums}")
    return launch(f"%a: {sums}, %o: {sums}, %n: index", "\n".join(
        ["    %zero = arith.constant 0 : i32", "    %one32 = arith.constant 1 : i32", *lines]))


KINDS = {kind.__name__: kind
         for kind in (branches_of_scalars, branches_of_tiles, shared_stores,
                      rows_of_a_buffer, loops_in_loops, loops_of_sums)}

kind, count = sys.argv[1:]
print(KINDS[kind](int(count)))
