// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Prints the largest errors of the functions: ulps [--f64] [--complex] [--all[=STRIDE]] [--density=N] [--exponents=N]
// [--where] [NAME...]
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "test/accuracy/walk.h"

using namespace tpuc::accuracy;

namespace {

struct Options {
  bool isDouble = false, complex = false, all = false, where = false;
  int density = 64, exponents = 3, stride = 1;
  std::vector<std::string> names;

  bool wants(const std::string &name) const {
    for (const std::string &n : names)
      if (n == name) return true;
    return names.empty();
  }
};

Options parse(int argc, char **argv) {
  Options o;
  for (int i = 1; i < argc; ++i) {
    const char *a = argv[i];
    if (!std::strcmp(a, "--f64"))
      o.isDouble = true;
    else if (!std::strcmp(a, "--complex"))
      o.complex = true;
    else if (!std::strcmp(a, "--all"))
      o.all = true;
    else if (!std::strncmp(a, "--all=", 6))
      o.all = true, o.stride = std::max(1, std::atoi(a + 6));
    else if (!std::strcmp(a, "--where"))
      o.where = true;
    else if (!std::strncmp(a, "--density=", 10))
      o.density = std::atoi(a + 10);
    else if (!std::strncmp(a, "--exponents=", 12))
      o.exponents = std::atoi(a + 12);
    else
      o.names.push_back(a);
  }
  return o;
}

void print(const std::string &name, const Worst &worst, bool where) {
  if (!worst.error.empty())
    std::printf("| %s | %s |\n", name.c_str(), worst.error.substr(0, worst.error.find('\n')).c_str());
  else
    std::printf("| %s | %.2f | %.0f | %llu |%s\n", name.c_str(), worst.ulps, worst.steps,
                static_cast<unsigned long long>(worst.arguments), where ? (" " + worst.where + " |").c_str() : "");
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char **argv) {
  Options o = parse(argc, argv);
  std::printf("| function | ulps | numbers off | arguments |%s\n| --- | --- | --- | --- |%s\n", o.where ? " at |" : "",
              o.where ? " --- |" : "");
  if (o.complex) {
    for (const ComplexFunction &f : complexFunctions())
      if (o.wants(f.name)) print(f.name, walk(f, o.isDouble, 256 * o.density, o.exponents), o.where);
    return 0;
  }
  for (const RealFunction &f : realFunctions()) {
    if (!o.wants(f.name) || (o.all && f.arity != 1)) continue;
    print(f.name, o.all ? walkAll(f, o.stride) : walk(f, o.isDouble, o.density), o.where);
  }
  return 0;
}
