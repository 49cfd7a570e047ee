#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""same_bytes.py TPUC PROGRAM FLAG...: compiles the program eight times, and fails unless all executables are the same.
Addresses in the compiler differ from run to run: what is made in their order differs with them."""

import subprocess
import sys

tpuc, program, *flags = sys.argv[1:]
made = {
    subprocess.run([tpuc, "compile", program, *flags, "-o", "-"], capture_output=True, check=True).stdout
    for _ in range(8)
}
if len(made) > 1:
    sys.exit(f"{program}: {len(made)} different executables in eight runs")
