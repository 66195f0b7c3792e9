// SPDX-License-Identifier: Apache-2.0
// Also tests param_table.cc.
#include "boost/params_elsewhere.h"

#include <gtest/gtest.h>

#include "boost/param_table.h"

namespace xgbl {
namespace {

TEST(ParamsElsewhere, SaysWhatToUseInstead) {
  EXPECT_EQ(AdviceOn("num_leaves"), "Use `max_leaves`.");
  EXPECT_EQ(AdviceOn("L2_Leaf_Reg"), "Use `reg_lambda`.");
  EXPECT_NE(AdviceOn("iterations").find("`num_boost_round`"), std::string::npos);
  EXPECT_EQ(AdviceOn("no_such_thing"), "");
  EXPECT_EQ(AdviceOn(""), "");
}

TEST(ParamsElsewhere, EachArgumentHasItsAdvice) {
  EXPECT_FALSE(NamesOfArguments().empty());
  for (auto const& name : NamesOfArguments()) EXPECT_NE(AdviceOn(name), "") << name;
}

TEST(ParamsElsewhere, NoNameThatIsTakenHereIsAmongThem) {
  for (auto const& [group, param] : ParamTable()) {
    EXPECT_EQ(AdviceOn(param.name), "");
    for (auto const& alias : param.aliases) EXPECT_EQ(AdviceOn(alias), "") << alias;
  }
}

}  // namespace
}  // namespace xgbl
