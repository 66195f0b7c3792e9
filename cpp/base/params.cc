// SPDX-License-Identifier: Apache-2.0
#include "base/params.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstddef>
#include <numeric>

#include "base/numbers.h"

namespace xgbl {
namespace {

[[noreturn]] void Refuse(ParamSpec const& spec, std::string const& text) {
  std::string const hint = spec.choices.empty() ? "" : DidYouMean(text, spec.choices);
  throw ParamError(Text("`", spec.name, "` must be ", spec.Allowed(), "; got `", text, "`.", hint));
}

template <class T>
std::string Listed(std::vector<T> const& values) {
  Strings texts;
  for (auto const& value : values) texts.push_back(PrintParam(value));
  return Joined(texts, ",");
}

// "(1, 2)", "[1,2]" and "1,2" as their items; items in brackets stay whole.
std::vector<std::string> Items(ParamSpec const& spec, std::string const& text) {
  std::string_view body = Trim(text);
  bool const round = !body.empty() && body.front() == '(' && body.back() == ')';
  bool const square = !body.empty() && body.front() == '[' && body.back() == ']';
  if (body.size() >= 2 && (round || square)) body = Trim(body.substr(1, body.size() - 2));
  std::vector<std::string> items;
  int depth = 0;
  std::size_t start = 0;
  for (std::size_t i = 0; i <= body.size(); ++i) {
    bool const end = i == body.size();
    if (!end && (body[i] == '[' || body[i] == '(')) ++depth;
    if (!end && (body[i] == ']' || body[i] == ')')) --depth;
    if (depth < 0) Refuse(spec, text);
    if (end || (body[i] == ',' && depth == 0)) {
      auto item = Trim(body.substr(start, i - start));
      bool const quoted = item.size() >= 2 && (item.front() == '"' || item.front() == '\'') && item.back() == item[0];
      if (quoted) item = item.substr(1, item.size() - 2);
      bool const nothing_at_all = end && items.empty();
      bool const after_last_comma = end && item.empty();  // as Python writes a tuple of one, "(1,)"
      if (item.empty() && !nothing_at_all && !after_last_comma) Refuse(spec, text);
      if (!item.empty()) items.emplace_back(item);
      start = i + 1;
    }
  }
  if (depth != 0) Refuse(spec, text);
  return items;
}

std::int64_t ParseInteger(ParamSpec const& spec, std::string const& text, double low, double high) {
  double value = 0;  // "6.0" is an int too: it is what numpy and JSON make of one
  bool const whole = ParseNumber(text, &value) && value == std::floor(value);
  if (!whole || !spec.InRange(value) || value < low || value > high) Refuse(spec, text);
  std::int64_t exact = 0;
  return ParseNumber(text, &exact) ? exact : static_cast<std::int64_t>(value);
}

char Lower(char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); }

// Damerau-Levenshtein in its "optimal string alignment" form: two neighbours swapped count as one slip.
std::size_t EditDistance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  std::iota(last.begin(), last.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      std::size_t const change = Lower(a[i - 1]) == Lower(b[j - 1]) ? 0 : 1;
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + change});
      bool const swapped = i > 1 && j > 1 && Lower(a[i - 1]) == Lower(b[j - 2]) && Lower(a[i - 2]) == Lower(b[j - 1]);
      if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    std::swap(before, last);
    std::swap(last, row);
  }
  return last[b.size()];
}

}  // namespace

std::string Joined(Strings const& texts, std::string const& between) {
  std::string all;
  for (auto const& text : texts) all += (all.empty() ? "" : between) + text;
  return all;
}

bool ParamSpec::Answers(std::string const& key) const {
  return key == name || std::find(aliases.begin(), aliases.end(), key) != aliases.end();
}

bool ParamSpec::InRange(double value) const { return (low_open ? value > low : value >= low) && value <= high; }

std::string ParamSpec::Allowed() const {
  if (!choices.empty()) return "one of " + Joined(choices, ", ");
  std::string text = (type == "int" ? "an " : "a ") + type;
  std::string const floor = low_open ? " > " : " >= ";
  if (std::isfinite(low)) text += floor + NumberText(low);
  if (std::isfinite(high)) text += (std::isfinite(low) ? " and <= " : " <= ") + NumberText(high);
  return text;
}

