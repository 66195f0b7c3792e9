// SPDX-License-Identifier: Apache-2.0
#include "model/number_arrays.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

#include "base/numbers.h"

namespace xgbl {
namespace {

constexpr std::string_view kMark = "\\u0001#";  // as it stands in the text; the parser makes one character of six
constexpr std::string_view kReadMark = "\x01#";
constexpr std::size_t kShortest = 16;    // bytes of an array that is worth it
constexpr std::size_t kMostDigits = 18;  // that an int64 holds for sure

bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsBlank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

class Scanner {
 public:
  Scanner(std::string_view text, std::size_t at) : text_(text), at_(at) {}

  std::size_t At() const { return at_; }
  char Peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  bool Take(char c) {
    bool const is = Peek() == c;
    at_ += is ? 1 : 0;
    return is;
  }
  void SkipBlanks() {
    while (IsBlank(Peek())) ++at_;
  }

  // Adds the number that begins here; false if none does, or one that takes care.
  bool Number(ArrayBuilder* items) {
    std::size_t const begin = at_;
    bool const negative = Take('-');
    std::size_t const digits = at_;
    std::int64_t whole = 0;
    for (; IsDigit(Peek()) && at_ - digits < kMostDigits; ++at_) whole = whole * 10 + (Peek() - '0');
    bool const zero_first = at_ - digits > 1 && text_[digits] == '0';
    if (at_ == digits || zero_first || IsDigit(Peek())) return false;
    if (Peek() != '.' && Peek() != 'e' && Peek() != 'E') {
      items->Add(negative ? -whole : whole);
      return true;
    }
    float value = 0;
    if (!SkipFraction() || !ParseNumber(text_.substr(begin, at_ - begin), &value) || std::isinf(value)) return false;
    items->Add(value);
    return true;
  }

 private:
  bool SkipDigits() {
    std::size_t const begin = at_;
    while (IsDigit(Peek())) ++at_;
    return at_ > begin;
  }
  bool SkipFraction() {
    if (Take('.') && !SkipDigits()) return false;
    if (!Take('e') && !Take('E')) return true;
    if (!Take('+')) Take('-');
    return SkipDigits();
  }

  std::string_view text_;
  std::size_t at_;
};

}  // namespace

NumberArrays::NumberArrays(std::string_view json) {
  if (json.find(kMark.substr(0, kMark.size() - 1)) != std::string_view::npos) {  // a text of the file's could be a mark
    rest_ = json;
    return;
  }
  for (std::size_t at = 0; at < json.size();) {
    if (json[at] == '"') {
      CopyString(json, &at);
    } else if (json[at] != '[' || !Lift(json, &at)) {
      rest_ += json[at++];
    }
  }
}

void NumberArrays::CopyString(std::string_view json, std::size_t* at) {
  std::size_t end = *at + 1;
  while (end < json.size() && json[end] != '"') end += json[end] == '\\' ? 2U : 1U;
  end = std::min(end + 1, json.size());
  rest_ += json.substr(*at, end - *at);
  *at = end;
}

bool NumberArrays::Lift(std::string_view json, std::size_t* at) {
  Scanner scanner(json, *at + 1);
  ArrayBuilder items;
  do {
    scanner.SkipBlanks();
    if (!scanner.Number(&items)) return false;
    scanner.SkipBlanks();
  } while (scanner.Take(','));
  if (!scanner.Take(']') || scanner.At() - *at < kShortest) return false;
  rest_ += '"';
  rest_ += kMark;
  rest_ += std::to_string(arrays_.size());
  rest_ += '"';
  arrays_.push_back(items.Finish());
  *at = scanner.At();
  return true;
}

Value* NumberArrays::Find(std::string_view text) {
  if (text.substr(0, kReadMark.size()) != kReadMark) return nullptr;
  std::int64_t index = 0;
  bool const known = ParseNumber(text.substr(kReadMark.size()), &index) && index >= 0 &&
                     static_cast<std::size_t>(index) < arrays_.size();
  return known ? &arrays_[static_cast<std::size_t>(index)] : nullptr;
}

}  // namespace xgbl
