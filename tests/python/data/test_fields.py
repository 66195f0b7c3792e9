# SPDX-License-Identifier: Apache-2.0
import numpy as np
import pytest

import xgb_like as xgb

X = np.arange(12.0).reshape(4, 3)
COLUMN = [1.0, 0.0, 2.5, 7.0]


def _columns():
    pandas, polars, pyarrow = (pytest.importorskip(name) for name in ("pandas", "polars", "pyarrow"))
    return {
        "list": COLUMN,
        "tuple": tuple(COLUMN),
        "float64": np.array(COLUMN),
        "float16": np.array(COLUMN, np.float16),
        "big-endian": np.array(COLUMN, ">f8"),
        "object": np.array(COLUMN, object),
        "strided": np.repeat(COLUMN, 2)[::2],
        "column": np.array(COLUMN)[:, None],
        "row": np.array(COLUMN)[None, :],
        "pandas": pandas.Series(COLUMN),
        "pandas nullable": pandas.Series(COLUMN, dtype="Float64"),
        "pandas arrow": pandas.Series(COLUMN, dtype="float64[pyarrow]"),
        "pandas frame": pandas.DataFrame({"y": COLUMN}),
        "polars": polars.Series(COLUMN),
        "polars frame": polars.DataFrame({"y": COLUMN}),
        "pyarrow": pyarrow.array(COLUMN),
        "pyarrow chunks": pyarrow.chunked_array([COLUMN[:1], COLUMN[1:]]),
        "pyarrow table": pyarrow.table({"y": COLUMN}),
    }


@pytest.mark.parametrize("field", ["label", "weight", "base_margin", "label_lower_bound", "label_upper_bound"])
def test_columns_of_every_kind(field):
    for kind, values in _columns().items():
        data = xgb.DMatrix(X, **{field: values})
        found = data.get_float_info(field)
        assert found.dtype == np.float32, kind
        np.testing.assert_array_equal(found, np.float32(COLUMN), err_msg=kind)


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int64", "uint64", "float32", "bool"])
def test_labels_of_every_number_type(dtype):
    label = np.array([1, 0, 1, 1]).astype(dtype)
    np.testing.assert_array_equal(xgb.DMatrix(X, label).get_label(), np.float32([1, 0, 1, 1]))


def test_labels_and_margins_may_be_matrices():
    wide = np.arange(8.0).reshape(4, 2)
    data = xgb.DMatrix(X, np.asfortranarray(wide), base_margin=wide.ravel())
    np.testing.assert_array_equal(data.get_label(), wide)
    np.testing.assert_array_equal(data.get_base_margin(), wide)


@pytest.mark.parametrize(
    ("fields", "text"),
    [
        ({"label": [1, np.nan, 1, 1]}, "Label contains NaN"),
        ({"label": [1, np.inf, 1, 1]}, "contains NaN, infinity or a value too large"),
        ({"label": [1, 1e300, 1, 1]}, "contains NaN, infinity or a value too large"),
        ({"label": [1, 2]}, "`label`: 2 values for 4 rows"),
        ({"label": np.zeros((4, 1, 1))}, r"`label`: \(4, 1, 1\)"),
        ({"label": list("abcd")}, "`label` must be real numbers"),
        ({"label": [1j] * 4}, "complex"),
        ({"label": [[1], [1, 2]]}, "`label` must be a list of numbers"),
        ({"label": 3}, "Unsupported type for `label`: int"),
        ({"weight": [-1, 1, 1, 1]}, "Weights must be positive"),
        ({"weight": [1] * 5}, "one sample weight for each row: got 5 for 4"),
        ({"weight": np.ones((4, 2))}, "Invalid shape for `weight`"),
        ({"weight": [1, 2, 3, 4], "group": [2, 2]}, "equal to the number of query groups"),
        ({"base_margin": np.zeros((4, 1, 1, 1))}, "base_margin"),
        ({"base_margin": [1.0]}, "`base_margin`: 1 values"),
        ({"feature_weights": [1, -1, 1]}, "`feature_weights` must be finite and not negative"),
        ({"feature_weights": [1, 1]}, "one entry for each column: got 2 for 3"),
        ({"group": [2, 3]}, "add up to 5, but the data has 4"),
        ({"group": [-1, 5]}, "Invalid group structure"),
        ({"group": [1.5, 2.5]}, "`group` must be integers; got 1.5"),
        ({"qid": [1, 0, 1, 0]}, "sorted in non-decreasing order"),
        ({"qid": [1, 1]}, "`qid` must have one entry per row"),
        ({"qid": [np.nan] * 4}, "`qid` must be integers; got nan"),
        ({"qid": [1] * 4, "group": [4]}, "Either one of `group` or `qid` should be None"),
        ({"label_lower_bound": [np.nan] * 4}, "`label_lower_bound` contains NaN"),
    ],
)
def test_bad_fields_are_refused(fields, text):
    with pytest.raises(xgb.XgbLikeError, match=text):
        xgb.DMatrix(X, **fields)


