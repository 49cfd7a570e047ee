// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A reduction's initial value, which may be any, counts once; a kernel starts from it in every lane.
//
//  1. Of wide types, and of several operands that are combined apart: from the neutral element on, the initial value at
//     the end. (Those of one operand that a lane holds do the same inside of their kernel.)
//  2. A choice of one of the elements may start from it as often as it likes.
//  3. For any other computation no neutral element is known. A further operand says what is an element: the initial
//     value is none, and the computation takes the other side where one is none.
#include "mlir/IR/IRMapping.h"
#include "passes/analysis/scan.h"
#include "passes/builders/build.h"
#include "passes/builders/inline_region.h"
#include "passes/decompose/commutes.h"
#include "passes/decompose/neutral.h"
#include "passes/decompose/passes.h"

using namespace mlir;

namespace tpuc::decompose {
using namespace builders;
#define GEN_PASS_DEF_ISOLATEINITIALVALUESPASS
#include "passes/decompose/passes.h.inc"
namespace {

struct IsolateInitialValues : impl::IsolateInitialValuesPassBase<IsolateInitialValues> {
  using IsolateInitialValuesPassBase::IsolateInitialValuesPassBase;

  static bool isWide(Type element) {
    return mlir::isa<ComplexType>(element) || (element.isIntOrFloat() && element.getIntOrFloatBitWidth() == 64);
  }

  // For each operand what leaves its elements unchanged, where a known op of its own combines them; else nothing.
  static SmallVector<Attribute> neutralValues(stablehlo::ReduceOp reduce) {
    Block &body = reduce.getBody().front();
    size_t n = reduce.getInputs().size();
    if (body.getOperations().size() != n + 1) return {};
    SmallVector<Attribute> values;
    for (size_t k = 0; k < n; ++k) {
      Operation *op = body.getTerminator()->getOperand(k).getDefiningOp();
      Value x = body.getArgument(k), y = body.getArgument(n + k);
      if (!op || op->getBlock() != &body || op->getNumOperands() != 2) return {};
      Value left = op->getOperand(0), right = op->getOperand(1);
      if (!(left == x && right == y) && !(left == y && right == x)) return {};
      values.push_back(neutralOf(op, typeOf(reduce.getResult(k)).getElementType()));
      if (!values.back()) return {};
    }
    return values;
  }

  // The initial values and what is reduced of the elements, once.
  static void combineOnce(stablehlo::ReduceOp reduce, ValueRange inits, ValueRange results, Block &body) {
    OpBuilder b(reduce->getBlock(), ++Block::iterator(reduce));
    Build build{b, reduce.getLoc()};
    SmallVector<Value> arguments;
    for (auto [init, result] : llvm::zip(inits, results))
      arguments.push_back(typeOf(result).getRank() ? build.broadcast(init, typeOf(result).getShape(), {}) : init);
    llvm::append_range(arguments, results);
    llvm::SmallPtrSet<Operation *, 8> known;
    for (Operation *user : reduce->getUsers()) known.insert(user);
    for (auto [result, total] : llvm::zip(results, inlineElementwise(b, body, arguments)))
      result.replaceUsesWithIf(total, [&](OpOperand &use) { return known.contains(use.getOwner()); });
  }

  static void startFromNeutral(stablehlo::ReduceOp reduce, ArrayRef<Attribute> values) {
    OpBuilder b(reduce);
    SmallVector<Value> inits(reduce.getInitValues());
    for (size_t k = 0; k < values.size(); ++k) {
      auto scalar = RankedTensorType::get({}, typeOf(reduce.getResult(k)).getElementType());
      auto start = cast<ElementsAttr>(Attribute(DenseElementsAttr::get(scalar, ArrayRef<Attribute>(values[k]))));
      reduce->setOperand(values.size() + k, stablehlo::ConstantOp::create(b, reduce.getLoc(), scalar, start));
    }
    combineOnce(reduce, inits, reduce.getResults(), reduce.getBody().front());
  }

  // body(x, y) where both are elements, else the one that is.
  static void guard(OpBuilder &b, Block &old, Block &made) {
    unsigned n = old.getNumArguments() / 2;
    Location loc = old.getTerminator()->getLoc();
    IRMapping map;
    for (unsigned i = 0; i < 2 * n; ++i) map.map(old.getArgument(i), made.getArgument(i < n ? i : i + 1));
    for (Operation &op : old.without_terminator()) b.clone(op, map);
    Value x = made.getArgument(n), y = made.getArgument(2 * n + 1), both = stablehlo::AndOp::create(b, loc, x, y);
    SmallVector<Value> results;
    for (auto [k, v] : llvm::enumerate(old.getTerminator()->getOperands())) {
      Value one = stablehlo::SelectOp::create(b, loc, v.getType(), x, made.getArgument(k), made.getArgument(n + 1 + k));
      results.push_back(stablehlo::SelectOp::create(b, loc, v.getType(), both, map.lookupOrDefault(v), one));
    }
    results.push_back(stablehlo::OrOp::create(b, loc, x, y));
    stablehlo::ReturnOp::create(b, loc, results);
  }

  static void startFromNothing(stablehlo::ReduceOp reduce) {
    OpBuilder b(reduce);
    Build build{b, reduce.getLoc()};
    auto flag = RankedTensorType::get({}, b.getI1Type());
    unsigned n = reduce.getInputs().size();
    SmallVector<Value> operands(reduce.getInputs());
    operands.push_back(build.splat(typeOf(operands[0]).clone(b.getI1Type()), b.getBoolAttr(true)));
    llvm::append_range(operands, reduce.getInitValues());
    operands.push_back(build.splat(flag, b.getBoolAttr(false)));
    SmallVector<Type> types(reduce.getResultTypes());
    types.push_back(typeOf(reduce.getResult(0)).clone(b.getI1Type()));
    auto made = stablehlo::ReduceOp::create(b, reduce.getLoc(), types, ArrayRef(operands).take_front(n + 1),
                                            ArrayRef(operands).drop_front(n + 1), reduce.getDimensions());
    Block &old = reduce.getBody().front();
    SmallVector<Type> arguments(old.getArgumentTypes());
    arguments.insert(arguments.begin() + n, flag);
    arguments.push_back(flag);
    Block *body =
        b.createBlock(&made.getBody(), {}, arguments, SmallVector<Location>(arguments.size(), reduce.getLoc()));
    guard(b, old, *body);
    auto results = made.getResults().drop_back();
    reduce->replaceAllUsesWith(results);
    combineOnce(made, reduce.getInitValues(), results, old);
    reduce.erase();
  }

  static void rewrite(stablehlo::ReduceOp reduce) {
    Block &body = reduce.getBody().front();
    if (analysis::onlyOp(body) && !isWide(typeOf(reduce.getResult(0)).getElementType())) return;
    if (SmallVector<Attribute> values = neutralValues(reduce); !values.empty()) return startFromNeutral(reduce, values);
    // Regions on arrays are refused where kernels are lowered.
    if (typeOf(reduce.getInputs()[0]).getNumElements() && isElementwiseRegion(body) && !choosesElements(body))
      startFromNothing(reduce);
  }

  void runOnOperation() override {
    SmallVector<stablehlo::ReduceOp> ops;
    getOperation().walk([&](stablehlo::ReduceOp op) { ops.push_back(op); });
    for (auto op : ops) rewrite(op);
  }
};

}  // namespace
}  // namespace tpuc::decompose
