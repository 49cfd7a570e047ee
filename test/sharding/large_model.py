#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""large_model.py OUT [--layers=80] [--unrolled] [--mesh=16x16]: a training step of a model of 70 billion parameters.

Fully sharded over `data`, tensor parallel over `model`: rotary attention with groups of queries, gated layers,
activations computed again in the backward pass, Adam. Only shapes are traced, so that it takes a second. Needs jax."""

import argparse

import jax
import jax.numpy as jnp
from jax.sharding import AbstractMesh, NamedSharding
from jax.sharding import PartitionSpec as P

WIDTH, HEADS, GROUPS, HIDDEN, WORDS, BATCH, LENGTH = 8192, 64, 8, 28672, 128256, 64, 4096
HEAD = WIDTH // HEADS
DOWN, UP = ("data", "model"), ("model", "data")
WEIGHTS = {
    "query": ((WIDTH, WIDTH), DOWN),
    "key": ((WIDTH, GROUPS * HEAD), DOWN),
    "value": ((WIDTH, GROUPS * HEAD), DOWN),
    "out": ((WIDTH, WIDTH), UP),
    "gate": ((WIDTH, HIDDEN), DOWN),
    "up": ((WIDTH, HIDDEN), DOWN),
    "down": ((HIDDEN, WIDTH), UP),
    "norm": ((WIDTH,), (None,)),
    "norm2": ((WIDTH,), (None,)),
}


class Model:
    def __init__(self, mesh, layers, unrolled):
        self.mesh, self.layers, self.unrolled = mesh, layers, unrolled

    def sharding(self, *spec):
        return NamedSharding(self.mesh, P(*spec))

    def array(self, shape, spec, dtype=jnp.float32):
        return jax.ShapeDtypeStruct(shape, dtype, sharding=self.sharding(*spec))

    def keep(self, x, *spec):
        return jax.lax.with_sharding_constraint(x, self.sharding(*spec))

    def parameters(self):
        def layer(lead=(), axes=()):
            return {name: self.array((*lead, *shape), (*axes, *spec)) for name, (shape, spec) in WEIGHTS.items()}

        many = [layer() for _ in range(self.layers)] if self.unrolled else layer((self.layers,), (None,))
        return {
            "layers": many,
            "embed": self.array((WORDS, WIDTH), UP),
            "head": self.array((WIDTH, WORDS), DOWN),
            "norm": self.array((WIDTH,), (None,)),
        }

    def attention(self, x, p):
        query = rotated((x @ p["query"]).reshape(BATCH, LENGTH, HEADS, HEAD))
        query = self.keep(query, "data", None, "model", None).reshape(BATCH, LENGTH, GROUPS, HEADS // GROUPS, HEAD)
        key = rotated((x @ p["key"]).reshape(BATCH, LENGTH, GROUPS, HEAD))
        value = (x @ p["value"]).reshape(BATCH, LENGTH, GROUPS, HEAD)
        scores = jnp.einsum("bqkgd,bskd->bkgqs", query, key).astype(jnp.float32) / HEAD**0.5
        scores = jnp.where(jnp.tril(jnp.ones((LENGTH, LENGTH), bool)), scores, -1e30)
        weights = jax.nn.softmax(scores, -1).astype(jnp.bfloat16)
        mixed = jnp.einsum("bkgqs,bskd->bqkgd", weights, value).reshape(BATCH, LENGTH, WIDTH)
        return self.keep(mixed @ p["out"], "data", None, None)

    def layer(self, x, p):
        p = {name: weight.astype(jnp.bfloat16) for name, weight in p.items()}
        x = x + self.attention(normed(x, p["norm"]), p)
        y = normed(x, p["norm2"])
        y = self.keep(jax.nn.silu(y @ p["gate"]) * (y @ p["up"]), "data", None, "model")
        return self.keep(x + y @ p["down"], "data", None, None)

    def loss(self, p, tokens):
        x = self.keep(p["embed"].astype(jnp.bfloat16)[tokens], "data", None, None)
        layer = jax.checkpoint(self.layer)
        if self.unrolled:
            for weights in p["layers"]:
                x = layer(x, weights)
        else:
            x, _ = jax.lax.scan(lambda x, weights: (layer(x, weights), None), x, p["layers"])
        logits = (normed(x, p["norm"]) @ p["head"].astype(jnp.bfloat16)).astype(jnp.float32)
        logits = self.keep(logits, "data", None, "model")
        wanted = jnp.take_along_axis(logits, jnp.roll(tokens, -1, 1)[..., None], -1)[..., 0]
        return jnp.mean(jax.nn.logsumexp(logits, -1) - wanted)

    def step(self, p, mean, square, count, tokens):
        loss, gradient = jax.value_and_grad(self.loss)(p, tokens)
        mean = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, mean, gradient)
        square = jax.tree.map(lambda v, g: 0.95 * v + 0.05 * g * g, square, gradient)
        a, b = 1 - 0.9**count, 1 - 0.95**count

        def moved(w, m, v):
            return w - 3e-4 * (m / a / (jnp.sqrt(v / b) + 1e-8) + 0.1 * w)

        return jax.tree.map(moved, p, mean, square), mean, square, count + 1, loss

    def text(self):
        p = self.parameters()
        same = jax.tree.map(lambda array: array.sharding, p)
        whole = self.sharding()
        step = jax.jit(self.step, donate_argnums=(0, 1, 2), out_shardings=(same, same, same, whole, whole))
        tokens = self.array((BATCH, LENGTH), ("data", None), jnp.int32)
        traced = step.trace(p, p, p, self.array((), ()), tokens)
        return traced.lower(lowering_platforms=("tpu",)).as_text(debug_info=True)


def normed(x, weight):
    wide = x.astype(jnp.float32)
    scale = jax.lax.rsqrt(jnp.mean(wide * wide, -1, keepdims=True) + 1e-5)
    return (wide * scale).astype(x.dtype) * weight.astype(x.dtype)


def rotated(x):
    half = HEAD // 2
    turns = jnp.arange(LENGTH, dtype=jnp.float32)[:, None] / 500000.0 ** (jnp.arange(half, dtype=jnp.float32) / half)
    cosine, sine = (f(turns)[None, :, None, :].astype(x.dtype) for f in (jnp.cos, jnp.sin))
    a, b = x[..., :half], x[..., half:]
    return jnp.concatenate([a * cosine - b * sine, b * cosine + a * sine], -1)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("out")
    parser.add_argument("--layers", type=int, default=80)
    parser.add_argument("--unrolled", action="store_true")
    parser.add_argument("--mesh", default="16x16")
    options = parser.parse_args()
    sizes = tuple(int(size) for size in options.mesh.split("x"))
    with open(options.out, "w") as file:
        file.write(Model(AbstractMesh(sizes, ("data", "model")), options.layers, options.unrolled).text())


if __name__ == "__main__":
    main()
