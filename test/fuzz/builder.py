# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A random module of StableHLO as it grows: what is known of its values, the lines so far, the types.

A value carries what is known of it: `bound` on its magnitude and, for floats, `exact`: a whole number that every order
of operations gives. Ops with steps (comparisons, floor, sort, conversions to integers) take exact floats only:
elsewhere a rounding could change a result altogether, on either side. `ways` are the types of the floats that are not
exact on the way to it.

A module can be written once more for a reference to run, of the same ops on the same values:
 * `apart`: windows over padding that is an op of its own. XLA leaves it out, and tpuc has it count
   (docs/rationale/stablehlo.md).
 * `noise`: what an op may round wrongly as a factor of its results, or of the operands that it sums. Two further
   arguments say how much of it (0: none) and which.
"""

import math

FLOATS = ("f32", "bf16", "f16", "f64")
SIGNED = ("i8", "i16", "i32", "i64")
UNSIGNED = ("ui8", "ui16", "ui32", "ui64")
INTEGERS = SIGNED + UNSIGNED
REALS = FLOATS + INTEGERS
COMPLEX = "complex<f32>"
EXACT_LIMIT = {"f32": 2.0**20, "bf16": 2.0**7, "f16": 2.0**10, "f64": 2.0**50, COMPLEX: 2.0**20}
INFINITY = {"f32": 0x7F800000, "bf16": 0x7F80, "f16": 0x7C00, "f64": 0x7FF0000000000000}
SIGN = {element: 1 << (bits - 1) for element, bits in (("f32", 32), ("bf16", 16), ("f16", 16), ("f64", 64))}
EXTENTS = (1, 5, 8, 9, 16, 31, 64, 100, 127, 128, 129, 200, 256, 300, 513, 1000, 1024, 3000)
# What an op may be off by, of its result.
ROUNDING = {"f32": 2.0**-22, "bf16": 2.0**-8, "f16": 2.0**-10, "f64": 2.0**-50, COMPLEX: 2.0**-22}
MOVES = frozenset(
    """broadcast_in_dim reshape transpose slice pad concatenate reverse dynamic_slice dynamic_update_slice gather select
    clamp maximum minimum negate abs optimization_barrier constant real imag complex""".split()
)
HIGHEST = "precision_config = [#stablehlo<precision HIGHEST>, #stablehlo<precision HIGHEST>]"
LARGEST = {"f16": 2.0**14}  # what sums may come to; the other floats go far enough


def bits(element):
    return int(element.lstrip("uif"))


class Value:
    def __init__(self, name, element, shape, exact=False, bound=math.inf, ways=()):
        self.name, self.element, self.shape = name, element, tuple(shape)
        self.exact = exact and (element in INTEGERS + ("i1",) or bound <= EXACT_LIMIT[element])
        self.bound = bound
        rounds = element in ROUNDING and not self.exact
        self.ways = frozenset(ways) | {element} if rounds else frozenset(ways)

    @property
    def finite(self):
        return not (self.element in LARGEST and self.bound > LARGEST[self.element])

    @property
    def type(self):
        return tensor(self.element, self.shape)

    @property
    def size(self):
        return math.prod(self.shape)


def tensor(element, shape):
    return "tensor<" + "".join(f"{s}x" for s in shape) + element + ">"


def ways_of(values):
    return frozenset().union(*(v.ways for v in values))


def numbers(values):
    return "array<i64" + (": " + ", ".join(map(str, values)) if values else "") + ">"


def dense(values, shape):
    return f"dense<{values}> : {tensor('i64', shape)}"


def same(v, **more):
    return dict(exact=v.exact, bound=v.bound, **more)


class Builder:
    """One block: the values in scope and the lines so far."""

    def __init__(self, rng, parent=None, depth=0, large=False, apart=False, noise=False):
        self.rng, self.parent, self.depth = rng, parent, depth
        self.large = parent.large if parent else large
        self.apart, self.noise = (parent.apart, parent.noise) if parent else (apart, noise)
        self.lines, self.values = [], list(parent.values) if parent else []
        self.counter = parent.counter if parent else [0]

    # ---- writing -----------------------------------------------------------------------------------------------------

    def fresh(self):
        self.counter[0] += 1
        return f"%v{self.counter[0]}"

    def line(self, text):
        self.lines.append("  " * (self.depth + 2) + text)

    def op(self, name, operands, element, shape, attributes="", regions="", exact=False, bound=math.inf):
        result = Value(self.fresh(), element, shape, exact, bound, ways_of(operands))
        self.line(
            f'{result.name} = "stablehlo.{name}"({", ".join(v.name for v in operands)}){f" <{{{attributes}}}>" if attributes else ""}'
            f"{regions} : ({', '.join(v.type for v in operands)}) -> {result.type}"
        )
        return result if name in MOVES or result.exact else self.noisy(result)

    def noisy(self, v, terms=1):
        """v with what an op may be off by, or a sum of so many terms for the sake of one of them."""
        if not self.noise or v.element not in ROUNDING or not v.size:
            return v
        if v.element == COMPLEX:
            parts = [self.factor(self.raw(name, [v], "f32", v.shape), COMPLEX, terms) for name in ("real", "imag")]
            made = self.raw("complex", parts, COMPLEX, v.shape)
        else:
            made = self.factor(v, v.element, terms)
        return Value(made.name, v.element, v.shape, v.exact, v.bound, v.ways)

    def raw(self, name, operands, element, shape, attributes=""):
        result = Value(self.fresh(), element, shape)
        self.line(
            f'{result.name} = "stablehlo.{name}"({", ".join(v.name for v in operands)}){f" <{{{attributes}}}>" if attributes else ""}'
            f" : ({', '.join(v.type for v in operands)}) -> {result.type}"
        )
        return result

    def factor(self, v, element, terms):
        """v (1 + amount sin(i f + seed g)), i the element's number, of an amount that is the type's."""
        flat, number = (v.size,), self.counter[0]
        amount, seed = Value("%amount", "f64", ()), Value("%seed", "f64", ())
        number_of = lambda value, shape: self.raw(
            "constant", [], "f64", shape, f"value = dense<{value:e}> : {tensor('f64', shape)}"
        )
        spread = lambda x, by: self.raw(
            "broadcast_in_dim",
            [self.raw("multiply", [x, number_of(by, ())], "f64", ())],
            "f64",
            flat,
            "broadcast_dimensions = array<i64>",
        )
        place = self.raw(
            "multiply",
            [
                self.raw("iota", [], "f64", flat, "iota_dimension = 0 : i64"),
                number_of(12.9898 + number % 97 * 0.731, flat),
            ],
            "f64",
            flat,
        )
        wave = self.raw("sine", [self.raw("add", [place, spread(seed, 1.7 + number * 0.37)], "f64", flat)], "f64", flat)
        part = self.raw("multiply", [wave, spread(amount, ROUNDING[element] * math.sqrt(max(terms, 1)))], "f64", flat)
        scale = self.raw("reshape", [self.raw("add", [part, number_of(1, flat)], "f64", flat)], "f64", v.shape)
        return self.raw("multiply", [v, scale], v.element, v.shape)

    def constant(self, element, shape, value):
        """`value` is a number, or the bits of one."""
        plain = element in FLOATS and not isinstance(value, str)
        text = (
            f"({value:e}, {value + 1:e})"
            if element == COMPLEX
            else f"{float(value):e}"
            if plain
            else str(value).lower()
            if element == "i1"
            else str(value)
        )
        return self.op(
            "constant",
            [],
            element,
            shape,
            f"value = dense<{text}> : {tensor(element, shape)}",
            exact=True,
            bound=0 if isinstance(value, str) else abs(value),
        )

    def filled(self, like, value):
        return self.constant(like.element, like.shape, value)

    # ---- sizes -------------------------------------------------------------------------------------------------------

    @property
    def limit(self):
        """Elements of an array: few are quick, many have blocks, parts and rests."""
        return 600000 if self.large else 30000

    def extent(self, small):
        """The size of a dim: one of `small`, or in a large module mostly one about the sizes of tiles and blocks."""
        return self.rng.choice(EXTENTS if self.large and self.rng.random() < 0.7 else small)

    def affords(self, products):
        """Whether a contraction of so many products is quick enough."""
        return products <= (1e8 if self.large else 1e7)

    # ---- choosing ----------------------------------------------------------------------------------------------------

    def pick(self, test=lambda v: True):
        """A value that satisfies the test, later ones more often; nothing when there is none."""
        fitting = [v for v in self.values if test(v)]
        return fitting[int(len(fitting) * math.sqrt(self.rng.random()))] if fitting else None

    def partner(self, v):
        """Of the same type: another value, or a new one."""
        other = self.pick(lambda w: w.type == v.type and (w.exact or not v.exact))
        if other and self.rng.random() < 0.8:
            return other
        return self.filled(v, self.rng.choice([True, False]) if v.element == "i1" else self.rng.randint(0, 5))

    def tame(self, v):
        """Within [-8, 8], where it may be larger."""
        if v.element not in FLOATS or v.bound <= (30 if v.element in LARGEST else 1e3):
            return v
        return self.op("clamp", [self.filled(v, -8), v, self.filled(v, 8)], v.element, v.shape, exact=v.exact, bound=8)

    def grow(self, count):
        """Adds the values of `count` random rules."""
        rules, weights = zip(*RULES)
        while count:
            made = self.rng.choices(rules, weights)[0](self)
            made = [
                v
                for v in (made if isinstance(made, list) else [made])
                if v is not None and v.finite and v.size <= self.limit
            ]
            self.values += made
            count -= bool(made)


RULES = []  # (function of a builder, weight): its values, or nothing where it finds no operands


# ---- regions ---------------------------------------------------------------------------------------------------------


def least(element):
    return 0 if element in UNSIGNED else -(2 ** (bits(element) - 1))


def greatest(element):
    return 2 ** (bits(element) - (element in SIGNED)) - 1


def reducer(b, element):
    """The op of a reduction, the value that it starts from, and whether its bound grows with the number of elements.
    Mostly that value changes nothing; of others it counts that each is there once."""
    other, some = b.rng.random() < 0.35, b.rng.randint(0, 3)
    if element == "i1":
        name = b.rng.choice(["and", "or"])
        return name, (name == "and") != other, False
    if element in FLOATS:
        infinity, sign = INFINITY[element], SIGN[element]
        name, first, grows = b.rng.choice(
            [("add", 0, True), ("maximum", f"0x{infinity | sign:X}", False), ("minimum", f"0x{infinity:X}", False)]
        )
        return name, some if other else first, grows
    ones = -1 if element in SIGNED else greatest(element)
    name, first, grows = b.rng.choice(
        [
            ("add", 0, True),
            ("maximum", least(element), False),
            ("minimum", greatest(element), False),
            ("and", ones, False),
            ("or", 0, False),
            ("xor", 0, False),
            ("multiply", 1, True),
        ]
    )
    return name, some if other else first, grows


def reduced_bound(v, first, grows, count):
    start = 0 if isinstance(first, str) else abs(first)
    return v.bound * max(count, 1) + start if grows else max(v.bound, 100)


def scattered(b, operands, dims, name, bound):
    """`name` of an array and its updates at the indices, in operands."""
    v, _, updates = operands
    return b.op(
        "scatter",
        operands,
        v.element,
        v.shape,
        f"scatter_dimension_numbers = {dims}, indices_are_sorted = false, unique_indices = false",
        body_of(b, name, v.element),
        exact=v.exact and updates.exact,
        bound=bound,
    )


def body_of(b, name, element):
    x, y, z = (b.fresh() for _ in range(3))
    t = tensor(element, [])
    combined = lambda result, first, second: f'{result} = "stablehlo.{name}"({first}, {second}) : ({t}, {t}) -> {t}'
    lines = [combined(z, x, y)]
    if b.rng.random() < 0.15:
        # Branches that do the same. No loops: XLA:CPU ends the process.
        flag, here, there = (b.fresh() for _ in range(3))
        close = lambda result: f'"stablehlo.return"({result}) : ({t}) -> ()'
        lines = [
            f'{flag} = "stablehlo.compare"({x}, {y}) <{{comparison_direction = #stablehlo<comparison_direction '
            f"LT>}}> : ({t}, {t}) -> tensor<i1>",
            f'{z} = "stablehlo.if"({flag}) ({{',
            combined(here, x, y),
            close(here),
            "}, {",
            combined(there, y, x),
            close(there),
            f"}}) : (tensor<i1>) -> {t}",
        ]
    return (
        f" ({{\n    ^bb0({x}: {t}, {y}: {t}):\n      "
        + "\n      ".join(lines)
        + f'\n      "stablehlo.return"({z}) : ({t}) -> ()\n    }})'
    )
