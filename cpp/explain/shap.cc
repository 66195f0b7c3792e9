// SPDX-License-Identifier: Apache-2.0
// A tree is turned into the steps of a walk that gives exact Shapley values of all features at once.
//
// A feature that is not known sends a row both ways, in proportion to the covers. So what a leaf adds, given a set of
// known features, is its value times one factor per feature of its path. The factor of a known feature is 1 or 0 (does
// the row go along?), otherwise the product z of its cover ratios. The Shapley value of a feature is the integral over
// t in [0, 1] of the product of z (1 - t) + o t over the other features, times o - z, where o is that 1 or 0. The
// integrand is a polynomial, which a few points of quadrature integrate exactly. All terms except o - z are positive,
// so nothing cancels, however deep the tree. On the way down the walk keeps the product of the path (`before`), on the
// way back the sum over the leaves (`below`). It gives each edge's feature the share (o - z) / (z (1 - t) + o t) of it.
// Where a path splits on a feature again, the earlier share is taken off. A row costs O(nodes x path length / 2), in
// double.
//
// The interaction of two features has both factors o - z, and is half of it for each of the two.
// After Owen's multilinear extension (1972), TreeSHAP (Lundberg et al., 2018) and Linear TreeShap (Yu et al., 2022).
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include "explain/explain.h"
#include "explain/forest.h"
#include "explain/quadrature.h"
#include "simd/shap_kernels.h"

namespace xgbl {
namespace {

/// A node whose outcome the walk cannot find by a threshold: it is told by a cell of its own, below 0 for left.
struct ShapChoice {
  NodeId node = 0;
  std::uint32_t cell = 0;  // where the feature's value stands
};

struct ShapPlan {
  std::vector<ShapStep> steps;
  std::vector<ShapPair> pairs;
  std::vector<ShapChoice> choices;  // their cells follow those of the row
  std::size_t levels = 1;
  std::size_t points = 1;          // per walk
  std::size_t walks = 1;           // all with the same steps
  std::size_t walk_constants = 0;  // per walk
  std::vector<double> constants;
  double mean = 0;  // the value if nothing is known
};

/// The pairs of features that meet on some path, numbered.
class PairTable {
 public:
  void Add(PackedTree const& tree, std::size_t features);
  std::uint32_t Slot(std::uint32_t a, std::uint32_t b) const { return slots_.at(Key(a, b)); }
  std::size_t Size() const { return slots_.size(); }
  /// Calls `visit(a, b, slot)` with a < b.
  template <class Visit>
  void ForEach(Visit&& visit) const {
    for (auto const& [key, slot] : slots_) {
      visit(static_cast<std::uint32_t>(key >> 32U), static_cast<std::uint32_t>(key), slot);
    }
  }

 private:
  static std::uint64_t Key(std::uint32_t a, std::uint32_t b) {
    return a < b ? (std::uint64_t{a} << 32U | b) : (std::uint64_t{b} << 32U | a);
  }
  std::unordered_map<std::uint64_t, std::uint32_t> slots_;
};

/// `features` is the number of used features, by which cells are numbered; `pairs` is nullptr without interactions. The
/// values of leaves are those of `output`, times `weight`.
ShapPlan MakeShapPlan(PackedTree const& tree, std::size_t features, std::size_t output, double weight,
                      PairTable const* pairs);

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

// What one thread works with: sums of one output, for the groups of a task's rows. A group has those of features, then
// those of pairs.
struct Sums {
  std::size_t features;
  std::size_t pairs;
  std::vector<double> values;
  double mean = 0;

  double* Group(std::size_t group) { return values.data() + group * (features + pairs) * kGroupRows; }
  double Feature(std::size_t row, std::size_t feature) const {
    return values[(row / kGroupRows * (features + pairs) + feature) * kGroupRows + row % kGroupRows];
  }
  double Pair(std::size_t row, std::size_t slot) const { return Feature(row, features + slot); }
};

// The arrays by level, which grow with the deepest tree.
class Levels {
 public:
  ShapTask TaskFor(ShapPlan const& plan, bool with_pairs) {
    std::size_t const size = plan.levels * plan.points * kGroupRows;
    Grow(&before_, size);
    Grow(&below_, size);
    Grow(&inside_, plan.levels * kGroupRows);
    std::fill_n(before_.begin(), plan.points * kGroupRows, 1.0);
    std::fill_n(inside_.begin(), kGroupRows, 1.0);
    ShapTask task;
    task.steps = plan.steps.data();
    task.count = plan.steps.size();
    task.points = plan.points;
    task.inside = inside_.data();
    task.before = before_.data();
    task.below = below_.data();
    if (!with_pairs) return task;
    Grow(&shares_, size);
    Grow(&terms_, plan.points * kGroupRows);
    static constexpr ShapPair kNone{};
    task.pairs = plan.pairs.empty() ? &kNone : plan.pairs.data();
    task.shares = shares_.data();
    task.terms = terms_.data();
    return task;
  }

