// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The executable file: magic, the index's length, the index, then aligned sections with checksums.
#include "runtime/isa/executable.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <unordered_map>

#include "runtime/isa/checksum.h"
#include "runtime/isa/write_file.h"

namespace tpuc::isa {
namespace {

constexpr uint64_t kAlign = 4096;
constexpr size_t kHeaderBytes = 24;  // magic, version, zero, length of the index
constexpr size_t kDescriptorBytes = 16 + 3 * 8 + 4 * 24;
constexpr size_t kInstBytes = 16;

template <typename T>
void put(std::string &out, T value) {
  out.append(reinterpret_cast<const char *>(&value), sizeof value);
}

template <typename T>
T get(std::string_view bytes, size_t at) {
  T value;
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

std::string encodeCode(const std::vector<Inst> &code) {
  return std::string(reinterpret_cast<const char *>(code.data()), code.size() * kInstBytes);
}

std::string encodeDescriptors(const std::vector<DmaDescriptor> &descriptors) {
  std::string out;
  for (const DmaDescriptor &d : descriptors) {
    put<uint8_t>(out, static_cast<uint8_t>(d.srcSpace));
    put<uint8_t>(out, static_cast<uint8_t>(d.dstSpace));
    put<uint16_t>(out, d.numDims);
    put(out, d.srcBuffer);
    put(out, d.dstBuffer);
    put<uint32_t>(out, 0);
    put(out, d.srcOffset);
    put(out, d.dstOffset);
    put(out, d.runBytes);
    for (const DmaDescriptor::Dim &dim : d.dims) {
      put(out, dim.count);
      put(out, dim.srcStride);
      put(out, dim.dstStride);
    }
  }
  return out;
}

bool decodeDescriptors(std::string_view bytes, std::vector<DmaDescriptor> &out) {
  if (bytes.size() % kDescriptorBytes) return false;
  for (size_t at = 0; at < bytes.size(); at += kDescriptorBytes) {
    std::string_view one = bytes.substr(at, kDescriptorBytes);
    uint16_t numDims = get<uint16_t>(one, 2);
    if (one[0] < 0 || one[0] > 2 || one[1] < 0 || one[1] > 2 || numDims > 4 || get<uint32_t>(one, 12) != 0)
      return false;
    DmaDescriptor &d = out.emplace_back();
    d.srcSpace = static_cast<Space>(one[0]);
    d.dstSpace = static_cast<Space>(one[1]);
    d.numDims = static_cast<uint8_t>(numDims);
    d.srcBuffer = get<int32_t>(one, 4);
    d.dstBuffer = get<int32_t>(one, 8);
    d.srcOffset = get<int64_t>(one, 16);
    d.dstOffset = get<int64_t>(one, 24);
    d.runBytes = get<int64_t>(one, 32);
    for (int i = 0; i < 4; ++i)
      d.dims[i] = {get<int64_t>(one, 40 + 24 * i), get<int64_t>(one, 48 + 24 * i), get<int64_t>(one, 56 + 24 * i)};
  }
  return true;
}

// Count, then (bundle, offset, length) for each entry, then the text.
std::string encodeSourceMap(const std::vector<SourceLine> &lines) {
  std::string out, text;
  put<uint32_t>(out, static_cast<uint32_t>(lines.size()));
  std::unordered_map<std::string_view, uint32_t> seen;
  for (const SourceLine &line : lines) {
    auto [it, added] = seen.emplace(line.location, static_cast<uint32_t>(text.size()));
    if (added) text += line.location;
    put<uint32_t>(out, line.bundle);
    put<uint32_t>(out, it->second);
    put<uint32_t>(out, static_cast<uint32_t>(line.location.size()));
  }
  return out + text;
}

bool decodeSourceMap(std::string_view bytes, std::vector<SourceLine> &out) {
  if (bytes.size() < 4) return bytes.empty();
  uint64_t count = get<uint32_t>(bytes, 0);
  if (count > (bytes.size() - 4) / 12) return false;
  std::string_view text = bytes.substr(4 + count * 12);
  for (uint64_t i = 0; i < count; ++i) {
    uint32_t offset = get<uint32_t>(bytes, 8 + 12 * i), size = get<uint32_t>(bytes, 12 + 12 * i);
    if (offset > text.size() || size > text.size() - offset) return false;
    out.push_back({get<uint32_t>(bytes, 4 + 12 * i), std::string(text.substr(offset, size))});
  }
  return true;
}

uint64_t alignUp(uint64_t n) { return (n + kAlign - 1) / kAlign * kAlign; }

}  // namespace

// Reads and writes files; a friend of Executable for its mapping.
struct ExecutableIo {
  struct Parts {
    std::string head;                                             // everything before the first section, padded
    std::vector<std::pair<uint64_t, std::string_view>> sections;  // offset and bytes
    std::string code, descriptors, sourceMap;
    uint64_t fileBytes = 0;
  };

