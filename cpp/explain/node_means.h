// SPDX-License-Identifier: Apache-2.0
// The mean over the leaves below each node of a tree, weighted by cover.
#pragma once

#include <cstddef>
#include <vector>

#include "predict/layout.h"

namespace xgbl {

/// By place in the packed tree. The values of leaves are those of `output`, times `weight`.
std::vector<double> NodeMeans(PackedTree const& tree, std::size_t output, double weight);

}  // namespace xgbl
