#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes the artifacts beside it: pip install jax==0.10.2 && ./make.py"""

import os
import pathlib

os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=4"
import jax, jax.numpy as jnp
from jax import export, lax
from jax._src.interpreters import mlir
from jax.sharding import AxisType, NamedSharding, PartitionSpec as P
from jaxlib.mlir import ir
from jaxlib.mlir.dialects import stablehlo

HERE = pathlib.Path(__file__).parent
VERSIONS = ("0.9.0", "0.12.0", "0.14.0", "1.0.0", "1.17.0")  # each of another bytecode, or of other ops


def program(x, w, i):
    y = jnp.dot(x, w)
    y = jnp.where(y > 0, y, jnp.float32(0.5) * y)
    mask = jnp.array([[True, False, True], [False, False, True]])
    z = lax.reduce_window(y, -jnp.inf, lax.max, (1, 2), (1, 1), ((0, 0), (1, 0)))
    taken = jnp.take(y, i, axis=1)
    return jnp.exp(z) * mask, jnp.sum(taken, 0), lax.fori_loop(0, 3, lambda k, c: c + k, i[0])


def sharded(x, w):
    """A constraint, and a body that runs on each device with a collective of its own."""
    y = lax.with_sharding_constraint(x @ w, NamedSharding(mesh, P("x", None)))
    return jax.shard_map(lambda a: lax.psum(a, "x"), mesh=mesh, in_specs=P("x"), out_specs=P())(y)


args = (jnp.zeros((2, 4)), jnp.zeros((4, 3)), jnp.zeros((2,), jnp.int32))
function = jax.jit(program)
(HERE / "program.jax").write_bytes(export.export(function, platforms=["tpu"])(*args).serialize())
text = function.trace(*args).lower(lowering_platforms=("tpu",)).as_text()
with mlir.make_ir_context():
    # The dialects' own bytecode, which TensorFlow hands out.
    with open(HERE / "stablehlo_ops.bc", "wb") as file:
        ir.Module.parse((HERE / "stablehlo_ops.mlir").read_text()).operation.write_bytecode(file)
    for version in VERSIONS:
        (HERE / f"program.{version}.bc").write_bytes(stablehlo.serialize_portable_artifact_str(text, version))

mesh = jax.make_mesh((2, 2), ("x", "y"), axis_types=(AxisType.Auto,) * 2)
places = NamedSharding(mesh, P("x", "y")), NamedSharding(mesh, P("y", None))
export_sharded = export.export(jax.jit(sharded, in_shardings=places), platforms=["tpu"])
(HERE / "sharded.jax").write_bytes(export_sharded(jnp.zeros((4, 8)), jnp.zeros((8, 2))).serialize())

# As an ordinary host lowers it: a call of LAPACK with a sharding rule.
(HERE / "lapack.jax").write_bytes(
    export.export(jax.jit(jnp.linalg.cholesky), platforms=["cpu"])(jnp.zeros((3, 3))).serialize()
)
