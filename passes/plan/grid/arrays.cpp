// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Geometry of arrays and blocks.
#include "passes/plan/grid/arrays.h"

#include <numeric>

#include "dialects/stablehlo/stablehlo.h"
#include "passes/analysis/strides.h"

using namespace mlir;

namespace tpuc::plan {

Array::Array(RankedTensorType type, ArrayRef<int64_t> order)
    : type(type), order(order), stored(type), first(type.getRank(), 0), step(type.getRank(), 1) {
  auto [elements, size] = analysis::Packing::of(type.getElementType());
  pack = elements;
  bytes = size;
}

Array Array::of(Operation *op, ArrayRef<int64_t> order) {
  Array array(cast<RankedTensorType>(op->getResult(0).getType()), order);
  array.stored = cast<RankedTensorType>(op->getOperand(0).getType());
  int64_t rank = array.rank();
  if (analysis::isShuffledView(op)) {
    if (analysis::isShuffled(op, order[rank - 2])) array.rowShuffle = analysis::shuffleOf(op, order[rank - 2]);
    if (analysis::isShuffled(op, order[rank - 1])) array.laneShuffle = analysis::shuffleOf(op, order[rank - 1]);
    if (auto pad = dyn_cast<stablehlo::PadOp>(op))
      array.padding = cast<TypedAttr>(
          cast<DenseElementsAttr>(pad.getPaddingValue().getDefiningOp<stablehlo::ConstantOp>().getValue())
              .getSplatValue<Attribute>());
  }
  auto slice = dyn_cast<stablehlo::SliceOp>(op);
  if (!slice) return array;
  for (int64_t phys = 0; phys < rank; ++phys) {
    if (array.isShuffled(phys)) continue;
    array.first[phys] = slice.getStartIndices()[order[phys]];
    array.step[phys] = slice.getStrides()[order[phys]];
  }
  int64_t lanes = rank == 1 ? 128 * array.pack : 128;
  array.laneShift = array.first[rank - 1] % lanes;
  array.first[rank - 1] -= array.laneShift;
  if (rank == 1) return array;
  array.rowShift = array.first[rank - 2] % array.tileRows();
  array.first[rank - 2] -= array.rowShift;
  return array;
}

int64_t Array::leadStrideBytes(int64_t phys) const {
  auto size = [&](int64_t d) { return stored.getDimSize(order[d]); };
  int64_t stride = llvm::divideCeil(size(rank() - 2), tileRows()) * rowTileStrideBytes();
  for (int64_t d = rank() - 3; d > phys; --d) stride *= size(d);
  return stride;
}

int64_t Array::hbmBytes() const {
  if (isVector()) return vectorWords() * isa::kWordBytes;
  int64_t bytes = rowTiles() * colTiles() * isa::kVregBytes;
  for (int64_t d = 0; d < rank() - 2; ++d) bytes *= extent(d);
  return bytes;
}

static Resident vectorResident(const Array &array, int64_t unitRows) {
  Resident r;
  r.type = array.type;
  r.rowsHeld = llvm::alignTo(array.vectorWords() * array.pack, std::lcm(unitRows, 8 * array.pack));
  r.words = r.colWords = r.rowsHeld / array.pack;
  return r;
}

Resident Resident::of(const Array &array, int64_t unitRows, int64_t unitTiles) {
  if (array.isVector()) return vectorResident(array, unitRows);
  Resident r;
  r.type = array.type;
  r.rowsHeld = llvm::alignTo(array.rows(), std::lcm(unitRows, array.tileRows()));
  r.colTiles = llvm::alignTo(array.colTiles(), unitTiles);
  r.colWords = r.rowsHeld / array.pack;
  r.words = r.colTiles * r.colWords;
  r.leadWords.resize(array.rank() - 2);
  for (int64_t phys = array.rank() - 3; phys >= 0; --phys) {
    r.leadWords[phys] = r.words;
    r.words *= array.extent(phys);
  }
  return r;
}

Resident Resident::ofJoined(const Array &array, int64_t unitTiles) {
  if (array.isVector()) return vectorResident(array, array.tileRows());
  Resident r;
  r.type = array.type;
  r.rowsHeld = llvm::alignTo(array.rows(), array.tileRows());
  r.colTiles = llvm::alignTo(array.colTiles(), unitTiles);
  r.colWords = r.rowsHeld / array.pack;
  r.leadWords.resize(array.rank() - 2);
  for (int64_t phys = array.rank() - 3; phys >= 0; --phys) {
    r.leadWords[phys] = r.colWords;
    r.colWords *= array.extent(phys);
  }
  r.words = r.colTiles * r.colWords;
  return r;
}

int64_t ArrayBlock::blockedDim(const Domain &domain, int64_t phys) const {
  int64_t d = map[array.order[phys]];
  // A result is cut wherever a grid step writes it; an input off its own axis is held whole.
  bool alongLanes = d == domain.c() || (isResult && d == domain.r());
  bool cutsTile =
      domain.cutsTiles && d >= 0 && d != domain.r() && (array.isVector() || d != domain.c()) && !array.isSlice();
  // Where tiles are cut, so are vectors along lanes. One of 32 KiB or less is held whole: a cut would be of 128
  // elements or more, of i1 of 512, and the same of arrays that have a tile or more for each of them.
  constexpr int64_t kShortWords = 64;
  const bool isShort = !isResult && array.vectorWords() <= kShortWords;
  if (array.isVector())
    return d == kLinear ? domain.r() : (isResult && alongLanes) || (cutsTile && !isShort) ? d : kUnit;
  if (array.isShuffled(phys)) return d;
  int64_t rank = array.rank();
  if (phys < rank - 2) return d;                                         // leading: follows its dim, r too
  if (phys == rank - 2) return d == domain.r() || cutsTile ? d : kUnit;  // sublanes
  return alongLanes ? d : kUnit;                                         // lanes
}

bool ArrayBlock::dependsOn(const Domain &domain, int64_t d) const {
  for (int64_t phys = 0; phys < array.rank(); ++phys)
    if (blockedDim(domain, phys) == d) return true;
  return false;
}

Halo ArrayBlock::movedTiles(const Domain &domain, int64_t phys) const {
  const analysis::Shuffle &s = *array.shuffle(phys);
  int64_t d = map[array.order[phys]], block = domain.block[d];
  Halo halo{block * s.step, -s.first, s.every, 0, phys == array.rank() - 1 ? 128 : array.tileRows()};
  // Positions run backwards: the block's last one has the first element.
  if (s.step < 0) halo.low = -(s.first + (block - 1) * s.step);
  // Gaps count as positions of the array here. Where all blocks begin at one place of a tile, that place is known.
  int64_t tile = halo.tile * s.every, reach = (block - 1) * std::abs(s.step);
  int64_t begin = domain.steps(d) == 1 || halo.step % tile == 0 ? (-halo.low % tile + tile) % tile : tile - 1;
  halo.held =
      std::min((begin + reach) / tile + 1, static_cast<int64_t>(llvm::divideCeil(array.held(phys), halo.tile))) *
      halo.tile;
  return halo;
}

int64_t ArrayBlock::blockElements(const Domain &domain) const {
  if (array.rank() == 0) return 1;
  if (map[0] == kLinear) return domain.block[domain.r()] * 128;
  int64_t d = blockedDim(domain, 0);
  return d == kUnit ? std::max<int64_t>(array.extent(0), 1) : domain.block[d];
}

void ArrayBlock::layOut(const Domain &domain) {
  int64_t rank = array.rank();
  extents.assign(rank, 0);
  leadWords.assign(std::max<int64_t>(rank - 2, 0), 0);
  if (array.isVector()) {
    bool linear = rank == 1 && map[0] == kLinear;
    int64_t elements = blockElements(domain);
    rowsHeld = llvm::alignTo(llvm::divideCeil(elements, 128), linear ? domain.unitRows() : array.pack);
    if (rank && blockedDim(domain, 0) == domain.c())
      rowsHeld = llvm::alignTo(rowsHeld, std::lcm(domain.heldTiles, array.pack));
    slotWords = llvm::alignTo(rowsHeld / array.pack, 8);
    if (rank) extents[0] = rowsHeld * 128;
    return;
  }
  for (int64_t phys = 0; phys < rank; ++phys) {
    int64_t d = blockedDim(domain, phys);
    extents[phys] = d == kUnit ? array.held(phys) : domain.block[d];
    if (array.isShuffled(phys)) halos[phys] = movedTiles(domain, phys);
    if (auto halo = halos.find(phys); halo != halos.end()) extents[phys] = halo->second.held;
    // A vreg that runs over the view's end loads what lies there.
    if (int64_t unit = phys == rank - 1 ? 128 : domain.unitRows(); array.isShuffled(phys) && domain.dims[d] % unit)
      extents[phys] += unit;
    // Strided accesses along r run to whole units of rows.
    if (phys < rank - 2 && map[array.order[phys]] == domain.r())
      extents[phys] = llvm::alignTo(extents[phys], std::lcm(domain.unitRows(), domain.heldRows));
  }
  bool followsRows = blockedDim(domain, rank - 2) == domain.r();
  bool followsLanes = blockedDim(domain, rank - 1) == domain.c();
  // Transfers bring whole tiles, which may be longer than the space's units: those of bf16 where results are f32.
  int64_t unit = followsRows ? std::lcm(domain.unitRows(), domain.heldRows) : 1;
  rowsHeld = llvm::alignTo(extents[rank - 2], std::lcm(unit, array.tileRows()));
  int64_t words = llvm::alignTo(llvm::divideCeil(extents[rank - 1], 128), followsLanes ? domain.heldTiles : 1) *
                  (rowsHeld / array.pack);
  for (int64_t phys = rank - 3; phys >= 0; --phys) {
    leadWords[phys] = words;
    words *= extents[phys];
  }
  slotWords = words;
}

int64_t ArrayBlock::movedWords() const {
  if (!isBrought()) return 0;
  if (array.isVector()) return slotWords;
  int64_t rank = array.rank(), words = 8;
  for (int64_t phys = 0; phys < rank; ++phys) {
    int64_t extent = std::min(extents[phys], array.held(phys));
    if (auto halo = halos.find(phys); halo != halos.end()) extent = std::min(extent, halo->second.held);
    words *= phys == rank - 1   ? llvm::divideCeil(extent, 128)
             : phys == rank - 2 ? llvm::divideCeil(extent, array.tileRows())
                                : extent;
  }
  return words;
}

// Where a block's words along a physical dim begin: at the first element plus a number of them for each block before
// it.
struct Begin {
  int64_t first, step;
  bool operator==(const Begin &) const = default;
};

// Nothing where blocks do not all begin so: where tiles begin in turn, or the last one is moved into the array.
static std::optional<Begin> beginOf(const ArrayBlock &block, const Domain &domain, int64_t phys) {
  const Array &a = block.array;
  const int64_t d = block.blockedDim(domain, phys), steps = d == kUnit ? 1 : domain.steps(d);
  auto halo = block.halos.find(phys);
  if (halo == block.halos.end()) return Begin{a.first[phys], steps == 1 ? 0 : domain.block[d] * a.step[phys]};
  const auto &[step, low, dilation, held, tile] = halo->second;
  const int64_t first = -low / tile * tile, size = a.stored.getDimSize(a.order[phys]);
  const bool isInside =
      low <= 0 && (steps - 1) * step + first + held <= static_cast<int64_t>(llvm::alignTo(size, tile));
  if (dilation != 1 || (steps > 1 && step % tile) || !isInside) return std::nullopt;
  return Begin{first, steps == 1 ? 0 : step};
}

bool ArrayBlock::liesWithin(const ArrayBlock &other, const Domain &domain) const {
  const int64_t rank = array.rank();
  auto stepOf = [&](const ArrayBlock &block, int64_t phys) {
    const analysis::Shuffle *shuffle = block.array.shuffle(phys);
    return shuffle ? shuffle->step : block.array.step[phys];
  };
  if (operand < 0 || operand != other.operand || view != other.view || !isBrought() || !other.isBrought() ||
      array.isVector() || array.stored != other.array.stored || array.order != other.array.order || map != other.map ||
      array.padding != other.array.padding || array.rowShift || array.laneShift || other.array.rowShift ||
      other.array.laneShift)
    return false;
  for (int64_t phys = 0; phys < rank; ++phys) {
    const auto begin = beginOf(*this, domain, phys), its = beginOf(other, domain, phys);
    const bool fits = phys < rank - 2 ? extents[phys] == other.extents[phys] : extents[phys] <= other.extents[phys];
    if (!begin || begin != its || !fits || stepOf(*this, phys) != 1 || stepOf(other, phys) != 1) return false;
  }
  return true;
}

void ArrayBlock::layOutWithin(const ArrayBlock &other) {
  within = &other;
  extents = other.extents;
  leadWords = other.leadWords;
  rowsHeld = other.rowsHeld;
  slotWords = other.slotWords;
  region = other.region;
  word = other.word;
  base = other.base;
}

// How far accesses along a dim of `size` reach, in units of the same: a dim that is cut must be cut where its units
// end.
static bool staysWithin(int64_t size, int64_t block, bool cut, int64_t unit, int64_t held, bool exactTails) {
  if (!cut) return static_cast<int64_t>(llvm::alignTo(block, unit)) <= held;
  if (block % unit || (size % block && !exactTails)) return false;
  return static_cast<int64_t>(llvm::alignTo(size, unit)) <= held;
}

bool ArrayBlock::worksInPlace(const Domain &domain, bool exactTails) const {
  if (!resident || isCopied || array.isSlice()) return false;
  auto cutAlong = [&](int64_t phys) {
    int64_t d = blockedDim(domain, phys);
    return d != kUnit && domain.steps(d) > 1;
  };
  int64_t rowUnit = std::lcm(domain.unitRows(), domain.heldRows);
  if (array.isVector()) {
    if (!array.rank() || !cutAlong(0)) return slotWords <= resident->words;
    int64_t d = blockedDim(domain, 0), block = blockElements(domain);
    bool linear = map[0] == kLinear;
    int64_t size = linear ? domain.dims[d] * 128 : domain.dims[d];
    return staysWithin(size, block, true, 128 * (linear ? domain.unitRows() : array.pack), resident->rowsHeld * 128,
                       exactTails);
  }
  int64_t rank = array.rank();
  for (int64_t phys = 0; phys < rank - 2; ++phys) {
    int64_t d = blockedDim(domain, phys);
    bool strided = map[array.order[phys]] == domain.r();
    if (halos.contains(phys)) {
      if (extents[phys] > array.extent(phys)) return false;
      continue;
    }
    if (!staysWithin(array.extent(phys), d == kUnit ? array.extent(phys) : domain.block[d], cutAlong(phys),
                     strided ? rowUnit : 1, array.extent(phys), exactTails))
      return false;
  }
  bool followsRows = blockedDim(domain, rank - 2) == domain.r(),
       followsLanes = blockedDim(domain, rank - 1) == domain.c();
  int64_t rowDim = blockedDim(domain, rank - 2), rowBlock = rowDim == kUnit ? array.rows() : domain.block[rowDim],
          laneBlock = followsLanes ? domain.block[domain.c()] : array.cols();
  return staysWithin(array.rows(), rowBlock, cutAlong(rank - 2),
                     followsRows ? std::lcm(rowUnit, array.tileRows()) : array.tileRows(), resident->rowsHeld,
                     exactTails) &&
         staysWithin(array.cols(), laneBlock, cutAlong(rank - 1), 128 * (followsLanes ? domain.heldTiles : 1),
                     resident->colTiles * 128, exactTails);
}

void ArrayBlock::layOutInPlace() {
  inPlace = true;
  slotWords = 0;
  rowsHeld = resident->colWords * array.pack;
  leadWords.assign(resident->leadWords.begin(), resident->leadWords.end());
}

}  // namespace tpuc::plan
