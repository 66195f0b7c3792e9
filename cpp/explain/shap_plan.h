// SPDX-License-Identifier: Apache-2.0
// Turns a tree into the steps of a walk that gives exact Shapley values of all features at once.
//
// A feature that is not known sends a row both ways, in proportion to the covers. So what a leaf adds, given a set of
// known features, is its value times one factor per feature of its path. The factor of a known feature is 1 or 0 (does
// the row go along?), otherwise the product z of its cover ratios. The Shapley value of a feature is the integral over
// t in [0, 1] of the product of z (1 - t) + o t over the other features, times o - z, where o is that 1 or 0. The
// integrand is a polynomial, which a few points of quadrature integrate exactly. All terms except o - z are positive,
// so nothing cancels, however deep the tree. On the way down the walk keeps the product of the path (`before`), on the
// way back the sum over the leaves (`below`). It gives each edge's feature the share (o - z) / (z (1 - t) + o t) of it.
// Where a path splits on a feature again, the earlier share is taken off. A row costs O(nodes x path length / 2), in
// double.
//
// The interaction of two features has both factors o - z, and is half of it for each of the two.
// After Owen's multilinear extension (1972), TreeSHAP (Lundberg et al., 2018) and Linear TreeShap (Yu et al., 2022).
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "explain/forest.h"
#include "explain/quadrature.h"
#include "simd/shap_kernels.h"

namespace xgbl {

/// A node whose outcome the walk cannot find by a threshold: it is told by a cell of its own, below 0 for left.
struct ShapChoice {
  NodeId node = 0;
  std::uint32_t cell = 0;  // where the feature's value stands
};

struct ShapPlan {
  std::vector<ShapStep> steps;
  std::vector<ShapPair> pairs;
  std::vector<ShapChoice> choices;  // their cells follow those of the row
  std::size_t levels = 1;
  std::size_t points = 1;          // per walk
  std::size_t walks = 1;           // all with the same steps
  std::size_t walk_constants = 0;  // per walk
  std::vector<double> constants;
  double mean = 0;  // the value if nothing is known
};

/// The pairs of features that meet on some path, numbered.
class PairTable {
 public:
  void Add(PackedTree const& tree, std::size_t features);
  std::uint32_t Slot(std::uint32_t a, std::uint32_t b) const { return slots_.at(Key(a, b)); }
  std::size_t Size() const { return slots_.size(); }
  /// Calls `visit(a, b, slot)` with a < b.
  template <class Visit>
  void ForEach(Visit&& visit) const {
    for (auto const& [key, slot] : slots_) {
      visit(static_cast<std::uint32_t>(key >> 32U), static_cast<std::uint32_t>(key), slot);
    }
  }

 private:
  static std::uint64_t Key(std::uint32_t a, std::uint32_t b) {
    return a < b ? (std::uint64_t{a} << 32U | b) : (std::uint64_t{b} << 32U | a);
  }
  std::unordered_map<std::uint64_t, std::uint32_t> slots_;
};

/// `features` is the number of used features, by which cells are numbered; `pairs` is nullptr without interactions. The
/// values of leaves are those of `output`, times `weight`.
ShapPlan MakeShapPlan(PackedTree const& tree, std::size_t features, std::size_t output, double weight,
                      PairTable const* pairs);

}  // namespace xgbl
