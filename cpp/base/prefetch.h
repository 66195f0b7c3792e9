// SPDX-License-Identifier: Apache-2.0
// A hint to fetch a cache line before it is read. Does nothing where the compiler has no such hint.
#pragma once

namespace xgbl {

inline void Prefetch([[maybe_unused]] void const* address) {
#if defined(__GNUC__) || defined(__clang__)
  __builtin_prefetch(address);
#endif
}

}  // namespace xgbl
