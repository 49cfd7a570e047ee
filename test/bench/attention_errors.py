#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Gradients of attention in bf16 with f32 scores against those of f32: how far off XLA on this CPU is, and tpuc at each
precision.

  attention_errors.py TPUC [--positions 1024] [--heads 1] [--width 64]

Largest difference of dq, dk and dv over the largest magnitude of each. TPUC is the built command.
"""

import argparse
import os
import pathlib
import subprocess
import tempfile

os.environ.setdefault("JAX_PLATFORMS", "cpu")
import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np


def gradients(q, k, v, g):
    def attention(q, k, v):
        scores = jnp.einsum("qhd,khd->hqk", q, k, preferred_element_type=jnp.float32) / np.sqrt(q.shape[-1])
        weights = jax.nn.softmax(scores, -1).astype(q.dtype)
        return jnp.einsum("hqk,khd->qhd", weights, v, preferred_element_type=jnp.float32).astype(q.dtype)

    return jax.vjp(attention, q, k, v)[1](g)


def run(tpuc, folder, precision):
    subprocess.run(
        [tpuc, "run", folder, f"--save={folder}", f"--matmul-precision={precision}"],
        check=True,
        stdout=subprocess.DEVNULL,
    )
    return [np.load(folder / f"output.{i}.npy").view(ml_dtypes.bfloat16) for i in range(3)]


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("tpuc")
    p.add_argument("--positions", type=int, default=1024)
    p.add_argument("--heads", type=int, default=1)
    p.add_argument("--width", type=int, default=64)
    a = p.parse_args()
    random = np.random.default_rng(0)
    arrays = [jnp.asarray(random.standard_normal((a.positions, a.heads, a.width)), jnp.bfloat16) for _ in range(4)]
    exact = jax.jit(gradients)(*[x.astype(jnp.float32) for x in arrays])

    def line(name, results):
        far = [np.abs(np.asarray(x, np.float32) - y).max() / np.abs(y).max() for x, y in zip(results, exact)]
        print(f"{name:14}" + "".join(f"{e:10.2e}" for e in far), flush=True)

    line("XLA on the CPU", jax.jit(gradients)(*arrays))
    program = jax.jit(gradients).lower(*arrays).as_text()
    for precision in ["default", "high", "highest"]:
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            (folder / "program.mlir").write_text(program)
            for i, x in enumerate(arrays):
                np.save(folder / f"input.{i}.npy", np.asarray(x).view("V2"))
            line(precision, run(a.tpuc, folder, precision))


if __name__ == "__main__":
    main()
