// What a run tells the timing walk about data that reached the scalar unit, and how a grid's steps fall to cores.
#pragma once
#include <cstdint>
#include <utility>
#include <vector>

namespace tpuc::timing {

// The walk interprets the scalar unit itself; all that it cannot know is what came from tensors. The executor appends, in
// program order: each v.tos result (8 bytes, sign-extended), and each byte run that a DMA brought to SMEM, when the DMA
// is started. Stream 0 is the main program; each grid that runs adds one stream per core, core 0 first, empty ones too.
struct ControlTrace {
  struct Stream {
    std::vector<uint8_t> bytes;
  };
  std::vector<Stream> streams;
};

// The steps of a grid that a core runs: first, count.
inline std::pair<int64_t, int64_t> gridShare(int64_t steps, int cores, int core) {
  int64_t first = steps * core / cores;
  return {first, steps * (core + 1) / cores - first};
}

}  // namespace tpuc::timing
