#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Partitioned programs against the same program on one device, both compiled by XLA for CPUs.

partition_check.py TPUC|TPUC-OPT PROGRAM.mlir|DIRECTORY [..]: partitions a global program, gives each of N CPU devices
its parts of random inputs (or a directory's), joins what they return, and compares it with what one device computes
without any sharding (or a directory's outputs). With tpuc, what runs is the portable artifact that it emits. Needs jax.
"""

import os
import re
import subprocess
import sys

DEVICES = int(os.environ.get("PARTITION_CHECK_DEVICES", "16"))
os.environ["XLA_FLAGS"] = f"--xla_force_host_platform_device_count={DEVICES} " + os.environ.get("XLA_FLAGS", "")
os.environ.setdefault("JAX_PLATFORMS", "cpu")

import jax  # noqa: E402
import numpy as np  # noqa: E402
from jax._src import compiler  # noqa: E402
from jax._src.interpreters import mlir as jax_mlir  # noqa: E402
from jax._src.lib import xla_client  # noqa: E402
from jaxlib.mlir import ir  # noqa: E402
from jaxlib.mlir.dialects import stablehlo  # noqa: E402

jax.config.update("jax_enable_x64", True)

PIPELINE = "--tpuc-inline-calls --tpuc-shard-stage=partial-sums=true --cse --tpuc-verify-shard".split()


class Refused(Exception):
    """The program is not partitioned."""


def partition(tool, text, pipeline=None):
    """One device's program as text."""
    emits = os.path.basename(tool) == "tpuc"
    command = ["compile", "--stop-after=shard", "--emit-artifact", "-o", "-"] if emits else pipeline or PIPELINE
    run = subprocess.run([tool, *command, "-"], input=text.encode(), capture_output=True)
    if run.returncode:
        raise Refused(run.stderr.decode())
    if not emits:
        return run.stdout.decode()
    with jax_mlir.make_ir_context() as context:
        return str(stablehlo.deserialize_portable_artifact(context, run.stdout))


def summands(text, rank, count):
    """Of each device which summand of its part it has, and how many there are; one where the part is whole."""
    if text is None or "unreduced" not in text:
        return np.zeros(count, int), 1
    which, tile = parse_sharding(text, rank + 1 + text.count("replicated"), count)
    return which[:, -1], tile[-1]


def parse_sharding(text, rank, count):
    """Of each device the index of its part in each dimension, and the number of parts of each dimension."""
    if text is None or "replicated}" == text.strip("{ "):
        return np.zeros((count, rank), int), [1] * rank
    match = re.match(r"\{devices=\[([\d,]*)\](?:<=\[([\d,]*)\](?:T\(([\d,]*)\))?|([\d,]*))", text)
    tile = [int(x) for x in match[1].split(",")]
    if match[2]:
        shape = [int(x) for x in match[2].split(",")]
        ids = np.arange(np.prod(shape)).reshape(shape)
        if match[3]:
            ids = ids.transpose([int(x) for x in match[3].split(",")])
    else:
        ids = np.array([int(x) for x in match[4].split(",")])
    ids = ids.reshape(tile)
    where = np.zeros((count, rank), int)
    for index, device in np.ndenumerate(ids):
        where[device] = index[:rank]
    return where, tile[:rank]


def dtype_of(element):
    names = {
        "i1": "bool",
        "bf16": "bfloat16",
        "f32": "float32",
        "f64": "float64",
        "f16": "float16",
    }
    names |= {"complex<f32>": "complex64", "complex<f64>": "complex128"}
    for bits in (8, 16, 32, 64):
        names |= {f"i{bits}": f"int{bits}", f"ui{bits}": f"uint{bits}"}
    return jax.numpy.dtype(names[element])


def type_of(text):
    *sizes, element = re.fullmatch(r"tensor<((?:\d+x)*)(.*)>", text).groups()
    return [int(x) for x in sizes[0].split("x") if x], dtype_of(element)


def signature(module):
    """(local type, global type, sharding) of each argument and each result."""
    main = next(op for op in module.body.operations if op.operation.name == "func.func")
    kind = ir.FunctionType(ir.TypeAttr(main.attributes["function_type"]).value)

    def entries(types, name):
        attributes = list(main.attributes[name]) if name in main.attributes else [None] * len(types)
        for local, own in zip(types, attributes):
            get = lambda key: own[key] if own is not None and key in own else None
            whole, sharding = get("tpuc.global_type"), get("tpuc.sharding")
            yield (
                str(local),
                str(whole) if whole else str(local),
                ir.StringAttr(sharding).value if sharding else None,
            )

    return list(entries(kind.inputs, "arg_attrs")), list(entries(kind.results, "res_attrs"))


def split(array, entry, count):
    local, _ = type_of(entry[0])
    where, _ = parse_sharding(entry[2], len(local), count)
    which, many = summands(entry[2], len(local), count)
    owner = np.arange(array.size).reshape(array.shape) % many  # each element whole in one summand, 0 in the others
    shares = [np.where(owner == i, array, np.zeros_like(array)) for i in range(many)]
    parts = []
    for device in range(count):
        start = [i * n for i, n in zip(where[device], local)]
        part = shares[which[device]][tuple(slice(s, s + n) for s, n in zip(start, local))]
        parts.append(np.pad(part, [(0, n - m) for n, m in zip(local, part.shape)]) if local else np.asarray(part))
    return parts


def join(parts, entry):
    local, dtype = type_of(entry[0])
    whole, _ = type_of(entry[1])
    where, tile = parse_sharding(entry[2], len(local), len(parts))
    which, many = summands(entry[2], len(local), len(parts))
    result = np.zeros([many] + [n * t for n, t in zip(local, tile)], dtype)
    seen = {}
    for device, part in enumerate(parts):
        key = (which[device], *where[device])
        if key in seen and not np.array_equal(seen[key].view(np.uint8), np.ascontiguousarray(part).view(np.uint8)):
            raise AssertionError(f"devices differ in the part {key} that both have")
        if key not in seen and part.ndim:
            seen[key] = np.ascontiguousarray(part)
        result[(key[0], *(slice(i * n, (i + 1) * n) for i, n in zip(key[1:], local)))] = part
    total = result.sum(axis=0, dtype=dtype) if many > 1 else result[0]
    return total[tuple(slice(0, n) for n in whole)]


def replicas_of(text, count):
    """The program with replicas in place of partitions: XLA runs those without a partitioner of its own."""
    text = re.sub(r"channel_handle = #stablehlo.channel_handle<[^>]*>(, )?", "", text)
    text = text.replace(", use_global_device_ids", "").replace("stablehlo.partition_id", "stablehlo.replica_id")
    text = re.sub(r"mhlo.num_partitions = \d+", "mhlo.num_partitions = 1", text)
    return re.sub(r"mhlo.num_replicas = \d+", f"mhlo.num_replicas = {count}", text)


def run_on(text, count, inputs):
    """What each of `count` devices returns; inputs[i] are the parts of argument i."""
    client, devices = jax.devices()[0].client, jax.devices()[:count]
    options = compiler.get_compile_options(count, 1, device_assignment=np.arange(count).reshape(count, 1))
    with jax_mlir.make_ir_context() as context:
        context.allow_unregistered_dialects = True
        module = ir.Module.parse(text)
        loaded = client.compile_and_load(module, xla_client.DeviceList(tuple(devices)), options, [])
    mesh = jax.sharding.Mesh(np.array(devices), "x")
    arrays = []
    for parts in inputs:
        shape = (count * parts[0].shape[0], *parts[0].shape[1:]) if parts[0].ndim else ()
        spec = jax.sharding.PartitionSpec("x") if parts[0].ndim else jax.sharding.PartitionSpec()
        put = [jax.device_put(part, device) for part, device in zip(parts, devices)]
        arrays.append(
            jax.make_array_from_single_device_arrays(
                shape, jax.sharding.NamedSharding(mesh, spec), put, dtype=parts[0].dtype
            )
        )
    results = loaded.execute_sharded(arrays).disassemble_into_single_device_arrays()
    return [[np.asarray(part) for part in result] for result in results]


def attribute_name(attribute):
    return attribute if isinstance(attribute, str) else attribute.name


def without_shardings(text):
    """The global program for one device."""
    with jax_mlir.make_ir_context():
        module = ir.Module.parse(text)

        def clean(op):
            for name in [name for name in map(attribute_name, op.attributes) if name.startswith("sdy.")]:
                del op.attributes[name]
            for name in ("arg_attrs", "res_attrs"):
                if name in op.attributes:
                    del op.attributes[name]
            return ir.WalkResult.ADVANCE

        module.operation.walk(clean)
        for name in ("sdy.sharding_constraint", "sdy.reshard"):
            found = []
            module.operation.walk(
                lambda op: (found.append(op), ir.WalkResult.ADVANCE)[1] if op.name == name else ir.WalkResult.ADVANCE
            )
            for op in found:
                op.results[0].replace_all_uses_with(op.operands[0])
                op.erase()
        for op in list(module.body.operations):
            if op.operation.name == "sdy.mesh":
                op.operation.erase()
        for name in ("mhlo.num_partitions", "mhlo.num_replicas"):
            if name in module.operation.attributes:
                del module.operation.attributes[name]
        return str(module)


def random_inputs(entries, rng):
    inputs = []
    for _, whole, _ in entries:
        shape, dtype = type_of(whole)
        if dtype == bool:
            inputs.append(rng.random(shape) < 0.5)
        elif dtype.kind in "iu":
            inputs.append(rng.integers(0, 8, shape).astype(dtype))
        elif dtype.kind == "c":
            inputs.append((rng.standard_normal(shape) + 1j * rng.standard_normal(shape)).astype(dtype))
        else:
            inputs.append(rng.standard_normal(shape).astype(np.float64).astype(dtype))
    return [np.asarray(x) for x in inputs]


def difference(got, want):
    """The largest difference relative to the largest magnitude; 0 for equal ones, infinite for other NaNs."""
    if got.shape != want.shape or got.dtype != want.dtype:
        return float("inf")
    if got.dtype.kind in "iub" or got.size == 0:
        return 0.0 if np.array_equal(got, want) else float("inf")
    wide = np.complex128 if got.dtype.kind == "c" else np.float64
    a, b = got.astype(wide), want.astype(wide)
    same = (a == b) | (np.isnan(a) & np.isnan(b))
    if same.all():
        return 0.0
    if not (np.isfinite(a) | same).all() or not (np.isfinite(b) | same).all():
        return float("inf")
    return float(np.abs(a - b)[~same].max() / max(np.abs(b[np.isfinite(b)]).max(initial=0), 1e-30))


def check(tool, text, rng, inputs=None, pipeline=None, reference=None):
    """The largest difference of an output; raises where the program is refused or does not run."""
    local = partition(tool, text, pipeline)
    with jax_mlir.make_ir_context() as context:
        context.allow_unregistered_dialects = True
        module = ir.Module.parse(local)
        arguments, results = signature(module)
        count = ir.IntegerAttr(module.operation.attributes["mhlo.num_partitions"]).value
    if inputs is None:
        inputs = random_inputs(arguments, rng)
    parts = [split(x, entry, count) for x, entry in zip(inputs, arguments)]
    outputs = run_on(replicas_of(local, count), count, parts)
    if reference is None:
        reference = [r[0] for r in run_on(without_shardings(text), 1, [[x] for x in inputs])]
    worst = 0.0
    for entry, shards, want in zip(results, outputs, reference):
        worst = max(worst, difference(join(shards, entry), want))
    return worst


def load_folder(path):
    """A program with its inputs and what XLA computed from them."""
    with open(os.path.join(path, "program.mlir")) as file:
        text = file.read()
    names = sorted(
        os.listdir(path),
        key=lambda name: [int(x) for x in re.findall(r"\d+", name)] or [0],
    )
    arrays = {
        kind: [np.load(os.path.join(path, n)) for n in names if n.startswith(kind)] for kind in ("input", "output")
    }
    return text, arrays["input"], arrays["output"]


def main():
    worst = 0
    for path in sys.argv[2:]:
        text, inputs, outputs = load_folder(path) if os.path.isdir(path) else (open(path).read(), None, None)
        error = check(
            sys.argv[1],
            text,
            np.random.default_rng(0),
            inputs=inputs,
            reference=outputs,
        )
        print(f"{path}: {error:.2e}")
        worst = max(worst, error)
    sys.exit(worst > 2e-5)


if __name__ == "__main__":
    main()
