// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes slices as the walk tells of them.
#include "runtime/trace/perfetto.h"

#include <map>
#include <nlohmann/json.hpp>
#include <ostream>

namespace tpuc::trace {
namespace {

using timing::TimingResult;
using Json = nlohmann::ordered_json;

// Tracks: kernels of the chip; per core one of transfers and one an array.
constexpr int kKernelTrack = 1;
int dmaTrack(int core) { return 100 * (core + 1); }
int arrayTrack(int core, int array) { return 100 * (core + 1) + 10 + array; }

class Writer : public timing::TimingObserver {
 public:
  Writer(const isa::Executable &exe, const target::Target &target, const TraceOptions &options, std::ostream &out)
      : exe_(exe), target_(target), options_(options), out_(out) {
    out_ << "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n";
    meta("process_name", 0, exe.index.module_name() + " on " + target.name());
    meta("thread_name", kKernelTrack, "kernels");
    for (uint32_t core = 0; core < target.cores(); ++core) {
      std::string prefix = target.cores() > 1 ? "core " + std::to_string(core) + " " : "";
      meta("thread_name", dmaTrack(static_cast<int>(core)), prefix + "DMA");
      for (uint32_t a = 0; a < target.core().mxus(); ++a)
        meta("thread_name", arrayTrack(static_cast<int>(core), static_cast<int>(a)),
             prefix + "MXU " + std::to_string(a));
    }
  }

  bool active() const override { return slices_ < options_.maxSlices; }

  void kernel(int routine, int64_t begin, int64_t end) override {
    const isa::proto::Routine &r = exe_.index.routines(routine);
    slice(kKernelTrack, r.name(), begin, end, {{"kind", r.kind()}, {"location", r.location()}, {"flops", r.flops()}});
  }

  void dma(int core, int32_t descriptor, int64_t issue, int64_t begin, int64_t end) override {
    const isa::DmaDescriptor &d = exe_.descriptors[descriptor];
    slice(dmaTrack(core), name(d.srcSpace, d.srcBuffer) + " to " + name(d.dstSpace, d.dstBuffer), begin, end,
          {{"bytes", d.totalBytes()}, {"queued_us", microseconds(begin - issue)}});
  }

  void push(int core, int array, int64_t begin, int64_t cycles) override {
    Busy &busy = busy_[arrayTrack(core, array)];
    if (busy.pushes && begin - busy.end > options_.mergeCycles) flush(arrayTrack(core, array), busy);
    if (!busy.pushes) busy.begin = begin;
    busy.end = begin + cycles;
    ++busy.pushes;
  }

  void finish(const TimingResult &result) {
    for (auto &[track, busy] : busy_)
      if (busy.pushes) flush(track, busy);
    Json other = {{"cycles", result.cycles}, {"complete", active() && result.ok}};
    for (int i = 0; i < timing::kNumStalls; ++i)
      other[std::string("stall ") + timing::stallName(static_cast<timing::Stall>(i))] = result.counters.stalls[i];
    out_ << "\n],\"otherData\":" << text(other) << "}\n";
  }

 private:
  struct Busy {
    int64_t begin = 0, end = 0, pushes = 0;
  };

  void flush(int track, Busy &busy) {
    slice(track, "push", busy.begin, busy.end, {{"pushes", busy.pushes}});
    busy = Busy();
  }

  static std::string name(isa::Space space, int32_t buffer) {
    if (space == isa::Space::Vmem) return "VMEM";
    if (space == isa::Space::Smem) return "SMEM";
    return "HBM buffer " + std::to_string(buffer);
  }

  double microseconds(int64_t cycles) const { return static_cast<double>(cycles) / (target_.clock_ghz() * 1e3); }

  void meta(const char *what, int track, const std::string &name) {
    event({{"ph", "M"}, {"pid", 1}, {"tid", track}, {"name", what}, {"args", {{"name", name}}}});
  }

  void slice(int track, const std::string &name, int64_t begin, int64_t end, const Json &args) {
    ++slices_;
    event({{"ph", "X"},
           {"pid", 1},
           {"tid", track},
           {"name", name},
           {"ts", microseconds(begin)},
           {"dur", microseconds(end - begin)},
           {"args", args}});
  }

  // A user's names need not be UTF-8: what is not becomes U+FFFD.
  static std::string text(const Json &json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

  void event(const Json &json) {
    out_ << (first_ ? "" : ",\n") << text(json);
    first_ = false;
  }

  const isa::Executable &exe_;
  const target::Target &target_;
  TraceOptions options_;
  std::ostream &out_;
  bool first_ = true;
  int64_t slices_ = 0;
  std::map<int, Busy> busy_;
};

}  // namespace

TimingResult writeTrace(const isa::Executable &exe, const target::Target &target, timing::TimingOptions timing,
                        const TraceOptions &options, std::ostream &out) {
  Writer writer(exe, target, options, out);
  timing.observer = &writer;
  TimingResult result = timing::timeProgram(exe, target, timing);
  writer.finish(result);
  return result;
}

}  // namespace tpuc::trace
