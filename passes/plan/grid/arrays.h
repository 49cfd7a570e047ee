// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where a kernel's arrays lie: their tiles in HBM, the block of them that a grid step has in VMEM.
//
// HBM: an array's dims in physical order, the last two padded to tiles of 8p x 128 (p = elements a 32-bit lane holds),
// tiles row-major, 4096 bytes each. Rank 1 and 0: rows of 128 elements, p rows a word, padded to whole words.
// VMEM: leading dims, then column tiles, then rows: all rows of a column tile are contiguous words. An array that stays
// there between kernels lies like a block that holds all of it, so that a kernel may work on any part of it in place.
#pragma once
#include "passes/analysis/domain.h"
#include "passes/plan/linear.h"
#include "runtime/isa/isa.h"

namespace tpuc::plan {

inline constexpr int64_t kUnit = -1;           // a value's dim of extent 1 that no domain dim stands for
inline constexpr int64_t kLinear = -2;         // the single dim of a rank-1 value in a linear domain
using DimMap = llvm::SmallVector<int64_t, 4>;  // a value's logical dims -> domain dims

struct Array {
  mlir::RankedTensorType type;
  llvm::SmallVector<int64_t> order;  // physical order of logical dims
  int64_t pack = 1;                  // elements a 32-bit lane holds
  int64_t bytes = 4;                 // an element

  // A slice of a larger array, `stored`: its first element and its step along each physical dim. The first is a tile's
  // along the last two dims; where the slice starts within one, `rowShift` and `laneShift` say.
  mlir::RankedTensorType stored;
  llvm::SmallVector<int64_t> first, step;
  int64_t rowShift = 0, laneShift = 0;
  // A shuffled view of `stored`: a block holds the tiles that its elements lie in, along the dims that it moves.
  std::optional<analysis::Shuffle> rowShuffle, laneShuffle;
  mlir::TypedAttr padding;

  Array(mlir::RankedTensorType type, llvm::ArrayRef<int64_t> order);
  // Dims in their own order.
  explicit Array(mlir::RankedTensorType type) : Array(type, llvm::to_vector(llvm::seq<int64_t>(0, type.getRank()))) {}
  // What a view shows of its operand.
  static Array of(mlir::Operation *view, llvm::ArrayRef<int64_t> order);
  bool isShuffled() const { return rowShuffle || laneShuffle; }
  const analysis::Shuffle *shuffle(int64_t phys) const {
    const auto &s = phys == rank() - 2 ? rowShuffle : laneShuffle;
    return phys >= rank() - 2 && s ? &*s : nullptr;
  }
  bool isShuffled(int64_t phys) const { return shuffle(phys); }
  bool isSlice() const { return stored != type || isShuffled(); }
  int64_t rank() const { return type.getRank(); }
  bool isVector() const { return rank() <= 1; }
  int64_t extent(int64_t phys) const { return type.getDimSize(order[phys]); }
  // What a block that holds all of a dim holds.
  int64_t held(int64_t phys) const { return isShuffled(phys) ? stored.getDimSize(order[phys]) : extent(phys); }
  int64_t rows() const { return extent(rank() - 2); }
  int64_t cols() const { return extent(rank() - 1); }
  int64_t tileRows() const { return 8 * pack; }
  int64_t rowTiles() const { return llvm::divideCeil(rows(), tileRows()); }
  int64_t colTiles() const { return llvm::divideCeil(cols(), 128); }
  int64_t vectorWords() const {
    return llvm::divideCeil(std::max<int64_t>(rank() ? type.getDimSize(0) : 1, 0), 128 * pack);
  }
  int64_t leadStrideBytes(int64_t phys) const;  // HBM
  int64_t rowTileStrideBytes() const {
    return llvm::divideCeil(stored.getDimSize(order[rank() - 1]), 128) * isa::kVregBytes;
  }
  int64_t hbmBytes() const;
};

// A kernel's index space and how a grid cuts it. Dims r = size - 2 lies along sublanes, c = size - 1 along lanes.
// A linear domain is a rank-1 array seen as rows of 128: dims {rows, 128}.
struct Domain {
  llvm::SmallVector<int64_t> dims;
  llvm::SmallVector<int64_t> block;  // extents of a block, elements
  bool linear = false;
  int64_t linearSize = 0;
  int64_t pack = 1;  // rows come in units of 8 * pack, the widest packing of the kernel's arrays

  bool cutsTiles = false;  // leading dims along an array's sublanes, or a long vector, come in blocks of whole tiles

  int64_t heldRows = 1,
          heldTiles = 1;  // VMEM holds rows and column tiles in multiples of these: a matrix tile may run over

  int64_t rDim = -1, cDim = -1;  // -1: the last two; a matmul's operands see its space with others

