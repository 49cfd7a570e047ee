#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A small MLP at many batches: its buckets against programs of those very sizes. buckets.py TPUC DIR"""

import pathlib
import random
import struct
import subprocess
import sys

HERE = pathlib.Path(__file__).parent
BATCHES = (1, 2, 3, 4, 7, 8, 12, 13, 19, 20)


def save(path, shape, numbers, kind="f"):
    descr = {"f": "<f4", "i": "<i4"}[kind]
    text = f"{{'descr': '{descr}', 'fortran_order': False, 'shape': ({''.join(f'{d}, ' for d in shape)}), }}"
    text += " " * (-(len(text) + 11) % 64) + "\n"
    path.write_bytes(
        b"\x93NUMPY\x01\x00"
        + struct.pack("<H", len(text))
        + text.encode()
        + struct.pack(f"<{len(numbers)}{kind}", *numbers)
    )


def run(*command, code=0):
    done = subprocess.run([str(c) for c in command], capture_output=True, text=True)
    if done.returncode != code:
        sys.exit(f"{' '.join(map(str, command))}\nexit {done.returncode}, expected {code}\n{done.stdout}{done.stderr}")
    return done.stdout + done.stderr


def inputs(folder, shapes):
    folder.mkdir(parents=True, exist_ok=True)
    rng = random.Random(shapes[0][0])
    for i, shape in enumerate(shapes):
        save(folder / f"input.{i}.npy", shape, [rng.uniform(-1, 1) for _ in range(shape[0] * shape[1])])
    return folder


def shapes(batch):
    return [(batch, 6), (6, 8), (8, 3)]


def many_starts(tpuc, out):
    """A kernel that reads the true size has room for twenty starts beside it."""
    program, starts = HERE / "Inputs" / "many_starts.mlir", [3 * k % 20 for k in range(20)]
    run(tpuc, "compile", program, "-o", out / "starts.tpuc", "--bucket=b=1..4096")
    data = out / "starts"
    data.mkdir()
    save(data / "input.0.npy", (20, 700, 8), [k // (700 * 8) + k % 8 for k in range(20 * 700 * 8)])
    save(data / "output.0.npy", (1, 700, 8), [sum(starts) + 20 * (k % 8) for k in range(700 * 8)])
    for i, start in enumerate(starts):
        save(data / f"input.{i + 1}.npy", (), [start], "i")
    run(tpuc, "run", out / "starts.tpuc", "--data", data, "--check")


def main():
    tpuc, out = sys.argv[1], pathlib.Path(sys.argv[2])
    program, precision = HERE / "Inputs" / "dynamic_mlp.mlir", "--matmul-precision=highest"
    out.mkdir(parents=True, exist_ok=True)
    run(tpuc, "compile", program, "-o", out / "powers.tpuc", "--bucket=b=pow2:1..20", precision)
    run(tpuc, "compile", program, "-o", out / "list.tpuc", "--bucket=b=4,12,20", precision)
    for batch in BATCHES:
        data = inputs(out / str(batch), shapes(batch))
        run(tpuc, "run", program, "--data", data, "--save", data, precision)
        for name in ("powers", "list"):
            run(tpuc, "run", out / f"{name}.tpuc", "--data", data, "--tolerance=1e-6", "--check")
    others = HERE / "Inputs" / "sizes_of_others.mlir"
    run(tpuc, "compile", others, "-o", out / "others.tpuc", "--bucket=arg0.0=1..384", precision)
    for size in (1, 64, 100, 101, 128, 384):
        data = inputs(out / f"others.{size}", [(size, 4), (7, 100), (100, 30)])
        run(tpuc, "run", others, "--data", data, "--save", data, precision)
        run(tpuc, "run", out / "others.tpuc", "--data", data, "--tolerance=1e-6", "--check")
    many_starts(tpuc, out)
    # Sizes that no bucket holds, and inputs that contradict each other or the program.
    listed = out / "list.tpuc"
    for batch in (21, 0):
        said = run(tpuc, "run", listed, "--data", inputs(out / f"bad{batch}", shapes(batch)), code=2)
        assert f"no bucket holds b={batch}" in said and "TPUC-SHAPES-004" in said, said
    bad = inputs(out / "bad", shapes(3))
    save(bad / "input.1.npy", (5, 8), [0.0] * 40)
    said = run(tpuc, "run", listed, "--data", bad, code=2)
    assert "argument 1 expects 6x8, but got 5x8" in said, said
    for sizes, message in (
        ("b=5,4", "ascending order"),
        ("b=0,4", "sizes of 1 at least"),
        ("b=pow2:9..2", "pow2:LEAST..MOST"),
        ("c=1,2", "expects sizes for 'b'"),
        ("b=-3", "sizes of 1 at least"),
        ("b=third:1..2", "pow2, multiples or each"),
        ("b=", "NAME=SIZES"),
    ):
        said = run(tpuc, "compile", program, "-o", out / "no.tpuc", f"--bucket={sizes}", code=2)
        assert message in said and "TPUC-SHAPES-001" in said, said
    print("ok")


if __name__ == "__main__":
    main()
