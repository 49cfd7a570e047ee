#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""overlapped_exchanges.py TPUC FOLDER: the time of an exchange, of kernels, and of both where neither needs the other.

Programs are written to FOLDER. Beside each other they take little more than the longer of them; one after the other,
where a kernel makes what is sent, the sum. The checking mode finds nothing in any of them, at a smaller size."""

import json
import pathlib
import subprocess
import sys

T = "tensor<2048x2048xf32>"
SEND = f"""%p = "stablehlo.collective_permute"(%SENT) {{source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>,
      channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>}} : ({T}) -> {T}
"""
KERNEL = f"""%k = stablehlo.transpose %y, dims = [1, 0] : ({T}) -> {T}
    %e = stablehlo.sine %k : {T}
"""


def program(body, results):
    types = ", ".join([T] * len(results))
    return (
        "module attributes {mhlo.num_partitions = 2 : i32} {\n"
        f"  func.func @main(%x: {T}, %y: {T}) -> ({types}) {{\n    {body}"
        f"    return {', '.join(results)} : {types}\n  }}\n}}\n"
    )


def main():
    tpuc, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    programs = {
        "exchange": program(SEND.replace("%SENT", "%x"), ["%p"]),
        "kernels": program(KERNEL, ["%e"]),
        "beside": program(SEND.replace("%SENT", "%x") + "    " + KERNEL, ["%p", "%e"]),
        "behind": program(KERNEL + "    " + SEND.replace("%SENT", "%e"), ["%p"]),
    }
    steps = {}
    for name, text in programs.items():
        path = folder / f"{name}.mlir"
        path.write_text(text)
        run = subprocess.run([tpuc, "report", str(path), "--json", "--target=v5e"], capture_output=True, text=True)
        assert run.returncode == 0, run.stderr
        small = folder / f"{name}_small.mlir"
        small.write_text(text.replace("2048x2048", "24x24"))
        checked = subprocess.run([tpuc, "run", str(small), "--random=1", "--check"], capture_output=True, text=True)
        assert checked.returncode == 0, checked.stderr
        steps[name] = json.loads(run.stdout)["step_cycles"]
    longer, both = max(steps["exchange"], steps["kernels"]), steps["exchange"] + steps["kernels"]
    print(steps)
    assert steps["beside"] < 1.05 * longer, "an exchange runs beside kernels that do not need it"
    assert steps["behind"] > 0.95 * both, "what a kernel makes is sent after it"


if __name__ == "__main__":
    main()
