// SPDX-License-Identifier: Apache-2.0
#include "tree/grow.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <limits>
#include <memory>
#include <queue>
#include <utility>

#include "base/error.h"
#include "parallel/parallel_for.h"

namespace xgbl {
namespace {

// Decides which nodes are split next, and when growth ends. Next() is told which nodes were evaluated last. It commits
// the splits that can be decided, and returns the nodes whose children must be evaluated before it can go on. An empty
// answer ends the tree.
//   depthwise: level by level; within max_leaves in the order of the nodes.
//   lossguide: always the open leaf of the largest gain, ties to the older one. Children of the next best leaves may be
//   evaluated in the same batch, before it is known that these will be split; what is committed is exactly what one
//   node at a time would have given.
class Frontier {
 public:
  // `ahead`: how many of the best leaves lossguide may have evaluated at once.
  // `stops_early`: whether depthwise refuses splits that gain less than min_split_loss; lossguide always does.
  Frontier(TreeParam const& param, std::size_t ahead, bool stops_early)
      : lossguide_(param.grow_policy == "lossguide"),
        most_depth_(param.max_depth > 0 ? param.max_depth : std::numeric_limits<int>::max()),
        most_leaves_(param.max_leaves > 0 ? static_cast<std::size_t>(param.max_leaves)
                                          : std::numeric_limits<std::size_t>::max()),
        least_gain_(lossguide_ || stops_early ? param.min_split_loss : 0),
        ahead_(ahead) {}

  std::vector<NodeId> Next(GrowingTree* tree, std::vector<NodeId> const& evaluated) {
    return lossguide_ ? NextByGain(tree, evaluated) : NextOfLevel(tree, evaluated);
  }

 private:
  struct Leaf {
    double gain = 0;
    std::size_t age = 0;  // rises in the order in which leaves came to be
    NodeId node = kNoNode;
    bool operator<(Leaf const& other) const { return gain != other.gain ? gain < other.gain : age > other.age; }
  };

  // How many leaves the tree may still have.
  std::size_t Room(GrowingTree const& tree) const {
    return most_leaves_ - std::min(most_leaves_, tree.commits.size() + 1);
  }

  bool MaySplit(GrowingNode const& node) const {
    return node.split.Valid() && node.split.gain >= least_gain_ && node.depth < most_depth_;
  }

  std::vector<NodeId> NextOfLevel(GrowingTree* tree, std::vector<NodeId> const& evaluated) const {
    std::vector<NodeId> chosen;
    for (NodeId const node : evaluated) {
      if (!MaySplit((*tree)[node]) || Room(*tree) == 0) continue;
      tree->Commit(node);
      chosen.push_back(node);
    }
    return chosen;
  }

  std::vector<NodeId> NextByGain(GrowingTree* tree, std::vector<NodeId> const& evaluated) {
    if (evaluated == std::vector<NodeId>{0}) Open(*tree, 0);  // all others are opened when their parent is committed
    while (!open_.empty() && Room(*tree) > 0) {
      NodeId const node = open_.top().node;
      if (!(*tree)[node].HasChildren()) return Batch(*tree);
      open_.pop();
      tree->Commit(node);
      Open(*tree, (*tree)[node].left);
      Open(*tree, (*tree)[node].left + 1);
    }
    return {};
  }

  void Open(GrowingTree const& tree, NodeId node) {
    if (MaySplit(tree[node])) open_.push({tree[node].split.gain, opened_++, node});
  }

  // Of the best open leaves those without children, best first; no more than may still be split.
  std::vector<NodeId> Batch(GrowingTree const& tree) {
    std::size_t const wanted = std::min({open_.size(), Room(tree), ahead_});
    std::vector<Leaf> best;
    for (; best.size() < std::max<std::size_t>(wanted, 1); open_.pop()) best.push_back(open_.top());
    std::vector<NodeId> batch;
    for (Leaf const& leaf : best) {
      open_.push(leaf);
      if (!tree[leaf.node].HasChildren()) batch.push_back(leaf.node);
    }
    return batch;
  }

