#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""long_contractions.py TPUC FOLDER: matmuls that sum over several dims, of which a step takes a part and the last step
less, against sums of lists in Python.

Every case is a module with its operands and what it expects inside; FOLDER is where they are written."""

import itertools
import math
import pathlib
import random
import sys

import cases

# name, type, dims that are summed, rows, columns
CASES = [
    ("images", "f32", (5, 128), 24, 65),
    ("rows", "f32", (7, 100), 8, 130),
    ("two", "f32", (3, 5, 128), 16, 24),
    ("whole", "bf16", (13, 128), 40, 33),
    ("bytes", "i8", (11, 128), 20, 40),
]


def module(case, rng):
    name, element, summed, m, n = case
    number = lambda: rng.randint(-4, 4)
    k = math.prod(summed)
    rows = [[number() for _ in range(m)] for _ in range(k)]
    columns = [[number() for _ in range(n)] for _ in range(k)]
    of = "i32" if element == "i8" else "f32"
    found = [sum(r[i] * c[j] for r, c in zip(rows, columns)) for i in range(m) for j in range(n)]
    dims = "x".join(map(str, summed))
    x, y, to = f"tensor<{dims}x{m}x{element}>", f"tensor<{dims}x{n}x{element}>", f"tensor<{m}x{n}x{of}>"
    data = lambda values, element: cases.encode(values, element).hex().upper()
    flat = lambda table: list(itertools.chain.from_iterable(table))
    along = ", ".join(map(str, range(len(summed))))
    return f"""func.func @main() {{
  %a = stablehlo.constant dense<"0x{data(flat(rows), element)}"> : {x}
  %b = stablehlo.constant dense<"0x{data(flat(columns), element)}"> : {y}
  %x, %y = stablehlo.optimization_barrier %a, %b : {x}, {y}
  %z = stablehlo.dot_general %x, %y, contracting_dims = [{along}] x [{along}] : ({x}, {y}) -> {to}
  check.expect_eq_const %z, dense<"0x{data(found, of)}"> : {to}
  return
}}
"""


def main(tpuc, folder):
    rng = random.Random(7)
    modules = [(case[0], module(case, rng)) for case in CASES]
    for flags in ([], ["--matmul-precision=highest"], ["--set=core.kernel_vmem_bytes=262144"]):
        cases.run(tpuc, folder, modules, *flags)
    # Of 7 and 15 a step takes 2 and 4.
    for name, shorter in (("rows", "7 by 2"), ("two", "15 by 4")):
        pattern = f"sequential d0 = {shorter}"
        cases.expect_planned(tpuc, folder / f"{name}.mlir", pattern, "--matmul-precision=highest")


if __name__ == "__main__":
    main(sys.argv[1], pathlib.Path(sys.argv[2]))
