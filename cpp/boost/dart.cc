// SPDX-License-Identifier: Apache-2.0
#include "boost/dart.h"

#include <numeric>

#include "base/random.h"
#include "boost/booster_kind.h"
#include "boost/updaters.h"

namespace xgbl {
namespace {

// Draws of a round, by index: these two, then one for each tree.
constexpr std::uint64_t kSkipDraw = 0;
constexpr std::uint64_t kOneDraw = 1;
constexpr std::uint64_t kTreeDraws = 2;

// What is drawn by: weights of trees, or 1 for each.
std::vector<double> ChancesOf(DartParam const& param, Model const& model) {
  std::vector<double> chances(model.trees.size(), 1.0);
  if (param.sample_type == "uniform") return chances;
  for (std::size_t t = 0; t < chances.size(); ++t) chances[t] = double{model.TreeWeight(t)};
  return chances;
}

// The tree in whose part of the sum of chances the draw falls.
std::size_t TreeAt(double draw, std::vector<double> const& chances, double total) {
  double below = 0;
  for (std::size_t t = 0; t < chances.size(); ++t) {
    below += chances[t];
    if (draw * total < below) return t;
  }
  return chances.size() - 1;
}

// Gradient boosting (Friedman 2001): a round adds trees that fit the gradients at the margins of all trees before, but
// for those that it drops.
class BoostedTrees : public BoosterKind {
 public:
  explicit BoostedTrees(std::string const& name) : is_dart_(name == "dart") {}

  void Configure(ParamMap const& params) override { param_ = ParamsFrom<DartParam>(params); }
  // As in xgboost since 3.4, gbtree drops trees, too, if that is asked for.
  ParamMap Params() const override { return is_dart_ || param_.MayDrop() ? TextOf(param_) : ParamMap(); }
  void Check(KindSetting const& setting) const override {
    CheckTreesFit(setting);
    CheckGrowing(setting.boost);
  }

  std::vector<float> TrainingWeights(TrainingState const& state) const override {
    auto const dropped = DroppedTrees(param_, state.model, state.seed);
    if (dropped.empty()) return {};
    std::vector<float> weights = state.model.tree_weights;
    weights.resize(state.model.trees.size(), 1.0F);
    for (std::size_t const tree : dropped) weights[tree] = 0;
    return weights;
  }

  Round Grow(RoundInput const& input, RoundMemory* memory) const override {
    Round round = GrowRoundOfTrees(input, memory);
    auto const dropped = DroppedTrees(param_, *input.model, input.ctx.seed);
    if (dropped.empty()) return round;
    round.tree_weights = Reweighted(param_, *input.model, dropped, round.trees.size(), input.tree.learning_rate);
    round.margins = {};
    round.changes_earlier = true;
    return round;
  }

 private:
  bool is_dart_;
  DartParam param_;
};

auto const kGbTree = Register<BoosterKind, BoostedTrees>("gbtree", "Gradient boosted trees.");
auto const kDart =
    Register<BoosterKind, BoostedTrees>("dart", "Boosted trees, of which each round leaves out some (dropout).")
        .Params<DartParam>();

}  // namespace

std::vector<std::size_t> DroppedTrees(DartParam const& param, Model const& model, std::uint64_t seed) {
  std::vector<std::size_t> dropped;
  Random const random(seed, Purpose::kDroppedTrees, model.Rounds());
  if (!param.MayDrop() || model.trees.empty() || random.Uniform(kSkipDraw) < param.skip_drop) return dropped;
  std::vector<double> const chances = ChancesOf(param, model);
  double const total = std::accumulate(chances.begin(), chances.end(), 0.0);
  double const scale = param.rate_drop * static_cast<double>(chances.size()) / total;
  for (std::size_t t = 0; t < chances.size(); ++t) {
    if (random.Uniform(kTreeDraws + t) < scale * chances[t]) dropped.push_back(t);
  }
  if (dropped.empty() && param.one_drop) dropped.push_back(TreeAt(random.Uniform(kOneDraw), chances, total));
  return dropped;
}

std::vector<float> Reweighted(DartParam const& param, Model const& model, std::vector<std::size_t> const& dropped,
                              std::size_t fresh, double learning_rate) {
  std::vector<float> weights = model.tree_weights;
  weights.resize(model.trees.size(), 1.0F);
  auto const count = static_cast<double>(dropped.size());
  bool const by_tree = param.normalize_type == "tree";
  double const factor = by_tree ? count / (count + learning_rate) : 1 / (1 + learning_rate);
  for (std::size_t const tree : dropped) weights[tree] *= static_cast<float>(factor);
  weights.insert(weights.end(), fresh, static_cast<float>(by_tree ? 1 / (count + learning_rate) : factor));
  return weights;
}

}  // namespace xgbl
