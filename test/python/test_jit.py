# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Functions of open sizes: one program of buckets for all of them."""

import logging

import numpy as np
import pytest

import tpuc

jax = pytest.importorskip("jax")
jnp = jax.numpy


def mlp(x, weights):
    return {"mean": jax.nn.relu(x @ weights["w"]).mean(0), "rows": x @ weights["w"] + x.shape[0]}


def arrays(batch, seed=0):
    rng = np.random.default_rng(seed)
    return rng.standard_normal((batch, 6), np.float32), {"w": rng.standard_normal((6, 5), np.float32)}


def same(got, want):
    assert jax.tree.structure(got) == jax.tree.structure(want)
    for a, b in zip(jax.tree.leaves(got), jax.tree.leaves(want)):
        assert a.shape == b.shape and a.dtype == b.dtype
        np.testing.assert_allclose(a, b, atol=2e-5)


def test_each_size_runs_in_the_smallest_bucket_that_holds_it(caplog):
    step = tpuc.jit(mlp, {"b": "pow2:1..20"}, ("b, ...", None), matmul_precision="highest")
    with caplog.at_level(logging.INFO, "tpuc"):
        for batch in (1, 3, 8, 13, 20):
            x, weights = arrays(batch, batch)
            w = weights["w"]
            hidden = x @ w
            same(step(x, weights), {"mean": np.maximum(hidden, 0).mean(0), "rows": hidden + np.float32(batch)})
    said = [record.getMessage() for record in caplog.records if record.name == "tpuc"]
    assert said[0] == "mlp: compiled for b=pow2:1..20"
    assert said[1:] == [
        "mlp: b=1 runs in the bucket b=1, which is 0% padding",
        "mlp: b=3 runs in the bucket b=4, which is 25% padding",
        "mlp: b=8 runs in the bucket b=8, which is 0% padding",
        "mlp: b=13 runs in the bucket b=16, which is 19% padding",
        "mlp: b=20 runs in the bucket b=20, which is 0% padding",
    ]


def test_other_types_and_known_sizes_are_other_programs(caplog):
    step = tpuc.jit(lambda x, y: (x * y).sum(0), {"n": [8, 4]}, "n, ...")
    with caplog.at_level(logging.INFO, "tpuc"):
        for shape, dtype in (((3, 2), np.float32), ((7, 2), np.float32), ((3, 5), np.float32), ((3, 2), np.int32)):
            x = np.arange(np.prod(shape), dtype=dtype).reshape(shape)
            np.testing.assert_allclose(step(x, x), (x * x).sum(0))
    compiled = [record for record in caplog.records if "compiled for n=4,8" in record.getMessage()]
    assert len(compiled) == 3


def test_sizes_that_no_bucket_holds_are_refused():
    step = tpuc.jit(lambda x: x + 1, {"n": "1..8"}, "n")
    with pytest.raises(tpuc.Error, match="no bucket holds n=9") as caught:
        step(np.zeros(9, np.float32))
    assert caught.value.code == "TPUC-SHAPES-004"
    with pytest.raises(tpuc.Error, match="expects open sizes"):
        tpuc.jit(lambda x: x, {}, "n")


def test_two_sizes_and_an_argument_that_nobody_reads():
    step = tpuc.jit(
        lambda x, unused, y: x @ y, {"b": [4], "s": [4, 8]}, ("b, s", None, "s, 3"), matmul_precision="highest"
    )
    x, y = np.ones((3, 5), np.float32), np.full((5, 3), 2, np.float32)
    np.testing.assert_allclose(step(x, np.zeros(7), y), x @ y)
