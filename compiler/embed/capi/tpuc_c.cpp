// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The C library over the C++ one.
#include <algorithm>
#include <cstring>

#include "compiler/embed/capi/include/tpuc-c/tpuc.h"
#include "compiler/embed/cpp/tpuc.h"
#include "dialects/diagnostics/codes.h"

namespace api = tpuc::api;

struct tpuc_error {
  api::Error error;
};
struct tpuc_executable {
  api::Executable executable;
};
struct tpuc_text {
  std::string text;
};

namespace {

tpuc_error *fail(const api::Error &error) { return new tpuc_error{error}; }
tpuc_error *usage(const char *what) {
  const tpuc::DiagnosticCode &code = tpuc::codes::kUsage;
  return fail(
      {static_cast<int>(code.exit), code.name.str(), std::string("error: ") + what + " [" + code.name.str() + "]\n"});
}

// The caller's struct, of whatever size its version has, with the rest at its defaults.
template <typename T>
T grown(const T *given) {
  T out;
  std::memset(&out, 0, sizeof out);
  if (given) std::memcpy(&out, given, std::min(sizeof out, given->struct_size));
  return out;
}

template <typename T>
tpuc_error *deliver(api::Result<api::Executable> made, T **out) {
  if (!out) return usage("expects a place for the executable");
  *out = nullptr;
  if (!made) return fail(made.error());
  *out = new T{std::move(*made)};
  return nullptr;
}

int fill(const std::vector<api::ArrayType> &types, size_t index, tpuc_array_type *type) {
  if (index >= types.size() || !type) return 0;
  const api::ArrayType &t = types[index];
  tpuc_array_type full{std::min(type->struct_size, sizeof full),
                       t.element.c_str(),
                       t.name.c_str(),
                       t.dims.data(),
                       t.dims.size(),
                       t.bytes};
  std::memcpy(type, &full, full.struct_size);
  return 1;
}

}  // namespace

extern "C" {

uint32_t tpuc_abi_version(void) { return TPUC_ABI_MAJOR << 16 | TPUC_ABI_MINOR; }
const char *tpuc_version(void) { return api::version(); }

int tpuc_error_exit(const tpuc_error *error) { return error ? error->error.exit : 0; }
const char *tpuc_error_code(const tpuc_error *error) { return error ? error->error.code.c_str() : ""; }
const char *tpuc_error_message(const tpuc_error *error) { return error ? error->error.message.c_str() : ""; }
void tpuc_error_destroy(tpuc_error *error) { delete error; }

const char *tpuc_text_data(const tpuc_text *text) { return text->text.c_str(); }
size_t tpuc_text_size(const tpuc_text *text) { return text->text.size(); }
void tpuc_text_destroy(tpuc_text *text) { delete text; }

tpuc_error *tpuc_compile(const char *text, size_t size, const tpuc_compile_options *options, tpuc_executable **out) {
  const tpuc_compile_options given = grown(options);
  if (!text || (given.num_sets && !given.sets)) return usage("expects a text, and the sets that num_sets counts");
  api::CompileOptions to;
  if (given.target) to.target = given.target;
  if (given.matmul_precision) to.matmulPrecision = given.matmul_precision;
  for (size_t i = 0; i < given.num_sets; ++i) to.sets.push_back(given.sets[i]);
  if (given.name) to.name = given.name;
  if (given.cache) to.cache = given.cache;
  to.devices = given.devices;
  return deliver(api::compile({text, size}, to), out);
}

tpuc_error *tpuc_executable_load(const char *path, tpuc_executable **out) {
  return path ? deliver(api::Executable::load(path), out) : usage("expects a path");
}

tpuc_error *tpuc_executable_parse(const void *bytes, size_t size, tpuc_executable **out) {
  return bytes ? deliver(api::Executable::parse({static_cast<const char *>(bytes), size}), out)
               : usage("expects bytes");
}

tpuc_error *tpuc_executable_save(const tpuc_executable *executable, const char *path) {
  if (!path) return usage("expects a path");
  auto error = executable->executable.save(path);
  return error ? fail(*error) : nullptr;
}

tpuc_text *tpuc_executable_serialize(const tpuc_executable *executable) {
  return new tpuc_text{executable->executable.serialize()};
}
tpuc_text *tpuc_executable_disassemble(const tpuc_executable *executable) {
  return new tpuc_text{executable->executable.disassemble()};
}
void tpuc_executable_destroy(tpuc_executable *executable) { delete executable; }

size_t tpuc_executable_num_arguments(const tpuc_executable *executable) {
  return executable->executable.arguments().size();
}
size_t tpuc_executable_num_results(const tpuc_executable *executable) {
  return executable->executable.results().size();
}

int tpuc_executable_argument(const tpuc_executable *executable, size_t index, tpuc_array_type *type) {
  return fill(executable->executable.arguments(), index, type);
}

int tpuc_executable_result(const tpuc_executable *executable, size_t index, tpuc_array_type *type) {
  return fill(executable->executable.results(), index, type);
}

tpuc_error *tpuc_executable_configure(tpuc_executable *executable, const tpuc_run_options *options) {
  const tpuc_run_options given = grown(options);
  auto error =
      executable->executable.configure({given.threads, given.cpu_level ? given.cpu_level : "", given.checking != 0});
  return error ? fail(*error) : nullptr;
}

tpuc_error *tpuc_executable_run(tpuc_executable *executable, const void *const *inputs, const size_t *input_bytes,
                                size_t num_inputs, void *const *outputs, const size_t *output_bytes,
                                size_t num_outputs) {
  const std::vector<api::ArrayType> &results = executable->executable.results();
  if (num_outputs != results.size()) return usage("expects a place for each result");
  for (size_t i = 0; i < num_outputs; ++i)
    if (output_bytes[i] != results[i].bytes) return usage("expects a place of each result's size");
  std::vector<std::span<const std::byte>> spans;
  for (size_t i = 0; i < num_inputs; ++i) spans.push_back({static_cast<const std::byte *>(inputs[i]), input_bytes[i]});
  auto out = executable->executable.run(spans);
  if (!out) return fail(out.error());
  for (size_t i = 0; i < num_outputs; ++i)
    if (output_bytes[i]) std::memcpy(outputs[i], (*out)[i].data(), output_bytes[i]);
  return nullptr;
}

tpuc_error *tpuc_executable_time(const tpuc_executable *executable, int64_t *cycles, double *seconds) {
  auto timed = executable->executable.time();
  if (!timed) return fail(timed.error());
  if (cycles) *cycles = timed->cycles;
  if (seconds) *seconds = timed->seconds;
  return nullptr;
}

tpuc_error *tpuc_executable_report_json(const tpuc_executable *executable, tpuc_text **out) {
  if (!out) return usage("expects a place for the text");
  auto json = executable->executable.reportJson();
  if (!json) return fail(json.error());
  *out = new tpuc_text{std::move(*json)};
  return nullptr;
}

int tpuc_executable_counter(const tpuc_executable *executable, const char *name, int64_t *value) {
  for (const api::Counter &counter : executable->executable.statistics().counters) {
    if (counter.name != name) continue;
    *value = counter.value;
    return 1;
  }
  return 0;
}

}  // extern "C"
