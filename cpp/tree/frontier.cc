// SPDX-License-Identifier: Apache-2.0
#include "tree/frontier.h"

#include <algorithm>
#include <cstddef>
#include <limits>

namespace xgbl {
namespace {

// The limits of a tree's size.
struct Limits {
  explicit Limits(TreeParam const& param)
      : depth(param.max_depth > 0 ? param.max_depth : std::numeric_limits<int>::max()),
        leaves(param.max_leaves > 0 ? static_cast<std::size_t>(param.max_leaves)
                                    : std::numeric_limits<std::size_t>::max()) {}
  int depth;
  std::size_t leaves;
};

class Depthwise final : public Frontier {
 public:
  explicit Depthwise(TreeParam const& param) : limits_(param) {}

  std::vector<NodeId> Next(GrowingTree* tree, std::vector<NodeId> const& evaluated) override {
    std::vector<NodeId> chosen;
    for (NodeId const node : evaluated) {
      GrowingNode const& open = (*tree)[node];
      if (!open.split.Valid() || open.depth >= limits_.depth || leaves_ >= limits_.leaves) continue;
      tree->Commit(node);
      ++leaves_;
      chosen.push_back(node);
    }
    return chosen;
  }

  bool StopsEarly() const override { return false; }

 private:
  Limits limits_;
  std::size_t leaves_ = 1;
};

class Lossguide final : public Frontier {
 public:
  explicit Lossguide(TreeParam const& param) : limits_(param), least_gain_(param.min_split_loss) {}

  std::vector<NodeId> Next(GrowingTree* tree, std::vector<NodeId> const& evaluated) override {
    if (evaluated == std::vector<NodeId>{0}) Open(*tree, 0);  // all others are opened when their parent is committed
    while (!open_.empty() && leaves_ < limits_.leaves) {
      auto const best = std::max_element(open_.begin(), open_.end(), [&](NodeId a, NodeId b) {
        return (*tree)[a].split.gain < (*tree)[b].split.gain;
      });
      NodeId const node = *best;
      if (!(*tree)[node].HasChildren()) return Batch(*tree);
      tree->Commit(node);
      ++leaves_;
      open_.erase(best);
      Open(*tree, (*tree)[node].left);
      Open(*tree, (*tree)[node].left + 1);
    }
    return {};
  }

  bool StopsEarly() const override { return true; }

 private:
  void Open(GrowingTree const& tree, NodeId node) {
    GrowingNode const& leaf = tree[node];
    bool const may_split = leaf.split.Valid() && leaf.split.gain >= least_gain_ && leaf.depth < limits_.depth;
    if (may_split) open_.push_back(node);
  }

  // The open leaves without children, best first, no more than may still be split.
  std::vector<NodeId> Batch(GrowingTree const& tree) const {
    std::vector<NodeId> batch;
    for (NodeId const node : open_) {
      if (!tree[node].HasChildren()) batch.push_back(node);
    }
    std::stable_sort(batch.begin(), batch.end(),
                     [&](NodeId a, NodeId b) { return tree[a].split.gain > tree[b].split.gain; });
    batch.resize(std::min(batch.size(), limits_.leaves - leaves_));
    return batch;
  }

  Limits limits_;
  double least_gain_;
  std::size_t leaves_ = 1;
  std::vector<NodeId> open_;  // leaves that may be split, in the order in which they came to be
};

}  // namespace

std::unique_ptr<Frontier> MakeFrontier(TreeParam const& param) {
  if (param.grow_policy == "lossguide") return std::make_unique<Lossguide>(param);
  return std::make_unique<Depthwise>(param);
}

}  // namespace xgbl
