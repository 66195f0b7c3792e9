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
  Depthwise(TreeParam const& param, bool stops_early)
      : limits_(param), least_gain_(stops_early ? param.min_split_loss : 0) {}

  std::vector<NodeId> Next(GrowingTree* tree, std::vector<NodeId> const& evaluated) override {
    std::vector<NodeId> chosen;
    for (NodeId const node : evaluated) {
      GrowingNode const& open = (*tree)[node];
      bool const gains = open.split.Valid() && open.split.gain >= least_gain_;
      if (!gains || open.depth >= limits_.depth || leaves_ >= limits_.leaves) continue;
      tree->Commit(node);
      ++leaves_;
      chosen.push_back(node);
    }
    return chosen;
  }

 private:
  Limits limits_;
  double least_gain_;
  std::size_t leaves_ = 1;
};

class Lossguide final : public Frontier {
 public:
  Lossguide(TreeParam const& param, std::size_t ahead)
      : limits_(param), least_gain_(param.min_split_loss), ahead_(ahead) {}

  std::vector<NodeId> Next(GrowingTree* tree, std::vector<NodeId> const& evaluated) override {
    if (evaluated == std::vector<NodeId>{0}) Open(*tree, 0);  // all others are opened when their parent is committed
    while (!open_.empty() && leaves_ < limits_.leaves) {
      NodeId const node = open_.front().node;
      if (!(*tree)[node].HasChildren()) return Batch(*tree);
      Pop();
      tree->Commit(node);
      ++leaves_;
      Open(*tree, (*tree)[node].left);
      Open(*tree, (*tree)[node].left + 1);
    }
    return {};
  }

 private:
  struct Leaf {
    double gain = 0;
    std::size_t age = 0;  // rises in the order in which leaves came to be
    NodeId node = kNoNode;
    bool operator<(Leaf const& other) const { return gain != other.gain ? gain < other.gain : age > other.age; }
  };

  void Open(GrowingTree const& tree, NodeId node) {
    GrowingNode const& leaf = tree[node];
    bool const may_split = leaf.split.Valid() && leaf.split.gain >= least_gain_ && leaf.depth < limits_.depth;
    if (may_split) Push({leaf.split.gain, opened_++, node});
  }

  void Push(Leaf const& leaf) {
    open_.push_back(leaf);
    std::push_heap(open_.begin(), open_.end());
  }

  Leaf Pop() {
    std::pop_heap(open_.begin(), open_.end());
    Leaf const leaf = open_.back();
    open_.pop_back();
    return leaf;
  }

  // Of the best open leaves those without children, best first; no more than may still be split.
  std::vector<NodeId> Batch(GrowingTree const& tree) {
    std::size_t const wanted = std::min({open_.size(), limits_.leaves - leaves_, ahead_});
    std::vector<Leaf> best;
    while (best.size() < std::max<std::size_t>(wanted, 1)) best.push_back(Pop());
    std::vector<NodeId> batch;
    for (Leaf const& leaf : best) {
      Push(leaf);
      if (!tree[leaf.node].HasChildren()) batch.push_back(leaf.node);
    }
    return batch;
  }

  Limits limits_;
  double least_gain_;
  std::size_t ahead_;
  std::size_t leaves_ = 1;
  std::size_t opened_ = 0;
  std::vector<Leaf> open_;  // leaves that may be split, a heap
};

}  // namespace

std::unique_ptr<Frontier> MakeFrontier(TreeParam const& param, std::size_t ahead, bool stops_early) {
  if (param.grow_policy == "lossguide") return std::make_unique<Lossguide>(param, ahead);
  return std::make_unique<Depthwise>(param, stops_early);
}

}  // namespace xgbl
