// SPDX-License-Identifier: Apache-2.0
#include "predict/byte_trees.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

namespace xgbl {
namespace {

// Of a tree; more would have numbers, but they and their twigs would fill the cache.
constexpr std::size_t kMostLeaves = 4096;
static_assert(kMostLeaves < kLeafExit);
// Of all trees and outputs: 32 MB.
constexpr std::size_t kMostLeafRoom = std::size_t{1} << 23U;

std::size_t LeafRoomOf(TreeShape const& shape) {
  if (shape.levels <= kByteHeapLevels) return kByteHeapExits;
  return (shape.leaves + LeafTable::kLine - 1) / LeafTable::kLine * LeafTable::kLine;
}

}  // namespace

// Lays trees out one after the other.
class ByteTrees::Writer {
 public:
  Writer(ByteTrees* to, Model const& model, std::vector<TreeShape> const& shapes)
      : to_(*to), model_(model), shapes_(shapes) {}

  void AddAll() {
    for (auto const& shape : shapes_) to_.levels_ = std::max(to_.levels_, std::min(shape.levels, kByteHeapLevels));
    for (std::size_t t = 0; t < model_.trees.size(); ++t) Lay(t);
    SetPointers();
  }

 private:
  struct Places {
    std::size_t twig, exit, leaf;
  };

  void Lay(std::size_t t) {
    Tree const& tree = *model_.trees[t];
    begins_.push_back({to_.twigs_.size(), to_.exits_.size(), to_.leaves_.End()});
    ByteTree laid;
    laid.output = tree.outputs == 1 ? static_cast<std::uint32_t>(model_.tree_output[t]) : 0;
    laid.outputs = static_cast<std::uint32_t>(tree.outputs);
    to_.heaps_.emplace_back();
    auto exits = Fill(tree, 0, to_.levels_, &to_.heaps_.back());
    laid.leaf_room = static_cast<std::uint32_t>(LeafRoomOf(shapes_[t]));
    double twigs = 0;
    if (shapes_[t].levels > kByteHeapLevels) exits = Deepen(t, exits, &twigs);
    to_.leaves_.Add(tree, exits, laid.leaf_room, model_.TreeWeight(t));
    to_.trees_.push_back(laid);
    to_.twigs_before_.push_back(to_.twigs_before_.back() + twigs);
    to_.outputs_before_.push_back(to_.outputs_before_.back() + laid.outputs);
  }

  // The nodes below a root as a heap; where its exits lead to, from left to right.
  template <class Heap>
  std::vector<NodeId> Fill(Tree const& tree, NodeId root, unsigned levels, Heap* heap) const {
    std::size_t const exits = std::size_t{1} << levels;
    std::array<NodeId, 2 * kByteHeapExits> nodes{};
    nodes[1] = root;
    for (std::size_t place = 1; place < exits; ++place) {
      NodeId const id = nodes[place];
      std::size_t const at = Tree::At(id);
      bool const leaf = tree.IsLeaf(id);
      Question const question = leaf ? 0 : to_.book_.QuestionOf(tree, at);
      heap->cells[place] = static_cast<std::uint8_t>(question >> 8U);
      heap->edges[place] = static_cast<std::uint8_t>(question);
      nodes[2 * place] = leaf ? id : tree.left[at];
      nodes[2 * place + 1] = leaf ? id : tree.right[at];
    }
    return {nodes.data() + exits, nodes.data() + 2 * exits};
  }

  // Adds what lies below a heap; the leaves by their number. `twigs_met`: by a row in the mean.
  std::vector<NodeId> Deepen(std::size_t t, std::vector<NodeId> const& exits, double* twigs_met) {
    Tree const& tree = *model_.trees[t];
    std::vector<NodeId> roots, leaves;
    auto const number = [&](std::vector<NodeId> const& nodes, ByteExit* to) {
      for (std::size_t i = 0; i < nodes.size(); ++i) {
        if (i > 0 && nodes[i] == nodes[i - 1]) {
          to[i] = to[i - 1];
          continue;
        }
        bool const leaf = tree.IsLeaf(nodes[i]);
        auto& among = leaf ? leaves : roots;
        to[i] = static_cast<ByteExit>((leaf ? kLeafExit : 0) + among.size());
        among.push_back(nodes[i]);
      }
    };
    to_.exits_.resize(to_.exits_.size() + kByteHeapExits);
    number(exits, to_.exits_.data() + to_.exits_.size() - kByteHeapExits);
    for (std::size_t i = 0; i < roots.size(); ++i) {  // NOLINT(modernize-loop-convert): there are more with every twig
      NodeId const root = roots[i];
      *twigs_met += double{shapes_[t].shares[Tree::At(root)]};
      ByteTwig twig;
      number(Fill(tree, root, kTwigLevels, &twig), twig.exits);
      to_.twigs_.push_back(twig);
    }
    return leaves;
  }

  void SetPointers() {
    for (std::size_t t = 0; t < begins_.size(); ++t) {
      ByteTree& tree = to_.trees_[t];
      tree.leaves = to_.leaves_.From(begins_[t].leaf);
      std::size_t const end = t + 1 < begins_.size() ? begins_[t + 1].exit : to_.exits_.size();
      if (begins_[t].exit == end) continue;
      tree.exits = to_.exits_.data() + begins_[t].exit;
      tree.twigs = to_.twigs_.data() + begins_[t].twig;
    }
  }

