# SPDX-License-Identifier: Apache-2.0
"""The classifier: labels of any kind, several labels, weights of classes, probabilities."""

import numpy as np
import pytest

import xgb_like as xgb

base = pytest.importorskip("sklearn.base")

SMALL = {"n_estimators": 4, "max_depth": 2}


def fit(features, labels, **params):
    return xgb.XGBClassifier(**SMALL, **params).fit(features, labels)


@pytest.mark.parametrize(
    "names",
    [
        ["no", "yes"],
        [False, True],
        [-1, 1],
        [2.0, 7.0],
        [10**12, 10**13],
        np.array(["2020-01-01", "2021-01-01"], dtype="M8[D]"),
        np.array(["a", "b"], dtype=object),
    ],
    ids=str,
)
def test_labels_of_any_kind_are_given_back(binary, names):
    labels = np.asarray(names)[binary[1].astype(int)]
    model = fit(binary[0], labels)
    assert model.n_classes_ == 2
    assert model.classes_.tolist() == np.asarray(names).tolist()
    assert model.score(binary[0], labels) > 0.9
    assert np.array_equal(model.predict_proba(binary[0]), fit(*binary).predict_proba(binary[0]))


def test_labels_from_0_are_themselves(classes):
    model = fit(*classes)
    assert model.classes_.tolist() == [0, 1, 2]
    assert model.predict(classes[0]).dtype == np.int64
    assert model.predict_proba(classes[0]).shape == (len(classes[0]), 3)


def column_kinds():
    pandas, polars, arrow = (pytest.importorskip(name) for name in ("pandas", "polars", "pyarrow"))
    texts = ["a", "b"] * 6
    return [
        texts,
        tuple(texts),
        pandas.Series(texts),
        pandas.Series(texts, dtype="category"),
        pandas.DataFrame({"y": texts}),
        polars.Series(texts),
        polars.DataFrame({"y": texts}),
        arrow.array(texts),
        arrow.chunked_array([texts[:6], texts[6:]]),
    ]


@pytest.mark.parametrize("number", range(9))
def test_labels_come_in_any_column(number):
    labels = column_kinds()[number]
    model = xgb.XGBClassifier(n_estimators=3, min_child_weight=0).fit(np.arange(12.0).reshape(-1, 1) % 2, labels)
    assert model.predict([[0.0], [1.0]]).tolist() == ["a", "b"]


def test_nullable_integers_are_numbers():
    pandas = pytest.importorskip("pandas")
    assert fit(np.eye(6), pandas.Series([3, 5] * 3, dtype="Int64")).classes_.tolist() == [3, 5]


def test_one_row_and_missing_features():
    model = fit(np.full((3, 2), np.nan), ["x", "y", "y"])
    assert model.predict(np.full((1, 2), np.nan)).tolist() == ["y"]


@pytest.mark.parametrize("objective", ["multi:softprob", "multi:softmax"])
@pytest.mark.parametrize("count", [2, 3])
def test_probabilities_of_objectives_for_many_classes(classes, objective, count):
    features, labels = classes[0], np.minimum(classes[1], count - 1)
    model = fit(features, labels, objective=objective)
    proba = model.predict_proba(features)
    assert proba.shape == (len(labels), count)
    assert np.allclose(proba.sum(axis=1), 1, atol=1e-6)
    assert np.array_equal(model.predict(features), proba.argmax(axis=1))


def test_probabilities_of_margins(binary):
    model = fit(*binary, objective="binary:logitraw")
    margins = model.predict(binary[0], output_margin=True)
    assert np.array_equal(model.predict(binary[0]), margins > 0)
    assert np.allclose(model.predict_proba(binary[0])[:, 1], 1 / (1 + np.exp(-margins)), atol=1e-6)


def test_objective_of_two_classes_gives_way_for_three_with_a_warning(classes):
    with pytest.warns(UserWarning, match="multi:softprob is used"):
        assert fit(*classes, objective="binary:hinge").get_xgb_params()["objective"] == "multi:softprob"


def test_several_labels_a_row(regression):
    labels = (regression[0][:, :3] > 0).astype(int)
    model = fit(regression[0], labels)
    assert model.predict(regression[0]).shape == model.predict_proba(regression[0]).shape == labels.shape
    assert model.predict(regression[0]).dtype == labels.dtype
    assert model.score(regression[0], labels) > 0.9


def test_balanced_classes_weigh_the_same(binary):
    features, labels = binary[0], (binary[1] * (np.arange(300) % 5 == 0)).astype(int)
    share = labels.mean()
    weights = np.where(labels == 1, 0.5 / share, 0.5 / (1 - share))
    expected = xgb.XGBClassifier(**SMALL).fit(features, labels, sample_weight=weights).predict_proba(features)
    assert np.allclose(fit(features, labels, class_weight="balanced").predict_proba(features), expected, atol=1e-5)


def test_weights_of_classes_multiply_those_of_rows(binary):
    names = np.array(["no", "yes"])[binary[1].astype(int)]
    rows = np.linspace(0.5, 1.5, 300)
    got = xgb.XGBClassifier(**SMALL, class_weight={"yes": 3}).fit(binary[0], names, sample_weight=rows)
    expected = xgb.XGBClassifier(**SMALL).fit(*binary, sample_weight=rows * np.where(binary[1], 3, 1))
    assert np.array_equal(got.predict_proba(binary[0]), expected.predict_proba(binary[0]))


