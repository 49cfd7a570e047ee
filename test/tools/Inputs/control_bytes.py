#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""control_bytes.py TPUC PROGRAM: values with control bytes, of flags of several types; exits as the last does."""

import subprocess
import sys

tpuc, program = sys.argv[1:]
for flags in [["--threads=2\x1b[31m"], ["--threads", "2\x1b[31m"], ["--matmul-precision=high\x07"], [b"--stats=\x9b"]]:
    done = subprocess.run([tpuc, "run", program, *flags], stderr=subprocess.PIPE)
    assert b"\x1b" not in done.stderr and b"\x07" not in done.stderr and b"\x9b" not in done.stderr, done.stderr
    sys.stderr.write(done.stderr.decode())
sys.exit(done.returncode)
