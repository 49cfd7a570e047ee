#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Folders of programs, such as capture.py writes, on tpuc: which are right, wrong, refused, crash or take too long.

    test/jax/compare.py build/compiler/tools/tpuc programs
    test/jax/compare.py build/compiler/tools/tpuc programs --only='lax_test' --jobs=2
    test/jax/compare.py build/compiler/tools/tpuc programs --again      what was not right last time
    test/jax/compare.py build/compiler/tools/tpuc programs --flag=--check --flag=--target=v2 --results=v2.jsonl

Each program runs with --matmul-precision=highest in a process of its own. The rule for "right", element by element:
  1. Booleans and integers are equal.
  2. Floats x against XLA's y: |x - y| <= atol + rtol |y| with the test's tolerances (info.json), NaN is like NaN and an
     infinity like itself: what JAX's assertAllClose asks. Complex numbers by their magnitude, as there. The sign of a
     zero counts where the program looks at it, in an integer or a boolean; results.jsonl has how many differ as
     "zeros".
  3. Elsewhere the same module with its floats in f64 is asked, where XLA takes that: x may be off from its result by as
     much as in 2, or by no more than XLA's own largest error in that output. A program in f64 has no such judge, except
     for erf_inv, where XLA is off by 40 last places: one step of Newton's method mends that.
  4. Denormals: XLA on the CPU takes them for zeros of their sign, tpuc for numbers. A program that is right by 1 to 3
     once the denormals in its inputs are zeros is listed apart as "denormals" and counts as right.
  5. Singular vectors and eigenvectors are determined up to a factor of magnitude 1. Outputs of a program with a routine
     that computes them are compared after such a factor for each column, or for each row; factors of two outputs, as U
     and V^H have, are each other's inverses. Such a program is listed apart as "phases" and counts as right.
Prints the counts, then what is not right, by cause. PROGRAMS/results.jsonl has a line a program.
"""

import argparse
import collections
import concurrent.futures
import io
import json
import math
import os
import pathlib
import random
import re
import signal
import shutil
import subprocess
import sys
import tempfile

import ml_dtypes
import numpy as np

RIGHT = ("right", "denormals", "phases")
VECTORS = re.compile(r"lapack_[sdcz](gesdd|gesvd|syevd|heevd|geev|gees)_ffi")
RAW = {
    "bf16": ml_dtypes.bfloat16,
    "f8E4M3FN": ml_dtypes.float8_e4m3fn,
    "f8E5M2": ml_dtypes.float8_e5m2,
    "f8E4M3FNUZ": ml_dtypes.float8_e4m3fnuz,
    "f8E5M2FNUZ": ml_dtypes.float8_e5m2fnuz,
    "f8E4M3B11FNUZ": ml_dtypes.float8_e4m3b11fnuz,
    "f8E3M4": ml_dtypes.float8_e3m4,
    "f8E4M3": ml_dtypes.float8_e4m3,
    "f8E8M0FNU": ml_dtypes.float8_e8m0fnu,
    "f4E2M1FN": ml_dtypes.float4_e2m1fn,
    "i4": ml_dtypes.int4,
    "ui4": ml_dtypes.uint4,
    "i2": ml_dtypes.int2,
    "ui2": ml_dtypes.uint2,
}
FLOATS = {"bf16", "f16", "f32"}


# ---- arrays ----------------------------------------------------------------------------------------------------------
def types_of(text):
    """Element types of main's arguments and results."""
    header = text[text.index("func.func public @main(") :]
    header = header[: header.index("{\n")]
    split = header.rindex("->") if "->" in header else len(header)
    return [re.findall(r"tensor<(?:\d+x)*([A-Za-z0-9]+(?:<\w+>)?)>", part) for part in (header[:split], header[split:])]


def load(path, element):
    content = path.read_bytes() if element == "f8E5M2" else None
    array = np.load(
        io.BytesIO(content.replace(b"'|f1'", b"'|V1'", 1).replace(b"'<f1'", b"'|V1'", 1)) if content else path
    )
    raw = RAW.get(element)
    return array.view(raw) if raw and array.dtype != raw else array


