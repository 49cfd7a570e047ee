# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What tests of broken inputs share: a program's text, one command that has to refuse it, the sum of many."""

import re
import subprocess
import sys

F = "tensor<4xf32>"


def body(ops, args=f"%x: {F}", result=F, value="%0"):
    return f"func.func @main({args}) -> {result} {{\n  {ops}\n  return {value} : {result}\n}}\n"


def check(tpuc, name, command, exits, message):
    try:
        done = subprocess.run([tpuc, *command], capture_output=True, timeout=60)
    except subprocess.TimeoutExpired:
        return f"{name}: no end"
    err = done.stderr.decode(errors="replace")
    exits = exits if isinstance(exits, tuple) else (exits,)
    if done.returncode not in exits:
        return f"{name}: expects exit code {exits}, but got {done.returncode}\n{err[:2000]}"
    if "[TPUC-STAGE-" in err:
        return f"{name}: blames tpuc itself\n{err[:2000]}"
    if len(err) > 20000 or re.search(r"[\x00-\x08\x0b-\x1f\x7f]", err):
        return f"{name}: shows too much, or control characters\n{err[:2000]!r}"
    if not re.search(message, err, re.S) or "error:" not in err:
        return f"{name}: expects '{message}', but got\n{err[:2000]}"
    return f"{name}: prints to standard output" if done.stdout else None


def report(problems, least):
    wrong = [p for p in problems if p]
    print("\n".join(wrong), file=sys.stderr)
    print(f"{len(problems) - len(wrong)} of {len(problems)} refused as they should be")
    sys.exit(bool(wrong) or len(problems) < least)
