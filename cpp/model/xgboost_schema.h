// SPDX-License-Identifier: Apache-2.0
// The parts of a model file in XGBoost's schema, shared by reading and writing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

#include "labels/meta.h"
#include "model/field.h"
#include "model/model.h"
#include "tree/tree.h"

namespace xgbl {

// Objects of a model file as structs. A struct names each of its fields once, in `Describe`. Both directions follow
// from that: Save() makes the object, Load() fills the struct. Whole numbers and texts are stored as texts, as xgboost
// does for parameters; vectors are stored as arrays.

enum class Presence {
  kAlways,      // written and required
  kNewer,       // written, but older versions of xgboost did not
  kUnlessEmpty  // written where there is something to write
};

template <class Record>
Value::Object Save(Record const& record) {
  Value::Object out;
  auto save = [&](char const* name, auto Record::* member, Presence presence = Presence::kAlways) {
    auto const& value = record.*member;
    using T = std::decay_t<decltype(value)>;
    if constexpr (std::is_same_v<T, std::int64_t>) {
      out.emplace(name, std::to_string(value));
    } else if (presence != Presence::kUnlessEmpty || !value.empty()) {
      out.emplace(name, value);
    }
  };
  Record::Describe(save);
  return out;
}

template <class Record>
Record Load(Field const& object) {
  Record record;
  std::size_t place = 0;  // files have fields in the order in which they are described
  auto load = [&](char const* name, auto Record::* member, Presence presence = Presence::kAlways) {
    auto& value = record.*member;
    using T = std::decay_t<decltype(value)>;
    if constexpr (!std::is_same_v<T, std::int64_t> && !std::is_same_v<T, std::string>) {
      if (object.TakeNumbers(name, &place, &value)) return;
    }
    auto const found = object.Find(name, presence == Presence::kAlways, &place);
    if (!found) return;
    if constexpr (std::is_same_v<T, std::int64_t>) {
      value = found->Whole(0, std::numeric_limits<std::uint32_t>::max());
    } else if constexpr (std::is_same_v<T, std::string>) {
      value = found->Text();
    } else {
      value = found->template NumbersOf<typename T::value_type>();
    }
  };
  Record::Describe(load);
  return record;
}

/// A tree as an object of a model file. Reads what every version of xgboost since 1.0 wrote; the resulting tree has
/// passed CheckTree. Writes what the newest version writes.
Value SaveTree(Tree const& tree, std::size_t index, std::size_t num_features);
Tree LoadTree(Field const& object, std::size_t num_features);

/// The categories of the training data as the object `cats` of a model file.
Value SaveCategories(std::vector<Categories> const& features);
std::vector<Categories> LoadCategories(Field const& object);

/// The objective as an object of a model file: its name, and its parameters in groups that xgboost names. In a Model
/// they are flat; a parameter of an unknown group is called "group/name". Arrays next to the groups are what the
/// objective learned in addition to the trees. SaveAttributes has the parameters that are kept elsewhere.
Value SaveObjective(Model const& model);
void LoadObjective(Field const& object, Model* model);

/// The attributes in a model file. Some are the user's. Others, under names of our own, hold what xgboost's readers
/// would refuse as unknown members: parameters that xgboost's objectives have only here, and what the model remembers
/// of its training data. Whether a parameter of this objective is an attribute in a file; to other objectives it is one
/// of the user's.
bool IsKeptAsAttribute(std::string const& name, std::string const& objective);

Value SaveAttributes(Model const& model);
/// After LoadObjective().
void LoadAttributes(Field const& object, Model* model);

}  // namespace xgbl
