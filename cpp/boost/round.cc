// SPDX-License-Identifier: Apache-2.0
#include "boost/round.h"

#include <algorithm>
#include <string>
#include <utility>

#include "base/error.h"
#include "parallel/parallel_for.h"
#include "tree/grow.h"

namespace xgbl {
namespace {

constexpr std::size_t kRowBlock = std::size_t{1} << 16U;

bool Has(Strings const& updaters, std::string const& name) {
  return std::find(updaters.begin(), updaters.end(), name) != updaters.end();
}

void AddLeaves(Context const& ctx, GrownTree const& grown, std::size_t output, MatrixView<float> margins) {
  ParallelBlocks(ctx, margins.rows(), kRowBlock, [&](std::size_t begin, std::size_t end) {
    for (std::size_t row = begin; row < end; ++row) {
      margins(row, output) += grown.tree.value[Tree::At(grown.leaf_of_row[row])];
    }
  });
}

OutputGradients Output(Gradients const& gradients, std::size_t output) {
  return {gradients.gradient.values.data() + output, gradients.hessian.values.data() + output, gradients.gradient.rows,
          gradients.gradient.columns};
}

}  // namespace

void CheckUpdaters(BoostParam const& param) {
  for (auto const& name : param.updater) {
    Require<ParamError>(name == "grow_colmaker" || name == "prune",
                        "`updater` must be made of grow_colmaker and prune; got `", name, "`.");
  }
  Require<ParamError>(param.updater.empty() || Has(param.updater, "grow_colmaker"),
                      "`updater` must contain grow_colmaker: without it no tree is grown.");
}

Round GrowRoundOfTrees(RoundTask const& task, Matrix<float> const& margins) {
  auto const& method = Registry<TreeMethod>::Get().At(
      task.boost.tree_method == "auto" ? "exact" : task.boost.tree_method, "tree method");
  std::unique_ptr<TreeMethod> const grower = method.make();
  bool const prune = task.boost.updater.empty() || Has(task.boost.updater, "prune");
  auto const parallel = static_cast<std::size_t>(task.boost.num_parallel_tree);
  TreeParam param = task.tree;
  param.learning_rate /= static_cast<double>(parallel);  // the trees of a forest share one step

  Context const ctx = ForWork(task.ctx, task.data.Rows() * task.data.Columns());
  Round round;
  round.margins = margins;
  for (std::size_t output = 0; output < task.gradients.gradient.columns; ++output) {
    for (std::size_t copy = 0; copy < parallel; ++copy) {
      TreeKey const key{ctx.seed, (task.round * task.gradients.gradient.columns + output) * parallel + copy};
      TreeTask const tree_task{ctx, task.data, param, Output(task.gradients, output), key};
      GrownTree grown = GrowTree(tree_task, *grower, prune);
      AddLeaves(ctx, grown, output, round.margins.View());
      round.trees.push_back(std::make_shared<Tree const>(std::move(grown.tree)));
      round.outputs.push_back(static_cast<std::int32_t>(output));
    }
  }
  return round;
}

}  // namespace xgbl
