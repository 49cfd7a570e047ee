#!/usr/bin/env python3
"""broken.py TPUC EXAMPLE OUT: inputs that are broken in as many ways as there are lines below. Each is refused with its exit code and
a message that says where and what; nothing dies by a signal, prints to standard output, or takes longer than a few seconds."""
import os
import pathlib
import re
import subprocess
import sys

tpuc, example, out = sys.argv[1], pathlib.Path(sys.argv[2]).resolve(), pathlib.Path(sys.argv[3])
out.mkdir(parents=True, exist_ok=True)
os.chdir(out)
F = "tensor<4xf32>"


def body(ops, args=f"%x: {F}", result=F, value="%0"):
    return f"func.func @main({args}) -> {result} {{\n  {ops}\n  return {value} : {result}\n}}\n"


GOOD = body(f"%0 = stablehlo.add %x, %x : {F}")
REAL = (example / "program.mlir").read_text()
pathlib.Path("good.mlir").write_text(GOOD)
subprocess.run([tpuc, "compile", "good.mlir", "-o", "good.tpuc"], check=True)
EXE = pathlib.Path("good.tpuc").read_bytes()
ASM = subprocess.run([tpuc, "disasm", "good.tpuc"], check=True, capture_output=True, text=True).stdout
NPY = (example / "input.1.npy").read_bytes()

