# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rules of ops whose elements depend on those of the same place, and of what makes arrays."""

from writer import FLOATS, INTEGERS


def unary(p):
    v = p.array()
    name = p.rng.choice(["tanh", "abs", "negate", "logistic", "cosine", "sine", "cbrt", "exponential_minus_one"])
    return p.op(name, [p.tame(v) if name == "exponential_minus_one" else v], v.dims)


def positive(p):
    """Functions of numbers above zero."""
    v = p.array()
    one = p.filled("1.0", v.dims)
    above = p.op("add", [p.op("abs", [v], v.dims), one], v.dims)
    return p.op(p.rng.choice(["log", "sqrt", "rsqrt", "log_plus_one"]), [above], v.dims)


def stepped(p):
    """Functions with steps, of numbers that no order of sums changes."""
    v = p.array(exact=True)
    if v is None:
        return None
    name = p.rng.choice(["floor", "ceil", "sign", "round_nearest_even", "round_nearest_afz", "is_finite"])
    if name != "is_finite":
        return p.op(name, [v], v.dims)
    return p.op("select", [p.op(name, [v], v.dims, "i1"), v, p.filled("0.5", v.dims)], v.dims)


def binary(p):
    v = p.array(rank=0)
    w = p.like(v.dims)
    return p.op(p.rng.choice(["add", "subtract", "multiply", "maximum", "minimum", "atan2"]), [v, w], v.dims)


def divide(p):
    """Zeros in padding would be infinite."""
    v = p.array()
    w = p.op("abs", [p.like(v.dims)], v.dims)
    return p.op("divide", [v, p.op("add", [w, p.filled("0.5", v.dims)], v.dims)], v.dims)


def choose(p):
    v = p.array(exact=True)
    if v is None:
        return None
    w = p.like(v.dims, exact=True)
    test = p.compared(p.rng.choice(["LT", "GE", "EQ", "NE"]), v, w)
    if p.rng.random() < 0.4:
        flags = p.compared("LE", v, p.filled("0.25", v.dims))
        test = p.op(p.rng.choice(["and", "or", "xor"]), [test, flags], v.dims, "i1")
    if p.rng.random() < 0.3:
        test = p.op("not", [test], v.dims, "i1")
    return p.op("select", [test, p.like(v.dims), p.like(v.dims)], v.dims)


def by_scalar(p):
    """A select whose predicate, or a clamp whose bounds, are scalars."""
    v = p.array()
    if p.rng.random() < 0.5:
        return p.op("clamp", [p.constant("-0.5"), v, p.constant("0.75")], v.dims)
    big = p.compared("GE", p.size(p.rng.choice(v.dims)), p.size(4))
    return p.op("select", [big, v, p.like(v.dims)], v.dims)


def clamp(p):
    v = p.array()
    return p.op("clamp", [p.filled("-0.5", v.dims), v, p.like(v.dims)], v.dims)


def integers(p):
    """To integers and back by way of some op on them."""
    v = p.array(exact=True)
    if v is None:
        return None
    element = p.rng.choice(INTEGERS)
    scaled = p.op("multiply", [p.tame(v), p.filled("9.0", v.dims)], v.dims)
    if element.startswith("u"):
        scaled = p.op("abs", [scaled], v.dims)
    n = p.op("convert", [scaled], v.dims, element)
    name = p.rng.choice(["add", "subtract", "multiply", "maximum", "and", "or", "xor", "remainder", "divide", "popcnt"])
    if name == "popcnt":
        made = p.op(name, [n], v.dims, element)
    else:
        made = p.op(name, [n, p.filled(3, v.dims, element)], v.dims, element)
    p.values.append(made)
    return p.op("convert", [made], v.dims)


def converted(p):
    v = p.pick(lambda v: v.rank, FLOATS + INTEGERS + ("i1",), exact=True)
    element = p.rng.choice([e for e in FLOATS + ("i32",) if e != v.element])
    if v.element in FLOATS and element not in FLOATS:
        v = p.op(
            "convert",
            [p.op("clamp", [p.constant("-90.0", v.element), v, p.constant("90.0", v.element)], v.dims, v.element)],
            v.dims,
            "f32",
        )
    return p.op("convert", [v], v.dims, element)


def narrow(p):
    """Through a narrow float."""
    v = p.array(exact=True)
    if v is None:
        return None
    element = p.rng.choice(["bf16", "f16"])
    n = p.op("convert", [v], v.dims, element)
    n = p.op(p.rng.choice(["add", "multiply", "maximum"]), [n, p.filled("0.5", v.dims, element)], v.dims, element)
    if p.rng.random() < 0.3:
        p.values.append(n)
    return p.op("convert", [n], v.dims)


