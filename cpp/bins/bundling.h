// SPDX-License-Identifier: Apache-2.0
// Exclusive feature bundling (Ke et al. 2017, section 4) in its strict form: features are bundled only if no row has
// two of them, so trees stay the same. Candidates are packed greedily by what a sample of the rows shows, frequent
// features first and neighbours together. Then all rows are read; conflicting features are taken out and tried again.
// O(present cells) per pass, at most three times two passes.
#pragma once

#include <cstddef>

#include "base/context.h"
#include "base/span.h"
#include "bins/bin_layout.h"
#include "cuts/cuts.h"
#include "ingest/feature_matrix.h"

namespace xgbl {

/// Bundles of features that are missing somewhere; none if too few fit together. `present`: cells of each feature that
/// are not missing. The same for any number of threads.
Bundles FindBundles(FeatureMatrix const& features, Cuts const& cuts, Span<std::size_t const> present,
                    Context const& ctx);

}  // namespace xgbl
