#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""same_bits.py TPUC FOLDER OUT: results at every CPU level of this host and several thread counts are the same bytes,
and the counters of the run are those of the timing walk."""

import json
import pathlib
import re
import subprocess
import sys

tpuc, program, out = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
refusal = subprocess.run([tpuc, "run", program, "--cpu-level=?"], capture_output=True, text=True).stderr
levels = re.search(r"has: (.*), but", refusal)[1].split(", ")
first = None
for precision in ("default", "highest"):
    for level in levels:
        for threads in (1, 2, 5):
            folder = out / f"{precision}-{level}-{threads}"
            done = subprocess.run(
                [
                    tpuc,
                    "run",
                    program,
                    "--target=v4",
                    f"--matmul-precision={precision}",
                    f"--cpu-level={level}",
                    f"--threads={threads}",
                    f"--save={folder}",
                    "--stats=json",
                ],
                capture_output=True,
                text=True,
            )
            assert done.returncode == 0, done.stderr
            counters = json.loads(done.stdout[done.stdout.index("{") :])
            assert counters["same"] and counters["run"]["bundles"] == counters["timed"]["bundles"], counters
            bits = [f.read_bytes() for f in sorted(folder.iterdir())]
            key = (precision, bits)
            if first is None or first[0] != precision:
                first = key
            assert first == key, f"other bits at {precision} {level} {threads}"
