// SPDX-License-Identifier: Apache-2.0
#include "boost/leaf_values.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "base/error.h"
#include "boost/output_columns.h"
#include "parallel/parallel_for.h"
#include "parallel/reduce.h"
#include "tree/gain.h"

namespace xgbl {
namespace {

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

void SetLeaf(double weight, TreeParam const& param, std::size_t at, Tree* tree) {
  tree->value[at] = static_cast<float>(param.learning_rate) * static_cast<float>(weight);
}

// So that threads which take one after the other end together.
std::vector<LeafRows::Leaf> LargestFirst(std::vector<LeafRows::Leaf> leaves) {
  std::sort(leaves.begin(), leaves.end(), [](auto const& a, auto const& b) {
    std::size_t const left = a.end - a.begin, right = b.end - b.begin;
    return left != right ? left > right : a.node < b.node;
  });
  return leaves;
}

// The rows of a tree by node: those of a node and all below it are one run, for leaves stand in the order in which a
// walk meets them.
class SubtreeRows {
 public:
  SubtreeRows(Tree const& tree, LeafRows const& rows) : begin_(tree.Size()), end_(tree.Size()) {
    std::vector<LeafRows::Leaf> leaf_of(tree.Size());
    for (auto const& leaf : rows.leaves) leaf_of[Tree::At(leaf.node)] = leaf;
    auto const order = ReachableNodes(tree);
    for (NodeId const node : order) {
      std::size_t const at = Tree::At(node);
      begin_[at] = rows_.size();
      rows_.insert(rows_.end(), rows.rows.data() + leaf_of[at].begin, rows.rows.data() + leaf_of[at].end);
      end_[at] = rows_.size();
    }
    for (auto node = order.rbegin(); node != order.rend(); ++node) {
      if (!tree.IsLeaf(*node)) end_[Tree::At(*node)] = end_[Tree::At(tree.right[Tree::At(*node)])];
    }
  }

  Span<std::uint32_t const> Of(NodeId node) const {
    std::size_t const at = Tree::At(node);
    return Span<std::uint32_t const>(rows_).Sub(begin_[at], end_[at] - begin_[at]);
  }

 private:
  std::vector<std::uint32_t> rows_;
  std::vector<std::size_t> begin_, end_;  // by node
};

/// The objective fits each leaf itself.
class FittedLeaves {
 public:
  explicit FittedLeaves(LeafValueTask const& task)
      : task_(task),
        max_step_(task.param.max_delta_step > 0 ? task.param.max_delta_step : std::numeric_limits<double>::infinity()),
        constrained_(GainRule(task.param).Monotone()) {}

  void operator()(RowSample const& /*sample*/, std::size_t first, GrownTree* grown) const {
    auto const outputs = static_cast<std::size_t>(grown->tree.outputs);
    auto const bounds = constrained_ ? Bounds(first, *grown) : std::vector<WeightBounds>();
    LeafRows const& rows = grown->rows.sampled;
    auto const leaves = LargestFirst(rows.leaves);
    Span<std::uint32_t const> const all(rows.rows.data(), rows.rows.size());
    ParallelTasks(ForWork(task_.ctx, all.size() * outputs), leaves.size() * outputs, [&](std::size_t i, int) {
      auto const& leaf = leaves[i / outputs];
      std::size_t const at = Tree::At(leaf.node) * outputs + i % outputs;
      double weight = Fit(all.Sub(leaf.begin, leaf.end - leaf.begin), first + i % outputs);
      if (constrained_) weight = std::clamp(weight, bounds[at].low, bounds[at].high);
      SetLeaf(weight, task_.param, at, &grown->tree);
    });
  }

 private:
  double Fit(Span<std::uint32_t const> rows, std::size_t output) const {
    double const weight = task_.objective->FitLeaf({task_.margins.View(), task_.meta, rows, output, task_.state});
    return std::clamp(weight, -max_step_, max_step_);
  }

