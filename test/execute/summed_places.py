#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""summed_places.py TPUC FOLDER: sums of single numbers in places, as segment sums are, against sums in Python.

Every case is a module with its operands and what it expects inside; FOLDER is where they are written."""

import math
import pathlib
import random
import sys

import cases

# name, numbers, extents of the array, how many of a hundred numbers are infinite or none
CASES = [("places", 8192, (8192,), 0), ("not_finite", 9001, (8300,), 3), ("of_two_dims", 8500, (90, 101), 1)]
NOT_FINITE = [math.inf, -math.inf, math.nan]


def module(case, rng):
    name, count, shape, wild = case
    numbers = [rng.choice(NOT_FINITE) if rng.random() * 100 < wild else rng.randint(-9, 9) for _ in range(count)]
    indices = [[rng.randint(-2, n + 1) for n in shape] for _ in range(count)]
    sums = [0] * math.prod(shape)
    for index, number in zip(indices, numbers):
        if all(0 <= i < n for i, n in zip(index, shape)):
            sums[index[0] if len(shape) == 1 else index[0] * shape[1] + index[1]] += number
    rank, extents = len(shape), "x".join(map(str, shape))
    data = lambda values, element: cases.encode(values, element).hex().upper()
    dims = ", ".join(map(str, range(rank)))
    of, at, to = f"tensor<{count}xf32>", f"tensor<{count}x{rank}xi32>", f"tensor<{extents}xf32>"
    words = to.replace("f32", "i32")
    none = [int(math.isnan(v)) for v in sums]
    return f"""func.func @main() {{
  %a = stablehlo.constant dense<"0x{data(numbers, "f32")}"> : {of}
  %b = stablehlo.constant dense<"0x{data([i for index in indices for i in index], "i32")}"> : {at}
  %x, %i = stablehlo.optimization_barrier %a, %b : {of}, {at}
  %zeros = stablehlo.constant dense<0.0> : {to}
  %y = "stablehlo.scatter"(%zeros, %i, %x) <{{scatter_dimension_numbers = #stablehlo.scatter<
      inserted_window_dims = [{dims}], scatter_dims_to_operand_dims = [{dims}], index_vector_dim = 1>}}> ({{
  ^bb0(%l: tensor<f32>, %r: tensor<f32>):
    %s = stablehlo.add %l, %r : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }}) : ({to}, {at}, {of}) -> {to}
  %n = stablehlo.compare NE, %y, %y : ({to}, {to}) -> {to.replace("f32", "i1")}
  %none = stablehlo.convert %n : ({to.replace("f32", "i1")}) -> {words}
  %others = stablehlo.select %n, %zeros, %y : {to.replace("f32", "i1")}, {to}
  check.expect_eq_const %none, dense<"0x{data(none, "i32")}"> : {words}
  check.expect_eq_const %others, dense<"0x{data([0 if math.isnan(v) else v for v in sums], "f32")}"> : {to}
  return
}}
"""


def main(tpuc, folder):
    rng = random.Random(7)
    modules = [(case[0], module(case, rng)) for case in CASES]
    cases.run(tpuc, folder, modules)
    # No flag makes halves of the numbers.
    cases.run(tpuc, folder, modules[:1], "--matmul-precision=default")
    for name, _ in modules:
        cases.expect_planned(tpuc, folder / f"{name}.mlir", r"stablehlo.dot_general", stage="expand")


if __name__ == "__main__":
    main(sys.argv[1], pathlib.Path(sys.argv[2]))
