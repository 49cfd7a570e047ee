# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiled programs: numpy arrays in, numpy arrays out."""

from __future__ import annotations

import dataclasses
import os
from typing import Any, Sequence

import numpy as np

from . import _native
from ._errors import Error
from ._source import cache_name, program_text

# StableHLO's names of element types; those that numpy has not come from ml_dtypes, which JAX brings along.
_NUMPY = {
    "i1": "bool",
    "i8": "int8",
    "i16": "int16",
    "i32": "int32",
    "i64": "int64",
    "ui8": "uint8",
    "ui16": "uint16",
    "ui32": "uint32",
    "ui64": "uint64",
    "f16": "float16",
    "f32": "float32",
    "f64": "float64",
    "complex<f32>": "complex64",
    "complex<f64>": "complex128",
}
_ML_DTYPES = {
    "bf16": "bfloat16",
    "f8E5M2": "float8_e5m2",
    "f8E4M3FN": "float8_e4m3fn",
    "f8E4M3B11FNUZ": "float8_e4m3b11fnuz",
    "f8E5M2FNUZ": "float8_e5m2fnuz",
    "f8E4M3FNUZ": "float8_e4m3fnuz",
    "f8E4M3": "float8_e4m3",
    "f8E3M4": "float8_e3m4",
    "f8E8M0FNU": "float8_e8m0fnu",
    "f4E2M1FN": "float4_e2m1fn",
    "f6E2M3FN": "float6_e2m3fn",
    "f6E3M2FN": "float6_e3m2fn",
    "i4": "int4",
    "ui4": "uint4",
    "i2": "int2",
    "ui2": "uint2",
}


def numpy_type(element: str) -> np.dtype:
    """numpy's type for an element type as StableHLO spells it."""
    if element in _NUMPY:
        return np.dtype(_NUMPY[element])
    import ml_dtypes

    dtype: np.dtype = np.dtype(getattr(ml_dtypes, _ML_DTYPES[element]))
    return dtype


@dataclasses.dataclass(frozen=True)
class ArrayType:
    """An argument or a result.

    Attributes:
      dtype: numpy's element type.
      shape: extents, outermost first.
      name: what the program calls it; may be empty.
    """

    dtype: np.dtype
    shape: tuple[int, ...]
    name: str = ""

    def __str__(self) -> str:
        return f"{self.dtype.name}{list(self.shape)}"


class Program:
    """A compiled program. Made by `compile` and `load`; called with arrays in the order of `arguments`."""

    def __init__(self, native: _native.Executable):
        self._native = native
        self.arguments = [ArrayType(numpy_type(e), tuple(d), n) for e, d, n in native.arguments()]
        self.results = [ArrayType(numpy_type(e), tuple(d), n) for e, d, n in native.results()]

    def __call__(self, *arrays: Any) -> list[np.ndarray]:
        """Runs on the machine: every number is computed by its instructions. Arrays may be of anything that has DLPack
        or the buffer protocol."""
        if len(arrays) != len(self.arguments):
            raise Error(f"the program expects {len(self.arguments)} arguments, but got {len(arrays)}", exit=2)
        raw = [_bytes_of(array, expected, i) for i, (array, expected) in enumerate(zip(arrays, self.arguments))]
        outputs = self._native.run(raw)
        return [np.asarray(o).view(r.dtype).reshape(r.shape) for o, r in zip(outputs, self.results)]

    def serialize(self) -> bytes:
        """The executable's bytes, as `tpuc compile -o` writes them."""
        return self._native.serialize()

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the executable; `load` and `tpuc run` read it."""
        self._native.save(os.fspath(path))

    def seconds(self) -> float:
        """A step's time on the chip, in seconds, without running it."""
        return self._native.seconds()

    def disassemble(self) -> str:
        """The bundles as text."""
        return self._native.disassemble()

    def __repr__(self) -> str:
        arguments = ", ".join(map(str, self.arguments))
        return f"<tpuc.Program ({arguments}) -> ({', '.join(map(str, self.results))})>"


def _bytes_of(array: Any, expected: ArrayType, index: int) -> np.ndarray:
    array = np.from_dlpack(array) if not isinstance(array, np.ndarray) and _has_dlpack(array) else np.asarray(array)
    if array.shape != expected.shape or array.dtype != expected.dtype:
        raise Error(f"argument {index} expects {expected}, but got {array.dtype.name}{list(array.shape)}", exit=2)
    return bytes_of(array)


def bytes_of(array: np.ndarray) -> np.ndarray:
    """Dense and row-major."""
    return np.ascontiguousarray(array).reshape(-1).view(np.uint8)


def _has_dlpack(array: Any) -> bool:
    """Types that numpy has none for (bfloat16) cannot come by DLPack; JAX's arrays convert themselves."""
    return (
        hasattr(array, "__dlpack__")
        and getattr(getattr(array, "dtype", None), "kind", "V") in "biufc"
        and not hasattr(array, "__jax_array__")
        and not type(array).__module__.startswith("jax")
    )


def compile(
    program: Any,
    *args: Any,
    target: str = "v5e",
    matmul_precision: str = "",
    sets: Sequence[str] = (),
    cache: bool | str | os.PathLike[str] | None = None,
    **kwargs: Any,
) -> Program:
    """Compiles a program for a target.

    Args:
      program: a function or jax.jit(function), with `args` and `kwargs` to trace it (arrays or jax.ShapeDtypeStruct); a
        jax Lowered or Exported; StableHLO as text or bytes; an HloModuleProto's bytes; a pathlib.Path.
      target: "v1" to "v6e", or the path of a description.
      matmul_precision: "default" (f32 matmuls take bf16 inputs, as on a TPU), "high", "highest"; empty as the program
        says.
      sets: changed constants of the target, "hbm_bandwidth_gbps=900".
      cache: a folder where compiled programs are kept and found; True for the user's own; None for no cache.

    Raises:
      Error: located in the program, with a code.
    """
    text, name = program_text(program, args, kwargs)
    return Program(_native.compile(text, name, target, matmul_precision, list(sets), cache_name(cache)))


def load(source: str | os.PathLike[str] | bytes) -> Program:
    """An executable from a file or from its bytes."""
    if isinstance(source, bytes):
        return Program(_native.parse(source))
    return Program(_native.load(os.fspath(source)))
