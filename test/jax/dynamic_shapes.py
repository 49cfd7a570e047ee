#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Exports of JAX with symbolic sizes, in buckets, against JAX itself at several sizes: dynamic_shapes.py TPUC DIR [NAME
...] [--check], or --record DIR NAME... which writes what test/execute/dynamic.py runs.

Inputs are padded with NaN. Integers are equal; floats within 2e-5, since sums may change their order. Needs a Python
with JAX 0.10."""

import os

os.environ["JAX_PLATFORMS"] = "cpu"

import json
import pathlib
import re
import shutil
import subprocess
import sys

import jax
import jax.numpy as jnp
import numpy as np
from jax import export

F, I = jnp.float32, jnp.int32
CASES = {}


def case(name, specs, ranges, *sizes, constraints=(), ints=(0, 5), exact=()):
    """Arguments as (symbolic shape, type), the least and the most of each symbol, and sizes to try; `exact` are the
    results that no order of sums decides."""

    def add(f):
        CASES[name] = (f, specs, ranges, sizes, constraints, ints, exact)
        return f

    return add


def size_of(spec, sizes):
    return tuple(eval(dim, {}, sizes) for dim in spec.split(",") if dim)


@case("mlp", [("b,4", F), ("4,5", F)], dict(b=(1, 8)), dict(b=1), dict(b=5), dict(b=8))
def _(x, w):
    return jax.nn.relu(x @ w).sum(0), jax.nn.relu(x @ w).mean(0)


@case("softmax", [("b,s", F)], dict(b=(1, 8), s=(4, 16)), dict(b=3, s=7))
def _(x):
    return jax.nn.softmax(x, axis=-1), jax.nn.softmax(x, 0)


@case("attention", [("b,s,4", F)] * 3, dict(b=(1, 4), s=(4, 16)), dict(b=3, s=7), dict(b=1, s=16))
def _(q, k, v):
    both = jnp.einsum("bqd,bkd->bqk", q, k)
    causal = jnp.where(jnp.tril(jnp.ones((q.shape[1],) * 2, bool)), both, -1e9)
    y, z = (jnp.einsum("bqk,bkd->bqd", jax.nn.softmax(a), v) for a in (causal, both))
    norm = (y - y.mean(-1, keepdims=True)) / jnp.sqrt(y.var(-1, keepdims=True) + 1e-5)
    return y, z, y.mean(1), norm, both.sum()


@case("means", [("b,s", F)], dict(b=(1, 8), s=(4, 16)), dict(b=3, s=7), exact=(2, 3, 4, 6, 7))
def _(x):
    return x.mean(), x.var(1), jnp.argmax(x, 1), jnp.argmin(x, 0), x.max(), x.prod(1), (x > 0).any(1), (x > -9).all(0)


@case(
    "orders",
    [("b,s", F)],
    dict(b=(1, 8), s=(4, 16)),
    dict(b=3, s=7),
    dict(b=8, s=16),
    dict(b=1, s=4),
    exact=(2, 3, 4, 5, 6),
)
def _(x):
    sums = jnp.cumsum(x, 1), jax.lax.cumsum(x, 1, reverse=True), jax.lax.cummax(x, 0)
    return *sums, jnp.sort(x, 1), jnp.sort(x, 0), jnp.argsort(x, 1), jnp.median(x, 1)


@case(
    "convolutions",
    [("1,3,h,w", F), ("4,3,3,3", F)],
    dict(h=(7, 20), w=(7, 24)),
    dict(h=9, w=11),
    dict(h=20, w=13),
    dict(h=7, w=24),
)
def _(x, k):
    y, z = jax.lax.conv_general_dilated(x, k, (2, 2), "SAME"), jax.lax.conv_general_dilated(x, k, (1, 1), "VALID")
    pool = lambda a, start, op, size, stride, padding: jax.lax.reduce_window(
        a, start, op, (1, 1, size, size), (1, 1, stride, stride), padding
    )
    return pool(y, -jnp.inf, jax.lax.max, 2, 2, "VALID"), pool(z, 0.0, jax.lax.add, 3, 2, "SAME"), z, z.mean((2, 3))


@case("top_k", [("b,s", F)], dict(b=(1, 8), s=(4, 16)), dict(b=3, s=7), constraints=("s>=4",), exact=(0, 1))
def _(x):
    return jax.lax.top_k(x, 3)


@case(
    "moves",
    [("b,4", F), ("b,4", F)],
    dict(b=(2, 8)),
    dict(b=3),
    dict(b=8),
    dict(b=2),
    exact=(0, 2, 3, 4, 5, 6, 7, 8, 10),
)
def _(x, y):
    joined = jnp.concatenate([x, y]), jnp.concatenate([x, jnp.ones((2, 4)), y]).sum(0)
    return (
        *joined,
        x[::-1],
        x.reshape(-1),
        jnp.pad(x, ((1, 2), (0, 0))),
        x[1:],
        x[:-1],
        x[::2],
        jax.lax.rev(x, (0,)),
        jnp.flip(x, 0).cumsum(0),
        jnp.roll(x, 1, 0),
    )


@case("scan", [("s,4", F)], dict(s=(1, 8)), dict(s=5), dict(s=1), exact=(0, 1))
def _(x):
    return jax.lax.scan(lambda c, r: (c + r, c * r), jnp.zeros(4), x)


@case(
    "indices",
    [("n,4", F), ("b", I)],
    dict(n=(1, 8), b=(1, 6)),
    dict(n=5, b=4),
    dict(n=2, b=6),
    ints=(-3, 9),
    exact=(0, 1, 2, 3),
)
def _(x, i):
    return x[i], x.at[i].add(1.0), x.at[i].set(x[0] * 2), jnp.take(x, i, axis=0, mode="clip")


@case("einsum", [("b,s,4", F), ("4,5", F)], dict(b=(1, 4), s=(2, 8)), dict(b=3, s=5), dict(b=4, s=8))
def _(x, w):
    flat = (x.reshape(-1, x.shape[2]) @ w).reshape(x.shape[0], x.shape[1], 5)
    return flat, x.reshape(-1).sum(), x.reshape(x.shape[0], -1), x.transpose(1, 0, 2).reshape(-1, 4)


@case("cache", [("s,4", F), ("1,4", F), ("", I)], dict(s=(1, 8)), dict(s=5), ints=(0, 9), exact=(0,))
def _(c, u, p):
    c = jax.lax.dynamic_update_slice(c, u, (p, 0))
    return c, jax.nn.softmax(jnp.where(jnp.arange(c.shape[0])[:, None] <= p, c, -jnp.inf), 0)


@case("growing_cache", [("s,4", F), ("2,4", F)], dict(s=(1, 8)), dict(s=5), dict(s=8), exact=(0,))
def _(c, u):
    k = jnp.concatenate([c, u])
    return k, jax.nn.softmax(u @ k.T) @ k


@case("decode", [("s,4", F), ("4,4", F), ("", I)], dict(s=(2, 9)), dict(s=5), dict(s=9), dict(s=2), ints=(1, 3))
def _(prompt, w, n):
    """A cache that grows by a row a step, behind a prompt of open length; every step sees what is there."""
    cache = jnp.concatenate([prompt, jnp.zeros((4, 4))])

    def step(i, carry):
        cache, row = carry
        row = jnp.tanh(row @ w)
        cache = jax.lax.dynamic_update_slice(cache, row[None], (prompt.shape[0] + i, 0))
        seen = jnp.arange(cache.shape[0]) <= prompt.shape[0] + i
        return cache, jax.nn.softmax(jnp.where(seen, cache @ row, -jnp.inf)) @ cache

    return jax.lax.fori_loop(0, n, step, (cache, prompt[-1]))


@case("greedy", [("s,4", F), ("4,6", F), ("6,4", F)], dict(s=(2, 9)), dict(s=5), dict(s=9), exact=(0,))
def _(prompt, head, words):
    """Tokens chosen one after the other, as many as the prompt is long."""

    def step(i, carry):
        tokens, row = carry
        token = jnp.argmax(row @ head).astype(I)
        return tokens.at[i].set(token), words[token] * 0.5 + prompt[i] * 0.5

    return jax.lax.fori_loop(0, prompt.shape[0], step, (jnp.zeros((prompt.shape[0],), I), prompt[0]))


@case("gradients", [("b,4", F), ("4,5", F)], dict(b=(1, 8)), dict(b=5), dict(b=8))
def _(x, w):
    return jax.grad(lambda w: jnp.mean(jnp.tanh(x @ w) ** 2))(w), jax.grad(lambda x: jnp.sum(jnp.sort(x, 0)[0]))(x)


@case("pool_gradient", [("1,h,w,2", F)], dict(h=(4, 9), w=(4, 9)), dict(h=5, w=7), dict(h=9, w=4))
def _(x):
    return jax.grad(
        lambda x: jax.lax.reduce_window(x, -jnp.inf, jax.lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID").sum()
    )(x)


@case("expressions", [("2*b+1,4", F), ("b,4", F)], dict(b=(1, 8)), dict(b=3), dict(b=7), exact=(0, 1, 4))
def _(x, y):
    return (
        x[: y.shape[0]] + y,
        x.reshape(-1, 2),
        jnp.concatenate([x, y]).mean(0),
        x.sum(),
        jnp.zeros((y.shape[0] // 2 + 1,)) + y.shape[0],
    )


@case("random", [("b,4", F)], dict(b=(1, 8)), dict(b=3), dict(b=7), exact=(0, 1))
def _(x):
    return x + jax.random.normal(jax.random.key(3), x.shape), jax.random.bernoulli(jax.random.key(1), 0.5, x.shape)


@case("classes", [("b", I), ("b,6", F)], dict(b=(1, 8)), dict(b=3), dict(b=7), exact=(0, 2, 4))
def _(i, x):
    loss = -(jax.nn.log_softmax(x) * jax.nn.one_hot(i, 6)).sum() / i.shape[0]
    return (
        jax.nn.one_hot(i, 6),
        loss,
        jnp.take_along_axis(x, i[:, None], 1),
        jax.ops.segment_sum(x, i, 6),
        jnp.bincount(i, length=6),
    )


@case("norms", [("b,s,4", F)], dict(b=(1, 4), s=(2, 8)), dict(b=3, s=5))
def _(x):
    batch = (x - x.mean((0, 1))) / jnp.sqrt(x.var((0, 1)) + 1e-5)
    products = jax.vmap(lambda a: a @ a.T)(x), jnp.tril(jnp.einsum("bsd,btd->bst", x, x))
    return (
        batch,
        *products,
        jnp.linalg.norm(x),
        jax.nn.logsumexp(x, axis=1),
        jnp.split(x, [1], axis=1)[1],
        jnp.stack([x, x], 1).reshape(-1, 4),
        jnp.tile(x, (1, 2, 1)),
        jnp.repeat(x, 2, axis=0),
    )


@case("recurrent", [("b,s,4", F), ("4,4", F)], dict(b=(1, 4), s=(2, 8)), dict(b=3, s=5), dict(b=4, s=2))
def _(x, w):
    steps = jax.lax.scan(
        lambda h, r: (jnp.tanh(h @ w + r), h.sum(-1)), jnp.zeros((x.shape[0], 4)), jnp.swapaxes(x, 0, 1)
    )
    return steps, jax.lax.fori_loop(0, x.shape[1], lambda i, a: a + x[:, i].sum(), 0.0)


# Tokens of all rows in one dim, true ones between padding: most ops work on them as they lie.
@case(
    "tokens",
    [("b,s", I), ("7,4", F), ("4,6", F)],
    dict(b=(1, 4), s=(2, 8)),
    *[dict(b=b, s=s) for b, s in ((3, 5), (4, 8), (1, 2), (2, 7))],
    ints=(0, 6),
    exact=(4, 6),
)
def _(i, words, head):
    flat = i.reshape(-1)

    def loss(words, head):
        x = words[flat]
        x = (x - x.mean(-1, keepdims=True)) * jax.lax.rsqrt(x.var(-1, keepdims=True) + 1e-5)
        logits = jnp.tanh(x @ head)
        chosen = (jax.nn.log_softmax(logits) * jax.nn.one_hot(flat, 6)).sum(-1)
        return -chosen.mean(), logits

    (mean, logits), gradients = jax.value_and_grad(loss, (0, 1), has_aux=True)(words, head)
    x = words[flat]
    return (
        mean,
        *gradients,
        logits.reshape(*i.shape, 6),
        jnp.argmax(logits, -1),
        jax.nn.softmax(x, axis=0).reshape(*i.shape, 4),
        x.T,
        (x.T @ x, x.cumsum(0), jnp.argmax(x, 0)),
        x + jnp.arange(flat.shape[0])[:, None],
    )


LONG = [dict(s=n) for n in (1, 127, 128, 129, 300, 384)]


@case("long_attention", [("1,s,8", F)] * 4, dict(s=(1, 384)), *LONG)
def _(q, k, v, g):
    def attention(q, k, v):
        scores = jnp.einsum("bqd,bkd->bqk", q, k)
        scores = jnp.where(jnp.tril(jnp.ones((q.shape[1],) * 2, bool)), scores, -1e9)
        return jnp.einsum("bqk,bkd->bqd", jax.nn.softmax(scores), v)

    y, gradients = jax.vjp(attention, q, k, v)
    return y, *gradients(g)


# Masks that leave padding out by themselves, or would: all forms that a diagonal is written in.
@case("long_causal", [("1,s,8", F)] * 3, dict(s=(100, 384)), *LONG[1:])
def _(q, k, v):
    scores = jnp.einsum("bqd,bkd->bqk", q, k)
    places = jnp.arange(q.shape[1])
    rows, columns = places[:, None], places[None, :]
    masked = (
        jnp.where(rows >= columns, scores, -jnp.inf),
        jnp.where(columns > rows, -1e9, scores),
        jnp.where((rows + 1 >= columns) & (rows - columns < 100), scores, -1e9),
        jnp.where(columns >= q.shape[1] - rows, -1e9, scores),
    )
    weights = [jax.nn.softmax(m) for m in masked]
    return *[jnp.einsum("bqk,bkd->bqd", w, v) for w in weights], *[m.max(-1) for m in masked]


@case("long_sums", [("s,6", F), ("s,9", F), ("9,s", F)], dict(s=(1, 384)), *LONG)
def _(x, y, z):
    p, q, r = (a.astype(jnp.bfloat16) for a in (x, y, z))
    narrow = jnp.einsum("si,sj->ij", p, q, preferred_element_type=F), jnp.einsum("is,sj->ij", r, p).astype(F)
    return x.T @ y, z @ x, jnp.einsum("si,js->ij", x, z), *narrow


# Rows in several blocks: those behind the size are not computed.
@case("long_rows", [("s,64", F), ("64,64", F)], dict(s=(2, 3000)), *[dict(s=n) for n in (2, 192, 193, 1200, 3000)])
def _(x, w):
    y = jax.nn.relu(x @ w)
    z = (y - y.mean(-1, keepdims=True)) * jax.lax.rsqrt(y.var(-1, keepdims=True) + 1e-5)
    return z, jnp.tanh(x), z.max(0), (z * z).mean(0), jnp.swapaxes(x, 0, 1), jnp.tile(jnp.exp(x), (1, 2)), z[1:]


# Rows that are looked up, sorted and turned, of which there are more than a step has.
@case(
    "long_lookups",
    [("n,64", F), ("b", I)],
    dict(n=(1, 200), b=(1, 900)),
    *[dict(n=n, b=b) for n, b in ((200, 900), (7, 1), (90, 257))],
    ints=(0, 7),
    exact=(0, 1, 2),
)
def _(x, i):
    y = x[i]
    return y, jnp.sort(y, -1), y.T, y.sum(0)


# Updates of open size, as the gradient of a cut has them.
@case(
    "cut", [("b,s", I), ("9,4", F), ("4,9", F)], dict(b=(1, 4), s=(2, 9)), dict(b=3, s=5), dict(b=4, s=9), ints=(0, 8)
)
def _(ids, words, head):
    def loss(words, head):
        logits = jnp.tanh(words[ids]) @ head
        chosen = jax.nn.log_softmax(logits[:, :-1])
        return -jnp.take_along_axis(chosen, ids[:, 1:, None], -1).mean()

    return jax.value_and_grad(loss, (0, 1))(words, head)


# Arrays whose dims lie in another order in memory.
@case(
    "long_heads", [("b,s,4,8", F)] * 3, dict(b=(1, 2), s=(1, 600)), dict(b=1, s=1), dict(b=2, s=300), dict(b=1, s=513)
)
def _(q, k, v):
    scores = jnp.einsum("bqhd,bkhd->bhqk", q, k)
    return jnp.einsum("bhqk,bkhd->bqhd", jax.nn.softmax(scores), v), jnp.tanh(q).transpose(0, 2, 3, 1)


def run(*command):
    done = subprocess.run([str(c) for c in command], capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


def differences(want, folder):
    for k, w in enumerate(want):
        w, g = np.asarray(w), np.load(folder / f"output.{k}.npy")
        if g.shape != w.shape:
            yield f"output {k} is {g.shape}, expected {w.shape}"
        elif w.dtype.kind == "f" and not np.allclose(g, w, rtol=2e-5, atol=2e-5, equal_nan=True):
            yield f"output {k} is off by {np.nanmax(abs(g - w)):.2g}, {np.isnan(g).sum()} NaN"
        elif w.dtype.kind != "f" and not (g == w).all():
            yield f"output {k} differs"


def exported(name):
    f, specs, ranges, _, constraints, _, _ = CASES[name]
    scope = export.SymbolicScope(
        list(constraints) + [f"{s}>={least}" for s, (least, most) in ranges.items() if least > 1]
    )
    args = [jax.ShapeDtypeStruct(export.symbolic_shape(spec, scope=scope), dtype) for spec, dtype in specs]
    return export.export(jax.jit(f), platforms=["tpu"])(*args)


def without_places(text):
    """A module without locations, which are the machine's that traced it."""
    text = re.sub(r"^#loc.*\n", "", text, flags=re.M)
    return re.sub(r' loc\((#loc\d*|unknown|"[^"]*"(\(#loc\d*\))?)\)', "", text)