def arrays_of(folder, kind, elements):
    return [load(folder / f"{kind}.{i}.npy", element) for i, element in enumerate(elements)]


def is_float(array):
    return array.dtype.kind in "fc" or array.dtype in [np.dtype(t) for n, t in RAW.items() if "i" not in n]


def widened(array):
    return array.astype(np.complex128 if array.dtype.kind == "c" else np.float64)


def without_denormals(array):
    if array.dtype.kind == "c":
        part = array.view(array.real.dtype)
        return without_denormals(part).view(array.dtype)
    if not is_float(array):
        return array
    least = ml_dtypes.finfo(array.dtype).smallest_normal
    return np.where(np.abs(array) < least, np.copysign(array.dtype.type(0), array), array).astype(array.dtype)


# ---- right or wrong --------------------------------------------------------------------------------------------------
def beyond(got, want, atol, rtol):
    """Which elements rule 1 or 2 does not hold for."""
    if not is_float(want):
        return np.asarray(got != want)
    with np.errstate(all="ignore"):
        return ~np.isclose(widened(got), widened(want), atol=atol, rtol=rtol, equal_nan=True)


def other_zeros(got, want):
    """How many zeros have the other sign: no error, but worth a look."""
    if not is_float(want):
        return 0
    if want.dtype.kind == "c":
        return other_zeros(got.real, want.real) + other_zeros(got.imag, want.imag)
    return int(np.sum((widened(got) == 0) & (widened(want) == 0) & (np.signbit(got) != np.signbit(want))))


def judge(folder, gots, wants, info, truths=None):
    """None, or what is wrong with the first output that is."""
    for i, (got, want) in enumerate(zip(gots, wants)):
        name = str(want.dtype)
        atol, rtol = info.get("atol", {}).get(name, 0), info.get("rtol", {}).get(name, 0)
        bad = beyond(got, want, atol, rtol)
        if truths is not None and bad.any() and is_float(want):
            exact = widened(truths[i])
            with np.errstate(all="ignore"):
                own = np.abs(widened(want) - exact)
                own = np.max(own[np.isfinite(own)], initial=0)
                bad &= ~np.isclose(widened(got), exact, atol=max(atol, own), rtol=rtol, equal_nan=True)
        if bad.any():
            at = tuple(int(k) for k in np.argwhere(bad)[0])
            with np.errstate(all="ignore"):
                errors = np.abs(widened(got) - widened(want))
                worst = float(np.max(errors[np.isfinite(errors)], initial=0))
            return f"output {i} {name}{list(want.shape)}: {int(bad.sum())} of {bad.size}, at {list(at)} {want[at]!r} expected, got {got[at]!r}; off by at most {worst:.2e}, allowed {atol:.0e} {rtol:.0e}"
    return None


def execute(command, errors, timeout):
    """(exit code, None for one that takes too long; what it wrote to stderr; seconds of CPU time)."""
    with open(errors, "w") as file:
        child = subprocess.Popen(
            ["prlimit", f"--cpu={math.ceil(timeout)}:{math.ceil(timeout) + 1}", *command],
            stdout=subprocess.DEVNULL,
            stderr=file,
        )
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    exit = None if child.returncode in (-signal.SIGXCPU, -signal.SIGKILL) else child.returncode
    return exit, pathlib.Path(errors).read_text(errors="replace"), usage.ru_utime + usage.ru_stime


def aligned(got, want, axis):
    """`got` with its vectors along `axis` turned to those of `want`, and the factors."""
    factor = np.sum(np.conj(widened(got)) * widened(want), axis=axis, keepdims=True)
    size = np.abs(factor)
    factor = np.where(size > 0, factor / np.where(size > 0, size, 1), 1)
    return (widened(got) * factor).astype(got.dtype), np.squeeze(factor, axis)


