// Staging of weights, for one CPU level: included inside the level's namespace. A load hands every element (k, n) to
// the form that the level's kernels read.

// Row r of a vreg of rows packed kParts a word: lane l as an unsigned number.
template <int kParts> TPUC_INLINE uint32_t packed(const uint8_t *vreg, int r, int l) {
  constexpr int kBits = 32 / kParts;
  uint32_t word = reinterpret_cast<const uint32_t *>(vreg)[r / kParts * isa::kLanes + l];
  return kParts == 1 ? word : word >> (r % kParts * kBits) & ((uint64_t{1} << kBits) - 1);
}

// kParts: rows a word; Form::set(weights, side, k, n, bits) stores one element.
template <int kParts, typename Form>
void loadWeights(uint8_t *weights, const uint8_t *vreg, int side, int row, int col, bool transposed) {
  constexpr int kRows = 8 * kParts;
  for (int r = 0; r < kRows; ++r)
    for (int l = 0; l < isa::kLanes; ++l) {
      int along = kRows * row + r, across = isa::kLanes * col + l;
      Form::set(weights, side, transposed ? across : along, transposed ? along : across, packed<kParts>(vreg, r, l));
    }
}

// f32[k][n]
struct F32Form {
  TPUC_INLINE void set(uint8_t *w, int side, int k, int n, uint32_t bits) { reinterpret_cast<uint32_t *>(w)[k * side + n] = bits; }
};
// bf16 widened to f32[k][n]
struct WideBf16Form {
  TPUC_INLINE void set(uint8_t *w, int side, int k, int n, uint32_t bits) { reinterpret_cast<uint32_t *>(w)[k * side + n] = bits << 16; }
};
// int8 widened to int16, pairs of k beside one another: int16[k / 2][n][2]
struct PairInt16Form {
  TPUC_INLINE void set(uint8_t *w, int side, int k, int n, uint32_t bits) {
    reinterpret_cast<int16_t *>(w)[(k / 2 * side + n) * 2 + k % 2] = static_cast<int8_t>(bits);
  }
};
// int8[k / 4][n][4]
struct QuadInt8Form {
  TPUC_INLINE void set(uint8_t *w, int side, int k, int n, uint32_t bits) { w[(k / 4 * side + n) * 4 + k % 4] = static_cast<uint8_t>(bits); }
};
// bf16[k / 2][n][2], the even k first
struct PairBf16Form {
  TPUC_INLINE void set(uint8_t *w, int side, int k, int n, uint32_t bits) {
    reinterpret_cast<uint16_t *>(w)[(k / 2 * side + n) * 2 + k % 2] = static_cast<uint16_t>(bits);
  }
};
// bf16 pairs whose members follow one another in the chain of even or of odd products, the first in the high half: 32-bit
// row 2 (k / 4) + k % 2 holds k and k + 2.
struct ChainBf16Form {
  TPUC_INLINE void set(uint8_t *w, int side, int k, int n, uint32_t bits) {
    int row = k / 4 * 2 + k % 2;
    reinterpret_cast<uint16_t *>(w)[(row * side + n) * 2 + (k % 4 < 2)] = static_cast<uint16_t>(bits);
  }
};
