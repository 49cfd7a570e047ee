# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The `tpuc` command of an installed package: a program that lies beside this file."""

import os
import pathlib
import sys


def main() -> None:
    """Becomes the command, with this process's arguments."""
    path = pathlib.Path(__file__).with_name("bin") / "tpuc"
    os.execv(path, ["tpuc", *sys.argv[1:]])
