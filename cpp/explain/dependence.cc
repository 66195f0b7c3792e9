// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <limits>
#include <utility>

#include "base/error.h"
#include "explain/explain.h"
#include "explain/forest.h"

namespace xgbl {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

// What splits on a feature let through.
struct Passing {
  float low = -kInfinity;
  float high = kInfinity;
  bool top = true;  // infinity itself, which no interval that ends below it has
  bool missing = true;
  std::vector<std::uint8_t> categories;
};

struct Change {
  float low;
  float high;
  bool top;
  std::size_t output;
  double value;
};

// What is collected of one feature.
struct Collected {
  std::size_t categories = 0;   // 0: numbers
  std::vector<Change> changes;  // of numbers
  std::vector<double> values;   // of categories, x outputs
  std::vector<double> missing;
};

struct Edge {
  std::uint32_t feature = 0;
  double ratio = 1;
  Passing passing;
};

class Collector {
 public:
  explicit Collector(Forest const& forest) : forest_(forest), found_(forest.Features().size()) {
    for (auto& one : found_) one.missing.resize(forest.Outputs());
    for (std::size_t t = 0; t < forest.Size(); ++t) CountCategories(forest.At(t));
    for (auto& one : found_) one.values.resize(one.categories * forest.Outputs());
  }

  void Add(std::size_t tree_number) {
    tree_ = &forest_.At(tree_number);
    forest_.ForEachOutput(tree_number, [&](std::size_t output, std::size_t own, double weight) {
      means_ = NodeMeans(*tree_, own, weight);
      output_ = output;
      Walk();
    });
  }

  FeatureSteps Steps(std::size_t i) const {
    Collected const& collected = found_[i];
    FeatureSteps steps{forest_.Features()[i], collected.categories > 0, {}, collected.values, collected.missing};
    if (steps.categorical) return steps;
    for (auto const& change : collected.changes) {
      if (change.low > -kInfinity) steps.edges.push_back(change.low);
      if (!change.top) steps.edges.push_back(change.high);
    }
    std::sort(steps.edges.begin(), steps.edges.end());
    steps.edges.erase(std::unique(steps.edges.begin(), steps.edges.end()), steps.edges.end());
    std::size_t const outputs = forest_.Outputs();
    steps.values.assign((steps.edges.size() + 1) * outputs, 0.0);
    auto const place_of = [&](float edge) {
      auto const found = std::upper_bound(steps.edges.begin(), steps.edges.end(), edge);
      return static_cast<std::size_t>(found - steps.edges.begin());
    };
    for (auto const& change : collected.changes) {
      std::size_t const first = change.low > -kInfinity ? place_of(change.low) : 0;
      steps.values[first * outputs + change.output] += change.value;
      if (!change.top) steps.values[place_of(change.high) * outputs + change.output] -= change.value;
    }
    for (std::size_t k = outputs; k < steps.values.size(); ++k) steps.values[k] += steps.values[k - outputs];
    return steps;
  }

 private:
  std::uint32_t FeatureOf(PackedNode const& node) const { return FeatureOfCell(node.cell, found_.size()); }

  void CountCategories(PackedTree const& tree) {
    if (tree.plain) return;
    for (auto const& node : tree.nodes) {
      if (tree.tree->IsLeaf(node.id) || tree.tree->categorical[Tree::At(node.id)] == 0) continue;
      auto const set = tree.tree->CategorySet(node.id);
      std::size_t const most = set.empty() ? 1 : static_cast<std::size_t>(set[set.size() - 1]) + 2;
      auto& categories = found_[FeatureOf(node)].categories;
      categories = std::max(categories, most);
    }
  }

  void Walk() {
    std::vector<std::pair<std::uint32_t, std::size_t>> open{{0, 0}};  // place, edges above
    parent_.assign(tree_->nodes.size(), 0);
    path_.clear();
    while (!open.empty()) {
      auto const [place, level] = open.back();
      open.pop_back();
      path_.resize(level == 0 ? 0 : level - 1);
      if (level > 0) path_.push_back(EdgeTo(place));
      if (IsLeaf(*tree_, place)) continue;
      AddSplit(place);
      std::uint32_t const left = tree_->nodes[place].left;
      for (std::uint32_t const child : {left + 1, left}) {
        parent_[child] = place;
        open.emplace_back(child, level + 1);
      }
    }
  }

  // What lets a row through to a node whose parent is at the end of the path.
  Edge EdgeTo(std::uint32_t place) const {
    std::uint32_t const parent = parent_[place];
    PackedNode const& node = tree_->nodes[parent];
    bool const left = node.left == place;
    CoverRatios const ratios = RatiosOf(*tree_->tree, node.id);
    return {FeatureOf(node), left ? ratios.left : ratios.right, Beyond(node, Before(FeatureOf(node)), left)};
  }

  Passing Before(std::uint32_t feature) const {
    for (std::size_t i = path_.size(); i-- > 0;) {
      if (path_[i].feature == feature) return path_[i].passing;
    }
    Passing all;
    all.categories.assign(found_[feature].categories, 1);
    return all;
  }

  Passing Beyond(PackedNode const& node, Passing passing, bool left) const {
    Tree const& tree = *tree_->tree;
    passing.missing = passing.missing && (tree.default_left[Tree::At(node.id)] != 0) == left;
    for (std::size_t c = 0; c < passing.categories.size(); ++c) {
      if (tree.GoesLeft(node.id, static_cast<float>(c)) != left) passing.categories[c] = 0;
    }
    float const threshold = tree.threshold[Tree::At(node.id)];
    if (left) {
      passing.high = std::min(passing.high, threshold);
      passing.top = false;
    } else {
      passing.low = std::max(passing.low, threshold);
    }
    return passing;
  }

  void AddSplit(std::uint32_t place) {
    PackedNode const& node = tree_->nodes[place];
    std::uint32_t const feature = FeatureOf(node);
    double weight = 1;
    for (auto const& edge : path_) weight *= edge.feature == feature ? 1 : edge.ratio;
    Passing const before = Before(feature);
    for (std::uint32_t side = 0; side < 2; ++side) {
      double const change = weight * (means_[node.left + side] - means_[place]);
      Record(Beyond(node, before, side == 0), change, &found_[feature]);
    }
  }

  void Record(Passing const& passing, double change, Collected* to) const {
    if (passing.missing) to->missing[output_] += change;
    for (std::size_t c = 0; c < passing.categories.size(); ++c) {
      if (passing.categories[c] != 0) to->values[c * forest_.Outputs() + output_] += change;
    }
    bool const some = passing.low < passing.high || (passing.top && passing.low == kInfinity);
    if (to->categories == 0 && some) {
      to->changes.push_back({passing.low, passing.high, passing.top, output_, change});
    }
  }

  Forest const& forest_;
  std::vector<Collected> found_;
  PackedTree const* tree_ = nullptr;
  std::vector<double> means_;
  std::size_t output_ = 0;
  std::vector<Edge> path_;
  std::vector<std::uint32_t> parent_;
};

}  // namespace

std::vector<FeatureSteps> DependenceSteps(Model const& model, RoundRange trees) {
  Require<ParamError>(!model.linear, "A linear model has no trees, and so no steps. Use partial_dependence().");
  Forest const forest(model, trees);
  Collector collector(forest);
  for (std::size_t t = 0; t < forest.Size(); ++t) collector.Add(t);
  std::vector<FeatureSteps> steps;
  for (std::size_t i = 0; i < forest.Features().size(); ++i) steps.push_back(collector.Steps(i));
  return steps;
}

}  // namespace xgbl
