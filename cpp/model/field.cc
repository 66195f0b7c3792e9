// SPDX-License-Identifier: Apache-2.0
#include "model/field.h"

#include <algorithm>
#include <type_traits>

#include "base/error.h"
#include "base/numbers.h"

namespace xgbl {
namespace {

template <class Held>
struct IsNumbers : std::false_type {};
template <class T>
struct IsNumbers<Numbers<T>> : std::is_arithmetic<T> {};

// Whether `item` is a number of `T`, which `out` is set to.
template <class T, class U>
bool ConvertNumber(U item, T* out) {
  if constexpr (std::is_same_v<T, float>) {
    *out = ToFloat(static_cast<double>(item));
    return true;
  } else if constexpr (std::is_floating_point_v<T>) {
    *out = static_cast<T>(item);
    return true;
  } else if constexpr (std::is_floating_point_v<U>) {
    return false;
  } else {
    *out = static_cast<T>(item);
    return static_cast<U>(*out) == item && (*out < T{0}) == (item < U{0});
  }
}

}  // namespace

Field Field::Next(Value* value, Step step) const {
  Field next = *this;
  next.value_ = value;
  if (depth_ < kMostSteps) next.steps_[depth_] = step;
  ++next.depth_;
  return next;
}

std::string Field::Path() const {
  std::string path;
  for (std::size_t i = 0; i < std::min(depth_, kMostSteps); ++i) {
    if (steps_[i].name == nullptr) {
      path += xgbl::Text("[", steps_[i].index, "]");
    } else {
      path += (path.empty() ? "" : ".") + steps_[i].name->Text();
    }
  }
  return path;
}

void Field::Fail(std::string const& problem) const {
  throw ModelError(xgbl::Text("The model file is damaged or not of xgboost: `", depth_ == 0 ? "document" : Path(), "` ",
                              problem, "."));
}

Value::Object const& Field::Members() const {
  auto const* object = value_->As<Value::Object>();
  if (object == nullptr) Fail("must be an object");
  return *object;
}

bool Field::Has(std::string_view name) const {
  auto const& members = Members();
  return members.find(name) != members.end();
}

std::optional<Field> Field::Find(std::string_view name, bool required, std::size_t* place) const {
  Members();
  auto& members = *value_->As<Value::Object>();
  Member* const found = members.find(name, place);
  if (found != members.end()) return Next(&found->second, {&found->first, 0});
  if (required) Fail(xgbl::Text("has no member `", name, "`"));
  return std::nullopt;
}

std::optional<std::size_t> Field::ArraySize() const {
  return std::visit(
      [](auto const& held) -> std::optional<std::size_t> {
        using Held = std::decay_t<decltype(held)>;
        if constexpr (IsNumbers<Held>::value || std::is_same_v<Held, Value::Array>) return held.size();
        return std::nullopt;
      },
      value_->Held());
}

std::size_t Field::Size() const {
  auto const size = ArraySize();
  if (!size) Fail("must be an array");
  return *size;
}

Field Field::Item(std::size_t index) const {
  auto* const items = value_->As<Value::Array>();
  if (items == nullptr || index >= items->size()) Fail(xgbl::Text("has no item ", index));
  return Next(&(*items)[index], {nullptr, index});
}

std::string Field::Text() const {
  if (auto const* text = value_->As<std::string>()) return *text;
  if (auto const* whole = value_->As<std::int64_t>()) return std::to_string(*whole);
  if (auto const* real = value_->As<double>()) return NumberText(*real);
  Fail("must be a text");
}

std::int64_t Field::Whole(std::int64_t low, std::int64_t high) const {
  std::int64_t value = 0;
  bool const is_whole = ParseNumber(Text(), &value);
  if (!is_whole || value < low || value > high) {
    Fail(xgbl::Text("must be a whole number in [", low, ", ", high, "]; got ", Text()));
  }
  return value;
}

float Field::Real() const {
  if (auto const* real = value_->As<double>()) return ToFloat(*real);
  float value = 0;
  if (!ParseNumber(Text(), &value)) Fail(xgbl::Text("must be a number; got ", Text()));
  return value;
}

template <class T>
Numbers<T> Field::NumbersOf() const {
  if (auto const* held = value_->As<Numbers<T>>()) return *held;
  Numbers<T> numbers(Size());
  auto const convert = [&](auto const& held) {
    using Held = std::decay_t<decltype(held)>;
    if constexpr (IsNumbers<Held>::value) {
      for (std::size_t i = 0; i < held.size(); ++i) {
        if (!ConvertNumber(held[i], &numbers[i])) Fail(xgbl::Text("may not have the item ", +held[i], " at place ", i));
      }
    } else if (!numbers.empty()) {
      Fail("must be an array of numbers");
    }
  };
  std::visit(convert, value_->Held());
  return numbers;
}

template Numbers<float> Field::NumbersOf() const;
template Numbers<double> Field::NumbersOf() const;
template Numbers<std::int8_t> Field::NumbersOf() const;
template Numbers<std::uint8_t> Field::NumbersOf() const;
template Numbers<std::int32_t> Field::NumbersOf() const;
template Numbers<std::uint32_t> Field::NumbersOf() const;
template Numbers<std::int64_t> Field::NumbersOf() const;

std::vector<std::string> Field::Texts() const {
  std::vector<std::string> texts;
  if (Size() == 0) return texts;
  texts.reserve(Size());
  for (std::size_t i = 0; i < Size(); ++i) texts.push_back(Item(i).Text());
  return texts;
}

}  // namespace xgbl
