#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""dumps.py ROOT OUT TPUC: prints the blocks "```mlir" of the pages that are not in what the stages print.

A block is compared without spaces, locations and the type i64 of numbers. `...` in it stands for any text."""

import pathlib
import re
import subprocess
import sys

PAGES = ["docs/tour.md", "docs/stages/plan.md", "docs/stages/lower.md"]
PROGRAMS = ["examples/mlp_ragged", "test/docs/Inputs/softmax.mlir"]
LOCATION = re.compile(r"\s*\bloc\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)")
BLOCK = re.compile(r"(?s)```mlir\n(.*?)```")


def plain(text):
    text = re.sub(r"(%c\w+)_i64|(?<=\w) : i64(?=[,}])", r"\1", LOCATION.sub("", text))
    return "".join(text.split())


def main(root, out, tpuc):
    dumps = ""
    for i, program in enumerate(PROGRAMS):
        stages = out / str(i)
        command = [tpuc, "compile", root / program, f"--dump-stages={stages}", "-o", out / "made.tpuc"]
        subprocess.run(command, check=True)
        dumps += "".join(plain(dump.read_text()) for dump in sorted(stages.glob("*.mlir")))
    blocks = failed = 0
    for page in PAGES:
        for block in BLOCK.findall((root / page).read_text()):
            blocks += 1
            pattern = ".*?".join(re.escape(plain(part)) for part in block.split("..."))
            if not re.search(pattern, dumps):
                failed += 1
                print(f"{page}: no stage prints\n{block}")
    print(f"{blocks} blocks, {failed} wrong")
    return failed != 0 or blocks == 0


if __name__ == "__main__":
    folder = pathlib.Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    sys.exit(main(pathlib.Path(sys.argv[1]).resolve(), folder, sys.argv[3]))
