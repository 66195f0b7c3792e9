// SPDX-License-Identifier: Apache-2.0
#include "tree/leaf_rows.h"

#include <algorithm>

#include "parallel/parallel_for.h"

namespace xgbl {

void LeafRows::ForEachPiece(Context const& ctx,
                            std::function<void(Leaf const&, Span<std::uint32_t const>)> const& body) const {
  constexpr std::size_t kPiece = std::size_t{1} << 15U;
  struct Piece {
    Leaf const* leaf;
    std::size_t begin;
  };
  std::vector<Piece> pieces;
  for (Leaf const& leaf : leaves) {
    for (std::size_t begin = leaf.begin; begin < leaf.end; begin += kPiece) pieces.push_back({&leaf, begin});
  }
  Span<std::uint32_t const> const all(rows.data(), rows.size());
  ParallelTasks(ForWork(ctx, rows.size()), pieces.size(), [&](std::size_t i, int) {
    auto const& [leaf, begin] = pieces[i];
    body(*leaf, all.Sub(begin, std::min(kPiece, leaf->end - begin)));
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
