#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares tpuc's speed with XLA's on this CPU: the same programs, side by side in one process tree.

  compare.py STEPPER [--programs REGEX] [--what run,compile,time] [--threads 2] [--rounds 15] [--corpus make.py]

STEPPER is the built tpuc_bench_stepper. Every round measures one after the other, inputs resident on both sides; the
ratio is the median over rounds of XLA's seconds by tpuc's, so that a ratio above 1 means tpuc is faster and a busy
machine slows both.
--corpus adds the one-device programs of a file that registers them as REGISTRY[name]["build"]() -> function, arguments.
"""

import argparse
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile
import time

PROGRAMS = {}


def program(precision=None):
    def register(build):
        PROGRAMS[build.__name__] = (build, precision)
        return build

    return register


def normal(seed, shape, dtype):
    import jax

    return jax.random.normal(jax.random.PRNGKey(seed), shape).astype(dtype)


@program()
def matmul_bf16_2048():
    return (lambda a, b: a @ b), (normal(0, (2048, 2048), "bfloat16"), normal(1, (2048, 2048), "bfloat16"))


@program(precision="highest")
def matmul_f32_2048():
    return (lambda a, b: a @ b), (normal(0, (2048, 2048), "float32"), normal(1, (2048, 2048), "float32"))


@program()
def gelu_f32_16m():
    import jax

    return jax.nn.gelu, (normal(0, (4096, 4096), "float32"),)


@program()
def gelu_erf_f32_16m():
    import jax

    return (lambda x: jax.nn.gelu(x, approximate=False)), (normal(0, (4096, 4096), "float32"),)


@program()
def softmax_f32_16m():
    import jax

    return jax.nn.softmax, (normal(0, (4096, 4096), "float32"),)


@program()
def layer_norm_f32_16m():
    import jax.numpy as jnp

    def f(x, g, b):
        m = x.mean(-1, keepdims=True)
        v = ((x - m) ** 2).mean(-1, keepdims=True)
        return (x - m) / jnp.sqrt(v + 1e-5) * g + b

    return f, (normal(0, (4096, 4096), "float32"), normal(1, (4096,), "float32"), normal(2, (4096,), "float32"))


@program()
def add_f32_16m():
    return (lambda a, b: a + b), (normal(0, (4096, 4096), "float32"), normal(1, (4096, 4096), "float32"))


@program()
def transformer_4_layers_4096():
    """Shapes only: to be timed, not run."""
    import jax
    import jax.numpy as jnp

    d, heads, batch, length = 4096, 32, 4, 2048

    def norm(x, scale):
        y = x.astype(jnp.float32)
        return (y * jax.lax.rsqrt((y * y).mean(-1, keepdims=True) + 1e-6)).astype(x.dtype) * scale

    def layer(x, p):
        h = norm(x, p["n1"])
        q, k, v = (jnp.einsum("btd,dhe->bhte", h, w) for w in p["qkv"])
        logits = jnp.einsum("bhte,bhse->bhts", q, k).astype(jnp.float32) * (d // heads) ** -0.5
        logits = jnp.where(jnp.tril(jnp.ones((length, length), bool)), logits, -1e30)
        y = jnp.einsum("bhts,bhse->bhte", jax.nn.softmax(logits).astype(x.dtype), v)
        x = x + jnp.einsum("bhte,hed->btd", y, p["out"])
        return x + jax.nn.gelu(norm(x, p["n2"]) @ p["up"]) @ p["down"]

    def forward(layers, x):
        for p in layers:
            x = layer(x, p)
        return x

    def a(*shape):
        return jax.ShapeDtypeStruct(shape, jnp.bfloat16)

    weights = {
        "n1": a(d),
        "n2": a(d),
        "qkv": [a(d, heads, d // heads)] * 3,
        "out": a(heads, d // heads, d),
        "up": a(d, 4 * d),
        "down": a(4 * d, d),
    }
    return forward, ([weights] * 4, a(batch, length, d))


def add_corpus(path):
    import importlib.util

    spec = importlib.util.spec_from_file_location("corpus", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    for name, entry in module.REGISTRY.items():
        if entry.get("mesh") is None and entry.get("dynamic") is None:
            PROGRAMS[name] = (entry["build"], None)


class Stepper:
    def __init__(self, command, mlir, precision, threads, target):
        flags = [f"--threads={threads}", f"--target={target}"] + (
            [f"--matmul-precision={precision}"] if precision else []
        )
        self.process = subprocess.Popen(
            [command, mlir, *flags], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def ask(self, command):
        self.process.stdin.write(command + "\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline()
        if not answer:
            raise RuntimeError(f"the stepper ended at '{command}'")
        return float(answer) if answer.strip() else None

    def close(self):
        self.process.stdin.close()
        self.process.wait()


def measure(rounds, ours, theirs):
    """Medians of both, and of the ratio of neighbours."""

    def quiet(step):  # XLA's threads wait awake for a while after their work
        time.sleep(0.02)
        return step()

    pairs = []
    for _ in range(rounds):
        pairs.append((quiet(ours), quiet(theirs)))
    a, b = zip(*pairs)
    return statistics.median(a), statistics.median(b), statistics.median(y / x for x, y in pairs), min(a), min(b)


def compare(name, args, folder):
    import jax
    import numpy as np

    build, precision = PROGRAMS[name]
    function, inputs = build()
    leaves = jax.tree_util.tree_leaves(inputs)
    mlir = folder / f"{name}.mlir"
    # Arguments that nothing reads stay, so that argument K is leaf K.
    mlir.write_text(
        jax.jit(function, keep_unused=True).trace(*inputs).lower(lowering_platforms=("tpu",)).as_text(debug_info=True)
    )
    stepper = Stepper(args.stepper, str(mlir), args.precision or precision, args.threads, args.target)

    def xla_compile():
        jax.clear_caches()
        lowered = jax.jit(lambda *a: function(*a)).lower(*inputs)
        start = time.perf_counter()
        lowered.compile()
        return time.perf_counter() - start

    def report(what, m):
        print(
            f"{name:28} {what:8} tpuc {m[0] * 1e3:9.3f} ms  XLA {m[1] * 1e3:9.3f} ms  ratio {m[2]:6.2f}"
            f"   best {m[3] * 1e3:9.3f} {m[4] * 1e3:9.3f}  {m[4] / m[3]:6.2f}",
            flush=True,
        )

    if "compile" in args.what:
        xla_compile()
        report("compile", measure(args.rounds, lambda: stepper.ask("compile"), xla_compile))
    if "time" in args.what:
        seconds = [stepper.ask("compile") + stepper.ask("time") for _ in range(args.rounds)]
        print(
            f"{name:28} timed    {statistics.median(seconds) * 1e3:9.3f} ms, compilation included; {stepper.ask('cycles'):.0f} cycles, "
            f"{stepper.ask('bundles'):.0f} bundles, {stepper.ask('pushes'):.0f} pushes"
        )
    if "run" in args.what and not isinstance(leaves[0], jax.ShapeDtypeStruct):
        for k, leaf in enumerate(leaves):
            raw = folder / "input"
            raw.write_bytes(np.asarray(leaf).tobytes())
            stepper.ask(f"bind {k} {raw}")
        compiled = jax.jit(function).lower(*inputs).compile()

        def xla_run():
            start = time.perf_counter()
            jax.block_until_ready(compiled(*inputs))
            return time.perf_counter() - start

        for _ in range(3):
            xla_run()
            stepper.ask("run")
        report("run", measure(args.rounds, lambda: stepper.ask("run"), xla_run))
        want = jax.tree_util.tree_leaves(compiled(*inputs))
        for k, leaf in enumerate(want):
            raw = folder / "output"
            stepper.ask(f"result {k} {raw}")
            leaf = np.asarray(leaf)
            wide = "complex128" if np.iscomplexobj(leaf) else "float64"
            got = np.frombuffer(raw.read_bytes(), leaf.dtype).reshape(leaf.shape).astype(wide)
            leaf = leaf.astype(wide)
            error = np.abs(got - leaf).max() / max(np.abs(leaf).max(), 1e-30) if leaf.size else 0
            if not error < 2e-2:
                print(f"{name}: result {k} differs by {error:.2g} of its largest value")
    stepper.close()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("stepper")
    parser.add_argument("--programs", default=".")
    parser.add_argument("--what", default="run", type=lambda s: s.split(","))
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--target", default="v5e")
    parser.add_argument("--precision", help="for all programs, in place of their own")
    parser.add_argument("--corpus")
    args = parser.parse_args()
    os.environ.setdefault("JAX_PLATFORMS", "cpu")
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[: args.threads])  # XLA takes a thread a CPU
    if args.corpus:
        add_corpus(args.corpus)
    with tempfile.TemporaryDirectory() as folder:
        for name in PROGRAMS:
            if not re.search(args.programs, name):
                continue
            try:
                compare(name, args, pathlib.Path(folder))
            except (RuntimeError, BrokenPipeError) as error:
                print(f"{name}: {error}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
