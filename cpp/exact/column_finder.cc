// SPDX-License-Identifier: Apache-2.0
#include "exact/column_finder.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "exact/column_scan.h"
#include "exact/presence_sums.h"
#include "exact/quantised_rows.h"
#include "parallel/parallel_for.h"

namespace xgbl {
namespace {

constexpr std::size_t kRowBlock = std::size_t{1} << 16U;   // less is not worth a thread
constexpr std::size_t kMoveBlock = std::size_t{1} << 14U;  // looking up a value takes longer

// Which nodes of a batch may split on which columns, if they differ.
class AllowedColumns {
 public:
  AllowedColumns(GrowingTree const& tree, std::vector<NodeId> const& nodes, std::vector<std::uint32_t> const& all) {
    bool const restricted =
        std::any_of(nodes.begin(), nodes.end(), [&](NodeId node) { return !tree[node].columns.empty(); });
    if (!restricted) {
      columns_ = all;
      return;
    }
    std::vector<std::pair<std::uint32_t, std::size_t>> wanted;
    for (std::size_t slot = 0; slot < nodes.size(); ++slot) {
      auto const& own = tree[nodes[slot]].columns;
      for (auto const column : own.empty() ? all : own) wanted.emplace_back(column, slot);
    }
    std::sort(wanted.begin(), wanted.end());
    for (auto const& [column, slot] : wanted) {
      if (columns_.empty() || columns_.back() != column) {
        columns_.push_back(column);
        flags_.resize(flags_.size() + nodes.size(), 0);
      }
      flags_[flags_.size() - nodes.size() + slot] = 1;
    }
    slots_ = nodes.size();
  }

  std::vector<std::uint32_t> const& Columns() const { return columns_; }
  Span<std::uint8_t const> Flags(std::size_t i) const {
    return flags_.empty() ? Span<std::uint8_t const>{} : Span<std::uint8_t const>(flags_).Sub(i * slots_, slots_);
  }

 private:
  std::vector<std::uint32_t> columns_;
  std::vector<std::uint8_t> flags_;  // columns x slots; empty: all allowed
  std::size_t slots_ = 0;
};

class ColumnFinder final : public SplitFinder {
 public:
  ColumnFinder(TreeTask const& task, ColumnSampler const& columns)
      : task_(task),
        sorted_(*task.views.columns),
        columns_(columns),
        monotone_(task.param, task.data.Columns()),
        presence_(task.data, sorted_, columns.Tree()),
        scale_(ExactScale(task)),
        rows_(QuantisedRows(task, scale_)),
        node_of_row_(task.data.Rows(), 0),
        root_(SumOfSampled(rows_, task.ctx)) {}

  FixedSums RootSums() const override { return root_; }
  std::vector<FixedScale> Scales() const override { return {scale_}; }
  /// A pass over the columns costs the same for one node as for many.
  std::size_t NodesAhead() const override { return std::numeric_limits<std::size_t>::max(); }

  TreeRows CollectRows(GrowingTree const& tree, Span<NodeId const> final_of) override {
    ParallelBlocks(task_.ctx, node_of_row_.size(), kRowBlock, [&](std::size_t begin, std::size_t end) {
      for (std::size_t row = begin; row < end; ++row) node_of_row_[row] = final_of[Tree::At(node_of_row_[row])];
    });
    TreeRows out;
    out.sampled = SortByLeaf(task_.rows.rows, task_.rows.all, node_of_row_, tree.nodes.size());
    if (task_.rows.all) return out;
    out.others = SortByLeaf(task_.rows.Others(rows_.size()), false, node_of_row_, tree.nodes.size());
    return out;
  }

  std::vector<Split> Evaluate(GrowingTree const& tree, std::vector<NodeId> const& nodes) override {
    AssignSlots(tree, nodes);
    ScanBatch const batch(task_.param, monotone_, tree, nodes);
    AllowedColumns const allowed(tree, nodes, columns_.Tree());
    presence_.Plan(tree, nodes, rows_, task_.ctx);
    std::vector<ScanWork> const work = ShareOut(allowed);
    std::vector<std::optional<ColumnScan>> scans(static_cast<std::size_t>(task_.ctx.threads));
    ParallelTasks(task_.ctx, work.size(), [&](std::size_t i, int thread) {
      auto& scan = scans[static_cast<std::size_t>(thread)];
      if (!scan) scan.emplace(batch);
      if (work[i].indicators) {
        ScanGroup(work[i].index, allowed, nodes.size(), &*scan);
      } else {
        scan->Scan(sorted_, allowed.Columns()[work[i].index], rows_, allowed.Flags(work[i].index));
      }
    });
    return BestOf(scans, nodes.size());
  }

