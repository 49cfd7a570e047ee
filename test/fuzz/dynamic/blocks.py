# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rules of loops and branches: as many rounds as a size says, scans, caches that grow, choices by sizes and data."""

from writer import Value, typed

I, F, B = "tensor<i32>", "tensor<f32>", "tensor<i1>"


def loop(p, end, carried, body):
    """while i < end; `carried` are values, `body` the lines and the names of what follows them, of %i and %cN.
    The last values."""
    name = p.fresh()
    heads = ", ".join([f"%i = {p.size(0).name}"] + [f"%c{k} = {v.name}" for k, v in enumerate(carried)])
    types = ", ".join([I] + [v.type for v in carried])
    lines, ends = body
    inner = "\n    ".join(lines)
    p.lines.append(f"""{name}:{len(carried) + 1} = stablehlo.while({heads}) : {types}
  cond {{
    %more = stablehlo.compare LT, %i, {end.name}, SIGNED : ({I}, {I}) -> {B}
    stablehlo.return %more : {B}
  }} do {{
    %one = stablehlo.constant dense<1> : {I}
    %from = stablehlo.constant dense<0> : {I}
    {inner}
    %then = stablehlo.add %i, %one : {I}
    stablehlo.return %then, {", ".join(ends)} : {types}
  }}""")
    exact = all(v.exact for v in carried)
    return [Value(f"{name}#{k + 1}", v.dims, v.element, exact) for k, v in enumerate(carried)]


def matrix(p):
    return p.array(rank=2, most=2, test=lambda v: isinstance(v.dims[1], int) and p.least(v.dims[0]) >= 1)


def row_of(v, source, at="%i"):
    """Lines that give %flat, row `at` of a matrix."""
    row = typed((v.dims[1],))
    slice_ = f"{source}, {at}, %from, sizes = [1, {v.dims[1]}] : ({v.type}, {I}, {I}) -> tensor<1x{v.dims[1]}xf32>"
    return [
        f"%row = stablehlo.dynamic_slice {slice_}",
        f"%flat = stablehlo.reshape %row : (tensor<1x{v.dims[1]}xf32>) -> {row}",
    ]


def sum_rows(p):
    """Rows added up one by one, as many as there are."""
    v = matrix(p)
    if v is None:
        return None
    start = p.op("broadcast_in_dim", [p.constant("0.0")], (v.dims[1],), "f32", "broadcast_dimensions = array<i64>")
    lines = row_of(v, "%c1") + [f"%next = stablehlo.add %c0, %flat : {start.type}"]
    return p.tame(loop(p, p.size(v.dims[0]), [start, v], (lines, ["%next", "%c1"]))[0])


def scan(p):
    """A carry, and an array of what was made of each row; from the end where `back`."""
    v = matrix(p)
    if v is None:
        return None
    width, end = v.dims[1], p.size(v.dims[0])
    start, out = p.like((width,)), p.filled("0.0", v.dims)
    last = p.scalar("subtract", end, p.size(1))
    back = p.rng.random() < 0.4
    at = "%at" if back else "%i"
    lines = ([f"%at = stablehlo.subtract {last.name}, %i : {I}"] if back else []) + row_of(v, "%c1", at)
    lines += [
        f"%sum = stablehlo.add %c0, %flat : {start.type}",
        f"%next = stablehlo.tanh %sum : {start.type}",
        f"%piece = stablehlo.reshape %next : ({start.type}) -> tensor<1x{width}xf32>",
        f"%all = stablehlo.dynamic_update_slice %c2, %piece, {at}, %from : ({v.type}, tensor<1x{width}xf32>, {I}, "
        f"{I}) -> {v.type}",
    ]
    carry, _, all_ = loop(p, end, [start, v, out], (lines, ["%next", "%c1", "%all"]))
    p.values.append(carry)
    return all_


def repeated(p):
    """A function of the whole array, a few times or as often as a size says; sums over open dims in it."""
    v = p.array(test=lambda v: all(p.least(d) for d in v.dims))
    if v is None:
        return None
    inner = p.__class__.__new__(p.__class__)
    inner.__dict__.update(p.__dict__)
    inner.lines, inner.known, inner.values = [], dict(p.known), [Value("%c0", v.dims, "f32", v.exact)]
    made = inner.op("tanh", [inner.values[0]], v.dims)
    dims = sorted(p.rng.sample(range(v.rank), p.rng.randint(1, v.rank)))
    if p.rng.random() < 0.6:
        total = inner.reduce(made, dims, *p.rng.choice([("add", "0.0"), ("maximum", "0xFF800000")]))
        kept = [i for i in range(v.rank) if i not in dims]
        made = inner.op("subtract", [made, inner.broadcast(inner.tame(total), kept, v.dims)], v.dims)
    else:
        made = inner.op("reverse", [made], v.dims, attributes=f"dimensions = array<i64: {dims[0]}>")
    p.count = inner.count
    end = (
        p.size(p.rng.choice(["b", "s", 3]))
        if p.rng.random() < 0.7
        else p.op("clamp", [p.size(0), p.number, p.size(4)], (), "i32")
    )
    start = Value(v.name, v.dims, "f32", v.exact and made.exact)
    return loop(p, end, [start], (inner.lines, [made.name]))[0]


