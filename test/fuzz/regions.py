# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rules of ops with regions: control flow of several values, nested, with its counter at work; reductions and sorts of
several operands."""

import math

from builder import (
    FLOATS,
    INFINITY,
    INTEGERS,
    REALS,
    SIGN,
    Builder,
    Value,
    dense,
    greatest,
    least,
    numbers,
    reduced_bound,
    reducer,
    tensor,
    ways_of,
)


def types(values):
    return ", ".join(v.type for v in values)


def names(values):
    return ", ".join(v.name for v in values)


def close(b, inner, results):
    inner.line(f'"stablehlo.return"({names(results)}) : ({types(results)}) -> ()')


def several(b, name, operands, attributes, regions, results):
    """An op of several results, each a Value whose name it gets."""
    name_, many = b.fresh(), len(results) > 1
    b.line(
        f'{name_}{f":{len(results)}" if many else ""} = "stablehlo.{name}"({names(operands)}){f" <{{{attributes}}}>" if attributes else ""}'
        f" ({regions}) : ({types(operands)}) -> ({types(results)})"
    )
    for i, r in enumerate(results):
        r.name = f"{name_}#{i}" if many else name_
    return results


def copies(b, values, exact=True):
    """New names for values of the same types."""
    return [Value(b.fresh(), v.element, v.shape, exact and v.exact, v.bound, v.ways) for v in values]


# ---- control flow ----------------------------------------------------------------------------------------------------


def branch(b, wanted):
    """A block of a few ops that returns values of the types of `wanted`."""
    inner = Builder(b.rng, b, b.depth + 1)
    inner.grow(b.rng.randint(1, 4))
    results = [inner.tame(inner.pick(lambda v: v.type == w.type) or w) for w in wanted]
    close(b, inner, results)
    return inner, results


def choice(b):
    """if or case with several results."""
    if b.depth > 1:
        return None
    wanted = [v for v in (b.pick() for _ in range(b.rng.randint(1, 3))) if v]
    flag = b.pick(lambda v: v.element == "i1" and v.shape == ())
    which = flag or b.constant("i32", [], b.rng.randint(-1, 4))
    branches = [branch(b, wanted) for _ in range(2 if flag else b.rng.randint(1, 4))]
    regions = ", ".join("{\n" + "\n".join(inner.lines) + "\n" + "  " * (b.depth + 2) + "}" for inner, _ in branches)
    results = [
        Value(
            "",
            w.element,
            w.shape,
            all(r[i].exact for _, r in branches),
            max(r[i].bound for _, r in branches),
            ways_of(r[i] for _, r in branches),
        )
        for i, w in enumerate(wanted)
    ]
    return several(b, "if" if flag else "case", [which], "", regions, results)


def at_counter(b, counter):
    """A slice of a value at the loop's counter, read or written."""
    v = b.pick(lambda v: v.shape and v.size)
    if not v:
        return None
    d = b.rng.randrange(len(v.shape))
    zero = b.constant("i32", [], 0)
    starts = [counter if i == d or b.rng.random() < 0.1 else zero for i in range(len(v.shape))]
    sizes = [min(s, b.rng.choice([1, 1, 2])) if i == d else s for i, s in enumerate(v.shape)]
    part = b.op(
        "dynamic_slice", [v] + starts, v.element, sizes, f"slice_sizes = {numbers(sizes)}", exact=v.exact, bound=v.bound
    )
    if b.rng.random() < 0.4:
        return part
    into = b.pick(lambda w: w.type == v.type)
    other = b.pick(lambda w: w.type == part.type) or part
    return b.op(
        "dynamic_update_slice",
        [into, other] + starts,
        v.element,
        v.shape,
        exact=other.exact and into.exact,
        bound=max(other.bound, into.bound),
    )


