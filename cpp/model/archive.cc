// SPDX-License-Identifier: Apache-2.0
#include "model/archive.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.h"

namespace xgbl {

Member* Members::begin() { return members_.data(); }
Member* Members::end() { return members_.data() + members_.size(); }
Member const* Members::begin() const { return members_.data(); }
Member const* Members::end() const { return members_.data() + members_.size(); }
std::size_t Members::size() const { return members_.size(); }

std::size_t Members::Place(std::string_view name) const {
  auto const below = [](Member const& member, std::string_view wanted) { return member.first.View() < wanted; };
  return static_cast<std::size_t>(std::lower_bound(begin(), end(), name, below) - begin());
}

Member* Members::find(std::string_view name) {
  Member* const place = begin() + Place(name);
  return place != end() && place->first.View() == name ? place : end();
}

Member const* Members::find(std::string_view name) const {
  Member const* const place = begin() + Place(name);
  return place != end() && place->first.View() == name ? place : end();
}

Member* Members::find(std::string_view name, std::size_t* place) {
  bool const there = *place < size() && members_[*place].first.View() == name;
  Member* const found = there ? begin() + *place : find(name);
  if (found != end()) *place = static_cast<std::size_t>(found - begin()) + 1;
  return found;
}

void Members::emplace(std::string name, Value value) {
  if (find(name) == end()) insert_or_assign(std::move(name), std::move(value));
}

void Members::insert_or_assign(std::string name, Value value) {
  if (Member* const found = find(name); found != end()) {
    found->second = std::move(value);
  } else {
    auto const place = members_.begin() + static_cast<std::ptrdiff_t>(Place(name));
    members_.insert(place, Member{std::move(name), std::move(value)});
  }
}

// A tree has 16 members: they are not moved while it is read.
void Members::MakeRoom() { members_.reserve(std::max<std::size_t>(16, members_.size() * 4)); }

void Members::Close() {
  auto const below = [](Member const& a, Member const& b) { return a.first.View() < b.first.View(); };
  // Files have them in order.
  auto const not_below = [&](Member const& a, Member const& b) { return !below(a, b); };
  if (std::adjacent_find(begin(), end(), not_below) == end()) return;
  std::stable_sort(begin(), end(), below);
  auto const* const twin = std::adjacent_find(
      begin(), end(), [](Member const& a, Member const& b) { return a.first.View() == b.first.View(); });
  Require<ModelError>(twin == end(), "The model file has the key `", twin == end() ? "" : twin->first.View(),
                      "` twice in one object.");
}

void ArrayBuilder::Add(std::int64_t item) {
  if (!items_.empty()) {
    items_.emplace_back(item);
  } else if (!real_.empty()) {
    real_.push_back(static_cast<float>(item));
  } else {
    whole_.push_back(item);
  }
}

void ArrayBuilder::Add(float item) {
  if (!items_.empty()) {
    items_.emplace_back(static_cast<double>(item));
    return;
  }
  if (!whole_.empty()) {
    real_.assign(whole_.begin(), whole_.end());
    whole_ = {};
  }
  real_.push_back(item);
}

void ArrayBuilder::Add(Value item) {
  if (auto const* whole = item.As<std::int64_t>()) return Add(*whole);
  if (auto const* truth = item.As<bool>()) return Add(static_cast<std::int64_t>(*truth));
  Widen();
  items_.push_back(std::move(item));
}

void ArrayBuilder::Widen() {
  for (std::int64_t item : whole_) items_.emplace_back(item);
  for (float item : real_) items_.emplace_back(static_cast<double>(item));
  whole_ = {};
  real_ = {};
}

Value ArrayBuilder::Finish() {
  if (!items_.empty()) return Value(std::exchange(items_, {}));
  if (!real_.empty()) return Value(std::exchange(real_, {}));
  return Value(std::exchange(whole_, {}));
}

float ToFloat(double value) {
  constexpr float kMax = std::numeric_limits<float>::max();
  if (std::abs(value) <= static_cast<double>(kMax) || std::isnan(value)) return static_cast<float>(value);
  return value < 0 ? -std::numeric_limits<float>::infinity() : std::numeric_limits<float>::infinity();
}

}  // namespace xgbl
