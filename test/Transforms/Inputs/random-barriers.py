#!/usr/bin/env python3
"""Random launches at stage placed: random-barriers.py SEED COUNT

Stores, loads and copies in and out of buffers that share bytes, of a ring whose slots are
numbered by counters, in loops and branches, between commits and waits at any place.
"""

import random
import sys

PREAMBLE = """\
#shared = #gpu.address_space<workgroup>
#l = #tile.shared<[128]>
#f = #tile.fragment<[128], register = [], lane = [32 : (1)], warp = [4 : (32)]>
#g = #tile.fragment<[128], register = [], lane = [32 : (4)], warp = [4 : (1)]>
#h = #tile.fragment<[128], register = [2 : (16)], lane = [16 : (1), 2 : (0)], warp = [4 : (32)]>
!buffer = memref<128xf32, #gpu.address_space<workgroup>>
!slot = memref<128xf32, strided<[1], offset: ?>, #gpu.address_space<workgroup>>
module attributes {tile.target = #tile.target<"sm_80">} {
"""
COPY = ('{layout = #f, vector_width = 1 : i64, '
        'instruction = #tile.instruction<"cp.async">}')


class Program:
    def __init__(self, chance):
        self.chance = chance
        self.lines = []
        self.names = 0
        self.slots = chance.randint(2, 4)

    def add(self, depth, text):
        self.lines.append("  " * depth + text)

    def name(self):
        self.names += 1
        return f"%v{self.names}"

    def place(self, depth, counters):
        """A buffer, or a slot of the ring: a constant one or that of a counter."""
        if self.chance.random() < 0.5:
            return f"%s{self.chance.randint(0, 2)}", "!buffer"
        slot = self.chance.choice(counters +
                                  [f"%c{self.chance.randint(0, self.slots - 1)}"])
        view = self.name()
        self.add(depth, f"{view} = memref.subview %ring[{slot}, 0] [1, 128] [1, 1] : "
                 f"memref<{self.slots}x128xf32, #shared> to !slot")
        return view, "!slot"

    def access(self, depth, counters):
        place, kind = self.place(depth, counters)
        layout = self.chance.choice("ffgh")
        what = self.chance.choice(("load", "store", "copy"))
        if what == "load":
            self.add(depth, f"{self.name()} = tile.load {place} : {kind} -> "
                     f"tensor<128xf32, #{layout}>")
        elif what == "store":
            self.add(depth, f"tile.store %{layout}, {place} : "
                     f"tensor<128xf32, #{layout}>, {kind}")
        else:
            self.add(depth, f"tile.copy %a to {place} {COPY} : memref<128xf32> to {kind}")

    def loop(self, depth, nesting):
        names = [self.name() for _ in range(3)]
        starts = [f"%c{self.chance.randint(0, self.slots - 1)}" for _ in range(2)]
        result = self.name()
        self.add(depth, f"{result}:2 = scf.for {names[0]} = %c0 to %n step %c1 iter_args("
                 f"{names[1]} = {starts[0]}, {names[2]} = {starts[1]}) -> (index, index) {{")
        self.body(depth + 1, names[1:], nesting + 1)
        nexts = []
        for counter in names[1:]:
            last, after, following = self.name(), self.name(), self.name()
            self.add(depth + 1, f"{last} = arith.cmpi eq, {counter}, "
                     f"%c{self.slots - 1} : index")
            self.add(depth + 1, f"{after} = arith.addi {counter}, %c1 : index")
            self.add(depth + 1, f"{following} = arith.select {last}, %c0, {after} : index")
            nexts.append(following)
        self.add(depth + 1, f"scf.yield {nexts[0]}, {nexts[1]} : index, index")
        self.add(depth, "}")
        return [f"{result}#0", f"{result}#1"]

    def body(self, depth, counters, nesting):
        for _ in range(self.chance.randint(2, 5)):
            choice = self.chance.random()
            if choice < 0.6:
                self.access(depth, counters)
            elif choice < 0.7:
                self.add(depth, "tile.copy_commit")
            elif choice < 0.8:
                self.add(depth, self.chance.choice(
                    ["tile.copy_wait", "tile.copy_wait {pending = 0 : i64}",
                     "tile.copy_wait {pending = 1 : i64}"]))
            elif choice < 0.85:
                self.add(depth, self.chance.choice(
                    ["tile.barrier", "tile.barrier {scope = #tile.scope<warp>}"]))
            elif nesting < 2 and choice < 0.95:
                counters = counters + self.loop(depth, nesting)
            elif nesting < 2:
                self.add(depth, "scf.if %c {")
                self.body(depth + 1, counters, nesting + 1)
                self.add(depth, "}")

    def write(self, number):
        self.add(0, f"func.func @f{number}(%n: index, %a: memref<128xf32>, %c: i1) {{")
        self.add(1, f"tile.launch @k{number} blocks(%x) in (%n) threads(128) "
                 "attributes {stage = #tile.stage<placed>} {")
        for value in range(4):
            self.add(2, f"%c{value} = arith.constant {value} : index")
        for layout in "fgh":
            self.add(2, f"%{layout} = arith.constant dense<0.0> : "
                     f"tensor<128xf32, #{layout}>")
        self.add(2, "%arena = tile.arena 4096 : memref<4096xi8, #shared>")
        self.add(2, f"%ring = tile.view %arena[0] layout(#tile.shared<[{self.slots}, 128]>)"
                 f" : memref<4096xi8, #shared> to memref<{self.slots}x128xf32, #shared>")
        for buffer in range(3):
            offset = self.chance.choice((0, 1792, 2048, 2304, 2560, 3072))
            self.add(2, f"%s{buffer} = tile.view %arena[{offset}] layout(#l) : "
                     "memref<4096xi8, #shared> to !buffer")
        self.body(2, [], 0)
        self.body(2, [], 0)
        self.add(1, "}")
        self.add(1, "return")
        self.add(0, "}")
        return "\n".join(self.lines) + "\n"


def main():
    seed, count = map(int, sys.argv[1:])
    print(PREAMBLE)
    for number in range(count):
        print(Program(random.Random(f"{seed}.{number}")).write(number))
    print("}")


if __name__ == "__main__":
    main()
