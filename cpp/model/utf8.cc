// SPDX-License-Identifier: Apache-2.0
#include "model/utf8.h"

#include <cstddef>

namespace xgbl {
namespace {

// The length of the UTF-8 sequence that begins a text; 0 if it is not one. Overlong forms, surrogates and what lies
// beyond U+10FFFF show in the first two bytes.
std::size_t SequenceLength(std::string_view text) {
  auto const byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U; };
  unsigned const first = byte(0);
  if (first < 0x80U) return 1;
  std::size_t const length = first < 0xE0U ? 2 : (first < 0xF0U ? 3 : 4);
  unsigned const low = first == 0xE0U ? 0xA0U : (first == 0xF0U ? 0x90U : 0x80U);
  unsigned const high = first == 0xEDU ? 0x9FU : (first == 0xF4U ? 0x8FU : 0xBFU);
  bool valid = first >= 0xC2U && first <= 0xF4U && byte(1) >= low && byte(1) <= high;
  for (std::size_t i = 2; i < length; ++i) valid = valid && byte(i) >= 0x80U && byte(i) <= 0xBFU;
  return valid ? length : 0;
}

}  // namespace

bool IsUtf8(std::string_view text) {
  unsigned any = 0;
  for (char const c : text) any |= static_cast<unsigned char>(c);
  if (any < 0x80U) return true;
  while (!text.empty()) {
    std::size_t const length = SequenceLength(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

}  // namespace xgbl
