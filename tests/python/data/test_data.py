# SPDX-License-Identifier: Apache-2.0
import copy
import sys
from array import array
from fractions import Fraction

import numpy as np
import pytest

import xgb_like as xgb

TEXT = "w" if sys.version_info >= (3, 13) else "u"  # of an array; the latter is deprecated
X = np.array([[0.0, 5.0, np.nan], [2.0, np.nan, 3.0], [0.0, 1.0, 4.0], [7.0, 0.0, 0.0]], dtype=np.float32)


@pytest.fixture
def full():
    """A matrix with every field but groups."""
    return xgb.DMatrix(
        X,
        [1, 2, 3, 4],
        weight=[1, 0.5, 2, 3],
        base_margin=[0, 1, 0, 1],
        label_lower_bound=[0, 1, 2, 3],
        label_upper_bound=[1, 2, 3, np.inf],
        feature_weights=[1, 2, 3],
        feature_names=["a", "b", "c"],
        feature_types=["int", "q", "float"],
    )


def same(left, right, rows=slice(None)):
    for field in ("label", "weight", "base_margin", "label_lower_bound", "label_upper_bound"):
        np.testing.assert_array_equal(left.get_float_info(field), right.get_float_info(field)[rows])
    np.testing.assert_array_equal(left.get_float_info("feature_weights"), right.get_float_info("feature_weights"))
    assert (left.feature_names, left.feature_types) == (right.feature_names, right.feature_types)


@pytest.mark.parametrize("rows", [[0, 2], [3, 0, 0], np.array([True, False, False, True]), [], range(2), [[1], [2]]])
def test_slices_keep_all_fields(full, rows):
    pytest.importorskip("scipy")
    numbers = np.asarray(rows).ravel()
    numbers = np.flatnonzero(numbers) if numbers.dtype == bool else numbers.astype(int)
    part = full.slice(rows)
    assert part.num_row() == len(numbers)
    same(part, full, numbers)
    np.testing.assert_array_equal(part.get_data().toarray(), full.get_data().toarray()[numbers])


@pytest.mark.parametrize(
    ("rows", "text"),
    [
        ([4], r"\[0, 4\); got 4"),
        ([-1], "got -1"),
        ([0.5], "got 0.5"),
        ([True], "one bool per row; got 1 for 4"),
        ("a", "real"),
    ],
)
def test_rows_outside_are_refused(full, rows, text):
    with pytest.raises(xgb.DataError, match=text):
        full.slice(rows)


def test_slices_of_groups_need_leave():
    data = xgb.DMatrix(X, group=[2, 2], weight=[1, 2])
    with pytest.raises(xgb.DataError, match="slice does not support group structure"):
        data.slice([0, 3])
    part = data.slice([0, 3], allow_groups=True)
    np.testing.assert_array_equal(part.get_group(), [1, 1])


def test_save_binary_and_back(full, tmp_path):
    pytest.importorskip("scipy")
    path = tmp_path / "matrix é.bin"
    full.save_binary(path)
    again = xgb.DMatrix(path)
    same(again, full)
    assert (again.get_data() != full.get_data()).nnz == 0


def test_equal_data_give_equal_files(tmp_path):
    sparse = pytest.importorskip("scipy.sparse")
    table = np.array([[0.0, 1.0, 0.0], [2.0, 0.0, 3.0]])
    kinds = {
        "dense": xgb.DMatrix(table, missing=0),
        "csr": xgb.DMatrix(sparse.csr_matrix(table)),
        "csc32": xgb.DMatrix(sparse.csc_matrix(table.astype(np.float32))),
        "int": xgb.DMatrix(sparse.csr_matrix(table.astype(np.int32))),
    }
    for name, data in kinds.items():
        data.save_binary(tmp_path / name)
    assert len({(tmp_path / name).read_bytes() for name in kinds}) == 1


def test_categories_survive_save_binary(tmp_path):
    pd = pytest.importorskip("pandas")
    data = xgb.DMatrix(pd.DataFrame({"s": pd.Categorical(["x", "y"]), "f": [1.0, 2.0]}), enable_categorical=True)
    data.save_binary(tmp_path / "m.bin")
    again = xgb.DMatrix(tmp_path / "m.bin")
    assert again.get_categories().values == [["x", "y"], None]
    assert again.feature_types == ["c", "float"]


@pytest.mark.parametrize("content", [b"", b"junk", b"\0" * 100])
def test_files_of_other_content_are_refused(tmp_path, content):
    path = tmp_path / "matrix"
    path.write_bytes(content)
    with pytest.raises(xgb.XgbLikeError, match="format=libsvm"):
        xgb.DMatrix(path)


def test_a_cut_binary_file_is_refused(full, tmp_path):
    path = tmp_path / "m.bin"
    full.save_binary(path)
    path.write_bytes(path.read_bytes()[:-7])
    with pytest.raises(xgb.XgbLikeError):
        xgb.DMatrix(path)


@pytest.mark.parametrize("names", [["x", "y", "z"], ("é", "日", "a b"), np.array(["1", "2", "3"])])
def test_names_of_any_sequence(names):
    data = xgb.DMatrix(X, feature_names=names)
    assert data.feature_names == [str(name) for name in names]
    data.feature_names = None
    assert data.feature_names is None


@pytest.mark.parametrize(
    ("names", "text"),
    [
        (["a", "b"], "expected 3, got 2"),
        (["bar", "a", "bar"], r"Duplicates found: \['bar'\]"),
        (["a[0]", "b", "c"], r"may not contain \[, \] or <"),
        (["a<1", "b", "c"], r"may not contain \[, \] or <"),
        ("abc", "sequence of strings"),
        ([1, 2, 3], "must be strings; got 1"),
        (7, "sequence of strings"),
    ],
)
def test_bad_names_are_refused_and_change_nothing(full, names, text):
    with pytest.raises(xgb.XgbLikeError, match=text):
        full.feature_names = names
    assert full.feature_names == ["a", "b", "c"]


