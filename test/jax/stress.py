#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Threads that compile and run at once, through JAX, for as long as one likes.

    PYTHONPATH=SITE test/jax/stress.py --minutes=10              4 threads; SITE has the installed package

Each thread compiles programs of its own, runs them and ones that all threads share, uploads, fetches, donates, is
called back, and deletes what others may not have waited for; every number is compared with NumPy's. It ends with the
first that is wrong, and when the process has grown by more than --grow. For a sanitizer, TPUC_PLUGIN_PATH names a
plugin of the preset `threads` or `sanitize`, and LD_PRELOAD the sanitizer's library. ThreadSanitizer does not see how
jaxlib hands an executable from the thread that compiles to the one that asked for it, and reports the making of
everything in it; `TPUC_STRESS=600 build-threads/test/unit/pjrt/tpuc_unit_pjrt` has the same threads without jaxlib."""

import argparse
import gc
import os
import sys
import threading
import time
import traceback

os.environ.setdefault("JAX_PLATFORMS", "tpuc")
os.environ.setdefault("TPUC_MATMUL_PRECISION", "highest")
os.environ.setdefault("TPUC_CACHE", "off")

import jax
import jax.numpy as jnp
import numpy as np


def flags():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--threads", type=int, default=4)
    parser.add_argument(
        "--grow", type=int, default=64, help="MiB that the process may grow by after the first tenth of the time"
    )
    return parser.parse_args()


def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGESIZE") >> 20


SHARED_WEIGHTS = np.random.default_rng(0).normal(size=(128, 96)).astype(np.float32)
shared_step = jax.jit(lambda x, w: jnp.tanh(x @ w).sum(0))
donating = jax.jit(lambda x, y: (x + y, x * 2), donate_argnums=0)


def expect(got, want):
    np.testing.assert_allclose(np.asarray(got), want, rtol=2e-5, atol=2e-5)


def compiles(random):
    """A program that nobody has compiled."""
    k, rows, columns = float(random.normal()), int(random.integers(1, 40)), int(random.integers(1, 300))
    x = random.normal(size=(rows, columns)).astype(np.float32)
    expect(
        jax.jit(lambda x: jnp.where(x > k, x * k, x).sum(1))(x),
        np.where(x > np.float32(k), x * np.float32(k), x).sum(1),
    )


def shares(random):
    x = random.normal(size=(32, 128)).astype(np.float32)
    results = [shared_step(x, SHARED_WEIGHTS) for _ in range(4)]
    del results[1]
    expect(results[0], np.tanh(x @ SHARED_WEIGHTS).sum(0))
    expect(results[2], results[0])


def donates(random):
    x = random.normal(size=(50, 130)).astype(np.float32)
    a, b, y = jnp.asarray(x), None, jnp.asarray(x)
    for _ in range(5):
        a, b = donating(a, y)
    expect(a, 6 * x)
    expect(b, 10 * x)


def is_called_back(random):
    x, seen = random.normal(size=(3, 5)).astype(np.float32), []

    def host(v):
        seen.append(1)
        return np.asarray(shared_step(np.tile(np.asarray(v).sum(), (32, 128)).astype(np.float32), SHARED_WEIGHTS))[:1]

    f = jax.jit(lambda x: jax.pure_callback(host, jax.ShapeDtypeStruct((1,), np.float32), x) + 1)
    expect(f(x), np.tanh(np.full(128, x.sum()) @ SHARED_WEIGHTS)[:1] * 32 + 1)
    assert seen


def fails(_):
    """Errors are one thread's own."""

    def host(x):
        raise ValueError("as it should")

    try:
        jax.block_until_ready(jax.jit(lambda x: jax.pure_callback(host, jax.ShapeDtypeStruct((), np.float32), x))(1.0))
    except RuntimeError as error:
        assert "as it should" in str(error)
        return
    raise AssertionError("expects an error")


def main():
    options = flags()
    begin = time.monotonic()
    end, wrong, done = begin + 60 * options.minutes, [], [0] * options.threads

    def work(number):
        random = np.random.default_rng(number)
        jobs = [compiles, shares, shares, donates, is_called_back, fails]
        while time.monotonic() < end and not wrong:
            try:
                jobs[random.integers(len(jobs))](random)
            except BaseException:
                wrong.append(traceback.format_exc())
            done[number] += 1

    threads = [threading.Thread(target=work, args=(n,)) for n in range(options.threads)]
    for thread in threads:
        thread.start()
    before = None
    while any(thread.is_alive() for thread in threads):
        time.sleep(1)
        if int(time.monotonic() - begin) % 20 == 0:
            jax.clear_caches()
            gc.collect()
        if before is None and time.monotonic() > begin + 6 * options.minutes:
            before = resident()
    print(f"{sum(done)} pieces of work in {time.monotonic() - begin:.0f} s, from {before} to {resident()} MiB")
    if wrong:
        sys.exit(wrong[0])
    if before and resident() - before > options.grow:
        sys.exit(f"the process has grown by {resident() - before} MiB")


if __name__ == "__main__":
    main()