def complex_numbers(p):
    v = p.array()
    w = p.like(v.dims)
    z = p.op("complex", [v, w], v.dims, "complex<f32>")
    other = p.op("complex", [p.like(v.dims), v], v.dims, "complex<f32>")
    made = p.op(p.rng.choice(["add", "subtract", "multiply"]), [z, other], v.dims, "complex<f32>", exact=False)
    part = p.op(p.rng.choice(["real", "imag"]), [made], v.dims)
    # The terms of a product may cancel to nothing but what they round.
    return p.op("add", [part, p.filled("1.0", v.dims)], v.dims)


def bits(p):
    """The bits of floats as integers, or as bytes along a further dim."""
    v = p.array(exact=True)
    if v is None or not p.fits(v.dims + (4,)):
        return None
    if p.rng.random() < 0.5:
        n = p.op("bitcast_convert", [v], v.dims, "i32")
        return p.op("bitcast_convert", [p.op("xor", [n, p.filled(1, v.dims, "i32")], v.dims, "i32")], v.dims)
    n = p.op("bitcast_convert", [v], v.dims + (4,), "ui8")
    if p.rng.random() < 0.5:
        return p.op("bitcast_convert", [n], v.dims)
    return p.op("convert", [n], v.dims + (4,))


def places(p):
    v = p.array()
    wave = p.op("cosine", [p.iota(v.dims, p.rng.randrange(v.rank))], v.dims)
    return p.op(p.rng.choice(["add", "multiply", "maximum"]), [v, wave], v.dims)


def triangle(p):
    """Lower triangles, as causal attention has them."""
    v = p.array(rank=2)
    if v is None:
        return None
    at = p.rng.sample(range(v.rank), 2)
    rows, columns = (p.iota(v.dims, d, "i32") for d in at)
    test = p.compared(p.rng.choice(["GE", "GT"]), rows, columns)
    return p.op("select", [test, v, p.filled(p.rng.choice(["0.0", "-1.0e9"]), v.dims)], v.dims)


def last_ones(p):
    """What lies before a place counted from the true end."""
    v = p.array()
    dim = p.rng.randrange(v.rank)
    end = p.scalar("subtract", p.size(v.dims[dim]), p.size(2))
    test = p.compared("LT", p.iota(v.dims, dim, "i32"), p.broadcast(end, [], v.dims))
    return p.op("select", [test, v, p.filled("0.125", v.dims)], v.dims)


def size_as_number(p):
    v = p.array()
    size = p.op("convert", [p.size(p.rng.choice(v.dims))], (), "f32")
    return p.op("divide", [v, p.broadcast(p.op("add", [size, p.constant("1.0")], ()), [], v.dims)], v.dims)


def spread(p):
    """A new dim of open size, in any place."""
    v = p.array(rank=0, most=3)
    to = list(v.dims)
    at = p.rng.randint(0, v.rank)
    to.insert(at, p.rng.choice([p.dim(d) for d in ("b", "s", 2, 3, 1)]))
    return p.broadcast(v, [d for d in range(v.rank + 1) if d != at], to) if p.fits(to) else None


def stretched(p):
    """A dim of size 1 becomes one of open size."""
    v = p.array(test=lambda v: 1 in v.dims)
    if v is None:
        return None
    to = p.change(v.dims, v.dims.index(1), p.dim(p.rng.choice("bs")))
    return p.broadcast(v, list(range(v.rank)), to) if p.fits(to) else None


def barrier(p):
    v = p.array()
    return p.op("optimization_barrier", [v], v.dims)


def mapped(p):
    v, w = p.array(), None
    w = p.like(v.dims)
    return p.op(
        "map",
        [v, w],
        v.dims,
        attributes=f"dimensions = array<i64: {', '.join(map(str, range(v.rank)))}>",
        regions=p.body("add"),
    )


RULES = [
    (unary, 2), (positive, 1), (stepped, 1), (binary, 3), (divide, 1), (choose, 2), (by_scalar, 1), (clamp, 1),
    (integers, 1), (converted, 1), (narrow, 1), (complex_numbers, 1), (bits, 1), (places, 1), (triangle, 1),
    (last_ones, 1), (size_as_number, 1), (spread, 2), (stretched, 1), (barrier, 1), (mapped, 1),
]  # fmt: skip