def loop(b):
    """A loop over several values, of a counter that goes up or down by some steps, or until a condition of what is
    carried."""
    if b.depth > 1:
        return None
    carried = [
        b.tame(v)
        for v in (b.pick(lambda v: v.size and v.element in REALS + ("i1",)) for _ in range(b.rng.randint(1, 4)))
        if v
    ]
    if not carried:
        return None
    step, trips = b.rng.choice([1, 1, 1, 2, -1]), b.rng.randint(0, 6)
    first = 0 if step > 0 else trips
    start, place = b.constant("i32", [], first), b.rng.randint(0, len(carried))
    inner = Builder(b.rng, b, b.depth + 1)
    counter = Value(b.fresh(), "i32", [], True, 12)
    ways = ways_of(carried)  # any of them may come to any other
    inside = [
        Value(b.fresh(), v.element, v.shape, v.element not in FLOATS, 1e3 if v.element != "f16" else 30, ways)
        for v in carried
    ]
    inner.values += inside + [counter]
    for _ in range(b.rng.randint(1, 2)):
        made = at_counter(inner, counter)
        inner.values += [made] if made else []
    inner.grow(b.rng.randint(1, 5))
    results = [inner.tame(inner.pick(lambda w: w.type == v.type)) for v in inside]
    moved = inner.op("add", [counter, inner.constant("i32", [], step)], "i32", [])
    put = lambda values, one: values[:place] + [one] + values[place:]
    close(b, inner, put(results, moved))
    test = Builder(b.rng, b, b.depth + 1)
    seen = put(copies(b, inside), Value(b.fresh(), "i32", []))
    end = test.constant("i32", [], trips if step > 0 else 0)
    going = test.op(
        "compare",
        [seen[place], end],
        "i1",
        [],
        f"comparison_direction = #stablehlo<comparison_direction {'LT' if step > 0 else 'GT'}>",
    )
    more = [v for i, v in enumerate(seen) if i != place and v.element in INTEGERS and v.shape == ()]
    if more:
        small = test.op(
            "compare",
            [more[0], test.filled(more[0], 100)],
            "i1",
            [],
            "comparison_direction = #stablehlo<comparison_direction LT>",
        )
        going = test.op("and", [going, small], "i1", [])
    close(b, test, [going])
    indent = "  " * (b.depth + 2)

    def region(arguments, block):
        return (
            "{\n"
            + f"{indent}^bb0({', '.join(f'{v.name}: {v.type}' for v in arguments)}):\n"
            + "\n".join(block.lines)
            + f"\n{indent}}}"
        )

    operands = put(carried, start)
    ways = ways_of(inside + results)
    out = [
        Value("", v.element, v.shape, v.element not in FLOATS, w.bound, ways)
        for v, w in zip(operands, put(inside, counter))
    ]
    return several(b, "while", operands, "", f"{region(seen, test)}, {region(put(inside, counter), inner)}", out)


# ---- reductions, windows, sorts --------------------------------------------------------------------------------------


def scalar_block(b, arguments, lines, results):
    head = ", ".join(f"{n}: {t}" for n, t in arguments)
    return (
        "{\n    ^bb0("
        + head
        + "):\n"
        + "".join(f"      {line}\n" for line in lines)
        + f'      "stablehlo.return"({", ".join(n for n, _ in results)}) : ({", ".join(t for _, t in results)}) -> '
        f"()\n    }}"
    )


