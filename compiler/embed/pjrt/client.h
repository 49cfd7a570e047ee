// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A client of the plugin: its options, devices, memories and what its programs share.
#pragma once
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "compiler/cache/compile_cache.h"
#include "compiler/embed/pjrt/abi/api.h"
#include "compiler/embed/pjrt/named_values.h"
#include "compiler/embed/pjrt/status_or.h"
#include "compiler/pipeline/session.h"
#include "compiler/pipeline/size_families.h"
#include "runtime/executor/device.h"
#include "runtime/target/target.h"

namespace tpuc::pjrt {

inline constexpr char kPlatformName[] = "tpuc";

// Given at creation by name, or in the environment as TPUC_NAME in capitals; the former wins.
struct ClientOptions {
  std::string target = "v5e";           // bundled name or path
  std::string matmulPrecision;          // "default", "high", "highest"; empty: as the program says
  int64_t threads = 0;                  // of the host; 0: all it has
  int64_t devices = 1;                  // chips that there are
  bool checking = false;                // races, garbage and addresses out of range are errors; slow
  cache::Settings cache;                // of compiled programs; on unless told otherwise
  std::optional<BucketPolicy> buckets;  // of leading sizes that change; none unless told otherwise

  static StatusOr<ClientOptions> read(const PJRT_NamedValue *values, size_t count);
};

struct PJRT_DeviceDescription {
  int id = 0;
  std::string kind, text, debugText;
  NamedValues attributes;
};

struct PJRT_Memory {
  const void *vtable = nullptr;  // as in PJRT_Error
  PJRT_Client *client = nullptr;
  PJRT_Device *device = nullptr;
  int id = 0, kindId = 0;
  std::string kind, text;
  std::shared_ptr<device::Hbm> place;  // the device's HBM, or the host's memory
};

struct PJRT_Device {
  PJRT_Client *client = nullptr;
  PJRT_DeviceDescription *description = nullptr;
  std::vector<PJRT_Memory *> memories;  // the default one first
  std::shared_ptr<exec::Device> chip;
};

struct PJRT_TopologyDescription {
  std::string target;
  std::string matmulPrecision;  // as in ClientOptions
  target::Target chip;
  std::vector<std::unique_ptr<PJRT_DeviceDescription>> descriptions;
  std::vector<PJRT_DeviceDescription *> descriptionList;
  std::string platformVersion;
  NamedValues attributes;

  static StatusOr<std::unique_ptr<PJRT_TopologyDescription>> make(const std::string &target, int devices,
                                                                  const std::string &matmulPrecision);
};

struct PJRT_Client {
  ClientOptions options;
  std::unique_ptr<PJRT_TopologyDescription> topology;
  std::vector<std::unique_ptr<PJRT_Device>> devices;
  std::vector<PJRT_Device *> deviceList;
  std::vector<std::unique_ptr<PJRT_Memory>> memories;
  std::vector<PJRT_Memory *> memoryList;
  std::shared_ptr<device::ThreadPool> pool;
  std::unique_ptr<cache::CompileCache> cache;
  std::unique_ptr<SizeFamilies> families;  // null: each program is compiled for its own sizes

  ~PJRT_Client();  // after all runs
  static StatusOr<std::unique_ptr<PJRT_Client>> make(ClientOptions options);

  // Compiling sessions are kept: a context with all dialects takes longer to make than a small program to compile.
  std::unique_ptr<Session> takeSession();
  void giveBack(std::unique_ptr<Session> session);

 private:
  std::mutex sessionsMutex_;
  std::vector<std::unique_ptr<Session>> sessions_;
};

}  // namespace tpuc::pjrt
