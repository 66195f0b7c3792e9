// SPDX-License-Identifier: Apache-2.0
#include "hist/row_partition.h"

#include <cstring>
#include <numeric>
#include <utility>

#include "parallel/parallel_for.h"

namespace xgbl {
namespace {

constexpr std::size_t kLeastBlock = std::size_t{1} << 14U;  // rows
constexpr std::size_t kBlocksPerThread = 4;

// One thread needs no blocks, as what goes left is in its place at once.
std::size_t BlockRows(std::size_t rows, int threads) {
  if (threads == 1) return std::max<std::size_t>(rows, 1);
  return std::max(kLeastBlock, rows / (kBlocksPerThread * static_cast<std::size_t>(threads)) + 1);
}

void Copy(std::uint32_t const* from, std::size_t count, std::uint32_t* to) {
  if (from != to && count > 0) std::memcpy(to, from, count * sizeof(*to));
}

}  // namespace

struct RowPartition::Block {
  std::size_t move = 0;
  std::size_t begin = 0;
  std::size_t count = 0;
  std::size_t left = 0;      // how many go left
  std::size_t left_to = 0;   // where those that go left belong,
  std::size_t right_to = 0;  // and the others
};

RowPartition::RowPartition(std::size_t count, Context const& ctx)
    : rows_(count), rights_(count), ranges_{{0, count}}, all_rows_(true) {
  ParallelBlocks(ForWork(ctx, count), count, kLeastBlock, [&](std::size_t begin, std::size_t end) {
    std::iota(rows_.data() + begin, rows_.data() + end, static_cast<std::uint32_t>(begin));
  });
}

RowPartition::RowPartition(Span<std::uint32_t const> rows)
    : rows_(rows.size()), rights_(rows.size()), ranges_{{0, rows.size()}} {
  std::copy(rows.begin(), rows.end(), rows_.data());
}

LeafRows RowPartition::TakeLeaves(GrowingTree const& tree, Span<NodeId const> final_of) {
  LeafRows out;
  for (NodeId id = 0; Tree::At(id) < tree.nodes.size(); ++id) {
    GrowingNode const& node = tree[id];
    bool const in_tree = node.parent == kNoNode || tree[node.parent].committed;
    if (!in_tree || node.committed || Count(id) == 0) continue;
    Join(tree, id);
    Range const range = ranges_[Tree::At(id)];
    out.leaves.push_back({final_of[Tree::At(id)], range.begin, range.begin + range.count});
  }
  out.rows = std::move(rows_);
  return out;
}

// Rows of a node that was split, ahead or until it was pruned, rise again.
void RowPartition::Join(GrowingTree const& tree, NodeId node) {
  NodeId const left = tree[node].left;
  if (left == kNoNode || Tree::At(left) + 1 >= ranges_.size()) return;
  Range const range = ranges_[Tree::At(node)];
  std::size_t const lefts = ranges_[Tree::At(left)].count;
  if (lefts + ranges_[Tree::At(left) + 1].count != range.count) return;  // it was to be split, but its rows stayed
  Join(tree, left);
  Join(tree, left + 1);
  std::uint32_t* const rows = rows_.data() + range.begin;
  std::inplace_merge(rows, rows + lefts, rows + range.count);
}

// A move's blocks stand together, in order.
std::vector<RowPartition::Block> RowPartition::BlocksOf(Span<Move const> moves, std::size_t block_rows) const {
  std::vector<Block> blocks;
  for (std::size_t m = 0; m < moves.size(); ++m) {
    Range const range = ranges_[Tree::At(moves[m].node)];
    for (std::size_t done = 0; done < range.count; done += block_rows) {
      blocks.push_back({m, range.begin + done, std::min(block_rows, range.count - done)});
    }
  }
  return blocks;
}

// The children's ranges, and the places of the blocks' rows in them.
void RowPartition::Place(Move const& move, Span<Block> blocks) {
  Range const range = ranges_[Tree::At(move.node)];
  std::size_t left = 0;
  for (Block& block : blocks) {
    block.left_to = range.begin + left;
    left += block.left;
  }
  std::size_t right_to = range.begin + left;
  for (Block& block : blocks) {
    block.right_to = right_to;
    right_to += block.count - block.left;
  }
  if (ranges_.size() < Tree::At(move.left) + 2) ranges_.resize(Tree::At(move.left) + 2);
  ranges_[Tree::At(move.left)] = {range.begin, left};
  ranges_[Tree::At(move.left) + 1] = {range.begin + left, range.count - left};
}

void RowPartition::Split(BinnedMatrix const& bins, Span<Move const> moves, Context const& ctx) {
  std::vector<RowRouter> routers;
  routers.reserve(moves.size());
  for (Move const& move : moves) routers.emplace_back(bins, move);
  auto const route = [&](std::size_t move, Span<std::uint32_t const> rows, std::uint32_t* left, std::uint32_t* right) {
    return routers[move].Route(rows, left, right, ctx);
  };
  Split(moves, route, ctx);
}

void RowPartition::Split(Span<Move const> moves, Route const& route, Context const& ctx) {
  std::size_t total = 0;
  for (Move const& move : moves) total += Count(move.node);
  Context const limited = ForWork(ctx, total);
  std::vector<Block> blocks = BlocksOf(moves, BlockRows(total, limited.threads));
  // Of a single block what goes left stays; of several it waits apart, as another block's may belong in its place.
  bool const in_place = limited.threads == 1;
  if (!in_place && lefts_.size() == 0) lefts_ = Buffer<std::uint32_t>(rows_.size());
  std::uint32_t* const lefts = in_place ? rows_.data() : lefts_.data();

  ParallelTasks(limited, blocks.size(), [&](std::size_t i, int) {
    Block& block = blocks[i];
    Span<std::uint32_t const> const rows(rows_.data() + block.begin, block.count);
    block.left = route(block.move, rows, lefts + block.begin, rights_.data() + block.begin);
  });
  for (std::size_t m = 0, end = 0; m < moves.size(); ++m) {
    std::size_t const begin = end;
    while (end < blocks.size() && blocks[end].move == m) ++end;
    Place(moves[m], Span<Block>(blocks).Sub(begin, end - begin));
  }
  ParallelTasks(limited, blocks.size(), [&](std::size_t i, int) {
    Block const& block = blocks[i];
    Copy(lefts + block.begin, block.left, rows_.data() + block.left_to);
    Copy(rights_.data() + block.begin, block.count - block.left, rows_.data() + block.right_to);
  });
}

}  // namespace xgbl
