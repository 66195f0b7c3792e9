# SPDX-License-Identifier: Apache-2.0
# ruff: noqa: ARG001  what is called has a fixed signature
import datetime

import numpy as np
import pytest

import xgb_like as xgb

pytest.importorskip("scipy")


@pytest.fixture
def pd():
    return pytest.importorskip("pandas")


@pytest.fixture
def pl():
    return pytest.importorskip("polars")


@pytest.fixture
def pa():
    return pytest.importorskip("pyarrow")


def facts(data):
    return data.feature_names, data.feature_types, data.num_nonmissing()


def test_pandas_columns_bring_names_and_types(pd):
    frame = pd.DataFrame({"i": [1, 2], "f": [0.5, np.nan], "b": [True, False], "u": np.uint8([1, 2])})
    assert facts(xgb.DMatrix(frame)) == (["i", "f", "b", "u"], ["int", "float", "i", "int"], 7)


@pytest.mark.parametrize("kinds", [("Int64", "UInt8", "Float32", "boolean"), ("int64", "uint8", "float", "bool")])
def test_pandas_nullable_and_arrow_columns(pd, pa, kinds):
    kinds = kinds if kinds[0][0] == "I" else [f"{kind}[pyarrow]" for kind in kinds]
    values = ([1, None, 3], [1, 2, None], [0.5, None, 2], [True, None, False])
    frame = pd.DataFrame({n: pd.array(v, dtype=k) for n, k, v in zip("abcd", kinds, values, strict=True)})
    data = xgb.DMatrix(frame)
    assert data.feature_types == ["int", "int", "float", "i"]
    assert data.num_nonmissing() == 8
    np.testing.assert_array_equal(data.get_data().toarray()[2], [3, 0, 2, 0])


def test_pandas_float32_block_is_read_where_it_lies(pd):
    table = np.arange(12, dtype=np.float32).reshape(4, 3)
    data = xgb.DMatrix(pd.DataFrame(table, columns=list("abc")))
    np.testing.assert_array_equal(data.get_data().toarray(), table)
    assert data.feature_types == ["float"] * 3


def test_pandas_frame_of_many_blocks_of_one_type(pd):
    frame = pd.DataFrame({"a": [1.0, 2.0]})
    frame["b"] = [3.0, 4.0]
    np.testing.assert_array_equal(xgb.DMatrix(frame).get_data().toarray(), [[1, 3], [2, 4]])


@pytest.mark.parametrize(
    ("columns", "names"),
    [
        ([0, 1], ["0", "1"]),
        (["A=1", "b c"], ["A=1", "b c"]),
        ([("a", 1), ("a", 2)], ["a 1", "a 2"]),
        (["日本", "é"], ["日本", "é"]),
    ],
)
def test_pandas_column_labels_become_names(pd, columns, names):
    index = pd.MultiIndex.from_tuples(columns) if isinstance(columns[0], tuple) else columns
    assert xgb.DMatrix(pd.DataFrame([[1.0, 2.0]], columns=index)).feature_names == names


def test_pandas_series_is_one_column(pd):
    assert facts(xgb.DMatrix(pd.Series([1.5, None], name="s"))) == (["s"], ["float"], 1)
    assert xgb.DMatrix(pd.Series([1, 2])).feature_names == ["0"]


def test_pandas_sparse_columns_warn(pd):
    frame = pd.DataFrame({"a": pd.arrays.SparseArray([0.0, 1.0, 0.0])})
    with pytest.warns(UserWarning, match="Sparse arrays from pandas"):
        assert facts(xgb.DMatrix(frame)) == (["a"], ["float"], 3)


