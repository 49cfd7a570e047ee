#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""default_precision.py MAKE TPUC NAME...: errors at default precision against f64, beside those of a reference whose
matmuls take bf16 inputs.

MAKE is a module of programs (REGISTRY: NAME -> build, which returns a function and its arguments) as makes folders for
`tpuc run`. The f64 values are those of the function's jaxpr with every float widened; the reference is the jaxpr as it
stands, f32 operands of matmuls and convolutions rounded to bf16. Prints a line an output, and fails where tpuc's error
is more than 1.5 times the reference's, and more than the rounding of an f32.
"""

import importlib.util
import pathlib
import subprocess
import sys
import tempfile

import jax
import jax.numpy as jnp
import numpy as np

jax.config.update("jax_enable_x64", True)
CALLS = ("jit", "pjit", "closed_call", "custom_jvp_call", "custom_vjp_call", "remat", "checkpoint")


def is_float(x):
    return jnp.issubdtype(jnp.result_type(x), jnp.floating)


class Wide:
    """Every float is f64."""

    def value(self, x):
        return jnp.asarray(x, jnp.float64) if is_float(x) else x

    def bind(self, eqn, operands):
        params = dict(eqn.params)
        for key in ("new_dtype", "preferred_element_type", "dtype"):
            if params.get(key) is not None and jnp.issubdtype(params[key], jnp.floating):
                params[key] = np.dtype(np.float64)
        return eqn.primitive.bind(*operands, **params)


class Bf16Dots:
    """The types as written; matmuls and convolutions take bf16 inputs."""

    def value(self, x):
        return x

    def bind(self, eqn, operands):
        if eqn.primitive.name in ("dot_general", "conv_general_dilated"):
            operands = [o.astype(jnp.bfloat16).astype(o.dtype) if o.dtype == jnp.float32 else o for o in operands]
        return eqn.primitive.bind(*operands, **eqn.params)


def evaluate(rules, jaxpr, consts, *values):
    env = dict(zip(jaxpr.constvars, map(rules.value, consts))) | dict(zip(jaxpr.invars, values))
    read = lambda v: rules.value(np.asarray(v.val, v.aval.dtype)) if hasattr(v, "val") else env[v]
    for eqn in jaxpr.eqns:
        operands = [read(v) for v in eqn.invars]
        inner = eqn.params.get("jaxpr") or eqn.params.get("call_jaxpr")
        if eqn.primitive.name in CALLS:
            inner = inner if hasattr(inner, "consts") else jax.extend.core.ClosedJaxpr(inner, ())
            out = evaluate(rules, inner.jaxpr, inner.consts, *operands)
        elif inner is not None or "body_jaxpr" in eqn.params or "branches" in eqn.params:
            raise NotImplementedError(eqn.primitive.name)
        else:
            out = rules.bind(eqn, operands)
        env.update(zip(eqn.outvars, out if eqn.primitive.multiple_results else [out]))
    return [read(v) for v in jaxpr.outvars]


def load(path):
    x = np.load(path)
    return x.view(jnp.bfloat16) if x.dtype.kind == "V" else x


def error(got, want):
    got, want = np.asarray(got, np.float64), np.asarray(want, np.float64)
    return float(np.abs(got - want).max() / max(np.abs(want).max(), 1e-300))


def main(make, tpuc, names):
    spec = importlib.util.spec_from_file_location("programs", make)
    programs = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(programs)
    failed = False
    for name in names:
        with jax.enable_x64(False):
            fn, args = programs.REGISTRY[name]["build"]()
            closed = jax.make_jaxpr(fn)(*args)
        leaves = jax.tree.leaves(args)
        wide = evaluate(Wide(), closed.jaxpr, closed.consts, *[Wide().value(x) for x in leaves])
        reference = evaluate(Bf16Dots(), closed.jaxpr, closed.consts, *leaves)
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            with jax.enable_x64(False):
                text = jax.jit(fn, keep_unused=True).trace(*args).lower(lowering_platforms=("tpu",)).as_text()
            (folder / "program.mlir").write_text(text)
            for k, x in enumerate(leaves):
                x = np.asarray(x)
                np.save(folder / f"input.{k}.npy", x.view("V2") if x.dtype == jnp.bfloat16 else x)
            subprocess.run([tpuc, "run", str(folder), "--save", str(folder / "out")], check=True, capture_output=True)
            results = [load(folder / f"out/output.{k}.npy") for k in range(len(reference))]
        for k, (got, ref, want) in enumerate(zip(results, reference, wide)):
            if not is_float(ref):
                continue
            mine, theirs = error(got, want), error(ref, want)
            ratio = mine / theirs if theirs else 0.0 if mine == 0 else np.inf
            failed |= ratio > 1.5 and mine > 2**-23
            print(f"{name:24} {k:3}  {mine:.2e}  reference {theirs:.2e}  ratio {ratio:.2f}", flush=True)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2], sys.argv[3:]))
