# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rules of ops in their generality: any dimension numbers of dots, convolutions, gathers and scatters; complex numbers;
bits."""

import math

from builder import COMPLEX, FLOATS, HIGHEST, INTEGERS, REALS, UNSIGNED, Value, bits, dense, numbers, same, scattered


def listed(values):
    return "[" + ", ".join(map(str, values)) + "]"


def counted(b, element, shape, limit=5):
    """Whole numbers of some pattern, small."""
    if not shape:
        return b.constant(element, shape, 1)
    size = math.prod(shape)
    flat = b.op("iota", [], "i32", [size], "iota_dimension = 0 : i64", exact=True, bound=size)
    mixed = b.op("multiply", [flat, b.filled(flat, b.rng.choice([1, 7, 11]))], "i32", [size])
    small = b.op("remainder", [mixed, b.filled(flat, limit)], "i32", [size], exact=True, bound=limit)
    if element != "i32":
        small = b.op("convert", [small], element, [size], exact=True, bound=limit)
    return b.op("reshape", [small], element, shape, exact=True, bound=limit)


# ---- contractions ----------------------------------------------------------------------------------------------------


def dot(b):
    """Batch and contracting dims anywhere, in any order."""
    v = b.pick(lambda v: v.element in ("f32", "bf16", "i8", "i32", "f16", "f64", "ui8") and v.shape and v.size)
    if not v:
        return None
    v = b.tame(v)
    dims = list(range(len(v.shape)))
    b.rng.shuffle(dims)
    batches = b.rng.randint(0, min(2, len(dims)))
    contracts = b.rng.randint(0, min(2, len(dims) - batches))
    batch, contract = dims[:batches], dims[batches : batches + contracts]
    kinds = (
        [("b", d) for d in batch]
        + [("c", d) for d in contract]
        + [("f", b.extent([1, 2, 3, 8, 17])) for _ in range(b.rng.randint(0, 2))]
    )
    b.rng.shuffle(kinds)
    other = [v.shape[d] if k != "f" else d for k, d in kinds]
    if math.prod(other) > b.limit:
        return None
    w = b.pick(lambda w: w.element == v.element and w.shape == tuple(other)) or counted(b, v.element, other)
    w = b.tame(w)
    at = {(k, d): i for i, (k, d) in enumerate(kinds) if k != "f"}
    shape = (
        [v.shape[d] for d in batch]
        + [v.shape[d] for d in range(len(v.shape)) if d not in batch + contract]
        + [d for k, d in kinds if k == "f"]
    )
    numbers_ = (
        f"#stablehlo.dot<lhs_batching_dimensions = {listed(batch)}, rhs_batching_dimensions = "
        f"{listed([at['b', d] for d in batch])}, "
        f"lhs_contracting_dimensions = {listed(contract)}, rhs_contracting_dimensions = "
        f"{listed([at['c', d] for d in contract])}>"
    )
    count = math.prod(v.shape[d] for d in contract)
    bound = v.bound * w.bound * count
    if math.prod(shape) > b.limit or not b.affords(math.prod(shape) * count) or v.element == "f16" and bound > 2**14:
        return None
    element = {"i8": "i32", "ui8": "ui32"}.get(v.element, v.element)
    exact = v.exact and w.exact
    return b.op(
        "dot_general",
        [v if exact else b.noisy(v, count), w],
        element,
        shape,
        f"dot_dimension_numbers = {numbers_}, {HIGHEST}",
        exact=exact,
        bound=bound,
    )


def layout_of(rng, first, second, spatial):
    """A permutation of the dims, and how it is written."""
    order = [first, second] + list(range(spatial))
    rng.shuffle(order)
    return order


def convolution(b):
    """1 to 3 spatial dims in any layout, dilated, reversed, with groups, of negative padding."""
    v = b.pick(lambda v: v.element in ("f32", "bf16", "f16", "f64", "i8", "i32") and 3 <= len(v.shape) <= 5 and v.size)
    if not v:
        return None
    v, rng = b.tame(v), b.rng
    spatial = len(v.shape) - 2
    lhs = layout_of(rng, "b", "f", spatial)
    extent = {k: v.shape[i] for i, k in enumerate(lhs)}
    groups, batches = 1, 1
    kind = rng.random()
    if kind < 0.3:
        groups = rng.choice([g for g in range(1, extent["f"] + 1) if extent["f"] % g == 0])
    elif kind < 0.5:
        batches = rng.choice([g for g in range(1, extent["b"] + 1) if extent["b"] % g == 0])
    out = groups * batches * b.extent([1, 2, 3])
    if out > (1000 if b.large else 200):
        return None
    window = [rng.randint(1, min(4, extent[d])) for d in range(spatial)]
    strides, reverse = ([rng.choice([1, 1, 2, 3]) for _ in window], [rng.random() < 0.2 for _ in window])
    dilate, within = ([rng.choice([1, 1, 2, 3]) for _ in window], [rng.choice([1, 1, 2]) for _ in window])
    padding, places = [], []
    for d in range(spatial):
        long, reach = (extent[d] - 1) * dilate[d] + 1, (window[d] - 1) * within[d] + 1
        lo, hi = rng.randint(-1, reach), rng.randint(-1, reach)
        if lo + long + hi < reach:
            lo, hi = reach, reach
        (padding.append([lo, hi]), places.append((lo + long + hi - reach) // strides[d] + 1))
    rhs, res = layout_of(rng, "i", "o", spatial), layout_of(rng, "b", "f", spatial)
    kernel_shape = [{"i": extent["f"] // groups, "o": out}[k] if isinstance(k, str) else window[k] for k in rhs]
    shape = [{"b": extent["b"] // batches, "f": out}[k] if isinstance(k, str) else places[k] for k in res]
    bound = v.bound * 5 * math.prod(window) * extent["f"]
    products = math.prod(shape) * math.prod(window) * (extent["f"] // groups)
    if (
        math.prod(shape) > b.limit
        or math.prod(kernel_shape) > b.limit // 6
        or not b.affords(products)
        or v.element == "f16"
        and bound > 2**14
    ):
        return None
    kernel = counted(b, v.element, kernel_shape)
    flags = ", ".join(str(r).lower() for r in reverse)
    attributes = (
        f"dimension_numbers = #stablehlo.conv<{listed(lhs)}x{listed(rhs)}->{listed(res)}>, batch_group_count = "
        f"{batches} : i64, feature_group_count = {groups} : i64, "
        f"window_strides = {numbers(strides)}, padding = {dense(padding, [spatial, 2])}, lhs_dilation = "
        f"{numbers(dilate)}, rhs_dilation = {numbers(within)}, "
        f"window_reversal = array<i1: {flags}>, {HIGHEST}"
    )
    element = "i32" if v.element == "i8" else v.element
    return b.op(
        "convolution",
        [v if v.exact else b.noisy(v, math.prod(kernel_shape)), kernel],
        element,
        shape,
        attributes,
        exact=v.exact,
        bound=bound,
    )


# ---- indices ---------------------------------------------------------------------------------------------------------


def places(b, shape, reach, longest):
    """Indices, some of them out of bounds; unsigned ones too."""
    element = b.rng.choice(["i32", "i32", "i32", "i64", "ui32", "i8", "ui8"])
    # XLA compares with the bounds in the indices' own type, where they wrap; a scatter's along all dims.
    if longest > {"i8": 127, "ui8": 255}.get(element, longest):
        element = "i32"
    made = counted(b, element, shape, limit=max(1, min(reach + b.rng.choice([0, 0, 1, 2]), 100)))
    if b.rng.random() < 0.3 and element not in UNSIGNED:
        made = b.op("subtract", [made, b.filled(made, 1)], element, shape, exact=True, bound=made.bound)
    return made


def access(b, v):
    """Random dimension numbers into v: what each of its dims is (batching, collapsed or in the window), and the
    indices' shape."""
    rng, rank = b.rng, len(v.shape)
    kind = [rng.choice("bccwww") for _ in range(rank)]
    if kind.count("b") > 2:
        kind = ["w" if k == "b" else k for k in kind]
    sizes = [1 if k in "bc" else rng.randint(1, s) for k, s in zip(kind, v.shape)]
    mapped = [d for d in range(rank) if kind[d] != "b" and rng.random() < (0.9 if kind[d] == "c" else 0.3)]
    rng.shuffle(mapped)
    batching = [d for d in range(rank) if kind[d] == "b"]
    free = [b.extent([1, 2, 3, 5]) for _ in range(rng.randint(0, 2))]
    extents = [(s, None) for s in free] + [(v.shape[d], d) for d in batching]
    rng.shuffle(extents)
    where = rng.randint(0, len(extents))
    if len(mapped) == 1 and rng.random() < 0.3:
        index_shape, where = [s for s, _ in extents], len(extents)
    else:
        index_shape = [s for s, _ in extents[:where]] + [len(mapped)] + [s for s, _ in extents[where:]]
    at = {d: i + (i >= where) for i, (_, d) in enumerate(extents) if d is not None}
    window = [sizes[d] for d in range(rank) if kind[d] == "w"]
    rank_out = len(extents) + len(window)
    offsets = sorted(rng.sample(range(rank_out), len(window)))
    rest, inside = iter(s for s, _ in extents), iter(window)
    shape = [next(inside) if i in offsets else next(rest) for i in range(rank_out)]
    extent = [v.shape[d] for d in mapped]
    collapsed = [d for d in range(rank) if kind[d] == "c"]
    return dict(
        sizes=sizes,
        mapped=mapped,
        batching=batching,
        at=[at[d] for d in batching],
        where=where,
        offsets=offsets,
        collapsed=collapsed,
        shape=shape,
        index=index_shape,
        reach=min(extent, default=1),
        longest=max(v.shape),
    )


