// SPDX-License-Identifier: Apache-2.0
// Keeps the histograms of open nodes, so that a larger child's can be computed by subtraction. Their number and memory
// are bounded. If a node's histogram was not kept, those of both its children are built from rows, which gives the same
// integers.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "tree/histogram.h"
#include "tree/tree.h"
#include "tree/tree_param.h"

namespace xgbl {

class HistogramCache {
 public:
  static constexpr std::size_t kMostBytes = std::size_t{256} << 20U;

  HistogramCache(TreeParam const& param, HistogramBuilder const& builder, std::size_t trees_at_once)
      : max_depth_(param.max_depth), room_(static_cast<std::size_t>(param.max_cached_hist_node)) {
    std::size_t const fits = kMostBytes / trees_at_once / std::max<std::size_t>(builder.Bytes(2 * kNarrowRows), 1);
    room_ = std::min(room_, std::max<std::size_t>(fits, 4));
  }

  Histogram& operator[](NodeId node) { return histograms_[Tree::At(node)]; }

  void Reserve(std::size_t nodes) {
    histograms_.resize(std::max(nodes, histograms_.size()));
    kept_.resize(histograms_.size(), 0);
  }

  /// Called once a node was evaluated: keeps its histogram, if it has one, children may want it and there is room; else
  /// gives its memory to `builder`.
  void KeepIfUseful(NodeId node, int depth, bool may_split, HistogramBuilder* builder) {
    bool const has_grandchildren = max_depth_ == 0 || depth + 1 < max_depth_;
    bool const keep = !(*this)[node].Empty() && may_split && has_grandchildren && used_ < room_;
    if (!keep) return Drop(node, builder);
    kept_[Tree::At(node)] = 1;
    ++used_;
  }

  void Drop(NodeId node, HistogramBuilder* builder) {
    Forget(node);
    if (!(*this)[node].Empty()) builder->Release(&(*this)[node]);
  }

  /// A node's histogram is about to become that of its child, and no longer counts.
  void Forget(NodeId node) {
    used_ -= kept_[Tree::At(node)];
    kept_[Tree::At(node)] = 0;
  }

 private:
  int max_depth_;
  std::size_t room_;
  std::size_t used_ = 0;
  std::vector<Histogram> histograms_;  // by node
  std::vector<std::uint8_t> kept_;     // by node: whether it counts as used
};

}  // namespace xgbl
