// SPDX-License-Identifier: Apache-2.0
// An array of plain values that is not initialised, so that the thread that fills a part is also the first to touch it.
// Aligned to a cache line. A line of zeros past the end may be read, so kernels can load whole words. Movable.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstring>
#include <limits>
#include <memory>
#include <mutex>
#include <new>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/span.h"

namespace xgbl {

constexpr std::size_t kCacheLine = 64;  // bytes

/// Which pages the system is asked for if a buffer is large: huge ones if its items are looked up here and there; any
/// if most are written and read in a row. Where a virtual machine's memory is taken and given back by need, huge pages
/// are the ones that it does not have yet, and to get them may take ten times as long as to fill them.
enum class Pages { kHuge, kAny };

/// Memory that is aligned to cache lines; large ones to huge pages.
void* NewLines(std::size_t bytes, Pages pages);
void DeleteLines(void* lines, std::size_t bytes) noexcept;

template <class T>
class Buffer {
  static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_default_constructible_v<T>);

 public:
  Buffer() = default;
  explicit Buffer(std::size_t size, Pages pages = Pages::kHuge) : size_(size) {
    if (size > (std::numeric_limits<std::size_t>::max() - kCacheLine) / sizeof(T)) throw std::bad_alloc();
    std::size_t const bytes = size * sizeof(T) + kCacheLine;
    data_ = {static_cast<T*>(NewLines(bytes, pages)), Free{bytes}};
    std::memset(static_cast<void*>(data_.get() + size), 0, kCacheLine);
  }
  Buffer(Buffer&& other) noexcept : data_(std::move(other.data_)), size_(std::exchange(other.size_, 0)) {}
  Buffer& operator=(Buffer&& other) noexcept {
    data_ = std::move(other.data_);
    size_ = std::exchange(other.size_, 0);
    return *this;
  }

  T* data() { return data_.get(); }
  T const* data() const { return data_.get(); }
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  operator Span<T>() { return {data(), size_}; }              // NOLINT(*-explicit-*)
  operator Span<T const>() const { return {data(), size_}; }  // NOLINT(*-explicit-*)
  T& operator[](std::size_t i) { return data_.get()[i]; }
  T const& operator[](std::size_t i) const { return data_.get()[i]; }

 private:
  struct Free {
    std::size_t bytes = 0;
    void operator()(T* data) const { DeleteLines(static_cast<void*>(data), bytes); }
  };
  std::unique_ptr<T, Free> data_;
  std::size_t size_ = 0;
};

/// Large blocks of memory that a round of training gave back. The next round asks for the same sizes, and the system
/// would clear every page anew. Between rounds nothing is put in or taken out. A request for another size first returns
/// as much to the system, the oldest blocks first, so the store never raises the peak. Any thread may use it. While one
/// does, others find it empty and closed, so nobody waits, not even the child of a process that was forked meanwhile.
class SpareMemory {
 public:
  static SpareMemory& Get();

  /// While one lives, blocks are kept and taken.
  class Round {
   public:
    Round() { ++Get().rounds_; }
    Round(Round const&) = delete;
    Round& operator=(Round const&) = delete;
    ~Round() { --Get().rounds_; }
  };

  /// A block of so many bytes, nullptr if there is none.
  void* Take(std::size_t bytes);
  /// Whether the block was taken over. All blocks are of operator new with `alignment`.
  bool Give(void* block, std::size_t bytes, std::size_t alignment) noexcept;
  /// Gives all of it back to the system.
  void Clear();

 private:
  struct Block {
    void* data;
    std::size_t bytes;
    std::size_t alignment;
  };
  SpareMemory();
  void MakeRoom(std::size_t bytes);

  std::atomic<int> rounds_{0};
  std::mutex mutex_;
  std::vector<Block> blocks_;
  std::size_t total_ = 0;  // bytes
};

}  // namespace xgbl