  int64_t r() const { return rDim < 0 ? static_cast<int64_t>(dims.size()) - 2 : rDim; }
  int64_t c() const { return cDim < 0 ? static_cast<int64_t>(dims.size()) - 1 : cDim; }
  int64_t steps(int64_t d) const { return dims[d] == 0 ? 0 : llvm::divideCeil(dims[d], block[d]); }
  bool hasTail(int64_t d) const { return dims[d] % block[d] != 0; }
  int64_t unitRows() const { return 8 * pack; }
  // What loops walk a dim in: units of rows, tiles of columns, elements.
  int64_t loopUnit(int64_t d) const { return d == r() ? unitRows() : d == c() ? 128 : 1; }
  // The last block has fewer loop units than the others; one that is shorter may have as many.
  bool endsShort(int64_t d) const {
    const int64_t full = llvm::divideCeil(block[d], loopUnit(d));
    return steps(d) > 1 && hasTail(d) && llvm::divideCeil(dims[d], loopUnit(d)) % full != 0;
  }
  // How many of a unit's groups of 8 rows a block has rows for: fewer where it is shorter than a unit.
  int64_t groups() const { return std::clamp<int64_t>(llvm::divideCeil(block[r()], 8), 1, pack); }
};

// Blocks of a dim that overlap their neighbours: block b starts at element (b * step - low) / dilation, moved to where
// a tile of `tile` elements begins and into the array, and holds `held` elements.
struct Halo {
  int64_t step = 1, low = 0, dilation = 1, held = 1, tile = 1;
};

// An array's place in VMEM between kernels.
struct Resident {
  mlir::RankedTensorType type;
  int64_t word = 0, words = 0;
  int64_t rowsHeld = 0, colTiles = 0;    // room for rows in a column tile, and for column tiles; vectors: for all rows
  int64_t colWords = 0;                  // word stride of column tiles
  llvm::SmallVector<int64_t> leadWords;  // and of each leading physical dim

  // Rows of a column tile and column tiles are rounded up to what the kernels that meet the array walk at once.
  static Resident of(const Array &array, int64_t unitRows, int64_t unitTiles);
  // All rows of a column tile together, those of leading dims too, so that rows and leading dims may join or part.
  static Resident ofJoined(const Array &array, int64_t unitTiles);
  bool operator==(const Resident &) const = default;
};

// Where an array begins in HBM: bytes from the start of a buffer, which it may be a part of.
struct Origin {
  std::string buffer;  // symbol
  Linear offset;
};

// Elements before which a dim ends: scale * the size that SMEM has at `word`, plus offset.
struct SizeEnd {
  int64_t word = -1, scale = 1, offset = 0;
  bool operator==(const SizeEnd &) const = default;
};
using SizeEnds = llvm::SmallVector<std::optional<SizeEnd>>;  // by logical dim

// The part of an array that a grid step sees in VMEM.
struct ArrayBlock {
  Array array;
  DimMap map;
  bool isResult = false;
  SizeEnds ends;                 // of a result: nobody asks for what lies behind
  const Domain *view = nullptr;  // the index space as this array sees it
  Origin origin;
  int64_t region = -1;  // alias class of its VMEM words
  int64_t word = 0;     // first VMEM word of slot 0
  int64_t slots = 1;
  int64_t slotWords = 0;                     // VMEM of its own, one slot
  int64_t stepWords = 0;                     // what a step works on, its own or not
  const Resident *resident = nullptr;        // where the whole array lies in VMEM; null: in HBM
  bool inPlace = false;                      // a step works where the resident array lies
  bool isCopied = false;                     // never in place: a result comes there before all has been read
  int64_t operand = -1;                      // of the kernel, which this shows; -1: of a place known at run time alone
  const ArrayBlock *within = nullptr;        // it lies in the words of this one, which shows the same operand
  llvm::SmallVector<int64_t> extents;        // per physical dim, elements in VMEM
  llvm::SmallVector<int64_t> leadWords;      // word stride of each leading physical dim
  int64_t rowsHeld = 0;                      // rows of a column tile, padded
  llvm::SmallDenseMap<int64_t, Halo> halos;  // by physical dim: a leading one, or one that a shuffled view moves
  Linear base;                               // word of the current slot

  ArrayBlock(Array array, DimMap map) : array(std::move(array)), map(std::move(map)) {}
  // Sets extents, strides and slotWords for a domain.
  void layOut(const Domain &domain);
  // The domain dim a physical dim follows block by block; kUnit when the whole dim is held.
  int64_t blockedDim(const Domain &domain, int64_t phys) const;
  // The tiles in which a block's elements along a dim lie, where the array is a shuffled view.
  Halo movedTiles(const Domain &domain, int64_t phys) const;
  // What the DMA of a block moves.
  int64_t movedWords() const;
  bool isBrought() const { return !inPlace && !within; }
  // Whether its elements lie in `other`'s words in each step, both as laid out.
  bool liesWithin(const ArrayBlock &other, const Domain &domain) const;
  // Gives the block the words and strides of `other`, in which it lies.
  void layOutWithin(const ArrayBlock &other);
  // Elements of a rank-1 array in a block.
  int64_t blockElements(const Domain &domain) const;
  // Whether every step may work on the resident array where it lies: no access leaves its part. `exactTails`: nor in
  // short last blocks.
  bool worksInPlace(const Domain &domain, bool exactTails) const;
  // Gives the block the resident array's strides.
  void layOutInPlace();
  // Whether grid dim d moves it.
  bool dependsOn(const Domain &domain, int64_t d) const;
};

}  // namespace tpuc::plan
