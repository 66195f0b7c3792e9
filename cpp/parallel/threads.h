// SPDX-License-Identifier: Apache-2.0
// How many threads this process may really use.
#pragma once

namespace xgbl {

/// The number of threads for a request: itself if positive, else OMP_NUM_THREADS, else the cores that affinity and the
/// container's quota (cgroup v1 and v2) leave to this process. Never more than OMP_THREAD_LIMIT.
int ThreadCount(int requested);

}  // namespace xgbl
