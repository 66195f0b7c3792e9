// SPDX-License-Identifier: Apache-2.0
// Sums of the derivatives of each leaf's rows, finer than those that choose splits. They are integers, so the order of
// rows and the number of threads do not matter.
#pragma once

#include <cstddef>
#include <vector>

#include "base/context.h"
#include "base/span.h"
#include "tree/fixed_point.h"
#include "tree/leaf_rows.h"

namespace xgbl {

/// Sums of gradients and hessians of one output on a grid so fine that rounding is far below a float's: as many bits as
/// the number of rows leaves in 62. A view: the derivatives must outlive it.
class FineSums {
 public:
  FineSums(OutputGradients const& gradients, Context const& ctx);

  FixedScale const& Scale() const { return scale_; }
  FixedSum Over(Span<std::uint32_t const> rows) const;

 private:
  OutputGradients const& gradients_;
  FixedScale scale_;
  double per_gradient_ = 1;
  double per_hessian_ = 1;
};

/// By node, those of leaves set.
std::vector<FixedSum> LeafSums(FineSums const& fine, LeafRows const& rows, std::size_t nodes, Context const& ctx);

}  // namespace xgbl
