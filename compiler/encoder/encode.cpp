// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Links scheduled routines into one executable.
#include "compiler/encoder/encode.h"

#include <complex>

#include "compiler/encoder/expectations.h"
#include "dialects/diagnostics/diagnose.h"
#include "dialects/kernel/order.h"
#include "dialects/kernel/sizes.h"
#include "dialects/kernel/slots.h"
#include "dialects/stablehlo/device_grid.h"
#include "dialects/tpu/buffers.h"
#include "dialects/tpu/tpu.h"
#include "runtime/isa/layout.h"
#include "runtime/isa/sizes.h"

using namespace mlir;

namespace tpuc::encoder {
namespace {

std::string typeName(Type t) {
  if (auto i = dyn_cast<IntegerType>(t)) return (i.isUnsigned() ? "ui" : "i") + std::to_string(i.getWidth());
  std::string out;
  llvm::raw_string_ostream os(out);
  os << t;
  return out;
}

// The bits of an element, the real part's below the imaginary part's.
APInt bitsOf(const APFloat &value) { return value.bitcastToAPInt(); }
APInt bitsOf(const APInt &value) { return value; }
template <typename Part>
APInt bitsOf(const std::complex<Part> &value) {
  return bitsOf(value.imag()).concat(bitsOf(value.real()));
}

// Elements in row-major order into the device's layout, plane by plane of 32 bits.
class ConstantWriter {
 public:
  ConstantWriter(const isa::ArrayLayout &layout, MutableArrayRef<uint8_t> out)
      : layout_(layout), out_(out), index_(layout.dims.size(), 0) {}

  template <typename Element>
  void writeAll(DenseElementsAttr value) {
    for (const Element &element : value.getValues<Element>()) put(bitsOf(element));
  }

 private:
  void put(const APInt &bits) {
    isa::ArrayLayout::Place place = layout_.place(index_);
    const unsigned part = layout_.type->partBits();
    for (unsigned plane = 0; plane < layout_.type->planes; ++plane) {
      const unsigned from = plane * 32,
                     width = from < bits.getBitWidth() ? std::min(32u, bits.getBitWidth() - from) : 0;
      const uint64_t raw = width ? bits.extractBits(width, from).getZExtValue() : 0;
      uint8_t *to = out_.data() + plane * layout_.planeBytes + place.byte;
      // Elements below a byte share it.
      if (part < 8)
        *to |= static_cast<uint8_t>(raw << place.bit);
      else
        std::memcpy(to, &raw, part / 8);
    }
    for (size_t d = index_.size(); d-- > 0;) {
      if (++index_[d] < layout_.dims[d]) break;
      index_[d] = 0;
    }
  }

