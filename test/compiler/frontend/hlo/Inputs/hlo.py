#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes an HloModuleProto from lines: `hlo.py FILE > x.pb`, or `hlo.py x.hlo y.hlo` to x.pb and y.pb. Lines that are
none of these are left aside (RUN and CHECK lines).

  MODULE name {20: ..}                          fields of the module, by number
  COMPUTATION name                              numbered from 1; the last is the entry
  y = f32[2,3]{0,1} slice(x) calls(add) {17: [{1: 0, 2: 2, 3: 1}]}

The last line of a computation is its root. Fields are Python: numbers, texts, floats of 32 bits, lists of numbers
(packed), lists of messages, messages as dictionaries.
"""

import ast
import pathlib
import re
import struct
import sys

TYPES = dict(
    pred=1,
    s8=2,
    s16=3,
    s32=4,
    s64=5,
    u8=6,
    u16=7,
    u32=8,
    u64=9,
    f16=10,
    f32=11,
    f64=12,
    tuple=13,
    c64=15,
    bf16=16,
    token=17,
    c128=18,
    f8e5m2=19,
    f8e4m3fn=20,
    s4=21,
    u4=22,
    opaque=14,
    s1=30,
)


def varint(n):
    n &= (1 << 64) - 1
    out = b""
    while n >= 128:
        out += bytes([n & 127 | 128])
        n >>= 7
    return out + bytes([n])


def field(number, value):
    if isinstance(value, bool) or isinstance(value, int):
        return varint(number << 3) + varint(int(value))
    if isinstance(value, float):
        return varint(number << 3 | 5) + struct.pack("<f", value)
    if isinstance(value, list) and (not value or not isinstance(value[0], int)):
        return b"".join(field(number, one) for one in value)
    data = (
        value
        if isinstance(value, bytes)
        else value.encode()
        if isinstance(value, str)
        else (message(value) if isinstance(value, dict) else b"".join(map(varint, value)))
    )
    return varint(number << 3 | 2) + varint(len(data)) + data


def message(fields):
    return b"".join(field(number, value) for number, value in fields.items())


def shape(text):
    if text.startswith("("):
        parts = re.findall(r"\w+\[[^]]*\](?:\{[^}]*\})?", text)
        return {2: TYPES["tuple"], 4: [shape(part) for part in parts]}
    kind, dims, layout = re.fullmatch(r"(\w+)\[([^]]*)\](?:\{([^}]*)\})?", text).groups()
    sizes = [part for part in dims.split(",") if part]
    out = {
        2: TYPES[kind],
        3: [int(size.lstrip("<=")) for size in sizes],
        6: [int(size.startswith("<=")) for size in sizes],
    }
    order = layout.split(",") if layout else reversed(range(len(sizes)))
    return {**out, 5: {1: [int(dim) for dim in order if dim != ""]}} if sizes else {2: TYPES[kind]}


LINE = re.compile(r"(\S+) = (\([^()]*\)|\S+) ([\w-]+)\(([^()]*)\)(?: calls\(([^()]*)\))?(?: (\{.*\}))?$")


def encode(path):
    computations, names, module, values = [], {}, {}, {}
    for line in open(path):
        words = line.split()
        if words[:1] == ["MODULE"]:
            module = {1: words[1], **(ast.literal_eval(line.split(None, 2)[2]) if len(words) > 2 else {})}
        elif words[:1] == ["COMPUTATION"]:
            names[words[1]] = len(names) + 1
            computations.append({1: words[1], 2: [], 5: len(names)})
            values = {}
        elif found := LINE.match(line.strip()):
            name, kind, opcode, operands, calls, fields = found.groups()
            values[name] = len(values) + 1
            split = lambda text: [part.strip() for part in (text or "").split(",") if part.strip()]
            instruction = {
                1: name,
                2: opcode,
                3: shape(kind),
                35: values[name],
                36: [values.get(operand, 99) for operand in split(operands)],
                38: [names.get(call, 99) for call in split(calls)],
            }
            computations[-1][2].append({**instruction, **(ast.literal_eval(fields) if fields else {})})
            computations[-1][6] = values[name]
    return message({1: "module", 3: computations, 6: len(computations), **module})


def main():
    if len(sys.argv) == 2:
        sys.stdout.buffer.write(encode(sys.argv[1]))
    for path in sys.argv[1:] if len(sys.argv) > 2 else []:
        pathlib.Path(path).with_suffix(".pb").write_bytes(encode(path))


if __name__ == "__main__":
    main()
