# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The examples in Python, as users run them."""

import os
import pathlib
import re
import subprocess
import sys

import numpy as np
import pytest

pytest.importorskip("jax")

EXAMPLES = pathlib.Path(__file__).parents[2] / "examples"


def run(name, *args, platform="tpuc"):
    environment = {**os.environ, "JAX_PLATFORMS": platform, "TPUC_MATMUL_PRECISION": "highest"}
    done = subprocess.run([sys.executable, EXAMPLES / name, *args], env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_train_jax():
    output = run("train_jax.py")
    assert "training on tpuc v5e" in output
    losses = [float(value) for value in re.findall(r"loss ([\d.]+)", output)]
    assert losses[-1] < 0.5 * losses[0]


def test_train_gpt_flax_has_the_losses_of_the_cpu(tmp_path):
    for module in ("flax", "optax"):
        pytest.importorskip(module)
    losses = []
    for platform in ("tpuc", "cpu"):
        file = tmp_path / f"{platform}.npy"
        run("train_gpt_flax.py", "--steps", "20", "--save", str(file), platform=platform)
        losses.append(np.load(file))
    assert losses[0][-1] < 0.6 * losses[0][0]
    np.testing.assert_allclose(losses[0], losses[1], rtol=0, atol=1e-4)


def test_use_python():
    environment = {**os.environ}
    environment.pop("JAX_PLATFORMS", None)
    done = subprocess.run([sys.executable, EXAMPLES / "use_python.py"], env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "step time" in done.stdout and "v6e" in done.stdout and "refused: TPUC-FIT-001" in done.stdout
    assert float(re.search(r"largest difference .*: (\S+)", done.stdout)[1]) < 1e-5