def test_pandas_categories_are_taken_unless_refused(pd):
    frame = pd.DataFrame({"s": pd.Categorical(["x", None, "y"]), "k": pd.Categorical([30, 10, 30])})
    with pytest.raises(xgb.DataError, match="Invalid columns: s: category, k: category"):
        xgb.DMatrix(frame, enable_categorical=False)
    data = xgb.DMatrix(frame)
    assert facts(data) == (["s", "k"], ["c", "c"], 5)
    np.testing.assert_array_equal(data.get_data().toarray()[:, 1], [1, 0, 1])
    assert data.get_categories().values == [["x", "y"], ([10.0, 30.0], "int64")]


@pytest.mark.parametrize(("labels", "kind"), [([0.5, 1.5], "floating point dtype float64"), ([True, False], "bool")])
def test_pandas_categories_of_other_kinds_are_refused(pd, labels, kind):
    with pytest.raises(xgb.DataError, match=rf"integers; got {kind}\. .*, or with \.astype\(float\) if"):
        xgb.DMatrix(pd.DataFrame({"a": pd.Categorical(labels)}), enable_categorical=True)


def test_pandas_arrow_dictionaries_are_categories(pd, pa):
    series = pd.Series(["x", None, "y"]).astype(pd.ArrowDtype(pa.dictionary(pa.int32(), pa.string())))
    data = xgb.DMatrix(pd.DataFrame({"a": series}), enable_categorical=True)
    assert data.get_categories().values == [["x", "y"]]


def test_pandas_columns_of_other_types_are_named(pd):
    frame = pd.DataFrame({"good": [1], "s": ["x"], "t": pd.to_datetime(["2020-01-01"])})
    with pytest.raises(xgb.DataError, match="Invalid columns: s: .*, t: datetime64"):
        xgb.DMatrix(frame)


def test_pandas_duplicate_columns_are_refused(pd):
    with pytest.raises(xgb.DataError, match=r"Duplicates found: \['a'\]"):
        xgb.DMatrix(pd.DataFrame([[1.0, 2.0]], columns=["a", "a"]))


def test_pandas_frames_are_not_changed(pd):
    frame = pd.DataFrame({"a": [1.0, np.nan], "b": pd.array([1, None], "Int64")})
    before = frame.copy()
    xgb.DMatrix(frame, missing=1.0)
    pd.testing.assert_frame_equal(frame, before)


@pytest.mark.parametrize("lazy", [False, True])
def test_polars_frames(pl, lazy):
    frame = pl.DataFrame({"i": [1, None, 3], "b": [True, None, False], "f": [0.5, None, float("nan")]})
    data = xgb.DMatrix(frame.lazy() if lazy else frame)
    assert facts(data) == (["i", "b", "f"], ["int", "i", "float"], 5)


@pytest.mark.parametrize("kind", ["Int8", "UInt64", "Float32", "Int128"])
def test_polars_number_types(pl, kind):
    if not hasattr(pl, kind):
        pytest.skip("this polars does not have the type")
    data = xgb.DMatrix(pl.DataFrame({"a": [1, None, 3]}, schema={"a": getattr(pl, kind)}))
    np.testing.assert_array_equal(data.get_data().data, [1, 3])


def test_polars_series_and_columns_without_values(pl):
    assert facts(xgb.DMatrix(pl.Series("s", [1, None]))) == (["s"], ["int"], 1)
    assert facts(xgb.DMatrix(pl.DataFrame({"n": [None, None]}))) == (["n"], ["float"], 0)


def test_polars_enum_and_categorical(pl):
    enum = pl.DataFrame({"s": ["z", None, "x"]}, schema={"s": pl.Enum(["x", "y", "z"])})
    data = xgb.DMatrix(enum, enable_categorical=True)
    assert data.get_categories().values == [["x", "y", "z"]]
    np.testing.assert_array_equal(data.get_data().data, [2, 0])
    loose = pl.DataFrame({"s": ["z", None, "x"]}, schema={"s": pl.Categorical})
    data = xgb.DMatrix(loose, enable_categorical=True)
    assert data.get_categories().values == [["x", "z"]]
    np.testing.assert_array_equal(data.get_data().data, [1, 0])


