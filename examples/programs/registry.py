# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The programs by name, and what several of them are made of."""

import dataclasses
from typing import Callable

import jax.numpy as jnp
from jax import random


@dataclasses.dataclass(frozen=True)
class Program:
    build: Callable  # takes a scale, gives a function and its arguments
    tolerance: float
    donated: tuple = ()  # arguments by number
    wide: bool = False  # traced with 64-bit types


PROGRAMS = {}


def program(tolerance, **more):
    def register(build):
        PROGRAMS[build.__name__] = Program(build, tolerance, **more)
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
