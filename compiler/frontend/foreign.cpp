// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a file is that is no program: first by its magic number, then by the words that a text begins with, then by
// whether it is text at all.
#include "compiler/frontend/foreign.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "runtime/isa/executable.h"

using namespace llvm;

namespace tpuc::frontend {
namespace {

constexpr StringLiteral kFromJax = "write the program with jax.jit(f).lower(*args).as_text()";
constexpr StringLiteral kFromPyTorch = "trace the model with torch.export and torch_xla (examples/export_pytorch.py)";
constexpr StringLiteral kFromTensorFlow = "convert it with TensorFlow's tf_to_stablehlo, or export the model from JAX";

std::string with(StringRef what, StringRef way) { return (what + "; " + way).str(); }

// The names of the files within lie in the archive as they are.
std::string zipKind(StringRef bytes) {
  StringRef head = bytes.take_front(1 << 16), tail = bytes.take_back(1 << 16);
  auto has = [&](StringRef name) { return head.contains(name) || tail.contains(name); };
  if (has("serialized_exported_program.json") || has("archive_format") || has("models/model.json"))
    return with("a program of torch.export (.pt2)", kFromPyTorch);
  if (has("data.pkl")) return with("a PyTorch checkpoint or TorchScript archive", kFromPyTorch);
  if (has("saved_model.pb")) return with("a zipped TensorFlow SavedModel", kFromTensorFlow);
  if (has(".npy"))
    return "a NumPy archive (.npz): arrays, no program; a program's inputs are single .npy files (--input FILE, or "
           "input.K.npy in its folder)";
  return "a zip archive; unpack it and give the program within";
}

// An HLO module is a protobuf as well, and a program.
std::optional<std::string> protobufKind(StringRef bytes) {
  if (bytes.size() < 4) return std::nullopt;
  if (bytes.starts_with("\x08\x01\x12")) return with("a TensorFlow SavedModel (saved_model.pb)", kFromTensorFlow);
  if (bytes[0] == 0x08 && bytes[1] > 1 && bytes[1] < 64 && (bytes[2] == 0x12 || bytes[2] == 0x3a || bytes[2] == 0x42))
    return "an ONNX model; convert it to StableHLO first (onnx-mlir lowers to it), or export the model where it was "
           "made";
  return std::nullopt;
}

std::optional<std::string> binaryKind(StringRef bytes) {
  auto is = [&](StringRef magic) { return bytes.starts_with(magic); };
  if (is(StringRef(isa::kMagic, 7)))
    return "an executable of tpuc; give its path, as tpuc run X.tpuc or tpuc disasm X.tpuc";
  if (is("\x93NUMPY"))
    return "a NumPy array, no program; a program's inputs are given with --input FILE, or as input.K.npy in its folder";
  if (is("PK\x03\x04") || is("PK\x05\x06")) return zipKind(bytes);
  if (is("\x1f\x8b")) return "compressed with gzip; unpack it first (gunzip)";
  if (is("BZh") ||
      is(StringRef("\xfd"
                   "7zXZ\0",
                   6)) ||
      is("\x28\xb5\x2f\xfd"))
    return "compressed (bzip2, xz or zstd); unpack it first";
  if (is("\xff\xfe") || is("\xfe\xff")) return "text in UTF-16; save it as UTF-8 (iconv -f UTF-16 -t UTF-8)";
  if (bytes.substr(4).starts_with("TFL3")) return with("a TensorFlow Lite model", kFromTensorFlow);
  if (is("\x89HDF")) return with("an HDF5 file, as Keras writes weights", kFromTensorFlow);
  if (is("\x7f"
         "ELF"))
    return "a program or library of this host (ELF)";
  if (bytes.size() > 2 && bytes[0] == '\x80' && bytes[1] >= 2 && bytes[1] <= 5)
    return with("a Python pickle, as older PyTorch checkpoints are", kFromPyTorch);
  if (bytes.size() > 9 && bytes[8] == '{' && bytes[9] == '"' && bytes.take_front(8).contains('\0'))
    return "a safetensors file: arrays, no program";
  return protobufKind(bytes);
}

// Comments of MLIR, blanks, and the mark that some editors put in front.
StringRef skipComments(StringRef text) {
  text.consume_front("\xef\xbb\xbf");
  for (text = text.ltrim(); text.starts_with("//"); text = text.ltrim())
    text = text.drop_front(std::min(text.find('\n'), text.size()));
  return text;
}

bool beginsPython(StringRef text) {
  if (text.starts_with("#!") || text.starts_with("# ") || text.starts_with("\"\"\"") || text.starts_with("import ") ||
      text.starts_with("def "))
    return true;
  return (text.starts_with("from ") && text.take_until([](char c) { return c == '\n'; }).contains(" import ")) ||
         text.starts_with("class ");
}

std::optional<std::string> textKind(StringRef text) {
  if (text.starts_with("HloModule"))
    return "HLO text, which XLA prints after StableHLO (lowered.as_text(\"hlo\"), compiled.as_text()); " +
           kFromJax.str();
  if (text.starts_with("{ lambda") || text.starts_with("{lambda")) return with("a jaxpr", kFromJax);
  if (beginsPython(text))
    return with("Python or a script", "run it and give tpuc what it exports: jax.jit(f).lower(*args).as_text()");
  if (text.starts_with("{\"") || text.starts_with("{\n") || text.starts_with("[{")) return "JSON";
  if (text.starts_with_insensitive("<!doctype") || text.starts_with_insensitive("<html") || text.starts_with("<?xml"))
    return "a page of HTML or XML: perhaps a download that failed";
  if (text.starts_with("version https://git-lfs")) return "a pointer of Git LFS; fetch the file itself (git lfs pull)";
  if (text.starts_with("; ModuleID") || text.starts_with("source_filename") || text.starts_with("target triple"))
    return with("LLVM IR", kFromJax);
  if (text.starts_with(".set ") || text.starts_with(".buffer "))
    return "assembly of tpuc; tpuc asm makes an executable of it";
  return std::nullopt;
}

}  // namespace

std::optional<std::string> foreignFile(StringRef bytes, bool mayBeBlank) {
  if (bytes.empty()) return "an empty file";
  if (auto kind = binaryKind(bytes)) return kind;
  StringRef text = skipComments(bytes);
  if (text.empty() && !mayBeBlank) return "nothing but blanks and comments";
  return textKind(text);
}

// The parser and check_module.cpp quote the op's name, or the dialect's alone.
StringRef wayFromDialect(StringRef message) {
  size_t named = message.find("custom op '");
  StringRef quoted = (named == StringRef::npos ? message : message.drop_front(named)).split('\'').second;
  StringRef dialect = quoted.take_while([](char c) { return isAlnum(c) || c == '_'; });
  return StringSwitch<StringRef>(dialect)
      .Cases({"mhlo", "lmhlo", "xla_hlo"},
             "MHLO became StableHLO: convert it (mlir-hlo-opt --hlo-legalize-to-stablehlo)")
      .Case("vhlo",
            "VHLO is the inside of portable artifacts: give the artifact itself, or its StableHLO (stablehlo-translate "
            "--deserialize)")
      .Cases({"tf", "tfl", "tf_executor", "tf_device", "tf_saved_model", "tfrt"},
             "TensorFlow's ops are legalised to StableHLO by its own tools (tf_to_stablehlo)")
      .Cases({"torch", "torch_c", "aten"},
             "torch-mlir lowers them (torch-mlir-opt --torch-backend-to-stablehlo-backend-pipeline)")
      .Cases({"onnx", "krnl"}, "onnx-mlir lowers them to StableHLO")
      .Case("tosa", "TOSA is another exchange format: export StableHLO where the model is made")
      .Cases({"linalg", "tensor", "arith", "memref", "scf", "affine", "vector", "math", "cf", "llvm"},
             "that is a stage after StableHLO in other compilers; export StableHLO where the program is made")
      .Default("");
}

}  // namespace tpuc::frontend
