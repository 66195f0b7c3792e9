// SPDX-License-Identifier: Apache-2.0
// AdaBoost.M1 (Freund and Schapire 1997; Hastie, Tibshirani and Friedman, algorithm 10.1) with trees as weak learners.
// Row i with label y = -1 or 1 weighs w0 exp(-y F / 2) where F is its margin, which is what the algorithm's updates
// come to; a tree is fitted to the labels under these weights (squared error on -1 and 1, which is Gini's index), each
// leaf votes for its majority, and the vote counts log((1 - e) / e), e the weighted share of rows that it gets wrong.
// The margin of the model is the weighted vote, so it is stored as an ordinary model of binary:logistic.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/math.h"
#include "boost/booster_kind.h"
#include "boost/updaters.h"
#include "labels/row_weights.h"
#include "objective/elementwise.h"
#include "parallel/parallel_for.h"
#include "parallel/reduce.h"

namespace xgbl {
namespace {

// Trees without an error would count infinitely much; this one is as good as none.
constexpr double kLeastError = 1e-10;
constexpr std::size_t kRowBlock = 4096;

float SignOf(float label) { return label > 0.5F ? 1.0F : -1.0F; }

void CheckLabels(Matrix<float> const& labels) {
  Require<ParamError>(labels.columns <= 1, "`booster` adaboost works with one target; got ", labels.columns, ".");
  auto const bad =
      std::find_if_not(labels.values.begin(), labels.values.end(), [](float y) { return y == 0.0F || y == 1.0F; });
  Require<DataError>(bad == labels.values.end(), "`booster` adaboost needs labels 0 and 1; got ",
                     bad == labels.values.end() ? 0.0F : *bad, ".");
}

// Weights of the rows, so that they add up to the number of rows: parameters of trees mean what they mean elsewhere.
std::vector<float> RowWeightsOf(RoundInput const& task) {
  Meta const& info = task.data.Info();
  std::size_t const rows = task.data.Rows();
  RowWeights const given(info, rows, "adaboost");
  double const positive = ParamsFrom<RegressionParam>(task.objective->Params()).scale_pos_weight;
  std::vector<float> weights(rows);
  auto const start = [&](std::size_t row) {
    return double{given[row]} * (info.labels.values[row] > 0.5F ? positive : 1.0);
  };
  auto const exponent = [&](std::size_t row) {
    return -0.5 * double{SignOf(info.labels.values[row])} * double{task.margins.values[row]};
  };
  // Relative to the largest, which keeps the others from all vanishing.
  double top = -std::numeric_limits<double>::infinity();
  for (std::size_t row = 0; row < rows; ++row) {
    if (start(row) > 0) top = std::max(top, exponent(row));
  }
  ParallelBlocks(ForWork(task.ctx, rows * 8), rows, kRowBlock, [&](std::size_t begin, std::size_t end) {
    for (std::size_t row = begin; row < end; ++row) {
      weights[row] = start(row) > 0 ? static_cast<float>(start(row) * Exp(exponent(row) - top)) : 0.0F;
    }
  });
  double const total = SumRows(task.ctx, rows, [&](std::size_t row) { return double{weights[row]}; });
  RequireSomeWeight(rows > 0, total, "booster=adaboost");
  for (float& weight : weights) weight = static_cast<float>(double{weight} * static_cast<double>(rows) / total);
  return weights;
}

// The weighted share of rows whose leaf votes against their label.
double ErrorOf(GrownTree const& grown, Matrix<float> const& labels, std::vector<float> const& weights,
               Context const& ctx) {
  std::vector<float> wrong(weights.size(), 0.0F);
  for (LeafRows const* part : {&grown.rows.sampled, &grown.rows.others}) {
    part->ForEachPiece(ctx, [&](LeafRows::Leaf const& leaf, Span<std::uint32_t const> rows) {
      float const vote = grown.tree.weight[Tree::At(leaf.node)] > 0 ? 1.0F : -1.0F;
      for (std::uint32_t const row : rows) wrong[row] = SignOf(labels.values[row]) * vote < 0 ? weights[row] : 0.0F;
    });
  }
  double const total = SumRows(ctx, weights.size(), [&](std::size_t row) { return double{weights[row]}; });
  return SumRows(ctx, weights.size(), [&](std::size_t row) { return double{wrong[row]}; }) / total;
}

// A tree that guesses no better than a coin adds nothing.
void MakeStump(GrownTree* grown) {
  Tree stump;
  stump.AddNode(kNoNode);
  stump.cover[0] = grown->tree.cover[0];
  grown->tree = std::move(stump);
  for (LeafRows* part : {&grown->rows.sampled, &grown->rows.others}) {
    for (LeafRows::Leaf& leaf : part->leaves) leaf.node = 0;
  }
}

class AdaBoost : public BoosterKind {
 public:
  void Check(KindSetting const& setting) const override {
    CheckTreesFit(setting);
    CheckGrowing(setting.boost);
    Require<ParamError>(setting.learner.objective == "binary:logistic",
                        "`booster` adaboost needs `objective` binary:logistic, whose margin is its weighted vote; got ",
                        setting.learner.objective, ".");
    Require<ParamError>(setting.boost.num_parallel_tree == 1,
                        "`booster` adaboost makes one tree a round; `num_parallel_tree` is ",
                        setting.boost.num_parallel_tree, ".");
    CheckLabels(setting.data.Info().labels);
  }
  std::optional<double> BaseScore() const override { return 0.5; }  // a vote of 0
  bool FollowsGradients() const override { return false; }

  Round Grow(RoundInput const& task, RoundMemory* memory) const override {
    Matrix<float> const& labels = task.data.Info().labels;
    std::vector<float> const weights = RowWeightsOf(task);
    Gradients squared;
    squared.Resize(weights.size(), 1);
    squared.hessian.values = weights;
    for (std::size_t row = 0; row < weights.size(); ++row) {
      squared.gradient.values[row] = -weights[row] * SignOf(labels.values[row]);
    }
    auto const vote = [&](GrownTree* grown) {
      double const error = ErrorOf(*grown, labels, weights, task.ctx);
      if (!(error < 0.5)) return MakeStump(grown);
      double const bounded = std::max(error, kLeastError);
      auto const count = static_cast<float>(task.tree.learning_rate * Log((1 - bounded) / bounded));
      Tree& tree = grown->tree;
      for (std::size_t i = 0; i < tree.Size(); ++i) {
        bool const leaf = tree.IsLeaf(static_cast<NodeId>(i));
        tree.value[i] = !leaf ? 0.0F : tree.weight[i] > 0 ? count : -count;
      }
    };
    RoundInput trees{task.ctx, task.data, task.tree, task.boost, squared.View(), task.margins, task.round, false};
    trees.model = task.model;
    return GrowRoundOfTrees(trees, memory, vote);
  }
};

auto const kAdaBoost = Register<BoosterKind, AdaBoost>(
    "adaboost", "AdaBoost.M1: trees that vote, grown on rows weighted by earlier mistakes.");

}  // namespace
}  // namespace xgbl
