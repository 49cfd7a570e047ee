# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Batches of a loader in the sizes of a program's buckets: filled up, or several sequences to a row.

for batch in tpuc.data.pad(loader, {"s": 1}, {"s": [128, 256, 512]}):
    step(batch.arrays, batch.sizes)
for packed in tpuc.data.pack(sequences, length=512, rows=8):
    step(packed.values, packed.segments, packed.positions)
"""

from __future__ import annotations

import bisect
import dataclasses
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np


@dataclasses.dataclass(frozen=True)
class Batch:
    """Arrays of one bucket.

    Attributes:
      arrays: as the loader gave them, each open dim as long as the bucket.
      sizes: the true sizes, by name.
      bucket: those of the arrays.
      waste: the share of the arrays' elements that is padding.
    """

    arrays: Any
    sizes: dict[str, int]
    bucket: dict[str, int]
    waste: float


@dataclasses.dataclass(frozen=True)
class Packed:
    """Sequences side by side in rows.

    Attributes:
      values: rows x length, and what each element has of dims; `fill` behind the last sequence.
      segments: int32 of rows x length: which of its row's sequences an element is of, from 1 on; 0 is padding.
      positions: int32 of rows x length: an element's place in its sequence; 0 in padding.
      places: for each sequence, in the order in which they came, its row and where in the row it starts.
      waste: the share of elements that is padding.
    """

    values: np.ndarray
    segments: np.ndarray
    positions: np.ndarray
    places: list[tuple[int, int]]
    waste: float


def bucket_for(size: int, buckets: Sequence[int]) -> int:
    """The smallest of `buckets` that holds `size`.

    Raises:
      ValueError: none does.
    """
    ascending = sorted(buckets)
    at = bisect.bisect_left(ascending, size)
    if at == len(ascending):
        raise ValueError(f"no bucket holds {size}: they are {', '.join(map(str, ascending)) or 'none'}")
    return ascending[at]


def pad(
    batches: Iterable[Any],
    dims: Mapping[str, int] | Sequence[Mapping[str, int]],
    buckets: Mapping[str, Sequence[int]],
    fill: float = 0,
) -> Iterator[Batch]:
    """Fills up each batch to the smallest buckets that hold it.

    Args:
      batches: arrays, or tuples, lists and dicts of them.
      dims: which dim of each array has which name; one mapping for all of them, or one for each in their order (a
        dict's: of its keys as they come). An array that has fewer dims than a mapping says has none of them.
      buckets: sizes by name.
      fill: what stands behind the true elements.

    Raises:
      ValueError: arrays of a batch have two sizes of one name, or no bucket holds one.
    """
    for batch in batches:
        leaves = [np.asarray(leaf) for leaf in _leaves(batch)]
        named = [dims] * len(leaves) if isinstance(dims, Mapping) else list(dims)
        if len(named) != len(leaves):
            raise ValueError(f"expects dims for {len(leaves)} arrays, but got them for {len(named)}")
        sizes = _sizes(leaves, named)
        bucket = {name: bucket_for(size, buckets[name]) for name, size in sizes.items() if name in buckets}
        missing = sorted(set(sizes) - set(buckets))
        if missing:
            raise ValueError(f"expects buckets for {', '.join(missing)}")
        filled = [_filled(leaf, own, bucket, fill) for leaf, own in zip(leaves, named)]
        true, all_ = sum(leaf.size for leaf in leaves), sum(leaf.size for leaf in filled)
        rest = iter(filled)
        yield Batch(_rebuilt(batch, rest), sizes, bucket, 1 - true / all_ if all_ else 0.0)


def pack(sequences: Iterable[Any], length: int, rows: int, fill: float = 0) -> Iterator[Packed]:
    """Puts sequences into rows of `length`, `rows` of them at a time.

    As many sequences as come are taken until one fits no row; those go to the rows that they fill best, the longest
    first (best fit decreasing).

    Raises:
      ValueError: a sequence is longer than a row, or empty.
    """
    if length < 1 or rows < 1:
        raise ValueError(f"expects a length and rows of 1 at least, but got {length} and {rows}")
    held: list[np.ndarray] = []
    places: list[tuple[int, int]] = []
    for sequence in sequences:
        array = np.asarray(sequence)
        if array.ndim == 0 or not 0 < len(array) <= length:
            got = "a number" if array.ndim == 0 else f"{len(array)}"
            raise ValueError(f"expects sequences of 1 to {length}, but got {got}")
        more = _places([len(one) for one in held] + [len(array)], length, rows)
        if more is None:
            yield _packed(held, places, length, rows, fill)
            held, more = [], [(0, 0)]
        held.append(array)
        places = more
    if held:
        yield _packed(held, places, length, rows, fill)


def _leaves(batch: Any) -> Iterator[Any]:
    if isinstance(batch, Mapping):
        batch = batch.values()
    elif not isinstance(batch, (tuple, list)):
        yield batch
        return
    for part in batch:
        yield from _leaves(part)


def _rebuilt(batch: Any, leaves: Iterator[np.ndarray]) -> Any:
    if isinstance(batch, Mapping):
        return {name: _rebuilt(part, leaves) for name, part in batch.items()}
    if isinstance(batch, tuple) and hasattr(batch, "_fields"):
        return type(batch)(*(_rebuilt(part, leaves) for part in batch))
    if isinstance(batch, (tuple, list)):
        return type(batch)(_rebuilt(part, leaves) for part in batch)
    return next(leaves)


def _sizes(leaves: Sequence[np.ndarray], named: Sequence[Mapping[str, int]]) -> dict[str, int]:
    sizes: dict[str, int] = {}
    for leaf, dims in zip(leaves, named):
        for name, dim in dims.items():
            if not -leaf.ndim <= dim < leaf.ndim:
                continue
            if sizes.setdefault(name, leaf.shape[dim]) != leaf.shape[dim]:
                raise ValueError(f"{name} is {sizes[name]} and {leaf.shape[dim]} in one batch")
    return sizes


def _filled(leaf: np.ndarray, dims: Mapping[str, int], bucket: Mapping[str, int], fill: float) -> np.ndarray:
    shape = list(leaf.shape)
    for name, dim in dims.items():
        if -leaf.ndim <= dim < leaf.ndim:
            shape[dim] = bucket[name]
    result = np.full(shape, fill, leaf.dtype)
    result[tuple(slice(size) for size in leaf.shape)] = leaf
    return result


def _places(lengths: Sequence[int], length: int, rows: int) -> list[tuple[int, int]] | None:
    """For each its row and start; nothing where they do not fit."""
    free = [length] * rows
    places = [(0, 0)] * len(lengths)
    for i in sorted(range(len(lengths)), key=lambda i: -lengths[i]):
        fits = [row for row in range(rows) if free[row] >= lengths[i]]
        if not fits:
            return None
        row = min(fits, key=lambda row: free[row])
        places[i] = (row, length - free[row])
        free[row] -= lengths[i]
    return places


def _packed(
    sequences: Sequence[np.ndarray], places: list[tuple[int, int]], length: int, rows: int, fill: float
) -> Packed:
    values = np.full((rows, length) + sequences[0].shape[1:], fill, sequences[0].dtype)
    segments, positions = (np.zeros((rows, length), np.int32) for _ in range(2))
    number = [0] * rows
    for i in sorted(range(len(sequences)), key=lambda i: places[i]):
        (row, start), size = places[i], len(sequences[i])
        number[row] += 1
        values[row, start : start + size] = sequences[i]
        segments[row, start : start + size] = number[row]
        positions[row, start : start + size] = np.arange(size)
    true = sum(map(len, sequences))
    return Packed(values, segments, positions, places, 1 - true / (rows * length))
