// SPDX-License-Identifier: Apache-2.0
// Feeds bytes to the reader of tables for the command line, with each delimiter. What it does not refuse has columns of
// one length, and codes that are among their labels.
#include <cstddef>
#include <cstdint>
#include <string>

#include "base/error.h"
#include "demand.h"
#include "ingest/text_table.h"
#include "matrix_files.h"

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  using namespace xgbl;
  std::string const path = WriteScratch(reinterpret_cast<char const*>(data), size);
  for (char const delimiter : {',', ';', '\t', ' '}) {
    TextTableOptions options;
    options.delimiter = delimiter;
    options.header = delimiter != ';';
    options.missing = {"-", "-1"};
    try {
      TextTableColumns const table = TextTable(path, "fuzzed").Read(options, Context());
      for (auto const& column : table.columns) {
        Demand((column.is_text ? column.codes.size() : column.numbers.size()) == table.lines.size(),
               "a cell for each row");
        for (auto const code : column.codes) Demand(code < column.labels.size(), "codes have labels");
      }
    } catch (DataError const&) {
      continue;
    }
  }
  return 0;
}
