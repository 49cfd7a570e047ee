#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs of JAX's own tests as folders that `tpuc run` takes: what the tests compile, with inputs and outputs.

    pip install jax==0.10.2 absl-py pytest hypothesis scipy opt_einsum
    git clone --depth=1 --branch=jax-v0.10.2 https://github.com/jax-ml/jax DIR/jax
    test/jax/capture.py --out programs --tests DIR/jax/tests                    the files below, x64 off and on
    test/jax/capture.py --out programs --tests DIR/jax/tests --x64=1 nn_test    the named files
    test/jax/compare.py build/compiler/tools/tpuc programs                      runs them all

Not part of the tests: it needs JAX and its test files. Each file runs under pytest in a process of its own on the CPU
backend. A program is kept when it first executes: a folder has program.mlir as XLA got it, input.K.npy, output.K.npy
and info.json:
  tolerance  the largest of all below, which `tpuc run` allows of an output's largest magnitude
  atol, rtol what the test allows, by type: JAX's defaults, or more where the test passes more
  test, x64  where it comes from

Programs of the same text are kept once, of those that differ in sizes only --alike. OUT/left_out.jsonl has those that
are not kept and why: several devices, callbacks and other effects, more than --max-bytes of arrays. A folder's name is
the file's and a digest of the text."""

import argparse
import collections
import hashlib
import json
import os
import pathlib
import random
import re
import subprocess
import sys
import time

FILES = """lax_test lax_numpy_test lax_numpy_operators_test lax_numpy_indexing_test lax_numpy_reducers_test
lax_numpy_einsum_test lax_control_flow_test lax_vmap_test lax_vmap_op_test lax_autodiff_test nn_test
random_test random_lax_test linalg_test fft_test api_test lax_numpy_ufuncs_test lax_numpy_setops_test
lax_numpy_vectorize_test lax_scipy_test lax_scipy_sparse_test lax_scipy_special_functions_test
lax_scipy_spectral_dac_test scipy_fft_test scipy_interpolate_test scipy_ndimage_test scipy_optimize_test
scipy_signal_test scipy_spatial_test scipy_stats_test sparse_test sparse_bcoo_bcsr_test sparsify_test ode_test
image_test jet_test polynomial_test optimizers_test stax_test batching_test custom_linear_solve_test
custom_root_test cholesky_update_test eigh_test svd_test qdwh_test lobpcg_test ann_test array_test core_test
debug_nans_test dtypes_test experimental_rnn_test fused_attention_stablehlo_test generated_fun_test
mutable_array_test state_test stateful_rng_test random_impl_test blocked_sampler_test checkify_test
error_check_test custom_api_test hijax_test scaled_dot_test x64_context_test unary_ops_accuracy_test aot_test
name_stack_test key_reuse_test array_extensibility_test xla_interpreter_test""".split()


def flags():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", default=FILES, metavar="FILE", help="names of test files, without .py")
    parser.add_argument("--out", required=True, type=pathlib.Path, help="the folder of folders")
    parser.add_argument("--tests", required=True, type=pathlib.Path, help="JAX's folder of tests")
    parser.add_argument("--x64", choices=["0", "1", "both"], default="both", help="JAX_ENABLE_X64")
    parser.add_argument("--cases", type=int, default=3, help="JAX_NUM_GENERATED_CASES: variants of a test")
    parser.add_argument(
        "--programs", type=int, default=60, help="new programs a file and mode; then the next file starts"
    )
    parser.add_argument("--per-test", type=int, default=4, help="new programs a test")
    parser.add_argument("--alike", type=int, default=2, help="programs that differ in sizes only")
    parser.add_argument(
        "--seconds", type=float, default=60, help="a file and mode takes no longer than this and its last test"
    )
    parser.add_argument(
        "--max-bytes", type=int, default=1 << 21, help="of a program's inputs and outputs, and of its text"
    )
    parser.add_argument("--seed", type=int, default=0, help="chooses the order of a file's tests")
    parser.add_argument("--one", help=argparse.SUPPRESS)
    return parser.parse_args()


def digest_of(text):
    return hashlib.sha256(text.encode()).hexdigest()[:12]


