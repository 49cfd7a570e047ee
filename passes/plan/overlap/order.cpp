// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// List scheduling against a clock. Steps keep their order, but:
//
//  1. A start waits until its transfers would arrive just when they are needed (from the back, one transfer after the
//     other on the links), so that what is brought early does not fill the memory; it begins at once where it is late.
//  2. A done comes when its transfers have arrived, and what needs it comes after that. Until then later steps go on.
#include "passes/plan/overlap/order.h"

#include <algorithm>
#include <limits>
#include <queue>

using namespace llvm;

namespace tpuc::plan {
namespace {

using Users = std::vector<SmallVector<int64_t, 4>>;

Users usersOf(ArrayRef<Step> steps) {
  Users users(steps.size());
  for (auto [i, step] : enumerate(steps))
    for (int64_t need : step.needs) users[need].push_back(static_cast<int64_t>(i));
  return users;
}

// By step: how much work is done when its result is needed, in the given order. What takes no time only passes on.
std::vector<double> needTimes(ArrayRef<Step> steps, const Users &users) {
  std::vector<double> begin(steps.size()), need(steps.size());
  double now = 0;
  for (auto [i, step] : enumerate(steps)) {
    begin[i] = now;
    if (step.kind == Step::Work) now += step.time;
  }
  for (size_t i = steps.size(); i-- > 0;) {
    need[i] = now;
    for (int64_t user : users[i]) {
      const bool passes = steps[user].kind != Step::Work || steps[user].time == 0;
      need[i] = std::min(need[i], passes ? need[user] : begin[user]);
    }
  }
  return need;
}

// By start: how much work is done when it has to begin.
std::vector<double> latestStarts(ArrayRef<Step> steps, const Users &users) {
  const std::vector<double> need = needTimes(steps, users);
  SmallVector<int64_t> starts;
  for (auto [i, step] : enumerate(steps))
    if (step.kind == Step::Start) starts.push_back(static_cast<int64_t>(i));
  std::stable_sort(starts.begin(), starts.end(), [&](int64_t a, int64_t b) { return need[a] > need[b]; });
  std::vector<double> latest(steps.size(), 0);
  double linksNeeded = std::numeric_limits<double>::infinity();
  for (int64_t i : starts) latest[i] = linksNeeded = std::min(need[i] - steps[i].latency, linksNeeded) - steps[i].time;
  return latest;
}

struct Clock {
  double now = 0, linksFree = 0;
  bool launched = false;  // the last step was a kernel
  std::vector<double> arrival;

  explicit Clock(size_t n) : arrival(n, 0) {}
  void take(ArrayRef<Step> steps, int64_t i) {
    const Step &step = steps[i];
    if (step.kind == Step::Work) now += step.time + (launched ? 0 : step.launch);
    if (step.kind != Step::Work || step.time > 0) launched = step.launch > 0;
    if (step.kind == Step::Start) {
      linksFree = std::max(now, linksFree) + step.time;
      arrival[i] = linksFree + step.latency;
    }
    if (step.kind == Step::Done) now = std::max(now, arrival[step.start]);
  }
};

class Scheduler {
 public:
  Scheduler(ArrayRef<Step> steps, int64_t most)
      : steps_(steps),
        most_(most),
        users_(usersOf(steps)),
        latest_(latestStarts(steps, users_)),
        clock_(steps.size()) {}

  SmallVector<int64_t> run() {
    missing_.resize(steps_.size());
    for (auto [i, step] : enumerate(steps_)) {
      missing_[i] = static_cast<int64_t>(step.needs.size());
      if (missing_[i] == 0) ready(static_cast<int64_t>(i));
    }
    while (order_.size() < steps_.size()) next();
    return order_;
  }

 private:
  using Timed = std::pair<double, int64_t>;
  template <typename T>
  using Least = std::priority_queue<T, std::vector<T>, std::greater<T>>;

  void ready(int64_t i) {
    if (steps_[i].kind == Step::Start)
      starts_.push({latest_[i], i});
    else if (steps_[i].kind == Step::Done)
      arriving_.push({clock_.arrival[steps_[i].start], i});
    else
      now_.push(i);
  }

  void next() {
    for (; !arriving_.empty() && arriving_.top().first <= clock_.now; arriving_.pop())
      now_.push(arriving_.top().second);
    const bool mayStart = !starts_.empty() && underWay_ < most_;
    // The next work would end later than a start must begin.
    const double worked = worked_ + (now_.empty() ? 0 : timeOfWork(now_.top()));
    if (mayStart && (starts_.top().first <= worked_ || starts_.top().first < worked)) return takeStart();
    if (!now_.empty()) {
      const int64_t i = now_.top();
      now_.pop();
      return take(i);
    }
    // Nothing but transfers is left to wait for: one that would begin before the wait's end begins now.
    const double wait = arriving_.empty() ? 0 : arriving_.top().first - clock_.now;
    if (mayStart && (arriving_.empty() || starts_.top().first - worked_ <= wait)) return takeStart();
    const int64_t i = arriving_.top().second;
    arriving_.pop();
    take(i);
  }

  double timeOfWork(int64_t i) const { return steps_[i].kind == Step::Work ? steps_[i].time : 0; }

  void takeStart() {
    const int64_t i = starts_.top().second;
    starts_.pop();
    take(i);
  }

  void take(int64_t i) {
    order_.push_back(i);
    clock_.take(steps_, i);
    worked_ += timeOfWork(i);
    underWay_ += steps_[i].kind == Step::Start ? 1 : steps_[i].kind == Step::Done ? -1 : 0;
    for (int64_t user : users_[i])
      if (--missing_[user] == 0) ready(user);
  }

  ArrayRef<Step> steps_;
  const int64_t most_;
  const Users users_;
  const std::vector<double> latest_;
  Clock clock_;
  double worked_ = 0;
  int64_t underWay_ = 0;
  std::vector<int64_t> missing_;
  Least<int64_t> now_;
  Least<Timed> starts_, arriving_;
  SmallVector<int64_t> order_;
};

}  // namespace

SmallVector<int64_t> overlappedOrder(ArrayRef<Step> steps, int64_t most) { return Scheduler(steps, most).run(); }

double timeOf(ArrayRef<Step> steps, ArrayRef<int64_t> order) {
  Clock clock(steps.size());
  for (int64_t i : order) clock.take(steps, i);
  return clock.now;
}

}  // namespace tpuc::plan
