// SPDX-License-Identifier: Apache-2.0
// Reads text files. libsvm: `label[:weight] [qid:n] index:value …`; an index alone stands for the value 1; `#` begins a
// comment. CSV: cells between commas, quoted or not; a first line without any number holds the names of the columns.
// Empty lines are skipped. An empty cell, `nan` and `missing` are missing. Numbers are read the same in every locale.
// The file is read at once and parsed in parallel. Errors give the file, the line and what is wrong there.
#pragma once

#include <string>
#include <string_view>

#include "base/context.h"
#include "ingest/feature_matrix.h"
#include "labels/meta.h"

namespace xgbl {

struct TextOptions {
  float missing = kMissing;
  int label_column = -1;  // CSV; -1: the file has no labels
  int indexing_mode = 0;  // libsvm: the number of the first column, 0 or 1
};

struct TextData {
  FeatureMatrix features;
  Meta meta;
};

TextData ReadLibsvm(std::string const& path, TextOptions const& options, Context const& ctx);
TextData ReadCsv(std::string const& path, TextOptions const& options, Context const& ctx);

/// What follows the mark of UTF-8 that some programs put first.
std::string_view WithoutByteOrderMark(std::string_view text);

}  // namespace xgbl
