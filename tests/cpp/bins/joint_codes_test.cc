// SPDX-License-Identifier: Apache-2.0
#include "bins/joint_codes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <set>
#include <vector>

#include "base/random.h"

namespace xgbl {
namespace {

using Column = std::vector<std::uint8_t>;

constexpr std::size_t kRows = 100'003;

Column Draws(std::uint32_t codes, std::uint64_t seed, std::size_t rows = kRows, double power = 1) {
  Random const random(seed, Purpose::kRows, 0);
  Column column(rows);
  for (std::size_t i = 0; i < rows; ++i) {
    column[i] = static_cast<std::uint8_t>(std::pow(random.Uniform(i), power) * codes);
  }
  return column;
}

std::vector<JointColumn> Joined(std::vector<Column> const& columns, std::vector<std::uint32_t> const& codes,
                                int threads = 1) {
  std::vector<CodedColumn> coded;
  for (std::size_t i = 0; i < columns.size(); ++i) coded.push_back({columns[i].data(), codes[i]});
  Context ctx;
  ctx.threads = threads;
  return JoinColumns(coded, columns.empty() ? 0 : columns[0].size(), ctx);
}

// Codes stand for the combinations that occur, each once; no column is in two groups.
void ExpectRight(std::vector<Column> const& columns, std::vector<JointColumn> const& joint) {
  std::set<std::uint32_t> seen;
  for (JointColumn const& group : joint) {
    std::size_t const width = group.columns.size();
    ASSERT_GE(width, kFewestJoined);
    ASSERT_LE(group.codes, 256U);
    ASSERT_EQ(group.code_of.size(), width * group.codes);
    std::set<std::uint8_t> used;
    for (std::size_t row = 0; row < columns[0].size(); ++row) {
      used.insert(group.code[row]);
      for (std::size_t i = 0; i < width; ++i) {
        ASSERT_EQ(group.code_of[group.code[row] * width + i], columns[group.columns[i]][row]);
      }
    }
    EXPECT_EQ(used.size(), group.codes);
    for (std::uint32_t const column : group.columns) EXPECT_TRUE(seen.insert(column).second);
  }
}

TEST(JointCodes, EightFlagsShareAByte) {
  std::vector<Column> columns;
  for (std::uint64_t i = 0; i < 9; ++i) columns.push_back(Draws(2, i));
  auto const joint = Joined(columns, std::vector<std::uint32_t>(9, 2));
  ASSERT_EQ(joint.size(), 1U);
  EXPECT_EQ(joint[0].codes, 256U);
  EXPECT_EQ(joint[0].columns, (std::vector<std::uint32_t>{0, 1, 2, 3, 4, 5, 6, 7}));
  ExpectRight(columns, joint);
}

TEST(JointCodes, IndicatorsThatExcludeOneAnotherTakeOneCodeEach) {
  Column const which = Draws(60, 1);
  std::vector<Column> columns(59, Column(kRows));
  for (std::size_t row = 0; row < kRows; ++row) {
    if (which[row] < 59) columns[which[row]][row] = 1;
  }
  auto const joint = Joined(columns, std::vector<std::uint32_t>(59, 2));
  ASSERT_EQ(joint.size(), 1U);
  EXPECT_EQ(joint[0].codes, 60U);
  ExpectRight(columns, joint);
}

TEST(JointCodes, CopiesAndConstantsAddNothing) {
  Column const some = Draws(40, 2);
  std::vector<Column> const columns{some, some, Column(kRows), some};
  auto const joint = Joined(columns, {40, 40, 1, 40});
  ASSERT_EQ(joint.size(), 1U);
  EXPECT_EQ(joint[0].codes, 40U);
  EXPECT_EQ(joint[0].columns.size(), 4U);
  ExpectRight(columns, joint);
}

TEST(JointCodes, ColumnsOfManyCombinationsStayAlone) {
  std::vector<Column> columns;
  for (std::uint64_t i = 0; i < 6; ++i) columns.push_back(Draws(40, i));
  EXPECT_TRUE(Joined(columns, std::vector<std::uint32_t>(6, 40)).empty());
}

// The sample does not see all combinations: each is tried elsewhere.
TEST(JointCodes, WhatTheSampleDoesNotShowIsFound) {
  std::vector<Column> columns;
  std::vector<std::uint32_t> codes;
  for (std::uint32_t i = 0; i < 40; ++i) {
    codes.push_back(2 + i % 5);
    columns.push_back(Draws(codes.back(), i, kRows, 9));
  }
  auto const joint = Joined(columns, codes);
  EXPECT_GT(joint.size(), 1U);
  EXPECT_LT(joint.size(), 12U);
  ExpectRight(columns, joint);
}

TEST(JointCodes, DoNotDependOnThreads) {
  std::vector<Column> columns;
  for (std::uint64_t i = 0; i < 12; ++i) columns.push_back(Draws(3, i, kRows, 4));
  std::vector<std::uint32_t> const codes(12, 3);
  auto const expected = Joined(columns, codes);
  for (int const threads : {2, 3, 7}) {
    auto const found = Joined(columns, codes, threads);
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
      EXPECT_EQ(found[i].columns, expected[i].columns);
      EXPECT_EQ(found[i].code_of, expected[i].code_of);
      EXPECT_TRUE(std::equal(found[i].code.data(), found[i].code.data() + kRows, expected[i].code.data()));
    }
  }
}

TEST(JointCodes, FewRowsAndFewColumns) {
  EXPECT_TRUE(Joined({}, {}).empty());
  EXPECT_TRUE(Joined({Column(5)}, {1}).empty());
  for (std::size_t const rows : {0U, 1U, 2U, 300U, 5000U}) {
    std::vector<Column> columns;
    for (std::uint64_t i = 0; i < 6; ++i) columns.push_back(Draws(2, i, rows));
    ExpectRight(columns, Joined(columns, std::vector<std::uint32_t>(6, 2)));
  }
}

}  // namespace
}  // namespace xgbl
