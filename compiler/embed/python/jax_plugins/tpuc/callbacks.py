# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Functions of Python that a program calls: jax.debug.print, jax.pure_callback, jax.experimental.io_callback.

Each becomes a custom call `tpuc.host_call` with a number. When the machine meets it, the plugin calls `_called` here,
by way of a PJRT extension of its own, with that number and pointers to dense arrays. Numbers start at a random place,
so that a program that was compiled in another process finds no function here, rather than a wrong one.
"""

import ctypes
import itertools
import math
import secrets
import traceback
import weakref

import numpy as np

_TARGET = "tpuc.host_call"
_EXTENSION_TYPE = 0x74707563  # host_calls_extension.cpp has the same
_CALLBACK = ctypes.CFUNCTYPE(
    ctypes.c_int,
    ctypes.c_uint64,
    ctypes.POINTER(ctypes.c_void_p),
    ctypes.POINTER(ctypes.c_void_p),
    ctypes.c_void_p,
    ctypes.c_size_t,
)

_numbers = itertools.count(secrets.randbits(62))
_functions: "weakref.WeakValueDictionary[int, _HostFunction]" = weakref.WeakValueDictionary()


class _Extension(ctypes.Structure):
    _fields_ = [
        ("struct_size", ctypes.c_size_t),
        ("type", ctypes.c_uint32),
        ("next", ctypes.c_void_p),
        ("set_callback", ctypes.CFUNCTYPE(None, _CALLBACK)),
    ]


class _Api(ctypes.Structure):
    _fields_ = [("struct_size", ctypes.c_size_t), ("extension_start", ctypes.c_void_p)]


class _HostFunction:
    """What a program calls by its number; the compiled program keeps it alive."""

    def __init__(self, function, operands, results):
        from jax._src import config

        self.function, self.operands, self.results = function, operands, results
        self.x64 = config.enable_x64.value  # of the thread that traces; the call comes on another one
        self.number = next(_numbers)
        _functions[self.number] = self

    def __call__(self, *arrays):
        from jax._src import config

        with config.enable_x64(self.x64):
            values = self.function(*arrays)
            if len(values) != len(self.results):
                raise RuntimeError(
                    f"Mismatched number of outputs from callback. Expected: {len(self.results)}, Actual: {len(values)}"
                )
            return [_checked(value, i, *expected) for i, (value, expected) in enumerate(zip(values, self.results))]

    def on_memory(self, operands, results):
        """Reads arrays at the addresses `operands`, writes those at `results`."""
        arrays = [_array_at(operands[i], *kind).copy() for i, kind in enumerate(self.operands)]  # JAX may keep them
        for i, value in enumerate(self(*arrays)):
            _array_at(results[i], *self.results[i])[...] = value


def _checked(value, i, shape, dtype):
    from jax._src import dtypes

    array = dtypes.canonicalize_value(np.asarray(value))
    if array.shape != shape:
        raise RuntimeError(f"Incorrect output shape for return value #{i}: Expected: {shape}, Actual: {array.shape}")
    if array.dtype != dtype:
        raise RuntimeError(f"Incorrect output dtype for return value #{i}: Expected: {dtype}, Actual: {array.dtype}")
    return array


def _array_at(address, shape, dtype):
    size = math.prod(shape) * dtype.itemsize
    if size == 0:
        return np.empty(shape, dtype)
    return np.frombuffer((ctypes.c_char * size).from_address(address), dtype).reshape(shape)


@_CALLBACK
def _called(number, operands, results, message, size):
    try:
        function = _functions.get(number)
        if function is None:
            raise RuntimeError("the program calls a function of the process that it was compiled in")
        function.on_memory(operands, results)
        return 0
    except BaseException:
        text = ("the callback failed: " + traceback.format_exc()).encode(errors="replace")[: size - 1] + b"\0"
        ctypes.memmove(message, text, len(text))
        return 1


def connect(library: str) -> None:
    """Tells the plugin at `library` whom to call."""
    plugin = ctypes.CDLL(library)
    plugin.GetPjrtApi.restype = ctypes.POINTER(_Api)
    at = plugin.GetPjrtApi().contents.extension_start
    while at:
        extension = ctypes.cast(at, ctypes.POINTER(_Extension)).contents
        if extension.type == _EXTENSION_TYPE:
            extension.set_callback(_called)
            return
        at = extension.next
    raise RuntimeError(f"expects tpuc's plugin at {library}, but its extension for callbacks is not there")


def register(platform: str) -> None:
    """Has JAX emit host calls for `platform`."""
    from jax._src import callback

    emit_elsewhere = callback.emit_python_callback

    def emit(ctx, function, token, operands, operand_avals, result_avals, **options):
        if tuple(ctx.module_context.platforms) != (platform,):
            return emit_elsewhere(ctx, function, token, operands, operand_avals, result_avals, **options)
        return _emit(ctx, function, token, operands, operand_avals, result_avals, **options)

    callback.emit_python_callback = emit


def _kind(aval):
    from jax._src import core

    physical = core.physical_aval(aval)
    return tuple(physical.shape), np.dtype(physical.dtype)


def _emit(
    ctx,
    function,
    token,
    operands,
    operand_avals,
    result_avals,
    *,
    has_side_effect,
    returns_token=True,
    partitioned=False,
    sharding=None,
):
    """The custom call: its results, the token after it, what is kept alive."""
    import dataclasses

    from jax._src import core, ffi
    from jax._src.interpreters import mlir
    from jax._src.sharding_impls import SdyArray, SdyArrayList

    del returns_token
    if partitioned and result_avals:
        raise ValueError("Partitioned callback not supported with return values.")
    operand_kinds, result_kinds = [_kind(aval) for aval in operand_avals], [_kind(aval) for aval in result_avals]
    if token is not None:
        # The machine has tokens as arrays of no element.
        nothing = ((0,), np.dtype(bool))
        of_arrays, operands = function, [token, *operands]
        operand_kinds, result_kinds = [nothing, *operand_kinds], [nothing, *result_kinds]
        if result_avals and isinstance(sharding, SdyArrayList):
            sharding = SdyArrayList(
                (
                    SdyArray(
                        mesh_shape=(), dim_shardings=(), logical_device_ids=sharding.shardings[0].logical_device_ids
                    ),
                    *sharding.shardings,
                )
            )
        ctx = dataclasses.replace(
            ctx, avals_in=[core.abstract_token, *operand_avals], avals_out=[core.abstract_token, *result_avals]
        )

        def function(_, *arrays):
            return (np.empty(0, bool), *of_arrays(*arrays))

    host = _HostFunction(function, operand_kinds, result_kinds)
    # The executable holds it, and JAX knows that the program has effects of its own: no cache on disk takes it.
    ctx.module_context.add_host_callback(host)
    lower = ffi.build_ffi_lowering_function(_TARGET, has_side_effect=has_side_effect, skip_ffi_layout_processing=True)
    call = lower(ctx, *operands, index=np.uint64(host.number))
    if sharding is not None:
        mlir.set_sharding(ctx.module_context, call, sharding)
    results = list(call.results)
    if token is not None:
        token, *results = results
    return results, token, host
