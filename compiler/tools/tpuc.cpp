// The `tpuc` command.
#include <chrono>
#include <fstream>
#include <iostream>

#include "compiler/frontend/import.h"
#include "compiler/pipeline/compile.h"
#include "compiler/pipeline/registry.h"
#include "mlir/IR/AsmState.h"
#include "llvm/Support/SourceMgr.h"
#include "runtime/device/pack.h"
#include "runtime/executor/executor.h"
#include "runtime/timing/timing.h"

using namespace mlir;

namespace {

struct Npy {
  std::string dtype;
  std::vector<int64_t> shape;
  std::vector<uint8_t> data;
};

bool readNpy(const std::string &path, Npy &out) {
  std::ifstream in(path, std::ios::binary);
  if (!in) return false;
  std::string all((std::istreambuf_iterator<char>(in)), {});
  if (all.size() < 10 || all.compare(1, 5, "NUMPY")) return false;
  uint16_t len;
  std::memcpy(&len, all.data() + 8, 2);
  std::string header = all.substr(10, len);
  size_t p = header.find("'descr': '") + 10;
  out.dtype = header.substr(p, header.find('\'', p) - p);
  p = header.find('(') + 1;
  std::string dims = header.substr(p, header.find(')') - p);
  for (size_t i = 0; i < dims.size();) {
    if (!isdigit(dims[i])) { ++i; continue; }
    out.shape.push_back(std::stoll(dims.substr(i)));
    while (i < dims.size() && isdigit(dims[i])) ++i;
  }
  out.data.assign(all.begin() + 10 + len, all.end());
  return true;
}

double valueAt(const std::string &type, const uint8_t *p, int64_t i) {
  if (type == "f32") return reinterpret_cast<const float *>(p)[i];
  if (type == "bf16") { uint32_t b = uint32_t(reinterpret_cast<const uint16_t *>(p)[i]) << 16; float f; std::memcpy(&f, &b, 4); return f; }
  if (type == "i32") return reinterpret_cast<const int32_t *>(p)[i];
  if (type == "ui32") return reinterpret_cast<const uint32_t *>(p)[i];
  if (type == "i16") return reinterpret_cast<const int16_t *>(p)[i];
  if (type == "i8") return reinterpret_cast<const int8_t *>(p)[i];
  return p[i];
}

}  // namespace

