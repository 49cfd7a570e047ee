#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""codes.py KNOWN ROOT: each code of the catalogue is one that `tpuc explain` knows and that some source emits, and no
source writes a code out."""

import pathlib
import re
import sys

FOLDERS = ("compiler", "passes", "dialects", "runtime")
known = set(re.findall(r"^TPUC-[A-Z]+-\d{3}", open(sys.argv[1]).read(), re.M))
root = pathlib.Path(sys.argv[2])
catalogue = root / "dialects/diagnostics/codes.def"
texts = [(catalogue.parent / name).read_text() for name in ("codes.def", "outer_codes.def")]
entries = re.findall(r'^TPUC_CODE\((k\w+), "(TPUC-[A-Z]+-\d{3})"', "\n".join(texts), re.M)
wrong = []
used = set()
for file in (f for folder in FOLDERS for f in sorted((root / folder).rglob("*"))):
    if file.suffix not in (".cpp", ".h", ".td") or file.parent == catalogue.parent:
        continue
    text = file.read_text()
    used.update(re.findall(r"codes::(k\w+)", text))
    # Comments and help may name a code; messages take it from the catalogue.
    wrong += [f"{file}: writes {code} out" for code in re.findall(r"\[(TPUC-[A-Z]+-\d{3})\]", text)]
wrong += [
    f"{file}: emits an error without a code"
    for file in sorted((root / "passes").rglob("*.cpp"))
    if re.search(r"(\.|->)emit(Op)?Error\(", file.read_text())
]
wrong += [f"{catalogue}: nothing emits {name} ({code})" for code, name in entries if code not in used]
wrong += [f"{catalogue}: tpuc explain does not know {name}" for _, name in entries if name not in known]
if len({name for _, name in entries}) != len(entries):
    wrong.append(f"{catalogue}: a code stands there twice")
print("\n".join(wrong), file=sys.stderr)
sys.exit(bool(wrong))
