# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Functions of Python that programs call, on the installed package's platform; skipped where JAX is not installed."""

import gc
import os
import threading
import weakref

os.environ.setdefault("JAX_PLATFORMS", "tpuc")
os.environ.setdefault("TPUC_MATMUL_PRECISION", "highest")

import numpy as np
import pytest

jax = pytest.importorskip("jax")
jnp = jax.numpy
lax = jax.lax

from jax.experimental import checkify, io_callback


def shape(*dims, dtype=np.float32):
    return jax.ShapeDtypeStruct(dims, dtype)


def test_debug_print_says_what_it_is_given(capfd):
    jax.jit(lambda x: jax.debug.print("x = {} {y}", x, y=2 * x))(jnp.arange(3))
    jax.effects_barrier()
    assert capfd.readouterr().out == "x = [0 1 2] [0 2 4]\n"


def test_pure_callback_computes():
    f = jax.jit(lambda x: jax.pure_callback(lambda v: np.sin(v), shape(5, 7), x) + 1)
    x = np.arange(35, dtype=np.float32).reshape(5, 7)
    np.testing.assert_allclose(f(x), np.sin(x) + 1, rtol=1e-6)


@pytest.mark.parametrize(
    "dtype", ["bool", "int8", "uint16", "int32", "float16", "bfloat16", "float32", "complex64", "float8_e4m3fn", "int4"]
)
@pytest.mark.parametrize("dims", [(), (1,), (0, 3), (3, 130), (2, 1, 5)])
def test_every_type_and_shape_goes_both_ways(dtype, dims):
    dtype = jnp.dtype(dtype)
    seen = []

    def host(x):
        seen.append(np.asarray(x))
        return np.asarray(x)

    x = np.asarray(np.random.default_rng(0).integers(0, 7, dims)).astype(dtype)
    y = jax.jit(lambda x: jax.pure_callback(host, jax.ShapeDtypeStruct(dims, dtype), x))(x)
    np.testing.assert_array_equal(np.asarray(y), x)
    assert seen[0].dtype == dtype and seen[0].shape == dims
    np.testing.assert_array_equal(seen[0], x)


def test_wide_types_go_both_ways():
    with jax.enable_x64(True):
        for dtype in ["int64", "uint64", "float64", "complex128"]:
            x = (np.arange(12) * 3 + 2**33).astype(dtype).reshape(3, 4)
            y = jax.jit(
                lambda x: jax.pure_callback(lambda v: np.asarray(v) + 1, jax.ShapeDtypeStruct(x.shape, x.dtype), x + x)
            )(x)
            np.testing.assert_array_equal(np.asarray(y), x + x + 1)


@pytest.mark.parametrize("ordered", [False, True])
def test_calls_come_in_the_programs_order(ordered):
    calls = []

    def body(i, x):
        io_callback(lambda i, x: calls.append((int(i), float(x))), None, i, x, ordered=ordered)
        return x * 2

    def f(x):
        x = lax.fori_loop(0, 3, body, x)
        x = lax.cond(
            x > 5,
            lambda x: io_callback(
                lambda v: calls.append(("large", float(v))) or np.float32(v + 1), shape(), x, ordered=ordered
            ),
            lambda x: x,
            x,
        )
        _, ys = lax.scan(
            lambda c, k: (
                c,
                io_callback(lambda k: calls.append(int(k)) or np.float32(-k), shape(), k, ordered=ordered),
            ),
            0.0,
            jnp.arange(3),
        )
        return x, ys

    x, ys = jax.jit(f)(jnp.float32(1))
    jax.effects_barrier()
    assert calls == [(0, 1.0), (1, 2.0), (2, 4.0), ("large", 8.0), 0, 1, 2]
    assert float(x) == 9 and ys.tolist() == [0, -1, -2]


def test_ordered_calls_of_several_programs():
    calls = []
    for k in range(20):
        jax.jit(lambda k: io_callback(lambda v: calls.append(int(v)), None, k, ordered=True))(k)
    jax.effects_barrier()
    assert calls == list(range(20))


def test_unordered_calls_of_several_programs_come_as_they_were_dispatched():
    calls = []
    f = jax.jit(lambda k: io_callback(lambda v: calls.append(int(v)), None, k))
    for k in range(50):
        f(k)
    jax.effects_barrier()
    assert calls == list(range(50))


def test_while_conditions_and_vmap():
    seen = []

    def condition(x):
        jax.debug.callback(lambda v: seen.append(int(v)), x)
        return x < 3

    lax.while_loop(condition, lambda x: x + 1, 0)
    jax.effects_barrier()
    assert seen == [0, 1, 2, 3]
    f = jax.vmap(lambda x: jax.pure_callback(lambda v: np.asarray(v) ** 2, shape(), x, vmap_method="sequential"))
    np.testing.assert_array_equal(f(jnp.arange(4.0)), [0, 1, 4, 9])


