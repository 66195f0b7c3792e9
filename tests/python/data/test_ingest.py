# SPDX-License-Identifier: Apache-2.0
import sys
from array import array
from collections import UserList, deque

import numpy as np
import pytest

import xgb_like as xgb

TEXT = "w" if sys.version_info >= (3, 13) else "u"  # of an array; the latter is deprecated
DENSE = np.array([[0.0, 5.0, np.nan], [2.0, np.nan, 3.0], [0.0, 1.0, 4.0], [7.0, 0.0, 0.0]])
WHOLE = np.array([[0, 5, 1], [2, 1, 3], [0, 1, 4], [7, 0, 0]])


def cells(data):
    """Return the matrix as dense float32 with NaN where missing."""
    sparse = data.get_data()
    table = np.full(sparse.shape, np.nan, np.float32)
    rows = np.repeat(np.arange(sparse.shape[0]), np.diff(sparse.indptr))
    table[rows, sparse.indices] = sparse.data
    return table


@pytest.fixture(autouse=True)
def _scipy():
    return pytest.importorskip("scipy.sparse")


@pytest.mark.parametrize(
    "array",
    [
        DENSE,
        np.asfortranarray(DENSE),
        DENSE.astype(np.float32),
        DENSE.astype(np.float16),
        DENSE.astype(np.longdouble),
        DENSE.astype(">f4"),
        np.repeat(DENSE, 2, axis=1)[:, ::2],
        DENSE[::-1][::-1],
        DENSE.astype(object),
        DENSE.tolist(),
        tuple(map(tuple, DENSE.tolist())),
        np.ma.masked_invalid(DENSE),
    ],
    ids=lambda a: f"{type(a).__name__} {getattr(a, 'dtype', '')}",
)
def test_dense_tables_of_every_kind(array):
    data = xgb.DMatrix(array)
    assert (data.num_row(), data.num_col(), data.num_nonmissing()) == (4, 3, 10)
    np.testing.assert_array_equal(cells(data), DENSE.astype(np.float32))


@pytest.mark.parametrize("dtype", ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "bool"])
def test_whole_numbers_of_every_width(dtype):
    np.testing.assert_array_equal(cells(xgb.DMatrix(WHOLE.astype(dtype))), WHOLE.astype(dtype).astype(np.float32))


def test_read_only_memory_is_taken_and_inputs_are_not_changed():
    table = DENSE.astype(np.float32)
    table.flags.writeable = False
    np.testing.assert_array_equal(cells(xgb.DMatrix(table, missing=0)), np.where(DENSE == 0, np.nan, DENSE))
    np.testing.assert_array_equal(table, DENSE.astype(np.float32))


@pytest.mark.parametrize("kind", ["matrix", "array"])
@pytest.mark.parametrize("form", ["csr", "csc", "coo"])
def test_sparse_matrices_keep_listed_zeros(_scipy, form, kind):
    matrix = _scipy.coo_matrix(([1.0, 0.0, 3.0], ([0, 1, 3], [2, 0, 1])), shape=(4, 3))
    data = xgb.DMatrix(getattr(_scipy, f"{form}_{kind}")(matrix))
    assert data.num_nonmissing() == 3
    expected = np.full((4, 3), np.nan)
    expected[0, 2], expected[1, 0], expected[3, 1] = 1, 0, 3
    np.testing.assert_array_equal(cells(data), expected)


@pytest.mark.parametrize("dtype", ["int8", "int64", "uint16", "float64", "bool"])
def test_sparse_values_and_offsets_of_every_type(_scipy, dtype):
    matrix = _scipy.csr_matrix(WHOLE.astype(dtype))
    matrix.indptr, matrix.indices = matrix.indptr.astype(np.int64), matrix.indices.astype(np.int64)
    expected = np.where(WHOLE == 0, np.nan, WHOLE.astype(dtype).astype(float))
    np.testing.assert_array_equal(cells(xgb.DMatrix(matrix)), expected)


