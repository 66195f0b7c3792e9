# SPDX-License-Identifier: Apache-2.0
"""The regressor, the forests, the estimator without a task, and what fitted models tell."""

import numpy as np
import pytest

import xgb_like as xgb

pytest.importorskip("sklearn")

SMALL = {"n_estimators": 4, "max_depth": 2}


def test_fit_is_train_and_predict_is_predict(holes):
    model = xgb.XGBRegressor(**SMALL).fit(*holes)
    booster = xgb.train({"max_depth": 2}, xgb.DMatrix(*holes), 4)
    assert model.get_booster().save_raw() == booster.save_raw()
    assert np.array_equal(model.predict(holes[0]), booster.predict(xgb.DMatrix(holes[0])))


def frames(features):
    pandas, polars, arrow, sparse = (
        pytest.importorskip(name) for name in ("pandas", "polars", "pyarrow", "scipy.sparse")
    )
    table = pandas.DataFrame(features, columns=list("abcde"))
    return {
        "pandas": table,
        "polars": polars.DataFrame(features, schema=list("abcde")),
        "lazy": polars.LazyFrame(features, schema=list("abcde")),
        "pyarrow": arrow.Table.from_pandas(table),
        "list": features.tolist(),
        "csr": sparse.csr_matrix(features),
        "csc": sparse.csc_array(features),
    }


@pytest.mark.parametrize("kind", ["pandas", "polars", "lazy", "pyarrow", "list", "csr", "csc"])
def test_features_come_in_any_table(regression, kind):
    table = frames(regression[0])[kind]
    model = xgb.XGBRegressor(**SMALL).fit(table, regression[1], eval_set=[(table, regression[1])], verbose=False)
    assert np.array_equal(model.predict(table), xgb.XGBRegressor(**SMALL).fit(*regression).predict(regression[0]))
    assert np.array_equal(model.apply(table), model.get_booster().predict(xgb.DMatrix(table), pred_leaf=True))
    assert hasattr(model, "feature_names_in_") == (kind in ("pandas", "polars", "lazy", "pyarrow"))


def test_categories_are_learnt_by_default_and_can_be_refused():
    pandas = pytest.importorskip("pandas")
    table = pandas.DataFrame({"colour": pandas.Categorical(["red", "blue", "green"] * 20)})
    label = table["colour"].map({"red": 1.0, "blue": 5.0, "green": 1.0}).astype(float)
    model = xgb.XGBRegressor(n_estimators=40).fit(table, label)
    other = table.assign(colour=pandas.Categorical(table["colour"], categories=["green", "red", "blue"]))
    assert np.allclose(model.predict(other), label, atol=0.05)
    with pytest.raises(xgb.DataError, match="enable_categorical"):
        xgb.XGBRegressor(enable_categorical=False).fit(table, label)


def test_feature_types_make_numbers_categories():
    codes = np.tile([0.0, 1.0, 2.0], 20).reshape(-1, 1)
    model = xgb.XGBRegressor(n_estimators=30, feature_types=["c"]).fit(codes, codes.ravel() == 1)
    assert np.allclose(model.predict(codes), codes.ravel() == 1, atol=0.05)
    assert model.get_booster().feature_types == ["c"]


def test_missing_is_a_value_in_training_and_prediction(holes):
    filled = np.where(np.isnan(holes[0]), -7, holes[0]).astype(np.float32)
    model = xgb.XGBRegressor(**SMALL, missing=-7).fit(filled, holes[1])
    assert np.array_equal(model.predict(filled), xgb.XGBRegressor(**SMALL).fit(*holes).predict(holes[0]))


@pytest.mark.parametrize("strategy", ["one_output_per_tree", "multi_output_tree"])
def test_several_targets(regression, strategy):
    labels = np.column_stack([regression[1], -regression[1]])
    model = xgb.XGBRegressor(**SMALL, multi_strategy=strategy).fit(regression[0], labels)
    booster = model.get_booster()
    assert np.array_equal(model.predict(regression[0]), booster.predict(xgb.DMatrix(regression[0])))
    assert model.intercept_.shape == (2,)
    assert model.score(regression[0], labels) > 0.3


def test_base_margin_counts_in_training_and_prediction(regression):
    margin = np.linspace(-1, 1, 300).astype(np.float32)
    model = xgb.XGBRegressor(**SMALL).fit(*regression, base_margin=margin)
    booster = xgb.train({"max_depth": 2}, xgb.DMatrix(*regression, base_margin=margin), 4)
    data = xgb.DMatrix(regression[0], base_margin=margin)
    assert np.array_equal(model.predict(regression[0], base_margin=margin), booster.predict(data))


def test_rounds_to_predict_with(regression):
    model = xgb.XGBRegressor(**SMALL).fit(*regression)
    booster, data = model.get_booster(), xgb.DMatrix(regression[0])
    assert np.array_equal(
        model.predict(regression[0], iteration_range=(1, 3)), booster.predict(data, iteration_range=(1, 3))
    )
    assert model.apply(regression[0], (0, 2)).shape == (300, 2)


def test_margins_are_without_the_last_step(regression):
    label = np.exp(regression[1] / 4)
    model = xgb.XGBRegressor(**SMALL, objective="reg:gamma").fit(regression[0], label)
    margins = model.predict(regression[0], output_margin=True)
    assert np.allclose(np.exp(margins), model.predict(regression[0]), rtol=1e-5)


