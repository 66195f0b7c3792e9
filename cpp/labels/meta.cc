// SPDX-License-Identifier: Apache-2.0
#include "labels/meta.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <string_view>

#include "base/error.h"

namespace xgbl {
namespace {

constexpr char kNotFinite[] = " contains NaN, infinity or a value too large for float32: entry ";

// The first entry that is not `allowed`, or the size.
template <class Allowed>
std::size_t FirstBad(Span<float const> values, Allowed&& allowed) {
  auto const bad = std::find_if_not(values.begin(), values.end(), allowed);
  return static_cast<std::size_t>(bad - values.begin());
}

bool IsFinite(float value) { return std::isfinite(value); }
bool IsWeight(float value) { return std::isfinite(value) && value >= 0; }
bool IsBound(float value) { return !std::isnan(value); }

void CheckMatrix(Matrix<float> const& matrix, std::size_t rows, char const* field) {
  if (matrix.empty()) return;
  Require<DataError>(matrix.rows == rows, "`", field, "` must have one entry for each row of the data: got ",
                     matrix.rows, " for ", rows, " rows.");
  Ensure(matrix.values.size() == matrix.rows * matrix.columns, field, " has a wrong size.");
}

// NaN is a target that is not known, where a row has others.
void CheckLabels(Matrix<float> const& labels, std::size_t rows) {
  CheckMatrix(labels, rows, "label");
  bool const may_miss = labels.columns > 1;
  std::size_t const bad =
      FirstBad(labels.values, [=](float label) { return IsFinite(label) || (may_miss && std::isnan(label)); });
  if (bad == labels.values.size()) return;
  throw DataError(Text("Label", kNotFinite, bad / labels.columns, " is ", labels.values[bad],
                       ". Drop such rows or fill in their labels."));
}

void CheckMargin(Matrix<float> const& margin, std::size_t rows) {
  CheckMatrix(margin, rows, "base_margin");
  std::size_t const bad = FirstBad(margin.values, IsFinite);
  if (bad == margin.values.size()) return;
  throw DataError(Text("`base_margin`", kNotFinite, bad / margin.columns, " is ", margin.values[bad], "."));
}

void CheckGroups(std::vector<std::uint32_t> const& begin, std::size_t rows) {
  if (begin.empty()) return;
  Require<DataError>(begin.front() == 0, "The first query group must begin at row 0; got ", begin.front(), ".");
  Require<DataError>(std::is_sorted(begin.begin(), begin.end()), "The first rows of query groups must not fall.");
  Require<DataError>(begin.back() == rows, "The sizes of the query groups add up to ", begin.back(),
                     ", but the data has ", rows, " rows. Give `group` or `qid` for all rows.");
}

void CheckWeights(Meta const& meta, std::size_t rows) {
  if (meta.weights.empty()) return;
  if (meta.group_begin.empty()) {
    Require<DataError>(meta.weights.size() == rows, "`weight` must have one sample weight for each row: got ",
                       meta.weights.size(), " for ", rows, " rows.");
  } else {
    std::size_t const groups = meta.group_begin.size() - 1;
    Require<DataError>(meta.weights.size() == groups,
                       "The size of `weight` must be equal to the number of query groups",
                       " when there are groups: got ", meta.weights.size(), " for ", groups, " groups.");
  }
  std::size_t const bad = FirstBad(meta.weights, IsWeight);
  if (bad == meta.weights.size()) return;
  throw DataError(Text("Weights must be positive values or 0, and finite: entry ", bad, " of `weight` is ",
                       meta.weights[bad], ". Drop such rows, or weigh them 0."));
}

void CheckBounds(std::vector<float> const& bounds, std::size_t rows, char const* field) {
  if (bounds.empty()) return;
  Require<DataError>(bounds.size() == rows, "`", field, "` must have one entry for each row of the data: got ",
                     bounds.size(), " for ", rows, " rows.");
  std::size_t const bad = FirstBad(bounds, IsBound);
  Require<DataError>(bad == bounds.size(), "`", field, "` contains NaN: entry ", bad,
                     ". Use infinity for an open bound.");
}

void CheckFeatureWeights(std::vector<float> const& weights, std::size_t columns) {
  if (weights.empty()) return;
  Require<DataError>(weights.size() == columns, "`feature_weights` must have one entry for each column: got ",
                     weights.size(), " for ", columns, " columns.");
  std::size_t const bad = FirstBad(weights, IsWeight);
  if (bad == weights.size()) return;
  throw DataError(Text("`feature_weights` must be finite and not negative: entry ", bad, " is ", weights[bad], "."));
}

void CheckCount(std::size_t got, std::size_t columns, char const* field) {
  Require<DataError>(got == 0 || got == columns, "`", field,
                     "` must have the same length as the number of data columns:", " expected ", columns, ", got ", got,
                     ".");
}

std::string Quoted(std::set<std::string> const& names) {
  std::string out;
  for (auto const& name : names) out += (out.empty() ? "['" : "', '") + name;
  return out + "']";
}

void CheckNames(std::vector<std::string> const& names, std::size_t columns) {
  CheckCount(names.size(), columns, "feature_names");
  std::set<std::string_view> seen;
  std::set<std::string> twice;
  for (auto const& name : names) {
    Require<DataError>(name.find_first_of("[]<") == std::string::npos,
                       "`feature_names` may not contain [, ] or <, which model dumps use: got `", name, "`.");
    if (!seen.insert(name).second) twice.insert(name);
  }
  if (!twice.empty()) throw DataError("`feature_names` must be unique. Duplicates found: " + Quoted(twice) + ".");
}

void CheckTypes(std::vector<std::string> const& types, std::size_t columns) {
  constexpr std::array<std::string_view, 5> kTypes{"int", "float", "i", "q", "c"};
  CheckCount(types.size(), columns, "feature_types");
  for (auto const& type : types) {
    Require<DataError>(std::find(kTypes.begin(), kTypes.end(), type) != kTypes.end(),
                       "All feature_types must be one of {int, float, i, q, c}; got `", type, "`.");
  }
}

template <class T>
std::vector<T> Pick(std::vector<T> const& values, Span<std::size_t const> rows) {
  std::vector<T> out;
  if (values.empty()) return out;
  out.reserve(rows.size());
  for (std::size_t const row : rows) out.push_back(values[row]);
  return out;
}

Matrix<float> Pick(Matrix<float> const& values, Span<std::size_t const> rows) {
  if (values.empty()) return {};
  Matrix<float> out(rows.size(), values.columns);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    auto const from = values.View().Row(rows[i]);
    std::copy(from.begin(), from.end(), out.View().Row(i).begin());
  }
  return out;
}

// Groups, and weights by group, of the picked rows.
void PickGroups(Meta const& from, Span<std::size_t const> rows, Meta* to) {
  auto const& begin = from.group_begin;
  std::size_t last = begin.size();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    auto const after = std::upper_bound(begin.begin(), begin.end(), static_cast<std::uint32_t>(rows[i]));
    auto const group = static_cast<std::size_t>(after - begin.begin()) - 1;
    if (group == last) continue;
    last = group;
    to->group_begin.push_back(static_cast<std::uint32_t>(i));
    if (!from.weights.empty()) to->weights.push_back(from.weights[group]);
  }
  to->group_begin.push_back(static_cast<std::uint32_t>(rows.size()));
}

}  // namespace

