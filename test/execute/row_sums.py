#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""row_sums.py TPUC FOLDER: scatters that reduce rows into tables that VMEM holds, against lists.

Every case is a module with its operands and what it expects inside; FOLDER is where they are written. Rows are short or
of several tiles, or of two dims; updates are no multiple of what goes in turn, and come in one block or in more;
indices go past both ends, where an update is left out. A small VMEM has no room for blocks of some tables."""

import pathlib
import random
import sys

import cases

# name, element, rows of the table, shape of a row, updates
SHAPES = [
    ("short", "f32", 70, (5,), 300),
    ("one", "f32", 40, (128,), 33),
    ("blocks", "f32", 9, (130,), 2300),
    ("wide", "f32", 21, (1200,), 65),
    ("whole", "i32", 64, (256,), 100),
    ("halves", "bf16", 70, (140,), 301),
    ("floats", "f16", 71, (40,), 150),
    ("planes", "f32", 13, (3, 20), 90),
    ("packed", "bf16", 13, (5, 30), 91),
]
# Of which a small VMEM holds a copy, and nothing else.
MOVED = [
    ("moved", "f32", 1501, (40,), 300),
    ("moved_blocks", "i32", 701, (128,), 2300),
    ("moved_tiles", "f32", 401, (300,), 201),
    ("moved_parts", "f32", 701, (640,), 300),
]
UPDATES = {
    "add": lambda a, b: a + b,
    "maximum": max,
    "multiply": lambda a, b: a * b,
}


def literal(rows, shape, element):
    data = cases.encode([v for r in rows for v in r], element)
    return f'dense<"0x{data.hex().upper()}"> : tensor<{"x".join(map(str, (len(rows), *shape)))}x{element}>'


def scatter(case, how, rng):
    _, element, rows, shape, count = case
    size = 1
    for n in shape:
        size *= n
    # Products stay exact: mostly ones.
    draw = (lambda: rng.choice([1] * 30 + [-1])) if how == "multiply" else (lambda: rng.randint(-3, 3))
    x = [[draw() for _ in range(size)] for _ in range(rows)]
    u = [[draw() for _ in range(size)] for _ in range(count)]
    at = [rng.randint(-2, rows + 2) for _ in range(count)]
    wanted = [list(r) for r in x]
    for i, update in zip(at, u):
        if 0 <= i < rows:
            wanted[i] = [UPDATES[how](a, b) for a, b in zip(wanted[i], update)]
    dims = "x".join(map(str, shape))
    window = ", ".join(str(d + 1) for d in range(len(shape)))
    table, updates = f"tensor<{rows}x{dims}x{element}>", f"tensor<{count}x{dims}x{element}>"
    indices = cases.encode(at, "i32").hex().upper()
    return f"""func.func @main() {{
  %x0 = stablehlo.constant {literal(x, shape, element)}
  %x = stablehlo.optimization_barrier %x0 : {table}
  %i0 = stablehlo.constant dense<"0x{indices}"> : tensor<{count}xi32>
  %i = stablehlo.optimization_barrier %i0 : tensor<{count}xi32>
  %u0 = stablehlo.constant {literal(u, shape, element)}
  %u = stablehlo.optimization_barrier %u0 : {updates}
  %y = "stablehlo.scatter"(%x, %i, %u) <{{scatter_dimension_numbers = #stablehlo.scatter<
      update_window_dims = [{window}], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0],
      index_vector_dim = 1>}}> ({{
  ^bb0(%a: tensor<{element}>, %b: tensor<{element}>):
    %s = stablehlo.{how} %a, %b : tensor<{element}>
    stablehlo.return %s : tensor<{element}>
  }}) : ({table}, tensor<{count}xi32>, {updates}) -> {table}
  check.expect_eq_const %y, {literal(wanted, shape, element)}
  return
}}
"""


def main(tpuc, folder):
    rng = random.Random(1)
    modules = [(f"{how}_{case[0]}", scatter(case, how, rng)) for case in SHAPES + MOVED for how in UPDATES]
    cases.run(tpuc, folder, modules)
    small = "--set=core.vmem_bytes=1740800"
    cases.run(tpuc, folder, modules, small)
    for case in MOVED:
        cases.expect_planned(tpuc, folder / f"add_{case[0]}.mlir", r"copies = \d, table_moved", small)


if __name__ == "__main__":
    main(sys.argv[1], pathlib.Path(sys.argv[2]))
