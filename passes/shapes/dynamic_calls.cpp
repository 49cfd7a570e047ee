// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Source of the calls' operands: jax 0.10.2 (lax/windowed_reductions, lax/ann, lax/lax, export).
#include "passes/shapes/dynamic_calls.h"

#include "dialects/diagnostics/diagnose.h"
#include "dialects/diagnostics/outer_codes.h"
#include "dialects/stablehlo/checks.h"
#include "llvm/ADT/BitVector.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;

namespace tpuc::shapes {

namespace hlo = tpuc::stablehlo;

LogicalResult copyCalledBody(hlo::CustomCallOp call, Region &region) {
  auto names = call.getCalledComputations();
  auto function = names && names->size() == 1
                      ? SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(call, cast<FlatSymbolRefAttr>((*names)[0]))
                      : nullptr;
  if (!function || function.isExternal() || !function.getBody().hasOneBlock())
    return diagnose(call, codes::kCallSignature)
           << "expects one called computation with a body in '" << call.getCallTargetName() << "'";
  IRMapping map;
  function.getBody().cloneInto(&region, map);
  Operation *end = region.front().getTerminator();
  OpBuilder builder(end);
  hlo::ReturnOp::create(builder, end->getLoc(), end->getOperands());
  end->erase();
  return success();
}

namespace {

using Numbers = SmallVector<int64_t>;
using Made = SmallVectorImpl<Operation *>;

RankedTensorType typeOf(Value value) { return cast<RankedTensorType>(value.getType()); }

CodedError wrong(hlo::CustomCallOp call) { return diagnose(call, codes::kCallSignature); }

// Inputs, initial values, then window sizes, strides, base dilations, window dilations, padding.
FailureOr<bool> reduceWindow(hlo::CustomCallOp call, const ShapeValues &values, Made &made) {
  const unsigned count = call.getNumResults();
  if (call.getInputs().size() != 2 * count + 5)
    return wrong(call) << "expects " << 2 * count + 5 << " operands, but got " << call.getInputs().size();
  SmallVector<Numbers> lists;
  for (Value operand : call.getInputs().take_back(5)) {
    auto numbers = values.integers(operand);
    if (!numbers) return false;
    lists.push_back(std::move(*numbers));
  }
  const int64_t rank = typeOf(call.getInputs()[0]).getRank();
  OpBuilder builder(call);
  if (static_cast<int64_t>(lists[4].size()) != 2 * rank)
    return wrong(call) << "expects " << rank << "x2 numbers of padding";
  auto padding = DenseIntElementsAttr::get(RankedTensorType::get({rank, 2}, builder.getI64Type()), lists[4]);
  auto list = [&](int i) { return builder.getDenseI64ArrayAttr(lists[i]); };
  auto op =
      hlo::ReduceWindowOp::create(builder, call.getLoc(), call.getResultTypes(), call.getInputs().take_front(count),
                                  call.getInputs().slice(count, count), list(0), list(1), list(2), list(3), padding);
  if (failed(copyCalledBody(call, op.getBody()))) return failure();
  call.replaceAllUsesWith(op.getResults());
  made.push_back(op);
  return true;
}

// The state, then the shape of the bits.
FailureOr<bool> rngBits(hlo::CustomCallOp call, const ShapeValues &values, Made &made) {
  auto algorithm = call->getAttrOfType<hlo::RngAlgorithmAttr>("rng_algorithm");
  if (call.getInputs().size() != 2 || call.getNumResults() != 2 || !algorithm)
    return wrong(call) << "expects a state, a shape and rng_algorithm";
  auto shape = values.integers(call.getInputs()[1]);
  if (!shape) return false;
  OpBuilder builder(call);
  auto bits = RankedTensorType::get(*shape, cast<RankedTensorType>(call.getResult(1).getType()).getElementType());
  auto op = hlo::RngBitGeneratorOp::create(builder, call.getLoc(), TypeRange{call.getInputs()[0].getType(), bits},
                                           algorithm, call.getInputs()[0]);
  call.replaceAllUsesWith(op);
  made.push_back(op);
  return true;
}

// The operand and k.
FailureOr<bool> topK(hlo::CustomCallOp call, const ShapeValues &values, Made &made) {
  if (call.getInputs().size() != 2 || call.getNumResults() != 2)
    return wrong(call) << "expects an operand and k, and two results";
  auto k = values.integers(call.getInputs()[1]);
  if (!k || k->size() != 1) return false;
  OpBuilder builder(call);
  OperationState state(call.getLoc(), chlo::TopKOp::getOperationName(), call.getInputs()[0], {},
                       builder.getNamedAttr("k", builder.getI64IntegerAttr(k->front())));
  RankedTensorType type = typeOf(call.getInputs()[0]);
  SmallVector<int64_t> shape(type.getShape());
  if (shape.empty() || k->front() < 0 || k->front() > shape.back())
    return diagnose(call, codes::kSizes) << "expects k from 0 to the last dimension's size, but got " << k->front();
  shape.back() = k->front();
  state.addTypes(
      {RankedTensorType::get(shape, type.getElementType()), RankedTensorType::get(shape, builder.getI32Type())});
  Operation *op = builder.create(state);
  call->replaceAllUsesWith(op);
  made.push_back(op);
  return true;
}

// Inputs, indices, initial values, k and shapes of results: the static call has k in its attributes.
FailureOr<bool> approxTopK(hlo::CustomCallOp call, const ShapeValues &values, Made &made) {
  auto types = typesByOperands(call, values);
  if (!types) return false;
  const unsigned own = 2 * call.getNumResults();
  auto config = call->getAttrOfType<DictionaryAttr>("mhlo.backend_config");
  if (call.getInputs().size() <= own || !config)
    return wrong(call) << "expects k behind the initial values, and mhlo.backend_config";
  auto k = values.integers(call.getInputs()[own]);
  if (!k) return false;
  OpBuilder builder(call);
  auto op =
      hlo::CustomCallOp::create(builder, call.getLoc(), *types, call.getInputs().take_front(own), call->getAttrs());
  NamedAttrList entries(config);
  entries.set("top_k", builder.getI64IntegerAttr(k->front()));
  op->setAttr("mhlo.backend_config", entries.getDictionary(op.getContext()));
  op->removeAttr("indices_of_shape_operands");
  op.setCallTargetName("ApproxTopK");
  call.replaceAllUsesWith(op.getResults());
  made.push_back(op);
  return true;
}

// The message's {0}, {1} are the operands behind the predicate.
std::string filled(StringRef message, hlo::CustomCallOp call, const ShapeValues &values) {
  std::string text;
  while (!message.empty()) {
    size_t open = message.find('{'), close = message.find('}', open);
    unsigned index;
    if (open == StringRef::npos || close == StringRef::npos) return text + message.str();
    text += message.take_front(open);
    StringRef inner = message.slice(open + 1, close);
    const bool known = !inner.getAsInteger(10, index) && index + 1 < call.getInputs().size();
    auto numbers = known ? values.integers(call.getInputs()[index + 1]) : std::nullopt;
    text += numbers && numbers->size() == 1 ? std::to_string(numbers->front()) : message.slice(open, close + 1).str();
    message = message.drop_front(close + 1);
  }
  return text;
}

}  // namespace

FailureOr<bool> replaceDynamicCall(hlo::CustomCallOp call, const ShapeValues &values, Made &made) {
  StringRef name = call.getCallTargetName();
  if (name == "stablehlo.dynamic_reduce_window") return reduceWindow(call, values, made);
  if (name == "stablehlo.dynamic_rng_bit_generator") return rngBits(call, values, made);
  if (name == "stablehlo.dynamic_top_k") return topK(call, values, made);
  if (name == "stablehlo.dynamic_approx_top_k") return approxTopK(call, values, made);
  return false;
}

FailureOr<bool> checkAssertion(hlo::CustomCallOp call, const ShapeValues &values) {
  if (call.getCallTargetName() != "shape_assertion" || call.getInputs().empty() || !call->use_empty()) return false;
  auto holds = values.integers(call.getInputs()[0]);
  if (!holds)
    return diagnose(call, codes::kUnknownSize) << "expects an assertion about sizes, but its predicate depends on data";
  if (holds->front()) return true;
  auto message = call->getAttrOfType<StringAttr>("error_message");
  return diagnose(call, codes::kAssertion)
         << (message ? filled(message.getValue(), call, values) : "an assertion about sizes does not hold");
}

std::optional<SmallVector<Type>> typesByOperands(hlo::CustomCallOp call, const ShapeValues &values) {
  auto indices = call->getAttrOfType<DenseIntElementsAttr>("indices_of_shape_operands");
  if (!indices || static_cast<unsigned>(indices.getNumElements()) != call.getNumResults()) return std::nullopt;
  SmallVector<Type> types;
  for (auto [index, type] : llvm::zip_equal(indices.getValues<APInt>(), call.getResultTypes())) {
    const uint64_t at = index.getLimitedValue();
    auto tensor = dyn_cast<RankedTensorType>(type);
    auto shape = at < call.getInputs().size() && tensor ? values.integers(call.getInputs()[at]) : std::nullopt;
    if (!shape || llvm::any_of(*shape, [](int64_t n) { return n < 0; })) return std::nullopt;
    types.push_back(RankedTensorType::get(*shape, tensor.getElementType()));
  }
  return types;
}

void dropShapeOperands(hlo::CustomCallOp call) {
  auto indices = call->getAttrOfType<DenseIntElementsAttr>("indices_of_shape_operands");
  llvm::BitVector gone(call.getInputs().size());
  for (const APInt &index : indices.getValues<APInt>()) gone.set(index.getLimitedValue());
  if (auto layouts = call->getAttrOfType<ArrayAttr>("operand_layouts"); layouts && layouts.size() == gone.size()) {
    SmallVector<Attribute> kept;
    for (auto [i, layout] : llvm::enumerate(layouts))
      if (!gone[i]) kept.push_back(layout);
    call->setAttr("operand_layouts", ArrayAttr::get(call.getContext(), kept));
  }
  call->removeAttr("indices_of_shape_operands");
  call->eraseOperands(gone);
}

}  // namespace tpuc::shapes
