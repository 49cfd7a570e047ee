# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What JAX lowers for some platforms only, registered for tpuc.

Linear algebra takes the CPU's rules: their LAPACK calls are computed on the machine like any other op. JAX imports the modules
that hold them only when they are used; those that are not loaded yet are waited for.
"""

# Primitives whose CPU rule makes calls that tpuc knows, by name.
_AS_ON_CPU = frozenset({
    "cholesky", "eig", "eigh", "geqp3", "geqrf", "hessenberg", "householder_product", "lu", "ormqr", "schur", "svd", "triangular_solve",
    "tridiagonal", "tridiagonal_solve",
})


def register(platform: str) -> None:
    """Registers lowering rules and donation for `platform`, which JAX knows already."""
    from jax._src.interpreters import mlir
    from jax._src.lax import linalg  # registers the CPU's rules

    del linalg
    if platform not in mlir._platforms_with_donation:
        mlir._platforms_with_donation.append(platform)
    for primitive, entry in list(mlir._platform_specific_lowerings["cpu"].items()):
        if primitive.name in _AS_ON_CPU:
            mlir._platform_specific_lowerings[platform][primitive] = entry
