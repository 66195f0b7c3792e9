// SPDX-License-Identifier: Apache-2.0
#include "boost/round.h"

#include <algorithm>
#include <string>
#include <utility>

#include "base/bits.h"
#include "base/error.h"
#include "boost/leaf_values.h"
#include "boost/output_columns.h"
#include "boost/updaters.h"
#include "parallel/parallel_for.h"
#include "tree/grow.h"

namespace xgbl {
namespace {

constexpr std::size_t kAhead = 16;  // rows that are fetched in advance
constexpr std::size_t kCopiedBlock = std::size_t{1} << 16U;

// What each leaf adds to the margins of its rows; these have a column for each output of the tree.
void AddLeaves(Context const& ctx, Tree const& tree, LeafRows const& rows, MatrixView<float> margins) {
  rows.ForEachPiece(ctx, [&](LeafRows::Leaf const& leaf, Span<std::uint32_t const> piece) {
    Span<float const> const values = tree.Value(leaf.node);
    for (std::size_t i = 0; i < piece.size(); ++i) {
      Prefetch(&margins(piece[std::min(i + kAhead, piece.size() - 1)], 0));
      for (std::size_t k = 0; k < values.size(); ++k) margins(piece[i], k) += values[k];
    }
  });
}

// As in XGBoost's files, where the weights of leaves, unlike those of inner nodes, count the learning rate, unless the
// method has it otherwise or a later step changed the tree.
void ShrinkLeafWeights(double learning_rate, Tree* tree) {
  auto const outputs = static_cast<std::size_t>(tree->outputs);
  for (std::size_t i = 0; i < tree->weight.size(); ++i) {
    if (tree->left[i / outputs] == kNoNode) tree->weight[i] *= static_cast<float>(learning_rate);
  }
}

// The same rows by the leaves of a tree that was pruned since.
LeafRows Regrouped(LeafRows const& old, std::size_t row_count, Tree const& tree) {
  std::vector<NodeId> leaf_of_row(row_count, 0);
  for (LeafRows::Leaf const& leaf : old.leaves) {
    NodeId node = leaf.node;
    for (NodeId above = tree.parent[Tree::At(node)]; above != kNoNode; above = tree.parent[Tree::At(above)]) {
      if (tree.IsLeaf(above)) node = above;
    }
    for (std::size_t i = leaf.begin; i < leaf.end; ++i) leaf_of_row[old.rows.data()[i]] = node;
  }
  std::vector<std::uint32_t> rows(old.rows.data(), old.rows.data() + old.rows.size());
  std::sort(rows.begin(), rows.end());
  return SortByLeaf(rows, false, leaf_of_row, tree.Size());
}

// Grows the trees of one round.
class RoundGrower {
 public:
  RoundGrower(RoundInput const& task, std::function<void(GrownTree*)> const& adjust)
      : task_(task),
        adjust_(adjust),
        ctx_(ForWork(task.ctx, task.data.Rows() * task.data.Columns())),
        plan_(PlanOf(task.boost)),
        method_(Registry<TreeMethod>::Get().At(plan_.method, "tree method").make()),
        param_(task.tree) {
    to_draw_.all = TakesAllRows(param_);
    param_.learning_rate /= static_cast<double>(task.boost.num_parallel_tree);  // the trees of a forest share one step
    leaves_ = MakeLeafValues({ctx_, task.data.Info(), param_, task.objective, task.margins, task.round, task.state});
  }

  /// Trees that each have all outputs.
  void GrowVectors(Round* round) const {
    std::size_t const outputs = task_.gradients.gradient.columns();
    GradientGroup const group(task_.gradients, 0, outputs, ctx_);
    GradientView const& split = task_.split_gradients;
    bool const apart = !split.gradient.empty();
    std::size_t const splits = apart ? split.gradient.columns() : outputs;
    GradientGroup const chosen_by(apart ? split : task_.gradients, 0, apart ? splits : 0, ctx_);
    std::vector<TreeTask> tasks;
    tasks.push_back(TaskOf((apart ? chosen_by : group).Views(0, splits), 0));
    if (apart) tasks[0].leaf_gradients = group.Views(0, outputs);
    method_->Prepare(&tasks);
    Append(GrowCopies(&tasks[0], 0, round->margins.View(), ctx_), 0, round);
  }

