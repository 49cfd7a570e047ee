# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""transposed_bits.py DIR: an f16 argument with NaNs of several bits, and its transpose, as .npy files."""

import struct
import sys


def write(path, rows):
    shape = (len(rows), len(rows[0]))
    header = str({"descr": "<f2", "fortran_order": False, "shape": shape})
    header += " " * ((54 - len(header)) % 64) + "\n" if (len(header) + 11) % 64 else "\n"
    with open(path, "wb") as f:
        f.write(
            b"\x93NUMPY\x01\x00"
            + struct.pack("<H", len(header))
            + header.encode()
            + b"".join(struct.pack("<%dH" % shape[1], *row) for row in rows)
        )


rows = [[0x3C00 + 48 * r + c for c in range(48)] for r in range(40)]
rows[2][3], rows[7][0], rows[0][0] = 0xFE91, 0x7E45, 0x7C01
write(sys.argv[1] + "/in.npy", rows)
write(sys.argv[1] + "/want.npy", [list(column) for column in zip(*rows)])
