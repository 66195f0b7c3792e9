// SPDX-License-Identifier: Apache-2.0
#include "ingest/text_lines.h"

#include "base/file.h"
#include "base/numbers.h"

namespace xgbl {
namespace {

constexpr std::size_t kChunkBytes = std::size_t{1} << 20U;

}  // namespace

std::string_view WithoutByteOrderMark(std::string_view text) {
  return text.substr(0, 3) == "\xEF\xBB\xBF" ? text.substr(3) : text;
}

TextLines::TextLines(std::string const& path)
    : path_(path), text_(ReadWholeFile(path)), rest_(WithoutByteOrderMark(text_)) {}

bool TextLines::NextLine(std::string_view* rest, std::string_view* line) {
  while (!rest->empty()) {
    std::size_t const end = std::min(rest->find('\n'), rest->size());
    *line = Trim(rest->substr(0, end));
    rest->remove_prefix(std::min(end + 1, rest->size()));
    if (!line->empty()) return true;
  }
  return false;
}

void TextLines::SkipFirst() {
  std::string_view line;
  NextLine(&rest_, &line);
}

std::string_view TextLines::First() const {
  std::string_view rest = rest_, line;
  bool const found = NextLine(&rest, &line);
  Require<DataError>(found, "The file `", path_, "` holds no data.");
  return line;
}

std::vector<std::string_view> TextLines::Chunks() const {
  std::vector<std::string_view> chunks;
  for (std::string_view rest = rest_; !rest.empty();) {
    std::size_t const line_end = rest.find('\n', std::min(kChunkBytes, rest.size()) - 1);
    std::size_t const size = line_end == std::string_view::npos ? rest.size() : line_end + 1;
    chunks.push_back(rest.substr(0, size));
    rest.remove_prefix(size);
  }
  return chunks;
}

void TextLines::ThrowAt(char const* where, std::string const& what) const {
  auto const line = std::count(text_.data(), where, '\n') + 1;
  throw DataError(Text("`", path_, "`, line ", line, ": ", what));
}

bool ParseFloat(std::string_view text, float* out) {
  if (ParseNumber(text, out)) return true;
  double value = 0;
  if (!ParseNumber(text, &value)) return false;
  *out = static_cast<float>(value);
  return true;
}

}  // namespace xgbl