  bool lossguide_;
  int most_depth_;
  std::size_t most_leaves_;
  double least_gain_;
  std::size_t ahead_;
  std::size_t opened_ = 0;
  std::priority_queue<Leaf> open_;  // leaves that may be split
};

// Below a path that used the features U, the allowed features are U itself and every declared set that contains all of
// U.
class InteractionConstraints {
 public:
  InteractionConstraints(TreeParam const& param, std::size_t num_features) {
    for (auto const& given : param.interaction_constraints) {
      std::vector<std::uint32_t> set;
      for (int const feature : given) {
        Require<ParamError>(feature >= 0 && static_cast<std::size_t>(feature) < num_features,
                            "`interaction_constraints` names feature ", feature, ", but the data have features 0 to ",
                            num_features == 0 ? 0 : num_features - 1, ".");
        set.push_back(static_cast<std::uint32_t>(feature));
      }
      std::sort(set.begin(), set.end());
      set.erase(std::unique(set.begin(), set.end()), set.end());
      sets_.push_back(std::move(set));
    }
  }

  bool Active() const { return !sets_.empty(); }

  // The features that may be split on below a path that used `used` (rising); empty means all.
  std::vector<std::uint32_t> Allowed(std::vector<std::uint32_t> const& used) const {
    if (!Active() || used.empty()) return {};
    std::vector<std::uint32_t> allowed = used;
    for (auto const& set : sets_) {
      if (!std::includes(set.begin(), set.end(), used.begin(), used.end())) continue;
      std::vector<std::uint32_t> joined;
      std::set_union(allowed.begin(), allowed.end(), set.begin(), set.end(), std::back_inserter(joined));
      allowed = std::move(joined);
    }
    return allowed;
  }

 private:
  std::vector<std::vector<std::uint32_t>> sets_;  // each rising
};

// What children take over from their parent: bounds, features used above, and the columns that they may split on.
class Inheritance {
 public:
  Inheritance(TreeTask const& task, ColumnSampler const& columns)
      : rule_(task.param),
        columns_(columns),
        monotone_(task.param, task.data.Columns()),
        interaction_(task.param, task.data.Columns()) {}

  void Root(GrowingTree* tree) const { Restrict(&(*tree)[0]); }

  void Children(GrowingTree* tree, NodeId parent) const {
    GrowingNode const above = (*tree)[parent];
    auto const bounds = ChildBounds(above, tree->scales);
    for (int side = 0; side < 2; ++side) {
      GrowingNode& child = (*tree)[above.left + side];
      child.bounds = side == 0 ? bounds.first : bounds.second;
      if (interaction_.Active()) child.path_features = With(above.path_features, above.split.feature);
      Restrict(&child);
    }
  }

 private:
  using Bounds = std::vector<WeightBounds>;  // by output

  std::pair<Bounds, Bounds> ChildBounds(GrowingNode const& parent, std::vector<FixedScale> const& scales) const {
    Split const& split = parent.split;
    if (monotone_.Sign(split.feature) == 0) return {parent.bounds, parent.bounds};
    std::pair<Bounds, Bounds> children;
    for (std::size_t k = 0; k < scales.size(); ++k) {
      WeightBounds const bounds = parent.Bounds(k);
      auto const weight = [&](FixedSum sum) {
        return rule_.Weight(scales[k].Gradient(sum), scales[k].Hessian(sum), bounds);
      };
      double const left = weight(split.left[k]), right = weight(split.right[k]);
      FixedSum const both = parent.sums[k];
      double const middle = monotone_.Allows(split.feature, left, right)
                                ? (left + right) / 2
                                : rule_.Weight(scales[k].Gradient(both), scales[k].Hessian(both), bounds, 2);
      auto const below = monotone_.ChildBounds(bounds, split.feature, middle);
      children.first.push_back(below.first);
      children.second.push_back(below.second);
    }
    return children;
  }

  static std::vector<std::uint32_t> With(std::vector<std::uint32_t> features, std::uint32_t feature) {
    auto const place = std::lower_bound(features.begin(), features.end(), feature);
    if (place == features.end() || *place != feature) features.insert(place, feature);
    return features;
  }

