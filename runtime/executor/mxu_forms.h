// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Forms of matrix operands, for one CPU level: included inside the level's namespace. A form says how the 128 values of
// a row along k become kDwords 32-bit words; activations lie as [row][dword], weights as [dword][column], so that a
// kernel combines a word of one with a row of the other. rows() and columns() take a vreg apart in either way.

// What zero weights add is known when the activations are finite: a zero, +0 but where zeros() says otherwise, for each
// row and 32 of k. Activations that are zero add +0 to any finite weights where kZeroRows.
inline constexpr int kUsedBlocks = isa::kLanes / kUsedRows;
inline constexpr unsigned kAllBlocks = (1u << kUsedBlocks) - 1;

// What a vreg of activations shows at a glance: whether no lane is infinite or a NaN, and which sublanes are all zero.
struct Seen {
  bool finite = true;
  unsigned zeroSublanes = 0;
};

// Calls body(first lane) for each 32 lanes of k whose bit is set.
template <typename Body>
TPUC_INLINE void forBlocks(unsigned blocks, Body body) {
  for (int b = 0; b < kUsedBlocks; ++b)
    if (blocks >> b & 1) body(b * kUsedRows);
}

TPUC_INLINE Seen seeBf16(const uint8_t *vreg) {
  const uint16_t *x = reinterpret_cast<const uint16_t *>(vreg);
  Seen seen;
  for (int s = 0; s < isa::kSublanes; ++s, x += 2 * isa::kLanes) {
    uint16_t most = 0;
    for (int i = 0; i < 2 * isa::kLanes; ++i) most = std::max<uint16_t>(most, x[i] & 0x7fff);
    seen.zeroSublanes |= static_cast<unsigned>(most == 0) << s;
    seen.finite &= most < 0x7f80;
  }
  return seen;
}
TPUC_INLINE Seen seeIntegers(const uint8_t *vreg) {
  const uint32_t *words = reinterpret_cast<const uint32_t *>(vreg);
  Seen seen;
  for (int s = 0; s < isa::kSublanes; ++s, words += isa::kLanes) {
    uint32_t any = 0;
    for (int l = 0; l < isa::kLanes; ++l) any |= words[l];
    seen.zeroSublanes |= static_cast<unsigned>(any == 0) << s;
  }
  return seen;
}

// f32, one k a word. A chain onto an accumulator of -0 depends on the signs of zeros.
struct F32Form {
  static constexpr int kDwords = 128, kRows = 8;
  static constexpr bool kZeroRows = false;
  static bool isFinite(const uint8_t *) { return false; }
  static Seen see(const uint8_t *vreg) {
    const uint32_t *words = reinterpret_cast<const uint32_t *>(vreg);
    uint32_t most = 0;
    for (int i = 0; i < kRows * kDwords; ++i) most = std::max(most, words[i] & 0x7fffffff);
    return {most < 0x7f800000, 0};
  }
  // A chain's zero products: negative only if all are.
  static void zeros(const uint8_t *vreg, float *out) {
    const uint32_t *words = reinterpret_cast<const uint32_t *>(vreg);
    for (int i = 0; i < kRows * kUsedBlocks; ++i) {
      uint32_t sign = 0x80000000;
      for (int k = 0; k < kUsedRows; ++k) sign &= words[i * kUsedRows + k];
      out[i] = bitsAs<float>(sign);
    }
  }
  static void rows(const uint8_t *vreg, uint32_t *out, unsigned = kAllBlocks) { columns(vreg, out, isa::kLanes); }
  static void columns(const uint8_t *vreg, uint32_t *out, int stride) {
    for (int r = 0; r < kRows; ++r) __builtin_memcpy(out + r * stride, vreg + r * isa::kWordBytes, isa::kWordBytes);
  }
};

// What a push may know of bf16 before its products.
struct Bf16Zeros {
  static constexpr bool kZeroRows = true;
  static bool isFinite(const uint8_t *vreg) { return seeBf16(vreg).finite; }
  static Seen see(const uint8_t *vreg) { return seeBf16(vreg); }
  static void zeros(const uint8_t *, float *) {}
};

