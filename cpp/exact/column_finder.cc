// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "exact/column_scan.h"
#include "exact/finders.h"
#include "exact/fine_gradients.h"
#include "parallel/parallel_for.h"
#include "parallel/reduce.h"

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

// Columns in which all present cells are equal (one-hot and other indicators) can only be split on presence. There is
// no order to walk, so the sums per node of the rows that have a cell suffice. Two things make them cheap:
//   - The cells of such a column stand in the order of their rows, so a group of columns is walked side by side, a tile
//     of rows at a time, whose records stay in the cache for all columns of the group.
//   - Sums are integers, so those of a node are exactly its parent's less its sibling's: of two siblings only the
//     lighter one is counted. A parent's sums are kept for that while they take less than kMostKept bytes.
// To count few rows of a sparse matrix, their own cells are walked instead of the columns.
class PresenceSums {
 public:
  // Chooses the columns of one value that have enough cells for tiles to pay.
  PresenceSums(DMatrix const& data, ColumnBlocks const& columns, std::vector<std::uint32_t> const& candidates)
      : features_(data.Features()), columns_(columns) {
    std::size_t const fewest = 8 * (columns.Rows() / kRowTile + 1);
    std::copy_if(candidates.begin(), candidates.end(), std::back_inserter(indicators_), [&](std::uint32_t column) {
      return columns.HasMissing(column) && columns.Present(column) >= fewest && columns.HasOneValue(column);
    });
  }

  std::size_t Groups() const { return (indicators_.size() + kGroup - 1) / kGroup; }
  Span<std::uint32_t const> Group(std::size_t group) const {
    std::size_t const first = group * kGroup;
    return Span<std::uint32_t const>(indicators_).Sub(first, std::min(kGroup, indicators_.size() - first));
  }
  bool Contains(std::uint32_t column) const {
    return std::binary_search(indicators_.begin(), indicators_.end(), column);
  }

  // Prepares for the nodes of a batch: which are counted, which follow from their parent and sibling.
  void Plan(GrowingTree const& tree, std::vector<NodeId> const& nodes, Span<ScanRow const> rows, Context const& ctx) {
    if (indicators_.empty()) return;
    Inherit(tree, nodes);
    std::size_t const counted = MarkCounted(rows, ctx);
    by_row_.clear();
    bool const small = indicators_.size() * nodes.size() * sizeof(FixedSum) <= kMostByRow;
    if (features_.Sparse() != nullptr && counted < rows.size() / 4 && small) CountByRow(rows, ctx);
  }

  // The sums of a group's columns, columns x nodes of the batch. Groups may be asked for by several threads at once.
  std::vector<FixedSum> Sums(std::size_t group, Span<ScanRow const> rows) {
    Span<std::uint32_t const> const columns = Group(group);
    std::size_t const slots = batch_.size();
    std::vector<FixedSum> sums;
    if (by_row_.empty()) {
      sums = Count(columns, rows);
    } else {
      auto const own = Span<FixedSum const>(by_row_).Sub(group * kGroup * slots, columns.size() * slots);
      sums.assign(own.begin(), own.end());
    }
    for (std::size_t i = 0; i < columns.size(); ++i) {
      FixedSum* const row = sums.data() + i * batch_.size();
      for (std::size_t slot = 0; slot < batch_.size(); ++slot) {
        Source const& source = sources_[slot];
        if (source.parent == kNoNode) continue;
        row[slot] = kept_[Tree::At(source.parent)][group * kGroup + i] - row[source.sibling];
      }
      for (std::size_t slot = 0; slot < batch_.size(); ++slot) {
        auto& kept = kept_[Tree::At(batch_[slot])];
        if (!kept.empty()) kept[group * kGroup + i] = row[slot];
      }
    }
    return sums;
  }