def judge_schur(folder, gots, wants, info):
    """A triangular form T and its vectors Z: that of XLA up to phases, or another one of the same matrix Z T Z^H."""
    vectors, factor = aligned(gots[1], wants[1], -2)
    form = np.conj(factor)[..., :, None] * widened(gots[0]) * factor[..., None, :]
    wrong = judge(folder, [form.astype(gots[0].dtype), vectors, *gots[2:]], wants, info)
    return wrong and judge_other_schur(folder, gots, wants, info)


def judge_other_schur(folder, gots, wants, info):
    """The eigenvalues stand in any order: Z is unitary, T triangular but for 2x2 blocks of real matrices, the matrix
    the same."""
    adjoint = lambda a: np.conj(np.swapaxes(a, -1, -2))
    product = lambda pair: widened(pair[1]) @ widened(pair[0]) @ adjoint(widened(pair[1]))
    form, vectors = widened(gots[0]), widened(gots[1])
    eye = np.broadcast_to(np.eye(form.shape[-1]), form.shape)
    below = np.tril(form, -1 if form.dtype.kind == "c" else -2)
    beside = np.diagonal(form, -1, -2, -1)
    if form.dtype.kind != "c" and np.any((beside[..., 1:] != 0) & (beside[..., :-1] != 0)):
        return "two blocks of T overlap"
    name, rest = wants[0].dtype, gots[2:]
    have = [a.astype(name) for a in (product(gots), adjoint(vectors) @ vectors, below)]
    want = [a.astype(name) for a in (product(wants), eye, np.zeros_like(form))]
    return judge(folder, [*have, *rest], [*want, *wants[2:]], info)


def in_order(arrays, wants):
    """Eigenvalues, the first array, each at the place of the nearest one wanted; columns of matrices with them."""
    values, wanted, n = widened(arrays[0]).reshape(-1, arrays[0].shape[-1]), widened(wants[0]), arrays[0].shape[-1]
    places = []
    for have, want in zip(values, wanted.reshape(-1, n)):
        left = list(range(n))
        places.append([left.pop(int(np.argmin(np.abs(have[left] - w)))) for w in want])
    places = np.array(places).reshape(arrays[0].shape)
    moved = lambda a: np.take_along_axis(a, places[..., None, :], -1) if a.shape == (*places.shape, n) else a
    return [np.take_along_axis(arrays[0], places, -1), *map(moved, arrays[1:])]


def judge_up_to_phases(folder, gots, wants, info, truths):
    text = (folder / "program.mlir").read_text()
    if "geev_ffi" in text and wants[0].ndim and wants[0].dtype.kind == "c":
        gots, truths = in_order(gots, wants), truths and in_order(truths, wants)
        if not judge(folder, gots, wants, info, truths):
            return None
    if "gees_ffi" in text and len(gots) > 1 and gots[0].shape == gots[1].shape:
        return judge_schur(folder, gots, wants, info)
    turned, factors = [], []
    for got, want in zip(gots, wants):
        atol, rtol = (info.get(k, {}).get(str(want.dtype), 0) for k in ("atol", "rtol"))
        if is_float(want) and want.ndim > 1 and beyond(got, want, atol, rtol).any():
            for axis in (-2, -1):
                again, factor = aligned(got, want, axis)
                if not beyond(again, want, atol, rtol).any():
                    got = again
                    factors.append(factor)
                    break
        turned.append(got)
    if len(factors) == 2:
        n = min(f.shape[-1] for f in factors)
        if not np.allclose(factors[0][..., :n] * factors[1][..., :n], 1, atol=1e-3):
            return "factors of two outputs do not cancel"
    return judge(folder, turned, wants, info)


