// SPDX-License-Identifier: Apache-2.0
// Ranking objectives against their definitions, pair by pair, in double and with the C library.
// Also tests lambdarank.cc.
#include "objective/ranking.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "sample_meta.h"

namespace xgbl {
namespace {

struct Data {
  std::vector<float> margins, labels;
  std::vector<std::uint32_t> group_begin;

  explicit Data(std::vector<std::uint32_t> begin, double grades = 5, double scale = 3) : group_begin(std::move(begin)) {
    std::size_t const rows = group_begin.back();
    margins = Uniform(rows, -scale, scale, 1);
    labels = Uniform(rows, 0, grades, 2);
    for (float& label : labels) label = std::floor(label);
  }
  Meta Info(std::vector<float> weights = {}) const {
    Meta meta = MetaOf(labels, 1, std::move(weights));
    meta.group_begin = group_begin;
    return meta;
  }
};

Gradients GradientsOf(std::string const& name, ParamMap const& params, Data const& data, Meta const& meta,
                      ObjectiveState* state = nullptr, std::size_t round = 0, Context const& ctx = {}) {
  Gradients out;
  MakeObjective(name, params)->Gradient({MatrixOf(data.margins).View(), meta, ctx, round, state}, &out);
  return out;
}

/// One query's rows by rank, and a measure of an order of their labels.
using Measure = double (*)(std::vector<double> const& labels, std::size_t top);

double Dcg(std::vector<double> const& labels, std::size_t top) {
  double sum = 0;
  for (std::size_t i = 0; i < std::min(top, labels.size()); ++i) {
    sum += (std::exp2(labels[i]) - 1) / std::log2(static_cast<double>(i) + 2);
  }
  return sum;
}

double Ndcg(std::vector<double> const& labels, std::size_t top) {
  std::vector<double> best = labels;
  std::sort(best.rbegin(), best.rend());
  return Dcg(best, top) > 0 ? Dcg(labels, labels.size()) / Dcg(best, top) : 0;
}

double MeanPrecision(std::vector<double> const& labels, std::size_t /*top*/) {
  double hits = 0, sum = 0;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    hits += labels[i];
    sum += labels[i] * hits / static_cast<double>(i + 1);
  }
  return hits > 0 ? sum / hits : 0;
}

// The lambdas of one query, by the words of their definition: swap two rows and look what the measure says.
std::pair<std::vector<double>, std::vector<double>> Lambdas(std::vector<float> const& margins,
                                                            std::vector<float> const& labels, Measure measure,
                                                            std::size_t top) {
  std::size_t const n = margins.size();
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return margins[a] > margins[b]; });
  std::vector<double> ranked(n), gradient(n), hessian(n);
  std::transform(order.begin(), order.end(), ranked.begin(), [&](auto row) { return double{labels[row]}; });
  for (std::size_t i = 0; i < std::min(n, top); ++i) {
    for (std::size_t j = i + 1; j < n; ++j) {
      if (ranked[i] == ranked[j]) continue;
      auto swapped = ranked;
      std::swap(swapped[i], swapped[j]);
      double const change = measure == nullptr ? 1 : std::fabs(measure(ranked, top) - measure(swapped, top));
      std::size_t const high = ranked[i] > ranked[j] ? order[i] : order[j],
                        low = high == order[i] ? order[j] : order[i];
      double const wrong = 1 / (1 + std::exp(double{margins[high]} - double{margins[low]}));
      gradient[high] -= wrong * change, gradient[low] += wrong * change;
      for (std::size_t const row : {high, low}) hessian[row] += 2 * wrong * (1 - wrong) * change;
    }
  }
  return {gradient, hessian};
}

struct Case {
  char const* name;
  Measure measure;
  double grades;
};
constexpr Case kCases[] = {{"rank:ndcg", Ndcg, 5}, {"rank:map", MeanPrecision, 2}, {"rank:pairwise", nullptr, 4}};

void ExpectLambdas(Case const& one, Data const& data, std::size_t top) {
  ParamMap const params{{"lambdarank_normalization", "0"},
                        {"lambdarank_score_normalization", "0"},
                        {"lambdarank_num_pair_per_sample", std::to_string(top)}};
  auto const got = GradientsOf(one.name, params, data, data.Info());
  for (std::size_t q = 0; q + 1 < data.group_begin.size(); ++q) {
    std::size_t const begin = data.group_begin[q], end = data.group_begin[q + 1];
    auto const part = [&](std::vector<float> const& all) {
      return std::vector<float>(all.data() + begin, all.data() + end);
    };
    auto const [gradient, hessian] = Lambdas(part(data.margins), part(data.labels), one.measure, top);
    for (std::size_t i = begin; i < end; ++i) {
      EXPECT_NEAR(got.gradient.values[i], gradient[i - begin], 2e-6 * (1 + std::fabs(gradient[i - begin]))) << one.name;
      EXPECT_NEAR(got.hessian.values[i], hessian[i - begin], 2e-6 * (1 + hessian[i - begin])) << one.name;
    }
  }
}

