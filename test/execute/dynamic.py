#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Exports of JAX with symbolic sizes (Inputs/dynamic, written by test/jax/dynamic_shapes.py --record): as one bucket
against programs of the very sizes. dynamic.py TPUC DIR [--target=NAME] [NAME ...]

A file's first line says which arguments it has, the sizes to try and which results have the same bits; the others are
equal within 2e-5, since sums may change their order. Padding is NaN, and none of it may reach a result, an address or a
branch."""

import json
import pathlib
import random
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "fuzz" / "dynamic"))

import runner
from writer import size_of


def write_inputs(head, sizes, folder):
    folder.mkdir(parents=True, exist_ok=True)
    rng = random.Random(sum(sizes.values()))
    for i, (spec, element) in enumerate(head["arguments"]):
        dims, count = [size_of(d.strip(), sizes) for d in spec.split(",") if d], 1
        for d in dims:
            count *= d
        number = lambda: rng.randint(head["ints"][0], head["ints"][1] - 1) if element == "i32" else rng.gauss(0, 1)
        runner.save(folder / f"input.{i}.npy", dims, [number() for _ in range(count)], element)


def problems(tpuc, program, out, flags):
    head = json.loads(program.read_text().splitlines()[0].removeprefix("// "))
    out.mkdir(parents=True, exist_ok=True)
    exe = out / "all.tpuc"
    ranges = [f"{name}={least}..{most}" for name, (least, most) in head["ranges"].items()]
    said = runner.compile_buckets(tpuc, program, exe, ranges, flags)
    if said:
        return [said]
    found = []
    for number, sizes in enumerate(head["sizes"]):
        data = out / str(number)
        write_inputs(head, sizes, data)
        said = runner.compare(tpuc, program, exe, data, head["exact"], ["--check"])
        found += [f"{sizes}: {said}"] if said else []
        # Steps that lie in padding are left out by the run and by the walk.
        if (
            program.stem.startswith("long_")
            and "count the same" not in runner.run(tpuc, "run", exe, "--data", data, "--stats")[1]
        ):
            found.append(f"{sizes}: run and timing do not count the same")
    return found


def main():
    tpuc, out, *names = sys.argv[1:]
    flags = [name for name in names if name.startswith("--target=")]
    names = [name for name in names if name not in flags]
    wrong = 0
    for program in sorted((HERE / "Inputs" / "dynamic").glob("*.mlir")):
        if names and program.stem not in names:
            continue
        found = problems(tpuc, program, pathlib.Path(out) / program.stem, flags)
        wrong += bool(found)
        if found:
            print(program.stem, "; ".join(found))
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