 private:
  static constexpr std::size_t kGroup = 32;  // columns that are walked side by side, at most
  static constexpr std::size_t kMostKept = std::size_t{64} << 20U;
  static constexpr std::size_t kRowTile = std::size_t{1} << 14U;     // 256 KB of row records
  static constexpr std::size_t kMostByRow = std::size_t{16} << 20U;  // bytes of a thread's table of sums
  // Sums are kept in so many copies, used in turn: where most rows are in one node, each addition would else wait for
  // the one before it to be stored.
  static constexpr std::size_t kWays = 4;

  struct Source {
    NodeId parent = kNoNode;  // kNoNode: the node is counted
    std::size_t sibling = 0;  // its slot
  };
  struct Cursor {
    std::size_t block = 0;
    std::size_t cell = 0;
  };

  // Frees what the batch before needed, finds the nodes that follow from others, and makes room for what is to be kept.
  void Inherit(GrowingTree const& tree, std::vector<NodeId> const& nodes) {
    std::size_t const bytes = indicators_.size() * sizeof(FixedSum);
    for (NodeId const node : batch_) {
      NodeId const parent = tree[node].parent;
      if (parent == kNoNode || kept_[Tree::At(parent)].empty()) continue;
      std::vector<FixedSum>().swap(kept_[Tree::At(parent)]);
      kept_bytes_ -= bytes;
    }
    batch_ = nodes;
    sources_.assign(nodes.size(), Source{});
    kept_.resize(tree.nodes.size());
    for (std::size_t slot = 0; slot + 1 < nodes.size(); ++slot) {
      NodeId const parent = tree[nodes[slot]].parent;
      bool const siblings = parent != kNoNode && tree[nodes[slot + 1]].parent == parent;
      if (!siblings || kept_[Tree::At(parent)].empty()) continue;
      bool const left_is_lighter = tree[nodes[slot]].sums[0].hessian < tree[nodes[slot + 1]].sums[0].hessian;
      sources_[left_is_lighter ? slot + 1 : slot] = {parent, left_is_lighter ? slot : slot + 1};
      ++slot;
    }
    for (NodeId const node : nodes) {
      if (kept_bytes_ + bytes > kMostKept) break;
      kept_[Tree::At(node)].resize(indicators_.size());
      kept_bytes_ += bytes;
    }
  }

  // Gives the number of rows that are to be counted.
  std::size_t MarkCounted(Span<ScanRow const> rows, Context const& ctx) {
    counted_slot_.resize(rows.size());
    return ReduceBlocks(ctx, rows.size(), std::size_t{0}, [&](std::size_t begin, std::size_t end) {
      std::size_t total = 0;
      for (std::size_t i = begin; i < end; ++i) {
        std::int32_t const slot = rows[i].slot;
        bool const counted = slot >= 0 && sources_[static_cast<std::size_t>(slot)].parent == kNoNode;
        counted_slot_[i] = counted ? slot : kNoSlot;
        total += counted ? 1 : 0;
      }
      return total;
    });
  }

  // Each thread adds a share of the rows to a table of its own; integers, so that the shares do not matter.
  void CountByRow(Span<ScanRow const> rows, Context const& ctx) {
    constexpr std::int32_t kOrdinary = -1;
    SparseTable const& cells = *features_.Sparse();
    std::vector<std::int32_t> place_of(cells.columns, kOrdinary);
    for (std::size_t i = 0; i < indicators_.size(); ++i) place_of[indicators_[i]] = static_cast<std::int32_t>(i);
    std::size_t const slots = batch_.size();
    auto const threads = static_cast<std::size_t>(ctx.threads);
    std::size_t const share = (rows.size() + threads - 1) / threads;
    std::vector<std::vector<FixedSum>> tables(threads);
    ParallelTasks(ctx, threads, [&](std::size_t part, int) {
      tables[part].resize(indicators_.size() * slots);
      for (std::size_t row = part * share; row < std::min(rows.size(), (part + 1) * share); ++row) {
        if (counted_slot_[row] < 0) continue;
        FixedSum* const sums = tables[part].data() + counted_slot_[row];
        for (std::size_t k = cells.row_begin[row]; k < cells.row_begin[row + 1]; ++k) {
          std::int32_t const place = place_of[cells.column[k]];
          if (place != kOrdinary) sums[static_cast<std::size_t>(place) * slots] += rows[row].Pair();
        }
      }
    });
    by_row_ = std::move(tables[0]);
    for (std::size_t part = 1; part < threads; ++part) {
      for (std::size_t i = 0; i < by_row_.size(); ++i) by_row_[i] += tables[part][i];
    }
  }

