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


# Programs that a client of PJRT may hand over though they are broken: each is an error that says what and where.
BROKEN = """
import jax, numpy as np
from jax._src import compiler
from jax._src.interpreters import mlir
from jax._src.lib import xla_client
from jaxlib.mlir import ir

client, F = jax.devices()[0].client, "tensor<8xf32>"

def load(text, devices=range(4)):
    options = compiler.get_compile_options(1, 4, device_assignment=np.array([list(devices)]))
    listed = xla_client.DeviceList(tuple(jax.devices()[:4]))
    with mlir.make_ir_context() as context:
        context.allow_unregistered_dialects = True
        return client.compile_and_load(ir.Module.parse(text), listed, options, [])

def refused(message, *arguments):
    try:
        load(*arguments)
    except jax.errors.JaxRuntimeError as error:
        assert message in str(error), (message, str(error))
    else:
        raise AssertionError(f"expects an error that says '{message}'")

def module(ops, argument=f"%x: {F}", mesh="", value="%0"):
    return (f"module attributes {{mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32}} {{{mesh}\\n"
            f"  func.func public @main({argument}) -> {F} {{\\n    {ops}\\n    return {value} : {F}\\n  }}\\n}}")

ADD, CHANNEL = f"%0 = stablehlo.add %x, %x : {F}", "channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>"
SHARDED = f'%x: {F} {{sdy.sharding = #sdy.sharding<@mesh, [{{"x"}}]>}}'
four, six = ('\\n  sdy.mesh @mesh = <["x"=%d]>' % n for n in (4, 6))
permute = '%0 = "stablehlo.collective_permute"(%x) <{{' + CHANNEL + ", source_target_pairs = dense<{}> : " + \
    "tensor<{}x2xi64>}}> : (" + F + ") -> " + F
reduce = '%0 = "stablehlo.all_reduce"(%x) <{{' + CHANNEL + ", replica_groups = dense<{}> : tensor<{}xi64>, " + \
    "use_global_device_ids}}> ({{\\n    ^bb0(%a: tensor<f32>, %b: tensor<f32>):\\n      " + \
    "%s = stablehlo.add %a, %b : tensor<f32>\\n      stablehlo.return %s : tensor<f32>\\n    }}) : (" + F + ") -> " + F

refused("names device 1 twice", module(ADD), [0, 1, 1, 2])
refused("9", module(ADD), [0, 1, 2, 9])
refused("4 devices", module(ADD, SHARDED, six))
refused("got 7", module(permute.format("[[0, 7]]", 1)))
refused("TPUC-COLLECTIVE", module(reduce.format("[[0, 1, 2, 3, 4, 5, 6, 7]]", "1x8")))
refused("TPUC-COLLECTIVE", module(reduce.format("[[0, 1, 2]]", "1x3")))
refused("of GSPMD", module(ADD, SHARDED + f', %y: {F} {{mhlo.sharding = "{{devices=[4]<=[4]}}"}}', four))
refused("9", module(ADD, SHARDED, four + "\\n  sdy.mesh @one = <[], device_ids=[9]>"))
refused("devices=[3", module(ADD, f'%x: {F} {{mhlo.sharding = "{{devices=[3]<=[3]}}"}}'))
refused("nonsense", module(ADD, f'%x: {F} {{mhlo.sharding = "nonsense"}}'))

# Chips that wait for one another: the run's error has each one's wait.
apart = load(module(
    "%p = stablehlo.partition_id : tensor<ui32>\\n    %i = stablehlo.convert %p : (tensor<ui32>) -> tensor<i32>\\n"
    f'    %1 = "stablehlo.case"(%i) ({{ stablehlo.return %x : {F} }}, {{\\n      '
    f'{reduce.format("[[0, 1, 2, 3]]", "1x4")}'
    f"\\n      stablehlo.return %0 : {F} }}) : (tensor<i32>) -> {F}", value="%1"))
mesh = jax.sharding.Mesh(np.array(jax.devices()[:4]), "x")
x = jax.device_put(np.ones((8,), np.float32), jax.sharding.NamedSharding(mesh, jax.sharding.PartitionSpec()))
try:
    np.asarray(apart.execute_sharded([x]).disassemble_into_single_device_arrays()[0][0])
except Exception as error:
    assert "chip 1 waits in all_reduce" in str(error), error
else:
    raise AssertionError("expects a deadlock")
print("done")
"""


def run(script):
    environment = {**os.environ, "TPUC_DEVICES": "8", "JAX_PLATFORMS": "tpuc", "TPUC_MATMUL_PRECISION": "highest"}
    done = subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True, text=True)
    assert done.returncode == 0 and done.stdout.endswith("done\n"), done.stderr[-3000:]


def test_sharded_programs_run_on_eight_devices():
    run(SCRIPT)


def test_broken_programs_for_devices_are_errors():
    run(BROKEN)
