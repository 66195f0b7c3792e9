// SPDX-License-Identifier: Apache-2.0
// The rows of each node as ranges of one array of row numbers, rising within a node. A split is a stable partition of
// its node's range: in blocks, in parallel, the same for any number of threads.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "base/context.h"
#include "base/span.h"
#include "bins/binned_matrix.h"
#include "parallel/buffer.h"
#include "simd/histogram_kernels.h"
#include "tree/growing_tree.h"
#include "tree/leaf_rows.h"
#include "tree/sampling.h"
#include "tree/tree.h"

namespace xgbl {

class RowPartition {
 public:
  /// Node 0 has the rows 0, 1 … count - 1, or those of a rising list.
  RowPartition(std::size_t count, Context const& ctx);
  explicit RowPartition(Span<std::uint32_t const> rows);

  std::size_t Count(NodeId node) const { return ranges_[Tree::At(node)].count; }
  Span<std::uint32_t const> Rows(NodeId node) const {
    Range const range = ranges_[Tree::At(node)];
    return {rows_.data() + range.begin, range.count};
  }
  /// Gives all rows away, by the leaves of a grown tree, whose numbers in the final tree are `final_of`; nothing but
  /// counts can be asked for afterwards.
  LeafRows TakeLeaves(GrowingTree const& tree, Span<NodeId const> final_of);
  /// Whether the rows of a node are 0, 1 … of the whole matrix.
  bool AllRows(NodeId node) const { return all_rows_ && Count(node) == rows_.size(); }

  struct Move {
    NodeId node = kNoNode;
    NodeId left = kNoNode;  // the right child is left + 1
    std::uint32_t feature = 0;
    bool missing_left = false;
    std::uint32_t last_left_bin = 0;       // numeric: bins up to this go left
    Span<std::uint64_t const> right_bins;  // categorical: a bit per bin, those set go right; empty if numeric
  };

  /// The rows of each moved node become those of its children.
  void Split(BinnedMatrix const& bins, Span<Move const> moves, Context const& ctx);

  /// Sends the rows of a move, as PartRows().
  using Route = std::function<std::size_t(std::size_t move, Span<std::uint32_t const> rows, std::uint32_t* left,
                                          std::uint32_t* right)>;
  /// The same, by a rule of the caller's; of a move only the node and the left child are read.
  void Split(Span<Move const> moves, Route const& route, Context const& ctx);

 private:
  struct Range {
    std::size_t begin = 0;
    std::size_t count = 0;
  };
  struct Block;

  std::vector<Block> BlocksOf(Span<Move const> moves, std::size_t block_rows) const;
  void Place(Move const& move, Span<Block> blocks);
  void Join(GrowingTree const& tree, NodeId node);

  Buffer<std::uint32_t> rows_;
  Buffer<std::uint32_t> rights_, lefts_;  // what a split sends there, until it is put in its place
  std::vector<Range> ranges_;             // by node
  bool all_rows_ = false;
};

/// Sends rows that go left to `left`, the others to `right`, both in their order, and gives how many went left. Both
/// have room for all; `left` may be `rows`. Works on blocks of rows: `mark(block, codes, task)` says in the task how
/// these go; `codes` has room for a code of each.
template <class Mark>
std::size_t PartRows(Span<std::uint32_t const> rows, std::uint32_t* left, std::uint32_t* right, Context const& ctx,
                     Mark const& mark) {
  constexpr std::size_t kBlock = 512;
  auto const split = HistogramKernels::Of(ctx.simd).split_rows;
  std::uint8_t codes[kBlock];
  SplitTask task;
  std::size_t lefts = 0;
  for (std::size_t begin = 0; begin < rows.size(); begin += kBlock) {
    Span<std::uint32_t const> const block = rows.Sub(begin, std::min(kBlock, rows.size() - begin));
    task.codes = codes;
    mark(block, codes, &task);
    task.rows = block.data();
    task.count = block.size();
    task.left = left + lefts;
    task.right = right + (begin - lefts);
    lefts += split(task);
  }
  return lefts;
}

/// Sends the rows of a node left or right by the bin of one feature: the inner loop of RowPartition. The codes of a
/// block are gathered first, or used in place if its rows are consecutive. Then all rows are split by their codes at
/// once.
class RowRouter {
 public:
  enum class Source { kColumns, kTiles };

  /// kColumns: reads the copy by columns if there is one.
  RowRouter(BinnedMatrix const& bins, RowPartition::Move const& move, Source source = Source::kColumns);

  /// As PartRows().
  std::size_t Route(Span<std::uint32_t const> rows, std::uint32_t* left, std::uint32_t* right,
                    Context const& ctx) const;

 private:
  void LeftFlags(Span<std::uint32_t const> rows, std::uint8_t* flags) const;
  template <class Codes>
  void FlagsBy(Codes codes, Span<std::uint32_t const> rows, std::uint8_t* flags) const;

  BinnedMatrix const& bins_;
  BinPlace place_;
  BinTile const* tile_ = nullptr;  // of the slot
  std::uint8_t const* column8_ = nullptr;
  std::uint16_t const* column16_ = nullptr;
  // Numeric: a code is inside if it is one of `width_` from `low_` on.
  std::uint32_t low_ = 0;
  std::uint32_t width_ = 0;
  bool inside_left_ = true;
  std::vector<std::uint8_t> code_left_;  // categorical, or of joint codes: by code, whether it goes left
};

/// The rows of a tree's nodes: those that it is grown on, and the others, which only go along.
class TreePartition {
 public:
  TreePartition(RowSample const& sample, std::size_t count, Context const& ctx)
      : sampled_(sample.all ? RowPartition(count, ctx) : RowPartition(sample.rows)),
        others_(sample.Others(count)),
        all_(sample.all) {}

  RowPartition const& Sampled() const { return sampled_; }
  /// As RowPartition's.
  template <class... Args>
  void Split(Args const&... args) {
    sampled_.Split(args...);
    if (!all_) others_.Split(args...);
  }
  TreeRows TakeLeaves(GrowingTree const& tree, Span<NodeId const> final_of) {
    return {sampled_.TakeLeaves(tree, final_of), all_ ? LeafRows() : others_.TakeLeaves(tree, final_of)};
  }

 private:
  RowPartition sampled_, others_;
  bool all_;
};

}  // namespace xgbl
