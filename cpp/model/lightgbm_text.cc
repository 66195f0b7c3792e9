// SPDX-License-Identifier: Apache-2.0
#include "model/lightgbm.h"

#include <cmath>

#include "base/error.h"
#include "base/numbers.h"

namespace xgbl {
namespace {

constexpr std::string_view kTree = "Tree=";
constexpr std::string_view kEnd = "end of trees";
constexpr std::string_view kPandas = "pandas_categorical:";

bool StartsWith(std::string_view text, std::string_view start) { return text.substr(0, start.size()) == start; }

// Cuts the first line off, without its end.
std::string_view TakeLine(std::string_view* rest) {
  std::size_t const end = rest->find('\n');
  std::string_view const line = rest->substr(0, end);
  rest->remove_prefix(end == std::string_view::npos ? rest->size() : end + 1);
  return Trim(line);
}

void AddAssignment(std::string_view line, TextSection* section) {
  std::size_t const equals = line.find('=');
  if (equals == std::string_view::npos) return section->Add(line, {});
  section->Add(line.substr(0, equals), line.substr(equals + 1));
}

// What stands behind the trees: parameters as `[key: value]`, and the categories of a pandas frame.
void ReadTail(std::string_view rest, LightgbmText* text) {
  while (!rest.empty()) {
    std::string_view const line = TakeLine(&rest);
    std::size_t const colon = line.find(": ");
    if (StartsWith(line, kPandas)) {
      text->pandas_categorical = Trim(line.substr(kPandas.size()));
    } else if (StartsWith(line, "[") && colon != std::string_view::npos && line.back() == ']') {
      text->parameters.Add(line.substr(1, colon - 1), Trim(line.substr(colon + 1, line.size() - colon - 2)));
    }
  }
}

}  // namespace

void TextSection::Add(std::string_view key, std::string_view value) {
  if (!values_.emplace(key, value).second) Fail(Text("has `", key, "` twice"));
}

std::string_view TextSection::Value(std::string_view key) const {
  auto const found = values_.find(key);
  if (found == values_.end()) Fail(Text("lacks `", key, "`"));
  return found->second;
}

std::vector<std::string_view> TextSection::Words(std::string_view key) const {
  constexpr std::string_view kBlank = " \t";
  std::string_view rest = Value(key);
  std::vector<std::string_view> words;
  for (std::size_t at = rest.find_first_not_of(kBlank); at != std::string_view::npos;
       at = rest.find_first_not_of(kBlank)) {
    rest.remove_prefix(at);
    words.push_back(rest.substr(0, rest.find_first_of(kBlank)));
    rest.remove_prefix(words.back().size());
  }
  return words;
}

std::vector<std::string_view> TextSection::Words(std::string_view key, std::size_t count) const {
  auto words = Words(key);
  if (words.size() != count) Fail(Text("must have ", count, " items in `", key, "`; got ", words.size()));
  return words;
}

std::int64_t TextSection::Whole(std::string_view key, std::int64_t low, std::int64_t high) const {
  return Wholes(key, 1, low, high)[0];
}

std::vector<std::int64_t> TextSection::Wholes(std::string_view key, std::size_t count, std::int64_t low,
                                              std::int64_t high) const {
  std::vector<std::int64_t> numbers;
  for (std::string_view const word : Words(key, count)) {
    std::int64_t number = 0;
    bool const read = ParseNumber(word, &number) && number >= low && number <= high;
    if (!read) Fail(Text("must have whole numbers from ", low, " to ", high, " in `", key, "`; got ", word));
    numbers.push_back(number);
  }
  return numbers;
}

std::vector<double> TextSection::Reals(std::string_view key, std::size_t count, Infinite infinite) const {
  bool const allowed = infinite == Infinite::kAllowed;
  std::vector<double> numbers;
  for (std::string_view const word : Words(key, count)) {
    double number = 0;
    bool const read = ParseNumber(word, &number) && (allowed ? !std::isnan(number) : std::isfinite(number));
    if (!read) Fail(Text("must have ", allowed ? "" : "finite ", "numbers in `", key, "`; got ", word));
    numbers.push_back(number);
  }
  return numbers;
}

void TextSection::Fail(std::string const& problem) const {
  throw ModelError(Text("LightGBM model: ", name_, " ", problem, "."));
}

LightgbmText SplitLightgbm(std::string_view bytes) {
  LightgbmText text;
  TextSection* section = &text.header;
  std::string_view rest = bytes;
  TakeLine(&rest);  // the word by which the file is recognised
  while (!rest.empty()) {
    std::string_view const line = TakeLine(&rest);
    if (line == kEnd) {
      ReadTail(rest, &text);
      return text;
    }
    if (StartsWith(line, kTree)) {
      std::string const index = std::to_string(text.trees.size());
      section = &text.trees.emplace_back("tree " + index);
      if (line.substr(kTree.size()) != index) section->Fail(Text("is called ", line));
    } else if (!line.empty()) {
      AddAssignment(line, section);
    }
  }
  text.header.Fail(Text("is followed by ", text.trees.size(), " trees, but no line `", kEnd,
                        "`: the file ends too early. Save the model anew"));
}

}  // namespace xgbl
