// SPDX-License-Identifier: Apache-2.0
// `tree_method=exact`: every value is a candidate. Two finders give the same splits to the bit; which one is faster
// depends on the shape of the data.
#include <algorithm>
#include <memory>

#include "base/error.h"
#include "exact/finders.h"
#include "ingest/fingerprint.h"

namespace xgbl {
namespace {

class ExactMethod final : public TreeMethod {
 public:
  std::string Updater() const override { return "grow_colmaker"; }
  bool StopsEarly() const override { return false; }
  bool ShrinksWeights() const override { return false; }
  void Prepare(std::vector<TreeTask>* tasks) const override {
    for (TreeTask& task : *tasks) {
      CheckExact(task);
      if (SuitsBounds(task)) task.views.order = task.data.InValueOrder(task.ctx);
      if (task.views.order) continue;
      CheckUnchanged(task.data.Features(), task.ctx);  // rows are moved by looking their values up
      task.views.columns = task.data.Sorted(task.ctx);
    }
  }

  std::unique_ptr<SplitFinder> Start(TreeTask* task, ColumnSampler const& columns) const override {
    return task->views.order ? MakeBoundedFinder(*task, columns) : MakeColumnFinder(*task, columns);
  }

 private:
  static void CheckExact(TreeTask const& task) {
    auto const& types = task.data.Info().feature_types;
    Require<ParamError>(std::find(types.begin(), types.end(), "c") == types.end(),
                        "`tree_method` exact cannot split on categorical features (type `c`). Use hist or approx.");
    Require<ParamError>(
        task.gradients.size() == 1,
        "`tree_method` exact cannot grow vector leaves (`multi_strategy` multi_output_tree). Use hist.");
  }
};

auto const kExact = Register<TreeMethod, ExactMethod>(
    "exact", "Every value is a split candidate; weights of rows should lie within a factor of 1e9.");

}  // namespace
}  // namespace xgbl
