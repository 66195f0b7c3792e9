# SPDX-License-Identifier: Apache-2.0
"""Columns that were numbers in training and come as categories, or the other way round."""

import numpy as np
import pytest

import xgb_like as xgb

pd = pytest.importorskip("pandas")

PARAMS = {"max_depth": 2, "objective": "binary:logistic"}
NUMBERS = pd.DataFrame({"a": [10, 20] * 20, "b": np.arange(40.0)})
LABEL = np.array([0, 1] * 20)
REFUSED = "The data type doesn't match: feature '{}' is a {} here and a {} in the training set"


def pandas_frame(columns, labelled):
    return pd.DataFrame({name: pd.Categorical(v) if name in labelled else v for name, v in columns.items()})


def polars_frame(columns, labelled):
    pl = pytest.importorskip("polars")
    as_text = {name: pl.Series([str(v) for v in values], dtype=pl.Categorical) for name, values in columns.items()}
    return pl.DataFrame({name: as_text[name] if name in labelled else list(v) for name, v in columns.items()})


def arrow_table(columns, labelled):
    pa = pytest.importorskip("pyarrow")
    arrays = {name: pa.array(list(values)) for name, values in columns.items()}
    return pa.table({name: v.dictionary_encode() if name in labelled else v for name, v in arrays.items()})


def columns(**changes):
    return {**{name: NUMBERS[name].tolist() for name in NUMBERS}, **changes}


@pytest.fixture(name="model", scope="module", params=["named", "nameless"])
def _model(request):
    return xgb.train(PARAMS, xgb.DMatrix(NUMBERS if request.param == "named" else NUMBERS.to_numpy(), LABEL), 5)


@pytest.fixture(name="by_label", scope="module")
def _by_label():
    return xgb.train(PARAMS, xgb.DMatrix(pandas_frame(columns(), ["a"]), LABEL), 3)


def estimator_of(model):
    estimator = xgb.XGBClassifier()
    estimator.load_model(model.save_raw())
    return estimator.set_params(enable_categorical=True)


def roads(model, data, label=LABEL):
    """All ways to have something said of data."""
    return {
        "predict": lambda: model.predict(xgb.DMatrix(data)),
        "inplace": lambda: model.inplace_predict(data),
        "predictor": lambda: model.predictor().predict(data),
        "estimator": lambda: estimator_of(model).predict_proba(data)[:, 1],
        "contributions": lambda: model.predict(xgb.DMatrix(data), pred_contribs=True),
        "leaves": lambda: model.predict(xgb.DMatrix(data), pred_leaf=True),
        "eval": lambda: model.eval(xgb.DMatrix(data, label)),
        "refit": lambda: model.refit(xgb.DMatrix(data, label)),
        "explain": lambda: xgb.explain.partial_dependence(model, data, "a" if model.feature_names else 0),
    }


ROADS = tuple(roads(None, None))


@pytest.mark.parametrize("road", ROADS)
@pytest.mark.parametrize("frame", [pandas_frame, polars_frame, arrow_table])
def test_text_in_place_of_numbers_is_refused(model, frame, road):
    data = frame(columns(a=["u", "v"] * 20), ["a"])
    with pytest.raises(xgb.DataError, match=REFUSED.format("a", "category", "number")):
        roads(model, data)[road]()


def test_texts_that_spell_numbers_are_refused_with_the_way_to_numbers(model):
    data = pandas_frame(columns(a=["3.5", "7.25"] * 20), ["a"])
    with pytest.raises(xgb.DataError, match=r"feature 'a' is a category .* pd\.to_numeric\(\) turns texts"):
        model.inplace_predict(data)
    with pytest.raises(xgb.DataError, match=r"trained on\.$"):
        model.inplace_predict(pandas_frame(columns(a=["3.5", "many"] * 20), ["a"]))


def test_all_columns_are_named(model):
    data = pandas_frame(columns(a=["u", "v"] * 20, b=["w"] * 40), ["a", "b"])
    with pytest.raises(xgb.DataError, match=r"feature 'a' is a category .*, feature 'b' is a category"):
        model.inplace_predict(data)


@pytest.mark.parametrize("road", ROADS)
@pytest.mark.parametrize("frame", [pandas_frame, arrow_table])
def test_labels_that_are_numbers_become_numbers_again(model, frame, road):
    found = roads(model, frame(columns(), ["a"]))
    expected = roads(model, NUMBERS)[road]()
    with pytest.warns(UserWarning, match="turned back into numbers, which the model was trained on: 'a'") as caught:
        result = found[road]()
    assert len(caught) == 1
    if road == "refit":
        assert result.save_raw() == expected.save_raw()
    elif road == "eval":
        assert result == expected
    elif road != "explain":
        np.testing.assert_array_equal(result, expected)


