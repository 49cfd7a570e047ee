# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rules of ops element by element, and of those that move or repeat elements."""

import math

from builder import COMPLEX, FLOATS, INTEGERS, REALS, SIGNED, UNSIGNED, bits, numbers, same


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
        (
            starts.append(start),
            limits.append(limit),
            strides.append(stride),
            shape.append(-(-(limit - start) // stride)),
        )
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
        i, lo, hi = (b.rng.choice([0, 0, 1, 2]), b.rng.randint(-1, 2), b.rng.randint(-1, 2))
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


def splat(b):
    """One number throughout, which other ops take as an array or as a number."""
    v = b.pick(lambda v: v.shape and v.element in ("f32",) + INTEGERS)
    return v and b.filled(v, 0.125 if v.element == "f32" else 3)


RULES = [
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
    (splat, 1),
]
