// SPDX-License-Identifier: Apache-2.0
// The kernel that adds up Shapley values.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/context.h"

namespace xgbl {

/// A step of a walk over a tree that adds up Shapley values; explain/shap.cc says what the walk computes.
struct ShapStep {
  enum class Kind : std::uint8_t {
    kDown,    // to the child on side `left`, which is no leaf
    kUp,      // back from it
    kLeaves,  // the node's children that are leaves
  };
  Kind kind = Kind::kDown;
  bool left = true;
  bool first = true;        // the sums of the node are set, not added to
  bool remembers = false;   // a node further down splits on the feature again
  std::uint32_t level = 0;  // of the node
  std::uint32_t cell = 0;   // what goes left is below the threshold there
  float threshold = 0;
  std::uint32_t feature = 0;    // its row in `sums`
  std::uint32_t alive = 0;      // the level below the last node on the path that split on the feature; 0: there is none
  std::uint32_t constants = 0;  // where its own begin, counted in points
  std::uint32_t pair_begin = 0, pair_end = 0;
};

/// A feature that the path above a node has: the level below its last split, and where its sums with the node's stand.
struct ShapPair {
  std::uint32_t level = 0;
  std::uint32_t slot = 0;
};

/// A walk of kRows rows side by side. An array `by level` has, for each level of the tree, `points` times kRows values.
struct ShapTask {
  static constexpr std::size_t kRows = 32;
  static constexpr std::size_t kMostPoints = 4;
  ShapStep const* steps = nullptr;
  std::size_t count = 0;
  std::size_t points = 1;
  double const* constants = nullptr;
  float const* cells = nullptr;     // cells x kRows
  double* inside = nullptr;         // levels x kRows: whether the row goes along; level 0 is 1
  double* before = nullptr;         // by level: the product of the path; level 0 is 1
  double* below = nullptr;          // by level: the sum over the leaves
  double* sums = nullptr;           // features x kRows, added to
  ShapPair const* pairs = nullptr;  // nullptr: no interactions, and the rest is not used
  double* shares = nullptr;         // by level
  double* terms = nullptr;          // points x kRows
  double* pair_sums = nullptr;      // pairs x kRows, added to
};

struct ShapKernels {
  static ShapKernels const& Of(SimdLevel level);

  /// Adds the Shapley values that a tree gives, and half its interactions if the task has pairs.
  void (*add_shap)(ShapTask const& task);
};

}  // namespace xgbl
