// SPDX-License-Identifier: Apache-2.0
// `tree_method=hist`: candidates are the edges of bins that are made once per matrix.
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "hist/histogram_finder.h"
#include "hist/shared_roots.h"

namespace xgbl {
namespace {

class HistMethod final : public TreeMethod {
 public:
  std::string Updater() const override { return "grow_quantile_histmaker"; }
  bool StopsEarly() const override { return true; }
  bool SharesBins() const override { return true; }

  void Prepare(std::vector<TreeTask>* tasks) const override {
    TreeTask const& any = tasks->front();
    auto const bins = any.data.Binned(any.ctx, any.param.max_bin);
    for (TreeTask& task : *tasks) task.views.bins = bins;
    if (tasks->size() == 1 || !any.rows.all || !ShareRoots(*bins)) return;
    std::vector<TreeRoot> roots;
    for (TreeTask const& task : *tasks) roots.push_back({PackFor(task), {}});
    BuildRoots(*bins, any.ctx, &roots);
    for (std::size_t k = 0; k < roots.size(); ++k) {
      (*tasks)[k].root = std::make_shared<TreeRoot>(std::move(roots[k]));
    }
  }

  std::unique_ptr<SplitFinder> Start(TreeTask* task, ColumnSampler const& columns) const override {
    TreeRoot root = task->root ? std::move(*task->root) : TreeRoot{PackFor(*task), {}};
    return MakeHistogramFinder(*task, columns, task->views.bins, std::move(root), false);
  }
};

auto const kHist = Register<TreeMethod, HistMethod>(
                       "hist", "Candidates are the edges of bins that are made once per matrix; auto is the same.")
                       .Alias({"auto"})
                       .Params<BinParam>();

}  // namespace
}  // namespace xgbl
