// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parsing of the machine program's text: recursive descent over words and punctuation.
#include <cctype>
#include <charconv>
#include <optional>

#include "passes/schedule/flow.h"
#include "passes/schedule/machine_text.h"

namespace tpuc::schedule {
namespace {

class Parser {
 public:
  Parser(std::string_view text, std::string &error) : text_(text), error_(error) { advance(); }

  bool atEnd() const { return token_.empty(); }

  bool location(machine::Program &program) {
    int64_t index;
    advance();
    if (!number(index)) return false;
    if (token_.empty() || token_[0] != '"') return expects("a quoted location");
    if (index < 0 || index > 1 << 24) return fail("location number out of range");
    if (program.locations.size() <= static_cast<size_t>(index)) program.locations.resize(index + 1);
    std::string &value = program.locations[index];
    value.clear();
    for (size_t i = 1; i + 1 < token_.size(); ++i) {
      if (token_[i] == '\\') ++i;
      value += token_[i];
    }
    return advance();
  }
  bool isLocation() const { return token_ == "loc"; }

  bool routine(machine::Routine &routine) {
    routine = {};
    routine_ = &routine;
    routine.isEntry = token_ == "entry";
    if (routine.isEntry) advance();
    if (!eat("routine")) return false;
    if (token_.empty() || token_ == "{") return expects("a name");
    routine.name = token_ == "_" ? "" : std::string(token_);
    advance();
    while (token_ != "{")
      if (!header()) return false;
    advance();
    if (token_ == "regs" && !kinds()) return false;
    return region(routine.body);
  }

 private:
  // ---- words --------------------------------------------------------------------------------------------------------

