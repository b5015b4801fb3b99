"""Every operation of a source program can be written in Python, and its text verifies.

The list is the compiler's: the table of docs/Language.md, which a test of its own holds to the
verifier and the dialect.
"""
import re

from paths import SOURCE

from tilec import lang as tl
from tilec.lang import (bf16, f4E2M1FN, f8E4M3FN, f8E5M2, f8E8M0FNU, f16, f32, f64, i1, i8, i16,
                        i32, i64, index, memref)

# What passes introduce (docs/Language.md): no part of a source program.
INTRODUCED = {f"tile.{name}" for name in (
    "arena assert_facts barrier clone copy_commit copy_wait encode_tensor_map gemm_async once "
    "partial_reduce pass_turn product_wait proxy_fence ring ring_acquire ring_commit "
    "ring_release ring_wait sm_count specialize take_turn view wait").split()}
# MLIR's `arith` but its conversions with block scales, which have no use here.
ARITH = {f"arith.{name}" for name in (
    "addf addi addui_extended andi bitcast ceildivsi ceildivui cmpf cmpi constant divf divsi "
    "divui extf extsi extui floordivsi fptosi fptoui index_cast index_castui maximumf maxnumf "
    "maxsi maxui minimumf minnumf minsi minui mulf muli mulsi_extended mului_extended negf ori "
    "remf remsi remui select shli shrsi shrui sitofp subf subi truncf trunci uitofp "
    "xori").split()}


@tl.function
def double(t, n: index):
    return t + t, n + 1


@tl.function
def add_one(A: memref(256, f32), blocks: index):
    @tl.launch(blocks, threads=32)
    def add_one_kernel(block):
        tl.store(tl.load(A[block * 32], (32,)) + 1.0, A[block * 32])


@tl.function
def host_code(A: memref("M", "K", f32), n: index, x: f32):
    rows = tl.assume_divisible(A.size(0), 4)
    work, other = tl.workspace((rows, 16), f32), tl.workspace((16, 16), f32)
    third = tl.workspace((16, 16), f32)
    tl.copy(other, third)
    tl.subview(A, (0, n), (rows, 16))
    tl.subview(other, (2, 0), (1, 16), (1, 1), drop=(0,))
    tl.cast(other, None, 16)
    tl.reinterpret_cast(other, n, (16, n), (16, 1))
    flat = tl.collapse_shape(other, [[0, 1]])
    tl.expand_shape(flat, [[0, 1]], (16, 16))
    tl.assume(A, sizes=(1, 4), strides=(4, 1), alignment=16)
    for i, c in tl.loop(0, n, current=flat):
        with tl.when(i > 2):
            add_one(c.current, 8)
    for c in tl.while_loop(lambda c: c.n > 0, n=n):
        c.n = c.n - 1
    tl.sqrt(x) * 2.0
    for memory in (work, other, third):
        tl.dealloc(memory)


@tl.function
def launches(A: memref("M", "K", f32), n: index):
    @tl.launch(n, n, n, threads=128, cluster=(2, 1, 1), rasterize=("row", 8), name="first",
               min_blocks_per_sm=1, max_registers=128, programmatic_dependent_launch=True,
               warp_specialize="off", consumers="cooperative")
    def kernel(x, y, z):
        pass

    @tl.launch(n, threads=128, persistent=True)
    def second(b):
        t, _ = double(tl.load(A[b, 0], (8, 8)), b)
        tl.store(t, A[b, 0])


@tl.function
def control(A: memref("M", f32), n: index, x: f32):
    @tl.launch(n, threads=64)
    def kernel(b):
        with tl.when(b > 3, y=x, t=tl.zeros((64,), f32)) as c:
            c.y = x + 1.0
        with tl.otherwise(c):
            c.t = c.t + x
        for i in tl.loop(0, tl.constant(5, i32), unsigned=True):
            tl.require(i < 5, "bound \"five\"")
        for i, d in tl.loop(tl.constant(0, i64), 5, 2, z=c.y):
            d.z = d.z * 2.0
        for w in tl.while_loop(lambda w: (w.k > 0) & (w.z < 1e6), k=b, z=d.z):
            w.k, w.z = w.k - 1, w.z * 2.0
        picked = tl.index_switch(b, {0: lambda: w.z, 5: lambda: tl.constant(1.0, f32)},
                                 default=lambda: c.y * 2.0)
        tl.index_switch(b, {1: lambda: tl.store(x, A[1])}, default=lambda: None)
        tl.print_value("picked", picked)
        tl.store(c.t + picked, A[b])
        old = tl.atomic_rmw("addf", tl.load(A[n - 1]), A[b])
        tl.store(tl.select(b > 1000, tl.poison(f32), old), A[b])


