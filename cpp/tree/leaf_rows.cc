// SPDX-License-Identifier: Apache-2.0
#include "tree/leaf_rows.h"

#include <algorithm>
#include <cmath>
#include <mutex>

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

std::int64_t Fixed(float value, double per_unit) {
  return static_cast<std::int64_t>(std::floor(static_cast<double>(value) * per_unit + 0.5));
}

}  // namespace

void LeafRows::ForEachPiece(Context const& ctx,
                            std::function<void(Leaf const&, Span<std::uint32_t const>)> const& body) const {
  Context const limited = ForWork(ctx, rows.size());
  std::size_t most = 0;  // row numbers are below it
  for (Leaf const& leaf : leaves) most = std::max<std::size_t>(most, rows[leaf.end - 1] + 1);
  std::size_t const wanted = most / (kLeafBlocksPerThread * static_cast<std::size_t>(limited.threads));
  std::size_t const block = std::max(std::clamp(wanted, kLeastRows, kMostRows), kLeafPieceRows * leaves.size());
  Matrix<std::size_t> ends(leaves.size(), (most + block - 1) / block);  // of each leaf's rows of a block
  ParallelTasks(limited, ends.rows, [&](std::size_t i, int) {
    std::size_t place = leaves[i].begin;
    for (std::size_t b = 0; b < ends.columns; ++b) {
      ends.View()(i, b) = place = Seek(rows.data(), place, leaves[i].end, (b + 1) * block);
    }
  });
  ParallelTasks(limited, ends.columns, [&](std::size_t b, int) {
    for (std::size_t i = 0; i < ends.rows; ++i) {
      std::size_t const begin = b == 0 ? leaves[i].begin : ends.View()(i, b - 1), end = ends.View()(i, b);
      if (begin < end) body(leaves[i], {rows.data() + begin, end - begin});
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

LeafSums SumLeaves(OutputGradients const& gradients, std::vector<LeafRows const*> const& rows, std::size_t nodes,
                   Context const& ctx) {
  int const bits = BitsForSum(gradients.rows);
  LeafSums out{ScaleFor(RangeOf(gradients, ctx), bits, bits), std::vector<FixedSum>(nodes)};
  double const per_gradient = 1 / out.scale.gradient_unit;  // exact: units are powers of two
  double const per_hessian = 1 / out.scale.hessian_unit;
  std::mutex mutex;
  for (LeafRows const* part : rows) {
    part->ForEachPiece(ctx, [&](LeafRows::Leaf const& leaf, Span<std::uint32_t const> piece) {
      FixedSum sum;
      for (std::uint32_t const row : piece) {
        sum.gradient += Fixed(gradients.G(row), per_gradient);
        sum.hessian += Fixed(gradients.H(row), per_hessian);
      }
      std::lock_guard<std::mutex> const lock(mutex);
      out.by_node[Tree::At(leaf.node)] += sum;
    });
  }
  return out;
}

}  // namespace xgbl
