#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""own_rows.py TPUC FOLDER: gathers and scatters of single elements whose rows are batches (take_along_axis and its
gradient), against lists.

Every case is a module with its operands and what it expects inside; FOLDER is where they are written. Rows are along
the last dim or another one, batches are dims of the op or an iota among its indices, as x[arange(n)[:, None], i] has
it. Indices go past both ends: a gather takes the nearest element, a scatter leaves the update out."""

import pathlib
import random
import sys

import cases

# name, element, rows, length of a row, indices of a row, whether a row is a column, whether an iota names it
SHAPES = [
    ("rows", "f32", 13, 300, 50, False, False),
    ("columns", "f32", 21, 140, 33, True, False),
    ("named", "f32", 13, 260, 140, False, True),
    ("long", "f32", 8, 2600, 20, False, False),
    ("halves", "bf16", 17, 270, 130, False, False),
    ("bytes", "i8", 33, 200, 40, False, True),
    ("numbers", "i32", 9, 1100, 150, True, True),
]
UPDATES = {
    "add": lambda a, b: a + b,
    "maximum": max,
    "minimum": min,
    "replace": lambda a, b: b,
}


def literal(rows, element, column):
    """Lists of rows as the bytes of an array, in which they are its columns where `column` says so."""
    rows = [list(r) for r in zip(*rows)] if column else rows
    data = cases.encode([v for r in rows for v in r], element)
    return f'dense<"0x{data.hex().upper()}"> : tensor<{len(rows)}x{len(rows[0])}x{element}>'


def shape_of(rows, column):
    return (len(rows[0]), len(rows)) if column else (len(rows), len(rows[0]))


def numbers(column, named, scatter):
    """The op's dimension numbers: rows are dim `row`, what an index counts is dim `own`."""
    row, own = (1, 0) if column else (0, 1)
    if scatter:
        batches = (
            "inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [{row}, {own}]"
            if named
            else "inserted_window_dims = [{own}], input_batching_dims = [{row}], "
            "scatter_indices_batching_dims = [{row}], scatter_dims_to_operand_dims = [{own}]"
        )
    else:
        batches = (
            "collapsed_slice_dims = [0, 1], start_index_map = [{row}, {own}]"
            if named
            else "collapsed_slice_dims = [{own}], operand_batching_dims = [{row}], "
            "start_indices_batching_dims = [{row}], start_index_map = [{own}]"
        )
    return batches.format(row=row, own=own) + ", index_vector_dim = 2"


def operands(case, x, at):
    """The array %x and its indices %at, of one component, or with the row's number before it."""
    name, element, _, _, _, column, named = case
    n, m = shape_of(at, column)
    row = 1 if column else 0
    text = f"""  %x0 = stablehlo.constant {literal(x, element, column)}
  %x = stablehlo.optimization_barrier %x0 : tensor<{"x".join(map(str, shape_of(x, column)))}x{element}>
  %i = stablehlo.constant {literal(at, "i32", column)}
  %i1 = stablehlo.reshape %i : (tensor<{n}x{m}xi32>) -> tensor<{n}x{m}x1xi32>
"""
    if not named:
        return text + f"  %at = stablehlo.optimization_barrier %i1 : tensor<{n}x{m}x1xi32>\n", f"tensor<{n}x{m}x1xi32>"
    return (
        text
        + f"""  %row = stablehlo.iota dim = {row} : tensor<{n}x{m}x1xi32>
  %at = stablehlo.concatenate %row, %i1, dim = 2
      : (tensor<{n}x{m}x1xi32>, tensor<{n}x{m}x1xi32>) -> tensor<{n}x{m}x2xi32>
""",
        f"tensor<{n}x{m}x2xi32>",
    )


def gather(case, rng):
    name, element, rows, length, count, column, named = case
    x = [[rng.randint(-99, 99) for _ in range(length)] for _ in range(rows)]
    at = [[rng.randint(-20, length + 20) for _ in range(count)] for _ in range(rows)]
    wanted = [[r[min(max(i, 0), length - 1)] for i in own] for r, own in zip(x, at)]
    text, indices = operands(case, x, at)
    types = ["x".join(map(str, shape_of(v, column))) + "x" + element for v in (x, wanted)]
    return f"""func.func @main() {{
{text}  %y = "stablehlo.gather"(%x, %at) <{{dimension_numbers = #stablehlo.gather<{numbers(column, named, False)}>,
      slice_sizes = array<i64: 1, 1>}}> : (tensor<{types[0]}>, {indices}) -> tensor<{types[1]}>
  check.expect_eq_const %y, {literal(wanted, element, column)}
  return
}}
"""


def scatter(case, how, rng):
    name, element, rows, length, count, column, named = case
    x = [[rng.randint(-9, 9) for _ in range(length)] for _ in range(rows)]
    u = [[rng.randint(-9, 9) for _ in range(count)] for _ in range(rows)]
    at = [[rng.randint(-20, length + 20) for _ in range(count)] for _ in range(rows)]
    if how == "replace":  # which of several stays is anyone's choice
        at = [rng.sample(range(-20, length + 20), count) for _ in range(rows)]
    wanted = [list(r) for r in x]
    for r, own, updates in zip(wanted, at, u):
        for i, v in zip(own, updates):
            if 0 <= i < length:
                r[i] = UPDATES[how](r[i], v)
    text, indices = operands(case, x, at)
    types = ["x".join(map(str, shape_of(v, column))) + "x" + element for v in (x, u)]
    combine = f"%s = stablehlo.{how} %a, %b : tensor<{element}>\n    " if how != "replace" else ""
    return f"""func.func @main() {{
{text}  %u0 = stablehlo.constant {literal(u, element, column)}
  %u = stablehlo.optimization_barrier %u0 : tensor<{types[1]}>
  %y = "stablehlo.scatter"(%x, %at, %u) <{{
      scatter_dimension_numbers = #stablehlo.scatter<{numbers(column, named, True)}>}}> ({{
  ^bb0(%a: tensor<{element}>, %b: tensor<{element}>):
    {combine}stablehlo.return {"%b" if how == "replace" else "%s"} : tensor<{element}>
  }}) : (tensor<{types[0]}>, {indices}, tensor<{types[1]}>) -> tensor<{types[0]}>
  check.expect_eq_const %y, {literal(wanted, element, column)}
  return
}}
"""


def main(tpuc, folder):
    rng = random.Random(1)
    modules = [(f"take_{case[0]}", gather(case, rng)) for case in SHAPES]
    modules += [(f"{how}_{case[0]}", scatter(case, how, rng)) for case in SHAPES for how in UPDATES]
    cases.run(tpuc, folder, modules)


if __name__ == "__main__":
    main(sys.argv[1], pathlib.Path(sys.argv[2]))
