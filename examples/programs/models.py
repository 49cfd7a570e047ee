# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Layers, models and steps of training."""

import jax
import jax.numpy as jnp
from jax import lax, nn, random

from .registry import forward, layers, normal, program


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


@program(5e-6)
def ragged_groups(s):
    """Rows of experts, some of which have none, and rows of no expert: their products, and the gradients."""

    def f(w, x, sizes):
        return jnp.mean(jnp.sin(lax.ragged_dot(x, w, sizes)))

    return jax.value_and_grad(f, (0, 1)), (
        normal(0, 8, 40, 24 * s, scale=0.2),
        normal(1, 512 * s, 40),
        jnp.array([0, 130, 1, 0, 128, 200, 3, 10], jnp.int32) * s,
    )


@program(5e-6)
def image_gradients(s):
    """Gradients of a small network of images: every kind of convolution and window, most of them one behind the
    other."""
    dims = ("NHWC", "HWIO", "NHWC")

    def conv(x, k, stride=1, **other):
        return lax.conv_general_dilated(x, k, (stride, stride), "SAME", dimension_numbers=dims, **other)

    def norm(x, g, b):
        m, v = x.mean((0, 1, 2)), x.var((0, 1, 2))
        return (x - m) * lax.rsqrt(v + 0.1) * g + b

    def f(p, x):
        x = nn.relu(norm(conv(x, p["stem"]), p["g"], p["b"]))
        x = lax.reduce_window(x, -jnp.inf, lax.max, (1, 3, 3, 1), (1, 2, 2, 1), "SAME")
        x = x + nn.silu(conv(x, p["each"], feature_group_count=x.shape[-1]))
        x = x + nn.relu(conv(x, p["both"]))
        y = lax.reduce_window(x, 0.0, lax.add, (1, 2, 2, 1), (1, 1, 1, 1), "SAME") * 0.25
        x = lax.conv_transpose(y, p["up"], (2, 2), "SAME", dimension_numbers=dims)
        x = nn.sigmoid(conv(x, p["down"], 2, rhs_dilation=(2, 2)))
        return jnp.mean(x.mean((1, 2)) @ p["head"])

    c = 12 * s
    return jax.value_and_grad(f), (
        {
            "stem": normal(0, 3, 3, 5, c, scale=0.2),
            "g": jnp.ones(c) + normal(1, c, scale=0.1),
            "b": normal(2, c, scale=0.1),
            "each": normal(3, 5, 5, 1, c, scale=0.2),
            "both": normal(4, 3, 3, c, c, scale=0.1),
            "up": normal(5, 2, 2, c, 7, scale=0.2),
            "down": normal(6, 3, 3, 7, 18, scale=0.2),
            "head": normal(7, 18, 3, scale=0.3),
        },
        normal(8, 3, 15, 18, 5),
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


def heads(q, k, v):
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
        x = x + heads(q, k, v).reshape(x.shape) @ p["o"]
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


@program(5e-6, donated=(0, 1, 2, 3))
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
