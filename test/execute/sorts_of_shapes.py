#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""sorts_of_shapes.py TPUC FOLDER: sorts along each kind of dim, alone and with others that follow, against Python's
stable sort.

Every case is a module with its operands and what it expects inside; FOLDER is where they are written. Operands are
bits: the order is that of the comparator, ties keep theirs, and no element changes."""

import pathlib
import random
import subprocess
import sys

TARGETS = ["v2", "v4", "v5e", "v6e"]
BITS = {"f32": 32, "i32": 32, "ui32": 32, "bf16": 16, "f16": 16, "i16": 16, "ui16": 16, "i8": 8, "ui8": 8}
INFINITY = {"f32": 0x7F800000, "bf16": 0x7F80, "f16": 0x7C00}
QUIET = {"f32": 0x7FC00000, "bf16": 0x7FC0, "f16": 0x7E00}
# name, shape, dim, operands, how they compare, how many are kept (0: all), which results are read (all if not given;
# positions are the last)
CASES = [
    ("rows", [9, 300], 1, ["f32"], "total", 0),
    ("rows_numbers", [9, 129], 1, ["f32", "i32"], "less", 0),
    ("rows_packed", [21, 200], 1, ["bf16", "i8", "f32"], "total", 0),
    ("few_lanes", [40, 5], 1, ["i32"], "greater", 0),
    ("two_keys", [11, 260], 1, ["i8", "f32", "i32"], "pair", 0),
    ("or_equal", [10, 130], 1, ["i8", "i32"], "not greater", 0),
    ("long_row", [2, 1500], 1, ["f32", "i32"], "total", 0),
    ("vector", [1300], 0, ["ui32"], "less", 0),
    ("vector_packed", [2500], 0, ["ui8", "bf16"], "greater", 0),
    ("vector_short", [3], 0, ["f16"], "total", 0),
    ("columns", [37, 130], 0, ["f32", "i16"], "total", 0),
    ("columns_packed", [100, 40], 0, ["bf16"], "total", 0),
    ("column_tiles", [13, 1100], 0, ["i32"], "less", 0),
    ("column_tiles_packed", [5, 600], 0, ["i8", "ui8"], "greater", 0),
    ("leading", [20, 3, 50], 0, ["f32"], "total", 0),
    ("middle", [3, 20, 4], 1, ["i32", "f32"], "less", 0),
    ("first", [30, 64], 1, ["f32"], "total greater", 3),
    ("first_packed", [17, 300], 1, ["f16"], "total greater", 2),
    ("first_bytes", [4, 1030], 1, ["i8"], "less", 5),
    ("first_unsigned", [9, 300], 1, ["ui8"], "less", 3),
    ("first_integers", [8, 256], 1, ["i32"], "greater", 4),
    ("first_vector", [5000], 0, ["f32"], "total greater", 7),
    ("first_of_columns", [90, 600], 0, ["bf16"], "total", 3),
    ("first_of_rows", [40, 90], 0, ["f32"], "total", 2),
    ("runs", [9, 2000], 1, ["i32", "f32"], "greater", 4),
    ("runs_alone", [8, 1030], 1, ["i32"], "less", 1),
    ("runs_long_row", [1, 5000], 1, ["f32", "i32"], "total", 2),
    ("runs_vector", [9000], 0, ["i32"], "greater", 3),
    ("runs_columns", [150, 60], 0, ["f32", "bf16"], "total", 5),
    ("runs_column_tiles", [70, 600], 0, ["i8", "i32"], "pair", 7),
    ("groups", [9, 9000], 1, ["f32"], "total greater", 50),
    ("groups_all_lanes", [8, 5000], 1, ["f32"], "total greater", 128),
    ("groups_of_one_row", [1, 9000], 1, ["f32"], "total greater", 40),
    ("groups_packed", [17, 8200], 1, ["f16"], "total greater", 60),
    ("groups_bytes", [33, 9000], 1, ["i8"], "less", 70, [1]),
    ("groups_of_levels", [8, 40000], 1, ["f32"], "total greater", 20),
    ("first_with_others", [12, 200], 1, ["f32", "i8"], "total", 9),
    ("jax_rows", [9, 300], 1, ["f32"], "jax", 0, [0]),
    ("jax_rows_down", [9, 129], 1, ["f32"], "jax greater", 0, [0]),
    ("jax_rows_packed", [21, 200], 1, ["bf16"], "jax", 0, [0]),
    ("jax_vector", [2500], 0, ["f32"], "jax", 0, [0]),
    ("jax_vector_half", [1025], 0, ["f16"], "jax greater", 0, [0]),
    ("jax_long_row", [2, 1500], 1, ["f32"], "jax greater", 0, [0]),
    ("jax_columns", [37, 130], 0, ["f32"], "jax", 0, [0]),
    ("jax_column_tiles", [13, 1100], 0, ["bf16"], "jax greater", 0, [0]),
    ("jax_few", [8, 1030], 1, ["f32"], "jax greater", 3, [0]),
    ("jax_positions", [9, 300], 1, ["f32"], "jax", 0, [1]),
    ("jax_both", [9, 300], 1, ["f32"], "jax", 0),
    ("jax_positions_packed", [17, 260], 1, ["bf16"], "jax", 0, [1]),
    ("jax_positions_down", [1500], 0, ["bf16"], "jax greater", 0, [1]),
    ("jax_with_another", [9, 140], 1, ["f32", "i32"], "jax", 0, [0, 1]),
    ("narrow_unsigned", [9, 300], 1, ["ui16"], "greater", 0),
    ("narrow_unsigned_up", [70, 600], 0, ["ui16"], "less", 0),
    ("narrow_signed", [3000], 0, ["i16"], "less", 0, [1]),
    ("narrow_half", [9, 200], 1, ["f16"], "total greater", 0),
    ("narrow_bytes", [40, 90], 0, ["i8"], "greater", 0, [1]),
    ("narrow_few", [9, 2000], 1, ["bf16"], "total greater", 20),
    ("greatest", [9, 300], 1, ["i32"], "less", 0, [1]),
    # Sublanes' bits of the order are bits of rows: 2^6 of them and more, few of which are beyond a tile's 2^7.
    ("one", [1], 0, ["f32", "i32"], "less", 0),
    ("words_8", [8000], 0, ["f32"], "total", 0),
    ("words_8_ragged", [4097], 0, ["i32", "f32"], "less", 0),
    ("words_16", [9001], 0, ["f32"], "jax greater", 0, [0]),
    ("words_32", [20000], 0, ["ui32"], "greater", 0),
    ("words_64", [65536], 0, ["f32"], "jax", 0, [0]),
    ("words_64_numbered", [40001], 0, ["i32"], "less", 0),
    ("words_128", [131071], 0, ["bf16"], "total greater", 0, [0]),
    ("words_of_rows", [3, 20000], 1, ["f32"], "jax", 0, [0]),
    ("words_of_rows_numbered", [2, 9000], 1, ["f32", "i8"], "total", 0),
    ("words_of_columns", [300, 130], 0, ["f32"], "jax", 0),
    ("words_of_columns_packed", [70, 140], 0, ["bf16"], "total greater", 0),
    ("words_of_columns_pair", [520, 40], 0, ["i8", "f32", "i32"], "pair", 0),
    # Many rows are turned: others lie along lanes.
    ("turned", [256, 300], 1, ["f32"], "jax", 0),
    ("turned_few_elements", [640, 70], 1, ["f32"], "total", 0),
    ("turned_last_rows", [200, 100], 1, ["f32"], "total greater", 0, [0]),
    ("turned_one_tile", [115, 80], 1, ["i16"], "less", 0, [1]),
    ("turned_first", [256, 500], 1, ["f32"], "total greater", 200),
    ("turned_numbers", [250, 500], 1, ["i32"], "greater", 0, [0]),
    ("turned_packed", [500, 250], 1, ["bf16", "i8"], "total greater", 0),
    ("turned_two", [379, 255], 1, ["i32", "f32"], "less", 0),
    ("turned_positions", [1030, 130], 1, ["f16"], "jax greater", 0, [1]),
    ("turned_pair", [128, 500], 1, ["i8", "i32"], "pair", 0),
    ("vregs_256", [8, 20000], 1, ["f32"], "total", 0, [0]),
]
# Sequences that are longer than this VMEM holds, in 3 blocks to 20.
LITTLE = ["--set=core.vmem_bytes=393216", "--set=core.kernel_vmem_bytes=393216"]
LONG = [
    ("parts", [60000], 0, ["f32"], "jax", 0, [0]),
    ("parts_before_rest", [33000], 0, ["i32"], "greater", 0, [0]),
    ("parts_numbered", [16000], 0, ["i32"], "less", 0),
    ("parts_packed", [65000], 0, ["bf16"], "total", 0, [0]),
    ("parts_or_equal", [12000], 0, ["i8"], "not greater", 0),
    ("parts_first", [16384], 0, ["f32"], "total", 9000),
    ("cut_vector", [20000], 0, ["i32", "f32"], "less", 0),
    ("cut_vector_packed", [40000], 0, ["ui8", "bf16"], "greater", 0),
    ("cut_vector_alone", [70000], 0, ["f32"], "total greater", 0),
    ("cut_rows", [9, 2500], 1, ["f32"], "total", 0),
    ("cut_rows_packed", [20, 1300], 1, ["bf16"], "total greater", 0),
    ("cut_long_rows", [3, 9000], 1, ["f32"], "total", 0),
    ("cut_two_keys", [12000], 0, ["i8", "f32", "i32"], "pair", 0),
    ("cut_or_equal", [2, 12000], 1, ["i8"], "not greater", 0),
    ("cut_columns", [1500, 40], 0, ["f32"], "total", 0),
    ("cut_few", [60000], 0, ["i32", "f32"], "greater", 3),
    ("cut_few_of_rows", [9, 5000], 1, ["f32", "i8"], "total", 2),
    ("cut_few_of_long_rows", [3, 20000], 1, ["i32", "bf16"], "less", 1),
    ("cut_few_packed", [50000], 0, ["i8"], "not greater", 4),
    ("cut_first", [30000], 0, ["f32", "i32"], "total", 9000),
    ("cut_first_of_rows", [5, 9000], 1, ["i32", "i32"], "greater", 700),
    ("cut_jax", [90000], 0, ["f32"], "jax", 0, [0]),
    ("cut_jax_of_rows", [9, 20000], 1, ["bf16"], "jax greater", 0, [0]),
    ("cut_jax_few", [120000], 0, ["f32"], "jax greater", 5, [0]),
    ("cut_narrow", [65536], 0, ["bf16"], "total", 0),
    ("cut_narrow_many", [65537], 0, ["ui16"], "greater", 0),
    ("cut_total_positions", [40000], 0, ["f32"], "total", 0),
]


def number(bits, element):
    """Of integers their value, of floats their place in the total order."""
    width = BITS[element]
    if element.startswith("ui"):
        return bits
    value = bits - (bits >> (width - 1) << width)
    return value if element.startswith("i") or value >= 0 else ~(value & ((1 << (width - 1)) - 1))


def is_nan(bits, element):
    return element in INFINITY and bits & ((1 << (BITS[element] - 1)) - 1) > INFINITY[element]


def key(values, types, how):
    first = number(values[0], types[0])
    if "jax" in how:
        if is_nan(values[0], types[0]):
            first = QUIET[types[0]]
        first = 0 if first == -1 else first
    if how == "pair":
        return (first, number(values[1], types[1]))
    return -first if "greater" in how and how != "not greater" else first


def sample(element, how, rng):
    width = BITS[element]
    if element[0] in "iu":
        return rng.choice([rng.getrandbits(width), rng.randrange(4), 1 << (width - 1), (1 << width) - 1])
    infinity = INFINITY[element]
    bits = rng.choice([rng.randrange(infinity), 0, infinity, infinity * 3 // 4])
    total = "total" in how or "jax" in how
    if total and rng.random() < 0.2:
        bits = QUIET[element] | 1
    # Zeros compare equal where the order isn't total, whatever their sign.
    return bits | (rng.getrandbits(1) << (width - 1) if bits or total else 0)


def lines(shape, dim):
    stride, count = 1, 1
    for extent in shape[dim + 1 :]:
        stride *= extent
    for extent in shape:
        count *= extent
    return [
        range(first, first + stride * shape[dim], stride) for first in range(count) if first // stride % shape[dim] == 0
    ], count


def encode(values, element):
    width = BITS[element] // 8
    return 'dense<"0x' + b"".join(v.to_bytes(width, "little") for v in values).hex().upper() + '">'


def comparator(types, how):
    arguments = ", ".join(f"%{side}{i}: tensor<{t}>" for i, t in enumerate(types) for side in "ab")

    def compare(direction, i, name):
        order = ", TOTALORDER" if types[i][0] in "fb" and ("total" in how or how == "pair") else ""
        return f"    %{name} = stablehlo.compare {direction}, %a{i}, %b{i}{order} : (tensor<{types[i]}>, tensor<{types[i]}>) -> tensor<i1>\n"

    if "jax" in how:
        kind, body = f"tensor<{types[0]}>", ""
        nan = f"0x{QUIET[types[0]]:X}"
        body += f"    %zero = stablehlo.constant dense<0.0> : {kind}\n"
        body += f"    %nan = stablehlo.constant dense<{nan}> : {kind}\n"
        for side in "ab":
            body += f"""    %{side}z = stablehlo.compare EQ, %{side}0, %zero, FLOAT : ({kind}, {kind}) -> tensor<i1>
    %{side}s = stablehlo.select %{side}z, %zero, %{side}0 : tensor<i1>, {kind}
    %{side}n = stablehlo.compare NE, %{side}0, %{side}0, FLOAT : ({kind}, {kind}) -> tensor<i1>
    %{side}k = stablehlo.select %{side}n, %nan, %{side}s : tensor<i1>, {kind}
