# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""torch_xla's SPMD mode over a mesh of eight devices; test_torch_xla.py starts it with TPUC_DEVICES=8."""

import numpy as np
import torch
import torch_xla
import torch_xla.distributed.spmd as xs
import torch_xla.runtime as xr


def same(ours, theirs):
    torch.testing.assert_close(ours.detach().cpu(), theirs.detach().cpu(), rtol=1e-5, atol=1e-5)


def sharded(tensor, mesh, spec):
    on_device = tensor.detach().to("xla").requires_grad_(tensor.requires_grad)
    xs.mark_sharding(on_device, mesh, spec)
    return on_device


def train(mesh):
    """Two steps: what comes back sharded goes in again, and is read whole."""
    torch.manual_seed(0)
    a, b = torch.randn(8, 16), torch.randn(16, 4, requires_grad=True)
    x, weights = sharded(a, mesh, ("x", None)), sharded(b, mesh, (None, "y"))
    for _ in range(2):
        loss, expected = (x @ weights).relu().sum(), (a @ b).relu().sum()
        loss.backward()
        expected.backward()
        with torch.no_grad():
            weights -= 0.1 * weights.grad
            b -= 0.1 * b.grad
        torch_xla.sync()
        same(loss, expected)
        same(weights.grad, b.grad)
        same(weights, b)


def manual(mesh):
    a = torch.arange(128.0).reshape(8, 16)
    x = sharded(a, mesh, ("x", None))
    part = xs.enable_manual_sharding(x, ("x", None), mesh=mesh)
    assert part.shape == (2, 16), part.shape
    whole = xs.disable_manual_sharding(part, ("x", None), (8, 16), mesh=mesh)
    same(whole.global_tensor, a)


def main():
    xr.use_spmd()
    count = xr.global_runtime_device_count()
    assert count == 8, count
    mesh = xs.Mesh(np.arange(count), (count // 2, 2), ("x", "y"))
    train(mesh)
    manual(mesh)


main()
