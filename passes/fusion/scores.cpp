// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// 1. The region goes from the probabilities backwards to the product that makes the scores. It has the ops for which
//    the dims of each operand are known as dims of the scores. All other values that it reads are arrays.
// 2. Values that are made of the scores have no users outside. Values that are made of positions alone, and have users
//    outside, are made again. Any other value with users outside is an array.
// 3. The dim of the queries is the longest dim of the scores that the keys and values do not have.
#include "passes/fusion/scores.h"

#include "passes/fusion/common_dims.h"
#include "passes/fusion/group.h"

using namespace mlir;

namespace tpuc::fusion {
namespace {

constexpr size_t kMost = 64;  // ops between the products

RankedTensorType typeOf(Value v) { return cast<RankedTensorType>(v.getType()); }

// An op that every block that reads it makes for itself.
bool isMadeInEach(Operation *op) { return isCheap(op) || mlir::isa<stablehlo::ReshapeOp>(op); }

class Finder {
 public:
  explicit Finder(stablehlo::DotGeneralOp last, bool isRight) {
    s_.last = last;
    s_.isRight = isRight;
  }
  std::optional<Scores> find();

 private:
  bool chooseContraction();
  bool collect(const llvm::DenseSet<Operation *> &arrays);
  bool mayHold(Operation *op) const;
  std::optional<CommonDims> dimsOfOperand(Operation *op, unsigned i, const CommonDims &result) const;
  bool noteLast();
  llvm::DenseSet<Operation *> madeOfScores() const;
  bool chooseQueries();
  bool hasSoftmax() const;
  bool chooseArrays(llvm::DenseSet<Operation *> &arrays) const;

