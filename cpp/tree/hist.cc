// SPDX-License-Identifier: Apache-2.0
// `tree_method=hist`: candidates are the edges of bins that are made once per matrix.
#include <memory>

#include "tree/histogram_finder.h"

namespace xgbl {
namespace {

class HistMethod final : public TreeMethod {
 public:
  bool StopsEarly() const override { return true; }
  std::unique_ptr<SplitFinder> Start(TreeTask const& task, ColumnSampler const& columns) const override {
    return MakeHistogramFinder(task, columns, task.data.Binned(task.ctx, task.param.max_bin), PackFor(task), false);
  }
};

Registration<TreeMethod> const kHist{
    "hist", {}, "Candidates are the edges of bins that are made once per matrix.", {}, [] {
      return std::make_unique<HistMethod>();
    }};

}  // namespace
}  // namespace xgbl
