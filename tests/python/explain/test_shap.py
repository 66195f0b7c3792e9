"""The package shap: its own explainers on our models, and ours with its arguments and pictures."""

import numpy as np
import pytest

import xgb_like as xgb
from xgb_like.explain import TreeExplainer

shap = pytest.importorskip("shap")
pandas = pytest.importorskip("pandas")
pytest.importorskip("sklearn")
pytestmark = pytest.mark.filterwarnings("ignore")

MODELS = {
    "regression": {},
    "classes": {"objective": "binary:logistic"},
    "many_classes": {"objective": "multi:softprob", "num_class": 3},
    "counts": {"objective": "count:poisson"},
    "vectors": {"multi_strategy": "multi_output_tree"},
    "dart": {"booster": "dart", "rate_drop": 0.5},
    "forest": {"num_parallel_tree": 3, "subsample": 0.5},
    "linear": {"booster": "gblinear"},
}
OF_SHAP = ["regression", "classes", "many_classes", "counts"]  # what shap itself explains, and rightly


def with_categories():
    random = np.random.default_rng(1)
    size = 200
    frame = pandas.DataFrame(
        {
            "town": pandas.Categorical(random.choice(["Bern", "Graz", "Lyon", "Ulm"], size)),
            "rooms": pandas.Categorical(random.choice([10, 20, 30], size)),
            "area": random.normal(size=size),
        }
    )
    frame.loc[::9, "area"] = np.nan
    frame.loc[::11, "town"] = None
    label = (frame["town"].cat.codes % 2 + frame["rooms"].astype(float) / 20 + frame["area"].fillna(0)).to_numpy()
    return frame, label


def trained(kind, features, label):
    label = np.asarray(label, float)
    labels = {
        "classes": label > 0,
        "many_classes": np.digitize(label, [-1, 1]),
        "counts": np.abs(label),
        "vectors": np.c_[label, -label],
    }
    data = xgb.DMatrix(features, labels.get(kind, label))
    return xgb.train({"max_depth": 4, "max_cat_to_onehot": 1, **MODELS[kind]}, data, 6)


def margins(booster, data):
    matrix = data if isinstance(data, xgb.DMatrix) else xgb.DMatrix(data)
    return booster.predict(matrix, output_margin=True)


def assert_near(found, expected):
    found, expected = np.asarray(found, float), np.asarray(expected, float)
    assert found.shape == expected.shape
    np.testing.assert_allclose(found, expected, atol=2e-5)


def as_xgboost_has_it(booster):
    real = pytest.importorskip("xgboost", minversion="3.1")
    pytest.importorskip("shap", minversion="0.50")  # earlier ones cannot read models of XGBoost 3.1
    return real.Booster(model_file=booster.save_raw())


def all_values(explainer, features):
    """What an explainer of shap's interface says, with where it starts from last."""
    values = explainer.shap_values(features)
    return values, explainer.expected_value, explainer(features).base_values


# Programs that only change the import


@pytest.mark.peer
@pytest.mark.parametrize("background", [0, 30])
@pytest.mark.parametrize("kind", OF_SHAP)
def test_shap_says_of_our_boosters_what_it_says_of_those_of_xgboost(holes, kind, background, standing_in):
    features, label = holes
    data = features[:background] if background else None
    booster = trained(kind, features, label)
    expected = all_values(shap.TreeExplainer(as_xgboost_has_it(booster), data), features)
    with standing_in():
        found = all_values(shap.TreeExplainer(booster, data), features)
        explainer = shap.Explainer(booster, data)
        assert isinstance(explainer, shap.TreeExplainer)
        assert_near(explainer(features).values, expected[0])
    for ours, theirs in zip(found, expected, strict=True):
        assert_near(ours, theirs)


@pytest.mark.parametrize(
    ("estimator", "expected"),
    [
        (xgb.XGBRegressor(n_estimators=5, missing=-9), "predict"),
        (xgb.XGBClassifier(n_estimators=30, early_stopping_rounds=1), "predict"),
        (xgb.XGBRFRegressor(n_estimators=5), "predict"),
    ],
    ids=["regressor", "stopped early", "forest"],
)
def test_shap_takes_our_estimators(binary, estimator, expected, standing_in):
    features = np.where(binary[0] < -1.5, -9, binary[0])
    options = {"eval_set": [(-features, binary[1])], "verbose": False} if estimator.early_stopping_rounds else {}
    model = estimator.fit(features, binary[1], **options)
    options = {"output_margin": True} if isinstance(model, xgb.XGBClassifier) else {}
    with standing_in():
        found = shap.TreeExplainer(model)(features)
        pairs = shap.TreeExplainer(model).shap_interaction_values(features)
    predicted = getattr(model, expected)(features, **options)
    assert_near(found.values.sum(axis=1) + found.base_values, predicted)
    if np.isnan(estimator.missing):  # shap makes a matrix for interactions without asking what is missing
        assert_near(pairs.sum(axis=2), found.values)


