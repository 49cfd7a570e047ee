#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""layering.py ROOT: reads every #include of the project and prints a line for each that uses a door that isn't
there."""

import pathlib
import re
import sys

# Who may include whom, by folder; the longest name that fits decides. A folder may always include itself.
SHARED = [
    "runtime/schema",
    "runtime/isa",
    "runtime/target",
    "runtime/timing",
]  # describe the machine, for compiler and runtime
DOORS = {
    "runtime/schema": [],
    "runtime/isa": ["runtime/schema"],
    "runtime/target": ["runtime/schema", "runtime/isa"],
    "runtime/timing": ["runtime/isa", "runtime/target"],
    "runtime/device": SHARED,
    "runtime/trace": SHARED,
    "runtime/executor": SHARED + ["runtime/device"],
    "dialects": ["runtime/isa", "dialects"],
    # Never another folder of passes, but for what several of them know, and the builders of ops.
    "passes": SHARED + ["dialects", "passes/analysis", "passes/builders"],
    # Plans are what the lowering follows: it takes their kernels, blocks and grids.
    "passes/lowering": SHARED + ["dialects", "passes/analysis", "passes/builders", "passes/plan"],
    # And those before the plan ask what a kernel takes.
    "passes/decompose": SHARED + ["dialects", "passes/analysis", "passes/builders", "passes/plan"],
    "passes/layout": SHARED + ["dialects", "passes/analysis", "passes/builders", "passes/plan"],
    "passes/fusion": SHARED + ["dialects", "passes/analysis", "passes/builders", "passes/plan"],
    "passes/shapes": SHARED + ["dialects", "passes/simplify"],  # calls are inlined, scalars evaluated as there
    "passes/emission": SHARED + ["dialects", "passes/schedule"],  # the pass around the scheduler, which knows no MLIR
    "compiler/frontend": ["dialects", "runtime/isa"],
    "compiler/encoder": ["dialects", "runtime/isa", "runtime/target"],
    "compiler/pipeline": SHARED + ["dialects", "passes", "compiler/frontend", "compiler/encoder", "compiler/report"],
    "compiler/report": SHARED + ["runtime/trace"],
    "compiler/cache": SHARED + ["compiler/pipeline"],
    "compiler/buckets": [],
    "compiler/embed": [
        "dialects",
        "runtime",
        "compiler/frontend",
        "compiler/pipeline",
        "compiler/report",
        "compiler/cache",
        "compiler/embed",
    ],
    "compiler/tools": ["dialects", "passes", "runtime", "compiler"],
    "examples": [],
    "test": ["dialects", "passes", "runtime", "compiler", "test"],
}
NO_MLIR = ("runtime", "passes/schedule")
OURS = ("runtime/", "dialects/", "passes/", "compiler/", "test/", "examples/")


def inside(path, folder):
    return path == folder or path.startswith(folder + "/")


def key_of(path):
    return max((k for k in DOORS if inside(path, k)), key=len, default=None)


def unit_of(path):
    """The folder that may include itself: two levels deep, of tests and examples all."""
    parts = path.split("/")
    return parts[0] if parts[0] in ("test", "examples") else "/".join(parts[:2])


def problem(path, include):
    if include.startswith(("mlir/", "mlir-c/", "llvm/")):
        bad = [f for f in NO_MLIR if inside(path, f)]
        return f"{bad[0]} contains no MLIR" if bad else None
    if not include.startswith(OURS) or inside(include, unit_of(path)):
        return None
    key = key_of(path)
    if key is None:
        return "its folder is not in the table of doors"
    return None if any(inside(include, d) for d in DOORS[key]) else f"{key} has no door to {unit_of(include)}"


def main(root):
    found = 0
    for top in ("runtime", "dialects", "passes", "compiler", "test", "examples"):
        for file in sorted(pathlib.Path(root, top).rglob("*")):
            if file.suffix not in (".h", ".cpp", ".c", ".td", ".def"):
                continue
            path = file.relative_to(root).as_posix()
            for number, line in enumerate(file.read_text(errors="replace").splitlines(), 1):
                include = re.match(r'\s*#?\s*include\s+["<]([^">]+)[">]', line)
                why = include and problem(path, include[1])
                if why:
                    print(f"{path}:{number}: includes {include[1]}, but {why}")
                    found += 1
    return found


if __name__ == "__main__":
    sys.exit(1 if main(sys.argv[1]) else 0)