  // What monotone constraints leave to each node and output: as when a tree grows, but by fitted values, which may be
  // far from the weights that it grew by.
  std::vector<WeightBounds> Bounds(std::size_t first, GrownTree const& grown) const {
    Tree const& tree = grown.tree;
    auto const outputs = static_cast<std::size_t>(tree.outputs);
    std::size_t features = task_.param.monotone_constraints.size();
    for (std::uint32_t const feature : tree.feature) features = std::max<std::size_t>(features, feature + 1);
    MonotoneConstraints const monotone(task_.param, features);
    SubtreeRows const rows(tree, grown.rows.sampled);
    std::vector<WeightBounds> bounds(tree.Size() * outputs);
    for (NodeId const node : ReachableNodes(tree)) {
      if (tree.IsLeaf(node)) continue;
      std::size_t const at = Tree::At(node);
      NodeId const left = tree.left[at], right = tree.right[at];
      for (std::size_t k = 0; k < outputs; ++k) {
        WeightBounds const above = bounds[at * outputs + k];
        auto const weight = [&](NodeId of) { return std::clamp(Fit(rows.Of(of), first + k), above.low, above.high); };
        auto below = std::make_pair(above, above);
        if (monotone.Sign(tree.feature[at]) != 0) {
          double const at_left = weight(left), at_right = weight(right);
          // Children in the wrong order meet at the fit to the rows of both, so that few rows do not move many.
          bool const allowed = monotone.Allows(tree.feature[at], at_left, at_right);
          below = monotone.ChildBounds(above, tree.feature[at], allowed ? (at_left + at_right) / 2 : weight(node));
        }
        bounds[Tree::At(left) * outputs + k] = below.first;
        bounds[Tree::At(right) * outputs + k] = below.second;
      }
    }
    return bounds;
  }

  LeafValueTask task_;
  double max_step_;
  bool constrained_;
};

// Where the weight of least loss lies: between two points from which the loss falls towards the inside.
class Bracket {
 public:
  /// After a first step from 0 to `weight`, `curvature` that of the loss at 0.
  Bracket(double weight, double curvature) : steepest_(curvature * std::fabs(weight)) {
    if (weight > 0) low_ = 0;
    if (weight < 0) high_ = 0;
  }

  /// From `at` to the `next` point that Newton's method proposes, or half of the way back, if that is shorter or if the
  /// loss is steeper at `at` than it was at the start.
  double Step(double at, double next, double curvature) {
    if (!std::isfinite(next)) next = std::fabs(low_) < std::fabs(high_) ? low_ : high_;  // `at` is much too far away
    if (!std::isfinite(next)) return at;
    if (next < at) high_ = at;
    if (next > at) low_ = at;
    double const half = (high_ - low_) / 2, step = std::fabs(next - at);
    bool const trusted = step <= half && step * curvature <= steepest_;
    return trusted || !std::isfinite(half) ? next : low_ + half;
  }

 private:
  double low_ = -std::numeric_limits<double>::infinity();
  double high_ = std::numeric_limits<double>::infinity();
  double steepest_ = 0;
};

/// Further Newton steps, after the one that grew the tree.
class NewtonLeaves {
 public:
  explicit NewtonLeaves(LeafValueTask const& task) : task_(task), rule_(task.param) {}

  void operator()(RowSample const& sample, std::size_t first, GrownTree* grown) const {
    std::vector<Bracket> brackets = BracketsOf(grown->tree);
    Gradients gradients;
    for (int step = 1; step < task_.param.leaf_estimation_iterations; ++step) {
      Matrix<float> const margins = MarginsWith(*grown, first);
      ObjectiveState state = task_.state != nullptr ? *task_.state : ObjectiveState();
      task_.objective->Gradient({margins.View(), task_.meta, task_.ctx, task_.round, &state}, &gradients);
      auto const outputs = static_cast<std::size_t>(grown->tree.outputs);
      GradientGroup const group(gradients.View(), first, outputs, task_.ctx);
      for (std::size_t k = 0; k < outputs; ++k) {
        ScaledColumns const column(group.Views(k, 1), sample, task_.ctx);
        Step(column.Views()[0], k, &brackets, grown);
      }
    }
  }

