// SPDX-License-Identifier: Apache-2.0
// process_type=update: round r takes the trees of round r of the initial model, changes them by the steps of `updater`,
// and adds them to the new model. Derivatives are taken at the margins of the rounds that are already done.
#include <optional>
#include <utility>

#include "base/error.h"
#include "boost/booster_kind.h"
#include "boost/leaf_values.h"
#include "boost/updaters.h"

namespace xgbl {
namespace {

class TreeUpdate : public BoosterKind {
 public:
  void Check(KindSetting const& setting) const override {
    CheckTreesFit(setting);
    UpdaterPlan const plan = PlanOf(setting.boost);
    std::string const asked =
        setting.boost.updater.empty() ? "tree_method " + setting.boost.tree_method : setting.boost.updater.front();
    Require<ParamError>(plan.method.empty() && !plan.later.empty() && !plan.is_linear,
                        "`process_type` update needs an `updater` that "
                        "changes trees, made of refresh and prune; ",
                        asked, " makes new ones. Set `process_type` to `default` for that.");
  }

  // The rounds that are still to be updated count for nothing.
  std::vector<float> TrainingWeights(TrainingState const& state) const override {
    return state.updating ? std::vector<float>() : std::vector<float>(state.model.trees.size(), 0.0F);
  }

  Round Grow(RoundInput const& task, RoundMemory* /*memory*/) const override {
    Model const& source = task.source == nullptr ? *task.model : *task.source;
    std::size_t const done = task.source == nullptr ? 0 : task.model->Rounds();
    Require<ParamError>(done < source.Rounds(), "There are no more trees to update: the model had ", source.Rounds(),
                        " rounds, and all of them are done. Use at most as many rounds.");
    Round round;
    round.starts_over = round.changes_earlier = task.source == nullptr;
    for (std::size_t t = source.round_begin[done]; t < source.round_begin[done + 1]; ++t) {
      round.trees.push_back(std::make_shared<Tree const>(Updated(task, source, t)));
      round.outputs.push_back(source.tree_output[t]);
    }
    if (!source.tree_weights.empty()) {
      auto const end = source.tree_weights.begin() + static_cast<std::ptrdiff_t>(source.round_begin[done + 1]);
      round.tree_weights.assign(source.tree_weights.begin(), end);
    }
    return round;
  }

 private:
  static Tree Updated(RoundInput const& task, Model const& source, std::size_t index) {
    Tree tree = *source.trees[index];
    TreeParam param = task.tree;
    param.learning_rate /= static_cast<double>(task.boost.num_parallel_tree);
    auto const first = static_cast<std::size_t>(source.tree_output[index]);
    bool refreshed = false;
    std::optional<LeafRows> rows;  // by the leaves that the tree has now
    auto const by_leaf = [&]() -> LeafRows const& {
      if (!rows) rows = RowsByLeaf(tree, task.data.Features(), task.ctx);
      return *rows;
    };
    for (auto const& step : task.boost.updater) {
      if (step == "prune") {
        PruneTree(param, &tree);
        rows.reset();
      } else {
        RefreshTree(task.ctx, param, task.boost.refresh_leaf, ColumnsOf(task.gradients, first, tree.outputs),
                    {&by_leaf()}, &tree);
        refreshed = task.boost.refresh_leaf;
      }
    }
    if (refreshed) {
      by_leaf();
      FitLeavesAnew({task.ctx, task.data.Info(), param, task.objective, task.margins, task.round, task.state},
                    std::move(*rows), first, &tree);
    }
    return tree;
  }
};

}  // namespace

std::unique_ptr<BoosterKind> MakeBoosterKind(BoostParam const& boost, ParamMap const& own) {
  auto const& entry = Registry<BoosterKind>::Get().At(boost.booster, "booster");
  std::unique_ptr<BoosterKind> kind = entry.make();
  if (boost.process_type == "update") kind = std::make_unique<TreeUpdate>();
  kind->Configure(own);
  return kind;
}

}  // namespace xgbl
