#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""narrow_arrays.py TPUC FOLDER: matrices of few columns, which lie transposed, and all that may read or make them,
against lists in Python.

Every case is a module with its operands and what it expects inside; FOLDER is where they are written."""

import pathlib
import random
import sys

import cases

# name, type, rows, columns
CASES = [
    ("points", "f32", 3000, 3),
    ("ragged", "f32", 2501, 5),
    ("pairs", "i32", 2048, 2),
    ("halves", "bf16", 4100, 7),
    ("bytes", "i8", 9000, 3),
]


def module(case, rng):
    _, element, n, c = case
    x = [[rng.randint(-3, 3) for _ in range(c)] for _ in range(n)]
    w = [[rng.randint(-1, 1) for _ in range(4)] for _ in range(c)]
    places = [rng.randint(0, n - 1) for _ in range(40)]
    y = [[2 * v + 1 for v in row] for row in x]
    many = [rng.randint(0, n - 1) for _ in range(n + 100)]
    flat = lambda rows: [v for row in rows for v in row]
    data = lambda values, element=element: cases.encode(values, element).hex().upper()
    of = lambda *shape: f"tensor<{''.join(f'{d}x' for d in shape)}{element}>"
    number = lambda v: f"{v}" if element.startswith("i") else f"{v}.0"
    turned = [list(column) for column in zip(*y)]
    added = [list(row) for row in y]
    for k, row in enumerate(places):
        added[row] = [v + k % 3 for v in added[row]]
    expected = [
        ("sums", [sum(row) for row in y], (n,)),
        ("columns", flat([a + b for a, b in zip(y, [[row[0]] for row in y])]), (n, c + 1)),
        ("turned", flat(turned), (c, n)),
        ("rolled", flat(y[-7:] + y[:-7]), (n, c)),
        ("products", flat([[sum(a * b[j] for a, b in zip(row, w)) for j in range(4)] for row in y]), (n, 4)),
        ("rows", flat([y[p] for p in places]), (40, c)),
        ("looked_up", flat([y[p] for p in many]), (n + 100, c)),
        ("joined", flat(y), (n * c,)),
        ("added", flat(added), (n, c)),
        ("doubled", flat([[v * k for v in row for k in (1, 2)] for row in y]), (n, 2 * c)),
        ("totals", [sum(column) for column in turned], (c,)),
    ]
    # Sums of bytes and of bf16 are small enough to be exact.
    expected = [e for e in expected if e[0] != "totals" or element in ("f32", "i32")]
    checks = "\n".join(
        f'  check.expect_eq_const %{name}, dense<"0x{data(values)}"> : {of(*shape)}' for name, values, shape in expected
    )
    updates = [k % 3 for k in range(40) for _ in range(c)]
    totals = f"""
  %totals = stablehlo.reduce(%y init: %zero) applies stablehlo.add across dimensions = [0]
      : ({of(n, c)}, {of()}) -> {of(c)}""" if element in ("f32", "i32") else ""  # fmt: skip
    return f"""func.func @main() {{
  %a = stablehlo.constant dense<"0x{data(flat(x))}"> : {of(n, c)}
  %b = stablehlo.constant dense<"0x{data(flat(w))}"> : {of(c, 4)}
  %i = stablehlo.constant dense<"0x{data(places, "i32")}"> : tensor<40x1xi32>
  %u = stablehlo.constant dense<"0x{data(updates)}"> : {of(40, c)}
  %l = stablehlo.constant dense<"0x{data(many, "i32")}"> : tensor<{n + 100}x1xi32>
  %x, %w, %at, %more, %all = stablehlo.optimization_barrier %a, %b, %i, %u, %l : {of(n, c)}, {of(c, 4)},
      tensor<40x1xi32>, {of(40, c)}, tensor<{n + 100}x1xi32>
  %zero = stablehlo.constant dense<{number(0)}> : {of()}
  %one = stablehlo.constant dense<{number(1)}> : {of(n, c)}
  %twice = stablehlo.add %x, %x : {of(n, c)}
  %y = stablehlo.add %twice, %one : {of(n, c)}
  %sums = stablehlo.reduce(%y init: %zero) applies stablehlo.add across dimensions = [1]
      : ({of(n, c)}, {of()}) -> {of(n)}
  %first = stablehlo.slice %y [0:{n}, 0:1] : ({of(n, c)}) -> {of(n, 1)}
  %columns = stablehlo.concatenate %y, %first, dim = 1 : ({of(n, c)}, {of(n, 1)}) -> {of(n, c + 1)}
  %turned = stablehlo.transpose %y, dims = [1, 0] : ({of(n, c)}) -> {of(c, n)}
  %end = stablehlo.slice %y [{n - 7}:{n}, 0:{c}] : ({of(n, c)}) -> {of(7, c)}
  %start = stablehlo.slice %y [0:{n - 7}, 0:{c}] : ({of(n, c)}) -> {of(n - 7, c)}
  %rolled = stablehlo.concatenate %end, %start, dim = 0 : ({of(7, c)}, {of(n - 7, c)}) -> {of(n, c)}
  %products = stablehlo.dot_general %y, %w, contracting_dims = [1] x [0], precision = [HIGHEST, HIGHEST]
      : ({of(n, c)}, {of(c, 4)}) -> {of(n, 4)}
  %rows = "stablehlo.gather"(%y, %at) <{{dimension_numbers = #stablehlo.gather<offset_dims = [1],
      collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, {c}>}}>
      : ({of(n, c)}, tensor<40x1xi32>) -> {of(40, c)}
  %looked_up = "stablehlo.gather"(%y, %all) <{{dimension_numbers = #stablehlo.gather<offset_dims = [1],
      collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, {c}>}}>
      : ({of(n, c)}, tensor<{n + 100}x1xi32>) -> {of(n + 100, c)}
  %joined = stablehlo.reshape %y : ({of(n, c)}) -> {of(n * c)}
  %added = "stablehlo.scatter"(%y, %at, %more) <{{scatter_dimension_numbers = #stablehlo.scatter<
      update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0],
      index_vector_dim = 1>}}> ({{
    ^bb0(%old: {of()}, %new: {of()}):
      %sum = stablehlo.add %old, %new : {of()}
      stablehlo.return %sum : {of()}
    }}) : ({of(n, c)}, tensor<40x1xi32>, {of(40, c)}) -> {of(n, c)}{totals}
  %spread = stablehlo.broadcast_in_dim %y, dims = [0, 1] : ({of(n, c)}) -> {of(n, c, 2)}
  %k = stablehlo.iota dim = 2 : {of(n, c, 2)}
  %ones = stablehlo.constant dense<{number(1)}> : {of(n, c, 2)}
  %from_one = stablehlo.add %k, %ones : {of(n, c, 2)}
  %multiples = stablehlo.multiply %spread, %from_one : {of(n, c, 2)}
  %doubled = stablehlo.reshape %multiples : ({of(n, c, 2)}) -> {of(n, 2 * c)}
{checks}
  return
}}
"""


def main(tpuc, folder):
    rng = random.Random(3)
    cases.run(tpuc, folder, [(case[0], module(case, rng)) for case in CASES])
    # The sums alone are of a transposed array. Beside some of the others it may be one for all or none.
    name, element, n, c = CASES[0]
    text = f"""func.func @main(%x: tensor<{n}x{c}x{element}>) -> tensor<{n}x{element}> {{
  %zero = stablehlo.constant dense<0.0> : tensor<{element}>
  %y = stablehlo.abs %x : tensor<{n}x{c}x{element}>
  %sums = stablehlo.reduce(%y init: %zero) applies stablehlo.add across dimensions = [1]
      : (tensor<{n}x{c}x{element}>, tensor<{element}>) -> tensor<{n}x{element}>
  return %sums : tensor<{n}x{element}>
}}
"""
    (folder / "sums.mlir").write_text(text)
    cases.expect_planned(tpuc, folder / "sums.mlir", f"abs .*tensor<{c}x{n}x{element}>", stage="expand")


if __name__ == "__main__":
    main(sys.argv[1], pathlib.Path(sys.argv[2]))
