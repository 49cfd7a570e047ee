# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A random program of open sizes as it grows: its values, the sizes that it computes, the lines so far.

A size is a number or an expression of the symbols; expressions that are equal for all sizes have one text. A value is
`exact` where no order of additions decides its bits; ops with steps (comparisons, floor, conversions to integers) take
exact values only. Padding is NaN in arguments, so that whatever reads it shows."""

import ast
import random

ROWS = 5  # indices of an argument
# The least and the most of b and s: few, beside a tile's sides, beyond them.
RANGES = [
    ((1, 5), (1, 6)),
    ((3, 9), (3, 9)),
    ((2, 8), (4, 16)),
    ((2, 4), (2, 12)),
    ((1, 4), (120, 133)),
    ((6, 18), (3, 7)),
    ((2, 6), (5, 7)),
]
ARGUMENTS = [
    ("b", 4),
    ("s", 4),
    ("b", "s"),
    ("s", "b"),
    ("b", "s", 3),
    ("b", 3, "s"),
    (2, "s", "b"),
    ("2*b + 1", 4),
    ("b + s",),
    ("b*s", 2),
    ("b + 2", 3),
    ("b", 6),
    ("s",),
    (1, "s"),
]
FLOATS = ("f32", "bf16", "f16")
INTEGERS = ("i32", "i64", "i8", "ui8", "i16", "ui32")
MOST_ELEMENTS = 6000


class Value:
    def __init__(self, name, dims, element="f32", exact=True):
        self.name, self.dims, self.element, self.exact = name, tuple(dims), element, exact

    @property
    def type(self):
        return typed(self.dims, self.element)

    @property
    def rank(self):
        return len(self.dims)


def typed(dims, element="f32"):
    return "tensor<" + "".join(("?" if isinstance(d, str) else str(d)) + "x" for d in dims) + element + ">"


def size_of(dim, sizes):
    names = {"floordiv": lambda a, b: a // b, "mod": lambda a, b: a % b, "max": max, "min": min}
    return eval(dim, names, sizes) if isinstance(dim, str) else dim


def array(numbers):
    return "array<i64" + (": " + ", ".join(map(str, numbers)) if numbers else "") + ">"


class Writer:
    def __init__(self, seed):
        self.rng = random.Random(seed)
        self.lines, self.values, self.arguments, self.functions = [], [], [], []
        self.known, self.texts, self.limits, self.count = {}, {}, {}, 0
        self.ranges = dict(zip("bs", self.rng.choice(RANGES)))
        grid = [range(least, most + 1) for least, most in self.ranges.values()]
        self.grid = [{"b": b, "s": s} for b in grid[0] for s in grid[1]]
        for dims in [("b", "s")] + self.rng.sample(ARGUMENTS, 2):
            self.argument(dims)
        self.indices = self.argument((ROWS,), "i32")
        self.rows = self.argument(("b",), "i32")
        self.number = self.argument((), "i32")
        self.size("b"), self.size("s")

    # ---- text ----

    def argument(self, dims, element="f32"):
        value = Value(f"%arg{len(self.arguments)}", [self.dim(d) for d in dims], element)
        self.arguments.append(value)
        self.values.append(value)
        return value

    def fresh(self):
        self.count += 1
        return f"%{self.count}"

    def line(self, text, dims, element="f32", exact=True):
        value = Value(self.fresh(), dims, element, exact)
        self.lines.append(f"{value.name} = {text}")
        return value

    def op(self, name, operands, dims, element="f32", attributes="", exact=True, regions=""):
        dialect = "" if "." in name else "stablehlo."
        types = ", ".join(v.type for v in operands)
        properties = f"<{{{attributes}}}> " if attributes else ""
        return self.line(
            f'"{dialect}{name}"({", ".join(v.name for v in operands)}) {properties}{regions} : ({types}) -> '
            f"{typed(dims, element)}",
            dims,
            element,
            exact and all(v.exact for v in operands),
        )

    def several(self, name, operands, results, attributes="", regions="", exact=True):
        """An op of several results, each (dims, element)."""
        name_ = self.fresh()
        exact = exact and all(v.exact for v in operands)
        types = ", ".join(v.type for v in operands)
        properties = f"<{{{attributes}}}> " if attributes else ""
        self.lines.append(
            f'{name_}:{len(results)} = "{name}"({", ".join(v.name for v in operands)}) {properties}{regions} : '
            f"({types})"
            f" -> ({', '.join(typed(*r) for r in results)})"
        )
        return [Value(f"{name_}#{i}", dims, element, exact) for i, (dims, element) in enumerate(results)]

    def constant(self, value, element="f32", dims=()):
        return self.line(f"stablehlo.constant dense<{value}> : {typed(dims, element)}", dims, element)

    def text(self):
        heads = []
        for a in self.arguments:
            names = ", ".join(f'"{d}"' for d in a.dims)
            open_ = any(isinstance(d, str) for d in a.dims)
            heads.append(f"{a.name}: {a.type}" + (f" {{shapes.dims = [{names}]}}" if open_ else ""))
        results = ", ".join(v.name for v in self.results)
        types = ", ".join(v.type for v in self.results)
        body = "\n  ".join(self.lines)
        return (
            f"func.func @main({', '.join(heads)}) -> ({types}) {{\n  {body}\n  return {results} : {types}\n}}\n"
            + "".join(self.functions)
        )

    # ---- sizes ----

    def dim(self, text):
        """The one text, or the number, of all expressions that are equal to this one."""
        if isinstance(text, int):
            return text
        found = tuple(size_of(text, sizes) for sizes in self.grid)
        if len(set(found)) == 1:
            return found[0]
        text = self.texts.setdefault(found, text)
        self.limits[text] = (min(found), max(found))
        return text

    def least(self, dim):
        return self.limits[dim][0] if isinstance(dim, str) else dim

    def most(self, dim):
        return self.limits[dim][1] if isinstance(dim, str) else dim

    def fits(self, dims):
        count = 1
        for d in dims:
            count *= max(self.most(d), 1)
        return count <= MOST_ELEMENTS

    def size(self, dim):
        """A size as an i32, computed as a program would."""
        if dim not in self.known:
            if isinstance(dim, int):
                self.known[dim] = self.constant(dim, "i32")
            elif dim in ("b", "s"):
                source = self.arguments[0]
                self.known[dim] = self.op(
                    "get_dimension_size", [source], (), "i32", f"dimension = {source.dims.index(dim)} : i64"
                )
            else:
                self.known[dim] = self.tree(ast.parse(dim, mode="eval").body)
        return self.known[dim]

    def tree(self, node):
        if isinstance(node, ast.Constant):
            return self.size(node.value)
        if isinstance(node, ast.UnaryOp):
            return self.size(-node.operand.value)
        if isinstance(node, ast.Name):
            # A symbol of one size is a number.
            least, most = self.ranges[node.id]
            return self.size(node.id if least < most else least)
        if isinstance(node, ast.Call):
            a, b = (self.tree(x) for x in node.args)
            if node.func.id == "floordiv":
                return self.floor_divided(a, b)
            return self.scalar({"mod": "remainder", "max": "maximum", "min": "minimum"}[node.func.id], a, b)
        name = {ast.Add: "add", ast.Sub: "subtract", ast.Mult: "multiply"}[type(node.op)]
        return self.scalar(name, self.tree(node.left), self.tree(node.right))

    def scalar(self, name, a, b, element="i32"):
        return self.op(name, [a, b], (), element)

    def floor_divided(self, a, b):
        """As a plain quotient, or as JAX writes it."""
        whole = self.scalar("divide", a, b)
        if self.rng.random() < 0.5:
            return whole
        rest, zero, one = self.scalar("remainder", a, b), self.constant(0, "i32"), self.constant(1, "i32")
        signs = self.compared("NE", self.op("sign", [a], (), "i32"), self.op("sign", [b], (), "i32"))
        both = self.scalar("and", signs, self.compared("NE", rest, zero), "i1")
        return self.op("select", [both, self.scalar("subtract", whole, one), whole], (), "i32")

    def compared(self, direction, a, b):
        return self.op(
            "compare", [a, b], a.dims, "i1", f"comparison_direction = #stablehlo<comparison_direction {direction}>"
        )

    def vector(self, dims):
        """A shape as an operand."""
        if not dims:
            return self.line("stablehlo.constant dense<> : tensor<0xi32>", (0,), "i32")
        parts = [self.op("reshape", [self.size(d)], (1,), "i32") for d in dims]
        return self.op("concatenate", parts, (len(parts),), "i32", "dimension = 0 : i64")

    # ---- values ----

    def pick(self, test=lambda v: True, elements=("f32",), exact=False):
        fits = lambda v: v.element in elements and (v.exact or not exact) and test(v)
        found = [v for v in self.values if fits(v)]
        return self.rng.choice(found[-4:] if self.rng.random() < 0.6 else found) if found else None

    def array(self, rank=1, most=9, test=lambda v: True, exact=False):
        """A float array, of at least and at most so many dims."""
        return self.pick(lambda v: rank <= v.rank <= most and test(v), exact=exact)

    def broadcast(self, v, dims, to):
        attributes = f"broadcast_dimensions = {array(dims)}"
        return self.op("dynamic_broadcast_in_dim", [v, self.vector(to)], to, v.element, attributes)

    def filled(self, value, dims, element="f32"):
        return self.broadcast(self.constant(value, element), [], dims)

    def iota(self, dims, dim, element="f32"):
        return self.op("dynamic_iota", [self.vector(dims)], dims, element, f"iota_dimension = {dim} : i64")

    def like(self, dims, element="f32", exact=False):
        """A value of these dims: one that is there, or a new one."""
        found = self.pick(lambda v: v.dims == tuple(dims), (element,), exact)
        if found and self.rng.random() < 0.8:
            return found
        part = self.pick(lambda v: v.rank == 1 and v.dims[0] in dims, (element,), exact)
        if part and self.rng.random() < 0.7:
            return self.broadcast(part, [list(dims).index(part.dims[0])], dims)
        if not dims:
            return self.constant(self.rng.choice(["0.5", "-1.25"]) if element in FLOATS else 1, element)
        dim = self.rng.randrange(len(dims))
        if element == "i1":
            return self.compared("LT", self.like(dims, exact=True), self.like(dims, exact=True))
        places = self.iota(dims, dim, element)
        return self.op("cosine", [places], dims, element) if element in FLOATS else places

    def tame(self, v):
        return self.op("tanh", [v], v.dims, v.element)

    def rough(self, v):
        """The value of a sum, whose order the program's size may decide."""
        return Value(v.name, v.dims, v.element, v.exact and v.element not in FLOATS)

    def body(self, name, element="f32"):
        """A region of one op."""
        t = typed((), element)
        return (
            f'({{ ^bb0(%l: {t}, %r: {t}): %t = stablehlo.{name} %l, %r : {t} "stablehlo.return"(%t) : ({t}) -> () }})'
        )

    def reduce(self, v, dims, name, initial):
        kept = [d for i, d in enumerate(v.dims) if i not in dims]
        init = self.constant(initial, v.element)
        made = self.op(
            "reduce", [v, init], kept, v.element, f"dimensions = {array(dims)}", regions=self.body(name, v.element)
        )
        return self.rough(made) if name in ("add", "multiply") else made

    def plus(self, a, b):
        return self.dim(a + b if isinstance(a, int) and isinstance(b, int) else f"({a}) + ({b})")

    def times(self, a, b):
        return self.dim(a * b if isinstance(a, int) and isinstance(b, int) else f"({a})*({b})")

    def quotient(self, a, number):
        return self.dim(a // number if isinstance(a, int) else f"floordiv({a}, {number})")

    def change(self, dims, at, dim):
        return tuple(dims[:at]) + (dim,) + tuple(dims[at + 1 :])

    def permuted(self, v, order):
        return self.op("transpose", [v], [v.dims[i] for i in order], v.element, f"permutation = {array(order)}")

    def concatenated(self, values, dim):
        total = 0
        for v in values:
            total = self.plus(total, v.dims[dim])
        dims = self.change(values[0].dims, dim, total)
        return self.op("concatenate", values, dims, values[0].element, f"dimension = {dim} : i64")

    def sliced(self, v, starts, limits, strides, dims):
        """A slice of sizes that are computed."""
        return self.op(
            "real_dynamic_slice", [v, self.vector(starts), self.vector(limits), self.vector(strides)], dims, v.element
        )

    def reshaped(self, v, dims):
        return self.op("dynamic_reshape", [v, self.vector(dims)], dims, v.element)
