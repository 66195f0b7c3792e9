// SPDX-License-Identifier: Apache-2.0
#include "parallel/spare_memory.h"

#include <algorithm>
#include <iterator>
#include <new>

namespace xgbl {
namespace {

constexpr std::size_t kMostBytes = std::size_t{256} << 20U;
constexpr std::size_t kMostBlocks = 256;

}  // namespace

SpareMemory& SpareMemory::Get() {
  static auto* const store = new SpareMemory;  // never destroyed, as threads use it to the end of the process
  return *store;
}

SpareMemory::SpareMemory() { blocks_.reserve(kMostBlocks); }

void* SpareMemory::Take(std::size_t bytes) {
  if (rounds_ == 0) return nullptr;
  std::unique_lock<std::mutex> const lock(mutex_, std::try_to_lock);
  if (!lock) return nullptr;
  auto const found =
      std::find_if(blocks_.rbegin(), blocks_.rend(), [&](Block const& block) { return block.bytes == bytes; });
  if (found == blocks_.rend()) {
    MakeRoom(bytes);
    return nullptr;
  }
  void* const data = found->data;
  blocks_.erase(std::next(found).base());
  total_ -= bytes;
  return data;
}

bool SpareMemory::Give(void* block, std::size_t bytes, std::size_t alignment) noexcept {
  if (rounds_ == 0) return false;
  std::unique_lock<std::mutex> const lock(mutex_, std::try_to_lock);
  if (!lock || bytes > kMostBytes - total_ || blocks_.size() == kMostBlocks) return false;
  blocks_.push_back({block, bytes, alignment});
  total_ += bytes;
  return true;
}

void SpareMemory::MakeRoom(std::size_t bytes) {
  std::size_t freed = 0, count = 0;
  for (; count < blocks_.size() && freed < bytes; ++count) {
    Block const& block = blocks_[count];  // the oldest
    ::operator delete(block.data, std::align_val_t{block.alignment});
    freed += block.bytes;
  }
  blocks_.erase(blocks_.begin(), blocks_.begin() + static_cast<std::ptrdiff_t>(count));
  total_ -= freed;
}

void SpareMemory::Clear() {
  std::unique_lock<std::mutex> const lock(mutex_, std::try_to_lock);
  if (lock) MakeRoom(total_);
}

}  // namespace xgbl