  /// Trees of one output each.
  void GrowSingles(Round* round) const {
    std::size_t const outputs = task_.gradients.gradient.columns();
    for (std::size_t first = 0; first < outputs; first += ColumnGroup::kCount) {
      std::size_t const count = std::min(outputs - first, ColumnGroup::kCount);
      GradientGroup const group(task_.gradients, first, count, ctx_);
      std::vector<TreeTask> tasks;
      for (std::size_t k = 0; k < count; ++k) tasks.push_back(TaskOf(group.Views(k, 1), first + k));
      method_->Prepare(&tasks);
      if (outputs == 1) return Append(GrowCopies(&tasks[0], 0, round->margins.View(), ctx_), 0, round);
      ColumnGroup margins(round->margins.View(), first, count, ctx_);
      std::vector<Trees> trees(count);
      ForEachOutput(count, [&](std::size_t k, Context const& ctx) {
        MatrixView<float> const own(margins.Copied(k), round->margins.rows, 1);
        trees[k] = GrowCopies(&tasks[k], first + k, own, ctx);
      });
      for (std::size_t k = 0; k < count; ++k) Append(std::move(trees[k]), first + k, round);
      margins.WriteTo(round->margins.View(), ctx_);
    }
  }

 private:
  using Trees = std::vector<std::shared_ptr<Tree const>>;

  // What the first tree for the outputs from `first` on is grown from, before its rows are drawn.
  TreeTask TaskOf(std::vector<OutputGradients> gradients, std::size_t first) const {
    return {ctx_, task_.data, param_, to_draw_, std::move(gradients), KeyOf(first, 0)};
  }

  TreeKey KeyOf(std::size_t output, std::size_t copy) const {
    auto const copies = static_cast<std::size_t>(task_.boost.num_parallel_tree);
    return {ctx_.seed, (task_.round * task_.gradients.gradient.columns() + output) * copies + copy};
  }

  // Trees of different outputs have nothing to do with one another: as many as threads are grown at a time, each by one
  // thread, which has less to wait for than all threads on one tree. What is left over then is grown by all.
  template <class Grow>
  void ForEachOutput(std::size_t count, Grow&& grow) const {
    auto const threads = static_cast<std::size_t>(ctx_.threads);
    bool const apart = threads > 1 && task_.tree.leaf_estimation_iterations == 1 && !adjust_ && plan_.later.empty() &&
                       method_->SharesBins();
    std::size_t const side_by_side = apart ? count / threads * threads : 0;
    Context alone = ctx_;
    alone.threads = 1;
    ParallelTasks(ctx_, side_by_side, [&](std::size_t k, int) { grow(k, alone); });
    for (std::size_t k = side_by_side; k < count; ++k) grow(k, ctx_);
  }

  static void Append(Trees trees, std::size_t output, Round* round) {
    for (auto& tree : trees) {
      round->trees.push_back(std::move(tree));
      round->outputs.push_back(static_cast<std::int32_t>(output));
    }
  }

  // The trees of a forest for the outputs from `first` on, whose margins these are.
  Trees GrowCopies(TreeTask* prepared, std::size_t first, MatrixView<float> margins, Context const& ctx) const {
    Trees trees(static_cast<std::size_t>(task_.boost.num_parallel_tree));
    for (std::size_t copy = 0; copy < trees.size(); ++copy) {
      prepared->key = KeyOf(first, copy);
      trees[copy] = Grow(prepared, first, margins, ctx);
    }
    return trees;
  }

