// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops, branches, calls: what runs under them is padded as everything else; what decides is a number of the true
// sizes.
#include "dialects/diagnostics/diagnose.h"
#include "dialects/diagnostics/outer_codes.h"
#include "passes/shapes/padder.h"
#include "passes/shapes/window_calls.h"

using namespace mlir;

namespace tpuc::shapes {

namespace hlo = tpuc::stablehlo;

namespace {

// Values that a loop carries unchanged keep what is known of them.
bool isKept(hlo::WhileOp loop, unsigned i) {
  Block &body = loop.getBody().front();
  return body.getTerminator()->getOperand(i) == body.getArgument(i);
}

LogicalResult whileLoop(Operation *op, Padder &padder) {
  auto loop = cast<hlo::WhileOp>(op);
  SmallVector<Extents> carried =
      llvm::map_to_vector(op->getOperands(), [&](Value operand) { return padder.extents(operand); });
  for (Region &region : op->getRegions()) {
    for (auto [i, argument] : llvm::enumerate(region.front().getArguments())) {
      argument.setType(op->getOperand(i).getType());
      padder.setExtents(argument, carried[i]);
      if (const SizeValues::Elements *known = padder.values.of(op->getOperand(i)); known && isKept(loop, i))
        padder.values.set(argument, SizeValues::Elements(*known));
    }
    if (failed(padder.block(region.front()))) return failure();
  }
  Operation *end = loop.getBody().front().getTerminator();
  for (auto [i, value] : llvm::enumerate(end->getOperands()))
    for (auto [before, after] : llvm::zip_equal(carried[i], padder.extents(value)))
      if (!padder.space.equal(before, after)) return padder.refuse(op, "value " + Twine(i) + " changes its size");
  OpBuilder builder(end);
  for (OpOperand &value : end->getOpOperands())
    value.set(padder.fitted(builder, end->getLoc(), value.get(), padder.capacity(carried[value.getOperandNumber()])));
  return padder.retype(op, carried);
}

LogicalResult branches(Operation *op, Padder &padder) {
  for (Region &region : op->getRegions())
    if (failed(padder.block(region.front()))) return failure();
  SmallVector<Extents> results = llvm::map_to_vector(op->getRegion(0).front().getTerminator()->getOperands(),
                                                     [&](Value value) { return padder.extents(value); });
  for (Region &region : op->getRegions()) {
    Operation *end = region.front().getTerminator();
    OpBuilder builder(end);
    for (OpOperand &value : end->getOpOperands()) {
      for (auto [a, b] : llvm::zip_equal(results[value.getOperandNumber()], padder.extents(value.get())))
        if (!padder.space.equal(a, b)) return padder.refuse(op, "its branches give different sizes");
      value.set(padder.fitted(builder, end->getLoc(), value.get(), padder.capacity(results[value.getOperandNumber()])));
    }
  }
  return padder.retype(op, results);
}

// Numbers in the message stand for the operands behind the predicate.
std::string filled(StringRef message, hlo::CustomCallOp call, Padder &padder) {
  std::string text = message.str();
  for (unsigned i = 1; i < call.getInputs().size(); ++i) {
    const SizeValues::Elements *size = padder.values.of(call.getInputs()[i]);
    const std::string place = "{" + std::to_string(i - 1) + "}";
    for (size_t at; size && size->size() == 1 && (at = text.find(place)) != std::string::npos;)
      text.replace(at, place.size(), padder.space.text(size->front()));
  }
  return text;
}

LogicalResult customCall(Operation *op, Padder &padder) {
  auto call = cast<hlo::CustomCallOp>(op);
  StringRef name = call.getCallTargetName();
  if (name == "shape_assertion" && !call.getInputs().empty() && call->use_empty()) {
    const SizeValues::Elements *holds = padder.values.of(call.getInputs()[0]);
    if (!holds)
      return diagnose(call, codes::kUnknownSize)
             << "expects an assertion about sizes, but its predicate depends on data";
    auto message = call->getAttrOfType<StringAttr>("error_message");
    LogicalResult done = padder.requireTrue(
        op, holds->front(),
        message ? filled(message.getValue(), call, padder) : "an assertion about sizes does not hold");
    if (succeeded(done)) padder.erase(op);
    return done;
  }
  if (name == "stablehlo.dynamic_reduce_window") return dynamicReduceWindow(call, padder);
  if (name == "stablehlo.dynamic_top_k") return dynamicTopK(call, padder);
  const bool open = llvm::any_of(op->getOperands(), [&](Value operand) { return padder.isPadded(operand); }) ||
                    llvm::any_of(op->getResultTypes(), [](Type type) {
                      auto tensor = dyn_cast<RankedTensorType>(type);
                      return tensor && !tensor.hasStaticShape();
                    });
  return open ? padder.refuse(op, "nothing is known of padding in '" + name + "'") : success();
}

}  // namespace

void addControlRules(PadRules &rules) {
  rules["stablehlo.while"] = whileLoop;
  rules["stablehlo.if"] = branches;
  rules["stablehlo.case"] = branches;
  rules["stablehlo.custom_call"] = customCall;
}

}  // namespace tpuc::shapes
