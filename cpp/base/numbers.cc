// SPDX-License-Identifier: Apache-2.0
#include "base/numbers.h"

#include <array>
#include <charconv>
#include <limits>
#include <system_error>
#include <type_traits>

namespace xgbl {
namespace {

// What a number too large or too small for T rounds to: an infinity or 0. Which of them, `from_chars` does not say.
template <class T>
T OutOfRange(std::string_view number) {
  bool const negative = number.front() == '-';
  auto const exponent = number.find_first_of("eE");
  bool const small = exponent == std::string_view::npos
                         ? number[negative ? 1 : 0] == '0' || number[negative ? 1 : 0] == '.'
                         : number[exponent + 1] == '-';
  T const size = small ? T(0) : std::numeric_limits<T>::infinity();
  return negative ? -size : size;
}

// Most numbers of tables are digits with or without a point, few enough for both to be exact: then their quotient is
// the nearest double. False if it takes more than that.
bool ParseShort(std::string_view text, double* out) {
  constexpr std::array<double, 16> kPowers = {1,   1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                              1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
  bool const negative = !text.empty() && text.front() == '-';
  if (negative) text.remove_prefix(1);
  if (text.empty() || text.size() > kPowers.size()) return false;  // at most 15 digits and a point
  std::int64_t digits = 0;
  std::size_t point = text.size();
  for (std::size_t i = 0; i < text.size(); ++i) {
    unsigned const digit = static_cast<unsigned char>(text[i]) - unsigned{'0'};
    if (digit <= 9) {
      digits = digits * 10 + digit;
    } else if (text[i] == '.' && point == text.size()) {
      point = i;
    } else {
      return false;
    }
  }
  bool const has_point = point < text.size();
  if (text.size() - has_point == 0 || text.size() - has_point >= kPowers.size()) return false;
  double const size = static_cast<double>(digits) / kPowers[has_point ? text.size() - point - 1 : 0];
  *out = negative ? -size : size;
  return true;
}

template <class T>
bool Parse(std::string_view text, T* out) {
  text = Trim(text);
  if constexpr (std::is_same_v<T, double>) {
    if (ParseShort(text, out)) return true;
  }
  bool const plus = !text.empty() && text.front() == '+';
  if (plus) text.remove_prefix(1);
  if (plus && !text.empty() && text.front() == '-') return false;
  auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), *out);
  if (end != text.data() + text.size()) return false;
  if constexpr (std::is_floating_point_v<T>) {
    if (error == std::errc::result_out_of_range) *out = OutOfRange<T>(text);
    return error == std::errc() || error == std::errc::result_out_of_range;
  }
  return error == std::errc();
}

template <class T>
std::string Print(T value) {
  std::array<char, 64> buffer{};
  auto const result = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
  return {buffer.data(), result.ptr};
}

}  // namespace

std::string_view Trim(std::string_view text) {
  constexpr std::string_view kBlank = " \t\r\n";
  auto const first = text.find_first_not_of(kBlank);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlank) - first + 1);
}

bool ParseNumber(std::string_view text, double* out) { return Parse(text, out); }
bool ParseNumber(std::string_view text, float* out) { return Parse(text, out); }
bool ParseNumber(std::string_view text, std::int64_t* out) { return Parse(text, out); }

std::string NumberText(double value) { return Print(value); }
std::string NumberText(float value) { return Print(value); }

}  // namespace xgbl
