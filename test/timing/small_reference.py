#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A small set for reference.py: programs of ours, and what the production TPU compiler estimates for programs of these
shapes.

  small_reference.py OUT      writes OUT/records.jsonl and OUT/stablehlo/NAME.mlir

The numbers are from JAX's documented ahead-of-time API for TPU topologies (jax.experimental.topologies): cycles are the
compiler's own estimates of its matmul kernels; seconds are HBM bytes over the usable bandwidth and 0.2 us a kernel
(docs/rationale/timing.md)."""

import json
import pathlib
import sys

GENERATIONS = ("v4", "v5e", "v5p", "v6e")


def matmul(m, k, n, element, out):
    lhs, rhs, result = f"tensor<{m}x{k}x{element}>", f"tensor<{k}x{n}x{element}>", f"tensor<{m}x{n}x{out}>"
    return (
        f"func.func @main(%x: {lhs}, %w: {rhs}) -> {result} {{\n"
        f"  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : ({lhs}, {rhs}) -> {result}\n"
        f"  return %0 : {result}\n}}\n"
    )


def add(m, n, element):
    array = f"tensor<{m}x{n}x{element}>"
    return (
        f"func.func @main(%x: {array}, %y: {array}) -> {array} {{\n"
        f"  %0 = stablehlo.add %x, %y : {array}\n  return %0 : {array}\n}}\n"
    )


def row_sums(m, n):
    return (
        f"func.func @main(%x: tensor<{m}x{n}xf32>) -> tensor<{m}xf32> {{\n"
        "  %zero = stablehlo.constant dense<0.0> : tensor<f32>\n"
        f"  %0 = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [1] : "
        f"(tensor<{m}x{n}xf32>, tensor<f32>)"
        f" -> tensor<{m}xf32>\n  return %0 : tensor<{m}xf32>\n}}\n"
    )


# name, category, program, estimated cycles a generation (matmuls), seconds a generation.
SET = (
    (
        "matmul_bf16_2048x2048x2048",
        "matmul",
        matmul(2048, 2048, 2048, "bf16", "bf16"),
        (80738, 143032, 74906, 55847),
        (7.709e-05, 9.555e-05, 4.300e-05, 3.211e-05),
    ),
    (
        "matmul_bf16_4096x4096x4096",
        "matmul",
        matmul(4096, 4096, 4096, "bf16", "bf16"),
        (596564, 1083068, 544925, 301616),
        (5.684e-04, 7.222e-04, 3.116e-04, 1.726e-04),
    ),
    (
        "matmul_bf16_4100x4097x4099",
        "matmul",
        matmul(4100, 4097, 4099, "bf16", "bf16"),
        (635174, 1150530, 585764, 340825),
        (6.051e-04, 7.672e-04, 3.349e-04, 1.950e-04),
    ),
    (
        "matmul_int8_4096x4096x4096",
        "matmul",
        matmul(4096, 4096, 4096, "i8", "i32"),
        (633408, 542476, 275123, 226614),
        (6.034e-04, 3.619e-04, 1.574e-04, 1.297e-04),
    ),
    (
        "ew_add_bf16_8192x8192",
        "elementwise",
        add(8192, 8192, "bf16"),
        (0, 0, 0, 0),
        (4.100e-04, 5.461e-04, 1.715e-04, 2.460e-04),
    ),
    (
        "reduce_row_f32_16384x4096",
        "reduction",
        row_sums(16384, 4096),
        (0, 0, 0, 0),
        (2.735e-04, 3.642e-04, 1.144e-04, 1.641e-04),
    ),
)


def main(out):
    folder = pathlib.Path(out)
    (folder / "stablehlo").mkdir(parents=True, exist_ok=True)
    with open(folder / "records.jsonl", "w") as records:
        for name, category, program, cycles, seconds in SET:
            (folder / "stablehlo" / f"{name}.mlir").write_text(program)
            for i, generation in enumerate(GENERATIONS):
                record = {
                    "name": name,
                    "category": category,
                    "generation": generation,
                    "num_devices": 1,
                    "model_flops": 0,
                    "mxu_estimated_cycles": cycles[i],
                    "composite_seconds": seconds[i],
                    "stablehlo": f"stablehlo/{name}.mlir",
                }
                records.write(json.dumps(record) + "\n")


if __name__ == "__main__":
    main(sys.argv[1])