void ParseParam(ParamSpec const& spec, std::string const& text, int* out) {
  *out = static_cast<int>(ParseInteger(spec, text, -2147483648.0, 2147483647.0));
}

void ParseParam(ParamSpec const& spec, std::string const& text, std::int64_t* out) {
  *out = ParseInteger(spec, text, -9.2e18, 9.2e18);
}

void ParseParam(ParamSpec const& spec, std::string const& text, double* out) {
  double value = 0;
  if (!ParseNumber(text, &value) || !std::isfinite(value) || !spec.InRange(value)) Refuse(spec, text);
  *out = value;
}

void ParseParam(ParamSpec const& spec, std::string const& text, bool* out) {
  std::string const word = Lowered(Trim(text));
  bool const yes = word == "true" || word == "1";
  if (!yes && word != "false" && word != "0") Refuse(spec, text);
  *out = yes;
}

void ParseParam(ParamSpec const& spec, std::string const& text, std::string* out) {
  bool const known = std::find(spec.choices.begin(), spec.choices.end(), text) != spec.choices.end();
  if (!spec.choices.empty() && !known) Refuse(spec, text);
  *out = text;
}

void ParseParam(ParamSpec const& spec, std::string const& text, Ints* out) {
  out->clear();
  for (auto const& item : Items(spec, text)) {
    out->push_back(static_cast<int>(ParseInteger(spec, item, -2147483648.0, 2147483647.0)));
  }
}

void ParseParam(ParamSpec const& spec, std::string const& text, IntSets* out) {
  out->clear();
  for (auto const& item : Items(spec, text)) {
    if (item.front() != '[' && item.front() != '(') Refuse(spec, text);
    Ints set;
    ParseParam(spec, item, &set);
    out->push_back(std::move(set));
  }
}

void ParseParam(ParamSpec const& spec, std::string const& text, Doubles* out) {
  out->clear();
  for (auto const& item : Items(spec, text)) ParseParam(spec, item, &out->emplace_back());
}

void ParseParam(ParamSpec const& spec, std::string const& text, Strings* out) { *out = Items(spec, text); }

std::string PrintParam(int value) { return std::to_string(value); }
std::string PrintParam(std::int64_t value) { return std::to_string(value); }
std::string PrintParam(double value) { return NumberText(value); }
std::string PrintParam(bool value) { return value ? "1" : "0"; }
std::string PrintParam(std::string const& value) { return value; }
std::string PrintParam(Ints const& value) { return value.empty() ? "" : "(" + Listed(value) + ")"; }
std::string PrintParam(Doubles const& value) { return value.empty() ? "" : "[" + Listed(value) + "]"; }
std::string PrintParam(Strings const& value) { return Joined(value, ","); }

// As Python writes a list of lists.
std::string PrintParam(IntSets const& value) {
  std::string out;
  for (auto const& set : value) {
    std::string items;
    for (int const item : set) items += (items.empty() ? "" : ", ") + std::to_string(item);
    out += (out.empty() ? "[[" : ", [") + items + "]";
  }
  return out.empty() ? out : out + "]";
}

std::string Nearest(std::string_view name, Strings const& candidates) {
  std::size_t best = std::max<std::size_t>(2, name.size() / 3) + 1;
  std::string nearest;
  for (auto const& candidate : candidates) {
    std::size_t const distance = EditDistance(name, candidate);
    if (distance < best) {
      best = distance;
      nearest = candidate;
    }
  }
  return nearest;
}

std::string Lowered(std::string_view text) {
  std::string small(text);
  std::transform(small.begin(), small.end(), small.begin(), Lower);
  return small;
}

std::string DidYouMean(std::string_view name, Strings const& candidates) {
  std::string const nearest = Nearest(name, candidates);
  return nearest.empty() ? "" : " Did you mean `" + nearest + "`?";
}

}  // namespace xgbl
