#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Export JAX programs as folders that `tpuc run` takes: the programs of test/execute and larger ones.

    pip install jax && examples/make.py --out DIR [NAME...]      all of them, or the named ones
    examples/make.py --out DIR --scale 8 mlp block_bf16          the same with sizes eight times as large

A folder holds program.mlir (StableHLO as JAX prints it), input.K.npy, output.K.npy (what XLA computed on the CPU; bf16
as its raw two bytes) and info.json:
  tolerance        largest error of an output relative to its largest magnitude, for --matmul-precision=highest
  bf16_dots_error  such an error of each output when XLA's matmuls and convolutions take inputs rounded to bf16: what
                   the default precision should come near to; absent where that is not known
"""

import argparse
import json
import os
import pathlib

os.environ.setdefault("JAX_PLATFORMS", "cpu")
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax, nn, random

jax.config.update("jax_hlo_source_file_canonicalization_regex", ".*/")  # locations say make.py, not where it lies

PROGRAMS = {}


def program(tolerance):
    def register(build):
        PROGRAMS[build.__name__] = (build, tolerance)
        return build

    return register


def normal(seed, *shape, dtype=jnp.float32, scale=1.0):
    return (random.normal(random.PRNGKey(seed), shape) * scale).astype(dtype)


def layers(sizes, dtype=jnp.float32):
    pairs = enumerate(zip(sizes, sizes[1:]))
    return [
        (normal(i, m, n, dtype=dtype, scale=m**-0.5), normal(90 + i, n, dtype=dtype, scale=0.1)) for i, (m, n) in pairs
    ]


def forward(params, x, activation):
    for w, b in params[:-1]:
        x = activation(x @ w + b)
    w, b = params[-1]
    return x @ w + b


# ---- programs: each takes a scale and gives a function with its arguments --------------------------------------------
@program(5e-6)
def mlp(s):
    return lambda p, x: forward(p, x, nn.gelu), (layers([70 * s, 150 * s, 90 * s, 33]), normal(5, 50 * s, 70 * s))


@program(1.5e-2)
def mlp_bf16(s):
    sizes = [256 * s, 384 * s, 130 * s]
    return lambda p, x: forward(p, x, nn.relu), (
        layers(sizes, jnp.bfloat16),
        normal(5, 40 * s, 256 * s, dtype=jnp.bfloat16),
    )


@program(5e-6)
def momentum_step(s):
    def loss(p, x, y):
        return -jnp.mean(jnp.sum(nn.log_softmax(forward(p, x, jnp.tanh)) * y, -1))

    def step(p, m, x, y):
        value, g = jax.value_and_grad(loss)(p, x, y)
        m = jax.tree.map(lambda a, b: 0.9 * a + b, m, g)
        return value, jax.tree.map(lambda a, b: a - 0.05 * b, p, m), m

    p = layers([130 * s, 60 * s, 7])
    return step, (p, jax.tree.map(jnp.zeros_like, p), normal(5, 48 * s, 130 * s), nn.one_hot(jnp.arange(48 * s) % 7, 7))


@program(5e-6)
def convnet(s):
    def f(k1, k2, w, x):
        dims = ("NHWC", "HWIO", "NHWC")
        x = nn.relu(lax.conv_general_dilated(x, k1, (2, 2), "VALID", dimension_numbers=dims))
        x = lax.reduce_window(x, 0.0, lax.add, (1, 2, 2, 1), (1, 2, 2, 1), "VALID") * 0.25
        x = nn.sigmoid(lax.conv_general_dilated(x, k2, (1, 1), "SAME", dimension_numbers=dims))
        return x.reshape(x.shape[0], -1) @ w

    return f, (
        normal(0, 3, 3, 5, 20 * s, scale=0.2),
        normal(1, 3, 3, 20 * s, 24 * s, scale=0.1),
        normal(2, 600 * s, 11, scale=0.05),
        normal(3, 3, 22, 22, 5),
    )


@program(1e-5)
def layernorm_grad(s):
    def norm(x, g, b):
        m = x.mean(-1, keepdims=True)
        v = jnp.mean((x - m) ** 2, -1, keepdims=True)
        return (x - m) * lax.rsqrt(v + 1e-5) * g + b

    def f(w, g, b, x):
        return jnp.sum(nn.softplus(norm(x @ w, g, b)) ** 2) / x.shape[0]

    return jax.value_and_grad(f, (0, 1, 2, 3)), (
        normal(0, 50 * s, 140 * s, scale=0.1),
        jnp.ones(140 * s),
        jnp.zeros(140 * s),
        normal(1, 36 * s, 50 * s),
    )


def attention(q, k, v):
    t = q.shape[1]
    s = jnp.einsum("bqhd,bkhd->bhqk", q, k).astype(jnp.float32) * q.shape[-1] ** -0.5
    s = jnp.where(jnp.tril(jnp.ones((t, t), bool)), s, -1e30)
    return jnp.einsum("bhqk,bkhd->bqhd", nn.softmax(s, -1).astype(v.dtype), v)


def rms(x, g):
    return (x * lax.rsqrt(jnp.mean(jnp.square(x.astype(jnp.float32)), -1, keepdims=True) + 1e-6)).astype(x.dtype) * g


def block(s, dtype):
    d, h, f = 128 * s, 4 * s, 300 * s
    weight = lambda i, *shape: normal(i, *shape, dtype=dtype, scale=shape[0] ** -0.5)
    p = dict(
        qkv=weight(0, d, 3, h, d // h),
        o=weight(1, d, d),
        up=weight(2, d, f),
        gate=weight(3, d, f),
        down=weight(4, f, d),
    )

    def run(p, x):
        q, k, v = jnp.moveaxis(jnp.einsum("btd,dnhe->btnhe", rms(x, 1), p["qkv"]), 2, 0)
        x = x + attention(q, k, v).reshape(x.shape) @ p["o"]
        y = rms(x, 1)
        return x + (nn.silu(y @ p["gate"]) * (y @ p["up"])) @ p["down"]

    return run, (p, normal(9, 2, 40, d, dtype=dtype))


@program(1.5e-2)
def block_bf16(s):
    return block(s, jnp.bfloat16)


@program(1e-5)
def block_f32(s):
    return block(s, jnp.float32)


@program(5e-6)
def int8_matmul(s):
    def f(x, w, scale):
        step = jnp.max(jnp.abs(x), -1, keepdims=True) / 127
        q = jnp.clip(jnp.round(x / step), -127, 127).astype(jnp.int8)
        y = lax.dot_general(q, w, (((1,), (0,)), ((), ())), preferred_element_type=jnp.int32)
        return y, y.astype(jnp.float32) * step * scale

    w = random.randint(random.PRNGKey(0), (200 * s, 90 * s), -128, 128).astype(jnp.int8)
    return f, (normal(1, 30 * s, 200 * s), w, jnp.linspace(0.001, 0.02, 90 * s))


@program(0)
def int8_long(s):
    """Sums beyond 2^24: not exact in one f32 sum."""

    def f(x, w):
        return lax.dot_general(x, w, (((1,), (0,)), ((), ())), preferred_element_type=jnp.int32)

    k = 1501 * s
    x = random.randint(random.PRNGKey(0), (5, k), 120, 128).astype(jnp.int8)
    return f, (x, random.randint(random.PRNGKey(1), (k, 9), 120, 128).astype(jnp.int8))


@program(5e-6)
def softmax_rows(s):
    return lambda x: (nn.softmax(x, -1), nn.logsumexp(x, 0), jnp.cumsum(jnp.mean(x, 1))), (
        normal(0, 70 * s, 300 * s, scale=4),
    )


@program(1.5e-2)
def attention(s):
    """Rows of scores of 130 and 500: softmax rows of few vregs, a ragged last tile, masks of positions."""

    def attend(q, k, v, causal):
        scores = jnp.einsum("bqhd,bkhd->bhqk", q, k, preferred_element_type=jnp.float32) * q.shape[-1] ** -0.5
        if causal:
            i, j = (lax.broadcasted_iota(jnp.int32, scores.shape, d) for d in (2, 3))
            scores = jnp.where(i >= j, scores, -jnp.inf)
        return jnp.einsum("bhqk,bkhd->bqhd", nn.softmax(scores, -1).astype(q.dtype), v)

    def f(narrow, wide):
        return attend(*narrow, False), attend(*narrow, True), attend(*wide, True)

    narrow = [normal(i, 1, 500 * s, 1, 16, dtype=jnp.bfloat16) for i in range(3)]
    return f, (narrow, [normal(5 + i, 2, 130 * s, 2, 16) for i in range(3)])


@program(5e-6)
def shapes(s):
    def f(x, n):
        return (
            x.max((0, 2)),
            jnp.pad(x, ((0, 1), (2, 3), (1, 0)), constant_values=-1),
            jnp.concatenate([x, x[:, ::-1]], 2),
            x.transpose(1, 2, 0),
            x.reshape(-1, 21),
            x[:, 1::3, 4:],
            jnp.tile(n, (2, 3)),
            jnp.where(n > 2, n * n, -n),
            jnp.argmax(x, 2),
            jnp.any(x > 2, 0),
        )

    return f, (normal(0, 5, 13, 21 * s), random.randint(random.PRNGKey(1), (9, 17), -5, 6))


@program(5e-6)
def embedding(s):
    def f(table, ids, u):
        return (
            table[ids],
            jnp.zeros_like(table).at[ids.reshape(-1)].add(u),
            jnp.take_along_axis(u, ids.reshape(-1, 1) % u.shape[1], 1),
        )

    ids = random.randint(random.PRNGKey(1), (3, 11), 0, 120 * s)
    return f, (normal(0, 120 * s, 50), ids, normal(2, 33, 50))


@program(5e-6)
def gru(s):
    def f(w, u, xs):
        def cell(h, x):
            z, r, n = jnp.split(x @ w + jnp.pad(h @ u[:, : 2 * h.shape[1]], ((0, 0), (0, h.shape[1]))), 3, -1)
            z, r = nn.sigmoid(z), nn.sigmoid(r)
            h = (1 - z) * h + z * jnp.tanh(n + (r * h) @ u[:, 2 * h.shape[1] :])
            return h, h

        return lax.scan(cell, jnp.zeros((xs.shape[1], u.shape[0])), xs)

    return f, (normal(0, 30, 192 * s, scale=0.2), normal(1, 64 * s, 192 * s, scale=0.1), normal(2, 12, 5, 30))


@program(5e-6)
def newton(s):
    def f(a, limit):
        def more(c):
            return (c[0] < limit) & (jnp.max(jnp.abs(c[1] * c[1] - a)) > 1e-3)

        def body(c):
            return c[0] + 1, lax.cond(
                c[0] % 2 == 0, lambda x: (x + a / x) * 0.5, lambda x: 0.5 * x + 0.5 * (a / x), c[1]
            )

        return lax.while_loop(more, body, (jnp.int32(0), jnp.ones_like(a)))

    return f, (jnp.abs(normal(0, 30 * s, 45)) + 0.5, jnp.int32(20))


@program(5e-6)
def views(s):
    def f(a, b, c):
        def body(i, carry):
            a, b, c = carry  # shapes change, bytes do not; each carries on as another one did
            flat = a.reshape(b.shape)
            return (jnp.roll(b, 1, 0) + c).reshape(a.shape), jnp.roll(flat, 2, 0) * 0.5, jnp.roll(flat, 3, 0) - b

        a, b, c = lax.fori_loop(0, 5, body, (a, b, c))
        d = jnp.tanh(b).reshape(4, 8, 130)
        return (
            a,
            b,
            c,
            d,
            d.reshape(32, 130),
            b.reshape(1, 32, 130),
            jnp.sort(d, -1).reshape(2, 16, 130),
            c.reshape(8, 520),
        )

    return f, (normal(0, 2, 16, 130), normal(1, 32, 130), normal(2, 32, 130))


@program(5e-6)
def slices(s):
    def f(x, y, n, v, m):
        halves = x[:, :64] * x[:, 64:128] - x[:, 128:192]  # lanes within a tile, a whole tile on
        gates = [jnp.tanh(g) for g in jnp.split(x[:, :192], 6, 1)]  # 32 lanes each
        rows = x[16:32] + x[5] * x[7:8, 3] - x[16:32, 200:201]
        leading = y[1::2] * y[:3] + y[4]  # steps along a leading dim
        turned = y[2, :, 20:50].T @ y[3, :, 7:37] + (y[1, :30, 70:100] - y[0, 3:4, 5:35]).T
        narrow = n[3].astype(jnp.float32) * n[17, 9] + n[32:, 130:140].sum(1, keepdims=True)
        vector = v[256:384] * v[7] - v[:128] + v[300]
        masked = jnp.where(m[:, 130:160], x[:, 1:31], x[:, 31:61]).sum(0)
        return (
            halves,
            gates[0] * gates[5] + gates[3],
            rows,
            leading,
            turned,
            narrow,
            vector,
            masked,
            jnp.max(y[3, :, 64:120], 1),
            nn.softmax(y[:, :, 40:90]),
        )

    return f, (
        normal(0, 40, 210),
        normal(1, 6, 30, 128),
        normal(2, 48, 140, dtype=jnp.bfloat16),
        normal(3, 500),
        normal(4, 40, 170) > 0,
    )


@program(5e-6)
def picks(s):
    def f(x, n, m, i, j):
        def at(a, k, axis, mode):
            return jnp.take_along_axis(a, k, axis, mode=mode)

        loss = lambda x: (
            -jnp.mean(at(nn.log_softmax(x), i[:, None], 1, "fill"))
        )  # out of range: NaN in JAX, here within
        one = lambda x: jnp.sum(at(x, j[None], 0, "clip") ** 2)
        zeros = jnp.where(x > 0, 0.0, -0.0)
        signs = 1 / at(zeros, i[:, None], 1, "clip")  # the sign of a zero is picked too
        return (
            jax.value_and_grad(loss)(x),
            jax.grad(one)(x),
            at(n, i[:, None] - 40, 1, "clip"),
            at(m, i[:, None] + 900, 1, "clip"),
            signs > 0,
        )

    return f, (
        normal(0, 37, 150),
        normal(1, 37, 150, dtype=jnp.bfloat16),
        normal(2, 37, 150) > 0,
        jnp.arange(37) * 29 % 150,
        jnp.arange(150) * 7 % 37,
    )


@program(5e-6)
def orders(s):
    def f(a, b, x, empty):
        def compose(p, q):  # of maps, so that their order counts
            return p[0] * q[0], p[1] * q[0] + q[1]

        composed = [
            lax.reduce((a, b), (np.float32(1), np.float32(0)), compose, dims) for dims in ((0,), (1,), (2,), (0, 2))
        ]
        windows = lax.reduce_window((a[0], b[0]), (np.float32(1), np.float32(0)), compose, (5, 6), (2, 3), "VALID")
        firsts = [jnp.argmax(x, 0), jnp.argmax(x, 1), jnp.argmin(x, 1), jnp.argmax(x), jnp.argmax(x > 0, 1)]
        return composed, windows, firsts, empty @ empty.T + a[0, :4, :4]

    x = normal(2, 37, 150)
    return f, (
        1 + normal(0, 5, 21, 140, scale=0.01),
        normal(1, 5, 21, 140),
        jnp.where(x > 1.5, jnp.nan, x),
        jnp.zeros((4, 0)),
    )


@program(5e-6)
def turned(s):
    def f(x, y, line, taps, image, weights):
        sums = [(x * 2).transpose(order).sum(0) for order in ((3, 2, 1, 0), (3, 1, 2, 0), (3, 0, 2, 1))]
        pairs = y.transpose(3, 0, 2, 1).astype(jnp.float32).max(0).astype(y.dtype)
        # One feature: positions lie along the lanes of what follows.
        pooled = lax.reduce_window(line[:, None], -jnp.inf, lax.max, (3, 1), (1, 1), "VALID").reshape(-1) * 2
        filtered = lax.conv_general_dilated(
            image, weights, (1, 1), "VALID", dimension_numbers=("NHWC", "HWIO", "NHWC")
        ).reshape(-1)
        return sums, pairs, pooled, jnp.convolve(line, taps, "same"), filtered

    return f, (
        normal(0, 2, 3, 5, 4),
        normal(1, 3, 5, 18, 4, dtype=jnp.bfloat16),
        normal(2, 19),
        normal(3, 19),
        normal(4, 1, 9, 5, 3),
        normal(5, 3, 5, 3, 1),
    )


@program(5e-6)
def features_first(s):
    def f(k1, k2, k3, squeeze, excite, mean, x, w, weights, steps):
        dims = ("NCHW", "OIHW", "NCHW")
        conv = lambda x, k, stride=1, groups=1: lax.conv_general_dilated(
            x, k, (stride, stride), "SAME", dimension_numbers=dims, feature_group_count=groups
        )
        channel = lambda v: v[None, :, None, None]
        y = nn.relu((conv(x, k1, 2) - channel(mean)) / jnp.sqrt(channel(mean * mean) + 1e-3))
        y = lax.reduce_window(y, -jnp.inf, lax.max, (1, 1, 3, 3), (1, 1, 2, 2), ((0, 0), (0, 0), (1, 1), (1, 1)))
        z = conv(jnp.clip(conv(y, k2), 0, 6), k3, groups=k3.shape[0])
        gate = nn.sigmoid(conv(nn.relu(conv(z.mean((2, 3), keepdims=True), squeeze)), excite))  # one position
        z = z * gate + y
        # Weights that every position or step has of its own, but are the same.
        spread = jnp.broadcast_to(weights, (steps.shape[1],) + weights.shape)
        return (
            z,
            z.reshape(z.shape[0], -1) @ w,
            z.sum((0, 2, 3)),
            jnp.einsum("btd,tde->tbe", steps, spread),
            jnp.einsum("tde,btd->teb", spread, steps),
        )

    c = 24 * s
    return f, (
        normal(0, c, 3, 5, 5, scale=0.2),
        normal(1, c, c, 3, 3, scale=0.1),
        normal(2, c, 1, 3, 3, scale=0.3),
        normal(3, 8, c, 1, 1, scale=0.2),
        normal(4, c, 8, 1, 1, scale=0.3),
        normal(5, c),
        normal(6, 2, 3, 30 * s, 26 * s),
        normal(7, c * 8 * 7 * s * s, 5, scale=0.05),
        normal(8, 20, 33),
        normal(9, 3, 7, 20),
    )


@program(5e-3)
def patches(s):
    def f(image, planes, video, k1, k2, k3):
        conv = lambda x, k, stride, pad, dims, **more: lax.conv_general_dilated(
            x, k, stride, pad, dimension_numbers=dims, **more
        )
        return (
            conv(
                image, k1, (16, 8), ((0, 0), (3, 1)), ("NHWC", "HWIO", "NHWC"), rhs_dilation=(1, 2)
            ),  # only along the last dim they overlap, leave the image and skip
            conv(planes, k2, (16, 16), "VALID", ("NCHW", "OIHW", "NCHW")),  # two rows and four columns are left over
            conv(video, k3, (2, 16, 16), "VALID", ("NDHWC", "DHWIO", "NDHWC")),
        )

    return f, (
        normal(0, 1, 160 * s, 160 * s, 3),
        normal(1, 1, 3, 226 * s, 228 * s, dtype=jnp.bfloat16),
        normal(2, 1, 4, 48 * s, 176 * s, 2, dtype=jnp.bfloat16),
        normal(3, 16, 16, 3, 20, scale=0.05),
        normal(4, 12, 3, 16, 16, scale=0.05, dtype=jnp.bfloat16),
        normal(5, 2, 16, 16, 2, 17, scale=0.05, dtype=jnp.bfloat16),
    )


@program(5e-6)
def splats(s):
    def f(x, line):
        pool = lambda x: jnp.sum(lax.reduce_window(x, -jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "SAME"))
        counts = lax.reduce_window(
            jnp.ones((9, 7, 4)), 0.0, lax.add, (3, 3, 1), (1, 1, 1), "SAME"
        )  # of one number everywhere
        same = jnp.full((7, 7), 0.3)  # an operand and, in the same kernel, what is added
        return (
            jax.grad(pool)(x),
            counts * x[0],
            same @ x[0, :7, :, 0] + same,
            jnp.convolve(line, jnp.ones(5) / 5, "same"),
        )

    return f, (normal(0, 2, 9, 7, 4), normal(1, 19))


@program(5e-6)
def sums_apart(s):
    def f(a, w):
        x = a @ w  # large enough to be cut: over other dims than some of its reductions keep
        return x.sum((1, 2)), x.min(2), x.max(1)

    return f, (normal(0, 9, 130 * s, 8), normal(1, 8, 150))


@program(5e-6)
def stacked(s):
    def f(x):
        return lax.scan(lambda c, row: (c + row, (c, c + 1j * row)), jnp.zeros(5), x)

    return f, (np.random.default_rng(0).standard_normal((7, 5)),)


@program(5e-6)
def adam_step(s):
    def f(params, m, v, x, y):
        loss, g = jax.value_and_grad(lambda p: jnp.mean((forward(p, x, jnp.tanh) - y) ** 2))(params)
        m = jax.tree.map(lambda a, b: 0.9 * a + 0.1 * b, m, g)
        v = jax.tree.map(lambda a, b: 0.99 * a + 0.01 * b * b, v, g)
        params = jax.tree.map(lambda p, a, b: p - 1e-2 * a / (jnp.sqrt(b) + 1e-6), params, m, v)
        return loss, params, m, v, jax.tree.map(lambda a: jnp.max(jnp.abs(a)), g)

    params = layers([70 * s, 33 * s, 5])
    zeros = jax.tree.map(jnp.zeros_like, params)
    return f, (params, zeros, zeros, normal(3, 19 * s, 70 * s), normal(4, 19 * s, 5))


@program(5e-6)
def donated(s):
    # The first four are given away: updated block by block, in one slice, in a loop, and not at all.
    def f(p, m, cache, state, g, u, i):
        m = 0.9 * m + g
        cache = lax.dynamic_update_slice(cache, u, (i, 0, 0))
        state = lax.fori_loop(0, 3, lambda _, x: jnp.tanh(x) * 1.01 + 0.1, state)
        return p - 0.1 * m, m, cache, state, jnp.sum(cache[:, 0, :], axis=0), p.T @ g

    return f, (
        normal(0, 170 * s, 77),
        normal(1, 170 * s, 77),
        normal(2, 10, 8, 128),
        normal(3, 33, 70),
        normal(4, 170 * s, 77),
        normal(5, 1, 8, 128),
        jnp.int32(7),
    )


@program(5e-6)
def layouts(s):
    # Arrays whose last dims fill little of a tile.
    def f(q, k, v, x, w):
        p = jax.nn.softmax(jnp.einsum("bqhd,bkhd->bhqk", q, k) * 40**-0.5)
        return jnp.einsum("bhqk,bkhd->bqhd", p, v), x @ w

    return f, (
        *(normal(i, 2, 128 * s, 3, 40) for i in range(3)),
        normal(3, 20, 2900 * s, scale=0.1),
        normal(4, 2900 * s, 9, scale=0.1),
    )


@program(2e-5)
def elementwise(s):
    def f(x, y, n):
        p = jnp.abs(x) + 0.2
        return (
            jnp.exp(x),
            jnp.log(p),
            jnp.tanh(x),
            jnp.sin(x),
            jnp.cos(y),
            lax.rsqrt(p),
            jnp.sqrt(p),
            lax.erf(x),
            jnp.power(p, y),
            jnp.arctan2(x, y),
            jnp.floor(x),
            jnp.sign(y),
            jnp.expm1(x),
            jnp.log1p(p),
            n // 7,
            n % 7,
            n ^ (n << 3),
            lax.population_count(n),
            x.astype(jnp.bfloat16),
            nn.gelu(x),
        )

    return f, (
        normal(0, 19 * s, 140),
        normal(1, 19 * s, 140),
        random.randint(random.PRNGKey(3), (19 * s, 140), -1000, 1000),
    )


@program(5e-6)
def sorts(s):
    def f(x, n, keys):
        values, where = lax.top_k(x, 5)
        return (
            jnp.sort(x, 0),
            jnp.argsort(x, 1),
            values,
            where,
            jnp.sort(n, 1, descending=True),
            lax.sort((keys, n, x[:, : n.shape[1]]), dimension=0, num_keys=2),
        )

    n = random.randint(random.PRNGKey(1), (9, 40 * s), -9, 9).astype(jnp.int8)
    return f, (normal(0, 9, 150 * s), n, random.randint(random.PRNGKey(2), (9, 40 * s), 0, 4))


@program(5e-6)
def indices(s):
    def f(x, at, u, i):
        window = lax.dynamic_slice(x, (i, i + 1), (3, 50))
        return (
            window,
            lax.dynamic_update_slice(x, -window, (i + 2, 70)),
            x[at[:, 0], at[:, 1]],
            x.at[at[:, 0]].max(u),
            x.at[at[:, 0], at[:, 1]].set(u[:, 0], mode="drop"),
            x.astype(jnp.bfloat16).at[at[:, 1] % 20].multiply(u.astype(jnp.bfloat16)),
        )

    at = random.randint(random.PRNGKey(1), (17, 2), -3, 25)
    return f, (normal(0, 20 * s, 130), at, normal(2, 17, 130), jnp.int32(4))


@program(2e-5)
def linear_algebra(s):
    def f(a, b):
        spd = a @ a.T + 30 * jnp.eye(len(a))
        low = jnp.linalg.cholesky(spd)
        wave = jnp.fft.rfft(b, axis=0)
        column = lax.linalg.triangular_solve(
            low + 0.1j * jnp.tril(a), b[:, :1] + 1j * b[:, 1:2], left_side=True, lower=True
        )
        return (
            low,
            lax.linalg.triangular_solve(low, b, left_side=True, lower=True),
            jnp.real(column),
            jnp.imag(column),
            jnp.real(wave),
            jnp.abs(wave),
            jnp.fft.irfft(wave, n=len(b), axis=0),
        )

    return f, (normal(0, 24 * s, 24 * s), normal(1, 24 * s, 6))


@program(3e-5)
def factorisations(s):
    def f(a, tall, c):
        q, r = jnp.linalg.qr(tall)
        reflectors, taus = jnp.linalg.qr(c, mode="raw")
        w, v = jnp.linalg.eigh(a + a.T)
        hw, hv = jnp.linalg.eigh(c + jnp.conj(c.T))
        u, sv, vt = jnp.linalg.svd(tall, full_matrices=False)
        best, where = lax.approx_max_k(a, 3)
        return (
            q @ r,
            q.T @ q,
            jnp.abs(r),
            jnp.abs(reflectors),
            jnp.abs(taus),
            *lax.linalg.lu(tall),
            jnp.linalg.slogdet(a),
            jnp.linalg.solve(a, tall),
            w,
            (v * w) @ v.T,
            hw,
            jnp.real((hv * hw) @ jnp.conj(hv.T)),
            sv,
            (u * sv) @ vt,
            best,
            where,
        )

    return f, (normal(0, 9 * s, 9 * s), normal(1, 9 * s, 5), normal(2, 5, 5) + 1j * normal(3, 5, 5))


@program(3e-6)
def random_bits(s):
    def f(key, a, b):
        threefry = jax.random.key_data(jax.random.key(3))
        state, words = lax.rng_bit_generator(key, (7 * s, 5))
        state, wide = lax.rng_bit_generator(state, (11,), dtype=jnp.uint8)
        return (
            state,
            words,
            wide,
            jax.random.normal(threefry, (9, 3)),
            jax.random.permutation(threefry, 20),
            jax.random.truncated_normal(threefry, a, b, (6,)),
        )

    return f, (jnp.array([1, 2, 3, 4], jnp.uint32), jnp.float32(1.5), jnp.float32(4.0))


@program(1e-13)
def wide_numbers(s):
    def f(x, y, n, z):
        d = jnp.where(n == 0, 1, n)
        return (
            x + y,
            x * y,
            x / y,
            jnp.sqrt(jnp.abs(x)),
            jnp.exp(x),
            jnp.log(jnp.abs(y)),
            jnp.sin(x),
            jnp.tanh(y),
            jnp.floor(x),
            x < y,
            x.sum(1),
            jnp.argmax(x, 0),
            x @ y.T,
            n * n[::-1],
            1000003 // d,
            n % 77,
            n >> 5,
            n.astype(jnp.float32),
            x.astype(jnp.int64),
            jnp.sort(n),
            z * z,
            jnp.exp(z),
            jnp.abs(z),
            jnp.cumsum(n),
        )

    n = random.randint(random.PRNGKey(3), (40 * s,), -(2**40), 2**40, dtype=jnp.int64)
    z = normal(4, 7, 9, dtype=jnp.float64) + 1j * normal(5, 7, 9, dtype=jnp.float64)
    return f, (normal(0, 6 * s, 21, dtype=jnp.float64), normal(1, 6 * s, 21, dtype=jnp.float64), n, z)


FLOATS = [jnp.float8_e3m4, jnp.float8_e4m3, jnp.float8_e4m3fn, jnp.float8_e4m3fnuz, jnp.float8_e4m3b11fnuz,
          jnp.float8_e5m2, jnp.float8_e5m2fnuz, jnp.float8_e8m0fnu, jnp.float4_e2m1fn]  # fmt: skip


@program(0.0)
def narrow_floats(s):
    # Every bit pattern of each type, and f32 values of every size, ties included, rounded to it. A NaN counts as 0: its
    # sign is open.
    def clean(x):
        return jnp.nan_to_num(lax.optimization_barrier(x).astype(jnp.float32), posinf=1e30, neginf=-1e30)

    def f(codes, y, w):
        out = []
        for t in FLOATS:
            a = lax.bitcast_convert_type(codes if t != jnp.float4_e2m1fn else codes.astype(jnp.uint4), t)
            b = a.reshape(-1)[::-1].reshape(a.shape)
            low = lax.bitcast_convert_type(y.astype(t), jnp.uint4 if t == jnp.float4_e2m1fn else jnp.uint8)
            out += [
                clean(a),
                jnp.where(jnp.isnan(y), 0, low.astype(jnp.int32)),
                clean(a + b),
                clean(a * b),
                a < b,
                clean(jnp.where(a > b, b.T[3], a)),
                clean(jnp.concatenate([a, b], 1)[:, ::3]),
            ]
        p, q = w.astype(jnp.float8_e4m3fn), w.T.astype(jnp.float8_e5m2)
        return (*out, lax.dot(p, q, preferred_element_type=jnp.float32), p)

    bits = np.random.default_rng(7).integers(0, 2**32, 1500 * s, dtype=np.uint32)
    ties = np.arange(0x3B000000, 0x44000000, 0x40000, dtype=np.uint32)
    w = jnp.round(normal(2, 30 * s, 50, scale=4.0))
    return f, (np.arange(256, dtype=np.uint8).reshape(16, 16), np.concatenate([bits, ties]).view(np.float32), w)


@program(0.0)
def narrow_integers(s):
    def f(x, y, i):
        out = []
        for t in (jnp.int4, jnp.uint4, jnp.int2, jnp.uint2):
            a, b = x.astype(t), y.astype(t)
            d = jnp.where(b == 0, b + 1, b)
            out += [
                a + b,
                a * b,
                a - b,
                a & b,
                a // d,
                jnp.maximum(a, b),
                a < b,
                a.T,
                a[i],
                a[::-1, ::3],
                a.reshape(-1),
                a.sum(1, dtype=jnp.int32),
            ]
            out += [lax.shift_right_logical(a, jnp.ones_like(a)), a.astype(jnp.bfloat16)]
        return tuple(o if o.dtype in (jnp.bool_, jnp.bfloat16, jnp.int32) else o.astype(jnp.int16) for o in out) + (
            x.astype(jnp.int4),
            y.astype(jnp.uint2)[0],
        )

    rng = np.random.default_rng(8)
    shape = (70 * s, 150)
    return f, (
        rng.integers(-100, 100, shape, dtype=np.int8),
        rng.integers(0, 100, shape, dtype=np.int8),
        rng.integers(0, 70, 20, dtype=np.int32),
    )


WIDE = {"wide_numbers", "stacked"}  # with 64-bit types
DONATED = {"donated": (0, 1, 2, 3)}


# ---- the reference at default precision ------------------------------------------------------------------------------
def with_bf16_dots(fn, *args):
    """Evaluates fn with the f32 operands of matmuls and convolutions rounded to bf16, as a TPU's default precision does."""

    def evaluate(jaxpr, consts, *values):
        env = dict(zip(jaxpr.constvars, consts)) | dict(zip(jaxpr.invars, values))
        read = lambda v: v.val if hasattr(v, "val") else env[v]
        for eqn in jaxpr.eqns:
            operands = [read(v) for v in eqn.invars]
            name = eqn.primitive.name
            inner = eqn.params.get("jaxpr") or eqn.params.get("call_jaxpr")
            if name in ("dot_general", "conv_general_dilated"):
                operands = [o.astype(jnp.bfloat16).astype(o.dtype) if o.dtype == jnp.float32 else o for o in operands]
                out = eqn.primitive.bind(*operands, **eqn.params)
            elif name in ("jit", "pjit", "closed_call", "custom_jvp_call", "custom_vjp_call"):
                out = evaluate(inner.jaxpr, inner.consts, *operands)
            elif inner is not None or "body_jaxpr" in eqn.params or "branches" in eqn.params:
                raise NotImplementedError(name)
            else:
                out = eqn.primitive.bind(*operands, **eqn.params)
            for v, o in zip(eqn.outvars, out if eqn.primitive.multiple_results else [out]):
                env[v] = o
        return [read(v) for v in jaxpr.outvars]

    closed = jax.make_jaxpr(fn)(*args)
    return evaluate(closed.jaxpr, closed.consts, *jax.tree.leaves(args))


