#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random programs of open sizes, bucketed and refined: dynamic_programs.py TPUC FIRST COUNT DIR [--check] [--keep].

Each program runs at three sizes, once as an executable of one bucket that holds them all (padding is NaN there), once
compiled for that very size. Prints what differs and what was compiled for exact sizes only, and counts; exits 1 when
anything differs or fails. """

import ast
import pathlib
import random
import shutil
import struct
import subprocess
import sys

LEAST, MOST = 3, 9
ROWS = 5  # indices of an argument


class Value:
    def __init__(self, name, dims, element="f32"):
        self.name, self.dims, self.element = name, tuple(dims), element

    @property
    def type(self):
        return typed(self.dims, self.element)


def typed(dims, element="f32"):
    return "tensor<" + "".join(("?" if isinstance(d, str) else str(d)) + "x" for d in dims) + element + ">"


def size_of(dim, sizes):
    return eval(dim, {"floordiv": lambda a, b: a // b}, sizes) if isinstance(dim, str) else dim


class Program:
    def __init__(self, seed):
        self.rng = random.Random(seed)
        self.lines, self.values, self.arguments, self.known = [], [], [], {}
        self.count = 0
        shapes = [("b", 4), ("s", 4), ("b", "s"), ("b", "s", 3), ("s", "b"), ("2*b + 1", 4)]
        chosen = [("b", "s")] + self.rng.sample(shapes, 2)
        for i, dims in enumerate(chosen):
            self.arguments.append(Value(f"%arg{i}", dims))
        self.values = list(self.arguments)
        self.indices = Value("%arg3", (ROWS,), "i32")
        self.size("b"), self.size("s")
        for _ in range(self.rng.randint(3, 7)):
            rule = self.rng.choice(RULES)
            made = rule(self)
            if made is not None:
                self.values.append(made)
        self.results = self.values[-3:]

    # ---- text ----

    def fresh(self):
        self.count += 1
        return f"%{self.count}"

    def line(self, text, dims, element="f32"):
        value = Value(self.fresh(), dims, element)
        self.lines.append(f"{value.name} = {text}")
        return value

    def op(self, name, operands, dims, element="f32", attributes=""):
        types = ", ".join(v.type for v in operands)
        properties = f"<{{{attributes}}}>" if attributes else ""
        return self.line(
            f'"stablehlo.{name}"({", ".join(v.name for v in operands)}) {properties} : ({types}) -> {typed(dims, element)}',
            dims,
            element,
        )

    def constant(self, value, element="f32", shape=()):
        text = "".join(f"{d}x" for d in shape)
        return self.line(f"stablehlo.constant dense<{value}> : tensor<{text}{element}>", shape, element)

    def scalar_op(self, name, a, b):
        return self.op(name, [a, b], (), "i32")

    def size(self, dim):
        """A size as an i32, computed as a program would."""
        if dim in self.known:
            return self.known[dim]
        if isinstance(dim, int):
            value = self.constant(dim, "i32")
        elif dim in ("b", "s"):
            source = self.arguments[0]
            at = source.dims.index(dim)
            value = self.line(
                f"stablehlo.get_dimension_size {source.name}, dim = {at} : ({source.type}) -> tensor<i32>", (), "i32"
            )
        else:
            value = self.tree(ast.parse(dim, mode="eval").body)
        self.known[dim] = value
        return value

    def tree(self, node):
        if isinstance(node, ast.Constant):
            return self.size(node.value)
        if isinstance(node, ast.UnaryOp):
            return self.size(-node.operand.value)
        if isinstance(node, ast.Name):
            return self.size(node.id)
        if isinstance(node, ast.Call):
            return self.scalar_op("divide", self.tree(node.args[0]), self.tree(node.args[1]))
        name = {ast.Add: "add", ast.Sub: "subtract", ast.Mult: "multiply"}[type(node.op)]
        return self.scalar_op(name, self.tree(node.left), self.tree(node.right))

    def vector(self, dims):
        parts = [self.op("reshape", [self.size(d)], (1,), "i32") for d in dims]
        if not parts:
            return self.line("stablehlo.constant dense<> : tensor<0xi32>", (0,), "i32")
        return self.op("concatenate", parts, (len(parts),), "i32", "dimension = 0 : i64")

    # ---- pieces ----

    def pick(self, test=lambda v: True, rank=1):
        found = [v for v in self.values if v.element == "f32" and len(v.dims) >= rank and test(v)]
        return self.rng.choice(found[-4:] if self.rng.random() < 0.7 else found) if found else None

    def tame(self, v):
        return self.op("tanh", [v], v.dims)

    def broadcast(self, v, dims, to):
        return self.op(
            "dynamic_broadcast_in_dim",
            [v, self.vector(to)],
            to,
            v.element,
            f"broadcast_dimensions = array<i64: {', '.join(map(str, dims))}>".replace("array<i64: >", "array<i64>"),
        )

    def least(self, dim):
        return size_of(dim, {"b": LEAST, "s": LEAST})

    def reduce(self, v, dims, name, initial):
        kept = [d for i, d in enumerate(v.dims) if i not in dims]
        init = self.constant(initial)
        return self.line(
            f"stablehlo.reduce({v.name} init: {init.name}) applies stablehlo.{name} across dimensions = [{', '.join(map(str, dims))}] : ({v.type}, tensor<f32>) -> {typed(kept)}",
            kept,
        )

    def text(self):
        arguments = ", ".join(
            f"{a.name}: {a.type} {{shapes.dims = [{', '.join(chr(34) + str(d) + chr(34) for d in a.dims)}]}}"
            for a in self.arguments
        )
        body = "\n  ".join(self.lines)
        results = ", ".join(v.name for v in self.results)
        types = ", ".join(v.type for v in self.results)
        return f"func.func @main({arguments}, %arg3: tensor<{ROWS}xi32>) -> ({types}) {{\n  {body}\n  return {results} : {types}\n}}\n"


# ---- rules: each adds ops and gives a value, or nothing where no value fits ----


def unary(p):
    v = p.pick()
    return p.op(p.rng.choice(["tanh", "abs", "negate", "logistic", "cosine"]), [v], v.dims)


def binary(p):
    v = p.pick()
    w = p.pick(lambda w: w.dims == v.dims)
    return p.op(p.rng.choice(["add", "subtract", "multiply", "maximum", "minimum"]), [v, w], v.dims)


def reduction(p):
    v = p.pick()
    dims = sorted(p.rng.sample(range(len(v.dims)), p.rng.randint(1, len(v.dims))))
    name, initial = p.rng.choice(
        [
            ("add", "0.0"),
            ("maximum", "0xFF800000"),
            ("minimum", "0x7F800000"),
            ("multiply", "1.0"),
            ("add", "0.5"),
            ("maximum", "0.25"),
        ]
    )
    made = p.tame(p.reduce(v, dims, name, initial))
    if p.rng.random() < 0.5:
        return made
    spread = p.broadcast(made, [i for i in range(len(v.dims)) if i not in dims], v.dims)
    return p.op("subtract", [v, spread], v.dims)


def mean(p):
    v = p.pick()
    dim = p.rng.randrange(len(v.dims))
    total = p.reduce(v, [dim], "add", "0.0")
    size = p.op("convert", [p.size(v.dims[dim])], (), "f32")
    return p.op("divide", [total, p.broadcast(size, [], total.dims)], total.dims)


def softmax(p):
    v = p.pick()
    dim = p.rng.randrange(len(v.dims))
    others = [i for i in range(len(v.dims)) if i != dim]
    shifted = p.op("subtract", [v, p.broadcast(p.reduce(v, [dim], "maximum", "0xFF800000"), others, v.dims)], v.dims)
    powers = p.op("exponential", [shifted], v.dims)
    return p.op("divide", [powers, p.broadcast(p.reduce(powers, [dim], "add", "0.0"), others, v.dims)], v.dims)


def dot(p):
    v = p.pick(rank=2)
    if v is None or len(v.dims) != 2:
        return None
    dim = p.rng.randrange(2)
    w = p.pick(lambda w: len(w.dims) == 2 and w.dims[dim] == v.dims[dim], rank=2)
    dims = (v.dims[1 - dim], w.dims[1 - dim])
    return p.tame(
        p.line(
            f"stablehlo.dot_general {v.name}, {w.name}, contracting_dims = [{dim}] x [{dim}] : ({v.type}, {w.type}) -> {typed(dims)}",
            dims,
        )
    )


def merge(p):
    v = p.pick(rank=2)
    if v is None:
        return None
    at = p.rng.randrange(len(v.dims) - 1)
    a, b = v.dims[at], v.dims[at + 1]
    joined = a * b if isinstance(a, int) and isinstance(b, int) else f"({a})*({b})"
    dims = v.dims[:at] + (joined,) + v.dims[at + 2 :]
    made = p.op("dynamic_reshape", [v, p.vector(dims)], dims)
    if p.rng.random() < 0.5:
        return made
    return p.op("dynamic_reshape", [p.tame(made), p.vector(v.dims)], v.dims)


def transpose(p):
    v = p.pick(rank=2)
    if v is None:
        return None
    order = list(range(len(v.dims)))
    p.rng.shuffle(order)
    return p.op(
        "transpose", [v], [v.dims[i] for i in order], "f32", f"permutation = array<i64: {', '.join(map(str, order))}>"
    )


def concatenate(p):
    v = p.pick()
    dim = p.rng.randrange(len(v.dims))
    rest = lambda dims: dims[:dim] + dims[dim + 1 :]
    w = p.pick(lambda w: len(w.dims) == len(v.dims) and rest(w.dims) == rest(v.dims))
    a, b = v.dims[dim], w.dims[dim]
    joined = a + b if isinstance(a, int) and isinstance(b, int) else f"({a}) + ({b})"
    return p.op("concatenate", [v, w], v.dims[:dim] + (joined,) + v.dims[dim + 1 :], "f32", f"dimension = {dim} : i64")


def reverse(p):
    v = p.pick()
    dims = sorted(p.rng.sample(range(len(v.dims)), p.rng.randint(1, len(v.dims))))
    return p.op("reverse", [v], v.dims, "f32", f"dimensions = array<i64: {', '.join(map(str, dims))}>")


def pad(p):
    v = p.pick()
    dim = p.rng.randrange(len(v.dims))
    low, high, inner = p.rng.choice([(1, 2, 0), (0, 3, 0), (2, -1, 0), (-1, 1, 0), (1, 1, 1), (0, 0, 2)])
    old = v.dims[dim]
    new = (
        old + low + high + (old - 1) * inner if isinstance(old, int) else f"({old})*{inner + 1} + {low + high - inner}"
    )
    lists = [[x if i == dim else 0 for i in range(len(v.dims))] for x in (low, high, inner)]
    names = ("edge_padding_low", "edge_padding_high", "interior_padding")
    text = ", ".join(f"{n} = array<i64: {', '.join(map(str, l))}>" for n, l in zip(names, lists))
    return p.op("pad", [v, p.constant("0.75")], v.dims[:dim] + (new,) + v.dims[dim + 1 :], "f32", text)


def cut(p):
    v = p.pick()
    dim = p.rng.randrange(len(v.dims))
    old = v.dims[dim]
    if not isinstance(old, str) or p.least(old) < 3:
        return None
    start, end, stride = p.rng.choice([(1, 0, 1), (0, 1, 1), (1, 1, 2), (0, 0, 2)])
    if p.rng.random() < 0.3:  # from a place that depends on sizes
        half = f"floordiv({old}, 2)"
        new, begin, stride = f"({old}) - {half}", half, 1
        limits = v.dims
    else:
        new, begin = f"floordiv(({old}) - {end + start} + {stride - 1}, {stride})", start
        limits = v.dims[:dim] + (f"({old}) - {end}",) + v.dims[dim + 1 :]
    at = lambda x, other: [x if i == dim else other for i in range(len(v.dims))]
    dims = v.dims[:dim] + (new,) + v.dims[dim + 1 :]
    return p.op("real_dynamic_slice", [v, p.vector(at(begin, 0)), p.vector(limits), p.vector(at(stride, 1))], dims)


def index(p):
    first = p.line(
        f"stablehlo.slice {p.indices.name} [{p.rng.randrange(ROWS)}:{ROWS}:{ROWS}] : ({p.indices.type}) -> tensor<1xi32>",
        (1,),
        "i32",
    )
    return p.op("reshape", [first], (), "i32")


def starts(p, v):
    zero = p.constant(0, "i32")
    return [index(p) if p.rng.random() < 0.7 else zero for _ in v.dims]


def piece(p):
    v = p.pick()
    dims = tuple(p.rng.randint(1, max(1, min(3, p.least(d)))) for d in v.dims)
    if any(p.least(d) < 1 for d in v.dims):
        return None
    return p.op(
        "dynamic_slice", [v] + starts(p, v), dims, "f32", f"slice_sizes = array<i64: {', '.join(map(str, dims))}>"
    )


def update(p):
    v = p.pick()
    if any(p.least(d) < 3 for d in v.dims):
        return None
    w = p.pick(
        lambda w: (
            len(w.dims) == len(v.dims)
            and all(a == b or (isinstance(a, int) and a <= p.least(b)) for a, b in zip(w.dims, v.dims))
        )
    )
    if w is None:
        return None
    return p.op("dynamic_update_slice", [v, w] + starts(p, v), v.dims)


def gather(p):
    v = p.pick(rank=2)
    if v is None:
        return None
    sizes = (1,) + v.dims[1:]
    numbers = f"#stablehlo.gather<offset_dims = [{', '.join(str(i) for i in range(1, len(v.dims)))}], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>"
    return p.op(
        "dynamic_gather", [v, p.indices, p.vector(sizes)], (ROWS,) + v.dims[1:], "f32", f"dimension_numbers = {numbers}"
    )


def scatter(p):
    v = p.pick(rank=2)
    if v is None:
        return None
    updates = p.broadcast(p.constant("0.5"), [], (ROWS,) + v.dims[1:])
    windows = ", ".join(str(i) for i in range(1, len(v.dims)))
    numbers = f"#stablehlo.scatter<update_window_dims = [{windows}], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>"
    body = "({ ^bb0(%l: tensor<f32>, %r: tensor<f32>): %t = stablehlo.add %l, %r : tensor<f32> stablehlo.return %t : tensor<f32> })"
    return p.line(
        f'"stablehlo.scatter"({v.name}, {p.indices.name}, {updates.name}) <{{scatter_dimension_numbers = {numbers}}}> {body} : ({v.type}, {p.indices.type}, {updates.type}) -> {v.type}',
        v.dims,
    )


def sort(p):
    v = p.pick()
    dim = p.rng.randrange(len(v.dims))
    order = p.rng.choice(["LT", "GT"])
    body = f"({{ ^bb0(%l: tensor<f32>, %r: tensor<f32>): %t = stablehlo.compare {order}, %l, %r, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1> stablehlo.return %t : tensor<i1> }})"
    return p.line(
        f'"stablehlo.sort"({v.name}) <{{dimension = {dim} : i64, is_stable = true}}> {body} : ({v.type}) -> {v.type}',
        v.dims,
    )


def window(p):
    v = p.pick()
    dim = p.rng.randrange(len(v.dims))
    size, stride, low, high = p.rng.choice([(2, 1, 0, 0), (3, 1, 1, 1), (2, 2, 0, 1), (3, 2, 1, 0)])
    old = v.dims[dim]
    if p.least(old) + low + high < size:
        return None
    new = (
        (old + low + high - size) // stride + 1
        if isinstance(old, int)
        else f"floordiv(({old}) + {low + high - size}, {stride}) + 1"
    )
    at = lambda x, other: ", ".join(str(x if i == dim else other) for i in range(len(v.dims)))
    name, initial = p.rng.choice([("add", "0.0"), ("maximum", "0xFF800000"), ("maximum", "0.125")])
    init = p.constant(initial)
    padding = ", ".join(f"[{low}, {high}]" if i == dim else "[0, 0]" for i in range(len(v.dims)))
    body = f"({{ ^bb0(%l: tensor<f32>, %r: tensor<f32>): %t = stablehlo.{name} %l, %r : tensor<f32> stablehlo.return %t : tensor<f32> }})"
    attributes = f"window_dimensions = array<i64: {at(size, 1)}>, window_strides = array<i64: {at(stride, 1)}>, padding = dense<[{padding}]> : tensor<{len(v.dims)}x2xi64>"
    dims = v.dims[:dim] + (new,) + v.dims[dim + 1 :]
    return p.line(
        f'"stablehlo.reduce_window"({v.name}, {init.name}) <{{{attributes}}}> {body} : ({v.type}, tensor<f32>) -> {typed(dims)}',
        dims,
    )


def places(p):
    v = p.pick()
    dim = p.rng.randrange(len(v.dims))
    iota = p.op("dynamic_iota", [p.vector(v.dims)], v.dims, "f32", f"iota_dimension = {dim} : i64")
    return p.op(p.rng.choice(["add", "multiply", "maximum"]), [v, p.op("cosine", [iota], v.dims)], v.dims)


def loop(p):
    """Rows added up one by one, as many as there are."""
    v = p.pick(rank=2)
    if v is None or len(v.dims) != 2 or not isinstance(v.dims[1], int):
        return None
    row, end, zero = typed((v.dims[1],)), p.size(v.dims[0]), p.constant(0, "i32")
    start = p.op("broadcast_in_dim", [p.constant("0.0")], (v.dims[1],), "f32", "broadcast_dimensions = array<i64>")
    made = Value(p.fresh(), (v.dims[1],))
    p.lines.append(f"""{made.name}:3 = stablehlo.while(%i = {zero.name}, %sum = {start.name}, %all = {v.name}) : tensor<i32>, {row}, {v.type}
  cond {{
    %more = stablehlo.compare LT, %i, {end.name}, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %more : tensor<i1>
  }} do {{
    %one = stablehlo.constant dense<1> : tensor<i32>
    %from = stablehlo.constant dense<0> : tensor<i32>
    %row = stablehlo.dynamic_slice %all, %i, %from, sizes = [1, {v.dims[1]}]
      : ({v.type}, tensor<i32>, tensor<i32>) -> tensor<1x{v.dims[1]}xf32>
    %flat = stablehlo.reshape %row : (tensor<1x{v.dims[1]}xf32>) -> {row}
    %next = stablehlo.add %sum, %flat : {row}
    %then = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %then, %next, %all : tensor<i32>, {row}, {v.type}
  }}""")
    made.name += "#1"
    return p.tame(made)


RULES = [
    unary,
    binary,
    reduction,
    reduction,
    mean,
    softmax,
    dot,
    merge,
    transpose,
    concatenate,
    reverse,
    pad,
    cut,
    piece,
    update,
    gather,
    scatter,
    sort,
    window,
    places,
    loop,
]


# ---- running ----


def save(path, shape, numbers, kind):
    text = f"{{'descr': '<{kind}4', 'fortran_order': False, 'shape': ({''.join(f'{d}, ' for d in shape)}), }}"
    text += " " * (-(len(text) + 11) % 64) + "\n"
    path.write_bytes(
        b"\x93NUMPY\x01\x00"
        + struct.pack("<H", len(text))
        + text.encode()
        + struct.pack(f"<{len(numbers)}{'f' if kind == 'f' else 'i'}", *numbers)
    )


def write_inputs(program, sizes, folder, rng):
    for i, argument in enumerate(program.arguments):
        shape = [size_of(d, sizes) for d in argument.dims]
        count = 1
        for d in shape:
            count *= d
        save(folder / f"input.{i}.npy", shape, [rng.uniform(-2, 2) for _ in range(count)], "f")
    save(folder / "input.3.npy", [ROWS], [rng.randint(-2, MOST + 2) for _ in range(ROWS)], "i")


def run(*command):
    done = subprocess.run([str(c) for c in command], capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


def try_program(tpuc, seed, folder, check):
    """ "ok", "exact" or what went wrong."""
    program = Program(seed)
    folder.mkdir(parents=True)
    (folder / "program.mlir").write_text(program.text())
    precision = "--matmul-precision=highest"
    code, said = run(
        tpuc,
        "compile",
        folder / "program.mlir",
        "-o",
        folder / "all.tpuc",
        f"--bucket=b={LEAST}..{MOST}",
        f"--bucket=s={LEAST}..{MOST}",
        precision,
    )
    if code:
        return said
    if "remark:" in said:
        return "exact"
    rng = random.Random(seed)
    for number, sizes in enumerate(
        (
            {"b": LEAST, "s": MOST},
            {"b": MOST, "s": rng.randint(LEAST, MOST)},
            {"b": rng.randint(LEAST, MOST), "s": rng.randint(LEAST, MOST)},
        )
    ):
        data = folder / f"{number}-{sizes['b']}-{sizes['s']}"
        data.mkdir()
        write_inputs(program, sizes, data, rng)
        code, said = run(tpuc, "run", folder / "program.mlir", "--data", data, "--save", data, precision)
        if code:
            return f"refined at {sizes}: {said}"
        code, said = run(
            tpuc, "run", folder / "all.tpuc", "--data", data, "--tolerance=2e-5", *(["--check"] if check else [])
        )
        if code:
            return f"at {sizes}: {said}"
    return "ok"


def main():
    flags = [a for a in sys.argv[1:] if a.startswith("--")]
    tpuc, first, count, folder = [a for a in sys.argv[1:] if not a.startswith("--")]
    folder = pathlib.Path(folder)
    counts = {"ok": 0, "exact": 0, "wrong": 0}
    for seed in range(int(first), int(first) + int(count)):
        place = folder / str(seed)
        shutil.rmtree(place, ignore_errors=True)
        outcome = try_program(tpuc, seed, place, "--check" in flags)
        kind = outcome if outcome in counts else "wrong"
        counts[kind] += 1
        if kind != "ok":
            print(f"{seed}: {outcome.strip()}", flush=True)
        elif "--keep" not in flags:
            shutil.rmtree(place)
    print(", ".join(f"{number} {kind}" for kind, number in counts.items()))
    sys.exit(1 if counts["wrong"] else 0)


if __name__ == "__main__":
    main()