  Scores s_;
};

bool Finder::chooseContraction() {
  if (!isPlain(s_.result()) || !llvm::all_of(s_.last->getOperands(), isPlain)) return false;
  auto numbers = s_.last.getDotDimensionNumbers();
  auto contracted = s_.isRight ? numbers.getRhsContractingDimensions() : numbers.getLhsContractingDimensions();
  if (contracted.size() != 1) return false;
  s_.n = contracted[0];
  s_.dims.assign(typeOf(s_.probabilities()).getShape().begin(), typeOf(s_.probabilities()).getShape().end());
  return true;
}

bool Finder::mayHold(Operation *op) const {
  if (!isOfBlocks(op)) return false;
  // The attention of a layer may be in a loop. Of the ops around the loop only those join that are made again anyway.
  if (op->getBlock() != s_.last->getBlock() && !isMadeInEach(op)) return false;
  auto reduce = dyn_cast<stablehlo::ReduceOp>(op);
  return !reduce || reduce.getDimensions().size() == 1;
}

// Nothing where a reduction is not of all keys.
std::optional<CommonDims> Finder::dimsOfOperand(Operation *op, unsigned i, const CommonDims &result) const {
  CommonDims out = operandDims(op, i, result);
  if (auto reduce = dyn_cast<stablehlo::ReduceOp>(op); reduce && !out.empty()) {
    const int64_t d = reduce.getDimensions()[0];
    if (typeOf(op->getOperand(i)).getDimSize(d) != s_.dims[s_.n]) return std::nullopt;
    out[d] = s_.n;
  }
  return out;
}

// The ops that are not among `arrays`, from the probabilities on.
bool Finder::collect(const DenseSet<Operation *> &arrays) {
  s_.ops.clear();
  s_.dimsOf.clear();
  s_.arrays.clear();
  s_.first = {};
  if (arrays.contains(s_.probabilities().getDefiningOp()) || !mayHold(s_.probabilities().getDefiningOp())) return false;
  s_.dimsOf[s_.probabilities()] = llvm::to_vector<4>(llvm::seq<int64_t>(0, s_.dims.size()));
  SmallVector<Operation *> work{s_.probabilities().getDefiningOp()};
  llvm::SetVector<Operation *> seen;
  while (!work.empty()) {
    Operation *op = work.pop_back_val();
    if (!seen.insert(op)) continue;
    if (seen.size() > kMost) return false;
    if (auto dot = dyn_cast<stablehlo::DotGeneralOp>(op)) {
      if (s_.first) return false;
      s_.first = dot;
    }
    const CommonDims result = s_.dimsOf.lookup(op->getResult(0));
    for (OpOperand &operand : op->getOpOperands()) {
      auto dims = dimsOfOperand(op, operand.getOperandNumber(), result);
      if (!dims) return false;
      Operation *def = operand.get().getDefiningOp();
      if (s_.first == op || !mayHold(def) || arrays.contains(def)) {
        s_.arrays[&operand] = *dims;
        continue;
      }
      auto [known, isNew] = s_.dimsOf.try_emplace(operand.get(), *dims);
      if (!isNew && known->second != *dims) return false;
      work.push_back(def);
    }
  }
  if (!s_.first) return false;
  std::function<void(Operation *)> add = [&](Operation *op) {
    if (!seen.contains(op) || s_.ops.contains(op)) return;
    if (op != s_.first)
      for (Value v : op->getOperands())
        if (Operation *def = v.getDefiningOp()) add(def);
    s_.ops.insert(op);
  };
  add(s_.probabilities().getDefiningOp());
  return true;
}

DenseSet<Operation *> Finder::madeOfScores() const {
  DenseSet<Operation *> made;
  for (Operation *op : s_.ops)
    if (op == s_.first || llvm::any_of(op->getOperands(), [&](Value v) { return made.contains(v.getDefiningOp()); }))
      made.insert(op);
  return made;
}

bool Finder::noteLast() {
  const CommonDims whole = llvm::to_vector<4>(llvm::seq<int64_t>(0, s_.dims.size()));
  auto numbers = s_.last.getDotDimensionNumbers();
  auto own = s_.isRight ? numbers.getRhsBatchingDimensions() : numbers.getLhsBatchingDimensions();
  auto others = s_.isRight ? numbers.getLhsBatchingDimensions() : numbers.getRhsBatchingDimensions();
  auto contracted = s_.isRight ? numbers.getLhsContractingDimensions() : numbers.getRhsContractingDimensions();
  OpOperand &values = s_.last->getOpOperand(s_.isRight ? 0 : 1);
  CommonDims dims(typeOf(values.get()).getRank(), kOwn);
  for (auto [d, batch] : llvm::zip(others, own)) dims[d] = batch;
  dims[contracted[0]] = s_.n;
  s_.arrays[&values] = dims;
  // The result: batches, then what each side has for itself.
  CommonDims result(own.begin(), own.end()), features, rows;
  for (int64_t d : whole)
    if (d != s_.n && !llvm::is_contained(own, d)) rows.push_back(d);
  features.assign(typeOf(s_.last).getRank() - own.size() - rows.size(), kOwn);
  llvm::append_range(result, s_.isRight ? features : rows);
  llvm::append_range(result, s_.isRight ? rows : features);
  s_.dimsOf[s_.last.getResult()] = result;
  s_.ops.insert(s_.last);
  return values.get() != s_.probabilities();
}

// The keys' dim is one side's of the first product, the queries' the other one's, and the values do not have it.
bool Finder::chooseQueries() {
  s_.m = -1;
  const CommonDims &left = s_.arrays.find(&s_.first->getOpOperand(0))->second,
                   &right = s_.arrays.find(&s_.first->getOpOperand(1))->second,
                   &values = s_.arrays.find(&s_.last->getOpOperand(s_.isRight ? 0 : 1))->second;
  const bool keysAreLeft = llvm::is_contained(left, s_.n);
  if (keysAreLeft == llvm::is_contained(right, s_.n)) return false;
  const CommonDims &queries = keysAreLeft ? right : left, &keys = keysAreLeft ? left : right;
  for (int64_t d : queries)
    if (d != kOwn && !llvm::is_contained(keys, d) && !llvm::is_contained(values, d) &&
        (s_.m < 0 || s_.dims[d] > s_.dims[s_.m]))
      s_.m = d;
  return s_.m >= 0 && s_.dims[s_.m] > 1 && s_.dims[s_.n] > 1;
}

// Ops that are to be arrays: what others use too, or what is the same for all queries. False: the scores have other
// users.
bool Finder::chooseArrays(DenseSet<Operation *> &arrays) const {
  const DenseSet<Operation *> made = madeOfScores();
  for (Operation *op : s_.ops) {
    if (op == s_.last) continue;
    const bool isUsedOutside =
        llvm::any_of(op->getUsers(), [&](Operation *user) { return user != s_.last && !s_.ops.contains(user); });
    if (made.contains(op)) {
      if (isUsedOutside) return false;
    } else if (!isMadeInEach(op) && (isUsedOutside || !llvm::is_contained(s_.dimsOf.lookup(op->getResult(0)), s_.m))) {
      arrays.insert(op);
    }
  }
  return true;
}

// Whatever else stands between two products may be made anew where it is read; rows that are reduced and read again
// are not.
bool Finder::hasSoftmax() const {
  const DenseSet<Operation *> made = madeOfScores();
  int64_t reductions = 0, exponentials = 0;
  for (Operation *op : made) {
    reductions += mlir::isa<stablehlo::ReduceOp>(op);
    exponentials += mlir::isa<stablehlo::ExpOp>(op);
  }
  return reductions >= 2 && exponentials >= 1;
}

std::optional<Scores> Finder::find() {
  DenseSet<Operation *> arrays;
  if (!chooseContraction()) return std::nullopt;
  for (size_t before = 1; before != arrays.size();) {
    if (!collect(arrays) || !hasSoftmax() || !noteLast() || !chooseQueries()) return std::nullopt;
    before = arrays.size();
    if (!chooseArrays(arrays)) return std::nullopt;
  }
  s_.results = {s_.result()};
  return s_;
}

}  // namespace

std::optional<Scores> scoresOf(stablehlo::DotGeneralOp last) {
  for (bool isRight : {false, true})
    if (auto scores = Finder(last, isRight).find()) return scores;
  return std::nullopt;
}

}  // namespace tpuc::fusion
