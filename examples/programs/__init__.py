# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs in JAX, small ones: PROGRAMS has them by name."""

from . import models, numbers, shapes
from .registry import PROGRAMS

__all__ = ["PROGRAMS", "models", "numbers", "shapes"]
