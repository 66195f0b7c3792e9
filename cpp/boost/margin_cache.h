// SPDX-License-Identifier: Apache-2.0
// Margins of matrices that a booster has seen, so that a round only adds its trees to them. Does not keep a matrix
// alive. Margins are valid for the first `rounds` rounds and for the Meta they were made with. They become stale when a
// round changes the weight of earlier trees.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/span.h"
#include "boost/round.h"
#include "data/dmatrix.h"

namespace xgbl {

class MarginCache {
 public:
  struct Entry {
    std::weak_ptr<DMatrix const> data;
    std::uint64_t info_version = 0;
    std::size_t rounds = 0;
    bool checked = false;     // whether its labels are known to suit the objective
    bool remembered = false;  // whether the model knows what it is to remember of it
    bool stale = false;
    bool compared = false;  // with what was read of the user's memory, in the call that is running
    Matrix<float> margins;
    RoundMemory memory;
  };

  /// The entry of a matrix, nullptr if there is none or its Meta has changed since. Forgets matrices that are gone.
  Entry* Find(std::shared_ptr<DMatrix const> const& data);
  Entry* Add(std::shared_ptr<DMatrix const> const& data, Matrix<float> margins);
  void Clear() { entries_.clear(); }
  void MarkStale() {
    for (auto const& entry : entries_) entry->stale = true;
  }

 private:
  std::vector<std::unique_ptr<Entry>> entries_;
};

}  // namespace xgbl
