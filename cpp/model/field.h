// SPDX-License-Identifier: Apache-2.0
// A value of a document together with its place, so that every error can name the place. Every accessor throws
// ModelError if the field is missing or of another kind. Cheap to copy; the document must outlive it. Arrays can be
// moved out of the document, which is read once.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/archive.h"

namespace xgbl {

class Field {
 public:
  explicit Field(Value* document) : value_(document) {}

  bool Has(std::string_view name) const;
  Field operator[](std::string_view name) const {
    std::size_t place = Members().size();
    return *Find(name, true, &place);
  }
  /// The member of that name; nothing if there is none, or ModelError if it is required. `place` as in Members::find().
  std::optional<Field> Find(std::string_view name, bool required, std::size_t* place) const;
  Field Item(std::size_t index) const;
  bool IsArray() const { return ArraySize().has_value(); }
  std::size_t Size() const;  // of an array
  Value::Object const& Members() const;

  /// A text; numbers are given as they would be written.
  std::string Text() const;
  /// A whole number in [low, high], given as a number or as its text.
  std::int64_t Whole(std::int64_t low, std::int64_t high) const;
  /// A number of a float32, given as a number or as its text.
  float Real() const;

  /// An array of numbers as one of `T`; whole numbers must fit. T: float, int32_t, int64_t, uint8_t, uint32_t, double.
  template <class T>
  Numbers<T> NumbersOf() const;
  /// Moves a member's numbers out of the document if they are of that very type; `place` as in Members::find().
  template <class T>
  bool TakeNumbers(std::string_view name, std::size_t* place, Numbers<T>* to) const {
    Members();
    auto& members = *value_->As<Value::Object>();
    Member* const found = members.find(name, place);
    auto* const held = found == members.end() ? nullptr : found->second.As<Numbers<T>>();
    if (held != nullptr) *to = std::move(*held);
    return held != nullptr;
  }
  std::vector<std::string> Texts() const;

  /// Refuses the field: "`path` <problem>."
  [[noreturn]] void Fail(std::string const& problem) const;

  Value const& Get() const { return *value_; }

 private:
  // A member's name, which the document keeps, or the index of an item. The path becomes text only in complaints: most
  // fields are met without one.
  struct Step {
    Name const* name = nullptr;
    std::size_t index = 0;
  };
  static constexpr std::size_t kMostSteps = 12;

  std::optional<std::size_t> ArraySize() const;
  Field Next(Value* value, Step step) const;
  std::string Path() const;

  Value* value_;
  std::array<Step, kMostSteps> steps_{};
  std::size_t depth_ = 0;  // steps beyond the array are not named
};

}  // namespace xgbl
