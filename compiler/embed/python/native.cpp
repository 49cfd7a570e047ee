// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The Python package's compiled part: the C++ library for tpuc/*.py.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cstring>
#include <memory>
#include <tuple>

#include "compiler/embed/cpp/tpuc.h"

namespace nb = nanobind;
namespace {

using tpuc::api::ArrayType;
using tpuc::api::Executable;

// Raises the package's tpuc.Error.
[[noreturn]] void raise(const tpuc::api::Error &error) {
  nb::object type = nb::module_::import_("tpuc._errors").attr("Error");
  nb::object instance = type(nb::str(error.message.data(), error.message.size()), error.code, error.exit);
  PyErr_SetObject(type.ptr(), instance.ptr());
  throw nb::python_error();
}

template <typename T>
T valueOf(tpuc::api::Result<T> result) {
  if (!result) raise(result.error());
  return std::move(*result);
}

// Element type, extents, name.
using Description = std::tuple<std::string, std::vector<int64_t>, std::string>;

std::vector<Description> describe(const std::vector<ArrayType> &types) {
  std::vector<Description> out;
  for (const ArrayType &type : types) out.emplace_back(type.element, type.dims, type.name);
  return out;
}

// Bytes without a shape, dense; the package gives them type and extents.
using BytesIn = nb::ndarray<const uint8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using BytesOut = nb::ndarray<nb::numpy, uint8_t, nb::ndim<1>>;

BytesOut handOver(std::vector<std::byte> bytes) {
  auto *kept = new std::vector<std::byte>(std::move(bytes));
  nb::capsule owner(kept, [](void *p) noexcept { delete static_cast<std::vector<std::byte> *>(p); });
  size_t shape[1] = {kept->size()};
  return BytesOut(kept->data(), 1, shape, owner);
}

// One run at a time: an executable has one machine.
std::vector<BytesOut> run(Executable &exe, const std::vector<BytesIn> &arrays) {
  std::vector<std::span<const std::byte>> inputs;
  for (const BytesIn &array : arrays)
    inputs.emplace_back(reinterpret_cast<const std::byte *>(array.data()), array.size());
  auto results = [&] {
    nb::gil_scoped_release released;
    return exe.run(inputs);
  }();
  std::vector<BytesOut> out;
  for (std::vector<std::byte> &bytes : valueOf(std::move(results))) out.push_back(handOver(std::move(bytes)));
  return out;
}

using Dims = std::vector<int64_t>;

// Runs a program of open sizes: bytes and extents of each array.
std::vector<std::pair<BytesOut, Dims>> runSized(Executable &exe, const std::vector<BytesIn> &arrays,
                                                const std::vector<Dims> &dims) {
  std::vector<tpuc::api::SizedArray> inputs;
  for (size_t i = 0; i < arrays.size(); ++i) {
    const auto *bytes = reinterpret_cast<const std::byte *>(arrays[i].data());
    inputs.push_back({dims.at(i), {bytes, bytes + arrays[i].size()}});
  }
  auto results = [&] {
    nb::gil_scoped_release released;
    return exe.runSized(inputs);
  }();
  std::vector<std::pair<BytesOut, Dims>> out;
  for (tpuc::api::SizedArray &array : valueOf(std::move(results)))
    out.emplace_back(handOver(std::move(array.bytes)), array.dims);
  return out;
}

std::vector<std::tuple<std::string, int64_t, int64_t>> bucketFor(const Executable &exe, const std::vector<Dims> &dims) {
  std::vector<std::tuple<std::string, int64_t, int64_t>> out;
  for (const tpuc::api::BucketSize &size : valueOf(exe.bucketFor(dims)))
    out.emplace_back(size.name, size.size, size.bucket);
  return out;
}

Executable compile(nb::object program, const std::string &name, const std::string &target, const std::string &precision,
                   const std::vector<std::string> &sets, const std::string &cache,
                   const std::vector<std::string> &buckets) {
  tpuc::api::CompileOptions options;
  options.name = name;
  options.target = target;
  options.matmulPrecision = precision;
  options.sets = sets;
  options.cache = cache;
  options.buckets = buckets;
  std::string text;
  if (nb::isinstance<nb::bytes>(program)) {
    auto bytes = nb::cast<nb::bytes>(program);
    text.assign(bytes.c_str(), bytes.size());
  } else {
    text = nb::cast<std::string>(program);
  }
  auto result = [&] {
    nb::gil_scoped_release released;
    return tpuc::api::compile(text, options);
  }();
  return valueOf(std::move(result));
}

nb::bytes bytesOf(const std::string &text) { return nb::bytes(text.data(), text.size()); }

}  // namespace

NB_MODULE(_native, m) {
  nb::class_<Executable>(m, "Executable")
      .def("arguments", [](const Executable &exe) { return describe(exe.arguments()); })
      .def("results", [](const Executable &exe) { return describe(exe.results()); })
      .def("run", run)
      .def("run_sized", runSized)
      .def("bucket_for", bucketFor)
      .def("serialize", [](const Executable &exe) { return bytesOf(exe.serialize()); })
      .def("save",
           [](const Executable &exe, const std::string &path) {
             if (auto error = exe.save(path)) raise(*error);
           })
      .def("seconds", [](const Executable &exe) { return valueOf(exe.time()).seconds; })
      .def("report_text", [](const Executable &exe) { return valueOf(exe.report()); })
      .def("report_json", [](const Executable &exe) { return valueOf(exe.reportJson()); })
      .def("report_html", [](const Executable &exe) { return valueOf(exe.reportHtml()); })
      .def("disassemble", &Executable::disassemble);
  m.def("compile", compile, nb::arg("program"), nb::arg("name"), nb::arg("target"), nb::arg("precision"),
        nb::arg("sets"), nb::arg("cache"), nb::arg("buckets") = std::vector<std::string>());
  m.def("load", [](const std::string &path) { return valueOf(Executable::load(path)); });
  m.def("parse", [](const nb::bytes &bytes) { return valueOf(Executable::parse({bytes.c_str(), bytes.size()})); });
  m.def("targets", &tpuc::api::targets, "Names of the bundled targets, oldest first.");
  m.def(
      "explain", [](const std::string &code) { return tpuc::api::explain(code); },
      "What a code means and what to do; empty for none.");
  m.def("version", [] { return std::string(tpuc::api::version()); });
}
