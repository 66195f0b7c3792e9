// SPDX-License-Identifier: Apache-2.0
#include "boost/params_elsewhere.h"

#include <map>

#include "base/suggest.h"
#include "boost/param_table.h"

namespace xgbl {
namespace {

using Advice = std::map<std::string, std::string>;

void Add(std::vector<std::string> const& names, std::string const& sentence, Advice* advice) {
  for (auto const& name : names) (*advice)[name] = sentence;
}

// Arguments of functions, and what has no name of its own here.
void AddSentences(Advice* advice) {
  Add({"iterations", "num_iterations", "num_iteration", "n_iter", "num_tree", "num_trees", "nround", "nrounds",
       "num_boosting_rounds", "max_iter"},
      "The number of rounds is the argument `num_boost_round` of train(), of estimators `n_estimators`.", advice);
  Add({"early_stopping", "early_stopping_round", "n_iter_no_change", "od_wait"},
      "Use `early_stopping_rounds` of train() or of estimators.", advice);
  Add({"verbose", "logging_level"}, "Use `verbosity`, or `verbose_eval` of train() and `verbose` of fit().", advice);
  Add({"callbacks"}, "It is an argument of train() and of estimators.", advice);
  Add({"importance_type"}, "It is an argument of get_score() and of estimators.", advice);
  Add({"feature_weights", "feature_types"}, "It is an argument of DMatrix and of estimators.", advice);
  Add({"cat_feature", "cat_features", "categorical_column", "categorical_feature", "categorical_features"},
      "A data frame says which columns are categories, for arrays it is `feature_types` of DMatrix and of estimators.",
      advice);
  Add({"class_weight", "class_weights", "auto_class_weights", "is_unbalance", "unbalance"},
      "Use `class_weight` of XGBClassifier, `scale_pos_weight`, or weights of rows.", advice);
  Add({"min_child_samples", "min_data", "min_data_in_leaf", "min_data_per_leaf", "min_samples_leaf"},
      "Use `min_child_weight`, which is a sum of hessians: of squared error the number of rows.", advice);
}

Advice const& Known() {
  static Advice const advice = [] {
    Advice made;
    for (auto const& [group, spec] : ParamTable()) Add(spec.elsewhere, "Use `" + spec.name + "`.", &made);
    AddSentences(&made);
    return made;
  }();
  return advice;
}

}  // namespace

std::string AdviceOn(std::string const& name) {
  auto const found = Known().find(Lowered(name));
  return found == Known().end() ? "" : found->second;
}

std::vector<std::string> const& NamesOfArguments() {
  static std::vector<std::string> const names{"callbacks", "class_weight", "feature_types", "feature_weights",
                                              "importance_type"};
  return names;
}

}  // namespace xgbl