def test_evaluation_labels_are_encoded_like_the_training_labels(binary):
    names = np.array(["no", "yes"])[binary[1].astype(int)]
    sets = [(binary[0], names), (binary[0][:50], names[:50].tolist())]
    model = xgb.XGBClassifier(**SMALL).fit(binary[0], names, eval_set=sets, verbose=False)
    plain = xgb.XGBClassifier(**SMALL)
    plain.fit(*binary, eval_set=[binary, (binary[0][:50], binary[1][:50])], verbose=False)
    assert model.evals_result() == plain.evals_result()


def test_continuing_keeps_the_classes(classes):
    names = np.array(["a", "b", "c"])[classes[1].astype(int)]
    first = fit(classes[0], names)
    some = names != "b"
    more = xgb.XGBClassifier(**SMALL).fit(classes[0][some], names[some], xgb_model=first)
    assert more.classes_.tolist() == ["a", "b", "c"]
    assert more.get_booster().num_boosted_rounds() == 8
    with pytest.raises(xgb.DataError, match="'z', which the model `xgb_model` does not have"):
        fit(classes[0], names).fit(classes[0], ["z"] * 300, xgb_model=first)


def test_rows_of_weight_0_are_left_out_of_frames_with_categories():
    pandas = pytest.importorskip("pandas")
    table = pandas.DataFrame({"c": pandas.Categorical(["x", "y", "z"] * 20), "n": np.arange(60.0)})
    labels = np.where(table["c"] == "y", "yes", "no")
    weights = np.arange(60) % 4
    model = xgb.XGBClassifier(n_estimators=20, monotone_constraints={"n": 1}).fit(
        table, labels, sample_weight=weights, eval_set=[(table, labels)], verbose=False
    )
    assert model.feature_names_in_.tolist() == ["c", "n"]
    assert model.get_booster().get_categories().values[0] == ["x", "y", "z"]
    assert model.score(table, labels) == 1


def test_rows_of_weight_0_count_as_left_out(classes):
    weights = (np.arange(300) % 3 > 0).astype(float)
    got = xgb.XGBClassifier(**SMALL).fit(*classes, sample_weight=weights)
    features, labels = classes[0][weights > 0], classes[1][weights > 0]
    expected = xgb.XGBClassifier(**SMALL).fit(features, labels)
    assert np.array_equal(got.predict_proba(classes[0]), expected.predict_proba(classes[0]))


def test_the_objective_in_force_is_told_and_the_parameter_stays(binary, classes):
    model = xgb.XGBClassifier(n_estimators=1)
    for (features, labels), used in ((classes, "multi:softprob"), (binary, "binary:logistic")):
        model.fit(features, labels)
        assert model.objective == used
        assert model.get_params()["objective"] == "binary:logistic"
        assert base.clone(model).objective == "binary:logistic"
    assert model.set_params(objective="binary:hinge").objective == "binary:hinge"


def test_booleans_come_back_as_booleans(binary):
    model = fit(binary[0], binary[1] > 0)
    assert model.classes_.tolist() == [False, True]
    assert model.predict(binary[0]).dtype == bool
    assert np.array_equal(model.predict_proba(binary[0]), fit(*binary).predict_proba(binary[0]))
    assert fit(binary[0], [True] * 300).predict(binary[0][:2]).tolist() == [True, True]


@pytest.mark.parametrize("kind", ["binary", "classes"])
def test_a_booster_may_take_the_place_of_a_fit(request, kind):
    features, labels = request.getfixturevalue(kind)
    params = {"objective": "multi:softprob", "num_class": 3} if kind == "classes" else {"objective": "binary:logistic"}
    model = xgb.XGBClassifier()
    model._Booster = xgb.train(params, xgb.DMatrix(features, labels), 4)
    probabilities = model.predict_proba(features)
    assert model.classes_.tolist() == list(range(probabilities.shape[1])) == list(range(model.n_classes_))
    assert np.array_equal(model.predict(features), probabilities.argmax(axis=1))


@pytest.mark.parametrize(
    ("label", "classes"), [(0, [0, 1]), (1, [0, 1]), (True, [False, True]), (1.0, [0, 1]), ("a", ["a"]), (7, [7])]
)
def test_one_class_has_a_column_for_each_of_its_classes(binary, tmp_path, label, classes):
    features = binary[0]
    model = fit(features, np.full(len(features), label))
    model.save_model(tmp_path / "model.ubj")
    loaded = xgb.XGBClassifier()
    loaded.load_model(tmp_path / "model.ubj")
    for it in (model, loaded):
        assert (it.classes_.tolist(), it.n_classes_) == (classes, len(classes))
        assert set(it.predict(features).tolist()) == {label}
        chances = it.predict_proba(features)
        assert (chances.shape, chances.dtype) == ((len(features), len(classes)), np.float32)
        np.testing.assert_allclose(chances[:, classes.index(label)], 1, atol=1e-4)
    assert fit(features[:1], [label]).predict_proba(features[:0]).shape == (0, len(classes))


def test_one_class_of_many_still_has_its_column(binary):
    features = binary[0]
    model = fit(features, ["a"] * len(features), objective="multi:softprob")
    assert model.predict_proba(features).tolist() == [[1.0]] * len(features)


def test_zeros_alone_may_be_evaluated_with_ones(binary):
    features, label = binary
    model = xgb.XGBClassifier(**SMALL).fit(features, label * 0, eval_set=[(features, label)], verbose=False)
    assert len(model.evals_result()["validation_0"]["logloss"]) == 4


def test_another_number_of_classes_is_told_of(classes):
    with pytest.warns(UserWarning, match="`num_class` is 5, but `y` has 3 classes: 3 is used"):
        assert fit(*classes, num_class=5).predict_proba(classes[0]).shape == (300, 3)
