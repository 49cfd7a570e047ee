#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""damage.py FILE OFFSET BYTE...: the file with bytes from OFFSET on replaced, to standard output."""

import sys

with open(sys.argv[1], "rb") as file:
    data = bytearray(file.read())
at, values = int(sys.argv[2]), [int(v) for v in sys.argv[3:]]
data[at : at + len(values)] = bytes(values)
sys.stdout.buffer.write(data)
