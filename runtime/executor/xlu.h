// The cross-lane unit's instructions, for one CPU level: included inside the level's namespace.
TPUC_INLINE int64_t amount(Core &core, const DInst *i) { return i->b == kNone ? i->imm : core.s[i->b]; }

static const DInst *rotLane(Core &core, const DInst *i) {
  uint32_t by = static_cast<uint32_t>(amount(core, i)) % isa::kLanes;
  alignas(64) uint32_t row[isa::kLanes];
  for (int s = 0; s < isa::kSublanes; ++s) {
    __builtin_memcpy(row, lanesOf<uint32_t>(core, i->a) + s * isa::kLanes, sizeof row);
    uint32_t *to = lanesOf<uint32_t>(core, i->dst) + s * isa::kLanes;
    __builtin_memcpy(to + by, row, (isa::kLanes - by) * 4);
    __builtin_memcpy(to, row + isa::kLanes - by, by * 4);
  }
  return i + 1;
}

static const DInst *rotSub(Core &core, const DInst *i) {
  uint32_t by = static_cast<uint32_t>(amount(core, i)) % isa::kSublanes;
  alignas(64) uint8_t copy[isa::kVregBytes];
  __builtin_memcpy(copy, lanesOf<uint8_t>(core, i->a), sizeof copy);
  uint8_t *to = lanesOf<uint8_t>(core, i->dst);
  for (uint32_t s = 0; s < isa::kSublanes; ++s)
    __builtin_memcpy(to + (s + by) % isa::kSublanes * isa::kWordBytes, copy + s * isa::kWordBytes, isa::kWordBytes);
  return i + 1;
}

static const DInst *bcastLane(Core &core, const DInst *i) {
  uint32_t lane = static_cast<uint32_t>(amount(core, i)) % isa::kLanes;
  for (int s = 0; s < isa::kSublanes; ++s) {
    uint32_t value = lanesOf<uint32_t>(core, i->a)[s * isa::kLanes + lane];
    uint32_t *to = lanesOf<uint32_t>(core, i->dst) + s * isa::kLanes;
    for (int l = 0; l < isa::kLanes; ++l) to[l] = value;
  }
  return i + 1;
}

static const DInst *bcastSub(Core &core, const DInst *i) {
  uint32_t s = static_cast<uint32_t>(amount(core, i)) % isa::kSublanes;
  alignas(64) uint8_t word[isa::kWordBytes];
  __builtin_memcpy(word, lanesOf<uint8_t>(core, i->a) + s * isa::kWordBytes, sizeof word);
  for (int t = 0; t < isa::kSublanes; ++t) __builtin_memcpy(lanesOf<uint8_t>(core, i->dst) + t * isa::kWordBytes, word, sizeof word);
  return i + 1;
}

static const DInst *permLane(Core &core, const DInst *i) {
  alignas(64) uint32_t out[kLaneCount];
  const uint32_t *a = lanesOf<uint32_t>(core, i->a), *b = lanesOf<uint32_t>(core, i->b);
  for (int s = 0; s < isa::kSublanes; ++s)
    for (int l = 0; l < isa::kLanes; ++l) out[s * isa::kLanes + l] = a[s * isa::kLanes + b[s * isa::kLanes + l] % isa::kLanes];
  __builtin_memcpy(lanesOf<uint8_t>(core, i->dst), out, sizeof out);
  return i + 1;
}

static const DInst *permSub(Core &core, const DInst *i) {
  alignas(64) uint32_t out[kLaneCount];
  const uint32_t *a = lanesOf<uint32_t>(core, i->a), *b = lanesOf<uint32_t>(core, i->b);
  for (int l = 0; l < kLaneCount; ++l) out[l] = a[b[l] % isa::kSublanes * isa::kLanes + l % isa::kLanes];
  __builtin_memcpy(lanesOf<uint8_t>(core, i->dst), out, sizeof out);
  return i + 1;
}

// By halving: lane l + lane l + 64, then + 32, ... The result is in every lane.
template <typename T, T (*kFn)(T, T)> const DInst *reduceLanes(Core &core, const DInst *i) {
  for (int s = 0; s < isa::kSublanes; ++s) {
    alignas(64) T part[64];
    const T *a = lanesOf<T>(core, i->a) + s * isa::kLanes;
    for (int l = 0; l < 64; ++l) part[l] = kFn(a[l], a[l + 64]);
    for (int l = 0; l < 32; ++l) part[l] = kFn(part[l], part[l + 32]);
    for (int l = 0; l < 16; ++l) part[l] = kFn(part[l], part[l + 16]);
    for (int l = 0; l < 8; ++l) part[l] = kFn(part[l], part[l + 8]);
    for (int l = 0; l < 4; ++l) part[l] = kFn(part[l], part[l + 4]);
    part[0] = kFn(part[0], part[2]);
    part[1] = kFn(part[1], part[3]);
    T value = kFn(part[0], part[1]);
    T *to = lanesOf<T>(core, i->dst) + s * isa::kLanes;
    for (int l = 0; l < isa::kLanes; ++l) to[l] = value;
  }
  return i + 1;
}

template <typename T, T (*kFn)(T, T)> const DInst *reduceSublanes(Core &core, const DInst *i) {
  const T *a = lanesOf<T>(core, i->a);
  T *to = lanesOf<T>(core, i->dst);
#pragma GCC ivdep
  for (int l = 0; l < isa::kLanes; ++l) {
    auto at = [&](int s) { return a[s * isa::kLanes + l]; };
    T value = kFn(kFn(kFn(at(0), at(4)), kFn(at(2), at(6))), kFn(kFn(at(1), at(5)), kFn(at(3), at(7))));
    for (int s = 0; s < isa::kSublanes; ++s) to[s * isa::kLanes + l] = value;
  }
  return i + 1;
}

// Transpose buffers: imm is the row group, aux the buffer.
static const DInst *transposePush(Core &core, const DInst *i) {
  uint8_t *to = core.transpose + i->aux * kTransposeBytes + i->imm * isa::kVregBytes;
  __builtin_memcpy(to, lanesOf<uint8_t>(core, i->a), isa::kVregBytes);
  return i + 1;
}

static const DInst *transposePop(Core &core, const DInst *i) {
  const uint32_t *from = reinterpret_cast<const uint32_t *>(core.transpose + i->aux * kTransposeBytes) + i->imm * isa::kSublanes;
  uint32_t *to = lanesOf<uint32_t>(core, i->dst);
  for (int s = 0; s < isa::kSublanes; ++s)
    for (int l = 0; l < isa::kLanes; ++l) to[s * isa::kLanes + l] = from[l * isa::kLanes + s];
  return i + 1;
}
