// SPDX-License-Identifier: Apache-2.0
#include "parallel/buffer.h"

#include <gtest/gtest.h>

#include <cstring>
#include <new>
#include <thread>
#include <vector>

namespace xgbl {
namespace {

constexpr std::size_t kAlignment = 64;
constexpr std::size_t kSize = 4096, kOther = 8192;

// As whoever uses the store: from it if there is a block, else from the system; likewise back.
void* New(std::size_t bytes) {
  void* const spare = SpareMemory::Get().Take(bytes);
  return spare != nullptr ? spare : ::operator new(bytes, std::align_val_t{kAlignment});
}

void Delete(void* block, std::size_t bytes) {
  if (!SpareMemory::Get().Give(block, bytes, kAlignment)) ::operator delete(block, std::align_val_t{kAlignment});
}

bool HasBlock(std::size_t bytes) {
  void* const block = SpareMemory::Get().Take(bytes);
  ::operator delete(block, std::align_val_t{kAlignment});
  return block != nullptr;
}

class Spare : public testing::Test {
 protected:
  void SetUp() override { SpareMemory::Get().Clear(); }
  void TearDown() override { SpareMemory::Get().Clear(); }
};

TEST_F(Spare, BlocksOfARoundServeTheNextOne) {
  void* const first = New(kSize);
  {
    SpareMemory::Round const round;
    Delete(first, kSize);
  }
  EXPECT_FALSE(HasBlock(kSize));  // as no round goes on
  SpareMemory::Round const next;
  EXPECT_EQ(SpareMemory::Get().Take(kSize), first);
  EXPECT_FALSE(HasBlock(kSize));
  ::operator delete(first, std::align_val_t{kAlignment});
}

TEST_F(Spare, BlocksAreKeptByRoundsOnly) {
  Delete(New(kSize), kSize);
  SpareMemory::Round const round;
  EXPECT_FALSE(HasBlock(kSize));
}

TEST_F(Spare, BlocksGoWhenAnotherSizeIsWanted) {
  SpareMemory::Round const round;
  Delete(New(kSize), kSize);
  EXPECT_FALSE(HasBlock(kOther));
  EXPECT_FALSE(HasBlock(kSize));
}

TEST_F(Spare, OlderBlocksMakeRoomForAnotherSize) {
  SpareMemory::Round const round;
  void* const older = New(kSize);
  void* const newer = New(2 * kSize);
  Delete(older, kSize);
  Delete(newer, 2 * kSize);
  EXPECT_FALSE(HasBlock(kSize / 2));
  EXPECT_TRUE(HasBlock(2 * kSize));
  EXPECT_FALSE(HasBlock(kSize));
}

TEST_F(Spare, BlocksAreBoundedInNumberAndSize) {
  SpareMemory::Round const round;
  std::vector<void*> many;
  for (int i = 0; i < 300; ++i) many.push_back(New(kSize));
  for (void* const block : many) Delete(block, kSize);
  std::size_t kept = 0;
  while (HasBlock(kSize)) ++kept;
  EXPECT_EQ(kept, 256U);
  void* const block = New(kSize);
  EXPECT_FALSE(SpareMemory::Get().Give(block, std::size_t{1} << 40U, kAlignment));
  Delete(block, kSize);
}

TEST_F(Spare, BlocksAreNeverSharedByThreads) {
  SpareMemory::Round const round;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([t] {
      for (int i = 0; i < 2000; ++i) {
        auto* const mine = static_cast<unsigned char*>(New(kSize));
        std::memset(mine, t, kSize);
        EXPECT_EQ(mine[kSize - 1], t);
        Delete(mine, kSize);
      }
    });
  }
  for (auto& thread : threads) thread.join();
}

}  // namespace
}  // namespace xgbl
