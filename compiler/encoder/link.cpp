// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// 1. Buffers: one that says the same, and has the same contents where it is a constant, is that of the other entries
//    too.
// 2. Descriptors name the new buffers; equal ones are one.
// 3. Routines, in their order: one with the same instructions is the other's. Instructions compare by routine and place
//    in it, not by bundle.
// 4. The others are appended, their branches and calls leading to where the bundles are now.
#include "compiler/encoder/link.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <optional>

namespace tpuc::encoder {
namespace {

class Linker {
 public:
  Linker(isa::Executable &to, const isa::Executable &from)
      : to_(to), from_(from), starts_(from.bundleStarts()), toStarts_(to.bundleStarts()) {}

  void run() {
    entry_ = static_cast<uint32_t>(to_.index.entries_size());
    // Buffers without a list belong to every entry: those of a single one say so before a second comes.
    for (int i = 0; i < to_.index.buffers_size(); ++i)
      if (to_.index.buffers(i).entries_size() == 0)
        for (uint32_t e = 0; e < entry_; ++e) to_.index.mutable_buffers(i)->add_entries(e);
    if (entry_ == 1) {
      to_.index.mutable_entries(0)->set_vmem_bytes(to_.index.vmem_bytes());
      to_.index.mutable_entries(0)->set_vmem_shared_bytes(to_.index.vmem_shared_bytes());
    }
    addBuffers();
    addDescriptors();
    addRoutines();
    addResidents();
    finish();
  }

 private:
  bool sameConstant(const isa::proto::Buffer &a, const isa::proto::Buffer &b) const {
    return std::memcmp(to_.ownedConstants.data() + a.offset(), from_.ownedConstants.data() + b.offset(), a.size()) == 0;
  }

  // The places of constants in the section may differ.
  bool same(const isa::proto::Buffer &a, const isa::proto::Buffer &b) const {
    auto text = [](const isa::proto::Buffer &buffer, bool constant) {
      isa::proto::Buffer copy = buffer;
      copy.clear_entries();
      if (constant) copy.set_offset(0);
      return schema::serialize(copy);
    };
    if (a.kind() != b.kind() || a.size() != b.size()) return false;
    const bool constant = a.kind() == isa::proto::CONSTANT;
    return text(a, constant) == text(b, constant) && (!constant || sameConstant(a, b));
  }

  void addBuffers() {
    const int known = to_.index.buffers_size();
    std::vector<bool> taken(known, false);
    for (const isa::proto::Buffer &b : from_.index.buffers()) {
      int at = 0;
      while (at < known && (taken[at] || !same(to_.index.buffers(at), b))) ++at;
      if (at < known) {
        taken[at] = true;
      } else {
        at = to_.index.buffers_size();
        isa::proto::Buffer *made = to_.index.add_buffers();
        *made = b;
        made->clear_entries();
        if (b.kind() == isa::proto::CONSTANT) made->set_offset(appendConstant(b));
      }
      to_.index.mutable_buffers(at)->add_entries(entry_);
      buffers_.push_back(at);
    }
    to_.constants = to_.ownedConstants;
  }

  uint64_t appendConstant(const isa::proto::Buffer &b) {
    const uint64_t offset = (to_.ownedConstants.size() + 4095) / 4096 * 4096;
    to_.ownedConstants.resize(offset);
    auto first = from_.ownedConstants.begin() + static_cast<int64_t>(b.offset());
    to_.ownedConstants.insert(to_.ownedConstants.end(), first, first + static_cast<int64_t>(b.size()));
    return offset;
  }

  void addDescriptors() {
    for (isa::DmaDescriptor d : from_.descriptors) {
      if (d.srcBuffer >= 0) d.srcBuffer = buffers_[d.srcBuffer];
      if (d.dstBuffer >= 0) d.dstBuffer = buffers_[d.dstBuffer];
      auto found = std::find(to_.descriptors.begin(), to_.descriptors.end(), d);
      descriptors_.push_back(static_cast<int64_t>(found - to_.descriptors.begin()));
      if (found == to_.descriptors.end()) to_.descriptors.push_back(d);
    }
  }

