// SPDX-License-Identifier: Apache-2.0
#include "boost/param_table.h"

#include <algorithm>
#include <array>

#include "base/error.h"
#include "boost/booster_kind.h"
#include "boost/learner_param.h"
#include "objective/objective.h"
#include "tree/tree_param.h"

namespace xgbl {
namespace {

using Table = std::vector<std::pair<std::string, ParamSpec>>;
using Texts = std::map<std::string, std::string>;  // by name

// Arguments that a misspelt name may mean.
constexpr std::array kArguments = {"callbacks", "class_weight", "feature_types", "feature_weights", "importance_type"};

void Append(std::string const& group, std::vector<ParamSpec> const& specs, Table* table) {
  for (auto const& spec : specs) {
    bool const there =
        std::any_of(table->begin(), table->end(), [&](auto const& row) { return row.second.name == spec.name; });
    if (!there) table->emplace_back(group, spec);
  }
}

Table MakeTable() {
  Table table;
  Append("general", SpecsOf<GeneralParam>(), &table);
  Append("learner", SpecsOf<LearnerParam>(), &table);
  Append("boosting", SpecsOf<BoostParam>(), &table);
  Append("tree", SpecsOf<TreeParam>(), &table);
  for (auto const& [name, entry] : Registry<BoosterKind>::Get().Entries()) Append("booster", entry.params, &table);
  for (auto const& [name, entry] : Registry<Objective>::Get().Entries()) Append("objective", entry.params, &table);
  return table;
}

Texts MakeInert() {
  std::string const gpu = "there is no GPU code here";
  std::string const histograms = "histograms here are built in another way";
  Texts inert;
  auto const add = [&](std::string const& reason, Strings const& names) {
    for (auto const& name : names) inert[name] = reason;
  };
  add(gpu, {"gpu_id", "gpu_page_size", "fail_on_invalid_gpu_id", "predictor", "n_gpus"});
  add(histograms, {"single_precision_histogram", "sketch_eps", "sketch_ratio", "enable_feature_grouping",
                   "extmem_single_page", "debug_synchronize"});
  add("the bias of a linear model is not regularised", {"lambda_bias", "reg_lambda_bias"});
  add("columns are handed to threads one by one",
      {"parallel_option", "opt_dense_col", "default_direction", "sparse_threshold"});
  add("`verbosity` takes its place", {"silent"});
  add("labels of any kind are accepted", {"use_label_encoder"});
  add("the number of rounds is the argument `num_boost_round` of train(), or `n_estimators` of estimators",
      {"n_estimators", "num_boost_round", "num_round", "num_rounds"});
  add("train() has it as an argument", {"early_stopping_rounds"});
  add("train() has it as an argument, and fit() of estimators has `verbose`", {"verbose_eval"});
  add("DMatrix has it as an argument", {"enable_categorical", "missing"});
  return inert;
}

// What to use for names that LightGBM, CatBoost and scikit-learn have for parameters, as the declarations say, for
// arguments of Python functions that are mistaken for parameters, and for what has no name of its own here.
Texts MakeAdvice() {
  Texts advice;
  auto const add = [&](Strings const& names, std::string const& sentence) {
    for (auto const& name : names) advice[name] = sentence;
  };
  for (auto const& [group, spec] : ParamTable()) add(spec.elsewhere, "Use `" + spec.name + "`.");
  add({"iterations", "num_iterations", "num_iteration", "n_iter", "num_tree", "num_trees", "nround", "nrounds",
       "num_boosting_rounds", "max_iter"},
      "The number of rounds is the argument `num_boost_round` of train(), of estimators `n_estimators`.");
  add({"early_stopping", "early_stopping_round", "n_iter_no_change", "od_wait"},
      "Use `early_stopping_rounds` of train() or of estimators.");
  add({"verbose", "logging_level"}, "Use `verbosity`, or `verbose_eval` of train() and `verbose` of fit().");
  add({"callbacks"}, "It is an argument of train() and of estimators.");
  add({"importance_type"}, "It is an argument of get_score() and of estimators.");
  add({"feature_weights", "feature_types"}, "It is an argument of DMatrix and of estimators.");
  add({"cat_feature", "cat_features", "categorical_column", "categorical_feature", "categorical_features"},
      "A data frame says which columns are categories, for arrays it is `feature_types` of DMatrix and of estimators.");
  add({"class_weight", "class_weights", "auto_class_weights", "is_unbalance", "unbalance"},
      "Use `class_weight` of XGBClassifier, `scale_pos_weight`, or weights of rows.");
  add({"min_child_samples", "min_data", "min_data_in_leaf", "min_data_per_leaf", "min_samples_leaf"},
      "Use `min_child_weight`, which is a sum of hessians: of squared error the number of rows.");
  return advice;
}

// A sentence that says what to use for `name`; empty if other libraries do not know it, either.
std::string AdviceOn(std::string const& name) {
  static auto const& advice = *new Texts(MakeAdvice());
  auto const found = advice.find(Lowered(name));
  return found == advice.end() ? "" : found->second;
}

// What to do about a name that nobody knows here.
std::string Remedy(std::string const& name, std::vector<std::string> candidates) {
  if (std::string const advice = AdviceOn(name); !advice.empty()) return " " + advice;
  auto const& inert = InertParams();
  for (auto const& [other, reason] : inert) candidates.push_back(other);
  candidates.insert(candidates.end(), kArguments.begin(), kArguments.end());
  std::string const nearest = Nearest(name, candidates);
  if (inert.count(nearest) != 0) return Text(" Did you mean `", nearest, "` (", inert.at(nearest), ")?");
  std::string const meant = AdviceOn(nearest);
  return DidYouMean(name, candidates) + (meant.empty() ? "" : " " + meant);
}

}  // namespace

Table const& ParamTable() {
  static Table const& table = *new Table(MakeTable());
  return table;
}

std::pair<std::string, ParamSpec> const& DeclarationOf(std::string const& name) {
  auto const& table = ParamTable();
  auto const found = std::find_if(table.begin(), table.end(), [&](auto const& row) { return row.second.name == name; });
  Ensure(found != table.end(), "no parameter is called ", name);
  return *found;
}

Texts const& InertParams() {
  static auto const& inert = *new Texts(MakeInert());
  return inert;
}

std::string CanonicalName(std::string const& name) {
  std::vector<std::string> known;
  for (auto const& [group, spec] : ParamTable()) {
    if (spec.Answers(name)) return spec.name;
    known.push_back(spec.name);
    known.insert(known.end(), spec.aliases.begin(), spec.aliases.end());
  }
  if (InertParams().count(name) != 0) return "";
  throw ParamError(
      Text("Unknown parameter `", name, "`.", Remedy(name, known), " `xgb-like params` lists all of them."));
}

}  // namespace xgbl
