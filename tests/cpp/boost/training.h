// SPDX-License-Identifier: Apache-2.0
// Small data to train on, and boosters trained on them.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "base/random.h"
#include "boost/booster.h"
#include "model/xgboost_format.h"

namespace xgbl {

inline Booster::Data Training(std::size_t rows = 400, int targets = 1) {
  Random const random(4, Purpose::kRows, 0);
  auto values = std::make_shared<std::vector<float>>(rows * 3);
  for (std::size_t i = 0; i < values->size(); ++i) (*values)[i] = static_cast<float>(random.Uniform(i));
  DenseTable table;
  table.data = values->data();
  table.rows = rows;
  table.columns = 3;
  table.row_stride = 3;
  table.column_stride = 1;
  table.owner = values;
  Meta meta;
  meta.labels = Matrix<float>(rows, static_cast<std::size_t>(targets));
  for (std::size_t i = 0; i < meta.labels.values.size(); ++i) {
    std::size_t const row = i / static_cast<std::size_t>(targets);
    meta.labels.values[i] = (*values)[row * 3] + (*values)[row * 3 + 1] > 1 ? 1.0F : 0.0F;
  }
  return std::make_shared<DMatrix const>(FeatureMatrix(table), meta);
}

inline std::string BytesOf(Booster const& booster) {
  return WriteModel(booster.Snapshot()->GetModel(), FileFormat::kJson);
}

inline Booster Trained(Booster::Pairs const& params, Booster::Data const& data, int rounds) {
  Booster booster;
  booster.SetParams(params);
  for (int i = 0; i < rounds; ++i) booster.Update(data);
  return booster;
}

}  // namespace xgbl