def run(options, folder, inputs=None):
    """(kind, text, outputs, seconds of CPU time) of a program."""
    saved = tempfile.mkdtemp(prefix="compare.")
    command = [
        options.tpuc,
        "run",
        str(folder),
        "--matmul-precision=highest",
        "--threads=1",
        f"--save={saved}",
        *options.flag,
    ]
    try:
        if inputs is not None:
            shutil.copy(folder / "program.mlir", saved)
            for i, array in enumerate(inputs):
                np.save(f"{saved}/input.{i}.npy", array)
            command[2] = saved
        exit, errors, seconds = execute(command, f"{saved}/errors", options.timeout)
        if exit is None:
            return "too long", f"more than {options.timeout:g} s", None, seconds
        text = (folder / "program.mlir").read_text()
        results = types_of(text)[1]
        lines = [line for line in errors.splitlines() if "error:" in line] or errors.splitlines() or [""]
        if exit in (0, 1) and all(os.path.exists(f"{saved}/output.{i}.npy") for i in range(len(results))):
            return (
                "ran",
                "",
                [load(pathlib.Path(f"{saved}/output.{i}.npy"), element) for i, element in enumerate(results)],
                seconds,
            )
        kind = {1: "stopped", 2: "usage", 3: "invalid", 4: "refused", 5: "does not fit"}.get(exit, "crashed")
        return kind, re.sub(r"^.*?error: ", "", lines[0]) or f"exit {exit}", None, seconds
    finally:
        shutil.rmtree(saved, ignore_errors=True)


def compare(options, folder):
    info = json.loads((folder / "info.json").read_text())
    kind, text, gots, seconds = run(options, folder)
    record = {
        "program": folder.name,
        "test": info.get("test", ""),
        "x64": info.get("x64", False),
        "seconds": round(seconds, 2),
    }
    if gots is None:
        return dict(record, kind=kind, text=text)
    elements = types_of((folder / "program.mlir").read_text())
    wants = arrays_of(folder, "output", elements[1])
    zeros = sum(other_zeros(got, want) for got, want in zip(gots, wants))
    if zeros:
        record["zeros"] = zeros
    wrong = judge(folder, gots, wants, info)
    if not wrong:
        return dict(record, kind="right", text="")
    truths = exact_outputs(folder, elements)
    wrong = judge(folder, gots, wants, info, truths)
    if not wrong:
        return dict(record, kind="right", text="nearer to f64")
    inputs = arrays_of(folder, "input", elements[0])
    plain = [without_denormals(a) for a in inputs]
    if any(a.tobytes() != b.tobytes() for a, b in zip(plain, inputs)):
        _, _, again, _ = run(options, folder, plain)
        if again is not None and not judge(folder, again, wants, info, truths):
            return dict(record, kind="denormals", text=wrong)
    if VECTORS.search((folder / "program.mlir").read_text()):
        again = judge_up_to_phases(folder, gots, wants, info, truths)
        return dict(record, kind="wrong" if again else "phases", text=again or wrong)
    return dict(record, kind="wrong", text=wrong)


# ---- rule 3 ----------------------------------------------------------------------------------------------------------
def exact_outputs(folder, elements):
    """The outputs with all floats in f64, from a process of its own; None where XLA does not take that."""
    narrow = any(e in FLOATS or e == "complex<f32>" for e in elements[0] + elements[1])
    if not narrow and "chlo.erf_inv" not in (folder / "program.mlir").read_text():
        return None
    with tempfile.TemporaryDirectory(prefix="exact.") as saved:
        environment = dict(os.environ, JAX_ENABLE_X64="1", JAX_PLATFORMS="cpu")
        subprocess.run(
            [sys.executable, __file__, "--exact", str(folder), saved], env=environment, capture_output=True, timeout=300
        )
        if not os.path.exists(f"{saved}/done"):
            return None
        return [np.load(f"{saved}/output.{i}.npy") for i in range(len(elements[1]))]


NARROW = {"f32": "F_32", "bf16": "BF_16", "f16": "F_16"}  # names that stay as they are


def bits_kept(line):
    """A bitcast of narrow floats, with a conversion from or to f64."""
    m = re.match(
        r"( +)(%\S+) = stablehlo.bitcast_convert (%\S+) : \((tensor<[^>]*>)\) -> (tensor<[^>]*>)(.*)$", line[0]
    )
    if not m:
        return line[0]
    indent, result, operand, source, target, location = m.groups()
    narrow = lambda t: re.sub(r"(?<=[x<])(f32|bf16|f16)(?=>)", lambda k: NARROW[k[0]], t)
    lines, bits = [], result
    if narrow(source) != source:
        lines.append(f"{indent}%narrow{line.start()} = stablehlo.convert {operand} : ({source}) -> {narrow(source)}")
        operand = f"%narrow{line.start()}"
    if narrow(target) != target:
        bits = f"%bits{line.start()}"
    lines.append(
        f"{indent}{bits} = stablehlo.bitcast_convert {operand} : ({narrow(source)}) -> {narrow(target)}{location}"
    )
    if bits != result:
        lines.append(f"{indent}{result} = stablehlo.convert {bits} : ({narrow(target)}) -> {target}")
    return "\n".join(lines)


