#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""sequential_sums.py TPUC FOLDER: reductions over steps of a grid in a small VMEM, against lists.

Several sequences come after one another, so what one of them has left must not be taken up by the next. Values are such
that zeros, or a row too many of the last step, change the result: extremes are below zero, and the last rows count
most."""

import pathlib
import sys

import cases

FLAGS = ["--constants=arrays", "--set=vmem_bytes=786432", "--set=kernel_vmem_bytes=786432"]
CUT = r"sequential d\d = (\d+) by (?!\1\b)"  # a dim that several steps walk
OPS = {
    "add": (sum, "dense<0.0>"),
    "maximum": (max, "dense<0xFF800000>"),
    "minimum": (min, "dense<0x7F800000>"),
}


def module(op, element, shape, dims):
    """`shape` reduced over `dims`."""
    strides = [1] * len(shape)
    for d in range(len(shape) - 1, 0, -1):
        strides[d - 1] = strides[d] * shape[d]
    size = strides[0] * shape[0]
    values = [-1 - (i * 7919) % 1009 - (0 if op == "maximum" else i % 5) for i in range(size)]
    kept = [d for d in range(len(shape)) if d not in dims]
    groups = {}
    for i, v in enumerate(values):
        groups.setdefault(tuple(i // strides[d] % shape[d] for d in kept), []).append(v)
    reduce, init = OPS[op]
    results = [reduce(groups[key]) for key in sorted(groups)]
    result = "x".join([*(str(shape[d]) for d in kept), element])
    whole = "x".join([*map(str, shape), element])
    return f"""func.func @main() {{
  %x = stablehlo.constant dense<"0x{cases.encode(values, element).hex().upper()}"> : tensor<{whole}>
  %init = stablehlo.constant {init if element == "f32" else "dense<0>"} : tensor<{element}>
  %0 = stablehlo.reduce(%x init: %init) applies stablehlo.{op} across dimensions = {list(dims)}
      : (tensor<{whole}>, tensor<{element}>) -> tensor<{result}>
  %e = stablehlo.constant dense<"0x{cases.encode(results, element).hex().upper()}"> : tensor<{result}>
  check.expect_eq %0, %e : tensor<{result}>
  return
}}
"""


CASES = [
    ("rows", "add", "i32", (1003, 640), (0,)),
    ("lanes", "maximum", "f32", (5, 70, 520), (2,)),
    ("ragged_lanes", "minimum", "f32", (9, 35, 1300), (2,)),
    ("leading", "add", "i32", (45, 21, 300), (0, 1)),
    ("ends", "add", "i32", (301, 8, 260), (0, 2)),
]


def main(tpuc, folder):
    cases.run(tpuc, folder, [(name, module(*rest)) for name, *rest in CASES], *FLAGS)
    for name, *_ in CASES:
        cases.expect_planned(tpuc, folder / f"{name}.mlir", CUT, *FLAGS)


if __name__ == "__main__":
    main(sys.argv[1], pathlib.Path(sys.argv[2]))
