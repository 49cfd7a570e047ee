#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""format.py ROOT: a line for each file of the sources without an SPDX line, and for each line of more than 120 columns.

Left out: programs as data (program.mlir, recorded ones), the instruction table, lit's checks, Markdown's tables, and
lines of Python and MLIR that a string of code makes long. Where clang-format 22 is installed, C++ is as .clang-format
has it.
"""

import pathlib
import re
import shutil
import subprocess
import sys

COLUMNS = 120
MARKED = {".cpp", ".h", ".c", ".td", ".def", ".proto", ".py", ".cmake", ".textproto", ".sh", ".map"}
TEXTS = MARKED | {".md", ".mlir", ".test", ".toml"}
CHECKS = re.compile(r"^\s*(//|#|;)?\s*[A-Z][A-Z0-9_]*(-[A-Z0-9_]+)*:|expected-(error|warning|note|remark)")
DATA = re.compile(
    r"(^|/)program\.mlir$|/Inputs/.*\.mlir$|^docs/isa\.md$|^runtime/isa/instructions\.def$"
    r"|/(format|report_loops)\.test$|/hlo/\w+\.test$"
)


def files(root):
    listed = subprocess.run(["git", "-C", root, "ls-files"], capture_output=True, text=True)
    if listed.returncode == 0 and listed.stdout:
        return [root / f for f in listed.stdout.splitlines()]
    skipped = {"build", "build-checked", ".git"}
    return [p for p in root.rglob("*") if p.is_file() and not skipped & set(p.relative_to(root).parts)]


def in_string(line):
    """Whether the column after the last allowed one is within a string literal that began before it. Docstrings can be
    broken; an apostrophe within a word opens nothing."""
    if '"""' in line:
        return False
    quote = ""
    line = re.sub(r"(?<=\w)'(?=\w)", "-", line)
    for i, c in enumerate(line[:COLUMNS]):
        if quote:
            quote = "" if c == quote and line[i - 1] != "\\" else quote
        elif c in "\"'":
            quote = c
    return bool(quote)


def is_long(path, line):
    if len(line) <= COLUMNS or (path.suffix in (".py", ".toml", ".mlir") and in_string(line)):
        return False
    if path.suffix in (".mlir", ".test") and CHECKS.search(line):
        return False
    return not (path.suffix == ".md" and line.lstrip().startswith("|"))


def problems(root):
    for path in files(root):
        name = str(path.relative_to(root))
        if path.suffix not in TEXTS and path.name != "CMakeLists.txt" or not path.is_file():
            continue
        lines = path.read_text(errors="replace").split("\n")
        if path.suffix in MARKED | {".toml"} and not any("SPDX-License-Identifier" in line for line in lines[:3]):
            yield f"{name}:1: expects an SPDX line"
        if DATA.search(name):
            continue
        for i, line in enumerate(lines, 1):
            if is_long(path, line):
                yield f"{name}:{i}: expects {COLUMNS} columns at most, but got {len(line)}"


def unformatted(root):
    tool = shutil.which("clang-format-22") or shutil.which("clang-format")
    if not tool or " 22." not in subprocess.run([tool, "--version"], capture_output=True, text=True).stdout:
        return
    sources = [str(p) for p in files(root) if p.suffix in (".cpp", ".h", ".c") and p.is_file()]
    run = subprocess.run([tool, "--dry-run", "--style=file", *sources], capture_output=True, text=True)
    yield from (line for line in run.stderr.splitlines() if "warning:" in line)


def main(root):
    found = [*problems(root), *unformatted(root)]
    print(*found, sep="\n", end="\n" if found else "")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1]).resolve()))
