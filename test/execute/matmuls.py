#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""matmuls.py TPUC FOLDER: matmuls of many blocks, ragged columns and batches, whose columns pick one number of each
row.

Operands and what is expected are computed from positions in the module itself; the sums have one term that is not zero
and are compared for equality, in checking mode, on targets that differ in arrays and memory. FOLDER is where they are
written."""

import pathlib
import subprocess
import sys

TARGETS = ["v2", "v4", "v5e", "v6e"]
# batches, rows, inner, columns, type
CASES = [
    (1, 512, 1024, 600, "f32"),  # a group of columns a block, the last one shorter; blocks of more than a MB
    (1, 1000, 2048, 900, "bf16"),
    (1, 777, 1024, 333, "f32"),
    (1, 300, 1537, 640, "bf16"),  # inner: a ragged tile
    (40, 50, 70, 90, "f32"),  # more batches than results in flight
    (7, 200, 64, 520, "bf16"),  # groups of columns within batches
    (3, 24, 300, 2000, "f32"),
    (12, 256, 64, 512, "bf16"),  # groups of all batches in one run, of one inner tile and of several
    (8, 128, 400, 640, "f32"),
]


def module(b, m, k, n, element):
    batches = [] if b == 1 else [b]
    lead = len(batches)

    def tensor(dims, e):
        return "tensor<" + "".join(f"{d}x" for d in batches + dims) + e + ">"

    lines, count = [], 0

    def op(text, t):
        nonlocal count
        count += 1
        lines.append(f"    %{count} = {text} : {t}")
        return f"%{count}"

    def iota(dim, dims):
        return op(f"stablehlo.iota dim = {dim}", tensor(dims, "i32"))

    def arith(name, a, c, dims):
        t = tensor(dims, "i32")
        return op(f"stablehlo.{name} {a}, {op(f'stablehlo.constant dense<{c}>', t) if isinstance(c, int) else c}", t)

    def number(row, inner, dims):  # what stands in a row at an inner position
        sum_ = arith("add", arith("multiply", row, 3, dims), arith("multiply", inner, 5, dims), dims)
        if batches:
            sum_ = arith("add", sum_, arith("multiply", iota(0, dims), 7, dims), dims)
        return arith("subtract", arith("remainder", sum_, 11, dims), 5, dims)

    def picked(column, dims):  # the inner position that a column picks
        at = arith("multiply", column, 7, dims)
        return arith("remainder", arith("add", at, iota(0, dims), dims) if batches else at, k, dims)

    def converted(v, dims, source, to):
        return op(f"stablehlo.convert {v}", f"({tensor(dims, source)}) -> {tensor(dims, to)}")

    x = converted(number(iota(lead, [m, k]), iota(lead + 1, [m, k]), [m, k]), [m, k], "i32", element)
    one = op(
        f"stablehlo.compare EQ, {iota(lead, [k, n])}, {picked(iota(lead + 1, [k, n]), [k, n])}",
        f"({tensor([k, n], 'i32')}, {tensor([k, n], 'i32')}) -> {tensor([k, n], 'i1')}",
    )
    w = converted(one, [k, n], "i1", element)
    arrays = [
        op(f"stablehlo.optimization_barrier {v}", tensor(dims, element)) for v, dims in ((x, [m, k]), (w, [k, n]))
    ]
    batching = "batching_dims = [0] x [0], " if batches else ""
    got = op(
        f"stablehlo.dot_general {arrays[0]}, {arrays[1]}, {batching}contracting_dims = [{lead + 1}] x [{lead}]",
        f"({tensor([m, k], element)}, {tensor([k, n], element)}) -> {tensor([m, n], 'f32')}",
    )
    expected = converted(
        number(iota(lead, [m, n]), picked(iota(lead + 1, [m, n]), [m, n]), [m, n]), [m, n], "i32", "f32"
    )
    lines.append(f"    check.expect_eq {got}, {expected} : {tensor([m, n], 'f32')}")
    return "func.func public @main() {\n" + "\n".join(lines) + "\n    return\n}\n"


def main(tpuc, folder):
    folder.mkdir(parents=True, exist_ok=True)
    files = []
    for case in CASES:
        files.append(folder / ("x".join(map(str, case)) + ".mlir"))
        files[-1].write_text(module(*case))
    for target in TARGETS:
        done = subprocess.run(
            [tpuc, "run", "--check", "--threads=2", f"--target={target}", *map(str, files)],
            capture_output=True,
            text=True,
        )
        print(done.stdout + done.stderr)
        if done.returncode:
            sys.exit(f"{target}: exit {done.returncode}")


main(sys.argv[1], pathlib.Path(sys.argv[2]))
