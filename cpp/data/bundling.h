// SPDX-License-Identifier: Apache-2.0
// Exclusive feature bundling (Ke et al. 2017, section 4), in the strict form that no tree can tell from none: features
// are put together only if no row has two of them. Candidates are packed greedily, after what a sample of the rows
// says, the frequent ones first and neighbours together; then all rows are read, and what conflicts is taken out and
// tried again. O(present cells) a pass, at most three times two passes.
#pragma once

#include <cstddef>

#include "base/context.h"
#include "base/span.h"
#include "data/bin_layout.h"
#include "data/cuts.h"
#include "data/feature_matrix.h"

namespace xgbl {

/// Bundles of features that are missing somewhere, none if too few fit together to be worth it. `present`: cells of
/// each feature that are not missing. The same for any number of threads.
Bundles FindBundles(FeatureMatrix const& features, Cuts const& cuts, Span<std::size_t const> present,
                    Context const& ctx);

}  // namespace xgbl
