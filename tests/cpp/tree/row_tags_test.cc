// SPDX-License-Identifier: Apache-2.0
#include "tree/row_tags.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace xgbl {
namespace {

TEST(RowTags, RowsHaveTheTagThatTheyWereLastMarkedWith) {
  RowTags tags(10);
  RowTags::Tag const first = tags.Fresh(2), second = static_cast<RowTags::Tag>(first + 1);
  std::vector<std::uint32_t> const rows{1, 4, 7};
  tags.Mark(rows, first);
  tags.Mark({rows.data(), 1}, second);
  EXPECT_TRUE(tags.Has(4, first) && tags.Has(7, first) && tags.Has(1, second));
  EXPECT_FALSE(tags.Has(1, first) || tags.Has(0, first) || tags.Has(0, second));
}

TEST(RowTags, NoRowHasAFreshTag) {
  RowTags tags(4);
  std::vector<std::uint32_t> const rows{2};
  for (std::size_t const count : std::vector<std::size_t>{255, 1, 100, 100, 100, 255, 1}) {
    RowTags::Tag const first = tags.Fresh(count);
    for (std::size_t i = 0; i < count; ++i) {
      auto const tag = static_cast<RowTags::Tag>(first + i);
      for (std::uint32_t row = 0; row < 4; ++row) EXPECT_FALSE(tags.Has(row, tag));
    }
    for (std::size_t i = 0; i < count; ++i) tags.Mark(rows, static_cast<RowTags::Tag>(first + i));
  }
}

}  // namespace
}  // namespace xgbl
