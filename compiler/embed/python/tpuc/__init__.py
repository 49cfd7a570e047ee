# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""tpuc: StableHLO programs compiled for, run and timed on a model of a TPU-like chip.

    import jax, tpuc
    print(tpuc.report(jax.jit(f), jax.ShapeDtypeStruct((8, 128), "float32"), target="v5e"))

`report` needs shapes only; `compile` gives a program that takes and gives numpy arrays; `compare` puts targets side by
side; `data` brings a loader's batches to the sizes of buckets."""

import importlib.util

if importlib.util.find_spec("tpuc._native") is None:
    raise ImportError("tpuc's compiled part is not beside its modules: `pip install .` in a clone builds both")

from . import data
from ._errors import Error
from ._jit import Jitted, jit
from ._program import ArrayType, Program, compile, load
from ._report import Comparison, Report, compare, report
from ._native import explain, targets, version

__version__ = version()
__all__ = [
    "ArrayType",
    "Comparison",
    "Error",
    "Jitted",
    "Program",
    "Report",
    "compare",
    "compile",
    "data",
    "explain",
    "jit",
    "load",
    "report",
    "targets",
]
