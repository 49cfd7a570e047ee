#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""exits.py CODE COMMAND...: runs the command; succeeds when it ends with CODE. A death by signal is never that."""

import subprocess
import sys

want, command = int(sys.argv[1]), sys.argv[2:]
got = subprocess.run(command).returncode
if got != want:
    print(f"exits.py: expects exit code {want}, but got {got}: {' '.join(command)}", file=sys.stderr)
sys.exit(got != want)
