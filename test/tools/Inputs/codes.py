#!/usr/bin/env python3
"""codes.py KNOWN ROOT: every TPUC-WORD-NNN in the sources is one that `tpuc explain` knows."""
import pathlib
import re
import sys

known = set(re.findall(r"^TPUC-[A-Z]+-\d{3}", open(sys.argv[1]).read(), re.M))
used = {}
for folder in ("compiler", "passes", "dialects", "runtime"):
    for file in sorted(pathlib.Path(sys.argv[2], folder).rglob("*")):
        if file.suffix in (".cpp", ".h", ".td"):
            for code in re.findall(r"TPUC-[A-Z]+-\d{3}", file.read_text()):
                used.setdefault(code, file)
unknown = {code: str(file) for code, file in used.items() if code not in known}
for code, file in unknown.items():
    print(f"{file}: {code} is not in the catalogue (compiler/report/codes.cpp)", file=sys.stderr)
sys.exit(bool(unknown))