class Capture:
    """Keeps each program that this process compiles, at its first execution; a pytest plugin."""

    def __init__(self, options):
        self.options = options
        self.kept = 0
        self.test, self.of_test, self.tolerances = "", [], {}

    # ---- what is compiled and executed -------------------------------------------------------------------------------
    def install(self):
        from jax._src import compiler
        from jax._src import test_util
        from jax._src.interpreters import pxla

        compile_and_load = compiler.backend_compile_and_load
        texts = {}

        def compiled(backend, module, devices, *args, **kwargs):
            executable = compile_and_load(backend, module, devices, *args, **kwargs)
            if backend.platform == "cpu":
                texts[id(executable)] = (
                    executable,
                    module.operation.get_asm(enable_debug_info=True),
                    module.operation.get_asm(),
                )
            return executable

        compiler.backend_compile_and_load = compiled
        create, capture = pxla.ExecuteReplicated.__init__, self

        def created(self, executable, *args, **kwargs):
            create(self, executable, *args, **kwargs)
            found = texts.pop(id(executable), None)
            if found:
                effects = self.ordered_effects or self.has_unordered_effects or self.has_host_callbacks
                reason = (
                    "several devices" if len(self._local_devices) > 1 else "effects or callbacks" if effects else None
                )
                if reason:
                    capture.leave_out(reason)
                else:
                    self.xla_executable = Watched(executable, capture, *found[1:])

        pxla.ExecuteReplicated.__init__ = created
        self.watch_tolerances(test_util)

    def watch_tolerances(self, test_util):
        compares = test_util.JaxTestCase.assertArraysAllClose

        def compared(case, actual, desired, *, atol=None, rtol=None, **kwargs):
            try:
                for array in (actual, desired):
                    name = str(array.dtype)
                    seen = self.tolerances.setdefault(name, [0.0, 0.0])
                    seen[0] = max(seen[0], float(test_util.tolerance(array.dtype, atol)))
                    seen[1] = max(seen[1], float(test_util.tolerance(array.dtype, rtol)))
            except (KeyError, TypeError, ValueError, AttributeError):
                pass
            return compares(case, actual, desired, atol=atol, rtol=rtol, **kwargs)

        test_util.JaxTestCase.assertArraysAllClose = compared

    # ---- folders -----------------------------------------------------------------------------------------------------
    def leave_out(self, reason, digest=None):
        with open(self.options.out / "left_out.jsonl", "a") as file:
            file.write(json.dumps({"test": self.test, "reason": reason, "digest": digest}) + "\n")

    def claim(self, plain):
        """The folder for a text nobody has kept yet."""
        if len(self.of_test) >= self.options.per_test or self.kept >= self.options.programs:
            return None
        digest = digest_of(plain)
        shape = "alike-" + digest_of(re.sub(r"(?<=[<x, \[=(])\d+", "#", plain))
        seen = self.options.out / ".seen"
        seen.mkdir(exist_ok=True)
        if (seen / digest).exists() or all((seen / f"{shape}.{i}").exists() for i in range(self.options.alike)):
            return None
        (seen / digest).touch()
        (seen / f"{shape}.{sum((seen / f'{shape}.{i}').exists() for i in range(self.options.alike))}").touch()
        return self.options.out / f"{self.options.one.replace('/', '-')}-{digest}"

    def keep(self, folder, text, inputs, outputs):
        import numpy as np

        size = max(sum(a.nbytes for a in inputs + outputs), len(text))
        if size > self.options.max_bytes:
            return self.leave_out(f"{size} bytes", folder.name)
        folder.mkdir()
        (folder / "program.mlir").write_text(text)
        for kind, arrays in (("input", inputs), ("output", outputs)):
            for i, array in enumerate(arrays):
                raw = array.dtype.isbuiltin != 1  # NumPy doesn't read all of ml_dtypes's names
                np.save(folder / f"{kind}.{i}.npy", array.view(f"V{array.itemsize}") if raw else array)
        self.kept += 1
        self.of_test.append((folder, sorted({str(a.dtype) for a in outputs})))

    def finish_test(self):
        from jax._src.public_test_util import default_tolerance

        defaults = {str(k): float(v) for k, v in default_tolerance().items()}
        for folder, types in self.of_test:
            atol = {t: max(defaults.get(t, 0.0), self.tolerances.get(t, [0, 0])[0]) for t in types}
            rtol = {t: max(defaults.get(t, 0.0), self.tolerances.get(t, [0, 0])[1]) for t in types}
            info = {
                "tolerance": max([0.0, *atol.values(), *rtol.values()]),
                "atol": atol,
                "rtol": rtol,
                "test": self.test,
                "x64": os.environ["JAX_ENABLE_X64"] == "1",
            }
            (folder / "info.json").write_text(json.dumps(info) + "\n")
        self.of_test, self.tolerances = [], {}

    # ---- pytest ------------------------------------------------------------------------------------------------------
    def pytest_collection_modifyitems(self, items):
        self.deadline = time.monotonic() + self.options.seconds
        random.Random(f"{self.options.seed} {self.options.one} {os.environ['JAX_ENABLE_X64']}").shuffle(items)

    def pytest_runtest_protocol(self, item):
        if self.kept >= self.options.programs or time.monotonic() > self.deadline:
            item.session.shouldstop = "enough"
            return True
        self.test = item.nodeid
        return None

    def pytest_runtest_logfinish(self):
        self.finish_test()


