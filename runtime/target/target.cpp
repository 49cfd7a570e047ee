// Loads hardware descriptions: bundled ones by name, a user's own from a file, with located errors.
#include "runtime/target/target.h"

#include <google/protobuf/io/tokenizer.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>
#include <google/protobuf/text_format.h>

#include <fstream>
#include <sstream>

#include "runtime/target/bundled.h"
#include "runtime/target/fields.h"

namespace tpuc::target {
namespace {

using google::protobuf::TextFormat;

// Keeps the first error of the text parser as "file:line:column: what".
class FirstError : public google::protobuf::io::ErrorCollector {
 public:
  explicit FirstError(std::string file) : file_(std::move(file)) {}
  void AddError(int line, int column, const std::string &message) override {
    if (!text_.empty()) return;
    text_ = file_ + ":" + std::to_string(line + 1) + ":" + std::to_string(column + 1) + ": " + explain(message);
  }
  const std::string &text() const { return text_; }

 private:
  // The parser says `Message type "tpuc.target.Core" has no field named "x".`; a person wants to know which there are.
  static std::string explain(const std::string &message) {
    const std::string marker = "has no field named \"";
    size_t at = message.find(marker);
    size_t open = message.find('"');
    if (at == std::string::npos || open == std::string::npos) return message;
    std::string type = message.substr(open + 1, message.find('"', open + 1) - open - 1);
    size_t begin = at + marker.size();
    std::string field = message.substr(begin, message.find('"', begin) - begin);
    return "unknown field '" + field + "'; " + fieldsOf(type);
  }
  std::string file_, text_;
};

bool parseText(const std::string &text, const std::string &file, Target &target, std::string &error) {
  FirstError errors(file);
  TextFormat::Parser parser;
  parser.RecordErrorsTo(&errors);
  Target parsed;
  if (!parser.ParseFromString(text, &parsed)) {
    error = errors.text().empty() ? file + ": not a target description" : errors.text();
    return false;
  }
  if (std::string why = validate(parsed); !why.empty()) {
    error = file + ": " + why;
    return false;
  }
  target = std::move(parsed);
  return true;
}

std::string join(const std::vector<std::string> &names) {
  std::string out;
  for (const std::string &name : names) out += (out.empty() ? "" : ", ") + name;
  return out;
}

}  // namespace

std::vector<std::string> bundledTargets() {
  std::vector<std::string> names;
  for (int i = 0; i < kNumBundled; ++i) names.push_back(kBundled[i].name);
  return names;
}

bool loadTarget(const std::string &nameOrPath, Target &target, std::string &error) {
  for (int i = 0; i < kNumBundled; ++i)
    if (nameOrPath == kBundled[i].name) return parseText(kBundled[i].text, nameOrPath + ".textproto", target, error);
  std::ifstream file(nameOrPath, std::ios::binary);
  std::ostringstream text;
  if (!file || !(text << file.rdbuf())) {
    error = "unknown target '" + nameOrPath + "': expects one of " + join(bundledTargets()) + " or a readable textproto file";
    return false;
  }
  return parseText(text.str(), nameOrPath, target, error);
}

bool parseTarget(const std::string &text, Target &target, std::string &error) {
  return parseText(text, "target", target, error);
}

std::string toText(const Target &target) {
  // Map entries have no order of their own; the printer sorts them by key.
  std::string text;
  TextFormat::Printer printer;
  printer.PrintToString(target, &text);
  return text;
}

uint64_t digest(const Target &target) {
  Target constants = target;
  constants.clear_source();  // where a number is from does not change the machine
  uint64_t hash = 0xcbf29ce484222325ull;
  for (unsigned char c : toText(constants)) hash = (hash ^ c) * 0x100000001b3ull;
  return hash;
}

double bf16FlopsPerCycle(const Target &target) {
  const Core &core = target.core();
  return 2.0 * core.mxus() * core.mxu_side() * core.mxu_side() * core.mxu_rows_per_cycle();
}

double hbmBytesPerCycle(const Target &target) {
  return target.memory().hbm_bandwidth_gbps() * target.memory().hbm_efficiency() / target.clock_ghz();
}

}  // namespace tpuc::target