  bool advance() {
    skipSpace();
    size_t start = at_;
    if (at_ == text_.size()) {
      token_ = {};
      return true;
    }
    char c = text_[at_++];
    if (c == '"') {
      while (at_ < text_.size() && text_[at_] != '"') at_ += text_[at_] == '\\' ? 2 : 1;
      at_ = std::min(at_ + 1, text_.size());
    } else if (isWord(c)) {
      while (at_ < text_.size() && isWord(text_[at_])) ++at_;
    }
    token_ = text_.substr(start, at_ - start);
    return true;
  }
  static bool isWord(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.' || c == '-'; }
  void skipSpace() {
    while (at_ < text_.size()) {
      if (text_.substr(at_, 2) == "//") {
        while (at_ < text_.size() && text_[at_] != '\n') ++at_;
      } else if (std::isspace(static_cast<unsigned char>(text_[at_]))) {
        line_ += text_[at_++] == '\n';
      } else {
        return;
      }
    }
  }

  bool failAt(int line, const std::string &what) {
    error_ = "line " + std::to_string(line) + ": " + what;
    return false;
  }
  bool fail(const std::string &what) { return failAt(line_, what); }
  bool expects(const std::string &what) {
    return fail("expects " + what + ", but got " + (token_.empty() ? "the end" : "'" + std::string(token_) + "'"));
  }
  bool eat(std::string_view word) { return token_ == word ? advance() : expects("'" + std::string(word) + "'"); }

  bool number(int64_t &value) {
    auto [end, code] = std::from_chars(token_.data(), token_.data() + token_.size(), value);
    if (code != std::errc() || end != token_.data() + token_.size()) return expects("a number");
    return advance();
  }

  static RegKind kindOf(char c) {
    return c == 's' ? RegKind::S : c == 'v' ? RegKind::V : c == 'm' ? RegKind::M : RegKind::None;
  }
  bool isReg() const {
    if (token_.size() < 2 || kindOf(token_[0]) == RegKind::None) return false;
    for (char c : token_.substr(1))
      if (!std::isdigit(static_cast<unsigned char>(c))) return false;
    return true;
  }
  bool reg(Reg &r) {
    int64_t index = 0;
    if (!isReg()) return expects("a register");
    std::from_chars(token_.data() + 1, token_.data() + token_.size(), index);
    if (index > 1 << 24) return fail("register number out of range");
    if (routine_->regs.size() <= static_cast<size_t>(index)) routine_->regs.resize(index + 1, RegKind::None);
    RegKind &kind = routine_->regs[index];
    if (kind == RegKind::None) kind = kindOf(token_[0]);
    if (kind != kindOf(token_[0])) return fail("register '" + std::string(token_) + "' is of another kind elsewhere");
    r = static_cast<Reg>(index);
    return advance();
  }

  // ---- grammar ------------------------------------------------------------------------------------------------------

  bool header() {
    std::string key(token_);
    advance();
    if (!eat("=")) return false;
    if (key == "grid_start") return reg(routine_->gridStart);
    if (key == "grid_count") return reg(routine_->gridCount);
    if (key == "spill_vmem") return number(routine_->spillVmemWord);
    if (key == "spill_smem") return number(routine_->spillSmemByte);
    return fail("unknown attribute '" + key + "' of a routine");
  }

  bool kinds() {
    std::vector<RegKind> listed;
    advance();
    while (isReg() || token_.starts_with("_")) {
      // The last word of this line could be an instruction's result: then "=" follows.
      size_t at = at_;
      int line = line_;
      std::string_view word = token_;
      advance();
      if (token_ == "=") {
        at_ = at;
        line_ = line;
        token_ = word;
        break;
      }
      int64_t count = 0;
      std::from_chars(word.data() + 1, word.data() + word.size(), count);
      if (count > 1 << 24) return fail("too many registers");
      listed.insert(listed.end(), count, kindOf(word[0]));
    }
    auto &regs = routine_->regs;
    if (regs.size() < listed.size()) regs.resize(listed.size(), RegKind::None);
    for (size_t i = 0; i < listed.size(); ++i) {
      if (regs[i] != RegKind::None && regs[i] != listed[i])
        return fail("register " + std::to_string(i) + " is of another kind in the header");
      regs[i] = listed[i];
    }
    return true;
  }

  // After "{", through "}".
  bool region(machine::Region &nodes) {
    while (token_ != "}") {
      if (token_.empty()) return expects("'}'");
      if (!node(nodes)) return false;
    }
    return advance();
  }

  bool node(machine::Region &nodes) {
    if (token_ == "loop") {
      machine::LoopNode loop;
      advance();
      if (!(isReg() ? reg(loop.count) : number(loop.countImm))) return false;
      if (token_ == "independent") loop.independent = advance();
      if (!eat("{") || !region(loop.body)) return false;
      nodes.push_back({std::move(loop)});
      return true;
    }
    if (token_ == "if") {
      machine::IfNode branch;
      advance();
      if (!reg(branch.cond) || !eat("{") || !region(branch.then)) return false;
      if (token_ == "else" && !(advance() && eat("{") && region(branch.otherwise))) return false;
      nodes.push_back({std::move(branch)});
      return true;
    }
    if (token_ == "while") {
      machine::WhileNode loop;
      advance();
      if (!eat("{") || !region(loop.before) || !reg(loop.cond) || !eat("{") || !region(loop.body)) return false;
      nodes.push_back({std::move(loop)});
      return true;
    }
    MInst inst{};
    if (!instruction(inst)) return false;
    nodes.push_back({inst});
    return true;
  }

  bool instruction(MInst &inst) {
    if (isReg() && (!reg(inst.dst) || !eat("="))) return false;
    std::optional<Op> op = isa::lookup(token_);
    if (!op) return expects("an instruction");
    inst.op = *op;
    advance();
    for (int i = 0; isReg() || token_ == "_"; ++i) {
      if (i == 0 && startsAssignment()) return true;
      if (i == 3) return fail("more than three operands");
      if (token_ == "_" ? !advance() : !reg(inst.src[i])) return false;
      if (token_ != ",") break;
      advance();
    }
    while (isAttribute())
      if (!attribute(inst)) return false;
    return true;
  }

  // Whether the present word is followed by `c`.
  bool followedBy(char c) const {
    size_t i = at_;
    while (i < text_.size() && text_[i] == ' ') ++i;
    return i < text_.size() && text_[i] == c;
  }
  // An instruction without operands can be followed by the result of the next one.
  bool startsAssignment() const { return isReg() && followedBy('='); }
  bool isAttribute() const { return !token_.empty() && isWord(token_[0]) && followedBy('=') && !isReg(); }

  bool attribute(MInst &inst) {
    std::string key(token_);
    int64_t value = 0;
    const int line = line_;
    advance();
    advance();
    if (key == "mask") return reg(inst.mask);
    if (!number(value)) return false;
    if (key == "routine")
      inst.callee = static_cast<int32_t>(value);
    else if (key == "region")
      inst.region = static_cast<int32_t>(value);
    else if (key == "loc")
      inst.loc = static_cast<int32_t>(value);
    else if (!isa::info(inst.op).field(key))
      return failAt(line, "no field '" + key + "' in " + std::string(isa::info(inst.op).mnemonic));
    else if (!setFieldOf(inst, key, value))
      return failAt(line, std::to_string(value) + " does not fit the field '" + key + "'");
    return true;
  }

  std::string_view text_, token_;
  std::string &error_;
  size_t at_ = 0;
  int line_ = 1;
  machine::Routine *routine_ = nullptr;
};

}  // namespace

bool parseRoutine(std::string_view text, machine::Routine &routine, std::string &error) {
  Parser parser(text, error);
  if (!parser.routine(routine)) return false;
  if (parser.atEnd()) return true;
  error = "expects one routine, but got more text after it";
  return false;
}

bool parseProgram(std::string_view text, machine::Program &program, std::string &error) {
  program = {};
  Parser parser(text, error);
  while (!parser.atEnd()) {
    if (parser.isLocation()) {
      if (!parser.location(program)) return false;
      continue;
    }
    if (!parser.routine(program.routines.emplace_back())) return false;
  }
  return true;
}

}  // namespace tpuc::schedule
