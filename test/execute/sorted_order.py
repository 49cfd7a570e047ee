#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""sorted_order.py TPUC FOLDER: gathers and scatters in the order of a sort, and scatters of one value, against lists.

Keys repeat, so that only a stable order is right. Indices of the scatters repeat and reach beyond both ends."""

import pathlib
import sys

import cases

BATCHED = """collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0],
      start_index_map = [1], index_vector_dim = 2"""
SCATTERED = """inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0],
      scatter_dims_to_operand_dims = [1], index_vector_dim = 2"""


def constant(name, values, shape, element):
    data = cases.encode(values, element).hex().upper()
    return f'  %{name} = stablehlo.constant dense<"0x{data}"> : tensor<{shape}x{element}>\n'


def expect(name, values, shape, element):
    return constant(f"{name}_is", values, shape, element) + (
        f"  check.expect_eq %{name}, %{name}_is : tensor<{shape}x{element}>\n"
    )


def order(rows, n):
    """Keys, other values, the keys' order and moves in it: of themselves, of their negation, of others, back."""
    keys = [(i * 7919) % 31 - 15 for i in range(rows * n)]
    others = [(i * 104729) % 100003 for i in range(rows * n)]
    orders = [sorted(range(n), key=lambda i: keys[r * n + i]) for r in range(rows)]

    def taken(values):
        return [values[r * n + i] for r in range(rows) for i in orders[r]]

    back = [v + 1 for v in others]
    for r in range(rows):
        for at, i in enumerate(orders[r]):
            back[r * n + i] = others[r * n + i] + others[r * n + at]
    s = f"{rows}x{n}"
    gathers = "".join(
        f"""  %{name} = "stablehlo.gather"(%{of}, %i) <{{dimension_numbers = #stablehlo.gather<{BATCHED}>,
      slice_sizes = array<i64: 1, 1>}}> : (tensor<{s}xi32>, tensor<{s}x1xi32>) -> tensor<{s}xi32>
"""
        for name, of in (("own", "k"), ("negated", "n"), ("carried", "o"))
    )
    return (
        "func.func @main() {\n"
        + constant("k", keys, s, "i32")
        + constant("o", others, s, "i32")
        + f"""  %n = stablehlo.negate %k : tensor<{s}xi32>
  %p = stablehlo.iota dim = 1 : tensor<{s}xi32>
  %s:2 = "stablehlo.sort"(%k, %p) <{{dimension = 1 : i64, is_stable = true}}> ({{
  ^bb0(%a: tensor<i32>, %b: tensor<i32>, %c: tensor<i32>, %d: tensor<i32>):
    %l = stablehlo.compare LT, %a, %b : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %l : tensor<i1>
  }}) : (tensor<{s}xi32>, tensor<{s}xi32>) -> (tensor<{s}xi32>, tensor<{s}xi32>)
  %i = stablehlo.reshape %s#1 : (tensor<{s}xi32>) -> tensor<{s}x1xi32>
{gathers}  %back = "stablehlo.scatter"(%o, %i, %o) <{{scatter_dimension_numbers = #stablehlo.scatter<
      {SCATTERED}>}}> ({{
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %t = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %t : tensor<i32>
  }}) : (tensor<{s}xi32>, tensor<{s}x1xi32>, tensor<{s}xi32>) -> tensor<{s}xi32>
"""
        + expect("own", taken(keys), s, "i32")
        + expect("negated", taken([-k for k in keys]), s, "i32")
        + expect("carried", taken(others), s, "i32")
        + expect("back", back, s, "i32")
        + "  return\n}\n"
    )


ADD = "    %t = stablehlo.add %a, %b : tensor<i32>\n"
MAXIMUM = "    %t = stablehlo.maximum %a, %b : tensor<i32>\n"
UPDATES = {
    "set": ("", "%b", lambda old, count: 5 if count else old),
    "add": (ADD, "%t", lambda old, count: old + 5 * count),
    "max": (MAXIMUM, "%t", lambda old, count: max(old, 5) if count else old),
}


def counted(update, rows, places, n):
    """n indices a row, of which many are the same and some are outside."""
    index = [(i * i * 7919) % (places + 7) - 3 if i % 5 else places - 1 for i in range(rows * n)]
    old = [(i * 31) % 13 for i in range(rows * places)]
    ops, result, new = UPDATES[update]
    counts = [0] * (rows * places)
    for at, i in enumerate(index):
        if 0 <= i < places:
            counts[at // n * places + i] += 1
    s, u = f"{rows}x{places}", f"{rows}x{n}"
    return (
        "func.func @main() {\n"
        + constant("x", old, s, "i32")
        + constant("i", index, f"{u}x1", "i32")
        + f"""  %five = stablehlo.constant dense<5> : tensor<{u}xi32>
  %y = "stablehlo.scatter"(%x, %i, %five) <{{scatter_dimension_numbers = #stablehlo.scatter<
      {SCATTERED}>}}> ({{
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
{ops}    stablehlo.return {result} : tensor<i32>
  }}) : (tensor<{s}xi32>, tensor<{u}x1xi32>, tensor<{u}xi32>) -> tensor<{s}xi32>
"""
        + expect("y", [new(o, c) for o, c in zip(old, counts)], s, "i32")
        + "  return\n}\n"
    )


ORDERS = [("order", order(3, 300)), ("long_order", order(1, 5000))]
COUNTS = [
    ("seen", counted("set", 3, 5000, 600)),
    ("sums", counted("add", 2, 12801, 260)),
    ("most", counted("max", 1, 30000, 700)),
]


def main(tpuc, folder):
    cases.run(tpuc, folder, ORDERS, "--constants=arrays")
    # The value is to be seen. Arrays that take integers alone count too.
    for targets in (cases.TARGETS, ["v1"]):
        cases.run(tpuc, folder, COUNTS, targets=targets)
    for name, _ in COUNTS:
        cases.expect_planned(tpuc, folder / f"{name}.mlir", 'kernel.fusion "dot"')


if __name__ == "__main__":
    main(sys.argv[1], pathlib.Path(sys.argv[2]))
