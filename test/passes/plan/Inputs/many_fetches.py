# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A chain of kernels after fusion, each of which adds up twelve small arguments: many fetches would be under way."""

KERNELS, ARRAYS = 12, 12
ROWS = "tensor<8x128xf32>"


def kernel(number):
    inputs = [f"%v{number * ARRAYS + i}" for i in range(ARRAYS)]
    print(f'  %k{number} = kernel.fusion "loop"({", ".join(inputs)} : {", ".join([ROWS] * ARRAYS)}) -> {ROWS} {{')
    print(f"  ^bb0({', '.join(f'%a{i}: {ROWS}' for i in range(ARRAYS))}):")
    for i in range(1, ARRAYS):
        print(f"    %s{i} = stablehlo.add %{'a0' if i == 1 else f's{i - 1}'}, %a{i} : {ROWS}")
    print(f"    kernel.yield %s{ARRAYS - 1} : {ROWS}\n  }}")


arguments = ", ".join(f"%v{i}: {ROWS}" for i in range(KERNELS * ARRAYS))
print(f"func.func @main({arguments}) -> ({', '.join([ROWS] * KERNELS)}) {{")
for k in range(KERNELS):
    kernel(k)
print(f"  return {', '.join(f'%k{k}' for k in range(KERNELS))} : {', '.join([ROWS] * KERNELS)}\n}}")
