#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""shardy_tests.py SNAPSHOT TPUC_OPT [--filter=RE] [--verbose]: openxla/shardy's propagation tests with tpuc-opt.

SNAPSHOT is a copy of its repository. Each file is cut where its test cuts it (`// -----`), a file that is one module at
its functions; each piece is compared by FileCheck alone, as its RUN line asks. Counts the labelled functions
(CHECK-LABEL) of pieces that agree. Warnings have words of their own and are not compared; how many pieces expect some
is told."""

import argparse
import concurrent.futures
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

FOLDER = "shardy/dialect/sdy/transforms/propagation/test"
FILECHECK = shutil.which("FileCheck") or "/usr/lib/llvm-22/bin/FileCheck"


def run_line(text):
    """Arguments of the tool, and whether FileCheck follows."""
    line = " ".join(m[1].rstrip("\\").strip() for m in re.finditer(r"^// RUN: (.*)$", text, re.M))
    tool, _, check = line.partition("|")
    words = [w for w in shlex.split(tool) if not w.startswith("2>")]
    return [w for w in words[1:] if w != "%s"], bool(check)


def pieces(text, split):
    if split:
        return re.split(r"^// -----.*$", text, flags=re.M)
    # One module: what stands before the first function goes before each.
    starts = [m.start() for m in re.finditer(r"^// CHECK-LABEL", text, re.M)]
    head = text[: starts[0]]
    return [head + text[a:b] for a, b in zip(starts, starts[1:] + [len(text)])]


def labels(piece):
    return [m[1].strip() for m in re.finditer(r"^\s*// CHECK-LABEL:\s*(.*)$", piece, re.M)]


def warns(piece):
    """Whether it expects warnings, and no errors."""
    return "expected-warning" in piece and "expected-error" not in piece


def passes(piece, arguments, check, tool, folder, name):
    file = pathlib.Path(folder, name)
    file.write_text(piece)
    if warns(piece):
        arguments = [a for a in arguments if a.lstrip("-") != "verify-diagnostics"]
    done = subprocess.run([tool, str(file), *arguments], capture_output=True, text=True, timeout=120)
    if done.returncode != 0:
        return done.stderr
    if not check:
        return ""
    checked = subprocess.run([FILECHECK, str(file)], input=done.stdout, capture_output=True, text=True, timeout=120)
    return checked.stderr if checked.returncode else ""


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("snapshot")
    parser.add_argument("tool")
    parser.add_argument("--filter", default="")
    parser.add_argument("--verbose", action="store_true")
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    good = all_labels = warned = 0
    failed = []
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for file in sorted(pathlib.Path(options.snapshot, FOLDER).glob("*.mlir")):
            text = file.read_text()
            arguments, check = run_line(text)
            split = "-split-input-file" in arguments
            arguments = [a for a in arguments if a != "-split-input-file"]
            work = []
            for number, piece in enumerate(pieces(text, split)):
                names = labels(piece)
                if names and re.search(options.filter, f"{file.name} {' '.join(names)}"):
                    name = f"{file.stem}_{number}.mlir"
                    future = pool.submit(passes, piece, arguments, check, options.tool, folder, name)
                    work.append((names, piece, future))
            here = total = 0
            for names, piece, future in work:
                error = future.result()
                total += len(names)
                warned += len(names) if warns(piece) else 0
                here += 0 if error else len(names)
                if error:
                    failed.append(f"{file.name}: {', '.join(names)}")
                    if options.verbose:
                        print(failed[-1], error, sep="\n")
            if total:
                print(f"{here:4} of {total:4}  {file.name}", flush=True)
            good += here
            all_labels += total
    for line in failed:
        print("differs:", line)
    print(f"{good} of {all_labels} labelled cases give the same shardings; {warned} of them expect warnings")
    return 0 if good == all_labels else 1


if __name__ == "__main__":
    sys.exit(main())