def cache(p):
    """Rows written behind each other, and what is seen of them each time: a decoder's steps."""
    v = matrix(p)
    if v is None:
        return None
    width, out = v.dims[1], p.filled("0.0", v.dims)
    end, zero = p.size(v.dims[0]), p.constant("0.0")
    shape, flags = typed(v.dims), typed(v.dims, "i1")
    seen = p.iota(v.dims, 0, "i32")
    start = p.like((width,))
    lines = row_of(v, "%c1") + [
        f"%new = stablehlo.add %c0, %flat : {start.type}",
        f"%piece = stablehlo.reshape %new : ({start.type}) -> tensor<1x{width}xf32>",
        f"%kept = stablehlo.dynamic_update_slice %c2, %piece, %i, %from : ({shape}, tensor<1x{width}xf32>, {I}, {I}) "
        f"-> {shape}",
        f"%shape = stablehlo.constant dense<0> : {I}",
        f"%now = stablehlo.dynamic_broadcast_in_dim %i, {p.vector(v.dims).name}, dims = [] : ({I}, tensor<2xi32>) -> "
        f"{typed(v.dims, 'i32')}",
        f"%old = stablehlo.compare LE, {seen.name}, %now : ({seen.type}, {seen.type}) -> {flags}",
        f"%none = stablehlo.dynamic_broadcast_in_dim {zero.name}, {p.vector(v.dims).name}, dims = [] : ({F}, "
        f"tensor<2xi32>) -> {shape}",
        f"%part = stablehlo.select %old, %kept, %none : {flags}, {shape}",
        f"%sum = stablehlo.reduce(%part init: {zero.name}) applies stablehlo.add across dimensions = [0] : ({shape}, "
        f"{F}) -> {start.type}",
        f"%next = stablehlo.tanh %sum : {start.type}",
    ]
    rough = Value(start.name, start.dims, "f32", False)
    return loop(p, end, [rough, v, out], (lines, ["%next", "%c1", "%kept"]))[2]


def until(p):
    """A loop that data ends, over all that is there."""
    v = p.array(test=lambda v: all(p.least(d) for d in v.dims), exact=True)
    if v is None:
        return None
    name, limit = p.fresh(), p.constant("0.4")
    low, half = p.constant("0xFF800000"), p.filled("0.5", v.dims)
    size = p.op("abs", [p.tame(v)], v.dims)
    over = ", ".join(map(str, range(v.rank)))
    p.lines.append(f"""{name} = stablehlo.while(%c0 = {size.name}) : {v.type}
  cond {{
    %most = stablehlo.reduce(%c0 init: {low.name}) applies stablehlo.maximum across dimensions = [{over}]
      : ({v.type}, {F}) -> {F}
    %more = stablehlo.compare GT, %most, {limit.name} : ({F}, {F}) -> {B}
    stablehlo.return %more : {B}
  }} do {{
    %next = stablehlo.multiply %c0, {half.name} : {v.type}
    stablehlo.return %next : {v.type}
  }}""")
    return Value(name, v.dims, "f32", v.exact)


def branch(p):
    """By a size, or by data."""
    v = p.array()
    other = p.like(v.dims)
    if p.rng.random() < 0.5:
        test = p.compared("GE", p.size(p.rng.choice(v.dims)), p.size(4))
    else:
        test = p.compared("LT", p.number, p.size(2))
    t = v.type
    text = (
        f"({{ %t = stablehlo.tanh {v.name} : {t} stablehlo.return %t : {t} }}, "
        f"{{ %t = stablehlo.negate {other.name} : {t} stablehlo.return %t : {t} }})"
    )
    exact = v.exact and other.exact
    return p.line(f'"stablehlo.if"({test.name}) {text} : ({B}) -> {t}', v.dims, exact=exact)


def choice(p):
    """One of three; in one a reduction."""
    v = p.array()
    zero, dims = p.constant("0.0"), [p.rng.randrange(v.rank)]
    kept = [d for i, d in enumerate(v.dims) if i not in dims]
    t, r = v.type, typed(kept)
    reduced = lambda by: (
        f"stablehlo.reduce({v.name} init: {zero.name}) applies stablehlo.{by} across dimensions = {dims} : "
        f"({t}, {F}) -> {r}"
    )
    total, most = reduced("add"), reduced("maximum")
    other = p.like(kept)
    text = (
        f"({{ %t = {total} stablehlo.return %t : {r} }}, {{ %t = {most} stablehlo.return %t : {r} }}, "
        f"{{ stablehlo.return {other.name} : {r} }})"
    )
    return p.tame(p.line(f'"stablehlo.case"({p.number.name}) {text} : ({I}) -> {r}', kept, exact=False))


RULES = [(sum_rows, 2), (scan, 2), (repeated, 2), (cache, 1), (until, 1), (branch, 2), (choice, 1)]