# Programs: name, text, exit code, what the message has to say.
PROGRAMS = [
    ("empty", "", 3, "IMPORT-004"),
    ("binary", os.urandom(64).hex() + "\x01\x02", 3, "IMPORT"),
    ("zeros", "\0" * 4096, 3, "IMPORT"),
    ("cut in the header", REAL[:60], 3, r":\d+:\d+: error: .*IMPORT"),
    ("cut in a type", REAL[: REAL.index("tensor<100x") + 9], 3, r":\d+:\d+: error: .*IMPORT-002"),
    ("cut in an op", REAL[: REAL.index("dot_general") + 5], 4, r":\d+:\d+: error: .*IMPORT-003"),
    ("cut before the end", REAL[: REAL.rindex("}")], 3, r":\d+:\d+: error: .*IMPORT-002"),
    ("too many brackets", "module {" * 5000, 3, "IMPORT-011"),
    ("open string", 'module attributes {a = "never closed', 3, "IMPORT-002"),
    ("two mains", GOOD + GOOD, 3, ":5:.*redefinition.*IMPORT-002"),
    ("no main", "module {}", 3, "IMPORT-004"),
    ("main without a body", f"func.func private @main({F}) -> {F}", 3, "IMPORT-004"),
    ("two modules", "module { module { } }", 3, "IMPORT-005"),
    ("wrong result type", body(f"%0 = stablehlo.add %x, %x : {F}", result="tensor<5xf32>"), 3, ":3:.*IMPORT-002"),
    ("wrong operand type", body("%0 = stablehlo.add %x, %x : tensor<4xi32>"), 3, ":2:.*IMPORT-002"),
    ("undefined value", body(f"%0 = stablehlo.add %x, %y : {F}"), 3, ":2:.*undeclared.*IMPORT-002"),
    ("value defined twice", body(f"%0 = stablehlo.add %x, %x : {F}\n  %0 = stablehlo.add %x, %x : {F}"), 3, ":3:.*redefinition"),
    ("too few operands", body(f'%0 = "stablehlo.add"(%x) : ({F}) -> {F}'), 3, ":2:.*IMPORT-002"),
    ("unknown op of ours", body(f'%0 = "stablehlo.frobnicate"(%x) : ({F}) -> {F}'), 4, ":2:.*IMPORT-003"),
    ("unknown dialect", body(f'%0 = "tosa.abs"(%x) : ({F}) -> {F}'), 4, ":2:.*IMPORT-003"),
    ("unknown type", body('%0 = "stablehlo.abs"(%x) : (!llvm.ptr) -> !llvm.ptr', "%x: !llvm.ptr", "!llvm.ptr"), (3, 4), "IMPORT"),
    ("unranked", body('%0 = "stablehlo.abs"(%x) : (tensor<*xf32>) -> tensor<*xf32>', "%x: tensor<*xf32>", "tensor<*xf32>"), (3, 4), "IMPORT"),
    ("no bound", body("%0 = stablehlo.add %x, %x : tensor<?xf32>", "%x: tensor<?xf32>", "tensor<?xf32>"), 4, "IMPORT-007"),
    ("2^40 elements", body("%0 = stablehlo.add %x, %x : tensor<1099511627776xf32>", "%x: tensor<1099511627776xf32>", "tensor<1099511627776xf32>"), 5, "FIT-001"),
    ("2^62 elements", body("%0 = stablehlo.add %x, %x : tensor<2147483648x2147483648xf32>", "%x: tensor<2147483648x2147483648xf32>", "tensor<2147483648x2147483648xf32>"), 5, "IMPORT-008"),
    ("2^66 elements", body("%0 = stablehlo.abs %x : tensor<4194304x4194304x4194304xf32>", "%x: tensor<4194304x4194304x4194304xf32>", "tensor<4194304x4194304x4194304xf32>"), (3, 5), "IMPORT"),
    ("extent out of range", body("%0 = stablehlo.abs %x : tensor<99999999999999999999xf32>", "%x: tensor<99999999999999999999xf32>", F), 3, ":1:.*IMPORT-002"),
    ("negative extent", body("%0 = stablehlo.abs %x : tensor<-4xf32>", "%x: tensor<-4xf32>", F), 3, ":1:.*IMPORT-002"),
    ("a call of itself", body(f"%0 = call @main(%x) : ({F}) -> {F}"), 3, "IMPORT-006"),
    ("calls in a circle", body(f"%0 = call @f(%x) : ({F}) -> {F}") + "".join(
        f"func.func private @{a}(%x: {F}) -> {F} {{\n %0 = call @{b}(%x) : ({F}) -> {F}\n return %0 : {F}\n}}\n" for a, b in ("fg", "gf")), 3, "IMPORT-006"),
    ("a call of nothing", body(f"%0 = call @none(%x) : ({F}) -> {F}"), 3, ":2:.*IMPORT-002"),
    ("a declared function", body(f"%0 = call @f(%x) : ({F}) -> {F}") + f"func.func private @f({F}) -> {F}\n", 3, "IMPORT-013"),
    ("contracting dims differ", body("%0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<2x3xf32>, tensor<4x5xf32>) -> tensor<2x5xf32>",
                                     "%x: tensor<2x3xf32>, %y: tensor<4x5xf32>", "tensor<2x5xf32>"), 3, ":2:.*3.*4.*IMPORT-002"),
    ("reshape that grows", body("%0 = stablehlo.reshape %x : (tensor<4xf32>) -> tensor<5xf32>", result="tensor<5xf32>"), 3, ":2:.*IMPORT-002"),
    ("transpose of no permutation", body("%0 = stablehlo.transpose %x, dims = [0, 0] : (tensor<2x2xf32>) -> tensor<2x2xf32>", "%x: tensor<2x2xf32>", "tensor<2x2xf32>"), 3, ":2:.*IMPORT-002"),
    ("slice beyond the end", body("%0 = stablehlo.slice %x [0:9] : (tensor<4xf32>) -> tensor<9xf32>", result="tensor<9xf32>"), 3, ":2:.*IMPORT-002"),
    ("concatenate of other shapes", body("%0 = stablehlo.concatenate %x, %y, dim = 0 : (tensor<2x3xf32>, tensor<2x4xf32>) -> tensor<4x3xf32>", "%x: tensor<2x3xf32>, %y: tensor<2x4xf32>", "tensor<4x3xf32>"), 3, ":2:.*IMPORT-002"),
    ("constant of too few values", body("%0 = stablehlo.constant dense<[1.0, 2.0]> : tensor<4xf32>"), 3, ":2:.*IMPORT-002"),
    ("while whose condition is a number", body(f'%0 = "stablehlo.while"(%x) ({{\n^bb0(%a: {F}):\n "stablehlo.return"(%a) : ({F}) -> ()\n}}, {{\n^bb0(%a: {F}):\n "stablehlo.return"(%a) : ({F}) -> ()\n}}) : ({F}) -> {F}'), 3, "IMPORT-002"),
    ("does not fit", body("%0 = stablehlo.add %x, %x : tensor<65536x65536xf32>", "%x: tensor<65536x65536xf32>", "tensor<65536x65536xf32>"), 5, "FIT-001"),
]

