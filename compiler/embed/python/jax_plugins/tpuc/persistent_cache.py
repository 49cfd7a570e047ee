# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""JAX's compilation cache on disk (`jax_compilation_cache_dir`), which JAX has for the platforms of a list alone.

Its keys hold the platform's version, which names the build of tpuc and the matmul precision, and the fingerprint of the
topology, which is of the target's constants. The plugin's own cache is another one (docs/cache.md)."""


class _Listed:
    """All that JAX looks at to decide whether programs are kept."""

    platform = "tpu"
    supports_executable_serialization = True


def register(platform: str) -> None:
    """Has JAX keep the programs of `platform` where it is told to keep any."""
    from jax._src import compilation_cache

    is_cache_used = compilation_cache.is_cache_used
    compilation_cache.is_cache_used = lambda backend: is_cache_used(
        _Listed if backend.platform == platform else backend
    )
