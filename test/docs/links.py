#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""links.py ROOT: every relative link of the project's pages leads to a file or folder."""

import pathlib
import re
import sys

root, bad = pathlib.Path(sys.argv[1]), 0
for page in [root / "README.md", *sorted((root / "docs").rglob("*.md"))]:
    for target in re.findall(r"\]\(([^)#\s]+)[^)]*\)", page.read_text()):
        if not re.match(r"[a-z]+:", target) and not (page.parent / target).exists():
            print(f"{page.relative_to(root)}: no {target}", file=sys.stderr)
            bad += 1
sys.exit(bool(bad))
