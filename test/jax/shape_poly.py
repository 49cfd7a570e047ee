#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The harnesses of JAX's shape_poly_test, exported with symbolic sizes and run: how many give what the static function
gives on the CPU.

    pip install jax==0.10.2 absl-py scipy
    git clone --depth=1 --branch=jax-v0.10.2 https://github.com/jax-ml/jax DIR/jax
    test/jax/shape_poly.py build/compiler/tools/tpuc DIR/jax/tests OUT
    ... --only=conv     harnesses whose name has it
    ... --every=10      one of so many
    ... --buckets       besides, as one bucket of all sizes up to the arguments' and one more
    ... --again         what was not equal last time

Exports are for the platform tpu. Left out are harnesses that expect an error, and those that the test itself skips on
TPUs. The tolerance is the harness's, else JAX's own for the type on a CPU. Where the CPU's numbers are others (singular
vectors have any sign, factorisations other roundings) the static function, exported without symbols, has to give the
same on tpuc. OUT/results.jsonl has a line for each harness; OUT keeps the programs that are not equal."""

import argparse
import collections
import json
import os
import pathlib
import shutil
import subprocess
import sys

os.environ["JAX_PLATFORMS"] = "cpu"

import jax
import jax.numpy as jnp
import numpy as np
from jax import export
from jax._src import test_util as jtu

# As in ShapePolyHarnessesTest.test_harness.
SKIPPED_GROUPS = ("schur", "eig", "vmap_eigh", "vmap_tan", "vmap_conv_general_dilated")


def flags():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tpuc")
    parser.add_argument("tests", type=pathlib.Path)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--only", default="")
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--offset", type=int, default=0)
    parser.add_argument("--buckets", action="store_true")
    parser.add_argument("--again", action="store_true")
    return parser.parse_args()


def flat(harnesses):
    for h in harnesses:
        if isinstance(h, (list, tuple)):
            yield from flat(h)
        else:
            yield h


def is_skipped(h):
    lengths = "fft_fft_type" in h.fullname and "nr_fft_lengths_2" in h.fullname
    whole = h.group_name in ("eigh", "svd") and not h.polymorphic_shapes[0].endswith("...")
    return h.expect_error is not None or not h.check_result or h.group_name in SKIPPED_GROUPS or lengths or whole


def run(*command):
    try:
        done = subprocess.run([str(c) for c in command], capture_output=True, text=True, timeout=120)
    except subprocess.TimeoutExpired:
        return 1, "takes more than two minutes"
    return done.returncode, done.stdout + done.stderr


def exported(h, args, static=False):
    specs = (
        args if static else export.symbolic_args_specs(args, h.polymorphic_shapes, constraints=h.symbolic_constraints)
    )
    made = export.export(jax.jit(h.dyn_fun), platforms=["tpu"])(*specs)
    leaves = jax.tree.leaves(args)
    return made.mlir_module(), [leaves[i] for i in made.module_kept_var_idx], specs


def bucket_flags(specs, args):
    """A symbol's sizes: from 1, or as many as it has, to one more."""
    flags = []
    for spec, arg in zip(jax.tree.leaves(specs), jax.tree.leaves(args)):
        for dim, size in zip(spec.shape, arg.shape):
            if not isinstance(dim, int) and str(dim).isidentifier():
                flags.append(f"--bucket={dim}={max(1, size - 1)}..{size + 1}")
    return sorted(set(flags))


def tolerance_of(h, dtype):
    if h.tol is not None:
        return h.tol
    most = h.limitations and h.limitations[0].get_max_tolerance_limitation(h.limitations)
    return most.tol if most and most.tol is not None else jtu.tolerance(dtype)


def loaded(folder, k):
    array = np.load(folder / f"output.{k}.npy")
    return array.view(jnp.bfloat16) if array.dtype.kind == "V" else array


def differences(h, want, folder):
    for k, w in enumerate(jax.tree.leaves(want)):
        if jax.dtypes.issubdtype(w.dtype, jax.dtypes.prng_key):
            w = jax.random.key_data(w)
        w, g = np.asarray(w), loaded(folder, k)
        if g.shape != w.shape or g.dtype != w.dtype:
            yield f"output {k} is {g.dtype}{list(g.shape)}, expected {w.dtype}{list(w.shape)}"
            continue
        try:
            tol = tolerance_of(h, w.dtype)
            jtu._assert_numpy_allclose(g, w, atol=tol, rtol=tol)
        except AssertionError as error:
            yield f"output {k}: " + " ".join(str(error).split())[:200]


