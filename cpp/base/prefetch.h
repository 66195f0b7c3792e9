// SPDX-License-Identifier: Apache-2.0
// A hint to bring a cache line near before it is read; nothing where the compiler has none.
#pragma once

namespace xgbl {

inline void Prefetch([[maybe_unused]] void const* address) {
#if defined(__GNUC__) || defined(__clang__)
  __builtin_prefetch(address);
#endif
}

}  // namespace xgbl
