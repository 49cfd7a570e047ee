// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The checking mode's view of a slice: transfers between chips under way, and which accesses of a chip another one
// knows to be over.
//
// A chip's memory may be written by another one only when everything that the chip has done with these bytes happened
// before (Lamport 1978): each chip has a clock that counts what it told others; a signal, and a transfer's arrival,
// carry the sender's knowledge of all clocks, and a wait takes it over. So a race is found in whatever order the host
// ran the chips.
#pragma once
#include <deque>
#include <unordered_map>
#include <vector>

#include "runtime/executor/in_flight.h"

namespace tpuc::exec {

struct RemoteTransfers {
  using Clock = std::vector<uint32_t>;  // by chip

  RemoteTransfers(int chip, int chips) : chip(chip), clock(chips, 0) { clock[chip] = 1; }
  // What is told from here on comes later than what was told now.
  Clock tell() {
    Clock told = clock;
    ++clock[chip];
    return told;
  }
  void learn(const Clock &told);
  // The chip reads or writes these bytes of its HBM now.
  void touch(const Footprint &f);
  // Whether the chip touched any of them later than another one knows.
  bool isUnknownTo(const Clock &other, const Footprint &f) const;

  int chip;
  Clock clock;
  InFlight inFlight;  // outgoing ones by their semaphore, those that come by kArriving + chip semaphore
  std::unordered_map<int, std::deque<Clock>> signals;  // that nobody has waited for, by chip semaphore
  static constexpr int64_t kArriving = 1 << 20;

 private:
  std::unordered_map<int64_t, uint32_t> touched_;  // by word of 512 bytes: when last
};

}  // namespace tpuc::exec