def gather(b):
    v = b.pick(lambda v: v.shape and v.size)
    if not v:
        return None
    a = access(b, v)
    if math.prod(a["shape"]) > b.limit or math.prod(a["index"]) > b.limit // 6 or not math.prod(a["index"]):
        return None
    dims = (
        f"#stablehlo.gather<offset_dims = {listed(a['offsets'])}, collapsed_slice_dims = {listed(a['collapsed'])}, "
        f"operand_batching_dims = {listed(a['batching'])}, "
        f"start_indices_batching_dims = {listed(a['at'])}, start_index_map = {listed(a['mapped'])}, index_vector_dim "
        f"= {a['where']}>"
    )
    return b.op(
        "gather",
        [v, places(b, a["index"], a["reach"], a["longest"])],
        v.element,
        a["shape"],
        f"dimension_numbers = {dims}, slice_sizes = {numbers(a['sizes'])}, indices_are_sorted = false",
        **same(v),
    )


def scatter(b):
    v = b.pick(lambda v: v.shape and v.size and v.element in REALS)
    if not v:
        return None
    a = access(b, v)
    if math.prod(a["shape"]) > b.limit // 6 or math.prod(a["index"]) > b.limit // 6 or not math.prod(a["index"]):
        return None
    updates = b.pick(
        lambda w: w.element == v.element and w.shape == tuple(a["shape"]) and (w.exact or not v.exact)
    ) or counted(b, v.element, a["shape"])
    dims = (
        f"#stablehlo.scatter<update_window_dims = {listed(a['offsets'])}, inserted_window_dims = "
        f"{listed(a['collapsed'])}, input_batching_dims = {listed(a['batching'])}, "
        f"scatter_indices_batching_dims = {listed(a['at'])}, scatter_dims_to_operand_dims = {listed(a['mapped'])}, "
        f"index_vector_dim = {a['where']}>"
    )
    name = b.rng.choice(
        ["add", "maximum", "minimum"] + (["multiply", "and", "or", "xor"] if v.element in INTEGERS else [])
    )
    bound = v.bound + updates.bound * max(1, math.prod(a["index"]))
    index = places(b, a["index"], a["reach"], a["longest"])
    if not (v.exact and updates.exact):
        v, updates = b.noisy(v), b.noisy(updates, max(1, math.prod(a["index"])))
    return scattered(b, [v, index, updates], dims, name, bound)


