# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Functions of arrays whose sizes change from call to call: one program of buckets instead of one a size."""

from __future__ import annotations

import logging
import os
from typing import Any, Callable, Mapping, Sequence

import numpy as np

from . import _native
from ._errors import Error
from ._program import bytes_of, numpy_type
from ._source import cache_name, platform

logger = logging.getLogger("tpuc")


class Jitted:
    """What `jit` makes. Compiles when it is called with new types, or other sizes of dims that are not open."""

    def __init__(
        self,
        function: Callable[..., Any],
        dynamic: Mapping[str, str | Sequence[int]],
        shapes: Any,
        options: dict[str, Any],
    ):
        if not dynamic:
            raise Error('expects open sizes, such as dynamic={"b": "1..200"}', exit=2)
        self._function, self._shapes, self._options = function, shapes, options
        self._buckets = {name: sizes if isinstance(sizes, str) else _listed(sizes) for name, sizes in dynamic.items()}
        self._programs: dict[Any, tuple[Any, Any]] = {}
        self.__name__ = getattr(function, "__name__", "program")
        self.__doc__ = function.__doc__

    def __call__(self, *args: Any) -> Any:
        """Runs on the machine in the smallest bucket that holds the arguments.

        Returns numpy arrays in the function's own structure."""
        import jax

        leaves, tree = jax.tree.flatten(args)
        arrays = [np.asarray(leaf) for leaf in leaves]
        specs = self._specs(jax.tree.unflatten(tree, arrays))
        key = tree, tuple((str(spec.dtype), tuple(map(str, spec.shape))) for spec in jax.tree.leaves(specs))
        if key not in self._programs:
            self._programs[key] = self._compiled(specs)
        program, exported = self._programs[key]
        # As JAX takes them: f64 is f32 unless it is told otherwise.
        kept = [arrays[i].astype(exported.in_avals[i].dtype, copy=False) for i in exported.module_kept_var_idx]
        dims = [list(array.shape) for array in kept]
        self._log(program.bucket_for(dims))
        results = program.run_sized([bytes_of(array) for array in kept], dims)
        types = [numpy_type(element) for element, _, _ in program.results()]
        made = [np.asarray(data).view(dtype).reshape(shape) for (data, shape), dtype in zip(results, types)]
        return jax.tree.unflatten(exported.out_tree, made)

    def _specs(self, args: tuple[Any, ...]) -> Any:
        from jax import export

        scope = export.SymbolicScope()
        return export.symbolic_args_specs(args, self._shapes, scope=scope)

    def _compiled(self, specs: tuple[Any, ...]) -> tuple[Any, Any]:
        import jax
        from jax import export

        jitted: Any = self._function if hasattr(self._function, "trace") else jax.jit(self._function)
        exported = export.export(jitted, platforms=[platform()])(*specs)
        buckets = [f"{name}={sizes}" for name, sizes in self._buckets.items()]
        text = bytes(exported.mlir_module_serialized)
        options = self._options
        program = _native.compile(
            text,
            self.__name__,
            options["target"],
            options["matmul_precision"],
            list(options["sets"]),
            cache_name(options["cache"]),
            buckets,
        )
        logger.info("%s: compiled for %s", self.__name__, ", ".join(buckets))
        return program, exported

    def _log(self, sizes: Sequence[tuple[str, int, int]]) -> None:
        if not logger.isEnabledFor(logging.INFO):
            return
        used = 1.0
        for _, size, bucket in sizes:
            used *= size / bucket if bucket else 1
        true, taken = (", ".join(f"{size[0]}={size[at]}" for size in sizes) for at in (1, 2))
        logger.info(
            "%s: %s runs in the bucket %s, which is %.0f%% padding", self.__name__, true, taken, 100 * (1 - used)
        )


def jit(
    function: Callable[..., Any],
    dynamic: Mapping[str, str | Sequence[int]],
    shapes: Any,
    *,
    target: str = "v5e",
    matmul_precision: str = "",
    sets: Sequence[str] = (),
    cache: bool | str | os.PathLike[str] | None = None,
) -> Jitted:
    """A function that is compiled once for arrays of many sizes.

        step = tpuc.jit(f, {"b": "pow2:1..200"}, ("b, ...", None))
        y = step(x, w)

    Each call takes the smallest bucket that holds its arguments; the logger `tpuc` says which, and how much of it is
    padding, at level INFO.

    Args:
      function: a function of arrays, or jax.jit(function).
      dynamic: the sizes of each symbol's buckets: a list, or as `tpuc compile --bucket` takes them ("128,256,512",
        "pow2:1..200", "multiples:128..1024", "1..200" for one).
      shapes: where the symbols stand in the arguments, as jax.export.symbolic_args_specs takes it: "b, s" for an
        array, "b, ..." with others behind it, None for known sizes; one for all arguments or a tuple.
      target, matmul_precision, sets, cache: as for `tpuc.compile`.

    Raises:
      Error: sizes that no bucket holds (TPUC-SHAPES-004), and what `tpuc.compile` raises.
    """
    options = {"target": target, "matmul_precision": matmul_precision, "sets": sets, "cache": cache}
    return Jitted(function, dynamic, shapes, options)


def _listed(sizes: Sequence[int]) -> str:
    return ",".join(str(size) for size in sorted(sizes))
