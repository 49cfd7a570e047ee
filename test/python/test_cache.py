# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The plugin's compile cache, from process to process."""

import os
import pathlib
import subprocess
import sys

import pytest

pytest.importorskip("jax")

SCRIPT = """
import sys
import jax, jax.numpy as jnp, numpy as np
rows, scale = int(sys.argv[1]), float(sys.argv[2])

@jax.jit
def model(x):
    return jnp.tanh(x) * scale

x = np.linspace(-1, 1, rows * 128, dtype=np.float32).reshape(rows, 128)
np.testing.assert_allclose(model(x), np.tanh(x) * scale, rtol=1e-5)
"""


def said_of_model(folder, *args, **environment):
    """The lines on `model` of a process of its own."""
    environment = {
        **os.environ,
        "JAX_PLATFORMS": "tpuc",
        "TPUC_CACHE": str(folder),
        "TPUC_LOG": "compiles",
        "TPUC_MATMUL_PRECISION": "default",
        **environment,
    }
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, *map(str, args)], env=environment, capture_output=True, text=True, check=True
    )
    return [line for line in done.stderr.splitlines() if line.startswith("tpuc: jit_model")]


def compiles(folder, *args, **environment):
    """The only such line."""
    (line,) = said_of_model(folder, *args, **environment)
    return line


def test_second_process_loads(tmp_path):
    assert "compiled in" in compiles(tmp_path, 8, 2)
    assert "cached, loaded in" in compiles(tmp_path, 8, 2)


def test_says_what_differs(tmp_path):
    compiles(tmp_path, 8, 2)
    assert "argument 0 'x' is 16x128xf32, before 8x128xf32 (<string>:8:" in compiles(tmp_path, 16, 2)
    assert "a constant is 3.000000e+00, before 2.000000e+00" in compiles(tmp_path, 8, 3)
    assert "--matmul-precision=highest" in compiles(tmp_path, 8, 2, TPUC_MATMUL_PRECISION="highest")


def test_off_and_unusable_folders():
    for folder in ("off", "/proc/no/such/folder", sys.executable):
        assert "compiled in" in compiles(folder, 8, 2)


def test_broken_files_are_made_again(tmp_path):
    compiles(tmp_path, 8, 2)
    for file in tmp_path.glob("llvmcache-*"):
        file.write_bytes(file.read_bytes()[:-1])
    assert "compiled in" in compiles(tmp_path, 8, 2)
    assert "cached, loaded in" in compiles(tmp_path, 8, 2)


def test_processes_that_start_at_once_compile_once(tmp_path):
    environment = {**os.environ, "JAX_PLATFORMS": "tpuc", "TPUC_CACHE": str(tmp_path), "TPUC_LOG": "compiles"}
    started = [
        subprocess.Popen([sys.executable, "-c", SCRIPT, "8", "2"], env=environment, stderr=subprocess.PIPE, text=True)
        for _ in range(4)
    ]
    said = [process.communicate()[1] for process in started]
    assert [process.returncode for process in started] == [0] * 4
    assert sum("jit_model: compiled in" in text for text in said) == 1


def test_jax_keeps_programs_in_its_own_cache(tmp_path):
    """For the same build, target, precision and program; the plugin is not asked to compile then."""

    def compiled(*args, **environment):
        kept = {"JAX_COMPILATION_CACHE_DIR": str(tmp_path), "JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS": "0"}
        return len(said_of_model("off", *args, **kept, **environment))

    assert compiled(8, 2) == 1 and compiled(8, 2) == 0
    assert any(file.name.startswith("jit_model") for file in tmp_path.iterdir())
    assert compiled(8, 3) == 1
    assert compiled(8, 2, TPUC_MATMUL_PRECISION="highest") == 1 and compiled(8, 2) == 0
    description = (pathlib.Path(__file__).parents[2] / "targets" / "v5e.textproto").read_text()
    (tmp_path / "chip.textproto").write_text(description.replace("valu: 2", "valu: 3"))
    slower = {"TPUC_TARGET": str(tmp_path / "chip.textproto")}
    assert compiled(8, 2, **slower) == 1 and compiled(8, 2, **slower) == 0