@tl.function
def pipelined(A: memref(64, 64, f32), B: memref(64, 64, f32)):
    @tl.launch(1, threads=128)
    def kernel(b):
        buffer = tl.alloc((64, 32), f32, layout=tl.shared_layout((64, 32), pad=4), alignment=64)
        total = tl.zeros((64,), f32)
        for k, c in tl.loop(0, 64, 32, stages=2, total=total):
            with tl.pipeline(stage=0, order=0):
                tl.copy(A[0, k], buffer, pad=0.5)
            with tl.pipeline(stage=1, order=1):
                part = tl.load(buffer)

                @tl.parallel(64, 32)
                def later(i, j):
                    return i + j > k
                part = tl.select(later, part, 0.0)
                view = tl.subview(A, (0, 0), (k, 64))
                with tl.when(k < 32 + view.size(0)) as branch:
                    tl.print_value("k", k)
                with tl.otherwise(branch):
                    tl.print_value("k", k + 1)
                tl.index_switch(k, {0: lambda: tl.print_value("k", k)}, default=lambda: None)
                c.total = tl.reduce("add", part, 1, init=c.total)
        tl.store(c.total, B[0, 0].box(64, 1))


@tl.function
def products(image: memref(2, 16, 16, 32, f16), C: memref(64, 64, f32)):
    @tl.launch(1, threads=128)
    def kernel(b):
        a, d = tl.alloc((64, 32), f16), tl.alloc((32, 64), f16)
        tl.im2col(image, b, 0, a, kernel=(3, 3), padding=(1, 1))
        tl.store(tl.zeros((32, 64), f16), d)
        total = tl.gemm(a, d) + tl.gemm(d, a, 0.0, transpose_a=True, transpose_b=True,
                                        warps="rows")
        total = total + tl.gemm(a, d, accumulator=f16).to(f32)
        wide = tl.load(a, element=f32)
        total = total + tl.gemm(wide, tl.zeros((32, 64), f32), precision="tf32")
        small, scale = tl.load(a).to(f8E4M3FN), tl.full((64, 1), 1.0, f8E8M0FNU)
        total = tl.gemm_scaled(small, scale, small, scale, total, transpose_b=True)
        which = tl.full((64, 2), 0x4444, i16)
        total = tl.gemm_sparse(tl.zeros((64, 16), f16), which, d, total)
        bytes_a, bytes_b = tl.full((64, 32), 200, i8), tl.full((32, 64), -3, i8)
        counts = tl.gemm(bytes_a, bytes_b, unsigned_a=True)
        doubles = tl.gemm(wide.to(f64), tl.zeros((32, 64), f64))
        tl.store(total + counts.to(f32) + doubles.to(f32), C)


@tl.function
def fragments(A: memref("M", "K", f32), rows: memref(64, i32), H: memref("N", f32)):
    @tl.launch(4, threads=128)
    def kernel(b):
        which = tl.load(rows)
        g = tl.load(A[0, b].rows(which, dim=0).in_bounds(False, True), (64, 16), pad=-1.0)
        tl.atomic_rmw("addf", g, A[0, 0].rows(which, dim=0))
        r = tl.reshape(tl.reshape(g, (4, 16, 2, 8)), (64, 4, 4))
        r = tl.reshape(tl.transpose(r, (0, 2, 1)), (1024,))
        part = g[0:16, 4:8]
        g = tl.convert_layout(tl.insert_slice(part, g, (16, 8)), None)
        halves = tl.bitcast(g, f16)
        column = g[:, 3]
        tl.store(tl.bitcast(tl.bitcast(r[b], i32) + 1, f32), H[b])
        tl.store(tl.from_elements([r[b], 1.0, r[0], 2.0]) + halves[0, 0].to(f32), H[4])
        s = tl.scan("add", g, 1, reverse=True, exclusive=True, fastmath="contract")
        p, q = tl.scan(lambda a, c, x, y: (a * x, c * x + y), (s, s), 1)
        p = tl.scan(lambda a, x: a * x, p, 1, exclusive=True, init=tl.full((64,), 1.0, f32))
        best, total = tl.reduce(lambda a, c, x, y: (tl.maximum(a, x), c + y), (p, q), 1)

        @tl.parallel(64, coalesced_width=4)
        def nothing(i):
            tl.store(best[i], H[i])
            tl.atomic_rmw("maximumf", total[i], H[i])
        tl.store(tl.broadcast(best, 0, (2, 64)) + column[None, :], A[0, 0])


