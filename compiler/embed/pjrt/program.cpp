// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Programs: compiled, written as bytes, described.
#include "compiler/embed/pjrt/program.h"

#include <cstring>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "compiler/embed/pjrt/bucketing.h"
#include "compiler/embed/pjrt/inspect_sharding.h"
#include "compiler/embed/pjrt/op_sharding.h"
#include "compiler/pipeline/session.h"
#include "dialects/diagnostics/codes.h"
#include "dialects/vhlo/artifact.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/BLAKE3.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include "runtime/timing/timing.h"

namespace tpuc::pjrt {
namespace {

constexpr char kMagic[8] = {'T', 'P', 'U', 'C', 'P', 'J', 'R', '3'};

// The diagnostic as a person reads it, under the code that says what kind of trouble it is.
Status statusOf(const Compiled &compiled, std::string text) {
  while (!text.empty() && text.back() == '\n') text.pop_back();
  switch (static_cast<Exit>(compiled.exit)) {
    case Exit::Unsupported:
      return unimplemented(text);
    case Exit::DoesNotFit:
      return resourceExhausted(text);
    case Exit::Usage:
    case Exit::Invalid:
      return invalidArgument(text);
  }
  return internal(text);
}

StatusOr<CompileOptions> pipelineOptions(const PJRT_TopologyDescription &topology, const ProgramOptions &options) {
  CompileOptions out;
  out.target = topology.target;
  out.ioLayouts = "default";  // arrays go from program to program
  out.partialSums = true;
  // A program of several devices says so itself: torch_xla's does not.
  if (const int64_t devices = options.replicas * options.partitions; devices > 1) out.devices = devices;
  out.matmulPrecision = topology.matmulPrecision;
  for (const auto &[key, value] : options.overrides) {
    if (key == "tpuc_matmul_precision")
      out.matmulPrecision = value;
    else if (key.rfind("xla_", 0) != 0)  // XLA's own flags mean nothing here
      return invalidArgument(absl::StrCat("No such compile option: '", key, "'; expects tpuc_matmul_precision"));
  }
  return out;
}

Status checkDevices(const PJRT_TopologyDescription &topology, const ProgramOptions &options) {
  const int64_t devices = static_cast<int64_t>(topology.descriptions.size());
  if (options.replicas * options.partitions > devices)
    return invalidArgument(absl::StrCat("the program is for ", options.replicas, " replicas of ", options.partitions,
                                        " partitions, but there ", devices == 1 ? "is " : "are ", devices,
                                        devices == 1 ? " device" : " devices"));
  return okStatus();
}

void put(std::string &bytes, std::string_view part) {
  const uint64_t size = part.size();
  bytes.append(reinterpret_cast<const char *>(&size), sizeof size);
  bytes.append(part);
}

bool get(std::string_view &bytes, std::string_view &part) {
  uint64_t size = 0;
  if (bytes.size() < sizeof size) return false;
  std::memcpy(&size, bytes.data(), sizeof size);
  bytes.remove_prefix(sizeof size);
  if (size > bytes.size()) return false;
  part = bytes.substr(0, size);
  bytes.remove_prefix(size);
  return true;
}

// The order of the device's own choice is its business.
std::vector<int64_t> callersOrder(const std::string &type, const ProgramArray &array) {
  std::vector<int32_t> order = array.layout.order, shared = isa::sharedOrder(type, array.dims);
  if (shared.empty() ? llvm::is_sorted(order) : order == shared) llvm::sort(order);
  return {order.rbegin(), order.rend()};
}

std::string digest(std::string_view bytes) {
  llvm::BLAKE3 hash;
  hash.update(llvm::StringRef(bytes.data(), bytes.size()));
  auto out = hash.final<16>();
  return llvm::toHex(out, /*LowerCase=*/true);
}

}  // namespace

StatusOr<std::shared_ptr<CompiledProgram>> CompiledProgram::compile(PJRT_Client *client,
                                                                    const PJRT_TopologyDescription &topology,
                                                                    std::string_view source, std::string_view format,
                                                                    std::string_view options) {
  if (format != "mlir" && format != "hlo" && format != "hlo_with_config")  // the bytes say which
    return unimplemented(absl::StrCat("programs of format '", std::string(format),
                                      "' are not supported: expects 'mlir', 'hlo' or 'hlo_with_config'"));
  auto program = std::make_shared<CompiledProgram>();
  program->source = source;
  program->format = format;
  program->optionBytes = options;
  auto parsed = ProgramOptions::parse(options);
  if (!parsed.ok()) return parsed.status();
  program->options = std::move(*parsed);
  if (Status status = checkDevices(topology, program->options); !status.ok()) return status;
  auto pipeline = pipelineOptions(topology, program->options);
  if (!pipeline.ok()) return pipeline.status();

  if (client && client->families && pipeline->devices <= 1) {
    if (auto found = compileInBucket(*client, source, *pipeline)) {
      program->exe = std::move(found->exe);
      program->extents = std::move(found->extents);
      if (Status status = program->describe(); !status.ok()) return status;
      return program;
    }
  }

  std::string diagnostics;
  llvm::raw_string_ostream err(diagnostics);
  std::unique_ptr<Session> session;
  auto taken = [&]() -> Session & {
    session = client ? client->takeSession() : std::make_unique<Session>();
    return *session;
  };
  auto buffer = llvm::MemoryBuffer::getMemBufferCopy(llvm::StringRef(source.data(), source.size()), "program");
  if (inspectsShardings(source))
    pipeline->onInspect = [devices = program->options.replicas * program->options.partitions](
                              llvm::StringRef asked, int64_t rank, llvm::StringRef sharding) {
      return tellSharding({asked.data(), asked.size()}, rank, {sharding.data(), sharding.size()}, devices);
    };
  Compiled compiled = client ? client->cache->compile(taken, std::move(buffer), *pipeline, err)
                             : taken().compileBuffer(std::move(buffer), *pipeline, err);
  if (client && session) client->giveBack(std::move(session));
  if (compiled.exit) return statusOf(compiled, std::move(diagnostics));
  program->exe = std::make_shared<isa::Executable>(std::move(compiled.exe));
  if (Status status = program->describe(); !status.ok()) return status;
  return program;
}

std::string CompiledProgram::serialize() const {
  std::string bytes(kMagic, sizeof kMagic);
  put(bytes, isa::serialize(*exe));
  put(bytes, source);
  put(bytes, format);
  put(bytes, optionBytes);
  put(bytes, absl::StrJoin(extents, ","));
  return bytes;
}

StatusOr<std::shared_ptr<CompiledProgram>> CompiledProgram::parse(std::string_view bytes) {
  std::string_view exe, source, format, options, extents;
  if (bytes.size() < sizeof kMagic || std::memcmp(bytes.data(), kMagic, sizeof kMagic))
    return invalidArgument("expects a program that this version of tpuc serialised, but got other bytes");
  bytes.remove_prefix(sizeof kMagic);
  if (!get(bytes, exe) || !get(bytes, source) || !get(bytes, format) || !get(bytes, options) || !get(bytes, extents) ||
      !bytes.empty())
    return dataLoss("the serialised program is cut off or has been changed");
  auto program = std::make_shared<CompiledProgram>();
  std::string error;
  auto parsedExe = std::make_shared<isa::Executable>();
  if (!isa::parse(exe, *parsedExe, error)) return invalidArgument(error);
  program->exe = std::move(parsedExe);
  program->source = source;
  program->format = format;
  program->optionBytes = options;
  if (!program->readExtents(extents)) return dataLoss("the serialised program's sizes are not those of its executable");
  auto parsed = ProgramOptions::parse(options);
  if (!parsed.ok()) return parsed.status();
  program->options = std::move(*parsed);
  if (Status status = program->describe(); !status.ok()) return status;
  return program;
}

bool CompiledProgram::readExtents(std::string_view text) {
  if (text.empty()) return true;
  llvm::SmallVector<llvm::StringRef> parts;
  llvm::StringRef(text.data(), text.size()).split(parts, ',');
  for (llvm::StringRef part : parts)
    if (part.getAsInteger(10, extents.emplace_back())) return false;
  std::string error;
  return extents.size() == static_cast<size_t>(exe->index.symbols_size()) &&
         isa::entryFor(exe->index, extents, error) == 0;
}

// Callers have arrays of the true sizes.
Status CompiledProgram::setTrueSizes(const isa::proto::Array &array, ProgramArray &out) const {
  std::vector<int64_t> dims = isa::trueDims(array, extents);
  if (dims == out.dims) return okStatus();
  std::vector<int32_t> order = out.layout.order;
  const std::vector<int32_t> shared = isa::sharedOrder(array.type(), out.dims);
  if (shared.empty() ? llvm::is_sorted(order) : order == shared) order = isa::sharedOrder(array.type(), dims);
  out.inBucket = out.layout;
  out.dims = std::move(dims);
  std::string error;
  return isa::makeLayout(array.type(), out.dims, order, out.layout, error) ? okStatus() : internal(error);
}

Status CompiledProgram::collect(isa::proto::BufferKind kind, std::vector<ProgramArray> &arrays) {
  for (const isa::proto::Buffer &b : exe->index.buffers()) {
    if (b.kind() != kind || b.extent()) continue;
    if (static_cast<int>(arrays.size()) <= b.index()) arrays.resize(b.index() + 1);
    ProgramArray &array = arrays[b.index()];
    std::string error;
    if (!exec::layoutOf(b.array(), array.layout, error)) return internal(error);
    array.type = typeNamed(b.array().type());
    array.dims.assign(b.array().dims().begin(), b.array().dims().end());
    if (Status status = setTrueSizes(b.array(), array); !status.ok()) return status;
    array.alias = b.alias_argument() - 1;
    array.donated = b.donated();
    array.onHost = b.on_host();
    array.minorToMajor = callersOrder(b.array().type(), array);
    if (exe->index.num_devices() < 2) continue;
    isa::Sharding sharding;
    if (!isa::parseSharding(b.sharding(), array.dims.size(), exe->index.num_devices(), sharding, error))
      return internal(error);
    array.sharding = opSharding(sharding);
  }
  return okStatus();
}

Status CompiledProgram::describe() {
  std::string error;
  if (!target::parseTarget(exe->index.target(), target, error)) return internal(error);
  if (Status status = collect(isa::proto::ARGUMENT, arguments); !status.ok()) return status;
  if (Status status = collect(isa::proto::RESULT, results); !status.ok()) return status;
  name = exe->index.module_name().empty() ? "main" : exe->index.module_name();
  fingerprint = digest(isa::serialize(*exe) + absl::StrJoin(extents, ","));
  for (const ProgramArray &result : results) {
    resultTypes.push_back(result.type);
    resultDims.insert(resultDims.end(), result.dims.begin(), result.dims.end());
    resultRanks.push_back(result.dims.size());
  }
  auto list = [](const std::vector<ProgramArray> &arrays, std::vector<const char *> &kinds,
                 std::vector<size_t> &sizes) {
    for (const ProgramArray &array : arrays) {
      kinds.push_back(kMemoryKinds[array.onHost]);
      sizes.push_back(std::strlen(kinds.back()));
    }
  };
  list(results, resultKinds, resultKindSizes);
  list(arguments, argumentKinds, argumentKindSizes);
  auto listShardings = [](const std::vector<ProgramArray> &arrays, Shardings &shardings) {
    for (const ProgramArray &array : arrays) {
      shardings.bytes.push_back(array.sharding.data());
      shardings.sizes.push_back(array.sharding.size());
    }
  };
  listShardings(results, resultShardings);
  listShardings(arguments, argumentShardings);
  return okStatus();
}

const std::string &CompiledProgram::part() const {
  std::call_once(partOnce_, [this] {
    if (exe->index.num_devices() < 2) return;
    CompileOptions pipeline;
    pipeline.stopAfter = "shard";
    pipeline.partialSums = true;
    pipeline.artifactVersion = vhlo::kPortable.text();
    Session session;
    auto buffer = llvm::MemoryBuffer::getMemBufferCopy(source, "program");
    part_ = session.compileBuffer(std::move(buffer), pipeline, llvm::nulls()).stageText;  // it was compiled before
  });
  return part_;
}

const NamedValues &CompiledProgram::costs() const {
  std::call_once(costsOnce_, [this] {
    float flops = 0, bytes = 0;
    for (const isa::proto::Routine &r : exe->index.routines()) {
      flops += static_cast<float>(r.flops());
      bytes += static_cast<float>(r.logical_bytes());
    }
    timing::TimingOptions at;
    if (!extents.empty()) at.smem = isa::systemBytes(exe->index, extents);  // those of its bucket's largest sizes else
    timing::TimingResult timed = timing::timeProgram(*exe, target, at);
    costs_.add("flops", flops);
    costs_.add("bytes accessed",
               timed.ok ? static_cast<float>(timed.counters.hbmReadBytes + timed.counters.hbmWriteBytes) : bytes);
    if (timed.ok) costs_.add("optimal_seconds", static_cast<float>(timed.seconds));
  });
  return costs_;
}

}  // namespace tpuc::pjrt
