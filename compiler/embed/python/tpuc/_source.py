# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""From what people have (a JAX function, a lowering, text, a file) to a program's text."""

from __future__ import annotations

import os
import pathlib
from typing import Any

from ._errors import Error


def cache_name(cache: bool | str | os.PathLike[str] | None) -> str:
    """The cache as the library takes it: True is the user's own folder, None and False are none."""
    if cache is None or isinstance(cache, bool):
        return "on" if cache else ""
    return os.fspath(cache)


def program_text(program: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[str | bytes, str]:
    """The program as StableHLO (text or bytes) and a name for it.

    `program`: a function or jax.jit(function), called with `args` and `kwargs` (arrays or jax.ShapeDtypeStruct); a jax
    Lowered or jax.export.Exported; StableHLO as text or bytes; a pathlib.Path of a file.
    """
    if (
        isinstance(program, (str, bytes, pathlib.Path))
        or hasattr(program, "mlir_module_serialized")
        or hasattr(program, "as_text")
    ):
        if args or kwargs:
            raise Error("arguments are for functions: a program that is lowered has its shapes already", exit=2)
    if isinstance(program, pathlib.Path):
        return program.read_bytes(), os.fspath(program)
    if isinstance(program, (str, bytes)):
        return program, "program"
    if hasattr(program, "mlir_module_serialized"):  # jax.export.Exported
        return bytes(program.mlir_module_serialized), getattr(program, "fun_name", "exported")
    if hasattr(program, "as_text"):  # jax.stages.Lowered
        return program.as_text(debug_info=True), "lowered"
    if callable(program):
        return _traced(program, args, kwargs)
    raise Error(f"expects a function, a lowering, StableHLO or a path, but got {type(program).__name__}", exit=2)


def _traced(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[str, str]:
    import jax

    jitted = function if hasattr(function, "trace") else jax.jit(function)
    lowered = jitted.trace(*args, **kwargs).lower(lowering_platforms=(platform(),))
    return lowered.as_text(debug_info=True), getattr(function, "__name__", "program")


def platform() -> str:
    """For which JAX lowers."""
    return "tpuc" if _knows_tpuc() else "cpu"


def _knows_tpuc() -> bool:
    """Whether this process has the platform, with its lowerings; a process that runs on the CPU may not have looked for
    plugins."""
    from jax._src import xla_bridge

    bridge: Any = xla_bridge  # has no types
    bridge._discover_and_register_pjrt_plugins()
    return xla_bridge.is_known_platform("tpuc")
