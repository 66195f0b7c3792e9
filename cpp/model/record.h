// SPDX-License-Identifier: Apache-2.0
// Objects of a model file as structs. A struct names each of its fields once, in `Describe`. Both directions follow
// from that: Save() makes the object, Load() fills the struct. Whole numbers and texts are stored as texts, as xgboost
// does for parameters; vectors are stored as arrays.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>

#include "model/field.h"

namespace xgbl {

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

}  // namespace xgbl
