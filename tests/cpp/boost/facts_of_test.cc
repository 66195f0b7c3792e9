// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "base/error.h"
#include "boost/round.h"
#include "predict/sample_rows.h"

namespace xgbl {
namespace {

using Codes = std::map<std::size_t, CodeSet>;

Context Threads(int count) {
  Context ctx;
  ctx.threads = count;
  return ctx;
}

Meta Types(std::vector<std::string> types) {
  Meta meta;
  meta.feature_types = std::move(types);
  return meta;
}

// Many blocks of rows; codes that only one of them has, and values that are none.
Table Rows() {
  Table table{{}, 30'000, 3};
  for (std::size_t row = 0; row < table.rows; ++row) {
    table.values.insert(table.values.end(), {static_cast<float>(row % 3), 0.5F, row == 17'000 ? 7.0F : kMissing});
  }
  std::vector<float> const odd = {100, -1, 1.5F, kInfinity, -kInfinity, 16777216, static_cast<float>(kMostCode)};
  for (std::size_t i = 0; i < odd.size(); ++i) table.values[3 * (4000 * i + 5)] = odd[i];
  return table;
}

TEST(FactsOf, AreTheSameForAnyNumberOfThreads) {
  Table const table = Rows();
  Codes const expected{{0, {{0, 2}, {100, 100}, {kMostCode, kMostCode}}}, {2, {{7, 7}}}};
  for (auto const& features : {table.ByRow(), table.Sparse()}) {
    DMatrix const data(features, Types({"c", "float", "c"}));
    for (int const threads : {1, 3}) {
      TrainingFacts const facts = FactsOf(data, Threads(threads));
      EXPECT_EQ(facts.codes, expected);
      EXPECT_FALSE(facts.base_margin);
    }
  }
}

TEST(FactsOf, LabelsAndNumbersNeedNoCodes) {
  Table const table = Rows();
  EXPECT_TRUE(FactsOf(DMatrix(table.ByRow(), {}), {}).codes.empty());
  EXPECT_TRUE(FactsOf(DMatrix(table.ByRow(), Types({"int", "float", "q"})), {}).codes.empty());
  Meta meta = Types({"float", "float", "c"});
  meta.categories.resize(3);
  meta.categories[2].names = {"a", "b", "c", "d", "e", "f", "g", "h"};
  EXPECT_TRUE(FactsOf(DMatrix(table.ByRow(), meta), {}).codes.empty());
}

TEST(FactsOf, NoRowsHaveNoCodes) {
  Table const table{{}, 0, 2};
  EXPECT_EQ(FactsOf(DMatrix(table.ByRow(), Types({"float", "c"})), {}).codes, (Codes{{1, {}}}));
}

TEST(FactsOf, CanBeInterrupted) {
  Table const table = Rows();
  Context ctx = Threads(1);
  ctx.interrupted = [] { return true; };
  EXPECT_THROW(FactsOf(DMatrix(table.ByRow(), Types({"c", "float", "c"})), ctx), Cancelled);
}

TEST(Remember, CodesAreThoseOfAllRounds) {
  Model model;
  Remember({false, {{0, {{1, 1}}}, {1, {{2, 2}}}}}, &model);
  EXPECT_EQ(model.facts.codes.size(), 2U);
  model.AppendRound({std::make_shared<Tree const>(LeafTree(1))}, {0});
  Remember({true, {{0, {{2, 4}}}, {5, {{9, 9}}}}}, &model);
  EXPECT_EQ(model.facts.codes, (Codes{{0, {{1, 4}}}, {1, {{2, 2}}}}));
  EXPECT_TRUE(model.facts.base_margin);
  Remember({}, &model);
  EXPECT_TRUE(model.facts.base_margin);
}

}  // namespace
}  // namespace xgbl
