// SPDX-License-Identifier: Apache-2.0
#include "model/xgboost_schema.h"

#include <array>
#include <string>
#include <string_view>
#include <utility>

namespace xgbl {
namespace {

// Where a parameter is kept. xgboost refuses a file in which an objective lacks its group, so that objectives whose
// names begin with one of `users` get the parameter with its default when the model has none.
struct GroupedParam {
  std::string_view group;
  std::string_view name;
  std::string_view default_text;
  std::array<std::string_view, 3> users;
};

constexpr std::array kParams = {
    GroupedParam{"reg_loss_param", "scale_pos_weight", "1", {"reg:squarederror", "reg:logistic", "binary:logi"}},
    GroupedParam{"reg_loss_param", "scale_pos_weight", "1", {"reg:gamma"}},
    GroupedParam{"softmax_multiclass_param", "num_class", "", {"multi:"}},
    GroupedParam{"poisson_regression_param", "max_delta_step", "0.699999988", {"count:poisson"}},
    GroupedParam{"tweedie_regression_param", "tweedie_variance_power", "1.5", {"reg:tweedie"}},
    GroupedParam{"pseudo_huber_param", "huber_slope", "1", {"reg:pseudohubererror"}},
    GroupedParam{"quantile_loss_param", "quantile_alpha", "[5E-1]", {"reg:quantileerror"}},
    GroupedParam{"expectile_loss_param", "expectile_alpha", "[5E-1]", {"reg:expectileerror"}},
    GroupedParam{"aft_loss_param", "aft_loss_distribution", "normal", {"survival:aft"}},
    GroupedParam{"aft_loss_param", "aft_loss_distribution_scale", "1", {"survival:aft"}},
    GroupedParam{"lambdarank_param", "lambdarank_bias_norm", "1", {"rank:"}},
    GroupedParam{"lambdarank_param", "lambdarank_normalization", "1", {"rank:"}},
    GroupedParam{"lambdarank_param", "lambdarank_num_pair_per_sample", "4294967295", {"rank:"}},
    GroupedParam{"lambdarank_param", "lambdarank_pair_method", "topk", {"rank:"}},
    GroupedParam{"lambdarank_param", "lambdarank_score_normalization", "1", {"rank:"}},
    GroupedParam{"lambdarank_param", "lambdarank_unbiased", "0", {"rank:"}},
    GroupedParam{"lambdarank_param", "ndcg_exp_gain", "1", {"rank:"}},
    // Ranking before 2.0.
    GroupedParam{"lambda_rank_param", "fix_list_weight", "0", {"rank:"}},
    GroupedParam{"lambda_rank_param", "num_pairsample", "1", {"rank:"}},
};

constexpr char kBetweenGroupAndName = '/';

bool IsUsedBy(GroupedParam const& param, std::string_view objective) {
  for (std::string_view const user : param.users) {
    if (!user.empty() && objective.substr(0, user.size()) == user) return true;
  }
  return false;
}

std::string_view KnownGroup(std::string_view name) {
  for (auto const& param : kParams) {
    if (param.name == name) return param.group;
  }
  return {};
}

// The group of a flat name, and the name within it; no group for what stands beside the groups.
std::pair<std::string, std::string> Place(std::string const& flat) {
  if (auto const group = KnownGroup(flat); !group.empty()) return {std::string(group), flat};
  std::size_t const cut = flat.find(kBetweenGroupAndName);
  if (cut == std::string::npos) return {"", flat};
  return {flat.substr(0, cut), flat.substr(cut + 1)};
}

// A parameter whose group is known goes by its own name wherever it stands: some have moved, and 1.6 misspelled one.
void LoadGroup(std::string const& group, Field const& members, ParamMap* params) {
  if (group.empty()) members.Fail("must have a name");
  for (auto const& member : members.Members()) {
    std::string const name = member.first.Text();
    std::string const flat = KnownGroup(name).empty() ? group + kBetweenGroupAndName + name : name;
    (*params)[flat] = members[name].Text();
  }
}

}  // namespace

Value SaveObjective(Model const& model) {
  ParamMap params = model.objective_params;
  for (auto const& param : kParams) {
    if (!IsUsedBy(param, model.objective)) continue;
    std::string const text =
        param.name == "num_class" ? std::to_string(model.num_class) : std::string(param.default_text);
    params.emplace(param.name, text);
  }
  std::map<std::string, Value::Object> groups;
  for (auto const& [flat, text] : params) {
    if (IsKeptAsAttribute(flat, model.objective)) continue;
    auto const [group, name] = Place(flat);
    groups[group].emplace(name, text);
  }
  Value::Object object = std::move(groups[""]);
  groups.erase("");
  for (auto& [group, members] : groups) object.insert_or_assign(group, std::move(members));
  for (auto const& [name, values] : model.objective_state) object.insert_or_assign(name, values);
  object.insert_or_assign("name", model.objective);
  return object;
}

void LoadObjective(Field const& object, Model* model) {
  model->objective = object["name"].Text();
  for (auto const& [key, value] : object.Members()) {
    std::string const name = key.Text();
    if (name == "name") continue;
    Field const member = object[name];
    if (value.As<Value::Object>() != nullptr) {
      LoadGroup(name, member, &model->objective_params);
    } else if (member.IsArray()) {
      model->objective_state[name] = member.NumbersOf<float>();
    } else {
      model->objective_params[name] = member.Text();
    }
  }
}

}  // namespace xgbl
