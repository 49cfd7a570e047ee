#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Trains a model on tpuc through torch_xla, and compares the losses with eager PyTorch's on the CPU.

PJRT_DEVICE=TPUC TPUC_MATMUL_PRECISION=highest examples/pytorch/train_torch_xla.py --model=gpt
"""

import argparse
import sys

import torch
import torch_xla
import torch_xla.core.xla_model as xm

from models import compare, eager_losses, loss_of, setup


def optimizer_for(name):
    if name == "resnet":
        return lambda parameters: torch.optim.SGD(parameters, lr=0.01, momentum=0.9)
    return lambda parameters: torch.optim.AdamW(parameters, lr=1e-3)


def train(name, steps, dynamo):
    device = torch_xla.device()
    model, inputs, labels = setup(name)
    model, inputs, labels = model.to(device), inputs.to(device), labels.to(device)
    optimizer = optimizer_for(name)(model.parameters())
    forward = lambda inputs, labels: loss_of(model(inputs), labels)
    if dynamo:
        forward = torch.compile(forward, backend="openxla")
    losses = []
    for _ in range(steps):
        optimizer.zero_grad()
        loss = forward(inputs, labels)
        loss.backward()
        xm.optimizer_step(optimizer)
        torch_xla.sync()
        losses.append(loss.item())
    return losses


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", choices=["gpt", "resnet"], default="gpt")
    parser.add_argument("--steps", type=int, default=20)
    parser.add_argument("--dynamo", action="store_true", help="torch.compile(backend='openxla') for both passes")
    args = parser.parse_args()
    losses = train(args.model, args.steps, args.dynamo)
    return compare(losses, eager_losses(args.model, args.steps, optimizer_for(args.model)))


if __name__ == "__main__":
    sys.exit(main())
