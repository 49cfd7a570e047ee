#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes the programs of XLA beside it, with what they compute: `pip install jax==0.10.2 && ./make.py`.

NAME/program.pb   as JAX hands it over, and NAME_optimised/program.pb as XLA compiles it for a CPU, with fusions, calls
and layouts"""

import os
import pathlib

os.environ.setdefault("JAX_PLATFORMS", "cpu")
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

HERE = pathlib.Path(__file__).parent
jax.config.update("jax_hlo_source_file_canonicalization_regex", ".*/")


def loop(x, key):
    """A loop, a branch, a sort, a scatter, random bits and a reduction of two arrays."""
    bits = jax.random.normal(key, x.shape)
    y = lax.fori_loop(0, 3, lambda i, v: jnp.sin(v @ v.T / 8) @ v / 4 + i, x + bits)
    y = lax.cond(y.sum() > 0, lambda v: v * 2, lambda v: v - 1, y)
    y = y.at[jnp.array([3, 1])].add(1.0)
    return jnp.sort(y, axis=1), jnp.argmax(y, axis=0), jnp.cumsum(y, axis=1)


def convolution(x, k):
    """A convolution's gradient, pooling, a softmax."""

    def loss(k):
        y = lax.conv_general_dilated(x, k, (2, 2), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))
        y = lax.reduce_window(y, -jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")
        return jnp.log(jax.nn.softmax(y.reshape(y.shape[0], -1))).mean()

    return jax.value_and_grad(loss)(k)


def write(name, function, *arguments):
    lowered = jax.jit(function).lower(*arguments)
    compiled = lowered.compile()
    results = jax.tree.leaves(compiled(*arguments))
    modules = {name: lowered.compiler_ir("hlo"), name + "_optimised": compiled.runtime_executable().hlo_modules()[0]}
    for folder, module in modules.items():
        out = HERE / folder
        out.mkdir(exist_ok=True)
        (out / "program.pb").write_bytes(module.as_serialized_hlo_module_proto())
        (out / "info.json").write_text('{"tolerance": 1e-05}\n')
        for i, argument in enumerate(arguments):
            np.save(out / f"input.{i}.npy", np.asarray(argument))
        for i, result in enumerate(results):
            np.save(out / f"output.{i}.npy", np.asarray(result))


if __name__ == "__main__":
    normal = lambda seed, *shape: np.random.default_rng(seed).standard_normal(shape).astype(np.float32)
    write("loop", loop, normal(0, 4, 6), np.array([0, 42], np.uint32))
    write("convolution", convolution, normal(1, 2, 9, 9, 3), normal(2, 3, 3, 3, 4))
