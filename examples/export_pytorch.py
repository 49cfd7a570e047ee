#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Export PyTorch models as folders that `tpuc run` takes.

    pip install torch==2.9.0 torch_xla==2.9.0 && examples/export_pytorch.py --out DIR

A model goes through torch.export and torch_xla to StableHLO. Its weights are arguments of the program, in the order
that torch_xla gives: the folder has them, and the inputs, as input.K.npy; output.K.npy is what PyTorch computed on the
CPU. The models here are small ones of the usual parts; `export(model, inputs, folder)` takes any
other that torch.export can trace.
"""

import argparse
import json
import os
import pathlib

os.environ.setdefault("PJRT_DEVICE", "CPU")
import numpy as np
import torch
from torch import nn
from torch_xla.stablehlo import VariableType, exported_program_to_stablehlo


def array(tensor):
    return tensor.detach().cpu().contiguous().numpy()


def export(model, inputs, folder, tolerance=1e-5):
    model = model.eval()
    with torch.no_grad():
        outputs = model(*inputs)
    outputs = outputs if isinstance(outputs, (tuple, list)) else (outputs,)
    exported = exported_program_to_stablehlo(torch.export.export(model, inputs))
    bundle = exported._bundle
    where = {VariableType.INPUT_ARG: lambda at: inputs[at.position],
             VariableType.PARAMETER: lambda at: torch.as_tensor(bundle.state_dict[at.name]),
             VariableType.CONSTANT: lambda at: torch.as_tensor(bundle.additional_constants[at.position])}  # fmt: skip
    arguments = [where[at.type_](at) for at in bundle.stablehlo_funcs[0].meta.input_locations]
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "program.mlir").write_text(exported.get_stablehlo_text("forward"))
    info = dict(tolerance=tolerance)
    for prefix, tensors in (("input", arguments), ("output", outputs)):
        for k, tensor in enumerate(tensors):
            np.save(folder / f"{prefix}.{k}.npy", array(tensor))
        info[prefix + "s"] = [str(t.dtype).removeprefix("torch.") + str(list(t.shape)) for t in tensors]
    (folder / "info.json").write_text(json.dumps(info, indent=1) + "\n")


class Block(nn.Module):
    """A norm-first transformer block; queries, keys and values are one product."""

    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.norms = nn.ModuleList([nn.LayerNorm(width), nn.LayerNorm(width)])
        self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.mlp = nn.Sequential(nn.Linear(width, 2 * width), nn.GELU(), nn.Linear(2 * width, width))

    def forward(self, x):
        batch, length, width = x.shape
        q, k, v = (
            y.view(batch, length, self.heads, -1).transpose(1, 2) for y in self.qkv(self.norms[0](x)).chunk(3, -1)
        )
        y = nn.functional.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.out(y.transpose(1, 2).reshape(batch, length, width))
        return x + self.mlp(self.norms[1](x))


class Language(nn.Module):
    def __init__(self, words=96, width=48, heads=3, blocks=2, longest=32):
        super().__init__()
        self.words, self.places = nn.Embedding(words, width), nn.Embedding(longest, width)
        self.blocks = nn.Sequential(*[Block(width, heads) for _ in range(blocks)])
        self.norm = nn.LayerNorm(width)

    def forward(self, words):
        x = self.words(words) + self.places(torch.arange(words.shape[1]))
        return self.norm(self.blocks(x)) @ self.words.weight.T


class Residual(nn.Module):
    """Bottleneck with squeeze and excitation, as in mobile networks."""

    def __init__(self, width, inner):
        super().__init__()
        self.widen = nn.Sequential(nn.Conv2d(width, inner, 1, bias=False), nn.BatchNorm2d(inner), nn.Hardswish())
        self.each = nn.Sequential(
            nn.Conv2d(inner, inner, 3, padding=1, groups=inner, bias=False), nn.BatchNorm2d(inner), nn.Hardswish()
        )
        self.gate = nn.Sequential(
            nn.AdaptiveAvgPool2d(1), nn.Conv2d(inner, 8, 1), nn.ReLU(), nn.Conv2d(8, inner, 1), nn.Hardsigmoid()
        )
        self.narrow = nn.Sequential(nn.Conv2d(inner, width, 1, bias=False), nn.BatchNorm2d(width))

    def forward(self, x):
        y = self.each(self.widen(x))
        return x + self.narrow(y * self.gate(y))


def vision():
    return nn.Sequential(nn.Conv2d(3, 16, 3, 2, 1, bias=False), nn.BatchNorm2d(16), nn.ReLU(), nn.MaxPool2d(3, 2, 1),
                         Residual(16, 40), Residual(16, 40),
                         nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(16, 10))  # fmt: skip


MODELS = {
    "pytorch_language": lambda: (Language(), (torch.randint(0, 96, (2, 21)),)),
    "pytorch_vision": lambda: (vision(), (torch.randn(2, 3, 44, 52),)),
}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", default=".")
    parser.add_argument("names", nargs="*", help=", ".join(MODELS))
    a = parser.parse_args()
    for name in a.names or MODELS:
        torch.manual_seed(0)
        model, inputs = MODELS[name]()
        for norm in model.modules():  # statistics as after training
            if isinstance(norm, nn.BatchNorm2d):
                nn.init.normal_(norm.running_mean, std=0.2)
                nn.init.uniform_(norm.running_var, 0.5, 1.5)
        export(model, inputs, pathlib.Path(a.out) / name)
        print(name)


if __name__ == "__main__":
    main()
