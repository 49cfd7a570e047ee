#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random valid modules of StableHLO: modules.py FIRST COUNT DIR writes DIR/SEED/program.mlir and its inputs for each
seed.

The rules that add an op each, over the values of builder.py; those of regions.py and wide.py join them. Domains are
kept by what is added in front (log of |x| + 1).
"""

import math
import pathlib
import random
import struct
import sys

import builder
import regions
import wide
from builder import (
    COMPLEX,
    EXACT_LIMIT,
    FLOATS,
    INTEGERS,
    REALS,
    SIGNED,
    UNSIGNED,
    Builder,
    Value,
    bits,
    body_of,
    dense,
    numbers,
    reduced_bound,
    reducer,
    tensor,
    ways_of,
)


# ---- elementwise -----------------------------------------------------------------------------------------------------


def unary(b):
    v = b.pick(lambda v: v.element in FLOATS)
    if not v:
        return None
    v = b.tame(v)
    name = b.rng.choice(
        [
            "negate",
            "abs",
            "tanh",
            "logistic",
            "sine",
            "cosine",
            "exponential",
            "exponential_minus_one",
            "log",
            "log_plus_one",
            "sqrt",
            "rsqrt",
            "cbrt",
        ]
    )
    if name in ("negate", "abs"):
        return b.op(name, [v], v.element, v.shape, exact=v.exact, bound=v.bound)
    if name in ("exponential", "exponential_minus_one"):
        v = b.op("clamp", [b.filled(v, -3), v, b.filled(v, 3)], v.element, v.shape, exact=v.exact, bound=3)
        return b.op(name, [v], v.element, v.shape, bound=21)
    if name in ("log", "rsqrt", "sqrt", "log_plus_one"):
        v = b.op("abs", [v], v.element, v.shape, exact=v.exact, bound=v.bound)
        if name != "log_plus_one":
            v = b.op("add", [v, b.constant(v.element, v.shape, 1)], v.element, v.shape, bound=v.bound + 1)
    return b.op(name, [v], v.element, v.shape, bound=max(2.0, min(v.bound, 40)))


def unary_exact(b):
    v = b.pick(lambda v: v.element in INTEGERS or (v.element in FLOATS and v.exact))
    if not v:
        return None
    if v.element in FLOATS:
        return b.op(
            b.rng.choice(["floor", "ceil", "round_nearest_even", "round_nearest_afz", "sign"]),
            [v],
            v.element,
            v.shape,
            exact=True,
            bound=v.bound,
        )
    name = b.rng.choice(
        ["not", "popcnt", "count_leading_zeros", "negate"] + (["abs", "sign"] if v.element in SIGNED else [])
    )
    return b.op(name, [v], v.element, v.shape)


def binary(b):
    v = b.pick(lambda v: v.element in REALS)
    if not v:
        return None
    v = b.tame(v)
    w = b.partner(v)
    if v.element in INTEGERS:
        return integer_binary(b, v, w)
    w = b.tame(w)
    exact = v.exact and w.exact
    name = b.rng.choice(["add", "subtract", "multiply", "maximum", "minimum", "divide", "power", "atan2"])
    bounds = {"multiply": v.bound * w.bound, "maximum": max(v.bound, w.bound), "minimum": max(v.bound, w.bound)}
    if name in ("divide", "power", "atan2"):
        base = b.op("abs", [v if name == "power" else w], v.element, v.shape, exact=exact, bound=max(v.bound, w.bound))
        base = b.op("add", [base, b.constant(v.element, v.shape, 1)], v.element, v.shape, bound=base.bound + 1)
        if name == "power":
            w = b.op("clamp", [b.filled(w, -2), w, b.filled(w, 2)], w.element, w.shape, bound=2)
            return b.op(name, [base, w], v.element, v.shape, bound=base.bound**2)
        return b.op(name, [v, base], v.element, v.shape, bound=max(v.bound, 2))
    return b.op(name, [v, w], v.element, v.shape, exact=exact, bound=bounds.get(name, v.bound + w.bound))


def integer_binary(b, v, w):
    name = b.rng.choice(
        [
            "add",
            "subtract",
            "multiply",
            "maximum",
            "minimum",
            "and",
            "or",
            "xor",
            "divide",
            "remainder",
            "shift_left",
            "shift_right_logical",
            "shift_right_arithmetic",
        ]
    )
    if name in ("divide", "remainder"):
        w = b.filled(v, b.rng.randint(1, 9))  # the quotient of the least number by -1 is not defined
    if name.startswith("shift"):
        w = b.filled(v, b.rng.randint(0, bits(v.element) - 1))
    return b.op(name, [v, w], v.element, v.shape)


def logic(b):
    v = b.pick(lambda v: v.element == "i1")
    if not v:
        return None
    if b.rng.random() < 0.2:
        return b.op("not", [v], "i1", v.shape)
    return b.op(b.rng.choice(["and", "or", "xor"]), [v, b.partner(v)], "i1", v.shape)


def compare(b):
    v = b.pick(lambda v: v.element in INTEGERS or v.exact)
    if not v or v.element not in REALS:
        return None
    w = b.partner(v)
    if not w.exact and v.element in FLOATS:
        return None
    direction = b.rng.choice(["EQ", "NE", "GE", "GT", "LE", "LT"])
    return b.op(
        "compare", [v, w], "i1", v.shape, f"comparison_direction = #stablehlo<comparison_direction {direction}>"
    )


def select(b):
    mask = b.pick(lambda v: v.element == "i1")
    v = mask and b.pick(lambda v: v.shape == mask.shape and v.element in REALS)
    if not v:
        return None
    w = b.partner(v)
    return b.op("select", [mask, v, w], v.element, v.shape, exact=v.exact and w.exact, bound=max(v.bound, w.bound))


def convert(b):
    v = b.pick(lambda v: v.element != COMPLEX)
    if not v:
        return None
    to = b.rng.choice(FLOATS + SIGNED + UNSIGNED)
    if v.element in FLOATS:
        if to in INTEGERS and not (v.exact and v.bound < 2 ** (bits(to) - 1)) or to in UNSIGNED:
            return None
        return b.op("convert", [v], to, v.shape, exact=v.exact, bound=v.bound)
    if to not in FLOATS:
        return b.op("convert", [v], to, v.shape, bound=v.bound)
    # Few enough bits to be exact.
    if v.element in REALS:
        v = b.op("remainder", [v, b.filled(v, 100)], v.element, v.shape, bound=99)
    return b.op("convert", [v], to, v.shape, exact=True, bound=99)


# ---- shapes ----------------------------------------------------------------------------------------------------------


def same(v, **more):
    return dict(exact=v.exact, bound=v.bound, **more)


def broadcast(b):
    v = b.pick(lambda v: len(v.shape) < 4 and v.size < b.limit // 15)
    if not v:
        return None
    rank = b.rng.randint(max(len(v.shape), 1), 4)
    dims = sorted(b.rng.sample(range(rank), len(v.shape)))
    shape = [b.extent([1, 2, 3, 5]) for _ in range(rank)]
    for d, s in zip(dims, v.shape):
        shape[d] = s if s != 1 else b.rng.choice([1, shape[d]])
    if math.prod(shape) > b.limit:
        return None
    return b.op("broadcast_in_dim", [v], v.element, shape, f"broadcast_dimensions = {numbers(dims)}", **same(v))


def reshape(b):
    v = b.pick(lambda v: v.size > 1)
    if not v:
        return None
    shape, rest = [], v.size
    while rest > 1 and len(shape) < 4:
        divisors = [d for d in range(2, rest + 1) if rest % d == 0]
        d = b.rng.choice(divisors)
        shape.append(d)
        rest //= d
    if rest > 1:
        shape.append(rest)
    if b.rng.random() < 0.2:
        shape.insert(b.rng.randint(0, len(shape)), 1)
    return b.op("reshape", [v], v.element, shape, **same(v))


def transpose(b):
    v = b.pick(lambda v: len(v.shape) >= 2)
    if not v:
        return None
    order = list(range(len(v.shape)))
    b.rng.shuffle(order)
    return b.op("transpose", [v], v.element, [v.shape[d] for d in order], f"permutation = {numbers(order)}", **same(v))


def slice_(b):
    v = b.pick(lambda v: v.shape)
    if not v:
        return None
    starts, limits, strides, shape = [], [], [], []
    for s in v.shape:
        start = b.rng.randint(0, max(s - 1, 0))
        limit = b.rng.randint(start, s) if b.rng.random() < 0.05 else b.rng.randint(min(start + 1, s), s)
        stride = b.rng.choice([1, 1, 1, 2, 3])
        starts.append(start), limits.append(limit), strides.append(stride), shape.append(-(-(limit - start) // stride))
    return b.op(
        "slice",
        [v],
        v.element,
        shape,
        f"limit_indices = {numbers(limits)}, start_indices = {numbers(starts)}, strides = {numbers(strides)}",
        **same(v),
    )


def pad(b):
    v = b.pick(lambda v: v.shape and v.size and v.element in REALS)
    if not v:
        return None
    low, high, inner, shape = [], [], [], []
    for s in v.shape:
        i, lo, hi = b.rng.choice([0, 0, 1, 2]), b.rng.randint(-1, 2), b.rng.randint(-1, 2)
        size = lo + s + max(s - 1, 0) * i + hi
        if size < 1:
            lo, hi, size = 0, 0, s + max(s - 1, 0) * i
        low.append(lo), high.append(hi), inner.append(i), shape.append(size)
    if math.prod(shape) > b.limit:
        return None
    fill = b.constant(v.element, [], b.rng.randint(0, 3))
    return b.op(
        "pad",
        [v, fill],
        v.element,
        shape,
        f"edge_padding_high = {numbers(high)}, edge_padding_low = {numbers(low)}, interior_padding = {numbers(inner)}",
        **same(v),
    )


def concatenate(b):
    v = b.pick(lambda v: v.shape)
    if not v:
        return None
    d = b.rng.randrange(len(v.shape))
    parts = [v]
    while len(parts) < 3:
        w = b.pick(
            lambda w: (
                w.element == v.element
                and len(w.shape) == len(v.shape)
                and all(i == d or x == y for i, (x, y) in enumerate(zip(w.shape, v.shape)))
            )
        )
        parts.append(w)
        if b.rng.random() < 0.5:
            break
    shape = list(v.shape)
    shape[d] = sum(p.shape[d] for p in parts)
    if math.prod(shape) > b.limit:
        return None
    return b.op(
        "concatenate",
        parts,
        v.element,
        shape,
        f"dimension = {d} : i64",
        exact=all(p.exact for p in parts),
        bound=max(p.bound for p in parts),
    )


def reverse(b):
    v = b.pick(lambda v: v.shape)
    if not v:
        return None
    dims = sorted(b.rng.sample(range(len(v.shape)), b.rng.randint(1, len(v.shape))))
    return b.op("reverse", [v], v.element, v.shape, f"dimensions = {numbers(dims)}", **same(v))


def iota(b):
    shape = [b.extent([1, 2, 3, 5, 8, 17]) for _ in range(b.rng.randint(1, 3))]
    d = b.rng.randrange(len(shape))
    return b.op(
        "iota", [], b.rng.choice(("f32",) + INTEGERS), shape, f"iota_dimension = {d} : i64", exact=True, bound=shape[d]
    )


# ---- reductions ------------------------------------------------------------------------------------------------------


def summed(b, v, bound, terms):
    """What sums of so many terms read of v: what they round is in proportion to the terms, not to the sum."""
    exact = v.exact and v.element in EXACT_LIMIT and bound <= EXACT_LIMIT[v.element]
    return v if exact else b.noisy(v, terms)


def windowed(b, v, init, bound, window, strides, padding, dilation, shape, name):
    """A reduce_window; `padding`: [low, high] of each dim."""
    terms, padded = math.prod(window), v
    if b.apart and any(sum(p) for p in padding):
        low, high = [p[0] for p in padding], [p[1] for p in padding]
        padded = b.op(
            "pad",
            [v, init],
            v.element,
            [s + sum(p) for s, p in zip(v.shape, padding)],
            f"edge_padding_high = {numbers(high)}, edge_padding_low = {numbers(low)}, interior_padding = {numbers([0] * len(low))}",
            exact=v.exact,
            bound=v.bound,
        )
        padding = [[0, 0] for _ in padding]
    padded = summed(b, padded, bound, terms)
    attributes = (
        f"window_dimensions = {numbers(window)}, window_strides = {numbers(strides)}, window_dilations = {numbers(dilation)}, "
        f"padding = {dense(padding, [len(padding), 2])}"
    )
    return b.op(
        "reduce_window",
        [padded, init],
        v.element,
        shape,
        attributes,
        body_of(b, name, v.element),
        exact=v.exact,
        bound=bound,
    )


def reduce(b):
    v = b.pick(lambda v: v.shape and v.element != COMPLEX)
    if not v:
        return None
    v = b.tame(v)
    dims = sorted(b.rng.sample(range(len(v.shape)), b.rng.randint(1, len(v.shape))))
    name, first, grows = reducer(b, v.element)
    count = math.prod(v.shape[d] for d in dims)
    init = b.constant(v.element, [], first)
    bound = reduced_bound(v, first, grows, count)
    shape = [s for d, s in enumerate(v.shape) if d not in dims]
    v = summed(b, v, bound, count)
    return b.op(
        "reduce",
        [v, init],
        v.element,
        shape,
        f"dimensions = {numbers(dims)}",
        body_of(b, name, v.element),
        exact=v.exact,
        bound=bound,
    )


def reduce_window(b):
    v = b.pick(lambda v: v.shape and v.size and v.element in REALS)
    if not v:
        return None
    v = b.tame(v)
    window, strides, padding, dilation, shape = [], [], [], [], []
    for s in v.shape:
        d, w = b.rng.choice([1, 1, 2]), b.rng.randint(1, min(s, 4))
        reach = (w - 1) * d + 1
        lo, hi = b.rng.randint(0, min(2, reach - 1)), b.rng.randint(0, min(2, reach - 1))
        if reach > lo + s + hi:
            d, w, reach, lo, hi = 1, 1, 1, 0, 0
        stride = b.rng.choice([1, 1, 2])
        (
            window.append(w),
            strides.append(stride),
            padding.append([lo, hi]),
            dilation.append(d),
            shape.append((lo + s + hi - reach) // stride + 1),
        )
    name, first, grows = reducer(b, v.element)
    if name == "multiply":
        name, first = "add", 0
    init, count = b.constant(v.element, [], first), math.prod(window)
    # Padding counts: an initial value in each of its places.
    bound = reduced_bound(v, first, grows, count) + (0 if isinstance(first, str) else abs(first)) * count
    return windowed(b, v, init, bound, window, strides, padding, dilation, shape, name)


def cumulative(b):
    """A window over all elements before each one, or from it on: a scan."""
    v = b.pick(lambda v: v.shape and v.size and v.element in REALS and v.size * max(v.shape) < 3e6)
    if not v:
        return None
    v = b.tame(v)
    d = b.rng.randrange(len(v.shape))
    name, first, grows = reducer(b, v.element)
    if name == "multiply":
        name, first = "add", 0
    if v.element == "f16" and grows and v.bound * v.shape[d] > 2**14:
        return None
    ones, window, padding = [1] * len(v.shape), [1] * len(v.shape), [[0, 0] for _ in v.shape]
    window[d], padding[d][b.rng.randint(0, 1)] = v.shape[d], v.shape[d] - 1
    bound = reduced_bound(v, first, grows, v.shape[d]) + (0 if isinstance(first, str) else abs(first)) * v.shape[d]
    return windowed(b, v, b.constant(v.element, [], first), bound, window, ones, padding, ones, v.shape, name)


# ---- contractions ----------------------------------------------------------------------------------------------------

HIGHEST = "precision_config = [#stablehlo<precision HIGHEST>, #stablehlo<precision HIGHEST>]"


def dot(b):
    v = b.pick(lambda v: v.element in ("f32", "bf16", "i8", "i32") and v.shape and v.size)
    if not v:
        return None
    v = b.tame(v)
    batch = list(range(b.rng.randint(0, min(1, len(v.shape) - 1))))
    free = [d for d in range(len(v.shape)) if d not in batch]
    contract = sorted(b.rng.sample(free, b.rng.randint(1, min(2, len(free)))))
    other = (
        [v.shape[d] for d in batch]
        + [v.shape[d] for d in contract]
        + [b.extent([1, 3, 8, 20]) for _ in range(b.rng.randint(0, 1))]
    )
    w = b.pick(lambda w: w.element == v.element and w.shape == tuple(other))
    if not w:
        w = (
            b.op("iota", [], v.element, other, f"iota_dimension = {len(other) - 1} : i64", exact=True, bound=other[-1])
            if other
            else None
        )
    if not w:
        return None
    w = b.tame(w)
    rhs_contract = list(range(len(batch), len(batch) + len(contract)))
    rest = [v.shape[d] for d in free if d not in contract] + other[len(batch) + len(contract) :]
    element = {"i8": "i32", "bf16": b.rng.choice(["bf16", "f32"])}.get(v.element, v.element)
    dims = (
        f"#stablehlo.dot<lhs_batching_dimensions = [{', '.join(map(str, batch))}], rhs_batching_dimensions = [{', '.join(map(str, batch))}], "
        f"lhs_contracting_dimensions = [{', '.join(map(str, contract))}], rhs_contracting_dimensions = [{', '.join(map(str, rhs_contract))}]>"
    )
    shape = [v.shape[d] for d in batch] + rest
    if math.prod(shape) > b.limit:
        return None
    count = math.prod(v.shape[d] for d in contract)
    if not b.affords(math.prod(shape) * count):
        return None
    bound = v.bound * w.bound * count
    exact = v.exact and w.exact
    return b.op(
        "dot_general",
        [v if exact else summed(b, v, bound, count), w],
        element,
        shape,
        f"dot_dimension_numbers = {dims}, {HIGHEST}",
        exact=exact,
        bound=bound,
    )


def convolution(b):
    v = b.pick(lambda v: v.element in FLOATS and len(v.shape) == 4 and v.size)
    if not v:
        return None
    v = b.tame(v)
    n, h, w, c = v.shape
    groups = b.rng.choice([g for g in (1, 2, c) if c % g == 0])
    out, window = groups * b.extent([1, 2, 3]), [b.rng.randint(1, min(3, h)), b.rng.randint(1, min(3, w))]
    kernel_shape = window + [c // groups, out]
    if math.prod(kernel_shape) > b.limit or not b.affords(v.size * math.prod(window) * out):
        return None
    kernel = b.op(
        "iota",
        [],
        v.element,
        kernel_shape,
        f"iota_dimension = {b.rng.randrange(4)} : i64",
        exact=True,
        bound=max(kernel_shape),
    )
    strides = [b.rng.choice([1, 2]) for _ in range(2)]
    padding = [[b.rng.randint(0, k - 1) for _ in range(2)] for k in window]
    shape = [n] + [(s + sum(p) - k) // st + 1 for s, p, k, st in zip((h, w), padding, window, strides)] + [out]
    attributes = (
        "dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, batch_group_count = 1 : i64, "
        f"feature_group_count = {groups} : i64, window_strides = {numbers(strides)}, padding = {dense(padding, [2, 2])}, {HIGHEST}"
    )
    count = math.prod(window) * (c // groups)
    bound = v.bound * kernel.bound * count
    return b.op(
        "convolution", [summed(b, v, bound, count), kernel], v.element, shape, attributes, exact=v.exact, bound=bound
    )


# ---- indices ---------------------------------------------------------------------------------------------------------


def index_scalar(b):
    i = b.pick(lambda v: v.element == "i32" and v.shape == ())
    return i or b.constant("i32", [], b.rng.randint(-1, 6))


def dynamic_slice(b):
    v = b.pick(lambda v: v.shape and v.size)
    if not v:
        return None
    sizes = [b.rng.randint(1, s) for s in v.shape]
    starts = [index_scalar(b) for _ in v.shape]
    if b.rng.random() < 0.5:
        return b.op("dynamic_slice", [v] + starts, v.element, sizes, f"slice_sizes = {numbers(sizes)}", **same(v))
    part = b.op(
        "slice",
        [v],
        v.element,
        sizes,
        f"limit_indices = {numbers(sizes)}, start_indices = {numbers([0] * len(sizes))}, strides = {numbers([1] * len(sizes))}",
        **same(v),
    )
    return b.op("dynamic_update_slice", [v, part] + starts, v.element, v.shape, **same(v))


def rows_of(b):
    v = b.pick(lambda v: v.shape and v.size and v.shape[0] > 1)
    if not v:
        return None, None
    count = b.extent([1, 2, 5, 9])
    index = b.pick(lambda w: w.element == "i32" and len(w.shape) == 2 and w.shape[1] == 1 and w.size)
    if not index:
        index = b.op("iota", [], "i32", [count, 1], "iota_dimension = 0 : i64", bound=count)
    return v, index


def gather(b):
    v, index = rows_of(b)
    if not v:
        return None
    rank = len(v.shape)
    dims = f"#stablehlo.gather<offset_dims = [{', '.join(str(d) for d in range(1, rank))}], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>"
    shape = (index.shape[0],) + v.shape[1:]
    if math.prod(shape) > b.limit:
        return None
    return b.op(
        "gather",
        [v, index],
        v.element,
        shape,
        f"dimension_numbers = {dims}, slice_sizes = {numbers((1,) + v.shape[1:])}",
        **same(v),
    )


def scatter(b):
    v, index = rows_of(b)
    if not v or v.element not in REALS:
        return None
    updates = b.pick(lambda w: w.element == v.element and w.shape == (index.shape[0],) + v.shape[1:])
    updates = updates or b.constant(v.element, (index.shape[0],) + v.shape[1:], 1)
    rank = len(v.shape)
    dims = (
        f"#stablehlo.scatter<update_window_dims = [{', '.join(str(d) for d in range(1, rank))}], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], "
        "index_vector_dim = 1>"
    )
    name = b.rng.choice(["add", "maximum", "minimum"])
    bound = v.bound + updates.bound * index.shape[0]
    if not (v.exact and updates.exact):
        v, updates = summed(b, v, bound, 1), summed(b, updates, bound, index.shape[0])
    return b.op(
        "scatter",
        [v, index, updates],
        v.element,
        v.shape,
        f"scatter_dimension_numbers = {dims}, indices_are_sorted = false, unique_indices = false",
        body_of(b, name, v.element),
        exact=v.exact and updates.exact,
        bound=bound,
    )


def sort(b):
    v = b.pick(lambda v: v.shape and v.size and v.element in REALS and (v.exact or v.element in INTEGERS))
    if not v:
        return None
    x, y, z, t = b.fresh(), b.fresh(), b.fresh(), tensor(v.element, [])
    direction = b.rng.choice(["LT", "GT"])
    region = (
        f' ({{\n    ^bb0({x}: {t}, {y}: {t}):\n      {z} = "stablehlo.compare"({x}, {y}) <{{comparison_direction = #stablehlo<comparison_direction {direction}>}}> '
        f': ({t}, {t}) -> tensor<i1>\n      "stablehlo.return"({z}) : (tensor<i1>) -> ()\n    }})'
    )
    return b.op(
        "sort",
        [v],
        v.element,
        v.shape,
        f"dimension = {b.rng.randrange(len(v.shape))} : i64, is_stable = true",
        region,
        **same(v),
    )


# ---- control flow ----------------------------------------------------------------------------------------------------


def nested(b, count, wanted):
    """A block of a few ops that returns a value of the type `wanted`."""
    inner = Builder(b.rng, b, b.depth + 1)
    inner.grow(count)
    result = inner.pick(lambda v: v.type == wanted.type) or wanted
    if result.element in FLOATS:
        result = inner.tame(result)
    inner.line(f'"stablehlo.return"({result.name}) : ({result.type}) -> ()')
    return inner, result


def conditional(b):
    if b.depth > 1:
        return None
    flag = b.pick(lambda v: v.element == "i1" and v.shape == ())
    v = b.pick()
    which = flag or index_scalar(b)
    branches = [nested(b, b.rng.randint(1, 3), v) for _ in range(2 if flag else b.rng.randint(1, 3))]
    text = ", ".join("{\n" + "\n".join(inner.lines) + "\n" + "  " * (b.depth + 2) + "}" for inner, _ in branches)
    exact, bound = all(r.exact for _, r in branches), max(r.bound for _, r in branches)
    made = b.op("if" if flag else "case", [which], v.element, v.shape, regions=f" ({text})", exact=exact, bound=bound)
    return Value(made.name, v.element, v.shape, exact, bound, ways_of([made] + [r for _, r in branches]))


def loop(b):
    """while (i < n) carried = f(carried), of a few rounds; what is carried stays tame, and is no longer exact."""
    v = b.pick(lambda v: v.size and v.element in REALS)
    if b.depth or not v:
        return None
    v, trips, zero, t = b.tame(v), b.rng.randint(0, 4), b.constant("i32", [], 0), "tensor<i32>"
    i, n, go, one, more = (b.fresh() for _ in range(5))
    inner = Builder(b.rng, b, b.depth + 1)
    carried = Value(b.fresh(), v.element, v.shape, False, 1e3, v.ways)
    inner.values.append(carried)
    inner.grow(b.rng.randint(1, 4))
    result = inner.tame(inner.pick(lambda w: w.type == v.type))
    counter = Value(i, "i32", [])
    indent = "  " * (b.depth + 2)
    condition = (
        f'{{\n{indent}^bb0({i}: {t}, {carried.name}: {v.type}):\n{indent}  {n} = "stablehlo.constant"() <{{value = dense<{trips}> : {t}}}> : () -> {t}\n'
        f'{indent}  {go} = "stablehlo.compare"({i}, {n}) <{{comparison_direction = #stablehlo<comparison_direction LT>}}> : ({t}, {t}) -> tensor<i1>\n'
        f'{indent}  "stablehlo.return"({go}) : (tensor<i1>) -> ()\n{indent}}}'
    )
    lines = "\n".join(inner.lines)
    body = (
        f'{{\n{indent}^bb0({i}: {t}, {carried.name}: {v.type}):\n{lines}\n{indent}  {one} = "stablehlo.constant"() <{{value = dense<1> : {t}}}> : () -> {t}\n'
        f'{indent}  {more} = "stablehlo.add"({counter.name}, {one}) : ({t}, {t}) -> {t}\n'
        f'{indent}  "stablehlo.return"({more}, {result.name}) : ({t}, {v.type}) -> ()\n{indent}}}'
    )
    name = b.fresh()
    b.line(
        f'{name}:2 = "stablehlo.while"({zero.name}, {v.name}) ({condition}, {body}) : ({t}, {v.type}) -> ({t}, {v.type})'
    )
    return Value(name + "#1", v.element, v.shape, False, 1e3, ways_of([v, result]))


builder.RULES += [
    (unary, 6),
    (unary_exact, 2),
    (binary, 8),
    (logic, 2),
    (compare, 3),
    (select, 3),
    (convert, 3),
    (broadcast, 4),
    (reshape, 3),
    (transpose, 3),
    (slice_, 3),
    (pad, 2),
    (concatenate, 3),
    (reverse, 1),
    (iota, 1),
    (reduce, 4),
    (reduce_window, 2),
    (cumulative, 1),
    (dot, 4),
    (convolution, 2),
    (dynamic_slice, 2),
    (gather, 2),
    (scatter, 2),
    (sort, 1),
    (conditional, 1),
    (loop, 1),
]
builder.RULES += regions.RULES + wide.RULES


def generate(seed, apart=False, noise=False):
    """The text, the arguments and the results: values. Every fifth module is one of few ops on large arrays."""
    rng = random.Random(seed)
    b = Builder(rng, large=seed % 5 == 0, apart=apart, noise=noise)
    arguments = []
    for _ in range(rng.randint(1, 4)):
        element = rng.choice(
            ["f32"] * 8
            + ["bf16", "i32", "i32", "i8", "ui8", "i64", "i1", "i16", "ui32", "f16", "f64", "ui16", "ui64", COMPLEX]
        )
        shape = [b.extent([1, 2, 3, 4, 7, 8, 16, 33, 130]) for _ in range(rng.choice([0, 1, 2, 2, 3, 3, 4, 4, 5, 6]))]
        if shape and rng.random() < 0.02:
            shape[rng.randrange(len(shape))] = 0
        limit = rng.choice([3000, 100000, 600000] if b.large else [5000, 5000, 5000, 20000])
        while math.prod(shape) > limit:
            shape[shape.index(max(shape))] = max(shape) // 7 or 1 if b.large else 2
        exact = element not in FLOATS + (COMPLEX,) or rng.random() < 0.4
        arguments.append(
            Value(f"%arg{len(arguments)}", element, shape, exact, 1 if element == "i1" else 6 if exact else 2)
        )
    b.values += arguments
    b.grow(rng.randint(2, 7 if b.large else 16))
    made = b.values[len(arguments) :]
    results = [v for v in made if v.element in FORMATS and v.size][-4:] or [arguments[0]]
    heads = [f"{v.name}: {v.type}" for v in arguments] + ["%amount: tensor<f64>", "%seed: tensor<f64>"] * noise
    text = [
        "module @fuzz {",
        f"  func.func public @main({', '.join(heads)}) -> ({', '.join(v.type for v in results)}) {{",
    ]
    text += b.lines + [
        f"    return {', '.join(v.name for v in results)} : {', '.join(v.type for v in results)}",
        "  }",
        "}",
        "",
    ]
    return "\n".join(text), arguments, results


FORMATS = {
    "f32": ("<f4", "f"),
    "bf16": ("|V2", "H"),
    "i1": ("|b1", "?"),
    "i8": ("|i1", "b"),
    "ui8": ("|u1", "B"),
    "i16": ("<i2", "h"),
    "i32": ("<i4", "i"),
    "ui32": ("<u4", "I"),
    "i64": ("<i8", "q"),
    "f16": ("<f2", "e"),
    "f64": ("<f8", "d"),
    "ui16": ("<u2", "H"),
    "ui64": ("<u8", "Q"),
    COMPLEX: ("<c8", "f"),
}


def write_array(path, rng, element, shape, bound, exact):
    """An array of the argument's kind, as numpy.save would write it."""
    count = math.prod(shape) * (2 if element == COMPLEX else 1)
    if element == "i1":
        values = [rng.random() < 0.5 for _ in range(count)]
    elif exact:
        values = [rng.randint(0 if element in UNSIGNED else -int(bound), int(bound)) for _ in range(count)]
    else:
        values = [rng.uniform(-bound, bound) for _ in range(count)]
    if element == "bf16":
        values = [struct.unpack("<I", struct.pack("<f", v))[0] >> 16 for v in values]
    descr, code = FORMATS[element]
    header = f"{{'descr': '{descr}', 'fortran_order': False, 'shape': {tuple(shape)}, }}"
    header += " " * (-(len(header) + 11) % 64) + "\n"
    path.write_bytes(
        b"\x93NUMPY\x01\x00"
        + struct.pack("<H", len(header))
        + header.encode()
        + struct.pack(f"<{count}{code}", *values)
    )


def write(seed, folder):
    path = pathlib.Path(folder, str(seed))
    path.mkdir(parents=True, exist_ok=True)
    text, arguments, _ = generate(seed)
    (path / "program.mlir").write_text(text)
    rng = random.Random(seed)
    for i, v in enumerate(arguments):
        write_array(path / f"input.{i}.npy", rng, v.element, v.shape, v.bound, v.exact)
    return path


if __name__ == "__main__":
    first, count, folder = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
    for seed in range(first, first + count):
        write(seed, folder)
