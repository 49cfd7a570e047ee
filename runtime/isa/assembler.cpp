// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Assembly text to executables; the inverse of disassembler.cpp.
#include <charconv>
#include <map>

#include "runtime/isa/executable.h"
#include "runtime/isa/text.h"

namespace tpuc::isa {
namespace {

std::string_view trim(std::string_view text) {
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front()))) text.remove_prefix(1);
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back()))) text.remove_suffix(1);
  return text;
}

// The text before `separator`, which is removed from `rest` together with it.
std::string_view next(std::string_view &rest, char separator) {
  size_t end = rest.find(separator);
  std::string_view one = rest.substr(0, end);
  rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 1);
  return trim(one);
}

bool parseNumber(std::string_view text, int64_t &value) {
  bool negative = !text.empty() && text[0] == '-';
  if (negative || (!text.empty() && text[0] == '+')) text.remove_prefix(1);
  int base = 10;
  if (text.substr(0, 2) == "0x") {
    text.remove_prefix(2);
    base = 16;
  }
  uint64_t magnitude = 0;
  auto [end, ec] = std::from_chars(text.data(), text.data() + text.size(), magnitude, base);
  if (text.empty() || ec != std::errc() || end != text.data() + text.size()) return false;
  if (magnitude > uint64_t{1} << 63 || (!negative && magnitude == uint64_t{1} << 63)) return false;
  value = static_cast<int64_t>(negative ? 0 - magnitude : magnitude);
  return true;
}

bool parseReg(std::string_view text, RegKind kind, uint8_t &reg) {
  char prefix = kind == RegKind::S ? 's' : kind == RegKind::V ? 'v' : 'm';
  int64_t value;
  if (text.size() < 2 || text[0] != prefix || text[1] < '0' || text[1] > '9' || !parseNumber(text.substr(1), value))
    return false;
  if (value < 0 || value >= kNoReg) return false;
  reg = static_cast<uint8_t>(value);
  return true;
}

// Parses one instruction; a target that is no number is left in `label`.
class InstParser {
 public:
  InstParser(std::string_view text, Inst &inst, std::string &label, std::string &error)
      : text_(trim(text)), inst_(inst), label_(label), error_(error) {}

  bool run() {
    inst_ = Inst();
    label_.clear();
    size_t space = text_.find(' ');
    std::string_view mnemonic = text_.substr(0, space);
    rest_ = space == std::string_view::npos ? std::string_view() : trim(text_.substr(space + 1));
    std::optional<Op> op = lookup(mnemonic);
    if (!op) return fail("unknown instruction '" + std::string(mnemonic) + "'");
    inst_.op = *op;
    info_ = &info(*op);
    if (!registers() || !fields()) return false;
    std::string why = validate(inst_);
    return why.empty() || fail(why);
  }

 private:
  bool fail(std::string what) {
    error_ = std::move(what);
    return false;
  }
  std::string_view peek() const {
    std::string_view copy = rest_;
    return next(copy, ',');
  }

  bool registers() {
    if (info_->result != RegKind::None && !parseReg(peek(), info_->result, inst_.dst))
      return fail(std::string(info_->mnemonic) + " expects a destination register, but got '" + std::string(peek()) +
                  "'");
    if (info_->result != RegKind::None) next(rest_, ',');
    bool hasX = false;
    for (int k = 0; k < info_->numSources; ++k) {
      const Source &s = info_->sources[k];
      hasX |= s.orImm;
      std::string_view word = next(rest_, ',');
      if (parseReg(word, s.kind, inst_.source(k)) || (s.optional && word == "-")) continue;
      if (s.orImm && setNamed("imm", word)) continue;
      return error_.empty()
                 ? fail(std::string(info_->mnemonic) + " expects a source operand, but got '" + std::string(word) + "'")
                 : false;
    }
    if (info_->field("imm") && !hasX) return setNamed("imm", next(rest_, ','));
    return true;
  }

  bool fields() {
    while (!rest_.empty()) {
      std::string_view word = next(rest_, ',');
      if (word.substr(0, 1) == "?") {
        if (!parseReg(word.substr(1), RegKind::M, inst_.m)) return fail("bad mask '" + std::string(word) + "'");
        continue;
      }
      std::string_view name = next(word, '=');
      if (!setNamed(name, word)) return false;
    }
    return true;
  }

  bool setNamed(std::string_view name, std::string_view text) {
    const Field *f = info_->field(name);
    if (!f) return fail(std::string(info_->mnemonic) + " has no field '" + std::string(name) + "'");
    int64_t value;
    if (!parseNumber(text, value)) {
      if (name != "target" || text.empty())
        return fail("expects a number for '" + std::string(name) + "', but got '" + std::string(text) + "'");
      label_ = text;
      return true;
    }
    if (!setField(inst_, *f, value)) return fail("'" + std::string(name) + "' does not hold " + std::string(text));
    return true;
  }

