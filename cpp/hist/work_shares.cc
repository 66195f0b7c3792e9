// SPDX-License-Identifier: Apache-2.0
#include "hist/work_shares.h"

#include <algorithm>
#include <numeric>

namespace xgbl {
namespace {

constexpr double kMostOfMean = 1.2;  // what the largest share may have

class Shares {
 public:
  Shares(Span<WorkPiece const> pieces, int count)
      : pieces_(pieces), share_of_(pieces.size(), 0), steps_(static_cast<std::size_t>(count), 0.0) {
    for (WorkPiece const& piece : pieces) most_ += piece.steps;
    most_ *= kMostOfMean / static_cast<double>(count);
  }

  // Largest first; a piece stays with its owner while that has room.
  void Assign() {
    std::vector<std::size_t> order(pieces_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return pieces_[a].steps > pieces_[b].steps; });
    for (std::size_t const i : order) {
      WorkPiece const& piece = pieces_[i];
      auto share = static_cast<std::size_t>(std::min_element(steps_.begin(), steps_.end()) - steps_.begin());
      auto const owner = static_cast<std::size_t>(std::max(piece.owner, 0));
      if (piece.owner >= 0 && owner < steps_.size() && steps_[owner] + piece.steps <= most_) share = owner;
      share_of_[i] = share;
      steps_[share] += piece.steps;
    }
  }

  bool Even() const {
    return std::all_of(steps_.begin(), steps_.end(), [&](double steps) { return steps <= most_; });
  }

  std::vector<std::vector<std::size_t>> Lists() const {
    std::vector<std::vector<std::size_t>> lists(steps_.size());
    for (std::size_t i = 0; i < share_of_.size(); ++i) lists[share_of_[i]].push_back(i);
    return lists;
  }

 private:
  Span<WorkPiece const> pieces_;
  std::vector<std::size_t> share_of_;  // by piece
  std::vector<double> steps_;          // by share
  double most_ = 0;
};

}  // namespace

std::vector<std::vector<std::size_t>> ShareOut(Span<WorkPiece const> pieces, int count) {
  if (count < 2 || pieces.size() < static_cast<std::size_t>(count)) return {};
  Shares shares(pieces, count);
  shares.Assign();
  if (!shares.Even()) return {};
  return shares.Lists();
}

}  // namespace xgbl
