#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""collectives.py TPUC FOLDER: collectives on 2, 3, 4 and 8 chips, of every type and form of groups, against lists.

Every case is a module whose processes have their operands and what they expect inside; FOLDER is where they are
written. Numbers are small and whole, so results are compared for equality."""

import itertools
import pathlib
import random
import sys

import cases

FLOATS = ("f32", "bf16", "f16", "f64")


def text(element, value):
    if element == "i1":
        return "true" if value else "false"
    if element.startswith("complex"):
        return f"({value}.0,{value + 1}.0)"
    return f"{value}.0" if element in FLOATS else str(value)


def count(shape):
    n = 1
    for d in shape:
        n *= d
    return n


def dense(element, shape, values):
    """A constant of row-major values."""
    if count(shape) == 0:
        return f"dense<> : tensor<{'x'.join(map(str, [*shape, element]))}>"

    def nest(begin, dims):
        if not dims:
            return text(element, values[begin])
        step = count(dims[1:])
        return "[" + ", ".join(nest(begin + i * step, dims[1:]) for i in range(dims[0])) + "]"

    return f"dense<{nest(0, shape)}> : {tensor(element, shape)}"


def tensor(element, shape):
    return f"tensor<{'x'.join(map(str, [*shape, element]))}>"


def split(values, shape, dim, parts):
    """Row-major values of the parts along a dim."""
    size = shape[dim] // parts
    out = [[] for _ in range(parts)]
    for index, value in zip(itertools.product(*map(range, shape)), values):
        out[index[dim] // size].append(value)
    return out


def join(pieces, shape, dim):
    """Pieces of `shape` one after the other along a dim."""
    whole = list(shape)
    whole[dim] *= len(pieces)
    strides = [count(shape[d + 1 :]) for d in range(len(shape))]
    out = []
    for index in itertools.product(*map(range, whole)):
        piece = index[dim] // shape[dim]
        local = list(index)
        local[dim] %= shape[dim]
        out.append(pieces[piece][sum(i * s for i, s in zip(local, strides))])
    return out


REDUCERS = {
    "add": lambda a, b: a + b,
    "maximum": max,
    "minimum": min,
    "multiply": lambda a, b: a * b,
    "and": lambda a, b: a & b,
    "or": lambda a, b: a | b,
    "first": lambda a, b: a,
}


def fold(reducer, lists):
    out = lists[0]
    for other in lists[1:]:
        out = [REDUCERS[reducer](a, b) for a, b in zip(out, other)]
    return out


def region(reducer, element):
    scalar = f"tensor<{element}>"
    body = (
        "stablehlo.return %a : " + scalar
        if reducer == "first"
        else f"%r = stablehlo.{reducer} %a, %b : {scalar} stablehlo.return %r : {scalar}"
    )
    return f"({{ ^bb0(%a: {scalar}, %b: {scalar}): {body} }})"


class Case:
    """One collective over a grid of replicas and partitions; groups are of device numbers."""

    def __init__(self, name, element, shape, replicas, partitions, groups, **how):
        self.name, self.element, self.shape = name, element, shape
        self.replicas, self.partitions, self.groups, self.how = (
            replicas,
            partitions,
            groups,
            how,
        )
        self.devices = replicas * partitions
        rng = random.Random(repr((name, element, shape, groups)))
        top = 2 if element == "i1" else 4
        self.inputs = [[rng.randrange(top) for _ in range(count(shape))] for _ in range(self.devices)]

    def attributes(self):
        """How the program spells the groups: by replicas, partitions or devices."""
        spelt = self.groups
        channel = ""
        if self.partitions == 1 and self.how.get("ids") != "global":
            pass  # replicas
        elif self.how.get("ids") == "global":
            channel = ", channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids"
        else:
            channel = ", channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>"
        width = max((len(g) for g in spelt), default=0)
        rows = [list(g) + [-1] * (width - len(g)) for g in spelt]
        kind = "source_target_pairs" if self.name == "collective_permute" else "replica_groups"
        listed = f"dense<{rows}> : tensor<{len(rows)}x{width}xi64>" if rows else "dense<> : tensor<0x2xi64>"
        return f"{kind} = {listed}{channel}"

    def member(self, device):
        for group in self.groups:
            if device in group:
                return group
        return None

    def expected(self, device):
        """Values and shape of a device's result."""
        how, shape = self.how, list(self.shape)
        if self.name == "collective_permute":
            source = [a for a, b in self.groups if b == device]
            return (self.inputs[source[0]] if source else None), shape
        group = self.member(device)
        if self.name == "collective_broadcast":
            return (self.inputs[group[0]] if group else None), shape
        values = [self.inputs[m] for m in group]
        if self.name == "all_reduce":
            return fold(how["reducer"], values), shape
        dim, size = how["dim"], len(group)
        if self.name == "all_gather":
            shape[dim] *= size
            return join(values, self.shape, dim), shape
        place = group.index(device)
        parts = [split(v, self.shape, dim, size)[place] for v in values]
        shape[dim] //= size
        if self.name == "reduce_scatter":
            return fold(how["reducer"], parts), shape
        to = how["to"]
        joined = join(parts, shape, to)
        shape[to] *= size
        return joined, shape

    def op(self, operand, result):
        how = self.how
        extra = {
            "all_gather": lambda: f"all_gather_dim = {how['dim']} : i64, ",
            "reduce_scatter": lambda: f"scatter_dimension = {how['dim']} : i64, ",
            "all_to_all": lambda: (
                f"split_dimension = {how['dim']} : i64, concat_dimension = {how['to']} : i64, "
                f"split_count = {len(self.groups[0])} : i64, "
            ),
        }.get(self.name, lambda: "")()
        body = region(how["reducer"], self.element) if "reducer" in how else ""
        return f'"stablehlo.{self.name}"(%x) {body} {{{extra}{self.attributes()}}} : ({operand}) -> {result}'

    def module(self):
        operand = tensor(self.element, self.shape)
        wanted = [self.expected(d) for d in range(self.devices)]
        result = tensor(self.element, wanted[0][1])
        lines = [
            "module {",
            f"  func.func @process(%x: {operand}) -> {result} {{",
            f"    %0 = {self.op(operand, result)}",
            f"    return %0 : {result}",
            "  }",
            "  func.func @main() {",
        ]
        for d, values in enumerate(self.inputs):
            lines.append(f"    %x{d} = stablehlo.constant {dense(self.element, self.shape, values)}")
        rows = ["[" + ", ".join(["@process"] * self.partitions) + "]" for _ in range(self.replicas)]
        lines.append(
            f'    %r:{self.devices} = "interpreter.run_parallel"({", ".join(f"%x{d}" for d in range(self.devices))}) '
            f"{{programs = [{', '.join(rows)}]}} : ({', '.join([operand] * self.devices)}) -> "
            f"({', '.join([result] * self.devices)})"
        )
        for d, (values, shape) in enumerate(wanted):
            if values is None:
                zero = {"complex<f32>": "(0.0,0.0)", "i1": "false"}.get(
                    self.element, "0.0" if self.element in FLOATS else "0"
                )
                constant = f"dense<{zero}> : {tensor(self.element, shape)}"
            else:
                constant = dense(self.element, shape, values)
            lines.append(f"    check.expect_eq_const %r#{d}, {constant}")
        return "\n".join([*lines, "    return", "  }", "}", ""])


