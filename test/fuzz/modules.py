#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random valid modules of StableHLO: modules.py FIRST COUNT DIR writes DIR/SEED/program.mlir and its inputs for each
seed.

A rule adds an op, over the values of builder.py. Families of rules are modules: elementwise, reductions, indexing,
regions and wide. Domains are kept by what is added in front (log of |x| + 1).
"""

import math
import struct
import pathlib
import random
import sys

import builder
import elementwise
import indexing
import reductions
import regions
import wide
from builder import COMPLEX, FLOATS, REALS, UNSIGNED, Builder, Value, ways_of


# ---- control flow ----------------------------------------------------------------------------------------------------


def nested(b, count, wanted):
    """A block of a few ops that returns a value of the type `wanted`."""
    inner = Builder(b.rng, b, b.depth + 1)
    inner.grow(count)
    result = inner.pick(lambda v: v.type == wanted.type) or wanted
    if result.element in FLOATS:
        result = inner.tame(result)
    inner.line(f'"stablehlo.return"({result.name}) : ({result.type}) -> ()')
    return inner, result


def conditional(b):
    if b.depth > 1:
        return None
    flag = b.pick(lambda v: v.element == "i1" and v.shape == ())
    v = b.pick()
    which = flag or indexing.index_scalar(b)
    branches = [nested(b, b.rng.randint(1, 3), v) for _ in range(2 if flag else b.rng.randint(1, 3))]
    text = ", ".join("{\n" + "\n".join(inner.lines) + "\n" + "  " * (b.depth + 2) + "}" for inner, _ in branches)
    exact, bound = all(r.exact for _, r in branches), max(r.bound for _, r in branches)
    made = b.op("if" if flag else "case", [which], v.element, v.shape, regions=f" ({text})", exact=exact, bound=bound)
    return Value(made.name, v.element, v.shape, exact, bound, ways_of([made] + [r for _, r in branches]))


def loop(b):
    """while (i < n) carried = f(carried), of a few rounds; what is carried stays tame, and is no longer exact."""
    v = b.pick(lambda v: v.size and v.element in REALS)
    if b.depth or not v:
        return None
    v, trips, zero, t = (b.tame(v), b.rng.randint(0, 4), b.constant("i32", [], 0), "tensor<i32>")
    i, n, go, one, more = (b.fresh() for _ in range(5))
    inner = Builder(b.rng, b, b.depth + 1)
    carried = Value(b.fresh(), v.element, v.shape, False, 1e3, v.ways)
    inner.values.append(carried)
    inner.grow(b.rng.randint(1, 4))
    result = inner.tame(inner.pick(lambda w: w.type == v.type))
    counter = Value(i, "i32", [])
    indent = "  " * (b.depth + 2)
    condition = (
        f'{{\n{indent}^bb0({i}: {t}, {carried.name}: {v.type}):\n{indent}  {n} = "stablehlo.constant"() <{{value = '
        f"dense<{trips}> : {t}}}> : () -> {t}\n"
        f'{indent}  {go} = "stablehlo.compare"({i}, {n}) <{{comparison_direction = #stablehlo<comparison_direction '
        f"LT>}}> : ({t}, {t}) -> tensor<i1>\n"
        f'{indent}  "stablehlo.return"({go}) : (tensor<i1>) -> ()\n{indent}}}'
    )
    lines = "\n".join(inner.lines)
    body = (
        f'{{\n{indent}^bb0({i}: {t}, {carried.name}: {v.type}):\n{lines}\n{indent}  {one} = "stablehlo.constant"() '
        f"<{{value = dense<1> : {t}}}> : () -> {t}\n"
        f'{indent}  {more} = "stablehlo.add"({counter.name}, {one}) : ({t}, {t}) -> {t}\n'
        f'{indent}  "stablehlo.return"({more}, {result.name}) : ({t}, {v.type}) -> ()\n{indent}}}'
    )
    name = b.fresh()
    b.line(
        f'{name}:2 = "stablehlo.while"({zero.name}, {v.name}) ({condition}, {body}) : ({t}, {v.type}) -> ({t}, '
        f"{v.type})"
    )
    return Value(name + "#1", v.element, v.shape, False, 1e3, ways_of([v, result]))


builder.RULES += elementwise.RULES + reductions.RULES + indexing.RULES
builder.RULES += [(conditional, 1), (loop, 1)] + regions.RULES + wide.RULES


def generate(seed, apart=False, noise=False):
    """The text, the arguments and the results: values. Every fifth module is one of few ops on large arrays."""
    rng = random.Random(seed)
    b = Builder(rng, large=seed % 5 == 0, apart=apart, noise=noise)
    arguments = []
    for _ in range(rng.randint(1, 4)):
        element = rng.choice(
            ["f32"] * 8
            + ["bf16", "i32", "i32", "i8", "ui8", "i64", "i1", "i16", "ui32", "f16", "f64", "ui16", "ui64", COMPLEX]
        )
        shape = [b.extent([1, 2, 3, 4, 7, 8, 16, 33, 130]) for _ in range(rng.choice([0, 1, 2, 2, 3, 3, 4, 4, 5, 6]))]
        if shape and rng.random() < 0.02:
            shape[rng.randrange(len(shape))] = 0
        limit = rng.choice([3000, 100000, 600000] if b.large else [5000, 5000, 5000, 20000])
        while math.prod(shape) > limit:
            shape[shape.index(max(shape))] = max(shape) // 7 or 1 if b.large else 2
        exact = element not in FLOATS + (COMPLEX,) or rng.random() < 0.4
        arguments.append(
            Value(f"%arg{len(arguments)}", element, shape, exact, 1 if element == "i1" else 6 if exact else 2)
        )
    b.values += arguments
    b.grow(rng.randint(2, 7 if b.large else 16))
    made = b.values[len(arguments) :]
    results = [v for v in made if v.element in FORMATS and v.size][-4:] or [arguments[0]]
    heads = [f"{v.name}: {v.type}" for v in arguments] + ["%amount: tensor<f64>", "%seed: tensor<f64>"] * noise
    text = [
        "module @fuzz {",
        f"  func.func public @main({', '.join(heads)}) -> ({', '.join(v.type for v in results)}) {{",
    ]
    text += b.lines + [
        f"    return {', '.join(v.name for v in results)} : {', '.join(v.type for v in results)}",
        "  }",
        "}",
        "",
    ]
    return "\n".join(text), arguments, results


FORMATS = {
    "f32": ("<f4", "f"),
    "bf16": ("|V2", "H"),
    "i1": ("|b1", "?"),
    "i8": ("|i1", "b"),
    "ui8": ("|u1", "B"),
    "i16": ("<i2", "h"),
    "i32": ("<i4", "i"),
    "ui32": ("<u4", "I"),
    "i64": ("<i8", "q"),
    "f16": ("<f2", "e"),
    "f64": ("<f8", "d"),
    "ui16": ("<u2", "H"),
    "ui64": ("<u8", "Q"),
    COMPLEX: ("<c8", "f"),
}


def write_array(path, rng, element, shape, bound, exact):
    """An array of the argument's kind, as numpy.save would write it."""
    count = math.prod(shape) * (2 if element == COMPLEX else 1)
    if element == "i1":
        values = [rng.random() < 0.5 for _ in range(count)]
    elif exact:
        values = [rng.randint(0 if element in UNSIGNED else -int(bound), int(bound)) for _ in range(count)]
    else:
        values = [rng.uniform(-bound, bound) for _ in range(count)]
    if element == "bf16":
        values = [struct.unpack("<I", struct.pack("<f", v))[0] >> 16 for v in values]
    descr, code = FORMATS[element]
    header = f"{{'descr': '{descr}', 'fortran_order': False, 'shape': {tuple(shape)}, }}"
    header += " " * (-(len(header) + 11) % 64) + "\n"
    path.write_bytes(
        b"\x93NUMPY\x01\x00"
        + struct.pack("<H", len(header))
        + header.encode()
        + struct.pack(f"<{count}{code}", *values)
    )


def write(seed, folder):
    path = pathlib.Path(folder, str(seed))
    path.mkdir(parents=True, exist_ok=True)
    text, arguments, _ = generate(seed)
    (path / "program.mlir").write_text(text)
    rng = random.Random(seed)
    for i, v in enumerate(arguments):
        write_array(path / f"input.{i}.npy", rng, v.element, v.shape, v.bound, v.exact)
    return path


if __name__ == "__main__":
    first, count, folder = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
    for seed in range(first, first + count):
        write(seed, folder)
