// SPDX-License-Identifier: Apache-2.0
#include "boost/param_table.h"

#include <gtest/gtest.h>

#include <string>

#include "base/error.h"

namespace xgbl {
namespace {

// What is said to a name that is taken for a parameter here.
std::string AnswerTo(std::string const& name) {
  try {
    CanonicalName(name);
  } catch (ParamError const& error) {
    return error.what();
  }
  return "";
}

bool Answers(std::string const& name, std::string const& words) {
  return AnswerTo(name).find(words) != std::string::npos;
}

TEST(ParamTable, SaysWhatToUseInPlaceOfNamesElsewhere) {
  EXPECT_TRUE(Answers("num_leaves", " Use `max_leaves`.")) << AnswerTo("num_leaves");
  EXPECT_TRUE(Answers("L2_Leaf_Reg", " Use `reg_lambda`."));
  EXPECT_TRUE(Answers("iterations", "`num_boost_round`"));
  EXPECT_FALSE(Answers("no_such_thing", "Use"));
  EXPECT_FALSE(Answers("", "Use"));
}

TEST(ParamTable, ArgumentsThatAreMistakenForParametersHaveTheirAdvice) {
  for (char const* name : {"callback", "class_weigths", "feature_type", "feature_weight", "importance_typ"}) {
    EXPECT_TRUE(Answers(name, "Did you mean")) << AnswerTo(name);
    EXPECT_TRUE(Answers(name, "It is an argument of") || Answers(name, "Use `class_weight`")) << AnswerTo(name);
  }
}

TEST(ParamTable, NoNameElsewhereIsTakenHere) {
  for (auto const& [group, param] : ParamTable()) {
    for (auto const& name : param.elsewhere) EXPECT_TRUE(Answers(name, "Unknown parameter")) << name;
    for (auto const& alias : param.aliases) EXPECT_EQ(CanonicalName(alias), param.name);
  }
}

}  // namespace
}  // namespace xgbl
