"""Programs about one thing: what random programs have too seldom or too far apart.

A focus writes a program and names the features of which it must have one at least;
`generate` counts them, so that a focus that no longer reaches its matter fails.
"""

from dataclasses import dataclass, field
from typing import Callable

from tilefuzz import (hostviews, images, layouts, memory, pipelines, prints, products,
                      reductions, scans, shapes, sparse)
from tilefuzz.arguments import argument
from tilefuzz.builder import *
from tilefuzz.elementwise import step
from tilefuzz.launches import launch
from tilefuzz.regions import body

# Few and many, primes, and the largest block.
WARPS = [1, 2, 3, 3, 5, 5, 7, 7, 9, 11, 12, 13, 15, 17, 20, 24, 27, 31, 31, 32]


def keep(b, scope, fragments):
    """The fragments in memory of their own."""
    for f in fragments:
        if f.elem != "index":
            memory.store(b, scope, f, argument(
                b, (f.shape[0] * b.blocks, *f.shape[1:]), f.elem, "output",
                mayBeStrided=False) if f.shape else None)


def combinations(b, scope, x, count):
    """Scans and reductions of `x`, kept."""
    first = len(scope.fragments)
    for _ in range(count):
        b.pick([scans.scanOf, scans.scanOf, reductions.reduceOf])(b, scope, x)
    keep(b, scope, scope.fragments[first:])


def scanOfProduct(b, scope):
    """Prefixes along both dimensions of what a matrix product leaves in its layout."""
    def write(b, inner):
        b.pick([products.gemm, products.gemm, products.gemmLoop])(b, inner)
        x = inner.fragments[-1]
        if b.chance(0.3):
            stepped = step(b, x, [])
            x = stepped if reductions.combinable([stepped]) else x
        first = len(inner.fragments)
        scans.scanOf(b, inner, x)
        b.features["scan of a product"] += 1
        keep(b, inner, inner.fragments[first:])
        combinations(b, inner, x, b.between(0, 2))
        body(b, inner, b.between(0, 2))

    launch(b, scope, warps=b.pick([1, 2, 3, 4, 4, 5, 6, 7, 8, 8, 12, 16]), write=write)


def anyWarps(b, scope):
    """Reductions and scans where the number of warps divides nothing."""
    warps = b.pick(WARPS)

    def write(b, inner):
        for _ in range(b.between(1, 2)):
            x = memory.loadSome(b, inner, lambda: (b.shape(limit=4096), b.pick(
                ["f32", "f32", "f16", "bf16", "i32", "i8", "i64", "f64", "i1"])))
            if b.chance(0.3):
                shapes.fixLayout(b, inner)
                x = inner.fragments[-1]
            combinations(b, inner, x, b.between(1, 3))
        if b.chance(0.4):
            first = len(inner.fragments)
            reductions.reduceSeveral(b, inner)
            keep(b, inner, inner.fragments[first:])
        b.features[f"{warps} warps"] += 1

    launch(b, scope, warps=warps, write=write)


def slices(b, scope):
    """Parts of fragments in many layouts, taken out and put back, several deep."""
    def write(b, inner):
        memory.load(b, inner, b.shape(limit=4096))
        if b.chance(0.4):
            b.pick([products.gemm, reductions.reduce, shapes.broadcast,
                    shapes.transpose])(b, inner)
        first = len(inner.fragments)
        for _ in range(b.between(2, 6)):
            x = b.pick([f for f in inner.fragments if not f.encoding and f.shape] or
                       [memory.loadSome(b, inner, lambda: (b.shape(),))])
            b.pick([shapes.extractOf, shapes.extractOf, shapes.insertInto])(b, inner, x)
            if b.chance(0.3):
                inner.fragments.append(step(b, inner.fragments[-1], []))
        keep(b, inner, inner.fragments[first:])

    launch(b, scope, write=write)