def try_harness(h, options, folder):
    """ "equal", or a cause and what was said."""
    try:
        with jtu.thread_local_config_context(**h.override_jax_config_flags):
            args = jax.tree.map(jnp.array, h.dyn_args_maker(np.random.RandomState(0)))
            text, kept, specs = exported(h, args)
            want = jax.jit(h.dyn_fun)(*args)
    except Exception as error:
        return "no export", f"{type(error).__name__}: {error}"[:300]
    folder.mkdir(parents=True)
    (folder / "program.mlir").write_text(text)
    data = folder / "data"
    data.mkdir()
    for k, x in enumerate(kept):
        if jax.dtypes.issubdtype(x.dtype, jax.dtypes.prng_key):
            x = jax.random.key_data(x)
        x = np.asarray(x)
        np.save(data / f"input.{k}.npy", x)
    precision = "--matmul-precision=highest"
    code, said = run(options.tpuc, "run", folder / "program.mlir", "--data", data, "--save", data / "out", precision)
    if code:
        return "refused" if code in (3, 4, 5) else "fails", said
    wrong = list(differences(h, want, data / "out"))
    if wrong:
        return try_static(h, options, folder, args, len(jax.tree.leaves(want)), "; ".join(wrong))
    return try_buckets(h, options, folder, specs, args, want) if options.buckets else ("equal", "")


def try_static(h, options, folder, args, count, wrong):
    """The function exported at these very shapes."""
    with jtu.thread_local_config_context(**h.override_jax_config_flags):
        text, _, _ = exported(h, args, static=True)
    (folder / "static.mlir").write_text(text)
    data, precision = folder / "data", "--matmul-precision=highest"
    code, said = run(options.tpuc, "run", folder / "static.mlir", "--data", data, "--save", data / "static", precision)
    if code:
        return "differs", f"{wrong}; static: {said}"
    other = list(differences(h, [loaded(data / "static", k) for k in range(count)], data / "out"))
    return ("differs", f"{wrong}; static: {'; '.join(other)}") if other else ("equal to the static program", wrong)


def try_buckets(h, options, folder, specs, args, want):
    exe, data, buckets = folder / "all.tpuc", folder / "data", bucket_flags(specs, args)
    precision = "--matmul-precision=highest"
    code, said = run(options.tpuc, "compile", folder / "program.mlir", "-o", exe, precision, *buckets)
    if code or "remark:" in said:
        return "equal, not in buckets", said
    code, said = run(options.tpuc, "run", exe, "--data", data, "--save", data / "bucket", "--check")
    wrong = [said] if code else list(differences(h, want, data / "bucket"))
    return ("equal, not in buckets" if code == 2 else "buckets differ", "; ".join(wrong)) if wrong else ("equal", "")


def summary(results):
    counts = collections.Counter(r["outcome"] for r in results)
    good = sum(n for outcome, n in counts.items() if outcome.startswith("equal"))
    for outcome, number in counts.most_common():
        print(f"{number:5} {outcome}")
    tried = len(results) - counts["no export"]
    print(f"{good} of {tried} that JAX exports are equal: {100 * good / max(tried, 1):.1f}%")


def main():
    options = flags()
    sys.path.insert(0, str(options.tests))
    sys.argv = sys.argv[:1]
    jax.config.parse_flags_with_absl()
    import shape_poly_test

    options.out.mkdir(parents=True, exist_ok=True)
    record = options.out / "results.jsonl"
    last = {}
    if options.again and record.exists():
        last = {r["name"]: r for r in map(json.loads, record.read_text().splitlines())}
    chosen = [h for h in flat(shape_poly_test._POLY_SHAPE_TEST_HARNESSES) if not is_skipped(h)]
    chosen = [h for h in chosen if options.only in h.fullname][options.offset :: options.every]
    if last:
        chosen = [h for h in chosen if not last.get(h.fullname, {"outcome": ""})["outcome"] == "equal"]
    results = dict(last)
    for h in chosen:
        folder = options.out / h.fullname.replace("/", "_")[:150]
        shutil.rmtree(folder, ignore_errors=True)
        outcome, said = try_harness(h, options, folder)
        results[h.fullname] = {"name": h.fullname, "outcome": outcome, "said": said.strip()[:600]}
        if outcome == "equal":
            shutil.rmtree(folder, ignore_errors=True)
        elif outcome != "no export":
            print(f"{h.fullname}: {outcome}: {said.strip()[:600]}", flush=True)
        record.write_text("".join(json.dumps(r) + "\n" for r in results.values()))
    summary(list(results.values()))


if __name__ == "__main__":
    main()
