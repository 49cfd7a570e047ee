# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arrays of .npy files without numpy, and how far two of them are apart."""

import array
import ast
import math
import struct

CODES = {
    "f4": "f",
    "f8": "d",
    "c8": "f",
    "i1": "b",
    "u1": "B",
    "i2": "h",
    "u2": "H",
    "i4": "i",
    "u4": "I",
    "i8": "q",
    "u8": "Q",
    "b1": "B",
}


def load(path):
    """The elements in order, two for a complex number."""
    data = path.read_bytes()
    size = struct.unpack_from("<H", data, 8)[0]
    kind = ast.literal_eval(data[10 : 10 + size].decode())["descr"].lstrip("<|")
    body = data[10 + size :]
    if kind == "V2":  # bf16
        wide = array.array("I", [h << 16 for h in array.array("H", body)])
        return array.array("f", wide.tobytes())
    if kind == "f2":
        return [v for (v,) in struct.iter_unpack("<e", body)]
    return array.array(CODES[kind], body)


def apart(got, want):
    """The largest difference, and the largest finite magnitude of what is wanted; infinite where one side is not finite
    alone."""
    worst = scale = 0.0
    for a, b in zip(got, want):
        if a == b or a != a and b != b:
            worst = max(worst, 0.0)
        elif math.isfinite(a) and math.isfinite(b):
            worst = max(worst, abs(a - b))
        else:
            worst = math.inf
        if math.isfinite(b):
            scale = max(scale, abs(b))
    return worst, scale
