#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Trains a PyTorch model on tpuc through torchax, which traces it as a JAX function.

It compares the losses with eager PyTorch's on the CPU:

    JAX_PLATFORMS=tpuc TPUC_MATMUL_PRECISION=highest examples/pytorch/train_torchax.py --model=gpt
"""

import argparse
import sys

import torch
import torchax
from torchax import interop

from models import compare, eager_losses, loss_of, setup


def optimizers_for(name):
    """The same optimizer twice: optax's, and PyTorch's for the losses to compare with."""
    import optax

    if name == "resnet":
        return optax.sgd(0.01, momentum=0.9), lambda parameters: torch.optim.SGD(parameters, lr=0.01, momentum=0.9)
    return optax.adamw(1e-3, weight_decay=1e-2), lambda parameters: torch.optim.AdamW(parameters, lr=1e-3)


def train(name, steps, optimizer):
    from torchax.train import make_train_step

    model, inputs, labels = setup(name)
    with torchax.default_env():
        jittable = interop.JittableModule(model.to("jax"))
        inputs, labels = inputs.to("jax"), labels.to("jax")
        forward = lambda weights, buffers, args: jittable.functional_call("forward", weights, buffers, args)
        step = make_train_step(forward, loss_of, optimizer)
        step = interop.jax_jit(step, kwargs_for_jax_jit={"donate_argnums": (0, 2)})
        weights, state, losses = jittable.params, interop.call_jax(optimizer.init, jittable.params), []
        for _ in range(steps):
            loss, weights, state = step(weights, jittable.buffers, state, inputs, labels)
            losses.append(loss.item())
    return losses


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", choices=["gpt", "resnet"], default="gpt")
    parser.add_argument("--steps", type=int, default=20)
    args = parser.parse_args()
    ours, torchs = optimizers_for(args.model)
    return compare(train(args.model, args.steps, ours), eager_losses(args.model, args.steps, torchs))


if __name__ == "__main__":
    sys.exit(main())
