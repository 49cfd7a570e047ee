# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rules of ops that take places from data: slices, updates, gathers and scatters."""

from writer import ROWS, array


def index(p):
    if p.rng.random() < 0.3:
        return p.number
    at = p.rng.randrange(ROWS)
    attributes = f"limit_indices = {array([at + 1])}, start_indices = {array([at])}, strides = {array([1])}"
    return p.op("reshape", [p.op("slice", [p.indices], (1,), "i32", attributes)], (), "i32")


def starts(p, v):
    """From data, from sizes, or 0."""
    kinds = {"data": lambda d: index(p), "end": lambda d: p.size(p.dim(f"({d}) - 1")), "zero": lambda d: p.size(0)}
    return [kinds[p.rng.choice(["data", "data", "end", "zero"])](d) for d in v.dims]


def piece(p):
    v = p.array(test=lambda v: all(p.least(d) for d in v.dims))
    if v is None:
        return None
    dims = tuple(p.rng.randint(1, min(3, p.least(d))) for d in v.dims)
    return p.op("dynamic_slice", [v] + starts(p, v), dims, attributes=f"slice_sizes = {array(dims)}")


def open_piece(p):
    """JAX's dynamic slice of open sizes: where it starts is data."""
    v = p.array(test=lambda v: all(p.least(d) for d in v.dims))
    if v is None:
        return None
    dim = p.rng.randrange(v.rank)
    zero = p.constant(0, "i32")
    dims = p.change(v.dims, dim, p.dim(p.rng.choice([1, f"({v.dims[dim]}) - {p.least(v.dims[dim]) // 2}"])))
    if isinstance(dims[dim], int) and not any(isinstance(d, str) for d in dims):
        return None
    most = p.scalar("subtract", p.size(v.dims[dim]), p.size(dims[dim]))
    at = p.op("clamp", [zero, index(p), most], (), "i32")
    parts = [p.op("reshape", [at if i == dim else zero], (1,), "i32") for i in range(v.rank)]
    first = p.op("concatenate", parts, (v.rank,), "i32", "dimension = 0 : i64")
    sizes = p.vector(dims)
    limits = p.op("add", [first, sizes], (v.rank,), "i32")
    return p.op("real_dynamic_slice", [v, first, limits, p.vector([1] * v.rank)], dims)


def update(p):
    """Pieces that are smaller, and of open size."""
    v = p.array(test=lambda v: all(p.least(d) >= 2 for d in v.dims))
    if v is None:
        return None
    dims = []
    for d in v.dims:
        smaller = [1, 2, d] + ([p.dim(f"({d}) - 1"), p.dim(f"floordiv({d}, 2)")] if isinstance(d, str) else [])
        dims.append(p.rng.choice(smaller))
    return p.op("dynamic_update_slice", [v, p.like(dims)] + starts(p, v), v.dims)


def some_indices(p):
    """Known how many, or not."""
    return p.rng.choice([p.indices, p.rows])


def rows_along(p, v):
    """A dim of v, indices along it, and the dims of the rows there; None where there is no v, or they are too large."""
    if v is None:
        return None
    at, rows = p.rng.randrange(v.rank), some_indices(p)
    dims = rows.dims + v.dims[:at] + v.dims[at + 1 :]
    return (at, rows, dims) if p.fits(dims) else None


def gather(p):
    """Rows along any dim; as JAX takes them, negative ones from behind."""
    v = p.array(test=lambda v: all(p.least(d) for d in v.dims))
    chosen = rows_along(p, v)
    if chosen is None:
        return None
    at, rows, dims = chosen
    if p.rng.random() < 0.5:
        zero, size = p.filled(0, rows.dims, "i32"), p.broadcast(p.size(v.dims[at]), [], rows.dims)
        below, behind = p.compared("LT", rows, zero), p.op("add", [rows, size], rows.dims, "i32")
        rows = p.op("select", [below, behind, rows], rows.dims, "i32")
    sizes = p.change(v.dims, at, 1)
    numbers = (
        f"#stablehlo.gather<offset_dims = {list(range(1, v.rank))}, collapsed_slice_dims = [{at}], "
        f"start_index_map = [{at}], index_vector_dim = 1>"
    )
    return p.op("dynamic_gather", [v, rows, p.vector(sizes)], dims, attributes=f"dimension_numbers = {numbers}")


