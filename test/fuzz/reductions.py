# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rules of reductions, windows, cumulative sums, dots and convolutions."""

import math

from builder import COMPLEX, EXACT_LIMIT, FLOATS, HIGHEST, REALS, body_of, dense, numbers, reduced_bound, reducer


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
            f"edge_padding_high = {numbers(high)}, edge_padding_low = {numbers(low)}, interior_padding = "
            f"{numbers([0] * len(low))}",
            exact=v.exact,
            bound=v.bound,
        )
        padding = [[0, 0] for _ in padding]
    padded = summed(b, padded, bound, terms)
    attributes = (
        f"window_dimensions = {numbers(window)}, window_strides = {numbers(strides)}, window_dilations = "
        f"{numbers(dilation)}, "
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
        lo, hi = (b.rng.randint(0, min(2, reach - 1)), b.rng.randint(0, min(2, reach - 1)))
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
    ones, window, padding = ([1] * len(v.shape), [1] * len(v.shape), [[0, 0] for _ in v.shape])
    window[d], padding[d][b.rng.randint(0, 1)] = v.shape[d], v.shape[d] - 1
    bound = reduced_bound(v, first, grows, v.shape[d]) + (0 if isinstance(first, str) else abs(first)) * v.shape[d]
    return windowed(b, v, b.constant(v.element, [], first), bound, window, ones, padding, ones, v.shape, name)


# ---- contractions ----------------------------------------------------------------------------------------------------


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
        f"#stablehlo.dot<lhs_batching_dimensions = [{', '.join(map(str, batch))}], rhs_batching_dimensions = "
        f"[{', '.join(map(str, batch))}], "
        f"lhs_contracting_dimensions = [{', '.join(map(str, contract))}], rhs_contracting_dimensions = "
        f"[{', '.join(map(str, rhs_contract))}]>"
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
    out, window = (groups * b.extent([1, 2, 3]), [b.rng.randint(1, min(3, h)), b.rng.randint(1, min(3, w))])
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
        f"feature_group_count = {groups} : i64, window_strides = {numbers(strides)}, padding = "
        f"{dense(padding, [2, 2])}, {HIGHEST}"
    )
    count = math.prod(window) * (c // groups)
    bound = v.bound * kernel.bound * count
    return b.op(
        "convolution", [summed(b, v, bound, count), kernel], v.element, shape, attributes, exact=v.exact, bound=bound
    )


RULES = [(reduce, 4), (reduce_window, 2), (cumulative, 1), (dot, 4), (convolution, 2)]
