// SPDX-License-Identifier: Apache-2.0
// Trees for one row at a time, walked side by side so that their loads overlap: 16 bytes per node, levels in order. As
// in layout.h, a row has two cells per feature, one for each way that missing values go, and a leaf leads to itself.
// Trees with splits that need more than a comparison, such as categorical ones, are walked one by one. Immutable; made
// in O(nodes).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/span.h"
#include "model/model.h"
#include "predict/layout.h"
#include "predict/tree_shape.h"

namespace xgbl {

class RowTrees {
 public:
  /// `used`: the features that the model splits on, rising.
  RowTrees(Model const& model, std::vector<TreeShape> const& shapes, Span<std::uint32_t const> used);
  RowTrees(RowTrees const&) = delete;  // entries point into arrays
  RowTrees& operator=(RowTrees const&) = delete;

  /// Two for each used feature, at least one.
  std::size_t Cells() const { return features_ == 0 ? 1 : 2 * features_; }
  /// Puts the values of the used features, NaN if missing, into a row's cells.
  void Put(float const* values, float* cells) const;
  /// Adds trees [first, end) to the margins of the row, one for each output.
  void Add(std::size_t first, std::size_t end, float const* cells, float* margins) const;
  /// About how many cycles a row takes.
  double Cycles(std::size_t first, std::size_t end) const;
  /// The same in all trees, of a row that goes to the deepest leaves.
  double MostCycles() const { return most_cycles_; }

 private:
  struct Entry {
    PackedNode const* nodes = nullptr;
    float const* values = nullptr;  // by place and output
    std::uint32_t output = 0;
    std::uint32_t outputs = 1;
    int depth = 0;
    bool plain = true;
  };
  static double NodeCycles(PackedTree const& tree);

  static constexpr std::size_t kTogether = 8;
  static constexpr int kLevelsAtOnce = 8;

  static double StepsOf(Entry const& tree, double path);

  void AddTogether(Entry const* trees, std::size_t count, float const* cells, float* margins) const;
  std::uint32_t WalkAlone(std::size_t tree, float const* cells) const;
  void AddValue(Entry const& tree, std::uint32_t place, float* margins) const;

  std::size_t features_ = 0;
  std::vector<Entry> entries_;
  std::vector<PackedTree> trees_;
  std::vector<float> values_;
  std::vector<std::shared_ptr<Tree const>> owners_;
  std::vector<double> cycles_{0};  // of all trees before one
  double most_cycles_ = 0;
};

}  // namespace xgbl
