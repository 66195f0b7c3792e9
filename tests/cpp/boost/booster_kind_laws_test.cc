// SPDX-License-Identifier: Apache-2.0
// What every kind of booster must keep to, whatever its rounds do.
#include "boost/booster_kind.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "boost/training.h"

namespace xgbl {
namespace {

// Settings under which a kind does what is special about it.
std::map<std::string, Booster::Pairs> const kSamples{
    {"gbtree", {{"subsample", "0.7"}}},
    {"dart", {{"rate_drop", "0.4"}, {"one_drop", "1"}}},
    {"gblinear", {{"feature_selector", "shuffle"}, {"alpha", "0.001"}}},
    {"adaboost", {{"max_depth", "1"}}},
};

class KindLaws : public testing::TestWithParam<std::string> {
 protected:
  Booster::Pairs Params(Booster::Pairs more = {}) const {
    more.emplace_back("booster", GetParam());
    more.emplace_back("objective", "binary:logistic");
    for (auto const& pair : kSamples.at(GetParam())) more.push_back(pair);
    return more;
  }
};

std::vector<std::string> Names() {
  std::vector<std::string> names;
  for (auto const& [name, entry] : Registry<BoosterKind>::Get().Entries()) names.push_back(name);
  return names;
}

// A table of `rows` x `columns` equal values, labels 0 and 1 by turns.
Booster::Data Constant(std::size_t rows, std::size_t columns, float value) {
  auto const cells = std::make_shared<std::vector<float>>(rows * columns, value);
  DenseTable table;
  table.data = cells->data();
  table.rows = rows;
  table.columns = columns;
  table.row_stride = static_cast<std::ptrdiff_t>(columns);
  table.column_stride = 1;
  table.owner = cells;
  Meta meta;
  meta.labels = Matrix<float>(rows, rows == 0 ? 0 : 1);
  for (std::size_t i = 0; i < rows; ++i) meta.labels.values[i] = static_cast<float>(i % 2);
  return std::make_shared<DMatrix const>(FeatureMatrix(table), meta);
}

TEST(BoosterKinds, AllHaveASample) {
  for (auto const& name : Names()) EXPECT_EQ(kSamples.count(name), 1U) << name;
}

TEST(BoosterKinds, UnknownOnesAreRefusedWithTheNearest) {
  try {
    Booster().SetParams({{"booster", "gblinaer"}});
    FAIL();
  } catch (ParamError const& error) {
    EXPECT_NE(std::string(error.what()).find("`gblinear`"), std::string::npos);
  }
}

TEST_P(KindLaws, ContinuingEqualsNeverHavingStopped) {
  auto const data = Training();
  Booster const whole = Trained(Params(), data, 6), half = Trained(Params(), data, 3);
  Booster again;
  again.SetParams(Params());
  again.SetModel(ReadModel(WriteModel(half.Snapshot()->GetModel(), FileFormat::kUbjson)));
  for (int i = 0; i < 3; ++i) again.Update(data);
  EXPECT_EQ(BytesOf(again), BytesOf(whole));
}

TEST_P(KindLaws, ThreadsDoNotChangeTheModel) {
  auto const data = Training(70'000);
  std::string const one = BytesOf(Trained(Params({{"nthread", "1"}}), data, 3));
  for (char const* threads : {"2", "5"}) {
    EXPECT_EQ(BytesOf(Trained(Params({{"nthread", threads}}), data, 3)), one) << threads;
  }
}

TEST_P(KindLaws, MetricsOfOtherDataAreThoseOfTheWholeModel) {
  auto const data = Training(), other = Training(150);
  Booster booster;
  booster.SetParams(Params());
  for (int round = 0; round < 5; ++round) {
    booster.Update(data);
    double const cached = booster.Evaluate(other)[0].second;
    EXPECT_NEAR(cached, Booster(booster).Evaluate(other)[0].second, 1e-12) << round;
  }
}

TEST_P(KindLaws, AnInterruptLeavesItAsItWas) {
  auto const data = Training();
  Booster booster = Trained(Params(), data, 2);
  std::string const before = BytesOf(booster);
  for (int calls = 0; calls < 3; ++calls) {
    try {
      booster.Update(data, [left = calls]() mutable { return left-- == 0; });
    } catch (Cancelled const&) {
      EXPECT_EQ(BytesOf(booster), before);
      continue;
    }
    return;  // too short a round to be interrupted so late
  }
  booster.Update(data);
  EXPECT_EQ(BytesOf(booster), BytesOf(Trained(Params(), data, 3)));
}

TEST_P(KindLaws, OddDataGiveFiniteModels) {
  float const huge = 1e30F, denormal = 1e-42F;
  std::vector<Booster::Data> const odd{Constant(0, 2, 0),     Constant(1, 1, 3),    Constant(9, 1, kMissing),
                                       Constant(9, 2, 5),     Constant(9, 1, huge), Constant(9, 1, denormal),
                                       Constant(9, 1, -0.0F), Constant(4, 0, 0)};
  for (std::size_t i = 0; i < odd.size(); ++i) {
    Booster const booster = Trained(Params({{"base_score", "0.5"}}), odd[i], 3);
    auto const margins = booster.Predict(*odd[i], PredictionKind::kMargin, {}).values;
    EXPECT_TRUE(std::all_of(margins.begin(), margins.end(), [](float m) { return std::isfinite(m); })) << i;
    EXPECT_EQ(BytesOf(booster), WriteModel(ReadModel(BytesOf(booster)), FileFormat::kJson)) << i;
  }
}

INSTANTIATE_TEST_SUITE_P(All, KindLaws, testing::ValuesIn(Names()), [](auto const& test) { return test.param; });

}  // namespace
}  // namespace xgbl
