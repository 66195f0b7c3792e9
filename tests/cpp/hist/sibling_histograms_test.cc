// SPDX-License-Identifier: Apache-2.0
#include "hist/sibling_histograms.h"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "hist/binned.h"

namespace xgbl {
namespace {

using Family = SiblingHistograms::Family;

class SiblingHistogramsTest : public ::testing::Test {
 protected:
  static constexpr std::size_t kRows = 600;

  SiblingHistogramsTest() { StartOver(); }

  void StartOver() {
    tree_ = {};
    tree_.nodes.emplace_back();
    rows_ = RowPartition(kRows, Context{});
  }

  SiblingHistograms Make() { return {param_, *sample_.matrix, {&gradients_, 1}, rows_, kThreads, use_}; }

  // Rows of a node go on by one feature; gives both children.
  std::vector<NodeId> Children(NodeId node, std::uint32_t last_left_bin) {
    NodeId const left = tree_.AddChildren(node);
    RowPartition::Move const move{node, left, static_cast<std::uint32_t>(tree_[node].depth), false, last_left_bin, {}};
    rows_.Split(*sample_.matrix, {&move, 1}, Context{});
    return {left, left + 1};
  }

  void ExpectHistogram(SiblingHistograms const& histograms, NodeId node) {
    HistogramBuilder builder(*sample_.matrix, {&gradients_, 1});
    Histogram expected;
    HistogramBuilder::Job const job{rows_.Rows(node), false, &expected};
    builder.Build({&job, 1}, Context{});
    ASSERT_FALSE(histograms[node].Empty()) << node;
    for (std::size_t bin = 0; bin < sample_.matrix->HistogramBins(); ++bin) {
      FixedSum const got = histograms[node].Bin(0, bin), sum = expected.Bin(0, bin);
      ASSERT_TRUE(got.gradient == sum.gradient && got.hessian == sum.hessian) << node << " " << bin;
    }
  }

  // Looks at the histograms of nodes, and gives how many were built from rows. Each family may be a share of its own.
  std::size_t Evaluate(SiblingHistograms* histograms, std::vector<NodeId> const& nodes, bool in_shares = false,
                       bool valid = true) {
    std::size_t built = 0;
    histograms->Evaluate(tree_, nodes, [&](Span<Family const> families, std::vector<Split>* splits) {
      for (std::size_t i = 0; i < families.size(); ++i) {
        int const share = in_shares ? static_cast<int>(i) % kThreads : SiblingHistograms::kEveryThread;
        histograms->Build(families.Sub(i, 1), Context{}, share);
        built += families[i].built.size();
        for (std::size_t k = 0; k < families[i].wanted.size(); ++k) {
          NodeId const node = families[i].wanted[k];
          EXPECT_EQ(histograms->ShareOf(node), share);
          EXPECT_EQ(nodes[families[i].place + k], node);
          if (histograms->Needs(node)) ExpectHistogram(*histograms, node);
          (*splits)[families[i].place + k].gain = valid ? 1 : 0;
        }
      }
    });
    return built;
  }

  std::size_t Kept(SiblingHistograms const& histograms) const {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < tree_.nodes.size(); ++i) kept += histograms[static_cast<NodeId>(i)].Empty() ? 0 : 1;
    return kept;
  }

