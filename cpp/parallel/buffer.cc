// SPDX-License-Identifier: Apache-2.0
#include "parallel/buffer.h"

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

// Allocators give these back to the system at once.
constexpr std::size_t kWorthKeeping = std::size_t{1} << 17U;

bool SuitsHugePages(std::size_t bytes) { return bytes > kHugePage / 2; }
std::size_t AlignmentOf(std::size_t bytes) { return SuitsHugePages(bytes) ? kHugePage : kCacheLine; }

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

}  // namespace xgbl
