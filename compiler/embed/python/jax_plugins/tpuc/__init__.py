# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""JAX's way to tpuc: `JAX_PLATFORMS=tpuc python train.py`.

JAX finds this package by its place in the namespace `jax_plugins` and calls `initialize`. Options of the device come
from the environment (TPUC_TARGET, TPUC_MATMUL_PRECISION, TPUC_THREADS, TPUC_CHECKING) when the first device is asked
for."""

import os
import pathlib

PLATFORM = "tpuc"
LIBRARY = "pjrt_tpuc.so"


def library_path() -> str:
    """The plugin's shared object: TPUC_PLUGIN_PATH, or the one installed beside this file."""
    chosen = os.environ.get("TPUC_PLUGIN_PATH")
    path = pathlib.Path(chosen) if chosen else pathlib.Path(__file__).with_name(LIBRARY)
    if not path.is_file():
        raise FileNotFoundError(
            f"expects tpuc's plugin at {path}, but there is no such file; TPUC_PLUGIN_PATH names another place"
        )
    return str(path)


def initialize() -> None:
    """Registers the platform `tpuc` and what JAX needs to lower programs for it."""
    from jax._src import xla_bridge

    from . import callbacks, lowerings, persistent_cache

    # A priority below the CPU's: tpuc is a machine model, which nobody wants to get without asking for it.
    xla_bridge.register_plugin(PLATFORM, priority=-100, library_path=library_path())
    lowerings.register(PLATFORM)
    callbacks.connect(library_path())
    callbacks.register(PLATFORM)
    persistent_cache.register(PLATFORM)
    xla_bridge.register_backend_initialization_hook(_bring_cpu)


def _bring_cpu(backend) -> None:
    """Callbacks get their arguments as arrays of the CPU: its backend is there although JAX_PLATFORMS names tpuc alone,
    which stays as it is."""
    from jax._src import config, xla_bridge

    if backend.platform != PLATFORM or "cpu" in (config.jax_platforms.value or "cpu").split(","):
        return
    xla_bridge._backends["cpu"] = xla_bridge._init_backend("cpu")