def relative_error(got, want):
    kind = np.complex128 if np.iscomplexobj(want) else np.float64
    got, want = np.asarray(got, kind), np.asarray(want, kind)
    return float(np.abs(got - want).max() / max(np.abs(want).max(), 1e-300)) if want.size else 0.0


# ---- writing a folder ------------------------------------------------------------------------------------------------
def save(path, x):
    x = np.asarray(x)
    np.save(path, x.view("V2") if x.dtype == jnp.bfloat16 else x)


def make(name, out, scale):
    build, tolerance = PROGRAMS[name]
    fn, args = build(scale)
    folder = pathlib.Path(out) / name
    folder.mkdir(parents=True, exist_ok=True)
    jitted = jax.jit(fn, keep_unused=True)
    given = jax.jit(fn, keep_unused=True, donate_argnums=DONATED.get(name, ()))
    (folder / "program.mlir").write_text(given.trace(*args).lower(lowering_platforms=("tpu",)).as_text(debug_info=True))
    inputs, outputs = jax.tree.leaves(args), jax.tree.leaves(jitted(*args))
    info = dict(tolerance=tolerance)
    try:
        info["bf16_dots_error"] = [relative_error(a, b) for a, b in zip(with_bf16_dots(fn, *args), outputs)]
    except NotImplementedError:
        pass
    for prefix, arrays in (("input", inputs), ("output", outputs)):
        for k, x in enumerate(arrays):
            save(folder / f"{prefix}.{k}.npy", x)
        info[prefix + "s"] = [str(jnp.asarray(x).dtype) + str(list(x.shape)) for x in arrays]
    (folder / "info.json").write_text(json.dumps(info, indent=1) + "\n")
    print(
        f"{name:16} {len(inputs):3} in {len(outputs):3} out {sum(f.stat().st_size for f in folder.iterdir()) / 1e6:8.2f} MB"
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", default=".")
    parser.add_argument("--scale", type=int, default=1)
    parser.add_argument("names", nargs="*", help=", ".join(PROGRAMS))
    a = parser.parse_args()
    for name in a.names or PROGRAMS:
        with jax.enable_x64(name in WIDE):
            make(name, a.out, a.scale)


if __name__ == "__main__":
    main()
