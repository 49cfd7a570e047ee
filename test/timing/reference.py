#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares tpuc's times with the production compiler's estimates for the same programs.

  reference.py REFERENCE TPUC [--target v5e] [--set CONSTANT=VALUE]... [--only REGEX] [--half] [--within FACTOR]

REFERENCE holds records.jsonl and stablehlo/*.mlir, TPUC is the command that prints a line with "cycles N" for
`TPUC FILE --target=T --time`. Per generation: every record's ratio, the median |ln ratio| of the MXU-bound matmuls and
of the HBM-bound programs, and the geometric mean of the other matmul, convolution, attention and normalisation records.
--half: only the records that constants were fitted on (docs/rationale/timing.md). --within: fail where a ratio is
further off."""

import argparse
import json
import math
import re
import statistics
import subprocess
import sys

CLOCK_MHZ = {"v4": 1050, "v5e": 1500, "v5p": 1750, "v6e": 1750}
OTHER = ("matmul", "matmul_batched", "conv", "attention", "normalisation")
# Fitted on: every second one of each class, in the order of their names.
FITTED = re.compile(
    r"matmul_bf16_(128x128x128|1000x1000x1000|2048x2048x2048|4096x4096x4096|16384x16384x16384)$"
    r"|ew_(add_bf16_8192x8192|gelu_bf16_16384x4096)$|reduce_(all_bf16_8192x8192|row_f32_16384x4096)$"
)


def sizes(name):
    m = re.match(r"matmul_\w+?_(\d+)x(\d+)x(\d+)$", name)
    return tuple(map(int, m.groups())) if m else None


def reference_seconds(record):
    """MXU-bound matmuls against the estimate of their kernels, all else against the composite of kernels and bytes."""
    if kind(record) == "mxu":
        return record["mxu_estimated_cycles"] / (CLOCK_MHZ[record["generation"]] * 1e6)
    return record["composite_seconds"]


def kind(record):
    """'mxu', 'hbm', 'other' or None (not compared)."""
    mkn = sizes(record["name"])
    if mkn:
        if record["mxu_estimated_cycles"] == 0 or mkn[1] == 128:
            return None
        return "mxu" if min(mkn) >= 2048 else "other"
    if record["category"] in ("elementwise", "reduction"):
        return "hbm" if record["composite_seconds"] > 10e-6 else None
    return "other" if record["category"] in OTHER else None


def run(args, record):
    path = f"{args.reference}/{record['stablehlo']}"
    command = [args.tpuc, "report", path, f"--target={record['generation']}", "--json"] + [
        f"--set={s}" for s in args.set
    ]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    except subprocess.TimeoutExpired:
        return None, "timeout"
    found = re.search(r'"step_cycles":\s*(\d+)', done.stdout)
    if done.returncode or not found or int(found[1]) == 0:
        return None, (done.stderr.strip().splitlines() or [f"exit {done.returncode}"])[0][:150]
    return int(found[1]) / (CLOCK_MHZ[record["generation"]] * 1e6), ""


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("reference")
    parser.add_argument("tpuc")
    parser.add_argument("--target", action="append")
    parser.add_argument("--set", action="append", default=[])
    parser.add_argument("--only", default="")
    parser.add_argument("--half", action="store_true")
    parser.add_argument("--within", type=float, default=0)
    args = parser.parse_args()
    records = [json.loads(line) for line in open(f"{args.reference}/records.jsonl")]
    compared, off = 0, 0
    for target in args.target or list(CLOCK_MHZ):
        logs = {"mxu": [], "hbm": [], "other": []}
        for r in sorted(records, key=lambda r: (r["category"], r["model_flops"], r["name"])):
            what = kind(r) if r["num_devices"] == 1 else None
            if r["generation"] != target or not what or not re.search(args.only, r["name"]):
                continue
            if args.half and not FITTED.match(r["name"]):
                continue
            mine, why = run(args, r)
            compared += 1
            off += (
                mine is None or bool(args.within) and abs(math.log(mine / reference_seconds(r))) > math.log(args.within)
            )
            if mine is None:
                print(f"{target:4} {what:5} {r['name']:44} {why}")
                continue
            theirs = reference_seconds(r)
            logs[what].append(math.log(mine / theirs))
            print(
                f"{target:4} {what:5} {r['name']:44} {mine * 1e6:10.1f} us, reference {theirs * 1e6:10.1f}, ratio "
                f"{mine / theirs:.3f}",
                flush=True,
            )
        for what in ("mxu", "hbm"):
            if logs[what]:
                print(
                    f"{target:4} {what}: median |ln ratio| {statistics.median(abs(x) for x in logs[what]):.3f} of "
                    f"{len(logs[what])}"
                )
        if logs["other"]:
            print(
                f"{target:4} other: geometric mean {math.exp(statistics.mean(logs['other'])):.3f}, largest "
                f"{math.exp(max(logs['other'])):.2f} of {len(logs['other'])}"
            )
    if args.within and (off or not compared):
        print(f"{off} of {compared} records are further off than {args.within:g}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
