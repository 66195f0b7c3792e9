// SPDX-License-Identifier: Apache-2.0
// Encodes what trees ask of a row as bytes that vectors can compare (simd/serving_kernels.h). The thresholds of a
// feature, in runs of at most 255, number the values between them. A run has one cell for nodes whose missing values go
// left and one for those whose go right, so missing values cost nothing. Each set of categories that nodes split on has
// a cell of its own, with values 0 and 1. Immutable; made in O(n log n) of the nodes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

#include "base/span.h"
#include "model/model.h"
#include "simd/serving_kernels.h"

namespace xgbl {

/// A node goes right where the code in its cell is at least the edge; cells are counted. The lower byte is the edge.
using Question = std::uint32_t;

class CodeBook {
 public:
  static constexpr std::uint32_t kNoCell = 0xFFFFFFFFU;

  /// A run of thresholds of a feature.
  struct Numbers {
    std::uint32_t used = 0;  // index of the feature in Used()
    std::uint32_t first = 0;
    std::uint32_t count = 0;
    std::uint32_t low = kNoCell;  // where cells begin in a block, in bytes
    std::uint32_t high = kNoCell;
  };
  /// Categories of a feature that are in sets, in runs of kRun: each has a code in its run, and so has a missing value
  /// in the first; all else is kOther.
  struct Labels {
    static constexpr std::size_t kRun = 254;
    static constexpr std::uint8_t kMissingCode = 254;
    static constexpr std::uint8_t kOther = 255;
    std::uint32_t used = 0;
    std::uint32_t first_run = 0;
    std::vector<std::int32_t> categories;  // rising

    std::size_t Runs() const { return categories.size() / kRun + 1; }
    struct Code {
      std::uint32_t run;  // of this feature
      std::uint8_t code;
    };
    /// kOther in the first run of a value that is none of the categories; NaN is missing.
    Code CodeOf(float value) const;
    /// The place of a value among the categories; their number if it is none of them.
    std::size_t PlaceOf(float value) const;
  };
  /// Codes of a run that belong to a set.
  struct SetPiece {
    std::uint32_t run = 0;  // of all features
    std::uint32_t cell = 0;
    std::array<std::uint8_t, 32> bits{};
  };

  explicit CodeBook(Model const& model);

  /// The features that the model splits on, rising.
  std::vector<std::uint32_t> const& Used() const { return used_; }
  std::vector<Numbers> const& NumberColumns() const { return numbers_; }
  std::vector<Labels> const& LabelColumns() const { return labels_; }
  /// In the order of features.
  std::vector<SetPiece> const& Pieces() const { return pieces_; }
  std::size_t LabelRuns() const { return runs_; }
  Span<float const> Edges(Numbers const& column) const {
    return Span<float const>(edges_).Sub(column.first, column.count);
  }
  float const* Table(std::size_t column) const { return tables_.data() + table_begin_[column]; }
  std::size_t Cells() const { return cells_; }
  /// The bytes of a block: all cells, at least one.
  std::size_t BlockBytes() const { return block_bytes_; }

  /// What a split of a tree asks.
  Question QuestionOf(Tree const& tree, std::size_t node) const;

 private:
  using SetKey = std::tuple<std::uint32_t, bool, std::vector<std::int32_t>>;

  static SetKey KeyOf(Tree const& tree, std::size_t node);
  std::uint32_t IndexOf(std::uint32_t feature) const;
  std::uint32_t NewCell();
  void CollectNumbers(Model const& model);
  void CollectSets(Model const& model);
  std::size_t PlaceOf(Tree const& tree, std::size_t node) const;
  void AddSet(SetKey const& key, std::uint32_t cell);

  std::vector<std::uint32_t> used_;
  std::vector<float> edges_;               // by feature, rising
  std::vector<std::size_t> edge_begin_;    // by feature of Used(), and the end
  std::vector<std::size_t> column_begin_;  // the same of columns
  std::vector<Numbers> numbers_;
  std::vector<float> tables_;             // by column
  std::vector<std::size_t> table_begin_;  // by column
  std::vector<Labels> labels_;
  std::vector<SetPiece> pieces_;
  std::map<SetKey, std::uint32_t> set_cell_;
  std::size_t runs_ = 0;
  std::size_t block_bytes_ = kCodeRows;
  std::uint32_t cells_ = 0;
};

}  // namespace xgbl
