// SPDX-License-Identifier: Apache-2.0
// LambdaMART (Burges 2010). A pair of rows of a query with different labels gets the gradient of a logistic loss of
// their score difference, times the change of a ranking measure if the two were swapped. The measures are rank:ndcg,
// rank:map and rank:pairwise (no measure: RankNet). Pairs are either the rows that the model ranks highest with all
// rows below (`topk`), or some drawn at random for each row (`mean`). O(rows log rows + pairs) per query.
#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>
#include "objective/shared_params.h"

#include "base/math.h"
#include "base/random.h"
#include "labels/query_groups.h"
#include "objective/cumulative_gain.h"
#include "objective/ranking.h"
#include "parallel/parallel_for.h"
#include "parallel/reduce.h"
#include "simd/ranking_kernels.h"

namespace xgbl {
namespace {

// A query's rows by rank, best score first, and what its pairs are worth: see PairTask.
struct RankedQuery {
  std::vector<float> label;
  std::vector<float> gain, above, above_rest, below, below_rest;  // longer, as kernels want it
  float gain_base = 0;
  float gain_slope = 1;
  double scale = 1;

  std::size_t Size() const { return label.size(); }
  void SetPlace(std::size_t rank, double upper, double lower) {
    above[rank] = static_cast<float>(upper);
    above_rest[rank] = static_cast<float>(upper - double{above[rank]});
    below[rank] = static_cast<float>(lower);
    below_rest[rank] = static_cast<float>(lower - double{below[rank]});
  }
};

// What swapping two rows of a query changes: sets gains, places and their factors from labels, by rank.
using Judge = std::function<void(RankedQuery*)>;

constexpr char kHigh[] = "ti+";
constexpr char kLow[] = "tj-";
constexpr double kLeastLoss = 1e-16;  // what is less has too few clicks to be divided by

std::vector<float> Biases(std::size_t positions, ObjectiveState const* state, char const* name) {
  std::vector<float> biases;
  if (state != nullptr && state->count(name) != 0) biases = state->at(name);
  biases.resize(positions, 1.0F);
  return biases;
}

float Factor(float bias) { return double{bias} >= kLeastLoss ? 1.0F / bias : 0.0F; }

void MoveLosses(std::vector<double>* from, ExactSums* to) {
  for (std::size_t i = 0; i < from->size(); ++i) {
    double const loss = std::exchange((*from)[i], 0.0);
    if (loss != 0) (*to)[i] += loss;
  }
}

// (loss / loss of the first position) ^ (1 / (1 + norm)); as before if the first has none.
std::vector<float> Ratios(std::vector<double> const& losses, double norm, std::vector<float> biases) {
  if (losses.empty() || losses[0] < kLeastLoss) return biases;
  for (std::size_t i = 0; i < losses.size(); ++i) {
    double const ratio = losses[i] / losses[0];
    biases[i] = ratio > 0 ? static_cast<float>(Exp(Log(ratio) / (1 + norm))) : 0.0F;
  }
  return biases;
}

// Position bias of clicks (Hu et al. 2019, Unbiased LambdaMART): users click what is shown first. For each of the first
// positions in a query, t+ says how much likelier a click on a relevant row is there than at the first position. t-
// says the same of other rows. Gradients of pairs are divided by both. Each round learns them again from the losses of
// its pairs. The model keeps them as "ti+" and "tj-".
class PositionBias {
 public:
  // The losses of a query's pairs, by the position of the row that should be higher and of the other.
  struct Losses {
    std::vector<double> high, low;
  };
  // Those of many queries.
  struct LossSums {
    ExactSums high, low;

    LossSums& operator+=(LossSums const& other) {
      high += other.high;
      low += other.low;
      return *this;
    }
    // Takes the losses of a query, which are 0 afterwards.
    void Take(Losses* losses) {
      MoveLosses(&losses->high, &high);
      MoveLosses(&losses->low, &low);
    }
  };

  // As the last round left it in `state`, which may be nullptr; positions that are new start at 1.
  PositionBias(std::size_t positions, ObjectiveState const* state)
      : high_(Biases(positions, state, kHigh)), low_(Biases(positions, state, kLow)) {}

  bool Tracks(std::size_t high, std::size_t low) const { return high < high_.size() && low < low_.size(); }

  // The factors on a pair for rows at those positions, 1 / t+ and 1 / t-; 0 where it gets none.
  void Fill(Span<std::uint32_t const> positions, float* high, float* low) const {
    for (std::size_t i = 0; i < positions.size(); ++i) {
      std::size_t const at = positions[i];
      high[i] = at < high_.size() ? Factor(high_[at]) : 0.0F;
      low[i] = at < low_.size() ? Factor(low_[at]) : 0.0F;
    }
  }

