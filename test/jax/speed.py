#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How fast JAX is on tpuc, beside JAX's CPU backend and beside the command: a line for each ratio.

    PYTHONPATH=SITE test/jax/speed.py --program=FOLDER --tpuc=build/compiler/tools/tpuc

SITE has the installed package; FOLDER a program.mlir with its inputs, as a step of training. Each figure is the best of
--rounds rounds, in which both sides take turns, a process each; a busy machine disturbs those that take long."""

import argparse
import json
import os
import subprocess
import sys
import tempfile

START = """
import time; t = time.perf_counter(), time.process_time()
import jax; d = jax.devices()
print(json.dumps([time.perf_counter() - t[0], time.process_time() - t[1]]))
"""

DISPATCH = """
import jax, jax.numpy as jnp, time
x, f = jnp.ones((8, 128)), jax.jit(lambda x: x + 1)
def best(step):
    times = []
    for _ in range(40):
        t = time.perf_counter()
        for _ in range(50): step()
        jax.block_until_ready(x)
        times.append((time.perf_counter() - t) / 50)
    return min(times)
def chained():
    global x
    x = f(x)
best(chained)
print(json.dumps([best(chained), best(lambda: f(x).block_until_ready())]))
"""

# The text goes to the plugin as it is: what is timed is the plugin's part of a compilation.
PROGRAM = """
import jax, time, numpy as np
from jax._src import compiler, xla_bridge
from jax._src.interpreters import mlir
from jax._src.lib import xla_client
from jax._src.lib.mlir import ir
folder = sys.argv[1]
devices = xla_client.DeviceList(tuple(jax.devices()[:1]))
inputs = [jax.device_put(np.load(f"{folder}/input.{i}.npy")) for i in range(len(glob.glob(folder + "/input.*.npy")))]
with mlir.make_ir_context():
    module = ir.Module.parse(open(folder + "/program.mlir").read())
options = compiler.get_compile_options(num_replicas=1, num_partitions=1)
jax.block_until_ready([jax.jit(lambda x: x + 1)(1.0), inputs])
t, cpu = time.perf_counter(), time.process_time()
program = xla_bridge.get_backend().compile_and_load(module, devices, options)
results = program.execute_sharded(inputs)
started, used = time.perf_counter() - t, time.process_time() - cpu
def finish(results):
    for shards in results.disassemble_into_single_device_arrays(): shards[0].block_until_ready()
finish(results)
steps = []
for _ in range(int(sys.argv[2])):
    t = time.perf_counter()
    finish(program.execute_sharded(inputs))
    steps.append(time.perf_counter() - t)
print(json.dumps([started, used, min(steps, default=0)]))
"""


def flags():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", help="a folder; without it the last two lines are left out")
    parser.add_argument("--tpuc", help="the command to compare the program's step with")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--steps", type=int, default=20)
    return parser.parse_args()


def measure(script, platform, *args, **environment):
    environment = {**os.environ, "JAX_PLATFORMS": platform, **environment}
    command = [sys.executable, "-c", "import glob, json, sys\n" + script, *map(str, args)]
    done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True, check=True)
    return json.loads(done.stdout.splitlines()[-1])


def best(rounds, *sides):
    """The best of each figure of each side."""
    taken = [[side() for side in sides] for _ in range(rounds)]
    return [[min(figures) for figures in zip(*of_side)] for of_side in zip(*taken)]


def bench(options):
    command = [options.tpuc, "bench", options.program, f"--repeat={options.steps}", "--json"]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    return [min(json.loads(done.stdout)["run_seconds"])]


def say(what, ours, theirs, bar):
    print(f"{what:44} {1e3 * ours:10.3f} ms {1e3 * theirs:10.3f} ms   {ours / theirs:5.2f} times, {bar}", flush=True)


def main():
    options = flags()
    print(f"{'':44} {'tpuc':>13} {'other':>13}")
    sides = [lambda platform=platform: measure(START, platform) for platform in ("tpuc", "cpu")]
    ours, theirs = best(options.rounds, *sides)
    for what, our, their in zip(("wall time", "CPU time"), ours, theirs):
        say(f"import and devices, CPU, in {what}", our, their, f"{our - their:+.3f} s; at most +0.3 s")
    sides = [lambda platform=platform: measure(DISPATCH, platform) for platform in ("tpuc", "cpu")]
    ours, theirs = best(options.rounds, *sides)
    say("x + 1 on 8x128, one after another, CPU", ours[0], theirs[0], "at most 2")
    say("x + 1 on 8x128, waited for, CPU", ours[1], theirs[1], "at most 2")
    if not options.program:
        return
    with tempfile.TemporaryDirectory() as folder:
        run = lambda steps: measure(PROGRAM, "tpuc", options.program, steps, TPUC_CACHE=folder)
        run(0)
        ((started, used, step),) = best(options.rounds, lambda: run(options.steps))
    print(f"{'compile call to execution, from the cache':44} {1e3 * started:10.3f} ms   at most 30 ms")
    print(f"{'the same in CPU time':44} {1e3 * used:10.3f} ms")
    if options.tpuc:
        ((theirs,),) = best(options.rounds, lambda: bench(options))
        say("a step, tpuc bench", step, theirs, "at most 1.1")


if __name__ == "__main__":
    main()