 private:
  std::vector<Bracket> BracketsOf(Tree const& tree) const {
    std::vector<Bracket> brackets;
    for (std::size_t i = 0; i < tree.weight.size(); ++i) {
      // About its hessian: covers are sums over outputs.
      double const hessian = double{tree.cover[i / static_cast<std::size_t>(tree.outputs)]} / tree.outputs;
      brackets.emplace_back(double{tree.weight[i]}, hessian + rule_.Lambda());
    }
    return brackets;
  }

  // Where each row stands with the leaves added. Rows outside the sample too: the derivatives of those in it may depend
  // on them.
  Matrix<float> MarginsWith(GrownTree const& grown, std::size_t first) const {
    Matrix<float> margins = task_.margins;
    auto const view = margins.View();
    Tree const& tree = grown.tree;
    auto const outputs = static_cast<std::size_t>(tree.outputs);
    for (LeafRows const* rows : {&grown.rows.sampled, &grown.rows.others}) {
      rows->ForEachPiece(task_.ctx, [&](LeafRows::Leaf const& leaf, Span<std::uint32_t const> piece) {
        float const* weights = tree.weight.data() + Tree::At(leaf.node) * outputs;
        for (std::uint32_t const row : piece) {
          for (std::size_t k = 0; k < outputs; ++k) view(row, first + k) += weights[k];
        }
      });
    }
    return margins;
  }

  void Step(OutputGradients const& gradients, std::size_t output, std::vector<Bracket>* brackets,
            GrownTree* grown) const {
    Tree& tree = grown->tree;
    LeafRows const& rows = grown->rows.sampled;
    auto const leaves = LargestFirst(rows.leaves);
    ParallelTasks(ForWork(task_.ctx, rows.rows.size()), leaves.size(), [&](std::size_t i, int) {
      auto const& leaf = leaves[i];
      std::size_t const at = Tree::At(leaf.node) * static_cast<std::size_t>(tree.outputs) + output;
      auto const [gradient, hessian] = SumTogether<2>(task_.ctx, leaf.end - leaf.begin, [&](std::size_t k) {
        std::uint32_t const row = rows.rows.data()[leaf.begin + k];
        return std::array<double, 2>{double{gradients.G(row)}, double{gradients.H(row)}};
      });
      if (hessian <= 0) return;  // flat there: no step to take
      double const weight = double{tree.weight[at]};
      double const next = rule_.Weight(gradient - hessian * weight, hessian, grown->bounds[at]);
      bool const known = std::isfinite(gradient) && std::isfinite(hessian);
      double const step = (*brackets)[at].Step(weight, known ? next : kUnknown, hessian + rule_.Lambda());
      tree.weight[at] = static_cast<float>(step);
      SetLeaf(tree.weight[at], task_.param, at, &tree);
    });
  }

  LeafValueTask task_;
  GainRule rule_;
};

}  // namespace

LeafValues MakeLeafValues(LeafValueTask const& task) {
  int const steps = task.param.leaf_estimation_iterations;
  bool const fits = task.objective != nullptr && task.objective->FitsLeaves();
  Require<ParamError>(
      steps == 1 || task.objective != nullptr, "`leaf_estimation_iterations` is ", steps,
      ", but the derivatives of custom objectives and of `booster` adaboost can't be taken anew between "
      "steps. Leave it at 1, or use a built-in objective with another booster.");
  Require<ParamError>(steps == 1 || !fits, "`leaf_estimation_iterations` is ", steps,
                      ", but the objective fits its leaves itself: there are no steps to repeat. Leave it at 1, or, "
                      "for absolute and quantile error, set "
                      "`leaf_estimation_method` to smooth or newton.");
  if (fits) return FittedLeaves(task);
  if (steps > 1) return NewtonLeaves(task);
  return nullptr;
}

void FitLeavesAnew(LeafValueTask const& task, LeafRows rows, std::size_t first, Tree* tree) {
  if (task.objective == nullptr || !task.objective->FitsLeaves()) return;
  GrownTree grown{std::move(*tree), {std::move(rows), {}}, {}};
  FittedLeaves const fitted(task);
  fitted({}, first, &grown);
  *tree = std::move(grown.tree);
}

}  // namespace xgbl
