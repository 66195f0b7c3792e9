// SPDX-License-Identifier: Apache-2.0
// Position bias of clicks (Hu et al. 2019, Unbiased LambdaMART): users click what is shown first. For each of the first
// positions in a query, t+ says how much likelier a click on a relevant row is there than at the first position. t-
// says the same of other rows. Gradients of pairs are divided by both. Each round learns them again from the losses of
// its pairs. The model keeps them as "ti+" and "tj-".
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/span.h"
#include "objective/objective.h"
#include "parallel/reduce.h"

namespace xgbl {

class PositionBias {
 public:
  /// The losses of a query's pairs, by the position of the row that should be higher and of the other.
  struct Losses {
    std::vector<double> high, low;
  };
  /// Those of many queries.
  struct LossSums {
    ExactSums high, low;
    LossSums& operator+=(LossSums const& other);
    /// Takes the losses of a query, which are 0 afterwards.
    void Take(Losses* losses);
  };

  /// As the last round left it in `state`, which may be nullptr; positions that are new start at 1.
  PositionBias(std::size_t positions, ObjectiveState const* state);

  bool Tracks(std::size_t high, std::size_t low) const { return high < high_.size() && low < low_.size(); }
  /// The factors on a pair for rows at those positions, 1 / t+ and 1 / t-; 0 where it gets none.
  void Fill(Span<std::uint32_t const> positions, float* high, float* low) const;
  Losses NoLosses() const { return {std::vector<double>(high_.size()), std::vector<double>(low_.size())}; }
  LossSums NoSums() const { return {ExactSums(high_.size()), ExactSums(low_.size())}; }
  /// Adds the loss of a pair; both positions must be tracked.
  void Add(std::size_t high, std::size_t low, double loss, Losses* losses) const;
  /// Keeps in `state` what the next round starts from. The larger `norm`, the nearer to 1.
  void Learn(LossSums const& losses, double norm, ObjectiveState* state) const;

 private:
  std::vector<float> high_, low_;  // t+ and t-
};

}  // namespace xgbl
