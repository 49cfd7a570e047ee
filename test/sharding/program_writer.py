# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What random programs are written with: a mesh, values with types, shardings."""

import random

MESHES = [
    {"x": 2},
    {"x": 4},
    {"x": 3},
    {"x": 8},
    {"x": 2, "y": 2},
    {"x": 4, "y": 2},
    {"x": 2, "y": 3},
    {"x": 2, "y": 2, "z": 2},
    {"a": 1, "x": 4},
]
SIZES = [1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 16]


class Writer:
    def __init__(self, seed):
        self.rng = random.Random(seed)
        self.mesh = self.rng.choice(MESHES)
        self.lines, self.values, self.arguments, self.next = [], [], [], 0
        self.devices_shuffled = self.rng.random() < 0.15
        # Apart, so that a seed's program stays the one that it was.
        self.partial, self.apart = random.Random(~seed), random.Random(f"{seed} apart")

    # Names and types.
    def fresh(self):
        self.next += 1
        return f"%v{self.next}"

    @staticmethod
    def type(shape, element="f32"):
        return "tensor<" + "".join(f"{n}x" for n in shape) + element + ">"

    def shape(self, low=1, high=3):
        return [self.rng.choice(SIZES) for _ in range(self.rng.randint(low, high))]

    def sharding(self, shape, density=0.7):
        axes = [f'"{name}"' for name in self.mesh]
        parts = {name: n for name, n in self.mesh.items()}
        if self.rng.random() < 0.2:  # parts of axes
            for name, n in parts.items():
                if n in (4, 8) and f'"{name}"' in axes:
                    at = axes.index(f'"{name}"')
                    axes[at : at + 1] = [f'"{name}":(1)2', f'"{name}":(2){n // 2}']
        self.rng.shuffle(axes)
        dims = [[] for _ in shape]
        for axis in axes:
            if shape and self.rng.random() < density:
                dims[self.rng.randrange(len(shape))].append(axis)
        merged = []
        for dim in dims:  # neighbouring parts of one axis would have to be one
            names = [a.split(":")[0] for a in dim]
            merged.append(dim if len(set(names)) == len(names) else dim[:1])
        is_open = self.rng.random() < 0.3
        text = ", ".join("{" + ", ".join(d + (["?"] if is_open else [])) + "}" for d in merged)
        used = {a.split(":")[0] for dim in merged for a in dim}
        summed = [f'"{name}"' for name in self.mesh if f'"{name}"' not in used and self.partial.random() < 0.3]
        return f"<@mesh, [{text}]" + (f", unreduced={{{', '.join(summed)}}}>" if summed else ">")

    def emit(self, text, shape, element="f32"):
        name = self.fresh()
        self.lines.append(f"    {name} = {text}")
        self.values.append((name, list(shape), element))
        if shape and self.rng.random() < 0.25:
            constrained = self.fresh()
            self.lines.append(
                f"    {constrained} = sdy.sharding_constraint {name} {self.sharding(shape)} : "
                f"{self.type(shape, element)}"
            )
            self.values[-1] = (constrained, list(shape), element)
            return constrained
        return name

    def argument(self, shape, element="f32"):
        name = f"%a{len(self.arguments)}"
        text = f"{name}: {self.type(shape, element)}"
        if self.rng.random() < 0.75:
            text += f" {{sdy.sharding = #sdy.sharding{self.sharding(shape)}}}"
        self.arguments.append(text)
        self.values.append((name, list(shape), element))
        return name

    def pick(self, test=lambda shape: True, element="f32"):
        found = [v for v in self.values if v[2] == element and test(v[1])]
        if found and self.rng.random() < 0.9:
            name, shape, _ = self.rng.choice(found[-6:])
            return name, list(shape)
        return None

    def operand(self, low=1, high=3, test=lambda shape: True):
        found = self.pick(lambda s: low <= len(s) <= high and test(s))
        if found:
            return found
        shape = self.shape(low, high)
        while not test(shape):
            shape = self.shape(low, high)
        return self.argument(shape), shape

    def like(self, shape, element="f32"):
        found = self.pick(lambda s: s == shape, element)
        return found[0] if found else self.argument(shape, element)

    def scalar(self, number):
        name = self.fresh()
        self.lines.append(f"    {name} = stablehlo.constant dense<{number}> : tensor<f32>")
        return name
