#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs of open sizes of openxla/stablehlo's testdata/dynamic, compiled at three sizes each: openxla_dynamic.py
SNAPSHOT TPUC [--filter=RE] [--every=N].

    git clone --depth=1 https://github.com/openxla/stablehlo SNAPSHOT

Every open size of a file, and every argument that is a size, gets one number: the file says nothing of them. Of those
that a program refuses because they contradict it (two parts of one array, more than an array has) the next numbers are
tried. A file counts where it compiles at three sizes."""

import argparse
import concurrent.futures
import pathlib
import re
import subprocess
import sys
import tempfile

FOLDER = "stablehlo/testdata/dynamic"
SIZES = (3, 5, 8, 2, 4, 6, 12, 16, 20)


def open_dims(text):
    """Open dims of arguments, by their place."""
    main = text[text.index("@main(") :]
    for number, type_ in re.findall(r"%arg(\d+): tensor<([^>]*)>", main[: main.index(") ->")]):
        yield from (f"arg{number}.{i}" for i, dim in enumerate(type_.split("x")[:-1]) if dim == "?")


def compile_at(tpuc, file, names, size, folder):
    """Scalars that turn out to be sizes are added to the names."""
    while True:
        command = [tpuc, "compile", str(file), "-o", f"{folder}/{file.stem}.tpuc"]
        command += [f"--dim={','.join(f'{name}={size}' for name in names)}"] if names else []
        done = subprocess.run(command, capture_output=True, text=True, timeout=300)
        asked = re.search(r"give --dim=(\w+)=SIZE", done.stderr)
        if not asked or asked[1] in names:
            return done.returncode, done.stderr
        names.append(asked[1])


def try_file(tpuc, file, folder):
    """How many sizes compile, and what was said first."""
    names, good, first = list(open_dims(file.read_text())), 0, ""
    for size in SIZES:
        code, said = compile_at(tpuc, file, names, size, folder)
        good += code == 0
        first = first or (said if code else "")
        if good == 3 or code and "SHAPES-00" not in said:
            break
    return good, first


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("snapshot")
    parser.add_argument("tpuc")
    parser.add_argument("--filter", default="")
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    options = parser.parse_args()
    files = sorted(pathlib.Path(options.snapshot, FOLDER).glob("*.mlir"))
    files = [f for f in files if re.search(options.filter, f.name)][:: options.every]
    passed = 0
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        work = [(f, pool.submit(try_file, options.tpuc, f, folder)) for f in files]
        for file, future in work:
            good, said = future.result()
            passed += good == 3
            if good < 3:
                print(f"{file.name}: {good} sizes: {said.strip()[:600]}", flush=True)
    print(f"{passed} of {len(files)} files compile at three sizes: {100 * passed / max(1, len(files)):.1f}%")
    return passed != len(files)


if __name__ == "__main__":
    sys.exit(main())
