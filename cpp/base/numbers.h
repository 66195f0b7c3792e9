// SPDX-License-Identifier: Apache-2.0
// Converts numbers to and from text, independently of the locale. Writes the shortest text that reads back as the same
// value.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace xgbl {

/// False unless the whole of `text` (blanks around it apart) is a number of that type. Floats that are too large become
/// infinite, and those that are too small 0.
bool ParseNumber(std::string_view text, double* out);
bool ParseNumber(std::string_view text, float* out);
bool ParseNumber(std::string_view text, std::int64_t* out);

std::string NumberText(double value);
std::string NumberText(float value);

std::string_view Trim(std::string_view text);

}  // namespace xgbl
