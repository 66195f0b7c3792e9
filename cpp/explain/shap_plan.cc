// SPDX-License-Identifier: Apache-2.0
#include "explain/shap_plan.h"

#include <algorithm>
#include <array>
#include <utility>

namespace xgbl {
namespace {

constexpr std::size_t kStates = 3;  // a row goes left, goes right, or was kept from coming along

// What a step's constants are made of.
struct StepShares {
  double before = 1;              // the feature's z above the node
  std::array<double, 2> ratio{};  // of the children's covers
  std::array<double, 2> value{};  // of leaves; 0 for others
};

class PlanBuilder {
 public:
  PlanBuilder(PackedTree const& tree, std::size_t features, std::size_t output, double weight, PairTable const* pairs)
      : tree_(tree), features_(features), output_(output), weight_(weight), pairs_(pairs), last_(features, 0) {}

  ShapPlan Make() {
    plan_.steps.reserve(2 * tree_.nodes.size());
    shares_.reserve(2 * tree_.nodes.size());
    open_.push_back(Open{0, 0, 1});
    while (!open_.empty()) Visit();
    FillConstants();
    return std::move(plan_);
  }

 private:
  struct Open {
    std::uint32_t place = 0;
    int next = 0;      // side to go to
    double reach = 1;  // the product of the cover ratios
    bool begun = false;
    bool told = false;
    std::uint32_t choice = 0;
  };
  struct Edge {
    std::uint32_t feature = 0;
    std::uint32_t previous = 0;  // level of the last one with the feature
    double share = 1;            // z with this edge
    std::size_t step = 0;        // that goes down
    std::size_t different = 0;   // features on the path up to here
  };

  std::uint32_t Level() const { return static_cast<std::uint32_t>(open_.size() - 1); }

  double ValueOf(std::uint32_t place) const {
    return weight_ * static_cast<double>(tree_.tree->Value(tree_.nodes[place].id)[output_]);
  }

  // One side of the node on top after the other, then its leaves.
  void Visit() {
    Open const at = open_.back();
    if (IsLeaf(tree_, at.place)) {
      if (open_.size() == 1) plan_.mean = ValueOf(at.place);
      open_.pop_back();
      return;
    }
    if (at.next > 0 && !IsLeaf(tree_, tree_.nodes[at.place].left + static_cast<std::uint32_t>(at.next - 1))) Return();
    if (at.next == 2) {
      Finish();
      return;
    }
    ++open_.back().next;
    std::uint32_t const child = tree_.nodes[at.place].left + static_cast<std::uint32_t>(at.next);
    if (!IsLeaf(tree_, child)) Descend(child, at.next);
  }

  ShapStep StepOf(ShapStep::Kind kind, std::uint32_t place, bool left) {
    PackedNode const& node = tree_.nodes[place];
    ShapStep step;
    step.kind = kind;
    step.left = left;
    step.level = Level();
    step.cell = node.cell;
    step.threshold = node.threshold;
    step.feature = FeatureOfCell(node.cell, features_);
    step.alive = last_[step.feature];
    if (step.alive != 0) plan_.steps[path_[step.alive - 1].step].remembers = true;
    if (!tree_.plain && !AskedByComparison(*tree_.tree, Tree::At(node.id))) TellApart(node, &step);
    return step;
  }

  // All steps of a node read one cell of its own.
  void TellApart(PackedNode const& node, ShapStep* step) {
    Open& at = open_.back();
    if (!at.told) {
      at.told = true;
      at.choice = static_cast<std::uint32_t>(plan_.choices.size());
      plan_.choices.push_back({node.id, node.cell});
    }
    step->cell = static_cast<std::uint32_t>(2 * features_) + at.choice;
    step->threshold = 0;
  }

