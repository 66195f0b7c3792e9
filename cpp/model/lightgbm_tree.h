// SPDX-License-Identifier: Apache-2.0
// One tree of a LightGBM file. Inner nodes keep their numbers; leaf i of n becomes node n - 1 + i. Covers are counts of
// rows, the weights of LightGBM's own contributions.
#pragma once

#include <cstddef>

#include "model/lightgbm_text.h"
#include "tree/tree.h"

namespace xgbl {

/// The tree with its values times `factor`; it has passed CheckTree.
Tree LoadLightgbmTree(TextSection const& text, std::size_t num_features, double factor);

}  // namespace xgbl
