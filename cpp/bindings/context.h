// SPDX-License-Identifier: Apache-2.0
// How to carry out a call from Python.
#pragma once

#include "base/context.h"
#include "parallel/threads.h"
#include "simd/kernels.h"

namespace xgbl {

/// `nthread` as users give it: 0 is all threads.
inline Context ContextOf(int nthread, Interrupt const& interrupted) {
  Context ctx;
  ctx.interrupted = interrupted;
  ctx.threads = ThreadCount(nthread);
  ctx.simd = DefaultSimd();
  return ctx;
}

}  // namespace xgbl