  ByteTrees& to_;
  Model const& model_;
  std::vector<TreeShape> const& shapes_;
  std::vector<Places> begins_;  // by tree
};

ByteTrees::ByteTrees(Model const& model, std::vector<TreeShape> const& shapes, CodeBook const& book) : book_(book) {
  while (book.Cells() >= row_bytes_) row_bytes_ *= 2;
  std::size_t const spare = row_bytes_ - 1;
  every_16th_.reserve(16 * book.NumberColumns().size());  // columns point into it
  for (auto const& column : book.NumberColumns()) {
    auto const cell = [&](std::uint32_t begin) {
      return static_cast<std::uint8_t>(begin == CodeBook::kNoCell ? spare : begin / kCodeRows);
    };
    columns_.push_back({book.Edges(column).data(), every_16th_.data() + every_16th_.size(), column.count, column.used,
                        cell(column.low), cell(column.high)});
    for (std::size_t at = 15; at < 256 && column.count > kFewEdges; at += 16) {
      every_16th_.push_back(at < column.count ? book.Edges(column)[at] : std::numeric_limits<float>::quiet_NaN());
    }
  }
  Writer(this, model, shapes).AddAll();
}

bool ByteTrees::Suits(Model const& model, std::vector<TreeShape> const& shapes, CodeBook const& book) {
  std::size_t room = 0;
  for (std::size_t t = 0; t < shapes.size(); ++t) {
    if (shapes[t].leaves > kMostLeaves) return false;
    room += LeafRoomOf(shapes[t]) * static_cast<std::size_t>(model.trees[t]->outputs);
  }
  return room <= kMostLeafRoom && book.Cells() <= kByteCells;
}

void ByteTrees::Code(float const* values, Context const& ctx, std::uint8_t* codes) const {
  std::memset(codes, 0, row_bytes_);
  ServingKernels::Of(ctx.simd).code_row({columns_.data(), columns_.size(), values, codes});
  if (!book_.Pieces().empty()) CodeLabels(values, codes);
}

void ByteTrees::CodeLabels(float const* values, std::uint8_t* codes) const {
  auto const& pieces = book_.Pieces();
  auto piece = pieces.begin();
  for (auto const& column : book_.LabelColumns()) {
    auto const [run, code] = column.CodeOf(values[column.used]);
    for (; piece != pieces.end() && piece->run < column.first_run + column.Runs(); ++piece) {
      bool const inside = piece->run == column.first_run + run && (piece->bits[code / 8] >> code % 8 & 1U) != 0;
      if (inside) codes[piece->cell / kCodeRows] = 1;
    }
  }
}

// The numbers were fitted to `predict_bench --benchmark_filter=PredictFew`.
double ByteTrees::Cycles(std::size_t first, std::size_t end, std::size_t rows, Context const& ctx) const {
  auto const trees = static_cast<double>(end - first), count = static_cast<double>(rows);
  double const twigs = twigs_before_[end] - twigs_before_[first];
  double const outputs = outputs_before_[end] - outputs_before_[first];
  double const code = (ctx.simd >= SimdLevel::kAvx512 ? 15.0 : 30.0) * static_cast<double>(columns_.size()) +
                      20.0 * static_cast<double>(book_.LabelColumns().size()) +
                      3.0 * static_cast<double>(book_.Pieces().size());
  if (ctx.simd < SimdLevel::kAvx512Vbmi) {
    return 600 + 20 * trees + count * (code + 24 * trees + 20 * twigs + 2 * outputs);
  }
  // Leaves are added for all rows at once, unless there are but one or two.
  double const adds = rows <= 2 ? 4 * count : 10 * std::ceil(count / static_cast<double>(kByteRows));
  return 600 + count * (code + 5 * trees + 24 * twigs) + adds * outputs;
}

ByteTrees::Rows::Rows(ByteTrees const& heaps, RoundRange trees, std::size_t outputs, Context const& ctx)
    : heaps_(heaps), trees_(trees), outputs_(outputs), ctx_(ctx), sums_(outputs * kByteRows) {}

void ByteTrees::Rows::Finish() {
  if (count_ == 0) return;
  float* const sums = sums_.data();
  for (std::size_t k = 0; k < outputs_; ++k) {
    for (std::size_t row = 0; row < kByteRows; ++row) sums[k * kByteRows + row] = row < count_ ? margins_[row][k] : 0;
  }
  ByteTask task;
  task.heaps = heaps_.heaps_.data() + trees_.begin;
  task.trees = heaps_.trees_.data() + trees_.begin;
  task.count = trees_.end - trees_.begin;
  task.any_twigs = !heaps_.twigs_.empty();
  task.levels = heaps_.levels_;
  task.codes = codes_.data();
  task.row_bytes = heaps_.row_bytes_;
  task.rows = count_;
  task.sums = sums;
  ServingKernels::Of(ctx_.simd).add_byte_trees(task);
  for (std::size_t k = 0; k < outputs_; ++k) {
    for (std::size_t row = 0; row < count_; ++row) margins_[row][k] = sums[k * kByteRows + row];
  }
  count_ = 0;
}

}  // namespace xgbl
