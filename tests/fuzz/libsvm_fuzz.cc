// SPDX-License-Identifier: Apache-2.0
// Feeds bytes to the reader of libsvm files. What it does not refuse must be a sound matrix.
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "base/error.h"
#include "ingest/text_reader.h"
#include "matrix_files.h"

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  using namespace xgbl;
  std::string const path = WriteScratch(reinterpret_cast<char const*>(data), size);
  for (int const first : {0, 1}) {
    TextOptions options;
    options.indexing_mode = first;
    try {
      TextData read = ReadLibsvm(path, options, Context());
      CheckMatrix(DMatrix(std::move(read.features), std::move(read.meta)));
    } catch (DataError const&) {
      continue;
    }
  }
  return 0;
}