def take_along(p):
    """An element of each row, by a batch dim of the gather."""
    v = p.array(rank=2, most=2, test=lambda v: all(p.least(d) for d in v.dims))
    if v is None:
        return None
    n = v.dims[0]
    where = p.reshaped(p.iota((n,), 0, "i32") if p.rng.random() < 0.3 else p.like((n,), "i32"), (n, 1))
    numbers = (
        "#stablehlo.gather<offset_dims = [], collapsed_slice_dims = [1], operand_batching_dims = [0], "
        "start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 1>"
    )
    attributes = f"dimension_numbers = {numbers}, slice_sizes = array<i64: 1, 1>"
    return p.op("gather", [v, where], (n,), attributes=attributes)


def points(p):
    """Single elements by two indices each."""
    v = p.array(rank=2, most=2, test=lambda v: all(p.least(d) for d in v.dims))
    if v is None:
        return None
    rows = some_indices(p)
    other = p.op("abs", [rows], rows.dims, "i32")
    where = p.concatenated([p.reshaped(x, rows.dims + (1,)) for x in (rows, other)], 1)
    numbers = "#stablehlo.gather<collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 1>"
    attributes = f"dimension_numbers = {numbers}, slice_sizes = array<i64: 1, 1>"
    return p.op("gather", [v, where], rows.dims, attributes=attributes)


def scatter(p):
    """Rows added, or otherwise combined, at places from data."""
    v = p.array(exact=p.rng.random() < 0.5)
    chosen = rows_along(p, v)
    if chosen is None:
        return None
    at, rows, dims = chosen
    numbers = (
        f"#stablehlo.scatter<update_window_dims = {list(range(1, v.rank))}, inserted_window_dims = [{at}], "
        f"scatter_dims_to_operand_dims = [{at}], index_vector_dim = 1>"
    )
    name = p.rng.choice(["add", "maximum", "minimum", "multiply"])
    made = p.op(
        "scatter",
        [v, rows, p.like(dims)],
        v.dims,
        attributes=f"scatter_dimension_numbers = {numbers}",
        regions=p.body(name),
    )
    return p.rough(made) if name in ("add", "multiply") else made


def windows_of(p):
    """Pieces of a known size added at places from data: those that reach over the end are left out."""
    v = p.array(most=2, test=lambda v: p.least(v.dims[0]) >= 2)
    if v is None:
        return None
    rows = some_indices(p)
    dims = rows.dims + (2,) + v.dims[1:]
    if not p.fits(dims):
        return None
    where = p.reshaped(rows, rows.dims + (1,))
    numbers = (
        f"#stablehlo.scatter<update_window_dims = {list(range(1, v.rank + 1))}, scatter_dims_to_operand_dims = [0], "
        "index_vector_dim = 1>"
    )
    made = p.op(
        "scatter",
        [v, where, p.like(dims)],
        v.dims,
        attributes=f"scatter_dimension_numbers = {numbers}",
        regions=p.body("add"),
    )
    return p.rough(made)


def segments(p):
    """Sums of rows by their segment; how many rows there are is open."""
    v = p.array(test=lambda v: v.dims[0] == p.rows.dims[0])
    if v is None:
        return None
    to = (6,) + v.dims[1:]
    numbers = (
        f"#stablehlo.scatter<update_window_dims = {list(range(1, v.rank))}, inserted_window_dims = [0], "
        "scatter_dims_to_operand_dims = [0], index_vector_dim = 1>"
    )
    made = p.op(
        "scatter",
        [p.filled("0.0", to), p.rows, v],
        to,
        attributes=f"scatter_dimension_numbers = {numbers}",
        regions=p.body("add"),
    )
    return p.tame(p.rough(made))


def one_hot(p):
    rows, other = some_indices(p), p.dim(p.rng.choice(["s", "b", 6]))
    dims = rows.dims + (other,)
    test = p.compared("EQ", p.broadcast(rows, [0], dims), p.iota(dims, 1, "i32"))
    return p.op("convert", [test], dims)


def last_row(p):
    v = p.array(test=lambda v: p.least(v.dims[0]) >= 1)
    if v is None:
        return None
    row = (1,) + v.dims[1:]
    first = [p.dim(f"({v.dims[0]}) - 1")] + [0] * (v.rank - 1)
    return p.sliced(v, first, v.dims, [1] * v.rank, row)


RULES = [
    (piece, 2), (open_piece, 2), (update, 3), (gather, 3), (take_along, 1), (points, 1), (scatter, 3), (windows_of, 1),
    (segments, 1), (one_hot, 1), (last_row, 1),
]  # fmt: skip
