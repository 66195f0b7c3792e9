// SPDX-License-Identifier: Apache-2.0
#include "tree/presence_sums.h"

#include <algorithm>
#include <iterator>

#include "parallel/parallel_for.h"

namespace xgbl {
namespace {

constexpr std::size_t kRowTile = std::size_t{1} << 14U;  // 256 KB of row records

// Sums are kept in so many copies, used in turn: where most rows are in one node, each addition would else wait for the
// one before it to be stored.
constexpr std::size_t kLanes = 4;

bool IsIndicator(ColumnBlocks const& columns, std::size_t column) {
  std::size_t const tiles = columns.Rows() / kRowTile + 1;
  return columns.HasMissing(column) && columns.Present(column) >= 8 * tiles && columns.HasOneValue(column);
}

}  // namespace

PresenceSums::PresenceSums(ColumnBlocks const& columns, std::vector<std::uint32_t> const& candidates)
    : columns_(columns) {
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
  std::size_t const bytes = indicators_.size() * sizeof(FixedSum);
  for (NodeId const node : batch_) {  // of the batch before: its parents are done with
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
    bool const left_is_lighter = tree[nodes[slot]].sum.hessian < tree[nodes[slot + 1]].sum.hessian;
    sources_[left_is_lighter ? slot + 1 : slot] = {parent, left_is_lighter ? slot : slot + 1};
    ++slot;
  }
  for (NodeId const node : nodes) {
    if (kept_bytes_ + bytes > kMostKept) break;
    kept_[Tree::At(node)].resize(indicators_.size());
    kept_bytes_ += bytes;
  }
  counted_slot_.resize(rows.size());
  ParallelBlocks(ctx, rows.size(), kRowTile, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      std::int32_t const slot = rows[i].slot;
      bool const counted = slot >= 0 && sources_[static_cast<std::size_t>(slot)].parent == kNoNode;
      counted_slot_[i] = counted ? slot : kNoSlot;
    }
  });
}

std::vector<FixedSum> PresenceSums::Sums(std::size_t group, Span<ScanRow const> rows) {
  Span<std::uint32_t const> const columns = Group(group);
  std::vector<FixedSum> sums = Count(columns, rows);
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
  std::vector<FixedSum> lanes(group.size() * slots * kLanes);
  std::vector<Cursor> cursors(group.size());
  for (std::size_t row_end = kRowTile; row_end < rows.size() + kRowTile; row_end += kRowTile) {
    for (std::size_t i = 0; i < group.size(); ++i) {
      AddTile(group[i], rows, row_end, &cursors[i], lanes.data() + i * slots * kLanes);
    }
  }
  std::vector<FixedSum> sums(group.size() * slots);
  for (std::size_t i = 0; i < lanes.size(); ++i) sums[i / kLanes] += lanes[i];
  return sums;
}

void PresenceSums::AddTile(std::uint32_t column, Span<ScanRow const> rows, std::size_t row_end, Cursor* cursor,
                           FixedSum* lanes) const {
  while (cursor->block < columns_.BlockCount(column)) {
    Span<std::uint32_t const> const cells = columns_.GetBlock(column, cursor->block).rows;
    std::size_t k = cursor->cell;
    for (; k < cells.size() && cells[k] < row_end; ++k) {
      std::int32_t const slot = counted_slot_[cells[k]];
      if (slot >= 0) lanes[static_cast<std::size_t>(slot) * kLanes + k % kLanes] += rows[cells[k]].Pair();
    }
    cursor->cell = k;
    if (k < cells.size()) return;
    *cursor = {cursor->block + 1, 0};
  }
}

}  // namespace xgbl
