# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Batches filled up to buckets, and sequences packed into rows."""

import random

import numpy as np
import pytest
from tpuc import data


def test_a_batch_takes_the_smallest_bucket():
    tokens, mask = np.arange(10).reshape(2, 5), np.ones((2, 5), bool)
    (batch,) = data.pad([(tokens, mask)], {"s": 1}, {"s": [16, 4, 8]})
    assert batch.sizes == {"s": 5} and batch.bucket == {"s": 8} and batch.waste == pytest.approx(3 / 8)
    padded, inside = batch.arrays
    np.testing.assert_array_equal(padded[:, :5], tokens)
    assert (padded[:, 5:] == 0).all() and padded.dtype == tokens.dtype and not inside[:, 5:].any()


def test_a_size_that_is_a_bucket_is_not_filled_up():
    (batch,) = data.pad([np.ones((3, 8))], {"b": 0, "s": -1}, {"b": [3], "s": [8, 16]}, fill=np.nan)
    assert batch.waste == 0 and batch.arrays.shape == (3, 8) and not np.isnan(batch.arrays).any()


def test_structures_keep_their_shape():
    given = {"x": [np.zeros((2, 3)), np.zeros(2)], "y": 7.0}
    (batch,) = data.pad([given], [{"b": 0, "s": 1}, {"b": 0}, {}], {"b": [4], "s": [4]}, fill=-1)
    assert batch.arrays["x"][0].shape == (4, 4) and batch.arrays["x"][1].tolist() == [0, 0, -1, -1]
    assert batch.arrays["y"] == 7 and isinstance(batch.arrays["x"], list)


@pytest.mark.parametrize(
    "arrays, dims, buckets, message",
    [
        (np.zeros(9), {"s": 0}, {"s": [4, 8]}, "no bucket holds 9: they are 4, 8"),
        ((np.zeros(3), np.zeros(4)), {"s": 0}, {"s": [8]}, "s is 3 and 4 in one batch"),
        (np.zeros((2, 3)), {"b": 0, "s": 1}, {"s": [8]}, "expects buckets for b"),
        ((np.zeros(3), np.zeros(3)), [{"s": 0}], {"s": [8]}, "dims for 2 arrays, but got them for 1"),
    ],
)
def test_what_no_bucket_takes_is_refused(arrays, dims, buckets, message):
    with pytest.raises(ValueError, match=message):
        list(data.pad([arrays], dims, buckets))


def test_sequences_share_rows():
    sequences = [np.full(size, size) for size in (5, 3, 4, 4)]
    (packed,) = data.pack(sequences, length=8, rows=2, fill=-1)
    assert packed.waste == 0
    assert sorted(map(tuple, packed.values.tolist())) == [(4,) * 8, (5,) * 5 + (3,) * 3]
    for sequence, (row, start) in zip(sequences, packed.places):
        part = slice(start, start + len(sequence))
        np.testing.assert_array_equal(packed.values[row, part], sequence)
        assert packed.positions[row, part].tolist() == list(range(len(sequence)))
        assert len(set(packed.segments[row, part].tolist())) == 1 and packed.segments[row, start] > 0


def test_every_sequence_is_packed_once():
    rng = random.Random(3)
    sequences = [np.full((rng.randint(1, 32), 2), i, np.float32) for i in range(200)]
    seen, elements = [], 0
    for packed in data.pack(sequences, length=32, rows=4):
        inside = packed.segments > 0
        assert packed.values.shape == (4, 32, 2) and packed.waste == pytest.approx(1 - inside.mean())
        assert (packed.values[~inside] == 0).all()
        for row, start in packed.places:
            same = packed.segments[row] == packed.segments[row, start]
            size = int(same.sum())
            i = int(packed.values[row, start, 0])
            assert size == len(sequences[i]) and (packed.values[row, same] == i).all()
            assert packed.positions[row, same].tolist() == list(range(size))
            seen.append(i)
            elements += size
    assert seen == list(range(200)) and elements == sum(map(len, sequences))


def test_sequences_that_no_row_holds_are_refused():
    with pytest.raises(ValueError, match="expects sequences of 1 to 4, but got 5"):
        list(data.pack([np.zeros(5)], length=4, rows=1))
    with pytest.raises(ValueError, match="expects sequences of 1 to 4, but got 0"):
        list(data.pack([np.zeros(0)], length=4, rows=1))
    with pytest.raises(ValueError, match="of 1 at least"):
        list(data.pack([np.zeros(1)], length=0, rows=1))
