# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rules of reductions, contractions and what is made of them: means, softmax, norms, attention."""

from writer import array

REDUCERS = [
    ("add", "0.0"),
    ("maximum", "0xFF800000"),
    ("minimum", "0x7F800000"),
    ("multiply", "1.0"),
    ("add", "0.5"),
    ("maximum", "0.25"),
]
WHOLE = [("add", 0), ("maximum", -(2**31)), ("minimum", 7), ("xor", 0), ("or", 1), ("and", -1)]


def some_dims(p, v):
    return sorted(p.rng.sample(range(v.rank), p.rng.randint(1, v.rank)))


def back(p, v, made, dims):
    """What is left of v without `dims`, as large as v."""
    return p.broadcast(made, [i for i in range(v.rank) if i not in dims], v.dims)


def reduction(p):
    v = p.array()
    dims = some_dims(p, v)
    made = p.tame(p.reduce(v, dims, *p.rng.choice(REDUCERS)))
    return made if p.rng.random() < 0.5 else p.op("subtract", [v, back(p, v, made, dims)], v.dims)


def whole_numbers(p):
    v = p.pick(lambda v: v.rank, ("i32",), True) or p.iota(p.array().dims, 0, "i32")
    return p.reduce(v, some_dims(p, v), *p.rng.choice(WHOLE))


def any_or_all(p):
    v = p.array(exact=True)
    if v is None:
        return None
    dims, name, test = some_dims(p, v), *p.rng.choice([("or", "false"), ("and", "true")])
    flags = p.compared("LT", v, p.filled("0.1", v.dims))
    made = p.reduce(flags, dims, name, test)
    return p.op("select", [back(p, v, made, dims), v, p.filled("0.5", v.dims)], v.dims)


def two_at_once(p):
    """A sum and a maximum of one reduction."""
    v = p.array()
    w, dims = p.like(v.dims), some_dims(p, v)
    kept = [d for i, d in enumerate(v.dims) if i not in dims]
    t = "tensor<f32>"
    body = (
        f"({{ ^bb0(%a: {t}, %b: {t}, %c: {t}, %d: {t}): %e = stablehlo.add %a, %c : {t} "
        f'%f = stablehlo.maximum %b, %d : {t} "stablehlo.return"(%e, %f) : ({t}, {t}) -> () }})'
    )
    operands = [v, w, p.constant("0.0"), p.constant("0xFF800000")]
    sums, most = p.several(
        "stablehlo.reduce", operands, [(kept, "f32")] * 2, f"dimensions = {array(dims)}", body, False
    )
    return p.tame(p.op("add", [p.tame(sums), most], kept))


def best_place(p):
    """argmax and argmin as JAX writes them."""
    v = p.array(exact=True)
    if v is None:
        return None
    dim = p.rng.randrange(v.rank)
    if p.least(v.dims[dim]) < 1:
        return None
    kept, t, i = p.change(v.dims, dim, 0)[:dim] + v.dims[dim + 1 :], "tensor<f32>", "tensor<i32>"
    way, first = p.rng.choice([("GT", "0xFF800000"), ("LT", "0x7F800000")])
    direction = "comparison_direction = #stablehlo<comparison_direction"
    body = (
        f"({{ ^bb0(%a: {t}, %m: {i}, %b: {t}, %n: {i}): "
        f'%x = "stablehlo.compare"(%a, %b) <{{{direction} {way}>}}> : ({t}, {t}) -> tensor<i1> '
        f'%y = "stablehlo.compare"(%a, %a) <{{{direction} NE>}}> : ({t}, {t}) -> tensor<i1> '
        f"%z = stablehlo.or %x, %y : tensor<i1> "
        f'%e = "stablehlo.compare"(%a, %b) <{{{direction} EQ>}}> : ({t}, {t}) -> tensor<i1> '
        f'%s = "stablehlo.compare"(%m, %n) <{{{direction} LT>}}> : ({i}, {i}) -> tensor<i1> '
        f"%u = stablehlo.and %e, %s : tensor<i1> %w = stablehlo.or %z, %u : tensor<i1> "
        f"%p = stablehlo.select %z, %a, %b : tensor<i1>, {t} %q = stablehlo.select %w, %m, %n : tensor<i1>, {i} "
        f'"stablehlo.return"(%p, %q) : ({t}, {i}) -> () }})'
    )
    operands = [v, p.iota(v.dims, dim, "i32"), p.constant(first), p.constant(0, "i32")]
    best, where = p.several(
        "stablehlo.reduce", operands, [(kept, "f32"), (kept, "i32")], f"dimensions = {array([dim])}", body
    )
    p.values.append(where)
    return best


