#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""screens.py TPUC: each subcommand's help is one screen, begins with examples, and has no option without a word."""

import re
import subprocess
import sys

tpuc = sys.argv[1]
top = subprocess.run([tpuc, "--help"], capture_output=True, text=True, check=True).stdout
commands = [m[1] for m in re.finditer(r"^  (\w+)  +\w", top, re.M) if m[1] != "tpuc"]
assert len(commands) >= 9, commands
for name in commands:
    done = subprocess.run([tpuc, name, "--help"], capture_output=True, text=True)
    lines = done.stdout.splitlines()
    assert done.returncode == 0 and not done.stderr, (name, done)
    assert lines[0].startswith(f"tpuc {name}"), (name, lines[0])
    assert lines[2].startswith(f"  tpuc {name}") or lines[2].startswith("  tpuc disasm"), (name, lines[2])
    assert "Exit: 0" in done.stdout, name
    assert len(lines) <= 48, (name, len(lines))
    assert max(map(len, lines)) <= 132, (name, max(lines, key=len))
    options = lines.index("Options:") + 1 if "Options:" in lines else len(lines)
    for line in lines[options:]:
        assert re.match(r"  --?[\w-]+(\[?[ =][^ ]+)?  *\S", line), (name, line)