def by(size, devices):
    return [list(range(i, i + size)) for i in range(0, devices, size)]


def strided(groups, devices):
    return [list(range(i, devices, groups)) for i in range(groups)]


def all_cases():
    yield Case("all_reduce", "f32", [5, 130], 1, 2, [[0, 1]], reducer="add", ids="global")
    yield Case("all_reduce", "bf16", [3, 7], 3, 1, [[0, 1, 2]], reducer="maximum")
    yield Case("all_reduce", "i1", [40], 1, 8, strided(2, 8), reducer="or", ids="global")
    yield Case("all_reduce", "i4", [9, 20], 1, 3, [[2, 0, 1]], reducer="minimum", ids="global")
    yield Case("all_reduce", "i64", [300], 1, 4, by(2, 4), reducer="add", ids="global")
    yield Case(
        "all_reduce",
        "f64",
        [2, 3],
        1,
        8,
        [list(range(8))],
        reducer="multiply",
        ids="global",
    )
    yield Case(
        "all_reduce",
        "complex<f32>",
        [4, 4],
        1,
        2,
        [[1, 0]],
        reducer="first",
        ids="global",
    )
    yield Case("all_reduce", "i32", [], 1, 8, [list(range(8))], reducer="add", ids="global")
    yield Case("all_reduce", "ui8", [33], 5, 1, [[0, 3, 4], [1], [2]], reducer="and")
    yield Case("all_reduce", "f32", [0, 4], 1, 2, [[0, 1]], reducer="add", ids="global")
    yield Case("all_gather", "f32", [3, 5], 1, 2, [[0, 1]], dim=1, ids="global")
    yield Case("all_gather", "bf16", [130], 1, 8, by(4, 8), dim=0, ids="global")
    yield Case("all_gather", "i1", [2, 3, 4], 1, 3, [[1, 2, 0]], dim=1, ids="global")
    yield Case("all_gather", "complex<f32>", [2, 2], 4, 1, by(2, 4), dim=0)
    yield Case("all_to_all", "f32", [4, 6], 1, 2, [[0, 1]], dim=1, to=0)
    yield Case("all_to_all", "i8", [8, 3], 8, 1, [list(range(8))], dim=0, to=1)
    yield Case("all_to_all", "f64", [6, 2], 1, 3, [[0, 1, 2]], dim=0, to=0)
    yield Case(
        "reduce_scatter",
        "f32",
        [8, 130],
        1,
        8,
        [list(range(8))],
        dim=0,
        reducer="add",
        ids="global",
    )
    yield Case(
        "reduce_scatter",
        "bf16",
        [3, 6],
        1,
        3,
        [[0, 2, 1]],
        dim=1,
        reducer="maximum",
        ids="global",
    )
    yield Case(
        "reduce_scatter",
        "i64",
        [4, 4],
        1,
        4,
        strided(2, 4),
        dim=1,
        reducer="add",
        ids="global",
    )
    yield Case(
        "collective_permute",
        "f32",
        [3, 140],
        1,
        8,
        [[i, (i + 1) % 8] for i in range(8)],
    )
    yield Case("collective_permute", "i4", [5, 6], 1, 3, [[0, 1], [1, 2]])
    yield Case("collective_permute", "f64", [7], 3, 1, [[2, 2], [0, 1]])
    yield Case("collective_permute", "i1", [4, 4], 1, 2, [])
    yield Case("collective_broadcast", "bf16", [2, 9], 1, 8, [[3, 1, 2], [5, 6, 7]])
    yield Case("collective_broadcast", "complex<f32>", [3], 1, 2, [[1, 0]])
    # So large that the reduction is in parts, of a size that they do not divide.
    yield Case(
        "all_reduce",
        "f32",
        [61, 700],
        1,
        8,
        [list(range(8))],
        reducer="add",
        ids="global",
    )


def main(tpuc, folder):
    programs = [(f"{i}-{c.name}-{c.element.strip('<>')}", c.module()) for i, c in enumerate(all_cases())]
    cases.run(tpuc, pathlib.Path(folder), programs)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