def test_importances_sum_to_1_by_any_type(regression):
    for kind in (None, "weight", "total_cover"):
        values = xgb.XGBRegressor(**SMALL, importance_type=kind).fit(*regression).feature_importances_
        assert values.dtype == np.float32
        assert values.shape == (5,)
        assert np.isclose(values.sum(), 1)


def test_importances_of_a_model_without_splits_are_0():
    assert xgb.XGBRegressor(n_estimators=2).fit(np.ones((4, 3)), np.ones(4)).feature_importances_.tolist() == [0] * 3


def test_coefficients_of_a_linear_model(classes):
    features, labels = classes
    linear = {"booster": "gblinear", "n_estimators": 3}
    one = xgb.XGBRegressor(**linear).fit(features, labels)
    assert one.coef_.shape == (5,)
    assert one.intercept_.shape == (1,)
    many = xgb.XGBClassifier(**linear).fit(features, labels)
    assert many.coef_.shape == (3, 5)
    assert many.feature_importances_.shape == (5, 3)
    with pytest.raises(AttributeError, match="Coefficients"):
        _ = xgb.XGBRegressor(n_estimators=1).fit(features, labels).coef_


def test_coefficients_give_the_margins(classes):
    features, labels = classes
    model = xgb.XGBClassifier(booster="gblinear", n_estimators=5).fit(features, labels)
    margins = features @ model.coef_.T + model.intercept_ + model.get_booster()._handle.base_score()
    assert np.allclose(model.predict(features, output_margin=True), margins, atol=1e-4)


def test_forest_is_one_round_of_trees(regression):
    model = xgb.XGBRFRegressor(n_estimators=7, max_depth=3).fit(*regression)
    assert model.get_booster().num_boosted_rounds() == model.get_num_boosting_rounds() == 1
    assert model.apply(regression[0]).shape == (300, 7)
    assert model.get_xgb_params()["num_parallel_tree"] == 7
    assert xgb.XGBRFClassifier().get_xgb_params()["num_parallel_tree"] == 100


def test_forest_of_classes(classes):
    names = np.array(["a", "b", "c"])[classes[1].astype(int)]
    assert xgb.XGBRFClassifier(n_estimators=20).fit(classes[0], names).score(classes[0], names) > 0.8


@pytest.mark.parametrize("data", ["binary", "classes"])
def test_forest_that_classifies_has_all_its_trees(data, request):
    features, labels = request.getfixturevalue(data)
    booster = xgb.XGBRFClassifier(n_estimators=7).fit(features, labels).get_booster()
    assert booster.num_boosted_rounds() == 1
    assert len(booster.get_dump()) == 7 * (1 if data == "binary" else 3)


@pytest.mark.parametrize("name", ["early_stopping_rounds", "callbacks"])
def test_forests_have_no_rounds_to_stop_at(name, binary):
    with pytest.raises(NotImplementedError, match=name):
        xgb.XGBRFClassifier(**{name: 3})
    with pytest.raises(NotImplementedError, match=name):
        xgb.XGBRFClassifier().set_params(**{name: 3}).fit(*binary)


def test_model_without_a_task_predicts_what_its_objective_does(binary):
    model = xgb.XGBModel(**SMALL, objective="binary:logistic").fit(*binary)
    values = model.predict(binary[0])
    assert values.min() > 0
    assert values.max() < 1


def test_constraints_by_name_and_weights_of_features(regression):
    pandas = pytest.importorskip("pandas")
    table = pandas.DataFrame(regression[0], columns=list("abcde"))
    model = xgb.XGBRegressor(
        n_estimators=9, monotone_constraints={"a": 1}, interaction_constraints=[["a", "b"]], colsample_bynode=0.5
    ).fit(table, regression[1], feature_weights=[1, 1, 0, 0, 0])
    assert set(model.get_booster().get_score()) <= {"a", "b"}
    rising = np.tile(regression[0][:1], (9, 1))
    rising[:, 0] = np.linspace(-2, 2, 9)
    assert (np.diff(model.predict(pandas.DataFrame(rising, columns=list("abcde")))) >= 0).all()


@pytest.mark.parametrize(("shape", "what"), [((0, 2), "0 sample"), ((2, 0), "0 feature")])
def test_no_rows_and_no_columns_are_refused(shape, what):
    with pytest.raises(xgb.DataError, match=f"`X` is empty: found {what}.*minimum of 1 is required"):
        xgb.XGBRegressor(n_estimators=1).fit(np.empty(shape), np.ones(shape[0]))


def test_no_rounds_give_a_constant():
    assert xgb.XGBRegressor(n_estimators=0).fit(np.eye(2), [1, 3]).predict(np.eye(2)).tolist() == [0.5, 0.5]


def test_extreme_values_are_features():
    features = np.array([[3e38, 1e-45], [-3e38, -1e-45], [0, np.nan], [1, 0]] * 5, dtype=np.float32)
    model = xgb.XGBRegressor(n_estimators=3).fit(features, [1, 2, 3, 4] * 5)
    assert np.isfinite(model.predict(features)).all()
    with pytest.raises(xgb.DataError, match="inf"):
        xgb.XGBRegressor().fit([[np.inf]], [1])
