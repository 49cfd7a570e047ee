#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares linear algebra and doubles with XLA on this CPU: a line a program with both sides' seconds, and the
machine's own.

  linear_algebra.py TPUC [--programs REGEX] [--repeat 3] [--threads 2] [--above 10]

TPUC is the built command, JAX one that pip installs. `cpu` is user time of compiling and one run, ours of the whole
command. Other seconds are the best of the repetitions; the first of XLA's is its compilation.
"""

import argparse
import json
import os
import pathlib
import re
import resource
import subprocess
import tempfile
import time

os.environ.setdefault("JAX_PLATFORMS", "cpu")
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.experimental.sparse import linalg as sparse_linalg
from jax.scipy import linalg as scipy_linalg
from jax.scipy import special

jax.config.update("jax_enable_x64", True)


def normal(*shape, dtype=np.float64):
    values = np.random.default_rng(len(shape)).standard_normal((*shape, 2))
    return (
        values[..., 0] + 1j * values[..., 1] if np.issubdtype(dtype, np.complexfloating) else values[..., 0]
    ).astype(dtype)


def symmetric(n, dtype):
    a = normal(n, n, dtype=dtype)
    return a + np.conj(a.T)


def scanned(x):
    return lax.fori_loop(0, 100, lambda i, v: v * 1.000001 + 1e-9, x)


F32, F64 = np.float32, np.float64
PROGRAMS = {
    "add_f64_1m": lambda: (lambda x: x + x, [normal(1024, 1024)]),
    "multiply_add_f64_1m": lambda: (lambda x: x * x + x, [normal(1024, 1024)]),
    "sum_f64_1m": lambda: (jnp.sum, [normal(1024, 1024)]),
    "sum_rows_f64_1m": lambda: (lambda x: jnp.sum(x, 1), [normal(1024, 1024)]),
    "loop_f64_100": lambda: (scanned, [normal(32, 128)]),
    "matmul_f64_128": lambda: (jnp.matmul, [normal(128, 128), normal(128, 128)]),
    "conv_f64": lambda: (lambda x, w: lax.conv(x, w, (1, 1), "SAME"), [normal(2, 8, 16, 16), normal(8, 8, 3, 3)]),
    "fft_f64_1024": lambda: (jnp.fft.fft, [normal(8, 1024)]),
    "fft_f64_batches": lambda: (jnp.fft.fft, [normal(5, 6, 7, 32)]),
    "fft2_f64": lambda: (jnp.fft.fft2, [normal(32, 32)]),
    "sort_f64": lambda: (jnp.sort, [normal(16, 512)]),
    "cumsum_f64": lambda: (jnp.cumsum, [normal(4096)]),
    "cumprod_f64": lambda: (jnp.cumprod, [normal(4096)]),
    "cummax_f64": lambda: (lax.cummax, [normal(4096)]),
    "cumlogsumexp_f64": lambda: (lambda x: lax.cumlogsumexp(x, 1), [normal(3, 4, 5)]),
    "exp_f64": lambda: (jnp.exp, [normal(256, 256)]),
    "erf_inv_f64": lambda: (lambda x: lax.erf_inv(jnp.tanh(x)), [normal(64, 64)]),
    "lgamma_f64": lambda: (lax.lgamma, [normal(64, 64)]),
    "pow_f64": lambda: (lambda x: jnp.abs(x) ** x, [normal(64, 64)]),
    "digamma_f64": lambda: (lax.digamma, [normal(64, 64)]),
    "gammaln_loop_f64": lambda: (
        lambda x: lax.fori_loop(0, 10, lambda i, v: v + lax.lgamma(v), x),
        [normal(64, 64) ** 2 + 1],
    ),
    "erf_f64": lambda: (lax.erf, [normal(64, 64)]),
    "tanh_f64": lambda: (jnp.tanh, [normal(64, 64)]),
    "softmax_f64": lambda: (jax.nn.softmax, [normal(64, 64)]),
    "logsumexp_f64": lambda: (lambda x: jax.nn.logsumexp(x, 1), [normal(64, 64)]),
    "igamma_f64": lambda: (lax.igamma, [normal(8, 16) ** 2 + 0.1, normal(8, 16) ** 2 + 0.2]),
    "igammac_f64": lambda: (lax.igammac, [normal(8, 16) ** 2 + 0.1, normal(8, 16) ** 2 + 0.2]),
    "betainc_f64": lambda: (
        lax.betainc,
        [normal(8, 16) ** 2 + 0.1, normal(8, 16) ** 2 + 0.2, np.abs(np.tanh(normal(8, 16)))],
    ),
    "zeta_f64": lambda: (lax.zeta, [normal(8, 16) ** 2 + 1.1, normal(8, 16) ** 2 + 0.2]),
    "polygamma_f64": lambda: (lax.polygamma, [np.ones((8, 16)), normal(8, 16) ** 2 + 0.2]),
    "hyp2f1_f64": lambda: (
        special.hyp2f1,
        [normal(8, 16), normal(8, 16), normal(8, 16) ** 2 + 0.2, np.tanh(normal(8, 16))],
    ),
    "hyp1f1_f64": lambda: (special.hyp1f1, [normal(8, 16) ** 2 + 0.1, normal(8, 16) ** 2 + 0.2, normal(8, 16)]),
    "gamma_sample_f64": lambda: (lambda a: jax.random.gamma(jax.random.key(0), a, (64,)), [np.float64(2.5)]),
    "normal_sample_f64": lambda: (lambda: jax.random.normal(jax.random.key(0), (64, 64)), []),
    "argsort_f64": lambda: (jnp.argsort, [normal(16, 512)]),
    "scan_f64": lambda: (
        lambda x, w: lax.scan(lambda c, a: (jnp.tanh(c @ w + a), None), jnp.zeros(16), x)[0],
        [normal(64, 16), normal(16, 16)],
    ),
    "mlp_grad_f64": lambda: (
        jax.grad(lambda w, x: jnp.sum(jnp.tanh(jnp.tanh(x @ w) @ w) ** 2)),
        [normal(16, 16), normal(8, 16)],
    ),
    "matmul_f64_512": lambda: (jnp.matmul, [normal(512, 512), normal(512, 512)]),
    "matmul_c128_64": lambda: (jnp.matmul, [normal(64, 64, dtype=np.complex128), normal(64, 64, dtype=np.complex128)]),
    "lu_f64_64": lambda: (lax.linalg.lu, [normal(64, 64)]),
    "inv_f64_32": lambda: (jnp.linalg.inv, [normal(32, 32)]),
    "det_f64_16": lambda: (jnp.linalg.det, [normal(16, 16)]),
    "expm_f64_16": lambda: (scipy_linalg.expm, [normal(16, 16)]),
    "lstsq_f64": lambda: (lambda a, b: jnp.linalg.lstsq(a, b)[0], [normal(16, 8), normal(16, 2)]),
    "triangular_f64_64": lambda: (
        lambda a, b: scipy_linalg.solve_triangular(a, b, lower=True),
        [normal(64, 64) + 16 * np.eye(64), normal(64, 4)],
    ),
    "cholesky_f64_32": lambda: (jnp.linalg.cholesky, [symmetric(32, F64) + 32 * np.eye(32)]),
    "solve_f64_32": lambda: (jnp.linalg.solve, [normal(32, 32), normal(32, 4)]),
    "qr_f64_32": lambda: (jnp.linalg.qr, [normal(32, 32)]),
    "eigh_f64_16": lambda: (jnp.linalg.eigh, [symmetric(16, F64)]),
    "svd_f64_16": lambda: (jnp.linalg.svd, [normal(16, 16)]),
    "eigvals_f64_8": lambda: (jnp.linalg.eigvals, [normal(8, 8)]),
    "schur_f64_8": lambda: (scipy_linalg.schur, [normal(8, 8)]),
    "lobpcg_f64": lambda: (
        lambda a, x: sparse_linalg.lobpcg_standard(a, x, m=20)[:2],
        [symmetric(32, F64) + 32 * np.eye(32), normal(32, 2)],
    ),
    "eigh_f32_100": lambda: (jnp.linalg.eigh, [symmetric(100, F32)]),
    "eigh_f32_300": lambda: (jnp.linalg.eigh, [symmetric(300, F32)]),
    "svd_f32_100": lambda: (jnp.linalg.svd, [normal(100, 100, dtype=F32)]),
    "eig_f32_50": lambda: (jnp.linalg.eig, [normal(50, 50, dtype=F32)]),
    "schur_f32_100": lambda: (scipy_linalg.schur, [normal(100, 100, dtype=F32)]),
    "qr_f32_300": lambda: (jnp.linalg.qr, [normal(300, 300, dtype=F32)]),
}


def user_seconds(who):
    return resource.getrusage(who).ru_utime


def measure_xla(lowered, arguments, repeat):
    cpu, start = user_seconds(resource.RUSAGE_SELF), time.perf_counter()
    compiled = lowered.compile()
    seconds, best = time.perf_counter() - start, float("inf")
    arguments = [jax.device_put(a) for a in arguments]
    jax.block_until_ready(compiled(*arguments))
    cpu = user_seconds(resource.RUSAGE_SELF) - cpu
    for _ in range(repeat):
        start = time.perf_counter()
        jax.block_until_ready(compiled(*arguments))
        best = min(best, time.perf_counter() - start)
    return cpu, seconds, best


def measure_tpuc(a, folder, lowered, arguments):
    (folder / "program.mlir").write_text(lowered.as_text())
    for i, value in enumerate(arguments):
        np.save(folder / f"input.{i}.npy", value)
    inputs = [f"--input={folder / f'input.{i}.npy'}" for i in range(len(arguments))]
    command = [a.tpuc, "run", str(folder / "program.mlir"), *inputs, f"--threads={a.threads}"]
    before = user_seconds(resource.RUSAGE_CHILDREN)
    out = subprocess.run(command + (["--repeat=1"] if a.repeat else []), capture_output=True, text=True)
    cpu = user_seconds(resource.RUSAGE_CHILDREN) - before
    if out.returncode == 0 and a.repeat:
        out = subprocess.run([*command, f"--repeat={a.repeat}", "--time", "--json"], capture_output=True, text=True)
    if out.returncode:
        return (out.stderr.strip() or f"exit {out.returncode}").splitlines()[0]
    return cpu, json.loads(out.stdout) if a.repeat else None


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("tpuc")
    p.add_argument("--programs", default="")
    p.add_argument("--repeat", type=int, default=3, help="0: user time alone")
    p.add_argument("--threads", type=int, default=2)
    p.add_argument("--above", type=float, default=0, help="only programs whose user time is more times XLA's than this")
    a = p.parse_args()
    head = (
        f"{'compile s':>10} {'XLA':>7} {'ratio':>6} {'run ms':>10} {'XLA':>8} {'ratio':>7} {'machine ms':>11}"
        if a.repeat
        else ""
    )
    print(f"{'':22} {'cpu s':>8} {'XLA':>7} {'ratio':>6} {head}")
    for name, build in PROGRAMS.items():
        if not re.search(a.programs, name):
            continue
        f, arguments = build()
        lowered = jax.jit(f).lower(*arguments)
        xla_cpu, compiling, running = measure_xla(lowered, arguments, a.repeat)
        with tempfile.TemporaryDirectory() as folder:
            measured = measure_tpuc(a, pathlib.Path(folder), lowered, arguments)
        if isinstance(measured, str):
            print(f"{name:22} {measured}", flush=True)
            continue
        cpu, ours = measured
        if cpu < a.above * xla_cpu:
            continue
        rest = ""
        if ours:
            compiled, run = ours["compile_seconds"], min(ours["run_seconds"])
            rest = (
                f"{compiled:10.2f} {compiling:7.2f} {compiled / compiling:6.1f} {1e3 * run:10.2f} {1e3 * running:8.3f} {run / running:7.1f} "
                f"{1e3 * ours['timed_seconds']:11.3f}"
            )
        print(f"{name:22} {cpu:8.2f} {xla_cpu:7.3f} {cpu / xla_cpu:6.1f} {rest}".rstrip(), flush=True)


if __name__ == "__main__":
    main()
