# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rules of windows: pools, cumulative sums, convolutions, their gradients."""

from writer import array

REDUCERS = [("add", "0.0"), ("maximum", "0xFF800000"), ("minimum", "0x7F800000"), ("maximum", "0.125")]
CUMULATIVE = [("add", "0.0"), ("maximum", "0xFF800000"), ("minimum", "0x7F800000"), ("multiply", "1.0")]


def dilated(p, dim, by):
    return dim if by == 1 else p.dim(f"(({dim}) - 1)*{by} + 1")


def count(p, dim, size, stride, low, high, base=1, dilation=1):
    """How many windows there are; nothing where there may be none."""
    reach = (size - 1) * dilation + 1
    room = p.dim(f"({dilated(p, dim, base)}) + {low + high - reach}")
    if p.least(room) < 0:
        return None
    return p.dim(room // stride + 1 if isinstance(room, int) else f"floordiv({room}, {stride}) + 1")


def pairs(lows, highs):
    text = ", ".join(f"[{a}, {b}]" for a, b in zip(lows, highs))
    return f"padding = dense<[{text}]> : tensor<{len(lows)}x2xi64>"


def pool(p):
    """Windows along one or two dims."""
    v = p.array(test=lambda v: all(p.least(d) for d in v.dims))
    if v is None:
        return None
    dims, lists, out = p.rng.sample(range(v.rank), p.rng.randint(1, min(2, v.rank))), [], list(v.dims)
    for i in range(v.rank):
        kinds = [(2, 1, 0, 0, 1, 1), (3, 1, 1, 1, 1, 1), (2, 2, 0, 1, 1, 1), (3, 2, 1, 0, 1, 1), (2, 1, 1, 0, 2, 1)]
        kind = p.rng.choice(kinds + [(2, 1, 1, 1, 1, 2), (3, 3, 2, 2, 1, 1), (1, 2, 0, 0, 1, 1)])
        kind = kind if i in dims else (1, 1, 0, 0, 1, 1)
        size, stride, low, high, base, dilation = kind
        out[i] = count(p, v.dims[i], size, stride, low, high, base, dilation)
        lists.append(kind)
    if None in out or not p.fits(out):
        return None
    sizes, strides, lows, highs, bases, dilations = zip(*lists)
    attributes = (
        f"window_dimensions = {array(sizes)}, window_strides = {array(strides)}, base_dilations = {array(bases)}, "
        f"window_dilations = {array(dilations)}, {pairs(lows, highs)}"
    )
    name, first = p.rng.choice(REDUCERS)
    made = p.op("reduce_window", [v, p.constant(first)], out, attributes=attributes, regions=p.body(name))
    return p.rough(made) if name == "add" else made


def function_of(p, name):
    """A function that a call names."""
    called = f"reducer{len(p.functions)}"
    t = "tensor<f32>"
    p.functions.append(
        f"func.func private @{called}(%l: {t}, %r: {t}) -> {t} {{\n  %0 = stablehlo.{name} %l, %r : {t}\n"
        f"  return %0 : {t}\n}}\n"
    )
    return called


def cumulative(p):
    """As JAX writes it where the size is open: a window as long as the array."""
    v = p.array(test=lambda v: all(p.least(d) for d in v.dims))
    if v is None:
        return None
    dim, name = p.rng.randrange(v.rank), p.rng.choice(CUMULATIVE)
    window, ones = p.vector(p.change([1] * v.rank, dim, v.dims[dim])), p.vector([1] * v.rank)
    before = p.dim(f"({v.dims[dim]}) - 1" if isinstance(v.dims[dim], str) else v.dims[dim] - 1)
    side = p.rng.randrange(2)
    rows = []
    for i in range(v.rank):
        row = p.vector([before if (i, j) == (dim, side) else 0 for j in range(2)])
        rows.append(p.op("reshape", [row], (1, 2), "i32"))
    padding = p.op("concatenate", rows, (v.rank, 2), "i32", "dimension = 0 : i64")
    operands = [v, p.constant(name[1]), window, ones, ones, ones, padding]
    made = p.line(
        f"stablehlo.custom_call @stablehlo.dynamic_reduce_window({', '.join(o.name for o in operands)}) "
        f"{{api_version = 2 : i32, called_computations = [@{function_of(p, name[0])}]}} : "
        f"({', '.join(o.type for o in operands)}) -> {v.type}",
        v.dims,
        exact=v.exact,
    )
    return p.tame(p.rough(made)) if name[0] in ("add", "multiply") else made


def image(p):
    """Height and width open, or the batch, or the features."""
    v = p.array(rank=3, most=4, test=lambda v: all(p.least(d) for d in v.dims) and p.fits(v.dims))
    if v is None:
        return None
    return v if v.rank == 4 else p.reshaped(v, (1,) + v.dims)


def kernel(p, shape):
    v = p.like(shape)
    return v if p.fits(shape) else None


def convolution(p):
    v = image(p)
    if v is None:
        return None
    out, sides = p.dim(p.rng.choice([2, 5, "b"])), p.rng.choice([(1, 2, 3), (2, 3, 1), (1, 3, 2)])
    h, w, f = sides
    kinds = [(1, 1, 0, 0, 1, 1), (2, 1, 0, 0, 1, 1), (3, 1, 1, 1, 1, 1), (3, 2, 1, 1, 1, 1), (2, 2, 0, 1, 1, 1)]
    chosen = [p.rng.choice(kinds + [(2, 1, 1, 1, 2, 1), (2, 1, 1, 1, 1, 2)]) for _ in range(2)]
    sizes = [count(p, v.dims[d], *kind) for d, kind in zip((h, w), chosen)]
    shape = (chosen[0][0], chosen[1][0], v.dims[f], out)
    dims = [v.dims[0], *sizes, out]
    if None in sizes or not p.fits(dims) or not p.fits(shape):
        return None
    names = {0: "b", h: "0", w: "1", f: "f"}
    numbers = f"#stablehlo.conv<[{', '.join(names[i] for i in range(4))}]x[0, 1, i, o]->[b, 0, 1, f]>"
    strides, bases, dilations = (array([kind[i] for kind in chosen]) for i in (1, 4, 5))
    common = (
        f"dimension_numbers = {numbers}, batch_group_count = 1 : i64, feature_group_count = 1 : i64, "
        f"window_strides = {strides}, lhs_dilation = {bases}, rhs_dilation = {dilations}"
    )
    lows, highs = [kind[2] for kind in chosen], [kind[3] for kind in chosen]
    made = p.op("convolution", [v, p.like(shape)], dims, attributes=f"{common}, {pairs(lows, highs)}", exact=False)
    return p.tame(made)


def same_convolution(p):
    """SAME padding of stride 2: how much depends on the size."""
    v = p.array(rank=3, most=3, test=lambda v: all(p.least(d) for d in v.dims))
    if v is None:
        return None
    d, f = 1, 2
    size, stride = p.rng.choice([(2, 2), (3, 2), (3, 1), (4, 2)])
    old = v.dims[d]
    new = p.dim(-(-old // stride) if isinstance(old, int) else f"floordiv(({old}) + {stride - 1}, {stride})")
    total = p.dim(f"max(({new})*{stride} - {stride} + {size} - ({old}), 0)")
    low = p.quotient(total, 2)
    high = p.dim(f"({total}) - ({low})")
    padding = p.op("reshape", [p.vector([low, high])], (1, 2), "i32")
    attributes = (
        "dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, batch_group_count = 1 : i64, "
        f"feature_group_count = 1 : i64, window_strides = array<i64: {stride}>"
    )
    dims = (v.dims[0], new, 3)
    made = p.op("dynamic_conv", [v, p.like((size, v.dims[f], 3)), padding], dims, attributes=attributes, exact=False)
    return p.tame(made)


def depthwise(p):
    v = p.array(rank=3, most=3, test=lambda v: v.dims[2] in (2, 3, 4, 6) and p.least(v.dims[1]) >= 2)
    if v is None:
        return None
    c, new = v.dims[2], count(p, v.dims[1], 2, 1, 1, 0)
    attributes = (
        "dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, batch_group_count = 1 : i64, "
        f"feature_group_count = {c} : i64, {pairs([1], [0])}"
    )
    made = p.op("convolution", [v, p.like((2, 1, c))], (v.dims[0], new, c), attributes=attributes, exact=False)
    return p.tame(made)


def pool_gradient(p):
    """Where the maximum of each window was."""
    v = p.array(test=lambda v: p.least(v.dims[0]) >= 3, exact=True)
    if v is None:
        return None
    size, stride, low, high = p.rng.choice([(2, 2, 0, 0), (3, 1, 0, 0), (2, 1, 0, 0), (3, 2, 0, 0), (3, 2, 1, 0)])
    new = count(p, v.dims[0], size, stride, low, high)
    rest = [1] * (v.rank - 1)
    attributes = (
        f"window_dimensions = {array([size] + rest)}, window_strides = {array([stride] + rest)}, "
        f"{pairs([low] + [0] * len(rest), [high] + [0] * len(rest))}"
    )
    t = "tensor<f32>"
    choose = (
        f"{{ ^bb0(%l: {t}, %r: {t}): %t = stablehlo.compare GE, %l, %r : ({t}, {t}) -> tensor<i1> "
        f'"stablehlo.return"(%t) : (tensor<i1>) -> () }}'
    )
    regions = f"({choose}, {p.body('add')[1:]}"
    source = p.like((new,) + v.dims[1:])
    return p.rough(
        p.op("select_and_scatter", [v, source, p.constant("0.0")], v.dims, attributes=attributes, regions=regions)
    )


RULES = [
    (pool, 4), (cumulative, 3), (convolution, 3), (same_convolution, 2), (depthwise, 1), (pool_gradient, 1),
]  # fmt: skip
