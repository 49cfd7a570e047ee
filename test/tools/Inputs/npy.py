#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""npy.py FILE DESCR SHAPE [VALUE...]: writes a .npy file without NumPy. SHAPE is 2x3, or - for a scalar; the values
repeat. --cut=N leaves the last N bytes out; --fortran says so in the header."""

import struct
import sys

options = [a for a in sys.argv[1:] if a.startswith("--")]
path, descr, shape, *values = [a for a in sys.argv[1:] if not a.startswith("--")]
dims = [] if shape == "-" else [int(d) for d in shape.split("x")]
count = 1
for d in dims:
    count *= d
code = {
    "f2": "e",
    "f4": "f",
    "f8": "d",
    "i1": "b",
    "i2": "h",
    "i4": "i",
    "i8": "q",
    "u1": "B",
    "u2": "H",
    "u4": "I",
    "u8": "Q",
    "b1": "B",
    "V1": "B",
    "V2": "H",
}.get(descr[1:])
text = f"({dims[0]},)" if len(dims) == 1 else "(" + ", ".join(map(str, dims)) + ")"
fortran = "--fortran" in options
header = f"{{'descr': '{descr}', 'fortran_order': {fortran}, 'shape': {text}, }}"
header += " " * (-(len(header) + 11) % 64) + "\n"
data = b""
numbers = [float(v) if code in "efd" else int(v, 0) for v in values or ["0"]] if code else [0]
for i in range(count):
    data += struct.pack("<" + code, numbers[i % len(numbers)]) if code else b"\0" * 8
whole = b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + data
for o in options:
    if o.startswith("--cut="):
        whole = whole[: -int(o[6:])]
with open(path, "wb") as f:
    f.write(whole)
