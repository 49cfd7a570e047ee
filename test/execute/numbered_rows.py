#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""numbered_rows.py TPUC FOLDER: scatters and gathers of rows that batches or several components name, against lists in
Python.

Every case is a module with its operands and what it expects inside; FOLDER is where they are written."""

import itertools
import math
import pathlib
import random
import sys

import cases

# name, type, leading dims of the table with what names them (b: a batch, i: a component of the index), a row's dims,
# how many rows of each batch
CASES = [
    ("batches", "f32", [(4, "b"), (64, "i")], (130,), (20,)),
    ("two_batches", "f32", [(2, "b"), (3, "b"), (40, "i")], (128,), (9,)),
    ("components", "f32", [(30, "i"), (24, "i")], (64,), (800,)),
    ("batch_between", "f32", [(20, "i"), (3, "b"), (40, "i")], (60,), (4, 100)),
    ("ragged", "f32", [(3, "b"), (501, "i")], (40,), (400,)),
    ("halves", "bf16", [(4, "b"), (32, "i")], (96,), (24,)),
    ("ragged_halves", "bf16", [(4, "b"), (19, "i")], (96,), (24,)),
    ("half_floats", "f16", [(2, "b"), (48, "i")], (128,), (40,)),
    ("words", "i32", [(3, "b"), (300, "i")], (30,), (300,)),
    ("bytes", "i8", [(3, "b"), (64, "i")], (70,), (30,)),
    ("ragged_bytes", "i8", [(3, "b"), (330, "i")], (70,), (300,)),
    ("rows_of_two_dims", "f32", [(3, "b"), (7, "i")], (9, 33), (30,)),
    ("one_place", "f32", [(300, "b"), (1, "i")], (100,), (3,)),
    ("one_batch", "f32", [(1, "b"), (500, "i")], (64,), (700,)),
    ("rows_short_of_tiles", "f32", [(30, "i"), (27, "i")], (64,), (60, 14)),
    ("batches_short_of_tiles", "bf16", [(5, "b"), (32, "i")], (64,), (77,)),
    ("none", "f32", [(3, "b"), (8, "i")], (64,), (0,)),
]


class Case:
    def __init__(self, case, rng):
        self.name, self.element, lead, self.row, self.own = case
        self.lead = [n for n, _ in lead]
        self.batches = [d for d, (_, kind) in enumerate(lead) if kind == "b"]
        self.indexed = [d for d, (_, kind) in enumerate(lead) if kind == "i"]
        rng.shuffle(self.indexed)
        self.points = [self.lead[d] for d in self.batches] + list(self.own)
        self.table = [rng.randint(0, 9) for _ in range(math.prod(self.lead) * math.prod(self.row))]
        self.updates = [rng.randint(0, 9) for _ in range(math.prod(self.points) * math.prod(self.row))]
        self.places = [
            [rng.randint(-2, self.lead[d] + 1) if rng.random() < 0.3 else rng.randint(0, self.lead[d] - 1)
             for d in self.indexed]
            for _ in range(math.prod(self.points))
        ]  # fmt: skip

    def number(self, point, place, clamps):
        """A row's number; None: it is out of range."""
        at = dict(zip(self.batches, point)) | dict(zip(self.indexed, place))
        number = 0
        for d, n in enumerate(self.lead):
            if not clamps and not 0 <= at[d] < n:
                return None
            number = number * n + min(max(at[d], 0), n - 1)
        return number

    def rows(self, clamps):
        points = itertools.product(*map(range, self.points))
        return [self.number(point, place, clamps) for point, place in zip(points, self.places)]

    def added(self):
        out, width = list(self.table), math.prod(self.row)
        for k, number in enumerate(self.rows(clamps=False)):
            for c in range(width if number is not None else 0):
                out[number * width + c] += self.updates[k * width + c]
        return out

    def taken(self):
        width = math.prod(self.row)
        return [v for number in self.rows(clamps=True) for v in self.table[number * width :][:width]]

    def module(self):
        rank, lead = len(self.points), len(self.lead)
        windows = list(range(rank, rank + len(self.row)))
        of, by, to = (
            f"tensor<{'x'.join(map(str, shape))}x{element}>"
            for shape, element in (
                (self.lead + list(self.row), self.element),
                (self.points + [len(self.indexed)], "i32"),
                (self.points + list(self.row), self.element),
            )
        )
        data = lambda values, element: f'"0x{cases.encode(values, element).hex().upper()}"' if values else ""
        places, batches = [v for place in self.places for v in place], list(range(len(self.batches)))
        sizes = ", ".join(map(str, [1] * lead + list(self.row)))
        return f"""func.func @main() {{
  %a = stablehlo.constant dense<{data(self.table, self.element)}> : {of}
  %x = stablehlo.optimization_barrier %a : {of}
  %b = stablehlo.constant dense<{data(places, "i32")}> : {by}
  %i = stablehlo.optimization_barrier %b : {by}
  %c = stablehlo.constant dense<{data(self.updates, self.element)}> : {to}
  %u = stablehlo.optimization_barrier %c : {to}
  %y = "stablehlo.scatter"(%x, %i, %u) <{{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = {windows},
      inserted_window_dims = {sorted(self.indexed)}, input_batching_dims = {self.batches},
      scatter_indices_batching_dims = {batches}, scatter_dims_to_operand_dims = {self.indexed},
      index_vector_dim = {rank}>}}> ({{
    ^bb0(%old: tensor<{self.element}>, %new: tensor<{self.element}>):
      %sum = stablehlo.add %old, %new : tensor<{self.element}>
      stablehlo.return %sum : tensor<{self.element}>
    }}) : ({of}, {by}, {to}) -> {of}
  check.expect_eq_const %y, dense<{data(self.added(), self.element)}> : {of}
  %z = "stablehlo.gather"(%x, %i) <{{dimension_numbers = #stablehlo.gather<offset_dims = {windows},
      collapsed_slice_dims = {sorted(self.indexed)}, operand_batching_dims = {self.batches},
      start_indices_batching_dims = {batches}, start_index_map = {self.indexed}, index_vector_dim = {rank}>,
      slice_sizes = array<i64: {sizes}>}}> : ({of}, {by}) -> {to}
  check.expect_eq_const %z, dense<{data(self.taken(), self.element)}> : {to}
  return
}}
"""


def main(tpuc, folder):
    rng = random.Random(5)
    made = [Case(case, rng) for case in CASES]
    cases.run(tpuc, folder, [(case.name, case.module()) for case in made])
    # All but the last are scatters of rows that have one number each.
    for case in made[:-1]:
        numbered = r"scatter_dims_to_operand_dims = \[0\], index_vector_dim"
        cases.expect_planned(tpuc, folder / f"{case.name}.mlir", numbered, stage="fuse")


if __name__ == "__main__":
    main(sys.argv[1], pathlib.Path(sys.argv[2]))
