# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""at_once.py N COMMAND...: N processes of the command at the same time; how many ended well, and how many compiled."""

import os
import subprocess
import sys

environment = {**os.environ, "TPUC_LOG": "compiles"}
processes = [
    subprocess.Popen(sys.argv[2:], stderr=subprocess.PIPE, text=True, env=environment) for _ in range(int(sys.argv[1]))
]
said = [process.communicate()[1] for process in processes]
print(
    sum(process.returncode == 0 for process in processes),
    "ended well,",
    sum(": compiled in" in text for text in said),
    "compiled",
)
