# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Families of ops whose parts are no plain parts: drawn bits, triangular systems, numbers that were widened, windows
that reach to an end, largest elements, transforms of several dimensions."""

from program_writer import SIZES, Writer


class Families(Writer):
    def bits(self):
        """The same numbers as on one device, and the same state after them."""
        shape = [self.rng.choice([1, *SIZES, 24, 64]) for _ in range(self.rng.randint(1, 3))]
        algorithm = self.rng.choice(["PHILOX", "THREE_FRY"])
        element = self.rng.choice(["ui32", "ui32", "ui64", "ui8"])
        words = self.rng.choice([2, 3]) if algorithm == "PHILOX" else 2
        values = [self.rng.choice([7, 2**64 - 3, 2**63 + 5]) for _ in range(words)]
        state, drawn, after, half, kept, part = (self.fresh() for _ in range(6))
        s, t = f"tensor<{words}xui64>", self.type(shape, element)
        f, n = self.type(shape), f"tensor<{words}xf32>"
        self.lines += [
            f"    {state} = stablehlo.constant dense<{values}> : {s}",
            f"    {after}, {drawn} = stablehlo.rng_bit_generator {state}, algorithm = {algorithm} : "
            f"({s}) -> ({s}, {t})",
            f"    {half} = stablehlo.constant dense<255> : {s}",
            f"    {kept} = stablehlo.and {after}, {half} : {s}",
            f"    {part} = stablehlo.convert {kept} : ({s}) -> {n}",
        ]
        self.values.append((part, [words], "f32"))
        wide, mask, low = (self.fresh() for _ in range(3))
        w = self.type(shape, "ui64")
        self.lines += [
            f"    {wide} = stablehlo.convert {drawn} : ({t}) -> {w}",
            f"    {mask} = stablehlo.constant dense<65535> : {w}",
            f"    {low} = stablehlo.and {wide}, {mask} : {w}",
        ]
        return self.emit(f"stablehlo.convert {low} : ({w}) -> {f}", shape)

    def triangular(self):
        """Columns of a system are solved apart; the matrix has ones on its diagonal and little beside it."""
        x, s = self.operand(2, 3)
        left = self.rng.random() < 0.5
        size, batch = s[-2] if left else s[-1], s[:-2]
        small, bound, a = (self.fresh() for _ in range(3))
        t = self.type([*batch, size, size])
        self.lines += [
            f"    {small} = stablehlo.constant dense<0.03125> : {t}",
            f"    {bound} = stablehlo.tanh {self.like([*batch, size, size])} : {t}",
            f"    {a} = stablehlo.multiply {bound}, {small} : {t}",
        ]
        kind = self.rng.choice(["NO_TRANSPOSE", "TRANSPOSE"])
        lower = self.rng.choice(["true", "false"])
        return self.emit(
            f'"stablehlo.triangular_solve"({a}, {x}) <{{left_side = {str(left).lower()}, lower = {lower}, '
            f"transpose_a = #stablehlo<transpose {kind}>, unit_diagonal = true}}> : "
            f"({t}, {self.type(s)}) -> {self.type(s)}",
            s,
        )

    def widened(self):
        """What travels narrow: conversions that lose nothing, and their largest elements."""
        x, s = self.operand(1, 3)
        narrow, wide = self.fresh(), self.fresh()
        element = self.rng.choice(["bf16", "f16"])
        t, n = self.type(s), self.type(s, element)
        self.lines += [
            f"    {narrow} = stablehlo.convert {x} : ({t}) -> {n}",
            f"    {wide} = stablehlo.convert {narrow} : ({n}) -> {t}",
        ]
        if self.rng.random() < 0.4:
            return self.emit(f"stablehlo.reshape {wide} : ({t}) -> {t}", s)
        init, dim = self.fresh(), self.rng.randrange(len(s))
        value = self.rng.choice(["0xFF800000", "0xFF800000", "0.1", "1.0"])
        self.lines.append(f"    {init} = stablehlo.constant dense<{value}> : tensor<f32>")
        out = s[:dim] + s[dim + 1 :]
        return self.emit(
            f"stablehlo.reduce({wide} init: {init}) applies stablehlo.maximum across dimensions = [{dim}] : "
            f"({t}, tensor<f32>) -> {self.type(out)}",
            out,
        )

    def cumulative(self):
        """Windows of all elements up to one's own, or from one's own on; sums stay small."""
        x, s = self.operand(1, 3)
        dim, ahead = self.rng.randrange(len(s)), self.rng.random() < 0.5
        kind, start = self.rng.choice([("maximum", "0xFF800000"), ("minimum", "0x7F800000"), ("add", "0.0")])
        bound, init, out = self.fresh(), self.fresh(), s
        n = s[dim]
        padding = [[0, 0] for _ in s]
        padding[dim] = [0, max(n - 1, 0)] if ahead else [max(n - 1, 0), 0]
        window = [max(n, 1) if d == dim else 1 for d in range(len(s))]
        self.lines += [
            f"    {bound} = stablehlo.tanh {x} : {self.type(s)}",
            f"    {init} = stablehlo.constant dense<{start}> : tensor<f32>",
        ]
        return self.emit(
            f'"stablehlo.reduce_window"({bound}, {init}) <{{window_dimensions = array<i64: '
            f"{', '.join(map(str, window))}>, padding = dense<{padding}> : tensor<{len(s)}x2xi64>}}> ({{\n"
            f"    ^bb0(%p: tensor<f32>, %q: tensor<f32>):\n"
            f"      %r = stablehlo.{kind} %p, %q : tensor<f32>\n"
            f"      stablehlo.return %r : tensor<f32>\n    }}) : ({self.type(s)}, tensor<f32>) -> {self.type(out)}",
            out,
        )

    def largest(self):
        """Equal ones stand in order: numbers are rounded to few values."""
        x, s = self.operand(1, 3)
        k = self.rng.randint(1, s[-1]) if s[-1] else 0
        if not k:
            return None
        few, whole, values, places = (self.fresh() for _ in range(4))
        out = [*s[:-1], k]
        t, o, i = self.type(s), self.type(out), self.type(out, "i32")
        self.lines += [
            f"    {few} = stablehlo.round_nearest_even {x} : {t}",
            f"    {values}, {places} = chlo.top_k({few}, k = {k}) : {t} -> ({o}, {i})",
            f"    {whole} = stablehlo.convert {places} : ({i}) -> {o}",
        ]
        return self.emit(f"stablehlo.add {values}, {whole} : {o}", out)

    def transform(self):
        """Of up to all dimensions; of real numbers half of the last one."""
        x, s = self.operand(1, 3)
        if 0 in s:
            return None
        lengths = s[-self.rng.randint(1, len(s)) :]
        kind = self.rng.choice(["FFT", "IFFT", "RFFT", "IRFFT"])
        given, made = self.fresh(), self.fresh()
        out = [*s[:-1], s[-1] // 2 + 1] if kind == "RFFT" else list(s)
        if kind == "IRFFT":
            out[-1] = 2 * (s[-1] - 1)
            lengths = [*lengths[:-1], out[-1]]
            if out[-1] < 1:
                return None
        real, complex_ = self.type(s), self.type(s, "complex<f32>")
        if kind == "RFFT":
            self.lines.append(f"    {given} = stablehlo.tanh {x} : {real}")
        else:
            self.lines.append(f"    {given} = stablehlo.convert {x} : ({real}) -> {complex_}")
        before = real if kind == "RFFT" else complex_
        after = self.type(out) if kind == "IRFFT" else self.type(out, "complex<f32>")
        length = ", ".join(map(str, lengths))
        self.lines.append(
            f"    {made} = stablehlo.fft {given}, type = {kind}, length = [{length}] : ({before}) -> {after}"
        )
        if kind == "IRFFT":
            return self.emit(f"stablehlo.tanh {made} : {after}", out)
        # Of symmetric numbers one of both parts is nothing but rounding.
        parts = [self.fresh(), self.fresh()]
        for part, name in zip(parts, ("real", "imag")):
            self.lines.append(f"    {part} = stablehlo.{name} {made} : ({after}) -> {self.type(out)}")
        return self.emit(f"stablehlo.add {', '.join(parts)} : {self.type(out)}", out)
