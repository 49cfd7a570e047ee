// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Text to messages.
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <map>
#include <set>

#include "runtime/schema/message.h"

namespace tpuc::schema {
namespace {

constexpr int kDeepest = 100;

struct Token {
  enum { End, Word, Number, String, Sign } kind = End;
  std::string text;  // of a string: without its quotes and escapes
  int line = 1, column = 1;
};

class Tokenizer {
 public:
  explicit Tokenizer(std::string_view text) : text_(text) {}

  // False for a string that does not end.
  bool next(Token &token) {
    skip();
    token = {Token::End, "", line_, column_};
    if (at_ == text_.size()) return true;
    const char c = text_[at_];
    if (c == '"' || c == '\'') return string(token);
    auto inWord = [](char x) { return std::isalnum(static_cast<unsigned char>(x)) || x == '_'; };
    const bool digit = std::isdigit(static_cast<unsigned char>(c)) ||
                       (c == '.' && at_ + 1 < text_.size() && std::isdigit(static_cast<unsigned char>(text_[at_ + 1])));
    token.kind = digit ? Token::Number : inWord(c) ? Token::Word : Token::Sign;
    do {
      token.text += step();
    } while (token.kind != Token::Sign && at_ < text_.size() &&
             (inWord(text_[at_]) || (digit && (text_[at_] == '.' || isExponentSign()))));
    return true;
  }

 private:
  bool isExponentSign() const {
    const char before = text_[at_ - 1];
    return (text_[at_] == '-' || text_[at_] == '+') && (before == 'e' || before == 'E');
  }
  char step() {
    const char c = text_[at_++];
    column_ = c == '\n' ? 1 : column_ + 1;
    line_ += c == '\n';
    return c;
  }
  void skip() {
    while (at_ < text_.size() && (std::isspace(static_cast<unsigned char>(text_[at_])) || text_[at_] == '#'))
      if (step() == '#')
        while (at_ < text_.size() && text_[at_] != '\n') step();
  }

  bool string(Token &token) {
    token.kind = Token::String;
    const char quote = step();
    while (at_ < text_.size() && text_[at_] != '\n') {
      char c = step();
      if (c == quote) return true;
      if (c != '\\')
        token.text += c;
      else if (at_ == text_.size())
        return false;
      else
        token.text += escape();
    }
    return false;
  }

  char escape() {
    const char c = step();
    int base = c == 'x' ? 16 : 8, most = c == 'x' ? 2 : 3, value = 0;
    size_t first = c == 'x' ? at_ : at_ - 1;
    if (c != 'x' && (c < '0' || c > '7')) {
      static constexpr char kNames[] = "abfnrtv", kValues[] = "\a\b\f\n\r\t\v";
      for (int i = 0; kNames[i]; ++i)
        if (c == kNames[i]) return kValues[i];
      return c;
    }
    auto [end, ec] =
        std::from_chars(text_.data() + first, text_.data() + std::min(text_.size(), first + most), value, base);
    while (ec == std::errc() && text_.data() + at_ < end) step();
    return static_cast<char>(value);
  }

  std::string_view text_;
  size_t at_ = 0;
  int line_ = 1, column_ = 1;
};

class Parser {
 public:
  Parser(std::string_view text, TextError &error) : tokens_(text), error_(error) {}
  bool run(Ref message) { return advance() && fields(message, "", 0); }

 private:
  bool fail(const std::string &what) {
    error_ = {token_.line, token_.column, what};
    return false;
  }
  std::string found() const { return token_.kind == Token::End ? "the end" : "'" + token_.text + "'"; }
  bool advance() { return tokens_.next(token_) || fail("the string does not end"); }
  bool is(const char *sign) const { return token_.kind == Token::Sign && token_.text == sign; }
  bool accept(const char *sign, bool &was) {
    was = is(sign);
    return !was || advance();
  }

  bool fields(Ref ref, const std::string &close, int depth) {
    if (depth > kDeepest) return fail("messages are nested too deeply");
    std::set<const Field *> seen;
    while (close.empty() ? token_.kind != Token::End : !is(close.c_str()))
      if (!field(ref, seen, depth)) return false;
    return close.empty() || advance();
  }

  bool field(Ref ref, std::set<const Field *> &seen, int depth) {
    if (token_.kind != Token::Word) return fail("expects a field's name, but got " + found());
    const Field *f = ref.type->find(token_.text);
    if (!f)
      return fail("unknown field '" + token_.text + "'; the fields of " + ref.type->name + " are " +
                  ref.type->fieldNames());
    const bool many = f->repeated || f->kind == Kind::StringMap;
    if (!seen.insert(f).second && !many) return fail("field '" + token_.text + "' is given twice");
    bool colon, listed, was;
    if (!advance() || !accept(":", colon)) return false;
    const bool block = f->kind == Kind::Message || f->kind == Kind::StringMap;
    if (!colon && !block) return fail("expects ':', but got " + found());
    if (!(many ? accept("[", listed) : (listed = false, true))) return false;
    if (listed && is("]")) return advance();
    while (true) {
      if (!(block ? message(ref, *f, depth) : scalar(*f, f->at(ref.message)))) return false;
      if (!listed) break;
      if (is("]")) {
        if (!advance()) return false;
        break;
      }
      if (!accept(",", was) || !was) return was ? false : fail("expects ',' or ']', but got " + found());
    }
    return accept(",", was) && (was || accept(";", was));
  }

