#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""commands.py ROOT OUT FILE.md...: runs the lines "$ COMMAND" of each page in OUT, where examples/ is ROOT's; each has
to end with 0."""

import os
import pathlib
import subprocess
import sys

root, out = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2])
out.mkdir(parents=True, exist_ok=True)
if not (out / "examples").exists():
    os.symlink(root / "examples", out / "examples")
for page in sys.argv[3:]:
    commands = [line.strip()[2:] for line in (root / page).read_text().splitlines() if line.strip().startswith("$ ")]
    assert commands, f"{page} shows no command"
    for command in commands:
        done = subprocess.run(command, shell=True, cwd=out, capture_output=True, text=True)
        if done.returncode:
            sys.exit(f"{page}: {command}\nexit code {done.returncode}\n{done.stderr}")
