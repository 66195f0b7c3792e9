// SPDX-License-Identifier: Apache-2.0
// JSON. Reading is driven by nlohmann's parser, which calls us for each token, so that no tree of numbers is ever
// built; it keeps its own stack on the heap, so deep nesting cannot exhaust the thread's. Long arrays of numbers do not
// even reach it (NumberArrays). Writing is our own, for one text only.
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <type_traits>
#include <utility>

#include "base/error.h"
#include "base/numbers.h"
#include "model/archive.h"

namespace xgbl {
namespace {

using Parser =
    nlohmann::basic_json<std::map, std::vector, std::string, bool, std::int64_t, std::uint64_t, /*float_type=*/float>;

// JSON has no word for these, yet xgboost and Python write them bare. They are put into quotes behind this mark before
// the parser sees them, and are numbers again when it hands them on.
constexpr char kNumberMark = '\x01';
constexpr std::array<std::string_view, 3> kBareNumbers = {"-Infinity", "Infinity", "NaN"};

std::string_view BareNumberAt(std::string_view text, std::size_t position) {
  for (std::string_view word : kBareNumbers) {
    if (text.substr(position, word.size()) == word) return word;
  }
  return {};
}

// The text with bare numbers in quotes. Empty if it has none, which spares almost every file the copy.
std::string QuoteBareNumbers(std::string_view text) {
  std::string out;
  if (text.find("NaN") == std::string_view::npos && text.find("Infinity") == std::string_view::npos) return out;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    std::string_view const word = in_string ? std::string_view() : BareNumberAt(text, i);
    if (!word.empty()) {
      out += "\"\\u0001";
      out += word;
      out += '"';
      i += word.size() - 1;
      continue;
    }
    out += text[i];
    if (text[i] == '"') in_string = !in_string;
    if (in_string && text[i] == '\\' && i + 1 < text.size()) out += text[++i];
  }
  return out;
}

bool IsMarked(std::string_view text) {
  bool const marked = !text.empty() && text.front() == kNumberMark;
  return marked && std::find(kBareNumbers.begin(), kBareNumbers.end(), text.substr(1)) != kBareNumbers.end();
}

float BareNumber(std::string_view word) {
  if (word == "NaN") return std::numeric_limits<float>::quiet_NaN();
  float const infinity = std::numeric_limits<float>::infinity();
  return word.front() == '-' ? -infinity : infinity;
}

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

// Takes the long arrays of numbers, which make up nearly all of a model file, out of a JSON text and reads them at
// once. The parser sees a short text instead. Anything that is not plainly an array of numbers stays, for the parser to
// judge. O(text).
class NumberArrays {
 public:
  explicit NumberArrays(std::string_view json) {
    if (json.find(kMark.substr(0, kMark.size() - 1)) !=
        std::string_view::npos) {  // a text of the file's could be a mark
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

  // The JSON text with marks in place of arrays.
  std::string const& Rest() const { return rest_; }
  // The array that a mark in the text stands for, nullptr if it is no mark. The caller may take it.
  Value* Find(std::string_view text) {
    if (text.substr(0, kReadMark.size()) != kReadMark) return nullptr;
    std::int64_t index = 0;
    bool const known = ParseNumber(text.substr(kReadMark.size()), &index) && index >= 0 &&
                       static_cast<std::size_t>(index) < arrays_.size();
    return known ? &arrays_[static_cast<std::size_t>(index)] : nullptr;
  }

 private:
  void CopyString(std::string_view json, std::size_t* at) {
    std::size_t end = *at + 1;
    while (end < json.size() && json[end] != '"') end += json[end] == '\\' ? 2U : 1U;
    end = std::min(end + 1, json.size());
    rest_ += json.substr(*at, end - *at);
    *at = end;
  }

  bool Lift(std::string_view json, std::size_t* at) {
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

  std::string rest_;
  std::vector<Value> arrays_;
};

// Builds a Value from the parser's calls.
class Builder : public nlohmann::json_sax<Parser> {
 public:
  explicit Builder(NumberArrays* lifted) : lifted_(lifted) {}

  bool null() override { return Put(Value()); }
  bool boolean(bool value) override { return Put(Value(value)); }
  bool number_integer(number_integer_t value) override { return Put(Value(value)); }
  bool number_unsigned(number_unsigned_t value) override {
    constexpr auto kMax = static_cast<number_unsigned_t>(std::numeric_limits<std::int64_t>::max());
    return Put(value <= kMax ? Value(static_cast<std::int64_t>(value)) : Value(static_cast<double>(value)));
  }
  bool number_float(number_float_t value, string_t const& text) override {
    if (!open_.empty() && !open_.back().is_object) {
      open_.back().array.Add(value);
      return true;
    }
    double exact = 0;
    return Put(Value(ParseNumber(text, &exact) ? exact : static_cast<double>(value)));
  }
  bool string(string_t& value) override {
    if (Value* const array = lifted_->Find(value)) return Put(std::move(*array));
    if (!IsMarked(value)) return Put(Value(std::move(value)));
    float const number = BareNumber(std::string_view(value).substr(1));
    if (!open_.empty() && !open_.back().is_object) {
      open_.back().array.Add(number);
      return true;
    }
    return Put(Value(static_cast<double>(number)));
  }
  bool binary(binary_t& /*value*/) override { return false; }
  bool start_object(std::size_t /*count*/) override { return Open(true); }
  bool key(string_t& name) override {
    open_.back().key = std::move(name);
    return true;
  }
  bool end_object() override {
    Value::Object object = std::move(open_.back().object);
    object.Close();
    open_.pop_back();
    return Put(Value(std::move(object)));
  }
  bool start_array(std::size_t /*count*/) override { return Open(false); }
  bool end_array() override {
    Value array = open_.back().array.Finish();
    open_.pop_back();
    return Put(std::move(array));
  }
  bool parse_error(std::size_t position, std::string const& /*token*/, nlohmann::detail::exception const& e) override {
    throw ModelError(Text("The model file is not valid JSON at byte ", position, ": ", e.what(),
                          ". It may have been cut short: save or copy it anew."));
  }

  Value Take() { return std::move(done_); }

 private:
  struct Level {
    bool is_object = false;
    std::string key;
    Value::Object object;
    ArrayBuilder array;
  };

  bool Open(bool is_object) {
    Require<ModelError>(open_.size() < kMaxDepth, "The model file is nested deeper than ", kMaxDepth, " levels.");
    open_.emplace_back();
    open_.back().is_object = is_object;
    return true;
  }

  bool Put(Value value) {
    if (open_.empty()) {
      done_ = std::move(value);
    } else if (open_.back().is_object) {
      open_.back().object.Append(std::move(open_.back().key)) = std::move(value);
    } else {
      open_.back().array.Add(std::move(value));
    }
    return true;
  }

  NumberArrays* lifted_;
  std::vector<Level> open_;
  Value done_;
};

Value Parse(std::string_view text, NumberArrays* lifted) {
  std::string const quoted = QuoteBareNumbers(text);
  if (!quoted.empty()) text = quoted;
  Builder builder(lifted);
  Parser::sax_parse(text.data(), text.data() + text.size(), &builder);
  return builder.Take();
}

void WriteString(std::string_view text, std::string* out) {
  *out += '"';
  *out += Escaped(text);
  *out += '"';
}

// `text` is what std::to_chars writes in scientific form: 1.5e-03 becomes 1.5E-3.
void WriteScientific(std::string_view text, std::string* out) {
  std::size_t const e = text.find('e');
  out->append(text.substr(0, e));
  *out += text[e + 1] == '-' ? "E-" : "E";
  std::size_t const digits = text.find_first_not_of('0', e + 2);
  out->append(digits == std::string_view::npos ? "0" : text.substr(digits));
}

template <class T>
void WriteNumber(T value, std::string* out) {
  std::array<char, 64> buffer{};
  char* const end = buffer.data() + buffer.size();
  if constexpr (std::is_integral_v<T>) {
    out->append(buffer.data(), std::to_chars(buffer.data(), end, value).ptr);
  } else if (std::isfinite(value)) {
    char const* const last = std::to_chars(buffer.data(), end, value, std::chars_format::scientific).ptr;
    WriteScientific({buffer.data(), static_cast<std::size_t>(last - buffer.data())}, out);
  } else {
    *out += std::isnan(value) ? "NaN" : (value < 0 ? "-Infinity" : "Infinity");
  }
}

// One overload per alternative of Value.
struct Writer {
  std::string* out;

  void operator()(std::monostate /*nothing*/) const { *out += "null"; }
  void operator()(bool value) const { *out += value ? "true" : "false"; }
  void operator()(std::int64_t value) const { WriteNumber(value, out); }
  void operator()(double value) const { WriteNumber(value, out); }
  void operator()(float value) const { WriteNumber(value, out); }
  void operator()(std::string const& value) const { WriteString(value, out); }
  void operator()(Value::Object const& object) const {
    char before = '{';
    for (auto const& [key, value] : object) {
      *out += std::exchange(before, ',');
      WriteString(key.View(), out);
      *out += ':';
      std::visit(*this, value.Held());
    }
    *out += before == '{' ? "{}" : "}";
  }
  void operator()(Value::Array const& array) const {
    WriteItems(array, [&](Value const& item) { std::visit(*this, item.Held()); });
  }
  template <class T>
  void operator()(Numbers<T> const& numbers) const {
    WriteItems(numbers, [&](T item) { WriteNumber(item, out); });
  }

  template <class Items, class WriteItem>
  void WriteItems(Items const& items, WriteItem&& write_item) const {
    char before = '[';
    for (auto const& item : items) {
      *out += std::exchange(before, ',');
      write_item(item);
    }
    *out += before == '[' ? "[]" : "]";
  }
};

}  // namespace

Value ParseJson(std::string_view text) {
  NumberArrays lifted(text);
  try {
    return Parse(lifted.Rest(), &lifted);
  } catch (ModelError const&) {
    // Once more as it is: the message names the place in the file.
    NumberArrays none({});
    return Parse(text, &none);
  }
}

std::string WriteJson(Value const& value) {
  std::string out;
  std::visit(Writer{&out}, value.Held());
  return out;
}

std::string Escaped(std::string_view text) {
  constexpr std::string_view kHex = "0123456789abcdef";
  constexpr std::string_view kSpecial = "\"\\\b\f\n\r\t";
  constexpr std::string_view kLetter = "\"\\bfnrt";
  std::string out;
  for (char const c : text) {
    auto const code = static_cast<unsigned char>(c);
    std::size_t const special = kSpecial.find(c);
    if (special != std::string_view::npos) {
      out += '\\';
      out += kLetter[special];
    } else if (code < 0x20U) {
      out += "\\u00";
      out += kHex[code >> 4U];
      out += kHex[code & 15U];
    } else {
      out += c;
    }
  }
  return out;
}

std::string FloatText(float value) {
  std::string out;
  WriteNumber(value, &out);
  return out;
}

}  // namespace xgbl