  void Append(ShapStep step, std::uint32_t place) {
    bool const down = step.kind == ShapStep::Kind::kDown;
    bool const leaves = step.kind == ShapStep::Kind::kLeaves;
    step.constants = constants_;
    std::size_t const blocks = leaves ? 2 * kStates : (down && pairs_ != nullptr ? kStates + 2 : kStates);
    constants_ += static_cast<std::uint32_t>(blocks);
    if (!down) {
      step.first = !open_.back().begun;
      open_.back().begun = true;
      AppendPairs(&step);
    }
    plan_.steps.push_back(step);
    shares_.push_back(SharesAt(step, place));
  }

  void AppendPairs(ShapStep* step) {
    if (pairs_ == nullptr) return;
    step->pair_begin = static_cast<std::uint32_t>(plan_.pairs.size());
    for (std::uint32_t level = 1; level <= step->level; ++level) {
      std::uint32_t const other = path_[level - 1].feature;
      if (other == step->feature || last_[other] != level) continue;
      plan_.pairs.push_back({level, pairs_->Slot(other, step->feature)});
    }
    step->pair_end = static_cast<std::uint32_t>(plan_.pairs.size());
  }

  StepShares SharesAt(ShapStep const& step, std::uint32_t place) const {
    StepShares shares;
    CoverRatios const ratios = RatiosOf(*tree_.tree, tree_.nodes[place].id);
    shares.before = step.alive == 0 ? 1 : path_[step.alive - 1].share;
    shares.ratio = {ratios.left, ratios.right};
    for (std::uint32_t side = 0; side < 2; ++side) {
      std::uint32_t const child = tree_.nodes[place].left + side;
      if (IsLeaf(tree_, child)) shares.value[side] = ValueOf(child);
    }
    return shares;
  }

  void Descend(std::uint32_t child, int side) {
    Open const& at = open_.back();
    Append(StepOf(ShapStep::Kind::kDown, at.place, side == 0), at.place);
    ShapStep const& step = plan_.steps.back();
    StepShares const& shares = shares_.back();
    double const ratio = shares.ratio[static_cast<std::size_t>(side)];
    std::size_t const different = path_.empty() ? 0 : path_.back().different;
    path_.push_back({step.feature, step.alive, shares.before * ratio, plan_.steps.size() - 1,
                     different + (step.alive == 0 ? 1 : 0)});
    last_[step.feature] = static_cast<std::uint32_t>(path_.size());
    open_.push_back(Open{child, 0, at.reach * ratio});
    plan_.levels = std::max(plan_.levels, open_.size());
  }

  void Return() {
    Edge const& edge = path_.back();
    bool const left = plan_.steps[edge.step].left;
    last_[edge.feature] = edge.previous;
    path_.pop_back();
    std::uint32_t const place = open_.back().place;
    Append(StepOf(ShapStep::Kind::kUp, place, left), place);
  }

  void Finish() {
    Open const at = open_.back();
    std::uint32_t const left = tree_.nodes[at.place].left;
    if (IsLeaf(tree_, left) || IsLeaf(tree_, left + 1)) {
      Append(StepOf(ShapStep::Kind::kLeaves, at.place, true), at.place);
      StepShares const& shares = shares_.back();
      for (std::size_t side = 0; side < 2; ++side) plan_.mean += at.reach * shares.ratio[side] * shares.value[side];
      std::size_t const above = path_.empty() ? 0 : path_.back().different;
      most_different_ = std::max(most_different_, above + (plan_.steps.back().alive == 0 ? 1 : 0));
    }
    open_.pop_back();
  }

  void FillConstants() {
    std::size_t const needed = (most_different_ + 1) / 2;
    plan_.walks = (needed + ShapTask::kMostPoints - 1) / ShapTask::kMostPoints;
    plan_.points = (needed + plan_.walks - 1) / plan_.walks;
    plan_.walk_constants = constants_ * plan_.points;
    plan_.constants.resize(plan_.walk_constants * plan_.walks);
    auto const points = Quadrature(plan_.points * plan_.walks);
    for (std::size_t p = 0; p < points.size(); ++p) {
      double* const walk = plan_.constants.data() + p / plan_.points * plan_.walk_constants + p % plan_.points;
      for (std::size_t i = 0; i < plan_.steps.size(); ++i) {
        Fill(plan_.steps[i], shares_[i], points[p], walk + plan_.steps[i].constants * plan_.points);
      }
    }
  }

