# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Elementwise functions, sorts, linear algebra and random bits, in types wide and narrow."""

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax, nn, random

from .registry import normal, program


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


@program(1e-13, wide=True)
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
