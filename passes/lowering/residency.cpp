// 1. Candidates: temporaries that one kernel makes and others of the same block read, all of kinds that move whole blocks.
// 2. The greatest saving of HBM traffic first: each takes the lowest place that nothing alive at the same time has, if there is one
//    below the limit that leaves the kernels room for their blocks.
#include "passes/lowering/residency.h"

#include "dialects/kernel/kernel.h"
#include "passes/lowering/kernels.h"

using namespace mlir;

namespace tpuc::lowering {
namespace {

constexpr int64_t kBlockBytes = int64_t{16} << 20;  // enough for blocks that are bound by their work, not by their ends

struct Candidate {
  int64_t storage, first, last, saved;
  Residency::Kept kept;
};

// A kernel whose blocks a grid moves.
bool movesBlocks(Operation *op) {
  auto fusion = dyn_cast<kernel::FusionOp>(op);
  return fusion && (fusion.getKind() == "loop" || fusion.getKind() == "dot");
}

// How many rows, and column tiles, the kernel may walk at once.
void widen(kernel::FusionOp fusion, const target::Target &target, int64_t &rows, int64_t &tiles) {
  for (Value v : llvm::concat<Value>(llvm::to_vector(fusion->getOperands()), llvm::to_vector(fusion->getResults())))
    rows = std::max(rows, 8 * Array(cast<RankedTensorType>(v.getType()), llvm::to_vector(llvm::seq<int64_t>(0, cast<RankedTensorType>(v.getType()).getRank()))).pack);
  if (fusion.getKind() == "dot") tiles = std::max<int64_t>(tiles, target.core().mxu_side() / 128);
}

std::optional<Candidate> candidateOf(Value v, const target::Target &target, const DenseMap<Operation *, int64_t> &number) {
  Operation *def = v.getDefiningOp();
  auto type = dyn_cast<RankedTensorType>(v.getType());
  if (!def || !type || type.getNumElements() == 0 || !movesBlocks(def) || !kernel::planesOf(type.getElementType()).empty() || v.use_empty()) return std::nullopt;
  int64_t rows = 8, tiles = 1, last = number.lookup(def);
  widen(cast<kernel::FusionOp>(def), target, rows, tiles);
  for (Operation *user : v.getUsers()) {
    if (user->getBlock() != def->getBlock() || !movesBlocks(user)) return std::nullopt;
    widen(cast<kernel::FusionOp>(user), target, rows, tiles);
    last = std::max(last, number.lookup(user));
  }
  Array array(type, llvm::to_vector(llvm::seq<int64_t>(0, type.getRank())));
  Candidate c{0, 0, 0, array.hbmBytes() * (1 + llvm::range_size(v.getUses())), {Resident::of(array, rows, tiles), number.lookup(def), last}};
  c.kept.resident.words = llvm::alignTo(c.kept.resident.words, 8);
  return c;
}

// The lowest word where it overlaps nothing that is alive with it.
int64_t lowestPlace(const Candidate &c, ArrayRef<Candidate> placed) {
  SmallVector<std::pair<int64_t, int64_t>> busy;
  for (const Candidate &p : placed)
    if (p.first <= c.last && c.first <= p.last) busy.push_back({p.kept.resident.word, p.kept.resident.word + p.kept.resident.words});
  llvm::sort(busy);
  int64_t at = 0;
  for (auto [low, high] : busy) {
    if (at + c.kept.resident.words <= low) break;
    at = std::max(at, high);
  }
  return at;
}

}  // namespace

Residency planResidency(func::FuncOp main, const target::Target &target, StorageMap &map) {
  Residency out;
  if (target.cores() > 1) return out;  // each core has a VMEM of its own
  int64_t budget = vmemBudgetWords(target), limit = budget - std::min<int64_t>(kBlockBytes / isa::kWordBytes, budget / 2);
  main.walk<WalkOrder::PreOrder>([&](kernel::FusionOp op) { out.number.try_emplace(op, out.number.size()); });
  SmallVector<int64_t> values(map.storages().size());
  for (auto &[v, place] : map.places()) ++values[place.storage];
  SmallVector<Candidate> candidates;
  for (auto [i, s] : llvm::enumerate(map.storages())) {
    if (s.kind != "arena" || values[i] != 1 || !(map.placeOf(s.value) == Place{static_cast<int64_t>(i), 0})) continue;
    auto c = candidateOf(s.value, target, out.number);
    if (!c) continue;
    c->storage = i;
    c->first = s.first;
    c->last = s.last;
    candidates.push_back(*c);
  }
  llvm::stable_sort(candidates, [](const Candidate &a, const Candidate &b) { return a.saved > b.saved; });
  SmallVector<Candidate> placed;
  for (Candidate &c : candidates) {
    int64_t word = lowestPlace(c, placed);
    if (word + c.kept.resident.words > limit) continue;
    c.kept.resident.word = word;
    placed.push_back(c);
    map.keepOnChip(c.storage);
    out.kept.emplace(c.storage, c.kept);
    out.words = std::max(out.words, word + c.kept.resident.words);
  }
  return out;
}

}  // namespace tpuc::lowering
