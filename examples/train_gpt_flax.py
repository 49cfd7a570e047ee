# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A small GPT in flax, trained with optax: JAX_PLATFORMS=tpuc python examples/train_gpt_flax.py --steps 200

It learns the characters of a text made up of a few sentences. Nothing here knows of tpuc; TPUC_MATMUL_PRECISION=highest
computes f32 matmuls as JAX does on a CPU.
"""

import argparse

import flax.linen as nn
import jax
import jax.numpy as jnp
import numpy as np
import optax

LENGTH, WIDTH, HEADS, LAYERS, BATCH = 32, 64, 4, 2, 8
TEXT = (
    "the quick brown fox jumps over the lazy dog. pack my box with five dozen liquor jugs. how vexingly quick daft zebras jump! "
    * 20
)


class Block(nn.Module):
    @nn.compact
    def __call__(self, x):
        mask = nn.make_causal_mask(x[..., 0])
        x = x + nn.MultiHeadDotProductAttention(num_heads=HEADS)(nn.LayerNorm()(x), mask=mask)
        return x + nn.Dense(WIDTH)(nn.gelu(nn.Dense(4 * WIDTH)(nn.LayerNorm()(x))))


class Gpt(nn.Module):
    symbols: int

    @nn.compact
    def __call__(self, tokens):
        x = nn.Embed(self.symbols, WIDTH)(tokens) + nn.Embed(LENGTH, WIDTH)(jnp.arange(tokens.shape[-1]))
        for _ in range(LAYERS):
            x = Block()(x)
        return nn.Dense(self.symbols)(nn.LayerNorm()(x))


def batches(text):
    alphabet = sorted(set(text))
    data = np.array([alphabet.index(c) for c in text], np.int32)
    random = np.random.default_rng(0)
    while True:
        starts = random.integers(0, len(data) - LENGTH - 1, BATCH)
        yield np.stack([data[s : s + LENGTH + 1] for s in starts])


def train(steps, report):
    model = Gpt(len(set(TEXT)))
    optimizer = optax.chain(optax.clip_by_global_norm(1.0), optax.adamw(optax.cosine_decay_schedule(3e-3, steps)))
    data = batches(TEXT)
    params = model.init(jax.random.key(0), next(data)[:, :-1])
    state = optimizer.init(params)

    def loss(params, batch):
        return optax.softmax_cross_entropy_with_integer_labels(model.apply(params, batch[:, :-1]), batch[:, 1:]).mean()

    @jax.jit
    def step(params, state, batch):
        value, gradients = jax.value_and_grad(loss)(params, batch)
        updates, state = optimizer.update(gradients, state, params)
        return optax.apply_updates(params, updates), state, value

    losses = []
    for i in range(steps):
        params, state, value = step(params, state, next(data))
        losses.append(float(value))
        if i % report == 0 or i == steps - 1:
            print(f"step {i:3}  loss {losses[-1]:.5f}", flush=True)
    return losses


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=200)
    parser.add_argument("--save", help="write the losses into this .npy file")
    args = parser.parse_args()
    print("training on", jax.devices()[0].device_kind)
    losses = train(args.steps, 20)
    if args.save:
        np.save(args.save, losses)