def test_columns_out_of_order_are_put_in_order(_scipy):
    matrix = _scipy.csr_matrix((np.array([3.0, 1.0]), np.array([2, 0]), np.array([0, 2])), shape=(1, 3))
    np.testing.assert_array_equal(cells(xgb.DMatrix(matrix)), [[1, np.nan, 3]])


def test_other_sparse_forms_are_converted_with_a_warning(_scipy):
    with pytest.warns(UserWarning, match="dok_matrix"):
        assert xgb.DMatrix(_scipy.dok_matrix(WHOLE)).num_nonmissing() == 8


@pytest.mark.parametrize(("missing", "present"), [(np.nan, 10), (None, 10), (0, 6), (5.0, 9), (-1, 10)])
def test_missing_cells_are_nan_or_the_given_value(missing, present):
    assert xgb.DMatrix(DENSE, missing=missing).num_nonmissing() == present


def test_infinity_may_stand_for_missing():
    assert xgb.DMatrix([[np.inf, 1.0]], missing=np.inf).num_nonmissing() == 1


@pytest.mark.parametrize("shape", [(0, 3), (3, 0), (1, 1), (0, 0)])
def test_small_and_empty_tables(shape):
    data = xgb.DMatrix(np.zeros(shape))
    assert (data.num_row(), data.num_col()) == shape


def test_huge_and_denormal_values_are_kept():
    table = np.array([[3.4e38, -3.4e38, 1e-45, -0.0]], dtype=np.float32)
    np.testing.assert_array_equal(cells(xgb.DMatrix(table)), table)


def test_memory_views_are_tables():
    np.testing.assert_array_equal(cells(xgb.DMatrix(memoryview(DENSE))), DENSE.astype(np.float32))


@pytest.mark.parametrize("numbers", [range(3), array("d", [0, 1, 2])])
def test_ranges_and_arrays_of_python_are_one_row(numbers):
    with pytest.warns(UserWarning, match="read as one row"):
        np.testing.assert_array_equal(cells(xgb.DMatrix(numbers)), [[0, 1, 2]])


def test_objects_that_are_arrays_are_taken():
    class Holder:
        def __array__(self, dtype=None, copy=None):
            return DENSE

    assert xgb.DMatrix(Holder()).num_nonmissing() == 10


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (np.float32(1), "Not supported type"),
        (np.arange(3.0), r"reshape the input data.*\(3,\)"),
        (np.zeros((2, 2, 2)), "reshape the input data"),
        ([], "`data` is empty. Please reshape the input data"),
        ([[1], [1, 2]], "rows of equal length"),
        (np.array([["a"]]), "must be real numbers"),
        (np.array([["a", 1]], dtype=object), "'a'"),
        (np.array([[{}]], dtype=object), "object array with {}"),
        (np.zeros((2, 2), complex), "complex128"),
        (np.array([[b"a"]]), "real numbers"),
        (np.zeros((2, 2), "M8[s]"), "datetime64"),
        ([[np.inf]], "Input data contains `inf`"),
        ([[1e39]], "Input data contains `inf`"),
        (np.array([["1"]], dtype=object), "'1'"),
        (memoryview(b"ab"), "reshape the input data"),
        (memoryview(b"ab").cast("c"), "must be real numbers"),
        (array(TEXT, "ab"), "must be real numbers"),
        (None, "Not supported type for `data`: NoneType"),
        ({"a": [1]}, "dict"),
        (3, "int"),
    ],
)
def test_what_is_no_table_is_refused(data, text):
    with pytest.raises(xgb.DataError, match=text):
        xgb.DMatrix(data)


def test_unreadable_kinds_are_type_errors_too():
    with pytest.warns(UserWarning, match="object, which is unknown"), pytest.raises(TypeError, match="numpy array"):
        xgb.DMatrix(object())


class _Rows:
    def __init__(self, rows):
        self._rows = rows

    def __len__(self):
        return len(self._rows)

    def __getitem__(self, place):
        return self._rows[place]