def test_shap_takes_categories_of_text(standing_in):
    features, label = with_categories()
    booster = trained("regression", features, label)
    with standing_in():
        found = shap.TreeExplainer(booster)(features)
    assert_near(found.values.sum(axis=1) + found.base_values, margins(booster, features))


def test_shap_finds_clusters_by_our_estimators(regression, standing_in):
    with standing_in():
        tree = shap.utils.hclust(regression[0], regression[1])  # which trains `xgboost.XGBRegressor`
    assert tree.shape == (regression[0].shape[1] - 1, 4)


@pytest.mark.parametrize("algorithm", ["permutation", "partition", "exact"])
def test_explainers_of_functions_take_predict(binary, algorithm):
    features = binary[0][:20, :5]
    model = xgb.XGBClassifier(n_estimators=4).fit(binary[0][:, :5], binary[1])
    found = shap.Explainer(lambda rows: model.predict_proba(rows)[:, 1], features, algorithm=algorithm)(features)
    assert_near(found.values.sum(axis=1) + found.base_values, model.predict_proba(features)[:, 1])


# Our own explainer


@pytest.mark.peer
@pytest.mark.parametrize("background", [0, 30])
@pytest.mark.parametrize("kind", OF_SHAP)
def test_values_are_those_of_shap(holes, kind, background):
    if kind == "many_classes" and background:
        pytest.importorskip("shap", minversion="0.54")  # earlier ones start all classes where the first one does
    features, label = holes
    data = features[:background] if background else None
    booster = trained(kind, features, label)
    expected = all_values(shap.TreeExplainer(as_xgboost_has_it(booster), data), features)
    for ours, theirs in zip(all_values(TreeExplainer(booster, data), features), expected, strict=True):
        assert_near(ours, theirs)


@pytest.mark.peer
@pytest.mark.parametrize("kind", OF_SHAP)
def test_pairs_and_paths_are_those_of_shap(holes, kind):
    features, label = holes
    booster = trained(kind, features, label)
    ours, theirs = TreeExplainer(booster), shap.TreeExplainer(as_xgboost_has_it(booster))
    assert_near(ours.shap_interaction_values(features), theirs.shap_interaction_values(features))
    assert_near(ours(features, interactions=True).values, theirs.shap_interaction_values(features))
    assert_near(ours.shap_values(features, approximate=True), theirs.shap_values(features, approximate=True))


@pytest.mark.parametrize(
    ("kind", "output"), [("classes", "probability"), ("classes", "log_loss"), ("regression", "log_loss")]
)
def test_other_outputs_are_those_of_shap(holes, kind, output):
    features, label = holes
    label = label > 0 if kind == "classes" else label
    booster = trained(kind, features, label)
    background = features[~np.isnan(features).any(axis=1)][:20]
    theirs = shap.TreeExplainer(xgb.export.to_shap(booster), background, model_output=output)
    ours = TreeExplainer(booster, background, model_output=output)
    assert_near(ours.shap_values(features, y=label), theirs.shap_values(features, label))
    if output == "log_loss":
        assert_near(ours.expected_value(1), theirs.expected_value(1))
    else:
        assert_near(ours.expected_value, theirs.expected_value)


@pytest.mark.parametrize("background", [0, 30])
@pytest.mark.parametrize("kind", MODELS)
def test_values_add_up_to_margins_for_every_model(holes, kind, background):
    features, label = holes
    booster = trained(kind, features, label)
    explainer = TreeExplainer(booster, features[:background] if background else None)
    found = explainer(features)
    assert_near(found.values.sum(axis=1) + found.base_values, margins(booster, features))
    assert_near(found.base_values[0], explainer.expected_value)
    if background:
        assert_near(explainer.expected_value, margins(booster, features[:background]).mean(axis=0))