# ---- complex numbers, bits, the rest ---------------------------------------------------------------------------------


def complexes(b):
    c = b.pick(lambda v: v.element == COMPLEX)
    if not c or b.rng.random() < 0.3:
        v = b.pick(lambda v: v.element == "f32")
        w = v and b.pick(lambda w: w.type == v.type)
        return v and b.op("complex", [b.tame(v), b.tame(w)], COMPLEX, v.shape, exact=v.exact and w.exact, bound=1e3)
    name = b.rng.choice(
        [
            "real",
            "imag",
            "abs",
            "negate",
            "add",
            "subtract",
            "multiply",
            "fft",
            "ifft",
            "exponential",
            "tanh",
            "reverse",
        ]
    )
    if name in ("real", "imag"):
        return b.op(name, [c], "f32", c.shape, **same(c))
    if name == "abs":
        return b.op(name, [c], "f32", c.shape, bound=1.5 * c.bound)
    if name == "negate":
        return b.op(name, [c], COMPLEX, c.shape, **same(c))
    if name in ("fft", "ifft"):
        if not c.shape or not c.size or c.bound > 1e6:
            return None
        return b.op(
            "fft",
            [b.noisy(c, c.shape[-1])],
            COMPLEX,
            c.shape,
            f"fft_type = #stablehlo<fft_type {name.upper()}>, fft_length = array<i64: {c.shape[-1]}>",
            bound=c.bound * c.shape[-1],
        )
    if name in ("exponential", "tanh"):
        if c.bound > 20:
            return None
        return b.op(name, [b.noisy(c)], COMPLEX, c.shape, bound=4e8)
    if name == "reverse":
        return (
            c.shape
            and b.op("reverse", [c], COMPLEX, c.shape, f"dimensions = array<i64: {len(c.shape) - 1}>", **same(c))
            or None
        )
    d = b.pick(lambda v: v.type == c.type)
    if name == "multiply" and c.bound * d.bound > 1e12:
        return None
    exact, bound = (c.exact and d.exact, 2 * c.bound * d.bound if name == "multiply" else c.bound + d.bound)
    if name == "multiply" and not exact:
        c, d = b.noisy(c), b.noisy(d)
    return b.op(name, [c, d], COMPLEX, c.shape, exact=exact, bound=bound)


