# SPDX-License-Identifier: Apache-2.0
import numpy as np
import pytest

import xgb_like as xgb
from xgb_like._base._unseen import UnseenLevels
from xgb_like._data._categories import Categories, as_values, recode
from xgb_like._data._recode import Known, recode_matrix

pd = pytest.importorskip("pandas")


def frame(values, categories):
    return pd.DataFrame({"f": np.arange(len(values)), "s": pd.Categorical(values, categories=categories)})


def codes(data):
    return data.get_data().toarray()[:, 1]


def test_codes_move_to_another_list_and_missing_stays():
    found = recode(np.array([0, np.nan, 1], np.float32), ["b", "a"], ["a", "b"], "s", UnseenLevels("error"))
    np.testing.assert_array_equal(found, [1, np.nan, 0])


@pytest.mark.parametrize(
    ("ours", "theirs", "text"),
    [
        (["a", "z"], ["a"], "Found a category not in the training set for feature 's': 'z'"),
        (["a"], ([1.0], "int64"), "index type must match between the training and test set"),
    ],
)
def test_what_cannot_be_recoded_is_refused(ours, theirs, text):
    with pytest.raises(xgb.DataError, match=text):
        recode(np.array([0, 1], np.float32)[-len(ours) :], ours, theirs, "s", UnseenLevels("error"))


def test_more_categories_than_codes_are_refused():
    with pytest.raises(xgb.DataError, match="16777217 categories"):
        as_values("s", np.arange(2**24 + 1))


def test_a_matrix_takes_the_codes_of_another():
    first = xgb.DMatrix(frame(list("xyz"), list("xyz")), enable_categorical=True)
    again = xgb.DMatrix(frame(list("zy"), list("zy")), enable_categorical=True, feature_types=first.get_categories())
    np.testing.assert_array_equal(codes(again), [2, 1])
    assert again.get_categories().values == first.get_categories().values


def test_a_recoded_matrix_knows_the_same_of_its_rows():
    data = xgb.DMatrix(frame(list("zyz"), list("zy")), [1, 2, 3], group=[1, 2], weight=[4, 5], enable_categorical=True)
    changed = recode_matrix(data._handle, Known([None, ["x", "y", "z"]], [False, True]), UnseenLevels("error"))
    np.testing.assert_array_equal(changed.to_csr()[2].reshape(3, 2)[:, 1], [2, 1, 2])
    np.testing.assert_array_equal(changed.get_float_info("label").ravel(), [1, 2, 3])
    np.testing.assert_array_equal(changed.get_float_info("weight"), [4, 5])
    same = Known(data._handle.categories, [False, True])
    assert recode_matrix(data._handle, same, UnseenLevels("error")) is data._handle


def test_a_number_in_place_of_a_category_is_refused():
    first = xgb.DMatrix(frame(list("xy"), list("xy")), enable_categorical=True)
    other = pd.DataFrame({"f": pd.Categorical(["x"]), "s": [1]})
    with pytest.raises(xgb.DataError, match="The data type doesn't match"):
        xgb.DMatrix(other, enable_categorical=True, feature_types=first.get_categories())


def test_categories_as_arrow():
    pytest.importorskip("pyarrow")
    listed = Categories(["a", "b", "c"], [None, ["x"], ([1.0, 2.0], "int64")]).to_arrow()
    assert [(name, None if array is None else array.to_pylist()) for name, array in listed] == [
        ("a", None),
        ("b", ["x"]),
        ("c", [1, 2]),
    ]


def test_arrow_arrays_have_to_be_asked_for():
    data = xgb.DMatrix(frame(list("yz"), list("zy")), [0, 1])
    for source in (data, xgb.train({}, data, 1)):
        names = [name for name, _ in source.get_categories(export_to_arrow=True).to_arrow()]
        assert names == data.feature_names
        with pytest.raises(xgb.DataError, match="export_to_arrow"):
            source.get_categories().to_arrow()


def test_empty_says_whether_there_are_categories():
    assert xgb.DMatrix(np.eye(2)).get_categories().empty()
    assert not xgb.DMatrix(frame(["x"], ["x"]), enable_categorical=True).get_categories().empty()


def test_exact_training_on_categories_is_refused():
    data = xgb.DMatrix(frame(list("xy"), list("xy")), [0, 1], enable_categorical=True)
    with pytest.raises(xgb.ParameterError, match="categorical features"):
        xgb.train({"tree_method": "exact"}, data, 1)


def test_training_goes_on_only_with_the_categories_of_the_model():
    label = [0.0, 10, 20] * 20
    first = xgb.DMatrix(frame(list("abc") * 20, list("abc")), label)
    booster = xgb.train({"max_depth": 2}, first, 2)
    other = frame(list("cab") * 20, list("cab"))
    with pytest.raises(xgb.DataError, match=r"feature_types=booster.get_categories\(\)"):
        booster.update(xgb.DMatrix(other, label), 2)
    booster.update(xgb.DMatrix(other, label, feature_types=booster.get_categories()), 2)
    assert booster.num_boosted_rounds() == 3


def test_numbers_in_place_of_categories_are_refused_in_place():
    data = xgb.DMatrix(frame(list("abc") * 20, list("abc")), [0.0, 10, 20] * 20)
    booster = xgb.train({"max_depth": 2}, data, 2)
    with pytest.raises(xgb.DataError, match="The data type doesn't match"):
        booster.inplace_predict(pd.DataFrame({"f": [0.5], "s": [1]}))
    assert booster.inplace_predict(np.array([[0.5, 1]])).shape == (1,)


