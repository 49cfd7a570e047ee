#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random modules on tpuc and on XLA:CPU: compare_xla.py TPUC FIRST COUNT [DIR] (pip install jax==0.10.2; not part of
the tests).

tpuc runs each seed's module with fusion and without, XLA as it is and with its floats in f64. Integers and booleans are
XLA's. A float result may be off from the f64 one by what the ops on the way to it explain: the module runs in f64 with
each op's rounding as a factor of its result, or of what it sums, of several seeds (builder.py), and a result may be off
by some times the largest difference that this makes (Parker, Monte Carlo arithmetic, 1997). Prints the seeds that
differ, are refused or end the process, and leaves their folders."""

import os
import pathlib
import re
import shutil
import subprocess
import sys

os.environ.setdefault("JAX_ENABLE_X64", "1")
os.environ["JAX_PLATFORMS"] = "cpu"
# XLA:CPU's fusions update an array in place while they still read a slice of it, and without them its simplified
# transposes followed by reshapes are wrong; it splits large reductions into parts that each start from the initial
# value: numbers of ops as they are written.
os.environ["XLA_FLAGS"] = (
    os.environ.get("XLA_FLAGS", "")
    + " --xla_disable_hlo_passes=fusion,algsimp,simplify-while-loops,tree_reduction_rewriter "
    "--xla_backend_optimization_level=0"
)

import jax
import ml_dtypes
import numpy as np
from jax._src import compiler, xla_bridge

import modules
from builder import INFINITY, ROUNDING, SIGN

DOUBLES = {
    np.dtype(np.float32): np.float64,
    np.dtype(ml_dtypes.bfloat16): np.float64,
    np.dtype(np.float16): np.float64,
    np.dtype(np.float64): np.float64,
    np.dtype(np.complex64): np.complex128,
}
FACTOR = 16.0  # how many times the largest difference of some samples
FEW, MANY = 3, 24  # samples; many before a module counts as different
SMALLEST = {"f32": 2.0**-126, "bf16": 2.0**-126, "f16": 2.0**-14, "f64": 2.0**-1022, "complex<f32>": 2.0**-126}


class Program:
    """XLA's executable of a text."""

    def __init__(self, text):
        backend, self.devices = xla_bridge.get_backend("cpu"), jax.devices("cpu")[:1]
        options = compiler.get_compile_options(num_replicas=1, num_partitions=1)
        self.executable = backend.compile_and_load(text, self.devices, options)

    def __call__(self, arrays):
        return [np.asarray(r) for r in self.executable.execute([jax.device_put(a, self.devices[0]) for a in arrays])]


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
    """The largest difference; infinite where one side is not finite, or no float, and the other is not the same."""
    if got.dtype not in DOUBLES:
        return 0.0 if np.array_equal(got, want) else np.inf
    wide = DOUBLES[got.dtype]
    a, b = got.astype(wide), want.astype(wide)
    same = (a == b) | (np.isnan(a) & np.isnan(b))
    with np.errstate(invalid="ignore"):
        apart = np.where(same, 0.0, np.abs(a - b))
    return float(np.max(np.where(np.isfinite(apart), apart, np.inf), initial=0))


class Reference:
    """What XLA says of a seed's module."""

    def __init__(self, seed, folder):
        _, arguments, self.results = modules.generate(seed)
        arrays = [load(folder / f"input.{i}.npy") for i in range(len(arguments))]
        self.plain = Program(modules.generate(seed, apart=True)[0])(arrays)
        self.program = Program(in_double(modules.generate(seed, apart=True, noise=True)[0]))
        self.arrays = [a.astype(DOUBLES.get(a.dtype, a.dtype)) for a in arrays]
        self.exact = self.noisy(0.0, 0.0)
        self.spread, self.samples = [0.0] * len(self.exact), 0
        self.sample(FEW)

    def noisy(self, amount, seed):
        return self.program(self.arrays + [np.float64(amount), np.float64(seed)])

    def sample(self, count):
        for _ in range(count):
            self.samples += 1
            for i, (made, exact) in enumerate(zip(self.noisy(1.0, float(self.samples)), self.exact)):
                if self.results[i].element in ROUNDING:
                    self.spread[i] = max(self.spread[i], worst(made, exact))

    def allowed(self, i):
        element, exact = self.results[i].element, np.abs(self.exact[i])
        if not self.results[i].ways:
            return 0.0
        scale = float(np.max(exact[np.isfinite(exact)], initial=0))
        return FACTOR * self.spread[i] + ROUNDING[element] * scale + SMALLEST[element]

    def wanted(self, i):
        return self.exact[i] if self.results[i].element in ROUNDING else self.plain[i]

    def problems(self, outputs):
        found = []
        for i, got in enumerate(outputs):
            want, most = self.wanted(i), self.allowed(i) if self.results[i].element in ROUNDING else 0.0
            off = worst(got, want)
            if off > most and self.samples < MANY:
                self.sample(MANY)
                return self.problems(outputs)
            if off > most:
                found.append(f"output {i} of {self.results[i].type} is off by {off:.3g}, allowed is {most:.3g}")
        return found


def run(tpuc, folder, name, count, *flags):
    """The outputs, or what tpuc says."""
    inputs = [f"--input={folder}/input.{i}.npy" for i in range(count)]
    command = [
        tpuc,
        "run",
        f"{folder}/program.mlir",
        *inputs,
        *flags,
        "--matmul-precision=highest",
        f"--save={folder}/{name}",
    ]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=600)
    except subprocess.TimeoutExpired:
        return "no end within 600 s"
    if done.returncode:
        lines = [line for line in (done.stderr + done.stdout).splitlines() if "error" in line or "ssert" in line]
        return f"exit {done.returncode}: {(lines or [''])[0][:240]}"
    return [
        load(pathlib.Path(folder, name, f"output.{i}.npy"))
        for i in range(len(list(pathlib.Path(folder, name).iterdir())))
    ]


def compare(tpuc, seed, root):
    """What is wrong with the seed's module, a line each."""
    folder = modules.write(seed, root)
    try:
        reference = Reference(seed, folder)
    except jax.errors.JaxRuntimeError as error:
        shutil.rmtree(folder)
        return [f"XLA refuses it: {str(error)[:240]}"], 0
    found, count = [], len(reference.arrays)
    for name, flags in (("fused", ()), ("plain", ("--no-fuse",))):
        made = run(tpuc, folder, name, count, *flags)
        # Each product of a convolution of integers is an array of its own then.
        if flags and isinstance(made, str) and "TPUC-FIT-001" in made:
            print(f"seed {seed}: without fusion its arrays do not fit", flush=True)
            continue
        found += [f"{name}: {p}" for p in ([made] if isinstance(made, str) else reference.problems(made))]
    own = [f"XLA's own: {p}" for p in reference.problems(reference.plain)]
    if not found:
        shutil.rmtree(folder)
    return found + own, len(found)


def main(tpuc, first, count, root="modules"):
    failed = 0
    for seed in range(first, first + count):
        lines, bad = compare(tpuc, seed, root)
        failed += bad > 0
        for line in lines:
            print(f"seed {seed}: {line}", flush=True)
        if (seed - first) % 100 == 99:
            print(f"{seed + 1 - first} modules, {failed} failed", flush=True)
    print(f"{failed} of {count} modules failed, from seed {first} on")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), *sys.argv[4:]))