def test_polars_columns_of_other_types_are_named(pl):
    with pytest.raises(xgb.DataError, match="Invalid columns: s: String"):
        xgb.DMatrix(pl.DataFrame({"s": ["x"]}))


def test_pyarrow_tables_and_batches(pa):
    columns = {"a": pa.array([1, None, 3]), "b": pa.array([True, False, None]), "h": pa.array([2**53, 1, None])}
    for table in (pa.table(columns), pa.RecordBatch.from_pydict(columns)):
        assert facts(xgb.DMatrix(table)) == (["a", "b", "h"], ["int", "i", "int"], 6)


def test_pyarrow_duplicate_columns_are_refused(pa):
    columns = [pa.array([1, 2]), pa.array([3, 4]), pa.array([5, 6])]
    for kind in (pa.Table, pa.RecordBatch):
        with pytest.raises(xgb.DataError, match=r"Duplicates found: \['a'\]"):
            xgb.DMatrix(kind.from_arrays(columns, names=["a", "b", "a"]))


def test_pyarrow_chunks_with_dictionaries_of_their_own(pa):
    parts = [pa.array(["x", None]).dictionary_encode(), pa.array(["z", "x"]).dictionary_encode()]
    data = xgb.DMatrix(pa.table({"s": pa.chunked_array(parts)}), enable_categorical=True)
    assert data.get_categories().values == [["x", "z"]]
    np.testing.assert_array_equal(data.get_data().data, [0, 1, 0])


def test_frames_without_rows(pd, pl, pa):
    for frame in (pd.DataFrame({"a": np.empty(0)}), pl.DataFrame({"a": [1]})[:0], pa.table({"a": pa.array([], "f4")})):
        data = xgb.DMatrix(frame)
        assert (data.num_row(), data.num_col(), data.feature_names) == (0, 1, ["a"])


def test_overflow_in_a_frame_is_infinity(pd, pl):
    for frame in (pd.DataFrame({"a": [1e300], "b": [1]}), pl.DataFrame({"a": [1e300]})):
        with pytest.raises(xgb.DataError, match="contains `inf`"):
            xgb.DMatrix(frame)


def test_names_and_types_given_replace_those_of_the_frame(pd):
    data = xgb.DMatrix(pd.DataFrame({"a": [1], "b": [0.5]}), feature_names=["x", "y"], feature_types=["q", "int"])
    assert facts(data) == (["x", "y"], ["q", "int"], 2)


@pytest.mark.parametrize(
    ("values", "remedy"),
    [
        ([1, 2.5, None], r"objects that are numbers by `astype\(float\)`"),
        (["1", "2", None], r"`astype\('category'\)`, which `enable_categorical` allows, or by `pd.to_numeric`"),
        ([datetime.date(2020, 1, 1)] * 3, "Turn times into numbers"),
        ([[1], [2], [3]], "Convert them to numbers, or drop them"),
    ],
)
def test_pandas_columns_of_objects_have_a_remedy_by_what_is_in_them(pd, values, remedy):
    with pytest.raises(xgb.DataError, match=remedy):
        xgb.DMatrix(pd.DataFrame({"a": pd.Series(values, dtype=object)}))


def test_times_have_a_remedy_of_their_own(pd, pl, pa):
    day = datetime.datetime(2020, 1, 1)  # noqa: DTZ001  as in data
    frames = {"dt.month`,": pd.DataFrame({"t": [day]}), "dt.month\\(\\)`": pl.DataFrame({"t": [day]})}
    for remedy, frame in {**frames, "month or the days since": pa.table({"t": [day]})}.items():
        with pytest.raises(xgb.DataError, match=f"Turn times into numbers, .*{remedy}") as caught:
            xgb.DMatrix(frame)
        assert "categor" not in str(caught.value).partition("Invalid")[2]
    with pytest.raises(xgb.DataError, match="Cast text to `pl.Categorical`, or to `pl.Float32`"):
        xgb.DMatrix(pl.DataFrame({"s": ["x"]}))