  Losses NoLosses() const { return {std::vector<double>(high_.size()), std::vector<double>(low_.size())}; }
  LossSums NoSums() const { return {ExactSums(high_.size()), ExactSums(low_.size())}; }

  // Adds the loss of a pair; both positions must be tracked.
  void Add(std::size_t high, std::size_t low, double loss, Losses* losses) const {
    losses->high[high] += loss * double{Factor(low_[low])};
    losses->low[low] += loss * double{Factor(high_[high])};
  }

  // Keeps in `state` what the next round starts from. The larger `norm`, the nearer to 1.
  void Learn(LossSums const& losses, double norm, ObjectiveState* state) const {
    (*state)[kHigh] = Ratios(losses.high.Values(), norm, high_);
    (*state)[kLow] = Ratios(losses.low.Values(), norm, low_);
  }

 private:
  std::vector<float> high_, low_;  // t+ and t-
};

// Gradients of one query after the other; keeps its buffers.
class QueryRanker {
 public:
  struct Round {
    LambdaRankParam const& param;
    Judge const& judge;
    PositionBias const* bias;  // nullptr: none
    Context const& ctx;
    Random random;
  };

  explicit QueryRanker(Round const& round)
      : round_(round),
        kernels_(&RankingKernels::Of(round.ctx.simd)),
        order_(round.ctx),
        label_order_(round.ctx),
        pace_(round.ctx) {
    if (round.bias == nullptr) return;
    losses_ = round.bias->NoLosses();
    loss_sums_ = round.bias->NoSums();
  }

  void Add(Query const& query) {
    if (query.Rows() < 2) return;
    Rank(query);
    round_.judge(&ranked_);
    MakeTask();
    size_ = 0;
    if (round_.param.TopK()) {
      AddTopPairs();
    } else {
      AddDrawnPairs(query.first_row);
    }
    loss_sums_.Take(&losses_);
    float const norm = Norm();
    for (std::size_t rank = 0; rank < rows_.size(); ++rank) {
      query.gradient[rows_[rank]] = gradient_[rank] * norm;
      query.hessian[rows_[rank]] = hessian_[rank] * norm;
    }
  }

  PositionBias::LossSums const& LossSums() const { return loss_sums_; }

 private:
  void Rank(Query const& query) {
    std::size_t const n = query.Rows();
    rows_ = order_.Of(query.margins);
    Reserve(n);
    for (std::size_t rank = 0; rank < n; ++rank) {
      score_[rank] = query.margins[rows_[rank]];
      ranked_.label[rank] = query.labels[rows_[rank]];
    }
    if (round_.bias != nullptr) round_.bias->Fill(rows_, high_factor_.data(), low_factor_.data());
  }

  void Reserve(std::size_t rows) {
    std::size_t const size = rows + PairTask::kLanes - 1;
    ranked_.label.resize(rows);
    for (auto* values : {&ranked_.gain, &ranked_.above, &ranked_.above_rest, &ranked_.below, &ranked_.below_rest,
                         &score_, &high_factor_, &low_factor_, &worth_}) {
      values->resize(size);
    }
    gradient_.assign(size, 0.0F);
    hessian_.assign(size, 0.0F);
  }

  void MakeTask() {
    constexpr float kLeastDistance = 0.01F;
    task_.score = score_.data();
    task_.gain = ranked_.gain.data();
    task_.above = ranked_.above.data();
    task_.above_rest = ranked_.above_rest.data();
    task_.below = ranked_.below.data();
    task_.below_rest = ranked_.below_rest.data();
    task_.gain_base = ranked_.gain_base;
    task_.gain_slope = ranked_.gain_slope;
    task_.scale = static_cast<float>(ranked_.scale);
    bool const by_distance = round_.param.score_normalization && score_[0] != score_[rows_.size() - 1];
    task_.distance_base = by_distance ? kLeastDistance : 1.0F;
    task_.distance_slope = by_distance ? 1.0F : 0.0F;
    task_.gradient = gradient_.data();
    task_.hessian = hessian_.data();
    task_.high_factor = high_factor_.data();
    task_.low_factor = low_factor_.data();
    task_.worth = round_.bias == nullptr ? nullptr : worth_.data();
  }

  void AddTopPairs() {
    std::size_t const top = std::min(rows_.size(), round_.param.Pairs());
    for (std::size_t upper = 0; upper < top; ++upper) AddPairs(upper, upper + 1, rows_.size());
  }

