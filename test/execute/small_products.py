#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""small_products.py TPUC FOLDER: batches of products of vectors and of small matrices, against sums in Python.

Every case is a module with its operands and what it expects inside; FOLDER is where they are written."""

import itertools
import math
import pathlib
import random
import sys

import cases

# name, type, sizes by letter, the dims of both operands and of the result
CASES = [
    ("matrices", "f32", dict(b=70, m=9, n=5, k=7), "bmk,bkn->bmn"),
    ("weights_transposed", "f32", dict(b=33, m=16, n=16, k=16), "bmk,bnk->bmn"),
    ("rows_transposed", "bf16", dict(b=40, m=6, n=11, k=3), "bkm,bkn->bmn"),
    ("batch_last", "f32", dict(b=130, m=4, n=3, k=6), "mkb,knb->bmn"),
    ("two_batches", "f32", dict(a=5, b=17, m=3, n=4, k=8), "amkb,bakn->abmn"),
    ("two_sums", "f32", dict(b=30, m=4, n=2, k=5, l=3), "bkml,blnk->bmn"),
    ("vectors", "f32", dict(b=90, n=20, k=12), "bk,bkn->bn"),
    ("vectors_right", "bf16", dict(b=20, m=7, k=130), "bmk,bk->bm"),
    ("vectors_of_many", "f32", dict(b=300, n=33, k=140), "bk,bnk->bn"),
    ("vectors_across", "f32", dict(b=16, m=9, k=10), "kb,mbk->bm"),
    ("inner", "f32", dict(b=60, k=40), "bk,kb->b"),
    ("one_row", "f32", dict(b=24, m=1, n=14, k=9), "bmk,bkn->bmn"),
    ("one_batch", "f32", dict(b=1, m=5, n=6, k=7), "bmk,bkn->bmn"),
    ("integers", "i32", dict(b=50, m=6, n=7, k=5), "bmk,bkn->bmn"),
    ("half_floats", "f16", dict(b=35, m=8, n=8, k=4), "bmk,bnk->bmn"),
]
# Those that are no matter for the matrix unit on one of the generations.
SUMS = [case[0] for case in CASES if case[0] not in ("one_batch",)]


def strides(dims, sizes):
    out, stride = {}, 1
    for d in reversed(dims):
        out[d] = stride
        stride *= sizes[d]
    return out


def product(left, right, sizes, l, r, out):
    """The sums of an einsum, in row-major order."""
    summed = [d for d in l if d not in out]
    ls, rs = strides(l, sizes), strides(r, sizes)
    offset = lambda by, at: sum(by.get(d, 0) * i for d, i in at)
    points = lambda dims: [list(zip(dims, at)) for at in itertools.product(*(range(sizes[d]) for d in dims))]
    inner = [(offset(ls, at), offset(rs, at)) for at in points(summed)]
    return [
        sum(left[offset(ls, at) + x] * right[offset(rs, at) + y] for x, y in inner) for at in points(out)
    ]  # fmt: skip


def module(case, rng):
    _, element, sizes, equation = case
    operands, out = equation.split("->")
    l, r = operands.split(",")
    values = lambda dims: [rng.randint(-3, 3) for _ in range(math.prod(sizes[d] for d in dims))]
    left, right = values(l), values(r)
    data = lambda values: cases.encode(values, element).hex().upper()
    of = lambda dims: f"tensor<{'x'.join(str(sizes[d]) for d in dims)}x{element}>"
    batch, summed = [d for d in out if d in l and d in r], [d for d in l if d in r and d not in out]
    places = lambda dims, which: [dims.index(d) for d in which]
    numbers = f"contracting_dims = {places(l, summed)} x {places(r, summed)}"
    if batch:
        numbers = f"batching_dims = {places(l, batch)} x {places(r, batch)}, {numbers}"
    found = product(left, right, sizes, l, r, out)
    return f"""func.func @main() {{
  %a = stablehlo.constant dense<"0x{data(left)}"> : {of(l)}
  %b = stablehlo.constant dense<"0x{data(right)}"> : {of(r)}
  %x, %w = stablehlo.optimization_barrier %a, %b : {of(l)}, {of(r)}
  %y = stablehlo.dot_general %x, %w, {numbers}, precision = [HIGHEST, HIGHEST]
      : ({of(l)}, {of(r)}) -> {of(out)}
  check.expect_eq_const %y, dense<"0x{data(found)}"> : {of(out)}
  return
}}
"""


def main(tpuc, folder):
    rng = random.Random(11)
    cases.run(tpuc, folder, [(case[0], module(case, rng)) for case in CASES])
    for name in SUMS:
        cases.expect_planned(tpuc, folder / f"{name}.mlir", "stablehlo.reduce", stage="expand")


if __name__ == "__main__":
    main(sys.argv[1], pathlib.Path(sys.argv[2]))
