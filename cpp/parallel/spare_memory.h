// SPDX-License-Identifier: Apache-2.0
// Large blocks of memory that a round of training gave back. The next one asks for the same; the system would clear
// every page of them anew. Between rounds nothing is kept or taken. Who asks for another size has as much
// given back to the system first, of the oldest blocks, so that the store never adds to what is held at most. Any
// thread may use it; while another one does, it has nothing and takes nothing, so that nobody waits, not even the child
// of a process that was in the midst of it.
#pragma once

#include <atomic>
#include <cstddef>
#include <mutex>
#include <vector>

namespace xgbl {

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