def bitcast(b):
    """Between integers, of other widths too: a dim of the parts comes last."""
    v = b.pick(lambda v: v.element in INTEGERS and v.size)
    if not v:
        return None
    to = b.rng.choice(INTEGERS)
    one, other, shape = bits(v.element), bits(to), list(v.shape)
    if other < one:
        shape.append(one // other)
    elif other > one:
        if not shape or shape[-1] != other // one:
            return None
        shape.pop()
    return b.op("bitcast_convert", [v], to, shape)


def narrow(b):
    """There and back through a type that arrays of are packed, or of a float that holds few numbers."""
    v = b.pick(lambda v: v.element in ("i32", "i8", "f32") and v.size and (v.exact or v.element != "f32"))
    if not v:
        return None
    if v.element == "f32":
        if v.bound > 1e6:
            return None
        low = b.op(
            "clamp", [b.constant("f32", [], -7), v, b.constant("f32", [], 7)], "f32", v.shape, exact=True, bound=7
        )
        kind = b.rng.choice(["i4", "f8E4M3FN", "f8E5M2", "ui4"])
        if kind == "ui4":
            low = b.op("abs", [low], "f32", v.shape, exact=True, bound=7)
        if kind == "f8E5M2":
            low = b.op(
                "clamp", [b.constant("f32", [], -4), low, b.constant("f32", [], 4)], "f32", v.shape, exact=True, bound=4
            )
    else:
        low = b.op(
            "clamp", [b.constant(v.element, [], 0), v, b.constant(v.element, [], 7)], v.element, v.shape, bound=7
        )
        kind = b.rng.choice(["i4", "ui4"])
    packed = Value(b.op("convert", [low], kind, v.shape).name, kind, v.shape)
    if v.shape and b.rng.random() < 0.5:
        packed = b.op("reverse", [packed], kind, v.shape, f"dimensions = array<i64: {len(v.shape) - 1}>")
    elif len(v.shape) > 1:
        order = list(range(len(v.shape)))
        b.rng.shuffle(order)
        packed = b.op("transpose", [packed], kind, [v.shape[d] for d in order], f"permutation = {numbers(order)}")
    return b.op("convert", [packed], v.element, packed.shape, exact=True, bound=7)


def clamp(b):
    v = b.pick(lambda v: v.element in REALS)
    if not v:
        return None
    scalar = b.rng.random() < 0.5
    shape = [] if scalar else v.shape
    lo, hi = (b.constant(v.element, shape, b.rng.randint(0, 3)), b.constant(v.element, shape, b.rng.randint(4, 9)))
    return b.op("clamp", [lo, v, hi], v.element, v.shape, exact=v.exact, bound=9)


def barrier(b):
    v = b.pick()
    return v and b.op("optimization_barrier", [v], v.element, v.shape, **same(v))


def remainder(b):
    v = b.pick(lambda v: v.element in FLOATS and v.exact and v.bound < 1e5)
    return v and b.op("remainder", [v, b.filled(v, b.rng.randint(2, 9))], v.element, v.shape, exact=True, bound=9)


def reduce_precision(b):
    v = b.pick(lambda v: v.element == "f32" and v.exact)
    return v and b.op(
        "reduce_precision",
        [v],
        "f32",
        v.shape,
        f"exponent_bits = {b.rng.randint(6, 8)} : i32, mantissa_bits = {b.rng.randint(2, 20)} : i32",
        exact=True,
        bound=v.bound * 1.5,
    )


def normalise(b):
    """batch_norm_inference, of a feature dim anywhere."""
    v = b.pick(lambda v: v.element == "f32" and v.shape and v.size)
    if not v:
        return None
    v, d = b.tame(v), b.rng.randrange(len(v.shape))
    scale, offset, mean = (counted(b, "f32", [v.shape[d]]) for _ in range(3))
    variance = b.op("add", [mean, b.filled(mean, 1)], "f32", mean.shape, exact=True, bound=6)
    return b.op(
        "batch_norm_inference",
        [b.noisy(v), scale, b.noisy(offset), b.noisy(mean), variance],
        "f32",
        v.shape,
        f"epsilon = 1.000000e-03 : f32, feature_index = {d} : i64",
        bound=1e3,
    )


def roll(b):
    """Two slices that change places, as jnp.roll writes them."""
    v = b.pick(lambda v: v.shape and v.size > 1)
    if not v:
        return None
    d = max(range(len(v.shape)), key=lambda d: (v.shape[d] > 1, b.rng.random()))
    cut, parts = b.rng.randint(0, v.shape[d]), []
    for lo, hi in ((cut, v.shape[d]), (0, cut)):
        starts, limits = [0] * len(v.shape), list(v.shape)
        starts[d], limits[d] = lo, hi
        shape = [h - l for l, h in zip(starts, limits)]
        parts.append(
            b.op(
                "slice",
                [v],
                v.element,
                shape,
                f"limit_indices = {numbers(limits)}, start_indices = {numbers(starts)}, strides = "
                f"{numbers([1] * len(shape))}",
                **same(v),
            )
        )
    return b.op("concatenate", parts, v.element, v.shape, f"dimension = {d} : i64", **same(v))


RULES = [
    (dot, 3),
    (convolution, 4),
    (gather, 3),
    (scatter, 3),
    (complexes, 3),
    (bitcast, 1),
    (narrow, 1),
    (clamp, 1),
    (barrier, 1),
    (remainder, 1),
    (reduce_precision, 1),
    (normalise, 1),
    (roll, 1),
]
