// SPDX-License-Identifier: Apache-2.0
// A folder of its own for a test, which is gone when that ends.
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <filesystem>
#include <iterator>
#include <string>

namespace xgbl {

class TestFolder {
 public:
  TestFolder() {
    auto const* test = testing::UnitTest::GetInstance()->current_test_info();
    path_ =
        std::filesystem::temp_directory_path() / (std::string("xgbl_") + test->test_suite_name() + "_" + test->name());
    std::filesystem::remove_all(path_);
    std::filesystem::create_directories(path_);
  }
  TestFolder(TestFolder const&) = delete;
  TestFolder& operator=(TestFolder const&) = delete;
  ~TestFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  std::string At(std::string const& name) const { return (path_ / std::filesystem::u8path(name)).u8string(); }

  std::filesystem::path const& Path() const { return path_; }
  std::size_t FileCount() const {
    return static_cast<std::size_t>(
        std::distance(std::filesystem::directory_iterator(path_), std::filesystem::directory_iterator()));
  }

 private:
  std::filesystem::path path_;
};

}  // namespace xgbl
