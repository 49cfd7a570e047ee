# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""torch_xla's SPMD mode over a mesh of one device; test_torch_xla.py starts it."""

import numpy as np
import torch
import torch_xla
import torch_xla.distributed.spmd as xs
import torch_xla.runtime as xr


def same(ours, theirs):
    torch.testing.assert_close(ours.detach().cpu(), theirs.detach(), rtol=1e-5, atol=1e-5)


def main():
    xr.use_spmd()
    count = xr.global_runtime_device_count()
    assert count == 1, count
    mesh = xs.Mesh(np.arange(count), (count, 1), ("x", "y"))
    torch.manual_seed(0)
    a, b = torch.randn(8, 16), torch.randn(16, 4, requires_grad=True)
    on_device, weights = a.to("xla"), b.detach().to("xla").requires_grad_()
    xs.mark_sharding(on_device, mesh, ("x", None))
    xs.mark_sharding(weights, mesh, (None, "y"))
    loss, expected = (on_device @ weights).relu().sum(), (a @ b).relu().sum()
    loss.backward()
    expected.backward()
    torch_xla.sync()
    same(loss, expected)
    same(weights.grad, b.grad)
    shard = xs.enable_manual_sharding(on_device, ("x", None), mesh=mesh)
    whole = xs.disable_manual_sharding(shard, ("x", None), (8, 16), mesh=mesh)
    same(whole.global_tensor, a)


main()
