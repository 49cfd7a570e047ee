//===- extract_checks.cpp - what a program expects of its values becomes results and a table -----------------===//
// Part of tpuc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// 1. Find the check ops, and the custom calls named after them.
// 2. Return both values of each from main; a value that main returns already is not returned again.
// 3. Write down which results to compare, and how, in the module's attribute.
// The machine computes both sides; only the comparison is the host's.
//===-----------------------------------------------------------------------------===//
#include "dialects/diagnostics/diagnose.h"
#include "dialects/kernel/order.h"
#include "dialects/stablehlo/check.h"
#include "passes/simplify/passes.h"
#include "passes/simplify/patterns.h"

using namespace mlir;

namespace tpuc::simplify {
#define GEN_PASS_DEF_EXTRACTCHECKSPASS
#include "passes/simplify/passes.h.inc"

namespace {

namespace hlo = tpuc::stablehlo;
using check::ExpectationKind;

// One check, whatever its form.
struct Check {
  Operation *op;
  ExpectationKind kind;
  Value actual, expected;  // one of expected and constant
  ElementsAttr constant;
  double tolerance = 0;
  uint64_t minUlps = 0, maxUlps = 0;
};

bool isFloating(Value value) {
  Type element = cast<ShapedType>(value.getType()).getElementType();
  return isa<FloatType, ComplexType>(element);
}

// The tolerances of calls are those of the reference interpreter.
constexpr double kCallEqTolerance = 1e-4, kCallAlmostEqTolerance = 1e-3;
constexpr uint64_t kCallCloseUlps = 3;

// Nothing for other calls.
std::optional<Check> checkOfCall(hlo::CustomCallOp call) {
  StringRef name = call.getCallTargetName();
  if (!name.consume_front("check.") || call.getNumOperands() != 2 || call.getNumResults() > 1) return std::nullopt;
  Value lhs = call.getOperand(0), rhs = call.getOperand(1);
  if (!isa<RankedTensorType>(lhs.getType()) || lhs.getType() != rhs.getType()) return std::nullopt;
  bool exact = !isFloating(lhs);
  if (name == "expect_eq" || (name == "eq" && exact)) return Check{call, ExpectationKind::Equal, lhs, rhs, {}};
  if (name == "eq") return Check{call, ExpectationKind::AlmostEqual, lhs, rhs, {}, kCallEqTolerance};
  if (name == "expect_almost_eq" && !exact)
    return Check{call, ExpectationKind::AlmostEqual, lhs, rhs, {}, kCallAlmostEqTolerance};
  if (name == "expect_close" && !exact) return Check{call, ExpectationKind::Close, lhs, rhs, {}, 0, 0, kCallCloseUlps};
  return std::nullopt;
}

std::optional<Check> checkOf(Operation *operation) {
  using Result = std::optional<Check>;
  return llvm::TypeSwitch<Operation *, Result>(operation)
      .Case([](check::ExpectEqOp op) -> Result {
        return Check{op, ExpectationKind::Equal, op.getLhs(), op.getRhs(), {}};
      })
      .Case([](check::ExpectEqConstOp op) -> Result {
        return Check{op, ExpectationKind::Equal, op.getLhs(), {}, op.getValue()};
      })
      .Case([](check::ExpectAlmostEqOp op) -> Result {
        return Check{op, ExpectationKind::AlmostEqual,       op.getLhs(), op.getRhs(),
                     {}, op.getTolerance().convertToDouble()};
      })
      .Case([](check::ExpectAlmostEqConstOp op) -> Result {
        double tolerance = op.getTolerance().convertToDouble();
        return Check{op, ExpectationKind::AlmostEqual, op.getLhs(), {}, op.getValue(), tolerance};
      })
      .Case([](check::ExpectCloseOp op) -> Result {
        return Check{op, ExpectationKind::Close,   op.getActual(),          op.getExpected(), {},
                     0,  op.getMinUlpDifference(), op.getMaxUlpDifference()};
      })
      .Case([](hlo::CustomCallOp op) { return checkOfCall(op); })
      .Default([](Operation *) -> Result { return std::nullopt; });
}

//===-----------------------------------------------------------------------------===//
// check.eq with a result
//===-----------------------------------------------------------------------------===//

// True where a and b are close enough, NaNs equal.
Value elementsAgree(OpBuilder &b, Location loc, Value lhs, Value rhs, double tolerance) {
  auto type = cast<RankedTensorType>(lhs.getType());
  using Direction = hlo::ComparisonDirection;
  auto compare = [&](Value x, Value y, Direction direction) -> Value {
    return hlo::CompareOp::create(b, loc, x, y, direction);
  };
  Value same = compare(lhs, rhs, Direction::EQ);
  auto element = dyn_cast<FloatType>(type.getElementType());
  if (!element) return same;
  Value nans = hlo::AndOp::create(b, loc, compare(lhs, lhs, Direction::NE), compare(rhs, rhs, Direction::NE));
  Value distance = hlo::AbsOp::create(b, loc, hlo::SubtractOp::create(b, loc, lhs, rhs));
  APFloat limit(tolerance);
  bool lost;
  limit.convert(element.getFloatSemantics(), APFloat::rmNearestTiesToEven, &lost);
  Value near = compare(distance, makeSplat(b, loc, type, limit), Direction::LE);
  return hlo::OrOp::create(b, loc, hlo::OrOp::create(b, loc, same, nans), near);
}

// The one boolean of a call that gives one: whether all elements agree.
Value allAgree(OpBuilder &b, const Check &check) {
  Location loc = check.op->getLoc();
  Value agree = elementsAgree(b, loc, check.actual, check.expected, check.tolerance);
  auto type = cast<RankedTensorType>(agree.getType());
  auto scalar = RankedTensorType::get({}, b.getI1Type());
  Value yes = makeSplat(b, loc, scalar, APInt(1, 1));
  SmallVector<int64_t> dims = llvm::to_vector(llvm::seq<int64_t>(0, type.getRank()));
  if (dims.empty()) return agree;
  auto reduce = hlo::ReduceOp::create(b, loc, TypeRange{scalar}, ValueRange{agree}, ValueRange{yes}, dims);
  OpBuilder::InsertionGuard guard(b);
  Block *body = b.createBlock(&reduce.getBody(), {}, {scalar, scalar}, {loc, loc});
  hlo::ReturnOp::create(b, loc, ValueRange{hlo::AndOp::create(b, loc, body->getArgument(0), body->getArgument(1))});
  return reduce.getResult(0);
}

//===-----------------------------------------------------------------------------===//
// The pass
//===-----------------------------------------------------------------------------===//

struct ExtractChecks : impl::ExtractChecksPassBase<ExtractChecks> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    auto main = module.lookupSymbol<func::FuncOp>("main");
    if (!main || main.isExternal()) return;
    SmallVector<Operation *> checks;
    if (failed(find(main, checks))) return signalPassFailure();
    if (checks.empty()) return;
    returned = SmallVector<Value>(main.getBody().front().getTerminator()->getOperands());
    module->setAttr(kernel::kOwnResultsAttr, IntegerAttr::get(IntegerType::get(&getContext(), 64), returned.size()));
    SmallVector<Attribute> table;
    for (Operation *op : checks) table.push_back(extract(*checkOf(op)));
    updateMain(main);
    module->setAttr(check::kExpectations, ArrayAttr::get(&getContext(), table));
  }