  // Offsets depend on the index's size, which depends on the offsets' varints: offsets count from the first section's
  // place, which is the index's own aligned end.
  static void layOut(const Executable &exe, Parts &parts) {
    parts.code = encodeCode(exe.code);
    parts.descriptors = encodeDescriptors(exe.descriptors);
    parts.sourceMap = encodeSourceMap(exe.sourceMap);
    std::string_view constants(reinterpret_cast<const char *>(exe.constants.data()), exe.constants.size());
    proto::Index index = exe.index;
    index.set_format_version(kFormatVersion);
    index.set_table_hash(tableHash());
    index.clear_sections();
    uint64_t at = 0;
    const std::pair<const char *, std::string_view> all[] = {{"code", parts.code},
                                                             {"descriptors", parts.descriptors},
                                                             {"source_map", parts.sourceMap},
                                                             {"constants", constants}};
    for (const auto &[name, bytes] : all) {
      proto::Section *s = index.add_sections();
      s->set_name(name);
      s->set_offset(at);
      s->set_size(bytes.size());
      s->set_checksum(checksum(bytes));
      parts.sections.push_back({at, bytes});
      at += alignUp(bytes.size());
    }
    std::string encoded = schema::serialize(index);
    parts.head.assign(kMagic, sizeof kMagic);
    put<uint32_t>(parts.head, kFormatVersion);
    put<uint32_t>(parts.head, 0);
    put<uint64_t>(parts.head, encoded.size());
    parts.head += encoded;
    put<uint64_t>(parts.head, checksum(encoded));
    parts.head.resize(alignUp(parts.head.size()));
    for (auto &[offset, bytes] : parts.sections) offset += parts.head.size();
    parts.fileBytes = parts.head.size() + at;
  }

  static bool readIndex(std::string_view bytes, Executable &exe, uint64_t &base, std::string &error) {
    auto fail = [&](std::string what) {
      error = std::move(what);
      return false;
    };
    if (bytes.size() < kHeaderBytes || std::memcmp(bytes.data(), kMagic, sizeof kMagic) != 0)
      return fail("not a tpuc executable");
    uint32_t version = get<uint32_t>(bytes, 8);
    if (version != kFormatVersion)
      return fail("expects format version " + std::to_string(kFormatVersion) + ", but got " + std::to_string(version));
    uint64_t length = get<uint64_t>(bytes, 16);
    if (bytes.size() - kHeaderBytes < 8 || length > bytes.size() - kHeaderBytes - 8)
      return fail("the index is cut off");
    std::string_view encoded = bytes.substr(kHeaderBytes, length);
    if (checksum(encoded) != get<uint64_t>(bytes, kHeaderBytes + length))
      return fail("the index is corrupt: wrong checksum");
    if (!schema::parse(encoded, exe.index)) return fail("the index is corrupt");
    if (exe.index.table_hash() != tableHash()) return fail("made with another instruction table");
    base = alignUp(kHeaderBytes + length + 8);
    return true;
  }

  static bool section(std::string_view file, const Executable &exe, uint64_t base, const char *name,
                      std::string_view &bytes, std::string &error) {
    for (const proto::Section &s : exe.index.sections()) {
      if (s.name() != name) continue;
      if (base > file.size() || s.offset() > file.size() - base || s.size() > file.size() - base - s.offset()) {
        error = std::string("section '") + name + "' is cut off";
        return false;
      }
      bytes = file.substr(base + s.offset(), s.size());
      if (checksum(bytes) == s.checksum()) return true;
      error = std::string("section '") + name + "' is corrupt: wrong checksum";
      return false;
    }
    error = std::string("section '") + name + "' is missing";
    return false;
  }

