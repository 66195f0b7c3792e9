// SPDX-License-Identifier: Apache-2.0
#include "data/buffer.h"

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

}  // namespace

Lines NewLines(std::size_t bytes) {
  bool const large = bytes > kHugePage / 2;
  std::size_t const alignment = large ? kHugePage : kCacheLine;
  Lines const lines{::operator new(bytes, std::align_val_t{alignment}), alignment};
  if (large) AskForHugePages(lines.data, bytes);
  return lines;
}

void DeleteLines(Lines lines) { ::operator delete(lines.data, std::align_val_t{lines.alignment}); }

}  // namespace xgbl