REFINED = """  func.func private @NAME(%x: TYPE) -> TYPE {
    %first = chlo.erf_inv %x : TYPE -> TYPE
    %y = stablehlo.abs %first : TYPE
    %a = stablehlo.abs %x : TYPE
    %one = stablehlo.constant dense<1.0> : TYPE
    %rest = stablehlo.subtract %one, %a : TYPE
    %erfc = chlo.erfc %y : TYPE -> TYPE
    %far = stablehlo.subtract %erfc, %rest : TYPE
    %erf = chlo.erf %y : TYPE -> TYPE
    %near = stablehlo.subtract %a, %erf : TYPE
    %half = stablehlo.constant dense<0.5> : TYPE
    %isFar = stablehlo.compare GT, %a, %half : (TYPE, TYPE) -> BOOLS
    %off = stablehlo.select %isFar, %far, %near : BOOLS, TYPE
    %square = stablehlo.multiply %y, %y : TYPE
    %power = stablehlo.exponential %square : TYPE
    %root = stablehlo.constant dense<0.88622692545275801> : TYPE
    %slope = stablehlo.multiply %power, %root : TYPE
    %step = stablehlo.multiply %off, %slope : TYPE
    %mended = stablehlo.add %y, %step : TYPE
    %sign = stablehlo.sign %x : TYPE
    %signed = stablehlo.multiply %mended, %sign : TYPE
    %isFinite = stablehlo.is_finite %signed : (TYPE) -> BOOLS
    %result = stablehlo.select %isFinite, %signed, %first : BOOLS, TYPE
    return %result : TYPE
  }
"""


def refine_erf_inv(text):
    """Calls of functions that put one step of Newton's method behind erf_inv."""
    functions = {}

    def call(match):
        name = functions.setdefault(match[3], f"refined_erf_inv_{len(functions)}")
        return f"{match[1]} = func.call @{name}({match[2]}) : ({match[3]}) -> {match[3]}"

    text = re.sub(r"(%\S+) = chlo.erf_inv (%\S+) : (tensor<[^>]*>) -> tensor<[^>]*>", call, text)
    bodies = [
        REFINED.replace("NAME", name).replace("TYPE", kind).replace("BOOLS", kind.replace("f64>", "i1>"))
        for kind, name in functions.items()
    ]
    return re.sub(r"^module .*\{\n", lambda m: m[0] + "".join(bodies), text, count=1, flags=re.M)


def write_exact(folder, saved):
    from jax._src import compiler, xla_bridge
    from jaxlib import lapack
    import jax

    lapack._lapack.initialize()

    text = (folder / "program.mlir").read_text()
    inputs = arrays_of(folder, "input", types_of(text)[0])
    for element, digits, infinity, wide in (
        ("f32", 8, 0x7F800000, 0x7FF0000000000000),
        ("bf16", 4, 0x7F80, 0x7FF0000000000000),
        ("f16", 4, 0x7C00, 0x7FF0000000000000),
    ):
        sign = 1 << (4 * digits - 1)
        text = text.replace(f"0x{infinity:0{digits}X}>", f"0x{wide:X}>").replace(
            f"0x{infinity | sign:0{digits}X}>", f"0x{wide | 1 << 63:X}>"
        )
    text = re.sub(r"lapack_([sc])(?=\w+_ffi)", lambda m: "lapack_" + {"s": "d", "c": "z"}[m[1]], text)
    text = re.sub(r"^ +%\S+ = stablehlo.bitcast_convert .*$", bits_kept, text, flags=re.M)
    text = re.sub(r"\b(f32|bf16|f16)\b", "f64", text)
    text = re.sub(r"(?<=[x<])(f32|bf16|f16)(?=>)", "f64", text)
    text = re.sub(r"(epsilon = \S+ : )f64", r"\1f32", text)
    for name, kept in NARROW.items():
        text = text.replace(kept, name)
    text = refine_erf_inv(text)
    backend, devices = xla_bridge.get_backend("cpu"), jax.devices("cpu")[:1]
    executable = backend.compile_and_load(text, devices, compiler.get_compile_options(num_replicas=1, num_partitions=1))
    widen = lambda a: widened(a) if is_float(a) else a
    for i, result in enumerate(executable.execute([jax.device_put(widen(a), devices[0]) for a in inputs])):
        np.save(saved / f"output.{i}.npy", np.asarray(result))
    (saved / "done").touch()