// bf16 widened to f32, one k a word.
struct WideBf16Form : Bf16Zeros {
  static constexpr int kDwords = 128, kRows = 16;
  static void rows(const uint8_t *vreg, uint32_t *out, unsigned blocks = kAllBlocks) {
    const uint32_t *words = reinterpret_cast<const uint32_t *>(vreg);
    for (int w = 0; w < isa::kSublanes; ++w, words += isa::kLanes, out += 2 * kDwords)
      forBlocks(blocks, [&](int first) {
        for (int l = first; l < first + kUsedRows; ++l) {
          out[l] = words[l] << 16;
          out[kDwords + l] = words[l] & 0xffff0000;
        }
      });
  }
  static void columns(const uint8_t *vreg, uint32_t *out, int stride) {
    const uint32_t *words = reinterpret_cast<const uint32_t *>(vreg);
    for (int w = 0; w < isa::kSublanes; ++w, words += isa::kLanes, out += 2 * stride)
      for (int l = 0; l < isa::kLanes; ++l) {
        out[l] = words[l] << 16;
        out[stride + l] = words[l] & 0xffff0000;
      }
  }
};

// bf16 pairs k, k + 1, the first in the low half: what AMX takes.
struct PairBf16Form {
  static constexpr int kDwords = 64, kRows = 16;
  static bool isFinite(const uint8_t *) { return false; }
  static void rows(const uint8_t *vreg, uint32_t *out) {
    const uint32_t *words = reinterpret_cast<const uint32_t *>(vreg);
    for (int w = 0; w < isa::kSublanes; ++w, words += isa::kLanes, out += 2 * kDwords)
      for (int i = 0; i < kDwords; ++i) {
        uint32_t x = words[2 * i], y = words[2 * i + 1];
        out[i] = (x & 0xffff) | y << 16;
        out[kDwords + i] = x >> 16 | (y & 0xffff0000);
      }
  }
  static void columns(const uint8_t *vreg, uint32_t *out, int stride) {
    for (int w = 0; w < isa::kSublanes; ++w)
      __builtin_memcpy(out + w * stride, vreg + w * isa::kWordBytes, isa::kWordBytes);
  }
};

// bf16 pairs that follow one another in the chain of even products (words 0, 2, ...) or of odd ones (1, 3, ...): words
// 2 j and 2 j + 1 hold k = 4 j, 4 j + 2 and 4 j + 1, 4 j + 3, the first in the high half.
struct ChainBf16Form : Bf16Zeros {
  static constexpr int kDwords = 64, kRows = 16;
  static void rows(const uint8_t *vreg, uint32_t *out, unsigned blocks = kAllBlocks) {
    const uint32_t *words = reinterpret_cast<const uint32_t *>(vreg);
    for (int w = 0; w < isa::kSublanes; ++w, words += isa::kLanes, out += 2 * kDwords)
      forBlocks(blocks, [&](int first) {
        for (int j = first / 4; j < (first + kUsedRows) / 4; ++j)
          for (int c = 0; c < 2; ++c) {
            uint32_t x = words[4 * j + c], y = words[4 * j + 2 + c];
            out[2 * j + c] = x << 16 | (y & 0xffff);
            out[kDwords + 2 * j + c] = (x & 0xffff0000) | y >> 16;
          }
      });
  }
  static void columns(const uint8_t *vreg, uint32_t *out, int stride) {
    const uint32_t *words = reinterpret_cast<const uint32_t *>(vreg);
    for (int w = 0; w < isa::kSublanes; w += 2, words += 2 * isa::kLanes, out += 2 * stride)
      for (int l = 0; l < isa::kLanes; ++l) {
        uint32_t x = words[l], y = words[isa::kLanes + l];
        out[l] = x << 16 | (y & 0xffff);
        out[stride + l] = (x & 0xffff0000) | y >> 16;
      }
  }
};

TPUC_INLINE uint32_t signedByte(uint32_t word, int part) {
  return static_cast<uint32_t>(static_cast<int8_t>(word >> (8 * part)));
}

