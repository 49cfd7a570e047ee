#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Folders with a program.mlir as folders with a program.pb, an HloModuleProto that JAX's own converter makes of it.

    pip install jax==0.10.2 && ./to_hlo.py FOLDER... --out DIR && tpuc run DIR/*

Inputs, outputs and info.json are copied. Programs that XLA's converter does not take are named and left out.
"""

import argparse
import os
import pathlib
import shutil

os.environ.setdefault("JAX_PLATFORMS", "cpu")
from jaxlib import _jax


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=pathlib.Path)
    parser.add_argument("--out", required=True, type=pathlib.Path)
    options = parser.parse_args()
    for folder in options.folders:
        try:
            computation = _jax.mlir.mlir_module_to_xla_computation(
                (folder / "program.mlir").read_text(), use_tuple_args=False, return_tuple=False
            )
        except Exception as error:
            print(f"{folder.name}: {str(error).splitlines()[0]}")
            continue
        out = options.out / folder.name
        out.mkdir(parents=True, exist_ok=True)
        (out / "program.pb").write_bytes(computation.as_serialized_hlo_module_proto())
        for file in [*folder.glob("*.npy"), *folder.glob("info.json")]:
            shutil.copy(file, out)


if __name__ == "__main__":
    main()