# ---- the command -----------------------------------------------------------------------------------------------------
def cause(record):
    text = (
        re.sub(r"\d+", "#", record["text"])
        if record["kind"] != "wrong"
        else re.sub(r"[\d_]*$", "", record["test"].split("::")[-1])
    )
    return f"{record['kind']}: {text[:160]}"


def summary(records, slow):
    counts = collections.Counter(r["kind"] for r in records)
    right = sum(counts[k] for k in RIGHT)
    print(
        f"{len(records)} programs, {right} right ({100 * right / max(1, len(records)):.2f}%): "
        + ", ".join(f"{n} {k}" for k, n in counts.most_common())
    )
    groups = collections.defaultdict(list)
    for r in records:
        if r["kind"] not in RIGHT:
            groups[cause(r)].append(r)
    for name, group in sorted(groups.items(), key=lambda g: (g[1][0]["kind"], -len(g[1]))):
        print(f"\n{len(group)} x {name}")
        for r in group[:6]:
            print(f"    {r['program']}  {r['test'].split('::')[-1]}{' x64' if r['x64'] else ''}  {r['text'][:240]}")
    late = sorted((r for r in records if r["seconds"] > slow), key=lambda r: -r["seconds"])
    if late:
        print(f"\n{len(late)} took more than {slow:g} s of CPU time:")
    for r in late[:40]:
        print(f"    {r['seconds']:7.1f} s  {r['program']}  {r['test'].split('::')[-1]}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tpuc")
    parser.add_argument("programs", type=pathlib.Path)
    parser.add_argument("--only", default="", metavar="REGEX", help="programs whose name or test matches")
    parser.add_argument("--again", action="store_true", help="those that results.jsonl doesn't call right")
    parser.add_argument("--new", action="store_true", help="those that results.jsonl doesn't have")
    parser.add_argument("--flag", action="append", default=[], help="one more for tpuc; repeated")
    parser.add_argument("--results", default="results.jsonl", help="the file in PROGRAMS")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--timeout", type=float, default=60, help="seconds of CPU time")
    parser.add_argument("--slow", type=float, default=10, help="list what takes more seconds of CPU time")
    options = parser.parse_args()
    path = options.programs / options.results
    known = {}
    if path.exists():
        known = {r["program"]: r for r in map(json.loads, path.read_text().splitlines())}
    folders = sorted(f for f in options.programs.iterdir() if (f / "info.json").exists())
    if options.only:
        folders = [
            f
            for f in folders
            if re.search(options.only, f.name + " " + json.loads((f / "info.json").read_text())["test"])
        ]
    if options.again:
        folders = [f for f in folders if known.get(f.name, {}).get("kind") not in RIGHT]
    if options.new:
        folders = [f for f in folders if f.name not in known]
    random.Random(0).shuffle(folders)  # counts of a part say something of the whole
    records = []
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool, open(path, "a") as log:
        for record in pool.map(lambda f: compare(options, f), folders):
            records.append(record)
            log.write(json.dumps(record) + "\n")
            log.flush()
    summary(records, options.slow)
    return any(r["kind"] not in RIGHT + ("refused",) for r in records)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--exact"]:
        write_exact(pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3]))
    else:
        sys.exit(main())
