# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs that move data: views, slices, orders of dimensions."""

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax, nn, random

from .registry import normal, program


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
def stems(s):
    """Images of few features, folded before they are turned: several side by side along lanes, or tiles wide."""

    def f(images, wide, six, small, k1, k2, k3, k4):
        def conv(x, k, *how, dims=("NHWC", "HWIO", "NHWC"), kind=jnp.float32, **more):
            return lax.conv_general_dilated(x, k, *how, dimension_numbers=dims, preferred_element_type=kind, **more)

        y = conv(images, k1, (1, 1), "SAME")
        return (
            jnp.where(jnp.isfinite(y), y, 7.0),  # what is infinite or a NaN stays in its image
            conv(wide, k2, (2, 2), ((3, 2), (2, 4))),
            conv(six, k3, (2, 1), ((2, 0), (0, 5)), rhs_dilation=(1, 2), dims=("NHWC", "OHWI", "NHWC")),
            conv(small, k4, (1, 3), "VALID", kind=jnp.int32),
        )

    images = normal(0, 8, 16 * s, 32 * s, 3).at[1, 5, 7, 2].set(jnp.inf).at[6, 3, 31, 0].set(jnp.nan)
    return f, (
        images,
        normal(1, 2, 9 * s, 300 * s, 1),
        normal(2, 5, 20 * s, 36 * s, 6, dtype=jnp.bfloat16),
        random.randint(random.PRNGKey(3), (6, 13 * s, 45 * s, 4), -128, 128, jnp.int8),
        normal(4, 3, 3, 3, 5, scale=0.2),
        normal(5, 7, 7, 1, 9, scale=0.2),
        normal(6, 3, 3, 3, 6, scale=0.2, dtype=jnp.bfloat16),
        random.randint(random.PRNGKey(7), (5, 5, 4, 3), -128, 128, jnp.int8),
    )


@program(5e-6)
def planes(s):
    """Images of few features, each a plane of rows and columns: strides, dilations, blocks of rows, one feature."""

    def f(many, tall, wide, grey, k1, k2, k3, k4):
        def conv(x, k, *how, **more):
            dims = ("NHWC", "HWIO", "NHWC")
            return lax.conv_general_dilated(
                x, k, *how, dimension_numbers=dims, preferred_element_type=jnp.float32, **more
            )

        y = conv(many, k1, (2, 2), ((3, 2), (2, 3)))
        return (
            jnp.where(jnp.isfinite(y), y, 7.0),  # what is infinite or a NaN stays in its image
            nn.relu(conv(tall, k2, (2, 2), ((3, 3), (3, 3)))),
            conv(wide, k3, (1, 1), ((5, 0), (-1, 4)), rhs_dilation=(2, 3)),
            conv(grey, k4, (3, 1), "VALID"),
        )

    many = normal(0, 5, 35 * s, 70 * s, 3, dtype=jnp.bfloat16)
    return f, (
        many.at[1, 5, 7, 2].set(jnp.inf).at[4, 34, 69, 0].set(jnp.nan),
        normal(1, 2, 96 * s, 96 * s, 3, dtype=jnp.bfloat16),
        normal(2, 3, 21 * s, 150 * s, 5),
        normal(3, 2, 50 * s, 140 * s, 1),
        normal(4, 7, 7, 3, 9, scale=0.2, dtype=jnp.bfloat16),
        normal(5, 7, 7, 3, 24, scale=0.2, dtype=jnp.bfloat16),
        normal(6, 3, 3, 5, 6, scale=0.2),
        normal(7, 5, 5, 1, 8, scale=0.2),
    )


@program(2e-5)
def stem_gradients(s):
    """Gradients of the weights of first convolutions: images as planes, side by side along lanes, tiles wide."""

    def f(many, tall, wide, grey, k1, k2, k3, k4):
        def conv(x, k, *how, **more):
            dims = ("NHWC", "HWIO", "NHWC")
            return lax.conv_general_dilated(
                x, k, *how, dimension_numbers=dims, preferred_element_type=jnp.float32, **more
            )

        def gradient(x, k, *how, **more):
            y, pull = jax.vjp(lambda k: conv(x, k, *how, **more), k)
            return y, pull(jnp.tanh(y))[0]

        return (
            *gradient(many, k1, (2, 2), ((3, 2), (2, 3))),
            *gradient(tall, k2, (2, 2), ((3, 3), (3, 3))),
            *gradient(wide, k3, (1, 1), ((5, 0), (-1, 4)), rhs_dilation=(2, 3)),
            gradient(grey, k4, (3, 1), "VALID")[1] * 0.5 + k4,
        )

    return f, (
        normal(0, 5, 35 * s, 70 * s, 3),
        normal(1, 2, 96 * s, 96 * s, 3),
        normal(2, 3, 21 * s, 150 * s, 5),
        normal(3, 2, 50 * s, 140 * s, 1),
        normal(4, 7, 7, 3, 9, scale=0.2),
        normal(5, 7, 7, 3, 24, scale=0.2),
        normal(6, 3, 3, 5, 6, scale=0.2),
        normal(7, 5, 5, 1, 8, scale=0.2),
    )


@program(5e-6)
def short_rows(s):
    """Convolutions with rows of 8 results at most: a push takes several."""

    def f(column, seven, eight, small, k1, k2, k3, k4):
        def conv(x, k, *how, kind=jnp.float32, **more):
            dims = ("NHWC", "HWIO", "NHWC")
            return lax.conv_general_dilated(x, k, *how, dimension_numbers=dims, preferred_element_type=kind, **more)

        return (
            conv(column, k1, (1, 1), "SAME"),  # one position: every row of a vreg is the same
            conv(seven, k2, (1, 1), "SAME"),  # rows of two images
            nn.relu(conv(eight, k3, (2, 2), "SAME", kind=jnp.bfloat16)),
            conv(small, k4, (1, 1), "VALID", rhs_dilation=(1, 2), kind=jnp.int32),  # on arrays of bytes four
        )

    return f, (
        normal(0, 1, 12 * s, 1, 20),
        normal(1, 2, 7 * s, 7, 40),
        normal(2, 3, 12 * s, 16, 32, dtype=jnp.bfloat16),
        random.randint(random.PRNGKey(3), (4, 9 * s, 10, 24), -128, 128, jnp.int8),
        normal(4, 3, 1, 20, 10, scale=0.2),
        normal(5, 3, 3, 40, 12, scale=0.1),
        normal(6, 3, 3, 32, 16, scale=0.1, dtype=jnp.bfloat16),
        random.randint(random.PRNGKey(7), (3, 2, 24, 8), -128, 128, jnp.int8),
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


@program(5e-6, wide=True)
def stacked(s):
    def f(x):
        return lax.scan(lambda c, row: (c + row, (c, c + 1j * row)), jnp.zeros(5), x)

    return f, (np.random.default_rng(0).standard_normal((7, 5)),)


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
