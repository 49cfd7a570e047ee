# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs that tests compile are kept for the session alone."""
import os
import tempfile

_folder = tempfile.TemporaryDirectory()
os.environ["TPUC_CACHE"] = _folder.name
