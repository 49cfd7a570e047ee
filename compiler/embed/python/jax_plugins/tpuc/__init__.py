# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""JAX's way to tpuc: `JAX_PLATFORMS=tpuc python train.py`.

JAX finds this package by its place in the namespace `jax_plugins` and calls `initialize`. Options of the device come from the
environment (TPUC_TARGET, TPUC_MATMUL_PRECISION, TPUC_THREADS, TPUC_CHECKING) when the first device is asked for.
"""
import os
import pathlib

PLATFORM = "tpuc"
LIBRARY = "pjrt_tpuc.so"


def library_path() -> str:
    """The plugin's shared object: TPUC_PLUGIN_PATH, or the one installed beside this file."""
    chosen = os.environ.get("TPUC_PLUGIN_PATH")
    path = pathlib.Path(chosen) if chosen else pathlib.Path(__file__).with_name(LIBRARY)
    if not path.is_file():
        raise FileNotFoundError(f"expects tpuc's plugin at {path}, but there is no such file; TPUC_PLUGIN_PATH names another place")
    return str(path)


def initialize() -> None:
    """Registers the platform `tpuc` and what JAX needs to lower programs for it."""
    from jax._src import config, xla_bridge

    from . import callbacks, lowerings

    # A priority below the CPU's: tpuc is a machine model, which nobody wants to get without asking for it.
    xla_bridge.register_plugin(PLATFORM, priority=-100, library_path=library_path())
    lowerings.register(PLATFORM)
    callbacks.connect(library_path())
    callbacks.register(PLATFORM)
    # Callbacks get their arguments as arrays of the host: its platform comes along, as with every other accelerator.
    if config.jax_platforms.value == PLATFORM:
        config.update("jax_platforms", f"{PLATFORM},cpu")