  static constexpr int kThreads = 2;
  TreeParam param_;
  SiblingHistograms::Use use_;
  BinnedSample const sample_ = MakeBinned(kRows, {{16, 0.1}, {16, 0}, {16, 0.2}, {16, 0}});
  PackedGradients const gradients_ =
      PackGradients(RandomGradients(kRows, 1).Of(0), GradientBits::kAuto, nullptr, Context{});
  RowPartition rows_{kRows, Context{}};
  GrowingTree tree_;
};

TEST_F(SiblingHistogramsTest, OfSiblingsTheLighterOneIsBuilt) {
  for (bool const in_shares : {false, true}) {
    StartOver();
    SiblingHistograms histograms = Make();
    EXPECT_EQ(Evaluate(&histograms, {0}, in_shares), 1U);
    std::vector<NodeId> level{0};
    for (std::uint32_t depth = 0; depth < 4; ++depth) {
      std::vector<NodeId> next;
      for (NodeId const node : level) {
        for (NodeId const child : Children(node, 3 + 2 * depth)) next.push_back(child);
      }
      histograms.WereSplit(level);
      EXPECT_EQ(Evaluate(&histograms, next, in_shares), level.size());
      EXPECT_EQ(Kept(histograms), next.size());  // and none of their parents'
      level = next;
    }
  }
}

TEST_F(SiblingHistogramsTest, WithoutTheParentsBothAreBuilt) {
  param_.max_cached_hist_node = 1;
  SiblingHistograms histograms = Make();
  Evaluate(&histograms, {0});
  auto const children = Children(0, 7);
  histograms.WereSplit({0});
  EXPECT_EQ(Evaluate(&histograms, children), 1U);
  EXPECT_EQ(Kept(histograms), 1U);
  std::vector<NodeId> next = Children(children[0], 7);
  for (NodeId const node : Children(children[1], 7)) next.push_back(node);
  histograms.WereSplit(children);
  EXPECT_EQ(Evaluate(&histograms, next), 3U);
  EXPECT_EQ(Kept(histograms), 1U);
}

TEST_F(SiblingHistogramsTest, OfOneChildThatIsWanted) {
  for (bool const wants_heavy : {false, true}) {
    StartOver();
    SiblingHistograms histograms = Make();
    Evaluate(&histograms, {0});
    auto const children = Children(0, 3);
    NodeId const light = rows_.Count(1) <= rows_.Count(2) ? 1 : 2;
    NodeId const wanted = wants_heavy ? 3 - light : light;
    histograms.WereSplit({0});
    EXPECT_EQ(Evaluate(&histograms, {wanted}), 1U);
    EXPECT_EQ(Kept(histograms), 1U);
    EXPECT_FALSE(histograms[wanted].Empty());
  }
}

TEST_F(SiblingHistogramsTest, NodesOfFewRowsHaveNone) {
  use_.least_rows = kRows / 2;
  SiblingHistograms histograms = Make();
  EXPECT_EQ(Evaluate(&histograms, {0}), 1U);
  auto const children = Children(0, 1);
  ASSERT_LT(rows_.Count(1), use_.least_rows);
  EXPECT_FALSE(histograms.Needs(1));
  histograms.WereSplit({0});
  EXPECT_EQ(Evaluate(&histograms, {1}), 0U);
  EXPECT_EQ(Kept(histograms), 0U);
}

TEST_F(SiblingHistogramsTest, ARootThatIsThereIsNotBuilt) {
  SiblingHistograms histograms = Make();
  HistogramBuilder builder(*sample_.matrix, {&gradients_, 1});
  Histogram root;
  HistogramBuilder::Job const job{{}, true, &root};
  builder.Build({&job, 1}, Context{});
  histograms.SetRoot(std::move(root));
  EXPECT_EQ(Evaluate(&histograms, {0}), 0U);
}

TEST_F(SiblingHistogramsTest, TreesThatGrowAtOnceShareTheMemory) {
  HistogramBuilder const builder(*sample_.matrix, {&gradients_, 1});
  param_.max_cached_hist_node = 1000;
  use_.trees_at_once = SiblingHistograms::kMostBytes / builder.Bytes(2 * kNarrowRows) / 5;  // five for each
  SiblingHistograms histograms = Make();
  std::vector<NodeId> level{0};
  for (int depth = 0; depth < 3; ++depth) {
    std::vector<NodeId> next;
    for (NodeId const node : level) {
      for (NodeId const child : Children(node, 7)) next.push_back(child);
    }
    level = next;
  }
  EXPECT_EQ(Evaluate(&histograms, level), 8U);
  EXPECT_EQ(Kept(histograms), 5U);
}

TEST_F(SiblingHistogramsTest, DropsWhatNobodyWillAskFor) {
  param_.max_depth = 3;
  SiblingHistograms histograms = Make();
  Evaluate(&histograms, {0}, false, false);
  EXPECT_TRUE(histograms[0].Empty());  // a leaf
  auto const children = Children(0, 7);
  Evaluate(&histograms, children);
  EXPECT_EQ(Kept(histograms), 2U);
  auto const grandchildren = Children(1, 7);
  histograms.WereSplit({1});
  Evaluate(&histograms, grandchildren);  // they may have children, but no grandchildren
  EXPECT_EQ(Kept(histograms), 1U);
  use_.update_cost = 1e-9;
  SiblingHistograms thrifty = Make();
  Evaluate(&thrifty, {0});
  EXPECT_TRUE(thrifty[0].Empty());  // sooner built again
}

}  // namespace
}  // namespace xgbl