def test_groups_from_sizes_and_from_queries():
    by_size, by_query = xgb.DMatrix(X, group=[1, 3]), xgb.DMatrix(X, qid=[7, 9, 9, 9])
    for data in (by_size, by_query):
        np.testing.assert_array_equal(data.get_uint_info("group_ptr"), [0, 1, 4])
        np.testing.assert_array_equal(data.get_group(), [1, 3])


@pytest.mark.parametrize("sizes", [[2, 1], [2, 3]])
def test_groups_that_do_not_fit_can_be_read_but_not_used(sizes):
    data = xgb.DMatrix(X, COLUMN)
    data.set_group(sizes)
    assert data.get_group().tolist() == sizes
    assert data.get_uint_info("group_ptr").tolist() == [0, 2, sum(sizes)]
    assert (data.num_row(), data.num_col()) == (4, 3)
    data.set_label([4, 3, 2, 1])
    assert data.get_label().tolist() == [4, 3, 2, 1]
    error = f"`group` add up to {sum(sizes)}, but the data has 4 rows"
    for use in (
        lambda: xgb.train({}, data, 1),
        lambda: xgb.train({}, xgb.DMatrix(X, COLUMN), 1, evals=[(data, "a")]),
        lambda: xgb.train({}, xgb.DMatrix(X, COLUMN), 1).predict(data),
        lambda: data.set_weight([1, 1]),
        lambda: data.slice([0], allow_groups=True),
        lambda: xgb.QuantileDMatrix(X, ref=data),
        lambda: xgb.train({}, xgb.DMatrix(X, COLUMN), 1).refit(data),
    ):
        with pytest.raises(xgb.DataError, match=error):
            use()
    assert data.get_categories().empty()
    assert not len(data.get_weight())
    data.set_info(group=[2, 2], weight=[1, 3])
    assert xgb.train({"objective": "rank:ndcg"}, data, 1).num_boosted_rounds() == 1
    data.set_group(sizes)
    data.set_group([1, 3])
    assert data.get_group().tolist() == [1, 3]
    assert data.get_weight().tolist() == [1, 3]


def test_weights_of_groups_replace_weights_of_rows():
    data = xgb.DMatrix(X, weight=[1, 2, 3, 4])
    data.set_info(group=[2, 2], weight=[0.5, 2])
    np.testing.assert_array_equal(data.get_weight(), [0.5, 2])


def test_an_empty_list_resets_a_field():
    data = xgb.DMatrix(X, COLUMN, feature_weights=[1, 2, 3])
    data.set_info(label=[], feature_weights=[])
    assert data.get_label().shape == data.get_float_info("feature_weights").shape == (0,)


def test_setters_and_getters_agree():
    data = xgb.DMatrix(X)
    data.set_label(COLUMN)
    data.set_weight(COLUMN)
    data.set_base_margin(COLUMN)
    data.set_float_info_npy2d("label_upper_bound", np.array(COLUMN)[:, None])
    for values in (data.get_label(), data.get_weight(), data.get_base_margin()):
        np.testing.assert_array_equal(values, np.float32(COLUMN))
    np.testing.assert_array_equal(data.get_float_info("label_upper_bound"), np.float32(COLUMN))


@pytest.mark.parametrize("call", ["get_float_info", "get_uint_info"])
def test_unknown_fields_are_refused(call):
    with pytest.raises(xgb.ParameterError, match="Unknown field 'foo'"):
        getattr(xgb.DMatrix(X), call)("foo")


def test_fields_of_a_matrix_without_rows():
    data = xgb.DMatrix(X[:0], [], weight=[])
    assert data.get_label().shape == (0,)


def test_sizes_of_groups_do_not_wrap(regression):
    for sizes in ([2**32 + 300], [2**63 - 1, 2**63 - 1, 302], [299]):
        with pytest.raises(xgb.DataError, match="Invalid group structure"):
            xgb.DMatrix(*regression, group=sizes)


@pytest.mark.parametrize("matrix", [xgb.DMatrix, xgb.QuantileDMatrix])
def test_weights_of_queries_may_come_before_the_queries(matrix):
    features, label = np.arange(12.0).reshape(6, 2), [0, 1, 0, 1, 0, 1]
    early, late = matrix(features, label, weight=[3, 1]), matrix(features, label, group=[4, 2], weight=[3, 1])
    np.testing.assert_array_equal(early.get_weight(), [3, 1])
    early.set_group([4, 2])
    np.testing.assert_array_equal(early.get_weight(), [3, 1])
    models = [xgb.train({"objective": "rank:pairwise"}, data, 2) for data in (early, late)]
    assert models[0].save_raw() == models[1].save_raw()


def test_weights_that_fit_neither_rows_nor_queries_are_refused_in_use(tmp_path):
    data = xgb.DMatrix(np.eye(4), [0, 1, 0, 1], weight=[1, 2])
    text = "one sample weight for each row: got 2 for 4"
    for use in (
        lambda: xgb.train({}, data, 1),
        lambda: xgb.train({}, xgb.DMatrix(np.eye(4), [0, 1, 0, 1]), 1, evals=[(data, "e")]),
        lambda: xgb.train({}, xgb.DMatrix(np.eye(4), [0, 1, 0, 1]), 1).refit(data),
        lambda: data.slice([0]),
        lambda: data.save_binary(tmp_path / "data.bin"),
    ):
        with pytest.raises(xgb.DataError, match=text):
            use()
    assert data.get_categories().empty()
    with pytest.raises(xgb.DataError, match="equal to the number of query groups"):
        data.set_group([1, 2, 1])
    with pytest.raises(xgb.DataError, match="equal to the number of query groups"):
        xgb.train({}, data, 1)
    data.set_weight([1, 1, 1])
    np.testing.assert_array_equal(data.get_weight(), [1, 1, 1])