@pytest.mark.parametrize("rows", [{"a": [1]}, {0: [1]}])
def test_what_is_not_numbered_from_0_is_no_sequence(rows):
    with pytest.warns(UserWarning, match="unknown"), pytest.raises(xgb.UnsupportedDataError, match="_Rows"):
        xgb.DMatrix(_Rows(rows))


@pytest.mark.parametrize("kind", [deque, UserList, _Rows])
def test_sequences_of_unknown_kinds_are_read_with_a_warning(kind):
    with pytest.warns(UserWarning, match=f"{kind.__name__}, which is unknown: trying to read it as a sequence of rows"):
        data = xgb.DMatrix(kind([[1, 2, 3], [4, 5, 6]]))
    np.testing.assert_array_equal(data.get_data().toarray(), [[1, 2, 3], [4, 5, 6]])
    with pytest.warns(UserWarning, match="unknown"), pytest.raises(xgb.DataError, match="reshape"):
        xgb.DMatrix(kind([1, 2, 3]))


def test_sparse_infinity_and_complex_are_refused(_scipy):
    with pytest.raises(xgb.DataError, match="contains `inf`"):
        xgb.DMatrix(_scipy.csr_matrix([[np.inf]]))
    with pytest.raises(xgb.DataError, match="complex"):
        xgb.DMatrix(_scipy.csr_matrix([[1j]]))


@pytest.mark.parametrize(("what", "index"), [("row", 10**9), ("row", -1), ("col", 3), ("col", -(10**9))])
def test_a_coo_index_outside_of_the_shape_is_refused(_scipy, what, index):
    matrix = _scipy.coo_matrix(WHOLE)
    indices = getattr(matrix, what).copy()
    indices[2] = index
    setattr(matrix, what, indices)
    with pytest.raises(xgb.DataError, match=f"the {what}.* index {index}, but only"):
        xgb.DMatrix(matrix)


@pytest.mark.parametrize("form", ["csr", "csc", "coo", "dia", "lil", "dok"])
@pytest.mark.parametrize("shape", [(0, 3), (3, 0), (1, 1)])
@pytest.mark.filterwarnings("ignore:.*is converted to CSR")
def test_small_sparse_tables_of_every_form(_scipy, form, shape):
    data = xgb.DMatrix(_scipy.coo_matrix(shape).asformat(form))
    assert (data.num_row(), data.num_col(), data.num_nonmissing()) == (*shape, 0)


@pytest.mark.filterwarnings("ignore:.*is converted to CSR")
def test_other_sparse_forms_that_contradict_themselves_are_refused(_scipy):
    blocks, short = _scipy.bsr_matrix(WHOLE), _scipy.coo_matrix(WHOLE)
    rows, uneven = _scipy.lil_matrix(WHOLE), _scipy.lil_matrix(WHOLE)
    blocks.indices = blocks.indices + 50
    rows.rows[0] = [0, 77]
    short.row = short.row[:2]
    uneven.data[0] = [1] * 1000
    for matrix in (blocks, rows, short, uneven):
        with pytest.raises(xgb.DataError, match="contradicts itself"):
            xgb.DMatrix(matrix)


@pytest.mark.parametrize("change", [lambda p: p[:-2], lambda p: np.append(p, p[-1]), lambda p: p[:0]])
@pytest.mark.parametrize(("form", "entries"), [("csr", 5), ("csc", 4)])
def test_offsets_that_do_not_fit_the_shape_are_refused(_scipy, form, entries, change):
    matrix = getattr(_scipy, f"{form}_matrix")(WHOLE)
    matrix.indptr = change(matrix.indptr)
    with pytest.raises(xgb.DataError, match=rf"must have {entries} entries.*; got {len(matrix.indptr)}"):
        xgb.DMatrix(matrix)


def test_a_sparse_matrix_that_contradicts_itself_is_refused(_scipy):
    matrix = _scipy.csr_matrix(WHOLE)
    matrix.indices[0] = 99
    with pytest.raises(xgb.DataError):
        xgb.DMatrix(matrix)
