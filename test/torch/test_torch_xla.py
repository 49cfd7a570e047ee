# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""torch_xla on tpuc against eager PyTorch on the CPU. run.py starts it."""

import io
import os
import subprocess
import sys
import unittest
import warnings

import torch
import torch_xla
import torch_xla.core.xla_model as xm
from torch.nn import functional as F

warnings.filterwarnings("ignore", category=DeprecationWarning)
IN_STABLEHLO = os.environ.get("XLA_STABLEHLO_COMPILE") == "1"
DTYPES = [
    torch.bool,
    torch.int8,
    torch.uint8,
    torch.int16,
    torch.int32,
    torch.int64,
    torch.bfloat16,
    torch.float16,
    torch.float32,
    torch.float64,
]


def on_device(values):
    return [v.to(torch_xla.device()) if isinstance(v, torch.Tensor) else v for v in values]


class TorchXla(unittest.TestCase):
    def setUp(self):
        self.generator = torch.Generator().manual_seed(0)
        self.device = torch_xla.device()

    def normal(self, *shape):
        return torch.randn(*shape, generator=self.generator)

    def same(self, function, *arguments, tolerance=1e-5):
        """The function on the device and on the CPU."""
        ours, expected = function(*on_device(arguments)), function(*arguments)
        if not isinstance(expected, (tuple, list)):
            ours, expected = [ours], [expected]
        for mine, other in zip(ours, expected):
            torch.testing.assert_close(mine.detach().cpu(), other.detach(), rtol=tolerance, atol=tolerance)

    def test_device(self):
        self.assertEqual(xm.xla_device_hw(self.device), "TPUC")
        self.assertGreater(xm.get_memory_info(self.device)["bytes_limit"], 1 << 30)

    def test_dtypes(self):
        for dtype in DTYPES:
            with self.subTest(dtype=dtype):
                x = (self.normal(4, 6) * 10).to(dtype)
                torch.testing.assert_close(x.to(self.device).cpu(), x)
                self.same(lambda a: (a == a.flip(0)).to(torch.int32) + a.to(torch.int32), x)
                if dtype != torch.bool:
                    self.same(lambda a: a * a + a, x)

    def test_complex(self):
        x = torch.complex(self.normal(3, 3), self.normal(3, 3))
        self.same(lambda a: a @ a * a, x)
        self.same(torch.fft.fft, x)

    def test_steps(self):
        def powers(x):
            for _ in range(3):
                x = x @ x * 0.1
                torch_xla.sync()
            return x

        self.same(powers, self.normal(5, 5))

    def test_autograd(self):
        def gradient(x):
            w = x.clone().requires_grad_(True)
            loss = (w @ w.T).tanh().sum()
            loss.backward()
            return loss, w.grad

        self.same(gradient, self.normal(3, 4))

    def test_views(self):
        def edit(x):
            y = x.clone()
            y[1:3].view(-1).mul_(2)
            y.t()[0].add_(1)
            y[::2, 1] = 7
            y.select(0, 1).zero_()
            return y, y.unfold(1, 2, 1), y.permute(1, 0)[2:]

        self.same(edit, self.normal(4, 6))

    def test_in_place(self):
        def edit(x):
            y = x.clone()
            index = lambda *values: torch.tensor(values, device=x.device)
            y.index_fill_(0, index(0, 2), 3.0).masked_fill_(y > 1, 0.5)
            y.scatter_(1, index([0], [1], [2], [0]), 9.0)
            y.index_add_(0, index(1, 1), torch.ones(2, 6, device=x.device))
            return y.clamp_(-1, 1)

        self.same(edit, self.normal(4, 6))

    def test_values_decide_shapes(self):
        x = torch.tensor([[1, 0, 2], [0, 0, 3]])
        self.same(torch.nonzero, x)
        self.same(lambda a: a[a > 0], x)

    def test_random(self):
        def draw():
            torch_xla.manual_seed(5)
            return torch.rand(1000, device=self.device).cpu()

        first = draw()
        torch.testing.assert_close(first, draw())
        self.assertTrue(0.4 < first.mean() < 0.6 and first.min() >= 0 and first.max() < 1)
        normal = torch.randn(4000, device=self.device).cpu()
        self.assertTrue(abs(normal.mean()) < 0.1 and abs(normal.std() - 1) < 0.1)
        self.assertTrue(set(torch.randint(0, 10, (1000,), device=self.device).cpu().tolist()) == set(range(10)))
        self.assertTrue(0.2 < torch.bernoulli(torch.full((1000,), 0.3, device=self.device)).mean().item() < 0.4)
        self.assertTrue(0.4 < (F.dropout(torch.ones(1000, device=self.device)) == 0).float().mean().item() < 0.6)

    @unittest.skipIf(IN_STABLEHLO, "torch_xla cannot convert it")
    def test_permutation(self):
        self.assertEqual(sorted(torch.randperm(50, device=self.device).cpu().tolist()), list(range(50)))

    def test_save(self):
        x, file = self.normal(3, 3).to(self.device) * 2, io.BytesIO()
        torch.save(x.cpu(), file)
        file.seek(0)
        torch.testing.assert_close(torch.load(file), x.cpu())

    def test_layers(self):
        x = self.normal(2, 3, 8, 8)
        convolve = lambda a, w: F.conv2d(a, w, padding=1, stride=2, dilation=2)
        self.same(convolve, x, self.normal(4, 3, 3, 3), tolerance=1e-4)
        self.same(lambda a, w: F.conv_transpose2d(a, w, stride=2), x, self.normal(3, 4, 3, 3), tolerance=1e-4)
        for layer in (
            lambda a: F.max_pool2d(a, 2),
            lambda a: F.avg_pool2d(a, 3, 2, 1),
            lambda a: F.group_norm(a, 3),
            F.gelu,
            lambda a: F.layer_norm(a, [8]),
            lambda a: F.softmax(a, -1),
            lambda a: F.pad(a, (1, 2, 3, 0), mode="reflect"),
            lambda a: F.interpolate(a, scale_factor=2.0, mode="bilinear"),
        ):
            self.same(layer, x)
        attend = lambda q: F.scaled_dot_product_attention(q, q, q, is_causal=True)
        self.same(attend, self.normal(2, 2, 6, 8), tolerance=1e-4)
        self.same(F.embedding, torch.tensor([[1, 2], [0, 1]]), self.normal(5, 4))

    def test_linear_algebra(self):
        a = self.normal(6, 6)
        s, b = a @ a.T + 6 * torch.eye(6), self.normal(6, 2)
        linalg = torch.linalg
        for function in (linalg.cholesky, linalg.inv, linalg.eigvalsh, linalg.svdvals, linalg.det):
            self.same(function, s, tolerance=1e-3)
        self.same(linalg.solve, s, b, tolerance=1e-4)

    def test_orders(self):
        x = self.normal(5, 9)
        for function in (
            lambda a: torch.sort(a, 1),
            lambda a: torch.topk(a, 3),
            lambda a: a.argmax(1),
            lambda a: a.cumsum(1),
            lambda a: a.median(1),
        ):
            self.same(function, x)

    def test_many_dims(self):
        """An array whose last dims are small lies in another order of them, and comes back as it was."""
        x = self.normal(96, 64, 3, 3)
        torch.testing.assert_close(x.to(self.device).cpu(), x)
        self.same(lambda a: (a + 1, a.sum((2, 3)), a[:, :2].contiguous(), a.reshape(96, 576)), x, tolerance=1e-4)
        self.same(lambda a, w: F.conv2d(a, w), self.normal(1, 64, 5, 5), x, tolerance=1e-3)

    def train(self, device, compiled=False):
        torch.manual_seed(0)
        model = torch.nn.Sequential(torch.nn.Linear(8, 16), torch.nn.ReLU(), torch.nn.Linear(16, 3)).to(device)
        optimizer = torch.optim.Adam(model.parameters(), 1e-2)
        x, labels, losses = torch.randn(4, 8).to(device), torch.tensor([0, 1, 2, 0], device=device), []
        step = lambda x, labels: F.cross_entropy(model(x), labels)
        if compiled:
            step = torch.compile(step, backend="openxla")
        for _ in range(3):
            optimizer.zero_grad()
            loss = step(x, labels)
            loss.backward()
            xm.optimizer_step(optimizer) if device != "cpu" else optimizer.step()
            losses.append(loss.item())
        return torch.tensor(losses)

    def test_training(self):
        torch.testing.assert_close(self.train(self.device), self.train("cpu"), rtol=1e-4, atol=1e-4)

    def test_dynamo(self):
        compiled = torch.compile(lambda x, y: (torch.sin(x) + y.cos()).sum(0) @ x.T, backend="openxla")
        x, y = self.normal(4, 5), self.normal(4, 5)
        for _ in range(2):
            torch.testing.assert_close(compiled(*on_device((x, y))).cpu(), (torch.sin(x) + y.cos()).sum(0) @ x.T)
        torch.testing.assert_close(self.train(self.device, compiled=True), self.train("cpu"), rtol=1e-4, atol=1e-4)

    def test_loop(self):
        from torch_xla.experimental.scan import scan

        zeros, ones = torch.zeros(3, device=self.device), torch.ones(4, 3, device=self.device)
        total, products = scan(lambda c, x: (c + x, c * x), zeros, ones)
        torch.testing.assert_close(total.cpu(), torch.full((3,), 4.0))
        torch.testing.assert_close(products.cpu()[:, 0], torch.tensor([0.0, 1.0, 2.0, 3.0]))

    def test_collectives_of_one(self):
        x = self.normal(3, 3)
        torch.testing.assert_close(xm.all_reduce("sum", x.to(self.device)).cpu(), x)
        torch.testing.assert_close(xm.all_gather(x.to(self.device)).cpu(), x)

    def test_spmd_on_one_device(self):
        """Shardings over a mesh of one; the mode is a process's own, so it gets one."""
        self.run_script("spmd_on_one_device.py")

    def test_spmd_on_devices(self):
        """mark_sharding over a mesh of eight: what a step leaves sharded is taken by the next, and read whole."""
        self.run_script("spmd_on_devices.py", TPUC_DEVICES="8")

    def run_script(self, name, **environment):
        script = os.path.join(os.path.dirname(os.path.abspath(__file__)), name)
        done = subprocess.run(
            [sys.executable, script], capture_output=True, text=True, env={**os.environ, **environment}
        )
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_errors(self):
        with self.assertRaisesRegex(Exception, "TPUC-"):
            (torch.zeros(1 << 17, 1 << 17, device=self.device) + torch.rand(1 << 17, 1 << 17, device=self.device)).cpu()
        torch.testing.assert_close((torch.ones(3, device=self.device) + 1).cpu(), torch.full((3,), 2.0))


if __name__ == "__main__":
    unittest.main()