int main(int argc, char **argv) {
  std::vector<std::string> args(argv + 1, argv + argc), paths;
  tpuc::CompileOptions options;
  bool time = false, checking = false, disasm = false;
  int threads = 0, repeat = 1;
  for (const std::string &a : args) {
    auto value = [&](const char *flag) { return a.rfind(flag, 0) == 0 ? a.substr(strlen(flag)) : std::string(); };
    if (auto v = value("--target="); !v.empty()) options.target = v;
    else if (auto v = value("--set="); !v.empty()) options.sets.push_back(v);
    else if (auto v = value("--matmul-precision="); !v.empty()) options.matmulPrecision = v;
    else if (auto v = value("--dump-stages="); !v.empty()) options.dumpStages = v;
    else if (auto v = value("--stop-after="); !v.empty()) options.stopAfter = v;
    else if (auto v = value("--threads="); !v.empty()) threads = std::stoi(v);
    else if (auto v = value("--repeat="); !v.empty()) repeat = std::stoi(v);
    else if (a == "--no-fuse") options.fuse = false;
    else if (a == "--no-pipeline") options.pipeline = false;
    else if (a == "--time") time = true;
    else if (a == "--check") checking = true;
    else if (a == "--disasm") disasm = true;
    else paths.push_back(a);
  }
  std::string dir = paths.at(0);
  DialectRegistry registry;
  tpuc::registerAllDialects(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  llvm::SourceMgr sources;
  SourceMgrDiagnosticHandler handler(sources, &context);
  bool file = dir.size() > 5 && dir.substr(dir.size() - 5) == ".mlir";
  auto t0 = std::chrono::steady_clock::now();
  auto imported = tpuc::frontend::importFile(file ? dir : dir + "/program.mlir", sources, context);
  if (!imported) return static_cast<int>(imported.failure->exit);
  auto &module = imported.module;
  tpuc::isa::Executable exe;
  if (failed(tpuc::compileModule(*module, options, exe))) return 4;
  auto t1 = std::chrono::steady_clock::now();
  std::cerr << "compile " << std::chrono::duration<double>(t1 - t0).count() << " s, " << exe.index.num_bundles() << " bundles\n";
  if (!options.stopAfter.empty()) { module->print(llvm::outs()); return 0; }
  if (disasm) std::cout << tpuc::isa::disassemble(exe);
  if (time) {
    tpuc::target::Target target;
    std::string error;
    tpuc::resolveTarget(options, target, error);
    auto s0 = std::chrono::steady_clock::now();
    auto r = tpuc::timing::timeProgram(exe, target);
    auto s1 = std::chrono::steady_clock::now();
    std::cerr << (r.ok ? "" : r.error) << " cycles " << r.cycles << " " << r.seconds * 1e6 << " us; timed in " << std::chrono::duration<double>(s1 - s0).count() << " s\n";
    for (int i = 0; i < exe.index.routines_size(); ++i)
      std::cerr << "  " << exe.index.routines(i).name() << " " << exe.index.routines(i).kind() << " " << exe.index.routines(i).location() << " " << r.routines[i].cycles << " cycles\n";
  }
  if (file) return 0;
  tpuc::exec::ExecutorOptions eo;
  eo.threads = threads;
  eo.checking = checking;
  std::string error;
  auto executor = tpuc::exec::Executor::create(exe, eo, error);
  if (!executor) { std::cerr << error << "\n"; return 2; }
  std::vector<std::vector<uint8_t>> held(executor->numArguments());
  for (int i = 0; i < executor->numArguments(); ++i) {
    Npy npy;
    if (!readNpy(dir + "/input." + std::to_string(i) + ".npy", npy)) { std::cerr << "no input " << i << "\n"; return 2; }
    tpuc::isa::ArrayLayout layout;
    if (!tpuc::exec::layoutOf(executor->argument(i).array(), layout, error)) { std::cerr << error; return 2; }
    held[i].resize(layout.bytes);
    tpuc::device::pack(layout, npy.data.data(), held[i].data(), tpuc::device::kGarbageFill);
    if (!executor->bindArgument(i, held[i], error)) { std::cerr << error << "\n"; return 2; }
  }
  tpuc::exec::RunError runError;
  for (int k = 0; k < repeat; ++k) {
    auto r0 = std::chrono::steady_clock::now();
    if (!executor->run(runError)) { std::cerr << runError.text() << "\n"; return 2; }
    auto r1 = std::chrono::steady_clock::now();
    std::cerr << "run " << std::chrono::duration<double>(r1 - r0).count() * 1e3 << " ms\n";
  }
  int bad = 0;
  for (int i = 0; i < executor->numResults(); ++i) {
    Npy npy;
    if (!readNpy(dir + "/output." + std::to_string(i) + ".npy", npy)) continue;
    tpuc::isa::ArrayLayout layout;
    const auto &array = executor->result(i).array();
    tpuc::exec::layoutOf(array, layout, error);
    std::vector<uint8_t> host(layout.elements * layout.type->hostBytes);
    tpuc::device::unpack(layout, executor->resultArray(i)->data(), host.data());
    double worst = 0, largest = 0;
    bool nan = false;
    for (int64_t e = 0; e < layout.elements; ++e) {
      double x = valueAt(array.type(), host.data(), e), y = valueAt(array.type(), npy.data.data(), e);
      if (std::isnan(x) != std::isnan(y)) nan = true;
      else if (x != y && !std::isnan(x)) worst = std::max(worst, std::abs(x - y));
      largest = std::max(largest, std::isfinite(y) ? std::abs(y) : 0);
    }
    double rel = largest ? worst / largest : worst;
    std::cerr << "result " << i << " " << array.type() << " error " << rel << (nan ? " NaN MISMATCH" : "") << "\n";
    bad += nan || rel > 1.5e-2;
  }
  return bad ? 1 : 0;
}