  static const char *chipSemaphoreOf(isa::Op op) {
    return op == isa::Op::DmaRemote   ? "there"
           : op == isa::Op::SemSignal ? "imm"
           : op == isa::Op::SemWait   ? "sem"
                                      : nullptr;
  }
  static bool isCall(const isa::Inst &inst) { return inst.op == isa::Op::Call || inst.op == isa::Op::Grid; }

  // The instructions of a routine with branches from its start on and calls by number of the linked routine; nothing
  // where a call leads to one that comes later.
  static std::optional<std::vector<isa::Inst>> relative(const isa::Executable &exe, const std::vector<uint32_t> &starts,
                                                        const isa::proto::Routine &r,
                                                        const std::map<uint32_t, int> &routineAt,
                                                        const std::vector<int64_t> *descriptors, int64_t hostCalls) {
    std::vector<isa::Inst> code(exe.code.begin() + starts[r.bundle()],
                                exe.code.begin() + starts[r.bundle() + r.bundles()]);
    for (isa::Inst &inst : code) {
      if (const isa::Field *field = isa::info(inst.op).field("target")) {
        const auto target = static_cast<uint32_t>(isa::getField(inst, *field));
        auto called = routineAt.find(target);
        if (isCall(inst) && called == routineAt.end()) return std::nullopt;
        isa::setField(inst, *field, isCall(inst) ? called->second : static_cast<int64_t>(target) - r.bundle());
      }
      if (isa::info(inst.op).field("desc") && descriptors)
        isa::setField(inst, "desc", (*descriptors)[isa::getField(inst, "desc")]);
      if (inst.op == isa::Op::HostCall) isa::setField(inst, "imm", isa::getField(inst, "imm") + hostCalls);
    }
    return code;
  }

  static bool keepsArrays(const isa::Executable &exe, int routine) {
    return std::any_of(exe.index.residents().begin(), exe.index.residents().end(), [&](const isa::proto::Resident &r) {
      return routine >= static_cast<int>(r.first_routine()) && routine <= static_cast<int>(r.last_routine());
    });
  }

  std::string key(const std::vector<isa::Inst> &code) const {
    return std::string(reinterpret_cast<const char *>(code.data()), code.size() * sizeof(isa::Inst));
  }

  // The entry routine comes first and calls the others: it is added last, and never the same.
  void addRoutines() {
    std::map<uint32_t, int> toAt;
    for (int i = 0; i < to_.index.routines_size(); ++i) toAt[to_.index.routines(i).bundle()] = i;
    std::map<std::string, int> known;
    for (int i = 0; i < to_.index.routines_size(); ++i)
      if (auto code = relative(to_, toStarts_, to_.index.routines(i), toAt, nullptr, 0); code && !keepsArrays(to_, i))
        known.emplace(key(*code), i);
    const int64_t hostCalls = to_.index.host_calls_size();
    chipSemaphores_ = to_.index.chip_semaphores_size();
    for (const isa::proto::ChipSemaphore &s : from_.index.chip_semaphores()) *to_.index.add_chip_semaphores() = s;
    for (const isa::proto::HostCall &call : from_.index.host_calls()) {
      isa::proto::HostCall *made = to_.index.add_host_calls();
      *made = call;
      for (int i = 0; i < made->operands_size(); ++i)
        made->mutable_operands(i)->set_buffer(buffers_[made->operands(i).buffer()]);
      for (int i = 0; i < made->results_size(); ++i)
        made->mutable_results(i)->set_buffer(buffers_[made->results(i).buffer()]);
    }
    std::map<uint32_t, int> fromAt;
    for (int i = 0; i < from_.index.routines_size(); ++i) fromAt[from_.index.routines(i).bundle()] = i;
    routines_.assign(from_.index.routines_size(), -1);
    // Called ones before those that call them.
    std::vector<int> order;
    for (int i = 0; i < from_.index.routines_size(); ++i)
      if (from_.index.routines(i).bundle() != from_.index.entries(0).bundle()) order.push_back(i);
    uint32_t bundle = to_.index.num_bundles();
    std::vector<int> added;
    for (int i = 0; i < from_.index.routines_size(); ++i)
      if (from_.index.routines(i).bundle() == from_.index.entries(0).bundle()) order.push_back(i);
    for (int i : order) {
      std::map<uint32_t, int> called;
      for (const auto &[at, routine] : fromAt)
        if (routines_[routine] >= 0) called[at] = routines_[routine];
      auto code = relative(from_, starts_, from_.index.routines(i), called, &descriptors_, hostCalls);
      auto same = code && !keepsArrays(from_, i) ? known.find(key(*code)) : known.end();
      if (same != known.end()) {
        routines_[i] = same->second;
        continue;
      }
      routines_[i] = to_.index.routines_size();
      isa::proto::Routine *made = to_.index.add_routines();
      *made = from_.index.routines(i);
      made->set_bundle(bundle);
      bundle += made->bundles();
      added.push_back(i);
    }
    to_.index.set_num_bundles(bundle);
    for (int i : added) appendCode(from_.index.routines(i), to_.index.routines(routines_[i]), fromAt, hostCalls);
  }