  std::vector<FixedSum> Count(Span<std::uint32_t const> group, Span<ScanRow const> rows) const {
    std::size_t const slots = batch_.size();
    std::vector<FixedSum> lanes(group.size() * slots * kWays);
    std::vector<Cursor> cursors(group.size());
    for (std::size_t row_end = kRowTile; row_end < rows.size() + kRowTile; row_end += kRowTile) {
      for (std::size_t i = 0; i < group.size(); ++i) {
        AddTile(group[i], rows, row_end, &cursors[i], lanes.data() + i * slots * kWays);
      }
    }
    std::vector<FixedSum> sums(group.size() * slots);
    for (std::size_t i = 0; i < lanes.size(); ++i) sums[i / kWays] += lanes[i];
    return sums;
  }

  void AddTile(std::uint32_t column, Span<ScanRow const> rows, std::size_t row_end, Cursor* cursor,
               FixedSum* lanes) const {
    while (cursor->block < columns_.BlockCount(column)) {
      Span<std::uint32_t const> const cells = columns_.GetBlock(column, cursor->block).rows;
      std::size_t k = cursor->cell;
      for (; k < cells.size() && cells[k] < row_end; ++k) {
        std::int32_t const slot = counted_slot_[cells[k]];
        if (slot >= 0) lanes[static_cast<std::size_t>(slot) * kWays + k % kWays] += rows[cells[k]].Pair();
      }
      cursor->cell = k;
      if (k < cells.size()) return;
      *cursor = {cursor->block + 1, 0};
    }
  }

  FeatureMatrix const& features_;
  ColumnBlocks const& columns_;
  std::vector<std::uint32_t> indicators_;    // rising
  std::vector<NodeId> batch_;                // the node of each slot
  std::vector<Source> sources_;              // by slot
  std::vector<std::int32_t> counted_slot_;   // by row: its slot if its node is counted, else kNoSlot
  std::vector<FixedSum> by_row_;             // indicators x slots, if the batch was counted row by row; else empty
  std::vector<std::vector<FixedSum>> kept_;  // by node: sums of all indicators; empty if not kept
  std::size_t kept_bytes_ = 0;
};

class ColumnFinder final : public SplitFinder {
 public:
  ColumnFinder(TreeTask const& task, ColumnSampler const& columns)
      : task_(task),
        sorted_(*task.views.columns),
        columns_(columns),
        monotone_(task.param, task.data.Columns()),
        presence_(task.data, sorted_, columns.Tree()),
        scale_(FineScale(task)),
        rows_(task.data.Rows()),
        node_of_row_(task.data.Rows(), 0),
        root_(FillRows()) {}

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

  // The derivatives, all of them rows of the root or not sampled; gives the sum of the former.
  FixedSum FillRows() {
    bool const all = task_.rows.all;
    OutputGradients const& own = task_.gradients[0];
    FixedSum sum = ReduceBlocks(task_.ctx, rows_.size(), FixedSum{}, [&](std::size_t begin, std::size_t end) {
      FixedSum some;
      for (std::size_t i = begin; i < end; ++i) {
        FixedPair const pair = Quantise(own.G(i), own.H(i), scale_);
        rows_[i] = {pair.gradient, pair.hessian, all ? 0 : kNotSampled};
        if (all) some += pair;
      }
      return some;
    });
    for (std::uint32_t const row : task_.rows.rows) {
      rows_[row].slot = 0;
      sum += rows_[row].Pair();
    }
    return sum;
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