def mean_of(p, v, dims):
    total, count = p.reduce(v, dims, "add", "0.0"), 1
    for dim in dims:
        count = p.times(count, v.dims[dim])
    size = p.op("convert", [p.size(count)], (), "f32")
    return p.op("divide", [total, p.broadcast(size, [], total.dims)], total.dims)


def mean(p):
    v = p.array(test=lambda v: all(p.least(d) for d in v.dims))
    return v and mean_of(p, v, some_dims(p, v))


def layer_norm(p):
    v = p.array(test=lambda v: all(p.least(d) for d in v.dims))
    if v is None:
        return None
    dims = some_dims(p, v)
    centred = p.op("subtract", [v, back(p, v, mean_of(p, v, dims), dims)], v.dims)
    spread = mean_of(p, p.op("multiply", [centred, centred], v.dims), dims)
    above = p.op("add", [spread, p.filled("0.01", spread.dims)], spread.dims)
    return p.op("multiply", [centred, back(p, v, p.op("rsqrt", [above], above.dims), dims)], v.dims)


def softmax_of(p, v, dim):
    most = back(p, v, p.reduce(v, [dim], "maximum", "0xFF800000"), [dim])
    powers = p.op("exponential", [p.op("subtract", [v, most], v.dims)], v.dims)
    return p.op("divide", [powers, back(p, v, p.reduce(powers, [dim], "add", "0.0"), [dim])], v.dims)


def softmax(p):
    v = p.array(test=lambda v: all(p.least(d) for d in v.dims))
    return v and softmax_of(p, v, p.rng.randrange(v.rank))


def log_sum(p):
    v = p.array(test=lambda v: all(p.least(d) for d in v.dims))
    if v is None:
        return None
    dims = some_dims(p, v)
    powers = p.op("exponential", [p.tame(v)], v.dims)
    made = p.reduce(powers, dims, "add", "0.0")
    return p.op("log", [made], made.dims)


def contracted(p, v, w, batch, left, right, element="f32"):
    kept = lambda x, gone: [d for i, d in enumerate(x.dims) if i not in gone]
    dims = (
        [v.dims[i] for i, _ in batch] + kept(v, [i for i, _ in batch] + left) + kept(w, [j for _, j in batch] + right)
    )
    if not p.fits(dims):
        return None
    numbers = (
        f"lhs_batching_dimensions = {[i for i, _ in batch]}, rhs_batching_dimensions = {[j for _, j in batch]}, "
        f"lhs_contracting_dimensions = {left}, rhs_contracting_dimensions = {right}"
    )
    made = p.op("dot_general", [v, w], dims, element, f"dot_dimension_numbers = #stablehlo.dot<{numbers}>")
    return p.rough(made)


def dot(p):
    """Any dims batching, summed and free."""
    v = p.array(most=3)
    if v is None:
        return None
    order = p.rng.sample(range(v.rank), v.rank)
    summed = p.rng.randint(1, min(2, v.rank))
    left, batch = order[:summed], order[summed : summed + p.rng.randint(0, 1)]
    dims = [v.dims[i] for i in left + batch] + [p.dim(p.rng.choice(["b", "s", 3, "2*b + 1"]))] * p.rng.randint(0, 1)
    places = p.rng.sample(range(len(dims)), len(dims))
    shape = [dims[i] for i in places]
    if not p.fits(shape):
        return None
    w = p.like(shape)
    made = contracted(
        p,
        v,
        w,
        [(i, places.index(len(left) + k)) for k, i in enumerate(batch)],
        left,
        [places.index(k) for k in range(len(left))],
    )
    return made and p.tame(made)


def whole_dot(p):
    v = p.pick(lambda v: 1 <= v.rank <= 3, ("i32",), True) or p.iota(p.array(most=3).dims, 0, "i32")
    dim = p.rng.randrange(v.rank)
    if v.rank > 3:
        return None
    w = p.iota((v.dims[dim], 3), p.rng.randrange(2), "i32")
    return contracted(p, v, w, [], [dim], [0], "i32")


def narrow_dot(p):
    v = p.array(rank=2, most=2, exact=True)
    if v is None:
        return None
    element = p.rng.choice(["bf16", "f16"])
    w = p.like((v.dims[1], 4), exact=True)
    sides = [p.op("convert", [x], x.dims, element) for x in (v, w)]
    return contracted(p, *sides, [], [1], [0])


