#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""TensorFlow's programs in each form that it hands out, against what TensorFlow computes; exit code 77 without it.

test/tensorflow/run.py --tpuc build/compiler/tools/tpuc [--python PYTHON]
"""

import argparse
import os
import pathlib
import subprocess
import sys
import tempfile

EXPORT = pathlib.Path(__file__).resolve().parents[2] / "examples" / "export_tensorflow.py"
STAGES = ["hlo_serialized", "stablehlo", "stablehlo_serialized"]
SKIPPED = 77


def has_tensorflow(python):
    code = "import importlib.util as u, sys; sys.exit(u.find_spec('tensorflow') is None)"
    return subprocess.run([python, "-c", code], stderr=subprocess.DEVNULL).returncode == 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tpuc", required=True)
    parser.add_argument("--python", default=os.environ.get("TPUC_TENSORFLOW_PYTHON", sys.executable))
    args = parser.parse_args()
    if not has_tensorflow(args.python):
        print("tensorflow is not installed: skipped")
        return SKIPPED
    failed = []
    with tempfile.TemporaryDirectory() as folder:
        for stage in STAGES:
            print(f"== {stage}", flush=True)
            out = pathlib.Path(folder, stage)
            subprocess.run([args.python, EXPORT, f"--out={out}", f"--stage={stage}"], check=True)
            run = [args.tpuc, "run", *sorted(out.iterdir()), "--matmul-precision=highest"]
            if subprocess.run(run).returncode:
                failed.append(stage)
    print(f"{len(STAGES) - len(failed)} of {len(STAGES)} forms passed" + "".join(f"\nfailed: {s}" for s in failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
