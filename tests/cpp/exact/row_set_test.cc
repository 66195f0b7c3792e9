// SPDX-License-Identifier: Apache-2.0
#include "exact/bounded_search.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <set>
#include <vector>

namespace xgbl {
namespace {

TEST(RowSet, HasTheRowsThatWereAdded) {
  for (std::uint32_t const step : {1U, 3U, 63U, 64U, 65U, 500U}) {
    for (std::size_t const table : {1U, 64U, 65U, 1000U}) {
      RowSet set(table);
      std::vector<std::uint32_t> rows;
      for (std::uint32_t row = 0; row < table; row += step) rows.push_back(row);
      std::set<std::uint32_t> const expected(rows.begin(), rows.end());
      for (int again = 0; again < 2; ++again) {
        set.Add(rows);
        for (std::uint32_t row = 0; row < table; ++row) EXPECT_EQ(set.Has(row), expected.count(row) == 1) << row;
        set.Remove(rows);
        for (std::uint32_t row = 0; row < table; ++row) EXPECT_FALSE(set.Has(row)) << row;
      }
    }
  }
}

TEST(RowSet, MayBeEmpty) {
  RowSet set(0);
  set.Add({});
  set.Remove({});
}

}  // namespace
}  // namespace xgbl
