// SPDX-License-Identifier: Apache-2.0
#include "boost/margin_cache.h"

#include <algorithm>
#include <utility>

namespace xgbl {

MarginCache::Entry* MarginCache::Find(std::shared_ptr<DMatrix const> const& data) {
  entries_.erase(std::remove_if(entries_.begin(), entries_.end(),
                                [&](auto const& entry) {
                                  auto const held = entry->data.lock();
                                  return !held || (held == data && entry->info_version != data->InfoVersion());
                                }),
                 entries_.end());
  auto const found =
      std::find_if(entries_.begin(), entries_.end(), [&](auto const& entry) { return entry->data.lock() == data; });
  return found == entries_.end() ? nullptr : found->get();
}

MarginCache::Entry* MarginCache::Add(std::shared_ptr<DMatrix const> const& data, Matrix<float> margins) {
  auto entry = std::make_unique<Entry>();
  entry->data = data;
  entry->info_version = data->InfoVersion();
  entry->margins = std::move(margins);
  entries_.push_back(std::move(entry));
  return entries_.back().get();
}

}  // namespace xgbl