def argument_of(b):
    """The largest or least and where: JAX's argmax, on ties the first."""
    v = b.pick(lambda v: v.shape and v.size and (v.element in INTEGERS or v.element in FLOATS and v.exact))
    if not v:
        return None
    dims = sorted(b.rng.sample(range(len(v.shape)), b.rng.choice([1, 1, min(2, len(v.shape))])))
    places = b.op("iota", [], "i32", v.shape, f"iota_dimension = {dims[-1]} : i64", exact=True, bound=v.shape[dims[-1]])
    up = b.rng.random() < 0.5
    if v.element in FLOATS:
        bad = f"0x{INFINITY[v.element] | (SIGN[v.element] if up else 0):X}"
    else:
        bad = least(v.element) if up else greatest(v.element)
    other = b.rng.random() < 0.25
    inits = [
        b.constant(v.element, [], b.rng.randint(0, 3) if other else bad),
        b.constant("i32", [], b.rng.randint(0, 3) if other else 2**31 - 1),
    ]
    t, i = tensor(v.element, []), "tensor<i32>"
    x, p, y, q, wins, same, before, tie, take, value, place = (b.fresh() for _ in range(11))
    direction = "GT" if up else "LT"
    compare = lambda r, a, c, d, t: (
        f'{r} = "stablehlo.compare"({a}, {c}) <{{comparison_direction = #stablehlo<comparison_direction {d}>}}> : '
        f"({t}, {t}) -> tensor<i1>"
    )
    lines = [
        compare(wins, x, y, direction, t),
        compare(same, x, y, "EQ", t),
        compare(before, p, q, "LT", i),
        f"{tie} = stablehlo.and {same}, {before} : tensor<i1>",
        f"{take} = stablehlo.or {wins}, {tie} : tensor<i1>",
        f"{value} = stablehlo.select {take}, {x}, {y} : tensor<i1>, {t}",
        f"{place} = stablehlo.select {take}, {p}, {q} : tensor<i1>, {i}",
    ]
    body = scalar_block(b, [(x, t), (p, i), (y, t), (q, i)], lines, [(value, t), (place, i)])
    shape = [s for d, s in enumerate(v.shape) if d not in dims]
    results = [Value("", v.element, shape, v.exact, max(v.bound, 10)), Value("", "i32", shape, True, v.shape[dims[-1]])]
    return several(b, "reduce", [v, places] + inits, f"dimensions = {numbers(dims)}", body, results)


def reduce_several(b):
    """Reductions of several operands of one shape, each by an op of its own."""
    v = b.pick(lambda v: v.shape and v.element in REALS)
    if not v:
        return None
    operands = [
        b.tame(w)
        for w in [v]
        + [
            b.pick(lambda w: w.shape == v.shape and (w.element == v.element or w.element in INTEGERS + ("i1",))) or v
            for _ in range(b.rng.randint(1, 2))
        ]
    ]
    dims = sorted(b.rng.sample(range(len(v.shape)), b.rng.randint(1, len(v.shape))))
    count = math.prod(v.shape[d] for d in dims)
    shape = [s for d, s in enumerate(v.shape) if d not in dims]
    inits, terms, left, right, lines, ends, results = [], [], [], [], [], [], []
    for w in operands:
        name, first, grows = reducer(b, w.element)
        bound = reduced_bound(w, first, grows, count)
        inits.append(b.constant(w.element, [], first))
        terms.append(w if w.exact and Value("", w.element, (), True, bound).exact else b.noisy(w, count))
        t, x, y, z = tensor(w.element, []), b.fresh(), b.fresh(), b.fresh()
        left.append((x, t)), right.append((y, t)), ends.append((z, t))
        lines.append(f"{z} = stablehlo.{name} {x}, {y} : {t}")
        results.append(Value("", w.element, shape, w.exact, bound, w.ways))
    return several(
        b, "reduce", terms + inits, f"dimensions = {numbers(dims)}", scalar_block(b, left + right, lines, ends), results
    )


