// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// 1. Two kernels are alike when their ops, types, attributes and orders are, whatever their locations.
// 2. Their arrays have to lie alike: what is one buffer in one is one in the other, parts of one array are equally far
//    apart, what stays in VMEM lies in the same words, and true sizes are the same words of SMEM.
// 3. The second is the first one's twin: it has its plan, and of its routine names of buffers, and source lines, that
//    stand for others.
#include "passes/plan/twins.h"

#include "mlir/IR/OperationSupport.h"

using namespace mlir;

namespace tpuc::plan {
namespace {

constexpr auto kFlags = OperationEquivalence::IgnoreLocations;

// Whether both compute the same of operands of the same types.
bool areAlike(kernel::FusionOp a, kernel::FusionOp b) {
  DenseMap<Value, Value> inside;  // of a's region, in b's
  auto same = [&](Value x, Value y) {
    auto it = inside.find(x);
    return success(it == inside.end() ? x.getType() == y.getType() : it->second == y);
  };
  auto mark = [&](Value x, Value y) { inside[x] = y; };
  return OperationEquivalence::isEquivalentTo(a, b, same, mark, kFlags);
}

}  // namespace

Twins::Twins(const BufferPlan &plan) : plan_(plan) {
  for (const BufferPlan::View &view : plan.views) views_[view.symbol] = {view.whole, view.offset};
}

SmallVector<std::string> Twins::buffersOf(kernel::FusionOp op) const {
  SmallVector<std::string> buffers;
  for (Value v : llvm::concat<Value>(SmallVector<Value>(op.getInputs()), SmallVector<Value>(op.getOutputs())))
    buffers.push_back(plan_.symbol.lookup(v));
  return buffers;
}

size_t Twins::hashOf(kernel::FusionOp op, ArrayRef<std::string> buffers) const {
  llvm::hash_code hash = llvm::hash_combine_range(op->operand_type_begin(), op->operand_type_end());
  for (int64_t n : patternOf(buffers)) hash = llvm::hash_combine(hash, n);
  op->walk([&](Operation *inner) {
    hash = llvm::hash_combine(hash, OperationEquivalence::computeHash(inner, OperationEquivalence::ignoreHashValue,
                                                                      OperationEquivalence::ignoreHashValue, kFlags));
  });
  return hash;
}

// Which buffers are parts of one array, and how far each is from the first of them.
SmallVector<int64_t> Twins::patternOf(ArrayRef<std::string> buffers) const {
  SmallVector<Place> wholes;
  SmallVector<int64_t> pattern;
  for (const std::string &symbol : buffers) {
    auto view = views_.find(symbol);
    const Place place = view == views_.end() ? Place{symbol, 0} : view->second;
    auto known = llvm::find_if(wholes, [&](const Place &other) { return other.whole == place.whole; });
    pattern.push_back(known - wholes.begin());
    pattern.push_back(known == wholes.end() ? 0 : place.offset - known->offset);
    if (known == wholes.end()) wholes.push_back(place);
  }
  return pattern;
}

bool Twins::liesAlike(StringRef a, StringRef b) const {
  if (a.empty() != b.empty()) return false;  // an array of no element lies nowhere
  auto x = plan_.residents.find(a), y = plan_.residents.find(b);
  if (x == plan_.residents.end() || y == plan_.residents.end()) return x == y;
  return llvm::equal(x->second, y->second);
}

const Twins::Kernel *Twins::find(kernel::FusionOp op, ArrayRef<std::string> buffers,
                                 ArrayRef<int64_t> sizeWords) const {
  auto [first, last] = kernels_.equal_range(hashOf(op, buffers));
  for (auto it = first; it != last; ++it) {
    const Kernel &kernel = it->second;
    if (areAlike(kernel.op, op) && kernel.sizeWords == sizeWords && patternOf(kernel.buffers) == patternOf(buffers) &&
        llvm::all_of(llvm::zip(kernel.buffers, buffers),
                     [&](auto pair) { return liesAlike(std::get<0>(pair), std::get<1>(pair)); }))
      return &kernel;
  }
  return nullptr;
}

void Twins::add(Kernel kernel) {
  const size_t hash = hashOf(kernel.op, kernel.buffers);
  kernels_.emplace(hash, std::move(kernel));
}

}  // namespace tpuc::plan