  std::string_view text_, rest_;
  Inst &inst_;
  std::string &label_;
  std::string &error_;
  const InstInfo *info_ = nullptr;
};

bool parseEndpoint(std::string_view text, Space &space, int32_t &buffer, int64_t &offset) {
  buffer = -1;
  size_t nameEnd = text.find_first_of("[+-");
  if (nameEnd == std::string_view::npos) return false;
  std::string_view name = text.substr(0, nameEnd);
  space = name == "hbm" ? Space::Hbm : name == "vmem" ? Space::Vmem : Space::Smem;
  if (space == Space::Smem && name != "smem") return false;
  text.remove_prefix(nameEnd);
  if (space == Space::Hbm) {
    size_t close = text.find(']');
    int64_t index;
    if (text[0] != '[' || close == std::string_view::npos || !parseNumber(text.substr(1, close - 1), index))
      return false;
    if (index < INT32_MIN || index > INT32_MAX) return false;
    buffer = static_cast<int32_t>(index);
    text.remove_prefix(close + 1);
  }
  return parseNumber(text, offset);
}

class Assembler {
 public:
  Assembler(Executable &exe, std::string &error) : exe_(exe), error_(error) {}

  bool run(std::string_view text) {
    for (size_t line = 1; !text.empty(); ++line) {
      size_t end = text.find('\n');
      std::string_view one = text.substr(0, end);
      text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
      if (!parseLine(trim(withoutComment(one)))) {
        error_ = "line " + std::to_string(line) + ": " + error_;
        return false;
      }
    }
    if (!resolve()) return false;
    if (exe_.index.entries_size() == 0) exe_.index.add_entries();
    exe_.index.set_format_version(kFormatVersion);
    exe_.index.set_table_hash(tableHash());
    exe_.index.set_num_bundles(bundles_);
    exe_.constants = exe_.ownedConstants;
    error_ = validate(exe_);
    return error_.empty();
  }

 private:
  bool fail(std::string what) {
    error_ = std::move(what);
    return false;
  }

  static std::string_view withoutComment(std::string_view line) {
    bool quoted = false;
    for (size_t i = 0; i < line.size(); ++i) {
      if (line[i] == '\\' && quoted)
        ++i;
      else if (line[i] == '"')
        quoted = !quoted;
      else if (!quoted && line.substr(i, 2) == "//")
        return line.substr(0, i);
    }
    return line;
  }

  bool parseLine(std::string_view line) {
    if (line.empty()) return true;
    if (line.front() == '{') return parseBundle(line);
    if (line.back() == ':') return defineLabel(trim(line.substr(0, line.size() - 1)));
    if (line.front() != '.')
      return fail("expects a bundle, a label or a directive, but got '" + std::string(line.substr(0, 40)) + "'");
    size_t space = line.find(' ');
    return parseDirective(line.substr(0, space), space == std::string_view::npos ? "" : trim(line.substr(space)));
  }

  bool defineLabel(std::string_view name) {
    return labels_.emplace(std::string(name), bundles_).second ||
           fail("label '" + std::string(name) + "' is defined twice");
  }

  bool parseBundle(std::string_view line) {
    if (line.back() != '}') return fail("a bundle ends with '}'");
    line = trim(line.substr(1, line.size() - 2));
    if (line.empty()) return fail("a bundle has at least one instruction");
    while (!line.empty()) {
      Inst inst;
      std::string label;
      if (!InstParser(next(line, ';'), inst, label, error_).run()) return false;
      if (!label.empty()) fixups_.push_back({exe_.code.size(), label});
      exe_.code.push_back(inst);
    }
    exe_.code.back().last = 1;
    ++bundles_;
    return true;
  }

  template <typename Message>
  bool parseMessage(std::string_view text, Message *message) {
    schema::TextError why;
    return schema::parseText(text, *message, why) || fail("column " + std::to_string(why.column) + ": " + why.message);
  }

  bool parseSet(std::string_view rest) {
    std::string name(next(rest, ' '));
    const schema::Field *field = proto::Index::messageType().find(name);
    if (!field || !isSettable(*field)) return fail("nothing to set is called '" + name + "'");
    return parseMessage(name + ": " + std::string(rest), &exe_.index);
  }

  bool parseDma(std::string_view rest) {
    int64_t index;
    if (!parseNumber(next(rest, ' '), index) || index != static_cast<int64_t>(exe_.descriptors.size()))
      return fail("expects descriptor " + std::to_string(exe_.descriptors.size()));
    return parseDescriptor(rest, exe_.descriptors.emplace_back(), error_);
  }

