# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The plugin's option `buckets`: functions that are traced at other leading sizes share a program a bucket."""

import os
import re
import subprocess
import sys

import pytest

pytest.importorskip("jax")

SCRIPT = """
import sys
import jax, jax.numpy as jnp, numpy as np

@jax.jit
def model(x, w):
    y = jax.nn.softmax(jnp.tanh(x @ w), axis=0) * x.shape[0]
    return y - y.mean(axis=0), jnp.arange(x.shape[0]), x[::-1], y[-1], jnp.sort(x, axis=0)

def expected(x, w):
    y = np.tanh(x.astype(np.float64) @ w)
    y = np.exp(y - y.max(axis=0))
    y = y / y.sum(axis=0) * len(x)
    return y - y.mean(axis=0), np.arange(len(x)), x[::-1], y[-1], np.sort(x, axis=0)

w = np.random.default_rng(0).standard_normal((12, 7), np.float32)
for rows in map(int, sys.argv[1:]):
    x = np.random.default_rng(rows).standard_normal((rows, 12), np.float32)
    for got, want in zip(model(x, w), expected(x, w)):
        np.testing.assert_allclose(got, want, rtol=1e-4, atol=1e-4)
"""


def said(script, *args, buckets="pow2", **environment):
    environment = {
        **os.environ,
        "JAX_PLATFORMS": "tpuc",
        "TPUC_CACHE": "off",
        "TPUC_LOG": "compiles",
        "TPUC_BUCKETS": buckets,
        **environment,
    }
    done = subprocess.run(
        [sys.executable, "-c", script, *map(str, args)], env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return [line for line in done.stderr.splitlines() if line.startswith("tpuc: jit_model")]


def taken(lines):
    return [line.split("in the bucket ")[1].split(":")[0] for line in lines if "in the bucket" in line]


def test_one_program_a_bucket():
    lines = said(SCRIPT, 17, 18, 19, 32, 20, 33, 64)
    found = [re.search(r"size (\d+) runs in the bucket (\d+)..(\d+): (\d+)% of its rows", line) for line in lines]
    # The first of its kind is compiled as it is: nothing is known of others.
    assert "is compiled for itself: no program came before" in lines[0], lines
    assert [tuple(map(int, one.groups())) for one in found if one] == [
        (18, 17, 32, 44),
        (19, 17, 32, 41),
        (32, 17, 32, 0),
        (20, 17, 32, 38),
        (33, 33, 64, 48),
        (64, 33, 64, 0),
    ]
    assert sum("compiled in" in line for line in lines) == 3


def test_padding_reaches_nothing():
    """In the checking mode padding is NaN, and an error where it decides anything."""
    lines = said(SCRIPT, 5, 6, 7, 8, buckets="8", TPUC_CHECKING="true")
    assert taken(lines) == ["1..8"] * 3


def test_other_policies():
    lines = said(SCRIPT, 3, 9, 21, 40, buckets="4,10,30")
    assert taken(lines) == ["5..10", "11..30"]
    assert any("leading size 40 is compiled for itself: no bucket holds it" in line for line in lines), lines
    lines = said(SCRIPT, 3, 9, 21, buckets="multiples:16")
    assert taken(lines) == ["1..16", "17..32"]


def test_off_unless_told():
    assert not taken(said(SCRIPT, 17, 18, buckets=""))
    assert not taken(said(SCRIPT, 17, 18, buckets="off"))


EXACT = """
import sys
import jax, jax.numpy as jnp, numpy as np

@jax.jit
def model(x):
    return BODY

for rows in map(int, sys.argv[1:]):
    x = np.random.default_rng(rows).standard_normal((rows, 4), np.float32)
    with jax.default_device(jax.devices()[0]):
        np.testing.assert_allclose(model(x), np.asarray(EXPECTED), rtol=1e-4, atol=1e-5)
"""


@pytest.mark.parametrize(
    "body, expected",
    [
        # A number that is on no line in the size.
        ("x / np.float32(np.sqrt(x.shape[0]))", "x / np.sqrt(rows)"),
        # Data of another size.
        (
            "x * np.linspace(0, 1, x.shape[0] * 100, dtype=np.float32)[: x.shape[0], None]",
            "x * np.linspace(0, 1, rows * 100, dtype=np.float32)[:rows, None]",
        ),
    ],
)
def test_what_is_of_another_kind_is_compiled_for_itself(body, expected):
    lines = said(EXACT.replace("BODY", body).replace("EXPECTED", expected), 17, 18, 19)
    assert not taken(lines)
    assert sum("compiled in" in line for line in lines) == 3


def test_donated_and_serialised():
    said(
        """
import jax, jax.numpy as jnp, numpy as np
from jax.experimental import serialize_executable as se
model = jax.jit(lambda x, y: (x + y, y.sum(axis=0)), donate_argnums=0)
for rows in (17, 18, 19):
    x, y = jnp.full((rows, 3), 1.0), jnp.full((rows, 3), 2.0)
    compiled = model.lower(x, y).compile()
    compiled = se.deserialize_and_load(*se.serialize(compiled))
    a, b = compiled(x, y)
    np.testing.assert_array_equal(a, np.full((rows, 3), 3.0))
    np.testing.assert_array_equal(b, np.full(3, 2.0 * rows))
    assert x.is_deleted()
    assert compiled.memory_analysis().argument_size_in_bytes > 0
"""
    )


def test_wrong_policies_are_refused():
    for policy in ("powers", "multiples:0", "8,4", "multiples:x", "1..200"):
        environment = {**os.environ, "JAX_PLATFORMS": "tpuc", "TPUC_BUCKETS": policy}
        done = subprocess.run(
            [sys.executable, "-c", "import jax; jax.devices()"], env=environment, capture_output=True, text=True
        )
        assert "option 'buckets' expects off, pow2, multiples:STEP or ascending sizes" in done.stderr, done.stderr
