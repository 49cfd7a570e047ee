// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads the wire format with protozero. This file alone has exceptions: protozero's end here.
#include "compiler/embed/pjrt/compile_options.h"

#include <protozero/pbf_reader.hpp>
#include <protozero/pbf_writer.hpp>

namespace tpuc::pjrt {
namespace {

using protozero::pbf_reader;

// OptionOverrideProto: one of string, bool, int, double.
std::string overrideText(pbf_reader value) {
  std::string text;
  while (value.next()) {
    switch (value.tag()) {
      case 1:
        text = value.get_string();
        break;
      case 2:
        text = value.get_bool() ? "true" : "false";
        break;
      case 3:
        text = std::to_string(value.get_int64());
        break;
      case 4:
        text = std::to_string(value.get_double());
        break;
      default:
        value.skip();
    }
  }
  return text;
}

void readOverride(pbf_reader entry, std::map<std::string, std::string> &overrides) {
  std::string key, text;
  while (entry.next()) {
    if (entry.tag() == 1)
      key = entry.get_string();
    else if (entry.tag() == 2)
      text = overrideText(entry.get_message());
    else
      entry.skip();
  }
  overrides[key] = text;
}

// DeviceAssignmentProto: a list of devices, by replica, for each computation.
void readAssignment(pbf_reader assignment, ProgramOptions &options) {
  std::vector<std::vector<int64_t>> computations;
  while (assignment.next()) {
    if (assignment.tag() != 3) {
      assignment.skip();
      continue;
    }
    std::vector<int64_t> &ids = computations.emplace_back();
    pbf_reader computation = assignment.get_message();
    while (computation.next()) {
      if (computation.tag() != 1)
        computation.skip();
      else if (computation.wire_type() == protozero::pbf_wire_type::length_delimited)
        for (int64_t id : computation.get_packed_int64()) ids.push_back(id);
      else
        ids.push_back(computation.get_int64());
    }
  }
  options.devices.clear();
  for (size_t replica = 0; !computations.empty() && replica < computations.front().size(); ++replica)
    for (const auto &ids : computations)
      if (replica < ids.size()) options.devices.push_back(ids[replica]);
}

void readBuild(pbf_reader build, ProgramOptions &options) {
  while (build.next()) {
    switch (build.tag()) {
      case 4:
        options.replicas = build.get_int64();
        break;
      case 5:
        options.partitions = build.get_int64();
        break;
      case 9:
        readAssignment(build.get_message(), options);
        break;
      default:
        build.skip();
    }
  }
}

void read(std::string_view bytes, ProgramOptions &options) {
  pbf_reader reader(bytes.data(), bytes.size());
  while (reader.next()) {
    switch (reader.tag()) {
      case 3:
        readBuild(reader.get_message(), options);
        break;
      case 4:
        options.portable = reader.get_bool();
        break;
      case 7:
        readOverride(reader.get_message(), options.overrides);
        break;
      default:
        reader.skip();
    }
  }
}

}  // namespace

StatusOr<ProgramOptions> ProgramOptions::parse(std::string_view bytes) {
  ProgramOptions options;
  try {
    read(bytes, options);
  } catch (const protozero::exception &) {
    return invalidArgument("the compile options are no CompileOptionsProto");
  }
  if (options.replicas < 1) options.replicas = 1;
  if (options.partitions < 1) options.partitions = 1;
  return options;
}

std::string deviceAssignment(int64_t replicas, int64_t partitions, const std::vector<int64_t> &devices) {
  std::string bytes;
  protozero::pbf_writer writer(bytes);
  writer.add_int32(1, static_cast<int32_t>(replicas));
  writer.add_int32(2, static_cast<int32_t>(partitions));
  for (int64_t p = 0; p < partitions; ++p) {
    protozero::pbf_writer computation(writer, 3);
    std::vector<int64_t> ids;
    for (int64_t r = 0; r < replicas; ++r) ids.push_back(devices[r * partitions + p]);
    computation.add_packed_int64(1, ids.begin(), ids.end());
  }
  return bytes;
}

std::string versionProto(uint64_t platform, const std::string &version) {
  std::string bytes;
  protozero::pbf_writer writer(bytes);
  writer.add_uint64(1, platform);
  writer.add_bytes(2, version);
  return bytes;
}

Status readVersionProto(std::string_view bytes, uint64_t &platform, std::string &version) {
  try {
    pbf_reader reader(bytes.data(), bytes.size());
    while (reader.next()) {
      if (reader.tag() == 1)
        platform = reader.get_uint64();
      else if (reader.tag() == 2)
        version = reader.get_bytes();
      else
        reader.skip();
    }
  } catch (const protozero::exception &) {
    return invalidArgument("expects a version of PJRT, but got bytes that are none");
  }
  return okStatus();
}

}  // namespace tpuc::pjrt
