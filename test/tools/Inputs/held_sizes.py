#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""held_sizes.py TPUC OUT: a scalar argument from which shapes are computed holds, in each run, the size that the
program was compiled for; a run that brings another is refused, from source and from an executable."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "fuzz" / "dynamic"))

import runner

PROGRAM = """func.func @main(%n: tensor<i64>, %k: tensor<i32>) -> (tensor<?xi32>, tensor<i64>) {
  %shape = stablehlo.reshape %n : (tensor<i64>) -> tensor<1xi64>
  %0 = stablehlo.dynamic_broadcast_in_dim %k, %shape, dims = [] : (tensor<i32>, tensor<1xi64>) -> tensor<?xi32>
  return %0, %n : tensor<?xi32>, tensor<i64>
}
"""


def expect(code, what, *command):
    got, said = runner.run(*command)
    if got != code or what not in said:
        sys.exit(f"{' '.join(map(str, command))}\nexit {got}, expected {code} and '{what}'\n{said}")


def main():
    tpuc, out = sys.argv[1], pathlib.Path(sys.argv[2])
    program, exe = out / "p.mlir", out / "p.tpuc"
    for size in (3, 4, -3, 3 + 2**32):
        folder = out / str(size)
        folder.mkdir(parents=True, exist_ok=True)
        runner.save(folder / "input.0.npy", (), [size], "i64")
        runner.save(folder / "input.1.npy", (), [7], "i32")
    program.write_text(PROGRAM)
    expect(0, "", tpuc, "compile", program, "--dim=arg0=3", "-o", exe)
    for source in ([program, "--dim=arg0=3"], [exe]):
        expect(0, "", tpuc, "run", *source, "--data", out / "3", "--save", out / "3")
        assert runner.shape_of(out / "3" / "output.0.npy") == (3,)
        expect(0, "", tpuc, "run", *source, "--random=1")
        for size in (4, -3, 3 + 2**32):
            refused = "p.mlir:1:17: argument 0 expects 3, the size arg0 that the program was compiled for, but got"
            expect(2, refused, tpuc, "run", *source, "--data", out / str(size))
            expect(2, "TPUC-SHAPES-004", tpuc, "run", *source, "--data", out / str(size))


if __name__ == "__main__":
    main()
