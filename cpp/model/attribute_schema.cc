// SPDX-License-Identifier: Apache-2.0
#include "model/xgboost_schema.h"

#include <algorithm>

#include "objective/objective.h"

namespace xgbl {
namespace {

constexpr std::string_view kOfOurs = "xgb_like.";
constexpr char kBaseMargin[] = "xgb_like.base_margin", kCodes[] = "xgb_like.category_codes";

// Whether the attribute was one of what is known of the training data.
bool LoadFact(std::string const& name, Field const& value, Model* model) {
  if (name == kBaseMargin) {
    model->facts.base_margin = value.Whole(0, 1) != 0;
  } else if (name == kCodes) {
    bool const good = ParseCodes(value.Text(), model->num_features, &model->facts.codes);
    if (!good) value.Fail("must be features and ranges of their codes, such as 0:0-4,7;3:0-1");
  } else {
    return false;
  }
  return true;
}

}  // namespace

bool IsKeptAsAttribute(std::string const& name, std::string const& objective) {
  auto const* known = Registry<Objective>::Get().Find(objective);
  if (known == nullptr || known->own) return false;
  return std::any_of(known->params.begin(), known->params.end(),
                     [&](ParamSpec const& spec) { return spec.own && spec.name == name; });
}

Value SaveAttributes(Model const& model) {
  Value::Object object(model.attributes.begin(), model.attributes.end());
  for (auto const& [name, value] : model.objective_params) {
    if (IsKeptAsAttribute(name, model.objective)) object.insert_or_assign(std::string(kOfOurs).append(name), value);
  }
  if (model.facts.base_margin) object.insert_or_assign(kBaseMargin, "1");
  if (!model.facts.codes.empty()) object.insert_or_assign(kCodes, CodesText(model.facts.codes));
  return object;
}

void LoadAttributes(Field const& object, Model* model) {
  for (auto const& member : object.Members()) {
    std::string const name = member.first.Text();
    if (LoadFact(name, object[name], model)) continue;
    bool const is_ours = name.compare(0, kOfOurs.size(), kOfOurs) == 0;
    std::string const own = is_ours ? name.substr(kOfOurs.size()) : std::string();
    bool const is_param = IsKeptAsAttribute(own, model->objective);
    (is_param ? model->objective_params[own] : model->attributes[name]) = object[name].Text();
  }
}

}  // namespace xgbl
