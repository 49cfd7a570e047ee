#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reports on every one-device program of a reference, without inputs: how long a report takes on this host, and how
much memory.

  survey.py REFERENCE TPUC [--target v5e] [--only REGEX] [--seconds 10] [--bytes 1e9] [--jobs 1]

REFERENCE holds records.jsonl and stablehlo/*.mlir. A line a program and generation: seconds of the processor,
megabytes, exit code and, where it was timed, the step. Fails where a program is not timed although the reference's
compiler fits it into memory, and above the limits."""

import argparse
import concurrent.futures
import json
import os
import re
import subprocess
import sys
import tempfile


def report(tpuc, path, target):
    """Exit code, seconds, bytes, the report or the error."""
    with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as err:
        process = subprocess.Popen([tpuc, "report", path, f"--target={target}", "--json"], stdout=out, stderr=err)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        seconds = usage.ru_utime + usage.ru_stime  # of the processor: others may be busy with it
        out.seek(0), err.seek(0)
        text = out.read()
        return (
            process.returncode,
            seconds,
            usage.ru_maxrss * 1024,
            json.loads(text) if text.startswith("{") else {},
            err.read().strip(),
        )


def survey(args, record):
    exit_code, seconds, size, report_json, error = report(
        args.tpuc, f"{args.reference}/{record['stablehlo']}", record["generation"]
    )
    line = f"{record['generation']:4} {record['name']:40} {seconds:6.1f} s {size / 1e6:6.0f} MB  exit {exit_code}"
    problems = []
    if "step_seconds" in report_json:
        line += f"  step {report_json['step_seconds'] * 1e3:.3f} ms"
        if report_json.get("loops"):
            line += "  loops " + ",".join(str(loop["iterations"]) for loop in report_json["loops"][:6])
        if report_json.get("assumed_in_range"):
            line += "  indices in range"
    else:
        line += "  " + (error.splitlines() or [""])[0][:120]
        if not (record.get("oom") and exit_code == 5):
            problems.append("not timed")
    if seconds > args.seconds:
        problems.append("slow")
    if size > args.bytes:
        problems.append("large")
    return line + ("   <-- " + ", ".join(problems) if problems else ""), bool(problems)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("reference")
    parser.add_argument("tpuc")
    parser.add_argument("--target", action="append")
    parser.add_argument("--only", default="")
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--bytes", type=float, default=1e9)
    parser.add_argument("--jobs", type=int, default=1)
    args = parser.parse_args()
    records = [json.loads(line) for line in open(f"{args.reference}/records.jsonl")]
    wanted = [
        r
        for r in records
        if r["num_devices"] == 1
        and (not args.target or r["generation"] in args.target)
        and re.search(args.only, r["name"])
    ]
    wanted.sort(key=lambda r: (r["name"], r["generation"]))
    bad = 0
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        for line, is_bad in pool.map(lambda r: survey(args, r), wanted):
            print(line, flush=True)
            bad += is_bad
    print(f"{len(wanted)} reports, {bad} not as they should be")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
