# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rules of linear algebra and transforms: matrices and signals of known size, of which there is an open number."""

import sums
from writer import array


def matrices(p):
    """Symmetric ones with a large diagonal, an open number of them."""
    v = p.array(most=2, test=lambda v: p.least(v.dims[0]) >= 1)
    if v is None:
        return None
    dims = (v.dims[0], 3, 3)
    part = p.broadcast(p.tame(p.like((v.dims[0],))), [0], dims)
    rows, columns = (p.iota(dims, i, "i32") for i in (1, 2))
    diagonal = p.op("select", [p.compared("EQ", rows, columns), p.filled("4.0", dims), p.filled("0.5", dims)], dims)
    return p.op("add", [p.op("multiply", [part, p.filled("0.25", dims)], dims), diagonal], dims)


def cholesky(p):
    m = matrices(p)
    return m and p.op("cholesky", [m], m.dims, attributes="lower = true", exact=False)


def solve(p):
    m = matrices(p)
    if m is None:
        return None
    right = p.like((m.dims[0], 3, 2))
    attributes = (
        "left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>"
    )
    return p.tame(p.op("triangular_solve", [m, right], right.dims, attributes=attributes, exact=False))


def signals(p):
    """Along the last dim, which is known."""
    v = p.array(test=lambda v: isinstance(v.dims[-1], int) and v.dims[-1] > 1)
    if v is None:
        return None
    n = v.dims[-1]
    dims = v.dims[:-1] + (n // 2 + 1,)
    attributes = f"fft_type = #stablehlo<fft_type RFFT>, fft_length = {array([n])}"
    z = p.op("fft", [v], dims, "complex<f32>", attributes, exact=False)
    return p.tame(p.op(p.rng.choice(["real", "imag"]), [z], dims))


def training_norm(p):
    """Means and variances over all but the features."""
    v = p.array(rank=2, test=lambda v: all(p.least(d) for d in v.dims))
    if v is None:
        return None
    f = p.rng.randrange(v.rank)
    scale, offset = p.like((v.dims[f],)), p.like((v.dims[f],))
    results = [(v.dims, "f32"), (scale.dims, "f32"), (scale.dims, "f32")]
    attributes = f"epsilon = 0.01 : f32, feature_index = {f} : i64"
    made = p.several("stablehlo.batch_norm_training", [v, scale, offset], results, attributes, exact=False)
    p.values += made[1:]
    return made[0]


def solved_norm(p):
    """A residual of the solved systems, summed over all of them."""
    made = solve(p)
    return made and p.tame(p.reduce(made, sums.some_dims(p, made), "add", "0.0"))


RULES = [(cholesky, 1), (solve, 1), (signals, 1), (training_norm, 1), (solved_norm, 1)]
