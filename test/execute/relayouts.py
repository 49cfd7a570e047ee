#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""relayouts.py TPUC FOLDER: reshapes with transposes and broadcasts around them, against the same moves of lists.

Every case is a module with its operand and what it expects inside; FOLDER is where they are written."""

import itertools
import math
import pathlib
import random
import sys

import cases

# name, element, shape, moves: a shape to reshape to, ("t", permutation), ("b", dim, copies)
NAMED = [
    ("windows", "i16", (1, 24, 10, 24), [(1, 8, 3, 2, 5, 24), ("t", (0, 1, 3, 2, 4, 5)), (16, 15, 24)]),
    ("windows_back", "bf16", (16, 15, 24), [(1, 8, 2, 3, 5, 24), ("t", (0, 1, 3, 2, 4, 5)), (1, 24, 10, 24)]),
    ("pixels", "ui8", (2, 4, 9, 160), [(2, 4, 9, 2, 2, 40), ("t", (0, 1, 3, 2, 4, 5)), (2, 8, 18, 40)]),
    ("pixels_back", "f32", (1, 8, 18, 40), [(1, 4, 2, 9, 2, 40), ("t", (0, 1, 3, 2, 4, 5)), (1, 4, 9, 160)]),
    ("patches", "bf16", (2, 12, 20, 3), [(2, 3, 4, 5, 4, 3), ("t", (0, 1, 3, 2, 4, 5)), (2, 15, 48)]),
    ("heads", "bf16", (3, 20, 4, 128), [("b", 3, 5), (3, 20, 20, 128)]),
    ("tiles", "f32", (24, 256), [("b", 0, 3), ("b", 2, 2), (72, 512)]),
    ("straddling", "i1", (9, 3, 192), [(9, 9, 64), ("t", (1, 0, 2)), (81, 64)]),
    ("lanes", "i8", (3, 9, 200), [(3, 9, 5, 40), ("t", (2, 1, 0, 3)), (45, 120)]),
    ("long_rows", "i32", (11, 3, 384), [(11, 9, 128), ("t", (1, 0, 2)), (3, 3, 11, 128)]),
]
ELEMENTS = ("f32", "bf16", "f16", "i32", "i16", "i8", "ui8", "i1")


def type_of(shape, element):
    return f"tensor<{'x'.join(map(str, shape))}x{element}>"


def move(shape, index, step):
    """What a step makes of a shape, and of where each of its elements comes from."""
    if step[0] == "t":
        out = [shape[d] for d in step[1]]
        strides = [math.prod(shape[d + 1 :]) for d in step[1]]
        return out, [index[sum(i * s for i, s in zip(at, strides))] for at in itertools.product(*map(range, out))]
    if step[0] == "b":
        inner = math.prod(shape[step[1] :])
        outer = [index[i : i + inner] for i in range(0, len(index), inner)]
        out = [*shape[: step[1]], step[2], *shape[step[1] :]]
        return out, [i for part in outer for _ in range(step[2]) for i in part]
    return list(step), index


def text_of(shape, out, step, element, number):
    types = f"({type_of(shape, element)}) -> {type_of(out, element)}"
    if step[0] == "t":
        return f"  %{number + 1} = stablehlo.transpose %{number}, dims = {list(step[1])} : {types}\n"
    if step[0] == "b":
        dims = [d for d in range(len(out)) if d != step[1]]
        return f"  %{number + 1} = stablehlo.broadcast_in_dim %{number}, dims = {dims} : {types}\n"
    return f"  %{number + 1} = stablehlo.reshape %{number} : {types}\n"


def dense(values, shape, element):
    """A constant's text, in which nested lists follow the shape."""
    if element == "i1":
        words = ["true" if v % 3 == 0 else "false" for v in values]
    elif element in ("f32", "bf16", "f16"):
        words = [f"{v % 251}.0" for v in values]
    else:
        words = [str(v % (127 if element == "i8" else 251)) for v in values]
    for size in reversed(shape):
        words = ["[" + ", ".join(words[i : i + size]) + "]" for i in range(0, len(words), size)]
    return f"dense<{words[0]}>"


def module(element, shape, steps):
    index = list(range(math.prod(shape)))
    text = (
        "func.func @main() {\n"
        f"  %c = stablehlo.constant {dense(index, shape, element)} : {type_of(shape, element)}\n"
        f"  %0 = stablehlo.optimization_barrier %c : {type_of(shape, element)}\n"
    )
    for number, step in enumerate(steps):
        out, index = move(shape, index, step)
        text += text_of(shape, out, step, element, number)
        shape = out
    whole = type_of(shape, element)
    return text + f"  check.expect_eq_const %{len(steps)}, {dense(index, shape, element)} : {whole}\n  return\n}}\n"


def split(rng, size):
    divisors = [d for d in range(2, size) if size % d == 0]
    outer = rng.choice(divisors) if divisors else size
    return [outer, size // outer] if outer != size else [size]


def reshaped(rng, shape):
    parts = [p for size in shape for p in (split(rng, size) if rng.random() < 0.4 else [size])]
    out = [parts[0]]
    for part in parts[1:]:
        if rng.random() < 0.4:
            out[-1] *= part
        else:
            out.append(part)
    return tuple(out) if len(out) > 1 else (1, *out)


def made_up(rng):
    shape = [rng.choice((1, 2, 3, 8, 9, 11, 13, 16, 17)) for _ in range(rng.randrange(1, 4))]
    shape.append(rng.choice((3, 16, 40, 96, 128, 192, 256)))
    while math.prod(shape) > 9000:
        shape[rng.randrange(len(shape) - 1)] = 1
    steps, now = [], list(shape)
    for _ in range(rng.randrange(2, 5)):
        kind = rng.random()
        if kind < 0.5:
            step = reshaped(rng, now)
        elif kind < 0.8:
            step = ("t", (*rng.sample(range(len(now) - 1), len(now) - 1), len(now) - 1))
        else:
            step = ("b", rng.randrange(len(now)), rng.choice((2, 3, 5)))
        if step[0] == "b" and math.prod(now) * step[2] > 12000:
            continue
        steps.append(step)
        now = move(now, list(range(math.prod(now))), step)[0]
    return rng.choice(ELEMENTS), tuple(shape), steps


def main(tpuc, folder):
    rng = random.Random(1)
    modules = [(name, module(*case)) for name, *case in NAMED]
    modules += [(f"made_up{i}", module(*made_up(rng))) for i in range(30)]
    cases.run(tpuc, folder, modules)
    cases.run(tpuc, folder, modules, "--set=core.vmem_bytes=524288", "--set=core.kernel_vmem_bytes=131072")


if __name__ == "__main__":
    main(sys.argv[1], pathlib.Path(sys.argv[2]))
