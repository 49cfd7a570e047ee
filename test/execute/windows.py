#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""windows.py TPUC FOLDER: convolutions, their gradients, pooling and its gradient, of odd shapes, against sums over
whole numbers.

Every case is a module with its operands and what it expects inside; FOLDER is where they are written. Small whole
numbers are exact in bf16 and their sums in f32, so results are compared for equality, on targets that differ in arrays
and memory."""

import itertools
import operator
import pathlib
import random
import sys

import cases

NUMBERS = {
    "fwd": "[b, {s}, f]x[{s}, i, o]->[b, {s}, f]",
    "input": "[b, {s}, f]x[{s}, o, i]->[b, {s}, f]",
    "weights": "[f, {s}, b]x[i, {s}, o]->[{s}, b, f]",
    "first": "[b, f, {s}]x[o, i, {s}]->[b, f, {s}]",
}
# name, numbers, types, batch, in, out, per axis (size, window, stride, low, high, base dilation, window dilation),
# groups, reversed
CONVOLUTIONS = [
    ("square", "fwd", "f32", 2, 5, 7, [(6, 3, 1, 1, 1, 1, 1), (9, 3, 1, 1, 1, 1, 1)], 1, False),
    ("bf16", "fwd", "bf16", 1, 64, 16, [(5, 3, 1, 1, 1, 1, 1), (17, 3, 1, 1, 1, 1, 1)], 1, False),
    # Few features, more taps than a dim's: all of them side by side before they are turned.
    ("volume", "fwd", "bf16", 2, 3, 9, [(4, 3, 2, 0, 1, 1, 1), (8, 7, 1, 3, 3, 1, 1), (9, 7, 2, 3, 2, 1, 1)], 1, False),
    ("cubes", "fwd", "f32", 1, 1, 10, [(6, 5, 1, 2, 2, 1, 1), (7, 5, 1, 2, 1, 1, 1), (17, 5, 1, 2, 2, 1, 1)], 1, False),
    ("int8", "fwd", "i8", 2, 33, 40, [(4, 2, 1, 0, 1, 1, 1), (7, 3, 2, 1, 1, 1, 1)], 1, False),
    ("many_features", "fwd", "f32", 1, 130, 3, [(3, 3, 1, 1, 1, 1, 1), (4, 1, 1, 0, 0, 1, 1)], 1, False),
    ("strides", "fwd", "bf16", 3, 3, 8, [(11, 5, 2, 2, 1, 1, 1), (13, 3, 3, 0, 2, 1, 1)], 1, False),
    ("dilations", "fwd", "f32", 1, 4, 5, [(5, 2, 1, 1, 2, 2, 3), (6, 3, 2, 0, 1, 3, 2)], 1, False),
    ("cropped", "fwd", "f32", 1, 8, 5, [(9, 3, 1, -1, -2, 1, 1), (10, 3, 1, -2, 1, 1, 1)], 1, False),
    ("one_column", "fwd", "f32", 4, 6, 20, [(5, 3, 1, 0, 0, 1, 1), (3, 3, 1, 0, 0, 1, 1)], 1, False),
    ("one_axis", "fwd", "bf16", 2, 3, 9, [(40, 7, 2, 3, 3, 1, 1)], 1, False),
    (
        "three_axes",
        "fwd",
        "f32",
        1,
        4,
        6,
        [(4, 2, 1, 1, 0, 1, 1), (5, 3, 2, 1, 1, 1, 1), (6, 2, 1, 0, 0, 1, 1)],
        1,
        False,
    ),
    ("features_first", "first", "f32", 2, 3, 4, [(6, 3, 1, 1, 1, 1, 1), (7, 3, 1, 1, 1, 1, 1)], 1, False),
    ("of_input", "input", "bf16", 2, 40, 24, [(5, 3, 1, 1, 2, 2, 1), (6, 3, 1, 1, 1, 2, 1)], 1, True),
    ("of_input_wide", "input", "f32", 1, 140, 5, [(4, 3, 1, 1, 1, 1, 1), (4, 3, 1, 1, 1, 1, 1)], 1, True),
    ("of_weights", "weights", "f32", 3, 10, 12, [(6, 6, 1, 1, 1, 1, 1), (7, 7, 1, 1, 1, 1, 1)], 1, False),
    ("of_weights_strided", "weights", "bf16", 2, 3, 20, [(9, 5, 1, 1, 1, 1, 2), (10, 5, 1, 1, 1, 1, 2)], 1, False),
    ("of_weights_wide", "weights", "f32", 2, 150, 20, [(4, 4, 1, 1, 1, 1, 1), (3, 3, 1, 0, 0, 1, 1)], 1, False),
    ("box", "weights", "f32", 1, 3, 5, [(6, 5, 1, 0, 0, 1, 1), (7, 7, 1, 3, 3, 1, 1), (9, 7, 1, 3, 3, 1, 1)], 1, False),
    ("of_weights_long", "weights", "f32", 1, 2, 3, [(300, 300, 1, 1, 1, 1, 1)], 1, False),
    ("grouped", "fwd", "f32", 1, 8, 12, [(5, 3, 1, 1, 1, 1, 1), (6, 3, 1, 1, 1, 1, 1)], 4, False),
    ("depthwise", "fwd", "bf16", 2, 20, 20, [(7, 3, 2, 1, 1, 1, 1), (9, 3, 1, 1, 1, 1, 1)], 20, False),
    # Of depthwise weights: rows of 9 and 19 positions, 4 at once and 1; a stride; more taps than registers hold; one
    # axis; three.
    ("of_depthwise", "weights", "bf16", 3, 20, 20, [(10, 8, 1, 0, 0, 1, 1), (9, 9, 1, 1, 1, 1, 1)], 20, False),
    ("of_depthwise_strided", "weights", "f32", 2, 5, 5, [(9, 5, 1, 1, 1, 1, 2), (38, 19, 1, 0, 1, 1, 2)], 5, False),
    ("of_depthwise_wide", "weights", "bf16", 2, 130, 130, [(4, 4, 1, 2, 2, 1, 1), (5, 3, 1, 2, 2, 1, 1)], 130, False),
    ("of_depthwise_row", "weights", "f16", 3, 24, 24, [(40, 33, 2, -1, 2, 1, 1)], 24, False),
    (
        "of_depthwise_space",
        "weights",
        "f32",
        2,
        3,
        3,
        [(3, 3, 1, 1, 1, 1, 1), (4, 3, 1, 0, 1, 1, 1), (5, 9, 1, 1, 1, 2, 1)],
        3,
        False,
    ),
    # Many images: the batch lies along lanes. Tails of lanes, features and groups of 8 rows; one feature in, one out.
    ("images", "fwd", "f32", 130, 3, 7, [(4, 3, 1, 1, 1, 1, 1), (5, 3, 1, 1, 1, 1, 1)], 1, False),
    ("images_bf16", "fwd", "bf16", 140, 9, 4, [(4, 2, 1, 1, 0, 1, 1), (3, 3, 1, 1, 1, 1, 1)], 1, False),
    ("images_of_one", "fwd", "bf16", 200, 1, 5, [(5, 3, 2, 1, 1, 1, 1), (9, 5, 1, 2, 2, 1, 1)], 1, False),
    ("images_to_one", "fwd", "f32", 130, 10, 1, [(3, 2, 1, 0, 1, 1, 1), (4, 3, 1, 1, 1, 1, 1)], 1, False),
    ("images_apart", "first", "f32", 150, 2, 3, [(7, 2, 1, 0, 0, 1, 3), (6, 2, 1, -1, 2, 1, 2)], 1, False),
    ("images_of_input", "input", "f32", 130, 6, 4, [(3, 3, 1, 1, 2, 2, 1), (3, 3, 1, 1, 1, 2, 1)], 1, True),
    ("images_in_a_row", "fwd", "f32", 300, 1, 4, [(12, 4, 1, 3, 2, 1, 2)], 1, False),
    ("images_of_weights", "weights", "f32", 130, 3, 5, [(5, 4, 1, 1, 1, 1, 1), (4, 4, 1, 1, 1, 1, 1)], 1, False),
    ("images_of_weights_bf16", "weights", "bf16", 200, 1, 6, [(6, 6, 1, 1, 1, 1, 1), (5, 5, 1, 1, 1, 1, 1)], 1, False),
    ("images_of_weights_apart", "weights", "f32", 140, 10, 3, [(7, 3, 1, 1, 1, 1, 2), (5, 5, 1, 1, 1, 1, 1)], 1, False),
]
# name, body, start, type, shape, window, strides, padding
POOLS = [
    # Too many elements for one kernel: along columns, then along rows.
    ("in_two", "maximum", max, 3, "bf16", [2, 9, 14, 9], [1, 9, 13, 1], [1, 1, 2, 1], [(0, 0), (4, 4), (6, 5), (0, 0)]),
    ("sums_in_two", "add", lambda a, b: a + b, 0, "f32", [12, 11, 7], [9, 9, 1], [2, 1, 1], [(0, 3), (4, 4), (0, 0)]),
    ("largest", "maximum", max, -100, "f32", [2, 6, 9, 20], [1, 2, 2, 1], [1, 2, 2, 1], [(0, 0)] * 4),
    (
        "overlapping",
        "maximum",
        max,
        -100,
        "bf16",
        [1, 7, 10, 3],
        [1, 3, 3, 1],
        [1, 2, 2, 1],
        [(0, 0), (1, 1), (0, 1), (0, 0)],
    ),
    ("sums", "add", lambda a, b: a + b, 0, "f32", [9, 130], [4, 1], [2, 1], [(1, 2), (0, 0)]),
    ("least", "minimum", min, 100, "i32", [3, 8, 9], [2, 3, 1], [1, 1, 1], [(1, 0), (1, 1), (0, 0)]),
    ("features_first", "maximum", max, -100, "f32", [1, 3, 6, 8], [1, 1, 2, 2], [1, 1, 2, 2], [(0, 0)] * 4),
]
# name, body, start, type, shape, (low, high, between) of a pad before the window, window, strides, padding, as the
# gradient of a mean over pools
SPREAD = [
    (
        "pools",
        "add",
        lambda a, b: a + b,
        0,
        "f32",
        [3, 7, 9, 6],
        [(0, 0, 0), (1, 1, 1), (1, 1, 1), (0, 0, 0)],
        [1, 2, 2, 1],
        [1, 1, 1, 1],
        [(0, 0)] * 4,
    ),
    (
        "overlapping_pools",
        "add",
        lambda a, b: a + b,
        0,
        "bf16",
        [2, 5, 11, 16],
        [(0, 0, 0), (2, 1, 1), (2, 2, 2), (0, 0, 0)],
        [1, 3, 3, 1],
        [1, 1, 1, 1],
        [(0, 0), (0, 1), (1, 0), (0, 0)],
    ),
    (
        "strided",
        "maximum",
        max,
        -100,
        "f32",
        [1, 6, 21, 130],
        [(0, 0, 0), (0, 3, 2), (4, 0, 1), (0, 0, 0)],
        [1, 3, 2, 1],
        [1, 2, 3, 1],
        [(0, 0), (1, 1), (0, 2), (0, 0)],
    ),
    (
        "whole_numbers",
        "minimum",
        min,
        100,
        "i32",
        [4, 17, 5],
        [(1, 0, 1), (0, 2, 3), (0, 0, 0)],
        [2, 3, 1],
        [1, 1, 1],
        [(0, 0)] * 3,
    ),
    (
        "batch",
        "add",
        lambda a, b: a + b,
        0,
        "f32",
        [5, 3, 33],
        [(1, 2, 2), (0, 0, 0), (0, 0, 0)],
        [3, 1, 1],
        [2, 1, 1],
        [(0, 0)] * 3,
    ),
    (
        "lanes",
        "add",
        lambda a, b: a + b,
        0,
        "f32",
        [2, 9, 12],
        [(0, 0, 0), (1, 0, 1), (1, 1, 1)],
        [1, 2, 2],
        [1, 1, 1],
        [(0, 0)] * 3,
    ),
]
# name, direction, type, shape, window, strides, padding: the gradient of pooling
SELECTIONS = [
    ("largest", "GE", "f32", [2, 6, 9, 20], [1, 2, 2, 1], [1, 2, 2, 1], [(0, 0)] * 4),
    ("overlapping", "GE", "bf16", [1, 7, 10, 3], [1, 3, 3, 1], [1, 2, 2, 1], [(0, 0), (1, 1), (0, 1), (0, 0)]),
    ("least", "LT", "f32", [5, 9, 130], [3, 2, 1], [1, 1, 1], [(1, 2), (1, 0), (0, 0)]),
    ("along_lanes", "GT", "f32", [4, 9], [1, 3], [1, 2], [(0, 0), (1, 1)]),
    # Rows cut into blocks, of 67 rows 6. The last has one, over which a window would lie that there is not.
    ("rows_cut", "GE", "bf16", [1, 67, 20, 3], [1, 2, 2, 1], [1, 2, 2, 1], [(0, 0)] * 4),
    ("rows_cut_between", "GT", "bf16", [1, 67, 20, 3], [1, 3, 3, 1], [1, 2, 2, 1], [(0, 0), (1, 1), (0, 1), (0, 0)]),
    ("rows_cut_apart", "LE", "f32", [71, 18, 5], [2, 3, 1], [3, 1, 1], [(1, 0), (0, 0), (0, 0)]),
    ("rows_cut_padded", "GE", "i32", [1, 67, 17, 3], [1, 5, 3, 1], [1, 2, 3, 1], [], -9, [(0, 0), (2, 2), (1, 0)]),
    # Of many positions: windows apart are reduced, others walked in loops.
    ("many", "GE", "f32", [2, 14, 15, 3], [1, 14, 15, 1], [1, 1, 1, 1], [(0, 0)] * 4),
    ("many_between", "LE", "bf16", [17, 60], [8, 9], [9, 11], [(1, 2), (3, 0)]),
    ("many_numbers", "GT", "i32", [3, 100], [1, 33], [1, 40], [(0, 0), (5, 7)]),
    ("many_overlapping", "GE", "f32", [20, 31], [6, 18], [1, 1], [(2, 1), (4, 9)]),
    ("many_steps", "LT", "bf16", [2, 15, 40], [1, 5, 17], [1, 2, 3], [(0, 0), (1, 3), (0, 8)]),
    ("many_in_a_row", "GT", "i32", [130], [64], [1], [(10, 20)]),
    ("many_cut", "GE", "i32", [40, 9], [35, 1], [2, 3], [(-2, 1), (1, -1)]),
    # The operand padded before, and what it makes sliced: windows may select what is padded, which then is lost.
    ("padded", "GE", "bf16", [2, 7, 9, 20], [1, 3, 3, 1], [1, 2, 2, 1], [], -99, [(0, 0), (1, 1), (0, 1)]),
    ("padded_with_more", "GT", "f32", [1, 6, 8, 3], [1, 2, 3, 1], [1, 1, 2, 1], [], 1, [(0, 0), (1, 0), (2, 2)]),
    (
        "padded_twice",
        "LE",
        "f32",
        [1, 6, 8, 3],
        [1, 3, 3, 1],
        [1, 2, 1, 1],
        [(0, 0), (1, 1), (0, 1)],
        9,
        [(0, 0), (1, 0), (0, 2)],
    ),
]


def fill(shape, rng):
    return {at: rng.randint(-3, 3) for at in itertools.product(*map(range, shape))}


def dense(values, shape, integer):
    def part(prefix):
        if len(prefix) == len(shape):
            return str(values[prefix]) if integer else f"{values[prefix]}.0"
        return "[" + ", ".join(part(prefix + (i,)) for i in range(shape[len(prefix)])) + "]"

    return f"dense<{part(())}>"


def tensor(shape, element):
    return "tensor<" + "".join(f"{d}x" for d in shape) + element + ">"


def convolution(case, rng):
    name, kind, element, batch, inputs, outputs, axes, groups, reverse = case
    sizes, windows, strides, low, high, base, dilation = zip(*axes)
    out = [((n - 1) * b + 1 + l + h - ((w - 1) * d + 1)) // s + 1 for n, w, s, l, h, b, d in axes]
    n = len(axes)

    def order(batch_, feature, space):  # of the dimension numbers' sides
        return {
            "fwd": (batch_, *space, feature),
            "input": (batch_, *space, feature),
            "weights": (feature, *space, batch_),
            "first": (batch_, feature, *space),
        }[kind]

    def weights_order(i, o, space):
        return {"fwd": (*space, i, o), "input": (*space, o, i), "weights": (i, *space, o), "first": (o, i, *space)}[
            kind
        ]

    def result_order(batch_, feature, space):
        return {
            "fwd": (batch_, *space, feature),
            "input": (batch_, *space, feature),
            "weights": (*space, batch_, feature),
            "first": (batch_, feature, *space),
        }[kind]

    batch_groups = 1
    if kind == "weights":  # the contracted extent is `batch`, the rows are `in`
        batch, inputs = inputs, batch
        groups, batch_groups = 1, groups
    lhs_shape, rhs_shape, shape = (
        order(batch, inputs, sizes),
        weights_order(inputs // groups, outputs, windows),
        result_order(batch // batch_groups, outputs, out),
    )
    lhs, rhs, result = fill(lhs_shape, rng), fill(rhs_shape, rng), {}
    for b, o, at in itertools.product(
        range(batch // batch_groups), range(outputs), itertools.product(*map(range, out))
    ):
        total, first = 0, o // (outputs // groups) * (inputs // groups)
        image = o // (outputs // batch_groups) * (batch // batch_groups) + b
        for tap in itertools.product(*map(range, windows)):
            place = [at[d] * strides[d] + tap[d] * dilation[d] - low[d] for d in range(n)]
            if any(p < 0 or p % base[d] or p // base[d] >= sizes[d] for d, p in enumerate(place)):
                continue
            place = tuple(p // base[d] for d, p in enumerate(place))
            tap = tuple(windows[d] - 1 - t for d, t in enumerate(tap)) if reverse else tap
            for i in range(inputs // groups):
                total += lhs[order(image, first + i, place)] * rhs[weights_order(i, o, tap)]
        result[result_order(b, o, at)] = total
    integer, to = element == "i8", "i32" if element == "i8" else "f32"
    space = ", ".join(map(str, range(n)))

    def text(values):
        return "[" + ", ".join(map(str, values)) + "]"

    types = f"({tensor(lhs_shape, element)}, {tensor(rhs_shape, element)}) -> {tensor(shape, to)}"
    return f"""func.func @main() {{
  %x = stablehlo.constant {dense(lhs, lhs_shape, integer)} : {tensor(lhs_shape, element)}
  %w = stablehlo.constant {dense(rhs, rhs_shape, integer)} : {tensor(rhs_shape, element)}
  %y = stablehlo.convolution(%x, %w) dim_numbers = {NUMBERS[kind].format(s=space)},
    window = {{stride = {text(strides)}, pad = {text(map(list, zip(low, high)))},
      lhs_dilate = {text(base)}, rhs_dilate = {text(dilation)}, reverse = {text([str(reverse).lower()] * n)}}}
    {{batch_group_count = {batch_groups} : i64, feature_group_count = {groups} : i64}} : {types}
  check.expect_eq_const %y, {dense(result, shape, integer)} : {tensor(shape, to)}
  return
}}
"""


def pool(case, rng):
    name, body, combine, start, element, shape, window, strides, padding = case
    x = fill(shape, rng)
    return f"""func.func @main() {{
  %x = {given(x, shape, element)}
{reduced(x, shape, body, combine, start, element, window, strides, padding)}}}
"""


def spread(case, rng):
    name, body, combine, start, element, shape, pads, window, strides, padding = case
    x = fill(shape, rng)
    low, high, between = zip(*pads)
    wide = [l + (n - 1) * (i + 1) + 1 + h for n, l, h, i in zip(shape, low, high, between)]
    padded = {tuple(l + p * (i + 1) for p, l, i in zip(at, low, between)): value for at, value in x.items()}
    number = start if element == "i32" else f"{start}.0"
    return f"""func.func @main() {{
  %small = {given(x, shape, element)}
  %fill = stablehlo.constant dense<{number}> : tensor<{element}>
  %x = stablehlo.pad %small, %fill, low = {list(low)}, high = {list(high)}, interior = {list(between)} :
    ({tensor(shape, element)}, tensor<{element}>) -> {tensor(wide, element)}
{reduced(padded, wide, body, combine, start, element, window, strides, padding)}}}
"""


def given(x, shape, element):
    return f"stablehlo.constant {dense(x, shape, element == 'i32')} : {tensor(shape, element)}"


# A window over %x, which is `start` wherever `x` has nothing.
def reduced(x, shape, body, combine, start, element, window, strides, padding):
    out = [(n + l + h - w) // s + 1 for n, (l, h), w, s in zip(shape, padding, window, strides)]
    result = {}
    for at in itertools.product(*map(range, out)):
        value = start
        for tap in itertools.product(*map(range, window)):
            place = tuple(a * s + t - l for a, s, t, (l, _) in zip(at, strides, tap, padding))
            value = combine(value, x.get(place, start))
        result[at] = value
    integer = element == "i32"
    array = lambda values: "array<i64: " + ", ".join(map(str, values)) + ">"
    scalar = f"tensor<{element}>"
    return f"""  %start = stablehlo.constant dense<{start}{"" if integer else ".0"}> : {scalar}
  %y = "stablehlo.reduce_window"(%x, %start) <{{
    padding = dense<{[list(p) for p in padding]}> : tensor<{len(shape)}x2xi64>,
    window_dimensions = {array(window)}, window_strides = {array(strides)}}}> ({{
  ^bb0(%a: {scalar}, %b: {scalar}):
    %c = stablehlo.{body} %a, %b : {scalar}
    stablehlo.return %c : {scalar}
  }}) : ({tensor(shape, element)}, {scalar}) -> {tensor(out, element)}
  check.expect_eq_const %y, {dense(result, out, integer)} : {tensor(out, element)}
  return
