// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products that a loop adds up, one an iteration, become one product behind it that sums over the iterations too:
//
//   while (..) { a = ..; s = s + slice(transpose(dot(a, xs[i]))) }
//   // becomes
//   while (..) { a = ..; as[i] = a };  s = s + slice(transpose(dot(as, xs)))
//
//  1. What is added up is carried for that alone. The term is a product, or a sum along dims, behind moves; nothing
//  else
//     reads it.
//  2. An operand that is a layer of a stack, another one in each iteration, is read from there. Others are stored in a
//     stack of their own.
//  3. That pays where a layer is smaller than the product, as a recurrence's weights' gradients are larger than its
//     state. No more is stored than the loop carries and reads.
#include "dialects/kernel/counts.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "passes/analysis/counters.h"
#include "passes/builders/build.h"
#include "passes/decompose/passes.h"

using namespace mlir;

namespace tpuc::decompose {
#define GEN_PASS_DEF_SUMAFTERLOOPSPASS
#include "passes/decompose/passes.h.inc"
namespace {

using builders::Build;
using builders::typeOf;

// One value of each iteration, side by side.
struct Layers {
  Value value;  // an iteration's
  Value stack;  // null: the loop is to store it
  Value index;  // where an iteration's lies; null: at its number
};

struct Term {
  unsigned carried;
  Operation *add;
  SmallVector<Operation *> moves;  // of the product, the last one first
};

struct Total {
  Operation *product;
  SmallVector<Term> terms;
  SmallVector<Layers> operands;
};

// 0 of what is no array.
int64_t bytesOf(Value v) {
  auto type = dyn_cast<RankedTensorType>(v.getType());
  if (!type) return 0;
  Type element = type.getElementType();
  int64_t parts = 1;
  if (auto complex = dyn_cast<ComplexType>(element)) element = complex.getElementType(), parts = 2;
  const int64_t bits = element.isIntOrFloat() ? element.getIntOrFloatBitWidth() : 8;  // quantised
  return type.getNumElements() * parts * llvm::divideCeil(bits, 8);
}

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
  explicit Loop(stablehlo::WhileOp loop)
      : loop_(loop), body_(loop.getBody().front()), trips_(kernel::tripCountOf(loop).value_or(0)) {}

  void run() {
    if (trips_ < 2 || trips_ > analysis::Counters::kMost) return;
    SmallVector<Total> totals = chosen();
    if (totals.empty()) return;
    store();
    stablehlo::WhileOp made = without(totals);
    compute(totals, made);
    erase(totals, made);
  }