TEST(LambdaRank, GradientsAreWhatSwapsChange) {
  for (Case const& one : kCases) {
    for (std::size_t const top : {1U, 4U, 1000U}) ExpectLambdas(one, Data({0, 1, 3, 3, 20, 60}, one.grades), top);
  }
}

TEST(LambdaRank, TiesKeepTheOrderOfRows) {
  for (Case const& one : kCases) {
    Data data({0, 40}, one.grades);
    for (float& margin : data.margins) margin = std::round(margin);
    ExpectLambdas(one, data, 5);
  }
}

TEST(LambdaRank, LongQueriesAreSortedAsShortOnesAre) {
  for (Case const& one : kCases) ExpectLambdas(one, Data({0, 700}, one.grades), 3);
}

TEST(LambdaRank, DataWithoutGroupsAreOneQuery) {
  Data const data({0, 30}, 2);
  Meta alone = data.Info();
  alone.group_begin.clear();
  for (Case const& one : kCases) {
    auto const grouped = GradientsOf(one.name, {}, data, data.Info());
    EXPECT_EQ(GradientsOf(one.name, {}, data, alone).gradient.values, grouped.gradient.values);
  }
}

TEST(LambdaRank, NormalisationIsTheLogarithmOfTheSize) {
  Data const data({0, 30}, 2);
  for (Case const& one : kCases) {
    auto const raw = GradientsOf(one.name, {{"lambdarank_normalization", "0"}}, data, data.Info());
    auto const scaled = GradientsOf(one.name, {}, data, data.Info());
    // The factor is log2(1 + s) / s of the sum s of all pairs: the same for all rows.
    double const factor = double{scaled.gradient.values[0]} / double{raw.gradient.values[0]};
    for (std::size_t i = 0; i < 30; ++i) {
      EXPECT_NEAR(scaled.gradient.values[i], factor * double{raw.gradient.values[i]}, 1e-5);
      EXPECT_NEAR(scaled.hessian.values[i], factor * double{raw.hessian.values[i]}, 1e-5);
    }
  }
}

TEST(LambdaRank, ScoresThatAreNearCountMore) {
  Data data({0, 2}, 2);
  data.labels = {1, 0};
  data.margins = {0.25F, 0};
  ParamMap const plain{{"lambdarank_normalization", "0"}, {"lambdarank_score_normalization", "0"}};
  auto const without = GradientsOf("rank:pairwise", plain, data, data.Info());
  auto const with = GradientsOf("rank:pairwise", {{"lambdarank_normalization", "0"}}, data, data.Info());
  EXPECT_NEAR(with.gradient.values[0], double{without.gradient.values[0]} / 0.26, 1e-6);
}

TEST(LambdaRank, WeightsAreByQueryAndRelative) {
  Data const data({0, 10, 30}, 2);
  for (char const* name : {"rank:ndcg", "rank:map", "rank:pairwise", "rank:xendcg", "rank:yeti"}) {
    auto const plain = GradientsOf(name, {}, data, data.Info());
    auto const weighed = GradientsOf(name, {}, data, data.Info({3, 1}));
    for (std::size_t i = 0; i < 30; ++i) {
      EXPECT_FLOAT_EQ(weighed.gradient.values[i], plain.gradient.values[i] * (i < 10 ? 1.5F : 0.5F)) << name;
    }
  }
}

TEST(LambdaRank, DrawnPairsHaveTheMeanOfAllPairs) {
  Data const data({0, 12}, 2);
  ParamMap params{{"lambdarank_pair_method", "mean"}, {"lambdarank_score_normalization", "0"}};
  params["lambdarank_num_pair_per_sample"] = "20000";
  auto const drawn = GradientsOf("rank:pairwise", params, data, data.Info());
  auto const [gradient, hessian] = Lambdas(data.margins, data.labels, nullptr, 12);
  // A pair is drawn from both sides, each time with the chance 1 / (rows of the other side).
  auto const ones = static_cast<double>(std::count(data.labels.begin(), data.labels.end(), 1.0F));
  double const factor = 1 / ones + 1 / (12 - ones);
  for (std::size_t i = 0; i < 12; ++i) {
    EXPECT_NEAR(drawn.gradient.values[i], gradient[i] * factor, 0.03);
    EXPECT_NEAR(drawn.hessian.values[i], hessian[i] * factor, 0.03);
  }
}

