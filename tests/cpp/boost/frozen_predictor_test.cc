// SPDX-License-Identifier: Apache-2.0
#include "boost/booster.h"

#include <gtest/gtest.h>

#include <memory>
#include <thread>
#include <vector>

#include "boost/training.h"

namespace xgbl {
namespace {

constexpr PredictionKind kKinds[] = {PredictionKind::kMargin, PredictionKind::kValue, PredictionKind::kClass};

// Predictions of the rows together, and of each alone.
void ExpectSame(Booster const& booster, DMatrix const& data, PredictionKind kind, RoundRange rounds) {
  auto const expected = booster.Predict(data, kind, rounds).values;
  auto const frozen = booster.Frozen();
  Matrix<float> all(data.Rows(), frozen->Columns(kind)), alone(data.Rows(), frozen->Columns(kind));
  frozen->Predict(data.Features(), kind, rounds, {}, all.View());
  EXPECT_EQ(all.values, expected);
  DenseTable const& table = *data.Features().Dense();
  for (std::size_t row = 0; row < data.Rows(); ++row) {
    float const* const values = table.data + static_cast<std::ptrdiff_t>(row) * table.row_stride;
    frozen->PredictRow(values, table.column_stride, table.missing, kind, rounds, alone.View().Row(row).data());
  }
  EXPECT_EQ(alone.values, expected);
}

TEST(FrozenPredictor, PredictsWhatTheBoosterDoes) {
  for (std::size_t const rows : {0U, 1U, 300U}) {
    auto const data = Training(rows);
    for (Booster::Pairs const& params : {Booster::Pairs{{"objective", "binary:logistic"}},
                                         Booster::Pairs{{"objective", "multi:softmax"}, {"num_class", "3"}}}) {
      Booster const booster = Trained(params, Training(), 4);
      for (PredictionKind const kind : kKinds) {
        for (RoundRange const rounds : {RoundRange{0, 0}, RoundRange{1, 3}}) ExpectSame(booster, *data, kind, rounds);
      }
    }
  }
}

TEST(FrozenPredictor, IsSharedUntilTheBoosterChanges) {
  auto const data = Training();
  Booster booster = Trained({}, data, 1);
  EXPECT_EQ(booster.FrozenIfMade(), nullptr);
  auto const first = booster.Frozen();
  EXPECT_EQ(booster.Frozen(), first);
  EXPECT_EQ(booster.FrozenIfMade(), first);
  booster.Update(data);
  EXPECT_EQ(booster.FrozenIfMade(), nullptr);
  EXPECT_EQ(first->GetLearner().GetModel().trees.size(), 1U);
  EXPECT_EQ(booster.Frozen()->GetLearner().GetModel().trees.size(), 2U);
}

TEST(FrozenPredictor, ThereIsNoneOfLinearOrUntrainedModels) {
  EXPECT_EQ(Booster().Frozen(), nullptr);
  EXPECT_EQ(Trained({{"booster", "gblinear"}}, Training(), 1).Frozen(), nullptr);
}

TEST(FrozenPredictor, ThreadsAskWhileAnotherTrains) {
  auto const data = Training(100);
  Booster booster = Trained({{"max_depth", "2"}}, data, 1);
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i) {
    threads.emplace_back([&] {
      for (int call = 0; call < 20; ++call) {
        auto const frozen = booster.Frozen();
        Matrix<float> out(100, 1), again(100, 1);
        frozen->Predict(data->Features(), PredictionKind::kValue, {}, {}, out.View());
        frozen->Predict(data->Features(), PredictionKind::kValue, {}, {}, again.View());
        EXPECT_EQ(out.values, again.values);
      }
    });
  }
  for (int round = 0; round < 10; ++round) booster.Update(data);
  for (auto& thread : threads) thread.join();
}

}  // namespace
}  // namespace xgbl
