#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Matmuls of many sizes, compiled and timed, never run: code does not grow with them, and aligned ones push as often as
they must.

  matmul_sizes.py TPUC [--full] [--target v5e] [--factor 2]

For each size and precision: bundles of code, and pushes against ceil(M / rows) ceil(K / side) ceil(N / side) passes.
Fails where
  * an aligned size pushes more often,
  * aligned sizes whose dims are 1024 or more, so that no loop is short enough to be straight code, differ by more than
    the factor,
  * any code is longer than 1,400 bundles.
"""

import argparse
import json
import re
import subprocess
import sys
import tempfile

SIDE = {"v2": 128, "v3": 128, "v4": 128, "v5e": 128, "v5p": 128, "v6e": 256}
ROWS = {"bf16": 16, "f32": 8}  # of a push
MODES = (
    ("bf16", "bf16", 1, []),
    ("f32", "bf16", 3, ["--matmul-precision=high"]),
    ("f32", "f32", 1, ["--matmul-precision=highest"]),
)
FEW = [(n, n, n) for n in (128, 512, 1000, 1024, 2048, 8192)]
# 30 from 128 to 16384.
FULL = [
    (n, n, n)
    for n in (
        128,
        160,
        256,
        300,
        384,
        512,
        640,
        768,
        1000,
        1024,
        1280,
        1536,
        2000,
        2048,
        3072,
        4096,
        4100,
        6144,
        8192,
        12288,
        16384,
    )
]
FULL += [
    (128, 16384, 128),
    (16384, 128, 128),
    (128, 128, 16384),
    (256, 4096, 1024),
    (1024, 256, 4096),
    (4096, 1024, 256),
    (16384, 512, 2048),
    (512, 16384, 512),
    (2048, 2048, 16384),
]


def program(m, k, n, element):
    lhs, rhs, out = (f"tensor<{a}x{b}x{element}>" for a, b in ((m, k), (k, n), (m, n)))
    return (
        f"func.func @main(%x: {lhs}, %w: {rhs}) -> {out} {{\n"
        f"  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : ({lhs}, {rhs}) -> {out}\n"
        f"  return %0 : {out}\n}}\n"
    )


def measure(tpuc, target, text, flags):
    """Bundles of code and pushes of a run."""
    with tempfile.NamedTemporaryFile("w", suffix=".mlir") as file:
        file.write(text)
        file.flush()

        def output(*args):
            return subprocess.run(
                [tpuc, *args, file.name, "--target=" + target, *flags], check=True, capture_output=True, text=True
            ).stdout

        bundles = len(re.findall(r"^  \{", output("disasm"), re.M))
        pushes = json.loads(output("report", "--json"))["counters"]["timed"]["mxu_pushes"]
    return bundles, sum(pushes.values())


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tpuc")
    parser.add_argument("--full", action="store_true")
    parser.add_argument("--target", default="v5e")
    parser.add_argument("--factor", type=float, default=2)
    args = parser.parse_args()
    side, wrong = SIDE[args.target], []
    for element, mode, passes, flags in MODES:
        large = []
        for m, k, n in FULL if args.full else FEW:
            bundles, pushes = measure(args.tpuc, args.target, program(m, k, n, element), flags)
            least = -(-m // ROWS[mode]) * -(-k // side) * -(-n // side) * passes
            aligned = m % ROWS[mode] == 0 and k % side == 0 and n % side == 0
            name = f"{element} {' '.join(flags)} {m}x{k}x{n}"
            print(f"{name:50} {bundles:5} bundles  {pushes:9} pushes, {pushes / least:.3f} of {least}", flush=True)
            if aligned and pushes != least:
                wrong.append(f"{name}: {pushes} pushes instead of {least}")
            if bundles > 1400:
                wrong.append(f"{name}: {bundles} bundles")
            if aligned and min(m, k, n) >= 1024:
                large.append(bundles)
        if max(large) > args.factor * min(large):
            wrong.append(f"{element} {' '.join(flags)}: code of {min(large)} to {max(large)} bundles")
    print("\n".join(wrong), file=sys.stderr, end="\n" if wrong else "")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