def test_missing_categories_stay_missing(model):
    data = pd.DataFrame({"a": pd.Categorical([20, None, 10]), "b": [1.0, 2, 3]})
    with pytest.warns(UserWarning, match="turned back"):
        found = model.inplace_predict(data)
    np.testing.assert_array_equal(found, model.inplace_predict(np.array([[20, 1], [np.nan, 2], [10, 3]])))


def test_data_for_evaluation_are_turned_back_with_one_warning():
    dtrain = xgb.DMatrix(NUMBERS, LABEL)
    logs = {}, {}
    evals = [(xgb.DMatrix(pandas_frame(columns(), ["a"]), LABEL), "e"), (dtrain, "t")]
    with pytest.warns(UserWarning, match="turned back") as caught:
        xgb.train(PARAMS, dtrain, 4, evals=evals, evals_result=logs[0], verbose_eval=False)
    assert len(caught) == 1
    xgb.train(PARAMS, dtrain, 4, evals=[(dtrain, "e"), (dtrain, "t")], evals_result=logs[1], verbose_eval=False)
    assert logs[0] == logs[1]
    evals = [(xgb.DMatrix(pandas_frame(columns(a=["u", "v"] * 20), ["a"]), LABEL), "e")]
    with pytest.raises(xgb.DataError, match=REFUSED.format("a", "category", "number")):
        xgb.train(PARAMS, dtrain, 4, evals=evals, verbose_eval=False)
    with pytest.raises(xgb.DataError, match=REFUSED.format("a", "category", "number")):
        xgb.XGBClassifier().fit(NUMBERS, LABEL, eval_set=[(pandas_frame(columns(a=["u", "v"] * 20), ["a"]), LABEL)])


@pytest.mark.parametrize("road", ROADS)
@pytest.mark.parametrize("frame", [pandas_frame, polars_frame, arrow_table])
def test_numbers_in_place_of_labels_are_refused(by_label, frame, road):
    with pytest.raises(xgb.DataError, match=REFUSED.format("a", "number", "category")):
        roads(by_label, frame(columns(), []))[road]()


def test_booleans_are_numbers(by_label):
    flags = pd.DataFrame({"a": [False, True] * 20, "b": NUMBERS["b"]})
    with pytest.raises(xgb.DataError, match=REFUSED.format("a", "number", "category")):
        by_label.inplace_predict(flags)
    model = xgb.train(PARAMS, xgb.DMatrix(flags, LABEL), 2)
    with pytest.raises(xgb.DataError, match=REFUSED.format("a", "category", "number")):
        model.inplace_predict(pandas_frame(columns(a=["False", "True"] * 20), ["a"]))
    with pytest.raises(xgb.DataError, match="bool"):
        model.inplace_predict(pandas_frame(columns(a=[False, True] * 20), ["a"]))


def test_a_template_of_categories_turns_numbers_back(by_label):
    data = pd.DataFrame({"a": pd.Categorical([10, 20]), "b": pd.Categorical([7, 9])})
    with pytest.warns(UserWarning, match="turned back .*: 'b'"):
        matrix = xgb.DMatrix(data, feature_types=by_label.get_categories())
    np.testing.assert_array_equal(matrix._handle.to_dense(), [[0, 7], [1, 9]])
    assert matrix.feature_types == ["c", "int"]
    with pytest.raises(xgb.DataError, match=REFUSED.format("a", "number", "category")):
        xgb.DMatrix(NUMBERS, feature_types=by_label.get_categories())


@pytest.mark.parametrize("first", [False, True])
def test_training_goes_on_with_columns_of_the_same_kinds_only(first):
    numbers, labelled = xgb.DMatrix(NUMBERS, LABEL), xgb.DMatrix(pandas_frame(columns(), ["a"]), LABEL)
    start = xgb.train(PARAMS, labelled if first else numbers, 1)
    here, there = ("number", "category") if first else ("category", "number")
    with pytest.raises(xgb.DataError, match=REFUSED.format("a", here, there)):
        xgb.train(PARAMS, numbers if first else labelled, 1, xgb_model=start)
    assert start.num_boosted_rounds() == 1


def test_training_goes_on_with_coded_columns_only_if_they_are_said_to_be_so():
    codes = np.array([[0.0, 5], [1, 6]] * 20)
    start = xgb.train(PARAMS, xgb.DMatrix(codes, LABEL, feature_types=["c", "q"]), 1)
    with pytest.raises(xgb.DataError, match=REFUSED.format("f0", "number", "category")):
        xgb.train(PARAMS, xgb.DMatrix(codes, LABEL), 1, xgb_model=start)
    more = xgb.train(PARAMS, xgb.DMatrix(codes, LABEL, feature_types=start.feature_types), 1, xgb_model=start)
    assert more.num_boosted_rounds() == 2


