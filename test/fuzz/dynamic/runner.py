# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A program of open sizes as an executable of buckets, against programs compiled for the very sizes."""

import pathlib
import struct
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

import arrays

FORMATS = {"f32": ("<f4", "f"), "i32": ("<i4", "i"), "i1": ("|b1", "?"), "i64": ("<i8", "q")}
TOLERANCE = 2e-5  # of a result's largest magnitude: sums may change their order
PRECISION = "--matmul-precision=highest"


def save(path, dims, numbers, element):
    descr, code = FORMATS[element]
    header = f"{{'descr': '{descr}', 'fortran_order': False, 'shape': ({''.join(f'{d}, ' for d in dims)}), }}"
    header += " " * (-(len(header) + 11) % 64) + "\n"
    body = struct.pack(f"<{len(numbers)}{code}", *numbers)
    path.write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + body)


def shape_of(path):
    data = path.read_bytes()
    return arrays.ast.literal_eval(data[10 : 10 + struct.unpack_from("<H", data, 8)[0]].decode())["shape"]


def run(*command):
    done = subprocess.run([str(c) for c in command], capture_output=True, text=True)
    if done.returncode < 0:
        return done.returncode, f"ended by signal {-done.returncode}: {done.stderr}"
    return done.returncode, done.stdout + done.stderr


def differences(got, want, exact):
    """What is wrong with the results in a folder; `exact` says which have to have the same bits."""
    for i, same in enumerate(exact):
        paths = [folder / f"output.{i}.npy" for folder in (got, want)]
        if shape_of(paths[0]) != shape_of(paths[1]):
            yield f"output {i} is {shape_of(paths[0])}, expected {shape_of(paths[1])}"
            continue
        worst, scale = arrays.apart(*map(arrays.load, paths))
        allowed = 0 if same else TOLERANCE * max(scale, 1e-3)
        if worst > allowed:
            yield f"output {i} is off by {worst:.3g} of {scale:.3g}, allowed is {allowed:.3g}"


def compile_buckets(tpuc, program, exe, buckets, flags=()):
    """What the tool says where it fails, or where the program is compiled for its largest sizes only; else nothing."""
    code, said = run(tpuc, "compile", program, "-o", exe, PRECISION, *(f"--bucket={b}" for b in buckets), *flags)
    return said if code or "remark:" in said else ""


def compare(tpuc, program, exe, data, exact, flags=()):
    """What is wrong with a run on a folder's inputs; nothing where all is well."""
    code, said = run(tpuc, "run", program, "--data", data, "--save", data / "exact", PRECISION)
    if code:
        return "refined: " + said
    code, said = run(tpuc, "run", exe, "--data", data, "--save", data / "bucket", *flags)
    return said if code else "; ".join(differences(data / "bucket", data / "exact", exact))
