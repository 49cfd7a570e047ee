#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The ledger's sums are the machine's counters, to the byte: ledger.py TPUC PROGRAM [FLAG ...]. Prints the array that
wastes most, and its advice."""

import json
import subprocess
import sys

# Rows of bf16, int8 and f32 that go into an array at once.
ROWS = {"bf16": 16, "int8": 32, "f32": 8}


def total(rows, kind):
    for row in rows:
        split = row[kind]
        assert split["logical"] + split["bucketing"] + split["alignment"] == split["total"], row
        assert min(split.values()) >= 0, row
    return sum(row[kind]["total"] for row in rows)


def main():
    tpuc, program, *flags = sys.argv[1:]
    report = json.loads(subprocess.run([tpuc, "report", program, "--json", *flags], stdout=subprocess.PIPE).stdout)
    ledger, counters = report["ledger"], report["counters"]["timed"]
    dma = counters["dma_bytes"]
    assert (ledger["hbm_read_bytes"], ledger["hbm_write_bytes"]) == (dma["hbm_read"], dma["hbm_write"]), program
    moved = dma["hbm_read"] + dma["hbm_write"]
    assert total(ledger["arrays"], "moved_bytes") == total(ledger["kernels"], "moved_bytes") == moved, program
    assert total([ledger], "moved_bytes") == moved, program
    total(ledger["arrays"], "stored_bytes")
    rows = sum(ROWS[name] * pushes for name, pushes in counters["mxu_pushes"].items())
    machine = sum(k["machine_flops"] for k in ledger["kernels"])
    assert machine in [2 * rows * side**2 for side in (128, 256)], (program, machine, rows)
    worst = ledger["arrays"][0]
    print(worst["name"], worst["type"], worst["moved_bytes"], worst.get("advice", ""))


if __name__ == "__main__":
    main()
