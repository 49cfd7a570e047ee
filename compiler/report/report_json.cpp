// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The report as JSON.
#include "compiler/report/counters.h"
#include "compiler/report/report.h"
#include "llvm/Support/raw_ostream.h"

namespace tpuc::report {
namespace {

std::string utf8(const std::string &text) { return llvm::json::isUTF8(text) ? text : llvm::json::fixUTF8(text); }

void kernelJson(llvm::json::OStream &json, const Report &r, const Kernel &k) {
  json.object([&] {
    json.attribute("name", utf8(k.name));
    json.attribute("kind", utf8(k.kind));
    json.attribute("location", utf8(k.location));
    json.attribute("calls", k.calls);
    json.attribute("cycles", k.cycles);
    json.attribute("seconds",
                   r.cycles ? r.seconds * static_cast<double>(k.cycles) / static_cast<double>(r.cycles) : 0.0);
    json.attribute("flops", k.flops);
    json.attribute("int8_flops", k.int8Flops);
    json.attribute("logical_bytes", k.logicalBytes);
    json.attribute("padded_bytes", k.paddedBytes);
    json.attribute("vmem_bytes", k.vmemBytes);
    json.attribute("scalar_loop", k.scalarLoop);
    json.attribute("one_core", k.isAlone);
  });
}

// With the kernels' cycles these are the step's.
void restJson(llvm::json::OStream &json, const Report &r) {
  json.attribute("launches", r.timed.counters.launches);
  json.attribute("launch_cycles", r.launchCycles);
  json.attributeArray("copies_between_kernels", [&] {
    for (const Copy &c : r.copies)
      json.object([&] {
        json.attribute("location", utf8(c.location));
        json.attribute("times", c.times);
        json.attribute("cycles", c.cycles);
      });
  });
  json.attribute("control_cycles", r.controlCycles);
  json.attributeArray("loops", [&] {
    for (const Loop &loop : r.loops)
      json.object([&] {
        json.attribute("location", utf8(loop.location));
        json.attribute("iterations", loop.iterations);
      });
  });
  json.attribute("host_calls_not_timed", r.timed.counters.hostCalls);
  if (r.devices > 1) {
    json.attribute("devices", r.devices);
    json.attribute("partitions", r.partitions);
    json.attributeArray("collectives", [&] {
      for (const Collective &c : r.collectives)
        json.object([&] {
          json.attribute("kind", c.kind);
          json.attribute("groups", utf8(c.groups));
          json.attribute("location", utf8(c.location));
          json.attribute("times", c.times);
          json.attribute("bytes", c.bytes);
        });
    });
  }
  json.attributeArray("assumed_in_range", [&] {
    for (const std::string &line : r.assumed) json.value(utf8(line));
  });
}

void splitJson(llvm::json::OStream &json, const char *name, const Split &split) {
  json.attributeObject(name, [&] {
    json.attribute("total", split.total());
    json.attribute("logical", split.logical);
    json.attribute("bucketing", split.bucketing);
    json.attribute("alignment", split.alignment);
  });
}

// The moved bytes of all arrays, and of all kernels, are those that the counters have.
void ledgerJson(llvm::json::OStream &json, const Ledger &l) {
  splitJson(json, "moved_bytes", l.moved);
  json.attribute("hbm_read_bytes", l.readBytes);
  json.attribute("hbm_write_bytes", l.writeBytes);
  json.attributeArray("arrays", [&] {
    for (const LedgerArray &a : l.arrays)
      json.object([&] {
        json.attribute("name", utf8(a.name));
        json.attribute("type", a.type);
        json.attribute("location", utf8(a.location));
        json.attribute("on_chip", a.onChip);
        splitJson(json, "stored_bytes", a.stored);
        splitJson(json, "moved_bytes", a.moved);
        if (!a.advice.empty()) json.attribute("advice", a.advice);
      });
  });
  json.attributeArray("kernels", [&] {
    for (const LedgerKernel &k : l.kernels)
      json.object([&] {
        json.attribute("name", utf8(k.name));
        json.attribute("kind", utf8(k.kind));
        json.attribute("location", utf8(k.location));
        splitJson(json, "moved_bytes", k.moved);
        json.attribute("flops", k.flops);
        json.attribute("machine_flops", k.machineFlops);
      });
  });
}

void axisJson(llvm::json::OStream &json, const ShardedAxis &axis) {
  json.attribute("axis", utf8(axis.axis));
  json.attribute("dim", axis.dim);
  if (!axis.stated.empty()) json.attribute("stated", utf8(axis.stated));
  if (axis.from < 0) return;
  json.attribute("from", axis.from);
  json.attribute("op", utf8(axis.op));
  json.attribute("location", utf8(axis.line));
  json.attribute("source", axis.source);
  json.attribute("target", axis.target);
}

// An array; with the whole path of its axes, from what the program states on, where it was asked for.
void arrayJson(llvm::json::OStream &json, const Sharding &sharding, const ShardedArray &array) {
  json.object([&] {
    json.attribute("number", array.number);
    json.attribute("name", utf8(array.name));
    json.attribute("location", utf8(array.line));
    json.attribute("type", utf8(array.type));
    json.attribute("sharding", utf8(array.sharding));
    json.attributeArray("axes", [&] {
      for (const ShardedAxis &axis : array.axes) {
        if (!axis.now) continue;
        json.object([&] {
          axisJson(json, axis);
          json.attribute("way", utf8(axis.way));
          if (sharding.asked.empty()) return;
          json.attributeArray("path", [&] {
            for (const auto &[on, hop] : sharding.path(array, axis))
              json.object([&] {
                json.attribute("array", on->number);
                json.attribute("name", utf8(on->name));
                axisJson(json, *hop);
              });
          });
        });
      }
    });
  });
}

void shardingJson(llvm::json::OStream &json, const Sharding &sharding) {
  json.attributeArray("arrays", [&] {
    if (sharding.asked.empty())
      for (const ShardedArray &array : sharding.arrays) arrayJson(json, sharding, array);
    for (int i : sharding.asked) arrayJson(json, sharding, sharding.arrays[i]);
  });
  auto notes = [&](const char *name, const std::vector<ShardingNote> &all) {
    json.attributeArray(name, [&] {
      for (const ShardingNote &note : all)
        json.object([&] {
          json.attribute("location", utf8(note.line));
          json.attribute("text", utf8(note.text));
        });
    });
  };
  notes("conflicts", sharding.conflicts);
  notes("gathers", sharding.gathers);
}

// What the program takes as a whole: time, operations, bytes.
void summaryJson(llvm::json::OStream &json, const Report &r) {
  json.attribute("program", utf8(r.program));
  json.attribute("target", utf8(r.target));
  json.attribute("fits", r.hbmPeakBytes <= r.hbmBytes && r.vmemPeakBytes <= r.vmemBytes);
  json.attribute("step_seconds", r.seconds);
  json.attribute("step_cycles", r.cycles);
  json.attribute("mfu", r.mfu());
  json.attribute("mfu_convention",
                 "operations of the program's own products, 2 a multiply-add, over the peak of their type");
  json.attribute("flops", r.flops);
  json.attribute("int8_flops", r.int8Flops);
  json.attribute("peak_flops_per_second", r.peakFlops);
  json.attribute("peak_int8_flops_per_second", r.peakInt8Flops);
  json.attribute("bound_by", r.boundBy);
  json.attribute("bound_why", r.why);
  json.attributeObject("use", [&] {
    for (const auto &[name, share] : r.use) json.attribute(name, share);
  });
  json.attribute("logical_bytes", r.logicalBytes);
  json.attribute("padded_bytes", r.paddedBytes);
  json.attribute("padding_waste", r.paddedBytes > 0 ? (r.paddedBytes - r.logicalBytes) / r.paddedBytes : 0.0);
}

void memoryJson(llvm::json::OStream &json, const Report &r) {
  json.attributeObject("hbm", [&] {
    json.attribute("peak_bytes", r.hbmPeakBytes);
    json.attribute("capacity_bytes", r.hbmBytes);
    json.attribute("argument_bytes", r.argumentBytes);
    json.attribute("result_bytes", r.resultBytes);
    json.attribute("constant_bytes", r.constantBytes);
    json.attribute("temporary_bytes", r.arenaBytes);
  });
  json.attributeObject("vmem", [&] {
    json.attribute("peak_bytes", r.vmemPeakBytes);
    json.attribute("capacity_bytes", r.vmemBytes);
    json.attribute("between_kernels_bytes", r.sharedVmemBytes);
    json.attributeArray("on_chip", [&] {
      for (const OnChip &a : r.onChip)
        json.object([&] {
          json.attribute("array", a.array);
          json.attribute("bytes", a.bytes);
          json.attribute("from", utf8(a.maker));
          json.attribute("to", utf8(a.lastReader));
        });
    });
  });
}

void bucketsJson(llvm::json::OStream &json, const Report &r) {
  json.attributeArray("buckets", [&] {
    for (const Bucket &bucket : r.buckets)
      json.object([&] {
        const Bucket::Time &most = bucket.times.front(), &least = bucket.times.back();
        json.attribute("sizes", utf8(most.sizes));
        if (most.seconds > 0) json.attribute("seconds", most.seconds);
        if (&least != &most) json.attribute("least", utf8(least.sizes));
        if (&least != &most && least.seconds > 0) json.attribute("least_seconds", least.seconds);
        json.attributeArray("times", [&] {
          for (const Bucket::Time &time : bucket.times)
            json.object([&] {
              json.attribute("sizes", utf8(time.sizes));
              if (time.seconds > 0) json.attribute("seconds", time.seconds);
            });
        });
      });
  });
}

}  // namespace

std::string reportJson(const Report &r) {
  std::string out;
  llvm::raw_string_ostream os(out);
  llvm::json::OStream json(os, 1);
  json.object([&] {
    json.attribute("schema_version", kSchemaVersion);
    summaryJson(json, r);
    memoryJson(json, r);
    if (!r.buckets.empty()) bucketsJson(json, r);
    json.attributeArray("kernels", [&] {
      for (const Kernel &k : r.kernels) kernelJson(json, r, k);
    });
    restJson(json, r);
    if (!r.at.empty()) json.attribute("at", utf8(r.at));
    json.attributeObject("ledger", [&] { ledgerJson(json, r.ledger); });
    if (r.sharding) json.attributeObject("sharding", [&] { shardingJson(json, *r.sharding); });
    json.attributeObject("counters", [&] { countersJson(json, r.timed, nullptr); });
  });
  return out + "\n";
}

std::string refusedJson(const std::string &program, const std::string &target, const std::string &code,
                        const std::string &diagnostics) {
  std::string out;
  llvm::raw_string_ostream os(out);
  llvm::json::OStream json(os, 1);
  json.object([&] {
    json.attribute("schema_version", kSchemaVersion);
    json.attribute("program", utf8(program));
    json.attribute("target", utf8(target));
    if (code.find("-FIT-") != std::string::npos) json.attribute("fits", false);
    json.attribute("refused", true);
    json.attribute("code", code);
    json.attribute("diagnostics", utf8(diagnostics));
  });
  return out + "\n";
}

}  // namespace tpuc::report
