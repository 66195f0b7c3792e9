// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "exact/bounded_search.h"
#include "exact/finders.h"
#include "exact/fine_gradients.h"
#include "hist/row_partition.h"
#include "hist/sibling_histograms.h"
#include "parallel/parallel_for.h"
#include "parallel/reduce.h"
#include "simd/histogram_kernels.h"

namespace xgbl {
namespace {

constexpr std::size_t kLeastTableRows = 16384;        // of a table: fewer are scanned as fast
constexpr double kMostLambda = 1e20;                  // of more, in units of hessians, products would overflow
constexpr std::size_t kLeastBinned = 49;              // rows of a node: those of fewer are sorted instead
constexpr std::size_t kBoundedNodesAhead = 16;        // enough work for a few threads
constexpr std::size_t kSearchBatchBytes = 2U << 20U;  // of histograms that a thread builds before it looks at them
constexpr std::size_t kOperationsPerColumn = 2048;    // of a search, roughly
constexpr double kUpdateCost = 4;  // of a histogram, as against a byte of it that is kept and subtracted from
constexpr std::uint8_t kRight = 0, kLeft = 1, kLookUp = 2;  // where a code goes

class BoundedFinder final : public SplitFinder {
 public:
  BoundedFinder(TreeTask const& task, ColumnSampler const& columns)
      : task_(task),
        columns_(columns),
        order_(task.views.order),
        monotone_(task.param, task.data.Columns()),
        scale_(FineScale(task)),
        fine_(FineGradientsOf(task, scale_, PackGradients(task.gradients[0], GradientBits::kAuto, nullptr, task.ctx))),
        rows_(task.rows, task.data.Rows(), task.ctx),
        histograms_(task.param, order_->Bins(), {&fine_.coarse.packed, 1}, rows_.Sampled(), task.ctx.threads,
                    UseFor(task)),
        searches_(static_cast<std::size_t>(std::max(1, task.ctx.threads))) {}

  FixedSums RootSums() const override { return fine_.sampled; }
  std::vector<FixedScale> Scales() const override { return {scale_}; }
  std::size_t NodesAhead() const override { return task_.ctx.threads > 1 ? kBoundedNodesAhead : 1; }

  std::vector<Split> Evaluate(GrowingTree const& tree, std::vector<NodeId> const& nodes) override {
    ScanBatch const batch(task_.param, monotone_, tree, nodes);
    return histograms_.Evaluate(tree, nodes, [&](Span<Family const> families, std::vector<Split>* splits) {
      histograms_.Build(families, task_.ctx);
      Search(tree, nodes, families, batch, splits);
    });
  }

  void Apply(GrowingTree const& tree, std::vector<NodeId> const& nodes) override {
    histograms_.WereSplit(nodes);
    std::vector<RowPartition::Move> moves;
    std::vector<Way> ways;
    for (NodeId const id : nodes) {
      GrowingNode const& node = tree[id];
      moves.push_back({id, node.left, node.split.feature, node.split.missing_left, 0, {}});
      ways.push_back(WayOf(node.split));
    }
    auto const route = [&](std::size_t move, Span<std::uint32_t const> rows, std::uint32_t* left,
                           std::uint32_t* right) { return Route(ways[move], rows, left, right); };
    rows_.Split(moves, route, task_.ctx);
  }

  TreeRows CollectRows(GrowingTree const& tree, Span<NodeId const> final_of) override {
    Report();
    return rows_.TakeLeaves(tree, final_of);
  }

 private:
  using Family = SiblingHistograms::Family;

  static SiblingHistograms::Use UseFor(TreeTask const& task) {
    SiblingHistograms::Use use;
    use.trees_at_once = task.trees_at_once;
    use.batch_bytes = kSearchBatchBytes * static_cast<std::size_t>(std::max(1, task.ctx.threads));
    use.least_rows = kLeastBinned;
    use.update_cost = kUpdateCost;
    use.by_sign = true;
    return use;
  }

  // How a split sends rows: nearly always their codes tell.
  struct Way {
    CodeColumn codes;
    std::vector<std::uint8_t> side;  // by code; the last one is of all missing
    ValueColumn values;
    float threshold;
  };

  Way WayOf(Split const& split) const {
    BinnedMatrix const& bins = order_->Bins();
    std::uint32_t const own = bins.GetCuts().BinOf(split.feature, split.threshold);
    Way way{CodeColumn(bins, split.feature), {}, order_->Values(split.feature), split.threshold};
    way.side.assign(bins.Place(split.feature).bins + 1, kRight);
    std::fill_n(way.side.begin(), own, kLeft);
    if (own + 1 < way.side.size()) way.side[own] = kLookUp;
    way.side.back() = split.missing_left ? kLeft : kRight;
    return way;
  }

  std::size_t Route(Way const& way, Span<std::uint32_t const> rows, std::uint32_t* left, std::uint32_t* right) const {
    return PartRows(rows, left, right, task_.ctx, [&](auto block, std::uint8_t* sides, SplitTask* task) {
      task->first = kLeft;
      way.codes.Visit([&, side = way.side.data(), values = way.values](auto const codes) {
        for (std::size_t i = 0; i < block.size(); ++i) {
          std::uint8_t const own = side[codes.At(block[i])];
          sides[i] = own != kLookUp ? own : values[block[i]] < way.threshold ? kLeft : kRight;
        }
      });
    });
  }

