// SPDX-License-Identifier: Apache-2.0
#include "model/xgboost_schema.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <numeric>
#include <string_view>
#include <type_traits>

#include "base/error.h"
#include "base/numbers.h"

namespace xgbl {
namespace {

template <class T>
Value SaveNumbers(std::vector<double> const& numbers) {
  Numbers<T> out;
  for (double const number : numbers) out.push_back(static_cast<T>(number));
  return Value(std::move(out));
}

Value SaveTexts(std::vector<double> const& numbers) {
  Value::Array out;
  for (double const number : numbers) out.emplace_back(NumberText(number));
  return Value(std::move(out));
}

// xgboost's numbers for the types of categories. It has none of floating point, which are written as texts so that JSON
// keeps every digit; such a model is for this library alone.
struct NumberType {
  std::string_view name;
  std::int64_t code;
  double low;
  double limit;  // the first number beyond the type
  Value (*save)(std::vector<double> const& numbers);
};

constexpr double kLargest = std::numeric_limits<double>::max();
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr std::array kNumberTypes = {
    NumberType{"float32", 7, -kLargest, kInfinity, &SaveTexts},
    NumberType{"float64", 8, -kLargest, kInfinity, &SaveTexts},
    NumberType{"int8", 9, -0x1p7, 0x1p7, &SaveNumbers<std::int8_t>},
    NumberType{"uint8", 10, 0, 0x1p8, &SaveNumbers<std::uint8_t>},
    NumberType{"int16", 11, -0x1p15, 0x1p15, &SaveNumbers<std::int16_t>},
    NumberType{"uint16", 12, 0, 0x1p16, &SaveNumbers<std::uint16_t>},
    NumberType{"int32", 13, -0x1p31, 0x1p31, &SaveNumbers<std::int32_t>},
    NumberType{"uint32", 14, 0, 0x1p32, &SaveNumbers<std::uint32_t>},
    NumberType{"int64", 15, -0x1p63, 0x1p63, &SaveNumbers<std::int64_t>},
    NumberType{"uint64", 16, 0, 0x1p64, &SaveNumbers<std::uint64_t>},
};

Value SaveFeature(Categories const& feature) {
  Value::Object object;
  if (!feature.numbers.empty()) {
    auto const type = std::find_if(kNumberTypes.begin(), kNumberTypes.end(),
                                   [&](NumberType const& known) { return known.name == feature.number_type; });
    Require<ModelError>(type != kNumberTypes.end(), "Categories of type `", feature.number_type,
                        "` cannot be saved. Use categories that are texts or integers.");
    object.emplace("type", type->code);
    object.emplace("values", type->save(feature.numbers));
    return object;
  }
  Numbers<std::int32_t> offsets;
  Numbers<std::int8_t> bytes;
  if (!feature.names.empty()) offsets.push_back(0);
  for (auto const& name : feature.names) {
    for (char const c : name) bytes.push_back(static_cast<std::int8_t>(c));
    offsets.push_back(static_cast<std::int32_t>(bytes.size()));
  }
  object.emplace("offsets", std::move(offsets));
  object.emplace("values", std::move(bytes));
  return object;
}

std::size_t CountOf(Categories const& feature) { return std::max(feature.names.size(), feature.numbers.size()); }

// The codes of a feature in the order of its categories; xgboost looks categories up by it, texts as signed bytes.
std::vector<std::int32_t> SortedCodes(Categories const& feature) {
  std::vector<std::int32_t> codes(CountOf(feature));
  std::iota(codes.begin(), codes.end(), 0);
  auto const byte_below = [](char a, char b) { return static_cast<signed char>(a) < static_cast<signed char>(b); };
  auto const below = [&](std::int32_t a, std::int32_t b) {
    auto const i = static_cast<std::size_t>(a);
    auto const j = static_cast<std::size_t>(b);
    if (!feature.numbers.empty()) return feature.numbers[i] < feature.numbers[j];
    auto const& first = feature.names[i];
    auto const& second = feature.names[j];
    return std::lexicographical_compare(first.begin(), first.end(), second.begin(), second.end(), byte_below);
  };
  std::stable_sort(codes.begin(), codes.end(), below);
  return codes;
}

std::vector<std::string> LoadNames(Field const& object) {
  auto const offsets = object["offsets"].NumbersOf<std::int64_t>();
  auto const bytes = object["values"].NumbersOf<std::int8_t>();
  std::vector<std::string> names;
  if (offsets.empty()) return names;
  bool const whole = offsets.front() == 0 && std::is_sorted(offsets.begin(), offsets.end()) &&
                     offsets.back() == static_cast<std::int64_t>(bytes.size());
  if (!whole) object.Fail("must have offsets that rise from 0 to the number of bytes in `values`");
  for (std::size_t i = 0; i + 1 < offsets.size(); ++i) {
    std::string& name = names.emplace_back();
    for (auto k = offsets[i]; k < offsets[i + 1]; ++k) name += static_cast<char>(bytes[static_cast<std::size_t>(k)]);
    if (!IsUtf8(name)) object.Fail(Text("has a category that is not UTF-8, that of code ", i));
  }
  return names;
}

// Numbers that are texts, as SaveTexts writes them.
std::vector<double> LoadTexts(Field const& values) {
  std::vector<double> numbers;
  for (auto const& text : values.Texts()) {
    if (!ParseNumber(text, &numbers.emplace_back())) values.Fail(Text("must be numbers; got ", text));
  }
  return numbers;
}

Categories LoadFeature(Field const& object) {
  Categories feature;
  if (!object.Has("type")) {
    feature.names = LoadNames(object);
    return feature;
  }
  auto const code = object["type"].Whole(kNumberTypes.front().code, kNumberTypes.back().code);
  auto const& type = kNumberTypes[static_cast<std::size_t>(code - kNumberTypes.front().code)];
  Field const values = object["values"];
  bool const is_text = values.Get().As<Value::Array>() != nullptr;
  feature.numbers = is_text ? LoadTexts(values) : values.NumbersOf<double>();
  if (feature.numbers.empty()) return {};
  feature.number_type = type.name;
  for (double& number : feature.numbers) {
    if (number < 0 && type.low == 0) number += type.limit;  // UBJSON writes unsigned numbers as their signed twins
    if (!(number >= type.low && number < type.limit)) {
      values.Fail(Text("may not have the item ", number, ", which is no ", type.name));
    }
  }
  return feature;
}

}  // namespace

Value SaveCategories(std::vector<Categories> const& features) {
  Value::Array encodings;
  Numbers<std::int32_t> segments;
  Numbers<std::int32_t> sorted;
  bool const any = std::any_of(features.begin(), features.end(), [](Categories const& f) { return !f.empty(); });
  if (any) segments.push_back(0);
  for (std::size_t i = 0; any && i < features.size(); ++i) {
    encodings.push_back(SaveFeature(features[i]));
    segments.push_back(segments.back() + static_cast<std::int32_t>(CountOf(features[i])));
    auto const codes = SortedCodes(features[i]);
    sorted.insert(sorted.end(), codes.begin(), codes.end());
  }
  Value::Object object;
  object.emplace("enc", std::move(encodings));
  object.emplace("feature_segments", std::move(segments));
  object.emplace("sorted_idx", std::move(sorted));
  return object;
}

std::vector<Categories> LoadCategories(Field const& object) {
  std::vector<Categories> features;
  Field const encodings = object["enc"];
  if (encodings.Size() == 0) return features;
  for (std::size_t i = 0; i < encodings.Size(); ++i) features.push_back(LoadFeature(encodings.Item(i)));
  return features;
}

}  // namespace xgbl
