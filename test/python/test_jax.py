# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""JAX on the installed package's platform; skipped where JAX is not installed."""

import os

os.environ.setdefault("JAX_PLATFORMS", "tpuc")
os.environ.setdefault("TPUC_MATMUL_PRECISION", "highest")

import numpy as np
import pytest

jax = pytest.importorskip("jax")
jnp = jax.numpy
lax = jax.lax

import jax.export

import tpuc


def test_devices_are_tpuc():
    assert jax.devices()[0].platform == "tpuc"


def test_the_cpu_is_there_and_the_configuration_as_it_was():
    assert jax.devices("cpu")[0].platform == "cpu" and jax.default_backend() == "tpuc"
    assert jax.config.jax_platforms == os.environ["JAX_PLATFORMS"]


def test_train_step_descends():
    key = jax.random.key(0)
    x = jax.random.normal(key, (32, 5))
    y = jnp.sin(x.sum(1, keepdims=True))
    w = {"a": jax.random.normal(key, (5, 16)) / 3, "b": jax.random.normal(key, (16, 1)) / 4}

    def loss(w):
        return jnp.mean((jnp.tanh(x @ w["a"]) @ w["b"] - y) ** 2)

    step = jax.jit(lambda w: (loss(w), jax.tree.map(lambda p, g: p - 0.1 * g, w, jax.grad(loss)(w))), donate_argnums=0)
    losses = []
    for _ in range(10):
        value, w = step(w)
        losses.append(float(value))
    assert losses == sorted(losses, reverse=True) and losses[-1] < 0.8 * losses[0]


def test_donated_arrays_are_gone():
    x = jnp.ones((300, 7))
    y = jax.jit(lambda x: x + 1, donate_argnums=0)(x)
    assert x.is_deleted() and float(y.sum()) == 2 * 300 * 7


def test_donated_arrays_are_gone_where_no_result_can_lie():
    x = jnp.ones((700, 700))
    y = jax.jit(lambda x: x.T + 1, donate_argnums=0)(x)  # a step reads what another one has written
    assert x.is_deleted() and float(y[3, 5]) == 2


def test_same_array_donated_and_used_is_an_error():
    x = jnp.ones(10)
    with pytest.raises(RuntimeError, match="same array"):
        jax.jit(lambda x, y: x + y, donate_argnums=0)(x, x)


def test_exported_programs_are_called():
    """Those for a TPU, with others, and those for a CPU; not those for a GPU alone."""
    x = jnp.arange(6.0).reshape(2, 3)

    def f(x):
        return lax.platform_dependent(x, tpu=lambda x: x + 1, default=lambda x: x + 2)

    for platforms, added in [(("tpu",), 1), (("cpu", "tpu"), 1), (("cpu",), 2), (("cuda", "cpu"), 2)]:
        exported = jax.export.deserialize(jax.export.export(jax.jit(f), platforms=platforms)(x).serialize())
        np.testing.assert_array_equal(exported.call(x), x + added)
        np.testing.assert_array_equal(jax.jit(lambda x: exported.call(x * 2))(x), x * 2 + added)
    with pytest.raises(ValueError, match="cuda"):
        jax.export.deserialize(jax.export.export(jax.jit(f), platforms=("cuda",))(x).serialize()).call(x)


