// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products that a loop adds up, one an iteration, become one product behind it that sums over the iterations too. So do
// those with the same right side in each iteration that it stacks, of all rows:
//
//   while (..) { a = ..; s = s + slice(transpose(dot(a, xs[i]))); ys[i] = dot(a, w) }
//   // becomes
//   while (..) { a = ..; as[i] = a };  s = s + slice(transpose(dot(as, xs)));  ys = dot(as, w)
//
//  1. What is added up, or filled, is carried for that alone. The term is a product, or a sum along dims, behind moves;
//     nothing else reads it.
//  2. An operand that is a layer of a stack, another one in each iteration, is read from there. Others are stored in a
//     stack of their own.
//  3. That pays where a layer is smaller than the product, as a recurrence's weights' gradients are larger than its
//     state; of stacked products, than the right side. No more is stored than the loop carries and reads.
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "passes/analysis/loop_layers.h"
#include "passes/builders/build.h"
#include "passes/decompose/passes.h"

using namespace mlir;

namespace tpuc::decompose {
#define GEN_PASS_DEF_PRODUCTSAFTERLOOPSPASS
#include "passes/decompose/passes.h.inc"
namespace {

using analysis::Layers;
using builders::Build;
using builders::typeOf;

struct Term {
  unsigned carried;
  Operation *last;                 // adds the product, or puts it into the stack
  SmallVector<Operation *> moves;  // between the product and `last`, the last one first
};

struct Total {
  Operation *product;
  SmallVector<Term> terms;
  Value index;  // where an iteration's product goes in the stack; null where products are summed
  SmallVector<Layers> operands;
};

bool isSum(stablehlo::ReduceOp reduce) {
  if (reduce.getInputs().size() != 1) return false;
  Block &body = reduce.getBody().front();
  auto add = dyn_cast<stablehlo::AddOp>(body.front());
  return add && add->getOperands() == ValueRange(body.getArguments()) && body.getOperations().size() == 2 &&
         body.getTerminator()->getOperand(0) == add.getResult() &&
         (matchPattern(reduce.getInitValues()[0], m_AnyZeroFloat()) ||
          matchPattern(reduce.getInitValues()[0], m_Zero()));
}

// Whether it only moves elements, or makes them wider.
bool moves(Operation *op) {
  if (mlir::isa<stablehlo::ReshapeOp, stablehlo::TransposeOp, stablehlo::SliceOp>(op)) return true;
  if (!mlir::isa<stablehlo::ConvertOp>(op)) return false;
  auto from = dyn_cast<FloatType>(typeOf(op->getOperand(0)).getElementType()),
       to = dyn_cast<FloatType>(typeOf(op->getResult(0)).getElementType());
  return from && to && APFloat::isRepresentableBy(from.getFloatSemantics(), to.getFloatSemantics());
}

class Loop {
 public:
  explicit Loop(stablehlo::WhileOp loop) : loop_(loop), body_(loop.getBody().front()), layers_(loop) {}

  void run() {
    if (layers_.trips() < 2) return;
    SmallVector<Total> totals = chosen();
    if (totals.empty()) return;
    store();
    stablehlo::WhileOp made = without(totals);
    compute(totals, made);
    erase(totals, made);
  }

 private:
  std::optional<Total> sumIn(unsigned i);
  std::optional<Total> stackIn(unsigned i);
  Operation *behindMoves(Value v, Term &term);
  SmallVector<Total> found();
  bool isReadByTermsOnly(const Total &total);
  bool plan(Total &total);
  SmallVector<Total> chosen();
  void store();
  stablehlo::WhileOp without(ArrayRef<Total> totals);
  Value stackOf(OpBuilder &b, const Layers &layers, stablehlo::WhileOp made);
  Value productOf(OpBuilder &b, const Total &total, stablehlo::WhileOp made, Type element);
  void compute(ArrayRef<Total> totals, stablehlo::WhileOp made);
  void erase(ArrayRef<Total> totals, stablehlo::WhileOp made);