def test_weights_that_wait_for_queries_go_on_waiting_and_give_way_to_others():
    data = xgb.DMatrix(np.eye(4), [0, 1, 0, 1], weight=[1, 2])
    data.set_group([])
    np.testing.assert_array_equal(data.get_weight(), [1, 2])
    with pytest.raises(xgb.DataError, match="equal to the number of query groups"):
        data.set_group([1, 2, 1])
    data.set_group([2, 2])
    np.testing.assert_array_equal(data.get_weight(), [1, 2])
    data = xgb.DMatrix(np.eye(4), weight=[1, 2])
    data.set_info(group=[1, 2, 1], weight=[3, 4, 5])
    np.testing.assert_array_equal(data.get_weight(), [3, 4, 5])


@pytest.mark.parametrize(
    "wrong",
    [
        {"weight": [1, 1, 1], "group": [5]},
        {"weight": [1, 1, 1], "group": [2, 2]},
        {"weight": [1, 2], "qid": [0, 0, 1, 1], "label": [0, 1, 0, np.nan]},
        {"label": [9, 9, 9, 9], "base_margin": [np.inf] * 4},
        {"label": [9, 9, 9, 9], "feature_names": ["a", "a", "b"]},
        {"feature_weights": [1, 2, 3], "feature_names": ["d", "e", "f"], "feature_types": ["x"] * 3},
    ],
)
@pytest.mark.parametrize("before", [{"weight": [1, 2, 3, 4]}, {"weight": [5, 6], "group": [1, 3]}, {"weight": [7, 8]}])
def test_what_is_refused_changes_nothing(before, wrong):
    data = xgb.DMatrix(X, COLUMN, feature_names=["a", "b", "c"], **before)
    with pytest.raises(xgb.XgbLikeError):
        data.set_info(**wrong)
    assert data.get_label().tolist() == COLUMN
    assert data.get_weight().tolist() == before["weight"]
    assert data.get_group().tolist() == before.get("group", [])
    assert not len(data.get_base_margin())
    assert not len(data.get_float_info("feature_weights"))
    assert (data.feature_names, data.feature_types) == (["a", "b", "c"], None)
    data.set_info(weight=[1, 2], group=[2, 2])
    assert data.get_weight().tolist() == [1, 2]


def test_columns_of_text_are_no_labels():
    polars = pytest.importorskip("polars")
    for frame, kind in ((polars.DataFrame({"y": ["a"] * 3}), "String"), (polars.Series(["a"] * 3), "String")):
        with pytest.raises(xgb.DataError, match=f"`label` must be real numbers; got a column of type {kind}"):
            xgb.DMatrix(np.eye(3), frame)


def text_queries():
    """One column of queries in the forms of several libraries."""
    texts = ["b", "b", "a", "é"]
    pandas, polars = pytest.importorskip("pandas"), pytest.importorskip("polars")
    arrow = pytest.importorskip("pyarrow")
    yield from (texts, tuple(texts), np.array(texts), np.array(texts, object), np.char.encode(texts, "utf-8"))
    yield from (pandas.Series(texts, dtype=kind) for kind in (object, "category", "string"))
    yield pandas.Series([7, 7, 3, 5], dtype=pandas.CategoricalDtype([7, 3, 5])).astype(str)
    yield from (polars.Series(texts), polars.Series(texts, dtype=polars.Categorical), arrow.array(texts))
    yield from (arrow.array(texts).dictionary_encode(), arrow.chunked_array([texts]), np.array(texts).reshape(-1, 1))


def test_queries_may_be_texts():
    for texts in text_queries():
        assert xgb.DMatrix(X, qid=texts).get_group().tolist() == [2, 1, 1]
    assert xgb.DMatrix(X[:0], qid=[]).get_group().tolist() == []
    assert xgb.DMatrix(X[:1], qid=["a"]).get_group().tolist() == [1]


@pytest.mark.parametrize(
    ("qid", "text"),
    [
        (["a", "b", "a", "a"], "rows of each query one after the other; 'a' comes again"),
        (["a", "a", "a", None], "all numbers or all texts; got None in row 3"),
        (["a", "a", 1, "a"], "all numbers or all texts; got 1 in row 2"),
        (["a", "b"], "one entry per row; got 2 for 4 rows"),
        ([["a", "b"]] * 4, "Invalid shape for `qid`"),
        ([1j] * 4, "complex"),
    ],
)
def test_bad_texts_as_queries_are_refused(qid, text):
    with pytest.raises(xgb.DataError, match=text):
        xgb.DMatrix(X, qid=qid)
