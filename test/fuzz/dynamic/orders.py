# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rules of sorts and what is made of them: orders, the largest few, medians."""


def compared_body(types, way, key=0):
    """Blocks of a sort of several operands: two arguments each."""
    heads = ", ".join(f"%l{i}: {t}, %r{i}: {t}" for i, t in enumerate(types))
    kind = "TOTALORDER" if "f" in types[key] else "SIGNED"
    return (
        f"({{ ^bb0({heads}): %t = stablehlo.compare {way}, %l{key}, %r{key}, {kind} : ({types[key]}, {types[key]}) -> "
        'tensor<i1> "stablehlo.return"(%t) : (tensor<i1>) -> () })'
    )


def sort(p):
    v = p.array()
    dim = p.rng.randrange(v.rank)
    body = compared_body(["tensor<f32>"], p.rng.choice(["LT", "GT"]))
    return p.op("sort", [v], v.dims, attributes=f"dimension = {dim} : i64, is_stable = true", regions=body)


def order_of(p, v, dim, way="LT"):
    """The sorted values and their places."""
    body = compared_body(["tensor<f32>", "tensor<i32>"], way)
    return p.several(
        "stablehlo.sort", [v, p.iota(v.dims, dim, "i32")], [(v.dims, "f32"), (v.dims, "i32")],
        f"dimension = {dim} : i64, is_stable = true", body,
    )  # fmt: skip


def argsort(p):
    v = p.array(exact=True)
    if v is None:
        return None
    values, order = order_of(p, v, p.rng.randrange(v.rank), p.rng.choice(["LT", "GT"]))
    p.values.append(order)
    return values


def sort_whole(p):
    v = p.pick(lambda v: v.rank, ("i32",), True)
    if v is None:
        return None
    body = compared_body(["tensor<i32>"], p.rng.choice(["LT", "GT"]))
    return p.op("sort", [v], v.dims, "i32", f"dimension = {v.rank - 1} : i64, is_stable = true", regions=body)


def median(p):
    v = p.array(test=lambda v: all(p.least(d) for d in v.dims), exact=True)
    if v is None:
        return None
    dim = p.rng.randrange(v.rank)
    values, _ = order_of(p, v, dim)
    half = p.quotient(v.dims[dim], 2)
    row, zeros, ones = p.change(v.dims, dim, 1), [0] * v.rank, [1] * v.rank
    if not any(isinstance(d, str) for d in v.dims):
        return None
    end = p.change(v.dims, dim, p.plus(half, 1))
    return p.sliced(values, p.change(zeros, dim, half), end, ones, row)


def top(p):
    v = p.array(test=lambda v: p.least(v.dims[-1]) >= 1, exact=True)
    if v is None:
        return None
    k = p.rng.randint(1, min(3, p.least(v.dims[-1])))
    dims = v.dims[:-1] + (k,)
    values, where = p.several("chlo.top_k", [v], [(dims, "f32"), (dims, "i32")], f"k = {k} : i64")
    p.values.append(where)
    return values


def open_top(p):
    """How many is a size."""
    v = p.array(test=lambda v: isinstance(v.dims[-1], str) and p.least(v.dims[-1]) >= 2, exact=True)
    if v is None:
        return None
    k = p.dim(p.rng.choice([f"floordiv({v.dims[-1]}, 2)", f"({v.dims[-1]}) - 1", v.dims[-1]]))
    dims = v.dims[:-1] + (k,)
    size, name = p.size(k), p.fresh()
    values, where = (type(v)(f"{name}#{i}", dims, e) for i, e in enumerate(("f32", "i32")))
    p.lines.append(
        f"{name}:2 = stablehlo.custom_call @stablehlo.dynamic_top_k({v.name}, {size.name}) {{api_version = 2 : i32}} : "
        f"({v.type}, {size.type}) -> ({values.type}, {where.type})"
    )
    p.values.append(where)
    return values


RULES = [(sort, 3), (argsort, 2), (sort_whole, 1), (median, 2), (top, 2), (open_top, 1)]