  // `keep`: what keeps `file` alive; the constants are copied when it is null.
  static bool read(std::string_view file, std::shared_ptr<void> keep, Executable &exe, std::string &error) {
    exe = Executable();
    uint64_t base = 0;
    std::string_view code, descriptors, sourceMap, constants;
    if (!readIndex(file, exe, base, error) || !section(file, exe, base, "code", code, error) ||
        !section(file, exe, base, "descriptors", descriptors, error) ||
        !section(file, exe, base, "source_map", sourceMap, error) ||
        !section(file, exe, base, "constants", constants, error))
      return false;
    error = "malformed section";
    if (code.size() % kInstBytes || !decodeDescriptors(descriptors, exe.descriptors) ||
        !decodeSourceMap(sourceMap, exe.sourceMap))
      return false;
    exe.code.resize(code.size() / kInstBytes);
    std::memcpy(static_cast<void *>(exe.code.data()), code.data(), code.size());
    const uint8_t *data = reinterpret_cast<const uint8_t *>(constants.data());
    if (!keep) exe.ownedConstants.assign(data, data + constants.size());
    exe.constants = keep ? std::span(data, constants.size()) : std::span<const uint8_t>(exe.ownedConstants);
    exe.mapping_ = std::move(keep);
    exe.index.clear_sections();
    error = validate(exe);
    return error.empty();
  }
};

bool Executable::has(const proto::Buffer &buffer, int entry) {
  if (buffer.entries_size() == 0) return true;
  return std::find(buffer.entries().begin(), buffer.entries().end(), static_cast<uint32_t>(entry)) !=
         buffer.entries().end();
}

std::vector<uint32_t> Executable::bundleStarts() const {
  std::vector<uint32_t> starts = {0};
  for (uint32_t i = 0; i < code.size(); ++i)
    if (code[i].last) starts.push_back(i + 1);
  return starts;
}

std::string serialize(const Executable &exe) {
  ExecutableIo::Parts parts;
  ExecutableIo::layOut(exe, parts);
  std::string out = parts.head;
  for (const auto &[offset, bytes] : parts.sections) {
    out.resize(offset);
    out += bytes;
  }
  out.resize(parts.fileBytes);
  return out;
}

bool parse(std::string_view bytes, Executable &exe, std::string &error) {
  return ExecutableIo::read(bytes, nullptr, exe, error);
}

bool save(const Executable &exe, const std::string &path, std::string &error) {
  ExecutableIo::Parts parts;
  ExecutableIo::layOut(exe, parts);
  static constexpr char kZeros[kAlign] = {};
  std::vector<std::string_view> pieces = {parts.head};
  uint64_t at = parts.head.size();
  auto pad = [&](uint64_t to) {
    if (to > at) pieces.push_back({kZeros, to - at});
    at = std::max(at, to);
  };
  for (const auto &[offset, bytes] : parts.sections) {
    pad(offset);
    pieces.push_back(bytes);
    at += bytes.size();
  }
  pad(parts.fileBytes);
  return writeFile(path, pieces, error);
}

bool load(const std::string &path, Executable &exe, std::string &error) {
  int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  struct stat st;
  bool opened = fd >= 0 && fstat(fd, &st) == 0;
  size_t size = opened && S_ISREG(st.st_mode) ? static_cast<size_t>(st.st_size) : 0;
  void *map = size ? mmap(nullptr, size, PROT_READ, MAP_PRIVATE, fd, 0) : MAP_FAILED;
  int saved = errno;
  if (fd >= 0) close(fd);
  if (!opened || (size && map == MAP_FAILED)) {
    error = path + ": cannot read: " + std::strerror(saved);
    return false;
  }
  if (!size) {
    error = path + ": not a tpuc executable";
    return false;
  }
  std::shared_ptr<void> keep(map, [size](void *p) { munmap(p, size); });
  if (ExecutableIo::read({static_cast<const char *>(map), size}, keep, exe, error)) return true;
  error = path + ": " + error;
  return false;
}

}  // namespace tpuc::isa
