// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A twin is its original with names of buffers, and source lines, that stand for others.
#include "passes/lowering/emit_twin.h"

using namespace mlir;

namespace tpuc::lowering {

tpu::TwinOp emitTwin(OpBuilder &b, StringRef name, kernel::FusionOp op, ArrayRef<std::string> buffers,
                     const plan::Twins::Kernel &original, int64_t number) {
  auto routine = cast<tpu::RoutineOp>(original.routine);
  SmallVector<Attribute> from, to, lines;
  llvm::DenseMap<Attribute, Attribute> renamed;
  for (auto [a, c] : llvm::zip(original.buffers, buffers)) {
    if (a.empty()) continue;
    Attribute own = FlatSymbolRefAttr::get(b.getContext(), a), other = FlatSymbolRefAttr::get(b.getContext(), c);
    if (!renamed.try_emplace(own, other).second) continue;
    from.push_back(own);
    to.push_back(other);
  }
  SmallVector<Location> first, second;
  original.op->walk([&](Operation *inner) { first.push_back(inner->getLoc()); });
  op->walk([&](Operation *inner) { second.push_back(inner->getLoc()); });
  llvm::SmallPtrSet<Attribute, 8> seen;
  for (auto [a, c] : llvm::zip(first, second)) {
    if (a == c || !seen.insert(LocationAttr(a)).second) continue;
    lines.push_back(LocationAttr(a));
    lines.push_back(LocationAttr(c));
  }
  NamedAttrList facts(routine.getFactsAttr());
  if (auto onChip = dyn_cast_or_null<ArrayAttr>(facts.get("on_chip"))) {
    SmallVector<Attribute> own;
    for (Attribute symbol : onChip) own.push_back(renamed.lookup(symbol));
    facts.set("on_chip", b.getArrayAttr(own));
  }
  facts.set("number", b.getI64IntegerAttr(number));
  return tpu::TwinOp::create(b, op.getLoc(), b.getStringAttr(name), FlatSymbolRefAttr::get(routine.getSymNameAttr()),
                             b.getArrayAttr(from), b.getArrayAttr(to),
                             lines.empty() ? ArrayAttr() : b.getArrayAttr(lines), facts.getDictionary(b.getContext()));
}

}  // namespace tpuc::lowering
