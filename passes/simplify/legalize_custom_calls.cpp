//===- legalize_custom_calls.cpp - calls by name that ops of the dialects stand for ------------------------===//
// Part of tpuc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Markers for compilers of several devices give back what they are given, once shardings are known. An approximate
// top_k is an exact one. Sinks, which keep other compilers from dropping what nobody reads, compute nothing and go.
// Names of MHLO are ops of chlo. Factorisations stay for the stage `expand`, LAPACK's (lapack.cpp) under the names that
// JAX has on a TPU; other calls are refused here, by name.
//===-----------------------------------------------------------------------------===//
#include "dialects/diagnostics/diagnose.h"
#include "dialects/kernel/host_call.h"
#include "dialects/sdy/sdy.h"
#include "dialects/stablehlo/chlo.h"
#include "dialects/stablehlo/device_grid.h"
#include "dialects/stablehlo/stablehlo.h"
#include "llvm/ADT/StringSwitch.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/IR/Verifier.h"
#include "passes/simplify/lapack.h"
#include "passes/simplify/passes.h"

using namespace mlir;

namespace tpuc::simplify {
#define GEN_PASS_DEF_LEGALIZECUSTOMCALLSPASS
#include "passes/simplify/passes.h.inc"
namespace {

namespace hlo = tpuc::stablehlo;

enum class Kind { Marker, Sink, Inspection, HostCall, ApproximateTopK, Chlo, Lapack, Later, Unknown };

Kind kindOf(StringRef target) {
  return llvm::StringSwitch<Kind>(target)
      .Cases({"Sharding", "SPMDFullToShardShape", "SPMDShardToFullShape", "LayoutConstraint"}, Kind::Marker)
      .Cases({"xla.sdy.FuncResultSharding", "annotate_device_placement", "MoveToDevice"}, Kind::Marker)
      .Case("dce_sink", Kind::Sink)
      .Case("InspectSharding", Kind::Inspection)
      .Case(kernel::kHostCallTarget, Kind::HostCall)
      .Case("ApproxTopK", Kind::ApproximateTopK)
      .Cases({"TopK", "mhlo.topk", "mhlo.erf", "mhlo.erf_inv", "mhlo.tan", "mhlo.sinh", "mhlo.cosh"}, Kind::Chlo)
      .Cases({"mhlo.asin", "mhlo.acos", "mhlo.atan", "mhlo.asinh", "mhlo.acosh", "mhlo.atanh"}, Kind::Chlo)
      .Cases({"LuDecomposition", "Qr", "ProductOfElementaryHouseholderReflectors", "Eigh", "shape_assertion"},
             Kind::Later)
      .StartsWith("check.", Kind::Later)
      .Default(isLapack(target) ? Kind::Lapack : Kind::Unknown);
}

std::optional<int64_t> configuredNumber(hlo::CustomCallOp op, StringRef name) {
  auto number = dyn_cast_or_null<IntegerAttr>(configured(op, name));
  return number ? std::optional(number.getInt()) : std::nullopt;
}

CodedError malformed(hlo::CustomCallOp op, StringRef expected) {
  return diagnose(op, codes::kCustomCall) << "'" << op.getCallTargetName() << "' expects " << expected << ", but got "
                                          << op->getOperandTypes() << " to " << op->getResultTypes();
}

LogicalResult drop(hlo::CustomCallOp op) {
  if (op->getNumResults()) return malformed(op, "no results");
  op->erase();
  return success();
}

// The borders of manual computations of several devices are the stage `shard`'s.
bool isBorder(hlo::CustomCallOp op) {
  return hlo::gridOf(op).partitions > 1 && op.getCallTargetName().starts_with("SPMD");
}

LogicalResult passThrough(hlo::CustomCallOp op) {
  if (isBorder(op)) return success();
  if (op->getOperandTypes() != op->getResultTypes())
    return malformed(op, "results of its operands' types on one device");
  op->replaceAllUsesWith(op->getOperands());
  op->erase();
  return success();
}

// Its place is between kernels: in functions, loops and branches, and where each device computes with its parts.
LogicalResult checkHostCall(hlo::CustomCallOp op) {
  auto isArray = [](Type type) { return mlir::isa<RankedTensorType>(type); };
  IntegerAttr index = kernel::hostFunctionOf(op);
  if (!index || index.getValue().getBitWidth() > 64 || !llvm::all_of(op->getOperandTypes(), isArray) ||
      !llvm::all_of(op->getResultTypes(), isArray))
    return malformed(op, "arrays and the function's index");
  for (Operation *parent = op->getParentOp(); parent; parent = parent->getParentOp())
    if (!mlir::isa<func::FuncOp, hlo::WhileOp, hlo::IfOp, hlo::CaseOp, ModuleOp, sdy::ManualComputationOp,
                   sdy::NamedComputationOp>(parent))
      return diagnose(op, codes::kCustomCall)
             << "expects a call of the host in a function, a loop or a branch, but got one within '"
             << parent->getName() << "'";
  return success();
}

// Operands [arrays.., initial values..], a comparator as sort has it; the results are the first along the dimension.
LogicalResult approximateTopK(hlo::CustomCallOp op, SymbolTable &symbols) {
  size_t count = op->getNumResults();
  auto dim = configuredNumber(op, "reduction_dim");
  auto called = op.getCalledComputationsAttr();
  auto comparator = called && called.size() == 1
                        ? symbols.lookup<func::FuncOp>(cast<FlatSymbolRefAttr>(called[0]).getValue())
                        : func::FuncOp();
  if (!count || op->getNumOperands() != 2 * count || !dim || !comparator || comparator.isExternal() ||
      comparator.getNumArguments() != 2 * count)
    return malformed(op, "arrays, their initial values and a comparator");
  ValueRange arrays = op->getOperands().take_front(count);
  for (auto [from, to] : llvm::zip(arrays.getTypes(), op->getResultTypes())) {
    auto whole = dyn_cast<RankedTensorType>(from), part = dyn_cast<RankedTensorType>(to);
    if (!whole || !part || !whole.hasStaticShape() || *dim < 0 || *dim >= whole.getRank() ||
        part.getRank() != whole.getRank() || part.getDimSize(*dim) > whole.getDimSize(*dim) ||
        whole.clone(part.getShape()) != part)
      return malformed(op, "results that are a part of the arrays");
  }
  OpBuilder b(op);
  auto sort = hlo::SortOp::create(b, op.getLoc(), arrays.getTypes(), arrays, *dim, true);
  IRMapping map;
  comparator.getBody().cloneInto(&sort.getComparator(), map);
  Operation *end = sort.getComparator().front().getTerminator();
  OpBuilder atEnd(end);
  hlo::ReturnOp::create(atEnd, end->getLoc(), end->getOperands());
  end->erase();
  for (auto [result, sorted] : llvm::zip(op->getResults(), sort->getResults())) {
    auto type = cast<RankedTensorType>(result.getType());
    SmallVector<int64_t> start(type.getRank(), 0), stride(type.getRank(), 1);
    result.replaceAllUsesWith(
        hlo::SliceOp::create(b, op.getLoc(), type, sorted, start, type.getShape(), stride).getResult());
  }
  op->erase();
  return success();
}

LogicalResult asChlo(hlo::CustomCallOp op) {
  StringRef target = op.getCallTargetName();
  bool topK = target.ends_with_insensitive("topk");
  OpBuilder b(op);
  std::string name = topK ? "chlo.top_k" : "chlo." + target.drop_front(strlen("mhlo.")).str();
  OperationState state(op.getLoc(), target == "mhlo.tan" ? "stablehlo.tan" : name, op->getOperands(),
                       op->getResultTypes());
  if (topK) {
    auto k = configuredNumber(op, "k");
    auto largest = dyn_cast_or_null<BoolAttr>(configured(op, "largest"));
    auto type = op->getNumResults() ? dyn_cast<RankedTensorType>(op->getResult(0).getType()) : RankedTensorType();
    if (!type || type.getRank() == 0 || (largest && !largest.getValue()))
      return malformed(op, "the largest elements of the last dimension");
    state.addAttribute("k", b.getI64IntegerAttr(k.value_or(type.getShape().back())));
  }
  if (!state.name.isRegistered()) return malformed(op, "an op of chlo");
  Operation *made = b.create(state);
  if (failed(verify(made))) return failure();
  op->replaceAllUsesWith(made);
  op->erase();
  return success();
}

// TensorFlow's calls give one tuple: here they give its elements, and who wants the tuple gets one made of them.
hlo::CustomCallOp withoutTuple(hlo::CustomCallOp op) {
  auto tuple = op->getNumResults() == 1 ? dyn_cast<TupleType>(op->getResult(0).getType()) : TupleType();
  if (!tuple) return op;
  OpBuilder b(op);
  OperationState state(op.getLoc(), op->getName(), op->getOperands(), tuple.getTypes(), op->getAttrs());
  for (StringRef ofTuple : {"operand_layouts", "result_layouts", "output_operand_aliases", "xla_shape"})
    state.attributes.erase(ofTuple);
  Operation *made = b.create(state);
  auto whole = hlo::TupleOp::create(b, op.getLoc(), tuple, made->getResults());
  op->replaceAllUsesWith(whole);
  op->erase();
  for (Operation *user : llvm::make_early_inc_range(whole->getUsers()))
    if (auto element = dyn_cast<hlo::GetTupleElementOp>(user)) {
      element->replaceAllUsesWith(ValueRange(made->getResult(element.getIndex())));
      element->erase();
    }
  if (whole->use_empty()) whole->erase();
  return cast<hlo::CustomCallOp>(made);
}

struct LegalizeCustomCalls : impl::LegalizeCustomCallsPassBase<LegalizeCustomCalls> {
  using LegalizeCustomCallsPassBase::LegalizeCustomCallsPassBase;

