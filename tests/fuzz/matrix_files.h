// SPDX-License-Identifier: Apache-2.0
// What the fuzz targets of the readers of matrices share: a file with the fuzzer's bytes, and the laws of any matrix.
#pragma once

#include <cmath>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>

#include "base/file.h"
#include "data/dmatrix.h"
#include "demand.h"

namespace xgbl {

/// A folder of this process alone, in memory where the system has such a place.
class ScratchFolder {
 public:
  ScratchFolder() {
    std::filesystem::path const memory = "/dev/shm";
    auto const parent = std::filesystem::is_directory(memory) ? memory : std::filesystem::temp_directory_path();
    path_ = parent / ("xgbl_fuzz." + std::to_string(std::random_device()()));
    std::filesystem::create_directory(path_);
  }
  ScratchFolder(ScratchFolder const&) = delete;
  ScratchFolder& operator=(ScratchFolder const&) = delete;
  ~ScratchFolder() { std::filesystem::remove_all(path_); }

  std::string At(char const* name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

inline std::string ScratchFile(char const* name) {
  static ScratchFolder const folder;
  return folder.At(name);
}

inline std::string WriteScratch(char const* bytes, std::size_t size) {
  std::string path = ScratchFile("input");
  std::ofstream(path, std::ios::binary).write(bytes, static_cast<std::streamsize>(size));
  return path;
}

inline std::string SavedBytes(DMatrix const& matrix) {
  std::string const path = ScratchFile("saved");
  SaveBinary(matrix, path);
  return ReadWholeFile(path);
}

/// Present cells are in order and no NaN, and the matrix survives being saved.
inline void CheckMatrix(DMatrix const& matrix) {
  constexpr std::size_t kManyColumns = 10'000;
  constexpr std::size_t kManyRows = 100'000;  // which take no room in a file if there are no columns
  if (matrix.Rows() > kManyRows) return;
  FeatureMatrix const& features = matrix.Features();
  for (std::size_t row = 0; row < matrix.Rows(); ++row) {
    std::size_t next = 0;
    features.ForEachPresent(row, [&](std::size_t column, float value) {
      Demand(next <= column && column < matrix.Columns(), "columns rise and are within the matrix");
      Demand(!std::isnan(value), "no present cell is NaN");
      next = column + 1;
    });
  }
  std::string const bytes = SavedBytes(matrix);
  Demand(SavedBytes(*LoadBinary(ScratchFile("saved"))) == bytes, "a saved matrix is the same after loading it");
  if (matrix.Columns() < kManyColumns) ColumnBlocks::Build(features, Context());
}

}  // namespace xgbl
