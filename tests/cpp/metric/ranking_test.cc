// SPDX-License-Identifier: Apache-2.0
// The reference numbers come from xgboost 3.4.1 where it has the metric.
#include <gtest/gtest.h>

#include <cmath>

#include "base/error.h"
#include "metric/metric.h"
#include "sample_meta.h"

namespace xgbl {
namespace {

std::vector<float> const kScores{0.1F, 0.9F, 0.1F, 0.9F, 0.3F};
std::vector<float> const kHits{0, 0, 1, 1, 0};

double Score(std::string const& name, std::vector<float> scores, std::vector<float> labels,
             std::vector<std::uint32_t> groups = {}, std::vector<float> weights = {}, ParamMap const& params = {}) {
  Meta meta = MetaOf(std::move(labels), 1, std::move(weights));
  meta.group_begin = std::move(groups);
  return MakeMetric(name, params)->Evaluate(MatrixOf(std::move(scores)).View(), meta, {});
}

struct Reference {
  char const* metric;
  double whole, grouped, weighted, with_empty;
};

TEST(RankingMetric, MatchesTheReference) {
  for (Reference const& expected :
       {Reference{"ndcg", 0.624050520003838, 0.959860394574094, 0.479930197287046, 0.973240263049396},
        Reference{"ndcg-", 0.624050520003838, 0.459860394574094, 0.229930197287046, 0.306573596382729},
        Reference{"ndcg@2", 0.386852807234542, 0.806573596382729, 0.403286798191365, 0.871049064255153},
        Reference{"ndcg@1-", 0, 0.5, 0.25, 1.0 / 3}, Reference{"map", 0.45, 11.0 / 12, 23.0 / 24, 17.0 / 18},
        Reference{"map-", 0.45, 5.0 / 12, 5.0 / 24, 5.0 / 18}, Reference{"map@1", 0, 1, 1, 1},
        Reference{"pre", 0.4, 1.0 / 3, 1.0 / 6, 2.0 / 9}, Reference{"pre@2", 0.5, 0.25, 0.125, 1.0 / 6},
        Reference{"precision@1", 0, 0.5, 0.25, 1.0 / 3}, Reference{"recall@2", 0.5, 0.75, 0.875, 2.5 / 3},
        Reference{"recall@2-", 0.5, 0.25, 0.125, 0.5 / 3}, Reference{"mrr", 0.5, 1, 1, 1},
        Reference{"mrr@1-", 0, 0.5, 0.25, 1.0 / 3}}) {
    SCOPED_TRACE(expected.metric);
    EXPECT_NEAR(Score(expected.metric, kScores, kHits), expected.whole, 1e-12);
    EXPECT_NEAR(Score(expected.metric, kScores, kHits, {0, 2, 5}), expected.grouped, 1e-12);
    EXPECT_NEAR(Score(expected.metric, kScores, kHits, {0, 2, 5}, {3, 1}), expected.weighted, 1e-12);
    EXPECT_NEAR(Score(expected.metric, kScores, kHits, {0, 2, 2, 5}), expected.with_empty, 1e-12);
  }
}

TEST(RankingMetric, CountsThirtyTwoRanksUnlessTold) {
  std::vector<float> scores(40), labels(40);
  for (std::size_t i = 0; i < 40; ++i) scores[i] = -static_cast<float>(i);
  labels[35] = 1;
  for (char const* name : {"ndcg", "map", "pre", "recall"}) EXPECT_EQ(Score(name, scores, labels), 0) << name;
  EXPECT_NEAR(Score("ndcg@36", scores, labels), 1 / std::log2(37.0), 1e-12);
  EXPECT_NEAR(Score("mrr", scores, labels), 1 / 36.0, 1e-12);
  ParamMap const mean{{"lambdarank_pair_method", "mean"}};
  auto const own = MakeMetric("ndcg", mean, true), named = MakeMetric("ndcg", mean);
  EXPECT_GT(own->Evaluate(MatrixOf(scores).View(), MetaOf(labels), {}), 0);
  EXPECT_EQ(named->Evaluate(MatrixOf(scores).View(), MetaOf(labels), {}), 0);
}

TEST(RankingMetric, TiesKeepTheOrderOfRows) {
  EXPECT_EQ(Score("mrr", {1, 1, 1}, {0, 1, 0}), 0.5);
  EXPECT_EQ(Score("mrr", {0.0F, -0.0F}, {1, 0}), 1);
}

TEST(RankingMetric, LinearGainsAreForAnyLabel) {
  ParamMap const linear{{"ndcg_exp_gain", "false"}};
  EXPECT_NEAR(Score("ndcg", {0.1F, 0.2F}, {3, 0.5F}, {}, {}, linear), 0.721705507263322, 1e-12);
  EXPECT_EQ(Score("ndcg", {0.1F, 0.2F}, {3, -35}, {}, {}, linear), 1);
  EXPECT_THROW(Score("ndcg", {0.1F, 0.2F}, {3, 0.5F}), DataError);
  EXPECT_THROW(Score("ndcg", {0.1F, 0.2F}, {3, 32}), DataError);
}

TEST(RankingMetric, HugeGainsDoNotOverflow) {
  EXPECT_NEAR(Score("ndcg", std::vector<float>(5000, 0.5F), std::vector<float>(5000, 31)), 1, 1e-12);
}

TEST(RankingMetric, OnlyBinaryLabelsAreHits) {
  for (char const* name : {"map", "pre"}) EXPECT_THROW(Score(name, {0.1F, 0.2F}, {0, 2}), DataError) << name;
  for (char const* name : {"recall", "mrr"}) EXPECT_EQ(Score(name, {0.1F, 0.2F}, {0, 2}), 1) << name;
}

TEST(RankingMetric, NoWeightAtAllIsZero) {
  for (char const* name : {"ndcg-", "map", "pre", "recall", "mrr"}) {
    EXPECT_EQ(Score(name, kScores, kHits, {0, 2, 5}, {0, 0}), 0) << name;
  }
}

TEST(RankingMetric, NeverExceedsOne) { EXPECT_EQ(Score("ndcg", kScores, kHits, {0, 2, 5}, {0.1F, 1}), 1); }

TEST(RankingMetric, NanPredictionsAreNotHidden) {
  MessageLog log;
  Context ctx;
  ctx.log = &log;
  auto const scores = MatrixOf({std::nanf(""), 0.5F});
  EXPECT_TRUE(std::isnan(MakeMetric("ndcg", {})->Evaluate(scores.View(), MetaOf({1, 0}), ctx)));
  EXPECT_EQ(log.Take().size(), 1U);
}

TEST(RankingMetric, ArgumentsAreChecked) {
  for (char const* bad : {"ndcg@0", "ndcg@x", "ndcg@2x", "ndcg@-1", "ndcg@", "ndcg@2.5", "map@--", "-", "rmse-"}) {
    EXPECT_THROW(MakeMetric(bad, {}), ParamError) << bad;
  }
}

TEST(RankingMetric, SeveralPredictionsARowAreRefused) {
  EXPECT_THROW(MakeMetric("ndcg", {})->Evaluate(MatrixOf({1, 2}, 2).View(), MetaOf({1}), {}), DataError);
}

}  // namespace
}  // namespace xgbl
