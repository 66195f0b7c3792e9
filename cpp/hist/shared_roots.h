// SPDX-License-Identifier: Apache-2.0
// Trees of a round with one output each, such as those of classes, all begin with all rows. The histograms of their
// roots are built in one pass over the bins: one addition of a vector serves a row's code in up to eight trees.
#pragma once

#include <vector>

#include "base/context.h"
#include "bins/binned_matrix.h"
#include "hist/histogram_finder.h"

namespace xgbl {

/// Whether it pays: not for codes of two bytes, sparse rows, few rows or very many bins.
bool ShareRoots(BinnedMatrix const& bins);

/// Builds the histograms of trees that are all grown on all rows; the integers are those that each would get alone.
/// They stay empty where it does not pay, and for few trees.
void BuildRoots(BinnedMatrix const& bins, Context const& ctx, std::vector<TreeRoot>* roots);

}  // namespace xgbl