def warpExchanges(b, scope):
    """Fragments that change their layout inside of warps, to and fro."""
    warps = b.pick([1, 1, 2, 3, 4, 4, 8])

    def write(b, inner):
        x = memory.loadSome(b, inner, lambda: (b.shape(limit=4096), b.pick(
            ["f32", "f32", "f16", "bf16", "i32", "i8", "i64", "f64", "i1"])))
        digits = layouts.fragmentDigits(b, x.shape, warps)
        first = len(inner.fragments)
        for _ in range(b.between(2, 4)):
            shapes.convertTo(b, inner, x, layouts.fragmentText(x.shape, digits))
            x = inner.fragments[-1]
            if b.chance(0.7):  # else the conversions fold
                x = step(b, x, [])
                inner.fragments.append(x)
            digits = layouts.inSameWarps(b, x.shape, digits)
            b.features["exchange in warps"] += 1
        keep(b, inner, inner.fragments[first:])

    launch(b, scope, warps=warps, write=write)


def twoProducts(b, scope):
    """Loops in which one product feeds another, alone or in a loop around."""
    def write(b, inner):
        products.twoProducts(b, inner)
        keep(b, inner, inner.fragments[-1:])

    b.tidy = b.chance(0.8)
    launch(b, scope, warps=b.pick([4, 4, 4, 8, 8, 2]), write=write)


def sparseProducts(b, scope):
    """Products of sparse operands, in loops or alone, and what follows from them."""
    def write(b, inner):
        for _ in range(b.between(1, 2)):
            b.pick([sparse.sparse, sparse.sparseLoop])(b, inner)
            keep(b, inner, inner.fragments[-1:])

    b.tidy = b.chance(0.6)
    launch(b, scope, warps=b.pick([1, 2, 3, 4, 4, 8]), write=write)


def scaledProducts(b, scope):
    """Products with scales of blocks."""
    def write(b, inner):
        products.gemmScaled(b, inner)
        keep(b, inner, inner.fragments[-1:])

    launch(b, scope, warps=b.pick([1, 2, 3, 4, 4, 8]), write=write)


@dataclass
class Focus:
    """`needed`: features of which every program has one. `reached`: what a run of
    hundreds has; "remark X" is one that the compiler makes in its report."""
    write: Callable
    needed: list
    reached: list = field(default_factory=list)


FOCI = {
    "scan-of-product": Focus(scanOfProduct, ["scan of a product"],
                             ["remark ScanAcrossWarps", "reduction"]),
    "any-warps": Focus(anyWarps, ["scan", "reduction"],
                       [f"{n} warps" for n in (3, 5, 7, 31, 32)]),
    "host-views": Focus(hostviews.program, ["read through a host view"],
                        ["host subview", "host expand_shape", "host reinterpret_cast",
                         "host assume", "i32 on the host", "offset by a host loop",
                         "host loop over index", "host loop over i32"]),
    "slices": Focus(slices, ["extract_slice", "insert_slice"],
                    ["extract_slice", "insert_slice"]),
    "warp-exchanges": Focus(warpExchanges, ["exchange in warps"],
                            ["remark LayoutConversion"]),
    "im2col": Focus(images.program, ["im2col"]),
    "print": Focus(prints.program, ["print"]),
    "two-products": Focus(twoProducts, ["two products"],
                          ["loaded beside"] +
                          [f"sum {kind}" for kind in products.CARRIED]),
    "sparse": Focus(sparseProducts, ["sparse"],
                    ["sparse loop", "sparse rows of warpgroups", "remark ExpandedGemm"]),
    "scaled-products": Focus(scaledProducts, ["scaled product"],
                             ["remark SplitScaledGemm", "scales of f8E8M0FNU",
                              "scales of f8E4M3FN", "packed scaled product, f8E8M0FNU",
                              "packed scaled product, f8E4M3FN"]),
    "pipelines": Focus(pipelines.program, ["loop"],
                       ["remark Pipelined", "hinted loop", "nested loop",
                        "loop in a while loop", "guarded fill", "fill in an inner loop",
                        "fill and use in one region", "gathered rows", "im2col", "product",
                        "update in place", "partial fill", "swapped values",
                        "explicit schedule", "refused schedule"])}