  stablehlo::WhileOp loop_;
  Block &body_;
  analysis::LoopLayers layers_;
  llvm::MapVector<std::pair<Value, Value>, unsigned> stored_;  // by layer and index: the number of the stack
  int64_t storedBytes_ = 0;                                    // in an iteration
  SmallVector<Value> inits_;                                   // of what was carried, and of the new stacks
  SmallVector<std::optional<unsigned>> resultOf_;              // by what was carried: the new loop's result
};

// ---- what is added up or stacked
// -----------------------------------------------------------------------------------------------

// The product of the body, with the moves of it to `v`.
Operation *Loop::behindMoves(Value v, Term &term) {
  Operation *op = v.getDefiningOp();
  for (; op && op->getBlock() == &body_ && moves(op); op = op->getOperand(0).getDefiningOp()) term.moves.push_back(op);
  bool isProduct = op && op->getBlock() == &body_ && op->getDiscardableAttrs().empty() &&
                   mlir::isa<stablehlo::DotGeneralOp, stablehlo::ReduceOp>(op);
  return isProduct ? op : nullptr;
}

std::optional<Total> Loop::sumIn(unsigned i) {
  BlockArgument sum = body_.getArgument(i);
  auto type = dyn_cast<RankedTensorType>(sum.getType());
  auto add = body_.getTerminator()->getOperand(i).getDefiningOp<stablehlo::AddOp>();
  if (!type || !mlir::isa<FloatType, IntegerType, ComplexType>(type.getElementType()) ||
      type.getElementType().isInteger(1) || !add || !add->hasOneUse() || !sum.hasOneUse() || *sum.user_begin() != add ||
      !loop_.getCond().getArgument(i).use_empty())
    return std::nullopt;
  Term term{i, add, {}};
  Operation *product = behindMoves(add.getLhs() == sum ? add.getRhs() : add.getLhs(), term);
  auto reduce = dyn_cast_or_null<stablehlo::ReduceOp>(product);
  if (!product || (reduce && !isSum(reduce))) return std::nullopt;
  // A product takes any type that its sum has; rows are summed in their own.
  if (reduce && typeOf(reduce->getResult(0)).getElementType() != type.getElementType()) return std::nullopt;
  return Total{product, {term}, {}, {}};
}

std::optional<Total> Loop::stackIn(unsigned i) {
  BlockArgument stack = body_.getArgument(i);
  auto put = body_.getTerminator()->getOperand(i).getDefiningOp<stablehlo::DynamicUpdateSliceOp>();
  if (!put || !put->hasOneUse() || !stack.hasOneUse() || put.getOperand() != stack ||
      !loop_.getCond().getArgument(i).use_empty() ||
      !layers_.isLayer(typeOf(stack), typeOf(put.getUpdate()).getShape()) ||
      !layers_.visitsAll(put.getStartIndices()[0]))
    return std::nullopt;
  Term term{i, put, {}};
  auto dot = dyn_cast_or_null<stablehlo::DotGeneralOp>(behindMoves(put.getUpdate(), term));
  // Its rows are those of all iterations.
  if (!dot || !llvm::all_of(term.moves, llvm::IsaPred<stablehlo::ReshapeOp>) ||
      !dot.getDotDimensionNumbers().getLhsBatchingDimensions().empty() || layers_.isConstant(dot.getLhs()) ||
      !layers_.isConstant(dot.getRhs()))
    return std::nullopt;
  return Total{dot, {term}, put.getStartIndices()[0], {}};
}

// Sums first, the largest first: what they store serves others.
SmallVector<Total> Loop::found() {
  llvm::MapVector<Operation *, Total> totals;
  for (unsigned i = 0; i < loop_->getNumOperands(); ++i) {
    std::optional<Total> total = sumIn(i);
    if (!total) total = stackIn(i);
    if (!total) continue;
    auto [entry, isNew] = totals.insert({total->product, *total});
    if (!isNew) entry->second.terms.push_back(total->terms[0]);
  }
  auto isWhole = [&](const Total &total) {
    auto elementOf = [](const Term &t) { return typeOf(t.last->getResult(0)).getElementType(); };
    bool alike = llvm::all_of(total.terms, [&](const Term &t) { return elementOf(t) == elementOf(total.terms[0]); });
    return alike && (!total.index || total.terms.size() == 1) && isReadByTermsOnly(total);
  };
  SmallVector<Total> out;
  for (auto &[product, total] : totals)
    if (isWhole(total)) out.push_back(total);
  auto size = [](const Total &t) { return std::pair(!t.index, typeOf(t.product->getResult(0)).getNumElements()); };
  llvm::stable_sort(out, [&](const Total &x, const Total &y) { return size(x) > size(y); });
  return out;
}

bool Loop::isReadByTermsOnly(const Total &total) {
  DenseSet<Operation *> readers;
  for (const Term &term : total.terms) {
    readers.insert(term.last);
    readers.insert(term.moves.begin(), term.moves.end());
  }
  auto reads = [&](Operation *user) { return readers.contains(user); };
  return llvm::all_of(total.product->getUsers(), reads) && llvm::all_of(total.terms, [&](const Term &term) {
           return llvm::all_of(term.moves, [&](Operation *op) { return llvm::all_of(op->getUsers(), reads); });
         });
}

// ---- their operands -------------------------------------------------------------------------------------------------

// Whether the total is worth what has to be stored for it, which is noted then.
bool Loop::plan(Total &total) {
  SmallVector<Value> values(total.product->getOperands().take_front(isa<stablehlo::ReduceOp>(total.product) ? 1 : 2));
  Value right;  // the same in each iteration
  if (total.index) right = values.pop_back_val();
  if (llvm::any_of(values, [&](Value v) { return layers_.isConstant(v); })) return false;
  SmallVector<std::optional<Layers>> known = llvm::map_to_vector(values, [&](Value v) { return layers_.layersIn(v); });
  Value index = total.index;
  for (auto &layers : known)
    if (layers && !index) index = layers->index;
  // A sum of what is stored anyway is read from there.
  if (!index)
    for (auto &[key, number] : stored_)
      if (llvm::is_contained(values, key.first)) index = key.second;
  int64_t bytes = 0, read = layers_.carriedBytes();
  for (auto [v, layers] : llvm::zip(values, known)) {
    if (layers && !llvm::is_contained(loop_->getOperands(), layers->stack)) read += layers_.bytesOf(layers->stack);
    if (layers && layers->index == index)
      total.operands.push_back(*layers);
    else
      total.operands.push_back({v, {}, index});
    if (!total.operands.back().stack && !stored_.contains({v, index})) bytes += layers_.bytesOf(v);
  }
  // What others store anyway costs nothing.
  if (bytes > layers_.bytesOf(right ? right : total.product->getResult(0))) return false;
  if (bytes > 0 && (storedBytes_ + bytes) * layers_.trips() > read) return false;
  storedBytes_ += bytes;
  for (const Layers &layers : total.operands)
    if (!layers.stack) stored_.try_emplace({layers.value, layers.index}, stored_.size());
  if (right) total.operands.push_back({right, layers_.outside(right), {}});
  return true;
}

SmallVector<Total> Loop::chosen() {
  SmallVector<Total> totals;
  for (Total &total : found())
    if (plan(total)) totals.push_back(total);
  return totals;
}

// ---- the loop -------------------------------------------------------------------------------------------------------

// Carries the new stacks, and the iteration's number where one of them goes by that.
void Loop::store() {
  OpBuilder b(loop_), inside(body_.getTerminator());
  Operation *end = body_.getTerminator();
  Build build{b, loop_.getLoc()}, step{inside, loop_.getLoc()};
  SmallVector<Value> inits(loop_->getOperands());
  auto carry = [&](Value init) {
    inits.push_back(init);
    loop_.getCond().front().addArgument(init.getType(), loop_.getLoc());
    return body_.addArgument(init.getType(), loop_.getLoc());
  };
  auto hand = [&](Value v) { end->insertOperands(end->getNumOperands(), v); };

  Value number;
  if (llvm::any_of(stored_, [](auto &entry) { return !entry.first.second; })) {
    number = carry(build.splat(RankedTensorType::get({}, b.getI32Type()), 0));
    hand(stablehlo::AddOp::create(inside, loop_.getLoc(), number, step.splat(typeOf(number), 1)));
  }
  for (auto &[key, result] : stored_) {
    auto [v, index] = key;
    SmallVector<int64_t> shape{layers_.trips()}, layer{1};
    llvm::append_range(shape, typeOf(v).getShape());
    llvm::append_range(layer, typeOf(v).getShape());
    result = inits.size();
    Value stack = carry(build.broadcast(build.zero(typeOf(v).getElementType()), shape, {}));
    Value at = index ? index : number;
    SmallVector<Value> starts(shape.size(), step.zero(typeOf(at).getElementType()));
    starts[0] = at;
    hand(stablehlo::DynamicUpdateSliceOp::create(inside, v.getLoc(), stack.getType(), stack, step.reshape(v, layer),
                                                 starts));
  }
  inits_ = inits;
}

// The loop with the new stacks and without what it added up.
stablehlo::WhileOp Loop::without(ArrayRef<Total> totals) {
  llvm::BitVector dropped(inits_.size());
  for (const Total &total : totals)
    for (const Term &term : total.terms) dropped.set(term.carried);
  SmallVector<Value> inits;
  SmallVector<Type> types;
  for (auto [i, init] : llvm::enumerate(inits_)) {
    resultOf_.push_back(dropped[i] ? std::nullopt : std::optional<unsigned>(inits.size()));
    if (dropped[i]) continue;
    inits.push_back(init);
    types.push_back(init.getType());
  }
  OpBuilder b(loop_);
  auto made =
      stablehlo::WhileOp::create(b, loop_.getLoc(), types, inits, loop_->getDiscardableAttrDictionary().getValue());
  for (unsigned r = 0; r < 2; ++r) made->getRegion(r).takeBody(loop_->getRegion(r));
  made.getBody().front().getTerminator()->eraseOperands(dropped);
  return made;
}

// ---- behind it ------------------------------------------------------------------------------------------------------

// [iterations, ..]
Value Loop::stackOf(OpBuilder &b, const Layers &layers, stablehlo::WhileOp made) {
  SmallVector<int64_t> shape{layers_.trips()};
  llvm::append_range(shape, typeOf(layers.value).getShape());
  Value stack = layers.stack;
  if (!stack) stack = made->getResult(*resultOf_[stored_[{layers.value, layers.index}]]);
  return Build{b, layers.value.getLoc()}.reshape(stack, shape);
}

Value Loop::productOf(OpBuilder &b, const Total &total, stablehlo::WhileOp made, Type element) {
  auto further = [](ArrayRef<int64_t> dims) { return llvm::map_to_vector(dims, [](int64_t d) { return d + 1; }); };
  auto andIterations = [&](ArrayRef<int64_t> dims) {
    SmallVector<int64_t> all{0};
    llvm::append_range(all, further(dims));
    return all;
  };
  Location loc = total.product->getLoc();
  Value left = stackOf(b, total.operands[0], made);
  if (auto reduce = dyn_cast<stablehlo::ReduceOp>(total.product))
    return Build{b, loc}.sum(left, andIterations(reduce.getDimensions()));
  auto dot = cast<stablehlo::DotGeneralOp>(total.product);
  auto of = dot.getDotDimensionNumbers();
  auto make = [&](RankedTensorType type, Value right, stablehlo::DotDimensionNumbersAttr dims) -> Value {
    return stablehlo::DotGeneralOp::create(b, loc, type, left, right, dims, dot.getPrecisionConfigAttr(),
                                           dot.getAlgorithmAttr());
  };
  using Dims = stablehlo::DotDimensionNumbersAttr;
  if (total.index) {
    SmallVector<int64_t> shape{layers_.trips()};
    llvm::append_range(shape, typeOf(dot).getShape());
    return make(
        typeOf(dot).clone(shape), total.operands[1].stack,
        Dims::get(b.getContext(), {}, {}, further(of.getLhsContractingDimensions()), of.getRhsContractingDimensions()));
  }
  return make(
      typeOf(dot).clone(element), stackOf(b, total.operands[1], made),
      Dims::get(b.getContext(), further(of.getLhsBatchingDimensions()), further(of.getRhsBatchingDimensions()),
                andIterations(of.getLhsContractingDimensions()), andIterations(of.getRhsContractingDimensions())));
}

void Loop::compute(ArrayRef<Total> totals, stablehlo::WhileOp made) {
  OpBuilder b(loop_->getContext());
  b.setInsertionPointAfter(made);
  for (const Total &total : totals) {
    // The product has the type that is added up, so it is rounded once.
    Type element = typeOf(total.terms[0].last->getResult(0)).getElementType();
    Value product = productOf(b, total, made, element);
    if (total.index) {
      OpResult stack = loop_->getResult(total.terms[0].carried);
      stack.replaceAllUsesWith(Build{b, product.getLoc()}.reshape(product, typeOf(stack).getShape()));
      continue;
    }
    IRMapping map;
    map.map(total.product->getResult(0), product);
    for (const Term &term : total.terms) {
      Value v = total.product->getResult(0);
      for (Operation *op : llvm::reverse(term.moves)) {
        v = op->getResult(0);
        if (map.contains(v)) continue;
        if (mlir::isa<stablehlo::ConvertOp>(op))
          map.map(v, map.lookup(op->getOperand(0)));
        else
          b.clone(*op, map)->getResult(0).setType(typeOf(v).clone(element));
      }
      Value sum = stablehlo::AddOp::create(b, term.last->getLoc(), inits_[term.carried], map.lookup(v));
      loop_->getResult(term.carried).replaceAllUsesWith(sum);
    }
  }
  for (unsigned i = 0; i < loop_->getNumResults(); ++i)
    if (resultOf_[i]) loop_->getResult(i).replaceAllUsesWith(made->getResult(*resultOf_[i]));
}

// What nobody reads any more.
void Loop::erase(ArrayRef<Total> totals, stablehlo::WhileOp made) {
  llvm::BitVector dropped(made.getBody().getNumArguments());
  for (const Total &total : totals) {
    SetVector<Operation *> unread;
    for (const Term &term : total.terms) {
      dropped.set(term.carried);
      term.last->erase();
    }
    // Moves that several terms share come before those of one.
    for (const Term &term : total.terms) unread.insert(term.moves.begin(), term.moves.end());
    unread.insert(total.product);
    SmallVector<Operation *> order = unread.takeVector();
    llvm::sort(order, [](Operation *x, Operation *y) { return y->isBeforeInBlock(x); });
    for (Operation *op : order) op->erase();
  }
  for (unsigned r = 0; r < 2; ++r) made->getRegion(r).front().eraseArguments(dropped);
  loop_->erase();
}

struct ProductsAfterLoops : impl::ProductsAfterLoopsPassBase<ProductsAfterLoops> {
  void runOnOperation() override {
    SmallVector<stablehlo::WhileOp> loops;
    getOperation().walk([&](stablehlo::WhileOp loop) { loops.push_back(loop); });
    for (stablehlo::WhileOp loop : loops) Loop(loop).run();
  }
};

}  // namespace
}  // namespace tpuc::decompose
