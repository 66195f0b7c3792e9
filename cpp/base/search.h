// SPDX-License-Identifier: Apache-2.0
// Binary search without branches on what is searched: nobody can foretell them, and without them several searches are
// under way at once.
#pragma once

#include <cstddef>

namespace xgbl {

/// How many of the items satisfy `before`, which holds for the first ones and for none after them.
template <class Item, class Before>
std::size_t CountFirst(Item const* items, std::size_t count, Before const& before) {
  std::size_t first = 0;
  while (count > 0) {
    std::size_t const half = (count + 1) / 2;
    std::size_t const right = before(items[first + half - 1]) ? 1 : 0;
    first += half & (0 - right);  // a mask: compilers make a branch of a choice
    count -= half;
  }
  return first;
}

}  // namespace xgbl
