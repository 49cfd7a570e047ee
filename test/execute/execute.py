#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""execute.py TPUC FOLDER: a program's results against its folder's outputs, in checking mode, on targets whose arrays,
slots, cores and memories differ; at highest precision within the folder's tolerance, at default precision at most 1.5
times the error that XLA's results have when its matmuls take bf16 inputs. What the walk counts is what the run
counted."""

import json
import pathlib
import subprocess
import sys

TARGETS = ["v2", "v4", "v5e", "v6e"]


def run(tpuc, folder, *flags):
    done = subprocess.run(
        [tpuc, "run", str(folder), "--check", "--threads=2", "--stats", "--json", *flags],
        capture_output=True,
        text=True,
    )
    print(" ".join(done.args), "->", done.returncode, file=sys.stderr)
    if done.returncode not in (0, 1):
        sys.exit(done.stderr or f"died with {done.returncode}")
    result = json.loads(done.stdout)
    if not result.get("counters", {}).get("same", False):
        sys.exit(f"the walk and the run count differently: {result.get('counters')}\n{done.stderr}")
    return done, result


def main(tpuc, folder):
    info = json.loads((folder / "info.json").read_text())
    for target in TARGETS:
        done, _ = run(tpuc, folder, f"--target={target}", "--matmul-precision=highest")
        if done.returncode:
            sys.exit(f"{target}: {done.stderr}")
    reference = info.get("bf16_dots_error")
    if reference is None:
        return
    _, result = run(tpuc, folder, "--matmul-precision=default")
    for output, error in zip(result["outputs"], reference):
        if output["exact"]:
            continue
        limit = 1.5 * error + info["tolerance"]
        if output["largest_error"] is None or output["largest_error"] > limit:
            sys.exit(
                f"{output['what']}: error {output['largest_error']:.2e} at default precision, but bf16 inputs explain {limit:.2e}"
            )


if __name__ == "__main__":
    main(sys.argv[1], pathlib.Path(sys.argv[2]))
