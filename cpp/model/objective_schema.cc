// SPDX-License-Identifier: Apache-2.0
#include "model/xgboost_schema.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "objective/objective.h"

namespace xgbl {
namespace {

constexpr char kBetweenGroupAndName = '/';

std::string KnownGroup(std::string const& name) {
  static auto const groups = [] {
    std::map<std::string, std::string> made;
    for (auto const& [objective, entry] : Registry<Objective>::Get().Entries()) {
      for (ParamSpec const& spec : entry.in_files) made.emplace(spec.name, spec.group);
    }
    return made;
  }();
  auto const found = groups.find(name);
  return found == groups.end() ? "" : found->second;
}

// The group of a flat name, and the name within it; no group for what stands beside the groups.
std::pair<std::string, std::string> Place(std::string const& flat) {
  if (auto group = KnownGroup(flat); !group.empty()) return {std::move(group), flat};
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

Value SaveObjective(Model const& model) {
  ParamMap params = model.objective_params;
  if (auto const* known = Registry<Objective>::Get().Find(model.objective)) {
    for (ParamSpec const& spec : known->in_files) {  // xgboost refuses a file in which an objective lacks its group
      params.emplace(spec.name, spec.name == "num_class" ? std::to_string(model.num_class) : spec.default_text);
    }
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

Value SaveAttributes(Model const& model) {
  Value::Object object;
  for (auto const& [name, value] : model.attributes) object.emplace(name, value);
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