 private:
  static void Grow(std::vector<double>* values, std::size_t size) {
    if (values->size() < size) values->resize(size);
  }
  std::vector<double> before_, below_, inside_, shares_, terms_;
};

// Cells that tell the outcome of nodes on categories.
void TellChoices(PackedTree const& tree, ShapPlan const& plan, std::size_t features, RowBlock* rows) {
  for (std::size_t group = 0; group < rows->Groups(); ++group) {
    float* const cells = rows->Cells(group);
    for (std::size_t i = 0; i < plan.choices.size(); ++i) {
      float const* const x = cells + plan.choices[i].cell * kGroupRows;
      float* const outcome = cells + (2 * features + i) * kGroupRows;
      for (std::size_t row = 0; row < kGroupRows; ++row) {
        outcome[row] = GoesLeft(tree, PackedNode{0, 0, 0, plan.choices[i].node}, x[row]) ? -1.0F : 1.0F;
      }
    }
  }
}

void AddTree(PackedTree const& tree, ShapPlan const& plan, ShapKernels const& kernels, RowBlock* rows, Levels* levels,
             Sums* sums) {
  sums->mean += plan.mean;
  if (plan.steps.empty()) return;
  TellChoices(tree, plan, sums->features, rows);
  ShapTask task = levels->TaskFor(plan, sums->pairs > 0);
  for (std::size_t walk = 0; walk < plan.walks; ++walk) {
    task.constants = plan.constants.data() + walk * plan.walk_constants;
    for (std::size_t group = 0; group < rows->Groups(); ++group) {
      task.cells = rows->Cells(group);
      task.sums = sums->Group(group);
      task.pair_sums = task.sums + sums->features * kGroupRows;
      kernels.add_shap(task);
    }
  }
}

// Calls `found(row, output, sums, row of the task)` for all rows and outputs.
template <class Found>
void ForEachRow(Forest const& forest, FeatureMatrix const& features, PairTable const* pairs, Context const& ctx,
                Found const& found) {
  std::size_t const used = forest.Features().size(), num_pairs = pairs == nullptr ? 0 : pairs->Size();
  ForRowBlocks(forest, features, forest.MostChoices(), used + num_pairs, ctx, [&](std::size_t begin, RowBlock rows) {
    Sums sums{used, num_pairs, std::vector<double>(rows.Groups() * (used + num_pairs) * kGroupRows)};
    Levels levels;
    for (std::size_t output = 0; output < forest.Outputs(); ++output) {
      std::fill(sums.values.begin(), sums.values.end(), 0.0);
      sums.mean = 0;
      forest.ForEachTree(output, [&](PackedTree const& tree, std::size_t own_output, double weight) {
        ShapPlan const plan = MakeShapPlan(tree, used, own_output, weight, num_pairs == 0 ? nullptr : pairs);
        AddTree(tree, plan, ShapKernels::Of(ctx.simd), &rows, &levels, &sums);
      });
      for (std::size_t row = 0; row < rows.Rows(); ++row) found(begin + row, output, sums, row);
    }
  });
}

}  // namespace

void AddContributions(Model const& model, FeatureMatrix const& features, RoundRange trees, Context const& ctx,
                      MatrixView<float> out) {
  if (model.linear) return AddLinear(model, features, 1, ctx, out);
  Forest const forest(model, trees);
  std::size_t const width = out.columns() / forest.Outputs();
  ForEachRow(forest, features, nullptr, ctx,
             [&](std::size_t row, std::size_t output, Sums const& sums, std::size_t place) {
               forest.AddSums([&](std::size_t i) { return sums.Feature(place, i); }, sums.mean,
                              out.Row(row).Sub(output * width, width));
             });
}

void AddInteractions(Model const& model, FeatureMatrix const& features, RoundRange trees, Context const& ctx,
                     MatrixView<float> out) {
  std::size_t const cells = out.columns() / static_cast<std::size_t>(model.num_outputs);
  auto const width = static_cast<std::size_t>(std::lround(std::sqrt(static_cast<double>(cells))));
  if (model.linear) return AddLinear(model, features, width + 1, ctx, out);
  Forest const forest(model, trees);
  PairTable pairs;
  for (std::size_t t = 0; t < forest.Size(); ++t) pairs.Add(forest.At(t), forest.Features().size());
  ForEachRow(forest, features, &pairs, ctx,
             [&](std::size_t row, std::size_t output, Sums const& sums, std::size_t place) {
               float* const to = &out(row, output * width * width);
               std::vector<double> own(sums.features);
               for (std::size_t i = 0; i < own.size(); ++i) own[i] = sums.Feature(place, i);
               pairs.ForEach([&](std::uint32_t a, std::uint32_t b, std::uint32_t slot) {
                 double const half = sums.Pair(place, slot) / 2;
                 own[a] -= half;
                 own[b] -= half;
                 std::size_t const i = forest.Features()[a], j = forest.Features()[b];
                 to[i * width + j] = to[j * width + i] = static_cast<float>(half);
               });
               for (std::size_t i = 0; i < own.size(); ++i) {
                 std::size_t const feature = forest.Features()[i];
                 to[feature * width + feature] = static_cast<float>(own[i]);
               }
               float& bias = to[width * width - 1];
               bias = static_cast<float>(static_cast<double>(bias) + sums.mean);
             });
}

}  // namespace xgbl
