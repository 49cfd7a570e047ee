// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/fusion/batch_regions.h"

#include <map>

#include "passes/analysis/domain.h"
#include "passes/analysis/elementary.h"
#include "passes/fusion/common_dims.h"
#include "passes/fusion/group.h"

using namespace mlir;

namespace tpuc::fusion {
namespace {

constexpr size_t kMostOps = 256;    // of a region
constexpr int kMostMadeAgain = 16;  // ops behind one another that are made again

RankedTensorType typeOf(Value v) { return cast<RankedTensorType>(v.getType()); }

class Finder {
 public:
  Finder(stablehlo::DotGeneralOp dot, int64_t room) : dot_(dot), block_(dot->getBlock()), room_(room) {}
  std::optional<BatchRegion> find();

 private:
  bool isLarge(Value v) const { return isPlain(v) && typeOf(v).getNumElements() == elements_; }
  bool isSmall(Value v) const { return isPlain(v) && typeOf(v).getNumElements() < elements_; }
  bool isMadeAgain(Value v, int most = kMostMadeAgain) const;
  bool hasBatches(Value v) const;
  std::optional<CommonDims> dimsOfResult(Operation *op) const;
  bool add(Operation *op);
  void flood();
  void addRows();
  void addConversions();
  void findTurns();
  bool take(Operation *op, const CommonDims &dims);
  bool takeTurn(int64_t turn);
  bool noteResults();
  void measure();

