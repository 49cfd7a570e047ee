#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""products_of_indices.py TPUC FOLDER: gathers at a product of indices, x[i[:, None], j[None, :]], against lists in
Python.

Every case is a module with its operands and what it expects inside; FOLDER is where they are written."""

import pathlib
import random
import sys

import cases

# name, type, extents of the table, numbers of its second and third dim, whether those are in front as in PyTorch
CASES = [
    ("rows", "f32", (3, 20, 130), (40, 150), False),
    ("lanes", "f32", (3, 40, 64), (90, 40), False),
    ("front", "f32", (5, 33, 65), (70, 130), True),
    ("halves", "bf16", (4, 30, 100), (60, 129), False),
    ("bytes", "i8", (2, 33, 200), (64, 100), False),
    ("one", "i32", (9, 64, 128), (1, 128), False),
]


def module(case, rng):
    name, element, (b, m, n), (h, w), front = case
    table = [rng.randint(0, 100) for _ in range(b * m * n)]
    i, j = [rng.randint(-2, m + 2) for _ in range(h)], [rng.randint(-2, n + 2) for _ in range(w)]
    inside = lambda k, extent: min(max(k, 0), extent - 1)
    taken = [table[(c * m + inside(k, m)) * n + inside(l, n)] for c in range(b) for k in i for l in j]
    of, to, at = f"tensor<{b}x{m}x{n}x{element}>", f"tensor<{b}x{h}x{w}x{element}>", f"tensor<{h}x{w}x1xi32>"
    data = lambda values, element: cases.encode(values, element).hex().upper()
    moved, found = f"tensor<{m}x{n}x{b}x{element}>", f"tensor<{h}x{w}x{b}x{element}>"
    numbers = lambda dims, offset: f"""offset_dims = [{offset}], collapsed_slice_dims = [{dims}],
      start_index_map = [{dims}], index_vector_dim = 2"""
    gather = (
        f"""%m = stablehlo.transpose %x, dims = [1, 2, 0] : ({of}) -> {moved}
  %f = "stablehlo.gather"(%m, %at) <{{dimension_numbers = #stablehlo.gather<{numbers("0, 1", 2)}>,
      slice_sizes = array<i64: 1, 1, {b}>}}> : ({moved}, tensor<{h}x{w}x2xi32>) -> {found}
  %y = stablehlo.transpose %f, dims = [2, 0, 1] : ({found}) -> {to}"""
        if front
        else f"""%y = "stablehlo.gather"(%x, %at) <{{dimension_numbers = #stablehlo.gather<{numbers("1, 2", 0)}>,
      slice_sizes = array<i64: {b}, 1, 1>}}> : ({of}, tensor<{h}x{w}x2xi32>) -> {to}"""
    )
    return f"""func.func @main() {{
  %a = stablehlo.constant dense<"0x{data(table, element)}"> : {of}
  %x = stablehlo.optimization_barrier %a : {of}
  %b = stablehlo.constant dense<"0x{data(i, "i32")}"> : tensor<{h}xi32>
  %c = stablehlo.constant dense<"0x{data(j, "i32")}"> : tensor<{w}xi32>
  %i, %j = stablehlo.optimization_barrier %b, %c : tensor<{h}xi32>, tensor<{w}xi32>
  %rows = stablehlo.broadcast_in_dim %i, dims = [0] : (tensor<{h}xi32>) -> {at}
  %lanes = stablehlo.broadcast_in_dim %j, dims = [1] : (tensor<{w}xi32>) -> {at}
  %at = stablehlo.concatenate %rows, %lanes, dim = 2 : ({at}, {at}) -> tensor<{h}x{w}x2xi32>
  {gather}
  check.expect_eq_const %y, dense<"0x{data(taken, element)}"> : {to}
  return
}}
"""


def main(tpuc, folder):
    rng = random.Random(7)
    modules = [(case[0], module(case, rng)) for case in CASES]
    cases.run(tpuc, folder, modules)
    for name, _ in modules:
        if name != "one":
            cases.expect_planned(tpuc, folder / f"{name}.mlir", r"index_vector_dim = 1>", stage="expand")


if __name__ == "__main__":
    main(sys.argv[1], pathlib.Path(sys.argv[2]))