"""
        direction = "GT" if "greater" in how else "LT"
        body += f"    %r = stablehlo.compare {direction}, %ak, %bk, TOTALORDER : ({kind}, {kind}) -> tensor<i1>\n"
    elif how == "pair":
        body = compare("LT", 0, "p") + compare("EQ", 0, "q") + compare("LT", 1, "s")
        body += "    %u = stablehlo.and %q, %s : tensor<i1>\n    %r = stablehlo.or %p, %u : tensor<i1>\n"
    else:
        body = compare({"not greater": "LE"}.get(how, "GT" if "greater" in how else "LT"), 0, "r")
    return f"  ^bb0({arguments}):\n{body}    stablehlo.return %r : tensor<i1>\n"


def module(case, rng):
    name, shape, dim, types, how, kept = case[:6]
    read = case[6] if len(case) > 6 else range(len(types) + 1)
    along, count = lines(shape, dim)
    operands = [
        [sample(t, how if i == 0 or how == "pair" else "total", rng) for _ in range(count)] for i, t in enumerate(types)
    ]
    sources = list(range(count))
    for line in along:
        ordered = sorted(line, key=lambda at: key([o[at] for o in operands], types, how))
        for at, source in zip(line, ordered):
            sources[at] = source
    place = {at: i for line in along for i, at in enumerate(line)}
    wanted = [[o[s] for s in sources] for o in operands] + [[place[s] for s in sources]]
    if kept:
        wanted = [[v for at, v in enumerate(w) if place[at] < kept] for w in wanted]
    types = types + ["i32"]
    dims = "x".join(map(str, shape))
    whole = [f"tensor<{dims}x{t}>" for t in types]
    few = [e if d != dim or not kept else kept for d, e in enumerate(shape)]
    text = "func.func @main() {\n"
    for i, (o, t) in enumerate(zip(operands, types)):
        text += f"  %c{i} = stablehlo.constant {encode(o, t)} : {whole[i]}\n  %x{i} = stablehlo.optimization_barrier %c{i} : {whole[i]}\n"
    text += f"  %x{len(operands)} = stablehlo.iota dim = {dim} : {whole[-1]}\n"
    results = ", ".join(whole)
    text += f'  %s:{len(types)} = "stablehlo.sort"({", ".join(f"%x{i}" for i in range(len(types)))}) <{{dimension = {dim} : i64}}> ({{\n{comparator(types, how)}'
    text += f"  }}) : ({results}) -> ({results})\n"
    for i, (w, t) in enumerate(zip(wanted, types)):
        if i not in read:
            continue
        if "jax" in how and list(read) == [0]:  # a NaN that is sorted alone keeps its sign only
            w = [v >> (BITS[t] - 1) << (BITS[t] - 1) | QUIET[t] if is_nan(v, t) else v for v in w]
        result, kind = f"%s#{i}", f"tensor<{'x'.join(map(str, few))}x{t}>"
        if kept:
            text += f"  %f{i} = stablehlo.slice %s#{i} [{', '.join(f'0:{e}' for e in few)}] : ({whole[i]}) -> {kind}\n"
            result = f"%f{i}"
        if t[0] in "fb":  # bits, so that NaNs and zeros are told apart
            bits = kind[: -len(t) - 1] + f"ui{BITS[t]}>"
            text += f"  %b{i} = stablehlo.bitcast_convert {result} : ({kind}) -> {bits}\n"
            if BITS[t] == 16:  # which a bitcast gives one NaN
                w = [QUIET[t] if v & 0x7FFF > INFINITY[t] else v for v in w]
            result, kind, t = f"%b{i}", bits, f"i{BITS[t]}"
        text += f"  check.expect_eq_const {result}, {encode(w, 'i' + str(8 * (BITS.get(t, 32) // 8)))} : {kind}\n"
    return text + "  return\n}\n"


def main(tpuc, folder):
    folder.mkdir(parents=True, exist_ok=True)
    for cases, targets, constants in [(CASES, TARGETS, []), (LONG, ["v4", "v5e"], LITTLE)]:
        rng, files = random.Random(1), []
        for case in cases:
            path = folder / f"{case[0]}.mlir"
            path.write_text(module(case, rng))
            files.append(str(path))
        for target in targets:
            done = subprocess.run(
                [tpuc, "run", *files, f"--target={target}", "--check", *constants], capture_output=True, text=True
            )
            if done.returncode:
                sys.exit(f"{target}: {done.stderr or done.stdout}")


if __name__ == "__main__":
    main(sys.argv[1], pathlib.Path(sys.argv[2]))