  void Report() const {
    if (!task_.ctx.Tells(MessageLog::Level::kInfo)) return;
    std::size_t cells = 0, refined = 0;
    for (auto const& search : searches_) {
      cells += search ? search->Cells() : 0;
      refined += search ? search->Refined() : 0;
    }
    double const share = cells > 0 ? 100.0 * static_cast<double>(refined) / static_cast<double>(cells) : 0;
    task_.ctx.Tell(MessageLog::Level::kInfo, "Exact splits: " + std::to_string(share) + " % of " +
                                                 std::to_string(cells) + " cells were refined.");
  }

  // The search of a node, or a share of it: a node that has more than a thread's share of the rows is searched by
  // several, each for some of its features.
  struct Part {
    std::size_t place = 0;             // of the node
    std::size_t first = 0, count = 1;  // every `count`-th feature from `first` on
    std::size_t rows = 0;              // of the node, shared out
    Split split = Split();
  };

  Span<std::uint32_t const> FeaturesOf(GrowingTree const& tree, NodeId node) const {
    auto const& own = tree[node].columns;
    return own.empty() ? Span<std::uint32_t const>(columns_.Tree()) : Span<std::uint32_t const>(own);
  }

  // A search needs some bytes per row, so that a node's features limit how many share it.
  std::size_t SharesOf(std::size_t rows, std::size_t all_rows, std::size_t features) const {
    std::size_t const fair = (rows * static_cast<std::size_t>(task_.ctx.threads) + all_rows / 2) / all_rows;
    return std::clamp<std::size_t>(fair, 1, std::max<std::size_t>(features / 2, 1));
  }

  // The longest first.
  std::vector<Part> PartsOf(GrowingTree const& tree, Span<Family const> families) const {
    std::size_t total = 1;
    for (Family const& family : families) {
      for (NodeId const node : family.wanted) total += rows_.Sampled().Count(node);
    }
    std::vector<Part> parts;
    for (Family const& family : families) {
      for (std::size_t i = 0; i < family.wanted.size(); ++i) {
        NodeId const node = family.wanted[i];
        std::size_t const rows = rows_.Sampled().Count(node);
        std::size_t const features = FeaturesOf(tree, node).size();
        std::size_t const count = histograms_.Needs(node) ? SharesOf(rows, total, features) : 1;
        for (std::size_t k = 0; k < count; ++k) parts.push_back({family.place + i, k, count, rows / count});
      }
    }
    std::stable_sort(parts.begin(), parts.end(), [](Part const& a, Part const& b) { return a.rows > b.rows; });
    return parts;
  }

  void Search(GrowingTree const& tree, std::vector<NodeId> const& nodes, Span<Family const> families,
              ScanBatch const& batch, std::vector<Split>* splits) {
    std::vector<Part> parts = PartsOf(tree, families);
    std::vector<std::atomic<double>> best_gains(nodes.size());
    for (auto& gain : best_gains) gain.store(Split::kLeastGain, std::memory_order_relaxed);
    SearchData const data{*order_, fine_.rows, fine_.coarse, task_.ctx.simd};
    Context const worth = ForWork(task_.ctx, nodes.size() * columns_.Tree().size() * kOperationsPerColumn);
    ParallelTasks(worth, parts.size(), [&](std::size_t i, int thread) {
      Part& part = parts[i];
      NodeId const node = nodes[part.place];
      auto& search = searches_[static_cast<std::size_t>(thread)];
      if (!search) search = std::make_unique<BoundedSearch>(data);
      Span<std::uint32_t const> features = FeaturesOf(tree, node);
      std::vector<std::uint32_t> some;
      if (part.count > 1) {
        for (std::size_t k = part.first; k < features.size(); k += part.count) some.push_back(features[k]);
        features = some;
      }
      Histogram const* const histogram = histograms_.Needs(node) ? &histograms_[node] : nullptr;
      part.split = search->Best(
          batch, {batch.Nodes()[part.place], rows_.Sampled().Rows(node), features, histogram, best_gains[part.place]});
    });
    for (Part& part : parts) {
      Split& best = (*splits)[part.place];
      if (part.first == 0 || part.split.BetterThan(best)) best = std::move(part.split);
    }
  }

  TreeTask const& task_;
  ColumnSampler const& columns_;
  std::shared_ptr<BinOrder const> order_;
  MonotoneConstraints monotone_;
  FixedScale scale_;
  FineGradients fine_;
  TreePartition rows_;
  SiblingHistograms histograms_;
  std::vector<std::unique_ptr<BoundedSearch>> searches_;  // by thread
};

}  // namespace

bool SuitsBounds(TreeTask const& task) {
  if (!task.data.IsDense() || task.data.Rows() < kLeastTableRows || task.param.reg_lambda > kMostLambda) return false;
  OutputGradients const& output = task.gradients[0];
  return AllRows(task.ctx, task.data.Rows(), [&](std::size_t row) { return output.H(row) >= 0; });
}

std::unique_ptr<SplitFinder> MakeBoundedFinder(TreeTask const& task, ColumnSampler const& columns) {
  return std::make_unique<BoundedFinder>(task, columns);
}

}  // namespace xgbl