// int8 widened to int16 pairs k, k + 1.
struct PairInt16Form {
  static constexpr int kDwords = 64, kRows = 32;
  static constexpr bool kZeroRows = true;
  static bool isFinite(const uint8_t *) { return true; }
  static Seen see(const uint8_t *vreg) { return seeIntegers(vreg); }
  static void zeros(const uint8_t *, float *) {}
  TPUC_INLINE uint32_t pair(uint32_t low, uint32_t high) { return (low & 0xffff) | high << 16; }
  static void rows(const uint8_t *vreg, uint32_t *out, unsigned = kAllBlocks) {
    const uint32_t *words = reinterpret_cast<const uint32_t *>(vreg);
    for (int w = 0; w < isa::kSublanes; ++w, words += isa::kLanes)
      for (int part = 0; part < 4; ++part, out += kDwords)
        for (int i = 0; i < kDwords; ++i)
          out[i] = pair(signedByte(words[2 * i], part), signedByte(words[2 * i + 1], part));
  }
  static void columns(const uint8_t *vreg, uint32_t *out, int stride) {
    const uint32_t *words = reinterpret_cast<const uint32_t *>(vreg);
    for (int w = 0; w < isa::kSublanes; ++w, words += isa::kLanes, out += 2 * stride)
      for (int l = 0; l < isa::kLanes; ++l) {
        out[l] = pair(signedByte(words[l], 0), signedByte(words[l], 1));
        out[stride + l] = pair(signedByte(words[l], 2), signedByte(words[l], 3));
      }
  }
};

// Four int8, k to k + 3: what AMX and VNNI take.
struct QuadInt8Form {
  static constexpr int kDwords = 32, kRows = 32;
  static constexpr bool kZeroRows = false;  // with an offset they are not zero
  static bool isFinite(const uint8_t *) { return true; }
  static Seen see(const uint8_t *) { return {}; }
  static void zeros(const uint8_t *, float *) {}
  static void rows(const uint8_t *vreg, uint32_t *out, unsigned = kAllBlocks) {
    const uint32_t *words = reinterpret_cast<const uint32_t *>(vreg);
    for (int w = 0; w < isa::kSublanes; ++w, words += isa::kLanes)
      for (int part = 0; part < 4; ++part, out += kDwords) {
        uint8_t *bytes = reinterpret_cast<uint8_t *>(out);
        for (int l = 0; l < isa::kLanes; ++l) bytes[l] = static_cast<uint8_t>(words[l] >> (8 * part));
      }
  }
  static void columns(const uint8_t *vreg, uint32_t *out, int stride) {
    for (int w = 0; w < isa::kSublanes; ++w)
      __builtin_memcpy(out + w * stride, vreg + w * isa::kWordBytes, isa::kWordBytes);
  }
};

// The result is not zero where one of kUsedColumns words is not.
#if defined(__AVX512F__)
TPUC_INLINE uint32_t anyBit(const uint32_t *words) {
  static_assert(kUsedColumns == 16);
  __m512i x = _mm512_loadu_si512(words);
  return _mm512_test_epi32_mask(x, x);
}
#else
TPUC_INLINE uint32_t anyBit(const uint32_t *words) {
  uint32_t any = 0;
  for (int l = 0; l < kUsedColumns; ++l) any |= words[l];
  return any;
}
#endif

// Notes where a vreg of weights, kRows rows of it, is not all zero.
template <int kRows>
void noteUsed(const uint8_t *vreg, int row, int col, bool transposed, UsedWeights &used) {
  constexpr int kGroups = isa::kLanes / kUsedColumns;
  const uint32_t *words = reinterpret_cast<const uint32_t *>(vreg);
  uint32_t any[kGroups] = {};
  // Mostly the first word already has something for every group.
  for (int s = 0, left = 1; left && s < isa::kSublanes; ++s) {
    left = 0;
    for (int g = 0; g < kGroups; ++g) {
      any[g] |= anyBit(words + s * isa::kLanes + g * kUsedColumns);
      left |= !any[g];
    }
  }
  for (int g = 0; g < kGroups; ++g) {
    if (!any[g]) continue;
    if (transposed)
      used.columns[(col * isa::kLanes + g * kUsedColumns) / kUsedRows] |= (kRows > kUsedColumns ? 3 : 1)
                                                                          << row * kRows / kUsedColumns;
    else
      used.columns[row * kRows / kUsedRows] |= 1 << (col * kGroups + g);
  }
}

// Units of weights become zero.
template <typename Form>
void zeroUnits(uint8_t *weights, int side, uint64_t units, bool transposed) {
  constexpr int kUnitDwords = Form::kRows * Form::kDwords / isa::kLanes;
  const int stride = weightStride(side);
  for (const int columns = side / isa::kLanes; units; units &= units - 1) {
    const int unit = __builtin_ctzll(units), row = unit / columns, col = unit % columns;
    uint32_t *to =
        reinterpret_cast<uint32_t *>(weights) + (transposed ? col * Form::kDwords * stride + row * Form::kRows
                                                            : row * kUnitDwords * stride + col * isa::kLanes);
    for (int d = 0; d < (transposed ? Form::kDwords : kUnitDwords); ++d, to += stride) {
      if (transposed)
        __builtin_memset(to, 0, Form::kRows * 4);
      else
        __builtin_memset(to, 0, isa::kWordBytes);
    }
  }
}

