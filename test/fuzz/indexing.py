# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rules of dynamic slices, gathers, scatters and sorts."""

import math

from builder import INTEGERS, REALS, numbers, same, scattered, tensor
from reductions import summed


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
        f"limit_indices = {numbers(sizes)}, start_indices = {numbers([0] * len(sizes))}, strides = "
        f"{numbers([1] * len(sizes))}",
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
    dims = (
        f"#stablehlo.gather<offset_dims = {list(range(1, rank))}, collapsed_slice_dims = [0], "
        "start_index_map = [0], index_vector_dim = 1>"
    )
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
        f"#stablehlo.scatter<update_window_dims = [{', '.join(str(d) for d in range(1, rank))}], "
        f"inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], "
        "index_vector_dim = 1>"
    )
    name = b.rng.choice(["add", "maximum", "minimum"])
    bound = v.bound + updates.bound * index.shape[0]
    if not (v.exact and updates.exact):
        v, updates = summed(b, v, bound, 1), summed(b, updates, bound, index.shape[0])
    return scattered(b, [v, index, updates], dims, name, bound)


def sort(b):
    v = b.pick(lambda v: v.shape and v.size and v.element in REALS and (v.exact or v.element in INTEGERS))
    if not v:
        return None
    x, y, z, t = b.fresh(), b.fresh(), b.fresh(), tensor(v.element, [])
    direction = b.rng.choice(["LT", "GT"])
    region = (
        f' ({{\n    ^bb0({x}: {t}, {y}: {t}):\n      {z} = "stablehlo.compare"({x}, {y}) <{{comparison_direction = '
        f"#stablehlo<comparison_direction {direction}>}}> "
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


RULES = [(dynamic_slice, 2), (gather, 2), (scatter, 2), (sort, 1)]
