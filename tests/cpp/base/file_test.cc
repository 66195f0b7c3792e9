// SPDX-License-Identifier: Apache-2.0
#include "base/file.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "test_folder.h"

#if !defined(_WIN32)
#include <sys/stat.h>
#endif

namespace xgbl {
namespace {

namespace fs = std::filesystem;

class FileTest : public testing::Test {
 protected:
  std::string At(std::string const& name) const { return folder_.At(name); }
  std::size_t FileCount() const { return folder_.FileCount(); }
  TestFolder folder_;
};

TEST_F(FileTest, GivesBackEveryByte) {
  std::string bytes;
  for (int i = 0; i < 300000; ++i) bytes += static_cast<char>(i * 7);
  for (std::string const& content : {std::string(), std::string("\0\r\n\x1a", 4), bytes}) {
    WriteFileAtomically(At("a.bin"), content);
    EXPECT_EQ(ReadWholeFile(At("a.bin")), content);
  }
  EXPECT_EQ(FileCount(), 1U);
}

TEST_F(FileTest, TakesNamesInUtf8) {
  WriteFileAtomically(At("größe 模型.bin"), "x");
  EXPECT_EQ(ReadWholeFile(At("größe 模型.bin")), "x");
}

TEST_F(FileTest, TellsAMissingFileFromOtherFailures) {
  EXPECT_THROW(ReadWholeFile(At("absent")), FileMissing);
  EXPECT_THROW(ReadWholeFile(folder_.Path().u8string()), FileError);
  EXPECT_THROW(ReadWholeFile(""), FileError);
  EXPECT_THROW(ReadWholeFile(std::string("a\0b", 3)), FileError);
}

TEST_F(FileTest, NamesThePathAndTheReasonWhenWritingFails) {
  try {
    WriteFileAtomically(At("no/such/folder.bin"), "x");
    FAIL();
  } catch (FileError const& error) {
    EXPECT_NE(std::string(error.what()).find("folder.bin"), std::string::npos);
    EXPECT_NE(std::string(error.what()).find("No such file or directory"), std::string::npos);
  }
  EXPECT_THROW(WriteFileAtomically(folder_.Path().u8string(), "x"), FileError);
}

TEST_F(FileTest, KeepsTheOldFileWhenTheWriterFails) {
  WriteFileAtomically(At("a"), "old");
  auto const failing = [](std::ostream& out) {
    out << "half";
    throw DataError("stop");
  };
  EXPECT_THROW(WriteFileAtomically(At("a"), failing), DataError);
  EXPECT_EQ(ReadWholeFile(At("a")), "old");
  EXPECT_EQ(FileCount(), 1U);
}

TEST_F(FileTest, ConcurrentWritersLeaveOneWholeFile) {
  std::vector<std::thread> writers;
  for (char c = 'a'; c < 'e'; ++c) {
    writers.emplace_back([this, c] {
      for (int i = 0; i < 20; ++i) WriteFileAtomically(At("shared"), std::string(100000, c));
    });
  }
  for (auto& writer : writers) writer.join();
  std::string const bytes = ReadWholeFile(At("shared"));
  EXPECT_EQ(bytes, std::string(100000, bytes.at(0)));
  EXPECT_EQ(FileCount(), 1U);
}

#if !defined(_WIN32)
TEST_F(FileTest, ReadsPipesToTheirEnd) {
  ASSERT_EQ(mkfifo(At("pipe").c_str(), 0600), 0);
  std::string const bytes(200'001, 'x');
  std::thread writer([&] { std::ofstream(At("pipe")) << bytes; });
  EXPECT_EQ(ReadWholeFile(At("pipe")), bytes);
  writer.join();
}

TEST_F(FileTest, FollowsLinksAndWritesDevicesInPlace) {
  WriteFileAtomically(At("real"), "old");
  fs::create_symlink("real", folder_.Path() / "link");
  WriteFileAtomically(At("link"), "new");
  EXPECT_TRUE(fs::is_symlink(folder_.Path() / "link"));
  EXPECT_EQ(ReadWholeFile(At("real")), "new");
  WriteFileAtomically("/dev/null", "x");
  EXPECT_FALSE(fs::is_regular_file("/dev/null"));
}

TEST_F(FileTest, KeepsTheRightsOfTheFileThatIsReplaced) {
  fs::create_symlink("a", folder_.Path() / "link");
  for (unsigned const mode : {0600U, 0640U, 0664U, 0400U}) {
    WriteFileAtomically(At("a"), "old");
    ASSERT_EQ(chmod(At("a").c_str(), mode), 0);
    WriteFileAtomically(At(mode == 0640U ? "link" : "a"), "new");
    EXPECT_EQ(static_cast<unsigned>(fs::status(At("a")).permissions()), mode);
    EXPECT_EQ(ReadWholeFile(At("a")), "new");
  }
}

TEST_F(FileTest, NobodyElseReadsWhatIsToReplaceAFile) {
  WriteFileAtomically(At("a"), "old");
  ASSERT_EQ(chmod(At("a").c_str(), 0666), 0);
  WriteFileAtomically(At("a"), [&](std::ostream& out) {
    out << "new";
    for (auto const& entry : fs::directory_iterator(folder_.Path())) {
      bool const is_old = entry.path().filename() == "a";
      EXPECT_EQ(static_cast<unsigned>(entry.status().permissions()), is_old ? 0666U : 0600U);
    }
  });
  EXPECT_EQ(static_cast<unsigned>(fs::status(At("a")).permissions()), 0666U);
}

TEST_F(FileTest, ANewFileHasTheUsualRights) {
  std::ofstream(At("usual")) << "x";
  WriteFileAtomically(At("a"), "x");
  EXPECT_EQ(fs::status(At("a")).permissions(), fs::status(At("usual")).permissions());
}

TEST_F(FileTest, RemovesWhatKilledWritersLeftAndNothingElse) {
  std::string const left = "a.tmp-0123456789abcdef";
  for (std::string const& name : {left, "b" + left, left + "0", std::string("a.tmp-old"), std::string("a.bak")}) {
    std::ofstream(At(name)) << "x";
  }
  WriteFileAtomically(At("a"), [&](std::ostream& out) {
    EXPECT_FALSE(fs::exists(At(left)));
    std::size_t const before = FileCount();
    RemoveAbandonedWrites(At("a"));  // that of this writer is locked
    EXPECT_EQ(FileCount(), before);
    out << "new";
  });
  EXPECT_EQ(FileCount(), 5U);
  std::ofstream(At(left)) << "x";
  RemoveAbandonedWrites(At("a"));
  EXPECT_EQ(FileCount(), 5U);
}
#endif

}  // namespace
}  // namespace xgbl
