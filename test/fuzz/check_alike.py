#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""check_alike.py TPUC DIR: each module's results with fusion and pipelining are those without, as far as the floats on
the way to a result allow."""

import pathlib
import subprocess
import sys

import arrays
import modules

# Of a result's largest magnitude. Between kernels a narrow float is rounded, within one it is not.
UNITS = {"bf16": 2.0**-6, "f16": 2.0**-9, "f32": 2.0**-18, "complex<f32>": 2.0**-18, "f64": 2.0**-40}


def run(tpuc, folder, name, *flags):
    inputs = [f"--input={folder}/input.{i}.npy" for i in range(len(list(folder.glob("input.*.npy"))))]
    command = [
        tpuc,
        "run",
        f"{folder}/program.mlir",
        *inputs,
        *flags,
        "--matmul-precision=highest",
        f"--save={folder}/{name}",
    ]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return folder / name


def main(tpuc, root):
    failed = 0
    for folder in sorted(pathlib.Path(root).iterdir()):
        plain, fused = run(tpuc, folder, "plain", "--no-fuse", "--no-pipeline"), run(tpuc, folder, "fused", "--check")
        for i, result in enumerate(modules.generate(int(folder.name))[2]):
            worst, scale = arrays.apart(arrays.load(fused / f"output.{i}.npy"), arrays.load(plain / f"output.{i}.npy"))
            allowed = max((UNITS[way] for way in result.ways), default=0.0)
            if worst > allowed * scale:
                failed += 1
                print(
                    f"seed {folder.name}: output {i} of {result.type} is off by {worst:.3g} of {scale:.3g}, allowed "
                    f"is {allowed:.3g} of it"
                )
    return failed != 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2]))
