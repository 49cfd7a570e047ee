#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""pass_examples.py ROOT TPUC_OPT: runs the example in each pass's description, and prints those that are not so.

An example is a block "```mlir". It has one of two forms:
- A module, a line "// becomes", and what the pass makes of it, as tpuc-opt prints it without `module`. Lines may be
  broken anywhere, and `...` after "// becomes" stands for any text.
- A module and a line "// refused: TEXT", of a pass that checks: it fails with an error that contains TEXT.
`} ]` stands for the two without a space, which would end TableGen's text. Flags other than the pass's own name stand in
front: "// --tpuc-bucket-shapes=sizes=b=1..4". A pass without an example is an error, as is a block of another form."""

import pathlib
import re
import subprocess
import sys
import textwrap

PASS = re.compile(r'(?ms)^def \w+ : \w*(?:Pass|Step)<"([^"]+)".*?(?=^def |\Z)')
FLAGS = re.compile(r"(?m)^\s*// (--\S+)")
BLOCK = re.compile(r"(?s)```mlir\n(.*?)```")
FORM = re.compile(r"(?m)^\s*// (?:becomes.*|refused: (.+))$")


def words(text):
    return " ".join(text.split()).replace("} ]", "}]")


def matches(printed, pattern):
    parts = [re.escape(words(part)) for part in pattern.split("...")]
    return re.fullmatch(r"\s?.*?\s?".join(parts), words(printed)) is not None


def unwrapped(printed):
    """The text without the module around it, and without names of attributes."""
    found = re.fullmatch(r"(?s)(?:#[^\n]*\n)*\s*module[^\n]*\{\n(.*)\}[^}]*", printed)
    return found.group(1) if found else printed


def problem(opt, name, block):
    if len(parts := FORM.split(block)) != 3:
        return "has no line '// becomes' or '// refused: TEXT'"
    before, refusal, after = parts
    flags = FLAGS.findall(before) or [f"--{name}"]
    done = subprocess.run([opt, "-", *flags], input=before, capture_output=True, text=True)
    if refusal:
        is_so = done.returncode == 1 and re.search("error: .*" + re.escape(words(refusal)), done.stderr)
        return None if is_so else "is not refused so\n" + textwrap.indent(done.stderr, "  ")
    if done.returncode:
        return done.stderr.strip().splitlines()[0]
    return None if matches(unwrapped(done.stdout), after) else "becomes\n" + textwrap.indent(done.stdout, "  ")


def main(root, opt):
    ran = failed = 0
    for path in sorted(pathlib.Path(root, "passes").rglob("*.td")):
        for found in PASS.finditer(path.read_text()):
            name, blocks = found.group(1), BLOCK.findall(found.group(0))
            ran += len(blocks)
            for why in [problem(opt, name, block) for block in blocks] or ["has no example"]:
                if why:
                    failed += 1
                    print(f"{path.relative_to(root)}: {name}: {why}")
    print(f"{ran} examples, {failed} wrong")
    return failed != 0 or ran == 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
