#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""transposed_work.py TPUC FOLDER: elementwise work before and behind transposes that put another dim along lanes, with
arrays of either side's order, against lists in Python.

Every case is a module with its operands and what it expects inside; FOLDER is where they are written. Sizes are ragged;
some are so long that grids cut them."""

import pathlib
import random
import sys

import cases

# name, type before, type behind, leading dims, rows, lanes, work before, work behind
CASES = [
    ("behind", "f32", "f32", 1, 300, 170, False, True),
    ("before", "f32", "f32", 1, 129, 257, True, False),
    ("both", "f32", "f32", 1, 1000, 390, True, True),
    ("narrowed", "f32", "bf16", 1, 300, 140, True, True),
    ("widened", "bf16", "f32", 1, 150, 301, True, True),
    ("bf16", "bf16", "bf16", 1, 777, 500, True, True),
    ("bytes", "ui8", "ui8", 1, 290, 333, True, True),
    ("bytes_widened", "ui8", "i32", 1, 40, 131, True, True),
    ("halves", "f16", "f16", 1, 131, 20, False, True),
    ("short", "i16", "i16", 1, 9, 5, True, True),
    ("batched", "f32", "f32", 3, 70, 200, True, True),
    ("batched_narrow", "bf16", "ui8", 5, 33, 150, True, True),
    ("many", "f32", "f32", 40, 130, 129, False, True),
]


def tensor(shape, element):
    return f"tensor<{'x'.join(map(str, shape))}x{element}>"


def operand(name, shape, element, rng):
    count = 1
    for n in shape:
        count *= n
    values = [rng.randint(0, 20) for _ in range(count)]
    of = tensor(shape, element)
    data = cases.encode(values, element).hex().upper()
    lines = f"""  %{name}_c = stablehlo.constant dense<"0x{data}"> : {of}
  %{name} = stablehlo.optimization_barrier %{name}_c : {of}
"""
    return values, lines


def module(case, rng):
    name, before, behind, leads, rows, lanes, works_before, works_behind = case
    here, there = (leads, rows, lanes), (leads, lanes, rows)
    x, text = operand("x", here, before, rng)
    v = "x"
    if works_before:
        bias, lines = operand("bias", (lanes,), before, rng)
        text += lines
        of = tensor(here, before)
        text += f"""  %b0 = stablehlo.broadcast_in_dim %bias, dims = [2] : ({tensor((lanes,), before)}) -> {of}
  %b1 = stablehlo.add %x, %x : {tensor(here, before)}
  %b2 = stablehlo.add %b1, %b0 : {tensor(here, before)}
"""
        v = "b2"
        x = [2 * x[i] + bias[i % lanes] for i in range(len(x))]
    if before != behind:
        text += f"  %n = stablehlo.convert %{v} : ({tensor(here, before)}) -> {tensor(here, behind)}\n"
        v = "n"
    to = tensor(there, behind)
    text += f"  %t = stablehlo.transpose %{v}, dims = [0, 2, 1] : ({tensor(here, behind)}) -> {to}\n"
    v = "t"
    x = [x[(k * rows + r) * lanes + c] for k in range(leads) for c in range(lanes) for r in range(rows)]
    if works_behind:
        y, lines = operand("y", there, behind, rng)
        text += lines
        p, lines = operand("p", (lanes,), behind, rng)
        text += lines
        q, lines = operand("q", (leads, rows), behind, rng)
        text += lines
        text += f"""  %p0 = stablehlo.broadcast_in_dim %p, dims = [1] : ({tensor((lanes,), behind)}) -> {to}
  %q0 = stablehlo.broadcast_in_dim %q, dims = [0, 2] : ({tensor((leads, rows), behind)}) -> {to}
  %e0 = stablehlo.add %t, %y : {to}
  %e1 = stablehlo.add %e0, %p0 : {to}
  %e2 = stablehlo.maximum %e1, %q0 : {to}
"""
        v = "e2"
        x = [
            max(x[i] + y[i] + p[i // rows % lanes], q[i // (rows * lanes) * rows + i % rows])
            for i in range(len(x))
        ]
    data = cases.encode(x, behind).hex().upper()
    text += f"""  check.expect_eq_const %{v}, dense<"0x{data}"> : {tensor(there, behind)}
"""
    return f"func.func @main() {{\n{text}  return\n}}\n"


def mirrored(size, element, rng):
    """x + transpose(x), less what both sides see of themselves: one array, read in both orders."""
    x, text = operand("x", (size, size), element, rng)
    of = tensor((size, size), element)
    total = [x[r * size + c] + x[c * size + r] for r in range(size) for c in range(size)]
    return f"""func.func @main() {{
{text}  %t = stablehlo.transpose %x, dims = [1, 0] : ({of}) -> {of}
  %y = stablehlo.add %x, %t : {of}
  check.expect_eq_const %y, dense<"0x{cases.encode(total, element).hex().upper()}"> : {of}
  return
}}
"""


def masks(rng):
    """Predicates through the buffer."""
    x, text = operand("x", (140, 300), "f32", rng)
    y, lines = operand("y", (300, 140), "f32", rng)
    of, to = tensor((140, 300), "f32"), tensor((300, 140), "f32")
    kept = [y[i] if x[i % 140 * 300 + i // 140] > 9 else 0 for i in range(len(y))]
    return f"""func.func @main() {{
{text}{lines}  %nine = stablehlo.constant dense<9.0> : {of}
  %zero = stablehlo.constant dense<0.0> : {to}
  %m = stablehlo.compare GT, %x, %nine : ({of}, {of}) -> {tensor((140, 300), "i1")}
  %t = stablehlo.transpose %m, dims = [1, 0] : ({tensor((140, 300), "i1")}) -> {tensor((300, 140), "i1")}
  %z = stablehlo.select %t, %y, %zero : {tensor((300, 140), "i1")}, {to}
  check.expect_eq_const %z, dense<"0x{cases.encode(kept, "f32").hex().upper()}"> : {to}
  return
}}
"""


def main(tpuc, folder):
    rng = random.Random(3)
    modules = [(case[0], module(case, rng)) for case in CASES]
    modules += [("mirrored", mirrored(300, "f32", rng)), ("mirrored_bf16", mirrored(131, "bf16", rng))]
    cases.run(tpuc, folder, modules + [("masks", masks(rng))])


if __name__ == "__main__":
    main(sys.argv[1], pathlib.Path(sys.argv[2]))