# Executables and assembly: name, bytes, exit code, message.
flip = lambda b, i: b[:i] + bytes([b[i] ^ 0x5A]) + b[i + 1 :]
FILES = [
    ("cut in the magic", EXE[:5], "verify", 3, "EXE-001"),
    ("cut in the header", EXE[:20], "verify", 3, "EXE-001"),
    ("cut in the index", EXE[:300], "run", 3, "EXE-001"),
    ("cut in the code", EXE[:8200], "report", 3, "EXE-001"),
    ("another version", flip(EXE, 8), "disasm", 3, "version.*EXE-001"),
    ("index too long", EXE[:16] + b"\xff" * 8 + EXE[24:], "verify", 3, "EXE-001"),
    ("index damaged", flip(EXE, 100), "run", 3, "EXE-001"),
    ("code damaged", flip(EXE, EXE.index(b"\0" * 64) // 4096 * 4096 + 4096 + 2), "run", 3, "EXE-001"),
    ("only a header", EXE[:24], "bench", 3, "EXE-001"),
    ("assembly of nonsense", b"{ v.frob v0 }\n", "asm", 3, "line 1.*EXE-002"),
    ("a bundle not closed", b"{ halt\n", "asm", 3, "EXE-002"),
    ("a register out of range", ASM.replace("v0", "v99", 1).encode(), "asm", 3, "line.*EXE-002"),
    ("a branch nowhere", ASM.replace("target=k0", "target=nowhere").encode(), "asm", 3, "nowhere.*EXE-002"),
    ("a transfer of no descriptor", ASM.replace("desc=1", "desc=7").encode(), "asm", 3, "EXE-002"),
]

# Arguments: name, arguments, exit code, message.
pathlib.Path("cut.npy").write_bytes(NPY[:-3])
pathlib.Path("text.npy").write_text("1 2 3 4\n")
pathlib.Path("header.npy").write_bytes(NPY[:40])
pathlib.Path("shape.npy").write_bytes(NPY)
pathlib.Path("huge.npy").write_bytes(NPY[:10] + NPY[10:128].replace(b"(77,)", b"(999999999999,)"[:13] + b")"))
pathlib.Path("target.textproto").write_text('name: "mine" clock_ghz: -1')
pathlib.Path("target2.textproto").write_text("this is no description")
pathlib.Path("file").write_text("")
ARGUMENTS = [
    ("unknown command", ["frobnicate"], 2, "USAGE-001"),
    ("unknown flag", ["run", "good.mlir", "--frob"], 2, "--frob.*USAGE-001"),
    ("flag without a value", ["run", "good.mlir", "--threads"], 2, "USAGE-001"),
    ("number out of range", ["run", "good.mlir", "--threads=99999999999"], 2, "USAGE-001"),
    ("unknown stage", ["compile", "good.mlir", "--stop-after=frob"], 2, "USAGE-001"),
    ("unknown target", ["compile", "good.mlir", "--target=v99"], 2, "v99.*TARGET-001"),
    ("unknown constant", ["compile", "good.mlir", "--set=frob=1"], 2, "frob.*TARGET-001"),
    ("constant without a value", ["compile", "good.mlir", "--set=cores"], 2, "TARGET-001"),
    ("unsound constant", ["compile", "good.mlir", "--set=cores=0"], 2, "cores.*TARGET-001"),
    ("unsound description", ["compile", "good.mlir", "--target=target.textproto"], 2, "TARGET-001"),
    ("no description", ["compile", "good.mlir", "--target=target2.textproto"], 2, "target2.textproto:1:.*TARGET-001"),
    ("no such file", ["run", "none.mlir"], 2, "none.mlir.*INPUT-001"),
    ("a folder that is a file", ["run", "good.mlir", "--data=file"], 2, "INPUT-001"),
    ("nowhere to write", ["compile", "good.mlir", "-o", "none/x"], 2, "none/x.*INPUT-001"),
    ("no inputs", ["run", "good.mlir"], 3, "INPUT-004"),
    ("too many inputs", ["run", "good.mlir", "--input=cut.npy", "--input=cut.npy"], 3, "INPUT-004"),
    ("input cut off", ["run", "good.mlir", "--input=cut.npy"], 3, "cut.npy.*INPUT-002"),
    ("input of text", ["run", "good.mlir", "--input=text.npy"], 3, "text.npy.*INPUT-002"),
    ("input without a header", ["run", "good.mlir", "--input=header.npy"], 3, "header.npy.*INPUT-002"),
    ("input of another shape", ["run", "good.mlir", "--input=shape.npy"], 3, "shape.npy.*4xf32.*77.*INPUT-003"),
    ("input larger than its file", ["run", "good.mlir", "--input=huge.npy"], 3, "huge.npy.*INPUT-002"),
]


def check(name, command, exits, message):
    try:
        done = subprocess.run([tpuc, *command], capture_output=True, timeout=60)
    except subprocess.TimeoutExpired:
        return f"{name}: no end"
    err = done.stderr.decode(errors="replace")
    exits = exits if isinstance(exits, tuple) else (exits,)
    if done.returncode not in exits:
        return f"{name}: expects exit code {exits}, but got {done.returncode}\n{err[:2000]}"
    if not re.search(message, err, re.S) or "error:" not in err:
        return f"{name}: expects '{message}', but got\n{err[:2000]}"
    return f"{name}: prints to standard output" if done.stdout else None


problems, count = [], 0
for kind, text, exits, message in PROGRAMS:
    pathlib.Path("program.mlir").write_text(text)
    problems.append(check(kind, ["compile", "program.mlir", "-o", "x.tpuc"], exits, message))
for kind, content, command, exits, message in FILES:
    pathlib.Path("broken.bin").write_bytes(content)
    problems.append(check(kind, [command, "broken.bin"] + (["-o", "x"] if command == "asm" else []), exits, message))
for kind, arguments, exits, message in ARGUMENTS:
    problems.append(check(kind, arguments, exits, message))
count = len(problems)
problems = [p for p in problems if p]
print("\n".join(problems), file=sys.stderr)
print(f"{count - len(problems)} of {count} refused as they should be")
sys.exit(bool(problems) or count < 60)
