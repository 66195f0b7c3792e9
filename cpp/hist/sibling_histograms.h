// SPDX-License-Identifier: Apache-2.0
// The histograms of a tree's open nodes. Of two siblings the one with fewer rows has its histogram built from them; the
// other gets their parent's less that. A parent's is kept for this while there is room; where it was not, both children
// are built from their rows, which gives the same integers. Nodes of few rows need none.
// One place reads rows (FromRows): whoever has them in pages, or shares them with others, adds up the sums there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "base/context.h"
#include "base/span.h"
#include "bins/binned_matrix.h"
#include "hist/histogram.h"
#include "hist/row_partition.h"
#include "tree/growing_tree.h"
#include "tree/tree_param.h"

namespace xgbl {

class SiblingHistograms {
 public:
  static constexpr std::size_t kMostBytes = std::size_t{256} << 20U;  // that are kept, of all trees grown at once
  static constexpr int kEveryThread = -1;

  struct Use {
    std::size_t trees_at_once = 1;         // that share the memory
    std::size_t batch_bytes = 64U << 20U;  // of histograms that are built before they are looked at
    std::size_t least_rows = 0;            // of a node that needs a histogram
    double update_cost = 0;                // as against a byte that is kept and subtracted from; 0: all are worth it
    bool by_sign = false;                  // see HistogramBuilder
  };

  /// Two siblings, or the root alone, and how their histograms are had.
  struct Family {
    NodeId parent = kNoNode;
    NodeId first = kNoNode;
    std::size_t place = 0;      // of the first wanted one, among all nodes that are evaluated
    Span<NodeId const> wanted;  // those that are evaluated
    std::vector<NodeId> built;  // from their rows
    NodeId heir = kNoNode;      // gets the parent's, less that of its sibling
  };

  /// All but `param` and `use` must outlive it.
  SiblingHistograms(TreeParam const& param, BinnedMatrix const& bins, Span<PackedGradients const> gradients,
                    RowPartition const& rows, int threads, Use const& use);

  /// The histogram of all rows was built elsewhere.
  void SetRoot(Histogram root) { At(0).histogram = std::move(root); }

  /// Finds the splits of nodes, siblings side by side: `search` gets as many families at a time as there is memory for.
  /// It must call Build() for each of them, and set the splits of those that are wanted.
  using Search = std::function<void(Span<Family const> families, std::vector<Split>* splits)>;
  std::vector<Split> Evaluate(GrowingTree const& tree, std::vector<NodeId> const& nodes, Search const& search);
  /// Threads of one share each may build at the same time; `share` numbers them.
  void Build(Span<Family const> families, Context const& ctx, int share = kEveryThread);
  /// Nodes were split: their histograms are of use to the next Evaluate() alone.
  void WereSplit(std::vector<NodeId> const& nodes);

  /// Empty if it has none.
  Histogram const& operator[](NodeId node) const { return nodes_[Tree::At(node)].histogram; }
  bool Needs(NodeId node) const { return rows_.AllRows(node) || rows_.Count(node) >= use_.least_rows; }
  /// The share that built a node's histogram.
  int ShareOf(NodeId node) const { return nodes_[Tree::At(node)].share; }
  /// How many bins a row is added to, on average.
  double CellsPerRow() const { return cells_per_row_; }

 private:
  struct Node {
    Histogram histogram;
    int share = kEveryThread;
    bool kept = false;  // counts as used
  };

  Node& At(NodeId node) { return nodes_[Tree::At(node)]; }
  HistogramBuilder* BuilderOf(int share);
  void Plan(Family* family);
  void FromRows(Span<NodeId const> nodes, HistogramBuilder* builder, Context const& ctx);
  void Keep(GrowingTree const& tree, Family const& family, std::vector<Split> const& splits);
  bool WorthKeeping(NodeId node, int depth) const;
  void Forget(NodeId node);
  void Drop(NodeId node);
  void DropParents();

  Use use_;
  int max_depth_;
  BinnedMatrix const& bins_;
  Span<PackedGradients const> gradients_;
  RowPartition const& rows_;
  std::vector<std::unique_ptr<HistogramBuilder>> builders_;  // by share, made when one needs it
  double cells_per_row_;
  std::size_t narrow_bytes_;
  std::size_t room_;  // how many may be kept
  std::size_t used_ = 0;
  std::vector<Node> nodes_{1};
  std::vector<NodeId> parents_;  // of the nodes that are evaluated next
};

}  // namespace xgbl