  // For each row pairs with rows of other labels, all of them as likely.
  void AddDrawnPairs(std::size_t first_row) {
    auto const ranks = label_order_.Of(ranked_.label);
    std::size_t const pairs = round_.param.Pairs();
    auto const label = [&](std::size_t i) { return ranked_.label[ranks[i]]; };
    for (std::size_t begin = 0, end = 0; begin < ranks.size(); begin = end) {
      while (end < ranks.size() && label(end) == label(begin)) ++end;
      std::size_t const others = ranks.size() - (end - begin);
      if (others == 0) return;
      for (std::size_t i = begin; i < end; ++i) {
        std::uint64_t const row = first_row + rows_[ranks[i]];
        for (std::size_t k = 0; k < pairs; ++k) {
          auto drawn = static_cast<std::size_t>(round_.random.Uniform(row * pairs + k) * static_cast<double>(others));
          if (drawn >= begin) drawn += end - begin;
          auto const [upper, lower] = std::minmax(ranks[i], ranks[drawn]);
          AddPairs(upper, lower, lower + 1);
        }
      }
    }
  }

  void AddPairs(std::size_t upper, std::size_t first, std::size_t end) {
    pace_.Step(end - first);
    PairSums const sums = kernels_->add_pairs(task_, upper, first, end);
    gradient_[upper] += static_cast<float>(sums.gradient);
    hessian_[upper] += static_cast<float>(sums.hessian);
    size_ += sums.size;
    if (round_.bias == nullptr) return;
    for (std::size_t lower = first; lower < end; ++lower) {
      bool const in_order = ranked_.gain[upper] > ranked_.gain[lower];
      std::size_t const high = in_order ? upper : lower, low = in_order ? lower : upper;
      if (worth_[lower] == 0 || !round_.bias->Tracks(rows_[high], rows_[low])) continue;
      double const loss = Softplus(double{score_[high]} - double{score_[low]}) * double{worth_[lower]};
      round_.bias->Add(rows_[high], rows_[low], loss, &losses_);
    }
  }

  float Norm() const {
    if (!round_.param.normalization) return 1;
    if (!round_.param.TopK()) return 1.0F / static_cast<float>(round_.param.Pairs());
    double const size = 2 * size_;  // a pair pulls at two rows
    return size > 0 ? static_cast<float>(Log1p(size) / (Log(2.0) * size)) : 1.0F;
  }

  Round round_;
  RankingKernels const* kernels_;
  RankOrder order_, label_order_;
  PacedCheck pace_;
  Span<std::uint32_t const> rows_;  // by rank
  RankedQuery ranked_;
  std::vector<float> score_, gradient_, hessian_, high_factor_, low_factor_, worth_;
  PairTask task_;
  double size_ = 0;              // of the gradients of all pairs
  PositionBias::Losses losses_;  // of the query
  PositionBias::LossSums loss_sums_;
};

class LambdaRank : public RankingObjective {
 public:
  LambdaRank(std::string name, std::string measure) : RankingObjective(std::move(name)), measure_(std::move(measure)) {}

  void Configure(ParamMap const& params) override { param_ = ParamsFrom<LambdaRankParam>(params); }
  ParamMap Params() const override { return TextOf(param_); }
  std::string DefaultMetric() const override {
    return param_.TopK() ? measure_ + "@" + std::to_string(param_.Pairs()) : measure_;
  }

  void Gradient(GradientTask const& task, Gradients* out) const override {
    QueryGroups const groups(task.meta, task.margins.rows(), Name());
    Judge const judge = MakeJudge(groups.Largest());
    PositionBias const bias(param_.unbiased ? param_.Positions(groups.Largest()) : 0, task.state);
    QueryRanker const ranker({param_, judge, param_.unbiased ? &bias : nullptr, task.ctx,
                              Random(task.ctx.seed, Purpose::kPairs, task.round)});
    auto const rankers =
        ForQueries(task, groups, ranker, out, [](Query const& query, QueryRanker* work) { work->Add(query); });
    if (!param_.unbiased || task.state == nullptr) return;
    auto losses = bias.NoSums();
    for (auto const& one : rankers) losses += one.LossSums();
    bias.Learn(losses, param_.bias_norm, task.state);
  }

 protected:
  // The judge of a round, for queries of up to `largest` rows.
  virtual Judge MakeJudge(std::size_t largest) const = 0;
  LambdaRankParam const& Param() const { return param_; }

 private:
  std::string measure_;
  LambdaRankParam param_;
};

class RankNdcg : public LambdaRank {
 public:
  RankNdcg() : LambdaRank("rank:ndcg", "ndcg") {}