  bool message(Ref ref, const Field &f, int depth) {
    bool angle = is("<");
    if (!angle && !is("{")) return fail("expects '{', but got " + found());
    if (!advance()) return false;
    const std::string close = angle ? ">" : "}";
    void *at = f.at(ref.message);
    if (f.kind == Kind::Message) return fields({&f.message(), f.repeated ? f.list->add(at) : at}, close, depth + 1);
    return pair(*static_cast<std::map<std::string, std::string> *>(at), close);
  }

  bool pair(std::map<std::string, std::string> &map, const std::string &close) {
    std::string key, value;
    bool was;
    while (!is(close.c_str())) {
      if (token_.kind != Token::Word || (token_.text != "key" && token_.text != "value"))
        return fail("expects 'key' or 'value', but got " + found());
      std::string &to = token_.text == "key" ? key : value;
      if (!advance()) return false;
      if (!is(":")) return fail("expects ':', but got " + found());
      if (!advance() || !string(to) || !accept(",", was) || (!was && !accept(";", was))) return false;
    }
    map[key] = value;
    return advance();
  }

  bool string(std::string &out) {
    if (token_.kind != Token::String) return fail("expects a quoted string, but got " + found());
    for (out.clear(); token_.kind == Token::String;) {  // strings side by side are one
      out += token_.text;
      if (!advance()) return false;
    }
    return true;
  }

  bool scalar(const Field &f, void *at) {
    switch (f.kind) {
      case Kind::Bool:
        return put<bool>(f, at, [&](bool &v) { return boolean(v); });
      case Kind::Int32:
        return put<int32_t>(f, at, [&](int32_t &v) { return integer(v); });
      case Kind::Int64:
        return put<int64_t>(f, at, [&](int64_t &v) { return integer(v); });
      case Kind::Uint32:
        return put<uint32_t>(f, at, [&](uint32_t &v) { return integer(v); });
      case Kind::Uint64:
        return put<uint64_t>(f, at, [&](uint64_t &v) { return integer(v); });
      case Kind::Double:
        return put<double>(f, at, [&](double &v) { return real(v); });
      case Kind::Enum:
        return put<int32_t>(f, at, [&](int32_t &v) { return enumerator(*f.values, v); });
      default:
        return put<std::string>(f, at, [&](std::string &v) { return string(v); });
    }
  }

  template <typename T, typename Read>
  bool put(const Field &f, void *at, Read read) {
    T value{};
    if (!read(value)) return false;
    if (f.repeated)
      static_cast<std::vector<T> *>(at)->push_back(std::move(value));
    else
      *static_cast<T *>(at) = std::move(value);
    return true;
  }

  bool boolean(bool &v) {
    const std::string &t = token_.text;
    const bool yes = t == "true" || t == "True" || t == "t" || t == "1",
               no = t == "false" || t == "False" || t == "f" || t == "0";
    if (token_.kind == Token::String || (!yes && !no)) return fail("expects true or false, but got " + found());
    v = yes;
    return advance();
  }

  template <typename T>
  bool integer(T &v) {
    bool negative;
    if (!accept("-", negative)) return false;
    std::string_view digits = token_.text;
    int base = 10;
    if (digits.size() > 1 && digits[0] == '0') {
      base = digits[1] == 'x' || digits[1] == 'X' ? 16 : 8;
      digits.remove_prefix(base == 16 ? 2 : 1);
    }
    uint64_t magnitude = 0;
    auto [end, ec] = std::from_chars(digits.data(), digits.data() + digits.size(), magnitude, base);
    if (token_.kind != Token::Number || digits.empty() || end != digits.data() + digits.size())
      return fail("expects a whole number, but got " + found());
    constexpr bool isSigned = std::is_signed_v<T>;
    const uint64_t most = negative ? (isSigned ? uint64_t{1} << (8 * sizeof(T) - 1) : 0)
                                   : static_cast<uint64_t>(std::numeric_limits<T>::max());
    if (ec != std::errc() || magnitude > most)
      return fail("the number " + std::string(negative ? "-" : "") + token_.text + " is out of range");
    v = static_cast<T>(negative ? 0 - magnitude : magnitude);
    return advance();
  }

  bool real(double &v) {
    bool negative;
    if (!accept("-", negative)) return false;
    std::string text = token_.text;
    for (char &c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    const bool word = token_.kind == Token::Word && (text == "inf" || text == "infinity" || text == "nan");
    if (token_.kind == Token::Number && text.size() > 1 && text.back() == 'f' && text.compare(0, 2, "0x") != 0)
      text.pop_back();
    char *end = nullptr;
    v = std::strtod(text.c_str(), &end);
    if ((token_.kind != Token::Number && !word) || *end) return fail("expects a number, but got " + found());
    if (negative) v = -v;
    return advance();
  }

  bool enumerator(const Enum &values, int32_t &v) {
    if (token_.kind == Token::Number || is("-")) return integer(v);
    std::string names;
    for (int i = 0; i < values.count; ++i) {
      names += (i ? ", " : "") + std::string(values.values[i].name);
      if (token_.text != values.values[i].name) continue;
      v = values.values[i].value;
      return advance();
    }
    return fail("expects one of " + names + ", but got " + found());
  }

  Tokenizer tokens_;
  Token token_;
  TextError &error_;
};

}  // namespace

bool parseText(std::string_view text, Ref message, TextError &error) { return Parser(text, error).run(message); }

}  // namespace tpuc::schema
