#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random programs on random meshes with random shardings, partitioned and compared with one device.

random_programs.py TPUC|TPUC-OPT [--first=SEED] [--count=N] [--keep=DIR]: each seed is one program; those that differ,
or are refused, are written to DIR. Needs jax.
"""

import argparse
import os
import sys

import numpy as np
import partition_check
from program_families import Families
from program_writer import SIZES, Writer


class Program(Families):
    # One op of each family.
    def elementwise(self):
        x, s = self.operand(1, 4)
        kind = self.rng.choice(["add", "subtract", "multiply", "maximum", "tanh", "negate", "cosine"])
        if kind in ("tanh", "negate", "cosine"):
            return self.emit(f"stablehlo.{kind} {x} : {self.type(s)}", s)
        return self.emit(f"stablehlo.{kind} {x}, {self.like(s)} : {self.type(s)}", s)

    def choose(self):
        x, s = self.operand()
        y = self.like(s)
        p = self.fresh()
        self.lines.append(
            f"    {p} = stablehlo.compare LT, {x}, {y} : ({self.type(s)}, {self.type(s)}) -> {self.type(s, 'i1')}"
        )
        return self.emit(f"stablehlo.select {p}, {x}, {y} : {self.type(s, 'i1')}, {self.type(s)}", s)

    def divide(self):
        """Padding divides by zero, or reaches a logarithm: nothing of it may show."""
        x, s = self.operand()
        y = self.fresh()
        self.lines.append(f"    {y} = stablehlo.exponential {x} : {self.type(s)}")
        z = self.fresh()
        self.lines.append(f"    {z} = stablehlo.divide {x}, {y} : {self.type(s)}")
        return self.emit(f"stablehlo.tanh {z} : {self.type(s)}", s)

    def transpose(self):
        x, s = self.operand(2, 4)
        order = list(range(len(s)))
        self.rng.shuffle(order)
        out = [s[i] for i in order]
        return self.emit(
            f"stablehlo.transpose {x}, dims = {order} : ({self.type(s)}) -> {self.type(out)}",
            out,
        )

    def reshape(self):
        x, s = self.operand(1, 3)
        out = list(s)
        for _ in range(self.rng.randint(1, 2)):
            if len(out) > 1 and self.rng.random() < 0.5:
                at = self.rng.randrange(len(out) - 1)
                out[at : at + 2] = [out[at] * out[at + 1]]
            else:
                at = self.rng.randrange(len(out))
                divisors = [d for d in range(1, out[at] + 1) if out[at] % d == 0]
                d = self.rng.choice(divisors)
                out[at : at + 1] = [d, out[at] // d]
        return self.emit(f"stablehlo.reshape {x} : ({self.type(s)}) -> {self.type(out)}", out)

    def broadcast(self):
        x, s = self.operand(1, 2)
        out, dims = list(s), list(range(len(s)))
        at = self.rng.randint(0, len(s))
        out.insert(at, self.rng.choice(SIZES))
        dims = [d if d < at else d + 1 for d in dims]
        for i, d in enumerate(dims):
            if s[i] == 1:
                out[d] = self.rng.choice(SIZES)
        return self.emit(
            f"stablehlo.broadcast_in_dim {x}, dims = {dims} : ({self.type(s)}) -> {self.type(out)}",
            out,
        )

    def dot(self):
        x, s = self.operand(2, 3)
        batch = len(s) == 3 and self.rng.random() < 0.7
        k, n = self.rng.randrange(1 if batch else 0, len(s)), self.rng.choice(SIZES)
        t = ([s[0]] if batch else []) + [s[k], n]
        if self.rng.random() < 0.5:
            t[-1], t[-2] = t[-2], t[-1]
        rk = (1 if batch else 0) + (0 if t[1 if batch else 0] == s[k] else 1)
        y = self.like(t)
        out = ([s[0]] if batch else []) + [d for i, d in enumerate(s) if i != k and not (batch and i == 0)]
        out += [d for i, d in enumerate(t) if i != rk and not (batch and i == 0)]
        b = "batching_dims = [0] x [0], " if batch else ""
        return self.emit(
            f"stablehlo.dot_general {x}, {y}, {b}contracting_dims = [{k}] x [{rk}] : ({self.type(s)}, "
            f"{self.type(t)}) -> {self.type(out)}",
            out,
        )

    def reduce(self):
        x, s = self.operand(1, 4)
        dims = sorted(self.rng.sample(range(len(s)), self.rng.randint(1, len(s))))
        out = [n for i, n in enumerate(s) if i not in dims]
        kind, init = self.rng.choice(
            [
                ("add", "0.0"),
                ("maximum", "0xFF800000"),
                ("minimum", "0x7F800000"),
                ("maximum", "0.1"),
                ("multiply", "1.0"),
            ]
        )
        return self.emit(
            f"stablehlo.reduce({x} init: {self.scalar(init)}) applies stablehlo.{kind} across dimensions = {dims} : "
            f"({self.type(s)}, tensor<f32>) -> {self.type(out)}",
            out,
        )

    def argmax(self):
        x, s = self.operand(1, 3)
        d = self.rng.randrange(len(s))
        out = s[:d] + s[d + 1 :]
        i, z, r = self.fresh(), self.fresh(), self.fresh()
        ti, to, oi = self.type(s, "i32"), self.type(out), self.type(out, "i32")
        self.lines += [
            f"    {i} = stablehlo.iota dim = {d} : {ti}",
            f"    {z} = stablehlo.constant dense<0> : tensor<i32>",
            f"    {r}:2 = stablehlo.reduce({x} init: {self.scalar('0xFF800000')}), ({i} init: {z}) across dimensions "
            f"= [{d}] : "
            f"({self.type(s)}, {ti}, tensor<f32>, tensor<i32>) -> ({to}, {oi})",
            "     reducer(%p: tensor<f32>, %q: tensor<f32>) (%m: tensor<i32>, %n: tensor<i32>) {",
            "      %gt = stablehlo.compare GT, %p, %q : (tensor<f32>, tensor<f32>) -> tensor<i1>",
            "      %eq = stablehlo.compare EQ, %p, %q : (tensor<f32>, tensor<f32>) -> tensor<i1>",
            "      %lt = stablehlo.compare LT, %m, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>",
            "      %and = stablehlo.and %eq, %lt : tensor<i1>",
            "      %or = stablehlo.or %gt, %and : tensor<i1>",
            "      %big = stablehlo.select %gt, %p, %q : tensor<i1>, tensor<f32>",
            "      %at = stablehlo.select %or, %m, %n : tensor<i1>, tensor<i32>",
            "      stablehlo.return %big, %at : tensor<f32>, tensor<i32>",
            "    }",
        ]
        f = self.fresh()
        self.lines.append(f"    {f} = stablehlo.convert {r}#1 : ({oi}) -> {to}")
        return self.emit(f"stablehlo.add {f}, {r}#0 : {to}", out)

    def slice(self):
        x, s = self.operand(1, 3)
        ranges, out = [], []
        for n in s:
            low = self.rng.randrange(n)
            high = self.rng.randint(low + 1, n)
            stride = self.rng.choice([1, 1, 1, 2, 3])
            if self.rng.random() < 0.4:
                low, high, stride = 0, n, 1
            ranges.append(f"{low}:{high}:{stride}")
            out.append(-(-(high - low) // stride))
        return self.emit(
            f"stablehlo.slice {x} [{', '.join(ranges)}] : ({self.type(s)}) -> {self.type(out)}",
            out,
        )

    def pad(self):
        x, s = self.operand(1, 3)
        low, high, interior, out = [], [], [], []
        for n in s:
            l, h, i = self.rng.choice(
                [
                    (0, 0, 0),
                    (1, 2, 0),
                    (3, 0, 0),
                    (0, 2, 1),
                    (1, 1, 2),
                    (-1, 2, 0),
                    (2, -1, 0),
                    (7, 5, 0),
                ]
            )
            size = n + l + h + (n - 1) * i
            if size < 1:
                l, h, i, size = 0, 0, 0, n
            low.append(l), high.append(h), interior.append(i), out.append(size)
        if max(out) > 40:
            return None
        return self.emit(
            f"stablehlo.pad {x}, {self.scalar('0.5')}, low = {low}, high = {high}, interior = {interior} : "
            f"({self.type(s)}, tensor<f32>) -> {self.type(out)}",
            out,
        )

    def reverse(self):
        x, s = self.operand(1, 3)
        dims = sorted(self.rng.sample(range(len(s)), self.rng.randint(1, len(s))))
        return self.emit(f"stablehlo.reverse {x}, dims = {dims} : {self.type(s)}", s)

    def concatenate(self):
        x, s = self.operand(1, 3)
        d, count = self.rng.randrange(len(s)), self.rng.randint(2, 3)
        names, shapes = [x], [s]
        for _ in range(count - 1):
            t = list(s)
            t[d] = self.rng.choice(SIZES)
            names.append(self.like(t))
            shapes.append(t)
        out = list(s)
        out[d] = sum(t[d] for t in shapes)
        return self.emit(
            f"stablehlo.concatenate {', '.join(names)}, dim = {d} : ({', '.join(map(self.type, shapes))}) -> "
            f"{self.type(out)}",
            out,
        )

    def roll(self):
        x, s = self.operand(1, 3, lambda s: max(s) > 1)
        d = max(range(len(s)), key=lambda i: s[i])
        k = self.rng.randint(1, s[d] - 1)
        parts = []
        for low, high in ((k, s[d]), (0, k)):
            t = list(s)
            t[d] = high - low
            name = self.fresh()
            ranges = ", ".join(f"{low}:{high}" if i == d else f"0:{n}" for i, n in enumerate(s))
            self.lines.append(f"    {name} = stablehlo.slice {x} [{ranges}] : ({self.type(s)}) -> {self.type(t)}")
            parts.append((name, self.type(t)))
        return self.emit(
            f"stablehlo.concatenate {parts[0][0]}, {parts[1][0]}, dim = {d} : ({parts[0][1]}, {parts[1][1]}) -> "
            f"{self.type(s)}",
            s,
        )

    def iota(self):
        s = self.shape(1, 3)
        return self.emit(f"stablehlo.iota dim = {self.rng.randrange(len(s))} : {self.type(s)}", s)

    def constant(self):
        s = self.shape(1, 2)
        values = np.array([self.rng.randint(-9, 9) / 4 for _ in range(int(np.prod(s)))]).reshape(s).tolist()
        return self.emit(f"stablehlo.constant dense<{values}> : {self.type(s)}", s)

    def window(self):
        x, s = self.operand(1, 3)
        w, st, bd, wd, pads, out = [], [], [], [], [], []
        for n in s:
            size, stride, base, dil, lo, hi = self.rng.choice(
                [
                    (1, 1, 1, 1, 0, 0),
                    (2, 1, 1, 1, 1, 0),
                    (3, 1, 1, 1, 1, 1),
                    (2, 2, 1, 1, 0, 0),
                    (3, 2, 1, 1, 1, 1),
                    (2, 1, 2, 1, 0, 1),
                    (2, 1, 1, 2, 1, 1),
                    (3, 3, 1, 1, 2, 2),
                ]
            )
            if self.rng.random() < 0.2:
                size, stride, base, dil, lo, hi = n, 1, 1, 1, n - 1, 0  # cumulative
            padded = lo + hi + (n - 1) * base + 1
            seen = (size - 1) * dil + 1
            if padded < seen:
                size, stride, base, dil, lo, hi, padded, seen = 1, 1, 1, 1, 0, 0, n, 1
            (
                w.append(size),
                st.append(stride),
                bd.append(base),
                wd.append(dil),
                pads.append([lo, hi]),
            )
            out.append((padded - seen) // stride + 1)
        kind, init = self.rng.choice([("add", "0.0"), ("maximum", "0xFF800000"), ("minimum", "0x7F800000")])
        arrays = ", ".join(
            f"{name} = array<i64: {', '.join(map(str, v))}>"
            for name, v in [
                ("window_dimensions", w),
                ("window_strides", st),
                ("base_dilations", bd),
                ("window_dilations", wd),
            ]
        )
        init = self.scalar(init)
        return self.emit(
            f'"stablehlo.reduce_window"({x}, {init}) <{{{arrays}, padding = dense<{pads}> : '
            f"tensor<{len(s)}x2xi64>}}> ({{\n"
            f"    ^bb0(%p: tensor<f32>, %q: tensor<f32>):\n      %r = stablehlo.{kind} %p, %q : tensor<f32>\n"
            f"      stablehlo.return %r : tensor<f32>\n    }}) : ({self.type(s)}, tensor<f32>) -> {self.type(out)}",
            out,
        )

    def convolution(self):
        groups = self.rng.choice([1, 1, 1, 2, 4])
        kind = self.rng.choice(["plain", "feature", "batch"]) if groups > 1 else "plain"
        n, ci, co = (
            self.rng.choice([2, 4, 5, 8]),
            self.rng.choice([1, 2, 3, 4, 6]),
            self.rng.choice([1, 2, 4, 6, 8]),
        )
        if kind == "feature":
            ci, co = ci * groups, co * groups
        if kind == "batch":
            n, co = n * groups, co * groups
        h, w = self.rng.choice([4, 7, 8, 12]), self.rng.choice([5, 8])
        k = [self.rng.choice([1, 2, 3, 5]), self.rng.choice([1, 3])]
        stride, ld, rd = ([self.rng.choice([1, 1, 2]) for _ in range(2)] for _ in range(3))
        pad = [[self.rng.choice([0, 1, 2]), self.rng.choice([0, 1, 2])] for _ in range(2)]
        out = []
        for i, size in enumerate((h, w)):
            padded, seen = (size - 1) * ld[i] + 1 + sum(pad[i]), (k[i] - 1) * rd[i] + 1
            if padded < seen:
                return None
            out.append((padded - seen) // stride[i] + 1)
        x, y = (
            self.like([n, h, w, ci]),
            self.like([*k, ci // groups if kind == "feature" else ci, co]),
        )
        result = [n // groups if kind == "batch" else n, *out, co]
        fg, bg = (
            (groups if kind == "feature" else 1),
            (groups if kind == "batch" else 1),
        )
        return self.emit(
            f"stablehlo.convolution({x}, {y}) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = "
            f"{{stride = {stride}, "
            f"pad = {pad}, lhs_dilate = {ld}, rhs_dilate = {rd}}} {{batch_group_count = {bg} : i64, "
            f"feature_group_count = {fg} : i64}} : "
            f"({self.type([n, h, w, ci])}, {self.type([*k, ci // fg, co])}) -> {self.type(result)}",
            result,
        )

    def indices(self, shape, high):
        """Integers from -1 to high, as an array that a sharding can reach."""
        x = self.like(shape)
        scaled, whole = self.fresh(), self.fresh()
        factor = self.fresh()
        self.lines += [
            f"    {factor} = stablehlo.constant dense<{float(max(high, 1))}> : {self.type(shape)}",
            f"    {scaled} = stablehlo.multiply {x}, {factor} : {self.type(shape)}",
            f"    {whole} = stablehlo.convert {scaled} : ({self.type(shape)}) -> {self.type(shape, 'i32')}",
        ]
        return whole

    def gather(self):
        x, s = self.operand(1, 3)
        d = self.rng.randrange(len(s))
        batch = [self.rng.choice(SIZES) for _ in range(self.rng.randint(0, 2))]
        i = self.indices([*batch, 1], s[d])
        slices = [1 if a == d else n for a, n in enumerate(s)]
        offset = [len(batch) + a for a in range(len(s) - 1)]
        out = batch + s[:d] + s[d + 1 :]
        return self.emit(
            f'"stablehlo.gather"({x}, {i}) <{{dimension_numbers = #stablehlo.gather<offset_dims = {offset}, '
            f"collapsed_slice_dims = [{d}], "
            f"start_index_map = [{d}], index_vector_dim = {len(batch)}>, slice_sizes = array<i64: "
            f"{', '.join(map(str, slices))}>}}> : "
            f"({self.type(s)}, {self.type([*batch, 1], 'i32')}) -> {self.type(out)}",
            out,
        )

    def gather_batched(self):
        x, s = self.operand(2, 3)
        i = self.indices([s[0], 4, 1], s[1])
        slices, rest = [1, 1, *s[2:]], s[2:]
        out = [s[0], 4, *rest]
        return self.emit(
            f'"stablehlo.gather"({x}, {i}) <{{dimension_numbers = #stablehlo.gather<offset_dims = '
            f"{[2 + a for a in range(len(rest))]}, "
            f"collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], "
            f"start_index_map = [1], "
            f"index_vector_dim = 2>, slice_sizes = array<i64: {', '.join(map(str, slices))}>}}> : "
            f"({self.type(s)}, {self.type([s[0], 4, 1], 'i32')}) -> {self.type(out)}",
            out,
        )

    def scatter(self):
        x, s = self.operand(1, 3)
        d = self.rng.randrange(len(s))
        count = self.rng.choice(SIZES)
        i = self.indices([count, 1], s[d])
        window = s[:d] + s[d + 1 :]
        u = self.like([count, *window])
        kind = self.rng.choice(["add", "maximum", "minimum"])
        return self.emit(
            f'"stablehlo.scatter"({x}, {i}, {u}) <{{scatter_dimension_numbers = '
            f"#stablehlo.scatter<update_window_dims = "
            f"{[1 + a for a in range(len(window))]}, inserted_window_dims = [{d}], scatter_dims_to_operand_dims = "
            f"[{d}], index_vector_dim = 1>}}> "
            f"({{\n    ^bb0(%p: tensor<f32>, %q: tensor<f32>):\n      %r = stablehlo.{kind} %p, %q : tensor<f32>\n"
            f"      stablehlo.return %r : tensor<f32>\n    }}) : ({self.type(s)}, {self.type([count, 1], 'i32')}, "
            f"{self.type([count, *window])}) "
            f"-> {self.type(s)}",
            s,
        )

    def starts(self, s):
        names = []
        for n in s:
            name = self.fresh()
            self.lines.append(f"    {name} = stablehlo.constant dense<{self.rng.randint(-1, n)}> : tensor<i32>")
            names.append(name)
        return names

    def dynamic_slice(self):
        x, s = self.operand(1, 3)
        out = [n if self.rng.random() < 0.4 else self.rng.randint(1, n) for n in s]
        return self.emit(
            f"stablehlo.dynamic_slice {x}, {', '.join(self.starts(s))}, sizes = {out} : "
            f"({', '.join([self.type(s)] + ['tensor<i32>'] * len(s))}) "
            f"-> {self.type(out)}",
            out,
        )

    def dynamic_update_slice(self):
        x, s = self.operand(1, 3)
        part = [n if self.rng.random() < 0.4 else self.rng.randint(1, n) for n in s]
        u = self.like(part)
        types = ", ".join([self.type(s), self.type(part)] + ["tensor<i32>"] * len(s))
        return self.emit(
            f"stablehlo.dynamic_update_slice {x}, {u}, {', '.join(self.starts(s))} : ({types}) -> {self.type(s)}",
            s,
        )

    def sort(self):
        x, s = self.operand(1, 3)
        d = self.rng.randrange(len(s))
        if self.apart.random() < 0.3:
            return self.whole_numbers(x, s, d)
        return self.emit(
            f'"stablehlo.sort"({x}) <{{dimension = {d} : i64, is_stable = true}}> ({{\n    ^bb0(%p: tensor<f32>, %q: '
            f"tensor<f32>):\n"
            f"      %r = stablehlo.compare LT, %p, %q : (tensor<f32>, tensor<f32>) -> tensor<i1>\n"
            f"      stablehlo.return %r : tensor<i1>\n    }}) : ({self.type(s)}) -> {self.type(s)}",
            s,
        )

    def whole_numbers(self, x, s, d):
        """Of few kinds, sorted alone (in blocks where they have no other dimension) or with another array."""
        t, n = self.type(s), self.type(s, "i32")
        low, high, few, kinds, whole, made, out = (self.fresh() for _ in range(7))
        self.lines += [
            f"    {low} = stablehlo.constant dense<-5.0> : {t}",
            f"    {high} = stablehlo.constant dense<5.0> : {t}",
            f"    {few} = stablehlo.clamp {low}, {x}, {high} : {t}",
            f"    {kinds} = stablehlo.round_nearest_even {few} : {t}",
            f"    {whole} = stablehlo.convert {kinds} : ({t}) -> {n}",
        ]
        pairs = self.apart.random() < 0.5
        second = f", {x}" if pairs else ""
        arguments = ", %v: tensor<f32>, %w: tensor<f32>" if pairs else ""
        types = f"{n}, {t}" if pairs else n
        direction = self.apart.choice(["LT", "GT"])
        self.lines += [
            f'    {made}{":2" if pairs else ""} = "stablehlo.sort"({whole}{second}) <{{dimension = {d} : i64, '
            "is_stable = true}> ({",
            f"    ^bb0(%p: tensor<i32>, %q: tensor<i32>{arguments}):",
            f"      %r = stablehlo.compare {direction}, %p, %q : (tensor<i32>, tensor<i32>) -> tensor<i1>",
            "      stablehlo.return %r : tensor<i1>",
            f"    }}) : ({types}) -> {f'({types})' if pairs else types}",
            f"    {out} = stablehlo.convert {made}{'#0' if pairs else ''} : ({n}) -> {t}",
        ]
        return self.emit(f"stablehlo.add {out}, {made + '#1' if pairs else out} : {t}", s)

    def fft(self):
        x, s = self.operand(1, 3)
        c, f = self.fresh(), self.fresh()
        t = self.type(s, "complex<f32>")
        self.lines += [
            f"    {c} = stablehlo.convert {x} : ({self.type(s)}) -> {t}",
            f"    {f} = stablehlo.fft {c}, type = FFT, length = [{s[-1]}] : ({t}) -> {t}",
        ]
        return self.emit(f"stablehlo.real {f} : ({t}) -> {self.type(s)}", s)

    def loop(self):
        x, s = self.operand(1, 3)
        y = self.like(s)
        i, n, one, r = (self.fresh() for _ in range(4))
        t = self.type(s)
        self.lines += [
            f"    {i} = stablehlo.constant dense<0> : tensor<i32>",
            f"    {n} = stablehlo.constant dense<3> : tensor<i32>",
            f"    {one} = stablehlo.constant dense<1> : tensor<i32>",
            f"    {r}:3 = stablehlo.while(%i{r[2:]} = {i}, %x{r[2:]} = {x}, %y{r[2:]} = {y}) : tensor<i32>, {t}, {t}",
            "    cond {",
            f"      %lt = stablehlo.compare LT, %i{r[2:]}, {n} : (tensor<i32>, tensor<i32>) -> tensor<i1>",
            "      stablehlo.return %lt : tensor<i1>",
            "    } do {",
            f"      %next = stablehlo.add %i{r[2:]}, {one} : tensor<i32>",
            f"      %rev = stablehlo.reverse %x{r[2:]}, dims = [0] : {t}",
            f"      %sum = stablehlo.add %rev, %y{r[2:]} : {t}",
            f"      %tanh = stablehlo.tanh %sum : {t}",
            f"      stablehlo.return %next, %tanh, %y{r[2:]} : tensor<i32>, {t}, {t}",
            "    }",
        ]
        return self.emit(f"stablehlo.add {r}#1, {r}#2 : {t}", s)

    def branch(self):
        x, s = self.operand(1, 3)
        p, r = self.fresh(), self.fresh()
        t = self.type(s)
        self.lines += [
            f"    {p} = stablehlo.constant dense<{self.rng.choice(['true', 'false'])}> : tensor<i1>",
            f'    {r} = "stablehlo.if"({p}) ({{',
            f"      %neg = stablehlo.negate {x} : {t}",
            f"      stablehlo.return %neg : {t}",
            "    }, {",
            f"      %rev = stablehlo.reverse {x}, dims = [{len(s) - 1}] : {t}",
            f"      stablehlo.return %rev : {t}",
            f"    }}) : (tensor<i1>) -> {t}",
        ]
        return self.emit(f"stablehlo.tanh {r} : {t}", s)

    FAMILIES = (
        "elementwise choose divide transpose reshape broadcast dot reduce argmax slice pad reverse concatenate roll "
        "iota constant window "
        "convolution gather gather_batched scatter dynamic_slice dynamic_update_slice sort fft loop branch "
        "bits triangular widened cumulative largest transform"
    ).split()

    def text(self, ops, families=None):
        while ops:
            if getattr(self, self.rng.choice(families or self.FAMILIES))() is not None:
                ops -= 1
            small = [v for v in self.values if int(np.prod(v[1])) <= 4096]
            self.values = small or self.values
        results = [v for v in self.values if v[0].startswith("%v")][-3:]
        mesh = ", ".join(f'"{name}"={n}' for name, n in self.mesh.items())
        count = int(np.prod(list(self.mesh.values())))
        if self.devices_shuffled and count > 1:
            ids = list(range(count))
            self.rng.shuffle(ids)
            if ids != sorted(ids):
                mesh += f"], device_ids=[{', '.join(map(str, ids))}"
        types = []
        for _, shape, element in results:
            note = (
                f" {{sdy.sharding = #sdy.sharding{self.sharding(shape)}}}" if shape and self.rng.random() < 0.4 else ""
            )
            types.append(self.type(shape, element) + note)
        return (
            f"module attributes {{mhlo.num_partitions = {count} : i32, mhlo.num_replicas = 1 : i32}} {{\n"
            f"  sdy.mesh @mesh = <[{mesh}]>\n"
            f"  func.func public @main({', '.join(self.arguments)}) -> ({', '.join(types)}) {{\n"
            + "\n".join(self.lines)
            + f"\n    return {', '.join(v[0] for v in results)} : "
            f"{', '.join(self.type(v[1], v[2]) for v in results)}\n  }}\n}}\n"
        )


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tool", help="tpuc-opt, or tpuc for portable artifacts")
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--ops", type=int, default=6)
    parser.add_argument("--families", default="")
    parser.add_argument("--keep", default="")
    options = parser.parse_args()
    families = options.families.split(",") if options.families else None
    bad = skipped = 0
    for seed in range(options.first, options.first + options.count):
        text = Program(seed).text(options.ops, families)
        try:
            error = partition_check.check(options.tool, text, np.random.default_rng(seed))
            problem = None if error < 1e-4 else f"differs by {error:.2e}"
        except partition_check.Refused as refused:
            problem = f"refused: {str(refused)[:300]}"
        except Exception as exception:  # noqa: BLE001
            problem = f"{type(exception).__name__}: {str(exception)[:300]}"
        if problem and "fft_thunk" in problem:  # XLA's own, for arrays that it laid out transposed
            skipped += 1
        elif problem:
            bad += 1
            print(f"seed {seed}: {problem}", flush=True)
            if options.keep:
                os.makedirs(options.keep, exist_ok=True)
                with open(os.path.join(options.keep, f"{seed}.mlir"), "w") as file:
                    file.write(text)
    print(f"{options.count - bad - skipped} of {options.count} agree, {skipped} not comparable")
    sys.exit(bad > 0)


if __name__ == "__main__":
    main()
