#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs PyTorch's tests on the plugin, with what is installed of torch_xla and torchax; exit code 77 where neither is.

test/torch/run.py --plugin build/compiler/embed/pjrt/pjrt_tpuc.so [--python PYTHON] [--examples] [TEST...]
"""

import argparse
import os
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
SKIPPED = 77


def has(python, *modules):
    """Whether they can be found; importing them takes seconds."""
    code = f"import importlib.util as u, sys; sys.exit(not all(u.find_spec(m) for m in {modules!r}))"
    return subprocess.run([python, "-c", code], stderr=subprocess.DEVNULL).returncode == 0


def entry_point(folder):
    """What an installed package has: torch_xla finds the plugin by it."""
    info = pathlib.Path(folder) / "tpuc_tested-0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: tpuc-tested\nVersion: 0\n")
    (info / "entry_points.txt").write_text("[torch_xla.plugins]\ntpuc = tpuc_torch:TpucPlugin\n")


def commands(args):
    """Name, command, environment."""
    examples = ROOT / "examples" / "pytorch"
    if has(args.python, "torch", "torch_xla"):
        tests = [args.python, "-m", "unittest", "-v", *(f"test_torch_xla.{t}" for t in args.tests or ["TorchXla"])]
        yield "torch_xla", tests, {}
        yield "torch_xla, in StableHLO", tests, {"XLA_STABLEHLO_COMPILE": "1"}
        if args.examples:
            for options in (["--model=gpt"], ["--model=gpt", "--dynamo"], ["--model=resnet"]):
                yield f"train_torch_xla {options}", [args.python, examples / "train_torch_xla.py", *options], {}
    if has(args.python, "torch", "torchax", "jax", "optax"):
        steps = [] if args.examples else ["--steps=2"]
        yield "train_torchax gpt", [args.python, examples / "train_torchax.py", "--model=gpt", *steps], {}
        if args.examples:
            yield "train_torchax resnet", [args.python, examples / "train_torchax.py", "--model=resnet"], {}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--plugin", required=True, type=pathlib.Path)
    parser.add_argument("--python", default=os.environ.get("TPUC_TORCH_PYTHON", sys.executable))
    parser.add_argument("--examples", action="store_true", help="20 steps of each example too")
    parser.add_argument("tests", nargs="*", help="as TorchXla.test_views")
    args = parser.parse_args()
    failed, ran = [], 0
    with tempfile.TemporaryDirectory() as folder:
        entry_point(folder)
        base = dict(
            os.environ,
            PJRT_DEVICE="TPUC",
            JAX_PLATFORMS="tpuc",
            TPUC_MATMUL_PRECISION="highest",
            TPUC_PLUGIN_PATH=str(args.plugin.resolve()),
            TPUC_CACHE=os.path.join(folder, "cache"),
            PYTHONPATH=os.pathsep.join([folder, str(ROOT / "compiler" / "embed" / "python")]),
        )
        for name, command, extra in commands(args):
            print(f"== {name}", flush=True)
            ran += 1
            if subprocess.run(list(map(str, command)), env={**base, **extra}, cwd=HERE).returncode:
                failed.append(name)
    if not ran:
        print("neither torch_xla nor torchax is installed: skipped")
        return SKIPPED
    print(f"{ran - len(failed)} of {ran} passed" + "".join(f"\nfailed: {name}" for name in failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
