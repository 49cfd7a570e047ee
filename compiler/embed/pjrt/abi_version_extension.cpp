// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A version is the executable's format and the target's constants: one runs the other where both are the same. Source
// of the interface: openxla/xla, xla/pjrt/c/pjrt_c_api_abi_version_extension.h, version 0.114; of the message:
// xla/pjrt/proto/pjrt_abi_version.proto.
#include "compiler/embed/pjrt/abi_version_extension.h"

#include "absl/strings/str_cat.h"
#include "compiler/embed/pjrt/compile_options.h"
#include "compiler/embed/pjrt/program.h"

namespace tpuc::pjrt {
namespace {

// The version of a client or of an executable.
struct Version {
  uint64_t platform;
  std::string text;
};

struct Serialized {
  std::string bytes;
};

// Structures of this extension have no room for others in theirs.
struct Bare {
  size_t struct_size;
};
struct OfClient_Args : Bare {
  PJRT_Client *client;
  Version *version;
};
struct OfExecutable_Args : Bare {
  PJRT_Executable *executable;
  Version *version;
};
struct Destroy_Args : Bare {
  Version *version;
};
struct Compare_Args : Bare {
  const Version *version;
  const Version *other;
};
struct ToProto_Args : Bare {
  const Version *version;
  const char *bytes;
  size_t size;
  Serialized *holder;
  void (*deleter)(Serialized *);
};
struct PlatformId_Args : Bare {
  const Version *version;
  uint64_t platform;
};
struct FromProto_Args : Bare {
  const char *bytes;
  size_t size;
  Version *version;
};

// Told from other platforms' by its letters.
uint64_t platformId() {
  uint64_t id = 0;
  for (const char *c = kPlatformName; *c; ++c) id = id << 8 | static_cast<unsigned char>(*c);
  return id;
}

Version *versionFor(const target::Target &target) {
  return new Version{platformId(), absl::StrCat("tpuc executable ", isa::kFormatVersion, " for ", target.name(), " ",
                                                absl::Hex(target::digest(target), absl::kZeroPad16))};
}

PJRT_Error *ofClient(OfClient_Args *args) {
  args->version = versionFor(args->client->topology->chip);
  return nullptr;
}

PJRT_Error *ofExecutable(OfExecutable_Args *args) {
  args->version = versionFor(args->executable->program->target);
  return nullptr;
}

PJRT_Error *destroy(Destroy_Args *args) {
  delete args->version;
  return nullptr;
}

PJRT_Error *compare(Compare_Args *args) {
  const Version &here = *args->version, &other = *args->other;
  if (here.platform != other.platform)
    return toError(failedPrecondition("expects what was compiled for tpuc, but got another platform's"));
  if (here.text == other.text) return nullptr;
  return toError(failedPrecondition(absl::StrCat("expects ", here.text, ", but got ", other.text)));
}

PJRT_Error *toProto(ToProto_Args *args) {
  args->holder = new Serialized{versionProto(args->version->platform, args->version->text)};
  args->bytes = args->holder->bytes.data();
  args->size = args->holder->bytes.size();
  args->deleter = [](Serialized *serialized) { delete serialized; };
  return nullptr;
}

PJRT_Error *platformOf(PlatformId_Args *args) {
  args->platform = args->version->platform;
  return nullptr;
}

PJRT_Error *fromProto(FromProto_Args *args) {
  auto version = std::make_unique<Version>();
  if (Status status = readVersionProto({args->bytes, args->size}, version->platform, version->text); !status.ok())
    return toError(status);
  args->version = version.release();
  return nullptr;
}

struct Extension : PJRT_Extension_Base {
  PJRT_Error *(*ofClient)(OfClient_Args *);
  PJRT_Error *(*ofExecutable)(OfExecutable_Args *);
  PJRT_Error *(*destroyRuntime)(Destroy_Args *);
  PJRT_Error *(*compareRuntimes)(Compare_Args *);
  PJRT_Error *(*compareExecutable)(Compare_Args *);
  PJRT_Error *(*runtimeToProto)(ToProto_Args *);
  PJRT_Error *(*runtimePlatform)(PlatformId_Args *);
  PJRT_Error *(*destroyExecutable)(Destroy_Args *);
  PJRT_Error *(*executableToProto)(ToProto_Args *);
  PJRT_Error *(*executablePlatform)(PlatformId_Args *);
  PJRT_Error *(*runtimeFromProto)(FromProto_Args *);
  PJRT_Error *(*executableFromProto)(FromProto_Args *);
};

}  // namespace

PJRT_Extension_Base *abiVersionExtension(PJRT_Extension_Base *next) {
  static Extension extension = {{sizeof(Extension), PJRT_Extension_Type_AbiVersion, next},
                                ofClient,
                                ofExecutable,
                                destroy,
                                compare,
                                compare,
                                toProto,
                                platformOf,
                                destroy,
                                toProto,
                                platformOf,
                                fromProto,
                                fromProto};
  return &extension;
}

}  // namespace tpuc::pjrt