def sort_several(b):
    """A stable sort by a key, or by a key and then another, that others follow."""
    key = b.pick(lambda v: v.shape and v.size and (v.element in INTEGERS or v.element in FLOATS and v.exact))
    if not key:
        return None
    operands = [key] + [b.pick(lambda w: w.shape == key.shape) for _ in range(b.rng.randint(1, 3))]
    b.rng.shuffle(operands)
    keys = [i for i, v in enumerate(operands) if v.element in INTEGERS or v.element in FLOATS and v.exact]
    first, second = b.rng.choice(keys), b.rng.choice(keys)
    arguments = [(b.fresh(), tensor(v.element, [])) for v in operands for _ in range(2)]
    less, same, then, both, out = (b.fresh() for _ in range(5))
    direction = b.rng.choice(["LT", "GT"])
    compare = lambda r, i, d: (
        f'{r} = "stablehlo.compare"({arguments[2 * i][0]}, {arguments[2 * i + 1][0]}) <{{comparison_direction = '
        f"#stablehlo<comparison_direction {d}>}}> : ({arguments[2 * i][1]}, {arguments[2 * i][1]}) -> tensor<i1>"
    )
    lines = [
        compare(less, first, direction),
        compare(same, first, "EQ"),
        compare(then, second, b.rng.choice(["LT", "GT"])),
        f"{both} = stablehlo.and {same}, {then} : tensor<i1>",
        f"{out} = stablehlo.or {less}, {both} : tensor<i1>",
    ]
    body = scalar_block(b, arguments, lines, [(out, "tensor<i1>")])
    results = [Value("", v.element, v.shape, v.exact, v.bound, v.ways) for v in operands]
    return several(
        b, "sort", operands, f"dimension = {b.rng.randrange(len(key.shape))} : i64, is_stable = true", body, results
    )


def select_and_scatter(b):
    """The gradient of a maximum over windows, of numbers that all differ: XLA:CPU gives ties to another place than the
    first."""
    v = b.pick(
        lambda v: v.shape and 0 < v.size < b.limit // 7 and v.element in ("f32", "i32") and v.exact and v.bound < 100
    )
    if not v or len(v.shape) > 4:
        return None
    t, flat = v.element, [v.size]
    place = b.op(
        "reshape",
        [b.op("iota", [], t, flat, "iota_dimension = 0 : i64", exact=True, bound=v.size)],
        t,
        v.shape,
        exact=True,
        bound=v.size,
    )
    v = b.op(
        "add",
        [b.op("multiply", [v, b.filled(v, v.size)], t, v.shape, exact=True, bound=v.bound * v.size), place],
        t,
        v.shape,
        exact=True,
        bound=(v.bound + 1) * v.size,
    )
    window, strides, padding, shape = [], [], [], []
    for s in v.shape:
        w, stride = b.rng.randint(1, min(s, 3)), b.rng.choice([1, 2, 3])
        lo, hi = b.rng.randint(0, w - 1), b.rng.randint(0, w - 1)
        (
            window.append(w),
            strides.append(stride),
            padding.append([lo, hi]),
            shape.append((lo + s + hi - w) // stride + 1),
        )
    source = b.pick(lambda w: w.element == v.element and w.shape == tuple(shape)) or b.constant(v.element, shape, 2)
    source = b.tame(source)
    first, t = b.rng.choice([0, 0, 1, 3]), tensor(v.element, [])
    init = b.constant(v.element, [], first)
    x, y, z, p, q, r = (b.fresh() for _ in range(6))
    choose = scalar_block(
        b,
        [(x, t), (y, t)],
        [
            f'{z} = "stablehlo.compare"({x}, {y}) <{{comparison_direction = #stablehlo<comparison_direction GE>}}> : '
            f"({t}, {t}) -> tensor<i1>"
        ],
        [(z, "tensor<i1>")],
    )
    add = scalar_block(b, [(p, t), (q, t)], [f"{r} = stablehlo.add {p}, {q} : {t}"], [(r, t)])
    attributes = f"window_dimensions = {numbers(window)}, window_strides = {numbers(strides)}, padding = {dense(padding, [len(padding), 2])}"
    result = Value("", v.element, v.shape, source.exact, source.bound * math.prod(window) + first, source.ways)
    if not result.exact:
        source = b.noisy(source, math.prod(window))
    return several(b, "select_and_scatter", [v, source, init], attributes, f"{choose}, {add}", [result])


RULES = [(choice, 1), (loop, 3), (argument_of, 1), (reduce_several, 2), (sort_several, 1), (select_and_scatter, 1)]
