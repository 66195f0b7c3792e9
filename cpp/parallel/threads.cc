// SPDX-License-Identifier: Apache-2.0
#include "parallel/threads.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <string>
#include <thread>

#include "base/numbers.h"

#if defined(__linux__)
#include <sched.h>
#endif

namespace xgbl {
namespace {

constexpr int kNoLimit = std::numeric_limits<int>::max();

// A positive number from the environment ("4", or the first of "4,2"), else `otherwise`.
int FromEnvironment(char const* name, int otherwise) {
  char const* text = std::getenv(name);
  if (text == nullptr) return otherwise;
  std::string const all(text);
  std::int64_t value = 0;
  bool const good = ParseNumber(all.substr(0, all.find(',')), &value) && value > 0 && value < kNoLimit;
  return good ? static_cast<int>(value) : otherwise;
}

int Affinity() {
#if defined(__linux__)
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof(set), &set) == 0) return std::max(1, CPU_COUNT(&set));
#endif
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

int CoresOf(double quota, double period) {
  return quota > 0 && period > 0 ? std::max(1, static_cast<int>(std::ceil(quota / period))) : kNoLimit;
}

int ContainerQuota() {
  std::string quota;
  double period = 0, limit = 0;
  std::ifstream unified("/sys/fs/cgroup/cpu.max");
  if (unified >> quota >> period && ParseNumber(quota, &limit)) return CoresOf(limit, period);
  std::ifstream quota_file("/sys/fs/cgroup/cpu/cpu.cfs_quota_us");
  std::ifstream period_file("/sys/fs/cgroup/cpu/cpu.cfs_period_us");
  if (quota_file >> limit && period_file >> period) return CoresOf(limit, period);
  return kNoLimit;
}

int AvailableCores() {
  static int const cores = std::min(Affinity(), ContainerQuota());
  return cores;
}

}  // namespace

int ThreadCount(int requested) {
  int const wanted = requested > 0 ? requested : FromEnvironment("OMP_NUM_THREADS", AvailableCores());
  return std::min(wanted, FromEnvironment("OMP_THREAD_LIMIT", kNoLimit));
}

}  // namespace xgbl
