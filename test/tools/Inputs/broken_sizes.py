#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""broken_sizes.py TPUC OUT: programs of open sizes, and sizes for them, that are broken in as many ways as there are
entries below. Each is refused with its exit code, a code and a message that says where and what."""

import os
import pathlib
import struct
import subprocess
import sys

from refused import check, report

tpuc, out = sys.argv[1], pathlib.Path(sys.argv[2])
out.mkdir(parents=True, exist_ok=True)
os.chdir(out)
V, M = "tensor<?xf32>", "tensor<?x?xf32>"


def program(ops, args, result=V, value="%0"):
    return f"func.func @main({args}) -> {result} {{\n  {ops}\n  return {value} : {result}\n}}\n"


def named(name, *dims, type_=None):
    type_ = type_ or "tensor<" + "?x" * len(dims) + "f32>"
    return f"%{name}: {type_} {{shapes.dims = [{', '.join(chr(34) + d + chr(34) for d in dims)}]}}"


def size(name="%b", of="%x", dim=0, type_=V):
    return f"{name} = stablehlo.get_dimension_size {of}, dim = {dim} : ({type_}) -> tensor<i32>\n  "


def claim(direction, number, message):
    """b against a number, or the program ends with its message."""
    return (
        f"%n = stablehlo.constant dense<{number}> : tensor<i32>\n  "
        f"%p = stablehlo.compare {direction}, %b, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>\n  "
        "stablehlo.custom_call @shape_assertion(%p, %b) {api_version = 2 : i32, has_side_effect = true, "
        f'error_message = "{message}"}} : (tensor<i1>, tensor<i32>) -> ()\n  '
    )


def vector(*names):
    """A shape operand %v of scalars."""
    lines = [f"%v{i} = stablehlo.reshape {n} : (tensor<i32>) -> tensor<1xi32>" for i, n in enumerate(names)]
    parts, types = ", ".join(f"%v{i}" for i in range(len(names))), ", ".join(["tensor<1xi32>"] * len(names))
    lines.append(f"%v = stablehlo.concatenate {parts}, dim = 0 : ({types}) -> tensor<{len(names)}xi32>")
    return "\n  ".join(lines) + "\n  "


X = named("x", "b")
ADD = f"%0 = stablehlo.add %x, %x : {V}"
GOOD = program(ADD, X)
TWO = program(f"%0 = stablehlo.add %x, %y : {V}", f"{named('x', 'b')}, {named('y', 's')}")
LINES = program(ADD, f"{X}, {named('y', '2*b')}")
IOTA = f"%0 = stablehlo.dynamic_iota %v, dim = 0 : (tensor<1xi32>) -> {V}"
ASSERTED = program(size() + claim("LE", 4, "at most 4 rows, not {0}") + ADD, X)
UNKNOWN = f"{size()}%0 = stablehlo.dynamic_iota %n, dim = 0 : (tensor<1xi32>) -> {V}"
BOUNDED = named("x", "b", type_="tensor<?xf32, #stablehlo.bounds<4>>")
RESHAPED = (
    "%c = stablehlo.constant dense<[3, 3]> : tensor<2xi32>\n  "
    f"%0 = stablehlo.dynamic_reshape %x, %c : ({V}, tensor<2xi32>) -> {M}"
)
NEGATIVE = (
    size()
    + "%n = stablehlo.constant dense<4> : tensor<i32>\n  %d = stablehlo.subtract %b, %n : tensor<i32>\n  "
    + vector("%d")
    + IOTA
)
SLICED = (
    "%f = stablehlo.constant dense<0> : tensor<1xi32>\n  %t = stablehlo.constant dense<6> : tensor<1xi32>\n  "
    "%o = stablehlo.constant dense<1> : tensor<1xi32>\n  "
    f"%0 = stablehlo.real_dynamic_slice %x, %f, %t, %o : ({V}, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> {V}"
)
TOP = (
    size() + "%n = stablehlo.constant dense<1> : tensor<i32>\n  %k = stablehlo.add %b, %n : tensor<i32>\n  "
    f"%t:2 = stablehlo.custom_call @stablehlo.dynamic_top_k(%x, %k) : ({V}, tensor<i32>) -> ({V}, tensor<?xi32>)"
)
CONCATENATED = program(
    f"%0 = stablehlo.concatenate %x, %y, dim = 0 : ({M}, {M}) -> {M}",
    f"{named('x', 'a', 'b')}, {named('y', 'a', 's')}", M,
)  # fmt: skip
GROWING = (
    f"%0 = stablehlo.while(%v = %x) : {V}\n  cond {{\n    stablehlo.return %p : tensor<i1>\n  }} do {{\n"
    f"    %1 = stablehlo.concatenate %v, %v, dim = 0 : ({V}, {V}) -> {V}\n    stablehlo.return %1 : {V}\n  }}"
)
DATA_ASSERTION = (
    "stablehlo.custom_call @shape_assertion(%p) {api_version = 2 : i32, has_side_effect = true, "
    'error_message = "data"} : (tensor<i1>) -> ()\n  '
)
SET = (
    "%n = stablehlo.constant dense<9> : tensor<i32>\n  "
    f"%0 = stablehlo.set_dimension_size %x, %n, dim = 0 : ({V}, tensor<i32>) -> {V}"
)
HUGE = (
    size() + "%w = stablehlo.convert %b : (tensor<i32>) -> tensor<i64>\n  "
    "%m = stablehlo.multiply %w, %w : tensor<i64>\n  %v = stablehlo.reshape %m : (tensor<i64>) -> tensor<1xi64>\n  "
    + IOTA.replace("1xi32", "1xi64")
)
HELD = f"{vector('%n')}{IOTA}"

# Name, program, flags of compile, exit code, what the message has to say.
PROGRAMS = [
    ("no size", GOOD, [], 2, r":1:\d+: error: .*dimension 0 of argument 0.*--dim=b=SIZE.*SHAPES-001"),
    ("one of two sizes", TWO, ["--dim=b=4"], 2, r":1:\d+: error: .*argument 1.*--dim=s=SIZE.*SHAPES-001"),
    ("a negative size", GOOD, ["--dim=b=-3"], 2, "size of 0 at least, but got 'b=-3'.*SHAPES-001"),
    ("a size of no number", GOOD, ["--dim=b=many"], 2, "but got 'b=many'.*SHAPES-001"),
    ("a size beyond 64 bits", GOOD, ["--dim=b=99999999999999999999"], 2, "SHAPES-001"),
    ("no equal sign", GOOD, ["--dim=b"], 2, "NAME=SIZE.*SHAPES-001"),
    ("a size twice", GOOD, ["--dim=b=3,b=4"], 2, "one size for 'b', but got 3 and 4.*SHAPES-001"),
    ("a symbol of no program", GOOD, ["--dim=b=3,q=4"], 2, "open sizes .b., but got 'q'.*SHAPES-001"),
    ("a size that makes another negative", program(ADD, named("x", "b - 7")), ["--dim=b=5"], 2, "got -2.*SHAPES-001"),
    ("an expression of no sense", program(ADD, named("x", "2*b +")), ["--dim=b=5"], 2, "expects a number.*SHAPES-001"),
    ("a division by zero", program(ADD, named("x", "floordiv(b, 0)")), ["--dim=b=5"], 2, "64 bits hold.*SHAPES-001"),
    ("beyond the bound", program(f"%0 = stablehlo.abs %x : {BOUNDED[4:39]}", BOUNDED, BOUNDED[4:39]),
     ["--dim=b=5"], 2, "to be 4 at most, its bound, but got 5.*SHAPES-001"),
    ("too few names", program(ADD, named("x", "b", "c", type_=V)), ["--dim=b=5"], 2, "to name 1 sizes.*SHAPES-001"),
    ("an assertion", ASSERTED, ["--dim=b=5"], 3, r":\d+:\d+: error: at most 4 rows, not 5.*SHAPES-002"),
    ("an assertion about data", program(DATA_ASSERTION + ADD, f"{X}, %p: tensor<i1>"), ["--dim=b=5"], 4,
     "assertion about sizes, but its predicate depends on data.*SHAPES-003"),
    ("sizes that contradict each other", TWO, ["--dim=b=4,s=5"], 2,
     r":2:\d+: error: .*contradict each other.*SHAPES-001"),
    ("a size of data", program(UNKNOWN, f"{X}, %n: tensor<1xi32>"), ["--dim=b=4"], 4,
     r":3:\d+: error: .*dynamic_iota.*SHAPES-003.*note: this depends on data"),
    ("an argument that is a size", program(HELD, f"{X}, %n: tensor<i32>"), ["--dim=b=4"], 2,
     "--dim=arg1=SIZE.*SHAPES-001"),
    ("a reshape to other elements", program(RESHAPED, X, M), ["--dim=b=4"], 2, r":3:\d+: error: .*got 9.*SHAPES-001"),
    ("a negative shape", program(NEGATIVE, X), ["--dim=b=2"], 2, r":7:\d+: error: .*-2.*SHAPES-001"),
    ("a slice beyond the end", program(SLICED, X), ["--dim=b=4"], 2, r":5:\d+: error: .*0 to 6.*SHAPES-001"),
    ("more than there are", program(TOP, X, V, "%t#0"), ["--dim=b=4"], 2, r":5:\d+: error: .*got 5.*SHAPES-001"),
    ("concatenation of other sizes", CONCATENATED, ["--dim=a=2,b=3,s=4"], 2, r":2:\d+: error: .*SHAPES-001"),
    ("a loop that grows", program(GROWING, f"{X}, %p: tensor<i1>"), ["--dim=b=4"], 4, "keep its size.*SHAPES-003"),
    ("a larger size set", program(SET, X), ["--dim=b=4"], 2, "4 at most, but got 9.*SHAPES-001"),
    ("2^62 elements", program(HUGE, X), ["--dim=b=2147483647"], 5, r":6:\d+: error: .*IMPORT-008"),
    ("2^40 rows", GOOD, ["--dim=b=1099511627776"], 5, r":1:\d+: error: .*FIT-001"),
    # Buckets.
    ("buckets of no symbol", GOOD, ["--bucket=q=4"], 2, "SHAPES-001"),
    ("buckets of one of two", TWO, ["--bucket=b=4"], 2, "--bucket=s=SIZES.*SHAPES-001"),
    ("buckets that descend", GOOD, ["--bucket=b=8,4"], 2, "ascending order.*SHAPES-001"),
    ("a bucket of size 0", GOOD, ["--bucket=b=0,4"], 2, "1 at least.*SHAPES-001"),
    ("a negative bucket", GOOD, ["--bucket=b=-4"], 2, "1 at least.*SHAPES-001"),
    ("a range upside down", GOOD, ["--bucket=b=9..4"], 2, "LEAST..MOST.*SHAPES-001"),
    ("a bucket beyond 2^31", GOOD, ["--bucket=b=4294967296"], 2, "SHAPES-001"),
    ("too many buckets", GOOD, ["--bucket=b=each:1..100000"], 2, "4096 buckets at most.*SHAPES-001"),
    ("a symbol twice", GOOD, ["--bucket=b=4", "--bucket=b=8"], 2, "each name once.*SHAPES-001"),
    ("a bucket beyond the bound", program(f"%0 = stablehlo.abs %x : {BOUNDED[4:39]}", BOUNDED, BOUNDED[4:39]),
     ["--bucket=b=1..8"], 2, "4 at most, its bound, but got 8.*SHAPES-001"),
    ("an assertion that no size fulfils", ASSERTED, ["--bucket=b=5..8"], 3, "at most 4 rows, not b.*SHAPES-002"),
    ("sizes that are never equal", program(f"%0 = stablehlo.add %x, %y : {V}", f"{X}, {named('y', 'b + 1')}"),
     ["--bucket=b=4"], 2, r":2:\d+: error: .*to be equal.*b \+ 1.*SHAPES-001"),
    ("a bucket and data's size", program(UNKNOWN, f"{X}, %n: tensor<1xi32>"), ["--bucket=b=4"], 4, "SHAPES-003"),
    ("a bucket and an argument's size", program(HELD, f"{X}, %n: tensor<i32>"), ["--bucket=b=4,8"], 2, "SHAPES-001"),
    ("a bucket too large for the chip", GOOD, ["--bucket=b=2147483647", "--target=v2"], 5, r":1:\d+: error: .*FIT-001"),
]  # fmt: skip

# Name, program, buckets, shapes of inputs, exit code, message.
RUNS = [
    ("beyond every bucket", GOOD, ["--bucket=b=4,8"], [(9,)], 2, "no bucket holds b=9.*SHAPES-004"),
    ("below every bucket", GOOD, ["--bucket=b=4..8"], [(3,)], 2, "no bucket holds b=3.*4 at least.*SHAPES-004"),
    ("zero rows", GOOD, ["--bucket=b=4,8"], [(0,)], 2, "no bucket holds b=0.*SHAPES-004"),
    ("inputs that contradict each other", LINES, ["--bucket=b=4"], [(3,), (5,)], 2, "argument 1.*SHAPES-00"),
    ("sizes that have to be equal", TWO, ["--bucket=b=4", "--bucket=s=4"], [(3,), (4,)], 2, "to be equal.*b=3, s=4"),
    ("another rank", GOOD, ["--bucket=b=4"], [(2, 2)], 2, "argument 0 expects b, but got 2x2.*SHAPES-004"),
    ("an assertion of some sizes", ASSERTED, ["--bucket=b=1..8"], [(5,)], 2, "at most 4 rows.*b=5.*SHAPES-004"),
    ("an input too few", TWO, ["--bucket=b=4", "--bucket=s=4"], [(3,)], 3, "INPUT-006|INPUT-004"),
    ("refined: contradiction", LINES, None, [(3,), (5,)], 2, r":1:\d+: error: .*to be 6.*but got 5.*SHAPES-001"),
    ("refined: no whole number", program(ADD, named("x", "2*b")), None, [(5,)], 2, "no size of b makes it 5.*-001"),
    ("refined: another rank", GOOD, None, [(2, 2)], 2, r":1:\d+: error: .*SHAPES-001"),
    ("refined: zero rows of an assertion", program(size() + claim("GE", 1, "a row at least, not {0}") + ADD, X), None,
     [(0,)], 3, "a row at least, not 0.*SHAPES-002"),
]  # fmt: skip


def save(path, shape):
    count = 1
    for d in shape:
        count *= d
    text = f"{{'descr': '<f4', 'fortran_order': False, 'shape': ({''.join(f'{d}, ' for d in shape)}), }}"
    text += " " * (-(len(text) + 11) % 64) + "\n"
    path.write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text)) + text.encode() + bytes(4 * count))


def run_problem(number, name, text, buckets, shapes, exits, message):
    folder = pathlib.Path(f"run{number}")
    folder.mkdir(exist_ok=True)
    (folder / "program.mlir").write_text(text)
    for i, shape in enumerate(shapes):
        save(folder / f"input.{i}.npy", shape)
    if buckets is None:
        return check(tpuc, name, ["run", str(folder)], exits, message)
    made = ["compile", str(folder / "program.mlir"), "-o", "run.tpuc", *buckets]
    done = subprocess.run([tpuc, *made], capture_output=True, text=True)
    if done.returncode:
        return f"{name}: {done.stderr}"
    return check(tpuc, name, ["run", "run.tpuc", "--data", str(folder)], exits, message)


problems = []
for name, text, flags, exits, message in PROGRAMS:
    pathlib.Path("program.mlir").write_text(text)
    problems.append(check(tpuc, name, ["compile", "program.mlir", "-o", "x.tpuc", *flags], exits, message))
problems += [run_problem(number, *entry) for number, entry in enumerate(RUNS)]
report(problems, least=50)