  bool parseData(std::string_view rest) {
    int64_t at;
    if (!parseNumber(next(rest, ' '), at) || at < 0) return fail("expects an offset");
    rest = trim(rest);
    if (rest.size() % 2 || static_cast<uint64_t>(at) + rest.size() / 2 > exe_.ownedConstants.size())
      return fail("data beyond the constants");
    for (size_t i = 0; i < rest.size(); i += 2) {
      uint8_t byte;
      auto [end, ec] = std::from_chars(rest.data() + i, rest.data() + i + 2, byte, 16);
      if (ec != std::errc() || end != rest.data() + i + 2) return fail("expects hexadecimal bytes");
      exe_.ownedConstants[at + i / 2] = byte;
    }
    return true;
  }

  bool parseDirective(std::string_view name, std::string_view rest) {
    if (name == ".set") return parseSet(rest);
    if (name == ".system") return parseMessage(rest, exe_.index.mutable_system());
    if (name == ".symbol") return parseMessage(rest, exe_.index.add_symbols());
    if (name == ".condition") return parseMessage(rest, exe_.index.add_conditions());
    if (name == ".entry") return parseMessage(rest, exe_.index.add_entries());
    if (name == ".buffer") return parseMessage(rest, exe_.index.add_buffers());
    if (name == ".resident") return parseMessage(rest, exe_.index.add_residents());
    if (name == ".chip_semaphore") return parseMessage(rest, exe_.index.add_chip_semaphores());
    if (name == ".host") return parseMessage(rest, exe_.index.add_host_calls());
    if (name == ".expect") return parseMessage(rest, exe_.index.add_expectations());
    if (name == ".dma") return parseDma(rest);
    if (name == ".data") return parseData(rest);
    if (name == ".routine") {
      proto::Routine *routine = exe_.index.add_routines();
      bool ok = parseMessage(rest, routine);
      routine->set_bundle(bundles_);
      return ok;
    }
    if (name == ".loc") {
      SourceLine line{bundles_, {}};
      if (!unquote(rest, line.location)) return fail("expects a quoted string");
      exe_.sourceMap.push_back(std::move(line));
      return true;
    }
    if (name == ".target") {
      std::string line;
      if (!unquote(rest, line)) return fail("expects a quoted string");
      exe_.index.mutable_target()->append(line);
      return true;
    }
    if (name == ".constants") {
      int64_t size;
      if (!parseNumber(rest, size) || size < 0 || size > (int64_t{1} << 32)) return fail("bad size of constants");
      exe_.ownedConstants.resize(size);
      return true;
    }
    if (name == ".omitted") return fail("this text was printed without its constants");
    return fail("unknown directive '" + std::string(name) + "'");
  }

  bool resolve() {
    for (const Fixup &f : fixups_) {
      auto it = labels_.find(f.label);
      if (it == labels_.end()) return fail("unknown label '" + f.label + "'");
      setField(exe_.code[f.inst], "target", it->second);
    }
    return true;
  }

  struct Fixup {
    size_t inst;
    std::string label;
  };
  Executable &exe_;
  std::string &error_;
  uint32_t bundles_ = 0;
  std::map<std::string, uint32_t> labels_;
  std::vector<Fixup> fixups_;
};

}  // namespace

bool parseInst(std::string_view text, Inst &inst, std::string &error) {
  std::string label;
  error.clear();
  if (!InstParser(text, inst, label, error).run()) return false;
  if (label.empty()) return true;
  error = "expects a number for 'target', but got '" + label + "'";
  return false;
}

bool parseDescriptor(std::string_view text, DmaDescriptor &d, std::string &error) {
  d = DmaDescriptor();
  error = "expects 'space+offset -> space+offset, run=bytes, dim=count:stride:stride, ...'";
  std::string_view ends = next(text, ',');
  size_t arrow = ends.find("->");
  if (arrow == std::string_view::npos ||
      !parseEndpoint(trim(ends.substr(0, arrow)), d.srcSpace, d.srcBuffer, d.srcOffset) ||
      !parseEndpoint(trim(ends.substr(arrow + 2)), d.dstSpace, d.dstBuffer, d.dstOffset))
    return false;
  std::string_view run = next(text, ',');
  if (run.substr(0, 4) != "run=" || !parseNumber(run.substr(4), d.runBytes)) return false;
  while (!text.empty()) {
    std::string_view dim = next(text, ',');
    if (dim.substr(0, 4) != "dim=" || d.numDims == d.dims.size()) return false;
    dim.remove_prefix(4);
    DmaDescriptor::Dim &out = d.dims[d.numDims++];
    if (!parseNumber(next(dim, ':'), out.count) || !parseNumber(next(dim, ':'), out.srcStride) ||
        !parseNumber(dim, out.dstStride))
      return false;
  }
  error.clear();
  return true;
}

bool assemble(std::string_view text, Executable &exe, std::string &error) {
  exe = Executable();
  error.clear();
  return Assembler(exe, error).run(text);
}

}  // namespace tpuc::isa