TEST(Ranking, RandomChoicesDependOnSeedAndRoundOnly) {
  Data const data({0, 10, 300});
  ParamMap const params{{"lambdarank_pair_method", "mean"}};
  for (char const* name : {"rank:ndcg", "rank:xendcg", "rank:yeti"}) {
    Context seeded;
    seeded.seed = 1;
    auto const first = GradientsOf(name, params, data, data.Info()).gradient.values;
    EXPECT_EQ(GradientsOf(name, params, data, data.Info()).gradient.values, first) << name;
    EXPECT_NE(GradientsOf(name, params, data, data.Info(), nullptr, 1).gradient.values, first) << name;
    EXPECT_NE(GradientsOf(name, params, data, data.Info(), nullptr, 0, seeded).gradient.values, first) << name;
  }
}

TEST(Ranking, QueriesWithoutPairsHaveNoGradient) {
  for (char const* name : {"rank:ndcg", "rank:map", "rank:pairwise", "rank:yeti"}) {
    Data data({0, 1, 1, 6});
    std::fill(data.labels.begin(), data.labels.end(), 1.0F);
    auto const got = GradientsOf(name, {}, data, data.Info());
    EXPECT_EQ(got.gradient.values, std::vector<float>(6)) << name;
    EXPECT_EQ(got.hessian.values, std::vector<float>(6)) << name;
  }
}

TEST(Ranking, NanOfOneQueryStaysThere) {
  Data data({0, 20, 23}, 2);
  auto const expected = GradientsOf("rank:ndcg", {}, data, data.Info());
  data.margins[3] = std::nanf("");
  data.margins[5] = HUGE_VALF;
  for (char const* name : {"rank:ndcg", "rank:map", "rank:pairwise", "rank:xendcg", "rank:yeti"}) {
    auto const got = GradientsOf(name, {}, data, data.Info());
    for (std::size_t i = 20; i < 23; ++i) EXPECT_TRUE(std::isfinite(got.gradient.values[i])) << name;
  }
  auto const got = GradientsOf("rank:ndcg", {}, data, data.Info());
  for (std::size_t i = 20; i < 23; ++i) EXPECT_EQ(got.gradient.values[i], expected.gradient.values[i]);
}

TEST(Ranking, BadLabelsAreRefused) {
  auto const refused = [](char const* name, std::vector<float> labels, ParamMap const& params = {}) {
    EXPECT_THROW(MakeObjective(name, params)->CheckLabels(MetaOf(std::move(labels))), DataError) << name;
  };
  for (char const* name : {"rank:ndcg", "rank:xendcg"}) {
    for (float const bad : {32.0F, 0.5F, -1.0F, 1e30F}) refused(name, {0, bad});
  }
  refused("rank:map", {0, 2});
  refused("rank:ndcg", {0, HUGE_VALF}, {{"ndcg_exp_gain", "false"}});
  MakeObjective("rank:ndcg", {{"ndcg_exp_gain", "false"}})->CheckLabels(MetaOf({0, 32, 0.5F, -1}));
  EXPECT_THROW(MakeObjective("rank:ndcg", {})->Outputs(MetaOf({0, 1}, 2)), DataError);
}

TEST(Ranking, MessagesSayWhatToDo) {
  try {
    MakeObjective("rank:ndcg", {})->CheckLabels(MetaOf({0, 40}));
    FAIL() << "no error";
  } catch (DataError const& error) {
    EXPECT_NE(std::string(error.what()).find("Set `ndcg_exp_gain` to false"), std::string::npos) << error.what();
  }
  try {
    MakeObjective("rank:ndcg", {})->CheckLabels(MetaOf({0, 1}, 1, {1, 1}));
    FAIL() << "no error";
  } catch (DataError const& error) {
    EXPECT_NE(std::string(error.what()).find("equal to the number of query groups"), std::string::npos) << error.what();
  }
}

TEST(Ranking, DefaultMetricsCountTheRanksThatPairsAreMadeOf) {
  auto const metric = [](char const* name, ParamMap const& params) {
    return MakeObjective(name, params)->DefaultMetric();
  };
  EXPECT_EQ(metric("rank:ndcg", {}), "ndcg@32");
  EXPECT_EQ(metric("rank:pairwise", {{"lambdarank_num_pair_per_sample", "4"}}), "ndcg@4");
  EXPECT_EQ(metric("rank:map", {{"lambdarank_num_pair_per_sample", "4294967295"}}), "map@32");
  EXPECT_EQ(metric("rank:ndcg", {{"lambdarank_pair_method", "mean"}}), "ndcg");
}

