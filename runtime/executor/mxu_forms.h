// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Forms of matrix operands, for one CPU level: included inside the level's namespace. A form says how the 128 values of
// a row along k become kDwords 32-bit words; activations lie as [row][dword], weights as [dword][column], so that a
// kernel combines a word of one with a row of the other. rows() and columns() take a vreg apart in either way.

// What zero weights add is known when the activations are finite: addsZeros() says so, with the sum's zero for each row
// and 32 of k. Activations that are zero add +0 to any finite weights where kZeroRows says how to know them: no bit of
// it is set.
inline constexpr int kUsedBlocks = isa::kLanes / kUsedRows;

template <uint32_t... kExponents>
TPUC_INLINE bool allFinite(const uint32_t *words, int count) {
  uint32_t found = 0;
  for (int i = 0; i < count; ++i) found |= ((static_cast<uint32_t>((words[i] & kExponents) == kExponents)) | ...);
  return !found;
}
TPUC_INLINE void positiveZeros(float *zeros, int rows) {
  for (int i = 0; i < rows * kUsedBlocks; ++i) zeros[i] = 0.0f;
}

TPUC_INLINE bool isZero(const uint32_t *words, int count, uint32_t bits) {
  uint32_t any = 0;
  for (int i = 0; i < count; ++i) any |= words[i];
  return !(any & bits);
}

// A vreg of bf16.
TPUC_INLINE bool finiteBf16(const uint8_t *vreg) {
  const uint16_t *x = reinterpret_cast<const uint16_t *>(vreg);
  uint16_t most = 0;
  for (int i = 0; i < isa::kVregBytes / 2; ++i) most = std::max<uint16_t>(most, x[i] & 0x7fff);
  return most < 0x7f80;
}

// f32, one k a word. A chain onto an accumulator of -0 depends on the signs of zeros.
struct F32Form {
  static constexpr int kDwords = 128, kRows = 8;
  static constexpr uint32_t kZeroRows = 0;
  static bool isFinite(const uint8_t *) { return false; }
  // A chain's zero products: negative only if all are.
  static bool addsZeros(const uint32_t *rows, float *zeros) {
    for (int i = 0; i < kRows * kUsedBlocks; ++i) {
      uint32_t sign = 0x80000000;
      for (int k = 0; k < kUsedRows; ++k) sign &= rows[i * kUsedRows + k];
      zeros[i] = bitsAs<float>(sign);
    }
    return allFinite<0x7f800000>(rows, kRows * kDwords);
  }
  static void rows(const uint8_t *vreg, uint32_t *out) { columns(vreg, out, isa::kLanes); }
  static void columns(const uint8_t *vreg, uint32_t *out, int stride) {
    for (int r = 0; r < kRows; ++r) __builtin_memcpy(out + r * stride, vreg + r * isa::kWordBytes, isa::kWordBytes);
  }
};

// bf16 widened to f32, one k a word.
struct WideBf16Form {
  static constexpr int kDwords = 128, kRows = 16;
  static constexpr uint32_t kZeroRows = 0x7fffffff;
  static bool isFinite(const uint8_t *vreg) { return finiteBf16(vreg); }
  static bool addsZeros(const uint32_t *rows, float *zeros) {
    positiveZeros(zeros, kRows);
    return allFinite<0x7f800000>(rows, kRows * kDwords);
  }
  static void rows(const uint8_t *vreg, uint32_t *out) { columns(vreg, out, isa::kLanes); }
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
struct ChainBf16Form {
  static constexpr int kDwords = 64, kRows = 16;
  static constexpr uint32_t kZeroRows = 0x7fff7fff;
  static bool isFinite(const uint8_t *vreg) { return finiteBf16(vreg); }
  static bool addsZeros(const uint32_t *rows, float *zeros) {
    positiveZeros(zeros, kRows);
    return allFinite<0x7f800000, 0x7f80>(rows, kRows * kDwords);
  }
  static void rows(const uint8_t *vreg, uint32_t *out) {
    const uint32_t *words = reinterpret_cast<const uint32_t *>(vreg);
    for (int w = 0; w < isa::kSublanes; ++w, words += isa::kLanes, out += 2 * kDwords)
      for (int j = 0; j < kDwords / 2; ++j)
        for (int c = 0; c < 2; ++c) {
          uint32_t x = words[4 * j + c], y = words[4 * j + 2 + c];
          out[2 * j + c] = x << 16 | (y & 0xffff);
          out[kDwords + 2 * j + c] = (x & 0xffff0000) | y >> 16;
        }
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
  static constexpr uint32_t kZeroRows = 0xffffffff;
  static bool isFinite(const uint8_t *) { return true; }
  static bool addsZeros(const uint32_t *, float *zeros) {
    positiveZeros(zeros, kRows);
    return true;
  }
  TPUC_INLINE uint32_t pair(uint32_t low, uint32_t high) { return (low & 0xffff) | high << 16; }
  static void rows(const uint8_t *vreg, uint32_t *out) {
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
  static constexpr uint32_t kZeroRows = 0;  // with an offset they are not zero
  static bool isFinite(const uint8_t *) { return true; }
  static bool addsZeros(const uint32_t *rows, float *zeros) { return PairInt16Form::addsZeros(rows, zeros); }
  static void rows(const uint8_t *vreg, uint32_t *out) {
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

// Not zero when one of kUsedColumns words is not.
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
  for (const int columns = side / isa::kLanes; units; units &= units - 1) {
    const int unit = __builtin_ctzll(units), row = unit / columns, col = unit % columns;
    uint32_t *to = reinterpret_cast<uint32_t *>(weights) + (transposed ? col * Form::kDwords * side + row * Form::kRows
                                                                       : row * kUnitDwords * side + col * isa::kLanes);
    for (int d = 0; d < (transposed ? Form::kDwords : kUnitDwords); ++d, to += side) {
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
  if (!transposed) {
    Form::columns(vreg, w + row * (Form::kRows * Form::kDwords / isa::kLanes) * side + isa::kLanes * col, side);
    return;
  }
  alignas(64) uint32_t rows[Form::kRows * Form::kDwords];
  Form::rows(vreg, rows);
  uint32_t *to = w + col * Form::kDwords * side + Form::kRows * row;
  if constexpr (Form::kRows % 16 == 0) {
    for (int d = 0; d < Form::kDwords; d += 16)
      for (int r = 0; r < Form::kRows; r += 16)
        transpose16x16(rows + r * Form::kDwords + d, Form::kDwords, to + d * side + r, side);
    return;
  }
  for (int d = 0; d < Form::kDwords; ++d, to += side)
    for (int r = 0; r < Form::kRows; ++r) to[r] = rows[r * Form::kDwords + d];
}