@pytest.mark.parametrize("kind", ["regression", "many_classes", "vectors", "dart"])
@pytest.mark.parametrize("background", [0, 30])
def test_values_of_categories_add_up_to_margins(kind, background):
    features, label = with_categories()
    booster = trained(kind, features, label)
    found = TreeExplainer(booster, features[:background] if background else None)(features)
    assert_near(found.values.sum(axis=1) + found.base_values, margins(booster, features))
    assert found.feature_names == ["town", "rooms", "area"]
    assert_near(found.data[:, 0], features["town"].cat.codes.astype(float).replace(-1, np.nan))
    assert found.display_data[1].tolist()[:2] == features.iloc[1].astype(str).tolist()[:2]
    assert found.display_data[0].tolist()[::2] == ["missing", "missing"]


def test_columns_in_another_order_are_shown_in_the_order_of_the_model():
    features, label = with_categories()
    explainer = TreeExplainer(trained("regression", features, label))
    found, expected = explainer(features[["area", "town", "rooms"]]), explainer(features)
    assert found.feature_names == expected.feature_names
    for part in ("values", "data"):
        assert_near(getattr(found, part), getattr(expected, part))
    assert found.display_data.tolist() == expected.display_data.tolist()


@pytest.mark.parametrize("output", ["raw", "probability"])
def test_arrays_without_names_have_those_of_the_model(binary, output):
    names = ["a", "b", "c", "d", "e"]
    features = pandas.DataFrame(binary[0], columns=names)
    model = xgb.XGBClassifier(n_estimators=5).fit(features, binary[1])
    expected = TreeExplainer(model, features[:9], model_output=output)(features)
    for data, rows in ((binary[0][:9], features), (features[:9], binary[0]), (binary[0][:9], features[names[::-1]])):
        found = TreeExplainer(model, data, model_output=output)(rows)
        assert_near(found.values, expected.values)
        assert found.feature_names == names
    with pytest.raises(xgb.DataError, match="feature_names"):
        TreeExplainer(model)(features.rename(columns={"a": "z"}))
    assert_near(
        TreeExplainer(model).shap_interaction_values(binary[0])[:, 0].sum(axis=1),
        TreeExplainer(model)(features).values[:, 0],
    )


def test_probabilities_of_categories_add_up():
    features, label = with_categories()
    model = xgb.XGBClassifier(n_estimators=5, max_cat_to_onehot=1).fit(features, label > 1)
    found = TreeExplainer(model, features[:20], model_output="probability")(features)
    assert_near(found.values.sum(axis=1) + found.base_values, model.predict_proba(features)[:, 1])


def test_rows_that_are_equal_to_the_background_explain_nothing(binary):
    model = xgb.XGBClassifier(n_estimators=5).fit(*binary)
    row = binary[0][:1]
    found = TreeExplainer(model, row, model_output="probability")(row)
    assert_near(found.values, np.zeros_like(row))
    assert_near(found.base_values, model.predict_proba(row)[:, 1])


def test_weights_of_the_background_count(binary):
    model = xgb.XGBClassifier(n_estimators=5).fit(*binary)
    rows, weights = binary[0][:3], [1.0, 0.0, 3.0]
    explainer = TreeExplainer(model, xgb.DMatrix(rows, weight=weights), model_output="probability")
    repeated = TreeExplainer(model, rows[[0, 2, 2, 2]], model_output="probability")
    assert_near(explainer.expected_value, repeated.expected_value)
    assert_near(explainer.shap_values(binary[0]), repeated.shap_values(binary[0]))


def test_a_masker_stands_for_its_rows(binary):
    model = xgb.XGBClassifier(n_estimators=5).fit(*binary)
    masker = shap.maskers.Independent(binary[0], max_samples=9)
    assert_near(
        TreeExplainer(model, masker).shap_values(binary[0]), TreeExplainer(model, masker.data)(binary[0]).values
    )


def test_base_margins_are_where_a_row_starts_from(regression):
    features, label = regression
    booster = xgb.train({}, xgb.DMatrix(features, label), 4)
    data = xgb.DMatrix(features, base_margin=np.arange(len(label)) / 100)
    found = TreeExplainer(booster)(data)
    assert_near(found.values.sum(axis=1) + found.base_values, margins(booster, data))
    assert np.ptp(found.base_values) > 1


def test_what_stands_for_missing_in_an_estimator_does_so_here(regression):
    features = np.where(regression[0] < 0, -9, regression[0])
    model = xgb.XGBRegressor(n_estimators=4, missing=-9).fit(features, regression[1])
    for data in (None, features[:9]):
        found = TreeExplainer(model, data)(features)
        assert_near(found.values.sum(axis=1) + found.base_values, model.predict(features))