  void Restrict(GrowingNode* node) const {
    if (columns_.VariesInTree()) node->columns = columns_.Node(static_cast<std::size_t>(node->depth), node->path);
    node->splittable = !(columns_.VariesInTree() ? node->columns : columns_.Tree()).empty();
    std::vector<std::uint32_t> const allowed = interaction_.Allowed(node->path_features);
    if (allowed.empty() || !node->splittable) return;
    auto const& from = columns_.VariesInTree() ? node->columns : columns_.Tree();
    std::vector<std::uint32_t> both;
    std::set_intersection(from.begin(), from.end(), allowed.begin(), allowed.end(), std::back_inserter(both));
    node->columns = std::move(both);
    node->splittable = !node->columns.empty();
  }

  GainRule rule_;
  ColumnSampler const& columns_;
  MonotoneConstraints monotone_;
  InteractionConstraints interaction_;
};

// A node that no limit allows to be split need not be looked at.
bool WorthEvaluating(GrowingTree const& tree, NodeId id, TreeParam const& param) {
  GrowingNode const& node = tree[id];
  bool const deep = param.max_depth > 0 && node.depth >= param.max_depth;
  return node.splittable && !deep && tree.Hessian(id) >= 2 * param.min_child_weight;
}

void Evaluate(SplitFinder* finder, GrowingTree* tree, TreeParam const& param, std::vector<NodeId> const& nodes) {
  std::vector<NodeId> worth;
  std::copy_if(nodes.begin(), nodes.end(), std::back_inserter(worth),
               [&](NodeId node) { return WorthEvaluating(*tree, node, param); });
  if (worth.empty()) return;
  std::vector<Split> splits = finder->Evaluate(*tree, worth);
  for (std::size_t i = 0; i < worth.size(); ++i) (*tree)[worth[i]].split = std::move(splits[i]);
}

// From below: a split both of whose children are leaves and that gained too little becomes a leaf itself.
void Prune(GrowingTree* tree, double least_gain) {
  for (auto node = tree->commits.rbegin(); node != tree->commits.rend(); ++node) {
    GrowingNode& inner = (*tree)[*node];
    bool const twig = !(*tree)[inner.left].committed && !(*tree)[inner.left + 1].committed;
    if (twig && inner.split.gain < least_gain) inner.committed = false;
  }
}

// The final number of each growing node; a node below a leaf of the final tree gets that leaf's.
struct Numbering {
  Tree tree;
  std::vector<NodeId> final_of;  // by growing node
  std::vector<NodeId> source;    // by final node
};

// Gains grow with the square of gradients and may pass a float's range; files and sums want finite ones.
float FiniteFloat(double value) {
  return static_cast<float>(std::min(value, static_cast<double>(std::numeric_limits<float>::max())));
}

void SetCategories(GrowingTree const& growing, std::vector<NodeId> const& source, Tree* tree) {
  auto const& flags = tree->categorical;
  if (std::find(flags.begin(), flags.end(), 1) == flags.end()) return;
  tree->category_begin.assign(1, 0);
  for (std::size_t i = 0; i < tree->Size(); ++i) {
    auto const& set = growing[source[i]].split.right_categories;
    if (flags[i] != 0) tree->category.insert(tree->category.end(), set.begin(), set.end());
    tree->category_begin.push_back(tree->category.size());
  }
}

Numbering BuildStructure(GrowingTree const& growing, std::size_t outputs) {
  Numbering out;
  out.tree.outputs = static_cast<int>(outputs);
  out.final_of.assign(growing.nodes.size(), kNoNode);
  out.final_of[0] = out.tree.AddNode(kNoNode);
  out.source.push_back(0);
  for (NodeId const node : growing.commits) {
    GrowingNode const& inner = growing[node];
    if (!inner.committed) continue;
    NodeId const id = out.final_of[Tree::At(node)];
    NodeId const left = out.tree.Split(id, inner.split.feature, inner.split.threshold, inner.split.missing_left);
    out.tree.categorical[Tree::At(id)] = inner.split.right_categories.empty() ? 0 : 1;
    out.tree.gain[Tree::At(id)] = FiniteFloat(inner.split.gain);
    out.final_of[Tree::At(inner.left)] = left;
    out.final_of[Tree::At(inner.left) + 1] = left + 1;
    out.source.insert(out.source.end(), {inner.left, inner.left + 1});
  }
  for (std::size_t i = 1; i < growing.nodes.size(); ++i) {  // parents come before their children
    if (out.final_of[i] == kNoNode) out.final_of[i] = out.final_of[Tree::At(growing.nodes[i].parent)];
  }
  SetCategories(growing, out.source, &out.tree);
  return out;
}

// Leaves have their sums; inner nodes get those of their children, which always have higher numbers.
void SumUpwards(Tree const& tree, std::vector<FixedSum>* sums) {
  for (std::size_t i = tree.Size(); i-- > 1;) (*sums)[Tree::At(tree.parent[i])] += (*sums)[i];
}

// The values of one output of all nodes.
void SetValues(TreeParam const& param, GrowingTree const& growing, std::vector<NodeId> const& source,
               LeafSums const& sums, std::size_t output, Tree* tree) {
  GainRule const rule(param);
  auto const outputs = static_cast<std::size_t>(tree->outputs);
  for (std::size_t i = 0; i < tree->Size(); ++i) {
    double const gradient = sums.scale.Gradient(sums.by_node[i]), hessian = sums.scale.Hessian(sums.by_node[i]);
    auto const weight = static_cast<float>(rule.Weight(gradient, hessian, growing[source[i]].Bounds(output)));
    tree->cover[i] += static_cast<float>(hessian);
    tree->weight[i * outputs + output] = weight;
    bool const leaf = tree->IsLeaf(static_cast<NodeId>(i));
    tree->value[i * outputs + output] = leaf ? static_cast<float>(param.learning_rate) * weight : 0.0F;
  }
}

// Nodes are numbered in the order of their commitment. Leaf values come from the float gradients, because the integers
// that choose splits are coarser. Statistics of inner nodes are sums over their leaves.
GrownTree Finished(TreeTask const& task, GrowingTree const& growing, SplitFinder* finder) {
  auto const& gradients = task.leaf_gradients.empty() ? task.gradients : task.leaf_gradients;
  Numbering numbering = BuildStructure(growing, gradients.size());
  GrownTree grown;
  grown.rows = finder->CollectRows(growing, numbering.final_of);
  for (std::size_t output = 0; output < gradients.size(); ++output) {
    LeafSums sums = SumLeaves(gradients[output], {&grown.rows.sampled}, numbering.tree.Size(), task.ctx);
    SumUpwards(numbering.tree, &sums.by_node);
    SetValues(task.param, growing, numbering.source, sums, output, &numbering.tree);
  }
  for (NodeId const node : numbering.source) {
    for (std::size_t k = 0; k < gradients.size(); ++k) grown.bounds.push_back(growing[node].Bounds(k));
  }
  grown.tree = std::move(numbering.tree);
  return grown;
}

}  // namespace

GrownTree GrowTree(TreeTask task, TreeMethod const& method, bool prune) {
  ColumnSampler const columns(task.param, task.key, task.data.Columns(), task.data.Info().feature_weights);
  Inheritance const inheritance(task, columns);
  std::unique_ptr<SplitFinder> const finder = method.Start(&task, columns);
  Frontier frontier(task.param, finder->NodesAhead(), method.StopsEarly());

  GrowingTree tree;
  tree.scales = finder->Scales();
  tree.nodes.emplace_back();
  tree[0].sums = finder->RootSums();
  inheritance.Root(&tree);
  std::vector<NodeId> fresh{0};
  Evaluate(finder.get(), &tree, task.param, fresh);
  for (auto chosen = frontier.Next(&tree, fresh); !chosen.empty(); chosen = frontier.Next(&tree, fresh)) {
    CheckInterrupt(task.ctx);
    fresh.clear();
    for (NodeId const node : chosen) {
      NodeId const left = tree.AddChildren(node);
      inheritance.Children(&tree, node);
      fresh.insert(fresh.end(), {left, left + 1});
    }
    finder->Apply(tree, chosen);
    Evaluate(finder.get(), &tree, task.param, fresh);
  }
  if (prune) Prune(&tree, task.param.min_split_loss);
  return Finished(task, tree, finder.get());
}

}  // namespace xgbl
