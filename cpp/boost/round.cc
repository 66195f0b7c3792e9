// SPDX-License-Identifier: Apache-2.0
#include "boost/round.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "base/error.h"
#include "base/prefetch.h"
#include "boost/leaf_values.h"
#include "boost/output_column.h"
#include "parallel/parallel_for.h"
#include "tree/grow.h"

namespace xgbl {
namespace {

constexpr std::size_t kAhead = 16;  // rows that are fetched in advance

bool Has(Strings const& updaters, std::string const& name) {
  return std::find(updaters.begin(), updaters.end(), name) != updaters.end();
}

// What each leaf adds to the margins of its rows, in the output(s) from `first`.
void AddLeaves(Context const& ctx, Tree const& tree, LeafRows const& rows, std::size_t first,
               MatrixView<float> margins) {
  rows.ForEachPiece(ctx, [&](LeafRows::Leaf const& leaf, Span<std::uint32_t const> piece) {
    Span<float const> const values = tree.Value(leaf.node);
    for (std::size_t i = 0; i < piece.size(); ++i) {
      Prefetch(&margins(piece[std::min(i + kAhead, piece.size() - 1)], first));
      for (std::size_t k = 0; k < values.size(); ++k) margins(piece[i], first + k) += values[k];
    }
  });
}

// Tree methods by what XGBoost calls the updaters that do the same.
std::map<std::string, std::string> const kGrowers{
    {"grow_colmaker", "exact"}, {"grow_histmaker", "approx"}, {"grow_quantile_histmaker", "hist"}};

std::string MethodOf(BoostParam const& param) {
  for (auto const& name : param.updater) {
    auto const grower = kGrowers.find(name);
    if (grower != kGrowers.end()) return grower->second;
  }
  return param.tree_method == "auto" ? "hist" : param.tree_method;
}

// Grows the trees of one round, one after the other.
class RoundGrower {
 public:
  explicit RoundGrower(RoundTask const& task)
      : task_(task),
        ctx_(ForWork(task.ctx, task.data.Rows() * task.data.Columns())),
        method_(Registry<TreeMethod>::Get().At(MethodOf(task.boost), "tree method").make()),
        param_(task.tree),
        prune_(task.boost.updater.empty() || Has(task.boost.updater, "prune")) {
    param_.learning_rate /= static_cast<double>(task.boost.num_parallel_tree);  // the trees of a forest share one step
    leaves_ = MakeLeafValues({ctx_, task.data.Info(), param_, task.objective, task.margins, task.round, task.state},
                             MethodOf(task.boost));
  }

  /// A tree for the `width` outputs from `first`; `copy` numbers the trees of a forest.
  void Grow(std::size_t first, std::size_t width, std::size_t copy, Round* round) const {
    std::size_t const outputs = task_.gradients.gradient.columns();
    auto const copies = static_cast<std::size_t>(task_.boost.num_parallel_tree);
    TreeKey const key{ctx_.seed, (task_.round * outputs + first) * copies + copy};
    bool const apart = !task_.split_gradients.gradient.empty();
    GradientView const& chosen_by = apart ? task_.split_gradients : task_.gradients;
    OutputColumns columns(chosen_by, first, apart ? chosen_by.gradient.columns() : width, ctx_);
    RowSample const sample = SampleRows(param_, key, columns.Views(), ctx_);
    columns.Scale(sample, ctx_);
    TreeTask task{ctx_, task_.data, param_, sample, columns.Views(), key};
    OutputColumns leaves(task_.gradients, first, apart ? width : 0, ctx_);
    leaves.Scale(sample, ctx_);
    task.leaf_gradients = leaves.Views();
    GrownTree grown = GrowTree(task, *method_, prune_);
    if (leaves_) leaves_->Set(sample, first, &grown);
    AddLeaves(ctx_, grown.tree, grown.rows.sampled, first, round->margins.View());
    AddLeaves(ctx_, grown.tree, grown.rows.others, first, round->margins.View());
    round->trees.push_back(std::make_shared<Tree const>(std::move(grown.tree)));
    round->outputs.push_back(static_cast<std::int32_t>(first));
  }

 private:
  RoundTask const& task_;
  Context ctx_;
  std::unique_ptr<TreeMethod> method_;
  TreeParam param_;
  bool prune_;
  std::unique_ptr<LeafValues> leaves_;  // nullptr: they keep what they were grown with
};

}  // namespace

void CheckUpdaters(BoostParam const& param) {
  for (auto const& name : param.updater) {
    Require<ParamError>(kGrowers.count(name) != 0 || name == "prune",
                        "`updater` must be made of grow_colmaker, grow_histmaker, grow_quantile_histmaker and prune; "
                        "got `",
                        name, "`.");
  }
  auto const growers = std::count_if(param.updater.begin(), param.updater.end(),
                                     [](std::string const& name) { return kGrowers.count(name) != 0; });
  Require<ParamError>(param.updater.empty() || growers == 1, "`updater` names ", growers,
                      " ways to grow a tree; name one of grow_colmaker, grow_histmaker and grow_quantile_histmaker.");
}

Round GrowRoundOfTrees(RoundTask const& task) {
  RoundGrower const grower(task);
  std::size_t const outputs = task.gradients.gradient.columns();
  std::size_t const width = task.vector_leaves ? outputs : 1;
  Round round;
  round.margins = task.margins;
  for (std::size_t first = 0; first < outputs; first += width) {
    for (int copy = 0; copy < task.boost.num_parallel_tree; ++copy) {
      grower.Grow(first, width, static_cast<std::size_t>(copy), &round);
    }
  }
  return round;
}

}  // namespace xgbl
