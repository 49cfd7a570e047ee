#!/usr/bin/env python3
"""Random modules on tpuc and on XLA:CPU: compare_xla.py TPUC FIRST COUNT [DIR] (pip install jax==0.10.2; not part of the tests).

Each seed's module runs under XLA twice, as it is and with its floats in f64. A float result of tpuc may be off from the f64
one by sixteen times as much as XLA's own, and by some units of its type's precision; all others are XLA's. Prints the seeds
that differ, are refused or end the process, and leaves their folders.
"""
import json
import os
import re
import shutil
import subprocess
import sys

os.environ.setdefault("JAX_ENABLE_X64", "1")
os.environ["JAX_PLATFORMS"] = "cpu"
# XLA:CPU's fusions update an array in place while they still read a slice of it, and without them its simplified transposes
# followed by reshapes are wrong: numbers of ops as they are written.
os.environ["XLA_FLAGS"] = os.environ.get("XLA_FLAGS", "") + " --xla_disable_hlo_passes=fusion,algsimp,simplify-while-loops --xla_backend_optimization_level=0"

import jax
import ml_dtypes
import numpy as np
from jax._src import compiler, xla_bridge

import modules
from builder import INFINITY, SIGN

DOUBLES = {np.dtype(np.float32): np.float64, np.dtype(ml_dtypes.bfloat16): np.float64, np.dtype(np.float16): np.float64, np.dtype(np.float64): np.float64,
           np.dtype(np.complex64): np.complex128}


def run(text, arrays):
    backend, devices = xla_bridge.get_backend("cpu"), jax.devices("cpu")[:1]
    options = compiler.get_compile_options(num_replicas=1, num_partitions=1)
    executable = backend.compile_and_load(text, devices, options)
    buffers = [jax.device_put(a, devices[0]) for a in arrays]
    return [np.asarray(r) for r in executable.execute(buffers)]


def in_double(text):
    """The module with its floats in f64, and conversions between what were two types of float gone."""
    for element, infinity in INFINITY.items():
        for sign in (0, SIGN[element]):
            text = text.replace(f"0x{infinity | sign:X}>", f"0x{INFINITY['f64'] | (SIGN['f64'] if sign else 0):X}>")
    text = re.sub(r"\b(f32|bf16|f16)\b", "f64", text)
    text = re.sub(r"(?<=[x<])(f32|bf16|f16)(?=>)", "f64", text)
    return re.sub(r"(epsilon = \S+ : )f64", r"\1f32", text)


def load(path):
    array = np.load(path)
    return array.view(ml_dtypes.bfloat16) if array.dtype == np.dtype("V2") else array


def worst(got, want):
    wide = DOUBLES[got.dtype]
    return float(np.max(np.abs(got.astype(wide) - want.astype(wide)), initial=0))


def write_expectations(seed, folder):
    text = (folder / "program.mlir").read_text()
    arrays = [load(folder / f"input.{i}.npy") for i in range(len(modules.generate(seed)[1]))]
    plain = run(text, arrays)
    exact = run(in_double(text), [a.astype(DOUBLES.get(a.dtype, a.dtype)) for a in arrays])
    tolerance = 0.0
    for i, (result, reference) in enumerate(zip(plain, exact)):
        if result.dtype in DOUBLES:
            scale = float(np.max(np.abs(reference[np.isfinite(reference)]), initial=0)) or 1.0
            units = 2.0**-7 if "bf16" in text else 2.0**-10 if "f16" in text else 2.0**-20
            own = worst(result, reference) / scale
            tolerance = max(tolerance, 16 * own + units if np.isfinite(own) else units)
            result = reference.astype(result.dtype)
        np.save(folder / f"output.{i}.npy", result)
    (folder / "info.json").write_text(json.dumps({"tolerance": tolerance}))


def report(tpuc, folders):
    """The folders of a batch that fail, by themselves."""
    failed = []
    for folder in folders:
        done = subprocess.run([tpuc, "run", str(folder), "--jobs=1", "--matmul-precision=highest"], capture_output=True, text=True, timeout=300)
        if done.returncode:
            lines = [line for line in (done.stderr + done.stdout).splitlines() if "error" in line or "differ" in line]
            print(f"seed {folder.name}: exit {done.returncode}: {(lines or [''])[0][:240]}", flush=True)
            failed.append(folder)
        else:
            shutil.rmtree(folder)
    return failed


def main(tpuc, first, count, root="modules"):
    failed, batch = 0, []
    for seed in range(first, first + count):
        folder = modules.write(seed, root)
        try:
            write_expectations(seed, folder)
            batch.append(folder)
        except jax.errors.JaxRuntimeError as error:
            print(f"seed {seed}: XLA refuses it: {str(error)[:240]}", flush=True)
        if len(batch) == 20 or batch and seed == first + count - 1:
            done = subprocess.run([tpuc, "run", "--jobs=1", "--matmul-precision=highest"] + [str(f) for f in batch], capture_output=True, timeout=1200)
            if done.returncode:
                failed += len(report(tpuc, batch))
            else:
                for f in batch:
                    shutil.rmtree(f)
            batch = []
    print(f"{failed} of {count} modules failed, from seed {first} on")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), *sys.argv[4:]))