def test_layouts():
    """Arrays lie in the order of dims that is asked for, and go from program to program in whichever they have."""
    from jax.experimental.layout import Format, Layout

    on = jax.sharding.SingleDeviceSharding(jax.devices("tpuc")[0])
    by_rows, by_columns = (Format(Layout(major_to_minor=order), on) for order in ((0, 1), (1, 0)))
    x = np.arange(3 * 200, dtype=np.float32).reshape(3, 200)
    columns = jax.device_put(x, by_columns)
    order = lambda array: array.format.layout.major_to_minor
    assert order(columns) == (1, 0) and order(jax.device_put(x)) == (0, 1)
    np.testing.assert_array_equal(columns, x)
    np.testing.assert_array_equal(jax.jit(lambda a: a * 2 + a[:, ::-1])(columns), x * 2 + x[:, ::-1])
    both = jax.jit(lambda a: (a + 1, a), in_shardings=by_columns, out_shardings=(by_columns, by_rows))(columns)
    assert [order(array) for array in both] == [(1, 0), (0, 1)]
    np.testing.assert_array_equal(both[0], x + 1)
    np.testing.assert_array_equal(both[1], x)
    step = jax.jit(lambda a: a + 1, in_shardings=by_columns, out_shardings=by_columns, donate_argnums=0)
    np.testing.assert_array_equal(step(step(columns)), x + 2)
    assert columns.is_deleted()
    # The memory is in that order: 200 x 3 takes 25 tiles of 8 x 128, 3 x 200 takes two.
    size = lambda format: jax.jit(lambda a: a + 1, out_shardings=format).lower(x).compile().memory_analysis()
    assert size(by_columns).output_size_in_bytes > 10 * size(by_rows).output_size_in_bytes


def test_memory_kinds():
    """Results are where the program says, arguments come from either memory, and the numbers are the same."""
    on = {
        k: jax.sharding.SingleDeviceSharding(jax.devices("tpuc")[0], memory_kind=k) for k in ("device", "pinned_host")
    }
    x = np.arange(300, dtype=np.float32).reshape(3, 100)
    there, here = jax.device_put(x, on["pinned_host"]), jax.device_put(x, on["device"])

    def check(result, kind, expected):
        assert result.sharding.memory_kind == kind
        np.testing.assert_array_equal(result, expected)

    step = lambda a: a * 2 + 1
    check(jax.jit(step, out_shardings=on["pinned_host"])(here), "pinned_host", x * 2 + 1)
    check(jax.jit(step)(there), "pinned_host", x * 2 + 1)  # what comes of an array of the host is the host's to JAX
    check(jax.jit(step, out_shardings=on["device"])(there), "device", x * 2 + 1)
    check(jax.jit(lambda a: jax.device_put(a, on["pinned_host"]))(here), "pinned_host", x)
    both = jax.jit(lambda a: (a + 1, a * 2), out_shardings=(on["pinned_host"], on["device"]))
    for result, kind, expected in zip(both(here), ("pinned_host", "device"), (x + 1, x * 2)):
        check(result, kind, expected)
    given = jax.device_put(x, on["pinned_host"])
    donating = jax.jit(step, in_shardings=on["pinned_host"], out_shardings=on["pinned_host"], donate_argnums=0)
    check(donating(given), "pinned_host", x * 2 + 1)
    assert given.is_deleted()
    stats = jax.jit(step, out_shardings=on["pinned_host"]).lower(here).compile().memory_analysis()
    assert stats.host_output_size_in_bytes > 0 and stats.output_size_in_bytes == 0
    in_use = jax.devices("tpuc")[0].memory_stats()["bytes_in_use"]
    kept = jax.block_until_ready(jax.jit(step, out_shardings=on["pinned_host"])(here))
    assert jax.devices("tpuc")[0].memory_stats()["bytes_in_use"] == in_use and kept is not None


@pytest.mark.parametrize("shardy", [True, False])
def test_shardings_over_one_device(shardy):
    """Meshes, annotations and collectives of one device are no programs for several; in Shardy's words or GSPMD's."""
    before = jax.config.jax_use_shardy_partitioner
    jax.config.update("jax_use_shardy_partitioner", shardy)
    try:
        mesh = jax.sharding.Mesh(np.array(jax.devices("tpuc")[:1]).reshape(1, 1), ("x", "y"))
        on = lambda *axes: jax.sharding.NamedSharding(mesh, jax.sharding.PartitionSpec(*axes))
        x = np.arange(32, dtype=np.float32).reshape(8, 4)
        step = jax.jit(
            lambda a: jax.lax.with_sharding_constraint(jnp.sin(a) @ a.T, on("y")),
            in_shardings=on("x"),
            out_shardings=on(None, "x"),
        )
        np.testing.assert_allclose(step(x), np.sin(x) @ x.T, rtol=1e-5, atol=1e-4)
        collectives = jax.shard_map(
            lambda a: (
                jax.lax.psum(a, "x")
                + jax.lax.axis_index("y")
                + jax.lax.all_gather(a, "y", tiled=True)
                + jax.lax.ppermute(a, "x", [(0, 0)])
                + jax.lax.all_to_all(a, "x", 0, 0, tiled=True)
                + jax.lax.psum_scatter(a, "y", tiled=True)
            ),
            mesh=mesh,
            in_specs=jax.sharding.PartitionSpec("x", "y"),
            out_specs=jax.sharding.PartitionSpec("x", "y"),
            check_vma=False,
        )
        np.testing.assert_array_equal(jax.jit(collectives)(jax.device_put(x, on("x", "y"))), 5 * x)
    finally:
        jax.config.update("jax_use_shardy_partitioner", before)


