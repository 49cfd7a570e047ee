#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Export JAX programs as folders that `tpuc run` takes: the programs of test/execute and larger ones.

    pip install jax && examples/make.py --out DIR [NAME...]      all of them, or the named ones
    examples/make.py --out DIR --scale 8 mlp block_bf16          the same with sizes eight times as large

A folder holds program.mlir (StableHLO as JAX prints it), input.K.npy, output.K.npy (what XLA computed on the CPU; bf16
as its raw two bytes) and info.json:
  tolerance        largest error of an output relative to its largest magnitude, for --matmul-precision=highest
  bf16_dots_error  such an error of each output when XLA's matmuls and convolutions take inputs rounded to bf16: what
                   the default precision should come near to; absent where that is not known
"""

import argparse
import json
import os
import pathlib

os.environ.setdefault("JAX_PLATFORMS", "cpu")
import jax
import jax.numpy as jnp
import numpy as np
from programs import PROGRAMS

jax.config.update("jax_hlo_source_file_canonicalization_regex", ".*/")  # locations say models.py, not where it lies


# ---- the reference at default precision ------------------------------------------------------------------------------
def with_bf16_dots(fn, *args):
    """Evaluates fn with the f32 operands of matmuls and convolutions rounded to bf16, as a TPU's default precision
    does."""

    def evaluate(jaxpr, consts, *values):
        env = dict(zip(jaxpr.constvars, consts)) | dict(zip(jaxpr.invars, values))
        read = lambda v: v.val if hasattr(v, "val") else env[v]
        for eqn in jaxpr.eqns:
            operands = [read(v) for v in eqn.invars]
            name = eqn.primitive.name
            inner = eqn.params.get("jaxpr") or eqn.params.get("call_jaxpr")
            if name in ("dot_general", "ragged_dot_general", "conv_general_dilated"):
                operands = [o.astype(jnp.bfloat16).astype(o.dtype) if o.dtype == jnp.float32 else o for o in operands]
                out = eqn.primitive.bind(*operands, **eqn.params)
            elif name in ("jit", "pjit", "closed_call", "custom_jvp_call", "custom_vjp_call"):
                out = evaluate(inner.jaxpr, inner.consts, *operands)
            elif inner is not None or "body_jaxpr" in eqn.params or "branches" in eqn.params:
                raise NotImplementedError(name)
            else:
                out = eqn.primitive.bind(*operands, **eqn.params)
            for v, o in zip(eqn.outvars, out if eqn.primitive.multiple_results else [out]):
                env[v] = o
        return [read(v) for v in jaxpr.outvars]

    closed = jax.make_jaxpr(fn)(*args)
    return evaluate(closed.jaxpr, closed.consts, *jax.tree.leaves(args))


def relative_error(got, want):
    kind = np.complex128 if np.iscomplexobj(want) else np.float64
    got, want = np.asarray(got, kind), np.asarray(want, kind)
    return float(np.abs(got - want).max() / max(np.abs(want).max(), 1e-300)) if want.size else 0.0


# ---- writing a folder ------------------------------------------------------------------------------------------------
def save(path, x):
    x = np.asarray(x)
    np.save(path, x.view("V2") if x.dtype == jnp.bfloat16 else x)


def make(name, out, scale):
    program = PROGRAMS[name]
    fn, args = program.build(scale)
    folder = pathlib.Path(out) / name
    folder.mkdir(parents=True, exist_ok=True)
    jitted = jax.jit(fn, keep_unused=True)
    given = jax.jit(fn, keep_unused=True, donate_argnums=program.donated)
    (folder / "program.mlir").write_text(given.trace(*args).lower(lowering_platforms=("tpu",)).as_text(debug_info=True))
    inputs, outputs = jax.tree.leaves(args), jax.tree.leaves(jitted(*args))
    info = dict(tolerance=program.tolerance)
    try:
        info["bf16_dots_error"] = [relative_error(a, b) for a, b in zip(with_bf16_dots(fn, *args), outputs)]
    except NotImplementedError:
        pass
    for prefix, arrays in (("input", inputs), ("output", outputs)):
        for k, x in enumerate(arrays):
            save(folder / f"{prefix}.{k}.npy", x)
        info[prefix + "s"] = [str(jnp.asarray(x).dtype) + str(list(x.shape)) for x in arrays]
    (folder / "info.json").write_text(json.dumps(info, indent=1) + "\n")
    print(
        f"{name:16} {len(inputs):3} in {len(outputs):3} out {sum(f.stat().st_size for f in folder.iterdir()) / 1e6:8.2f} MB"
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", default=".")
    parser.add_argument("--scale", type=int, default=1)
    parser.add_argument("names", nargs="*", help=", ".join(PROGRAMS))
    a = parser.parse_args()
    for name in a.names or PROGRAMS:
        with jax.enable_x64(PROGRAMS[name].wide):
            make(name, a.out, a.scale)


if __name__ == "__main__":
    main()