  const isa::ArrayLayout &layout_;
  MutableArrayRef<uint8_t> out_;
  std::vector<int64_t> index_;
};

LogicalResult layOutConstant(tpu::BufferOp op, ElementsAttr value, MutableArrayRef<uint8_t> out) {
  auto type = cast<RankedTensorType>(op.getArray());
  isa::ArrayLayout layout;
  std::string error;
  SmallVector<int32_t> order(op.getOrder().begin(), op.getOrder().end());
  if (!isa::makeLayout(typeName(type.getElementType()), type.getShape(), order, layout, error))
    return diagnose(op, codes::kBrokenStage) << error;
  auto dense = dyn_cast<DenseElementsAttr>(value);
  if (!dense || dense.getNumElements() != layout.elements)
    return diagnose(op, codes::kBrokenStage) << "expects a dense constant of its buffer's shape";
  ConstantWriter writer(layout, out);
  Type element = dense.getElementType();
  auto complex = dyn_cast<ComplexType>(element);
  if (complex && mlir::isa<FloatType>(complex.getElementType()))
    writer.writeAll<std::complex<APFloat>>(dense);
  else if (mlir::isa<FloatType>(element))
    writer.writeAll<APFloat>(dense);
  else if (mlir::isa<IntegerType>(element))
    writer.writeAll<APInt>(dense);
  else
    return diagnose(op, codes::kBrokenStage) << "expects a constant of numbers, but got " << element;
  return success();
}

LogicalResult encodeBuffers(ModuleOp module, isa::Executable &exe) {
  auto errors = module->getAttrOfType<ArrayAttr>(kernel::kMatmulErrorsAttr);
  auto isListed = [&](StringRef list, tpu::BufferOp op) {
    auto indices = module->getAttrOfType<DenseI32ArrayAttr>(list);
    return indices && llvm::is_contained(indices.asArrayRef(), static_cast<int32_t>(op.getIndex()));
  };
  for (auto op : module.getOps<tpu::BufferOp>()) {
    if (op.getViewOf() || op.getKind() == "vmem") continue;
    auto *b = exe.index.add_buffers();
    StringRef kind = op.getKind();
    b->set_kind(kind == "argument"   ? isa::proto::ARGUMENT
                : kind == "result"   ? isa::proto::RESULT
                : kind == "constant" ? isa::proto::CONSTANT
                                     : isa::proto::ARENA);
    b->set_index(op.getIndex());
    b->set_offset(op.getOffset());
    b->set_size(op.getSize());
    if (auto alias = op.getAliasArgument()) b->set_alias_argument(*alias + 1);
    b->set_donated(kind == "argument" && isListed(kDonatedAttr, op));
    b->set_on_host((kind == "argument" && isListed(kHostArgumentsAttr, op)) ||
                   (kind == "result" && isListed(kHostResultsAttr, op)));
    auto type = cast<RankedTensorType>(op.getArray());
    b->mutable_array()->set_type(typeName(type.getElementType()));
    if (kind == "result" && errors && op.getIndex() < errors.size())
      b->set_matmul_error(cast<FloatAttr>(errors[op.getIndex()]).getValueAsDouble());
    for (int64_t d : type.getShape()) b->mutable_array()->add_dims(d);
    bool identity = true;
    for (auto [i, d] : llvm::enumerate(op.getOrder())) identity &= static_cast<int64_t>(i) == d;
    if (!identity)
      for (int64_t d : op.getOrder()) b->mutable_array()->add_order(d);
    if (op.getUserName()) b->mutable_array()->set_name(op.getUserName()->str());
    if (kind != "constant") continue;
    size_t offset = llvm::alignTo(exe.ownedConstants.size(), 4096);
    exe.ownedConstants.resize(offset + op.getSize());
    b->set_offset(offset);
    if (failed(layOutConstant(op, *op.getValue(), MutableArrayRef<uint8_t>(exe.ownedConstants).drop_front(offset))))
      return failure();
  }
  exe.constants = exe.ownedConstants;
  return success();
}

// Whether another array is where `array` was while kernel `number` runs.
bool isTaken(ModuleOp module, tpu::BufferOp array, int64_t number) {
  return llvm::any_of(module.getOps<tpu::BufferOp>(), [&](tpu::BufferOp other) {
    return other.getKind() == "vmem" && other != array && (*other.getLive())[0] <= number &&
           number <= (*other.getLive())[1] && other.getOffset() < array.getOffset() + array.getSize() &&
           array.getOffset() < other.getOffset() + other.getSize();
  });
}

// What stays in VMEM between kernels: for reports, and for the checking mode, which wants to know when its old contents
// are gone.
void encodeResidents(ModuleOp module, ArrayRef<tpu::BundlesOp> routines, isa::Executable &exe) {
  struct Uses {
    uint32_t first, last;
  };
  llvm::DenseMap<Attribute, Uses> uses;  // from the kernel that makes it to the last one that reads it
  std::map<int64_t, uint32_t> numbered;
  uint32_t entry = 0;  // brings what is fetched
  for (auto [i, op] : llvm::enumerate(routines)) {
    tpu::BundlesOp routine = op;
    if (routine.getEntry()) entry = i;
    auto facts = routine.getFactsAttr();
    if (auto number = facts ? facts.getAs<IntegerAttr>("number") : IntegerAttr()) numbered[number.getInt()] = i;
    auto onChip = facts ? facts.getAs<ArrayAttr>("on_chip") : ArrayAttr();
    if (!onChip) continue;
    uint32_t at = i;
    for (Attribute buffer : onChip) uses.try_emplace(buffer, Uses{at, at}).first->second.last = at;
  }
  for (auto op : module.getOps<tpu::BufferOp>()) {
    if (op.getKind() != "vmem") continue;
    auto *r = exe.index.add_residents();
    r->set_offset(op.getOffset());
    r->set_size(op.getSize());
    auto type = cast<RankedTensorType>(op.getArray());
    r->mutable_array()->set_type(typeName(type.getElementType()));
    for (int64_t d : type.getShape()) r->mutable_array()->add_dims(d);
    auto used = uses.find(FlatSymbolRefAttr::get(op.getSymNameAttr()));
    if (used == uses.end()) continue;
    const bool isBrought = op->hasAttr(tpu::kFetchedAttr) || op->hasAttr(tpu::kCarriedAttr);
    r->set_first_routine(isBrought ? entry : used->second.first);
    r->set_last_routine(used->second.last);
    // A loop's kernels run again: it is gone with the first one behind, unless something else lies there by then.
    if (!op->hasAttr(tpu::kReadAgainAttr)) continue;
    auto behind = numbered.upper_bound((*op.getLive())[1]);
    if (behind != numbered.end() && !isTaken(module, op, behind->first)) {
      r->set_last_routine(behind->second);
    } else {
      r->set_first_routine(entry);
      r->set_last_routine(entry);
    }
  }
  if (auto shared = module->getAttrOfType<IntegerAttr>("tpu.vmem_shared_bytes"))
    exe.index.set_vmem_shared_bytes(shared.getInt());
}

int64_t fact(tpu::BundlesOp op, StringRef name) {
  auto facts = op.getFactsAttr();
  auto value = facts ? facts.getAs<IntegerAttr>(name) : IntegerAttr();
  return value ? value.getInt() : 0;
}

std::string factText(tpu::BundlesOp op, StringRef name) {
  auto facts = op.getFactsAttr();
  auto value = facts ? facts.getAs<StringAttr>(name) : StringAttr();
  return value ? value.str() : "";
}

}  // namespace

// Devices, what they signal each other by, and how arguments and results are parts of larger arrays.
static void encodeDevices(ModuleOp module, isa::Executable &exe) {
  const stablehlo::DeviceGrid grid = stablehlo::gridOf(module);
  if (grid.devices() > 1) {
    exe.index.set_num_devices(static_cast<uint32_t>(grid.devices()));
    exe.index.set_num_partitions(static_cast<uint32_t>(grid.partitions));
  }
  if (auto semaphores = module->getAttrOfType<ArrayAttr>("tpu.chip_semaphores"))
    for (auto text : semaphores.getAsRange<DictionaryAttr>()) {
      auto *s = exe.index.add_chip_semaphores();
      s->set_collective(text.getAs<StringAttr>("collective").str());
      s->set_groups(text.getAs<StringAttr>("groups").str());
    }
  if (auto area = module->getAttrOfType<IntegerAttr>("tpu.system_area")) {
    exe.index.mutable_system()->set_offset(area.getInt());
    exe.index.mutable_system()->set_size(8);
  }
  if (auto held = module->getAttrOfType<ArrayAttr>(kernel::kHeldSizesAttr))
    for (auto one : held.getAsRange<DictionaryAttr>()) {
      const int64_t argument = one.getAs<IntegerAttr>("argument").getInt(),
                    size = one.getAs<IntegerAttr>("size").getInt();
      const std::string place = placeText(one.getAs<LocationAttr>("place"));
      auto *condition = exe.index.add_conditions();
      condition->set_size(isa::valueName(static_cast<int>(argument)) + (size < 0 ? " + " : " - ") +
                          std::to_string(std::abs(size)));
      condition->set_zero(true);
      condition->set_message((place.empty() ? "" : place + ": ") + "argument " + std::to_string(argument) +
                             " expects " + std::to_string(size) + ", the size " + one.getAs<StringAttr>("name").str() +
                             " that the program was compiled for");
    }
  auto shardings = module->getAttrOfType<DictionaryAttr>(kShardingsAttr);
  if (!shardings) return;
  for (int i = 0; i < exe.index.buffers_size(); ++i) {
    isa::proto::Buffer &b = *exe.index.mutable_buffers(i);
    if (b.kind() != isa::proto::ARGUMENT && b.kind() != isa::proto::RESULT) continue;
    auto all = shardings.getAs<ArrayAttr>(b.kind() == isa::proto::ARGUMENT ? "arguments" : "results");
    if (!all || b.index() >= static_cast<int>(all.size())) continue;
    auto one = cast<DictionaryAttr>(all[b.index()]);
    if (auto sharding = one.getAs<StringAttr>("sharding")) b.set_sharding(sharding.str());
    if (auto dims = one.getAs<DenseI64ArrayAttr>("global"))
      for (int64_t d : dims.asArrayRef()) b.add_global_dims(d);
  }
}

// DMA descriptors and calls of the host, which instructions name by number.
static LogicalResult encodeTables(ModuleOp module, isa::Executable &exe) {
  if (auto table = module->getAttrOfType<ArrayAttr>("tpu.descriptors"))
    for (Attribute attr : table) {
      isa::DmaDescriptor d;
      std::string error;
      StringRef text = cast<StringAttr>(attr).getValue();
      if (!isa::parseDescriptor(std::string_view(text.data(), text.size()), d, error))
        return diagnose(module, codes::kBrokenStage) << "expects a descriptor, but got '" << text << "': " << error;
      exe.descriptors.push_back(d);
    }
  if (auto table = module->getAttrOfType<ArrayAttr>("tpu.host_calls"))
    for (Attribute attr : table) {
      schema::TextError why;
      StringRef text = cast<StringAttr>(attr).getValue();
      if (!schema::parseText(std::string_view(text.data(), text.size()), *exe.index.add_host_calls(), why))
        return diagnose(module, codes::kBrokenStage)
               << "expects a host call, but got '" << text << "': " << why.message;
    }
  return success();
}

static void encodeRoutine(tpu::BundlesOp op, uint32_t bundle, uint32_t bundles, isa::Executable &exe) {
  auto *r = exe.index.add_routines();
  r->set_name(op.getSymName().str());
  r->set_bundle(bundle);
  r->set_bundles(bundles);
  r->set_location(factText(op, "location"));
  r->set_kind(op.getEntry() ? "entry" : factText(op, "kind"));
  r->set_flops(fact(op, "flops") + fact(op, "int8_flops"));
  r->set_logical_bytes(fact(op, "logical_bytes"));
  r->set_padded_bytes(fact(op, "padded_bytes"));
  r->set_vmem_bytes((fact(op, "vmem_words") - fact(op, "vmem_first")) * isa::kWordBytes);
  StringRef previous;
  for (auto [place, start] : llvm::zip(op.getPlaces().getAsRange<StringAttr>(), op.getPlaceStarts())) {
    if (place.empty() || place.getValue() == previous) continue;
    previous = place.getValue();
    exe.sourceMap.push_back({bundle + static_cast<uint32_t>(start), previous.str()});
  }
}

// One routine behind the other. Branches within a routine count from its first bundle on, calls name a routine.
static void encodeCode(ArrayRef<tpu::BundlesOp> routines, isa::Executable &exe) {
  std::vector<std::vector<isa::Inst>> code(routines.size());
  std::vector<uint32_t> first(routines.size());
  uint32_t bundle = 0;
  for (auto [i, op] : llvm::enumerate(routines)) {
    code[i] = tpu::BundlesOp(op).instructions();
    first[i] = bundle;
    const auto count = static_cast<uint32_t>(llvm::count_if(code[i], [](const isa::Inst &inst) { return inst.last; }));
    encodeRoutine(op, bundle, count, exe);
    bundle += count;
  }
  for (auto [i, insts] : llvm::enumerate(code))
    for (isa::Inst inst : insts) {
      const isa::InstInfo &what = isa::info(inst.op);
      if (const isa::Field *target = what.unit == isa::Unit::Control ? what.field("target") : nullptr) {
        int64_t to = isa::getField(inst, *target);
        bool call = inst.op == isa::Op::Call || inst.op == isa::Op::Grid;
        isa::setField(inst, *target, call ? first[to] : first[i] + to);
      }
      exe.code.push_back(inst);
    }
  exe.index.set_num_bundles(bundle);
}

// What the program takes of the chip: memory, and its entry's place and HBM.
static void encodeNeeds(ModuleOp module, ArrayRef<tpu::BundlesOp> routines, isa::proto::Entry &entry,
                        isa::Executable &exe) {
  int64_t vmemWords = 0, smemBytes = 64;
  for (auto [op, routine] : llvm::zip_equal(routines, exe.index.routines())) {
    vmemWords = std::max(vmemWords, fact(op, "vmem_words"));
    smemBytes = std::max(smemBytes, fact(op, "smem_bytes"));
    if (tpu::BundlesOp(op).getEntry()) entry.set_bundle(routine.bundle());
  }
  exe.index.set_vmem_bytes(std::max<uint64_t>(vmemWords * isa::kWordBytes, exe.index.vmem_shared_bytes()));
  exe.index.set_smem_bytes(llvm::alignTo(smemBytes, 64));
  exe.index.set_semaphores(kernel::kDmaSemaphores);
  auto arena = module->getAttrOfType<IntegerAttr>("tpu.arena_bytes"),
       peak = module->getAttrOfType<IntegerAttr>("tpu.hbm_peak_bytes");
  entry.set_arena_bytes(arena ? arena.getInt() : 0);
  entry.set_hbm_peak_bytes(peak ? peak.getInt() : 0);
}

LogicalResult encode(ModuleOp module, const target::Target &target, isa::Executable &exe) {
  isa::proto::Entry *entry = exe.index.add_entries();
  if (failed(encodeBuffers(module, exe))) return failure();
  encodeDevices(module, exe);
  encodeExpectations(module, exe);
  if (failed(encodeTables(module, exe))) return failure();
  SmallVector<tpu::BundlesOp> routines(module.getOps<tpu::BundlesOp>());
  encodeResidents(module, routines, exe);
  encodeCode(routines, exe);
  encodeNeeds(module, routines, *entry, exe);
  exe.index.set_format_version(isa::kFormatVersion);
  exe.index.set_table_hash(isa::tableHash());
  exe.index.set_target(target::toText(target));
  exe.index.set_target_digest(target::digest(target));
  if (auto name = module.getSymName()) exe.index.set_module_name(name->str());
  std::string problem = isa::validate(exe);
  if (!problem.empty()) return diagnose(module, codes::kBrokenStage) << "expects a sound executable, but " << problem;
  return success();
}

}  // namespace tpuc::encoder
