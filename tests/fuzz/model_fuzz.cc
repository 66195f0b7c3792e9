// SPDX-License-Identifier: Apache-2.0
// Feeds bytes to the reader of model files. What it does not refuse must be a sound model: written in both formats it
// reads back as the same bytes, it predicts the same packed and unpacked, and it can be dumped.
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "demand.h"
#include "model/dump.h"
#include "model/xgboost_format.h"
#include "predict/predictor.h"

namespace {

using namespace xgbl;

void CheckFiles(Model const& model) {
  std::string const json = WriteModel(model, FileFormat::kJson);
  std::string const ubjson = WriteModel(model, FileFormat::kUbjson);
  for (auto const& bytes : {json, ubjson}) {
    Model const again = ReadModel(bytes);
    Demand(WriteModel(again, FileFormat::kJson) == json, "JSON is the same after reading again");
    Demand(WriteModel(again, FileFormat::kUbjson) == ubjson, "UBJSON is the same after reading again");
  }
}

// Bits, as NaN is not equal to itself.
bool SameBits(std::vector<float> const& a, std::vector<float> const& b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0);
}

SparseRows SomeRows(std::size_t columns, std::size_t count) {
  SparseRows rows;
  rows.columns = columns;
  for (std::size_t row = 0; row < count; ++row) {
    for (std::size_t column = row % 2; column < columns && column < 8; column += 1 + row % 3) {
      rows.column.push_back(static_cast<std::uint32_t>(column));
      rows.value.push_back(static_cast<float>((row * 7 + column * 3) % 11) * 0.5F - 1.0F);
    }
    rows.row_begin.push_back(rows.value.size());
  }
  return rows;
}

void CheckPredictions(Model const& model) {
  constexpr std::size_t kRows = 20;
  constexpr std::size_t kFewRows = 10;
  auto const outputs = static_cast<std::size_t>(model.num_outputs);
  if (outputs > 100) return;
  RoundRange const trees{0, model.trees.size()};
  Matrix<float> packed(kRows, outputs);
  AddMargins(model, FeatureMatrix(SomeRows(model.num_features, kRows)), trees, Context(), packed.View());
  Matrix<float> plain(kFewRows, outputs);
  AddMargins(model, FeatureMatrix(SomeRows(model.num_features, kFewRows)), trees, Context(), plain.View());
  packed.values.resize(plain.values.size());
  Demand(SameBits(packed.values, plain.values), "packed trees predict the same");
}

void CheckDumps(Model const& model) {
  for (DumpFormat const format : {DumpFormat::kText, DumpFormat::kJson, DumpFormat::kDot}) {
    if (model.linear && format == DumpFormat::kDot) continue;
    DumpOptions options;
    options.format = format;
    options.with_stats = true;
    options.feature_names = model.feature_names;
    options.feature_types = model.feature_types;
    Demand(DumpModel(model, options).size() == (model.linear ? 1 : model.trees.size()),
           "there is a dump for each tree");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  Model model;
  try {
    model = ReadModel(std::string_view(reinterpret_cast<char const*>(data), size));
  } catch (ModelError const&) {
    return 0;
  }
  CheckFiles(model);
  CheckPredictions(model);
  CheckDumps(model);
  return 0;
}