@tl.function
def arithmetic(H: memref("N", f32)):
    @tl.launch(1, threads=32)
    def kernel(b):
        @tl.parallel(8)
        def a(i):
            return i.to(i32)
        divisor = tl.full((8,), 3, i32)
        for operation in (tl.divsi, tl.divui, tl.remsi, tl.remui, tl.floordivsi, tl.ceildivsi,
                          tl.ceildivui, tl.andi, tl.ori, tl.xori, tl.shrsi, tl.shrui, tl.maxsi,
                          tl.maxui, tl.minsi, tl.minui):
            a = operation(a, divisor)
        a = tl.shli(tl.addi(a, 1, overflow="nsw"), 2, overflow=("nsw", "nuw"))
        low, high = tl.mulsi_extended(a, divisor)
        low, high = tl.mului_extended(low, high)
        total, overflowed = tl.addui_extended(low, high)
        a = ~total % 7 // 2 - 3 + abs(total) + tl.ctlz(total) + tl.ctpop(total)
        x = a.to(f32)
        for function in (tl.absf, tl.ceil, tl.floor, tl.trunc, tl.round, tl.roundeven, tl.exp,
                         tl.exp2, tl.expm1, tl.log, tl.log2, tl.log1p, tl.sin, tl.cos, tl.tanh,
                         tl.sqrt, tl.rsqrt, tl.erf, tl.negf):
            x = function(x, fastmath="contract")
        x = tl.remf(tl.maxnumf(tl.minnumf(tl.copysign(x ** 2.0, x), 4.0), 0.0), 2.0)
        x = tl.minimum(tl.maximum(tl.fma(x, x, x) / 3.0, 0.0), 1.0)
        x = tl.select(tl.isnan(x) | tl.isinf(x) | ~tl.isfinite(x), 0.0, x)
        x = tl.select(overflowed, x, 1.0) - (-x)
        x = x + x.to(i32).to(i64).to(index).to(i8, signed=False).to(f32)
        x = x + x.to(f16).to(bf16).to(f32) + x.to(i16, signed=False).to(f32, signed=False)
        x = x + x.to(f8E4M3FN).to(f8E5M2).to(f32) + x.to(i1).to(f32)
        x = x + a.to(f4E2M1FN).to(f32) + x.to(index).to(f32)
        x = x + a.to(i8).to(f32) + a.to(i64, signed=False).to(index, signed=False).to(f32)
        tl.store(x, H[0])


PROGRAMS = (host_code, launches, control, pipelined, products, fragments, arithmetic)


def read_source_operations():
    """The operations of source programs by docs/Language.md, and its functions of `math`."""
    page = (SOURCE / "docs/Language.md").read_text()
    table = page[page.index("<!-- operations begin -->"):page.index("<!-- operations end -->")]
    listed = set()
    for name, *places in re.findall(r"^\| `([\w.]+)` \|" + r" *(x?) *\|" * 6, table, re.M):
        if any(places[:-1]):  # the last is that of kernels
            listed.add(name)
    functions = re.search(r"of `math` ([\w,\s]+)\.", page).group(1)
    return listed, {f"math.{name}" for name in re.findall(r"\w+", functions)}


def test_every_operation_is_reached_and_verifies(tools):
    reached = set()
    for program in PROGRAMS:
        text = program.build().bare_text
        tools.verify(text)
        reached |= {("func." if n == "return" else "") + n for n in re.findall(
            r"^ *(?:[%\w.:, -]+ = )?([a-z]+\.\w+|return)\b", text, re.M)}
    listed, functions = read_source_operations()
    assert len(listed) > 60 and len(functions) == 27
    assert INTRODUCED <= listed, "the dialect has other operations that passes introduce"
    wanted = (listed - INTRODUCED) | functions | ARITH
    assert sorted(wanted - reached) == [], "no Python makes these"
    assert sorted(reached - wanted - {"func.func"}) == [], "these are not of the language"


def test_an_explicit_schedule_is_of_the_operations_of_the_loop(tools):
    text = pipelined.build().bare_text
    tools.verify(text)  # that it is all of them
    scheduled = [line for line in text.splitlines() if "tile.pipeline_stage" in line]
    assert len(scheduled) > 10 and all(re.match(r" {6}\S", line) for line in scheduled)


def test_texts_with_locations_verify(tools):
    for program in PROGRAMS:
        tools.verify(program.build().text)


def test_operations_compile(tools):
    for program in (control, pipelined, fragments, arithmetic, products):
        assert ".visible .entry" in tools.compile_to_ptx(program.build().text, chip="sm_90a")
