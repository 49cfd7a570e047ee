# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""tpuc from Python: what a function costs on a chip, and what it computes there. python examples/use_python.py"""

import jax
import jax.numpy as jnp
import numpy as np

import tpuc


def attention(q, k, v):
    scores = jnp.einsum("bqhd,bkhd->bhqk", q, k) / q.shape[-1] ** 0.5
    return jnp.einsum("bhqk,bkhd->bqhd", jax.nn.softmax(scores), v)


def main():
    # Shapes are enough to know the time.
    large = [jax.ShapeDtypeStruct((4, 1024, 8, 64), "bfloat16")] * 3
    report = tpuc.report(attention, *large, target="v5e")
    print(report)
    print(
        f"{report.step_seconds * 1e6:.0f} us, MFU {100 * report.mfu:.0f}%, {report.hbm['peak_bytes'] / 2**20:.0f} MiB at the peak\n"
    )
    print(tpuc.compare(attention, large, targets=["v4", "v5e", "v6e"]), "\n")

    # With numbers it is compiled, run on the machine, and kept in a file.
    arrays = [np.random.default_rng(i).normal(size=(1, 16, 2, 64)).astype(np.float32) for i in range(3)]
    program = tpuc.compile(attention, *arrays, matmul_precision="highest")
    (result,) = program(*arrays)
    with jax.default_device(jax.devices("cpu")[0]):
        print("largest difference from JAX on the CPU:", np.abs(result - attention(*arrays)).max())
    try:
        tpuc.report(lambda x: x @ x, jax.ShapeDtypeStruct((65536, 65536), "float32"))
    except tpuc.Error as error:
        print("refused:", error.code, "-", tpuc.explain(error.code).splitlines()[0])


if __name__ == "__main__":
    main()
