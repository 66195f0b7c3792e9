// SPDX-License-Identifier: Apache-2.0
#include "boost/round.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <string>
#include <utility>

#include "base/bits.h"
#include "base/error.h"
#include "base/registry.h"
#include "bins/binned_matrix.h"
#include "boost/leaf_values.h"
#include "boost/output_columns.h"
#include "boost/updaters.h"
#include "parallel/parallel_for.h"
#include "parallel/reduce.h"
#include "predict/node_trees.h"
#include "tree/split_finder.h"

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
    std::size_t const at_a_time = OutputsAtATime();
    for (std::size_t first = 0; first < outputs; first += at_a_time) {
      std::size_t const count = std::min(outputs - first, at_a_time);
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

  // As many as share the way to their roots; more where there are threads for them.
  std::size_t OutputsAtATime() const {
    constexpr std::size_t kLeast = 8;
    return (static_cast<std::size_t>(std::max(ctx_.threads, 1)) + kLeast - 1) / kLeast * kLeast;
  }

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

// The codes of some features, each met any number of times.
class CodeMarks {
 public:
  explicit CodeMarks(std::size_t features) : marks_(features) {}

  void Add(std::size_t feature, float value) {
    if (!(value >= 0 && value <= static_cast<float>(kMostCode)) || value != std::floor(value)) return;
    auto const code = static_cast<std::size_t>(value);
    auto& marks = marks_[feature];
    if (code >= marks.size()) marks.resize(code + 1);
    marks[code] = true;
  }

  CodeMarks& operator+=(CodeMarks const& other) {
    for (std::size_t feature = 0; feature < marks_.size(); ++feature) {
      auto& marks = marks_[feature];
      auto const& more = other.marks_[feature];
      if (more.size() > marks.size()) marks.resize(more.size());
      for (std::size_t code = 0; code < more.size(); ++code) {
        if (more[code]) marks[code] = true;
      }
    }
    return *this;
  }

  CodeSet SetOf(std::size_t feature) const {
    std::vector<std::int32_t> codes;
    for (std::size_t code = 0; code < marks_[feature].size(); ++code) {
      if (marks_[feature][code]) codes.push_back(static_cast<std::int32_t>(code));
    }
    return CodeSetOf(codes);
  }

 private:
  std::vector<std::vector<bool>> marks_;
};

constexpr std::uint32_t kNotWanted = ~std::uint32_t{0};

// The features whose codes nothing else tells.
struct WantedFeatures {
  std::vector<std::size_t> features;
  std::vector<std::uint32_t> place;  // by feature: where it is among them
};

WantedFeatures WithoutLabels(DMatrix const& train) {
  WantedFeatures wanted;
  Meta const& info = train.Info();
  if (info.feature_types.empty()) return wanted;
  auto const flags = info.CategoricalFlags(train.Columns());
  wanted.place.resize(flags.size(), kNotWanted);
  for (std::size_t i = 0; i < flags.size(); ++i) {
    if (flags[i] == 0 || (i < info.categories.size() && !info.categories[i].empty())) continue;
    wanted.place[i] = static_cast<std::uint32_t>(wanted.features.size());
    wanted.features.push_back(i);
  }
  return wanted;
}

// Of rows [begin, end).
void Mark(FeatureMatrix const& features, WantedFeatures const& wanted, std::size_t begin, std::size_t end,
          CodeMarks* marks) {
  bool const sparse = features.Sparse() != nullptr;
  for (std::size_t row = begin; row < end; ++row) {
    if (sparse) {
      features.ForEachPresent(row, [&](std::size_t i, float value) {
        if (wanted.place[i] != kNotWanted) marks->Add(wanted.place[i], value);
      });
      continue;
    }
    for (std::size_t i = 0; i < wanted.features.size(); ++i) marks->Add(i, features.Value(row, wanted.features[i]));
  }
}

using Clock = std::chrono::steady_clock;

std::string Count(std::size_t count, std::string const& one, std::string const& many = "") {
  return Text(count, " ", count == 1 ? one : many.empty() ? one + "s" : many);
}

// The bins that are made once for all trees.
std::string BinsOf(BinnedMatrix const& bins) {
  BinLayout const& layout = bins.Layout();
  std::size_t all = 0;
  for (BinPlace const& place : layout.places) all += place.bins;
  auto const bundles =
      std::count_if(layout.slots.begin(), layout.slots.end(), [](auto const& s) { return s.Bundle(); });
  std::string text = Text(Count(all, "bin"), " in ", Count(layout.slots.size(), "slot"));
  if (bundles > 0) text += Text(", ", Count(static_cast<std::size_t>(bundles), "bundle"), " among them");
  auto const joint = std::count_if(layout.slots.begin(), layout.slots.end(), [](auto const& s) { return s.Joint(); });
  if (joint > 0) text += Text(", ", joint, " of joint codes");
  if (!layout.sparse_features.empty()) {
    text += Text(", ", Count(layout.sparse_features.size(), "feature"), " kept as sparse rows");
  }
  return text;
}

std::string SizeOf(Tree const& tree) {
  TreeShape const shape = ShapeOf(tree);
  return Text(Count(2 * shape.leaves - 1, "node"), ", ", Count(shape.leaves, "leaf", "leaves"), ", depth ",
              shape.levels);
}

}  // namespace

