// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The module as a whole: what the bytes are, and what is said of its arguments and results.
#include "compiler/frontend/hlo/emitter.h"
#include "compiler/frontend/hlo/hlo.h"
#include "compiler/frontend/hlo/sharding.h"
#include "dialects/stablehlo/chlo.h"
#include "dialects/stablehlo/stablehlo.h"

using namespace mlir;

namespace tpuc::frontend::hlo {

// The tag of a string or message numbered 1 is a line feed to a reader of texts; the tags that follow are characters
// that texts do not have.
bool isProtobuf(StringRef bytes) {
  auto isControl = [](char c) { return static_cast<unsigned char>(c) < ' ' && !StringRef("\t\n\v\f\r").contains(c); };
  if (bytes.empty() || llvm::none_of(bytes.take_front(1 << 12), isControl)) return false;
  return bytes.front() == '\n' || isMessage(bytes);
}

DictionaryAttr frontendAttributes(const Message &fields, MLIRContext *context) {
  NamedAttrList attributes;
  for (const Message &entry : fields.messages(kMap))
    if (StringRef key = entry.bytes(kKey); !key.empty())
      attributes.set(key, StringAttr::get(context, entry.bytes(kValue)));
  return attributes.empty() ? DictionaryAttr() : attributes.getDictionary(context);
}

namespace {

// An HloModuleProto has a name for its field 1, the messages around it have the module there.
Message findModule(StringRef bytes, bool *damaged) {
  Message file(bytes, damaged);
  if (file.has(kComputations)) {
    // HloProto numbers its buffer assignment as the module its computations.
    bool none = false;
    Message inner(file.bytes(kHloModule), &none);
    if (none || !inner.has(kComputations)) return file;
  }
  return file.message(kHloModule);
}

void setSharding(func::FuncOp function, bool isResult, size_t first, const Message &sharding, size_t leaves) {
  for (auto [i, text] : llvm::enumerate(shardingsOfLeaves(sharding, leaves))) {
    auto value = StringAttr::get(function.getContext(), text);
    if (isResult)
      function.setResultAttr(first + i, "mhlo.sharding", value);
    else
      function.setArgAttr(first + i, "mhlo.sharding", value);
  }
}

// Where the element with an index of a parameter lies in the function's arguments.
std::optional<size_t> argumentAt(ArrayRef<Shape> parameters, int64_t parameter, ArrayRef<int64_t> index) {
  if (parameter < 0 || parameter >= static_cast<int64_t>(parameters.size())) return std::nullopt;
  size_t first = 0;
  for (const Shape &shape : parameters.take_front(parameter)) first += shape.leaves;
  std::optional<size_t> leaf = parameters[parameter].leafAt(index);
  if (!leaf || *leaf >= parameters[parameter].leaves) return std::nullopt;
  return first + *leaf;
}

void setAliases(const Message &module, ArrayRef<Shape> parameters, const Shape &result, func::FuncOp function) {
  OpBuilder b(function.getContext());
  for (const Message &entry : module.message(kBufferDonor).messages(kAliasEntries))
    if (auto at = argumentAt(parameters, entry.number(kDonorParameter), entry.numbers(kDonorParameterIndex)))
      function.setArgAttr(*at, "jax.buffer_donor", b.getBoolAttr(true));
  for (const Message &entry : module.message(kInputOutputAlias).messages(kAliasEntries)) {
    auto at = argumentAt(parameters, entry.number(kAliasParameter), entry.numbers(kAliasParameterIndex));
    auto to = result.leafAt(entry.numbers(kAliasOutputIndex));
    if (at && to && *to < result.leaves)
      function.setArgAttr(*at, "tf.aliasing_output", b.getI32IntegerAttr(static_cast<int32_t>(*to)));
  }
}

}  // namespace

void annotateEntry(const Message &module, ArrayRef<Shape> parameters, ArrayRef<Message> instructions,
                   const Shape &result, const Message &root, func::FuncOp function) {
  std::vector<Message> ofParameters = module.messages(kSpmdParametersShardings);
  size_t first = 0;
  for (auto [i, shape] : llvm::enumerate(parameters)) {
    if (instructions[i].has(kSharding))
      setSharding(function, false, first, instructions[i].message(kSharding), shape.leaves);
    else if (ofParameters.size() == parameters.size())
      setSharding(function, false, first, ofParameters[i], shape.leaves);
    first += shape.leaves;
  }
  if (root.has(kSharding))
    setSharding(function, true, 0, root.message(kSharding), result.leaves);
  else if (module.has(kSpmdOutputSharding))
    setSharding(function, true, 0, module.message(kSpmdOutputSharding), result.leaves);
  setAliases(module, parameters, result, function);
}

OwningOpRef<ModuleOp> readModule(StringRef bytes, Location file) {
  file.getContext()->loadDialect<stablehlo::StablehloDialect, chlo::ChloDialect, func::FuncDialect>();
  bool damaged = false;
  Message module = findModule(bytes, &damaged);
  if (damaged || !module.has(kComputations)) {
    diagnose(file, codes::kMalformed) << "expects an HloModuleProto, but got "
                                      << (isMessage(bytes) ? "another protobuf"
                                                           : "bytes that are damaged or no protobuf");
    return {};
  }
  StringRef name = module.bytes(kModuleName);
  OwningOpRef<ModuleOp> made = ModuleOp::create(file, name.empty() ? std::nullopt : std::optional(name));
  if (DictionaryAttr said = frontendAttributes(module.message(kModuleFrontendAttributes), file.getContext()))
    (*made)->setAttr("mhlo.frontend_attributes", said);
  Locations locations(module, file);
  Emitter emitter(module, *made, locations, damaged);
  if (failed(emitter.emitModule(module))) return {};
  if (damaged) {
    diagnose(file, codes::kMalformed) << "expects an HloModuleProto, but got one with damaged fields";
    return {};
  }
  return made;
}

}  // namespace tpuc::frontend::hlo
