// SPDX-License-Identifier: Apache-2.0
// Which of the nodes that are looked into a row was last marked for, in a byte a row: a million rows that are looked up
// in any order stay in the cache. Rows are marked and read by several threads at once: each row of a node by the one
// that looks into it alone, and what others may see of it meanwhile is never the tag of a node of theirs.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "base/error.h"
#include "base/span.h"

namespace xgbl {

class RowTags {
 public:
  using Tag = std::uint8_t;
  static constexpr Tag kNone = 0;  // is no node's
  static constexpr std::size_t kMostAtOnce = 255;

  explicit RowTags(std::size_t rows) : rows_(rows), tags_(new std::atomic<Tag>[rows]) {}

  /// The first of `count` tags, one after the other, that no row has. Not while others read tags: those that were given
  /// before may stop being on any row.
  Tag Fresh(std::size_t count) {
    Ensure(count <= kMostAtOnce, "there are fewer tags than nodes");
    if (next_ + count > kMostAtOnce + 1) {
      for (std::size_t row = 0; row < rows_; ++row) tags_[row].store(kNone, std::memory_order_relaxed);
      next_ = 1;
    }
    next_ += count;
    return static_cast<Tag>(next_ - count);
  }

  void Mark(Span<std::uint32_t const> rows, Tag tag) {
    for (auto const row : rows) tags_[row].store(tag, std::memory_order_relaxed);
  }
  bool Has(std::uint32_t row, Tag tag) const { return tags_[row].load(std::memory_order_relaxed) == tag; }

 private:
  std::size_t rows_;
  std::size_t next_ = kMostAtOnce + 1;
  std::unique_ptr<std::atomic<Tag>[]> tags_;
};

}  // namespace xgbl