  stablehlo::DotGeneralOp dot_;
  Block *block_;
  int64_t room_;
  int64_t elements_ = 0;
  llvm::SetVector<Operation *> ops_;    // of all turns
  llvm::DenseSet<Operation *> others_;  // that cannot be of it
  DenseMap<Value, CommonDims> dims_;    // of operands and results of ops_
  DenseMap<Operation *, int64_t> turns_;
  BatchRegion r_;
};

// Whether every block may make it for itself: a splat, or what is made of positions or of smaller arrays.
bool Finder::isMadeAgain(Value v, int most) const {
  Operation *op = v.getDefiningOp();
  if (!op || most == 0 || !isOfBlocks(op)) return false;
  if (mlir::isa<stablehlo::ConstantOp>(op)) return true;
  if (!isLarge(v)) return false;
  if (mlir::isa<stablehlo::IotaOp>(op)) return true;
  if (mlir::isa<stablehlo::DotGeneralOp, stablehlo::ReduceOp>(op) || analysis::elementaryCost(op)) return false;
  const bool isSpread = mlir::isa<stablehlo::BroadcastInDimOp>(op);
  return llvm::all_of(op->getOperands(), [&](Value operand) {
    return typeOf(operand).getRank() == 0 || (isSpread && !isLarge(operand)) || isMadeAgain(operand, most - 1);
  });
}

// Whether no dim stands twice: an array of a diagonal is none of batches.
bool areApart(const CommonDims &dims) {
  CommonDims sorted(dims);
  llvm::erase(sorted, kOwn);
  llvm::sort(sorted);
  return std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end();
}

// From what is known of the op's values; nothing where that does not agree.
std::optional<CommonDims> Finder::dimsOfResult(Operation *op) const {
  if (auto known = dims_.find(op->getResult(0)); known != dims_.end()) return known->second;
  CommonDims out(typeOf(op->getResult(0)).getRank(), kOwn);
  for (OpOperand &use : op->getOpOperands()) {
    auto known = dims_.find(use.get());
    if (known == dims_.end()) continue;
    for (auto [dim, more] : llvm::zip_equal(out, resultDims(op, use.getOperandNumber(), known->second))) {
      if (dim != kOwn && more != kOwn && dim != more) return std::nullopt;
      if (more != kOwn) dim = more;
    }
  }
  return areApart(out) ? std::optional(out) : std::nullopt;
}

// An op of a value whose dims are known, if it keeps the batch dims apart.
bool Finder::add(Operation *op) {
  if (ops_.contains(op)) return true;
  if (others_.contains(op)) return false;
  auto result = op->getBlock() == block_ && isOfBlocks(op) ? dimsOfResult(op) : std::nullopt;
  SmallVector<CommonDims> operands;
  bool fits = result.has_value() && ops_.size() < kMostOps;
  for (OpOperand &use : op->getOpOperands()) {
    if (!fits) break;
    operands.push_back(operandDims(op, use.getOperandNumber(), *result));
    auto known = dims_.find(use.get());
    fits = known == dims_.end() || known->second == operands.back();
  }
  if (!fits) {
    others_.insert(op);
    return false;
  }
  ops_.insert(op);
  dims_[op->getResult(0)] = *result;
  for (auto [use, dims] : llvm::zip_equal(op->getOpOperands(), operands))
    if (typeOf(use.get()).getRank() && !isMadeAgain(use.get())) dims_[use.get()] = dims;
  return true;
}

// Whether it has all batch dims; another array may have as many elements.
bool Finder::hasBatches(Value v) const {
  auto known = dims_.find(v);
  return known != dims_.end() && llvm::all_of(llvm::seq<int64_t>(0, r_.extents.size()),
                                              [&](int64_t d) { return llvm::is_contained(known->second, d); });
}

void Finder::flood() {
  llvm::SetVector<Value> work;
  work.insert(dot_.getResult());
  for (size_t i = 0; i < work.size(); ++i) {
    Value v = work[i];
    SmallVector<Operation *> around(v.getUsers());
    // In the order of the program, whatever that of a value's uses.
    llvm::erase_if(around, [&](Operation *op) { return op->getBlock() != block_; });
    if (Operation *def = v.getDefiningOp(); def && def->getBlock() == block_) around.push_back(def);
    llvm::sort(around, [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
    for (Operation *op : around) {
      if (!add(op)) continue;
      for (Value next : llvm::concat<Value>(llvm::to_vector(op->getOperands()), llvm::to_vector(op->getResults())))
        if (isLarge(next) && !isMadeAgain(next) && hasBatches(next)) work.insert(next);
    }
  }
}

// Smaller arrays that are made of the region's and lead back to it.
void Finder::addRows() {
  llvm::SetVector<Operation *> behind;
  SmallVector<Operation *> work(ops_.begin(), ops_.end());
  for (size_t i = 0; i < work.size(); ++i)
    for (Operation *user : work[i]->getUsers()) {
      if (user->getBlock() != block_ || ops_.contains(user) || behind.size() > kMostOps) continue;
      const bool leads = isOfBlocks(user) && !mlir::isa<stablehlo::DotGeneralOp>(user) &&
                         (isSmall(user->getResult(0)) || isMadeAgain(user->getResult(0)));
      if (leads && behind.insert(user)) work.push_back(user);
    }
  SmallVector<Operation *> ordered(behind.begin(), behind.end());
  llvm::sort(ordered, [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  llvm::DenseSet<Operation *> back;
  for (Operation *op : llvm::reverse(ordered))
    if (llvm::any_of(op->getUsers(), [&](Operation *user) { return ops_.contains(user) || back.contains(user); }))
      back.insert(op);
  for (Operation *op : ordered)
    if (back.contains(op) && !isMadeAgain(op->getResult(0))) add(op);
}

// Results that nothing but a conversion to fewer bits reads: with it.
void Finder::addConversions() {
  for (Operation *op : llvm::to_vector(ops_)) {
    auto convert =
        isLarge(op->getResult(0)) || !op->hasOneUse() ? nullptr : dyn_cast<stablehlo::ConvertOp>(*op->user_begin());
    if (convert && typeOf(convert).getElementTypeBitWidth() < typeOf(op->getResult(0)).getElementTypeBitWidth())
      add(convert);
  }
}

// For each op of the region: how often what it reads has left the region and come back. What is made again in a block
// does not leave the region.
void Finder::findTurns() {
  DenseMap<Operation *, int64_t> turns;  // -1: made of nothing that is of the region
  auto staysIn = [&](Operation *op) {
    return ops_.contains(op) || (op->getNumResults() == 1 && isMadeAgain(op->getResult(0)));
  };
  for (Operation &op : *block_) {
    int64_t turn = ops_.contains(&op) ? 0 : -1;
    const bool isOutside = !staysIn(&op);
    op.walk([&](Operation *inner) {
      for (Value v : inner->getOperands()) {
        Operation *def = v.getDefiningOp() ? block_->findAncestorOpInBlock(*v.getDefiningOp()) : nullptr;
        auto known = def && def != &op ? turns.find(def) : turns.end();
        if (known != turns.end() && known->second >= 0)
          turn = std::max(turn, known->second + (isOutside && staysIn(def)));
      }
    });
    turns[&op] = turn;
    if (ops_.contains(&op)) turns_[&op] = turn;
  }
}

// An op of the turn, behind those that it reads. False where a value would need other dims than before: the region is
// none then.
bool Finder::take(Operation *op, const CommonDims &dims) {
  auto [known, isNew] = r_.dimsOf.try_emplace(op->getResult(0), dims);
  if (!isNew) return known->second == dims;
  for (OpOperand &use : op->getOpOperands()) {
    const CommonDims own = operandDims(op, use.getOperandNumber(), dims);
    Operation *def = use.get().getDefiningOp();
    auto turn = def ? turns_.find(def) : turns_.end();
    if ((turn != turns_.end() && turn->second == turns_.lookup(dot_)) || isMadeAgain(use.get())) {
      if (!take(def, own)) return false;
    } else {
      r_.arrays[&use] = own;
    }
  }
  r_.ops.insert(op);
  return true;
}

bool Finder::takeTurn(int64_t turn) {
  SmallVector<Operation *> ordered(ops_.begin(), ops_.end());
  llvm::erase_if(ordered, [&](Operation *op) { return turns_.lookup(op) != turn; });
  llvm::sort(ordered, [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  return llvm::all_of(ordered, [&](Operation *op) { return take(op, dims_.lookup(op->getResult(0))); });
}

// What is read outside, and has all batch dims.
bool Finder::noteResults() {
  for (Operation *op : r_.ops) {
    auto isOutside = [&](Operation *user) { return !r_.ops.contains(user); };
    if (!turns_.contains(op) || llvm::none_of(op->getUsers(), isOutside)) continue;
    if (!hasBatches(op->getResult(0))) return false;
    r_.results.push_back(op->getResult(0));
  }
  return !r_.results.empty();
}

// What a kernel writes for another one: results and operands of products, and functions that are dear to compute again.
void Finder::measure() {
  DenseMap<Value, size_t> lastUses;  // of large arrays, by op
  DenseMap<Value, bool> isArray;
  for (auto [i, op] : llvm::enumerate(r_.ops)) {
    const bool isDot = mlir::isa<stablehlo::DotGeneralOp>(op), isReduce = mlir::isa<stablehlo::ReduceOp>(op);
    bool readsLarge = false;
    for (Value v : op->getOperands()) {
      if (!isPlain(v) || !isLarge(v) || isMadeAgain(v)) continue;
      readsLarge = true;
      lastUses[v] = i;
      isArray[v] |= isDot;
    }
    const bool isDear = analysis::elementaryCost(op) && !op->hasOneUse();
    isArray[op->getResult(0)] |= (isDot || isDear) && isLarge(op->getResult(0));
    r_.kernels += isDot || (isReduce && readsLarge);
  }
  for (Value v : r_.results) isArray[v] |= isLarge(v);
  int64_t live = 0, kept = 0;
  std::multimap<size_t, std::pair<int64_t, int64_t>> ends;  // bytes that are no longer live, nor kept
  for (auto [i, op] : llvm::enumerate(r_.ops)) {
    Value v = op->getResult(0);
    if (isArray.lookup(v)) {
      const int64_t bytes = analysis::paddedBytes(typeOf(v));
      const bool isResult = llvm::is_contained(r_.results, v), stays = kept + bytes <= room_;
      live += bytes;
      if (!isResult) r_.movedBytes += 2 * bytes;
      if (stays) r_.keptBytes += 2 * bytes;
      if (stays) kept += bytes;
      // A result stays to the end.
      ends.emplace(std::max<size_t>(lastUses.lookup(v), i), std::pair(bytes, stays && !isResult ? bytes : 0));
    }
    r_.liveBytes = std::max(r_.liveBytes, live);
    for (; !ends.empty() && ends.begin()->first <= i; ends.erase(ends.begin())) {
      live -= ends.begin()->second.first;
      kept -= ends.begin()->second.second;
    }
  }
}

std::optional<BatchRegion> Finder::find() {
  Value result = dot_.getResult();
  const size_t batches = dot_.getDotDimensionNumbers().getLhsBatchingDimensions().size();
  if (!batches || !isOfBlocks(dot_)) return std::nullopt;
  elements_ = typeOf(result).getNumElements();
  r_.extents.assign(typeOf(result).getShape().begin(), typeOf(result).getShape().begin() + batches);
  CommonDims dims(typeOf(result).getRank(), kOwn);
  for (size_t d = 0; d < batches; ++d) dims[d] = static_cast<int64_t>(d);
  dims_[result] = dims;
  flood();
  if (!ops_.contains(dot_)) return std::nullopt;
  addRows();
  addConversions();
  findTurns();
  if (!takeTurn(turns_.lookup(dot_)) || !noteResults()) return std::nullopt;
  measure();
  return r_;
}

}  // namespace

std::optional<BatchRegion> batchRegionOf(stablehlo::DotGeneralOp dot, int64_t room) { return Finder(dot, room).find(); }

BatchBlocks::BatchBlocks(const BatchRegion &region) : BlockedDims(region.extents), r_(region) {
  first_ = llvm::to_vector(llvm::seq<int64_t>(0, static_cast<int64_t>(extents_.size())));
}

// The innermost dims are taken whole first; of the one that does not fit a divisor.
bool BatchBlocks::choose(int64_t room, int64_t cores) {
  if (cores == 1 && r_.liveBytes <= room) return false;
  const int64_t batches = llvm::product_of(extents_);
  int64_t most = std::min<int64_t>(room * 3 / 4 / llvm::divideCeil(r_.liveBytes, batches), batches / cores);
  for (; most > 0; --most) {
    block_.assign(extents_.size(), 1);
    int64_t left = most;
    for (int64_t d : llvm::reverse(first_)) {
      block_[d] = std::min(extents_[d], left);
      while (extents_[d] % block_[d]) --block_[d];
      if (block_[d] < extents_[d]) break;
      left /= extents_[d];
    }
    if (sharesEvenly(cores)) return count() > 1;
  }
  return false;
}

// Whether a result becomes a layer of a larger array: whatever makes it as a whole writes it there.
static bool becomesLayer(Value v) {
  return llvm::any_of(v.getUsers(), [](Operation *user) {
    if (mlir::isa<stablehlo::DynamicUpdateSliceOp>(user)) return true;
    return mlir::isa<stablehlo::ReshapeOp, stablehlo::TransposeOp>(user) && becomesLayer(user->getResult(0));
  });
}

int64_t BatchBlocks::copiedBytes() const {
  int64_t bytes = 0;
  auto add = [&](Value v, const CommonDims &dims, bool isCopied = false) {
    if (llvm::is_sorted(stackOrder(dims)) && !isCopied) return;
    bytes += 2 * llvm::divideCeil(typeOf(v).getNumElements() * typeOf(v).getElementTypeBitWidth(), 8);
  };
  SmallVector<std::pair<Value, const CommonDims *>> read;  // what several ops read is put in order once
  for (const auto &[use, dims] : r_.arrays) {
    auto isSame = [&](const auto &known) { return known.first == use->get() && *known.second == dims; };
    if (llvm::any_of(read, isSame)) continue;
    read.push_back({use->get(), &dims});
    add(use->get(), dims);
  }
  for (Value v : r_.results) add(v, r_.dimsOf.lookup(v), becomesLayer(v));
  return bytes;
}

}  // namespace tpuc::fusion
