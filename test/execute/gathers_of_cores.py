#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""gathers_of_cores.py TPUC FOLDER: gathers of rows, whose points the cores of a device share, against lists in Python.

Every case is a module with its operands and what it expects inside; FOLDER is where they are written."""

import math
import pathlib
import random
import sys

import cases

# name, type, rows and lanes of the table, the batch's extents: shared evenly or not, along the first dim or another
CASES = [
    ("odd", "f32", 300, 130, (7,)),
    ("even", "f32", 300, 130, (4, 33)),
    ("second", "bf16", 300, 130, (1, 9)),
    ("one", "f32", 50, 40, (1, 1)),
    ("packed", "bf16", 300, 130, (129,)),
    ("packed_batches", "bf16", 301, 70, (3, 37)),
    ("packed_tiles", "f16", 40, 128, (2, 200)),
    ("quarters", "i8", 203, 300, (5, 41)),
    ("packed_parts_of_indices", "bf16", 500, 64, (3, 30001)),
    ("parts_of_indices", "f32", 500, 64, (3, 30001)),
    ("held", "f32", 77, 300, (2001,)),
    ("held_halves", "bf16", 77, 300, (2001,)),
    ("held_bytes", "i8", 1000, 130, (3001,)),
    ("in_parts", "f32", 300, 400, (2001,)),
    ("in_parts_of_bytes", "i8", 1000, 300, (1501,)),
    ("row", "f32", 1, 128, (515,)),
]


def module(case, rng):
    name, element, rows, lanes, batch = case
    table = [rng.randint(0, 100) for _ in range(rows * lanes)]
    places = [rng.randint(-3, rows + 3) for _ in range(math.prod(batch))]
    taken = [v for i in places for v in table[min(max(i, 0), rows - 1) * lanes :][:lanes]]
    points, rank = "x".join(map(str, batch)), len(batch)
    of, at, to = f"tensor<{rows}x{lanes}x{element}>", f"tensor<{points}x1xi32>", f"tensor<{points}x{lanes}x{element}>"
    data = lambda values, element: cases.encode(values, element).hex().upper()
    return f"""func.func @main() {{
  %a = stablehlo.constant dense<"0x{data(table, element)}"> : {of}
  %x = stablehlo.optimization_barrier %a : {of}
  %b = stablehlo.constant dense<"0x{data(places, "i32")}"> : {at}
  %i = stablehlo.optimization_barrier %b : {at}
  %y = "stablehlo.gather"(%x, %i) <{{dimension_numbers = #stablehlo.gather<offset_dims = [{rank}],
      collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = {rank}>,
      slice_sizes = array<i64: 1, {lanes}>}}> : ({of}, {at}) -> {to}
  check.expect_eq_const %y, dense<"0x{data(taken, element)}"> : {to}
  return
}}
"""


def main(tpuc, folder):
    rng = random.Random(7)
    modules = [(case[0], module(case, rng)) for case in CASES]
    cases.run(tpuc, folder, modules)
    # VMEM that holds a part of the columns of some tables.
    small = "--set=core.vmem_bytes=1740800"
    cases.run(tpuc, folder, [m for m in modules if "parts_of_indices" not in m[0]], small)
    for name, _ in modules:
        if name.startswith("held"):
            cases.expect_planned(tpuc, folder / f"{name}.mlir", r"table_in_vmem")
        if name.startswith("in_parts"):
            cases.expect_planned(tpuc, folder / f"{name}.mlir", r"d2 = (\d+) by (?!\1).*table_in_vmem", small)


if __name__ == "__main__":
    main(sys.argv[1], pathlib.Path(sys.argv[2]))