  std::shared_ptr<Tree const> Grow(TreeTask* prepared, std::size_t first, MatrixView<float> margins,
                                   Context const& ctx) const {
    TreeKey const key = prepared->key;
    RowSample const sample = SampleRows(param_, key, prepared->gradients, ctx, task_.data.Info().group_begin);
    ScaledColumns const columns(prepared->gradients, sample, ctx), leaves(prepared->leaf_gradients, sample, ctx);
    TreeTask task{ctx, task_.data, param_, sample, columns.Views(), key};
    task.leaf_gradients = leaves.Views();
    task.views = prepared->views;
    task.root = std::exchange(prepared->root, {});
    task.trees_at_once = static_cast<std::size_t>(ctx_.threads / ctx.threads);
    GrownTree grown = GrowTree(std::move(task), *method_, plan_.prunes_at_once);
    TakeLaterSteps(first, &grown);
    if (leaves_) leaves_(sample, first, &grown);
    if (adjust_) adjust_(&grown);
    if (method_->ShrinksWeights() && plan_.later.empty()) ShrinkLeafWeights(param_.learning_rate, &grown.tree);
    AddLeaves(ctx, grown.tree, grown.rows.sampled, margins);
    AddLeaves(ctx, grown.tree, grown.rows.others, margins);
    return std::make_shared<Tree const>(std::move(grown.tree));
  }

  // Unlike growing, they see all rows and no sampling.
  void TakeLaterSteps(std::size_t first, GrownTree* grown) const {
    for (auto const& step : plan_.later) {
      if (step == "refresh") {
        RefreshTree(ctx_, param_, task_.boost.refresh_leaf, ColumnsOf(task_.gradients, first, grown->tree.outputs),
                    {&grown->rows.sampled, &grown->rows.others}, &grown->tree);
        continue;
      }
      PruneTree(param_, &grown->tree);
      grown->rows.sampled = Regrouped(grown->rows.sampled, task_.data.Rows(), grown->tree);
      grown->rows.others = Regrouped(grown->rows.others, task_.data.Rows(), grown->tree);
    }
  }

  RoundInput const& task_;
  std::function<void(GrownTree*)> const& adjust_;
  Context ctx_;
  UpdaterPlan plan_;
  std::unique_ptr<TreeMethod> method_;
  TreeParam param_;
  RowSample to_draw_;  // tells whether it is to be all of them
  LeafValues leaves_;  // none: they keep what they were grown with
};

}  // namespace

std::vector<OutputGradients> ColumnsOf(GradientView const& gradients, std::size_t first, int count) {
  std::size_t const rows = gradients.gradient.rows(), outputs = gradients.gradient.columns();
  std::vector<OutputGradients> columns;
  for (std::size_t k = first; k < first + static_cast<std::size_t>(count); ++k) {
    columns.push_back({gradients.gradient.data() + k, gradients.hessian.data() + k, rows, outputs});
  }
  return columns;
}

void AddRound(Round round, Model* model) {
  if (round.starts_over) {
    Model bare = model->WithoutRounds();
    bare.AppendRound(std::move(round.trees), round.outputs);
    *model = std::move(bare);
  } else if (round.linear) {
    model->linear = std::move(round.linear);
  } else {
    model->AppendRound(std::move(round.trees), round.outputs);
  }
  if (!round.tree_weights.empty()) model->tree_weights = std::move(round.tree_weights);
}

Round GrowRoundOfTrees(RoundInput const& input, RoundMemory* memory, std::function<void(GrownTree*)> const& adjust) {
  RoundGrower const grower(input, adjust);
  Round round;
  round.margins = std::move(memory->spare);
  Matrix<float> const& before = input.margins;
  Matrix<float>& after = round.margins;
  after.rows = before.rows;
  after.columns = before.columns;
  after.values.resize(before.values.size());
  ParallelBlocks(ForWork(input.ctx, before.values.size()), before.values.size(), kCopiedBlock,
                 [&](std::size_t begin, std::size_t end) {
                   std::copy(before.values.data() + begin, before.values.data() + end, after.values.data() + begin);
                 });
  if (input.vector_leaves) {
    grower.GrowVectors(&round);
  } else {
    grower.GrowSingles(&round);
  }
  return round;
}

}  // namespace xgbl