  // The constants of one step at one point; those of different states lie `points` apart.
  void Fill(ShapStep const& step, StepShares const& shares, QuadraturePoint const& point, double* out) const {
    double const above = step.alive == 0 ? 1 : 1 / (shares.before * point.rest + point.at);
    std::size_t const mine = step.left ? 0 : 1, stride = plan_.points;
    double const z = shares.before * shares.ratio[mine];
    double const along = z * point.rest + point.at;
    std::size_t const in = mine * stride, outside = (1 - mine) * stride, dead = 2 * stride;
    if (step.kind == ShapStep::Kind::kLeaves) return FillLeaves(shares, point, above, out);
    if (step.kind == ShapStep::Kind::kUp) {
      out[in] = point.weight * (shares.before - z) / along * above;
      out[outside] = -point.weight / point.rest * above;
      out[dead] = 0;
      return;
    }
    out[in] = along * above;
    out[outside] = z * point.rest * above;
    out[dead] = shares.ratio[mine];
    if (pairs_ == nullptr) return;
    out[kStates * stride] = (1 - z) / along;
    out[(kStates + 1) * stride] = -1 / point.rest;
  }

  // What a leaf adds to its feature is the product of the constants on the way down and up, in which most cancels.
  void FillLeaves(StepShares const& shares, QuadraturePoint const& point, double above, double* out) const {
    for (std::size_t state = 0; state < kStates; ++state) {
      double sum = 0, gain = 0;
      for (std::size_t side = 0; side < 2; ++side) {
        double const z = shares.before * shares.ratio[side];
        bool const is_dead = state == 2, in = state == side;
        double const factor = is_dead ? shares.ratio[side] : (in ? z * point.rest + point.at : z * point.rest) * above;
        double const own = is_dead ? 0 : (in ? shares.before - z : -z) * above * above;
        sum += shares.value[side] * factor;
        gain += shares.value[side] * own;
      }
      out[state * plan_.points] = sum;
      out[(kStates + state) * plan_.points] = gain * point.weight;
    }
  }

  PackedTree const& tree_;
  std::size_t features_;
  std::size_t output_;
  double weight_;
  PairTable const* pairs_;
  std::vector<std::uint32_t> last_;  // by feature: the level that its last edge leads to, 0 if there is none
  std::vector<Open> open_;
  std::vector<Edge> path_;
  std::vector<StepShares> shares_;
  std::uint32_t constants_ = 0;
  std::size_t most_different_ = 1;
  ShapPlan plan_;
};

}  // namespace

void PairTable::Add(PackedTree const& tree, std::size_t features) {
  std::vector<std::pair<std::uint32_t, std::size_t>> open{{0, 0}};  // place, level
  std::vector<std::uint32_t> path;
  while (!open.empty()) {
    auto const [place, level] = open.back();
    open.pop_back();
    if (IsLeaf(tree, place)) continue;
    std::uint32_t const feature = FeatureOfCell(tree.nodes[place].cell, features);
    path.resize(level);
    for (std::uint32_t const other : path) {
      if (other != feature) slots_.emplace(Key(other, feature), static_cast<std::uint32_t>(slots_.size()));
    }
    path.push_back(feature);
    for (std::uint32_t side = 0; side < 2; ++side) open.emplace_back(tree.nodes[place].left + side, level + 1);
  }
}

ShapPlan MakeShapPlan(PackedTree const& tree, std::size_t features, std::size_t output, double weight,
                      PairTable const* pairs) {
  return PlanBuilder(tree, features, output, weight, pairs).Make();
}

}  // namespace xgbl
