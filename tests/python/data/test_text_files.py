# SPDX-License-Identifier: Apache-2.0
import numpy as np
import pytest

import xgb_like as xgb

pytest.importorskip("scipy")


@pytest.fixture
def file(tmp_path):
    def write(text, query):
        path = tmp_path / "data.txt"
        path.write_text(text)
        return f"{path}{query}"

    return write


def test_libsvm_with_queries(file):
    data = xgb.DMatrix(file("1 qid:3 0:1 2:3\n0 qid:3 1:5\n", "?format=libsvm"))
    np.testing.assert_array_equal(data.get_label(), [1, 0])
    np.testing.assert_array_equal(data.get_data().toarray(), [[1, 0, 3], [0, 5, 0]])
    np.testing.assert_array_equal(data.get_group(), [2])


def test_libsvm_with_weights(file):
    data = xgb.DMatrix(file("1:0.5 0:1\n0:2 1:5\n", "?format=libsvm"))
    np.testing.assert_array_equal(data.get_weight(), [0.5, 2])


def test_libsvm_that_counts_from_one(file):
    data = xgb.DMatrix(file("1 1:4 2:3\n", "?format=libsvm&indexing_mode=1"))
    np.testing.assert_array_equal(data.get_data().toarray(), [[4, 3]])


def test_csv_with_a_label_column(file):
    data = xgb.DMatrix(file("1,2,3\n4,5,6\n", "?format=csv&label_column=1"))
    np.testing.assert_array_equal(data.get_label(), [2, 5])
    np.testing.assert_array_equal(data.get_data().toarray(), [[1, 3], [4, 6]])
    assert xgb.DMatrix(file("1,2,3\n", "?format=csv")).num_col() == 3


def test_fields_given_beside_a_file_win(file):
    data = xgb.DMatrix(file("1,2\n3,4\n", "?format=csv&label_column=0"), label=[7, 8], feature_names=["x"])
    np.testing.assert_array_equal(data.get_label(), [7, 8])
    assert data.feature_names == ["x"]


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("", "format=libsvm"),
        ("?format=xml", "must be libsvm or csv; got 'xml'"),
        ("?label_column=0", "must be libsvm or csv"),
        ("?format=csv&label_colum=0", "Unknown option `label_colum`"),
        ("?format=csv&label_column=x", "`label_column` must be an int"),
        ("?format=csv#cache", "cache"),
        ("?format=csv&label_column=9", "label_column"),
    ],
)
def test_bad_names_are_refused(file, query, text):
    with pytest.raises(xgb.XgbLikeError, match=text):
        xgb.DMatrix(file("1,2\n", query))


def test_an_absent_file_is_named():
    with pytest.raises(xgb.DataError, match=r"no file 'absent.csv'"):
        xgb.DMatrix("absent.csv?format=csv")


@pytest.mark.parametrize("text", ["1;2;3\n", "a,b\n", "a\n\n"])
def test_a_csv_without_rows_is_refused(file, text):
    with pytest.raises(xgb.DataError, match="no rows of data.*commas separate"):
        xgb.DMatrix(file(text, "?format=csv"))


@pytest.mark.parametrize("name", ["s3://bucket/x.csv", "https://host/x.csv"])
def test_remote_files_are_named_as_given(name):
    with pytest.raises(xgb.DataError, match=f"'{name}' cannot be read: only local files are"):
        xgb.DMatrix(f"{name}?format=csv")


@pytest.mark.parametrize("text", ["1 0:x\n", "a 0:1\n", "1 -1:2\n", "1 0:1 0:2\n"])
def test_a_bad_line_is_named(file, text):
    with pytest.raises(xgb.DataError, match="line 1"):
        xgb.DMatrix(file(text, "?format=libsvm"))
