#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""scans.py TPUC FOLDER: running sums, products and extremes along each kind of dim, against loops over whole numbers.

Every case is a module with its operand and what it expects inside; FOLDER is where they are written. Some are so long
that a grid walks the scan in several steps. Small whole numbers are exact in every type, so results are compared for
equality."""

import pathlib
import random
import sys

import cases

# name, op, type, shape, dim, from the end, epilogue
CASES = [
    ("lanes", "add", "f32", [5, 300], 1, False, False),
    ("lanes_reversed", "add", "f32", [9, 300], 1, True, True),
    ("few_lanes", "maximum", "i32", [3, 17, 20], 2, False, False),
    ("few_lanes_reversed", "minimum", "bf16", [2, 19, 5], 2, True, False),
    ("many_rows", "add", "bf16", [200, 129], 1, False, True),
    ("bytes", "add", "i8", [40, 260], 1, True, False),
    ("unsigned", "maximum", "ui8", [33, 140], 1, False, False),
    ("rows", "add", "f32", [37, 130], 0, False, False),
    ("rows_reversed", "add", "i16", [2, 37, 10], 1, True, False),
    ("rows_packed", "add", "bf16", [45, 10], 0, False, True),
    ("rows_packed_reversed", "maximum", "f16", [3, 45, 10], 1, True, True),
    ("leading", "add", "f32", [21, 9, 20], 0, False, True),
    ("leading_reversed", "xor", "i32", [2, 11, 3, 4], 1, True, False),
    ("products", "multiply", "f32", [4, 19, 3], 1, False, False),
    ("few_narrow", "add", "bf16", [3, 9], 1, False, False),
    ("vector", "add", "i32", [1000], 0, False, True),
    ("short_vector", "add", "f32", [20], 0, True, False),
    ("vector_reversed", "minimum", "bf16", [3000], 0, True, True),
    ("vector_bytes", "or", "ui8", [1500], 0, False, False),
    ("one_row", "add", "i32", [1, 700], 1, False, False),
    ("steps_vector", "add", "i32", [200001], 0, False, False),
    ("steps_vector_reversed", "add", "f32", [140000], 0, True, True),
    ("steps_rows", "add", "i32", [5001, 7], 0, False, False),
    ("steps_rows_reversed", "maximum", "bf16", [9001, 3], 0, True, False),
    ("steps_lanes", "add", "i32", [3, 40001], 1, True, False),
    ("steps_lanes_packed", "add", "bf16", [20, 20001], 1, False, False),
    ("steps_leading", "add", "f32", [400, 2, 3], 0, True, False),
    ("steps_leading_rows", "add", "i16", [500, 20, 2], 0, False, True),
]
OPS = {
    "add": lambda a, b: a + b,
    "multiply": lambda a, b: a * b,
    "maximum": max,
    "minimum": min,
    "or": lambda a, b: a | b,
    "xor": lambda a, b: a ^ b,
}
EXACT = {"bf16": 128, "f16": 1024}  # sums beyond are rounded


def start(op, element):
    if op in ("maximum", "minimum") and element in ("f32", "bf16", "f16"):
        infinity = {"f32": 0x7F800000, "bf16": 0x7F80, "f16": 0x7C00}[element]
        sign = {"f32": 1 << 31, "bf16": 1 << 15, "f16": 1 << 15}[element]
        return hex(infinity | (sign if op == "maximum" else 0))
    if op in ("maximum", "minimum"):
        bits = int(element.strip("ui"))
        if element.startswith("ui"):
            return str(0 if op == "maximum" else (1 << bits) - 1)
        return str(-(1 << (bits - 1)) if op == "maximum" else (1 << (bits - 1)) - 1)
    value = 1 if op == "multiply" else 0
    return str(value) if "i" in element else f"{value}.0"


def scan(values, shape, dim, reverse, op):
    stride = 1
    for extent in shape[dim + 1 :]:
        stride *= extent
    out = list(values)
    for first in range(len(values)):
        if first // stride % shape[dim]:
            continue
        line = range(first, first + stride * shape[dim], stride)
        previous = None
        for at in reversed(line) if reverse else line:
            out[at] = values[at] if previous is None else op(previous, values[at])
            previous = out[at]
    return out


def sample(count, op, element, rng):
    if op == "multiply":
        return [rng.choice([1, 1, 1, 2, -1]) for _ in range(count)]
    if op != "add":
        return [rng.randrange(0 if element.startswith("ui") or op in ("or", "xor") else -90, 120) for _ in range(count)]
    if element in EXACT:  # no running sum of theirs leaves the whole numbers that the type holds
        cycle = [3, -2, 0, 1, -3, 2, -1]
        return [cycle[at % 7] for at in range(count)]
    return [rng.randint(-9, 9) for _ in range(count)]


def module(case, rng):
    name, op, element, shape, dim, reverse, epilogue = case
    count = 1
    for extent in shape:
        count *= extent
    values = sample(count, op, element, rng)
    result = scan(values, shape, dim, reverse, OPS[op])
    after = [-v for v in result] if epilogue and not element.startswith("ui") else result
    if element in EXACT and op == "add":
        assert max(map(abs, result)) <= EXACT[element], name
    whole = "tensor<" + "".join(f"{d}x" for d in shape) + element + ">"
    ones = ", ".join("1" for _ in shape)
    window = ", ".join(str(extent if d == dim else 1) for d, extent in enumerate(shape))
    pads = [([0, shape[d] - 1] if reverse else [shape[d] - 1, 0]) if d == dim else [0, 0] for d in range(len(shape))]
    body = f"""func.func @main() {{
  %a = stablehlo.constant dense<"0x{cases.encode(values, element).hex().upper()}"> : {whole}
  %x = stablehlo.optimization_barrier %a : {whole}
  %z = stablehlo.constant dense<{start(op, element)}> : tensor<{element}>
  %s = "stablehlo.reduce_window"(%x, %z) <{{window_dimensions = array<i64: {window}>,
    window_strides = array<i64: {ones}>, base_dilations = array<i64: {ones}>,
      window_dilations = array<i64: {ones}>, padding = dense<{pads}> : tensor<{len(shape)}x2xi64>}}> ({{
  ^bb0(%p: tensor<{element}>, %q: tensor<{element}>):
    %c = stablehlo.{op} %p, %q : tensor<{element}>
    stablehlo.return %c : tensor<{element}>
  }}) : ({whole}, tensor<{element}>) -> {whole}
"""
    if after is not result:
        body += f"  %y = stablehlo.negate %s : {whole}\n"
    expected = f'dense<"0x{cases.encode(after, element).hex().upper()}">'
    return body + f"  check.expect_eq_const {'%s' if after is result else '%y'}, {expected} : {whole}\n  return\n}}\n"


def main(tpuc, folder):
    rng = random.Random(1)
    cases.run(tpuc, folder, [(case[0], module(case, rng)) for case in CASES])


if __name__ == "__main__":
    main(sys.argv[1], pathlib.Path(sys.argv[2]))
