// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <array>
#include <fstream>
#include <string>
#include <system_error>

#include "base/file.h"
#include "test_folder.h"

#if !defined(_WIN32)
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#endif

namespace xgbl {
namespace {

namespace fs = std::filesystem;

void Fill(fs::path const& path, std::string const& text) { std::ofstream(path) << text; }

std::error_code Take(ScratchFile* file, bool durable = false) {
  std::error_code error;
  file->TakePlace(durable, &error);
  return error;
}

TEST(ScratchFile, IsGoneUnlessItTakesItsPlace) {
  TestFolder const folder;
  fs::path const target = folder.Path() / "a";
  {
    ScratchFile const file(target);
    Fill(file.Path(), "x");
    EXPECT_EQ(folder.FileCount(), 1U);
  }
  EXPECT_EQ(folder.FileCount(), 0U);
  for (bool const durable : {false, true}) {
    ScratchFile file(target);
    Fill(file.Path(), durable ? "new" : "old");
    EXPECT_FALSE(Take(&file, durable));
  }
  EXPECT_EQ(ReadWholeFile(target.u8string()), "new");
  EXPECT_EQ(folder.FileCount(), 1U);
}

TEST(ScratchFile, SaysWhyItCannotTakeItsPlace) {
  TestFolder const folder;
  ScratchFile file(folder.Path() / "a");
  Fill(file.Path(), "x");
  fs::create_directories(folder.Path() / "a" / "b");
  EXPECT_TRUE(Take(&file));
}

TEST(ScratchFile, TwoWritersDoNotMeet) {
  TestFolder const folder;
  fs::path const target = folder.Path() / "a";
  ScratchFile first(target), second(target);
  EXPECT_NE(first.Path(), second.Path());
  Fill(first.Path(), "1");
  Fill(second.Path(), "2");
  RemoveAbandoned(target);
  EXPECT_EQ(folder.FileCount(), 2U);
  EXPECT_FALSE(Take(&second));
  EXPECT_EQ(ReadWholeFile(target.u8string()), "2");
  EXPECT_FALSE(Take(&first));
  EXPECT_EQ(ReadWholeFile(target.u8string()), "1");
  EXPECT_EQ(folder.FileCount(), 1U);
}

#if !defined(_WIN32)
TEST(ScratchFile, TakesTheRightsOfWhatItReplaces) {
  TestFolder const folder;
  fs::path const target = folder.Path() / "a";
  for (unsigned const mode : {0640U, 0604U, 0400U}) {
    fs::remove(target);
    Fill(target, "old");
    ASSERT_EQ(chmod(target.c_str(), mode), 0);
    ScratchFile file(target);
    EXPECT_EQ(static_cast<unsigned>(fs::status(file.Path()).permissions()), 0600U);
    EXPECT_FALSE(Take(&file));
    EXPECT_EQ(static_cast<unsigned>(fs::status(target).permissions()), mode);
  }
}

// Of a process that writes `target` until it is killed: by then it has made its file.
pid_t StartWriter(fs::path const& target) {
  std::array<int, 2> ends{};
  if (pipe(ends.data()) != 0) return -1;
  pid_t const child = fork();
  if (child == 0) {
    ScratchFile const file(target);
    static_cast<void>(!write(ends[1], "x", 1));
    for (;;) pause();
  }
  char ready = 0;
  static_cast<void>(!read(ends[0], &ready, 1));
  close(ends[0]);
  close(ends[1]);
  return child;
}

TEST(RemoveAbandoned, RemovesWhatAKilledProcessLeft) {
  TestFolder const folder;
  fs::path const target = folder.Path() / "a";
  pid_t const writer = StartWriter(target);
  ASSERT_GT(writer, 0);
  EXPECT_EQ(folder.FileCount(), 1U);
  RemoveAbandoned(target);
  EXPECT_EQ(folder.FileCount(), 1U) << "it is being written";
  ASSERT_EQ(kill(writer, SIGKILL), 0);
  ASSERT_EQ(waitpid(writer, nullptr, 0), writer);
  EXPECT_EQ(folder.FileCount(), 1U);
  RemoveAbandoned(folder.Path() / "b");
  EXPECT_EQ(folder.FileCount(), 1U) << "it is of another file";
  RemoveAbandoned(target);
  EXPECT_EQ(folder.FileCount(), 0U);
}
#endif

}  // namespace
}  // namespace xgbl
