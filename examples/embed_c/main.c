// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* A sum of squares, compiled in this process, saved, loaded again, run on the machine and timed. */
#include <stdio.h>
#include <string.h>
#include <tpuc-c/tpuc.h>

static const char kProgram[] =
    "func.func @main(%x: tensor<100xf32>) -> tensor<f32> {\n"
    "  %zero = stablehlo.constant dense<0.0> : tensor<f32>\n"
    "  %0 = stablehlo.multiply %x, %x : tensor<100xf32>\n"
    "  %1 = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<100xf32>, "
    "tensor<f32>) -> tensor<f32>\n"
    "  return %1 : tensor<f32>\n"
    "}\n";

/* Prints the error, if any, and gives how the program ends. */
static int report(tpuc_error *error) {
  int exit = tpuc_error_exit(error);
  if (error) fputs(tpuc_error_message(error), stderr);
  tpuc_error_destroy(error);
  return exit;
}

int main(void) {
  if (tpuc_abi_version() >> 16 != TPUC_ABI_MAJOR) return 2;
  tpuc_compile_options options = {sizeof options, "v6e", NULL, NULL, 0, "squares.mlir"};
  tpuc_executable *compiled = NULL, *loaded = NULL;
  int exit = report(tpuc_compile(kProgram, strlen(kProgram), &options, &compiled));
  if (exit) return exit;

  tpuc_text *bytes = tpuc_executable_serialize(compiled);
  exit = report(tpuc_executable_parse(tpuc_text_data(bytes), tpuc_text_size(bytes), &loaded));
  tpuc_text_destroy(bytes);
  tpuc_executable_destroy(compiled);
  if (exit) return exit;

  tpuc_array_type type = {sizeof type, NULL, NULL, NULL, 0, 0};
  tpuc_executable_argument(loaded, 0, &type);
  printf("argument 0: %s, rank %zu, %zu bytes\n", type.element, type.rank, type.bytes);

  float x[100], sum = 0;
  for (int i = 0; i < 100; ++i) x[i] = (float)i;
  const void *inputs[] = {x};
  void *outputs[] = {&sum};
  const size_t input_bytes[] = {sizeof x}, output_bytes[] = {sizeof sum};
  exit = report(tpuc_executable_run(loaded, inputs, input_bytes, 1, outputs, output_bytes, 1));
  if (exit) return exit;

  int64_t cycles = 0, bundles = 0;
  double seconds = 0;
  exit = report(tpuc_executable_time(loaded, &cycles, &seconds));
  tpuc_executable_counter(loaded, "bundles", &bundles);
  printf("sum of squares %.0f, %.2f us on the chip, %s bundles\n", sum, seconds * 1e6, bundles > 0 ? "some" : "no");
  tpuc_executable_destroy(loaded);

  /* 0 + 1 + 4 + ... + 99^2 = 328350, exact in f32 in any order. */
  return exit ? exit : sum == 328350.0f ? 0 : 1;
}
