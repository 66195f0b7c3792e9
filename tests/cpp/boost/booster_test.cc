// SPDX-License-Identifier: Apache-2.0
// Also tests learner.cc and round.cc.
#include "boost/booster.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "boost/training.h"
#include "ingest/fingerprint.h"

namespace xgbl {
namespace {

std::string ErrorOf(Booster::Pairs const& params) {
  try {
    Booster().SetParams(params);
  } catch (ParamError const& error) {
    return error.what();
  }
  return "";
}

TEST(BoosterParams, UnknownNamesAreRefusedWithTheNearest) {
  EXPECT_NE(ErrorOf({{"max_dpeth", "3"}}).find("`max_depth`"), std::string::npos);
  EXPECT_NE(ErrorOf({{"objective", "binary:logstic"}}).find("`binary:logistic`"), std::string::npos);
  EXPECT_NE(ErrorOf({{"eval_metric", "rmsee"}}).find("`rmse`"), std::string::npos);
}

TEST(BoosterParams, ValuesOutOfRangeNameParameterValueAndRange) {
  std::string const text = ErrorOf({{"subsample", "1.5"}});
  for (char const* part : {"`subsample`", "1.5", "> 0", "<= 1"}) EXPECT_NE(text.find(part), std::string::npos) << part;
  for (char const* bad : {"nan", "inf", "", "x", "-1"}) EXPECT_NE(ErrorOf({{"eta", bad}}), "") << bad;
  EXPECT_NE(ErrorOf({{"max_depth", "2.5"}}), "");
}

TEST(BoosterParams, ABadPairSetsNothing) {
  Booster booster;
  EXPECT_THROW(booster.SetParams({{"max_depth", "3"}, {"gamma", "-1"}}), ParamError);
  EXPECT_EQ(booster.Snapshot()->Params().at("tree").at("max_depth"), "6");
  EXPECT_TRUE(booster.Snapshot()->GetSettings().given.empty());
}

TEST(BoosterParams, AliasesSetTheSameAndConflictsWarn) {
  Booster booster;
  booster.SetParams({{"eta", "0.1"}, {"learning_rate", "0.2"}});
  EXPECT_EQ(booster.Snapshot()->Params().at("tree").at("learning_rate"), "0.2");
  EXPECT_EQ(booster.TakeMessages().size(), 1U);
}

TEST(BoosterParams, ParametersWithoutMeaningHereWarnOnce) {
  Booster booster;
  booster.SetParams({{"gpu_id", "0"}, {"device", "cuda"}});
  EXPECT_EQ(booster.TakeMessages().size(), 2U);
  booster.SetParams({{"device", "cuda"}});
  EXPECT_TRUE(booster.TakeMessages().empty());
}

TEST(Booster, ContinuingEqualsNeverHavingStopped) {
  auto const data = Training();
  Booster::Pairs const params{{"subsample", "0.6"}, {"colsample_bynode", "0.7"}, {"objective", "binary:logistic"}};
  Booster const whole = Trained(params, data, 6);
  Booster const half = Trained(params, data, 3);
  Booster again;
  again.SetParams(params);
  again.SetModel(ReadModel(WriteModel(half.Snapshot()->GetModel(), FileFormat::kUbjson)));
  for (int i = 0; i < 3; ++i) again.Update(data);
  EXPECT_EQ(BytesOf(again), BytesOf(whole));
}

TEST(Booster, CachedMarginsEqualPredictedOnes) {
  auto const data = Training();
  Booster booster = Trained({{"num_parallel_tree", "3"}, {"subsample", "0.5"}}, data, 4);
  Matrix<float> const predicted = booster.Predict(*data, PredictionKind::kMargin, {});
  EXPECT_EQ(booster.Margins(data).values, predicted.values);
  for (PredictionKind const kind : {PredictionKind::kMargin, PredictionKind::kValue, PredictionKind::kClass}) {
    EXPECT_EQ(booster.KnownPredictions(data, kind).values, booster.Predict(*data, kind, {}).values);
  }
}

// Enough cells that the engine really uses as many threads.
TEST(Booster, ModelsAreTheSameBytesForAnyNumberOfThreads) {
  auto const data = Training(300'000);
  Booster::Pairs const params{{"objective", "binary:logistic"}, {"nthread", "1"}};
  std::string const one = BytesOf(Trained(params, data, 3));
  for (char const* threads : {"2", "3", "4", "7"}) {
    EXPECT_EQ(BytesOf(Trained({params[0], {"nthread", threads}}, data, 3)), one) << threads;
  }
}

TEST(Booster, AnInterruptLeavesItAsItWas) {
  auto const data = Training();
  Booster booster = Trained({}, data, 2);
  std::string const before = BytesOf(booster);
  for (int calls = 0; calls < 12; ++calls) {  // interrupted later and later in the round
    EXPECT_THROW(booster.Update(data, [left = calls]() mutable { return left-- == 0; }), Cancelled) << calls;
    EXPECT_EQ(BytesOf(booster), before);
  }
  booster.Update(data);
  EXPECT_EQ(BytesOf(booster), BytesOf(Trained({}, data, 3)));
}

// Python must not be called from elsewhere.
TEST(Booster, AnInterruptIsAskedForOnTheCallingThreadAlone) {
  auto const data = Training(20'000, 5);
  Booster::Pairs const params{{"nthread", "2"}};
  Booster const booster = Trained(params, data, 1);
  std::string const before = BytesOf(booster), after = BytesOf(Trained(params, data, 2));
  int interrupted = 0;
  for (int calls = 0; calls < 60; calls += 4) {  // later and later, up to trees that are grown side by side
    Booster copy(booster);
    int left = calls;
    try {
      copy.Update(data, [&left, caller = std::this_thread::get_id()] {
        EXPECT_EQ(std::this_thread::get_id(), caller);
        return left-- == 0;
      });
      EXPECT_EQ(BytesOf(copy), after);
    } catch (Cancelled const&) {
      EXPECT_EQ(BytesOf(copy), before);
      ++interrupted;
    }
  }
  EXPECT_GT(interrupted, 3);
}

TEST(Booster, GivenGradientsMakeTheRoundThatTheObjectiveWouldMake) {
  auto const data = Training();
  Booster booster;
  booster.SetParams({{"base_score", "0.5"}});
  for (int i = 0; i < 3; ++i) {
    Matrix<float> const margins = booster.Margins(data);
    Gradients gradients;
    gradients.Resize(data->Rows(), 1);
    for (std::size_t row = 0; row < data->Rows(); ++row) {
      gradients.gradient.values[row] = margins.values[row] - data->Info().labels.values[row];
      gradients.hessian.values[row] = 1;
    }
    booster.Boost(data, gradients.View());
  }
  EXPECT_EQ(BytesOf(booster), BytesOf(Trained({{"base_score", "0.5"}}, data, 3)));
}

TEST(Booster, GradientsOfTheWrongShapeAreRefused) {
  auto const data = Training();
  Booster booster;
  Gradients gradients;
  gradients.Resize(data->Rows() - 1, 1);
  EXPECT_THROW(booster.Boost(data, gradients.View()), DataError);
}

TEST(Booster, SeveralTargetsGetATreeEachAndEqualSingleModels) {
  auto const both = Training(300, 2);
  Booster const joint = Trained({}, both, 2);
  EXPECT_EQ(joint.Snapshot()->GetModel().trees.size(), 4U);
  Matrix<float> const predicted = joint.Predict(*both, PredictionKind::kValue, {});
  Matrix<float> const single = Trained({}, Training(300), 2).Predict(*both, PredictionKind::kValue, {});
  for (std::size_t row = 0; row < 300; ++row) {
    EXPECT_EQ(predicted.values[2 * row], single.values[row]);
    EXPECT_EQ(predicted.values[2 * row + 1], single.values[row]);
  }
}

TEST(Booster, DataThatDoNotFitAreRefused) {
  auto const data = Training();
  Booster booster = Trained({}, data, 1);
  Meta unlabelled = data->Info();
  unlabelled.labels = {};
  auto const bare = std::make_shared<DMatrix>(data->Features(), unlabelled);
  EXPECT_THROW(Booster().Update(bare), DataError);
  unlabelled.base_margin = Matrix<float>(data->Rows(), 2);
  bare->SetInfo(unlabelled);
  EXPECT_THROW(booster.Predict(*bare, PredictionKind::kMargin, {}), DataError);
}

TEST(Booster, EvaluatingBeforeTrainingChangesNothing) {
  auto const data = Training();
  Booster booster;
  booster.Evaluate(data);
  booster.Update(data);
  EXPECT_EQ(BytesOf(booster), BytesOf(Trained({}, data, 1)));
}

TEST(Booster, AFailedFirstRoundLeavesItUntrained) {
  Booster booster;
  booster.SetParams({{"monotone_constraints", "(1,1,1,1,1)"}});
  EXPECT_THROW(booster.Update(Training()), ParamError);
  EXPECT_TRUE(booster.Snapshot()->GetModel().base_score.empty());
  EXPECT_EQ(booster.Snapshot()->GetModel().num_features, 0U);
}

TEST(Booster, AnInterruptedEvaluationAddsNoTreesTwice) {
  auto const data = Training(3000), other = Training(3000);
  Booster booster = Trained({}, data, 3);
  double const expected = Trained({}, data, 3).Evaluate(other)[0].second;
  EXPECT_THROW(booster.Evaluate(other, [] { return true; }), Cancelled);
  EXPECT_EQ(booster.Evaluate(other)[0].second, expected);
}

TEST(Booster, AnObjectiveOfOtherOutputsIsRefusedForATrainedModel) {
  Booster booster = Trained({}, Training(), 1);
  EXPECT_THROW(booster.SetParams({{"objective", "multi:softprob"}, {"num_class", "3"}}), ParamError);
  EXPECT_EQ(booster.Snapshot()->Params().at("learner").at("objective"), "reg:squarederror");
}

TEST(Booster, AFailedStartLeavesItUntrained) {
  auto const data = Training();
  Booster booster;
  booster.SetParams({{"objective", "binary:logistic"}, {"base_score", "7"}});
  EXPECT_THROW(booster.Update(data), ParamError);
  booster.SetParams({{"base_score", "0.5"}});
  booster.Update(data);
  EXPECT_EQ(BytesOf(booster), BytesOf(Trained({{"objective", "binary:logistic"}, {"base_score", "0.5"}}, data, 1)));
}

TEST(Booster, DataWithoutColumnsTrainASingleLeafPerRound) {
  Meta meta;
  meta.labels = Matrix<float>(3, 1, 1.0F);
  DenseTable table;
  table.rows = 3;
  Booster const booster = Trained({}, std::make_shared<DMatrix const>(FeatureMatrix(table), meta), 2);
  EXPECT_EQ(booster.Snapshot()->GetModel().Rounds(), 2U);
}

TEST(Booster, UpdatersMustGrowTrees) {
  EXPECT_NE(ErrorOf({{"updater", "grow_everything"}}), "");
  for (char const* bad : {"prune", "refresh,grow_colmaker", "grow_colmaker,grow_histmaker", "coord_descent"}) {
    EXPECT_THROW(Trained({{"updater", bad}}, Training(), 1), ParamError) << bad;
  }
  for (char const* good : {"grow_colmaker,prune", "grow_colmaker,prune,prune", "grow_histmaker,refresh"}) {
    EXPECT_EQ(Trained({{"updater", good}}, Training(), 1).Snapshot()->GetModel().Rounds(), 1U) << good;
  }
}

// A copy would hide that the values have changed.
TEST(Booster, TrainingOnBinsKeepsNoCopyOfRowsThatAreReferredTo) {
  for (std::string const method : {"hist", "approx"}) {
    auto const plain = Training();
    DenseTable table = *plain->Features().Dense();
    std::vector<float> cells(table.data, table.data + table.rows * table.columns);
    table.data = cells.data();
    table.fingerprint = Scan(table, Context{}).fingerprint;
    std::vector<std::size_t> const rows{0, 1, 2, 3, 5, 8, 13, 21, 34, 55};
    Booster::Data const some = DMatrix(FeatureMatrix(table), plain->Info()).Refer(rows, false);
    Trained({{"tree_method", method}}, some, 2);
    for (float& cell : cells) cell += 1;
    EXPECT_THROW(some->Features(), DataError) << method;
  }
}

// Data over memory of the user's, which a hash is kept of.
struct Watched {
  std::vector<float> cells;
  Booster::Data data;

  Watched() {
    auto const plain = Training();
    DenseTable table = *plain->Features().Dense();
    cells.assign(table.data, table.data + table.rows * table.columns);
    table.data = cells.data();
    table.fingerprint = Scan(table, Context{}).fingerprint;
    data = std::make_shared<DMatrix const>(FeatureMatrix(table), plain->Info());
  }
};

TEST(Booster, ChangesOfTheUsersMemoryAreNoticedWhereItIsRead) {
  for (Booster::Pairs const& params :
       {Booster::Pairs{{"tree_method", "hist"}}, Booster::Pairs{{"tree_method", "approx"}},
        Booster::Pairs{{"tree_method", "exact"}}, Booster::Pairs{{"booster", "gblinear"}},
        Booster::Pairs{{"booster", "dart"}}}) {
    Watched fresh, used;
    fresh.cells[7] += 1;
    EXPECT_THROW(Trained(params, fresh.data, 1), DataError) << params[0].second;
    Booster booster = Trained(params, Training(), 2);
    EXPECT_THROW(booster.Evaluate(fresh.data), DataError) << params[0].second;
    EXPECT_THROW(booster.Update(fresh.data), DataError) << params[0].second;
    Trained(params, used.data, 2);
    EXPECT_EQ(used.data->HasViews(), params[0].second != "gblinear");
    used.cells[7] += 1;
    EXPECT_THROW(Trained(params, used.data, 1), DataError) << params[0].second;
    EXPECT_THROW(booster.Evaluate(used.data), DataError) << params[0].second;
  }
}

}  // namespace
}  // namespace xgbl
