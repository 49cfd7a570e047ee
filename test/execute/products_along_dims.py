#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""products_along_dims.py TPUC FOLDER: products of an array with a matrix along one of its dims after the other, as a
resize has them, against sums in Python.

Every case is a module with its operands and what it expects inside; FOLDER is where they are written."""

import pathlib
import random
import sys

import cases

# name, type, the image (batch, rows, columns, features), rows and columns of the result, whether columns come first
CASES = [
    ("colours", "f32", (2, 100, 130, 3), (150, 140), False),
    ("columns_first", "f32", (3, 64, 140, 5), (40, 150), True),
    ("halves", "bf16", (2, 96, 130, 7), (80, 150), False),
    ("features", "f32", (2, 60, 70, 64), (30, 130), False),
    ("one_image", "f32", (1, 128, 128, 3), (33, 129), False),
]


def product(array, matrix, extents, dim):
    """`array`, in row-major order, with the sum of its elements times a column of `matrix` along `dim`."""
    before, after = 1, 1
    for d, n in enumerate(extents):
        before, after = before * (n if d < dim else 1), after * (n if d > dim else 1)
    k, n = extents[dim], len(matrix[0])
    taps = [[(i, matrix[i][j]) for i in range(k) if matrix[i][j]] for j in range(n)]
    return [
        sum(w * array[(b * k + i) * after + a] for i, w in taps[j])
        for b in range(before)
        for j in range(n)
        for a in range(after)
    ]


def module(case, rng):
    name, element, (b, h, w, c), (m, n), columnsFirst = case
    image = [rng.randint(-4, 4) for _ in range(b * h * w * c)]
    sparse = lambda rows, columns: [
        [rng.randint(1, 2) if rng.random() < 2 / rows else 0 for _ in range(columns)] for _ in range(rows)
    ]
    down, across = sparse(h, m), sparse(w, n)
    found = product(product(image, down, (b, h, w, c), 1), across, (b, m, w, c), 2)
    data = lambda values, element: cases.encode(values, element).hex().upper()
    flat = lambda matrix: [v for row in matrix for v in row]
    of, to = f"tensor<{b}x{h}x{w}x{c}x{element}>", f"tensor<{b}x{m}x{n}x{c}x{element}>"
    md, ma = f"tensor<{h}x{m}x{element}>", f"tensor<{w}x{n}x{element}>"
    highest = "precision = [HIGHEST, HIGHEST]"
    sums = lambda left, right, dims, l, r, to: (
        f"{left}, {right}, contracting_dims = {dims}, precision = [HIGHEST, HIGHEST]\n      : ({l}, {r}) -> {to}"
    )
    if columnsFirst:
        first, second, back = f"tensor<{n}x{b}x{h}x{c}x{element}>", f"tensor<{m}x{n}x{b}x{c}x{element}>", "2, 0, 1, 3"
        p = sums("%across", "%x", "[0] x [2]", ma, of, first)
        q = sums("%down", "%p", "[0] x [2]", md, first, second)
    else:
        first, second, back = f"tensor<{m}x{b}x{w}x{c}x{element}>", f"tensor<{m}x{b}x{c}x{n}x{element}>", "1, 0, 3, 2"
        p = sums("%down", "%x", "[0] x [1]", md, of, first)
        q = sums("%p", "%across", "[2] x [0]", first, ma, second)
    return f"""func.func @main() {{
  %a = stablehlo.constant dense<"0x{data(image, element)}"> : {of}
  %b = stablehlo.constant dense<"0x{data(flat(down), element)}"> : {md}
  %c = stablehlo.constant dense<"0x{data(flat(across), element)}"> : {ma}
  %x, %down, %across = stablehlo.optimization_barrier %a, %b, %c : {of}, {md}, {ma}
  %p = stablehlo.dot_general {p}
  %q = stablehlo.dot_general {q}
  %y = stablehlo.transpose %q, dims = [{back}] : ({second}) -> {to}
  check.expect_eq_const %y, dense<"0x{data(found, element)}"> : {to}
  return
}}
"""


def main(tpuc, folder):
    rng = random.Random(7)
    modules = [(case[0], module(case, rng)) for case in CASES]
    cases.run(tpuc, folder, modules)
    for name, _ in modules:
        turned = r"dims = \[(0, 3, 1, 2|2, 0, 1)\]" if name != "one_image" else r"dims = \[2, 0, 1\]"
        cases.expect_planned(tpuc, folder / f"{name}.mlir", turned, stage="expand")


if __name__ == "__main__":
    main(sys.argv[1], pathlib.Path(sys.argv[2]))
