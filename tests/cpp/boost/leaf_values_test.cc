// SPDX-License-Identifier: Apache-2.0
#include "boost/leaf_values.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "boost/training.h"

namespace xgbl {
namespace {

/// 400 rows of 3 columns; labels rise with the first one, with noise and outliers.
Booster::Data Noisy(std::size_t targets = 1, bool weighted = false) {
  auto const plain = Training();
  Meta meta = plain->Info();
  Random const random(8, Purpose::kRows, 0);
  meta.labels = Matrix<float>(400, targets);
  for (std::size_t i = 0; i < meta.labels.values.size(); ++i) {
    auto const noise = static_cast<float>(random.Uniform(i));
    meta.labels.values[i] = plain->Info().labels.values[i / targets] + (noise < 0.1F ? 50 : noise);
  }
  if (weighted) {
    for (std::size_t i = 0; i < 400; ++i) meta.weights.push_back(static_cast<float>(1 + i % 3));
  }
  return std::make_shared<DMatrix const>(plain->Features(), meta);
}

std::map<std::int32_t, std::vector<std::size_t>> RowsByLeaf(Booster const& booster, Booster::Data const& data) {
  auto const leaves = booster.Snapshot()->Leaves(*data, {0, 1}, {});
  std::map<std::int32_t, std::vector<std::size_t>> rows;
  for (std::size_t i = 0; i < leaves.rows; ++i) rows[leaves.values[i * leaves.columns]].push_back(i);
  return rows;
}

float MedianOf(std::vector<float> values) {
  std::sort(values.begin(), values.end());
  std::size_t const n = values.size();
  return n % 2 == 1 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2;
}

// What the intercept leaves of the labels of some rows.
std::vector<float> ResidualsOf(Booster const& booster, Booster::Data const& data, std::vector<std::size_t> const& rows,
                               std::size_t target) {
  std::vector<float> values;
  float const base = booster.Snapshot()->GetModel().base_score[target];
  for (std::size_t const row : rows) values.push_back(data->Info().labels.View()(row, target) - base);
  return values;
}

std::vector<float> ColumnOf(Matrix<float> const& matrix, std::vector<std::size_t> const& rows, std::size_t column) {
  std::vector<float> values;
  for (std::size_t const row : rows) values.push_back(matrix.View()(row, column));
  return values;
}

std::string ErrorOf(Booster::Pairs const& params, Booster::Data const& data) {
  try {
    Trained(params, data, 1);
  } catch (ParamError const& error) {
    return error.what();
  }
  return "";
}

TEST(FittedLeaves, AreMediansTimesTheLearningRate) {
  for (char const* method : {"hist", "approx", "exact"}) {
    auto const data = Noisy();
    Booster const booster = Trained({{"objective", "reg:absoluteerror"}, {"tree_method", method}}, data, 1);
    Tree const& tree = *booster.Snapshot()->GetModel().trees[0];
    for (auto const& [leaf, rows] : RowsByLeaf(booster, data)) {
      EXPECT_FLOAT_EQ(tree.Value(leaf)[0], 0.3F * MedianOf(ResidualsOf(booster, data, rows, 0)));
    }
    EXPECT_GT(tree.Size(), 3U);
    EXPECT_EQ(tree.value[0], 0);
  }
}

TEST(FittedLeaves, OfVectorLeavesHaveTheMedianOfEachTarget) {
  auto const data = Noisy(2);
  Booster const booster =
      Trained({{"objective", "reg:absoluteerror"}, {"multi_strategy", "multi_output_tree"}}, data, 1);
  Tree const& tree = *booster.Snapshot()->GetModel().trees[0];
  EXPECT_GT(tree.Size(), 3U);
  for (auto const& [leaf, rows] : RowsByLeaf(booster, data)) {
    for (std::size_t k = 0; k < 2; ++k) {
      EXPECT_FLOAT_EQ(tree.Value(leaf)[k], 0.3F * MedianOf(ResidualsOf(booster, data, rows, k)));
    }
  }
}

TEST(FittedLeaves, StatisticsAreThoseOfTheNewtonStep) {
  auto const data = Noisy();
  Booster::Pairs const params{{"objective", "reg:absoluteerror"}};
  Booster const fitted = Trained({params[0], {"leaf_estimation_method", "exact"}}, data, 1);
  Booster const newton = Trained({params[0], {"leaf_estimation_method", "newton"}}, data, 1);
  Tree const& a = *fitted.Snapshot()->GetModel().trees[0];
  Tree const& b = *newton.Snapshot()->GetModel().trees[0];
  EXPECT_EQ(a.weight, b.weight);
  EXPECT_EQ(a.cover, b.cover);
  EXPECT_EQ(a.gain, b.gain);
  EXPECT_NE(a.value, b.value);
}

TEST(FittedLeaves, TreesOfAForestShareTheStep) {
  auto const data = Noisy();
  Booster::Pairs const params{{"objective", "reg:quantileerror"}, {"quantile_alpha", "0.8"}};
  auto const one = Trained(params, data, 1).Predict(*data, PredictionKind::kMargin, {});
  auto const four =
      Trained({params[0], params[1], {"num_parallel_tree", "4"}}, data, 1).Predict(*data, PredictionKind::kMargin, {});
  for (std::size_t i = 0; i < one.values.size(); ++i) EXPECT_NEAR(one.values[i], four.values[i], 1e-5);
}

TEST(FittedLeaves, KeepWithinMaxDeltaStep) {
  auto const data = Noisy();
  Booster const booster = Trained({{"objective", "reg:huber"}, {"eta", "1"}, {"max_delta_step", "0.25"}}, data, 1);
  for (float const value : booster.Snapshot()->GetModel().trees[0]->value) EXPECT_LE(std::fabs(value), 0.25F);
}

TEST(FittedLeaves, KeepMonotoneConstraints) {
  auto const data = Noisy(1, true);
  for (std::string const name : {"reg:absoluteerror", "reg:huber"}) {
    Booster const booster = Trained({{"objective", name}, {"monotone_constraints", "(-1,1,0)"}}, data, 5);
    Model const& model = booster.Snapshot()->GetModel();
    for (auto const& tree : model.trees) {
      for (float z = 0.05F; z < 1; z += 0.3F) {
        float last = -std::numeric_limits<float>::infinity();
        for (float y = 0; y <= 1; y += 0.02F) {
          float const row[] = {z, y, z};
          float const value = tree->Value(tree->LeafOf([&](std::uint32_t f) { return row[f]; }))[0];
          EXPECT_GE(value, last) << name;
          last = value;
        }
      }
    }
  }
}

// 1,000 rows on the left against 20 on the right, which lie below them although the constraint says "rising".
TEST(FittedLeaves, FewRowsInTheWrongOrderDoNotMoveMany) {
  std::vector<std::uint32_t> rows;
  std::vector<NodeId> leaf_of;
  Meta meta;
  meta.labels = Matrix<float>(1020, 1);
  for (std::uint32_t row = 0; row < 1020; ++row) {
    bool const many = row < 1000;
    rows.push_back(row);
    leaf_of.push_back(many ? 1 : 2);
    meta.labels.values[row] = many ? 10 : 0;
  }
  TreeParam param;
  param.monotone_constraints = {1};
  Matrix<float> const margins(1020, 1);
  Context const ctx;
  for (std::string const name : {"reg:absoluteerror", "reg:quantileerror"}) {
    GrownTree grown;
    grown.tree.AddNode(kNoNode);
    grown.tree.Split(0, 0, 0.5F, false);
    grown.rows.sampled = SortByLeaf(rows, true, leaf_of, 3);
    auto const objective = MakeObjective(name, {{"quantile_alpha", "0.5"}});
    MakeLeafValues({ctx, meta, param, objective.get(), margins, 0, nullptr})({}, 0, &grown);
    EXPECT_FLOAT_EQ(grown.tree.value[1], 0.3F * 10) << name;
    EXPECT_FLOAT_EQ(grown.tree.value[2], 0.3F * 10) << name;
  }
}

TEST(FittedLeaves, UseTheSampledRowsOnly) {
  auto const data = Noisy();
  GrownTree grown;
  grown.tree.AddNode(kNoNode);
  grown.tree.weight = grown.tree.value = {0};
  std::vector<std::uint32_t> const sampled{1, 5, 9};
  std::vector<NodeId> const leaf_of(400, 0);
  grown.rows.sampled = SortByLeaf(sampled, false, leaf_of, 1);
  TreeParam const param;
  Matrix<float> const margins(400, 1);
  auto const objective = MakeObjective("reg:absoluteerror", {});
  Context const ctx;
  MakeLeafValues({ctx, data->Info(), param, objective.get(), margins, 0, nullptr})({}, 0, &grown);
  EXPECT_FLOAT_EQ(grown.tree.value[0], 0.3F * MedianOf(ColumnOf(data->Info().labels, {1, 5, 9}, 0)));
}

TEST(FittedLeaves, HuberWithATinyDeltaGivesMediansAndWithAHugeOneMeans) {
  auto const data = Noisy();
  for (char const* delta : {"1e-20", "1e20"}) {
    Booster const booster = Trained({{"objective", "reg:huber"}, {"huber_delta", delta}, {"eta", "1"}}, data, 1);
    Tree const& tree = *booster.Snapshot()->GetModel().trees[0];
    for (auto const& [leaf, rows] : RowsByLeaf(booster, data)) {
      auto const labels = ResidualsOf(booster, data, rows, 0);
      double mean = 0;
      for (float const label : labels) mean += double{label} / static_cast<double>(labels.size());
      EXPECT_NEAR(tree.Value(leaf)[0], delta[2] == '-' ? double{MedianOf(labels)} : mean, 1e-4);
    }
  }
}

TEST(FittedLeaves, BytesDoNotDependOnThreads) {
  auto const data = Noisy(2, true);
  for (std::string const name : {"reg:absoluteerror", "reg:huber"}) {
    Booster::Pairs const params{{"objective", name}, {"subsample", "0.7"}, {"huber_quantile", "0.8"}};
    std::string const one = BytesOf(Trained({params[0], params[1], params[2], {"nthread", "1"}}, data, 3));
    for (char const* threads : {"2", "3", "7"}) {
      EXPECT_EQ(BytesOf(Trained({params[0], params[1], params[2], {"nthread", threads}}, data, 3)), one) << name;
    }
  }
}

TEST(NewtonLeaves, ChangeNothingWhereOneStepIsExact) {
  auto const data = Noisy(1, true);
  auto const once = Trained({{"alpha", "3"}}, data, 3).Predict(*data, PredictionKind::kMargin, {});
  auto const often = Trained({{"alpha", "3"}, {"leaf_estimation_iterations", "5"}}, data, 3)
                         .Predict(*data, PredictionKind::kMargin, {});
  for (std::size_t i = 0; i < 400; ++i) EXPECT_NEAR(once.values[i], often.values[i], 1e-5);
}

TEST(NewtonLeaves, EndWhereTheRegularisedLossOfALeafIsLeast) {
  auto const data = Training(400);
  Booster const booster = Trained({{"objective", "binary:logistic"},
                                   {"base_score", "0.5"},
                                   {"eta", "1"},
                                   {"lambda", "2"},
                                   {"max_depth", "2"},
                                   {"leaf_estimation_iterations", "20"}},
                                  data, 1);
  Tree const& tree = *booster.Snapshot()->GetModel().trees[0];
  for (auto const& [leaf, rows] : RowsByLeaf(booster, data)) {
    double const value = double{tree.Value(leaf)[0]};
    double slope = 2 * value;
    for (std::size_t const row : rows) slope += 1 / (1 + std::exp(-value)) - double{data->Info().labels.values[row]};
    EXPECT_NEAR(slope, 0, 1e-3);
    EXPECT_EQ(tree.Value(leaf)[0], tree.weight[Tree::At(leaf)]);
  }
}

TEST(NewtonLeaves, KeepBoundsAndStayFinite) {
  auto const data = Training(400);
  for (char const* objective : {"binary:logistic", "reg:squarederror"}) {
    Booster const booster = Trained({{"objective", objective},
                                     {"eta", "1"},
                                     {"lambda", "0"},
                                     {"max_delta_step", "0.5"},
                                     {"monotone_constraints", "(1,1,0)"},
                                     {"leaf_estimation_iterations", "30"}},
                                    data, 3);
    for (auto const& tree : booster.Snapshot()->GetModel().trees) {
      for (float const value : tree->value) EXPECT_LE(std::fabs(value), 0.5F);
    }
  }
}

TEST(NewtonLeaves, WorkForClassesVectorLeavesAndSamples) {
  auto const data = Training(400);
  for (char const* strategy : {"one_output_per_tree", "multi_output_tree"}) {
    for (char const* sampling : {"uniform", "gradient_based", "goss"}) {
      Booster::Pairs params{
          {"objective", "multi:softprob"}, {"num_class", "2"},
          {"multi_strategy", strategy},    {"subsample", sampling == std::string("goss") ? "1" : "0.7"},
          {"sampling_method", sampling},   {"lambda", "0.1"}};
      double const once = Trained(params, data, 2).Evaluate(data)[0].second;
      params.emplace_back("leaf_estimation_iterations", "4");
      EXPECT_LT(Trained(params, data, 2).Evaluate(data)[0].second, once) << strategy << sampling;
    }
  }
}

TEST(NewtonLeaves, BytesDoNotDependOnThreads) {
  auto const data = Training(100'000);
  Booster::Pairs params{{"objective", "binary:logistic"}, {"leaf_estimation_iterations", "3"}, {"nthread", "1"}};
  std::string const one = BytesOf(Trained(params, data, 2));
  for (char const* threads : {"2", "3", "7"}) {
    params.back().second = threads;
    EXPECT_EQ(BytesOf(Trained(params, data, 2)), one);
  }
}

TEST(NewtonLeaves, AreRefusedWhereThereIsNoStepToRepeat) {
  auto const data = Training(50);
  std::string const text = ErrorOf({{"objective", "reg:absoluteerror"}, {"leaf_estimation_iterations", "2"}}, data);
  EXPECT_NE(text.find("`leaf_estimation_iterations` is 2"), std::string::npos) << text;
  EXPECT_NE(ErrorOf({{"leaf_estimation_iterations", "0"}}, data), "");
  EXPECT_EQ(ErrorOf({{"objective", "reg:absoluteerror"},
                     {"leaf_estimation_method", "smooth"},
                     {"leaf_estimation_iterations", "2"}},
                    data),
            "");
  Booster booster;
  booster.SetParams({{"leaf_estimation_iterations", "2"}});
  Gradients gradients;
  gradients.Resize(50, 1);
  EXPECT_THROW(booster.Boost(data, gradients.View()), ParamError);
}

TEST(LeafValues, OfOneRowAndOfNoRowsAreFinite) {
  for (std::string const name : {"reg:absoluteerror", "reg:huber", "reg:expectileerror", "reg:quantileerror"}) {
    for (std::size_t const rows : {0U, 1U}) {
      Booster::Pairs const params{{"objective", name}, {"expectile_alpha", "0.5"}, {"quantile_alpha", "[0.1,0.9]"}};
      Booster const booster = Trained(params, Training(rows), 2);
      for (float const value : booster.Snapshot()->GetModel().trees[0]->value) EXPECT_TRUE(std::isfinite(value));
    }
  }
}

Gradients Residuals(DMatrix const& data, Matrix<float> const& margins) {
  Gradients gradients;
  gradients.Resize(margins.rows, margins.columns);
  for (std::size_t i = 0; i < margins.values.size(); ++i) {
    gradients.gradient.values[i] = margins.values[i] - data.Info().labels.values[i];
    gradients.hessian.values[i] = 1;
  }
  return gradients;
}

TEST(SplitGradients, ChooseSplitsAndLeavesComeFromTheOthers) {
  auto const data = Noisy(2);
  Booster booster;
  booster.SetParams({{"multi_strategy", "multi_output_tree"}, {"base_score", "0"}, {"lambda", "0"}, {"eta", "1"}});
  Gradients const full = Residuals(*data, booster.Margins(data));
  Gradients first;  // of the first target only
  first.Resize(400, 1);
  for (std::size_t i = 0; i < 400; ++i) {
    first.gradient.values[i] = full.gradient.values[2 * i], first.hessian.values[i] = 1;
  }
  booster.Boost(data, full.View(), first.View());
  Booster alone;
  alone.SetParams({{"base_score", "0"}, {"lambda", "0"}});
  Meta meta = data->Info();
  meta.labels = Matrix<float>(400, 1);
  for (std::size_t i = 0; i < 400; ++i) meta.labels.values[i] = data->Info().labels.values[2 * i];
  alone.Update(std::make_shared<DMatrix const>(data->Features(), meta));
  Tree const& tree = *booster.Snapshot()->GetModel().trees[0];
  EXPECT_EQ(tree.feature, alone.Snapshot()->GetModel().trees[0]->feature);
  EXPECT_EQ(tree.threshold, alone.Snapshot()->GetModel().trees[0]->threshold);
  for (auto const& [leaf, rows] : RowsByLeaf(booster, data)) {
    double mean = 0;
    for (float const label : ColumnOf(data->Info().labels, rows, 1)) mean += double{label};
    EXPECT_NEAR(tree.Value(leaf)[1], mean / static_cast<double>(rows.size()), 1e-4);
  }
}

TEST(SplitGradients, ThatAreTheGradientsThemselvesChangeNothing) {
  auto const data = Noisy(2);
  Booster::Pairs const params{{"multi_strategy", "multi_output_tree"}, {"subsample", "0.6"}};
  Booster plain, split;
  plain.SetParams(params), split.SetParams(params);
  Gradients const gradients = Residuals(*data, plain.Margins(data));
  plain.Boost(data, gradients.View());
  split.Boost(data, gradients.View(), gradients.View());
  EXPECT_EQ(BytesOf(split), BytesOf(plain));
}

TEST(SplitGradients, AreForVectorLeavesAndHaveARowForEachRow) {
  auto const data = Noisy(2);
  Booster trees, vectors;
  vectors.SetParams({{"multi_strategy", "multi_output_tree"}});
  Gradients const gradients = Residuals(*data, trees.Margins(data));
  Gradients less;
  less.Resize(399, 1);
  EXPECT_THROW(trees.Boost(data, gradients.View(), gradients.View()), ParamError);
  EXPECT_THROW(vectors.Boost(data, gradients.View(), less.View()), DataError);
}

}  // namespace
}  // namespace xgbl
