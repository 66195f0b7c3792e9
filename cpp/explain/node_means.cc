// SPDX-License-Identifier: Apache-2.0
#include "explain/node_means.h"

#include "explain/row_block.h"
#include "explain/shap_plan.h"

namespace xgbl {

std::vector<double> NodeMeans(PackedTree const& tree, std::size_t output, double weight) {
  std::vector<double> means(tree.nodes.size());
  for (std::size_t place = means.size(); place-- > 0;) {  // children come after their parent
    PackedNode const& node = tree.nodes[place];
    if (IsLeaf(tree, static_cast<std::uint32_t>(place))) {
      means[place] = weight * static_cast<double>(tree.tree->Value(node.id)[output]);
      continue;
    }
    CoverRatios const ratios = RatiosOf(*tree.tree, node.id);
    means[place] = ratios.left * means[node.left] + ratios.right * means[node.left + 1];
  }
  return means;
}

}  // namespace xgbl
