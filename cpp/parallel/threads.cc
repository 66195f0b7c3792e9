// SPDX-License-Identifier: Apache-2.0
#include "parallel/parallel_for.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <future>
#include <limits>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "base/numbers.h"

#if defined(_OPENMP)
#include <omp.h>
#elif defined(__linux__)
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
#if defined(_OPENMP)
  return omp_get_num_procs();  // even if OMP_PROC_BIND has bound this thread to one of them
#elif defined(__linux__)
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

// As many threads as the system gives.
std::vector<std::thread> Start(int most, std::function<void()> const& work) {
  std::vector<std::thread> threads;
  try {
    while (static_cast<int>(threads.size()) < most) threads.emplace_back(work);
  } catch (std::exception const&) {
    // Those that there are do all the work.
  }
  return threads;
}

// What omp_set_num_threads() said on the calling thread, as threadpoolctl does; seen by its being another number than
// at the beginning.
int SetAtRunTime() {
#if defined(_OPENMP)
  static int const at_first = [] {
    int number = omp_get_max_threads();
    for (auto& thread : Start(1, [&] { number = omp_get_max_threads(); })) thread.join();  // it has that number
    return number;
  }();
  int const now = omp_get_max_threads();
  return now == at_first ? kNoLimit : now;
#else
  return kNoLimit;
#endif
}

#if defined(_OPENMP)

// libgomp ends the process if it cannot have a thread: they are tried before. Where there is a limit, half of what it
// lets be is left, as others may take some, and those that were tried, which count until the system has cleared them
// away, get the time for it. (OMP_STACKSIZE may ask for larger stacks than were tried; nothing can be done about that.)
int ThreadsToBeHad(int most) {
  std::promise<void> tried;
  std::vector<std::thread> threads = Start(2 * most, [end = tried.get_future().share()] { end.wait(); });
  tried.set_value();
  for (auto& thread : threads) thread.join();
  if (static_cast<int>(threads.size()) < 2 * most) std::this_thread::sleep_for(std::chrono::milliseconds(20));
  return static_cast<int>(threads.size()) / 2;
}

// Returns how many calls there were. The thread that opens the region is none of the members that work, if it has any:
// with OMP_PROC_BIND it would share a core with the main thread. Who has nothing to do sleeps until all have finished,
// as the region's end would spin.
int RunRegion(int wanted, std::function<void()> const& work, std::function<void()> const& opened) {
  std::mutex mutex;
  std::condition_variable changed;
  int done = 0;
  int const members = ThreadsToBeHad(wanted) + 1;
#pragma omp parallel num_threads(members)
  {
    int const others = omp_get_num_threads() - 1;
    bool const opens = omp_get_thread_num() == 0;
    if (opens) opened();
    if (!opens || others == 0) work();
    std::unique_lock<std::mutex> lock(mutex);
    if (!opens || others == 0) ++done;
    changed.notify_all();
    changed.wait(lock, [&] { return done >= others; });
  }
  return done;
}

#endif

}  // namespace

int ThreadCount(int requested) {
  int const limit = FromEnvironment("OMP_THREAD_LIMIT", kNoLimit);
  if (requested > 0) return std::min(requested, limit);
  return std::min({FromEnvironment("OMP_NUM_THREADS", AvailableCores()), SetAtRunTime(), limit});
}

bool UsesOpenMp() {
#if defined(_OPENMP)
  return true;
#else
  return false;
#endif
}

int OpenRegion(int wanted, std::function<void()> const& work, [[maybe_unused]] std::function<void()> const& opened,
               [[maybe_unused]] std::function<void(int)> const& ended) {
#if defined(_OPENMP)
  std::vector<std::thread> started = Start(1, [=] {
    int came = 0;
    try {
      came = RunRegion(wanted, work, opened);
    } catch (std::exception const&) {
      opened();  // there is no memory even to try
    }
    ended(wanted - came);
  });
  int const coming = started.empty() ? 0 : wanted;
#else
  std::vector<std::thread> started = Start(wanted, work);
  auto const coming = static_cast<int>(started.size());
#endif
  for (auto& thread : started) thread.detach();
  return coming;
}

}  // namespace xgbl