void Meta::Check(std::size_t rows, std::size_t columns) const {
  CheckLabels(labels, rows);
  CheckGroups(group_begin, rows);
  CheckWeights(*this, rows);
  CheckMargin(base_margin, rows);
  CheckBounds(label_lower, rows, "label_lower_bound");
  CheckBounds(label_upper, rows, "label_upper_bound");
  CheckFeatureWeights(feature_weights, columns);
  CheckNames(feature_names, columns);
  CheckTypes(feature_types, columns);
  CheckCount(categories.size(), columns, "categories");
}

std::vector<std::uint8_t> Meta::CategoricalFlags(std::size_t columns) const {
  std::vector<std::uint8_t> flags(columns);
  for (std::size_t i = 0; i < feature_types.size(); ++i) flags[i] = feature_types[i] == "c" ? 1 : 0;
  return flags;
}

std::vector<float> Meta::WeightsByRow(std::size_t rows) const {
  if (weights.empty() || weights.size() + 1 != group_begin.size()) return {};
  std::vector<float> by_row(rows);
  for (std::size_t g = 0; g < weights.size(); ++g) {
    std::fill(by_row.data() + group_begin[g], by_row.data() + group_begin[g + 1], weights[g]);
  }
  return by_row;
}

Meta Meta::Slice(Span<std::size_t const> rows, bool allow_groups) const {
  Require<DataError>(
      group_begin.empty() || allow_groups,
      "slice does not support group structure by default: pass `allow_groups=True`, by which neighbouring"
      " rows of one query group stay one group.");
  Meta out;
  out.labels = Pick(labels, rows);
  out.base_margin = Pick(base_margin, rows);
  out.label_lower = Pick(label_lower, rows);
  out.label_upper = Pick(label_upper, rows);
  if (group_begin.empty()) {
    out.weights = Pick(weights, rows);
  } else {
    PickGroups(*this, rows, &out);
  }
  out.feature_weights = feature_weights;
  out.feature_names = feature_names;
  out.feature_types = feature_types;
  out.categories = categories;
  return out;
}

}  // namespace xgbl
