// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls of code that is not in the program.
#include "compiler/frontend/hlo/families.h"
#include "dialects/stablehlo/stablehlo.h"
#include "mlir/AsmParser/AsmParser.h"

using namespace mlir;

namespace tpuc::frontend::hlo {
namespace {

using stablehlo::CustomCallApiVersion;

// Each leaf's dims from minor to major.
Attribute layoutOf(Emitter &e, const Shape &shape) {
  SmallVector<int64_t> order(llvm::reverse(shape.majorToMinor()));
  return DenseIntElementsAttr::get(RankedTensorType::get({static_cast<int64_t>(order.size())}, e.b.getIndexType()),
                                   order);
}

void appendLayouts(Emitter &e, const Shape &shape, SmallVectorImpl<Attribute> &layouts) {
  if (!shape.isTuple) layouts.push_back(layoutOf(e, shape));
  for (const Shape &element : shape.elements) appendLayouts(e, element, layouts);
}

LogicalResult addLayouts(Emitter &e, const Instruction &i, SmallVectorImpl<NamedAttribute> &attributes) {
  if (!i.fields.flag(kConstrainLayout)) return success();
  SmallVector<Attribute> operands, ofResults;
  for (const Message &proto : i.fields.messages(kOperandShapesWithLayout)) {
    Shape shape;
    std::string error;
    if (!readShape(proto, e.b.getContext(), shape, error)) return e.malformed(i) << error;
    appendLayouts(e, shape, operands);
  }
  appendLayouts(e, i.shape, ofResults);
  attributes.push_back(e.attribute("operand_layouts", e.b.getArrayAttr(operands)));
  attributes.push_back(e.attribute("result_layouts", e.b.getArrayAttr(ofResults)));
  return success();
}

// An index into a tuple of results counts the results, as tuples are flattened.
void addAliases(Emitter &e, const Instruction &i, SmallVectorImpl<NamedAttribute> &attributes) {
  SmallVector<Attribute> list;
  for (const Message &alias : i.fields.messages(kOutputOperandAliasing)) {
    SmallVector<int64_t> index = alias.numbers(kOutputIndex);
    std::optional<size_t> leaf = i.shape.leafAt(index);
    if (!leaf) continue;
    if (!index.empty()) index = {static_cast<int64_t>(*leaf)};
    list.push_back(stablehlo::OutputOperandAliasAttr::get(e.b.getContext(), index, alias.number(kOperandIndex),
                                                          alias.numbers(kOperandShapeIndex)));
  }
  if (!list.empty()) attributes.push_back(e.attribute("output_operand_aliases", e.b.getArrayAttr(list)));
}

// A dictionary in MLIR's text for a typed interface, otherwise the bytes as they are.
Attribute backendConfig(Emitter &e, const Instruction &i, CustomCallApiVersion version) {
  StringRef bytes = i.fields.bytes(kBackendConfig);
  if (version != CustomCallApiVersion::API_VERSION_TYPED_FFI) return e.b.getStringAttr(bytes);
  if (bytes.empty()) return e.b.getDictionaryAttr({});
  ScopedDiagnosticHandler quiet(e.b.getContext(), [](Diagnostic &) { return success(); });
  if (bytes.count('{') + bytes.count('[') + bytes.count('<') + bytes.count('(') > 4096) return {};
  return dyn_cast_or_null<DictionaryAttr>(parseAttribute(bytes, e.b.getContext()));
}

LogicalResult addCallees(Emitter &e, const Instruction &i, SmallVectorImpl<NamedAttribute> &attributes) {
  SmallVector<Attribute> names;
  for (Computation *computation : i.computations) {
    FailureOr<func::FuncOp> function = e.function(*computation);
    if (failed(function)) return failure();
    names.push_back(FlatSymbolRefAttr::get(*function));
  }
  if (!names.empty()) attributes.push_back(e.attribute("called_computations", e.b.getArrayAttr(names)));
  return success();
}

}  // namespace

TPUC_HLO_EMIT(emitCustomCall) {
  StringRef target = i.fields.bytes(kCustomCallTarget);
  const int64_t number = i.fields.number(kApiVersion, 1);
  auto version = number >= 0 && number <= 4 ? stablehlo::symbolizeCustomCallApiVersion(static_cast<uint32_t>(number))
                                            : std::nullopt;
  if (!version) return e.refuse(i, codes::kUnknownOp) << "has the unknown interface version " << number;
  Attribute config = backendConfig(e, i, *version);
  if (!config) return e.malformed(i) << "expects a dictionary as configuration of a typed interface";
  SmallVector<NamedAttribute> attributes{
      e.attribute("call_target_name", e.b.getStringAttr(target)),
      e.flag("has_side_effect", i.fields.flag(kHasSideEffect)), e.attribute("backend_config", config),
      e.attribute("api_version", stablehlo::CustomCallApiVersionAttr::get(e.b.getContext(), *version))};
  addAliases(e, i, attributes);
  if (failed(addLayouts(e, i, attributes)) || failed(addCallees(e, i, attributes))) return failure();
  e.create(i, op, i.values(), attributes, results);
  return success();
}

}  // namespace tpuc::frontend::hlo
