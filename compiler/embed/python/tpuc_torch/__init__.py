# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""PyTorch/XLA's way to tpuc: PJRT_DEVICE=TPUC, found by the entry point `torch_xla.plugins`."""

from __future__ import annotations

from torch_xla.experimental import plugins

from jax_plugins import tpuc as _jax_plugin


class TpucPlugin(plugins.DevicePlugin):
    """One modelled chip; options come from the environment, as for JAX."""

    def library_path(self) -> str:
        return _jax_plugin.library_path()

    def physical_chip_count(self) -> int:
        return 1
