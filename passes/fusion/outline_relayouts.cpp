// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reshapes that move elements, with the transposes, broadcasts and other reshapes around them: one kernel, where runs
// along lanes stay together. Kernel by kernel each of them would be written and read again.
#include "mlir/IR/IRMapping.h"
#include "passes/analysis/relayout.h"
#include "passes/fusion/group.h"
#include "passes/plan/grid/arrays.h"
#include "passes/plan/question.h"

using namespace mlir;

namespace tpuc::fusion {
namespace {

using Chain = SmallVector<Operation *>;

RankedTensorType typeOf(Value v) { return cast<RankedTensorType>(v.getType()); }

bool movesElements(Operation *op) {
  auto reshape = dyn_cast<stablehlo::ReshapeOp>(op);
  return reshape && !isLoopOp(op) && !kernel::haveSameBytes(typeOf(reshape.getOperand()), reshape.getType());
}

kernel::FusionOp outlined(const Chain &chain) {
  OpBuilder b(chain.back());
  Value input = chain.front()->getOperand(0), result = chain.back()->getResult(0);
  auto fusion = kernel::FusionOp::create(b, chain.back()->getLoc(), result.getType(), b.getStringAttr("relayout"),
                                         input, ArrayAttr(), ArrayAttr());
  Block *body = b.createBlock(&fusion.getBody());
  IRMapping map;
  map.map(input, body->addArgument(input.getType(), input.getLoc()));
  b.setInsertionPointToEnd(body);
  for (Operation *op : chain) b.clone(*op, map);
  kernel::YieldOp::create(b, chain.back()->getLoc(), map.lookup(result));
  return fusion;
}

class Outliner {
 public:
  explicit Outliner(const plan::Question &question) : question_(question) {}
  // The ops that it took into a kernel.
  Chain outlineAround(Operation *reshape);

 private:
  bool hasKernel(const Chain &chain) const {
    if (!analysis::relayoutOf(chain)) return false;
    kernel::FusionOp fusion = outlined(chain);
    const bool has = question_.hasRelayout(fusion);
    fusion->erase();
    return has;
  }

  bool isSoonerCopied(stablehlo::ReshapeOp reshape) const;

  const plan::Question &question_;
};

// Whether transfers that leave padding out take less than blocks do. Unlike them, blocks may lie in VMEM, where the
// kernels that make and read them have theirs.
bool Outliner::isSoonerCopied(stablehlo::ReshapeOp reshape) const {
  RankedTensorType from = typeOf(reshape.getOperand()), to = reshape.getType();
  if (!takesFewTransfers(from, to)) return false;
  auto hasBlocks = [](Operation *op) { return op && (isLoopOp(op) || mlir::isa<stablehlo::DotGeneralOp>(op)); };
  const bool isMade = hasBlocks(reshape.getOperand().getDefiningOp()),
             isRead = llvm::all_of(reshape->getUsers(), hasBlocks);
  auto copied = question_.bytesOfCopy(from, to);
  return copied && *copied <= question_.bytesOfBlocks(from, isMade) + question_.bytesOfBlocks(to, isRead);
}

// What the op reads, where nothing else does.
Operation *before(Operation *op) {
  Operation *def = op->getOperand(0).getDefiningOp();
  return def && def->hasOneUse() && def->getBlock() == op->getBlock() && analysis::isRelayoutOp(def) ? def : nullptr;
}

// The op that alone reads it. A broadcast is read where it lies by whoever reads it.
Operation *behind(Operation *op) {
  if (!op->hasOneUse()) return nullptr;
  Operation *user = *op->user_begin();
  const bool moves = user->getBlock() == op->getBlock() && analysis::isRelayoutOp(user);
  return moves && !mlir::isa<stablehlo::BroadcastInDimOp>(user) ? user : nullptr;
}

Chain Outliner::outlineAround(Operation *reshape) {
  Chain chain{reshape};
  if (!hasKernel(chain)) chain.clear();
  // The chain may only have a kernel with what is around it: rows that part and join again.
  Chain longer{reshape}, best = chain;
  for (Operation *op = reshape; (op = before(op));) {
    longer.insert(longer.begin(), op);
    if (hasKernel(longer)) best = longer;
  }
  longer = best.empty() ? Chain{reshape} : best;
  for (Operation *op = reshape; (op = behind(op));) {
    longer.push_back(op);
    if (hasKernel(longer)) best = longer;
  }
  if (best.size() == 1 && isSoonerCopied(cast<stablehlo::ReshapeOp>(reshape))) return {};
  if (!best.empty()) best.back()->replaceAllUsesWith(outlined(best));
  return best;
}

// Where several reshapes read one array, each reads the smallest result of those before it that has its last dim, if
// that is smaller than the array. With heads of 64 along lanes, an array [.., heads, 64] has twice the bytes of
// [.., heads * 64]: what reads the latter is one kernel with the transpose before it, and the former is never stored.
void readSmallest(ArrayRef<Operation *> reshapes) {
  auto bytes = [](Value v) { return plan::Array(typeOf(v)).hbmBytes(); };
  for (Operation *op : reshapes) {
    Value array = op->getOperand(0);
    Operation *smallest = nullptr;
    for (Operation *user : array.getUsers())
      if (user != op && user->getBlock() == op->getBlock() && user->isBeforeInBlock(op) && movesElements(user) &&
          typeOf(user->getResult(0)).getShape().back() == typeOf(op->getResult(0)).getShape().back() &&
          (!smallest || bytes(user->getResult(0)) < bytes(smallest->getResult(0))))
        smallest = user;
    if (smallest && bytes(smallest->getResult(0)) < bytes(array)) op->setOperand(0, smallest->getResult(0));
  }
}

}  // namespace

void outlineRelayouts(func::FuncOp func, const plan::Question &question) {
  SmallVector<Operation *> reshapes;
  func.walk([&](Operation *op) {
    if (movesElements(op)) reshapes.push_back(op);
  });
  readSmallest(reshapes);
  Outliner outliner(question);
  DenseSet<Operation *> taken;
  for (Operation *op : reshapes) {
    if (taken.contains(op)) continue;
    const Chain chain = outliner.outlineAround(op);
    for (Operation *moved : llvm::reverse(chain)) {
      taken.insert(moved);
      moved->erase();
    }
  }
}

}  // namespace tpuc::fusion