@pytest.fixture(scope="module")
def city_model():
    cities = pd.Series(["Rome", "Oslo", "Bern"] * 20, dtype="category")
    data = pd.DataFrame({"city": cities, "x": np.arange(60) % 7})
    label = cities.cat.codes.to_numpy() * 10.0 + data["x"]
    return xgb.train({"min_child_weight": 0, "nthread": 1}, xgb.DMatrix(data, label), 10)


ROWS = [{"city": "Oslo", "x": 1.5}, {"city": None, "x": 3}, {"city": "Rome", "x": None}]


def _polars_rows():
    return pytest.importorskip("polars").DataFrame(ROWS, strict=False)


def _arrow_rows():
    return pytest.importorskip("pyarrow").Table.from_pylist(ROWS)


@pytest.mark.parametrize(
    "rows",
    [
        lambda: pd.DataFrame(ROWS), lambda: pd.DataFrame(ROWS).astype({"city": object}),
        lambda: pd.DataFrame(ROWS).astype({"city": "string"}), lambda: pd.DataFrame(ROWS)[["x", "city"]],
        _polars_rows, _arrow_rows, lambda: ROWS, lambda: tuple(ROWS),
    ],
    ids=["pandas", "objects", "strings", "other-order", "polars", "pyarrow", "dicts", "tuple"],
)  # fmt: skip
def test_texts_are_read_where_the_model_has_categories(city_model, rows):
    coded = pd.DataFrame(ROWS).astype({"city": pd.CategoricalDtype(["Bern", "Oslo", "Rome"]), "x": float})
    expected = city_model.predict(xgb.DMatrix(coded))
    np.testing.assert_array_equal(city_model.inplace_predict(rows()), expected)
    np.testing.assert_array_equal(city_model.predictor().predict(rows()), expected)
    matrix = xgb.DMatrix(rows(), feature_types=city_model.get_categories())
    np.testing.assert_array_equal(city_model.predict(matrix), expected)


@pytest.mark.parametrize("rows", [list, pd.DataFrame], ids=["dicts", "pandas"])
def test_a_missing_text_alone_is_a_missing_category(city_model, rows):
    expected = city_model.predict(xgb.DMatrix([[np.nan, 3]]), validate_features=False)
    for missing in (None, np.nan)[: 1 if rows is list else 2]:
        assert city_model.inplace_predict(rows([{"city": missing, "x": 3}])) == expected


def test_texts_of_no_known_category_are_unseen(city_model):
    with pytest.warns(UserWarning, match="count as missing: 'Lima' of 'city'"):
        city_model.inplace_predict([{"city": "Lima", "x": 3}])
    with pytest.raises(xgb.DataError, match="'Lima'"):
        city_model.inplace_predict(pd.DataFrame([{"city": "Lima", "x": 3}]), on_unseen="error")


@pytest.mark.parametrize(
    ("row", "text"),
    [
        ({"city": "Oslo", "x": "three"}, "Invalid columns: x: "),
        ({"city": 5, "x": 3}, "feature 'city' is a number here"),
        ({"city": "Oslo"}, "Missing: expected x"),
        ({"city": "Oslo", "x": 1, "y": 2}, "did not have the following fields: y"),
    ],
)
def test_rows_that_do_not_fit_are_refused(city_model, row, text):
    for rows in ([row], pd.DataFrame([row])):
        with pytest.raises(xgb.DataError, match=text):
            city_model.inplace_predict(rows)


def test_texts_are_no_features_where_nothing_is_known_of_them():
    with pytest.raises(xgb.DataError, match="Invalid columns: city"):
        xgb.DMatrix([{"city": "Oslo", "x": 1.5}])
    matrix = xgb.DMatrix([{"x": 1, "y": None}, {"y": 2.5}])
    assert matrix.feature_names == ["x", "y"]
    np.testing.assert_array_equal(matrix.get_data().toarray(), [[1, 0], [0, 2.5]])


def test_training_goes_on_with_the_same_labels_only():
    params = {"tree_method": "hist", "min_child_weight": 0}
    first = xgb.DMatrix(frame(list("xyz") * 9, list("xyz")), np.arange(27), enable_categorical=True)
    booster = xgb.train(params, first, 1)
    assert booster._handle.labelled() == first._handle.labelled() == [False, True]
    again = xgb.DMatrix(frame(list("zyx") * 9, list("xyz")), np.arange(27), enable_categorical=True)
    booster.update(again, 1)
    for levels in ("xzy", "xyw", "xy"):
        other = xgb.DMatrix(frame(list(levels) * 9, list(levels)), np.arange(9 * len(levels)), enable_categorical=True)
        assert not booster._handle.has_labels_of(other._handle)
        with pytest.raises(xgb.DataError, match="The categories of `dtrain` are not those of the model"):
            booster.update(other, 2)
    assert booster.num_boosted_rounds() == 2


def test_a_matrix_without_labels_agrees_with_any():
    first = xgb.DMatrix(frame(list("xyz"), list("xyz")), [1, 2, 3], enable_categorical=True)
    booster = xgb.train({"tree_method": "hist"}, first, 1)
    plain = xgb.DMatrix(np.zeros((3, 2)), [1, 2, 3], feature_types=["int", "c"], feature_names=first.feature_names)
    assert plain._handle.labelled() == []
    assert booster._handle.has_labels_of(plain._handle)
    booster.update(plain, 1)
