// SPDX-License-Identifier: Apache-2.0
// Split search in histograms over bins, whoever made the bins. The histogram of the sibling with fewer rows is built;
// the other one is their parent's minus it. Nodes of few rows have none (OccupiedBins). If there are enough pairs of
// siblings, each thread does all the work of a pair; otherwise all threads take part in each step.
#pragma once

#include <memory>
#include <vector>

#include "bins/binned_matrix.h"
#include "hist/histogram.h"
#include "hist/packed_gradients.h"
#include "tree/split_finder.h"

namespace xgbl {

/// What a tree begins with.
struct TreeRoot {
  std::vector<PackedGradients> gradients;  // by output
  Histogram histogram;                     // of all rows; empty: not built
};

/// `root`: its histogram may be empty. `local_cuts`: each node has candidates of its own among the edges of the bins,
/// the quantiles of its hessians. ParamError where a constraint does not suit the outputs or the features.
std::unique_ptr<SplitFinder> MakeHistogramFinder(TreeTask const& task, ColumnSampler const& columns,
                                                 std::shared_ptr<BinnedMatrix const> bins, TreeRoot root,
                                                 bool local_cuts);

/// The derivatives of a task for MakeHistogramFinder, as `gradient_bits` wants them; `auto` is wide for few rows, too.
std::vector<PackedGradients> PackFor(TreeTask const& task);

}  // namespace xgbl
