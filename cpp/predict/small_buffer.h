// SPDX-License-Identifier: Apache-2.0
// Memory for numbers that are written before they are read: on the stack, unless there are many.
#pragma once

#include <array>
#include <cstddef>

#include "parallel/buffer.h"

namespace xgbl {

class SmallBuffer {
 public:
  explicit SmallBuffer(std::size_t count) {
    if (count > few_.size()) many_ = Buffer<float>(count);
  }
  float* data() { return many_.empty() ? few_.data() : many_.data(); }

 private:
  alignas(64) std::array<float, 1024> few_;
  Buffer<float> many_;
};

}  // namespace xgbl