def test_factorisations():
    a = np.random.default_rng(0).normal(size=(6, 6)).astype(np.float32)
    s = a @ a.T + 6 * np.eye(6, dtype=np.float32)
    np.testing.assert_allclose(jnp.linalg.cholesky(s), np.linalg.cholesky(s), atol=1e-5)
    np.testing.assert_allclose(jnp.linalg.eigvalsh(s), np.linalg.eigvalsh(s), rtol=1e-5)
    np.testing.assert_allclose(jnp.linalg.svd(a, compute_uv=False), np.linalg.svd(a, compute_uv=False), rtol=1e-5)


def test_factorisations_by_method():
    """Each method that JAX has a name for, and a part of the values."""
    a = np.random.default_rng(0).normal(size=(6, 6)).astype(np.float32)
    s = a + a.T
    for method in (None, *lax.linalg.EighImplementation):
        v, w = lax.linalg.eigh(s, implementation=method)
        np.testing.assert_allclose(w, np.linalg.eigvalsh(s), rtol=1e-4, atol=1e-5)
        np.testing.assert_allclose(s @ v, v * w, atol=1e-4)
    w = lax.linalg.eigh(s, subset_by_index=(2, 5))[1]
    np.testing.assert_allclose(w, np.linalg.eigvalsh(s)[2:5], rtol=1e-4, atol=1e-5)
    for method in lax.linalg.SvdAlgorithm:
        u, values, v = lax.linalg.svd(a, algorithm=method)
        np.testing.assert_allclose(values, np.linalg.svd(a, compute_uv=False), rtol=1e-4)
        np.testing.assert_allclose(u * values @ v, a, atol=1e-4)
    values = lax.linalg.svd(a, compute_uv=False, full_matrices=False, subset_by_index=(0, 2))
    np.testing.assert_allclose(values, np.linalg.svd(a, compute_uv=False)[:2], rtol=1e-4)


def test_what_is_known_of_a_compiled_program():
    compiled = jax.jit(lambda a, b: a @ b).lower(jnp.ones((128, 128)), jnp.ones((128, 128))).compile()
    costs = compiled.cost_analysis()
    assert costs["flops"] >= 2 * 128**3 and costs["optimal_seconds"] > 0
    assert compiled.memory_analysis().argument_size_in_bytes == 2 * 128 * 128 * 4
    assert jax.devices()[0].memory_stats()["peak_bytes_in_use"] > 0


def test_refusals_name_the_line_and_the_op():
    def f(x):
        return jax.ffi.ffi_call("nobody_knows", jax.ShapeDtypeStruct((3,), "float32"))(x)

    with pytest.raises(jax.errors.JaxRuntimeError, match=r"UNIMPLEMENTED[\s\S]*test_jax.py[\s\S]*nobody_knows"):
        jax.jit(f)(jnp.ones(3)).block_until_ready()


def test_reports_take_functions_and_shapes():
    report = tpuc.report(
        jax.jit(lambda x, w: jax.nn.relu(x @ w)),
        jax.ShapeDtypeStruct((64, 256), "float32"),
        jax.ShapeDtypeStruct((256, 512), "float32"),
        target="v5e",
    )
    assert report.flops == 2 * 64 * 256 * 512