"""


def selection(case, rng):
    name, direction, element, shape, window, strides, padding, *before = case
    value, pads = before if before else (0, [])
    padding, pads = ([*some, *[(0, 0)] * (len(shape) - len(some))] for some in (padding, pads))
    keep = {"GE": operator.ge, "GT": operator.gt, "LE": operator.le, "LT": operator.lt}[direction]
    large = [l + n + h for n, (l, h) in zip(shape, pads)]
    out = [(n + l + h - w) // s + 1 for n, (l, h), w, s in zip(large, padding, window, strides)]
    x, values = fill(shape, rng), fill(out, rng)
    inside = lambda at: tuple(a - l for a, (l, _) in zip(at, pads))
    padded = {at: x.get(inside(at), value) for at in itertools.product(*map(range, large))}
    result = {at: 0 for at in padded}
    for at in itertools.product(*map(range, out)):
        chosen = None
        for tap in itertools.product(*map(range, window)):
            place = tuple(a * s + t - l for a, s, t, (l, _) in zip(at, strides, tap, padding))
            if place in padded and (chosen is None or not keep(padded[chosen], padded[place])):
                chosen = place
        if chosen is not None:
            result[chosen] += values[at]
    result = {inside(at): result[at] for at in result if inside(at) in x}
    array = lambda numbers: "array<i64: " + ", ".join(map(str, numbers)) + ">"
    scalar, own, whole = f"tensor<{element}>", tensor(shape, element), tensor(large, element)
    integer = element == "i32"
    slices = ", ".join(f"{l}:{l + n}" for n, (l, _) in zip(shape, pads))
    return f"""func.func @main() {{
  %given = stablehlo.constant {dense(x, shape, integer)} : {own}
  %pad = stablehlo.constant dense<{value}{"" if integer else ".0"}> : {scalar}
  %x = stablehlo.pad %given, %pad, low = {[l for l, _ in pads]}, high = {[h for _, h in pads]},
      interior = {[0] * len(shape)} : ({own}, {scalar}) -> {whole}
  %v = stablehlo.constant {dense(values, out, integer)} : {tensor(out, element)}
  %zero = stablehlo.constant dense<0{"" if integer else ".0"}> : {scalar}
  %y = "stablehlo.select_and_scatter"(%x, %v, %zero) <{{
    padding = dense<{[list(p) for p in padding]}> : tensor<{len(shape)}x2xi64>,
    window_dimensions = {array(window)}, window_strides = {array(strides)}}}> ({{
  ^bb0(%a: {scalar}, %b: {scalar}):
    %c = stablehlo.compare {direction}, %a, %b : ({scalar}, {scalar}) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }}, {{
  ^bb0(%a: {scalar}, %b: {scalar}):
    %c = stablehlo.add %a, %b : {scalar}
    stablehlo.return %c : {scalar}
  }}) : ({whole}, {tensor(out, element)}, {scalar}) -> {whole}
  %z = stablehlo.slice %y [{slices}] : ({whole}) -> {own}
  check.expect_eq_const %z, {dense(result, shape, integer)} : {own}
  return
}}
"""


def main(tpuc, folder):
    rng = random.Random(1)
    kinds = (
        ("conv", CONVOLUTIONS, convolution),
        ("pool", POOLS, pool),
        ("spread", SPREAD, spread),
        ("select", SELECTIONS, selection),
    )
    cases.run(tpuc, folder, [(f"{kind}_{case[0]}", write(case, rng)) for kind, named, write in kinds for case in named])


if __name__ == "__main__":
    main(sys.argv[1], pathlib.Path(sys.argv[2]))