template <typename Form>
void zeroAbsent(uint8_t *weights, int side, UsedWeights &used) {
  if (!used.absent) return;
  zeroUnits<Form>(weights, side, used.absent, used.absentTransposed);
  used.absent = 0;
}

// Rows of words as columns: 16 by 16, `from` and `to` the first words, each followed by the next row that many words
// on.
#if defined(__AVX512F__)
TPUC_INLINE void transpose16x16(const uint32_t *from, int64_t fromRow, uint32_t *to, int64_t toRow) {
  __m512i r[16], t[16];
  for (int k = 0; k < 16; ++k) r[k] = _mm512_loadu_si512(from + k * fromRow);
  for (int k = 0; k < 16; k += 2) {
    t[k] = _mm512_unpacklo_epi32(r[k], r[k + 1]);
    t[k + 1] = _mm512_unpackhi_epi32(r[k], r[k + 1]);
  }
  for (int k = 0; k < 16; k += 4) {  // r[k + j]: of four rows, word j of each lane's four
    r[k] = _mm512_unpacklo_epi64(t[k], t[k + 2]);
    r[k + 1] = _mm512_unpackhi_epi64(t[k], t[k + 2]);
    r[k + 2] = _mm512_unpacklo_epi64(t[k + 1], t[k + 3]);
    r[k + 3] = _mm512_unpackhi_epi64(t[k + 1], t[k + 3]);
  }
  for (int j = 0; j < 4; ++j) {
    __m512i even[2], odd[2];
    for (int k = 0; k < 2; ++k) {
      even[k] = _mm512_shuffle_i32x4(r[8 * k + j], r[8 * k + 4 + j], 0x88);
      odd[k] = _mm512_shuffle_i32x4(r[8 * k + j], r[8 * k + 4 + j], 0xdd);
    }
    _mm512_storeu_si512(to + j * toRow, _mm512_shuffle_i32x4(even[0], even[1], 0x88));
    _mm512_storeu_si512(to + (4 + j) * toRow, _mm512_shuffle_i32x4(odd[0], odd[1], 0x88));
    _mm512_storeu_si512(to + (8 + j) * toRow, _mm512_shuffle_i32x4(even[0], even[1], 0xdd));
    _mm512_storeu_si512(to + (12 + j) * toRow, _mm512_shuffle_i32x4(odd[0], odd[1], 0xdd));
  }
}
#else
TPUC_INLINE void transpose16x16(const uint32_t *from, int64_t fromRow, uint32_t *to, int64_t toRow) {
  for (int d = 0; d < 16; ++d)
    for (int r = 0; r < 16; ++r) to[d * toRow + r] = from[r * fromRow + d];
}
#endif

// mxu.ldw: a vreg's rows are rows of k, or, transposed, columns of the weights with their lanes along k.
template <typename Form>
void loadWeights(uint8_t *weights, const uint8_t *vreg, int side, int row, int col, bool transposed,
                 UsedWeights &used) {
  noteUsed<Form::kRows>(vreg, row, col, transposed, used);
  used.finite &= Form::isFinite(vreg);
  uint32_t *w = reinterpret_cast<uint32_t *>(weights);
  const int stride = weightStride(side);
  if (!transposed) {
    Form::columns(vreg, w + row * (Form::kRows * Form::kDwords / isa::kLanes) * stride + isa::kLanes * col, stride);
    return;
  }
  alignas(64) uint32_t rows[Form::kRows * Form::kDwords];
  Form::rows(vreg, rows);
  uint32_t *to = w + col * Form::kDwords * stride + Form::kRows * row;
  if constexpr (Form::kRows % 16 == 0) {
    for (int d = 0; d < Form::kDwords; d += 16)
      for (int r = 0; r < Form::kRows; r += 16)
        transpose16x16(rows + r * Form::kDwords + d, Form::kDwords, to + d * stride + r, stride);
    return;
  }
  for (int d = 0; d < Form::kDwords; ++d, to += stride)
    for (int r = 0; r < Form::kRows; ++r) to[r] = rows[r * Form::kDwords + d];
}
