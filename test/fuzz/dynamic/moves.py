# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rules of ops that move elements: what makes holes, and what makes sizes of sizes."""

from writer import array


def transpose(p):
    v = p.array(rank=2)
    return v and p.permuted(v, p.rng.sample(range(v.rank), v.rank))


def merge(p):
    """Two or more dims become one, and perhaps two again."""
    v = p.array(rank=2)
    if v is None:
        return None
    at = p.rng.randrange(v.rank - 1)
    end = p.rng.randint(at + 2, v.rank)
    joined = 1
    for d in v.dims[at:end]:
        joined = p.times(joined, d)
    made = p.reshaped(v, v.dims[:at] + (joined,) + v.dims[end:])
    return made if p.rng.random() < 0.5 else p.reshaped(p.tame(made), v.dims)


def regroup(p):
    """(a, b, c) -> (a*b, c) -> ... by other borders."""
    v = p.array(rank=3, most=3)
    if v is None:
        return None
    front = p.reshaped(v, (p.times(v.dims[0], v.dims[1]), v.dims[2]))
    return p.reshaped(front, (v.dims[0], p.times(v.dims[1], v.dims[2])))


def split(p):
    """A known dim becomes two, or an open one of a known factor."""
    v = p.array(test=lambda v: any(d in (4, 6) for d in v.dims))
    if v is None:
        return None
    at = next(i for i, d in enumerate(v.dims) if d in (4, 6))
    parts = (2, v.dims[at] // 2) if p.rng.random() < 0.5 else (v.dims[at] // 2, 2)
    made = p.reshaped(v, v.dims[:at] + parts + v.dims[at + 1 :])
    if at and p.rng.random() < 0.5:  # (b, 4) -> (b, 2, 2) -> (2*b, 2)
        return p.reshaped(made, v.dims[: at - 1] + (p.times(v.dims[at - 1], parts[0]),) + made.dims[at + 1 :])
    return made


def ones(p):
    """A dim of size 1 more."""
    v = p.array(rank=0, most=4)
    at = p.rng.randint(0, v.rank)
    return p.reshaped(v, v.dims[:at] + (1,) + v.dims[at:])


def concatenate(p):
    v = p.array()
    dim = p.rng.randrange(v.rank)
    rest = lambda w: w.dims[:dim] + w.dims[dim + 1 :]
    others = [p.array(test=lambda w: w.rank == v.rank and rest(w) == rest(v)) for _ in range(p.rng.randint(1, 2))]
    if p.rng.random() < 0.4:
        others[0] = p.like(p.change(v.dims, dim, p.dim(p.rng.choice([2, "b", "s", "b + 2"]))))
    values = [v] + others
    p.rng.shuffle(values)
    made = p.concatenated(values, dim)
    return made if p.fits(made.dims) else None


def stack(p):
    v = p.array(most=3)
    at = p.rng.randint(0, v.rank)
    parts = [p.reshaped(x, v.dims[:at] + (1,) + v.dims[at:]) for x in (v, p.like(v.dims))]
    return p.concatenated(parts, at)


def roll(p):
    v = p.array(test=lambda v: any(p.least(d) >= 2 for d in v.dims))
    if v is None:
        return None
    dim = next(i for i, d in enumerate(v.dims) if p.least(d) >= 2)
    size, zeros, ones = v.dims[dim], [0] * v.rank, [1] * v.rank
    cut = p.dim(f"({size}) - 1" if isinstance(size, str) else size - 1)
    first = p.sliced(v, zeros, p.change(v.dims, dim, cut), ones, p.change(v.dims, dim, cut))
    last = p.sliced(v, p.change(zeros, dim, cut), v.dims, ones, p.change(v.dims, dim, 1))
    return p.concatenated([last, first], dim)


def tile(p):
    """Repeated as a whole, or each element."""
    v = p.array(most=3)
    at = p.rng.randrange(v.rank)
    whole = p.rng.random() < 0.5
    new = at if whole else at + 1
    to = v.dims[:new] + (2,) + v.dims[new:]
    big = p.broadcast(v, [d for d in range(v.rank + 1) if d != new], to)
    dims = p.change(v.dims, at, p.times(2, v.dims[at]))
    return p.reshaped(big, dims) if p.fits(dims) else None


def reverse(p):
    v = p.array()
    dims = sorted(p.rng.sample(range(v.rank), p.rng.randint(1, v.rank)))
    return p.op("reverse", [v], v.dims, attributes=f"dimensions = {array(dims)}")


def pad(p):
    v = p.array(test=lambda v: all(p.least(d) for d in v.dims))
    if v is None:
        return None
    dim = p.rng.randrange(v.rank)
    low, high, inner = p.rng.choice([(1, 2, 0), (0, 3, 0), (2, -1, 0), (-1, 1, 0), (1, 1, 1), (0, 0, 2), (-1, 2, 1)])
    old = v.dims[dim]
    new = p.dim(
        old + low + high + (old - 1) * inner if isinstance(old, int) else f"({old})*{inner + 1} + {low + high - inner}"
    )
    dims = p.change(v.dims, dim, new)
    if p.least(new) < 0 or not p.fits(dims):
        return None
    lists = [p.change([0] * v.rank, dim, x) for x in (low, high, inner)]
    names = ("edge_padding_low", "edge_padding_high", "interior_padding")
    text = ", ".join(f"{n} = {array(l)}" for n, l in zip(names, lists))
    return p.op("pad", [v, p.constant("0.75")], dims, attributes=text)


def pad_by_sizes(p):
    """As many elements on a side as another size says."""
    v = p.array()
    dim = p.rng.randrange(v.rank)
    amounts = [p.dim(p.rng.choice([0, 1, "b", "s", "b + s"])) for _ in range(2)]
    if p.rng.random() < 0.3 and p.least(v.dims[dim]) >= 2:
        amounts[p.rng.randrange(2)] = -1
    dims = p.change(v.dims, dim, p.plus(p.plus(v.dims[dim], amounts[0]), amounts[1]))
    if not p.fits(dims):
        return None
    low, high = (p.vector(p.change([0] * v.rank, dim, a)) for a in amounts)
    return p.op("dynamic_pad", [v, p.constant("-0.5"), low, high, p.vector([0] * v.rank)], dims)


def cut(p):
    """A slice whose ends depend on sizes."""
    v = p.array(test=lambda v: any(isinstance(d, str) and p.least(d) >= 3 for d in v.dims))
    if v is None:
        return None
    dim = p.rng.choice([i for i, d in enumerate(v.dims) if isinstance(d, str) and p.least(d) >= 3])
    old = v.dims[dim]
    start, end, stride = p.rng.choice([(1, 0, 1), (0, 1, 1), (1, 1, 2), (0, 0, 2), (2, 0, 3), (0, 2, 1)])
    limits, kind = p.change(v.dims, dim, p.dim(f"({old}) - {end}")), p.rng.random()
    if kind < 0.25:  # the second half
        start, stride, limits = p.dim(f"floordiv({old}, 2)"), 1, v.dims
        new = p.dim(f"({old}) - floordiv({old}, 2)")
    elif kind < 0.5:  # as much as another size says, where that is no more
        start, stride = 0, 1
        new = p.dim(f"min({old}, {p.rng.choice(['b', 's', 'b + s', 4])})")
        limits = p.change(v.dims, dim, new)
    else:
        new = p.dim(f"floordiv(({old}) - {end + start} + {stride - 1}, {stride})")
    zeros, strides = [0] * v.rank, p.change([1] * v.rank, dim, stride)
    return p.sliced(v, p.change(zeros, dim, start), limits, strides, p.change(v.dims, dim, new))


def first_ones(p):
    """A slice that every size reaches: the plain op."""
    v = p.array(test=lambda v: any(p.least(d) >= 2 for d in v.dims))
    if v is None:
        return None
    dim = p.rng.choice([i for i, d in enumerate(v.dims) if p.least(d) >= 2])
    end = p.rng.randint(2, min(p.least(v.dims[dim]), 5))
    start = p.rng.randint(0, end - 1)
    if any(isinstance(d, str) for i, d in enumerate(v.dims) if i != dim):
        limits, dims = p.change(v.dims, dim, end), p.change(v.dims, dim, end - start)
        return p.sliced(v, p.change([0] * v.rank, dim, start), limits, [1] * v.rank, dims)
    limits, starts = p.change(v.dims, dim, end), p.change([0] * v.rank, dim, start)
    attributes = f"limit_indices = {array(limits)}, start_indices = {array(starts)}, strides = {array([1] * v.rank)}"
    return p.op("slice", [v], p.change(v.dims, dim, end - start), attributes=attributes)


def shorter(p):
    """A dim set to a smaller size."""
    v = p.array(test=lambda v: any(isinstance(d, str) and p.least(d) >= 2 for d in v.dims))
    if v is None:
        return None
    dim = p.rng.choice([i for i, d in enumerate(v.dims) if isinstance(d, str) and p.least(d) >= 2])
    new = p.dim(p.rng.choice([f"({v.dims[dim]}) - 1", f"floordiv({v.dims[dim]}, 2) + 1"]))
    dims = p.change(v.dims, dim, new)
    return p.op("set_dimension_size", [v, p.size(new)], dims, attributes=f"dimension = {dim} : i64")


def pair_rows(p):
    """Every second row beside the one before it: sizes halve."""
    v = p.array(rank=2, most=2, test=lambda v: isinstance(v.dims[0], str) and isinstance(v.dims[1], int))
    if v is None:
        return None
    half = p.quotient(v.dims[0], 2)
    even = p.times(2, half)
    front = p.sliced(v, [0, 0], (even, v.dims[1]), [1, 1], (even, v.dims[1]))
    return p.reshaped(front, (half, 2 * v.dims[1]))


RULES = [
    (transpose, 3), (merge, 3), (regroup, 1), (split, 1), (ones, 1), (concatenate, 4), (stack, 1), (roll, 1), (tile, 1),
    (reverse, 2), (pad, 2), (pad_by_sizes, 2), (cut, 3), (first_ones, 1), (shorter, 1), (pair_rows, 1),
]  # fmt: skip
