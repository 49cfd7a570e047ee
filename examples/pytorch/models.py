# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Two models and their data, the same for each way to tpuc: ResNet-18 for small images, and a small GPT."""

import torch
from torch import nn
from torch.nn import functional as F


class Block(nn.Module):
    def __init__(self, inputs, outputs, stride):
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv2d(inputs, outputs, 3, stride, 1, bias=False),
            nn.BatchNorm2d(outputs),
            nn.ReLU(),
            nn.Conv2d(outputs, outputs, 3, 1, 1, bias=False),
            nn.BatchNorm2d(outputs),
        )
        self.shortcut = nn.Sequential()
        if stride != 1 or inputs != outputs:
            self.shortcut = nn.Sequential(nn.Conv2d(inputs, outputs, 1, stride, bias=False), nn.BatchNorm2d(outputs))

    def forward(self, x):
        return F.relu(self.body(x) + self.shortcut(x))


class ResNet18(nn.Module):
    """As He et al. 2015 have it, with the stem of their section 4.2: 3x3 without pooling."""

    def __init__(self, classes=10):
        super().__init__()
        layers = [nn.Conv2d(3, 64, 3, 1, 1, bias=False), nn.BatchNorm2d(64), nn.ReLU()]
        widths = [64, 64, 128, 256, 512]
        for stage in range(1, 5):
            stride = 1 if stage == 1 else 2
            layers += [Block(widths[stage - 1], widths[stage], stride), Block(widths[stage], widths[stage], 1)]
        self.body = nn.Sequential(*layers)
        self.head = nn.Linear(512, classes)

    def forward(self, images):
        return self.head(self.body(images).mean((2, 3)))


class Attention(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.qkv = nn.Linear(width, 3 * width)
        self.out = nn.Linear(width, width)

    def forward(self, x):
        batch, length, width = x.shape
        q, k, v = self.qkv(x).view(batch, length, 3, self.heads, width // self.heads).permute(2, 0, 3, 1, 4)
        mixed = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        return self.out(mixed.transpose(1, 2).reshape(batch, length, width))


class Layer(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.attention = Attention(width, heads)
        self.mlp = nn.Sequential(nn.Linear(width, 4 * width), nn.GELU(), nn.Linear(4 * width, width))

    def forward(self, x):
        x = x + self.attention(self.norm1(x))
        return x + self.mlp(self.norm2(x))


class GPT(nn.Module):
    def __init__(self, vocabulary=65, length=32, width=64, heads=4, layers=2):
        super().__init__()
        self.token = nn.Embedding(vocabulary, width)
        self.place = nn.Parameter(0.02 * torch.randn(length, width))
        self.layers = nn.Sequential(*[Layer(width, heads) for _ in range(layers)])
        self.norm = nn.LayerNorm(width)
        self.head = nn.Linear(width, vocabulary, bias=False)

    def forward(self, tokens):
        return self.head(self.norm(self.layers(self.token(tokens) + self.place)))


def setup(name):
    """The model on the CPU, and one batch to fit: inputs and labels."""
    torch.manual_seed(0)
    if name == "resnet":
        model, inputs, labels = ResNet18(), torch.randn(4, 3, 16, 16), torch.tensor([3, 1, 4, 1])
    else:
        model, text = GPT(), torch.randint(65, (8, 33))
        inputs, labels = text[:, :-1].contiguous(), text[:, 1:].contiguous()
    return model, inputs, labels


def loss_of(logits, labels):
    return F.cross_entropy(logits.flatten(0, -2), labels.flatten())


def eager_losses(name, steps, optimizer_of):
    """What PyTorch on the CPU has for its losses."""
    model, inputs, labels = setup(name)
    optimizer, losses = optimizer_of(model.parameters()), []
    for _ in range(steps):
        optimizer.zero_grad()
        loss = loss_of(model(inputs), labels)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses


def compare(losses, expected):
    """Prints both; exit code 0 when they are within 1e-3 of each other."""
    for step, (ours, cpu) in enumerate(zip(losses, expected)):
        print(f"step {step:2}  loss {ours:.6f}  eager CPU {cpu:.6f}")
    worst = max(abs(a - b) for a, b in zip(losses, expected))
    print(f"largest difference {worst:.1e} of 1e-03")
    return 0 if worst <= 1e-3 else 1
