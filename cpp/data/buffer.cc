// SPDX-License-Identifier: Apache-2.0
#include "data/buffer.h"

#include "parallel/spare_memory.h"

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

bool IsLarge(std::size_t bytes) { return bytes > kHugePage / 2; }

}  // namespace

void* NewLines(std::size_t bytes) {
  if (!IsLarge(bytes)) return ::operator new(bytes, std::align_val_t{kCacheLine});
  void* const spare = SpareMemory::Get().Take(bytes);
  if (spare != nullptr) return spare;
  void* const lines = ::operator new(bytes, std::align_val_t{kHugePage});
  AskForHugePages(lines, bytes);
  return lines;
}

void DeleteLines(void* lines, std::size_t bytes) noexcept {
  if (IsLarge(bytes) && SpareMemory::Get().Give(lines, bytes, kHugePage)) return;
  ::operator delete(lines, std::align_val_t{IsLarge(bytes) ? kHugePage : kCacheLine});
}

}  // namespace xgbl
