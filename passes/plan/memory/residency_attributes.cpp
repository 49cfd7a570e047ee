// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What stays in VMEM, in the IR: `kernel.places` of the ops that make it, and `kernel.apart`.
#include "dialects/diagnostics/diagnose.h"
#include "dialects/kernel/counts.h"
#include "dialects/kernel/plan.h"
#include "dialects/stablehlo/stablehlo.h"
#include "passes/plan/memory/resident_candidates.h"

using namespace mlir;

namespace tpuc::plan {
namespace {

// The places of `v` in the order of its op's attribute: the place of its own type comes first.
ArrayAttr placesOf(const Residency::Kept &kept, OpResult v, int64_t over) {
  MLIRContext *context = v.getContext();
  SmallVector<Attribute> places;
  auto add = [&](const Resident &r) {
    SmallVector<int64_t> strides{r.colWords};
    llvm::append_range(strides, r.leadWords);
    places.push_back(kernel::PlaceAttr::get(context, r.type, r.word, r.words, r.rowsHeld, r.colTiles, strides, over));
  };
  for (bool isFirst : {true, false})
    for (const Resident &r : kept.places)
      if ((r.type == v.getType()) == isFirst) add(r);
  return ArrayAttr::get(context, places);
}

// Which input of the kernel that makes `kept` lies in storage `over`; -1: none does.
int64_t inputIn(const StorageMap &map, const Residency::Kept &kept) {
  if (kept.over < 0) return -1;
  auto inputs = kept.whole.getDefiningOp<kernel::FusionOp>().getInputs();
  return llvm::find_if(inputs, [&](Value v) { return map.placeOf(v).storage == kept.over; }) - inputs.begin();
}

// What an op says of one of its results; null: it lies in HBM.
ArrayAttr placesSaid(OpResult result) {
  auto all = result.getOwner()->getAttrOfType<ArrayAttr>(kernel::kPlacesAttr);
  auto places = all ? cast<ArrayAttr>(all[result.getResultNumber()]) : ArrayAttr();
  return places && !places.empty() ? places : ArrayAttr();
}

// Whether the array is said to have the candidate's rows.
bool saysRows(ArrayAttr said, const Candidate &c) {
  auto first = cast<kernel::PlaceAttr>(said[0]);
  return llvm::any_of(c.kept.places, [&](const Resident &r) {
    return r.type == first.getType() && r.rowsHeld == static_cast<int64_t>(first.getRows());
  });
}

// The storage of a result that has its place in VMEM. A loop's result has that of the value that the loop carries.
int64_t storageSaid(const StorageMap &map, OpResult v) {
  Operation *op = v.getOwner();
  return (mlir::isa<stablehlo::WhileOp>(op) ? map.carriedPlace(op, v.getResultNumber()) : map.placeOf(v)).storage;
}

}  // namespace

LogicalResult readResidency(func::FuncOp main, const target::Target &target, StorageMap &map, Residency &out) {
  // Those below others have been made before them.
  auto inOrder = [&](RowRoom rows) {
    SmallVector<Candidate> all = candidatesOf(main, target, map, out, rows);
    llvm::stable_sort(all, [](const Candidate &a, const Candidate &b) { return a.kept.first < b.kept.first; });
    return all;
  };
  SmallVector<Candidate> tiles = inOrder(RowRoom::kTiles), few = inOrder(RowRoom::kFew);
  DenseMap<int64_t, const Candidate *> read;  // by storage
  for (auto [tiled, other] : llvm::zip(tiles, few)) {
    OpResult sayer = tiled.kept.held.front();
    ArrayAttr said = placesSaid(sayer);
    if (!said) continue;
    Candidate &c = saysRows(said, tiled) ? tiled : other;
    auto first = cast<kernel::PlaceAttr>(said[0]);
    c.moveTo(first.getWord());
    if (first.getOver() >= 0 && !c.kept.isCarried) {
      Value below = cast<kernel::FusionOp>(sayer.getOwner()).getInputs()[first.getOver()];
      const Candidate *under = read.lookup(map.placeOf(below).storage);
      if (under && mayLieOver(c, *under, target)) layOver(c, *under);
    }
    for (OpResult v : c.kept.held)
      if (ArrayAttr expected = placesOf(c.kept, v, inputIn(map, c.kept)); expected != placesSaid(v))
        return diagnose(v.getOwner(), codes::kBrokenStage)
               << "expects places in VMEM as the array's tiles and readers ask for, " << expected << ", but got "
               << placesSaid(v);
    read[c.storage] = &c;
    keep(c, map, out);
  }
  // Whatever else says so may not.
  WalkResult walk = main.walk([&](Operation *op) -> WalkResult {
    for (OpResult result : op->getResults()) {
      if (!placesSaid(result) || out.kept.contains(storageSaid(map, result))) continue;
      diagnose(op, codes::kBrokenStage)
          << "expects an array in VMEM to be a temporary that kernels read in whole blocks, and one core alone, but "
             "got result "
          << result.getResultNumber();
      return WalkResult::interrupt();
    }
    return WalkResult::advance();
  });
  return failure(walk.wasInterrupted());
}

void writeResidency(func::FuncOp main, const StorageMap &map, const Residency &residency) {
  for (const auto &[storage, kept] : residency.kept)
    for (OpResult v : kept.held) {
      Operation *op = v.getOwner();
      Builder b(op->getContext());
      auto old = op->getAttrOfType<ArrayAttr>(kernel::kPlacesAttr);
      SmallVector<Attribute> places = old ? SmallVector<Attribute>(old.getValue())
                                          : SmallVector<Attribute>(op->getNumResults(), b.getArrayAttr({}));
      places[v.getResultNumber()] = placesOf(kept, v, inputIn(map, kept));
      op->setAttr(kernel::kPlacesAttr, b.getArrayAttr(places));
    }
  main.walk([&](stablehlo::WhileOp loop) {
    SmallVector<int64_t> apart;
    for (OpResult result : loop->getResults())
      if (map.isApart(result)) apart.push_back(result.getResultNumber());
    if (!apart.empty()) loop->setAttr(kernel::kApartAttr, Builder(loop).getDenseI64ArrayAttr(apart));
  });
}

}  // namespace tpuc::plan