class Watched:
    """A loaded executable whose first execution is kept."""

    def __init__(self, executable, capture, text, plain):
        self.executable, self.capture, self.text, self.plain = executable, capture, text, plain

    def __getattr__(self, name):
        return getattr(self.executable, name)

    def execute_sharded(self, arrays, **kwargs):
        import numpy as np

        text, self.text = self.text, None
        folder = self.capture.claim(self.plain) if text else None
        if not folder:
            return self.executable.execute_sharded(arrays, **kwargs)
        inputs = [np.array(a, copy=True) for a in arrays]  # before a donation takes them
        return Results(
            self.executable.execute_sharded(arrays, **kwargs),
            lambda outputs: self.capture.keep(folder, text, inputs, outputs),
        )


class Results:
    """What an execution gives, seen before JAX takes it."""

    def __init__(self, results, keep):
        self.results, self.keep = results, keep

    def consume_with_handlers(self, handlers, **kwargs):
        import numpy as np

        arrays = self.results.disassemble_into_single_device_arrays()
        self.keep([np.array(a[0], copy=True) for a in arrays])
        return [handler(a) for handler, a in zip(handlers, arrays)]


def run_file(options):
    """One file in this process."""
    import pytest

    capture = Capture(options)
    capture.install()
    path = options.tests / f"{options.one}.py"
    sys.argv = [str(path)]  # JAX's tests parse it
    pytest.main(
        [str(path), "-q", "-p", "no:cacheprovider", "--tb=no", "-W", "ignore", "--no-header"], plugins=[capture]
    )
    print(f"{options.one} x64={os.environ['JAX_ENABLE_X64']}: {capture.kept} programs", flush=True)


def main():
    options = flags()
    options.out.mkdir(parents=True, exist_ok=True)
    if options.one:
        return run_file(options)
    for name in options.files:
        for x64 in ("0", "1") if options.x64 == "both" else options.x64:
            environment = dict(
                os.environ,
                JAX_PLATFORMS="cpu",
                JAX_ENABLE_X64=x64,
                JAX_NUM_GENERATED_CASES=str(options.cases),
                JAX_SKIP_SLOW_TESTS="1",
                PYTHONDONTWRITEBYTECODE="1",
            )
            command = [sys.executable, __file__, f"--one={name}", f"--out={options.out}", f"--tests={options.tests}"]
            command += [
                f"--{flag}={getattr(options, flag.replace('-', '_'))}"
                for flag in ("programs", "per-test", "alike", "seconds", "max-bytes", "seed")
            ]
            log = options.out / f"{name.replace('/', '-')}.{x64}.log"
            with open(log, "w") as file:
                try:
                    subprocess.run(
                        command, env=environment, stdout=file, stderr=file, timeout=options.seconds * 3 + 120
                    )
                except subprocess.TimeoutExpired:
                    file.write("killed: a test takes too long\n")
            last = collections.deque(log.read_text(errors="replace").splitlines(), 1)
            print(last.pop() if last else f"{name} x64={x64}: nothing", flush=True)
    unfinished = [f for f in options.out.iterdir() if (f / "program.mlir").exists() and not (f / "info.json").exists()]
    for folder in unfinished:  # its test was killed
        for file in folder.iterdir():
            file.unlink()
        folder.rmdir()
    print(f"{sum((f / 'program.mlir').exists() for f in options.out.iterdir())} programs in {options.out}")


if __name__ == "__main__":
    main()
