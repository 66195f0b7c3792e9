// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "boost/training.h"

namespace xgbl {
namespace {

using Level = MessageLog::Level;

std::vector<std::string> Texts(Booster* booster, Level level) {
  std::vector<std::string> texts;
  for (auto const& message : booster->TakeMessages()) {
    if (message.level == level) texts.push_back(message.text);
  }
  return texts;
}

TEST(ReportTrees, TellsTheSizeOfEachTreeOfTheRound) {
  Booster booster = Trained({{"verbosity", "3"}, {"num_parallel_tree", "2"}, {"max_depth", "1"}}, Training(), 1);
  EXPECT_EQ(Texts(&booster, Level::kDebug), (std::vector<std::string>{"Round 0, tree 0: 3 nodes, 2 leaves, depth 1.",
                                                                      "Round 0, tree 1: 3 nodes, 2 leaves, depth 1."}));
  booster.SetParams({{"gamma", "1e9"}});
  booster.Update(Training());
  auto const stumps = Texts(&booster, Level::kDebug);
  ASSERT_EQ(stumps.size(), 2U);
  EXPECT_EQ(stumps[1], "Round 1, tree 3: 1 node, 1 leaf, depth 0.");
}

TEST(ReportTrees, OfALinearModelThereIsNone) {
  Booster booster = Trained({{"verbosity", "3"}, {"booster", "gblinear"}}, Training(), 1);
  EXPECT_TRUE(Texts(&booster, Level::kDebug).empty());
}

TEST(ReportStart, TellsMethodAndSizeOncePerMatrix) {
  auto const data = Training();
  Booster booster = Trained({{"verbosity", "2"}, {"tree_method", "exact"}, {"nthread", "1"}}, data, 2);
  EXPECT_EQ(Texts(&booster, Level::kInfo),
            (std::vector<std::string>{"Training gbtree by exact on 400 rows of 3 features with 1 thread."}));
  booster.SetParams({{"tree_method", "hist"}});
  booster.Update(Training(1));
  auto const texts = Texts(&booster, Level::kInfo);
  ASSERT_EQ(texts.size(), 1U);
  EXPECT_EQ(texts[0].find("Training gbtree by hist on 1 row of 3 features with 1 thread; "), 0U) << texts[0];
}

}  // namespace
}  // namespace xgbl
