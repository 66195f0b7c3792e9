// SPDX-License-Identifier: Apache-2.0
// Checks that bytes are UTF-8 (RFC 3629). Names from files reach Python, which refuses anything else.
#pragma once

#include <string_view>

namespace xgbl {

bool IsUtf8(std::string_view text);

}  // namespace xgbl
