# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the scripts that write modules with their expectations inside share: elements as bytes, and a run of all on
every generation's machine."""

import re
import struct
import subprocess
import sys

TARGETS = ["v2", "v4", "v5e", "v6e"]
FORMATS = {"f32": "<f", "f16": "<e", "i32": "<i", "i16": "<h", "i8": "<b", "ui8": "<B"}


def encode(values, element):
    """Whole numbers as little-endian bytes; those of i8 wrap."""
    if element == "bf16":
        return b"".join(struct.pack("<f", v)[2:] for v in values)
    if element == "i8":
        values = [(v + 128) % 256 - 128 for v in values]
    return b"".join(struct.pack(FORMATS[element], v) for v in values)


def run(tpuc, folder, modules, *flags, targets=TARGETS):
    """Writes `modules`, a name and a text each, and runs them all with `flags` on `targets`; exits with what the tool
    says where one fails."""
    folder.mkdir(parents=True, exist_ok=True)
    files = []
    for name, text in modules:
        path = folder / f"{name}.mlir"
        path.write_text(text)
        files.append(str(path))
    for target in targets:
        command = [tpuc, "run", *files, f"--target={target}", "--check", *flags]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            sys.exit(f"{target}: {done.stderr or done.stdout}")


def expect_planned(tpuc, path, pattern, *flags, stage="plan"):
    """Exits where no generation's stage has `pattern` in it: the case would be one of something else."""
    for target in TARGETS:
        command = [tpuc, "compile", str(path), f"--stop-after={stage}", f"--target={target}", "-o", "-", *flags]
        if re.search(pattern, subprocess.run(command, capture_output=True, text=True).stdout):
            return
    sys.exit(f"{path.name}: expects {pattern} after {stage} on one of {', '.join(TARGETS)}")