  void appendCode(const isa::proto::Routine &r, const isa::proto::Routine &made, const std::map<uint32_t, int> &fromAt,
                  int64_t hostCalls) {
    for (uint32_t k = starts_[r.bundle()]; k < starts_[r.bundle() + r.bundles()]; ++k) {
      isa::Inst inst = from_.code[k];
      if (const isa::Field *field = isa::info(inst.op).field("target")) {
        const auto target = static_cast<uint32_t>(isa::getField(inst, *field));
        isa::setField(inst, *field,
                      isCall(inst) ? to_.index.routines(routines_[fromAt.at(target)]).bundle()
                                   : target - r.bundle() + made.bundle());
      }
      if (isa::info(inst.op).field("desc")) isa::setField(inst, "desc", descriptors_[isa::getField(inst, "desc")]);
      if (const char *field = chipSemaphoreOf(inst.op))
        isa::setField(inst, field, isa::getField(inst, field) + chipSemaphores_);
      if (inst.op == isa::Op::HostCall) isa::setField(inst, "imm", isa::getField(inst, "imm") + hostCalls);
      to_.code.push_back(inst);
    }
    std::string before;
    for (const isa::SourceLine &line : from_.sourceMap) {
      if (line.bundle < r.bundle()) before = line.location;
      if (line.bundle < r.bundle() || line.bundle >= r.bundle() + r.bundles()) continue;
      to_.sourceMap.push_back({line.bundle - r.bundle() + made.bundle(), line.location});
    }
  }

  void addResidents() {
    for (const isa::proto::Resident &r : from_.index.residents()) {
      isa::proto::Resident *made = to_.index.add_residents();
      *made = r;
      made->set_first_routine(routines_[r.first_routine()]);
      made->set_last_routine(routines_[r.last_routine()]);
    }
  }

  void finish() {
    isa::proto::Entry *entry = to_.index.add_entries();
    *entry = from_.index.entries(0);
    for (int i = 0; i < from_.index.routines_size(); ++i)
      if (from_.index.routines(i).bundle() == from_.index.entries(0).bundle())
        entry->set_bundle(to_.index.routines(routines_[i]).bundle());
    entry->set_vmem_bytes(from_.index.vmem_bytes());
    entry->set_vmem_shared_bytes(from_.index.vmem_shared_bytes());
    to_.index.set_vmem_bytes(std::max(to_.index.vmem_bytes(), from_.index.vmem_bytes()));
    to_.index.set_vmem_shared_bytes(std::max(to_.index.vmem_shared_bytes(), from_.index.vmem_shared_bytes()));
    to_.index.set_smem_bytes(std::max(to_.index.smem_bytes(), from_.index.smem_bytes()));
    to_.index.set_semaphores(std::max(to_.index.semaphores(), from_.index.semaphores()));
  }

  isa::Executable &to_;
  const isa::Executable &from_;
  const std::vector<uint32_t> starts_, toStarts_;
  uint32_t entry_ = 0;
  std::vector<int32_t> buffers_;
  std::vector<int64_t> descriptors_;
  std::vector<int> routines_;
  int64_t chipSemaphores_ = 0;  // of the entries before
};

}  // namespace

void addEntry(isa::Executable &to, const isa::Executable &from) { Linker(to, from).run(); }

}  // namespace tpuc::encoder
