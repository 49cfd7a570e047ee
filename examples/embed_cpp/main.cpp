// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A small layer, y = relu(x w), compiled in this process, run on the machine and timed.
#include <tpuc/tpuc.h>

#include <cstdio>
#include <cstring>
#include <vector>

constexpr char kLayer[] = R"(
module @layer {
  func.func @main(%x: tensor<4x256xf32>, %w: tensor<256x8xf32>) -> tensor<4x8xf32> {
    %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]
        : (tensor<4x256xf32>, tensor<256x8xf32>) -> tensor<4x8xf32>
    %zero = stablehlo.constant dense<0.0> : tensor<4x8xf32>
    %1 = stablehlo.maximum %0, %zero : tensor<4x8xf32>
    return %1 : tensor<4x8xf32>
  }
}
)";

int main() {
  tpuc::api::CompileOptions options;
  options.target = "v5e";
  options.matmulPrecision = "highest";
  auto layer = tpuc::api::compile(kLayer, options);
  if (!layer) {
    std::fputs(layer.error().message.c_str(), stderr);
    return layer.error().exit;
  }

  // x[i][k] = i - 1, w[k][j] = j: y[i][j] = relu(256 (i - 1) j), exact in f32.
  std::vector<float> x(4 * 256), w(256 * 8);
  for (int i = 0; i < 4; ++i)
    for (int k = 0; k < 256; ++k) x[i * 256 + k] = static_cast<float>(i - 1);
  for (int k = 0; k < 256; ++k)
    for (int j = 0; j < 8; ++j) w[k * 8 + j] = static_cast<float>(j);
  const std::span<const std::byte> inputs[] = {std::as_bytes(std::span(x)), std::as_bytes(std::span(w))};
  auto results = layer->run(inputs);
  if (!results) {
    std::fputs(results.error().message.c_str(), stderr);
    return results.error().exit;
  }
  std::vector<float> y(4 * 8);
  std::memcpy(y.data(), (*results)[0].data(), (*results)[0].size());
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 8; ++j)
      if (y[i * 8 + j] != (i > 1 ? 256.0f * static_cast<float>(i - 1) * static_cast<float>(j) : 0.0f))
        return std::puts("wrong"), 1;

  auto timing = layer->time();
  if (!timing) return timing.error().exit;
  std::printf("y[3][7] = %g, %lld cycles, %.2f us on the chip\n", y[3 * 8 + 7], static_cast<long long>(timing->cycles),
              timing->seconds * 1e6);
  for (const tpuc::api::Counter &counter : timing->counters)
    if (counter.name == "mxu_pushes.f32") std::printf("%lld pushes\n", static_cast<long long>(counter.value));

  // What is wrong is said as the command says it.
  auto wrong = tpuc::api::compile("func.func @main(%x: tensor<2xf32>) -> tensor<3xf32> { return %x : tensor<3xf32> }");
  std::printf("a wrong program: exit %d, %s\n", wrong.error().exit, wrong.error().code.c_str());
  return 0;
}