def test_what_python_raises_is_jaxs_error():
    def host(x):
        raise ValueError("no such luck")

    with pytest.raises(RuntimeError, match="no such luck"):
        jax.block_until_ready(jax.jit(lambda x: jax.pure_callback(host, shape(), x))(1.0))
    with pytest.raises(RuntimeError, match="Incorrect output shape"):
        jax.block_until_ready(jax.jit(lambda x: jax.pure_callback(lambda x: np.zeros(3, np.float32), shape(), x))(1.0))
    assert float(jax.jit(lambda x: x + 1)(1.0)) == 2


def test_callbacks_use_the_device():
    table = jnp.arange(10.0)
    add = jax.jit(lambda x, y: x + y)
    device = jax.devices()[0]

    def host(x):
        with jax.default_device(device):
            y = add(jax.device_put(np.asarray(x), device), table[3])
            for _ in range(3):
                y = jnp.tanh(y @ y) if y.ndim == 2 else add(y, 1.0)
            return np.asarray(y)

    f = jax.jit(lambda x: jax.pure_callback(host, shape(), x) * 2)
    assert [float(f(jnp.float32(k))) for k in range(3)] == [12, 14, 16]


def test_callbacks_call_their_own_program():
    device = jax.devices()[0]

    def host(x):
        x = float(x)
        return np.float32(1 if x <= 1 else x * float(np.asarray(factorial(jax.device_put(np.float32(x - 1), device)))))

    factorial = jax.jit(lambda x: jax.pure_callback(host, shape(), x)).lower(jnp.float32(5)).compile()
    assert float(factorial(jnp.float32(5))) == 120


def test_callbacks_wait_for_other_threads():
    double = jax.jit(lambda x: x * 2)

    def host(x):
        out = []
        thread = threading.Thread(
            target=lambda: out.append(np.asarray(double(jax.device_put(np.asarray(x), jax.devices()[0]))))
        )
        thread.start()
        thread.join()
        return out[0]

    assert float(jax.jit(lambda x: jax.pure_callback(host, shape(), x))(jnp.float32(21))) == 42


def test_callbacks_wait_for_later_programs():
    """For one behind another with a callback, and behind one that waits for the callback's own program."""
    later, dispatched = [], threading.Event()

    def host(x):
        assert dispatched.wait(60)
        return np.asarray(later[0])

    double = jax.jit(lambda x: x * 2)
    first = jax.jit(lambda x: jax.pure_callback(host, shape(), x))(jnp.float32(1))
    second = jax.jit(lambda x: jax.pure_callback(lambda v: np.asarray(v) + 1, shape(), x))(jnp.float32(2))
    third = double(first)
    later.append(double(jnp.float32(21)))
    dispatched.set()
    assert [float(x) for x in (first, second, third)] == [42, 3, 84]


def test_callbacks_nest_by_way_of_the_cpu():
    """tpuc calls Python, which runs a program of the CPU, which calls Python, which uses tpuc again."""
    here, cpu = jax.devices()[0], jax.devices("cpu")[0]

    def inner(x):
        return np.asarray(jax.device_put(np.asarray(x), here) + 1)

    on_cpu = jax.jit(lambda x: jax.pure_callback(inner, shape(), x) * 2)

    def outer(x):
        with jax.default_device(cpu):
            return np.asarray(on_cpu(jax.device_put(np.asarray(x), cpu)))

    f = jax.jit(lambda x: jax.pure_callback(outer, shape(), x))
    assert [float(y) for y in [f(jnp.float32(k)) for k in range(4)]] == [2, 4, 6, 8]


def test_functions_live_as_long_as_their_programs():
    def make():
        def host(x):
            return np.asarray(x) + 1

        f = jax.jit(lambda x: jax.pure_callback(host, shape(), x))
        return f, weakref.ref(host)

    f, host = make()
    for _ in range(3):
        gc.collect()
        assert float(f(1.0)) == 2
    del f
    jax.clear_caches()
    gc.collect()
    assert host() is None


def test_checkify():
    def f(x):
        checkify.check(x > 0, "expects a positive number, but got {}", x)
        return jnp.log(x)

    error, _ = jax.jit(checkify.checkify(f))(jnp.float32(-1))
    assert "expects a positive number, but got -1" in str(error.get())
    error, y = jax.jit(checkify.checkify(f))(jnp.float32(1))
    assert error.get() is None and float(y) == 0


def test_programs_with_calls_are_not_cached_by_jax(tmp_path):
    """Their functions are this process's."""
    jax.config.update("jax_compilation_cache_dir", str(tmp_path))
    old = jax.config.jax_persistent_cache_min_compile_time_secs
    jax.config.update("jax_persistent_cache_min_compile_time_secs", 0)
    try:
        jax.block_until_ready(jax.jit(lambda x: jax.pure_callback(lambda v: np.asarray(v), shape(), x) + 3)(1.0))
        assert not list(tmp_path.iterdir())
    finally:
        jax.config.update("jax_compilation_cache_dir", None)
        jax.config.update("jax_persistent_cache_min_compile_time_secs", old)
