// SPDX-License-Identifier: Apache-2.0
// Feeds bytes, with the checksum that they would have, to the reader of binary matrix files. What it does not refuse
// must be a sound matrix.
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "base/checksum.h"
#include "base/error.h"
#include "matrix_files.h"

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  using namespace xgbl;
  std::vector<char> bytes(data, data + size);
  Checksum sum;
  sum.Add(bytes.data(), size);
  bytes.resize(size + sizeof(std::uint64_t));
  EncodeLittle(sum.Value(), bytes.data() + size);
  try {
    CheckMatrix(*LoadBinary(WriteScratch(bytes.data(), bytes.size())));
  } catch (ModelError const& error) {
    Demand(std::string_view(error.what()).find("Internal error") == std::string_view::npos, "no invariant breaks");
  }
  return 0;
}
