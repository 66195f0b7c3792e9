// SPDX-License-Identifier: Apache-2.0
#include "exact/presence_sums.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "parallel/parallel_for.h"
#include "parallel/reduce.h"

namespace xgbl {
namespace {

constexpr std::size_t kRowTile = std::size_t{1} << 14U;  // 256 KB of row records

// Sums are kept in so many copies, used in turn: where most rows are in one node, each addition would else wait for the
// one before it to be stored.
constexpr std::size_t kWays = 4;

constexpr std::size_t kMostByRow = std::size_t{16} << 20U;  // bytes of a thread's table of sums

bool IsIndicator(ColumnBlocks const& columns, std::size_t column) {
  std::size_t const tiles = columns.Rows() / kRowTile + 1;
  return columns.HasMissing(column) && columns.Present(column) >= 8 * tiles && columns.HasOneValue(column);
}

}  // namespace

PresenceSums::PresenceSums(DMatrix const& data, ColumnBlocks const& columns,
                           std::vector<std::uint32_t> const& candidates)
    : features_(data.Features()), columns_(columns) {
  std::copy_if(candidates.begin(), candidates.end(), std::back_inserter(indicators_),
               [&](std::uint32_t column) { return IsIndicator(columns, column); });
}

Span<std::uint32_t const> PresenceSums::Group(std::size_t group) const {
  std::size_t const first = group * kGroup;
  return Span<std::uint32_t const>(indicators_).Sub(first, std::min(kGroup, indicators_.size() - first));
}

bool PresenceSums::Contains(std::uint32_t column) const {
  return std::binary_search(indicators_.begin(), indicators_.end(), column);
}

void PresenceSums::Plan(GrowingTree const& tree, std::vector<NodeId> const& nodes, Span<ScanRow const> rows,
                        Context const& ctx) {
  if (indicators_.empty()) return;
  Inherit(tree, nodes);
  std::size_t const counted = MarkCounted(rows, ctx);
  by_row_.clear();
  bool const small = indicators_.size() * nodes.size() * sizeof(FixedSum) <= kMostByRow;
  if (features_.Sparse() != nullptr && counted < rows.size() / 4 && small) CountByRow(rows, ctx);
}

// Frees what the batch before needed, finds the nodes that follow from others, and makes room for what is to be kept.
void PresenceSums::Inherit(GrowingTree const& tree, std::vector<NodeId> const& nodes) {
  std::size_t const bytes = indicators_.size() * sizeof(FixedSum);
  for (NodeId const node : batch_) {
    NodeId const parent = tree[node].parent;
    if (parent == kNoNode || kept_[Tree::At(parent)].empty()) continue;
    kept_[Tree::At(parent)] = {};
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
std::size_t PresenceSums::MarkCounted(Span<ScanRow const> rows, Context const& ctx) {
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
void PresenceSums::CountByRow(Span<ScanRow const> rows, Context const& ctx) {
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

std::vector<FixedSum> PresenceSums::Sums(std::size_t group, Span<ScanRow const> rows) {
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

std::vector<FixedSum> PresenceSums::Count(Span<std::uint32_t const> group, Span<ScanRow const> rows) const {
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

void PresenceSums::AddTile(std::uint32_t column, Span<ScanRow const> rows, std::size_t row_end, Cursor* cursor,
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

}  // namespace xgbl