@pytest.mark.parametrize("rows", [0, 1])
def test_few_rows(holes, rows):
    features, label = holes
    explainer = TreeExplainer(trained("many_classes", features, label))
    assert explainer.shap_values(features[:rows]).shape == (rows, features.shape[1], 3)
    assert np.isfinite(explainer.shap_values(np.full((1, features.shape[1]), np.nan))).all()


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({"model_output": "probability"}, "`model_output` probability needs `data`"),
        ({"model_output": "odds"}, "`model_output` must be raw or probability or log_loss .*got 'odds'"),
        ({"feature_perturbation": "interventional"}, "`feature_perturbation` interventional needs `data`"),
        ({"feature_perturbation": "none"}, "must be auto, interventional or tree_path_dependent; got 'none'"),
        ({"feature_perturbation": "tree_path_dependent", "data": np.zeros((2, 5))}, "Leave it out"),
    ],
)
def test_what_cannot_be_explained_is_told(binary, options, text):
    booster = xgb.train({"objective": "binary:logistic"}, xgb.DMatrix(*binary), 2)
    with pytest.raises(xgb.ParameterError, match=text):
        TreeExplainer(booster, **options)


def test_calls_take_the_arguments_of_shap(binary):
    features, _ = binary
    explainer = TreeExplainer(trained("classes", *binary))
    plain = explainer.shap_values(features)
    np.testing.assert_array_equal(explainer.shap_values(features, check_additivity=False, tree_limit=-1), plain)
    np.testing.assert_array_equal(explainer.shap_values(features, None, None, False, False), plain)
    np.testing.assert_array_equal(explainer(features, check_additivity=False).values, plain)
    assert explainer.shap_interaction_values(features, None, -1).shape == (*features.shape, features.shape[1])
    with pytest.raises(xgb.ParameterError, match=r"`tree_limit` .* got 3\. .*model\[:rounds\]"):
        explainer.shap_values(features, tree_limit=3)


def test_what_single_calls_cannot_do_is_told(binary):
    features, label = binary
    booster = xgb.train({"objective": "binary:logistic"}, xgb.DMatrix(features, label), 2)
    with pytest.raises(xgb.DataError, match="needs the labels `y`"):
        TreeExplainer(booster, features[:9], model_output="log_loss").shap_values(features)
    with pytest.raises(xgb.ParameterError, match="Leave `data` of the explainer out"):
        TreeExplainer(booster, features[:9]).shap_interaction_values(features)
    with pytest.raises(xgb.ParameterError, match="`model` must be a Booster"):
        TreeExplainer("model.ubj")


# Pictures


PICTURES = {
    "bar": lambda found: shap.plots.bar(found, show=False),
    "bar of a row": lambda found: shap.plots.bar(found[0], show=False),
    "beeswarm": lambda found: shap.plots.beeswarm(found, show=False),
    "decision": lambda found: shap.plots.decision(
        found.base_values[0], found.values, features=found.data, feature_names=found.feature_names, show=False
    ),
    "force": lambda found: shap.plots.force(found[0], matplotlib=True, show=False),
    "heatmap": lambda found: shap.plots.heatmap(found, show=False),
    "scatter": lambda found: shap.plots.scatter(found[:, found.feature_names[-1]], color=found, show=False),
    "violin": lambda found: shap.plots.violin(found, show=False),
    "waterfall": lambda found: shap.plots.waterfall(found[0], show=False),
}


@pytest.fixture
def pyplot():
    pytest.importorskip("matplotlib").use("Agg")
    pyplot = pytest.importorskip("matplotlib.pyplot")
    yield pyplot
    pyplot.close("all")


@pytest.mark.parametrize("kind", ["regression", "many_classes"])
@pytest.mark.parametrize("name", PICTURES)
def test_shap_draws_what_we_explain(pyplot, name, kind):
    features, label = with_categories()
    found = TreeExplainer(trained(kind, features, label))(features)
    PICTURES[name](found if kind == "regression" else found[:, :, 1])
    assert pyplot.get_fignums()


def test_pictures_show_labels_of_categories(pyplot):
    features, label = with_categories()
    shap.plots.waterfall(TreeExplainer(trained("regression", features, label))(features)[1], show=False)
    shown = [text.get_text() for axes in pyplot.gcf().axes for text in axes.get_yticklabels()]
    assert f"{features['town'][1]} = town" in shown