std::vector<OutputGradients> ColumnsOf(GradientView const& gradients, std::size_t first, int count) {
  std::size_t const rows = gradients.gradient.rows(), outputs = gradients.gradient.columns();
  std::size_t const step = gradients.by_output ? rows : 1, stride = gradients.by_output ? 1 : outputs;
  std::vector<OutputGradients> columns;
  for (std::size_t k = first; k < first + static_cast<std::size_t>(count); ++k) {
    columns.push_back({gradients.gradient.data() + k * step, gradients.hessian.data() + k * step, rows, stride});
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

TrainingFacts FactsOf(DMatrix const& train, Context const& ctx) {
  TrainingFacts facts;
  facts.base_margin = !train.Info().base_margin.empty();
  WantedFeatures const wanted = WithoutLabels(train);
  if (wanted.features.empty()) return facts;
  FeatureMatrix const features = train.PassingFeatures(ctx);
  auto const mark = [&](std::size_t begin, std::size_t end, CodeMarks* marks) {
    Mark(features, wanted, begin, end, marks);
  };
  std::size_t const count = wanted.features.size();
  auto const marks = ReduceRows(ForWork(ctx, features.Rows() * count), features.Rows(), CodeMarks(count), mark);
  for (std::size_t i = 0; i < count; ++i) facts.codes.emplace(wanted.features[i], marks.SetOf(i));
  return facts;
}

void Remember(TrainingFacts const& facts, Model* model) {
  TrainingFacts& known = model->facts;
  known.base_margin = known.base_margin || facts.base_margin;
  if (model->Rounds() == 0) {
    known.codes = facts.codes;
    return;
  }
  for (auto& [feature, codes] : known.codes) {
    auto const more = facts.codes.find(feature);
    if (more != facts.codes.end()) codes = Union(codes, more->second);
  }
}

void ReportStart(RoundInput const& task, bool grows_trees) {
  if (!task.ctx.Tells(MessageLog::Level::kInfo)) return;
  std::size_t const rows = task.data.Rows(), columns = task.data.Columns();
  std::string const method = grows_trees ? PlanOf(task.boost).method : "";
  std::string text = Text("Training ", task.boost.booster, method.empty() ? "" : " by ", method, " on ",
                          Count(rows, "row"), " of ", Count(columns, "feature"), " with ",
                          Count(static_cast<std::size_t>(ForWork(task.ctx, rows * columns).threads), "thread"));
  if (!method.empty()) {
    if (Registry<TreeMethod>::Get().At(method, "tree method").make()->SharesBins()) {
      auto const start = Clock::now();
      std::string const bins = BinsOf(*task.data.Binned(task.ctx, task.tree.max_bin));
      auto const time = std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - start);
      text += Text("; ", bins, ", ready in ", time.count(), " ms");
    }
  }
  task.ctx.Tell(MessageLog::Level::kInfo, text + ".");
}

void ReportTrees(Model const& model, std::size_t round, Context const& ctx) {
  if (!ctx.Tells(MessageLog::Level::kDebug) || model.linear) return;
  for (std::size_t t = model.round_begin[round]; t < model.round_begin[round + 1]; ++t) {
    ctx.Tell(MessageLog::Level::kDebug,
             "Round " + std::to_string(round) + ", tree " + std::to_string(t) + ": " + SizeOf(*model.trees[t]) + ".");
  }
}

}  // namespace xgbl
