// SPDX-License-Identifier: Apache-2.0
#include "boost/param_table.h"

#include <algorithm>

#include "base/error.h"
#include "base/suggest.h"
#include "boost/booster_kind.h"
#include "boost/learner_param.h"
#include "boost/params_elsewhere.h"
#include "objective/objective.h"
#include "tree/tree_param.h"

namespace xgbl {
namespace {

using Table = std::vector<std::pair<std::string, ParamSpec>>;

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

std::map<std::string, std::string> MakeInert() {
  std::string const gpu = "there is no GPU code here";
  std::string const histograms = "histograms here are built in another way";
  std::map<std::string, std::string> inert;
  auto const add = [&](std::string const& reason, std::vector<std::string> const& names) {
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

// What to do about a name that nobody knows here.
std::string Remedy(std::string const& name, std::vector<std::string> candidates) {
  std::string const advice = AdviceOn(name);
  if (!advice.empty()) return " " + advice;
  auto const& inert = InertParams();
  for (auto const& [other, reason] : inert) candidates.push_back(other);
  candidates.insert(candidates.end(), NamesOfArguments().begin(), NamesOfArguments().end());
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

std::map<std::string, std::string> const& InertParams() {
  static auto const& inert = *new std::map<std::string, std::string>(MakeInert());
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
