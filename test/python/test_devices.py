# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""JAX's sharded programs on eight devices of the platform, in a process of their own: the number is fixed at start."""

import os
import subprocess
import sys

import pytest

pytest.importorskip("jax")

SCRIPT = """
import jax, numpy as np
from jax.sharding import AxisType, NamedSharding, PartitionSpec as P

jnp, lax = jax.numpy, jax.lax
assert len(jax.devices()) == 8 and jax.devices()[7].platform == "tpuc"
mesh = jax.make_mesh((4, 2), ("d", "m"), axis_types=(AxisType.Auto,) * 2)
whole = np.arange(64.0, dtype=np.float32).reshape(8, 8) / 7
x = jax.device_put(whole, NamedSharding(mesh, P("d", "m")))
assert x.addressable_shards[0].data.shape == (2, 4)
np.testing.assert_array_equal(np.asarray(x), whole)

# The partitioner's choice of the result's place comes back to JAX.
y = jax.jit(lambda a: a @ a.T + 1)(x)
assert y.sharding.mesh == mesh
np.testing.assert_allclose(np.asarray(y), whole @ whole.T + 1, rtol=1e-5)

z = jax.jit(lambda a: lax.with_sharding_constraint(jnp.sin(a).T, NamedSharding(mesh, P("m", "d"))))(x)
assert z.sharding.spec == P("m", "d") and z.addressable_shards[0].data.shape == (4, 2)
np.testing.assert_allclose(np.asarray(z), np.sin(whole).T, atol=1e-5)

add = lambda a: lax.psum(a.sum(), ("d", "m")).reshape(1)
total = jax.shard_map(add, mesh=mesh, in_specs=P("d", "m"), out_specs=P())
np.testing.assert_allclose(np.asarray(jax.jit(total)(x)), [whole.sum()], rtol=1e-6)

# Shardings that the program asks for are told when it is compiled; what the caller's function raises is an error.
seen = []
def inspecting(a):
    b = a + 1
    jax.debug.inspect_array_sharding(b, callback=seen.append)
    return b.sum(1)
jax.jit(inspecting)(x)
assert [s.spec for s in seen] == [P("d", "m")], seen

# What each device runs has no array of the whole's shape.
text = jax.jit(jnp.cos).lower(x).compile().runtime_executable().hlo_modules()[0].to_string()
assert "[8,8]" not in text and "[2,4]" in text

# Replicated results are the same array everywhere.
mean = jax.jit(lambda a: a.mean(), out_shardings=NamedSharding(mesh, P()))(x)
assert {float(shard.data) for shard in mean.addressable_shards} == {float(mean)}
np.testing.assert_allclose(float(mean), whole.mean(), rtol=1e-6)

# One device calls the host with the whole array; within shard_map each does with its part.
shapes = []
sine = lambda v: (shapes.append(v.shape), np.sin(v))[1]
call = lambda a: jax.pure_callback(sine, jax.ShapeDtypeStruct(a.shape, a.dtype), a)
np.testing.assert_array_equal(np.asarray(jax.jit(call)(x)), np.sin(whole))
assert shapes == [(8, 8)]
parted = jax.jit(jax.shard_map(call, mesh=mesh, in_specs=P("d", "m"), out_specs=P("d", "m")))
np.testing.assert_array_equal(np.asarray(parted(x)), np.sin(whole))
assert shapes[1:] == [(2, 4)] * 8

# A product that stays in summands: what each device has, and the sum of two of them.
with jax.set_mesh(jax.make_mesh((4, 2), ("d", "m"), axis_types=(AxisType.Explicit,) * 2)):
    a, b = jax.device_put(whole, P("d", "m")), jax.device_put(whole, P("m", None))
    summands = P("d", None, unreduced={"m"})
    parts = jax.jit(lambda a, b: jnp.einsum("ij,jk->ik", a, b, out_sharding=summands))(a, b)
    assert parts.sharding.spec == summands and parts.shape == (8, 8)
    for device, columns in enumerate((slice(4), slice(4, 8))):
        shard = parts.addressable_shards[device].data
        np.testing.assert_allclose(np.asarray(shard), whole[:2, columns] @ whole[columns], rtol=1e-5)
    twice = jax.jit(lambda p: jax.sharding.reshard(p + p, P("d", None)))(parts)
    np.testing.assert_allclose(np.asarray(twice), 2 * (whole @ whole), rtol=1e-5)
print("done")
"""


def test_sharded_programs_run_on_eight_devices():
    environment = {**os.environ, "TPUC_DEVICES": "8", "JAX_PLATFORMS": "tpuc", "TPUC_MATMUL_PRECISION": "highest"}
    done = subprocess.run([sys.executable, "-c", SCRIPT], env=environment, capture_output=True, text=True)
    assert done.returncode == 0 and done.stdout.endswith("done\n"), done.stderr[-3000:]