def record(name, folder):
    """The program, behind a line that says how to run it."""
    _, specs, ranges, tried, _, ints, exact = CASES[name]
    made = exported(name)
    assert list(made.module_kept_var_idx) == list(range(len(specs)))
    arguments = [[spec, "i32" if dtype == I else "f32"] for spec, dtype in specs]
    results = len(made.out_avals)
    head = {"arguments": arguments, "ranges": ranges, "sizes": tried, "ints": ints}
    head["exact"] = [i in exact for i in range(results)]
    (folder / f"{name}.mlir").write_text(f"// {json.dumps(head)}\n{without_places(made.mlir_module())}")


def try_case(tpuc, name, out, flags):
    f, specs, ranges, tried, _, ints, _ = CASES[name]
    folder = out / name
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    (folder / "program.mlir").write_text(exported(name).mlir_module())
    buckets = [f"--bucket={s}={least}..{most}" for s, (least, most) in ranges.items()]
    code, said = run(
        tpuc, "compile", folder / "program.mlir", "-o", folder / "all.tpuc", "--matmul-precision=highest", *buckets
    )
    if code or "remark:" in said:
        return [said.strip()]
    problems = []
    for sizes in tried:
        data = folder / "_".join(map(str, sizes.values()))
        data.mkdir()
        rng = np.random.RandomState(1)
        inputs = [
            rng.randint(*ints, size=size_of(s, sizes)).astype(np.int32)
            if d == I
            else rng.randn(*size_of(s, sizes)).astype(np.float32)
            for s, d in specs
        ]
        for k, x in enumerate(inputs):
            np.save(data / f"input.{k}.npy", x)
        code, said = run(tpuc, "run", folder / "all.tpuc", "--data", data, "--save", data / "out", *flags)
        found = (
            [said.strip()] if code else list(differences(jax.tree.leaves(f(*map(jnp.asarray, inputs))), data / "out"))
        )
        problems += [f"{sizes}: {problem}" for problem in found]
    return problems


def main():
    flags = [a for a in sys.argv[1:] if a.startswith("--")]
    if "--record" in flags:
        out, *names = [a for a in sys.argv[1:] if not a.startswith("--")]
        for name in names or CASES:
            record(name, pathlib.Path(out))
        return
    tpuc, out, *names = [a for a in sys.argv[1:] if not a.startswith("--")]
    wrong = 0
    for name in names or CASES:
        problems = try_case(tpuc, name, pathlib.Path(out), flags)
        wrong += bool(problems)
        print(name, "; ".join(problems) or "ok", flush=True)
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
