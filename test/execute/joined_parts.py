#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""joined_parts.py TPUC FOLDER: concatenations along lanes and pads, of arrays, of slices and of what is computed from
them, against lists in Python.

Every case is a module with its operands and what it expects inside; FOLDER is where they are written."""

import pathlib
import random
import sys

import cases

# name, type, leading dim, rows, lanes of each part
JOINED = [
    ("two", "f32", 1, 20, (64, 64)),
    ("three", "bf16", 1, 70, (200, 200, 200)),
    ("uneven", "f32", 1, 33, (5, 130, 1)),
    ("bytes", "ui8", 1, 100, (3, 300)),
    ("batched", "i16", 3, 17, (90, 90)),
    ("tall", "bf16", 1, 3000, (100, 37)),
    ("wide", "f32", 1, 9, (3000, 4001)),
]
# name, type, rows, lanes, slice along both, low and high edges along both
PADDED = [
    ("cut_and_padded", "f32", 200, 300, ((3, 190), (5, 290)), ((7, 9), (1, 100))),
    ("cut_and_padded_bf16", "bf16", 90, 300, ((0, 90), (130, 290)), ((0, 0), (3, 20))),
    ("shifted", "ui8", 60, 260, ((0, 60), (0, 250)), ((0, 0), (10, 0))),
    ("bordered", "f32", 40, 200, ((1, 39), (1, 199)), ((1, 1), (1, 1))),
    ("large", "f32", 1500, 700, ((3, 1490), (5, 690)), ((7, 9), (1, 100))),
]


def tensor(shape, element):
    return f"tensor<{'x'.join(map(str, shape))}x{element}>"


def operand(name, shape, element, rng):
    count = 1
    for n in shape:
        count *= n
    values = [rng.randint(1, 60) for _ in range(count)]
    of = tensor(shape, element)
    data = cases.encode(values, element).hex().upper()
    return values, f"""  %{name}_c = stablehlo.constant dense<"0x{data}"> : {of}
  %{name} = stablehlo.optimization_barrier %{name}_c : {of}
"""


def expect(v, values, shape, element):
    data = cases.encode(values, element).hex().upper()
    return f'  check.expect_eq_const %{v}, dense<"0x{data}"> : {tensor(shape, element)}\n'


def joined(case, rng):
    """Each part twice an array's slice, the last lanes first, plus a row of numbers."""
    name, element, leads, rows, widths = case
    text, parts = "", []
    total = sum(widths)
    shape = (leads, rows, total)
    x, lines = operand("x", shape, element, rng)
    text += lines
    at = 0
    for i, width in enumerate(widths):
        part = (leads, rows, width)
        row, lines = operand(f"row{i}", (rows, width), element, rng)
        start = total - at - width
        of = tensor(part, element)
        taken = f"[0:{leads}, 0:{rows}, {start}:{start + width}]"
        text += lines + f"""  %s{i} = stablehlo.slice %x {taken} : ({tensor(shape, element)}) -> {of}
  %d{i} = stablehlo.add %s{i}, %s{i} : {of}
  %b{i} = stablehlo.broadcast_in_dim %row{i}, dims = [1, 2] : ({tensor((rows, width), element)}) -> {of}
  %p{i} = stablehlo.add %d{i}, %b{i} : {of}
"""
        parts.append((start, width, row))
        at += width
    names = ", ".join(f"%p{i}" for i in range(len(widths)))
    types = ", ".join(tensor((leads, rows, w), element) for w in widths)
    text += f"  %y = stablehlo.concatenate {names}, dim = 2 : ({types}) -> {tensor(shape, element)}\n"
    out = []
    for line in range(leads * rows):
        for start, width, row in parts:
            out += [2 * x[line * total + start + c] + row[line % rows * width + c] for c in range(width)]
    return f"func.func @main() {{\n{text}{expect('y', out, shape, element)}  return\n}}\n"


def padded(case, rng):
    name, element, rows, lanes, cut, edges = case
    (top, bottom), (left, right) = cut
    (up, down), (before, behind) = edges
    x, text = operand("x", (rows, lanes), element, rng)
    kept = (bottom - top, right - left)
    shape = (kept[0] + up + down, kept[1] + before + behind)
    out = [9] * (shape[0] * shape[1])
    for r in range(kept[0]):
        for c in range(kept[1]):
            out[(r + up) * shape[1] + c + before] = x[(r + top) * lanes + c + left]
    nine = "9" if "i" in element else "9.0"
    of, to = tensor((rows, lanes), element), tensor(shape, element)
    text += f"""  %nine = stablehlo.constant dense<{nine}> : tensor<{element}>
  %s = stablehlo.slice %x [{top}:{bottom}, {left}:{right}] : ({of}) -> {tensor(kept, element)}
  %y = stablehlo.pad %s, %nine, low = [{up}, {before}], high = [{down}, {behind}], interior = [0, 0]
      : ({tensor(kept, element)}, tensor<{element}>) -> {to}
"""
    return f"func.func @main() {{\n{text}{expect('y', out, shape, element)}  return\n}}\n"


def main(tpuc, folder):
    rng = random.Random(5)
    modules = [(case[0], joined(case, rng)) for case in JOINED]
    cases.run(tpuc, folder, modules + [(case[0], padded(case, rng)) for case in PADDED])


if __name__ == "__main__":
    main(sys.argv[1], pathlib.Path(sys.argv[2]))
