// SPDX-License-Identifier: Apache-2.0
// Matrices and checks for the tests of this folder.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "base/context.h"
#include "base/error.h"
#include "base/random.h"
#include "ingest/feature_matrix.h"
#include "ingest/rows_of.h"
#include "test_folder.h"

namespace xgbl {

constexpr float kNan = kMissing;
constexpr float kInf = std::numeric_limits<float>::infinity();

inline Context Threads(int count) {
  Context ctx;
  ctx.threads = count;
  return ctx;
}

/// A table that holds its own copy of `cells`, given in row order.
inline DenseTable TableOf(std::size_t rows, std::size_t columns, std::vector<float> const& cells) {
  float* to = nullptr;
  DenseTable table = NewTable(rows, columns, &to);
  std::copy(cells.begin(), cells.end(), to);
  return table;
}

/// Cells in row order, NaN where missing.
inline std::vector<float> CellsOf(FeatureMatrix const& features) {
  std::vector<float> cells(features.Rows() * features.Columns(), kNan);
  for (std::size_t row = 0; row < features.Rows(); ++row) {
    features.ForEachPresent(row,
                            [&](std::size_t column, float value) { cells[row * features.Columns() + column] = value; });
  }
  return cells;
}

inline void ExpectSameCells(std::vector<float> const& got, std::vector<float> const& expected) {
  ASSERT_EQ(got.size(), expected.size());
  for (std::size_t i = 0; i < got.size(); ++i) {
    if (std::isnan(expected[i])) {
      EXPECT_TRUE(std::isnan(got[i])) << "cell " << i << " is " << got[i];
    } else {
      EXPECT_EQ(got[i], expected[i]) << "cell " << i;
    }
  }
}

/// Expects an error of type E whose text holds every one of `words`.
template <class E>
void ExpectError(std::function<void()> const& call, std::vector<std::string> const& words) {
  try {
    call();
    ADD_FAILURE() << "no error; expected one with \"" << words.at(0) << "\"";
  } catch (E const& error) {
    for (auto const& word : words) {
      EXPECT_NE(std::string(error.what()).find(word), std::string::npos) << error.what() << "\nlacks: " << word;
    }
  }
}

}  // namespace xgbl
