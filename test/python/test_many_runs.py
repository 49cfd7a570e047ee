# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs leave nothing behind."""

import os

os.environ.setdefault("JAX_PLATFORMS", "tpuc")
os.environ.setdefault("TPUC_MATMUL_PRECISION", "highest")

import pytest

jax = pytest.importorskip("jax")
jnp = jax.numpy


def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGESIZE")


def test_memory_does_not_grow():
    step = jax.jit(lambda x, w: jnp.tanh(x @ w), donate_argnums=0)
    w = jnp.eye(128)

    def run(times):
        x = jnp.ones((256, 128))
        for _ in range(times):
            x = step(x, w)
        return x.sum().block_until_ready()

    run(200)
    device = jax.devices()[0]
    before, in_use = resident(), device.memory_stats()["bytes_in_use"]
    run(1500)  # an array that is lost each time would be 196 MB
    assert resident() - before < 8 << 20
    assert device.memory_stats()["bytes_in_use"] <= in_use + 4096  # a sum on its way out


def test_many_programs_are_given_back():
    def compile_and_run(i):
        f = jax.jit(lambda x: x * 2 + i)
        assert f(jnp.ones(1024))[0] == 2 + i

    for i in range(10):
        compile_and_run(i)
    jax.clear_caches()
    before = resident()
    for i in range(10, 60):
        compile_and_run(i)
        jax.clear_caches()
    assert resident() - before < 64 << 20