 protected:
  void CheckGrades(Span<float const> labels) const override {
    CumulativeGain::CheckLabels(labels, Param().exp_gain, Name());
  }

  Judge MakeJudge(std::size_t largest) const override {
    auto const gains = std::make_shared<CumulativeGain const>(Param().exp_gain, largest);
    return [gains, ranks = Param().Ranks()](RankedQuery* query) { JudgeNdcg(*gains, ranks, query); };
  }

 private:
  // Rows that swap ranks swap discounts. Gains are brought near to 1 by a power of two, which loses nothing, so that
  // neither huge nor tiny ones leave the range of float32.
  static void JudgeNdcg(CumulativeGain const& gains, std::size_t ranks, RankedQuery* query) {
    double largest = 0;
    for (float const label : query->label) largest = std::max(largest, std::fabs(gains.Gain(label)));
    int exponent = 0;
    std::frexp(largest, &exponent);
    double const unit = std::ldexp(1.0, -exponent), ideal = std::fabs(gains.Ideal(query->label, ranks)) * unit;
    for (std::size_t rank = 0; rank < query->Size(); ++rank) {
      query->gain[rank] = static_cast<float>(gains.Gain(query->label[rank]) * unit);
      query->SetPlace(rank, gains.Discount(rank), gains.Discount(rank));
    }
    constexpr double kLeastIdeal = 1e-30;  // positive and negative gains may nearly cancel
    query->scale = ideal == 0 ? 0 : 1 / std::max(ideal, kLeastIdeal);
  }
};

auto const kRankNdcg =
    Register<Objective, RankNdcg>("rank:ndcg", "LambdaMART for NDCG: graded labels, the top ranks count most.")
        .Params<LambdaRankParam>()
        .Elsewhere({"lambdarank", "lambdamart"})
        .OnlyInFiles<OldRankParam>();

// The average precision of R relevant rows is the sum, over their ranks r from 1, of n(r) / r over R, n(r) of them
// being at r or above. A relevant row that swaps ranks h < l with another changes it by |u(h) - v(l)| / R, where, with
// s(r) the sum of 1 / rank over the relevant rows at r or above,
//   v(l) = n(l) / l - s(l - 1),  u(h) = n(h) / h - s(h), or (n(h) + 1) / h - s(h) if the relevant one comes up to h.
void JudgeMap(RankedQuery* query) {
  double relevant = 0, sum = 0;
  for (std::size_t i = 0; i < query->Size(); ++i) {
    double const rank = static_cast<double>(i) + 1, label = query->label[i], before = sum;
    query->gain[i] = query->label[i];
    relevant += label;
    sum += label / rank;
    query->SetPlace(i, (relevant + (1 - label)) / rank - sum, relevant / rank - before);
  }
  query->scale = relevant > 0 ? 1 / relevant : 0;
}

class RankMap : public LambdaRank {
 public:
  RankMap() : LambdaRank("rank:map", "map") {}

 protected:
  void CheckGrades(Span<float const> labels) const override {
    auto const* bad = std::find_if(labels.begin(), labels.end(), [](float y) { return y != 0.0F && y != 1.0F; });
    if (bad == labels.end()) return;
    throw DataError(Text("`", Name(), "` needs labels that are 0 or 1; got ", *bad, " in row ", bad - labels.begin(),
                         ". For graded labels use `rank:ndcg`."));
  }
  Judge MakeJudge(std::size_t /*largest*/) const override { return JudgeMap; }
};

auto const kRankMap = Register<Objective, RankMap>("rank:map", "LambdaMART for mean average precision: labels 0 and 1.")
                          .Params<LambdaRankParam>()
                          .OnlyInFiles<OldRankParam>();

// All pairs of different labels are worth the same.
void JudgePairs(RankedQuery* query) {
  std::copy(query->label.begin(), query->label.end(), query->gain.begin());
  query->gain_base = 1;
  query->gain_slope = 0;
  for (std::size_t rank = 0; rank < query->Size(); ++rank) query->SetPlace(rank, 1, 0);
}

class RankPairwise : public LambdaRank {
 public:
  RankPairwise() : LambdaRank("rank:pairwise", "ndcg") {}

 protected:
  void CheckGrades(Span<float const> /*labels*/) const override {}
  Judge MakeJudge(std::size_t /*largest*/) const override { return JudgePairs; }
};

auto const kRankPairwise =
    Register<Objective, RankPairwise>("rank:pairwise", "RankNet: the logistic loss of pairs of rows of a query.")
        .Params<LambdaRankParam>()
        .Elsewhere({"pairlogit", "pairlogitpairwise"})
        .OnlyInFiles<OldRankParam>();

}  // namespace
}  // namespace xgbl
