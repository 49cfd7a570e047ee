#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random programs of open sizes, bucketed and refined: random_programs.py TPUC FIRST COUNT DIR [--check] [--keep]
[--rules=NAME,...] [--jobs=N].

Each program runs at three sizes, once as an executable of one bucket that holds them all, once compiled for that very
size. Results that no order of sums decides have the same bits. Padding is NaN, and with --check none of it may reach a
result, an address or a branch. Prints what differs and what was compiled for exact sizes only, and counts; exits 1 when
anything differs or fails."""

import argparse
import concurrent.futures
import pathlib
import random
import shutil
import sys

import blocks
import moves
import orders
import places
import pointwise
import runner
import sums
import systems
import windows
from writer import ROWS, Writer, size_of

FAMILIES = [(pointwise, 5), (sums, 5), (moves, 5), (places, 4), (windows, 2), (orders, 2), (blocks, 2), (systems, 1)]


def choose_rule(rng, names):
    if names:
        found = [rule for family, _ in FAMILIES for rule, _ in family.RULES if rule.__name__ in names]
        return rng.choice(found)
    family = rng.choices(*zip(*FAMILIES))[0]
    return rng.choices(*zip(*family.RULES))[0]


def generate(seed, names=()):
    program = Writer(seed)
    program.used = []
    wanted = program.rng.randint(3, 7)
    while wanted:
        rule = choose_rule(program.rng, names)
        made = rule(program)
        if made is not None and program.fits(made.dims):
            program.values.append(made)
            program.used.append(rule.__name__)
            wanted -= 1
    made = program.values[len(program.arguments) :]
    program.results = made[-4:]
    return program


def write_inputs(program, sizes, folder, rng):
    folder.mkdir()
    most = max(sizes.values()) + 2
    for i, argument in enumerate(program.arguments):
        dims, count = [size_of(d, sizes) for d in argument.dims], 1
        for d in dims:
            count *= d
        if argument.element == "f32":
            numbers = [rng.uniform(-2, 2) for _ in range(count)]
        else:
            numbers = [rng.randint(-2, most if argument.dims == (ROWS,) else 8) for _ in range(count)]
        runner.save(folder / f"input.{i}.npy", dims, numbers, argument.element)


def three_sizes(program, rng):
    least, most = ({name: ends[i] for name, ends in program.ranges.items()} for i in (0, 1))
    some = lambda: {name: rng.randint(*ends) for name, ends in program.ranges.items()}
    return {"b": least["b"], "s": most["s"]}, {"b": most["b"], "s": some()["s"]}, some()


def try_program(tpuc, seed, folder, flags, names):
    """What was used, and "ok", "exact" or what went wrong."""
    program = generate(seed, names)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    (folder / "program.mlir").write_text(program.text())
    exe = folder / "all.tpuc"
    ranges = [f"{name}={least}..{most}" for name, (least, most) in program.ranges.items()]
    said = runner.compile_buckets(tpuc, folder / "program.mlir", exe, ranges)
    if said:
        return program.used, "exact: " + said if "remark:" in said and "error:" not in said else said
    rng = random.Random(seed)
    for number, sizes in enumerate(three_sizes(program, rng)):
        data = folder / str(number)
        write_inputs(program, sizes, data, rng)
        exact = [v.exact for v in program.results]
        said = runner.compare(tpuc, folder / "program.mlir", exe, data, exact, flags)
        if said:
            return program.used, f"{sizes}: {said}"
    return program.used, "ok"


def main():
    parser = argparse.ArgumentParser()
    for name in ("tpuc", "first", "count", "folder"):
        parser.add_argument(name, type=int if name in ("first", "count") else str)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--keep", action="store_true")
    parser.add_argument("--rules", default="")
    parser.add_argument("--jobs", type=int, default=1)
    options = parser.parse_args()
    flags = ["--check"] if options.check else []
    names = [n for n in options.rules.split(",") if n]
    counts, folder = {"ok": 0, "exact": 0, "wrong": 0}, pathlib.Path(options.folder)
    one = lambda seed: (seed, *try_program(options.tpuc, seed, folder / str(seed), flags, names))
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for seed, used, outcome in pool.map(one, range(options.first, options.first + options.count)):
            kind = next((k for k in ("ok", "exact") if outcome.startswith(k)), "wrong")
            counts[kind] += 1
            if kind != "ok":
                print(f"{seed} ({', '.join(used)}): {outcome.strip()}", flush=True)
            elif not options.keep:
                shutil.rmtree(folder / str(seed))
    print(", ".join(f"{number} {kind}" for kind, number in counts.items()))
    sys.exit(1 if counts["wrong"] else 0)


if __name__ == "__main__":
    main()
