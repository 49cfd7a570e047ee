#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""shardy_programs.py SNAPSHOT TPUC TPUC_OPT: openxla/shardy's executable partitioner tests.

SNAPSHOT is a copy of its repository. Each file has a program to partition (part1) and a main function that runs it on
all devices at once and compares with what one device computes (part2), where that is given; else with the same function
without shardings. Counts the RUN lines, which differ in how Shardy exchanges halos."""

import pathlib
import re
import subprocess
import sys

FOLDER = "shardy/dialect/sdy/transforms/export/test/executable_partitioner_pipeline"


def call(command, text=None):
    return subprocess.run(command, input=text, capture_output=True, text=True)


def body(module):
    """A module's functions, without what stands around them."""
    lines = [line for line in module.strip().split("\n") if not line.startswith("#loc")]
    return "\n".join(line for line in lines[1:] if not line.startswith("}"))


def without_shardings(text):
    text = re.sub(r"sdy\.mesh.*\n", "", text)
    text = re.sub(
        r"(%\w+) = sdy\.reshard (%\w+) <[^:]*> : (tensor<[^>]*>)", r"\1 = stablehlo.reshape \2 : (\3) -> \3", text
    )
    return re.sub(r"\{\s*sdy\.sharding = #sdy\.sharding(_per_value)?<.*?>\s*\}(?=[ ,):\n])", "", text, flags=re.DOTALL)


def replicas_of(text):
    """Devices as replicas instead of partitions."""
    text = re.sub(r"channel_handle = #stablehlo.channel_handle<[^>]*>(, )?", "", text)
    return text.replace(", use_global_device_ids", "").replace("stablehlo.partition_id", "stablehlo.replica_id")


def failure(text, tpuc, tpuc_opt):
    parts = dict(re.findall(r"//--- (\w+)\.mlir\n(.*?)(?=//--- |\Z)", text, re.DOTALL))
    done = call([tpuc_opt, "-", "--tpuc-partition", "--tpuc-combine-all-reduces"], parts["part1"])
    if done.returncode:
        return done.stderr
    program = body(done.stdout)
    if "--replica_count=" in text:
        program = replicas_of(program)
    if "@parallel_" in parts["part1"] and "@sequential_" not in parts["part1"]:
        program += "\n" + without_shardings(parts["part1"]).replace("parallel_", "sequential_")
    done = call([tpuc, "run", "-"], program + "\n" + parts["part2"])
    return done.stdout + done.stderr if done.returncode else ""


def main():
    snapshot, tpuc, tpuc_opt = sys.argv[1:]
    good = total = 0
    for file in sorted(pathlib.Path(snapshot, FOLDER).glob("*.mlir")):
        text = file.read_text()
        runs = text.count("// RUN:")
        error = failure(text, tpuc, tpuc_opt)
        total += runs
        good += 0 if error else runs
        if error:
            print(f"{file.name}: {error}")
    print(f"{good} of {total} give the same numbers")
    return 0 if good == total else 1


if __name__ == "__main__":
    sys.exit(main())
