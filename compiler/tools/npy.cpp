// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arrays in NumPy's file format: versions 1 to 3 of numpy/lib/format.py.
#include "compiler/tools/npy.h"

#include <cctype>
#include <cerrno>
#include <cstring>
#include <fstream>

#include "runtime/isa/write_file.h"

namespace tpuc::tools {
namespace {

constexpr char kMagic[] = "\x93NUMPY";

// The header is a Python dict of three known keys with literal values.
class HeaderParser {
 public:
  explicit HeaderParser(const std::string &text) : text_(text) {}

  bool parse(Npy &out, bool &fortran) {
    if (!eat('{')) return false;
    int keys = 0;
    while (!eat('}')) {
      std::string key;
      if (!string(key) || !eat(':')) return false;
      if (key == "descr"           ? !string(out.descr)
          : key == "fortran_order" ? !boolean(fortran)
          : key == "shape"         ? !tuple(out.shape)
                                   : true)
        return false;
      ++keys;
      eat(',');
    }
    return keys == 3;
  }

 private:
  void skip() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
  }
  bool eat(char c) {
    skip();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  bool string(std::string &out) {
    skip();
    if (at_ >= text_.size() || (text_[at_] != '\'' && text_[at_] != '"')) return false;
    size_t end = text_.find(text_[at_], at_ + 1);
    if (end == std::string::npos) return false;
    out = text_.substr(at_ + 1, end - at_ - 1);
    at_ = end + 1;
    return true;
  }
  bool boolean(bool &out) {
    skip();
    for (const char *word : {"True", "False"}) {
      if (text_.compare(at_, std::strlen(word), word) != 0) continue;
      at_ += std::strlen(word);
      out = word[0] == 'T';
      return true;
    }
    return false;
  }
  bool tuple(std::vector<int64_t> &out) {
    if (!eat('(')) return false;
    while (!eat(')')) {
      skip();
      size_t digits = 0;
      int64_t value = 0;
      for (; at_ < text_.size() && std::isdigit(static_cast<unsigned char>(text_[at_])) && digits < 15; ++at_, ++digits)
        value = value * 10 + (text_[at_] - '0');
      if (!digits) return false;
      out.push_back(value);
      eat(',');
    }
    return true;
  }

  const std::string &text_;
  size_t at_ = 0;
};

// Bytes an element, 0 for what is not read: big-endian numbers, Python objects, strings.
int64_t itemBytes(const std::string &descr) {
  if (descr.size() < 3 || (descr[0] != '<' && descr[0] != '|')) return 0;
  if (!std::strchr("bifucV", descr[1])) return 0;
  int64_t n = 0;
  for (size_t i = 2; i < descr.size(); ++i) {
    if (!std::isdigit(static_cast<unsigned char>(descr[i])) || n > 64) return 0;
    n = n * 10 + (descr[i] - '0');
  }
  return n;
}

// Column-major to row-major.
std::vector<uint8_t> transposed(const std::vector<uint8_t> &in, const std::vector<int64_t> &shape, int64_t item) {
  std::vector<uint8_t> out(in.size());
  std::vector<int64_t> index(shape.size(), 0), stride(shape.size(), item);
  for (size_t d = shape.size(); d-- > 1;) stride[d - 1] = stride[d] * shape[d];
  for (size_t from = 0, to = 0; from < in.size(); from += item) {
    std::memcpy(out.data() + to, in.data() + from, item);
    for (size_t d = 0; d < shape.size(); ++d) {
      to += stride[d];
      if (++index[d] < shape[d]) break;
      to -= stride[d] * shape[d];
      index[d] = 0;
    }
  }
  return out;
}

}  // namespace

namespace {

bool failed(std::string &error, std::string what) {
  error = std::move(what);
  return false;
}

// Opens the file and reads up to its data; `size` is the file's.
bool readHeader(const std::string &path, std::ifstream &in, int64_t &size, Npy &out, bool &fortran, std::string &error,
                bool &unreadable) {
  in.open(path, std::ios::binary | std::ios::ate);
  size = in ? static_cast<int64_t>(in.tellg()) : -1;
  unreadable = !in || size < 0 || size == INT64_MAX;
  if (unreadable)
    return failed(error, std::string("cannot be read: ") + (errno ? std::strerror(errno) : "is it a file?"));
  in.seekg(0);
  char head[12] = {};
  if (size < 10 || !in.read(head, 10) || std::memcmp(head, kMagic, 6) != 0)
    return failed(error, "expects a .npy file, but the first bytes are not its magic");
  const int version = head[6];
  uint32_t length = static_cast<uint8_t>(head[8]) | static_cast<uint8_t>(head[9]) << 8;
  if (version < 1 || version > 3)
    return failed(error, "expects .npy version 1 to 3, but got " + std::to_string(version));
  if (version > 1) {
    if (!in.read(head + 10, 2)) return failed(error, "is cut off in its header");
    length |= static_cast<uint32_t>(static_cast<uint8_t>(head[10])) << 16 |
              static_cast<uint32_t>(static_cast<uint8_t>(head[11])) << 24;
  }
  if (length > size - in.tellg()) return failed(error, "is cut off in its header");
  std::string header(length, '\0');
  if (in.read(header.data(), length) && HeaderParser(header).parse(out, fortran)) return true;
  return failed(error, "expects a header {'descr', 'fortran_order', 'shape'}, but cannot parse it");
}

}  // namespace

std::optional<std::vector<int64_t>> readNpyShape(const std::string &path) {
  std::ifstream in;
  Npy npy;
  std::string error;
  int64_t size;
  bool fortran = false, unreadable;
  return readHeader(path, in, size, npy, fortran, error, unreadable) ? std::optional(npy.shape) : std::nullopt;
}

bool readNpy(const std::string &path, Npy &out, std::string &error, bool &unreadable) {
  auto fail = [&](std::string what) { return failed(error, std::move(what)); };
  std::ifstream in;
  int64_t size;
  bool fortran = false;
  if (!readHeader(path, in, size, out, fortran, error, unreadable)) return false;
  const int64_t item = itemBytes(out.descr);
  if (!item) return fail("expects little-endian numbers, but got dtype '" + out.descr + "'");
  int64_t bytes = item;
  for (int64_t d : out.shape)
    if (__builtin_mul_overflow(bytes, d, &bytes)) return fail("has an impossible shape");
  const int64_t there = size - in.tellg();
  if (there != bytes)
    return fail("expects " + std::to_string(bytes) + " bytes of data, but got " + std::to_string(there) +
                (there < bytes ? ": it is cut off" : ""));
  out.data.resize(bytes);
  if (bytes && !in.read(reinterpret_cast<char *>(out.data.data()), bytes)) return fail("cannot be read to its end");
  if (fortran && out.shape.size() > 1 && bytes) out.data = transposed(out.data, out.shape, item);
  return true;
}

bool writeNpy(const std::string &path, const isa::ElementType &type, const std::vector<int64_t> &shape,
              const std::vector<uint8_t> &data, std::string &error) {
  std::string dims;
  for (int64_t d : shape) dims += std::to_string(d) + ", ";
  if (shape.size() > 1) dims.resize(dims.size() - 2);
  if (shape.size() == 1) dims.resize(dims.size() - 1);
  std::string header = "{'descr': '" + descrOf(type) + "', 'fortran_order': False, 'shape': (" + dims + "), }";
  header.resize((10 + header.size() + 1 + 63) / 64 * 64 - 10 - 1, ' ');
  header += '\n';
  std::string head("\x93NUMPY\x01\x00", 8);
  head += {static_cast<char>(header.size() & 255), static_cast<char>(header.size() >> 8)};
  head += header;
  const std::string_view pieces[] = {head, {reinterpret_cast<const char *>(data.data()), data.size()}};
  return isa::writeFile(path, pieces, error);
}

std::string descrOf(const isa::ElementType &type) {
  using isa::Numeric;
  const std::string bytes = std::to_string(type.hostBytes);
  const bool rawFloat = type.numeric == Numeric::Float && (type.bits <= 8 || type.name == "bf16");
  if (type.numeric == Numeric::Bool) return "|b1";
  if (rawFloat) return "|V" + bytes;
  const char *kind = type.numeric == Numeric::Int     ? "i"
                     : type.numeric == Numeric::UInt  ? "u"
                     : type.numeric == Numeric::Float ? "f"
                                                      : "c";
  return (type.hostBytes == 1 ? "|" : "<") + std::string(kind) + bytes;
}

bool descrHolds(const std::string &descr, const isa::ElementType &type) {
  if (itemBytes(descr) != type.hostBytes) return false;
  if (descr[1] == 'V') return type.numeric == isa::Numeric::Float || type.bits < 8;        // raw bytes, as of ml_dtypes
  if (type.hostBytes == 1 && type.numeric == isa::Numeric::Float) return descr[1] == 'f';  // its float8_e5m2
  return descr.substr(1) == descrOf(type).substr(1);
}

std::string shapeText(const std::vector<int64_t> &shape, const std::string &type) {
  std::string out;
  for (int64_t d : shape) out += std::to_string(d) + "x";
  return out + type;
}

}  // namespace tpuc::tools
