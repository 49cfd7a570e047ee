// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Small changes to texts and bytes.
#include "test/fuzz/mutate.h"

#include <algorithm>
#include <regex>

namespace tpuc::fuzz {
namespace {

using Random = std::mt19937_64;

size_t below(Random &random, size_t n) { return n ? random() % n : 0; }
template <typename T>
const T &pick(Random &random, const std::vector<T> &from) {
  return from[below(random, from.size())];
}

struct Span {
  size_t at, size;
};

std::vector<Span> matches(const std::string &text, const std::regex &pattern) {
  std::vector<Span> found;
  for (auto it = std::sregex_iterator(text.begin(), text.end(), pattern); it != std::sregex_iterator(); ++it)
    found.push_back({static_cast<size_t>(it->position()), static_cast<size_t>(it->length())});
  return found;
}

// Replaces a random match; false when there is none.
template <typename Other>
bool replaceOne(std::string &text, const std::regex &pattern, Random &random, Other other) {
  std::vector<Span> found = matches(text, pattern);
  if (found.empty()) return false;
  Span span = pick(random, found);
  text.replace(span.at, span.size, other(text.substr(span.at, span.size), found));
  return true;
}

void changeText(std::string &text, const std::vector<std::string> &others, Random &random) {
  static const std::regex number(R"(-?\d+|\?)"), element(R"(\b(f32|i32|i1|bf16|f64|i64|ui32|i8|index)\b)"),
      tensor(R"(tensor<[^<>]*>)"), list(R"(\[[^\[\]]*\]|array<[^<>]*>|\{[^{}]*\}|dense<[^<>]*>)"),
      word(R"([A-Za-z_.%@#!]+|[^\sA-Za-z])");
  static const std::vector<std::string> numbers = {"0",
                                                   "-1",
                                                   "1",
                                                   "2",
                                                   "3",
                                                   "7",
                                                   "-9223372036854775808",
                                                   "9223372036854775807",
                                                   "4611686018427387904",
                                                   "1099511627776",
                                                   "65536",
                                                   "?",
                                                   "-2"};
  static const std::vector<std::string> elements = {"f32",
                                                    "i32",
                                                    "i1",
                                                    "bf16",
                                                    "complex<f32>",
                                                    "!quant.uniform<i8:f32, 1.0:17>",
                                                    "!quant.uniform<i8:f32:0, {1.0:1,2.0:2}>",
                                                    "index",
                                                    "tuple<>",
                                                    "!stablehlo.token",
                                                    "f64",
                                                    "i64",
                                                    "ui8",
                                                    "f8E4M3FN",
                                                    "i4"};
  static const std::vector<std::string> tensors = {"tensor<f32>", "tensor<*xf32>", "tensor<0x3xf32>",
                                                   "tensor<?xf32, #stablehlo.bounds<4>>", "tensor<1099511627776xf32>"};
  static const std::vector<std::string> lists = {"[]", "array<i64>", "array<i64: 0, 0>", "dense<1> : tensor<2xi64>",
                                                 ""};
  size_t kind = below(random, 100);
  bool done = false;
  if (kind < 40)
    done = replaceOne(text, number, random, [&](const std::string &, auto &) { return pick(random, numbers); });
  else if (kind < 55)
    done = replaceOne(text, element, random, [&](const std::string &, auto &) { return pick(random, elements); });
  else if (kind < 68)
    done = replaceOne(text, tensor, random, [&](const std::string &, auto &found) {
      Span other = pick(random, found);
      return below(random, 2) ? text.substr(other.at, other.size) : pick(random, tensors);
    });
  else if (kind < 78)
    done = replaceOne(text, list, random, [&](const std::string &old, auto &) {
      size_t choice = below(random, lists.size() + 2);
      return choice == 0 ? old + old : choice == 1 ? old.substr(0, old.size() - 1) : lists[choice - 2];
    });
  else if (kind < 90)
    done = replaceOne(text, word, random, [&](const std::string &old, auto &found) {
      Span other = pick(random, found);
      size_t choice = below(random, 3);
      return choice == 0 ? std::string() : choice == 1 ? old + old : text.substr(other.at, other.size);
    });
  if (done || text.empty()) return;
  const std::string &other = pick(random, others);
  size_t at = below(random, text.size()), from = below(random, other.size());
  if (below(random, 2))
    text.insert(at, other.substr(from, below(random, 80)));
  else
    text.erase(at, below(random, 30));
}

void changeBytes(std::string &bytes, const std::vector<std::string> &others, Random &random) {
  if (bytes.empty()) return;
  size_t at = below(random, bytes.size());
  static const std::vector<std::string> words = {std::string(1, '\0'),
                                                 "\x01",
                                                 "\xff",
                                                 std::string("\xff\xff\xff\xff\x0f"),
                                                 "\x7f",
                                                 std::string("\0\xff\xff\xff\xff\xff\xff\xff\xff", 9),
                                                 "\x80"};
  switch (below(random, 8)) {
    case 0:
      bytes[at] = static_cast<char>(bytes[at] ^ 1 << below(random, 8));
      return;
    case 1:
      bytes[at] = static_cast<char>(random());
      return;
    case 2:
      bytes[at] = static_cast<char>(bytes[at] + (below(random, 2) ? 1 : -1));
      return;
    case 3:
      bytes.replace(at, 1, pick(random, words));
      return;
    case 4:
      bytes.erase(at, 1 + below(random, 16));
      return;
    case 5:
      bytes.insert(at, bytes.substr(below(random, bytes.size()), 1 + below(random, 32)));
      return;
    case 6:
      if (below(random, 4) == 0)
        bytes.resize(at);
      else
        bytes[at] = static_cast<char>(bytes[at] << 1 | 1);
      return;
    default: {
      const std::string &other = pick(random, others);
      size_t from = below(random, other.size()), size = 1 + below(random, 64);
      bytes.replace(at, size, other.substr(from, size));
    }
  }
}

}  // namespace

std::string mutateText(std::string text, const std::vector<std::string> &others, Random &random) {
  for (size_t n = 1 + below(random, 5) / 2; n; --n) changeText(text, others, random);
  return text;
}

std::string mutateBytes(std::string bytes, const std::vector<std::string> &others, Random &random) {
  for (size_t n = 1 + below(random, 4); n; --n) changeBytes(bytes, others, random);
  return bytes;
}

}  // namespace tpuc::fuzz