  void Apply(GrowingTree const& tree, std::vector<NodeId> const& nodes) override {
    std::vector<Move> moves(tree.nodes.size());
    for (NodeId const id : nodes) {
      GrowingNode const& node = tree[id];
      moves[Tree::At(id)] = {node.left, node.split.feature, node.split.threshold, node.split.missing_left ? 1 : 0};
    }
    FeatureMatrix const& features = task_.data.Features();
    ParallelBlocks(task_.ctx, rows_.size(), kMoveBlock, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        Move const& move = moves[Tree::At(node_of_row_[i])];
        if (move.left == kNoNode) continue;
        float const value = features.Value(i, move.feature);
        bool const goes_left = std::isnan(value) ? move.missing_left != 0 : value < move.threshold;
        node_of_row_[i] = move.left + (goes_left ? 0 : 1);
      }
    });
  }

 private:
  // Where the rows of a node go; 16 bytes, so that the table of all nodes stays in the cache.
  struct Move {
    NodeId left = kNoNode;  // the node is not split now
    std::uint32_t feature = 0;
    float threshold = 0;
    std::int32_t missing_left = 0;
  };

  // What one thread does at a time: a column by its place among the allowed ones, or a group of indicators.
  struct ScanWork {
    std::size_t index = 0;
    bool indicators = false;
    std::size_t cells = 0;
  };

  // The longest pieces first, so that threads end together.
  std::vector<ScanWork> ShareOut(AllowedColumns const& allowed) const {
    std::vector<ScanWork> work;
    for (std::size_t group = 0; group < presence_.Groups(); ++group) {
      ScanWork piece{group, true, 0};
      for (auto const column : presence_.Group(group)) piece.cells += sorted_.Present(column);
      work.push_back(piece);
    }
    for (std::size_t i = 0; i < allowed.Columns().size(); ++i) {
      std::uint32_t const column = allowed.Columns()[i];
      if (sorted_.Present(column) > 0 && !presence_.Contains(column))
        work.push_back({i, false, sorted_.Present(column)});
    }
    std::stable_sort(work.begin(), work.end(), [](auto const& a, auto const& b) { return a.cells > b.cells; });
    return work;
  }

  void ScanGroup(std::size_t group, AllowedColumns const& allowed, std::size_t slots, ColumnScan* scan) {
    std::vector<FixedSum> const sums = presence_.Sums(group, rows_);
    auto const columns = presence_.Group(group);
    for (std::size_t i = 0; i < columns.size(); ++i) {
      auto const place = std::lower_bound(allowed.Columns().begin(), allowed.Columns().end(), columns[i]);
      if (place == allowed.Columns().end() || *place != columns[i]) continue;
      auto const flags = allowed.Flags(static_cast<std::size_t>(place - allowed.Columns().begin()));
      scan->ScanIndicator(columns[i], sorted_.GetBlock(columns[i], 0).values[0],
                          Span<FixedSum const>(sums).Sub(i * slots, slots), flags);
    }
  }

  void AssignSlots(GrowingTree const& tree, std::vector<NodeId> const& nodes) {
    std::vector<std::int32_t> slot_of(tree.nodes.size(), kNoSlot);
    for (std::size_t i = 0; i < nodes.size(); ++i) slot_of[Tree::At(nodes[i])] = static_cast<std::int32_t>(i);
    ParallelBlocks(task_.ctx, rows_.size(), kRowBlock, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        if (rows_[i].slot != kNotSampled) rows_[i].slot = slot_of[Tree::At(node_of_row_[i])];
      }
    });
  }

  static std::vector<Split> BestOf(std::vector<std::optional<ColumnScan>> const& scans, std::size_t nodes) {
    std::vector<Split> best(nodes);
    for (auto const& scan : scans) {
      if (!scan) continue;
      auto const& found = scan->Best();
      for (std::size_t i = 0; i < nodes; ++i) {
        if (found[i].BetterThan(best[i])) best[i] = found[i];
      }
    }
    return best;
  }

  TreeTask const& task_;
  ColumnBlocks const& sorted_;
  ColumnSampler const& columns_;
  MonotoneConstraints monotone_;
  PresenceSums presence_;
  FixedScale scale_;
  Buffer<ScanRow> rows_;
  std::vector<NodeId> node_of_row_;
  FixedSum root_;
};

}  // namespace

std::unique_ptr<SplitFinder> MakeColumnFinder(TreeTask const& task, ColumnSampler const& columns) {
  return std::make_unique<ColumnFinder>(task, columns);
}

}  // namespace xgbl