  LogicalResult legalize(hlo::CustomCallOp op, SymbolTable &symbols) {
    switch (kindOf(op.getCallTargetName())) {
      case Kind::Marker:
        return passThrough(op);
      case Kind::Sink:
        return drop(op);
      case Kind::Inspection:  // answered where the program is partitioned; on one device there is nothing to see
        if (op->getNumOperands() != 1 || op->getOperandTypes() != op->getResultTypes())
          return malformed(op, "an array, and the same one as its result");
        return stablehlo::gridOf(op).devices() > 1 ? success() : passThrough(op);
      case Kind::HostCall:
        return checkHostCall(op);
      case Kind::ApproximateTopK:
        return approximateTopK(op, symbols);
      case Kind::Chlo:
        return asChlo(op);
      case Kind::Lapack:
        return legalizeLapack(op);
      case Kind::Later:
        return success();
      case Kind::Unknown:
        break;
    }
    return diagnose(op, codes::kCustomCall)
           << "expects a custom call that tpuc knows, but got '" << op.getCallTargetName()
           << "'; export for the platform tpu, without callbacks or kernels of another compiler";
  }

  void runOnOperation() override {
    SmallVector<hlo::CustomCallOp> calls;
    getOperation().walk([&](Operation *op) {
      op->removeDiscardableAttr("sdy.sharding_rule");  // on one device it says nothing, and later ops need not fit it
      if (auto call = dyn_cast<hlo::CustomCallOp>(op)) calls.push_back(call);
    });
    SymbolTable symbols(getOperation());
    llvm::SetVector<Operation *> named;
    for (auto &op : calls) {
      op = withoutTuple(op);
      for (Attribute name :
           op.getCalledComputationsAttr() ? op.getCalledComputationsAttr().getValue() : ArrayRef<Attribute>())
        if (Operation *function = symbols.lookup(cast<FlatSymbolRefAttr>(name).getValue())) named.insert(function);
      if (failed(legalize(op, symbols))) return signalPassFailure();
    }
    for (Operation *function : named)
      if (SymbolTable::symbolKnownUseEmpty(function, getOperation())) symbols.erase(function);
  }
};

}  // namespace

// The attributes that a call was exported with, wherever its version keeps them.
Attribute configured(hlo::CustomCallOp op, StringRef name) {
  for (Attribute place :
       {op->getAttr("mhlo.backend_config"), op->getAttr("mhlo.attributes"), op.getBackendConfigAttr()})
    if (auto fields = dyn_cast_or_null<DictionaryAttr>(place))
      if (Attribute value = fields.get(name)) return value;
  return {};
}

}  // namespace tpuc::simplify