def matrix_of_flat(p):
    """einsum over b*s: dims are joined, multiplied by weights and split again."""
    v = p.array(rank=3, most=3)
    if v is None or not isinstance(v.dims[2], int):
        return None
    flat = p.reshaped(v, (p.times(v.dims[0], v.dims[1]), v.dims[2]))
    made = contracted(p, flat, p.like((v.dims[2], 5)), [], [1], [0])
    return made and p.tame(p.reshaped(made, (v.dims[0], v.dims[1], 5)))


def attention(p):
    """Of open length, causal or not."""
    q = p.array(rank=2, most=3, test=lambda v: all(p.least(d) for d in v.dims))
    if q is None:
        return None
    batch = [(0, 0)] if q.rank == 3 else []
    s, d = q.rank - 2, q.rank - 1
    k, v = p.like(q.dims), p.like(q.dims)
    scores = contracted(p, q, k, batch, [d], [d])
    if scores is None:
        return None
    if p.rng.random() < 0.5:
        rows, columns = (p.iota(scores.dims, i, "i32") for i in (s, d))
        low = p.filled("-1.0e9", scores.dims)
        scores = p.op("select", [p.compared("GE", rows, columns), scores, low], scores.dims)
    return contracted(p, softmax_of(p, scores, d), v, batch, [d], [s])


def place(p, dims, dim):
    """Numbers along a dim, some more or less, counted in the array's shape or in a row that is repeated."""
    whole = p.rng.random() < 0.5
    numbers = p.iota(dims, dim, "i32") if whole else p.broadcast(p.iota((dims[dim],), 0, "i32"), [dim], dims)
    if p.rng.random() < 0.5:
        return numbers
    more = p.size(p.rng.choice((-3, -1, 0, 1, 2, p.rng.choice(dims))))
    return p.op(p.rng.choice(("add", "subtract")), [numbers, p.broadcast(more, [], dims)], dims, "i32")


def by_place(p, dims):
    """A predicate of places: two dims compared, or one with a size."""
    i, j = p.rng.sample(range(len(dims)), 2)
    end = lambda: p.broadcast(p.size(p.rng.choice(dims)), [], dims)
    other = end() if p.rng.random() < 0.2 else place(p, dims, j)
    operands = [place(p, dims, i), other]
    p.rng.shuffle(operands)
    return p.compared(p.rng.choice(("GE", "GT", "LE", "LT", "EQ", "NE")), *operands)


def chosen_places(p):
    """What a select by places leaves, reduced: causal masks and their like."""
    v = p.array(rank=2, test=lambda v: all(p.least(d) for d in v.dims))
    if v is None:
        return None
    chosen = by_place(p, v.dims)
    if p.rng.random() < 0.4:
        chosen = p.op(p.rng.choice(("and", "or")), [chosen, by_place(p, v.dims)], v.dims, "i1")
    if p.rng.random() < 0.2:
        chosen = p.op("not", [chosen], v.dims, "i1")
    operands = [v, p.filled(p.rng.choice(("-1.0e9", "0.0", "1.0", "0xFF800000", "0x7F800000")), v.dims)]
    p.rng.shuffle(operands)
    v = p.op("select", [chosen, *operands], v.dims)
    way = p.rng.choice(("maximum", "minimum", "add", "softmax"))
    if way == "softmax":
        return p.tame(softmax_of(p, p.tame(v), p.rng.randrange(v.rank)))
    initial = {"maximum": "0xFF800000", "minimum": "0x7F800000", "add": "0.0"}[way]
    return p.tame(p.reduce(p.tame(v) if way == "add" else v, some_dims(p, v), way, initial))


def batch_norm(p):
    v = p.array(rank=2)
    if v is None:
        return None
    feature = p.rng.randrange(v.rank)
    scale, offset, mean_ = (p.like((v.dims[feature],)) for _ in range(3))
    variance = p.op("abs", [p.like((v.dims[feature],))], (v.dims[feature],))
    return p.op(
        "batch_norm_inference", [v, scale, offset, mean_, variance], v.dims,
        attributes=f"epsilon = 0.01 : f32, feature_index = {feature} : i64", exact=False,
    )  # fmt: skip


RULES = [
    (reduction, 4), (whole_numbers, 1), (any_or_all, 1), (two_at_once, 1), (best_place, 2), (mean, 2), (layer_norm, 1),
    (softmax, 2), (log_sum, 1), (dot, 4), (whole_dot, 1), (narrow_dot, 1), (matrix_of_flat, 2), (attention, 2),
    (batch_norm, 1), (chosen_places, 4),
]  # fmt: skip
