#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""broken.py TPUC EXAMPLE OUT: inputs that are broken in as many ways as there are lines below. Each is refused with its
exit code and a message that says where and what; nothing dies by a signal, prints to standard output, or takes longer
than a few seconds."""

import os
import pathlib
import subprocess
import sys

from refused import F, body, check, report

tpuc, example, out = sys.argv[1], pathlib.Path(sys.argv[2]).resolve(), pathlib.Path(sys.argv[3])
out.mkdir(parents=True, exist_ok=True)
os.chdir(out)
GOOD = body(f"%0 = stablehlo.add %x, %x : {F}")
REAL = (example / "program.mlir").read_text()
pathlib.Path("good.mlir").write_text(GOOD)
subprocess.run([tpuc, "compile", "good.mlir", "-o", "good.tpuc"], check=True)
EXE = pathlib.Path("good.tpuc").read_bytes()
ASM = subprocess.run([tpuc, "disasm", "good.tpuc"], check=True, capture_output=True, text=True).stdout
NPY = (example / "input.1.npy").read_bytes()

# Programs: name, text, exit code, what the message has to say.
PROGRAMS = [
    ("comments", "// nothing\n\n", 3, "blanks and comments.*IMPORT-014"),
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
    (
        "value defined twice",
        body(f"%0 = stablehlo.add %x, %x : {F}\n  %0 = stablehlo.add %x, %x : {F}"),
        3,
        ":3:.*redefinition",
    ),
    ("too few operands", body(f'%0 = "stablehlo.add"(%x) : ({F}) -> {F}'), 3, ":2:.*IMPORT-002"),
    ("unknown op of ours", body(f'%0 = "stablehlo.frobnicate"(%x) : ({F}) -> {F}'), 4, ":2:.*IMPORT-003"),
    ("unknown dialect", body(f'%0 = "tosa.abs"(%x) : ({F}) -> {F}'), 4, ":2:.*TOSA.*IMPORT-003"),
    ("mhlo", body(f'%0 = "mhlo.abs"(%x) : ({F}) -> {F}'), 4, ":2:.*hlo-legalize-to-stablehlo.*IMPORT-003"),
    ("pretty mhlo", body(f"%0 = mhlo.abs %x : {F}"), 4, ":2:.*hlo-legalize-to-stablehlo.*IMPORT-003"),
    ("linalg", body(f"%0 = linalg.abs ins(%x : {F}) outs(%x : {F}) -> {F}"), 4, ":2:.*export StableHLO.*IMPORT-003"),
    (
        "an op outside of functions",
        f"%c = stablehlo.constant dense<1.0> : {F}\n" + GOOD,
        3,
        ":1:.*outside of one.*IMPORT-002",
    ),
    ("several programs", GOOD + "// -----\n" + GOOD, 3, "redefinition.*IMPORT-002.*note: .*--split-input-file"),
    (
        "several programs of other names",
        GOOD.replace("main", "a") + "// -----\n" + GOOD.replace("main", "b"),
        3,
        "IMPORT-004.*note: .*--split-input-file",
    ),
    (
        "control bytes in a name",
        body(f'%0 = "stablehlo.a\\1B[31m"(%x) : ({F}) -> {F}') + "\x1b[31m\x07",
        3,
        r"\\x1b\[31m\\x07",
    ),
    (
        "a call that turns the terminal",
        body(f'%0 = stablehlo.custom_call @"red\\1B[31m\\E2\\80\\AEtxt"(%x) : ({F}) -> {F}'),
        4,
        r"red\\x1b\[31m\\u202etxt.*SIMPLIFY-002",
    ),
    (
        "a line of eight megabytes",
        "// "
        + "x" * (8 << 20)
        + "\n"
        + body("%0 = stablehlo.constant dense<[" + "1.0, " * (1 << 20) + "oops]> : tensor<4xf32>"),
        3,
        r":3:\d+: error: .*\.\.\. .*oops.*IMPORT|IMPORT.*\.\.\. .*oops",
    ),
    (
        "unknown type",
        body('%0 = "stablehlo.abs"(%x) : (!llvm.ptr) -> !llvm.ptr', "%x: !llvm.ptr", "!llvm.ptr"),
        (3, 4),
        "IMPORT",
    ),
    (
        "unranked",
        body('%0 = "stablehlo.abs"(%x) : (tensor<*xf32>) -> tensor<*xf32>', "%x: tensor<*xf32>", "tensor<*xf32>"),
        (3, 4),
        "IMPORT",
    ),
    (
        "no bound",
        body("%0 = stablehlo.add %x, %x : tensor<?xf32>", "%x: tensor<?xf32>", "tensor<?xf32>"),
        2,
        "SHAPES-001",
    ),
    (
        "no bound at no place",
        'module {\n  func.func @main(%x: tensor<?xf32> loc("x[0]")) -> tensor<?xf32> {\n    return %x : tensor<?xf32> loc(unknown)\n  } loc(unknown)\n} loc(unknown)\n',
        2,
        r'^program.mlir: at "x\[0\]": error: .*--dim=arg0.0=SIZE.*SHAPES-001',
    ),
    (
        "two million partitions at no place",
        "module attributes {mhlo.num_partitions = 2000000 : i32} {\n" + GOOD + "} loc(unknown)\n",
        3,
        "^program.mlir: error: .*1048576 devices at most.*COLLECTIVE-001",
    ),
    (
        "2^40 elements",
        body(
            "%0 = stablehlo.add %x, %x : tensor<1099511627776xf32>",
            "%x: tensor<1099511627776xf32>",
            "tensor<1099511627776xf32>",
        ),
        5,
        "FIT-001",
    ),
    (
        "2^62 elements",
        body(
            "%0 = stablehlo.add %x, %x : tensor<2147483648x2147483648xf32>",
            "%x: tensor<2147483648x2147483648xf32>",
            "tensor<2147483648x2147483648xf32>",
        ),
        5,
        "IMPORT-008",
    ),
    (
        "2^66 elements",
        body(
            "%0 = stablehlo.abs %x : tensor<4194304x4194304x4194304xf32>",
            "%x: tensor<4194304x4194304x4194304xf32>",
            "tensor<4194304x4194304x4194304xf32>",
        ),
        (3, 5),
        "IMPORT",
    ),
    (
        "extent out of range",
        body("%0 = stablehlo.abs %x : tensor<99999999999999999999xf32>", "%x: tensor<99999999999999999999xf32>", F),
        3,
        ":1:.*IMPORT-002",
    ),
    ("negative extent", body("%0 = stablehlo.abs %x : tensor<-4xf32>", "%x: tensor<-4xf32>", F), 3, ":1:.*IMPORT-002"),
    ("a call of itself", body(f"%0 = call @main(%x) : ({F}) -> {F}"), 3, "IMPORT-006"),
    (
        "calls in a circle",
        body(f"%0 = call @f(%x) : ({F}) -> {F}")
        + "".join(
            f"func.func private @{a}(%x: {F}) -> {F} {{\n %0 = call @{b}(%x) : ({F}) -> {F}\n return %0 : {F}\n}}\n"
            for a, b in ("fg", "gf")
        ),
        3,
        "IMPORT-006",
    ),
    ("a call of nothing", body(f"%0 = call @none(%x) : ({F}) -> {F}"), 3, ":2:.*IMPORT-002"),
    (
        "a declared function",
        body(f"%0 = call @f(%x) : ({F}) -> {F}") + f"func.func private @f({F}) -> {F}\n",
        3,
        "IMPORT-013",
    ),
    (
        "contracting dims differ",
        body(
            "%0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<2x3xf32>, tensor<4x5xf32>) -> tensor<2x5xf32>",
            "%x: tensor<2x3xf32>, %y: tensor<4x5xf32>",
            "tensor<2x5xf32>",
        ),
        3,
        ":2:.*3.*4.*IMPORT-002",
    ),
    (
        "reshape that grows",
        body("%0 = stablehlo.reshape %x : (tensor<4xf32>) -> tensor<5xf32>", result="tensor<5xf32>"),
        3,
        ":2:.*IMPORT-002",
    ),
    (
        "transpose of no permutation",
        body(
            "%0 = stablehlo.transpose %x, dims = [0, 0] : (tensor<2x2xf32>) -> tensor<2x2xf32>",
            "%x: tensor<2x2xf32>",
            "tensor<2x2xf32>",
        ),
        3,
        ":2:.*IMPORT-002",
    ),
    (
        "slice beyond the end",
        body("%0 = stablehlo.slice %x [0:9] : (tensor<4xf32>) -> tensor<9xf32>", result="tensor<9xf32>"),
        3,
        ":2:.*IMPORT-002",
    ),
    (
        "concatenate of other shapes",
        body(
            "%0 = stablehlo.concatenate %x, %y, dim = 0 : (tensor<2x3xf32>, tensor<2x4xf32>) -> tensor<4x3xf32>",
            "%x: tensor<2x3xf32>, %y: tensor<2x4xf32>",
            "tensor<4x3xf32>",
        ),
        3,
        ":2:.*IMPORT-002",
    ),
    (
        "constant of too few values",
        body("%0 = stablehlo.constant dense<[1.0, 2.0]> : tensor<4xf32>"),
        3,
        ":2:.*IMPORT-002",
    ),
    (
        "while whose condition is a number",
        body(
            f'%0 = "stablehlo.while"(%x) ({{\n^bb0(%a: {F}):\n "stablehlo.return"(%a) : ({F}) -> ()\n}}, {{\n^bb0(%a: {F}):\n "stablehlo.return"(%a) : ({F}) -> ()\n}}) : ({F}) -> {F}'
        ),
        3,
        "IMPORT-002",
    ),
    (
        "does not fit",
        body(
            "%0 = stablehlo.add %x, %x : tensor<65536x65536xf32>",
            "%x: tensor<65536x65536xf32>",
            "tensor<65536x65536xf32>",
        ),
        5,
        "FIT-001",
    ),
]

# What is no program at all: name, bytes, what the message has to say.
string = lambda text: bytes([len(text)]) + text.encode()
zipped = lambda name: b"PK\x03\x04" + b"\0" * 22 + bytes([len(name), 0, 0, 0]) + name.encode() + b"\1" * 50
FOREIGN = [
    ("empty", b"", "an empty file"),
    (
        "HLO text",
        b"HloModule jit_f, entry_computation_layout={(f32[4]{0})->f32[4]{0}}\n\nENTRY main.3 {\n}\n",
        "HLO text.*as_text",
    ),
    ("npz", zipped("x.npy"), "NumPy archive.*--input"),
    ("npy", NPY, "NumPy array"),
    ("zip", zipped("readme.txt"), "zip archive"),
    (".pt2", zipped("archive/archive_format"), "torch.export.*torch_xla"),
    ("checkpoint", zipped("archive/data.pkl"), "PyTorch checkpoint"),
    ("zipped SavedModel", zipped("saved_model.pb"), "zipped TensorFlow SavedModel"),
    ("SavedModel", b"\x08\x01\x12\xaf\x01\x0a\x02", "TensorFlow SavedModel"),
    ("ONNX", b"\x08\x08\x12" + string("pytorch") + b"\x1a" + string("2.1"), "ONNX"),
    ("TFLite", b"\x1c\0\0\0TFL3" + b"\0" * 32, "TensorFlow Lite"),
    ("pickle", b"\x80\x04\x95" + b"\0" * 32, "Python pickle"),
    ("safetensors", b'\x40\0\0\0\0\0\0\0{"w":{}}', "safetensors"),
    ("gzip", b"\x1f\x8b\x08\0\0\0\0\0", "gzip"),
    ("UTF-16", GOOD.encode("utf-16"), "UTF-16.*iconv"),
    ("Python", b"import jax\n\ndef f(x):\n  return x\n", "Python.*as_text"),
    ("a script", b"#!/usr/bin/env python3\nprint(1)\n", "Python or a script"),
    ("jaxpr", b"{ lambda ; a:f32[4]. let b:f32[4] = add a a in (b,) }\n", "jaxpr.*as_text"),
    ("JSON", b'{"a": 1}\n', "JSON"),
    ("LFS", b"version https://git-lfs.github.com/spec/v1\noid sha256:0\n", "Git LFS"),
    ("page", b"<!DOCTYPE html>\n<html></html>\n", "HTML"),
    ("ELF", b"\x7fELF\2\1\1" + b"\0" * 64, "ELF"),
    ("bytes", bytes(range(1, 40)) + b"\0" * 100, "binary data"),
    ("assembly", ASM.encode(), "tpuc asm"),
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
pathlib.Path("damaged.tpuc").write_bytes(b"XPUC" + EXE[4:])
FOUR = NPY[: NPY.index(b"(77,)")] + b"(4,), " + NPY[NPY.index(b"(77,)") + 6 : 128] + b"\0" * 16
FOLDERS = {
    "extra": {"input.0.npy": FOUR, "input.1.npy": FOUR},
    "gap": {"input.1.npy": FOUR},
    "outputs": {"input.0.npy": FOUR, "output.0.npy": FOUR, "output.1.npy": FOUR},
    "wrong": {"input.0.npy": FOUR, "output.0.npy": NPY},
}
for folder, files in FOLDERS.items():
    for name, data in {"program.mlir": GOOD.encode(), **files}.items():
        pathlib.Path(folder).mkdir(exist_ok=True)
        (pathlib.Path(folder) / name).write_bytes(data)
platforms = GOOD.replace("%x: " + F, '%p: tensor<i32> {jax.global_constant = "_platform_index"}, %x: ' + F)
pathlib.Path("platforms").mkdir(exist_ok=True)
(pathlib.Path("platforms") / "program.mlir").write_text(platforms)
(pathlib.Path("platforms") / "input.0.npy").write_bytes(FOUR)
for folder, name in (("saved_model", "saved_model.pb"), ("other", "model.mlir")):
    pathlib.Path(folder).mkdir(exist_ok=True)
    (pathlib.Path(folder) / name).write_text(GOOD)
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
    ("nowhere to write", ["compile", "good.mlir", "-o", "none/x"], 74, "none/x.*OUTPUT-001"),
    ("an executable by another way", ["compile", "good.tpuc"], 2, "compiled already"),
    ("a damaged executable", ["run", "damaged.tpuc", "--random=1"], 3, "first bytes are damaged.*EXE-001"),
    (
        "precision of an executable",
        ["run", "good.tpuc", "--random=1", "--matmul-precision=highest"],
        2,
        "--matmul-precision has no effect; compile.*USAGE-001",
    ),
    (
        "constants of an executable",
        ["run", "good.tpuc", "--random=1", "--constants=arrays"],
        2,
        "--constants has no effect; compile.*USAGE-001",
    ),
    (
        "an argument of JAX's own",
        ["run", "platforms"],
        3,
        "expects input.1.npy beside input.0.npy: .*argument 0 is _platform_index.*platforms=.'tpu'.*INPUT-006",
    ),
    (
        "an argument of JAX's own, without inputs",
        ["run", "platforms/program.mlir"],
        3,
        "expects 2 inputs, but got 0.*argument 0 is _platform_index.*INPUT-004",
    ),
    ("a device without an end", ["compile", "/dev/zero", "-o", "x"], 2, "/dev/zero.*is a device.*INPUT-001"),
    (
        "a place for no executable",
        ["compile", "good.mlir", "--split-input-file", "-o", "x"],
        2,
        "--split-input-file.*-o has no effect.*USAGE-001",
    ),
    (
        "a folder without a name",
        ["run", "good.mlir", "--random=1", "--save", ""],
        2,
        "--save expects a folder.*USAGE-001",
    ),
    ("help of nothing", ["help", "frobnicate"], 2, "no command 'frobnicate'.*USAGE-001"),
    ("no steps", ["run", "good.mlir", "--random=1", "--max-steps=0"], 2, "--max-steps.*USAGE-001"),
    ("a SavedModel's folder", ["run", "saved_model"], 2, "TensorFlow SavedModel.*INPUT-001"),
    ("a folder of another name's program", ["run", "other"], 2, "has no program.mlir.*it has model.mlir.*INPUT-001"),
    ("an input too many", ["run", "extra"], 3, "expects no input.1.npy: the program has 1 argument.*INPUT-006"),
    (
        "an input between",
        ["run", "gap"],
        3,
        "expects input.0.npy beside input.1.npy: the program has 1 argument.*INPUT-006",
    ),
    ("an output too many", ["run", "outputs"], 3, "expects no output.1.npy: the program has 1 result.*INPUT-006"),
    ("an output of another shape", ["run", "wrong"], 3, "output.0.npy: result 0 expects 4xf32.*INPUT-003"),
    ("a name of control bytes", ["run", "no\x1b[31m\nthing"], 2, r"no\\x1b\[31m\\nthing.*INPUT-001"),
    ("no inputs", ["run", "good.mlir"], 3, "INPUT-004"),
    ("too many inputs", ["run", "good.mlir", "--input=cut.npy", "--input=cut.npy"], 3, "INPUT-004"),
    ("input cut off", ["run", "good.mlir", "--input=cut.npy"], 3, "cut.npy.*INPUT-002"),
    ("input of text", ["run", "good.mlir", "--input=text.npy"], 3, "text.npy.*INPUT-002"),
    ("input without a header", ["run", "good.mlir", "--input=header.npy"], 3, "header.npy.*INPUT-002"),
    ("input of another shape", ["run", "good.mlir", "--input=shape.npy"], 3, "shape.npy.*4xf32.*77.*INPUT-003"),
    ("input larger than its file", ["run", "good.mlir", "--input=huge.npy"], 3, "huge.npy.*INPUT-002"),
]


# Of what is no text, no line is shown.
pathlib.Path("program.mlir").write_bytes(bytes(range(1, 256)) + b"\0" * 100)
pathlib.Path("program.hlo").write_bytes(b"\xff\xfe" + GOOD.encode("utf-16-le"))
problems = []
for name in ("program.mlir", "program.hlo"):
    said = subprocess.run([tpuc, "compile", name, "-o", "x.tpuc"], capture_output=True).stderr
    if said.count(b"\n") != 1:
        problems.append(f"{name}: expects one line, but got {said!r}")
for kind, text, exits, message in PROGRAMS:
    pathlib.Path("program.mlir").write_text(text)
    problems.append(check(tpuc, kind, ["compile", "program.mlir", "-o", "x.tpuc"], exits, message))
for kind, content, message in FOREIGN:
    pathlib.Path("program.mlir").write_bytes(content)
    problems.append(
        check(tpuc, kind, ["compile", "program.mlir", "-o", "x.tpuc"], 3, "but got .*" + message + ".*IMPORT-014")
    )
for kind, content, command, exits, message in FILES:
    pathlib.Path("broken.bin").write_bytes(content)
    problems.append(
        check(tpuc, kind, [command, "broken.bin"] + (["-o", "x"] if command == "asm" else []), exits, message)
    )
for kind, arguments, exits, message in ARGUMENTS:
    problems.append(check(tpuc, kind, arguments, exits, message))
report(problems, least=60)