TEST(Ranking, LinearGainsAreTheLabels) {
  Data data({0, 3});
  data.labels = {1, 0, 0};
  auto const exponential = GradientsOf("rank:ndcg", {}, data, data.Info());
  auto const linear = GradientsOf("rank:ndcg", {{"ndcg_exp_gain", "0"}}, data, data.Info());
  EXPECT_EQ(exponential.gradient.values, linear.gradient.values);  // 2^1 - 1 = 1
  data.labels = {3, 1, 0};
  EXPECT_NE(GradientsOf("rank:ndcg", {}, data, data.Info()).gradient.values,
            GradientsOf("rank:ndcg", {{"ndcg_exp_gain", "0"}}, data, data.Info()).gradient.values);
}

TEST(Ranking, LinearGainsMayBeHugeOrTiny) {
  Data data({0, 40});
  ParamMap const linear{{"ndcg_exp_gain", "0"}};
  auto const expected = GradientsOf("rank:ndcg", linear, data, data.Info());
  for (float const unit : {0x1p120F, 0x1p-120F}) {
    Data scaled = data;
    for (float& label : scaled.labels) label *= unit;
    EXPECT_EQ(GradientsOf("rank:ndcg", linear, scaled, scaled.Info()).gradient.values, expected.gradient.values);
  }
  for (std::size_t i = 0; i < 40; ++i) data.labels[i] = i % 2 == 0 ? 3e38F : -3e38F;
  for (float const g : GradientsOf("rank:ndcg", linear, data, data.Info()).gradient.values) {
    EXPECT_TRUE(std::isfinite(g));
  }
}

TEST(Xendcg, GradientsAreNearTheCrossEntropyOfWantedShares) {
  // Over many rounds u averages to 1/2; the corrections of higher order are small where chances are.
  Data const data({0, 200}, 4, 0.5);
  std::vector<double> mean(200), wanted(200), odds(200);
  constexpr int kRounds = 400;
  for (int round = 0; round < kRounds; ++round) {
    auto const got = GradientsOf("rank:xendcg", {}, data, data.Info(), nullptr, static_cast<std::size_t>(round));
    for (std::size_t i = 0; i < 200; ++i) mean[i] += double{got.gradient.values[i]} / kRounds;
  }
  for (std::size_t i = 0; i < 200; ++i) {
    wanted[i] = std::exp2(double{data.labels[i]}) - 0.5;
    odds[i] = std::exp(double{data.margins[i]});
  }
  double const sum_wanted = std::accumulate(wanted.begin(), wanted.end(), 0.0);
  double const sum_odds = std::accumulate(odds.begin(), odds.end(), 0.0);
  for (std::size_t i = 0; i < 200; ++i) EXPECT_NEAR(mean[i], odds[i] / sum_odds - wanted[i] / sum_wanted, 4e-4);
}

TEST(Yeti, PullsRelevantRowsUpAndSumsToZero) {
  Data data({0, 30}, 2, 0);
  auto const got = GradientsOf("rank:yeti", {{"yeti_permutations", "50"}}, data, data.Info());
  double sum = 0;
  for (std::size_t i = 0; i < 30; ++i) {
    EXPECT_EQ(got.gradient.values[i] < 0, data.labels[i] > 0);
    EXPECT_GT(got.hessian.values[i], 0);
    sum += double{got.gradient.values[i]};
  }
  EXPECT_NEAR(sum, 0, 1e-5);
}

TEST(Yeti, WithoutDecayAllNeighboursCount) {
  Data data({0, 2});
  data.labels = {2, 0};
  data.margins = {0, 0};
  auto const got = GradientsOf("rank:yeti", {{"yeti_decay", "0"}}, data, data.Info());
  EXPECT_NEAR(got.gradient.values[0], -1, 1e-6);  // half of the difference of labels, in every permutation
  EXPECT_NEAR(got.hessian.values[1], 0.5, 1e-6);
}

// Of one query there may be millions of pairs.
TEST(Ranking, AnInterruptEndsALargeQuery) {
  Data const data({0, 20'000});
  for (std::string const way : {"topk", "mean"}) {
    int questions = 0;
    Context ctx;
    ctx.interrupted = [&] { return ++questions == 4; };
    ParamMap const params{{"lambdarank_pair_method", way}, {"lambdarank_num_pair_per_sample", "1000"}};
    EXPECT_THROW(GradientsOf("rank:ndcg", params, data, data.Info(), nullptr, 0, ctx), Cancelled) << way;
  }
}

}  // namespace
}  // namespace xgbl
