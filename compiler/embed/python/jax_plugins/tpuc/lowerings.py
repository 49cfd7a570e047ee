# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What JAX lowers for some platforms only, registered for tpuc.

Linear algebra takes the CPU's rules: their LAPACK calls are computed on the machine like any other op, eigenvalues and
singular values by Jacobi's method. Where another method is asked for by name, or a part of the values, it is the rule
that JAX has for a TPU. Callbacks are emitted by `callbacks.py`. What was exported for a TPU, or else for a CPU, may
be called here.
"""

import dataclasses

# Primitives whose CPU rule makes calls that tpuc knows, by name.
_AS_ON_CPU = frozenset(
    {
        "cholesky",
        "eig",
        "eigh",
        "geqp3",
        "geqrf",
        "hessenberg",
        "householder_product",
        "lu",
        "ormqr",
        "schur",
        "svd",
        "triangular_solve",
        "tridiagonal",
        "tridiagonal_solve",
        "check",
        "debug_callback",
        "debug_print",
    }
)


def register(platform: str) -> None:
    """Registers lowering rules and donation for `platform`, which JAX knows already."""
    from jax._src.interpreters import mlir
    from jax._src import checkify, debugging  # these register the CPU's rules
    from jax._src.lax import linalg

    del checkify, debugging, linalg
    if platform not in mlir._platforms_with_donation:
        mlir._platforms_with_donation.append(platform)
    for primitive, entry in list(mlir._platform_specific_lowerings["cpu"].items()):
        if primitive.name in _AS_ON_CPU:
            mlir._platform_specific_lowerings[platform][primitive] = entry
    _register_methods(platform)
    _register_exported(platform)


def _register_methods(platform: str) -> None:
    from jax._src.interpreters import mlir
    from jax._src.lax import linalg
    from jax._src.tpu.linalg import eigh, svd

    def choose(primitive, extent, jacobi, named, on_tpu):
        on_cpu = mlir._platform_specific_lowerings["cpu"][primitive].rule

        def lower(ctx, operand, *, algorithm, subset_by_index, **options):
            whole = subset_by_index in (None, (0, extent(ctx.avals_in[0].shape[-2:])))
            if algorithm == named or not whole:
                return on_tpu(ctx, operand, algorithm=named, subset_by_index=subset_by_index, **options)
            algorithm = None if algorithm == jacobi else algorithm
            return on_cpu(ctx, operand, algorithm=algorithm, subset_by_index=None, **options)

        mlir.register_lowering(primitive, lower, platform=platform)

    eigen, singular = linalg.EighImplementation, linalg.SvdAlgorithm
    choose(linalg.eigh_p, lambda dims: dims[1], eigen.JACOBI, eigen.QDWH, eigh._eigh_tpu_lowering)
    choose(linalg.svd_p, min, singular.JACOBI, singular.POLAR, svd._svd_tpu_lowering_rule)


def _register_exported(platform: str) -> None:
    from jax._src.export import _export
    from jax._src.interpreters import mlir

    def lower(ctx, *args, exported):
        kin = next((name for name in ("tpu", "cpu") if name in exported.platforms), None)
        if platform not in exported.platforms and kin:
            exported = dataclasses.replace(
                exported, platforms=tuple(platform if name == kin else name for name in exported.platforms)
            )
        return _export._call_exported_lowering(ctx, *args, exported=exported)

    mlir.register_lowering(_export.call_exported_p, lower, platform=platform)
