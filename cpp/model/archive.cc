// SPDX-License-Identifier: Apache-2.0
#include "model/archive.h"

#include <cmath>
#include <limits>
#include <utility>

#include "base/error.h"

namespace xgbl {

void ArrayBuilder::Add(std::int64_t item) {
  if (!items_.empty()) {
    items_.emplace_back(item);
  } else if (!real_.empty()) {
    real_.push_back(static_cast<float>(item));
  } else {
    whole_.push_back(item);
  }
}

void ArrayBuilder::Add(float item) {
  if (!items_.empty()) {
    items_.emplace_back(static_cast<double>(item));
    return;
  }
  if (!whole_.empty()) {
    real_.assign(whole_.begin(), whole_.end());
    whole_ = {};
  }
  real_.push_back(item);
}

void ArrayBuilder::Add(Value item) {
  if (auto const* whole = item.As<std::int64_t>()) return Add(*whole);
  if (auto const* truth = item.As<bool>()) return Add(static_cast<std::int64_t>(*truth));
  Widen();
  items_.push_back(std::move(item));
}

void ArrayBuilder::Widen() {
  for (std::int64_t item : whole_) items_.emplace_back(item);
  for (float item : real_) items_.emplace_back(static_cast<double>(item));
  whole_ = {};
  real_ = {};
}

Value ArrayBuilder::Finish() {
  if (!items_.empty()) return Value(std::exchange(items_, {}));
  if (!real_.empty()) return Value(std::exchange(real_, {}));
  return Value(std::exchange(whole_, {}));
}

void AddMember(Value::Object* object, std::string key, Value value) {
  std::size_t const before = object->size();
  // Files have their keys in order: each is compared with the last one only.
  auto const place = object->emplace_hint(object->end(), std::move(key), std::move(value));
  Require<ModelError>(object->size() > before, "The model file has the key `", place->first, "` twice in one object.");
}

float ToFloat(double value) {
  constexpr float kMax = std::numeric_limits<float>::max();
  if (std::abs(value) <= static_cast<double>(kMax) || std::isnan(value)) return static_cast<float>(value);
  return value < 0 ? -std::numeric_limits<float>::infinity() : std::numeric_limits<float>::infinity();
}

}  // namespace xgbl