  LogicalResult find(func::FuncOp main, SmallVector<Operation *> &checks);
  int64_t resultOf(Value value);
  Attribute extract(const Check &check);
  void updateMain(func::FuncOp main);

  SmallVector<Value> returned;  // by main
};

LogicalResult ExtractChecks::find(func::FuncOp main, SmallVector<Operation *> &checks) {
  WalkResult walked = main.walk([&](Operation *op) {
    if (!checkOf(op)) return WalkResult::advance();
    if (op->getParentOp() != main) {
      diagnose(op, codes::kNestedCheck) << "expects checks at the top of main, but got one within '"
                                        << op->getParentOp()->getName() << "'; return the value and check it there";
      return WalkResult::interrupt();
    }
    checks.push_back(op);
    return WalkResult::advance();
  });
  return failure(walked.wasInterrupted());
}

// The number of main's result that is this value.
int64_t ExtractChecks::resultOf(Value value) {
  auto found = llvm::find(returned, value);
  if (found != returned.end()) return found - returned.begin();
  returned.push_back(value);
  return returned.size() - 1;
}

Attribute ExtractChecks::extract(const Check &check) {
  OpBuilder b(check.op);
  Location loc = check.op->getLoc();
  Value expected = check.expected;
  if (!expected)
    expected = hlo::ConstantOp::create(b, loc, cast<RankedTensorType>(check.actual.getType()), check.constant);
  if (check.op->getNumResults() == 1 && !check.op->use_empty()) {
    Value agree = allAgree(b, check);
    std::replace(returned.begin(), returned.end(), Value(check.op->getResult(0)), agree);
    check.op->getResult(0).replaceAllUsesWith(agree);
  }
  int64_t actualResult = resultOf(check.actual), expectedResult = resultOf(expected);
  Attribute entry = check::ExpectationAttr::get(&getContext(), check.kind, actualResult, expectedResult,
                                                APFloat(check.tolerance), check.minUlps, check.maxUlps, loc);
  check.op->erase();
  return entry;
}

void ExtractChecks::updateMain(func::FuncOp main) {
  Operation *terminator = main.getBody().front().getTerminator();
  SmallVector<Attribute> attributes;
  if (ArrayAttr old = main.getAllResultAttrs()) attributes.assign(old.begin(), old.end());
  attributes.resize(returned.size(), DictionaryAttr::get(&getContext()));
  terminator->setOperands(returned);
  main.setFunctionType(FunctionType::get(&getContext(), main.getArgumentTypes(), ValueRange(returned).getTypes()));
  if (main.getAllResultAttrs()) main.setAllResultAttrs(attributes);
}

}  // namespace
}  // namespace tpuc::simplify
