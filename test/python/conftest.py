# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""JAX is on tpuc in every module, whichever imports it first; programs that tests compile are kept for the session
alone."""

import os
import tempfile

_folder = tempfile.TemporaryDirectory()
os.environ["TPUC_CACHE"] = _folder.name
os.environ.setdefault("JAX_PLATFORMS", "tpuc")
os.environ.setdefault("TPUC_MATMUL_PRECISION", "highest")
