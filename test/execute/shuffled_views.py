#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""shuffled_views.py TPUC FOLDER: slices, reversals and pads of rows and lanes, read in place by a loop, against what
Python's slices give.

Every case is a module with its operand and what it expects inside; FOLDER is where they are written. Some are so long
that grids cut the dims that move."""

import pathlib
import random
import sys

import cases

# name, type, rows, lanes, (start, limit, stride) along both, reversed dims, padding (low, high, interior) along both:
# one of the three
CASES = [
    ("odd_start", "f32", 20, 300, ((0, 20, 1), (1, 299, 1)), None, None),
    ("odd_start_bf16", "bf16", 40, 300, ((0, 40, 1), (3, 290, 1)), None, None),
    ("every_second", "f32", 17, 500, ((0, 17, 1), (1, 500, 2)), None, None),
    ("every_third_byte", "ui8", 70, 400, ((0, 70, 1), (2, 400, 3)), None, None),
    ("every_eighth", "i16", 33, 1030, ((0, 33, 1), (5, 1030, 8)), None, None),
    ("packed_rows", "bf16", 50, 130, ((1, 50, 1), (0, 130, 1)), None, None),
    ("packed_rows_apart", "ui8", 150, 10, ((3, 149, 2), (0, 10, 1)), None, None),
    ("both", "f16", 45, 270, ((1, 44, 3), (7, 270, 1)), None, None),
    ("reversed", "f32", 9, 300, None, [1], None),
    ("reversed_both", "bf16", 37, 140, None, [0, 1], None),
    ("reversed_rows", "i16", 61, 40, None, [0], None),
    ("padded", "f32", 12, 200, None, None, ((0, 0, 0), (1, 130, 0))),
    ("apart", "f32", 12, 200, None, None, ((0, 0, 0), (1, 0, 1))),
    ("apart_bf16", "bf16", 20, 100, None, None, ((1, 2, 1), (2, 1, 3))),
    ("padded_rows", "ui8", 40, 30, None, None, ((1, 3, 0), (0, 0, 0))),
    ("cropped", "f32", 8, 300, None, None, ((0, 0, 0), (-5, 9, 0))),
    ("long_reversed", "f32", 70, 9000, None, [1], None),
    ("long_slice", "bf16", 300, 5000, ((0, 300, 1), (1, 4999, 1)), None, None),
    ("long_apart", "i16", 200, 2500, None, None, ((0, 0, 0), (0, 1, 1))),
    ("long_rows", "bf16", 1501, 700, ((1, 1500, 1), (0, 700, 1)), None, None),
    ("cut_both", "f32", 1501, 700, ((3, 1490, 1), (5, 690, 1)), None, None),
    ("cut_both_bf16", "bf16", 1501, 700, ((3, 1490, 1), (5, 690, 1)), None, None),
    ("cut_wide", "f32", 20, 30000, ((2, 19, 1), (131, 29000, 1)), None, None),
    ("cut_wide_apart", "ui8", 40, 30000, ((0, 40, 1), (1, 29999, 3)), None, None),
    ("cut_rows_apart", "i16", 3001, 150, ((2, 3001, 3), (7, 150, 1)), None, None),
    ("cut_reversed", "bf16", 1301, 770, None, [0, 1], None),
    ("cut_wide_reversed", "f32", 9, 30001, None, [1], None),
    ("cut_padded", "f32", 1200, 500, None, None, ((7, 9, 0), (1, 100, 0))),
    ("cut_padded_far", "bf16", 700, 500, None, None, ((600, 900, 0), (300, 1, 0))),
    ("cut_cropped", "f32", 1500, 600, None, None, ((-4, 12, 0), (-200, 33, 0))),
    ("cut_gaps", "ui8", 900, 400, None, None, ((3, 1, 1), (2, 5, 3))),
    ("part_of_rows", "f32", 700, 3000, ((0, 700, 1), (100, 400, 1)), None, None),
]


def spread(line, low, high, interior, padding):
    out = [padding] * (max(len(line) - 1, 0) * (interior + 1) + 1)
    out[:: interior + 1] = line
    out = [padding] * low + out if low >= 0 else out[-low:]
    return out + [padding] * high


def move(rows, case):
    slices, dims, pads = case[4:]
    if slices:
        (a, b, c), (d, e, f) = slices
        return [row[d:e:f] for row in rows[a:b:c]]
    if dims:
        rows = rows[::-1] if 0 in dims else rows
        return [row[::-1] for row in rows] if 1 in dims else rows
    wide = [spread(row, *pads[1], 7) for row in rows]
    return spread(wide, *pads[0], [7] * len(wide[0]))


def module(case, rng):
    name, element, height, width, slices, dims, pads = case
    rows = [[rng.randint(0, 100) for _ in range(width)] for _ in range(height)]
    moved = move(rows, case)
    of = f"tensor<{height}x{width}x{element}>"
    to = f"tensor<{len(moved)}x{len(moved[0])}x{element}>"
    flat = lambda lines: [v for line in lines for v in line]
    if slices:
        op = "stablehlo.slice %x [" + ", ".join(":".join(map(str, s)) for s in slices) + f"] : ({of}) -> {to}"
    elif dims:
        op = f"stablehlo.reverse %x, dims = {dims} : {of}"
    else:
        low, high, interior = (list(part) for part in zip(*pads))
        op = f"stablehlo.pad %x, %seven, low = {low}, high = {high}, interior = {interior} : ({of}, tensor<{element}>) -> {to}"
    seven = "7" if "i" in element else "7.0"
    return f"""func.func @main() {{
  %a = stablehlo.constant dense<"0x{cases.encode(flat(rows), element).hex().upper()}"> : {of}
  %x = stablehlo.optimization_barrier %a : {of}
  %seven = stablehlo.constant dense<{seven}> : tensor<{element}>
  %more = stablehlo.constant dense<{seven}> : {to}
  %y = {op}
  %z = stablehlo.add %y, %more : {to}
  check.expect_eq_const %z, dense<"0x{cases.encode([v + 7 for v in flat(moved)], element).hex().upper()}"> : {to}
  check.expect_eq_const %y, dense<"0x{cases.encode(flat(moved), element).hex().upper()}"> : {to}
  return
}}
"""


def main(tpuc, folder):
    rng = random.Random(1)
    cases.run(tpuc, folder, [(case[0], module(case, rng)) for case in CASES])


if __name__ == "__main__":
    main(sys.argv[1], pathlib.Path(sys.argv[2]))