@pytest.mark.parametrize("types", [["q", "q"], ["q", "q", "x"], "qqq", [1, 2, 3]])
def test_bad_types_are_refused(full, types):
    with pytest.raises(xgb.XgbLikeError, match="feature_types"):
        full.feature_types = types


def test_types_of_every_kind():
    data = xgb.DMatrix(X, feature_types=("int", "i", "c"))
    assert data.feature_types == ["int", "i", "c"]
    data.feature_types = None
    assert data.feature_types is None


@pytest.mark.parametrize("nthread", [None, 0, -1, 1, 1000])
def test_any_number_of_threads_reads(nthread):
    assert xgb.DMatrix(X, nthread=nthread).num_nonmissing() == 10


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({"missing": "a"}, "`missing` must be a number or None; got 'a'"),
        ({"missing": "0"}, "must be a number or None; got '0'"),
        ({"missing": True}, "must be a number or None; got True"),
        ({"missing": np.False_}, "must be a number or None; got .*False"),
        ({"missing": b"0"}, "must be a number or None"),
        ({"missing": [0]}, "must be a number or None"),
        ({"missing": 10**400}, "must be a number or None"),
        ({"nthread": "many"}, "`nthread` must be an int"),
        ({"data_split_mode": 1}, "`data_split_mode` must be 0"),
    ],
)
def test_bad_options_are_refused(options, text):
    with pytest.raises(xgb.ParameterError, match=text):
        xgb.DMatrix(X, **options)


@pytest.mark.parametrize("missing", [0, np.float32(0), np.int8(0), np.array(0.0), Fraction(0)])
def test_missing_is_any_kind_of_number(missing):
    assert xgb.DMatrix(X, missing=missing).num_nonmissing() == 6


@pytest.mark.parametrize("kind", [memoryview, list, lambda values: values])
def test_fields_of_buffers(kind):
    values = kind(array("i", [1, 2, 2, 3]))
    data = xgb.DMatrix(X, label=values, weight=values)
    np.testing.assert_array_equal(data.get_label(), [1, 2, 2, 3])
    np.testing.assert_array_equal(data.get_weight(), [1, 2, 2, 3])
    np.testing.assert_array_equal(xgb.DMatrix(np.ones((3, 1)), group=values[:2]).get_group(), [1, 2])
    np.testing.assert_array_equal(xgb.DMatrix(X, qid=values).get_group(), [1, 2, 1])


def test_buffers_of_text_are_no_labels():
    with pytest.raises(xgb.DataError, match="`label` must be real numbers"):
        xgb.DMatrix(X, label=array(TEXT, "1234"))


def test_the_order_of_arguments_of_older_programs_is_taken():
    with pytest.warns(FutureWarning, match="Pass `weight`"):
        data = xgb.DMatrix(X, [1, 2, 3, 4], [1, 1, 2, 2])
    np.testing.assert_array_equal(data.get_weight(), [1, 1, 2, 2])


def test_a_matrix_is_not_made_of_a_matrix(full):
    with pytest.raises(TypeError, match="is a DMatrix already"):
        xgb.DMatrix(full)


def test_repr_and_copy(full):
    assert repr(full) == "<xgb_like.DMatrix: 4 rows, 3 columns, with label, weight, base_margin>"
    assert copy.copy(full).num_row() == 4


def test_all_missing_and_constant_columns():
    data = xgb.DMatrix(np.column_stack([np.full(5, np.nan), np.ones(5)]))
    assert data.num_nonmissing() == 5


def test_large_arrays_are_watched_for_changes():
    table = np.zeros((5_000_000, 4), dtype=np.float32)
    data = xgb.DMatrix(table, np.zeros(len(table)))
    table[:] = 1
    with pytest.raises(xgb.DataError, match="changed"):
        xgb.train({"max_depth": 1}, data, 1)


@pytest.mark.parametrize("method", ["hist", "approx", "exact"])
def test_a_change_after_a_training_is_noticed_by_the_next(method):
    table = np.random.default_rng(0).integers(0, 9, size=(120_000, 10)).astype(np.float32)  # above 4 MB
    params = {"tree_method": method, "max_depth": 1}
    data = xgb.DMatrix(table, table[:, 0])
    first = xgb.train(params, data, 1)
    data.set_info(label=2 * table[:, 0], weight=np.ones(len(table)))  # of these there are copies
    assert xgb.train(params, data, 1).predict(data).mean() > first.predict(data).mean()
    table[-1, 3] += 1
    for use in (
        lambda: xgb.train(params, data, 1),
        lambda: first.update(data, 1),
        lambda: first.predict(data),
        lambda: first.eval(data),
        lambda: first.refit(data),
        lambda: first.predict(data, pred_contribs=True),
        lambda: data.slice([0]),
        data.get_data,
        data.num_nonmissing,
        data._handle.to_dense,
    ):
        with pytest.raises(xgb.DataError, match=r"pass a copy \(`DMatrix\(data.copy\(\)\)`\)"):
            use()


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({"nthread": 2**40}, "`nthread`.*1099511627776"),
        ({"nthread": float("inf")}, "`nthread`.*inf"),
        ({"data_split_mode": "x"}, "`data_split_mode`.*'x'"),
    ],
)
def test_numbers_that_are_none_are_refused_by_name(options, text):
    with pytest.raises(xgb.ParameterError, match=text):
        xgb.DMatrix(np.ones((2, 2)), **options)