def test_codes_of_models_without_labels_are_taken_as_they_are():
    codes = np.array([[0.0, 5], [1, 6]] * 20)
    model = xgb.train(PARAMS, xgb.DMatrix(codes, LABEL, feature_types=["c", "q"]), 2)
    expected = model.inplace_predict(codes)
    labelled = pd.DataFrame({"f0": pd.Categorical(["u", "v"] * 20), "f1": codes[:, 1]})
    plain = pd.DataFrame(codes, columns=["f0", "f1"])
    for data in (labelled, plain):
        np.testing.assert_array_equal(model.inplace_predict(data), expected)
        np.testing.assert_array_equal(model.predict(xgb.DMatrix(data)), expected)


TEXTS = np.array(list("zyx"))[np.arange(40) % 3]
SORTED = pd.DataFrame({"a": pd.Categorical(TEXTS, categories=list("zyx")), "b": np.arange(40.0)})
SCORES = NUMBERS["b"] * (TEXTS == "x")
QUERIES = np.arange(40) // 8

WAYS = {  # that take data in place of a matrix
    "predict": lambda model, data: model.predict(data),
    "apply": lambda model, data: model.apply(data),
    "inplace_predict": lambda model, data: model.get_booster().inplace_predict(data),
    "refit": lambda model, data: model.get_booster().refit(data, SCORES).inplace_predict(SORTED),
    "shap_values": lambda model, data: xgb.interpret.shap_values(model, data, X_background=data)[0],
    "TreeExplainer": lambda model, data: xgb.explain.TreeExplainer(model, data).shap_values(data),
    "interactions": lambda model, data: xgb.explain.TreeExplainer(model).shap_interaction_values(data),
    "partial_dependence": lambda model, data: xgb.explain.partial_dependence(model, data, "b").average,
    "permutation_importance": lambda model, data: xgb.explain.permutation_importance(model, data, SCORES).mean,
    "h_statistic": lambda model, data: xgb.explain.h_statistic(model, data, ["a", "b"]),
}
PICTURES = {
    "plot_partial_dependence": lambda model, data: xgb.plotting.plot_partial_dependence(model, data, "b").lines,
    "plot_shap_summary": lambda model, data: xgb.plotting.plot_shap_summary(model, data, kind="bars").patches,
}


def fitted(**changes):
    pytest.importorskip("sklearn")
    return xgb.XGBRegressor(n_estimators=3, max_depth=3, **changes).fit(SORTED, SCORES)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("kind", ["str", "object"])
def test_plain_texts_are_categories_where_the_model_has_some(way, kind):
    model, plain = fitted(), SORTED.assign(a=SORTED["a"].astype(kind))
    expected = np.asarray(WAYS[way](model, SORTED))
    assert expected.any()
    assert np.array_equal(WAYS[way](model, plain), expected)
    assert np.array_equal(WAYS[way](model, plain[["b", "a"]]), expected)


def test_codes_stay_codes_beside_texts():
    table = SORTED.assign(b=NUMBERS["a"] // 10)
    model = xgb.train({"max_depth": 3}, xgb.DMatrix(table, SCORES, feature_types=["c", "c"]), 3)
    relabelled = SORTED.assign(
        b=pd.Categorical(table["b"].map({1: "one", 2: "two"}), categories=["zero", "one", "two"])
    )
    explainer = xgb.explain.TreeExplainer(model)
    for data in (table, relabelled, relabelled.astype({"a": str})):
        np.testing.assert_array_equal(explainer.shap_values(data), explainer.shap_values(table))


@pytest.mark.parametrize("picture", PICTURES)
@pytest.mark.usefixtures("plt")
def test_pictures_take_plain_texts(picture):
    model = fitted()
    drawn, expected = (
        [part.get_path().vertices.tolist() for part in PICTURES[picture](model, data)]
        for data in (SORTED.astype({"a": str}), SORTED)
    )
    assert drawn == expected != []


def test_rankers_score_plain_texts():
    pytest.importorskip("sklearn")
    model = xgb.XGBRanker(n_estimators=3).fit(SORTED, SCORES > 9, qid=QUERIES)
    data = SORTED.assign(qid=QUERIES)
    assert model.score(data.astype({"a": str}), SCORES > 9) == model.score(data, SCORES > 9)


def test_texts_that_the_model_does_not_know_are_told_of():
    with pytest.warns(UserWarning, match="w"):
        fitted().apply(SORTED.assign(a="w"))


def test_what_is_missing_is_what_the_estimator_says():
    model = fitted(missing=7.0)
    table = SORTED.assign(b=SORTED["b"].where(SORTED["b"] != 7))
    found, expected = (xgb.explain.partial_dependence(model, data, "b").average for data in (SORTED, table))
    assert np.array_equal(found, expected)
