// SPDX-License-Identifier: Apache-2.0
// `tree_method=hist`: candidates are the edges of bins that are made once per matrix.
#include <memory>
#include <utility>
#include <vector>

#include "tree/histogram_finder.h"

namespace xgbl {
namespace {

class HistMethod final : public TreeMethod {
 public:
  bool StopsEarly() const override { return true; }
  std::unique_ptr<SplitFinder> Start(TreeTask const& task, ColumnSampler const& columns) const override {
    TreeRoot root = task.root != nullptr ? std::move(*task.root) : TreeRoot{PackFor(task), {}};
    return MakeHistogramFinder(task, columns, task.data.Binned(task.ctx, task.param.max_bin), std::move(root), false);
  }

  bool Prepare(DMatrix const& data, TreeParam const& param, Context const& ctx) const override {
    data.Binned(ctx, param.max_bin);
    return true;
  }

  std::vector<TreeRoot> StartTogether(std::vector<TreeTask> const& tasks) const override {
    TreeTask const& any = tasks.front();
    std::vector<TreeRoot> roots;
    for (TreeTask const& task : tasks) {
      roots.push_back({PackFor(task), {}});
      if (roots.back().gradients[0].wide) return {};  // nothing to gain, and all of them would be kept at once
    }
    BuildRoots(*any.data.Binned(any.ctx, any.param.max_bin), any.ctx, &roots);
    return roots;
  }
};

Registration<TreeMethod> const kHist{
    "hist", {}, "Candidates are the edges of bins that are made once per matrix.", {}, [] {
      return std::make_unique<HistMethod>();
    }};

}  // namespace
}  // namespace xgbl
