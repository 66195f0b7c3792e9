// SPDX-License-Identifier: Apache-2.0
#include "predict/row_source.h"

#include <algorithm>
#include <array>

#include "base/error.h"

namespace xgbl {
namespace {

// Whether offsets rise and are at most `last`; by pieces, which need no memory that grows with the rows.
bool Rise(ScalarArray const& offsets, std::size_t last) {
  std::array<std::uint64_t, 512> piece;  // NOLINT(*-member-init) filled below
  std::uint64_t before = 0;
  for (std::size_t begin = 0; begin < offsets.size; begin += piece.size()) {
    Span<std::uint64_t> const to(piece.data(), std::min(piece.size(), offsets.size - begin));
    bool const good = ToIndex(offsets, begin, last + 1, to) && before <= to[0] && std::is_sorted(to.begin(), to.end());
    if (!good) return false;
    before = to[to.size() - 1];
  }
  return true;
}

}  // namespace

CsrView::CsrView(ScalarArray const& offsets, ScalarArray const& indices, ScalarArray const& values, std::size_t columns,
                 float missing)
    : offsets_(offsets), indices_(indices), values_(values), columns_(columns), missing_(missing) {
  Require<DataError>(offsets.size > 0, "`indptr` of sparse data must have at least one entry.");
  Require<DataError>(indices.size == values.size, "Sparse data must have as many indices as values; got ", indices.size,
                     " and ", values.size, ".");
  Require<DataError>(Rise(offsets, values.size), "`indptr` of sparse data must rise and stay within the ", values.size,
                     " values that are given.");
}

std::size_t RowSource::Rows() const {
  if (features_ != nullptr) return features_->Rows();
  return csr_ != nullptr ? csr_->Rows() : table_->rows;
}

float RowSource::Missing() const {
  if (csr_ != nullptr) return csr_->Missing();
  if (table_ != nullptr) return table_->missing;
  return Dense() != nullptr ? Dense()->missing : kMissing;
}

std::size_t RowSource::Columns() const {
  if (features_ != nullptr) return features_->Columns();
  return csr_ != nullptr ? csr_->Columns() : table_->columns.size();
}

}  // namespace xgbl
