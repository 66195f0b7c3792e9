// SPDX-License-Identifier: Apache-2.0
// "Did you mean …?": finds the known name that is closest to an unknown one.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace xgbl {

/// The candidate with the smallest edit distance to `name`; empty if none is near enough to be a typo.
std::string Nearest(std::string_view name, std::vector<std::string> const& candidates);

/// In lower case; ASCII only.
std::string Lowered(std::string_view text);

/// " Did you mean `x`?", or "" when nothing is near.
std::string DidYouMean(std::string_view name, std::vector<std::string> const& candidates);

}  // namespace xgbl
