// SPDX-License-Identifier: Apache-2.0
#include "parallel/buffer.h"

#include <algorithm>
#include <iterator>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace xgbl {
namespace {

constexpr std::size_t kHugePage = std::size_t{1} << 21U;

#if defined(__linux__) && defined(MADV_HUGEPAGE)
// Huge pages: rows that are looked up here and there would miss the cache of page addresses, and the first touch of a
// small page takes longer than filling it. One that would be mostly beyond the end is not worth its memory. Where the
// system has none to give, nothing is lost.
void AskForHugePages(void* data, std::size_t bytes) {
  std::size_t const pages = (bytes + kHugePage / 2) / kHugePage;
  madvise(data, pages * kHugePage, MADV_HUGEPAGE);
}
#else
void AskForHugePages(void* /*data*/, std::size_t /*bytes*/) {}
#endif

// Allocators give these back to the system at once.
constexpr std::size_t kWorthKeeping = std::size_t{1} << 17U;

bool SuitsHugePages(std::size_t bytes) { return bytes > kHugePage / 2; }
std::size_t AlignmentOf(std::size_t bytes) { return SuitsHugePages(bytes) ? kHugePage : kCacheLine; }

constexpr std::size_t kMostBytes = std::size_t{256} << 20U;
constexpr std::size_t kMostBlocks = 256;

}  // namespace

void* NewLines(std::size_t bytes, Pages pages) {
  void* const spare = bytes > kWorthKeeping ? SpareMemory::Get().Take(bytes) : nullptr;
  if (spare != nullptr) return spare;
  void* const lines = ::operator new(bytes, std::align_val_t{AlignmentOf(bytes)});
  if (pages == Pages::kHuge && SuitsHugePages(bytes)) AskForHugePages(lines, bytes);
  return lines;
}

void DeleteLines(void* lines, std::size_t bytes) noexcept {
  std::size_t const alignment = AlignmentOf(bytes);
  if (bytes > kWorthKeeping && SpareMemory::Get().Give(lines, bytes, alignment)) return;
  ::operator delete(lines, std::align_val_t{alignment});
}

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
