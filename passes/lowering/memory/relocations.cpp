// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// All copies that do not meet are under way together.
#include "passes/lowering/memory/relocations.h"

#include "passes/lowering/grid/transfers.h"

using namespace mlir;

namespace tpuc::lowering {

// Moves all of an array as one block. The block lies as `place` says; on the other side the array lies in HBM, or as
// `other` says.
static void startWhole(Code &c, const Resident &place, const Origin &hbm, const Resident *other, bool leaves,
                       int64_t semaphore) {
  Domain domain;
  domain.dims = domain.block = {1, 1};
  const int64_t rank = place.type.getRank();
  Array array(place.type, llvm::to_vector(llvm::seq<int64_t>(0, rank)));
  ArrayBlock block(array, DimMap(rank, kUnit));
  block.view = &domain;
  block.origin = hbm;
  block.resident = other;
  block.isResult = leaves;
  block.rowsHeld = place.colWords * array.pack;
  block.leadWords = place.leadWords;
  emitBlockDma(c, domain, block, SmallVector<Linear>(2), Linear(place.word), c.i64(semaphore));
}

void startFetch(Code &c, const std::string &from, const Resident &place, int64_t semaphore) {
  startWhole(c, place, {from, {}}, nullptr, false, semaphore);
}

// Where a storage has the array in VMEM; null: in HBM.
static const Resident *placeIn(const BufferPlan &plan, const std::string &symbol, Type type) {
  auto places = plan.residents.find(symbol);
  if (places == plan.residents.end()) return nullptr;
  const auto *place = llvm::find_if(places->second, [&](const Resident &r) { return r.type == type; });
  assert(place != places->second.end() && "an array in VMEM has a place for each of its types");
  return place;
}

static void startInHbm(Code &c, StringRef from, StringRef to, const Relocation &copy) {
  OpBuilder &b = c.b;
  auto symbol = [&](StringRef name) { return FlatSymbolRefAttr::get(b.getContext(), name); };
  auto hbm = b.getStringAttr("hbm");
  auto none = b.getDenseI64ArrayAttr({});
  tpu::DmaStartOp::create(b, c.loc, c.i64(0), c.i64(0), c.i64(0), hbm, hbm, symbol(from), symbol(to),
                          b.getI64IntegerAttr(copy.from.offset), b.getI64IntegerAttr(copy.to.offset),
                          b.getI64IntegerAttr(copy.bytes), none, none, none);
}

static void start(Code &c, const BufferPlan &plan, const Relocation &copy) {
  const std::string &from = plan.entries[copy.from.storage].symbol, &to = plan.entries[copy.to.storage].symbol;
  const Resident *source = placeIn(plan, from, copy.type), *target = placeIn(plan, to, copy.type);
  if (target)
    startWhole(c, *target, {from, Linear(copy.from.offset)}, source, false, 0);
  else if (source)
    startWhole(c, *source, {to, Linear(copy.to.offset)}, nullptr, true, 0);
  else
    startInHbm(c, from, to, copy);
}

void emitRelocations(Code &c, const BufferPlan &plan, ArrayRef<Relocation> copies) {
  SmallVector<const Relocation *> underWay;
  auto wait = [&] {
    if (!underWay.empty()) c.inst("dma.wait", {}, {{"imm", 0}, {"count", static_cast<int64_t>(underWay.size())}});
    underWay.clear();
  };
  for (const Relocation &copy : copies) {
    auto meets = [&](const Relocation *other) {
      return other->to.storage == copy.from.storage || other->to.storage == copy.to.storage ||
             other->from.storage == copy.to.storage;
    };
    if (llvm::any_of(underWay, meets)) wait();
    start(c, plan, copy);
    underWay.push_back(&copy);
  }
  wait();
}

}  // namespace tpuc::lowering
