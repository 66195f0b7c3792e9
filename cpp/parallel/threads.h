// SPDX-License-Identifier: Apache-2.0
// How many threads this process may really use, and where they come from: OpenMP, or the system in a build without.
#pragma once

#include <functional>

namespace xgbl {

/// The number of threads for a request: itself if positive, else OMP_NUM_THREADS, else the cores that affinity and the
/// container's quota (cgroup v1 and v2) left to this process when it was first asked. Never more than OMP_THREAD_LIMIT
/// and, without a request, than omp_set_num_threads() said.
int ThreadCount(int requested);

/// Whether OpenMP makes the threads.
bool UsesOpenMp();

/// Calls `work` on each of the members of a parallel region, `wanted` if they are to be had. It lasts until all calls
/// have returned, but nobody waits for it here: a thread of its own opens it. (Who opens one waits, spinning, for
/// members that get no core, at the beginning and at the end. Regions of the caller's own around each round of training
/// took 14 times as long where something else kept the cores busy.) That thread is new, so this works in a forked
/// child, too, where those of its parent are gone. Returns how many may come; if fewer did, `absent` is told at the end
/// how many did not. Nothing may throw.
int OpenRegion(int wanted, std::function<void()> const& work, std::function<void(int)> const& absent);

}  // namespace xgbl