 private:
  std::optional<Term> termOf(unsigned i, Operation *&product);
  SmallVector<Total> found();
  bool isReadByTermsOnly(const Total &total);
  bool isConstant(Value v);
  std::optional<Layers> layersIn(Value v);
  bool visitsAll(Value index);
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
  int64_t trips_;
  DenseMap<Value, bool> visitsAll_;
  llvm::MapVector<std::pair<Value, Value>, unsigned> stored_;  // by layer and index: the number of the stack
  int64_t storedBytes_ = 0;                                    // in an iteration
  SmallVector<Value> inits_;                                   // of what was carried, and of the new stacks
  SmallVector<std::optional<unsigned>> resultOf_;              // by what was carried: the new loop's result
};

// ---- what is added up -----------------------------------------------------------------------------------------------

std::optional<Term> Loop::termOf(unsigned i, Operation *&product) {
  BlockArgument sum = body_.getArgument(i);
  auto type = dyn_cast<RankedTensorType>(sum.getType());
  if (!type || !mlir::isa<FloatType, IntegerType, ComplexType>(type.getElementType())) return std::nullopt;
  Type element = type.getElementType();
  auto add = body_.getTerminator()->getOperand(i).getDefiningOp<stablehlo::AddOp>();
  if (element.isInteger(1) || !add || !add->hasOneUse() || !sum.hasOneUse() || *sum.user_begin() != add ||
      !loop_.getCond().getArgument(i).use_empty())
    return std::nullopt;
  Term term{i, add, {}};
  Value v = add.getLhs() == sum ? add.getRhs() : add.getLhs();
  Operation *op = v.getDefiningOp();
  for (; op && op->getBlock() == &body_ && moves(op); op = op->getOperand(0).getDefiningOp()) term.moves.push_back(op);
  if (!op || op->getBlock() != &body_ || !op->getDiscardableAttrs().empty()) return std::nullopt;
  auto reduce = dyn_cast<stablehlo::ReduceOp>(op);
  bool widens = op->getNumResults() == 1 && typeOf(op->getResult(0)).getElementType() != element;
  if (!mlir::isa<stablehlo::DotGeneralOp>(op) && !(reduce && isSum(reduce) && !widens)) return std::nullopt;
  product = op;
  return term;
}

SmallVector<Total> Loop::found() {
  llvm::MapVector<Operation *, SmallVector<Term>> terms;
  for (unsigned i = 0; i < loop_->getNumOperands(); ++i) {
    Operation *product = nullptr;
    if (auto term = termOf(i, product)) terms[product].push_back(*term);
  }
  SmallVector<Total> totals;
  for (auto &[product, its] : terms) {
    Total total{product, its, {}};
    Type element = typeOf(its[0].add->getResult(0)).getElementType();
    bool alike =
        llvm::all_of(its, [&](const Term &t) { return typeOf(t.add->getResult(0)).getElementType() == element; });
    if (alike && isReadByTermsOnly(total)) totals.push_back(total);
  }
  auto size = [](const Total &t) { return typeOf(t.product->getResult(0)).getNumElements(); };
  llvm::stable_sort(totals, [&](const Total &x, const Total &y) { return size(x) > size(y); });
  return totals;
}

bool Loop::isReadByTermsOnly(const Total &total) {
  DenseSet<Operation *> readers;
  for (const Term &term : total.terms) {
    readers.insert(term.add);
    readers.insert(term.moves.begin(), term.moves.end());
  }
  auto reads = [&](Operation *user) { return readers.contains(user); };
  return llvm::all_of(total.product->getUsers(), reads) && llvm::all_of(total.terms, [&](const Term &term) {
           return llvm::all_of(term.moves, [&](Operation *op) { return llvm::all_of(op->getUsers(), reads); });
         });
}

// ---- their operands -------------------------------------------------------------------------------------------------

// Whether it is the same in all iterations.
bool Loop::isConstant(Value v) {
  auto argument = dyn_cast<BlockArgument>(v);
  if (argument && argument.getOwner() == &body_)
    return body_.getTerminator()->getOperand(argument.getArgNumber()) == argument;
  return !loop_.getBody().isAncestor(v.getParentRegion());
}

bool Loop::visitsAll(Value index) {
  auto [entry, isNew] = visitsAll_.try_emplace(index, false);
  if (!isNew) return entry->second;
  analysis::Counters counters(loop_);
  llvm::BitVector seen(trips_);
  for (int64_t i = 0; i < trips_; ++i, counters.step()) {
    std::optional<int64_t> at = counters.valueOf(index);
    if (!at || *at < 0 || *at >= trips_) return false;
    seen.set(*at);
  }
  return visitsAll_[index] = seen.all();
}

// Of a layer of a stack that is the same all along.
std::optional<Layers> Loop::layersIn(Value v) {
  Value layer = v;
  while (auto reshape = layer.getDefiningOp<stablehlo::ReshapeOp>()) layer = reshape.getOperand();
  auto slice = layer.getDefiningOp<stablehlo::DynamicSliceOp>();
  if (!slice || slice->getBlock() != &body_ || !isConstant(slice.getOperand())) return std::nullopt;
  ArrayRef<int64_t> whole = typeOf(slice.getOperand()).getShape(), sizes = slice.getSliceSizes();
  if (whole.empty() || whole[0] != trips_ || sizes[0] != 1 || whole.drop_front() != sizes.drop_front() ||
      !visitsAll(slice.getStartIndices()[0]))
    return std::nullopt;
  return Layers{v, slice.getOperand(), slice.getStartIndices()[0]};
}

// Whether the total is worth what has to be stored for it, which is noted then.
bool Loop::plan(Total &total) {
  Value index;
  SmallVector<Value> values(total.product->getOperands().take_front(isa<stablehlo::ReduceOp>(total.product) ? 1 : 2));
  if (llvm::any_of(values, [&](Value v) { return isConstant(v); })) return false;
  SmallVector<std::optional<Layers>> known = llvm::map_to_vector(values, [&](Value v) { return layersIn(v); });
  for (auto &layers : known)
    if (layers && !index) index = layers->index;
  // A sum of what is stored anyway is read from there.
  if (!index)
    for (auto &[key, number] : stored_)
      if (llvm::is_contained(values, key.first)) index = key.second;
  int64_t bytes = 0;
  for (auto [v, layers] : llvm::zip(values, known)) {
    if (layers && layers->index == index)
      total.operands.push_back(*layers);
    else
      total.operands.push_back({v, {}, index});
    if (!total.operands.back().stack && !stored_.contains({v, index})) bytes += bytesOf(v);
  }
  int64_t read = 0;  // by the loop, or carried
  for (Value v : loop_->getOperands()) read += bytesOf(v);
  for (auto &layers : known)
    if (layers && layers->stack.getParentBlock() != &body_) read += bytesOf(layers->stack);
  // What others store anyway costs nothing.
  if (bytes > bytesOf(total.product->getResult(0))) return false;
  if (bytes > 0 && (storedBytes_ + bytes) * trips_ > read) return false;
  storedBytes_ += bytes;
  for (const Layers &layers : total.operands)
    if (!layers.stack) stored_.try_emplace({layers.value, layers.index}, stored_.size());
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
    SmallVector<int64_t> shape{trips_}, layer{1};
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
  SmallVector<int64_t> shape{trips_};
  llvm::append_range(shape, typeOf(layers.value).getShape());
  Value stack = layers.stack;
  if (!stack) {
    stack = made->getResult(*resultOf_[stored_[{layers.value, layers.index}]]);
  } else if (auto argument = dyn_cast<BlockArgument>(stack); argument && argument.getOwner() == &body_) {
    stack = inits_[argument.getArgNumber()];
  }
  return Build{b, layers.value.getLoc()}.reshape(stack, shape);
}

Value Loop::productOf(OpBuilder &b, const Total &total, stablehlo::WhileOp made, Type element) {
  auto stacks = llvm::map_to_vector(total.operands, [&](const Layers &layers) { return stackOf(b, layers, made); });
  auto further = [](ArrayRef<int64_t> dims) { return llvm::map_to_vector(dims, [](int64_t d) { return d + 1; }); };
  auto andIterations = [&](ArrayRef<int64_t> dims) {
    SmallVector<int64_t> all{0};
    llvm::append_range(all, further(dims));
    return all;
  };
  Location loc = total.product->getLoc();
  if (auto reduce = dyn_cast<stablehlo::ReduceOp>(total.product))
    return Build{b, loc}.sum(stacks[0], andIterations(reduce.getDimensions()));
  auto dot = cast<stablehlo::DotGeneralOp>(total.product);
  auto of = dot.getDotDimensionNumbers();
  auto dims = stablehlo::DotDimensionNumbersAttr::get(
      b.getContext(), further(of.getLhsBatchingDimensions()), further(of.getRhsBatchingDimensions()),
      andIterations(of.getLhsContractingDimensions()), andIterations(of.getRhsContractingDimensions()));
  return stablehlo::DotGeneralOp::create(b, loc, typeOf(dot).clone(element), stacks[0], stacks[1], dims,
                                         dot.getPrecisionConfigAttr(), dot.getAlgorithmAttr());
}

void Loop::compute(ArrayRef<Total> totals, stablehlo::WhileOp made) {
  OpBuilder b(loop_->getContext());
  b.setInsertionPointAfter(made);
  for (const Total &total : totals) {
    // Of the type that is added up: rounded once.
    Type element = typeOf(total.terms[0].add->getResult(0)).getElementType();
    IRMapping map;
    map.map(total.product->getResult(0), productOf(b, total, made, element));
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
      Value sum = stablehlo::AddOp::create(b, term.add->getLoc(), inits_[term.carried], map.lookup(v));
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
      term.add->erase();
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

struct SumAfterLoops : impl::SumAfterLoopsPassBase<SumAfterLoops> {
  void runOnOperation() override {
    SmallVector<stablehlo::WhileOp> loops;
    getOperation().walk([&](stablehlo::WhileOp loop) { loops.push_back(loop); });
    for (stablehlo::WhileOp loop : loops) Loop(loop).run();
  }
};

}  // namespace
}  // namespace tpuc::decompose
