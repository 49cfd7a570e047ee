# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A small network trained in JAX: JAX_PLATFORMS=tpuc python examples/train_jax.py

Nothing here knows of tpuc; the same file runs on any of JAX's platforms.
"""

import jax
import jax.numpy as jnp


def predict(weights, x):
    for w, b in weights[:-1]:
        x = jnp.tanh(x @ w + b)
    w, b = weights[-1]
    return x @ w + b


def loss(weights, x, y):
    return jnp.mean((predict(weights, x) - y) ** 2)


@jax.jit
def step(weights, x, y):
    value, gradients = jax.value_and_grad(loss)(weights, x, y)
    return value, jax.tree.map(lambda w, g: w - 0.1 * g, weights, gradients)


def main():
    keys = jax.random.split(jax.random.key(0), 4)
    sizes = [(2, 64), (64, 64), (64, 1)]
    weights = [(jax.random.normal(k, s) / s[0] ** 0.5, jnp.zeros(s[1])) for k, s in zip(keys, sizes)]
    x = jax.random.uniform(keys[3], (256, 2), minval=-2, maxval=2)
    y = jnp.sin(x[:, :1] * x[:, 1:])
    print("training on", jax.devices()[0].device_kind)
    for i in range(101):
        value, weights = step(weights, x, y)
        if i % 20 == 0:
            print(f"step {i:3}  loss {value:.4f}")


if __name__ == "__main__":
    main()
