// SPDX-License-Identifier: Apache-2.0
// Which category codes a model knows from its training. Our own files list them, and so do labels. Files of xgboost do
// not: they only have the sets that trees split by, and codes up to the highest one in those sets count as known.
#pragma once

#include <cstddef>
#include <vector>

#include "model/model.h"
#include "model/training_facts.h"

namespace xgbl {

struct KnownCodes {
  std::size_t feature = 0;
  CodeSet codes;
  bool certain = true;  // whether they are the training data's, and not those of the splits
};

/// Of each feature that the model takes for categories, rising; none of a linear model.
std::vector<KnownCodes> KnownCodesOf(Model const& model);
/// Whether a split of the model asks for a category, by feature. Features without such a split may be absent.
std::vector<bool> SplitBySets(Model const& model);

}  // namespace xgbl
