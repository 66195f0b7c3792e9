// SPDX-License-Identifier: Apache-2.0
#include "tree/leaf_rows.h"

#include <algorithm>
#include <cstddef>

#include "parallel/parallel_for.h"

namespace xgbl {
namespace {

constexpr std::size_t kMostRows = std::size_t{1} << 15U;   // of a block: what is kept of them stays in the cache
constexpr std::size_t kLeastRows = std::size_t{1} << 12U;  // and is worth a task
constexpr std::size_t kLeafBlocksPerThread = 8;
constexpr std::size_t kLeafPieceRows = 8;  // on average, where leaves are many

// The first place from `from` on whose row is not below `bound`, searched for nearby first.
std::size_t Seek(std::uint32_t const* rows, std::size_t from, std::size_t end, std::size_t bound) {
  std::size_t step = 1;
  while (from + step < end && rows[from + step - 1] < bound) {
    from += step;
    step *= 2;
  }
  auto const* const found = std::lower_bound(rows + from, rows + std::min(from + step, end), bound);
  return static_cast<std::size_t>(found - rows);
}

// Blocks of consecutive row numbers, and where each leaf's rows of a block are.
class RowBlocks {
 public:
  RowBlocks(LeafRows const& by_leaf, Context const& ctx) : by_leaf_(by_leaf) {
    std::size_t rows = 0;  // the numbers are below it
    for (auto const& leaf : by_leaf.leaves) rows = std::max<std::size_t>(rows, by_leaf.rows[leaf.end - 1] + 1);
    std::size_t const wanted = rows / (kLeafBlocksPerThread * static_cast<std::size_t>(ctx.threads));
    std::size_t const affordable = kLeafPieceRows * by_leaf.leaves.size();
    block_ = std::max(std::clamp(wanted, kLeastRows, kMostRows), affordable);
    count_ = (rows + block_ - 1) / block_;
    ends_.resize(by_leaf.leaves.size() * count_);
    ParallelTasks(ctx, by_leaf.leaves.size(), [&](std::size_t leaf, int) { SetEnds(leaf); });
  }

  std::size_t Count() const { return count_; }

  Span<std::uint32_t const> Piece(std::size_t leaf, std::size_t block) const {
    std::size_t const* const end = ends_.data() + leaf * count_ + block;
    std::size_t const begin = block == 0 ? by_leaf_.leaves[leaf].begin : end[-1];
    return {by_leaf_.rows.data() + begin, *end - begin};
  }

 private:
  void SetEnds(std::size_t leaf) {
    auto const [node, begin, end] = by_leaf_.leaves[leaf];
    std::size_t place = begin;
    for (std::size_t block = 0; block < count_; ++block) {
      place = Seek(by_leaf_.rows.data(), place, end, (block + 1) * block_);
      ends_[leaf * count_ + block] = place;
    }
  }

  LeafRows const& by_leaf_;
  std::size_t block_ = 0;          // rows of one
  std::size_t count_ = 0;          // of them
  std::vector<std::size_t> ends_;  // of each leaf's pieces
};

}  // namespace

void LeafRows::ForEachPiece(Context const& ctx,
                            std::function<void(Leaf const&, Span<std::uint32_t const>)> const& body) const {
  Context const limited = ForWork(ctx, rows.size());
  RowBlocks const blocks(*this, limited);
  ParallelTasks(limited, blocks.Count(), [&](std::size_t block, int) {
    for (std::size_t i = 0; i < leaves.size(); ++i) {
      Span<std::uint32_t const> const piece = blocks.Piece(i, block);
      if (!piece.empty()) body(leaves[i], piece);
    }
  });
}

LeafRows SortByLeaf(Span<std::uint32_t const> rows, bool all, Span<NodeId const> leaf_of_row, std::size_t nodes) {
  std::size_t const count = all ? leaf_of_row.size() : rows.size();
  auto const row_at = [&](std::size_t i) { return all ? static_cast<std::uint32_t>(i) : rows[i]; };
  std::vector<std::size_t> place(nodes + 1, 0);
  for (std::size_t i = 0; i < count; ++i) ++place[Tree::At(leaf_of_row[row_at(i)]) + 1];
  LeafRows out;
  for (std::size_t node = 0; node < nodes; ++node) {
    place[node + 1] += place[node];
    if (place[node + 1] > place[node]) {
      out.leaves.push_back({static_cast<NodeId>(node), place[node], place[node + 1]});
    }
  }
  out.rows = Buffer<std::uint32_t>(count);
  for (std::size_t i = 0; i < count; ++i) {
    std::uint32_t const row = row_at(i);
    out.rows[place[Tree::At(leaf_of_row[row])]++] = row;
  }
  return out;
}

}  // namespace xgbl
