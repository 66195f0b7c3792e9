// SPDX-License-Identifier: Apache-2.0
// Takes the long arrays of numbers, which make up nearly all of a model file, out of a JSON text and reads them at
// once. The parser sees a short text instead. Anything that is not plainly an array of numbers stays, for the parser to
// judge. O(text).
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "model/archive.h"

namespace xgbl {

class NumberArrays {
 public:
  explicit NumberArrays(std::string_view json);

  /// The JSON text with marks in place of arrays.
  std::string const& Rest() const { return rest_; }
  bool Empty() const { return arrays_.empty(); }
  /// The array that a mark in the text stands for, nullptr if it is no mark. The caller may take it.
  Value* Find(std::string_view text);

 private:
  void CopyString(std::string_view json, std::size_t* at);
  bool Lift(std::string_view json, std::size_t* at);

  std::string rest_;
  std::vector<Value> arrays_;
};

}  // namespace xgbl
