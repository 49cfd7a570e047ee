#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""outputs.py TPUC INPUTS OUT: writes results into files, links, FIFOs and devices, and where nothing can be written."""

import os
import pathlib
import resource
import shutil
import signal
import stat
import subprocess
import sys
import threading

tpuc, inputs, out = sys.argv[1], pathlib.Path(sys.argv[2]).resolve(), pathlib.Path(sys.argv[3])
shutil.rmtree(out, ignore_errors=True)
out.mkdir(parents=True)
os.chdir(out)
ADD = str(inputs / "add.mlir")


def run(*arguments, stdout=subprocess.PIPE, exit=0, code=""):
    done = subprocess.run([tpuc, *arguments], stdout=stdout, stderr=subprocess.PIPE)
    err = done.stderr.decode()
    assert done.returncode == exit, (arguments, done.returncode, err)
    assert code in err, (arguments, err)
    assert not [name for name in os.listdir(".") if ".tmp" in name], "a file is left over"
    return done.stdout


run("compile", ADD, "-o", "x.tpuc")
BYTES = pathlib.Path("x.tpuc").read_bytes()

# A new file has the mode that the user's mask gives, an old one keeps its own.
old = os.umask(0o027)
run("compile", ADD, "-o", "masked.tpuc")
assert stat.S_IMODE(os.stat("masked.tpuc").st_mode) == 0o640
os.umask(old)
os.chmod("x.tpuc", 0o700)
run("compile", ADD, "-o", "x.tpuc")
assert stat.S_IMODE(os.stat("x.tpuc").st_mode) == 0o700


# A signal that ends the command while it writes, here for a file that grows too long: nothing is left over, and the old
# file stays.
def end_writing():
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (256, 256))


ended = subprocess.run([tpuc, "compile", ADD, "-o", "x.tpuc"], stderr=subprocess.PIPE, preexec_fn=end_writing)
assert ended.returncode == -signal.SIGXFSZ, ended
assert not [name for name in os.listdir(".") if ".tmp" in name], "a file is left over"
assert pathlib.Path("x.tpuc").read_bytes() == BYTES

# Links, in other folders and to nothing yet; a file of two names has both of them afterwards.
os.mkdir("real")
os.symlink("real/target.tpuc", "link.tpuc")
run("compile", ADD, "-o", "link.tpuc")
assert os.path.islink("link.tpuc") and pathlib.Path("real/target.tpuc").read_bytes() == BYTES
run("compile", ADD, "-o", "link.tpuc")
assert os.path.islink("link.tpuc")
os.link("x.tpuc", "second.tpuc")
pathlib.Path("second.tpuc").write_bytes(b"old")
run("compile", ADD, "-o", "x.tpuc")
assert pathlib.Path("second.tpuc").read_bytes() == BYTES

# Devices and FIFOs stay what they are. A disassembly, a page, a stage and an assembled file go the same way.
run("compile", ADD, "-o", "/dev/null")
assert stat.S_ISCHR(os.stat("/dev/null").st_mode)
assert run("compile", ADD, "-o", "/dev/stdout") == BYTES
os.mkfifo("fifo")
got = []
reader = threading.Thread(target=lambda: got.append(pathlib.Path("fifo").read_bytes()))
reader.start()
run("compile", ADD, "-o", "fifo")
reader.join()
assert got == [BYTES] and stat.S_ISFIFO(os.stat("fifo").st_mode)
assert b"</html>" in run("report", "x.tpuc", "--html=/dev/stdout")
pathlib.Path("x.s").write_bytes(run("disasm", "x.tpuc"))
assert run("asm", "x.s", "-o", "/dev/stdout") == BYTES
assert b"func.func" in run("compile", ADD, "--stop-after=import", "-o", "/dev/stdout")

# A full device, by path and as standard output of every command.
full = open("/dev/full", "wb", buffering=0)
WRITERS = [
    ["compile", ADD, "-o"],
    ["compile", ADD, "--stop-after=fuse", "-o"],
    ["compile", ADD, "--emit-artifact", "-o"],
    ["asm", "x.s", "-o"],
    ["report", "x.tpuc", "--html"],
]
for command in WRITERS:
    run(*command, "/dev/full", exit=74, code="TPUC-OUTPUT-001")
PRINTERS = [
    ["compile", ADD, "-o", "-"],
    ["report", "x.tpuc"],
    ["report", "x.tpuc", "--json"],
    ["disasm", "x.tpuc"],
    ["explain"],
    ["explain", "TPUC-FIT-001"],
    ["targets"],
    ["targets", "v5e"],
    ["--help"],
    ["run", "--help"],
    ["--version"],
    ["run", "x.tpuc", "--random=1"],
    ["run", "x.tpuc", "--random=1", "--json"],
    ["bench", "x.tpuc", "--no-run"],
]
for command in PRINTERS:
    run(*command, stdout=full, exit=74, code="TPUC-OUTPUT-001")


# A reader that has gone: the signal, as of other tools, or the error where signals are ignored.
def to_nobody(**options):
    read, write = os.pipe()
    os.close(read)
    done = subprocess.run([tpuc, "disasm", "x.tpuc"], stdout=write, stderr=subprocess.PIPE, **options)
    os.close(write)
    return done


assert to_nobody().returncode == -signal.SIGPIPE
ignored = to_nobody(restore_signals=False)
assert ignored.returncode == 74 and b"TPUC-OUTPUT-001" in ignored.stderr, ignored

# What cannot be opened, and a folder of dumps or results that cannot be made; the old file stays.
run("compile", ADD, "-o", "none/x", exit=74, code="none/x")
run("compile", ADD, "-o", "real", exit=74, code="directory")
run("compile", ADD, "--dump-stages=x.s/stages", exit=2, code="TPUC-INPUT-001")
run("run", "x.tpuc", "--random=1", "--save=x.s/results", exit=2, code="TPUC-INPUT-001")
os.mkdir("saved")
os.symlink("/dev/full", "saved/output.0.npy")
run("run", "x.tpuc", "--random=1", "--save=saved", exit=74, code="TPUC-OUTPUT-001")

# The program's own results are saved, whether an expectation looks at them or not; a program without any says so.
program = "func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {\n  check.expect_eq %x, %x : tensor<2xf32>\n  return %x : tensor<2xf32>\n}\n"
pathlib.Path("checked.mlir").write_text(program)
run("run", "checked.mlir", "--random=1", "--save=checked")
assert os.listdir("checked") == ["output.0.npy"]
pathlib.Path("only.mlir").write_text(
    program.replace("-> tensor<2xf32> {", "{").replace("  return %x : tensor<2xf32>", "  return")
)
run("run", "only.mlir", "--random=1", "--save=only", exit=2, code="--save has nothing to write")
# One that returns nothing and expects nothing has all of its results written.
pathlib.Path("none.mlir").write_text("func.func @main(%x: tensor<2xf32>) {\n  return\n}\n")
run("run", "none.mlir", "--random=1", "--save=none", exit=0)
