// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Messages as bytes, by protozero.
#include <map>
#include <protozero/pbf_reader.hpp>
#include <protozero/pbf_writer.hpp>

#include "runtime/schema/message.h"

namespace tpuc::schema {
namespace {

using Map = std::map<std::string, std::string>;
using protozero::pbf_reader;
using protozero::pbf_wire_type;
using protozero::pbf_writer;

constexpr int kDeepest = 100;

// Calls body with the C++ type that a number is kept as.
template <typename Body>
void withNumber(Kind kind, Body body) {
  switch (kind) {
    case Kind::Bool:
      return body(bool());
    case Kind::Int32:
    case Kind::Enum:
      return body(int32_t());
    case Kind::Int64:
      return body(int64_t());
    case Kind::Uint32:
      return body(uint32_t());
    case Kind::Uint64:
      return body(uint64_t());
    case Kind::Double:
      return body(double());
    default:
      return;
  }
}

void put(pbf_writer &out, uint32_t tag, bool v) { out.add_bool(tag, v); }
void put(pbf_writer &out, uint32_t tag, int32_t v) { out.add_int32(tag, v); }
void put(pbf_writer &out, uint32_t tag, int64_t v) { out.add_int64(tag, v); }
void put(pbf_writer &out, uint32_t tag, uint32_t v) { out.add_uint32(tag, v); }
void put(pbf_writer &out, uint32_t tag, uint64_t v) { out.add_uint64(tag, v); }
void put(pbf_writer &out, uint32_t tag, double v) { out.add_double(tag, v); }

template <typename It>
void putAll(pbf_writer &out, uint32_t tag, bool, It b, It e) {
  out.add_packed_bool(tag, b, e);
}
template <typename It>
void putAll(pbf_writer &out, uint32_t tag, int32_t, It b, It e) {
  out.add_packed_int32(tag, b, e);
}
template <typename It>
void putAll(pbf_writer &out, uint32_t tag, int64_t, It b, It e) {
  out.add_packed_int64(tag, b, e);
}
template <typename It>
void putAll(pbf_writer &out, uint32_t tag, uint32_t, It b, It e) {
  out.add_packed_uint32(tag, b, e);
}
template <typename It>
void putAll(pbf_writer &out, uint32_t tag, uint64_t, It b, It e) {
  out.add_packed_uint64(tag, b, e);
}
template <typename It>
void putAll(pbf_writer &out, uint32_t tag, double, It b, It e) {
  out.add_packed_double(tag, b, e);
}

void writeField(const Field &f, void *message, pbf_writer &out) {
  if (f.has && !f.has(message)) return;
  void *at = f.at(message);
  if (f.kind == Kind::StringMap) {
    for (const auto &[key, value] : *static_cast<Map *>(at)) {
      std::string entry;
      pbf_writer pair(entry);
      pair.add_string(1, key);
      pair.add_string(2, value);
      out.add_message(f.number, entry);
    }
  } else if (f.kind == Kind::Message) {
    if (!f.repeated) return out.add_message(f.number, serialize(Ref{&f.message(), at}));
    for (size_t i = 0; i < f.list->size(at); ++i)
      out.add_message(f.number, serialize(Ref{&f.message(), f.list->get(at, i)}));
  } else if (f.kind == Kind::String) {
    if (f.repeated)
      for (const std::string &s : *static_cast<std::vector<std::string> *>(at)) out.add_bytes(f.number, s);
    else if (auto *s = static_cast<std::string *>(at); !s->empty())
      out.add_bytes(f.number, *s);
  } else {
    withNumber(f.kind, [&](auto zero) {
      using T = decltype(zero);
      if (f.repeated) {
        auto &list = *static_cast<std::vector<T> *>(at);
        if (!list.empty()) putAll(out, f.number, zero, list.begin(), list.end());
      } else if (*static_cast<T *>(at) != zero) {
        put(out, f.number, *static_cast<T *>(at));
      }
    });
  }
}

template <typename T>
T take(pbf_reader &in) {
  if constexpr (std::is_same_v<T, double>)
    return in.get_double();
  else
    return static_cast<T>(in.get_uint64());  // a negative int32 is a varint of 64 bits
}

template <typename T>
bool takeAll(std::string_view bytes, std::vector<T> &list) {
  const char *at = bytes.data(), *end = at + bytes.size();
  while (at != end) {
    if constexpr (std::is_same_v<T, double>) {
      if (end - at < 8) return false;
      double v;
      __builtin_memcpy(&v, at, 8);
      list.push_back(v);
      at += 8;
    } else {
      list.push_back(static_cast<T>(protozero::decode_varint(&at, end)));
    }
  }
  return true;
}

bool read(pbf_reader in, Ref ref, int depth);

std::string_view view(pbf_reader &in) {
  protozero::data_view bytes = in.get_view();
  return {bytes.data(), bytes.size()};
}

bool readPair(std::string_view bytes, Map &map) {
  pbf_reader in(bytes.data(), bytes.size());
  std::string key, value;
  while (in.next()) {
    if (in.wire_type() != pbf_wire_type::length_delimited || in.tag() > 2)
      in.skip();
    else if (in.tag() == 1)
      key = view(in);  // before the view is taken: protozero forgets the tag then
    else
      value = view(in);
  }
  map[key] = value;
  return true;
}

bool readBytes(pbf_reader &in, const Field &f, void *at, int depth) {
  std::string_view bytes = view(in);
  if (f.kind == Kind::StringMap) return readPair(bytes, *static_cast<Map *>(at));
  if (f.kind == Kind::Message)
    return read(pbf_reader(bytes.data(), bytes.size()), {&f.message(), f.repeated ? f.list->add(at) : at}, depth + 1);
  if (f.kind == Kind::String) {
    if (f.repeated)
      static_cast<std::vector<std::string> *>(at)->emplace_back(bytes);
    else
      static_cast<std::string *>(at)->assign(bytes);
    return true;
  }
  bool whole = false;  // a number is no bytes, unless many are packed
  if (f.repeated)
    withNumber(f.kind, [&](auto zero) { whole = takeAll(bytes, *static_cast<std::vector<decltype(zero)> *>(at)); });
  return whole;
}

bool readNumber(pbf_reader &in, const Field &f, void *at) {
  bool fits = false;
  withNumber(f.kind, [&](auto zero) {
    using T = decltype(zero);
    fits = in.wire_type() == (std::is_same_v<T, double> ? pbf_wire_type::fixed64 : pbf_wire_type::varint);
    if (!fits) return;
    if (f.repeated)
      static_cast<std::vector<T> *>(at)->push_back(take<T>(in));
    else
      *static_cast<T *>(at) = take<T>(in);
  });
  return fits;
}

bool read(pbf_reader in, Ref ref, int depth) {
  if (depth > kDeepest) return false;
  while (in.next()) {
    const Field *f = ref.type->find(static_cast<uint32_t>(in.tag()));
    if (!f) {
      in.skip();
    } else if (in.wire_type() == pbf_wire_type::length_delimited ? !readBytes(in, *f, f->at(ref.message), depth)
                                                                 : !readNumber(in, *f, f->at(ref.message))) {
      return false;
    }
  }
  return true;
}

}  // namespace

std::string serialize(Ref ref) {
  std::string bytes;
  pbf_writer out(bytes);
  for (int i = 0; i < ref.type->count; ++i) writeField(ref.type->fields[i], ref.message, out);
  return bytes;
}

bool parse(std::string_view bytes, Ref ref) {
  try {
    return read(pbf_reader(bytes.data(), bytes.size()), ref, 0);
  } catch (const protozero::exception &) {
    return false;
  }
}

}  // namespace tpuc::schema
